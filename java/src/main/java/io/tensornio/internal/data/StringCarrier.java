package io.tensornio.internal.data;

import io.tensornio.AbstractStringTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.element.Source;
import io.tensornio.internal.element.StringArray;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.ragged.RaggedLayout;
import io.tensornio.internal.ragged.RaggedParts;
import io.tensornio.internal.ragged.RaggedShapes;
import io.tensornio.internal.ragged.RowArena;
import io.tensornio.internal.sparse.Sparse;
import io.tensornio.internal.string.StringBlock;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;

/** The carrier {@code String}. */
public final class StringCarrier extends Carrier<StringTensorData, String[]> {
    /** The one instance. */
    public static final StringCarrier STRING = new StringCarrier();

    private StringCarrier() {
        super(StringElement.TYPE, StringElement.BYTES, String.class, String.class);
    }

    @Override
    String[] array(int n) {
        return new String[n];
    }

    @Override
    int length(String[] array) {
        return array.length;
    }

    // ---- Data --------------------------------------------------------------------------------------------------------

    @Override
    boolean isData(Object object) {
        return object instanceof StringTensorData;
    }

    @Override
    StringData view(Source source, Layout layout) {
        return StringView.data((StringSource) source, layout);
    }

    @Override
    StringData ragged(Source source, RaggedLayout layout) {
        return new StringRagged((StringSource) source, layout);
    }

    @Override
    StringData growing(RowArena arena, int depth, int node) {
        return new StringRaggedBuilder((StringRowArena) arena, depth, node);
    }

    @Override
    boolean isUsers(StringTensorData data) {
        return data instanceof AbstractStringTensorData;
    }

    @Override
    void copy(StringTensorData from, StringTensorData to, StringTensorData named, boolean isRead, int... indices) {
        StringCopies.copy(from, to, named, isRead, indices);
    }

    @Override
    void copyDisjoint(StringTensorData from, StringTensorData to) {
        StringCopies.copy(from, to);
    }

    @Override
    Block share(StringTensorData data, long... shape) {
        return StringCopies.share(data, shape);
    }

    // ---- Comparison --------------------------------------------------------------------------------------------------

    /** Compares elements that are no text, too. */
    @Override
    boolean equalEach(StringTensorData one, StringTensorData other) {
        StringTensorIterator a = Copies.present(one.scalars());
        StringTensorIterator b = Copies.present(other.scalars());
        while (a.hasMoreElements()) {
            if (!StringElement.equal(StringElement.next(a), StringElement.next(b))) {
                return false;
            }
        }
        return true;
    }

    @Override
    boolean equalArrays(String[] one, String[] other) {
        return Arrays.equals(one, other);
    }

    @Override
    int hashEach(StringTensorData data, int before) {
        int hash = before;
        StringTensorIterator scalars = Copies.present(data.scalars());
        while (scalars.hasMoreElements()) {
            hash = 31 * hash + StringElement.hash(StringElement.next(scalars));
        }
        return hash;
    }

    /** The bytes of an entry; not to be changed. */
    static byte[] bytes(SparseEntries entries) {
        return ((StringSource) entries.source()).readBytes(entries.at());
    }

    @Override
    boolean isStored(Source source, long at) {
        return ((StringSource) source).readBytes(at).length > 0;
    }

    @Override
    boolean equalAt(Source one, long at, Source other, long otherAt) {
        return Arrays.equals(((StringSource) one).readBytes(at), ((StringSource) other).readBytes(otherAt));
    }

    @Override
    int hashAt(Source source, long at) {
        return StringElement.hash(StringElement.any(((StringSource) source).readBytes(at)));
    }

    @Override
    int hashOfZero() {
        return StringElement.hash(StringElement.ZERO);
    }

    // ---- Rows --------------------------------------------------------------------------------------------------------

    @Override
    StringRowArena arena(long... shape) {
        return new StringRowArena(shape);
    }

    @Override
    void set(RowArena arena, StringTensorData data, long... lengths) {
        ((StringRowArena) arena).set(data, lengths);
    }

    /** The parts of a ragged tensor of the rows of dense data of rank 2 at least, without the padding at their ends; 0.0 and -0.0 are equal. */
    public RaggedParts ofDense(StringTensorData data, String padding) {
        return RaggedTensors.grow(this, RaggedTensors.raggedShape(this, data), arena -> ((StringRowArena) arena).setTrimmed(data, padding));
    }

    /** A dense tensor of ragged data, in which each ragged axis is as long as its longest row, with padding behind the others. */
    public <T> Tensor<T> toDense(StringTensorData data, String padding) {
        String value = StringElement.checkPadding(padding);
        return dense(RaggedTensors.denseShape(data, false), copy -> {
            if (!StringElement.equal(value, StringElement.ZERO) && data.totalSize() < copy.totalSize()) {
                copy.scalars().onEach(() -> value);
            }
            RaggedTensors.fill(copy, data);
        });
    }

    // ---- Sparse elements ---------------------------------------------------------------------------------------------

    @Override
    public Sparse sparse(LongTensorData indices, StringTensorData values, long... denseShape) {
        return StringSparseTensors.of(indices, values, denseShape);
    }

