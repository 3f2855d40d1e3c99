package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.range;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatFlow;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.NaiveView;
import io.tensornio.support.Pick;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
//~long import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if floating
import java.util.stream.DoubleStream;
//#end

/** Streams that are written to {@code float} data. */
@ExtendWith(MemoryBalance.class)
class FloatStreamPutTest {
    private static final RuntimeException STOP = new RuntimeException("stop");
    private static final Pick[][] VIEWS = {
        {},
        {Pick.at(1)},
        {Pick.all(4), Pick.at(2)},
        {Pick.flip(4), Pick.flip(3), Pick.flip(5)},
        {Pick.step(4, 2), Pick.all(3), Pick.step(5, 2)},
        {Pick.range(1, 3, 1), Pick.range(2, 0, -1), Pick.range(1, 5, 3)},
        {Pick.at(3), Pick.at(0), Pick.at(2)},
        {Pick.range(2, 2, 1)},
    };

    private static Iterable<int[]> selections(NaiveView view) {
        return () -> IntStream.rangeClosed(0, view.rank()).boxed().flatMap(n -> NaiveView.of(Arrays.copyOf(view.shape, n)).indices().stream())
            .iterator();
    }

    /** Of a tensor whose elements are the values of their positions: those after the values from 100 on were written to the start of a selection. */
    private static float[] model(NaiveView selection, int n) {
        float[] model = FloatValues.array(0, 60);
        for (int i = 0; i < n; i++) {
            model[selection.positions[i]] = FloatValues.of(100 + i);
        }
        return model;
    }

    private static Stream<Object> values(int n, int how) {
        Stream<Object> values = how < 2 ? FloatFlow.values(100, n) : FloatFlow.endless(100).limit(n);
        return how % 2 == 0 ? values : values.parallel();
    }

