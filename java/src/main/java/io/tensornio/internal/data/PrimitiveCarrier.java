package io.tensornio.internal.data;

import io.tensornio.DataType;
import io.tensornio.LongTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.element.LongBlock;
import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Storage;
import io.tensornio.internal.ragged.RaggedParts;
import io.tensornio.internal.ragged.RaggedShapes;
import io.tensornio.internal.sparse.Sparse;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.Buffer;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A {@link Carrier} whose elements have a fixed length, and are copied by {@code java.nio} and by native code: all but {@code String}.
 *
 * @param <D> the data of the carrier
 * @param <A> its arrays
 */
public abstract class PrimitiveCarrier<D extends TensorData<D>, A> extends Carrier<D, A> {
    /** Whether elements are IEEE 754 numbers, which have two zeros. */
    final boolean isFloating;

    PrimitiveCarrier(DataType type, int bytes, Class<?> element, Class<?> box, boolean isFloating) {
        super(type, bytes, element, box);
        this.isFloating = isFloating;
    }

    @Override
    public abstract PrimitiveCarrier<D, A> of(DataType other);

    // ---- Storage -----------------------------------------------------------------------------------------------------

    /** New memory of any size; if it is not zeroed, the caller writes all of it. */
    abstract Block allocate(long[] shape, boolean zeroed);

    /** A block over existing memory, which it owns from now on. */
    abstract Block over(Storage storage, long... shape);

    /** New memory that one buffer holds, of which the caller writes all. */
    abstract Block uncleared(long... shape);

    /** New memory that one buffer holds. */
    abstract Block zeroed(int n);

    /** Copies {@code n} elements from {@code at} to {@code toAt}, between blocks that may be the same; the ranges are valid and disjoint. */
    abstract void copy(Block from, int at, Block to, int toAt, int n);

    /** All elements of a block, of either kind. */
    abstract OwnData<D, A> whole(Block block);

    /** The buffer by which native code reads or writes a block; throws if it is closed, or cannot be written. */
    abstract Buffer buffer(Block block, boolean write);

    /** A buffer over elements of a block, from one on. */
    abstract Buffer window(Block block, int start, long n);

    /** A block of a shape with the elements of another, whose memory it shares. */
    abstract Block sharing(Block block, long... shape);

    /** Published sparse elements. */
    abstract Sparse sparse(long[] shape, LongBlock indices, Block values);

    /** Whether the element at a position is 0; true for -0.0, false for NaN. */
    abstract boolean isZero(Source source, long at);

    /** Copies one element. */
    abstract void copyOne(Source from, long at, Source to, long toAt);

    // ---- Copies ------------------------------------------------------------------------------------------------------

    /** Copies between two runs in buffers; they do not overlap. */
    abstract void copyRun(OwnData<D, A> from, OwnData<D, A> to);

    /** One value of the carrier, to be read with strides of 0. */
    abstract Source spread(Object value);

    /** All elements of an array. */
    abstract Source over(A array);

    /** Copies a selection of sparse elements to a run in a buffer. */
    abstract void copyEntries(Sparse from, Layout layout, OwnData<D, A> to);

    /** Copies between a run in a buffer and one in a user's buffer of another class; returns false, and does nothing, for other data. */
    abstract boolean copyRunOfOther(D from, D to);

    /** Copies to a run in a user's buffer of another class; returns false, and does nothing, for other data. */
    abstract boolean copyToOther(D from, D to);

    /** Copies one element after the other. */
    abstract void copyEach(D from, D to);

    @Override
    final Block share(D data, long... shape) {
        return Copies.share(this, data, shape);
    }

    @Override
    public final Sparse sparse(LongTensorData indices, D values, long... denseShape) {
        return SparseTensors.of(values == null ? this : of(values.dataType()), indices, values, denseShape);
    }

    @Override
    public final Sparse sparse(D data) {
        return SparseTensors.of(data == null ? this : of(data.dataType()), data);
    }

    // ---- Tensors -----------------------------------------------------------------------------------------------------

    @Override
    public final <T> Tensor<T> dense(long[] shape, Consumer<? super D> init) {
        Objects.requireNonNull(init, "init");
        return fill(allocate(Shapes.check(shape, bytes), true), init);
    }

    /** Zeroed memory of a number of elements, which messages name by a shape. */
    public final Block allocate(long extent, long... shape) {
        Block block = allocate(Shapes.check(new long[] {extent}, bytes), true);
        block.name(shape);
        return block;
    }

    /** Data with a layout over a block of either kind. */
    public final D over(Block block, Layout layout) {
        return view((Source) block, layout).self();
    }

    /** A tensor whose elements {@code copy} writes, all of them; it must not leak its argument. */
    private <T> Tensor<T> copied(long[] shape, Consumer<D> copy) {
        return fill(allocate(Shapes.check(shape, bytes), false), copy);
    }

    private <T> Tensor<T> fill(Block block, Consumer<? super D> init) {
        try {
            D data = whole(block).self();
            init.accept(data);
            return publish(block, data);
        } catch (Throwable e) {
            block.close();
            throw e;
        }
    }

    @Override
    public final <T> Tensor<T> create(D data) {
        OpenCheck.check(Objects.requireNonNull(data, "data"));
        PrimitiveCarrier<D, A> own = of(data.dataType());
        if (RaggedShapes.isRagged(data.shape())) {
            return own.dense(RaggedTensors.denseShape(data, true), copy -> RaggedTensors.fill(copy, data));
        }
        long[] shape = data.shape();
        Shapes.checkDense(shape, own.type, own.bytes);
        return own.copied(shape, copy -> Copies.fill(own, copy, data));
    }

    @Override
    public final <T> Tensor<T> ofNested(Object nested) {
        long[] shape = FromNested.shape(this, nested);
        try {
            return copied(shape, copy -> FromNested.fill(this, copy, nested));
        } catch (OutOfMemoryError e) {
            FromNested.check(this, nested, shape);
            throw e;
        }
    }

    @Override
    public final RaggedParts raggedOfNested(Object nested) {
        return RaggedNested.of(this, nested);
    }

    /** Copies an array to a block. */
    abstract void put(Block block, int at, A from);

    // ---- Streams of bytes --------------------------------------------------------------------------------------------

    @Override
    public final void read(D data, OutputStream out) {
        StreamedBytes.read(of(data.dataType()), data, out);
    }

    @Override
    public final void write(D data, InputStream in) {
        StreamedBytes.write(of(data.dataType()), data, in);
    }

    /** An array for the bytes of as many elements: the array itself if it is one of bytes. */
    byte[] bytes(A elements) {
        return new byte[length(elements) * bytes];
    }

    /** Sets bytes to those of the first elements, in big-endian order. */
    abstract void encode(A elements, int n, byte[] to);

    /** Sets the first elements to those of bytes. */
    abstract void decode(byte[] from, A elements, int n);

    /** Writes the first elements of an array to the start of data, one by one if {@code isEach}. */
    abstract void put(D data, A elements, int n, boolean isEach);
}
