package io.tensornio.internal.data;

import io.tensornio.AbstractFloatTensorData;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.element.FloatArray;
import io.tensornio.internal.element.FloatBlock;
//#if buffer
import io.tensornio.internal.element.FloatBulk;
//#end
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.element.FloatOtherBuffer;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.element.FloatWindows;
import io.tensornio.internal.element.LongBlock;
import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
//~int import io.tensornio.internal.layout.TensorIndexOutOfBoundsException;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Storage;
import io.tensornio.internal.ragged.RaggedLayout;
import io.tensornio.internal.ragged.RaggedParts;
import io.tensornio.internal.ragged.RowArena;
import io.tensornio.internal.sparse.Sparse;
import java.nio.Buffer;
//#if float double int long
import java.nio.ByteBuffer;
//#end
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Objects;

/** The carrier {@code float}. */
public class FloatCarrier extends PrimitiveCarrier<FloatTensorData, float[]> {
    //~boolean /** From here on, a row is copied faster by a native call. */
    //~boolean private static final int LONG_ROW = 256;
    /** The class of the library's own buffers. */
    private static final Class<?> DIRECT = FloatElement.view(ByteBuffer.allocateDirect(0).order(ByteOrder.nativeOrder())).getClass();
    /** The type that is stored as the carrier itself. */
    public static final FloatCarrier FLOAT = new FloatCarrier();

    FloatCarrier() {
        this(FloatElement.TYPE, FloatElement.BYTES);
    }

    /** That of a type which {@code float} carries. */
    FloatCarrier(DataType type, int bytes) {
        super(type, bytes, float.class, Float.class, FloatElement.IS_FLOATING);
    }

    @Override
    public final FloatCarrier of(DataType type) {
        //#if float int long
        return type == FloatElement.TYPE ? FLOAT : FloatNarrowCarrier.narrow(type);
        //#end
        //~double,boolean,byte return this;
    }

    /**
     * Checks that elements hold values.
     *
     * @throws IllegalArgumentException if they do not
     */
    void checkRange(float[] values, int at, int n) {
        // Those that are stored as the carrier itself hold all.
    }

    @Override
    final float[] array(int n) {
        return new float[n];
    }

    @Override
    final int length(float[] array) {
        return array.length;
    }

    // ---- Data --------------------------------------------------------------------------------------------------------

    @Override
    final boolean isData(Object object) {
        return object instanceof FloatTensorData;
    }

    @Override
    final FloatData view(Source source, Layout layout) {
        return FloatView.data((FloatSource) source, layout);
    }

    @Override
    final FloatData ragged(Source source, RaggedLayout layout) {
        return new FloatRagged((FloatSource) source, layout);
    }

    @Override
    final FloatData growing(RowArena arena, int depth, int node) {
        return new FloatRaggedBuilder((FloatRowArena) arena, depth, node);
    }

    //~int @Override
    //~int final IndexOutOfBoundsException outside(long[] shape, int... indices) {
    //~int     return new TensorIndexOutOfBoundsException(shape, indices).orElements();
    //~int }

    @Override
    final boolean isUsers(FloatTensorData data) {
        return data instanceof AbstractFloatTensorData;
    }

    // ---- Storage -----------------------------------------------------------------------------------------------------

    @Override
    Block allocate(long[] shape, boolean zeroed) {
        return FloatWindows.allocate(shape, zeroed);
    }

    @Override
    Block over(Storage storage, long... shape) {
        return FloatWindows.over(storage, shape);
    }

    @Override
    Block zeroed(int n) {
        return new FloatBlock(new long[] {n});
    }

    @Override
    Block uncleared(long... shape) {
        return FloatBlock.uncleared(shape);
    }

    @Override
    FloatData whole(Block block) {
        return (FloatData) FloatView.of(block);
    }

    @Override
    Buffer buffer(Block block, boolean write) {
        if (block instanceof FloatWindows) {
            return ((FloatWindows) block).first(write);
        }
        return write ? ((FloatBlock) block).writable() : ((FloatBlock) block).readable();
    }

