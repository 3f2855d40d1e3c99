package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.internal.data.NativeCopies;
import io.tensornio.internal.memory.CopyModel.Selection;
import io.tensornio.internal.memory.CopyModel.Side;
import io.tensornio.internal.memory.CopyModel.Type;
import io.tensornio.support.Expect;
import io.tensornio.support.Seeds;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The native copy against a naive one in Java, and what it refuses. */
class CopyTest {
    static Stream<Arguments> sides() {
        return Arrays.stream(Type.values())
            .flatMap(type -> Stream.of(0, 1, 2).map(where -> Arguments.of(type, where == 1, where == 2)));
    }

    private static FloatBuffer floats(int length) {
        return ByteBuffer.allocateDirect(Float.BYTES * length).order(ByteOrder.nativeOrder()).asFloatBuffer();
    }

    /** In a JVM of its own, which pins arrays: checked JNI copies them. */
    static final class Pinned {
        private Pinned() {
        }

        public static void main(String[] arguments) {
            sides().map(Arguments::get).forEach(side -> copyAndCompare((Type) side[0], (boolean) side[1], (boolean) side[2]));
        }
    }

    @Test
    void arraysThatArePinnedAreCopiedAlike() {
        Forked.with("-XX:-CheckJNICalls").run(Pinned.class);
    }

    @ParameterizedTest(name = "{0} from array {1} to array {2}")
    @MethodSource("sides")
    void copiesWhatTheNaiveCopyDoes(Type type, boolean fromArray, boolean toArray) {
        copyAndCompare(type, fromArray, toArray);
    }

    private static void copyAndCompare(Type type, boolean fromArray, boolean toArray) {
        Seeds.each(0, 60, (random, done) -> {
            int[] shape = CopyModel.shape(random);
            done.append(", shape ").append(Arrays.toString(shape));
            Selection source = new Selection(shape, random, true);
            Selection target = new Selection(shape, random, false);
            Side from = CopyModel.side(type, fromArray, source.length, random);
            Side to = CopyModel.side(type, toArray, target.length, random);
            long[] unchanged = from.bits();
            long[] expected = CopyModel.expected(shape, from, source, to, target);
            long[] geometry = CopyModel.geometry(shape, source.strides, target.strides);
            NativeCopies.copy(from.object, source.start, to.object, target.start, geometry, type.bytes);
            assertArrayEquals(expected, to.bits());
            assertArrayEquals(unchanged, from.bits());
        });
    }

    @ParameterizedTest
    @EnumSource(Type.class)
    void selectionsThatMayOverlapAreRefusedAndNothingChanges(Type type) {
        Side both = CopyModel.side(type, false, 64, new Random(type.ordinal()));
        // The same memory by another buffer object.
        Buffer again = Side.view(type, both.bytes.duplicate().order(ByteOrder.nativeOrder()));
        long[] before = both.bits();
        for (long[] g : new long[][] {{10, 1, 1}, {10, 1, -1}, {3, 3, 8, 1, 1, 8}, {9, 2, 2}}) {
            for (long from : new long[] {19, 20, 21}) {
                Throwable thrown = refused(IllegalArgumentException.class, both.object, from, again, 21, g, type.bytes);
                assertTrue(thrown.getMessage().contains("overlap"), thrown.getMessage());
            }
        }
        assertArrayEquals(before, both.bits());
        NativeCopies.copy(both.object, 0, again, 10, new long[] {10, 1, 1}, type.bytes);
        System.arraycopy(before, 0, before, 10, 10);
        assertArrayEquals(before, both.bits());
    }

    @Test
    void fromArrayToArrayIsRefused() {
        float[] from = {1, 2};
        float[] to = {MARK, MARK};
        Throwable thrown = refused(IllegalArgumentException.class, from, 0, to, 0, new long[] {2, 1, 1}, 4);
        assertTrue(thrown.getMessage().contains("arrays"), thrown.getMessage());
        assertArrayEquals(new float[] {MARK, MARK}, to);
    }

