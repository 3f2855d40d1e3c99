package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.excl;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.tensornio.BooleanTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.FloatValues;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No access to an element makes an object, whatever the kind and the rank of data, compiled or not. */
class FloatAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = 400;
    /** Elements of each data that are met. */
    private static final int CORNERS = 4;
    /** The smallest object has 16. */
    private static final long BYTES = 8;
    /** What the measurement may take, and what data makes once: samples of a sparse tensor. */
    private static final long ONCE = 4096;

    /** Elements by each number of indices, or by an array that is used again. */
    private static void read(FloatTensorData data, boolean isArray, float[] sink, int... at) {
        for (int n = 0; n < CORNERS; n++) {
            int i = n & 1;
            int last = n >> 1;
            if (isArray) {
                Arrays.fill(at, i);
                at[at.length - 1] = last;
                sink[n] = data.get(at);
                continue;
            }
            switch (at.length) {
                case 1:
                    sink[n] = data.get(last);
                    break;
                case 2:
                    sink[n] = data.get(i, last);
                    break;
                case 3:
                    sink[n] = data.get(i, i, last);
                    break;
                default:
                    sink[n] = data.get(i, i, i, last);
            }
        }
    }

    private static void write(FloatTensorData data, boolean isArray, float[] from, int... at) {
        for (int n = 0; n < CORNERS; n++) {
            int i = n & 1;
            int last = n >> 1;
            if (isArray) {
                Arrays.fill(at, i);
                at[at.length - 1] = last;
                data.put(from[n], at);
                continue;
            }
            switch (at.length) {
                case 1:
                    data.put(from[n], last);
                    break;
                case 2:
                    data.put(from[n], i, last);
                    break;
                case 3:
                    data.put(from[n], i, i, last);
                    break;
                default:
                    data.put(from[n], i, i, i, last);
            }
        }
    }

    private static void check(String what, FloatTensorData data, boolean isWritten) {
        float[] values = new float[CORNERS];
        int[] at = new int[data.rank()];
        for (boolean isArray : data.rank() > 4 ? new boolean[] {true} : new boolean[] {false, true}) {
            long id = Thread.currentThread().getId();
            long before = 0;
            for (int round = -1; round < ROUNDS; round++) {
                if (round == 0) {       // classes are there, and whatever is made once
                    before = THREADS.getThreadAllocatedBytes(id);
                }
                read(data, isArray, values, at);
                if (isWritten) {
                    write(data, isArray, values, at);
                }
            }
            long bytes = THREADS.getThreadAllocatedBytes(id) - before;
            assertTrue(bytes < ONCE + BYTES * ROUNDS * CORNERS, () -> what + (isArray ? ", array: " : ": ") + bytes + " bytes for "
                + ROUNDS * CORNERS + " elements");
        }
    }

    private static long[] shape(int rank) {
        long[] shape = new long[rank];
        Arrays.fill(shape, 4);
        return shape;
    }

    private static TensorIndex[] last(int rank, TensorIndex index) {
        TensorIndex[] indices = new TensorIndex[rank];
        Arrays.fill(indices, all());
        indices[rank - 1] = index;
        return indices;
    }

    @Test
    void denseAndUserAllocatedDataOfEveryRank() {
        for (int rank = 1; rank <= 5; rank++) {
            long[] shape = shape(rank);
            int n = rank;
            try (Tensor<Float> tensor = Tensors.denseFloat(shape, data -> {
                check("filled, rank " + n, data, true);
                check("step, rank " + n, data.slice(last(n, step(2))), true);
                check("list, rank " + n, data.slice(last(n, incl(2, 0, 3))), true);
            })) {
                check("published, rank " + n, tensor.floatData(), false);
                check("published list, rank " + n, tensor.floatData().slice(last(n, incl(2, 0, 3))), false);
            }
            check("array, rank " + n, FloatTensorData.of(new float[1 << 2 * rank], shape), true);
        }
    }

    @Test
    void simpleAndComplexViews() {
        FloatTensorData data = FloatTensorData.of(new float[16], 4, 4);
        BooleanTensorData some = BooleanTensorData.of(new boolean[] {true, false, true, false}, 4);
        check("transposed", data.transpose(), true);
        check("padded", data.pad(new long[] {1, 1}, new long[] {0, 2}), false);
        check("joined", FloatTensorData.concat(1, data.slice(all(), step(2)), data), false);
        check("stacked", FloatTensorData.stack(1, data, data, data, data), false);
        check("tiled", data.tile(2, 3).transpose(), false);
        check("repeated", data.repeat(1, 2), false);
        check("chosen", FloatTensorData.where(some, data, data.flip()), false);
    }

    @Test
    void partsThatAlternateAreNotCopiedOneElementAtATime() {
        FloatTensorData data = FloatTensorData.of(new float[4096], 64, 64);
        FloatTensorData stacked = FloatTensorData.stack(2, data, data.flip());
        float[] to = new float[8192];
        stacked.copyTo(to);
        long id = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(id);
        stacked.copyTo(to);
        long bytes = THREADS.getThreadAllocatedBytes(id) - before;
        assertTrue(bytes < 16 * to.length + ONCE, () -> bytes + " bytes for " + to.length + " elements");
    }

    @Test
    void sparseDataOfEveryRankWithListsAndRuns() {
        for (int rank = 1; rank <= 4; rank++) {
            int[] zero = new int[rank];
            int n = rank;
            try (SparseTensor<Float> tensor = Tensors.sparseFloat(shape(rank), 1, data -> data.put(FloatValues.of(1), zero))) {
                check("sparse, rank " + n, tensor.floatData(), false);
                check("sparse list, rank " + n, tensor.floatData().slice(last(n, incl(2, 0, 3))), false);
                check("sparse runs, rank " + n, tensor.floatData().slice(last(n, excl(1))), false);
            }
        }
    }

    @Test
    void raggedDataWhileItIsFilledAndAfterwards() {
        List<long[]> shapes = new ArrayList<>();
        shapes.add(new long[] {4, -1});
        shapes.add(new long[] {4, -1, 4});
        shapes.add(new long[] {4, 4, -1});
        shapes.add(new long[] {4, -1, -1});
        shapes.add(new long[] {4, -1, -1, 4});
        shapes.add(new long[] {4, -1, 4, -1});
        for (long[] shape : shapes) {
            String name = Arrays.toString(shape);
            try (RaggedTensor<Float> tensor = Tensors.raggedFloat(shape, data -> {
                write(data, false, new float[CORNERS], new int[shape.length]);
                check("filled " + name, data, true);
                write(data.slice(1), false, new float[CORNERS], new int[shape.length - 1]);
                check("a part filled " + name, data.slice(1), true);
            })) {
                check("published " + name, tensor.floatData(), false);
                check("flipped " + name, tensor.floatData().slice(TensorIndex.flip()).slice(TensorIndex.incl(3, 2)), false);
                check("a part " + name, tensor.floatData().slice(1), false);
            }
        }
    }

    @Test
    void aRowThatGrowsByOneElementAtATimeTakesMemoryOnlyNowAndThen() {
        int n = 4096;
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1, 2}, data -> {
            data.put(FloatValues.of(1), 1, 0, 0);
            long id = Thread.currentThread().getId();
            long before = THREADS.getThreadAllocatedBytes(id);
            for (int j = 1; j < n; j++) {
                data.put(FloatValues.of(j), 1, j, 0);
                data.put(FloatValues.of(j), 1, j, 1);
            }
            long bytes = THREADS.getThreadAllocatedBytes(id) - before;
            assertTrue(bytes < BYTES * 2 * n, () -> bytes + " bytes for " + 2 * n + " elements");
        })) {
            assertTrue(tensor.floatData().get(1, n - 1, 1) == FloatValues.of(n - 1));
        }
    }
}
