package io.tensornio.internal.data;

import io.tensornio.AbstractFloatTensorData;
import io.tensornio.DataType;
//#if float boolean byte
import io.tensornio.FloatConsumer;
//#end
//#if float byte
import io.tensornio.FloatSupplier;
//#end
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorElements;
import io.tensornio.FloatTensorIterator;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.element.BufferTooShortException;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.layout.Slicer;
import io.tensornio.internal.layout.TensorIndexOutOfBoundsException;
//#if buffer
import java.nio.FloatBuffer;
//#end
import java.util.Arrays;
import java.util.NoSuchElementException;
//~double import java.util.function.DoubleConsumer;
//~double import java.util.function.DoubleSupplier;
//~int import java.util.function.IntConsumer;
//~int import java.util.function.IntSupplier;
//~long import java.util.function.LongConsumer;
//~long import java.util.function.LongSupplier;
//~boolean import java.util.function.BooleanSupplier;

/**
 * Data of an implementation that the library does not know: elements that a function gives and takes. It may have more of them than memory
 * can hold, and it says no more than it is asked.
 */
public class FloatModelData extends FloatIndexed {
    /** Where the elements come from and go to. */
    public interface Elements {
        /** The element at a position. */
        float read(long at);

        /** Writes the element at a position. */
        void write(long at, float value);
    }

    final Layout layout;
    final Elements elements;

    FloatModelData(Layout layout, Elements elements) {
        this.layout = layout;
        this.elements = elements;
    }

    /** Data whose elements have the positions 0, 1, 2... in row-major order. */
    public static FloatModelData of(Elements elements, long... shape) {
        return new FloatModelData(Layout.rowMajor(shape), elements);
    }

    // ---- What it is ------------------------------------------------------------------------------------------------

    @Override
    public DataType dataType() {
        return FloatElement.TYPE;
    }

    @Override
    public int rank() {
        return layout.rank();
    }

    @Override
    public long size(int axis) {
        return Shapes.size(layout.sizes(), axis);
    }

    @Override
    public long totalSize() {
        return layout.totalSize();
    }