    @Test
    void kindsOfTheSameWidthMix() {
        int[] ints = {1, Float.floatToRawIntBits(2.5f)};
        FloatBuffer buffer = floats(2);
        NativeCopies.copy(ints, 0, buffer, 0, new long[] {2, 1, 1}, 4);
        assertEquals(2.5f, buffer.get(1));
        int[] back = new int[2];
        NativeCopies.copy(buffer, 0, back, 0, new long[] {2, 1, 1}, 4);
        assertArrayEquals(ints, back);
    }

    @Test
    void rankZeroIsOneElement() {
        DoubleBuffer from = ByteBuffer.allocateDirect(24).order(ByteOrder.nativeOrder()).asDoubleBuffer();
        from.put(2, 3);
        double[] to = new double[3];
        NativeCopies.copy(from, 2, to, 1, new long[0], 8);
        assertArrayEquals(new double[] {0, 3, 0}, to);
    }

    @Test
    void rankTwelveIsCopied() {
        int rank = 12;
        int[] shape = new int[rank];
        long[] rows = new long[rank];
        long[] columns = new long[rank];
        for (int i = 0; i < rank; i++) {
            shape[i] = 2;
            rows[i] = 1L << (rank - 1 - i);
            columns[i] = 1L << i;
        }
        short[] reversed = new short[1 << rank];
        IntBuffer from = ByteBuffer.allocateDirect(4 << rank).order(ByteOrder.nativeOrder()).asIntBuffer();
        int[] to = new int[1 << rank];
        for (int i = 0; i < to.length; i++) {
            from.put(i, i);
            reversed[i] = (short) (Integer.reverse(i) >>> (32 - rank));
        }
        NativeCopies.copy(from, 0, to, 0, CopyModel.geometry(shape, rows, columns), 4);
        for (int i = 0; i < to.length; i++) {
            assertEquals(reversed[i], to[i]);
        }
    }

    @Test
    void noElementsAreNoCopy() {
        FloatBuffer from = floats(1);
        float[] to = {2};
        NativeCopies.copy(from, 0, to, 0, new long[] {0, 1, 1}, 4);
        NativeCopies.copy(from, 1, to, 1, new long[] {0, 1, 1}, 4);
        NativeCopies.copy(from, 0, to, 0, new long[] {0, 7, Long.MAX_VALUE, 1, Long.MAX_VALUE, Long.MIN_VALUE}, 4);
        NativeCopies.copy(new float[0], 0, floats(0), 0, new long[] {5, 0, 3, 15, 3, 1, 15, 3, 1}, 4);
        NativeCopies.copy(from, 0, from, 0, new long[] {0, 1, 1}, 4);     // which overlaps nothing
        assertEquals(2, to[0]);
    }

    @Test
    void collectionsGoOnMeanwhile() {
        // Arrays that the collector moves between the calls, and would move during them.
        for (int round = 0; round < 200; round++) {
            long[] from = new long[10_000];
            long[] to = new long[10_000];
            LongBuffer between = ByteBuffer.allocateDirect(80_000).order(ByteOrder.nativeOrder()).asLongBuffer();
            Arrays.setAll(from, i -> i);
            byte[][] garbage = new byte[64][];
            for (int i = 0; i < garbage.length; i++) {
                garbage[i] = new byte[20_000];
            }
            NativeCopies.copy(from, 0, between, 0, new long[] {100, 100, 100, 1, 1, 100}, 8);
            NativeCopies.copy(between, 0, to, 0, new long[] {10_000, 1, 1}, 8);
            for (int i = 0; i < to.length; i++) {
                assertEquals(i % 100 * 100 + i / 100, to[i]);
            }
        }
    }

    // ---- what is refused ----

    private static final float MARK = 7;