    @Override
    public Sparse sparse(StringTensorData data) {
        return StringSparseTensors.of(data);
    }

    // ---- Complex views -----------------------------------------------------------------------------------------------

    @Override
    Object zero() {
        return StringElement.ZERO;
    }

    @Override
    StringMade made(Assembly assembly, Object fill, long[] shape, Source[] sources, TensorData<?>... parts) {
        return new StringMade(assembly, (String) fill, shape, sources, parts);
    }

    @Override
    public StringSparseBuilder sparseBuilder(long[] shape, int numValues) {
        return new StringSparseBuilder(shape, numValues);
    }

    // ---- Tensors -----------------------------------------------------------------------------------------------------

    @Override
    public <T> Tensor<T> dense(long[] shape, Consumer<? super StringTensorData> init) {
        Objects.requireNonNull(init, "init");
        return fill(init, StringTensorBuilder.of(shape));
    }

    /** A dense tensor of strings of a fixed length, which a caller fills. */
    public Tensor<String> dense(long[] shape, int elementLength, int padding, Consumer<? super StringTensorData> init) {
        Objects.requireNonNull(init, "init");
        return fill(init, StringTensorBuilder.of(shape, elementLength, padding));
    }

    private static <T> Tensor<T> fill(Consumer<? super StringTensorData> init, StringTensorBuilder filling) {
        try {
            init.accept(filling.data());
            StringBlock block = filling.finish();
            try {
                return publish(block, StringView.of(block, block.shape()));
            } catch (Throwable e) {
                block.close();
                throw e;
            }
        } catch (Throwable e) {
            filling.close();
            throw e;
        }
    }

    @Override
    public <T> Tensor<T> create(StringTensorData data) {
        OpenCheck.check(Objects.requireNonNull(data, "data"));
        if (RaggedShapes.isRagged(data.shape())) {
            return dense(RaggedTensors.denseShape(data, true), copy -> RaggedTensors.fill(copy, data));
        }
        long[] shape = data.shape();
        Shapes.checkDense(shape, type, bytes);
        return dense(shape, copy -> StringTensorBuilder.fill(copy, data));
    }

    @Override
    public <T> Tensor<T> ofNested(Object nested) {
        long[] shape = FromNested.shape(this, nested);
        try {
            return dense(shape, data -> FromNested.fill(this, data, nested));
        } catch (OutOfMemoryError e) {
            FromNested.check(this, nested, shape);
            throw e;
        }
    }

    @Override
    public RaggedParts raggedOfNested(Object nested) {
        return StringRaggedNested.of(nested);
    }

    @Override
    String[] asArray(Object array) {
        return (String[]) array;
    }

    @Override
    void putOne(StringTensorData data, Object value, int... indices) {
        data.put((String) value, indices);
    }

    @Override
    void put(StringTensorData data, String[] array) {
        data.copyFrom(array);
    }

    @Override
    void set(StringTensorData growing, String[] array, int empty, int... indices) {
        ((StringRaggedBuilder) growing).set(array, array.length, empty, indices);
    }

    @Override
    void checkRows(Object nested, long... shape) {
        StringNestedWalk.check(nested, shape);
    }

    @Override
    void copyRows(Object nested, StringTensorData to, long... shape) {
        StringNestedWalk.copy(nested, to, shape);
    }

    @Override
    void copyRows(Object nested, String[] to, long... shape) {
        StringNestedWalk.copy(nested, to, shape);
    }

    @Override
    void get(StringTensorData data, String[] array) {
        data.get(array, new int[0]);
    }

    @Override
    Object one(StringTensorData data) {
        return data.get();
    }

    // ---- Streams of bytes --------------------------------------------------------------------------------------------

    @Override
    public void read(StringTensorData data, OutputStream out) {
        StringEncoding.read(data, out);
    }

    @Override
    public void write(StringTensorData data, InputStream in) {
        StringEncoding.write(data, in);
    }

    // ---- Over arrays of users ----------------------------------------------------------------------------------------

    /**
     * Data over an array.
     *
     * @param values the elements
     * @param shape the sizes
     * @return the data
     * @throws IllegalArgumentException if the array's length is not the number of elements of the shape, or a size is negative
     */
    public StringTensorData of(String[] values, long... shape) {
        Objects.requireNonNull(values, "values");
        return over(values, 0, check(values.length, "the array has ", "", shape));
    }

    /**
     * Data of rank 1 over an array.
     *
     * @param values the elements
     * @return the data
     */
    public StringTensorData of(String[] values) {
        return of(values, Objects.requireNonNull(values, "values").length);
    }

    private static long[] check(int given, String what, String unlessScalar, long... shape) {
        long[] own = Shapes.check(shape, StringElement.BYTES);
        if (Shapes.product(own) != given) {
            throw new IllegalArgumentException("the shape " + Arrays.toString(own) + " has " + Shapes.elements(Shapes.product(own)) + ", " + what
                + given + (own.length == 0 ? unlessScalar : ""));
        }
        return own;
    }

    private static StringTensorData over(String[] values, int from, long... shape) {
        StringArray array = new StringArray(values, from, shape);
        return StringView.of(array, array.layout());
    }
}