    @Override
    public long[] shape() {
        return layout.sizes().clone();
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    // ---- Slices ----------------------------------------------------------------------------------------------------

    @Override
    public FloatTensorData slice() {
        return this;
    }

    @Override
    public FloatTensorData slice(int... indices) {
        return new FloatModelData(layout.at(indices), elements);
    }

    @Override
    public FloatTensorData slice(TensorIndex... indices) {
        return new FloatModelData(Slicer.slice(layout, DataIndices.checked(indices)), elements);
    }

    // ---- One element -----------------------------------------------------------------------------------------------

    @Override
    public float get(int... indices) {
        return elements.read(position(indices));
    }

    @Override
    public void put(float value, int... indices) {
        elements.write(position(indices), value);
    }

    private long position(int... indices) {
        if (indices.length != rank()) {
            throw new TensorIndexOutOfBoundsException(layout.sizes(), indices);
        }
        return layout.offsetOf(indices);
    }

    // ---- In bulk ---------------------------------------------------------------------------------------------------

    @Override
    public void get(float[] array, int... indices) {
        FloatTensorData selection = Selection.of(this, indices);
        if (selection.totalSize() > array.length) {
            throw new IndexOutOfBoundsException("too short");
        }
        int[] n = {0};
        selection.scalars().forEach(value -> array[n[0]++] = value);
    }

    @Override
    public void put(float[] array, int... indices) {
        FloatTensorData selection = Selection.of(this, indices);
        if (array.length > selection.totalSize()) {
            throw new IndexOutOfBoundsException("too long");
        }
        FloatTensorIterator target = selection.scalars();
        for (float value : array) {
            target.put(value);
        }
    }

    //~string @Override
    //~string public byte[] getBytes(int... indices) {
    //~string     return get(indices).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    //~string }

    //~string @Override
    //~string public void putBytes(byte[] bytes, int... indices) {
    //~string     put(new String(bytes, java.nio.charset.StandardCharsets.UTF_8), indices);
    //~string }

    //#if buffer
    @Override
    public void get(FloatBuffer buffer, int... indices) {
        FloatTensorData selection = Selection.of(this, indices);
        if (selection.totalSize() > buffer.remaining()) {
            throw new BufferTooShortException("the selection", selection.totalSize(), buffer.remaining());
        }
        selection.scalars().forEach(buffer::put);
    }

    @Override
    public void put(FloatBuffer buffer, int... indices) {
        float[] array = new float[buffer.remaining()];
        buffer.duplicate().get(array);
        put(array, indices);
        buffer.position(buffer.limit());
    }
    //#end

    @Override
    public void get(FloatTensorData tensor, int... indices) {
        tensor.scalars().onEach(slice(indices).scalars()::get);
    }

    @Override
    public void put(FloatTensorData tensor, int... indices) {
        slice(indices).scalars().onEach(tensor.scalars()::get);
    }

    // ---- One after the other ---------------------------------------------------------------------------------------

    /** The position of an element. */
    long position(long n) {
        long rest = n;
        long at = layout.offset();
        for (int d = layout.rank() - 1; d >= 0; d--) {
            at += rest % layout.size(d) * layout.stride(d);
            rest /= layout.size(d);
        }
        return at;
    }

    @Override
    public FloatTensorElements elements() {
        throw new UnsupportedOperationException();
    }

    @Override
    public FloatTensorIterator scalars() {
        return new FloatTensorIterator() {
            private long next;

            @Override
            public boolean hasMoreElements() {
                return next < totalSize();
            }

            private long at() {
                if (!hasMoreElements()) {
                    throw new NoSuchElementException();
                }
                return position(next++);
            }

            @Override
            public float get() {
                return elements.read(at());
            }

            @Override
            public FloatTensorIterator put(float value) {
                elements.write(at(), value);
                return this;
            }

            @Override
            public void forEach(FloatConsumer consumer) {
                while (hasMoreElements()) {
                    consumer.accept(get());
                }
            }

            @Override
            public void onEach(FloatSupplier supplier) {
                while (hasMoreElements()) {
                    put(supplier.getAsFloat());
                }
            }
        };
    }

    /** Rows of different lengths, one after the other: the second axis has no size. */
    public static FloatModelData ragged(Elements elements, int... lengths) {
        return new Ragged(Layout.rowMajor(new long[] {lengths.length}), elements, lengths);
    }

    // ---- Views: those of user-defined data ---------------------------------------------------------------------------

    private FloatTensorData asUserData() {
        return new AbstractFloatTensorData(shape()) {
            @Override
            protected float getAt(long[] indices) {
                return elements.read(at(indices));
            }

            @Override
            protected void putAt(float value, long[] indices) {
                elements.write(at(indices), value);
            }

            private long at(long... indices) {
                long at = layout.offset();
                for (int d = 0; d < indices.length; d++) {
                    at += indices[d] * layout.stride(d);
                }
                return at;
            }
        };
    }

    @Override
    public FloatTensorData transpose() {
        return asUserData().transpose();
    }

    @Override
    public FloatTensorData permute(int... axes) {
        return asUserData().permute(axes);
    }

    @Override
    public FloatTensorData broadcastTo(long... shape) {
        return asUserData().broadcastTo(shape);
    }

    @Override
    public FloatTensorData reshape(long... shape) {
        return asUserData().reshape(shape);
    }

    @Override
    public FloatTensorData flatten() {
        return asUserData().flatten();
    }

    @Override
    public FloatTensorData flatten(int first, int last) {
        return asUserData().flatten(first, last);
    }

    @Override
    public FloatTensorData unflatten(int axis, long... sizes) {
        return asUserData().unflatten(axis, sizes);
    }

    @Override
    public FloatTensorData expandDims(int axis) {
        return asUserData().expandDims(axis);
    }

    @Override
    public FloatTensorData squeeze(int... axes) {
        return asUserData().squeeze(axes);
    }

    @Override
    public FloatTensorData diagonal(int axis1, int axis2) {
        return asUserData().diagonal(axis1, axis2);
    }

    @Override
    public FloatTensorData flip(int... axes) {
        return asUserData().flip(axes);
    }

    @Override
    public FloatTensorData slidingWindow(int axis, long size, long step) {
        return asUserData().slidingWindow(axis, size, step);
    }

    @Override
    public boolean isContiguous() {
        return false;
    }

    @Override
    public boolean sharesMemoryWith(TensorData<?> other) {
        return true;            // it does not know
    }

    /** Its layout is that of the rows alone. */
    private static final class Ragged extends FloatModelData {
        private final int[] lengths;

        Ragged(Layout rows, Elements elements, int... lengths) {
            super(rows, elements);
            this.lengths = lengths;
        }

        private int row(long i) {
            return (int) (layout.offset() + i * layout.stride(0));
        }

        @Override
        public int rank() {
            return 2;
        }

        @Override
        public long size(int axis) {
            if (axis == 1) {
                throw new AssertionError("the rows have no size in common");
            }
            return super.size(axis);
        }

        @Override
        public long totalSize() {
            long total = 0;
            for (int i = 0; i < layout.size(0); i++) {
                total += lengths[row(i)];
            }
            return total;
        }

        @Override
        public long[] shape() {
            return new long[] {layout.size(0), -1};
        }

        @Override
        public FloatTensorData slice(int... indices) {
            return indices.length == 0 ? this : vector(layout.at(Arrays.copyOf(indices, 1))).slice(Arrays.copyOfRange(indices, 1, indices.length));
        }

        @Override
        public FloatTensorData slice(TensorIndex... indices) {
            Layout rows = Slicer.slice(layout, Arrays.copyOf(indices, 1));
            if (rows.rank() == 0) {
                return vector(rows).slice(Arrays.copyOfRange(indices, 1, indices.length));
            }
            if (indices.length > 1) {
                throw new UnsupportedOperationException();
            }
            return new Ragged(rows, elements, lengths);
        }

        private FloatModelData vector(Layout row) {
            int i = (int) row.offset();
            return new FloatModelData(new Layout(Arrays.stream(lengths, 0, i).sum(), new long[] {lengths[i]}, new long[] {1}), elements);
        }

        @Override
        public float get(int... indices) {
            return slice(indices[0]).get(indices[1]);
        }

        @Override
        long position(long n) {
            long rest = n;
            for (int i = 0; ; i++) {
                if (rest < lengths[row(i)]) {
                    return Arrays.stream(lengths, 0, row(i)).sum() + rest;
                }
                rest -= lengths[row(i)];
            }
        }
    }
}