    private static Throwable refused(Class<? extends Throwable> type, Object from, long fromStart, Object to, long toStart, long[] geometry,
        int bytes) {
        return Expect.exactly(type, () -> NativeCopies.copy(from, fromStart, to, toStart, geometry, bytes));
    }

    /** Each way: from a buffer to an array, from an array to a buffer, and between buffers; nothing may have been written. */
    private static void refused(Class<? extends Throwable> type, long fromStart, long toStart, long... geometry) {
        FloatBuffer source = floats(12);
        FloatBuffer target = floats(12);
        float[] to = new float[12];
        Arrays.fill(to, MARK);
        target.duplicate().put(to);
        refused(type, source, fromStart, to, toStart, geometry, 4);
        for (float value : to) {
            assertEquals(MARK, value);
        }
        refused(type, source, fromStart, target, toStart, geometry, 4);
        refused(type, new float[12], fromStart, target, toStart, geometry, 4);
        for (int i = 0; i < 12; i++) {
            assertEquals(MARK, target.get(i));
        }
        assertEquals(0, source.position());
        assertEquals(0, target.position());
    }

    @Test
    void startsOutsideAreRefused() {
        for (long start : new long[] {-1, 12, 9, Long.MIN_VALUE, Long.MAX_VALUE}) {
            refused(IndexOutOfBoundsException.class, start, 0, 4, 1, 1);
            refused(IndexOutOfBoundsException.class, 0, start, 4, 1, 1);
        }
        refused(IndexOutOfBoundsException.class, 12, 0);
        refused(IndexOutOfBoundsException.class, 0, -1);
    }

    @Test
    void readingPastTheEndIsRefused() {
        refused(IndexOutOfBoundsException.class, 0, 0, 13, 1, 0);
        refused(IndexOutOfBoundsException.class, 0, 0, 3, 4, 6, 1, 4, 1);
        refused(IndexOutOfBoundsException.class, 0, 0, 4, -1, 1);
    }

