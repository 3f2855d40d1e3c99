package io.tensornio.support;

import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.ellipsis;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.incl;

import io.tensornio.FloatTensorData;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
//#if buffer
import java.nio.FloatBuffer;
//#end

/** Writable {@code float} data of every kind that there is. */
public final class FloatKinds {
    private FloatKinds() {
    }

    private static long[] with(int axis, long size, long... shape) {
        long[] longer = Arrays.copyOf(shape, Math.max(shape.length, axis + 1));
        longer[axis] = size;
        return longer;
    }

    /** Positions that no stride can say, from 3 on, of an axis with one more. */
    private static long[] uneven(long size) {
        long[] positions = new long[(int) size];
        for (int n = 0; n < positions.length; n++) {
            positions[n] = n == 0 ? size : n - 1;
        }
        return positions;
    }

    /** The views, by what is to be added to the name, each on what {@code make} gives for the shape that it needs. */
    private static void add(Map<String, FloatTensorData> all, String name, Function<long[], FloatTensorData> make, long... shape) {
        int rank = shape.length;
        all.put(name, make.apply(shape));
        all.put(name + ", strided", make.apply(with(rank, 2, shape)).slice(ellipsis(), at(1)));
        if (rank > 0) {
            TensorIndex[] flips = new TensorIndex[rank];
            Arrays.fill(flips, flip());
            all.put(name + ", flipped", make.apply(shape).slice(flips));
            all.put(name + ", row", make.apply(with(0, 3, prepended(shape))).slice(1));
            all.put(name + ", list", make.apply(with(0, shape[0] + 1, shape)).slice(incl(uneven(shape[0]))));
            all.put(name + ", list behind", make.apply(with(rank - 1, shape[rank - 1] + 1, shape)).slice(ellipsis(), incl(uneven(shape[rank - 1]))));
        }
    }

    private static long[] prepended(long... shape) {
        long[] longer = new long[shape.length + 1];
        System.arraycopy(shape, 0, longer, 1, shape.length);
        return longer;
    }

    private static int product(long... shape) {
        long n = 1;
        for (long size : shape) {
            n *= size;
        }
        return (int) n;
    }

    /** Data of a shape, each of memory of its own; what lies in native memory can be written during the check alone. */
    public static void each(long[] shape, Consumer<Map<String, FloatTensorData>> check) {
        Map<String, FloatTensorData> all = new LinkedHashMap<>();
        inTensors("native", all, shape, () -> inTensors("sparse", all, shape, () -> {
            add(all, "array", sizes -> FloatTensorData.of(FloatValues.zeros(product(sizes)), sizes), shape);
            add(all, "own", FloatOwn::of, shape);
            //#if buffer
            for (String kind : FloatBuffers.all(0).keySet()) {
                add(all, kind, sizes -> {
                    FloatBuffer buffer = FloatBuffers.all(product(sizes)).get(kind);
                    return FloatTensorData.of(buffer, sizes);
                }, shape);
            }
            //#end
            check.accept(all);
        }));
    }

    private static void inTensors(String name, Map<String, FloatTensorData> all, long[] shape, Runnable then) {
        Map<String, long[]> shapes = new LinkedHashMap<>();
        add(new LinkedHashMap<>(), "", sizes -> {
            shapes.putIfAbsent(Arrays.toString(sizes), sizes.clone());
            return FloatTensorData.of(FloatValues.zeros(product(sizes)), sizes);
        }, shape);
        // Each view a tensor of its own: made one inside of the other, as they can be written in their init alone.
        nest(name, shapes.size() + 1, shape, new LinkedHashMap<>(), all, then, shapes.values().toArray(new long[0][]));
    }

    private static void nest(String name, int depth, long[] shape, Map<String, FloatTensorData> made, Map<String, FloatTensorData> all, Runnable then,
        long[]... shapes) {
        int done = made.size();
        if (done == depth) {
            boolean[] second = {false};
            add(all, name, sizes -> {
                if (Arrays.equals(sizes, shape)) {
                    // The whole and the flipped are of one shape.
                    FloatTensorData mine = made.get(second[0] ? "again" : Arrays.toString(sizes));
                    second[0] = true;
                    return mine;
                }
                return made.get(Arrays.toString(sizes));
            }, shape);
            then.run();
            return;
        }
        long[] sizes = done == shapes.length ? shape : shapes[done];
        Consumer<FloatTensorData> init = data -> {
            made.put(done == shapes.length ? "again" : Arrays.toString(sizes), data);
            nest(name, depth, shape, made, all, then, shapes);
        };
        if (name.equals("sparse")) {
            Tensors.sparseFloat(sizes, product(sizes), init.andThen(data -> data.copyFrom(FloatValues.zeros(product(sizes))))).close();
            return;
        }
        Tensors.denseFloat(sizes, init).close();
    }
}
