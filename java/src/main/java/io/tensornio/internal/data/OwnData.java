package io.tensornio.internal.data;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import io.tensornio.TensorFormat;
import io.tensornio.TensorIndex;
import io.tensornio.internal.element.ArrayMemory;
import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Reshape;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.layout.Slicer;
import io.tensornio.internal.layout.Views;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import io.tensornio.internal.memory.SharedMemory;
import io.tensornio.internal.ragged.RaggedLayout;
import io.tensornio.internal.ragged.RaggedSlicer;
import io.tensornio.internal.ragged.RaggedViews;
import io.tensornio.internal.sparse.Sparse;
import io.tensornio.internal.sparse.SparseBuilder;
import java.util.Objects;

/**
 * The base class of the library's own data: a source of elements and where they are, which is a {@link Layout}, or for rows of different lengths a
 * {@link RaggedLayout}. It has all that touches no element: properties, views, and the checks of bulk calls. Each view is the same source with
 * another layout.
 *
 * @param <D> the data of the carrier
 * @param <A> its arrays
 */
public abstract class OwnData<D extends TensorData<D>, A> implements TensorData<D>, Described, OpenCheck, SharedMemory {
    /** The number of elements of a staging array. */
    static final int CHUNK = 8192;

    OwnData() {
    }

    /** What there is to know of the elements. */
    abstract Carrier<D, A> carrier();

    /** The source of the elements. */
    abstract Source source();

    /** The tree of the rows; null if the data is a rectangle, and {@link #layout()} is all. */
    RaggedLayout tree() {
        return null;
    }

    /** The part of a ragged tensor under construction that this is; null for all other data. */
    GrowingPart<D, A> growing() {
        return null;
    }

    /** This: there is no other implementation of data of the carrier in this package. */
    @SuppressWarnings("unchecked")
    final D self() {
        return (D) this;
    }

    /** The library's own data, of the same carrier. */
    @SuppressWarnings("unchecked")
    static <D extends TensorData<D>, A> OwnData<D, A> own(D data) {
        return (OwnData<D, A>) (TensorData<?>) data;
    }

    @Override
    public final DataType dataType() {
        return carrier().type;
    }

    // ---- Access ------------------------------------------------------------------------------------------------------

    @Override
    public void checkOpen() {
        source().checkOpen();
    }

    @Override
    public final OpenCheck[] checks() {
        return source().checks();
    }

    /** Throws if the data is closed or cannot be written. */
    void checkWritable() {
        RaggedLayout rows = tree();
        if (rows == null ? layout().isReadOnly() : rows.isReadOnly()) {
            throw notWritable(dataType(), source(), rows == null ? layout().sizes() : rows.shape());
        }
        source().checkWritable();
    }

    /** The exception for a write through a read-only layout. */
    static ReadOnlyTensorException notWritable(DataType type, Source source, long[] shape) {
        source.checkOpen();
        return new ReadOnlyTensorException(type, shape, "is a view that may have one element at many indices");
    }

    @Override
    public boolean isReadOnly() {
        RaggedLayout rows = tree();
        return (rows == null ? layout().isReadOnly() : rows.isReadOnly()) || source().isReadOnly();
    }

    // ---- Properties --------------------------------------------------------------------------------------------------

    @Override
    public int rank() {
        return layout().rank();
    }

    @Override
    public long size(int axis) {
        return Shapes.size(layout().sizes(), axis);
    }

    @Override
    public long totalSize() {
        return layout().totalSize();
    }

    @Override
    public long[] shape() {
        return layout().sizes().clone();
    }

    @Override
    public boolean isContiguous() {
        checkOpen();
        RaggedLayout rows = tree();
        return rows == null ? layout().isContiguous() : rows.isContiguous();
    }

    // ---- Memory ------------------------------------------------------------------------------------------------------

    /** Whether this is strided, in one buffer or an array, of a class for that. */
    boolean isStrided() {
        return false;
    }

