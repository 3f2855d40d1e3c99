package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    private static final int ROUNDS = 60 * Integer.getInteger("tensornio.test.depth", 1);

    /** An element type as the copy sees it: a class of arrays, one of buffers, a width. */
    private enum Type {
        FLOAT(4), DOUBLE(8), INT(4), LONG(8), BOOLEAN(1), BYTE(1);

        final int bytes;

        Type(int bytes) {
            this.bytes = bytes;
        }

        long bits(Random random) {
            return this == BOOLEAN ? random.nextInt(2) : bytes == 8 ? random.nextLong() : bytes == 4 ? random.nextInt() : (byte) random.nextInt();
        }
    }

    /** One side: an array, or a direct buffer, at an odd address if so wanted. Elements are seen as their bits. */
    private static final class Side {
        final Type type;
        final Object object;
        private final ByteBuffer bytes;
        private final int length;

        private Side(Type type, Object object, ByteBuffer bytes, int length) {
            this.type = type;
            this.object = object;
            this.bytes = bytes;
            this.length = length;
        }

        static Side array(Type type, int length) {
            switch (type) {
                case FLOAT:
                    return new Side(type, new float[length], null, length);
                case DOUBLE:
                    return new Side(type, new double[length], null, length);
                case INT:
                    return new Side(type, new int[length], null, length);
                case LONG:
                    return new Side(type, new long[length], null, length);
                case BOOLEAN:
                    return new Side(type, new boolean[length], null, length);
                default:
                    return new Side(type, new byte[length], null, length);
            }
        }

        static Side buffer(Type type, int length, int offset) {
            ByteBuffer all = ByteBuffer.allocateDirect(length * type.bytes + offset);
            all.position(offset);
            ByteBuffer bytes = all.slice().order(ByteOrder.nativeOrder());
            return new Side(type, view(type, bytes), bytes, length);
        }

        private static Buffer view(Type type, ByteBuffer bytes) {
            switch (type) {
                case FLOAT:
                    return bytes.asFloatBuffer();
                case DOUBLE:
                    return bytes.asDoubleBuffer();
                case INT:
                    return bytes.asIntBuffer();
                case LONG:
                    return bytes.asLongBuffer();
                default:
                    return bytes;
            }
        }

        long get(int i) {
            if (bytes != null) {
                return type.bytes == 8 ? bytes.getLong(8 * i) : type.bytes == 4 ? bytes.getInt(4 * i) : bytes.get(i);
            }
            switch (type) {
                case FLOAT:
                    return Float.floatToRawIntBits(((float[]) object)[i]);
                case DOUBLE:
                    return Double.doubleToRawLongBits(((double[]) object)[i]);
                case INT:
                    return ((int[]) object)[i];
                case LONG:
                    return ((long[]) object)[i];
                case BOOLEAN:
                    return ((boolean[]) object)[i] ? 1 : 0;
                default:
                    return ((byte[]) object)[i];
            }
        }

        void put(int i, long bits) {
            if (bytes != null) {
                if (type.bytes == 8) {
                    bytes.putLong(8 * i, bits);
                } else if (type.bytes == 4) {
                    bytes.putInt(4 * i, (int) bits);
                } else {
                    bytes.put(i, (byte) bits);
                }
                return;
            }
            switch (type) {
                case FLOAT:
                    ((float[]) object)[i] = Float.intBitsToFloat((int) bits);
                    break;
                case DOUBLE:
                    ((double[]) object)[i] = Double.longBitsToDouble(bits);
                    break;
                case INT:
                    ((int[]) object)[i] = (int) bits;
                    break;
                case LONG:
                    ((long[]) object)[i] = bits;
                    break;
                case BOOLEAN:
                    ((boolean[]) object)[i] = bits != 0;
                    break;
                default:
                    ((byte[]) object)[i] = (byte) bits;
            }
        }

        Side filled(Random random) {
            for (int i = 0; i < length; i++) {
                put(i, type.bits(random));
            }
            return this;
        }

        long[] bits() {
            long[] bits = new long[length];
            for (int i = 0; i < length; i++) {
                bits[i] = get(i);
            }
            return bits;
        }
    }

    /** A selection in which no position occurs twice, unless an axis of stride 0 was asked for, and how many elements it needs. */
    private static final class Selection {
        final long[] strides;
        final int start;
        final int length;

        Selection(int[] shape, Random random, boolean repeats) {
            int rank = shape.length;
            strides = new long[rank];
            Integer[] order = new Integer[rank];
            Arrays.setAll(order, i -> i);
            if (random.nextBoolean()) {
                java.util.Collections.shuffle(Arrays.asList(order), random);
            } else {
                java.util.Collections.reverse(Arrays.asList(order));        // row-major: adjacent axes can merge
            }
            int step = 1;
            int low = 0;
            int high = 0;
            boolean dense = random.nextInt(3) == 0;
            for (int axis : order) {
                if (repeats && random.nextInt(5) == 0) {
                    continue;
                }
                step *= dense ? 1 : 1 + random.nextInt(3);
                boolean backwards = !dense && random.nextInt(4) == 0;
                strides[axis] = backwards ? -step : step;
                int reach = Math.max(0, shape[axis] - 1) * step;
                if (backwards) {
                    low += reach;
                } else {
                    high += reach;
                }
                step *= Math.max(1, shape[axis]);
            }
            start = low + random.nextInt(3);
            length = start + high + 1 + random.nextInt(3);
        }
    }

    private static int[] shape(Random random) {
        int[] shape = new int[random.nextInt(6)];
        for (int i = 0; i < shape.length; i++) {
            shape[i] = random.nextInt(25) == 0 ? 0 : 1 + random.nextInt(shape.length > 3 ? 3 : 6);
        }
        if (shape.length == 2 && random.nextInt(3) == 0) {
            shape[0] = 1 + random.nextInt(70);                      // large enough for tiles, and for what is left of them
            shape[1] = 1 + random.nextInt(70);
        }
        return shape;
    }

    private static long[] geometry(int[] shape, long[] from, long[] to) {
        long[] geometry = new long[3 * shape.length];
        for (int i = 0; i < shape.length; i++) {
            geometry[i] = shape[i];
            geometry[shape.length + i] = from[i];
            geometry[2 * shape.length + i] = to[i];
        }
        return geometry;
    }

    private static int[] positions(int[] shape, int start, long[] strides) {
        int n = 1;
        for (int size : shape) {
            n *= size;
        }
        int[] positions = new int[n];
        int[] index = new int[shape.length];
        for (int k = 0; k < n; k++) {
            long position = start;
            for (int i = 0; i < shape.length; i++) {
                position += index[i] * strides[i];
            }
            positions[k] = (int) position;
            for (int i = shape.length - 1; i >= 0 && ++index[i] == shape[i]; i--) {
                index[i] = 0;
            }
        }
        return positions;
    }

    /** What {@code to} holds after the copy: all is read, then all is written. */
    private static long[] expected(int[] shape, Side from, Selection source, Side to, Selection target) {
        int[] reads = positions(shape, source.start, source.strides);
        int[] writes = positions(shape, target.start, target.strides);
        long[] before = from.bits();
        long[] after = to.bits();
        for (int k = 0; k < reads.length; k++) {
            after[writes[k]] = before[reads[k]];
        }
        return after;
    }

    static Stream<Arguments> sides() {
        return Arrays.stream(Type.values())
            .flatMap(type -> Stream.of(0, 1, 2).map(where -> Arguments.of(type, where == 1, where == 2)));
    }

    private static FloatBuffer floats(int length) {
        return ByteBuffer.allocateDirect(Float.BYTES * length).order(ByteOrder.nativeOrder()).asFloatBuffer();
    }

    private static Side side(Type type, boolean array, int length, Random random) {
        return (array ? Side.array(type, length) : Side.buffer(type, length, random.nextInt(4) == 0 ? 1 : 0)).filled(random);
    }

    @ParameterizedTest(name = "{0} from array {1} to array {2}")
    @MethodSource("sides")
    void copiesWhatTheNaiveCopyDoes(Type type, boolean fromArray, boolean toArray) {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            int[] shape = shape(random);
            Selection source = new Selection(shape, random, true);
            Selection target = new Selection(shape, random, false);
            Side from = side(type, fromArray, source.length, random);
            Side to = side(type, toArray, target.length, random);
            long[] unchanged = from.bits();
            long[] expected = expected(shape, from, source, to, target);
            Native.copy(from.object, source.start, to.object, target.start, geometry(shape, source.strides, target.strides), type.bytes);
            assertArrayEquals(expected, to.bits(), "seed " + seed + ", shape " + Arrays.toString(shape));
            assertArrayEquals(unchanged, from.bits(), "seed " + seed);
        }
    }

    @ParameterizedTest
    @EnumSource(Type.class)
    void selectionsThatMayOverlapAreRefusedAndNothingChanges(Type type) {
        Side both = side(type, false, 64, new Random(type.ordinal()));
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
        Native.copy(both.object, 0, again, 10, new long[] {10, 1, 1}, type.bytes);
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
        Native.copy(ints, 0, buffer, 0, new long[] {2, 1, 1}, 4);
        assertEquals(2.5f, buffer.get(1));
        int[] back = new int[2];
        Native.copy(buffer, 0, back, 0, new long[] {2, 1, 1}, 4);
        assertArrayEquals(ints, back);
    }

    @Test
    void rankZeroIsOneElement() {
        DoubleBuffer from = ByteBuffer.allocateDirect(24).order(ByteOrder.nativeOrder()).asDoubleBuffer();
        from.put(2, 3);
        double[] to = new double[3];
        Native.copy(from, 2, to, 1, new long[0], 8);
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
        Native.copy(from, 0, to, 0, geometry(shape, rows, columns), 4);
        for (int i = 0; i < to.length; i++) {
            assertEquals(reversed[i], to[i]);
        }
    }

    @Test
    void noElementsAreNoCopy() {
        FloatBuffer from = floats(1);
        float[] to = {2};
        Native.copy(from, 0, to, 0, new long[] {0, 1, 1}, 4);
        Native.copy(from, 1, to, 1, new long[] {0, 1, 1}, 4);
        Native.copy(from, 0, to, 0, new long[] {0, 7, Long.MAX_VALUE, 1, Long.MAX_VALUE, Long.MIN_VALUE}, 4);
        Native.copy(new float[0], 0, floats(0), 0, new long[] {5, 0, 3, 15, 3, 1, 15, 3, 1}, 4);
        Native.copy(from, 0, from, 0, new long[] {0, 1, 1}, 4);     // which overlaps nothing
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
            Native.copy(from, 0, between, 0, new long[] {100, 100, 100, 1, 1, 100}, 8);
            Native.copy(between, 0, to, 0, new long[] {10_000, 1, 1}, 8);
            for (int i = 0; i < to.length; i++) {
                assertEquals(i % 100 * 100 + i / 100, to[i]);
            }
        }
    }

    // ---- what is refused ----

    private static final float MARK = 7;

    private static Throwable refused(Class<? extends Throwable> type, Object from, long fromStart, Object to, long toStart, long[] geometry,
        int bytes) {
        Throwable thrown = assertThrows(type, () -> Native.copy(from, fromStart, to, toStart, geometry, bytes));
        assertSame(type, thrown.getClass());
        return thrown;
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
        Native.copy(from, 0, to, 0, new long[] {3, 1, 1}, 4);
        float[] copied = new float[3];
        to.get(copied);
        assertArrayEquals(from, copied);
    }
}