    @Override
    Buffer window(Block block, int start, long n) {
        return window(((FloatBlock) block).readable(), start, n).slice();
    }

    @Override
    Block sharing(Block block, long... shape) {
        return new FloatBlock((FloatBlock) block, shape);
    }

    @Override
    Sparse sparse(long[] shape, LongBlock indices, Block values) {
        return new FloatSparse(shape, indices, values);
    }

    // ---- Copies ------------------------------------------------------------------------------------------------------

    @Override
    final void copy(FloatTensorData from, FloatTensorData to, FloatTensorData named, boolean isRead, int... indices) {
        if (from instanceof FloatStrided && to instanceof FloatStrided
            && ((FloatStrided) from).isDenseLike((FloatStrided) to) && areDisjoint((FloatStrided) from, (FloatStrided) to)) {
            copyRun((FloatStrided) from, (FloatStrided) to);        // at once, since such copies may be of few elements
        } else {
            Copies.copy(this, from, to, named, isRead, indices);
        }
    }

    private static boolean areDisjoint(FloatStrided one, FloatStrided other) {
        Object memory = one.block.memory();
        Object second = other.block.memory();
        return memory != null && second != null && memory != second || Copies.areDisjoint(one, other);
    }

    @Override
    final void copyDisjoint(FloatTensorData from, FloatTensorData to) {
        Copies.copyDisjoint(this, from, to);
    }

    @Override
    void copyRun(OwnData<FloatTensorData, float[]> from, OwnData<FloatTensorData, float[]> to) {
        FloatStrided source = (FloatStrided) from;
        FloatStrided target = (FloatStrided) to;
        long n = source.totalSize();
        window(target.block.writable(), target.offset(), n).put(window(source.block.readable(), source.offset(), n));
    }

    @Override
    final Source spread(Object value) {
        return new FloatArray(new float[] {(Float) value}, 0, new long[0]);
    }

    @Override
    final Source over(float[] array) {
        return new FloatArray(array, 0, new long[] {array.length});
    }

    @Override
    void copyEntries(Sparse from, Layout layout, OwnData<FloatTensorData, float[]> to) {
        FloatStrided target = (FloatStrided) to;
        ((FloatSparse) from).readAll(layout, target.block, target.block.writable(), target.offset());
    }

    //#if buffer
    /** Whether data is a run in a user's buffer whose class differs from the library's own. */
    private static boolean isRunOfOther(FloatTensorData data) {
        return data instanceof FloatView && ((FloatView) data).source() instanceof FloatOtherBuffer && data.isContiguous();
    }

    private static boolean isRun(FloatTensorData data) {
        return data instanceof FloatStrided && data.isContiguous();
    }
    //#end

    @Override
    final boolean copyRunOfOther(FloatTensorData from, FloatTensorData to) {
        //#if buffer
        int n = (int) from.totalSize();
        if (isRun(to) && isRunOfOther(from)) {
            FloatStrided target = (FloatStrided) to;
            FloatBufferCopies.readByChunks((FloatData) from, n, window(target.block.writable(), target.offset(), n));
            return true;
        }
        if (isRun(from) && isRunOfOther(to)) {
            FloatStrided source = (FloatStrided) from;
            FloatBufferCopies.writeByChunks((FloatData) to, n, window(source.block.readable(), source.offset(), n));
            return true;
        }
        //#end
        return false;
    }

    @Override
    final boolean copyToOther(FloatTensorData from, FloatTensorData to) {
        //#if buffer
        if (from instanceof FloatData && isRunOfOther(to)) {
            int n = (int) to.totalSize();
            FloatBuffer buffer = ((FloatOtherBuffer) ((FloatView) to).source()).buffer;
            FloatBufferCopies.readByChunks((FloatData) from, n, window(buffer, (int) ((FloatView) to).layout().offset(), n));
            return true;
        }
        //#end
        return false;
    }

    @Override
    final void copyEach(FloatTensorData from, FloatTensorData to) {
        FloatTensorIterator source = Copies.present(from.scalars());
        FloatTensorIterator target = Copies.present(to.scalars());
        while (target.hasMoreElements()) {
            target.put(source.get());
        }
    }