    /** The position of the first element of strided data. */
    int offset() {
        return (int) layout().offset();
    }

    /** Whether this is contiguous elements in one buffer. */
    final boolean isRun() {
        return isStrided() && !(source() instanceof ArrayMemory) && isContiguous();
    }

    /** The block of contiguous elements in one buffer of the library's memory; null for other data. */
    final Block run() {
        Block block = source() instanceof Block && isRun() ? (Block) source() : null;
        return block != null && block.storage != null ? block : null;
    }

    /** Whether this is strided in an array. */
    final boolean isInArray() {
        return isStrided() && source() instanceof ArrayMemory;
    }

    /** Whether this is contiguous in an array. */
    final boolean isArrayRun() {
        return isInArray() && isContiguous();
    }

    /** The array that this is in. */
    @SuppressWarnings("unchecked")
    final A array() {
        return (A) source().memory();
    }

    /** Whether data is a view of sparse elements, published or not. */
    static boolean isSparse(TensorData<?> data) {
        Source source = data instanceof OwnData ? ((OwnData<?, ?>) data).source() : null;
        return source instanceof Sparse || source instanceof SparseBuilder;
    }

    /** The published sparse elements behind this; null for other data. */
    final Sparse published() {
        Source source = source();
        return source instanceof SparseBuilder ? ((SparseBuilder) source).result() : source instanceof Sparse ? (Sparse) source : null;
    }

    @Override
    public final Object memory() {
        Sparse published = published();
        return published != null ? published : source().memory();
    }

    @Override
    public final TensorData<?>[] read() {
        Made made = source() instanceof Made ? (Made) source() : null;
        return made != null && made.isKnown() ? made.read() : null;
    }

    @Override
    public final boolean mayShare(Object memory) {
        return source().mayShare(memory);
    }

    @Override
    public final long origin() {
        return source().origin();
    }

    @Override
    public final Object identity() {
        Object known = memory();
        Object given = known == null ? source().given() : known;
        return given == null ? source() : given;
    }

    @Override
    public final Composition composition() {
        Composition made = source() instanceof Made ? ((Made) source()).composition() : null;
        return made != null && made.isWhole(layout()) ? made : null;
    }

    @Override
    public final Object alsoIn() {
        Sparse published = published();
        return published == null ? null : ((Source) published.values()).memory();
    }

    @Override
    public boolean sharesMemoryWith(TensorData<?> other) {
        return SharedMemory.isShared(this, other);
    }

    // ---- Views -------------------------------------------------------------------------------------------------------

    /** The same source with another layout. */
    private D view(Layout layout) {
        return carrier().view(source(), layout).self();
    }

    private D view(RaggedLayout layout) {
        return carrier().view(source(), layout).self();
    }

    /** The tree, if the data is open; throws if it is closed. */
    private RaggedLayout openTree() {
        checkOpen();
        return tree();
    }

    @Override
    public D slice() {
        checkOpen();
        return self();
    }

    @Override
    public D slice(int i) {
        return slice(new int[] {i});
    }

    @Override
    public D slice(int i, int j) {
        return slice(new int[] {i, j});
    }

    @Override
    public D slice(int i, int j, int k) {
        return slice(new int[] {i, j, k});
    }

    @Override
    public D slice(int i, int j, int k, int l) {
        return slice(new int[] {i, j, k, l});
    }

    @Override
    public D slice(int... indices) {
        Objects.requireNonNull(indices, "indices");
        RaggedLayout rows = openTree();
        return rows == null ? view(layout().at(indices)) : view(rows.at(indices.clone()));
    }

    @Override
    public D slice(TensorIndex... indices) {
        TensorIndex[] own = DataIndices.checked(indices);
        RaggedLayout rows = openTree();
        return rows == null ? view(Slicer.slice(layout(), source().longestList(), own)) : view(RaggedSlicer.slice(rows, own));
    }

