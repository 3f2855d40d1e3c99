package io.tensornio.support;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import java.nio.ByteBuffer;
import java.util.Arrays;
//#if float double int long
import java.nio.FloatBuffer;
//#end

/** Elements of {@code float} tensors for tests. */
public final class FloatValues {
    /** What fresh memory holds. */
    //#if numeric
    public static final float ZERO = 0;
    //#end
    //~string public static final String ZERO = "";
    //~boolean public static final boolean ZERO = false;
    /** What a tensor may show that must never show {@link #FOREIGN}, which other tensors hold. */
    //#if numeric
    public static final float OWN = 11;
    public static final float FOREIGN = 22;
    //#end
    //~boolean public static final boolean OWN = false;
    //~boolean public static final boolean FOREIGN = true;
    //~string public static final String OWN = "own";
    //~string public static final String FOREIGN = "f\u00f6reign";

    private FloatValues() {
    }

    /** A value that tells one number from others, as far as the type can; for some numbers all of its bits matter. */
    public static float of(int n) {
        //#if float !encoded
        return n + 0.5f;
        //#end
        //~float16 return (n & 1023) + 0.5f;
        //~bfloat16 return (n & 127) + 0.5f;
        //~double return n + 1 / 3.0;
        //~int,!encoded return n * 0x9e3779b1;
        //~int8 return (byte) (n * 37 + 139);
        //~int16 return (short) (n * 0x9e37);
        //~uint16 return n * 0x9e37 & 0xffff;
        //~long,!uint32 return n * 0x9e3779b97f4a7c15L;
        //~uint32 return n * 0x9e3779b1L & 0xffffffffL;
        //~boolean return (Integer.bitCount(n * 0x9e3779b1) & 1) != 0;
        //~byte return (byte) (n * 37 + 139);
        //~string return n % 7 == 5 ? n + " \u20ac\ud83d\ude00" : n % 7 == 3 ? "\u00e9" + n : String.valueOf(n);
    }

    public static int hash(float value) {
        //#if primitive
        return Float.hashCode(value);
        //#end
        //~string return value.hashCode();
    }

    /** The bytes of a tensor of the values of {@code n} numbers. */
    public static long numBytes(int from, int n) {
        //#if primitive
        return (long) n * DataType.FLOAT.byteSize();
        //#end
        //~string return (n + 1L) * Long.BYTES + String.join("", array(from, n)).getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
    }

    /** The values of {@code n} numbers. */
    public static float[] array(int from, int n) {
        float[] array = new float[n];
        for (int i = 0; i < n; i++) {
            array[i] = of(from + i);
        }
        return array;
    }

    /** An array of what fresh memory holds. */
    public static float[] zeros(int n) {
        return filled(n, ZERO);
    }

    public static float[] filled(int n, float value) {
        float[] array = new float[n];
        Arrays.fill(array, value);
        return array;
    }

    /** A tensor of the values of 0, 1, 2... in row-major order. */
    public static Tensor<Float> tensor(long... shape) {
        return Tensors.denseFloat(shape, FloatValues::fill);
    }

    /** Writes the values of 0, 1, 2... one after the other. */
    public static void fill(FloatTensorData data) {
        FloatTensorIterator scalars = data.scalars();
        for (int i = 0; scalars.hasMoreElements(); i++) {
            scalars.put(of(i));
        }
    }

    /** All elements, read one after the other. */
    public static float[] all(FloatTensorData data) {
        float[] all = new float[(int) data.totalSize()];
        FloatTensorIterator scalars = data.scalars();
        for (int i = 0; i < all.length; i++) {
            all[i] = scalars.get();
        }
        return all;
    }

    /** The element at an index, by the method of just so many coordinates where there is one. */
    public static float get(FloatTensorData data, int... at) {
        switch (at.length) {
            case 0: return data.get();
            case 1: return data.get(at[0]);
            case 2: return data.get(at[0], at[1]);
            case 3: return data.get(at[0], at[1], at[2]);
            case 4: return data.get(at[0], at[1], at[2], at[3]);
            default: return data.get(at);
        }
    }

    /** Writes an element by the method of just so many coordinates where there is one. */
    public static void put(FloatTensorData data, float value, int... at) {
        switch (at.length) {
            case 0: data.put(value); break;
            case 1: data.put(value, at[0]); break;
            case 2: data.put(value, at[0], at[1]); break;
            case 3: data.put(value, at[0], at[1], at[2]); break;
            case 4: data.put(value, at[0], at[1], at[2], at[3]); break;
            default: data.put(value, at);
        }
    }

    /** The sub-tensor at an index, by the method of just so many coordinates where there is one. */
    public static FloatTensorData slice(FloatTensorData data, int... at) {
        switch (at.length) {
            case 0: return data.slice();
            case 1: return data.slice(at[0]);
            case 2: return data.slice(at[0], at[1]);
            case 3: return data.slice(at[0], at[1], at[2]);
            case 4: return data.slice(at[0], at[1], at[2], at[3]);
            default: return data.slice(at);
        }
    }

    //#if primitive
    /** The number of elements in a buffer of bytes. */
    public static int count(ByteBuffer bytes) {
        return bytes.capacity() / DataType.FLOAT.byteSize();
    }
    //#end

    //#if float double int long !encoded
    /** An element in a buffer of bytes. */
    public static float read(ByteBuffer bytes, int i) {
        return bytes.getFloat(i * Float.BYTES);
    }
    //#end
    //~encoded /** An element in a buffer of bytes. */
    //~encoded public static float read(ByteBuffer bytes, int i) {
    //~float16     return FloatTensorData.ofFloat16(bytes.asShortBuffer()).get(i);
    //~bfloat16     return FloatTensorData.ofBFloat16(bytes.asShortBuffer()).get(i);
    //~int8     return FloatTensorData.ofInt8(bytes).get(i);
    //~int16     return FloatTensorData.ofInt16(bytes.asShortBuffer()).get(i);
    //~uint16     return FloatTensorData.ofUInt16(bytes.asShortBuffer()).get(i);
    //~uint32     return FloatTensorData.ofUInt32(bytes.asIntBuffer()).get(i);
    //~uint64     return FloatTensorData.ofUInt64(bytes.asLongBuffer()).get(i);
    //~encoded }
    //~boolean,byte public /** An element in a buffer of bytes. */
    //~boolean,byte static float read(ByteBuffer bytes, int i) {
    //~boolean     return bytes.get(i) != 0;
    //~byte     return bytes.get(i);
    //~boolean,byte }

    //#if float double int long
    /** A buffer's bytes as elements. */
    public static FloatBuffer view(ByteBuffer bytes) {
        return bytes.asFloatBuffer();
    }
    //#end
    //~byte public /** A buffer's bytes as elements. */
    //~byte static ByteBuffer view(ByteBuffer bytes) {
    //~byte     return bytes;
    //~byte }
}