    @Override
    void copy(Block from, int at, Block to, int toAt, int n) {
        FloatBuffer source = ((FloatBlock) from).readable();
        FloatBuffer target = ((FloatBlock) to).writable();
        window(target, toAt, n).put(window(source, at, n));
    }

    //~boolean @Override
    //~boolean boolean readsRows(long length) {
    //~boolean     return length < LONG_ROW;
    //~boolean }
    //#if buffer
    @Override
    boolean readsRows(long length) {
        return true;
    }
    //#end

    @Override
    Buffer start(OwnData<FloatTensorData, float[]> run) {
        return start(((FloatStrided) run).block.readable(), (FloatStrided) run);
    }

    @Override
    void readRow(Buffer from, float[] row) {
        //#if buffer
        ((FloatBuffer) from).get(row);
        //#end
        //~boolean int start = from.position();
        //~boolean for (int i = 0; i < row.length; i++) {
        //~boolean     row[i] = BooleanElement.read((ByteBuffer) from, start + i);
        //~boolean }
        //~boolean from.position(start + row.length);
    }

    /** A new buffer, positioned at the first element of contiguous data. */
    static FloatBuffer start(FloatBuffer all, FloatStrided data) {
        FloatBuffer own = all.duplicate();
        if (data.totalSize() > 0) {         // empty data may have any offset
            own.position(data.offset());
        }
        return own;
    }

    /** A buffer over {@code n} elements starting at {@code start}. */
    static FloatBuffer window(FloatBuffer buffer, int start, long n) {
        FloatBuffer window = buffer.duplicate();
        if (n > 0) {            // an empty selection may have any offset
            window.limit(start + (int) n);
            window.position(start);
        } else {
            window.limit(0);
        }
        return window;
    }

    // ---- Comparison --------------------------------------------------------------------------------------------------

    @Override
    final boolean equalEach(FloatTensorData one, FloatTensorData other) {
        FloatTensorIterator a = Copies.present(one.scalars());
        FloatTensorIterator b = Copies.present(other.scalars());
        while (a.hasMoreElements()) {
            if (!FloatElement.equal(a.get(), b.get())) {
                return false;
            }
        }
        return true;
    }

    @Override
    final boolean equalArrays(float[] one, float[] other) {
        return Arrays.equals(one, other);           // has the same definition of equal as FloatElement.equal
    }

    @Override
    final int hashEach(FloatTensorData data, int before) {
        int[] sum = {before};
        if (FloatSpliterator.forEach(data, value -> sum[0] = 31 * sum[0] + FloatElement.hash(value))) {
            return sum[0];
        }
        int hash = before;
        FloatTensorIterator scalars = Copies.present(data.scalars());
        while (scalars.hasMoreElements()) {
            hash = 31 * hash + FloatElement.hash(scalars.get());
        }
        return hash;
    }

    @Override
    final boolean isStored(Source source, long at) {
        return !FloatElement.equal(((FloatSource) source).read(at), FloatElement.ZERO);
    }

    @Override
    final boolean equalAt(Source one, long at, Source other, long otherAt) {
        return FloatElement.equal(((FloatSource) one).read(at), ((FloatSource) other).read(otherAt));
    }

    @Override
    final int hashAt(Source source, long at) {
        return FloatElement.hash(((FloatSource) source).read(at));
    }

    @Override
    final int hashOfZero() {
        return FloatElement.hash(FloatElement.ZERO);
    }

    // ---- Rows --------------------------------------------------------------------------------------------------------

    @Override
    FloatRowArena arena(long... shape) {
        return new FloatRowArena(this, shape);
    }

    @Override
    void set(RowArena arena, FloatTensorData data, long... lengths) {
        ((FloatRowArena) arena).set(data, lengths);
    }