    /** A range of valid positions of the first axis. */
    OwnData<D, A> part(long from, long n) {
        RaggedLayout rows = tree();
        return rows == null ? carrier().view(source(), layout().part(from, n)) : carrier().view(source(), rows.part(from, n));
    }

    @Override
    public D transpose() {
        RaggedLayout rows = openTree();
        return rows == null ? view(Views.transpose(layout())) : view(RaggedViews.transpose(rows));
    }

    @Override
    public D permute(int... axes) {
        Objects.requireNonNull(axes, "axes");
        RaggedLayout rows = openTree();
        return rows == null ? view(Views.permute(layout(), axes)) : view(RaggedViews.permute(rows, axes));
    }

    @Override
    public D broadcastTo(long... shape) {
        Objects.requireNonNull(shape, "shape");
        RaggedLayout rows = openTree();
        return rows == null ? view(Views.broadcastTo(layout(), shape)) : view(RaggedViews.broadcastTo(rows, shape));
    }

    @Override
    public D reshape(long... shape) {
        Objects.requireNonNull(shape, "shape");
        RaggedLayout rows = openTree();
        return rows == null ? view(Reshape.reshape(layout(), shape)) : view(RaggedViews.reshape(rows, shape));
    }

    @Override
    public D flatten() {
        RaggedLayout rows = openTree();
        return rows == null ? view(Reshape.flatten(layout())) : view(RaggedViews.flatten(rows, 0, -1));
    }

    @Override
    public D flatten(int first, int last) {
        RaggedLayout rows = openTree();
        return rows == null ? view(Reshape.flatten(layout(), first, last)) : view(RaggedViews.flatten(rows, first, last));
    }

    @Override
    public D unflatten(int axis, long... sizes) {
        Objects.requireNonNull(sizes, "sizes");
        RaggedLayout rows = openTree();
        return rows == null ? view(Reshape.unflatten(layout(), axis, sizes)) : view(RaggedViews.unflatten(rows, axis, sizes));
    }

    @Override
    public D expandDims(int axis) {
        RaggedLayout rows = openTree();
        return rows == null ? view(Views.expandDims(layout(), axis)) : view(RaggedViews.expandDims(rows, axis));
    }

    @Override
    public D squeeze(int... axes) {
        Objects.requireNonNull(axes, "axes");
        RaggedLayout rows = openTree();
        return rows == null ? view(Views.squeeze(layout(), axes)) : view(RaggedViews.squeeze(rows, axes));
    }

    @Override
    public D diagonal(int axis1, int axis2) {
        RaggedLayout rows = openTree();
        return rows == null ? view(Views.diagonal(layout(), axis1, axis2)) : view(RaggedViews.diagonal(rows, axis1, axis2));
    }

    @Override
    public D flip(int... axes) {
        Objects.requireNonNull(axes, "axes");
        RaggedLayout rows = openTree();
        return rows == null ? view(Views.flip(layout(), axes)) : view(RaggedViews.flip(rows, axes));
    }

    @Override
    public D slidingWindow(int axis, long size, long step) {
        RaggedLayout rows = openTree();
        if (rows != null) {
            throw RaggedViews.refused("slidingWindow", rows.shape());
        }
        return view(Views.slidingWindow(layout(), axis, size, step));
    }

    // ---- In bulk -----------------------------------------------------------------------------------------------------

    /** Copies all elements to an array, starting at {@code at}; they fit. */
    abstract void readAll(A to, int at);

    /** Writes the first {@code n} elements, which exist, from an array, starting at {@code at}. */
    abstract void writeFirst(int n, A from, int at);

    /** Whether copies should go row by row along the first axis, since rows have a class with fast bulk copies. */
    boolean isCopiedByRows() {
        RaggedLayout rows = tree();
        return rows != null && rows.shape()[0] <= Integer.MAX_VALUE;
    }

    /** Whether there are bulk reads and writes, by a loop at least, so that copies should use a staging array. */
    boolean isCopiedAtOnce() {
        return false;
    }

