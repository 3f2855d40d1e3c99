package io.tensornio.internal.memory;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;

/** A naive copy in Java, of random selections, on sides of every type. */
final class CopyModel {
    private CopyModel() {
    }

    /** An element type as the copy sees it: a class of arrays, one of buffers, a width. */
    enum Type {
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
    static final class Side {
        final Type type;
        final Object object;
        /** The memory of a buffer; null of an array. */
        final ByteBuffer bytes;
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

        static Buffer view(Type type, ByteBuffer bytes) {
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
    static final class Selection {
        final long[] strides;
        final int start;
        final int length;

        Selection(int[] shape, Random random, boolean repeats) {
            int rank = shape.length;
            strides = new long[rank];
            Integer[] order = new Integer[rank];
            Arrays.setAll(order, i -> i);
            if (random.nextBoolean()) {
                Collections.shuffle(Arrays.asList(order), random);
            } else {
                Collections.reverse(Arrays.asList(order));        // row-major: adjacent axes can merge
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

    /** Of up to 5 axes, now and then one without elements. */
    static int[] shape(Random random) {
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

    /** The sizes, then the strides of each side, as the copy takes them. */
    static long[] geometry(int[] shape, long[] from, long[] to) {
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
    static long[] expected(int[] shape, Side from, Selection source, Side to, Selection target) {
        int[] reads = positions(shape, source.start, source.strides);
        int[] writes = positions(shape, target.start, target.strides);
        long[] before = from.bits();
        long[] after = to.bits();
        for (int k = 0; k < reads.length; k++) {
            after[writes[k]] = before[reads[k]];
        }
        return after;
    }

    /** One side with random elements. */
    static Side side(Type type, boolean array, int length, Random random) {
        return (array ? Side.array(type, length) : Side.buffer(type, length, random.nextInt(4) == 0 ? 1 : 0)).filled(random);
    }
}
