package io.tensornio.internal.data;

//#if float boolean byte
import io.tensornio.FloatConsumer;
//#end
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.TensorIndex;
import java.util.Arrays;
import java.util.Objects;
import java.util.Spliterator;
//#if floating
import java.util.function.DoubleConsumer;
//#end
//~int,byte import java.util.function.IntConsumer;
//~long import java.util.function.LongConsumer;
//~boolean,string import java.util.function.Consumer;

/**
 * The elements of data in row-major order, for streams. It splits the first axis with more than one position, so that
 * each half is a slice; if it was advanced before, its iterator goes to the first half.
 */
//#if floating
final class FloatSpliterator implements Spliterator.OfDouble {
//#end
//~int,byte final class FloatSpliterator implements Spliterator.OfInt {
//~long final class FloatSpliterator implements Spliterator.OfLong {
//~boolean,string final class FloatSpliterator implements Spliterator<Float> {
    static final int CHARACTERISTICS = ORDERED | SIZED | SUBSIZED | NONNULL;

    /** The maximum number of halvings of one axis. */
    private static final int MOST_HALVINGS = 64;
    //#if primitive
    /** The minimum number of elements that are passed on by way of an array. */
    private static final int FEW = 64;
    //#end

    private FloatTensorData data;
    /** The number of the next element, and the number of elements. */
    private long at;
    private long end;
    /** The iterator at the element {@code at}; null while that is the first. */
    private FloatTensorIterator scalars;
    /** Whether the iterator continues after the end of the data. */
    private boolean beyond;

    FloatSpliterator(FloatTensorData data) {
        this(data, 0, data.totalSize(), null);
    }

    private FloatSpliterator(FloatTensorData data, long at, long end, FloatTensorIterator scalars) {
        this.data = data;
        this.at = at;
        this.end = end;
        this.scalars = scalars;
        beyond = scalars != null;
    }

    @Override
    public int characteristics() {
        return CHARACTERISTICS;
    }

    @Override
    public long estimateSize() {
        return end - at;
    }

    @Override
    public FloatSpliterator trySplit() {
        int left = MOST_HALVINGS * (data.rank() + 1);
        while (end - at > 1) {          // so there is an axis with more than one position
            if (left-- == 0) {
                throw new IllegalStateException("data of the shape " + Arrays.toString(data.shape()) + " answers that it has " + end
                    + " elements, but does not end when it is halved");
            }
            long n = data.size(0);
            if (n == 1) {
                data = DataPart.withoutOnes(data);
                continue;
            }
            // The sizes of the halves are read, since rows may differ in length.
            FloatTensorData first = data.slice(TensorIndex.range(0, n / 2));
            FloatTensorData second = data.slice(TensorIndex.range(n / 2, n));
            long size = first.totalSize();
            if (at >= size) {           // already read, or empty
                data = second;
                at -= size;
                end -= size;
            } else if (size == end) {
                data = first;
            } else {
                FloatSpliterator before = new FloatSpliterator(first, at, size, scalars);
                data = second;
                at = 0;
                end -= size;
                scalars = null;
                beyond = false;
                return before;
            }
        }
        return null;
    }

    @Override
    //#if floating
    public boolean tryAdvance(DoubleConsumer action) {
    //#end
    //~int,byte public boolean tryAdvance(IntConsumer action) {
    //~long public boolean tryAdvance(LongConsumer action) {
    //~boolean,string public boolean tryAdvance(Consumer<? super Float> action) {
        Objects.requireNonNull(action, "action");
        if (at == end) {
            return false;
        }
        if (scalars == null) {
            scalars = Objects.requireNonNull(data.scalars(), "scalars() gave null");
        }
        float value = scalars.get();
        at++;
        //#if !byte
        action.accept(value);
        //#end
        //~byte action.accept(value & 0xff);
        return true;
    }

    @Override
    //#if floating
    public void forEachRemaining(DoubleConsumer action) {
    //#end
    //~int,byte public void forEachRemaining(IntConsumer action) {
    //~long public void forEachRemaining(LongConsumer action) {
    //~boolean,string public void forEachRemaining(Consumer<? super Float> action) {
        Objects.requireNonNull(action, "action");
        if (beyond) {
            while (tryAdvance(action)) {
                // Up to the end of the data, not of the iterator.
            }
            return;
        }
        if (at == end) {                // already read: a stream does not traverse a spliterator twice
            return;
        }
        FloatTensorIterator rest = scalars != null ? scalars : Objects.requireNonNull(data.scalars(), "scalars() gave null");
        boolean isWhole = scalars == null;
        at = end;
        //#if float double int long boolean
        if (isWhole && forEach(data, action::accept)) {
            return;
        }
        //#end
        //~byte if (isWhole && forEach(data, value -> action.accept(value & 0xff))) {
        //~byte     return;
        //~byte }
        //#if float boolean string
        rest.forEach(action::accept);
        //#end
        //~double,int,long rest.forEach(action);
        //~byte rest.forEach(value -> action.accept(value & 0xff));
    }

    //#if primitive
    /**
     * Passes on all elements in order, if they are a view of pieces: copied to an array part by part, since to find one alone takes divisions. Few
     * are not worth the array.
     *
     * @return whether it was done
     */
    static boolean forEach(FloatTensorData data, FloatConsumer action) {
        long n = data.totalSize();
        if (n < FEW || !(data instanceof FloatData) || PieceCopies.pieces(((FloatData) data).source()) == null) {
            return false;
        }
        float[] elements = new float[(int) Math.min(n, FloatData.CHUNK)];
        DataPart.of(data).each(elements.length, (part, count) -> {
            part.get(elements, new int[0]);
            for (int i = 0; i < count; i++) {
                action.accept(elements[i]);
            }
        });
        return true;
    }
    //#end
}
