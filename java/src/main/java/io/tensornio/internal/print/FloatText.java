package io.tensornio.internal.print;

//#if float long
import io.tensornio.DataType;
//#end
import io.tensornio.FloatTensorData;
import io.tensornio.TensorData;
//#if float long
import io.tensornio.internal.element.Encodings;
//#end

/** The texts of {@code float} elements. */
//#if floating
final class FloatText extends DecimalText {
//#end
//~!floating final class FloatText extends PlainText {
    //#if float
    /** Ten to the power of the digits of a FLOAT: the threshold of large values in NumPy 2.3 and later. */
    private static final float LARGE = 1e6f;
    private static final float SMALL = 1e-4f;
    //#end
    //~double private static final double LARGE = 1e8;
    //~double private static final double SMALL = 1e-4;

    private final float[] values;
    //#if float
    /** The bits of the fraction, and the exponent of the smallest number that is not subnormal. */
    private int fraction = 23;
    private int least = -126;
    private DataType type = DataType.FLOAT;
    //#end
    //~long /** Whether elements are UINT64. */
    //~long private boolean isUnsigned;

    FloatText(int count) {
        //#if floating
        super(count);
        //#end
        //~integral super(count, 1);
        //~boolean super(count, "false".length());
        values = new float[count];
    }

    @Override
    void read(int n, TensorData<?> data) {
        //#if float
        typed(data);
        //#end
        //~long isUnsigned = data.dataType() == DataType.UINT64;
        values[n] = ((FloatTensorData) data).get();
    }

    @Override
    void read(int n, TensorData<?> row, int i) {
        //#if float
        typed(row);
        //#end
        //~long isUnsigned = row.dataType() == DataType.UINT64;
        values[n] = ((FloatTensorData) row).get(i);
    }

    //#if floating
    @Override
    double value(int n) {
        return values[n];
    }

    //#end
    //#if float
    @Override
    double ulp(int n) {
        return fraction == 23 ? Math.ulp(values[n]) : unit(Math.getExponent(values[n]));
    }

    @Override
    double below(int n) {
        float below = Math.nextDown(Math.abs(values[n]));
        return fraction == 23 ? Math.ulp(below) : unit(Math.getExponent(below));
    }

    /** Notes the type in memory: FLOAT, FLOAT16 or BFLOAT16. */
    private void typed(TensorData<?> data) {
        type = data.dataType();
        fraction = type == DataType.FLOAT16 ? 10 : type == DataType.BFLOAT16 ? 7 : 23;
        least = type == DataType.FLOAT16 ? -14 : -126;
    }

    private float rounded(float x) {
        return Encodings.rounded(type, x);
    }

    /** The distance between numbers of 16 bits with a binary exponent. */
    private double unit(int exponent) {
        return Math.scalb(1.0, Math.max(exponent, least) - fraction);
    }

    /** Ten to the power of the digits of the type. */
    private float large() {
        return fraction == 10 ? 1e3f : fraction == 7 ? 1e2f : LARGE;
    }

    //#end
    //~double @Override
    //~double double ulp(int n) {
    //~double     return Math.ulp(values[n]);
    //~double }
    //~double @Override
    //~double double below(int n) {
    //~double     return Math.ulp(Math.nextDown(Math.abs(values[n])));
    //~double }
    //~double private static double large() {
    //~double     return LARGE;
    //~double }
    //~double private static double rounded(double x) {
    //~double     return x;
    //~double }
    //#if floating
    /** Like NumPy, this compares and divides in the precision of the elements, so that the ratio of 1000 is rounded. */
    @Override
    boolean needsExponents(boolean suppressSmall) {
        float max = 0;
        float min = Float.MAX_VALUE;
        for (float value : values) {
            float magnitude = Math.abs(value);
            if (magnitude > 0 && magnitude <= Float.MAX_VALUE) {
                max = Math.max(max, magnitude);
                min = Math.min(min, magnitude);
            }
        }
        return max >= large() || max > 0 && !suppressSmall && (min < rounded(SMALL) || rounded(max / min) > 1000);
    }

    //#end
    //#if !floating
    //~ @Override
    //~ String plain(int n) {
    //~int,boolean     return String.valueOf(values[n]);
    //~long     return isUnsigned ? Encodings.unsigned(values[n]) : String.valueOf(values[n]);
    //~byte     return String.valueOf(values[n] & 0xff);
    //~ }
    //#end
}
