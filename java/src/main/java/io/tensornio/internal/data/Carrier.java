package io.tensornio.internal.data;

import io.tensornio.DataType;
import io.tensornio.LongTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.TensorIndexOutOfBoundsException;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.ragged.RaggedLayout;
import io.tensornio.internal.ragged.RaggedParts;
import io.tensornio.internal.ragged.RowArena;
import io.tensornio.internal.sparse.Sparse;
import io.tensornio.internal.sparse.SparseBuilder;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.Buffer;
import java.util.function.Consumer;

/**
 * All that control code has to know of the elements that it moves: code that is called once for a copy, a view or a tensor, and touches no element
 * itself, is generic over this, and there is one class of it for all types.
 *
 * <p>The <em>carrier</em> is the Java type by which elements are read and written, {@code float} say. Its class, {@code FloatCarrier}, is a sibling,
 * and has one instance, for the type that is stored as the carrier itself. A type of another form in memory is an <em>encoding</em> over a carrier: a
 * subclass of the carrier's class with an instance of its own, which overrides what is about storage ({@link #type}, {@link #bytes}, the sources) and
 * inherits what is about arrays and data.
 *
 * <p>Nothing here is called for each element: {@code get(i, j)} and loops are in siblings ({@code FloatStrided}, {@code FloatLoops}, ...).
 *
 * @param <D> the data of the carrier
 * @param <A> its arrays
 */
public abstract class Carrier<D extends TensorData<D>, A> {
    final DataType type;
    /** Bytes of one element in memory. */
    final int bytes;

    /** The class of an element in an array, and of one alone as an object. */
    private final Class<?> element;
    private final Class<?> box;

    Carrier(DataType type, int bytes, Class<?> element, Class<?> box) {
        this.type = type;
        this.bytes = bytes;
        this.element = element;
        this.box = box;
    }

    /**
     * The carrier of a type that is read and written as this one is.
     *
     * @param other the type
     * @return that of the type
     */
    public Carrier<D, A> of(DataType other) {
        return this;
    }

    /** Whether elements have a range that is narrower than that of the carrier, and are not rounded to it. */
    boolean isRanged() {
        return false;
    }

    /**
     * Checks that elements hold the values of data.
     *
     * @throws IllegalArgumentException if they do not
     */
    void checkRange(D values) {
        // Most hold all values of the carrier.
    }

    /**
     * A value, an object of the carrier, as elements have it: rounded.
     *
     * @throws IllegalArgumentException if no element has it
     */
    Object stored(Object value) {
        return value;
    }

    /**
     * The type of the elements.
     *
     * @return the type
     */
    public final DataType type() {
        return type;
    }

    // ---- Arrays ------------------------------------------------------------------------------------------------------

    /** A new array. */
    abstract A array(int n);

    /** Its length. */
    abstract int length(A array);

    // ---- Data --------------------------------------------------------------------------------------------------------

    /** Data over a selection of a source of this carrier, in the most specific class. */
    abstract OwnData<D, A> view(Source source, Layout layout);

    /** Data over rows of a source of this carrier that have no rectangular layout. */
    abstract OwnData<D, A> ragged(Source source, RaggedLayout layout);

    /** Data over a selection of rows of a source, in the most specific class. */
    final OwnData<D, A> view(Source source, RaggedLayout layout) {
        Layout plain = layout.plain();
        return plain != null ? view(source, plain) : ragged(source, layout);
    }

    /** The part of rows under construction at leading indices, of which there are {@code depth} and which select a node. */
    abstract OwnData<D, A> growing(RowArena arena, int depth, int node);

    /** Rows under construction, of a checked ragged shape. */
    abstract RowArena arena(long... shape);

    /** Sets each row of an arena to as many positions of data with as many rows. */
    abstract void set(RowArena arena, D data, long... lengths);

    /** The exception for indices that select no element. */
    IndexOutOfBoundsException outside(long[] shape, int... indices) {
        return new TensorIndexOutOfBoundsException(shape, indices);
    }

    // ---- Complex views -----------------------------------------------------------------------------------------------

    /** What fresh memory holds, as an object. */
    abstract Object zero();

    /** The elements of a complex view; {@code fill} is an object of the carrier, the value of those that no part has. */
    abstract Made made(Assembly assembly, Object fill, long[] shape, Source[] sources, TensorData<?>... parts);

    // ---- Whole data --------------------------------------------------------------------------------------------------

    /** Whether an object is data of the carrier, of any class. */
    abstract boolean isData(Object object);

    /** Whether data of the same shape has equal elements, compared one by one. */
    abstract boolean equalEach(D one, D other);

    /** Whether arrays are equal, as their elements are in data. */
    abstract boolean equalArrays(A one, A other);

    /** The hash of all elements, in order, after another one. */
    abstract int hashEach(D data, int before);

    /** Whether the element at a position of a source is not what fresh memory holds. */
    abstract boolean isStored(Source source, long at);

    /** Whether the elements at two positions are equal. */
    abstract boolean equalAt(Source one, long at, Source other, long otherAt);