    /** The parts of a ragged tensor of the rows of dense data of rank 2 at least, without the padding at their ends; 0.0 and -0.0 are equal. */
    public RaggedParts ofDense(FloatTensorData data, float padding) {
        FloatCarrier own = of(data.dataType());
        return RaggedTensors.grow(own, RaggedTensors.raggedShape(own, data), arena -> ((FloatRowArena) arena).setTrimmed(data, padding));
    }

    /** A dense tensor of ragged data, in which each ragged axis is as long as its longest row, with padding behind the others. */
    public <T> Tensor<T> toDense(FloatTensorData data, float padding) {
        return dense(RaggedTensors.denseShape(data, false), copy -> {
            if (!FloatElement.equal(padding, FloatElement.ZERO) && data.totalSize() < copy.totalSize()) {
                copy.scalars().onEach(() -> padding);
            }
            RaggedTensors.fill(copy, data);
        });
    }

    // ---- Sparse elements ---------------------------------------------------------------------------------------------

    @Override
    final boolean isZero(Source source, long at) {
        return FloatElement.isZero(((FloatSource) source).read(at));
    }

    @Override
    final void copyOne(Source from, long at, Source to, long toAt) {
        ((FloatSource) to).write(((FloatSource) from).read(at), toAt);
    }

    // ---- Complex views -----------------------------------------------------------------------------------------------

    @Override
    final Object zero() {
        return FloatElement.ZERO;
    }

    @Override
    final FloatMade made(Assembly assembly, Object fill, long[] shape, Source[] sources, TensorData<?>... parts) {
        return new FloatMade(type, assembly, (Float) fill, shape, sources, parts);
    }

    @Override
    public FloatSparseBuilder sparseBuilder(long[] shape, int numValues) {
        return new FloatSparseBuilder(this, shape, numValues);
    }

    // ---- Nested arrays -----------------------------------------------------------------------------------------------

    @Override
    final float[] asArray(Object array) {
        return (float[]) array;
    }

    @Override
    final void putOne(FloatTensorData data, Object value, int... indices) {
        float element = (Float) value;
        data.put(element, indices);
    }

    @Override
    final void put(FloatTensorData data, float[] array) {
        data.copyFrom(array);
    }

    @Override
    final void set(FloatTensorData growing, float[] array, int empty, int... indices) {
        ((FloatRaggedBuilder) growing).set(array, array.length, empty, indices);
    }

    @Override
    final void checkRows(Object nested, long... shape) {
        FloatNestedWalk.check(nested, shape);
    }

    @Override
    final void copyRows(Object nested, FloatTensorData to, long... shape) {
        FloatNestedWalk.copy(nested, to, shape);
    }

    @Override
    final void copyRows(Object nested, float[] to, long... shape) {
        FloatNestedWalk.copy(nested, to, shape);
    }

    @Override
    void put(Block block, int at, float[] from) {
        //#if buffer
        FloatBulk.put(((FloatBlock) block).wr, at, from, 0, from.length);
        //#end
        //~boolean ByteBuffer to = ((BooleanBlock) block).wr;
        //~boolean for (int i = 0; i < from.length; i++) {
        //~boolean     BooleanElement.write(to, at + i, from[i]);
        //~boolean }
    }

    @Override
    final void get(FloatTensorData data, float[] array) {
        data.get(array, new int[0]);
    }

    @Override
    final Object one(FloatTensorData data) {
        return data.get();
    }

    // ---- Streams of bytes --------------------------------------------------------------------------------------------

    //~byte @Override
    //~byte byte[] bytes(byte[] elements) {
    //~byte     return elements;           // which need no encoding
    //~byte }

    @Override
    void encode(float[] elements, int n, byte[] to) {
        //#if float double int long
        ByteBuffer.wrap(to).asFloatBuffer().put(elements, 0, n);
        //#end
        //~boolean for (int i = 0; i < n; i++) {
        //~boolean     to[i] = (byte) (elements[i] ? 1 : 0);
        //~boolean }
    }

    @Override
    void decode(byte[] from, float[] elements, int n) {
        //#if float double int long
        ByteBuffer.wrap(from).asFloatBuffer().get(elements, 0, n);
        //#end
        //~boolean for (int i = 0; i < n; i++) {
        //~boolean     elements[i] = from[i] != 0;
        //~boolean }
    }