    @Test
    void writingPastTheEndIsRefused() {
        refused(IndexOutOfBoundsException.class, 0, 0, 13, 0, 1);
        refused(IndexOutOfBoundsException.class, 0, 0, 3, 4, 4, 1, 6, 1);
        refused(IndexOutOfBoundsException.class, 0, 0, 4, 1, -1);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE / 2, 1L << 62, 1L << 61, -(1L << 62), 1L << 32, (1L << 63) / 3})
    void stridesThatOverflowAreRefused(long stride) {
        refused(IndexOutOfBoundsException.class, 0, 0, 3, stride, 1);
        refused(IndexOutOfBoundsException.class, 0, 0, 3, 1, stride);
        refused(IndexOutOfBoundsException.class, 0, 0, 2, 2, stride, -stride, 1, 2);
        refused(IndexOutOfBoundsException.class, 1, 0, 3, 3, stride, stride, 1, 3);
    }

    @Test
    void sizesThatOverflowAreRefused() {
        refused(IllegalArgumentException.class, 0, 0, 1L << 32, 1L << 32, 0, 0, 0, 0);
        refused(IllegalArgumentException.class, 0, 0, Long.MAX_VALUE, 2, 0, 0, 0, 0);
        refused(IndexOutOfBoundsException.class, 0, 0, Long.MAX_VALUE, 1, 1);
    }

    @Test
    void negativeSizesAreRefused() {
        refused(IllegalArgumentException.class, 0, 0, -1, 1, 1);
        refused(IllegalArgumentException.class, 0, 0, -2, -2, 1, 1, 1, 1);
        refused(IllegalArgumentException.class, 0, 0, Long.MIN_VALUE, 1, 1);
        refused(IllegalArgumentException.class, 0, 0, 0, -1, 1, 1, 1, 1);
    }

    @Test
    void aGeometryThatIsNoneIsRefused() {
        refused(IllegalArgumentException.class, 0, 0, 1);
        refused(IllegalArgumentException.class, 0, 0, 1, 1);
        refused(IllegalArgumentException.class, 0, 0, 1, 1, 1, 1);
        refused(IllegalArgumentException.class, 0, 0, new long[1000]);
    }

    @Test
    void nullsAreRefusedByName() {
        float[] some = new float[4];
        long[] one = {1, 1, 1};
        assertEquals("from is null", refused(NullPointerException.class, null, 0, some, 0, one, 4).getMessage());
        assertEquals("to is null", refused(NullPointerException.class, some, 0, null, 0, one, 4).getMessage());
        assertEquals("geometry is null", refused(NullPointerException.class, some, 0, some, 0, null, 4).getMessage());
    }

    static Stream<Arguments> wrongSides() {
        ByteBuffer direct = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
        return Stream.of(
            Arguments.of(new boolean[16], 4, "[Z"),
            Arguments.of(new byte[16], 4, "[B"),
            Arguments.of(new double[16], 4, "[D"),
            Arguments.of(new float[16], 8, "[F"),
            Arguments.of(new int[16], 1, "[I"),
            Arguments.of(new long[16], 1, "[J"),
            Arguments.of(new short[16], 2, "[S"),
            Arguments.of(new char[16], 2, "[C"),
            Arguments.of(new float[4][4], 4, "[[F"),
            Arguments.of(new Float[16], 4, "[Ljava.lang.Float;"),
            Arguments.of("text", 4, "java.lang.String"),
            Arguments.of(1.5f, 4, "java.lang.Float"),
            Arguments.of(direct, 4, "java.nio.DirectByteBuffer"),
            Arguments.of(direct.asFloatBuffer(), 8, "java.nio.DirectFloatBuffer"),
            Arguments.of(direct.asFloatBuffer(), 1, "java.nio.DirectFloatBuffer"),
            Arguments.of(direct.asDoubleBuffer(), 4, "java.nio.DirectDoubleBuffer"),
            Arguments.of(FloatBuffer.allocate(16), 4, "java.nio.HeapFloatBuffer"),
            Arguments.of(ByteBuffer.allocate(64).asFloatBuffer(), 4, "java.nio.ByteBufferAsFloatBuffer"),
            Arguments.of(new float[16], 0, "[F"),
            Arguments.of(new float[16], -4, "[F"),
            Arguments.of(new float[16], 3, "[F"),
            Arguments.of(new float[16], Integer.MAX_VALUE, "[F"),
            Arguments.of(new float[16], Integer.MIN_VALUE, "[F"));
    }

    @ParameterizedTest
    @MethodSource("wrongSides")
    void aSideOfAnotherWidthOrKindIsRefused(Object side, int bytes, String name) {
        ByteBuffer all = ByteBuffer.allocateDirect(128).order(ByteOrder.nativeOrder());
        Object good = bytes == 8 ? all.asLongBuffer() : bytes == 1 ? all : all.asIntBuffer();
        String from = refused(IllegalArgumentException.class, side, 0, good, 0, new long[] {1, 1, 1}, bytes).getMessage();
        assertTrue(from.contains(name) && from.contains(Integer.toString(bytes)), from);
        if (bytes == 1 || bytes == 4 || bytes == 8) {
            String to = refused(IllegalArgumentException.class, good, 0, side, 0, new long[] {1, 1, 1}, bytes).getMessage();
            assertTrue(to.startsWith("to ") && to.contains(name), to);
        }
    }

    @Test
    void aCopyAfterARefusedOneWorks() {
        float[] from = {1, 2, 3};
        FloatBuffer to = floats(3);
        for (int i = 0; i < 1000; i++) {
            refused(IndexOutOfBoundsException.class, from, 1, to, 0, new long[] {3, 1, 1}, 4);
        }
        NativeCopies.copy(from, 0, to, 0, new long[] {3, 1, 1}, 4);
        float[] copied = new float[3];
        to.get(copied);
        assertArrayEquals(from, copied);
    }
}