    /** The hash of the element at a position. */
    abstract int hashAt(Source source, long at);

    /** The hash of what fresh memory holds. */
    abstract int hashOfZero();

    /** Whether data extends the class for users' own data of the carrier. */
    abstract boolean isUsers(D data);

    /** Copies data to other data, with which it may overlap; messages name one side, as a selection at indices. */
    abstract void copy(D from, D to, D named, boolean isRead, int... indices);

    /** Copies data to other data of the same shape that does not overlap it. */
    abstract void copyDisjoint(D from, D to);

    /** A block with the elements of data of a checked shape, which shares the memory if the data is the whole of a published tensor. */
    abstract Block share(D data, long... shape);

    /**
     * Sparse elements from coordinates in any order; of duplicates the last is kept.
     *
     * @param indices the coordinates, (n, rank)
     * @param values the elements, (n)
     * @param denseShape the sizes
     * @return the elements, for the caller to close
     */
    public abstract Sparse sparse(LongTensorData indices, D values, long... denseShape);

    /**
     * Sparse elements from dense data, without what fresh memory holds: zeros, -0.0 too, or empty strings.
     *
     * @param data the data
     * @return the elements, for the caller to close
     */
    public abstract Sparse sparse(D data);

    /** Sparse elements under construction, of a checked dense shape. */
    public abstract SparseBuilder sparseBuilder(long[] shape, int numValues);

    // ---- Streams of bytes --------------------------------------------------------------------------------------------

    /** Reads all elements of data into a stream of bytes. */
    public abstract void read(D data, OutputStream out);

    /** Writes all elements of data from a stream of bytes. */
    public abstract void write(D data, InputStream in);

    // ---- Tensors -----------------------------------------------------------------------------------------------------

    /** Data over all elements of a source of this carrier, which has a checked shape. */
    public final D whole(Source source, long... shape) {
        return view(source, Layout.rowMajor(shape)).self();
    }

    /** A dense tensor whose elements a caller fills. */
    public abstract <T> Tensor<T> dense(long[] shape, Consumer<? super D> init);

    /** A dense tensor with the elements of data, of which no two rows differ in length. */
    public abstract <T> Tensor<T> create(D data);

    /** Whether an object is nested arrays of the carrier, or one value. */
    public final boolean isNested(Object nested) {
        return rank(nested) >= 0;
    }

    /** How deep arrays of the carrier are nested; 0 for one value, -1 for any other object. */
    final int rank(Object nested) {
        return Nested.rank(nested, element, box);
    }

    /** The exception for an object whose class does not fit a shape. */
    final IllegalArgumentException misfit(Object nested, long... shape) {
        return Nested.misfit(nested, element, box, shape);
    }

    /** An array of the carrier, which an object is known to be. */
    abstract A asArray(Object array);

    /** Writes one value, an object of the carrier. */
    abstract void putOne(D data, Object value, int... indices);

    /** Writes an array to the start of data. */
    abstract void put(D data, A array);

    /** Reads all elements of data to the start of an array. */
    abstract void get(D data, A array);

    /** The one element of data of rank 0, as an object of the carrier. */
    abstract Object one(D data);

    /** Whether {@link #readRow} is the fastest way to read rows of this length. */
    boolean readsRows(long length) {
        return false;
    }

    /** A private buffer over a run in a buffer, from its first element on. */
    Buffer start(OwnData<D, A> run) {
        throw new UnsupportedOperationException();
    }

    /** Reads a row from the position of such a buffer, and advances it. */
    void readRow(Buffer from, A row) {
        throw new UnsupportedOperationException();
    }

    /** Sets a row under construction, or its rest from a position on, to an array; {@code empty} is its length if an inner size is 0. */
    abstract void set(D growing, A array, int empty, int... indices);

    /** Checks the lengths of nested arrays, all of them. */
    abstract void checkRows(Object nested, long... shape);

    /** Checks nested arrays, and copies them to data of the shape, of rank 1 at least. */
    abstract void copyRows(Object nested, D to, long... shape);

    /** Checks nested arrays, and copies them to an array of the shape, of rank 2 at least. */
    abstract void copyRows(Object nested, A to, long... shape);

    /**
     * A dense tensor of nested arrays, given as an object of any class.
     *
     * @param nested nested arrays of the carrier
     * @return the tensor
     * @throws IllegalArgumentException if it is something else
     */
    public final <T> Tensor<T> ofAny(Object nested) {
        if (!isNested(nested)) {
            throw Nested.unsupported(nested, element.getSimpleName());
        }
        return ofNested(nested);
    }

    /** A dense tensor of nested arrays. */
    public abstract <T> Tensor<T> ofNested(Object nested);

    /** The parts of a ragged tensor of nested arrays. */
    public abstract RaggedParts raggedOfNested(Object nested);

    /** The dense tensor of a published block and its data. */
    @SuppressWarnings("unchecked")          // its type is known to the caller alone
    static <T> Tensor<T> publish(Block block, TensorData<?> data) {
        return (Tensor<T>) TensorPublisher.publish(block, data);
    }
}