    @Override
    final void put(FloatTensorData data, float[] elements, int n, boolean isEach) {
        if (isEach) {
            FloatArrayCopies.writeEach(data, n, elements, 0);
            return;
        }
        //#if buffer
        data.put(FloatBuffer.wrap(elements, 0, n), new int[0]);
        //#end
        //~boolean data.put(n == elements.length ? elements : Arrays.copyOf(elements, n), new int[0]);
    }

    // ---- Over arrays and buffers of users ----------------------------------------------------------------------------

    /**
     * Data over an array.
     *
     * @param values the elements
     * @param shape the sizes
     * @return the data
     * @throws IllegalArgumentException if the array's length is not the number of elements of the shape, or a size is negative
     */
    public final FloatTensorData of(float[] values, long... shape) {
        Objects.requireNonNull(values, "values");
        return over(values, 0, check(values.length, "the array has ", "", shape));
    }

    /**
     * Data of rank 1 over an array.
     *
     * @param values the elements
     * @return the data
     */
    public final FloatTensorData of(float[] values) {
        return of(values, Objects.requireNonNull(values, "values").length);
    }

    static long[] check(int given, String what, String unlessScalar, long... shape) {
        long[] own = Shapes.check(shape, FloatElement.BYTES);
        if (Shapes.product(own) != given) {
            throw new IllegalArgumentException("the shape " + Arrays.toString(own) + " has " + Shapes.elements(Shapes.product(own)) + ", " + what
                + given + (own.length == 0 ? unlessScalar : ""));
        }
        return own;
    }

    private static FloatTensorData over(float[] values, int from, long... shape) {
        FloatArray array = new FloatArray(values, from, shape);
        return FloatView.of(array, array.layout());
    }

    /**
     * Data over a buffer.
     *
     * @param buffer the elements
     * @param shape the sizes
     * @return the data
     * @throws IllegalArgumentException if the number of remaining elements is not that of the shape, or a size is negative
     */
    public final FloatTensorData of(FloatBuffer buffer, long... shape) {
        Objects.requireNonNull(buffer, "buffer");
        FloatBuffer own = buffer.slice();
        //~boolean,byte own.order(buffer.order());
        long[] sizes = check(own.remaining(), "the buffer has ", ": for a vector, pass buffer.remaining() as the shape", shape);
        //#if buffer
        if (own.hasArray()) {
            return over(own.array(), own.arrayOffset(), sizes);
        }
        //#end
        // On a JDK the class determines the byte order; Android has one class for all views of bytes.
        boolean isNativeOrder = FloatElement.BYTES == 1 || own.order() == ByteOrder.nativeOrder();
        if (own.getClass() == DIRECT && own.isDirect() && !own.isReadOnly() && isNativeOrder) {
            return FloatStrided.of(new FloatBlock(own, sizes));
        }
        return FloatView.of(new FloatOtherBuffer(own, sizes), sizes);
    }

    //#if float int long
    /**
     * Data of elements that are stored narrow, over a buffer.
     *
     * @param type a type that {@code float} carries
     * @param buffer the elements as they are stored, which nobody else moves: from its position to its limit
     * @param shape the sizes; none for a vector
     * @return the data
     * @throws IllegalArgumentException if the number of remaining elements is not that of the shape, or a size is negative
     */
    public static FloatTensorData given(DataType type, Buffer buffer, long... shape) {
        return ((FloatNarrowCarrier) FLOAT.of(type)).given(buffer, shape);
    }

    /**
     * The carrier of a type that a caller names.
     *
     * @param type the type
     * @return that of the type
     * @throws IllegalArgumentException if {@code float} does not carry it
     */
    public static FloatCarrier carrying(DataType type) {
        if (AnyData.carrierType(Objects.requireNonNull(type, "type")) != FloatElement.TYPE) {
            throw new IllegalArgumentException("elements of type " + type + " are not read and written as float");
        }
        return FLOAT.of(type);
    }
    //#end
}