    /**
     * Checks that the first {@code count} elements can be stored: sparse data has a capacity.
     *
     * @throws IllegalStateException if it is exceeded
     */
    void checkCapacity(long count) {
        source().checkCapacity(layout(), count);
    }

    /**
     * Checks that all elements exist, before the first is copied: a growing row may have been shortened.
     *
     * @throws IndexOutOfBoundsException if one does not exist
     */
    void checkReadable() {
        source().checkReadable(layout());
    }

    /** The name of the selection at the indices of a bulk call, for messages. */
    final String name(int... indices) {
        return SelectionText.name(this, indices);
    }

    /** The selection at the indices of a bulk call. Slices of this data are the library's own, too. */
    final OwnData<D, A> selection(int... indices) {
        return own(Selection.of(self(), indices));
    }

    /** Copies a selection to an array, or throws. */
    final void getArray(A array, int... indices) {
        Objects.requireNonNull(array, "array");
        Objects.requireNonNull(indices, "indices");
        checkOpen();
        OwnData<D, A> from = selection(indices);
        int capacity = carrier().length(array);
        if (from.totalSize() > capacity) {
            throw new IndexOutOfBoundsException(name(indices) + " has " + Shapes.elements(from.totalSize()) + ", the array has room for " + capacity);
        }
        from.checkReadable();
        from.readTo(array, 0);
    }

    /** {@link #readAll} for any array, including one that holds the elements. */
    final void readTo(A to, int at) {
        if (source().mayShare(to)) {
            A between = carrier().array((int) totalSize());
            readAll(between, 0);
            System.arraycopy(between, 0, to, at, carrier().length(between));
        } else {
            readAll(to, at);
        }
    }

    /** Copies an array to the start of a selection, or throws. */
    final void putArray(A array, int... indices) {
        Objects.requireNonNull(array, "array");
        Objects.requireNonNull(indices, "indices");
        checkWritable();
        int n = carrier().length(array);
        toWrite(n, indices).writeFrom(n, array, 0);
    }

    /** {@link #writeFirst} for any array, including one that holds the elements. */
    final void writeFrom(int n, A from, int at) {
        if (source().mayShare(from)) {
            A between = carrier().array(n);
            System.arraycopy(from, at, between, 0, n);
            writeFirst(n, between, 0);
        } else {
            writeFirst(n, from, at);
        }
    }

    /** The selection to whose start {@code given} elements are to be written; checks that they fit. */
    final OwnData<D, A> toWrite(int given, int... indices) {
        OwnData<D, A> to = selection(indices);
        if (given > to.totalSize()) {
            throw new IndexOutOfBoundsException(Shapes.elements(given) + " for " + name(indices) + ", which has " + to.totalSize());
        }
        to.checkCapacity(given);
        return to;
    }

    /** Copies a selection to data, or throws. */
    final void getData(D tensor, int... indices) {
        Objects.requireNonNull(tensor, "tensor");
        Objects.requireNonNull(indices, "indices");
        checkOpen();
        Copies.checkWritable(carrier(), tensor);
        carrier().copy(slice(indices), tensor, self(), true, indices);
    }

    /** Copies data to a selection, or throws. */
    void putData(D tensor, int... indices) {
        Objects.requireNonNull(tensor, "tensor");
        Objects.requireNonNull(indices, "indices");
        checkOpen();
        OpenCheck.check(tensor);
        checkWritable();
        carrier().copy(tensor, slice(indices), self(), false, indices);
    }

    // ---- As a whole --------------------------------------------------------------------------------------------------

    @Override
    public final boolean equals(Object other) {
        return Equality.equal(carrier(), self(), other);
    }

    @Override
    public final int hashCode() {
        return Equality.hash(carrier(), self());
    }

    @Override
    public final String toString() {
        return toString(TensorFormat.DEFAULT);
    }
}
