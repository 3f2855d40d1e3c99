package io.tensornio.bench;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;

import io.tensornio.FloatTensorData;
import io.tensornio.TensorIndex;
import java.util.Arrays;
import java.util.stream.LongStream;

/** Data of one shape that lies in memory in different ways, for code that is to have seen them. */
final class Views {
    /** So often is code run on all of them before it is measured. */
    static final int ROUNDS = 8;
    /** No length of an axis here is a multiple. */
    private static final int LIST_STEP = 7;

    private Views() {
    }

    /** Has a pass compiled for all views of a shape, which are tensors of their own. */
    static void show(Pass<FloatTensorData> pass, Does does, long... shape) {
        FloatTensorData[] views = of(shape);
        float[] array = new float[(int) views[0].numElements()];
        for (int round = 0; round < ROUNDS; round++) {
            for (FloatTensorData view : views) {
                pass.run(does, view, array);
            }
        }
    }

    /** Data of a shape in the order of memory, and in others. */
    static FloatTensorData[] of(long... shape) {
        TensorIndex[] inside = new TensorIndex[shape.length];
        Arrays.fill(inside, range(1, -1));
        return new FloatTensorData[] {
            new OpenTensor(shape).data, every2nd(shape).data, last(new OpenTensor(shape).data, flip()),
            new OpenTensor(Arrays.stream(shape).map(n -> n + 2).toArray()).data.slice(inside)};
    }

    /** The same, data over an array, and data with a list of positions. */
    static FloatTensorData[] andOthers(long... shape) {
        FloatTensorData[] kinds = Arrays.copyOf(of(shape), 6);
        long last = shape[shape.length - 1];
        kinds[4] = FloatTensorData.of(new float[(int) kinds[0].numElements()], shape);
        kinds[5] = last(new OpenTensor(shape).data, incl(LongStream.range(0, last).map(i -> i * LIST_STEP % last).toArray()));
        return kinds;
    }

    /** Every second position on the last axis; the buffer has all of them. */
    static OpenTensor every2nd(long... shape) {
        long[] wide = shape.clone();
        wide[wide.length - 1] *= 2;
        OpenTensor tensor = new OpenTensor(wide);
        return new OpenTensor(last(tensor.data, step(2)), tensor.buffer);
    }

    private static FloatTensorData last(FloatTensorData data, TensorIndex index) {
        TensorIndex[] indices = new TensorIndex[data.rank()];
        Arrays.fill(indices, all());
        indices[indices.length - 1] = index;
        return data.slice(indices);
    }
}