    @Test
    void streamsOfEveryLengthToTheStartOfEverySelection() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {4, 3, 5}, whole -> {
            for (Pick[] picks : VIEWS) {
                NaiveView view = NaiveView.of(4, 3, 5).slice(picks);
                FloatTensorData data = whole.slice(Pick.indices(picks));
                for (int[] indices : selections(view)) {
                    NaiveView selection = view.selection(indices);
                    for (int n = 0; n <= selection.size(); n += 1 + n / 7) {
                        for (int how = 0; how < 4; how++) {
                            FloatValues.fill(whole);
                            FloatFlow.put(data, values(n, how), indices);
                            assertArrayEquals(model(selection, n), FloatValues.all(whole),
                                n + " at " + Arrays.toString(indices) + " of " + Arrays.toString(picks));
                        }
                    }
                }
            }
        })) {
            assertEquals(60, tensor.numElements());
        }
    }

    @Test
    void whatFitsOfALongerStreamIsWritten() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {4, 3, 5}, whole -> {
            for (Pick[] picks : VIEWS) {
                NaiveView view = NaiveView.of(4, 3, 5).slice(picks);
                FloatTensorData data = whole.slice(Pick.indices(picks));
                for (int[] indices : selections(view)) {
                    NaiveView selection = view.selection(indices);
                    int n = selection.size();
                    List<Supplier<Stream<Object>>> longer = Arrays.asList(() -> values(n + 1, 0), () -> values(n + 1, 1), () -> values(n + 1000, 0),
                        () -> FloatFlow.endless(100), () -> FloatFlow.endless(100).parallel(),
                        () -> FloatFlow.endless(90).skip(10).parallel(), () -> Stream.of(1, 2).flatMap(one -> FloatFlow.endless(100)),
                        () -> Stream.of(1, 2).parallel().flatMap(one -> FloatFlow.endless(100)));
                    for (Supplier<Stream<Object>> stream : longer) {
                        FloatValues.fill(whole);
                        Expect.thrown(IndexOutOfBoundsException.class, () -> FloatFlow.put(data, stream.get(), indices), "more than " + n,
                            Arrays.toString(data.shape()), "which has " + Expect.elements(n));
                        assertArrayEquals(model(selection, n), FloatValues.all(whole), Arrays.toString(indices) + " of " + Arrays.toString(picks));
                    }
                }
            }
        })) {
            assertEquals(60, tensor.numElements());
        }
    }

    @Test
    void nothingBehindTheFirstThatDoesNotFitIsAskedFor() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {2, 3}, data -> {
            int[] asked = {0};
            Expect.thrown(IndexOutOfBoundsException.class, () -> FloatFlow.put(data, FloatFlow.endless(0).peek(value -> asked[0]++), 1),
                "more than 3");
            assertEquals(4, asked[0]);
            asked[0] = 0;
            FloatFlow.put(data, FloatFlow.endless(0).peek(value -> asked[0]++).limit(2), 1);
            assertEquals(2, asked[0]);
        })) {
            assertEquals(FloatFlow.objects(FloatValues.array(0, 3)), FloatFlow.of(tensor.floatData(), 1).collect(Collectors.toList()));
        }
    }

    @Test
    void parallelStreamsKeepTheirOrder() {
        int n = 100_000;
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {n}, data -> {
            FloatFlow.put(data, IntStream.range(0, n).parallel().mapToObj(i -> FloatFlow.object(FloatValues.of(i))));
            float[] all = FloatValues.zeros(n);
            data.copyTo(all);
            assertArrayEquals(FloatValues.array(0, n), all);
            FloatFlow.put(data.slice(flip()), IntStream.range(0, n).boxed().collect(Collectors.toList()).parallelStream()
                .filter(i -> i % 2 == 0).map(i -> FloatFlow.object(FloatValues.of(i))));
            for (int i = 0; i < n / 2; i++) {
                assertEquals(FloatValues.of(2 * i), data.get(n - 1 - i));
            }
        })) {
            assertEquals(FloatValues.of(0), tensor.floatData().get(n - 1));
        }
    }

    @Test
    void aStreamOfOtherData() {
        try (Tensor<Float> source = FloatValues.tensor(3, 4);
                Tensor<Float> tensor = Tensors.denseFloat(new long[] {4, 3},
                    data -> data.put(source.floatData().slice(flip(), flip()).stream().parallel()))) {
            for (int i = 0; i < 12; i++) {
                assertEquals(FloatValues.of(11 - i), tensor.floatData().get(i / 3, i % 3));
            }
        }
    }

    @Test
    void aStreamOfTheSameDataSeesWhatIsWritten() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {3, 4}, data -> {
            FloatValues.fill(data);
            data.put(data.stream());
            assertArrayEquals(FloatValues.array(0, 12), FloatValues.all(data));
            data.slice(0).slice(range(1, 4)).put(data.slice(0).slice(range(0, 3)).stream());
        })) {
            for (int i = 0; i < 12; i++) {
                assertEquals(FloatValues.of(i < 4 ? 0 : i), tensor.floatData().get(i / 4, i % 4));
            }
        }
    }

    @Test
    void whatCameBeforeAnExceptionStays() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {4, 3, 5}, data -> {
            for (int stop = 0; stop <= 60; stop++) {
                FloatValues.fill(data);
                int last = stop;
                Stream<Object> stream = IntStream.iterate(0, i -> i + 1).mapToObj(i -> {
                    if (i == last) {
                        throw STOP;
                    }
                    return FloatFlow.object(FloatValues.of(100 + i));
                });
                assertSame(STOP, assertThrows(RuntimeException.class, () -> FloatFlow.put(data, stop(last, stream))));
                assertArrayEquals(model(NaiveView.of(4, 3, 5), stop), FloatValues.all(data));
            }
        })) {
            assertEquals(60, tensor.numElements());
        }
    }

    private static Stream<Object> stop(int at, Stream<Object> stream) {
        return at % 2 == 0 ? stream : stream.parallel();
    }

    @Test
    void nothingIsClosed() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {2, 3}, data -> {
            boolean[] closed = {false};
            Stream<Object> stream = FloatFlow.values(0, 6).onClose(() -> closed[0] = true);
            FloatFlow.put(data, stream);
            assertFalse(closed[0]);
            Stream<Object> tooLong = FloatFlow.endless(0).onClose(() -> closed[0] = true);
            assertThrows(IndexOutOfBoundsException.class, () -> FloatFlow.put(data, tooLong));
            assertFalse(closed[0]);
        })) {
            assertArrayEquals(FloatValues.array(0, 6), FloatValues.all(tensor.floatData()));
        }
    }

    @Test
    void aStreamThatWasUsedWritesNothing() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {2, 3}, data -> {
            FloatValues.fill(data);
            //#if floating
            DoubleStream used = DoubleStream.of(1, 2, 3);
            //#end
            //~int,byte IntStream used = IntStream.of(1, 2, 3);
            //~long LongStream used = LongStream.of(1, 2, 3);
            //~boolean Stream<Boolean> used = Stream.of(true, false, true);
            //~string Stream<String> used = Stream.of("a");
            used.count();
            assertThrows(IllegalStateException.class, () -> data.put(used));
        })) {
            assertArrayEquals(FloatValues.array(0, 6), FloatValues.all(tensor.floatData()));
        }
    }

    /** A stream that nobody may ask for anything; once it was put, it can still be used. */
    private static Stream<Object> unasked() {
        return Stream.generate(() -> {
            throw new AssertionError("asked");
        });
    }

    @Test
    void checksComeInOrder() {
        //#if floating
        DoubleStream none = null;
        DoubleStream some = DoubleStream.of(1);
        //#end
        //~int,byte IntStream none = null;
        //~int,byte IntStream some = IntStream.of(1);
        //~long LongStream none = null;
        //~long LongStream some = LongStream.of(1);
        //~boolean,string Stream<Float> none = null;
        //~boolean Stream<Boolean> some = Stream.of(true);
        //~string Stream<String> some = Stream.of("a");
        Tensor<Float> tensor = Tensors.denseFloat(new long[] {2, 3}, data -> {
            Expect.thrown(IndexOutOfBoundsException.class, () -> FloatFlow.put(data, unasked(), 2), "index 2", "axis 0", "size 2");
            Expect.thrown(IndexOutOfBoundsException.class, () -> FloatFlow.put(data, unasked(), 1, -1), "index -1 of [1, -1]", "axis 1");
            Expect.thrown(IndexOutOfBoundsException.class, () -> FloatFlow.put(data, unasked(), 0, 0, 0), "3 indices", "rank 2");
            Expect.thrown(NullPointerException.class, () -> data.put(none, 7), "values");
            Expect.thrown(NullPointerException.class, () -> data.put(some, (int[]) null), "indices");
        });
        FloatTensorData published = tensor.floatData();
        Expect.thrown(ReadOnlyBufferException.class, () -> FloatFlow.put(published, unasked(), 7, 7, 7), "FLOAT", "[2, 3]", "published");
        Expect.thrown(ReadOnlyBufferException.class, () -> published.put(some, 0));
        assertEquals(1, some.count(), "it was not used");
        Expect.thrown(NullPointerException.class, () -> published.put(none, 7), "values");
        assertArrayEquals(FloatValues.zeros(6), FloatValues.all(published));
        tensor.close();
        Expect.thrown(TensorClosedException.class, () -> FloatFlow.put(published, unasked(), 7, 7, 7), "FLOAT", "[2, 3]", "closed");
        Expect.thrown(NullPointerException.class, () -> published.put(none, 7), "values");
    }

    @Test
    void dataThatTheEndOfInitTookAway() {
        FloatTensorData[] kept = new FloatTensorData[1];
        assertSame(STOP, assertThrows(RuntimeException.class, () -> Tensors.denseFloat(new long[] {2, 3}, data -> {
            kept[0] = data;
            throw STOP;
        })));
        Expect.thrown(TensorClosedException.class, () -> FloatFlow.put(kept[0], unasked()), "FLOAT", "[2, 3]", "closed");
    }

    @Test
    void publishedWhileAStreamIsPut() throws InterruptedException {
        java.util.concurrent.CountDownLatch half = new java.util.concurrent.CountDownLatch(1);
        java.util.concurrent.CountDownLatch published = new java.util.concurrent.CountDownLatch(1);
        Thread[] writer = new Thread[1];
        Throwable[] thrown = new Throwable[1];
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {2, 3}, data -> {
            writer[0] = new Thread(() -> {
                try {
                    FloatFlow.put(data, IntStream.range(0, 6).mapToObj(i -> {
                        if (i == 3) {
                            half.countDown();
                            await(published);
                        }
                        return FloatFlow.object(FloatValues.of(i));
                    }));
                } catch (Throwable e) {
                    thrown[0] = e;
                    half.countDown();           // so that what it is can be told
                }
            });
            writer[0].start();
            await(half);
        })) {
            published.countDown();
            writer[0].join();
            assertSame(ReadOnlyBufferException.class, thrown[0].getClass().getSuperclass(), () -> String.valueOf(thrown[0]));
            float[] expected = FloatValues.zeros(6);
            System.arraycopy(FloatValues.array(0, 3), 0, expected, 0, 3);
            assertArrayEquals(expected, FloatValues.all(tensor.floatData()));
        }
    }

    private static void await(java.util.concurrent.CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    //#if float
    //~encoded @org.junit.jupiter.api.Tag("carrier")
    @Test
    void doublesAreCast() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {5}, data ->
                data.put(DoubleStream.of(0.1, 1e300, -1e300, Double.NaN, 1e-300)))) {
            float infinity = Float.POSITIVE_INFINITY;
            assertArrayEquals(new float[] {0.1f, infinity, -infinity, Float.NaN, 0}, FloatValues.all(tensor.floatData()));
        }
    }
    //#end

    //~byte @Test
    //~byte void valuesThatAreNoUnsignedBytes() {
    //~byte     try (Tensor<UInt8> tensor = Tensors.denseUInt8(new long[] {2, 3}, data -> {
    //~byte         for (int wrong : new int[] {-1, 256, -128, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
    //~byte             data.put(new byte[] {9, 9, 9, 9, 9, 9});
    //~byte             Expect.thrown(IllegalArgumentException.class, () -> data.put(IntStream.of(255, 0, wrong, 3), 0), "value " + wrong, "0 to 255",
    //~byte                 "UINT8");
    //~byte             assertArrayEquals(new byte[] {-1, 0, 9, 9, 9, 9}, FloatValues.all(data));
    //~byte             Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(IntStream.of(1, 2, 3, wrong), 0), "more than 3");
    //~byte         }
    //~byte     })) {
    //~byte         assertArrayEquals(new byte[] {1, 2, 3, 9, 9, 9}, FloatValues.all(tensor.uInt8Data()));
    //~byte     }
    //~byte }

    //~byte,boolean,string private static void refused(FloatTensorData data, String where, int... indices) {
    //~byte     Expect.thrown(IllegalArgumentException.class, () -> data.put(IntStream.of(1, 300), indices),
    //~byte         "the value 300, after 1 other, for " + where + ", is not in 0 to 255, the range of UINT8");
    //~boolean,string     Expect.thrown(NullPointerException.class, () -> data.put(Stream.of(FloatValues.of(1), null), indices),
    //~boolean,string         "null among the values, after 1 of them, for " + where);
    //~byte,boolean,string }

    //~byte,boolean,string @Test
    //~byte,boolean,string void aValueThatIsRefusedIsToldWithWhatItWasFor() {
    //~byte,boolean,string     Tensors.denseFloat(new long[] {2, 2}, data -> {
    //~byte,boolean,string         refused(data, "the selection at [1] of the shape [2, 2]", 1);
    //~byte,boolean,string         refused(data, "the whole of the shape [2, 2]");
    //~byte,boolean,string     }).close();
    //~byte,boolean,string     Tensors.sparseFloat(new long[] {2, 2}, 1,
    //~byte,boolean,string         data -> refused(data, "the selection at [1] of the shape [2, 2]", 1)).close();
    //~byte,boolean,string     Tensors.raggedFloat(new long[] {2, -1}, data -> {
    //~byte,boolean,string         refused(data, "the selection at [1] of the shape [2, -1]", 1);
    //~byte,boolean,string         refused(data, "the selection at [1, 0] of the shape [2, -1]", 1, 0);
    //~byte,boolean,string     }).close();
    //~byte,boolean,string }

    //~boolean @Test
    //~boolean void nullIsNoBoolean() {
    //~boolean     try (Tensor<Boolean> tensor = Tensors.denseBoolean(new long[] {4}, data ->
    //~boolean             Expect.thrown(NullPointerException.class, () -> data.put(Stream.of(true, true, null, true)), "null"))) {
    //~boolean         assertArrayEquals(new boolean[] {true, true, false, false}, FloatValues.all(tensor.booleanData()));
    //~boolean     }
    //~boolean }
}
