package io.tensornio.internal.data;

//#if float
import io.tensornio.DataType;
//#end
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
//~byte import io.tensornio.internal.element.UInt8Range;
//#if float
import io.tensornio.internal.element.Encodings;
//#end
import io.tensornio.internal.layout.ArrayLength;
import io.tensornio.internal.layout.Positions;
import io.tensornio.internal.layout.Shapes;
import java.util.Arrays;
import java.util.Objects;
//#if floating
import java.util.stream.DoubleStream;
//#end
//~int,byte import java.util.stream.IntStream;
//~long import java.util.stream.LongStream;
//~boolean,string import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Streams from and to {@code float} data of any implementation. */
public final class FloatStreams {
    private static final float[] NONE = {};

    private FloatStreams() {
    }

    /**
     * The elements of a selection.
     *
     * @param data the data
     * @param indices the indices of the selection, as in a bulk call
     * @return the stream, which is bound to the data when its terminal operation begins
     */
    //#if floating
    public static DoubleStream stream(FloatTensorData data, int... indices) {
    //#end
    //~int,byte public static IntStream stream(FloatTensorData data, int... indices) {
    //~long public static LongStream stream(FloatTensorData data, int... indices) {
    //~boolean,string public static Stream<Float> stream(FloatTensorData data, int... indices) {
        FloatTensorData selection = Selection.of(data, indices);
        // The slice is made only for its check: count() reads nothing but the size, and should still fail on a closed tensor.
        //#if floating
        return StreamSupport.doubleStream(() -> new FloatSpliterator(selection.slice()), FloatSpliterator.CHARACTERISTICS, false);
        //#end
        //~int,byte return StreamSupport.intStream(() -> new FloatSpliterator(selection.slice()), FloatSpliterator.CHARACTERISTICS, false);
        //~long return StreamSupport.longStream(() -> new FloatSpliterator(selection.slice()), FloatSpliterator.CHARACTERISTICS, false);
        //~boolean,string return StreamSupport.stream(() -> new FloatSpliterator(selection.slice()), FloatSpliterator.CHARACTERISTICS, false);
    }

    /**
     * Writes the values of a stream to the start of a selection.
     *
     * @param data the data to write
     * @param values the values
     * @param indices the indices of the selection, as in a bulk call
     * @throws IndexOutOfBoundsException if there are more values than elements, after these are written; or if an index is outside of the shape
     */
    //#if floating
    public static void put(FloatTensorData data, DoubleStream values, int... indices) {
    //#end
    //~int,byte public static void put(FloatTensorData data, IntStream values, int... indices) {
    //~long public static void put(FloatTensorData data, LongStream values, int... indices) {
    //~boolean,string public static void put(FloatTensorData data, Stream<Float> values, int... indices) {
        Objects.requireNonNull(values, "values");
        int[] own = Objects.requireNonNull(indices, "indices").clone();
        if (data instanceof FloatRaggedBuilder) {
            ((FloatRaggedBuilder) data).growing().checkPut(own);
            //#if float
            Collected collected = new Collected(data.dataType());
            //#end
            //~ Collected collected = new Collected();
            values.sequential().forEachOrdered(value -> {
                //~byte if ((value & ~0xff) != 0) {
                //~byte     throw UInt8Range.outside(value, collected.count, SelectionText.name(data, own));
                //~byte }
                //~boolean,string if (value == null) {
                //~boolean,string     throw isNull(collected.count, data, own);
                //~boolean,string }
                collected.add(value);
            });
            ((FloatRaggedBuilder) data).putAll(collected.values, collected.count, own);
            return;
        }
        data.put(NONE, own);            // all other checks, in the right order
        FloatTensorData selection = Selection.of(data, own);
        FloatTensorIterator target = Objects.requireNonNull(selection.scalars(), "scalars() gave null");
        //~byte,boolean,string long[] written = {0};
        //#if float
        DataType type = data.dataType();
        //#end
        // Ends any stream by an exception; limit() would be slower, and split a parallel one unevenly.
        values.sequential().forEachOrdered(value -> {
            if (!target.hasMoreElements()) {
                throw tooMany(selection, data, own);
            }
            //~byte if ((value & ~0xff) != 0) {
            //~byte     selection.put(NONE, new int[0]);        // closed meanwhile?
            //~byte     throw UInt8Range.outside(value, written[0], SelectionText.name(data, own));
            //~byte }
            //~boolean,string if (value == null) {
            //~boolean,string     throw isNull(written[0], data, own);
            //~boolean,string }
            //#if float
            target.put(Encodings.single(type, value));
            //#end
            //~byte target.put((byte) value);
            //~double,int,long,boolean,string target.put(value);
            //~byte,boolean,string written[0]++;
        });
    }

    /** Collects the values of a stream. */
    private static final class Collected {
        float[] values = new float[16];
        int count;

        //#if float
        private final DataType type;

        Collected(DataType type) {
            this.type = type;
        }
        //#end
        //~ Collected() {
        //~ }

        //#if floating
        void add(double value) {
        //#end
        //~int,byte void add(int value) {
        //~long void add(long value) {
        //~boolean,string void add(Float value) {
            if (count == values.length) {
                values = Arrays.copyOf(values, ArrayLength.doubled(count, Positions.count(count + 1L)));
            }
            //#if float
            values[count++] = Encodings.single(type, value);
            //#end
            //~byte values[count++] = (byte) value;
            //~double,int,long,boolean,string values[count++] = value;
        }
    }

    //~boolean,string private static NullPointerException isNull(long before, FloatTensorData data, int... indices) {
    //~boolean,string     return new NullPointerException("null among the values, after " + before + " of them, for "
    //~boolean,string         + SelectionText.name(data, indices));
    //~boolean,string }

    private static IndexOutOfBoundsException tooMany(FloatTensorData selection, FloatTensorData data, int... indices) {
        long n = selection.totalSize();
        return new IndexOutOfBoundsException("more than " + n + " values for " + SelectionText.name(data, indices) + ", which has "
            + Shapes.elements(n) + ": these are written");
    }
}
