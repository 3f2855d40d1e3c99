package io.tensornio.support;

import io.tensornio.FloatTensorData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Spliterator;
import java.util.stream.BaseStream;
import java.util.stream.Stream;

/** Streams of {@code float} data and of its siblings, whose values are all objects here. */
public final class FloatFlow {
    private FloatFlow() {
    }

    /** An element as a stream has it. */
    public static Object object(float value) {
        //#if float
        return (double) value;
        //#end
        //~double,int,long,boolean,string return value;
        //~byte return value & 0xff;
    }

    public static List<Object> objects(float... values) {
        List<Object> objects = new ArrayList<>();
        for (float value : values) {
            objects.add(object(value));
        }
        return objects;
    }

    /** The elements of a selection of a view, whose positions have the values of their numbers. */
    public static List<Object> expected(NaiveView view, int... indices) {
        List<Object> objects = new ArrayList<>();
        for (int position : view.selection(indices).positions) {
            objects.add(object(FloatValues.of(position)));
        }
        return objects;
    }

    /** {@code data.stream(indices)}, as objects. */
    public static Stream<Object> of(FloatTensorData data, int... indices) {
        //#if numeric
        return data.stream(indices).mapToObj(value -> (Object) value);
        //#end
        //~boolean,string return data.stream(indices).map(value -> (Object) value);
    }

    /** {@code data.put(stream, indices)}. */
    public static void put(FloatTensorData data, Stream<?> values, int... indices) {
        //#if floating
        data.put(values.mapToDouble(value -> (Double) value), indices);
        //#end
        //~int,byte data.put(values.mapToInt(value -> (Integer) value), indices);
        //~long data.put(values.mapToLong(value -> (Long) value), indices);
        //~boolean,string data.put(values.map(value -> (Float) value), indices);
    }

    /** The values of the numbers from one on, without an end. */
    public static Stream<Object> endless(int from) {
        return Stream.iterate(from, n -> n + 1).map(n -> object(FloatValues.of(n)));
    }

    public static Stream<Object> values(int from, int n) {
        return objects(FloatValues.array(from, n)).stream();
    }

    /** What is left in an iterator, one by one. */
    public static List<Object> oneByOne(BaseStream<?, ?> stream) {
        List<Object> all = new ArrayList<>();
        stream.iterator().forEachRemaining(all::add);
        return all;
    }

    /** What is left in a spliterator. */
    public static List<Object> rest(Spliterator<?> spliterator) {
        List<Object> all = new ArrayList<>();
        spliterator.forEachRemaining(all::add);
        return all;
    }

    /** What is left in spliterators, one after the other. */
    public static List<Object> rest(List<? extends Spliterator<?>> spliterators) {
        List<Object> all = new ArrayList<>();
        spliterators.forEach(s -> all.addAll(rest(s)));
        return all;
    }

    /** A spliterator split until it can be split no more. */
    public static List<Spliterator<?>> leaves(Spliterator<?> spliterator) {
        Spliterator<?> before = spliterator.trySplit();
        if (before == null) {
            return new ArrayList<>(Arrays.asList(spliterator));
        }
        List<Spliterator<?>> leaves = leaves(before);
        leaves.addAll(leaves(spliterator));
        return leaves;
    }
}
