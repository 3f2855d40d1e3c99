package io.tensornio.internal.compute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.support.Expect;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** The native methods by themselves: what they give, and that a wrong call is an exception. */
class NativeComputeTest {
    private static final String TWICE = "y[i] = 2*x[i]";
    private static final long FLOAT = DataType.FLOAT.ordinal();
    private static final long BOOL = DataType.BOOL.ordinal();

    private static ByteBuffer floats(float... values) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(4 * values.length).order(ByteOrder.nativeOrder());
        buffer.asFloatBuffer().put(values);
        return buffer;
    }

    private static float[] read(ByteBuffer buffer) {
        float[] values = new float[buffer.capacity() / 4];
        buffer.asFloatBuffer().get(values);
        return values;
    }

    private static long[] signature(long... words) {
        return words;
    }

    private static void refuses(long plan, ByteBuffer[] memory, long[] geometry, String... parts) {
        Expect.exactly(IllegalArgumentException.class, () -> NativeCompute.run(plan, memory, geometry, 0), parts);
    }

    @Test
    void aProgramIsDescribedByItsNamesAndText() {
        assertEquals("a,x\n\nt,y\nt[i] = a * x[i]\ny[i] = t[i]", NativeCompute.parse("t[i]=a*x[i]; y[i]=t[i]").trim());
        assertEquals("a,x\n\ny", NativeCompute.returning("t[i]=a*x[i]; y[i]=t[i]", "y").substring(0, 6));
        assertTrue(NativeCompute.parse("y[j] = x[k[],j] * x[n[j],0] + k").startsWith("x,k,n\nk\ny\n"));
    }

    @Test
    void aPlanTellsWhatComesOut() {
        long[] answer = NativeCompute.plan("C[i,j] += A[i,k]*B[k,j]", signature(FLOAT, 2, 2, 3, FLOAT, 2, 3, 4, -1));
        assertTrue(answer[0] > 0);
        assertArrayEquals(new long[] {answer[0], FLOAT, 2, 2, 4}, answer);
    }

    @Test
    void typesAndShapesAreInferredWithoutAPlan() {
        String product = "C[i,j] += A[i,k]*B[k,j]";
        assertArrayEquals(new long[] {FLOAT, 2, 2, 4}, NativeCompute.infer(product, signature(FLOAT, 2, 2, 3, FLOAT, 2, 3, 4, -1)));
        Expect.exactly(IllegalArgumentException.class, () -> NativeCompute.infer(product, signature(FLOAT, 2, 2, 3, FLOAT, 2, 4, 4, -1)), "index k");
        Expect.exactly(IllegalArgumentException.class, () -> NativeCompute.infer(TWICE, signature(FLOAT, 1, 2)), "signature");
        Expect.exactly(NullPointerException.class, () -> NativeCompute.infer(null, new long[0]), "text");
        Expect.exactly(NullPointerException.class, () -> NativeCompute.infer(TWICE, null), "signature");
    }

    @Test
    void elementsAreFoundByPlaceAndStride() {
        long plan = NativeCompute.plan(TWICE, signature(FLOAT, 1, 2, -1))[0];
        ByteBuffer to = floats(0, 0, 0, 0);
        assertTrue(NativeCompute.run(plan, new ByteBuffer[] {floats(1, 2, 3), to}, new long[] {0, 8, -2, 1, 4, 2}, 0));
        assertArrayEquals(new float[] {0, 6, 0, 2}, read(to));
    }

    @Test
    void numbersAndTruthValuesNeedNoMemory() {
        long plan = NativeCompute.plan("y[i] = select(c, a*x[i], b*x[i])", signature(BOOL, 0, -1, 0, FLOAT, 1, 2, -2, 0, -1))[0];
        ByteBuffer to = floats(0, 0);
        long half = Double.doubleToRawLongBits(.5);
        ByteBuffer[] memory = {floats(1, 2), to};
        assertTrue(NativeCompute.run(plan, memory, new long[] {-1, 1, 3, 0, 0, 1, half, 1, 0, 1}, 0));
        assertArrayEquals(new float[] {3, 6}, read(to));
        assertTrue(NativeCompute.run(plan, memory, new long[] {-1, 0, 3, 0, 0, 1, half, 1, 0, 1}, 0));
        assertArrayEquals(new float[] {.5f, 1}, read(to));
        refuses(plan, memory, new long[] {-1, 2, 3, 0, 0, 1, half, 1, 0, 1}, "side 0");
        refuses(plan, memory, new long[] {-1, 1, 3, -1, 1, 1, half, 1, 0, 1}, "side 2");
    }

    @Test
    void sidesShareBuffers() {
        long plan = NativeCompute.plan("y[i] = a[i] + b[i]", signature(FLOAT, 1, 2, FLOAT, 1, 2, -1))[0];
        ByteBuffer all = floats(1, 2, 3, 4, 0, 0);
        assertTrue(NativeCompute.run(plan, new ByteBuffer[] {all, null, null}, new long[] {0, 0, 1, 0, 8, 1, 0, 16, 1}, 0));
        assertArrayEquals(new float[] {1, 2, 3, 4, 4, 6}, read(all));
    }

    /** A descriptor that is none, a position outside of all files, and outputs, which are in no file. */
    @Test
    void filesThatCannotBeReadAreTold() {
        long plan = NativeCompute.plan(TWICE, signature(FLOAT, 1, 2, -1))[0];
        ByteBuffer[] memory = {floats(1, 2, 3), floats(0, 0, 0, 0)};
        assertEquals(1, NativeCompute.runFiles(plan, memory, new long[] {0, 8, -2, 1, 4, 2}, 0));
        assertArrayEquals(new float[] {0, 6, 0, 2}, read(memory[1]));
        for (long descriptor : new long[] {999_999, Integer.MAX_VALUE}) {
            assertEquals(2, NativeCompute.runFiles(plan, memory, new long[] {-2 - descriptor, 8, 1, 1, 4, 2}, 0));
        }
        long[][] wrong = {{-3L - Integer.MAX_VALUE, 0, 1, 1, 0, 1}, {Long.MIN_VALUE, 0, 1, 1, 0, 1}, {-9, 3, 1, 1, 0, 1}, {-9, -4, 1, 1, 0, 1},
            {-9, 0}, {0, 0, 1, -9, 0, 1}};
        for (long[] geometry : wrong) {
            Expect.exactly(IllegalArgumentException.class, () -> NativeCompute.runFiles(plan, memory, geometry, 0), "");
        }
        long[] beyond = {-9, Long.MAX_VALUE - 7, 1, 1, 0, 1};
        Expect.exactly(IndexOutOfBoundsException.class, () -> NativeCompute.runFiles(plan, memory, beyond, 0), "");
        refuses(plan, memory, new long[] {-9, 0, 1, 1, 0, 1}, "side 0 is in memory -9");
        assertEquals(0, NativeCompute.runFiles(-1, new ByteBuffer[0], new long[0], 0));
    }

    @Test
    void aPlanThatNobodyHasIsToldByFalse() {
        for (long plan : new long[] {0, -1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40}) {
            assertFalse(NativeCompute.run(plan, new ByteBuffer[0], new long[0], 0));
        }
    }

    @Test
    void signaturesThatAreNone() {
        for (long[] words : new long[][] {{}, {FLOAT}, {FLOAT, 1}, {FLOAT, 1, 2}, {FLOAT, 1, -2, -1}, {FLOAT, -2, -1}, {FLOAT, Long.MAX_VALUE, -1},
            {6, 1, 2, -1}, {-3, 0, -1}, {Long.MIN_VALUE, 0, -1}, {FLOAT, 1, 2, -1, 0}, {FLOAT, 1, 2, -2}, {FLOAT, 1, 2, 2, 3}}) {
            Expect.exactly(IllegalArgumentException.class, () -> NativeCompute.plan(TWICE, words), "signature");
        }
    }

    @Test
    void memoryThatIsNone() {
        long plan = NativeCompute.plan(TWICE, signature(FLOAT, 1, 2, -1))[0];
        ByteBuffer to = floats(0, 0);
        long[] geometry = {0, 0, 1, 1, 0, 1};
        refuses(plan, new ByteBuffer[] {floats(1, 2)}, geometry, "side 1", "memory 1");
        refuses(plan, new ByteBuffer[] {null, to}, geometry, "side 0", "memory 0");
        refuses(plan, new ByteBuffer[] {floats(1, 2), null}, geometry, "side 1", "memory 1");
        refuses(plan, new ByteBuffer[] {ByteBuffer.allocate(8), to}, geometry, "memory 0", "direct");
        for (long number : new long[] {-1, -2, 2, Long.MAX_VALUE, Long.MIN_VALUE}) {
            refuses(plan, new ByteBuffer[] {floats(1, 2), to}, new long[] {number, 0, 1, 1, 0, 1}, "side 0", Long.toString(number));
        }
        assertArrayEquals(new float[2], read(to));
    }

    @Test
    void elementsOutsideOfTheirBuffer() {
        long plan = NativeCompute.plan(TWICE, signature(FLOAT, 1, 2, -1))[0];
        ByteBuffer from = floats(1, 2);
        ByteBuffer to = floats(0, 0);
        ByteBuffer[] memory = {from, to};
        for (long[] geometry : new long[][] {{0, 4, 1, 1, 0, 1}, {0, 0, 2, 1, 0, 1}, {0, 0, -1, 1, 0, 1}, {0, 0, 1, 1, 4, 1}, {0, 0, 1, 1, 0, -1},
            {0, 0, Long.MAX_VALUE, 1, 0, 1}, {0, 0, Long.MIN_VALUE, 1, 0, 1}, {0, Long.MAX_VALUE - 3, 1, 1, 0, 1}}) {
            Expect.exactly(IndexOutOfBoundsException.class, () -> NativeCompute.run(plan, memory, geometry, 0));
        }
        refuses(plan, memory, new long[] {0, -4, 1, 1, 0, 1}, "side 0", "-4");
        refuses(plan, memory, new long[] {0, 2, 1, 1, 0, 1}, "side 0", "2");
        assertArrayEquals(new float[2], read(to));
    }

    @Test
    void geometriesOfAnotherLength() {
        long plan = NativeCompute.plan(TWICE, signature(FLOAT, 1, 2, -1))[0];
        ByteBuffer[] memory = {floats(1, 2), floats(0, 0)};
        refuses(plan, memory, new long[] {}, "geometry");
        refuses(plan, memory, new long[] {0, 0, 1, 1, 0}, "geometry");
        refuses(plan, memory, new long[] {0, 0, 1, 1, 0, 1, 0}, "geometry");
    }

    @Test
    void outputsThatOverlap() {
        long plan = NativeCompute.plan("y[i] = 2*x[i]; z[i] = x[i]", signature(FLOAT, 1, 2, -1, -1))[0];
        ByteBuffer all = floats(1, 2, 3, 4, 5);
        ByteBuffer other = floats(1, 2);
        ByteBuffer[] memory = {all, other, floats(0, 0)};
        refuses(plan, memory, new long[] {0, 0, 1, 0, 4, 1, 1, 0, 1}, "side 1", "side 0");
        refuses(plan, memory, new long[] {1, 0, 1, 0, 0, 1, 0, 4, 1}, "side 2", "side 1");
        refuses(plan, memory, new long[] {1, 0, 1, 0, 0, 0, 2, 0, 1}, "side 1", "one place");
        assertTrue(NativeCompute.run(plan, memory, new long[] {0, 0, 1, 0, 8, 1, 1, 0, 1}, 0));
        assertArrayEquals(new float[] {1, 2, 2, 4, 5}, read(all));
    }

    @Test
    void nulls() {
        Expect.exactly(NullPointerException.class, () -> NativeCompute.parse(null), "text");
        Expect.exactly(NullPointerException.class, () -> NativeCompute.returning(TWICE, null), "names");
        Expect.exactly(NullPointerException.class, () -> NativeCompute.gradient(TWICE, null, "", "x"), "of");
        Expect.exactly(NullPointerException.class, () -> NativeCompute.plan(null, new long[0]), "text");
        Expect.exactly(NullPointerException.class, () -> NativeCompute.plan(TWICE, null), "signature");
        Expect.exactly(NullPointerException.class, () -> NativeCompute.run(1, null, new long[0], 0), "memory");
        Expect.exactly(NullPointerException.class, () -> NativeCompute.run(1, new ByteBuffer[0], null, 0), "geometry");
    }
}
