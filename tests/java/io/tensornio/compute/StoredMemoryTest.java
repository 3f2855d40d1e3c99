package io.tensornio.compute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The memory of comprehensions over ragged and sparse tensors: that of what is stored, and of operands that are closed meanwhile. */
class StoredMemoryTest {
    private static final int STORED = 200_000;
    private static final long SIDE = 1_000_000;

    private static SparseTensor<Float> large() {
        long[] coordinates = new long[2 * STORED];
        float[] values = new float[STORED];
        for (int n = 0; n < STORED; n++) {
            coordinates[2 * n] = 5L * n;
            coordinates[2 * n + 1] = n * 7919L % SIDE;
            values[n] = n % 7 - 3;
        }
        return Tensors.sparseFloat(LongTensorData.of(coordinates, STORED, 2), FloatTensorData.of(values), SIDE, SIDE);
    }

    @Test
    void nothingIsMadeDense() {
        // Coordinates and values: 20 bytes a point. A dense vector has 4 MB, a dense matrix 4 TB.
        long stored = 20L * STORED + 3 * 4 * SIDE;
        FloatTensorData x = FloatTensorData.of(new float[(int) SIDE]);
        String text = "y[i] += S[i,j] * x[j]; sparse P[i,j] = 2 * S[i,j] * x[i]; sparse Q[j,i] = S[i,j]; sparse G[i,k] += S[i,j] * Q[j,k]; "
            + "e += P[i,j]; gradient e by S; return y, P, G, dS";
        try (SparseTensor<Float> s = large()) {
            long before = MemoryStats.current().bytesInUse();
            try (Results made = Comprehension.of(text).run(s, x)) {
                long after = MemoryStats.current().bytesInUse();
                assertTrue(after - before < 10 * stored, () -> after - before + " bytes");
                assertTrue(MemoryStats.current().peakBytes() < before + 40 * stored + 200_000_000, () -> MemoryStats.current().toString());
                assertArrayEquals(new long[] {SIDE, SIDE}, made.sparseTensor("dS").shape());
                assertEquals(STORED, made.sparseTensor("dS").values().size(0));
            }
            assertEquals(before, MemoryStats.current().bytesInUse());
        }
    }

    @Test
    void operandsAreClosedMeanwhile() throws Exception {
        Comprehension c = Comprehension.of("y[j] += S[i,j] * len(R,i)");
        for (int round = 0; round < 10; round++) {
            SparseTensor<Float> s = large();
            RaggedTensor<Float> r = Tensors.raggedFloat(new long[] {SIDE, -1}, data -> data.put(1, 5, 0));
            AtomicBoolean done = new AtomicBoolean();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread runner = new Thread(() -> {
                try {
                    for (int n = 0; n < 100; n++) {
                        c.run(s, r).close();
                    }
                } catch (TensorClosedException e) {
                    done.set(true);
                } catch (Throwable e) {
                    failure.set(e);
                }
            });
            runner.start();
            Thread.sleep(round);
            s.close();
            r.close();
            runner.join();
            assertEquals(null, failure.get());
            assertTrue(done.get());
        }
    }

    @Test
    void narrowTypesAreReadAndKept() {
        DataType[] types = {DataType.FLOAT16, DataType.BFLOAT16, DataType.INT8, DataType.INT16, DataType.UINT16, DataType.UINT32};
        for (DataType type : types) {
            try (RaggedTensor<?> r = Tensors.ragged(type, new long[] {3, -1}, data -> {
                data.putNested(numbers(type, 1, 2), 0);
                data.putNested(numbers(type, 5), 2);
            }); Results made = Comprehension.of("s[i] += R[i,j]; k[i,j] = R[i,j]").run(r)) {
                assertTrue(made.get("s").toString().replace(".", "").endsWith(" [3, 0, 5]"), () -> made.get("s").toString());
                assertEquals(type, made.raggedTensor("k").dataType());
                assertEquals(r.data(), made.raggedTensor("k").data());
            }
        }
    }

    /** An array of numbers as they are put into data of a type. */
    private static Object numbers(DataType type, int... numbers) {
        float[] floats = new float[numbers.length];
        long[] longs = new long[numbers.length];
        for (int n = 0; n < numbers.length; n++) {
            floats[n] = numbers[n];
            longs[n] = numbers[n];
        }
        return type.isFloat() ? floats : type == DataType.UINT32 ? longs : numbers;
    }

    @Test
    void aDenseResultThatDoesNotFitNamesSparse() {
        try (SparseTensor<Float> s = large()) {
            Expect.exactly(OutOfMemoryError.class, () -> Comprehension.of("D[i,j] = S[i,j] * 2").run(s),
                "D: a dense D of shape [1000000, 1000000]", "sparse D");
        }
    }

    @Test
    void sumsOfDoublesLoseNothing() {
        try (SparseTensor<Double> s = Tensors.sparseDouble(new long[] {2, 3}, 3, data -> {
            data.put(1e17, 0, 0);
            data.put(1, 0, 1);
            data.put(-1e17, 0, 2);
        }); Results made = Comprehension.of("y[i] += S[i,j]").run(s)) {
            assertEquals(DoubleTensorData.of(new double[] {1, 0}), made.doubleTensor("y").doubleData());
        }
    }
}
