package io.tensornio.internal.data;

import io.tensornio.LongTensorData;
import io.tensornio.TensorData;
import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Positions;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.ragged.RaggedLayout;
import io.tensornio.internal.ragged.RaggedParts;
import io.tensornio.internal.ragged.RaggedShapes;
import io.tensornio.internal.ragged.RowArena;
import io.tensornio.internal.ragged.RowSplitsCheck;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;

/** Makes ragged tensors, and dense copies of them. */
public final class RaggedTensors {
    private RaggedTensors() {
    }

    /**
     * Fills a ragged tensor.
     *
     * @param carrier that of the elements
     * @param shape the sizes, -1 for ragged axes
     * @param init writes the elements
     * @return the parts, published
     */
    public static <D extends TensorData<D>, A> RaggedParts fill(Carrier<D, A> carrier, long[] shape, Consumer<? super D> init) {
        return grow(carrier, RaggedShapes.check(shape, carrier.bytes), arena -> init.accept(carrier.growing(arena, 0, 0).self()));
    }

    static RaggedParts grow(Carrier<?, ?> carrier, long[] shape, Consumer<RowArena> init) {
        RowArena arena = carrier.arena(shape);
        try {
            init.accept(arena);
            return parts(carrier, arena, arena.publish());
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    private static RaggedParts parts(Carrier<?, ?> carrier, RowArena arena, Block values) {
        long[][] splits = arena.tree.splits();
        long[] ends = splits[arena.tree.last];
        if (ends[ends.length - 1] != values.shape()[0]) {
            throw new IllegalStateException("a thread writes rows of the ragged tensor of shape " + Arrays.toString(arena.tree.shape)
                + " that is being published: no write may go on when init returns");
        }
        return parts(carrier, arena.tree.shape, values, splits);
    }

    /** Assembles the parts; takes ownership of the values, which it closes if it fails. */
    static RaggedParts parts(Carrier<?, ?> carrier, long[] shape, Block values, long[]... splits) {
        values.name(shape);
        RaggedParts parts = new RaggedParts(shape, values, carrier.view((Source) values, Layout.rowMajor(values.shape())));
        try {
            parts.addSplits(splits);
            parts.whole = carrier.view((Source) values, RaggedLayout.whole(shape, parts.rowSplits()));
            values.publish();
            return parts;
        } catch (Throwable e) {
            parts.close();
            throw e;
        }
    }

    /**
     * Makes a ragged tensor from values and row splits. If the values are the whole of a published tensor, their memory
     * is shared, else they are copied.
     *
     * @param any a carrier of their class
     * @param values the flat values of all rows
     * @param splits for each ragged axis its row splits, outermost first
     * @return the parts, published
     * @throws IllegalArgumentException if splits do not begin with 0, decrease, or do not end with the length of what they split
     */
    public static <D extends TensorData<D>, A> RaggedParts ofSplits(Carrier<D, A> any, D values, long[]... splits) {
        Carrier<D, A> carrier = any.of(Objects.requireNonNull(values, "values").dataType());
        RowSplitsCheck.notNull("splits", splits);
        long[] sizes = check(carrier, values, "values", 1);
        long[][] own = RowSplitsCheck.copy(splits, sizes[0]);
        long[] shape = new long[own.length + sizes.length];
        Arrays.fill(shape, -1);
        shape[0] = own[0].length - 1;
        System.arraycopy(sizes, 1, shape, own.length + 1, sizes.length - 1);
        long[][] all = new long[shape.length][];
        System.arraycopy(own, 0, all, 1, own.length);
        return parts(carrier, shape, carrier.share(values, sizes), all);
    }

    /**
     * Makes a ragged tensor of any shape from the parts of one.
     *
     * @param carrier that of the elements
     * @param values the flat values of all rows
     * @param shape the size of each axis, -1 for ragged ones
     * @param splits for each axis its row splits; null for uniform ones
     * @return the parts, published
     * @throws IllegalArgumentException if they do not fit each other
     */
    static <D extends TensorData<D>, A> RaggedParts ofParts(Carrier<D, A> carrier, D values, long[] shape, long[]... splits) {
        long[] own = RaggedShapes.check(shape, carrier.bytes);
        long[] sizes = check(carrier, values, "values", 1);
        long[][] all = new long[own.length][];
        int last = own.length - 1;
        while (own[last] >= 0) {
            last--;
        }
        long rows = own[0];
        for (int d = 1; d <= last; d++) {
            if (own[d] >= 0) {
                rows *= own[d];                 // which a long holds, as the shape was checked
                continue;
            }
            if (splits[d].length != rows + 1) {
                throw new IllegalArgumentException("there are " + splits[d].length + " row splits of " + rows + " rows on axis " + d);
            }
            all[d] = RowSplitsCheck.copy(new long[][] {splits[d]}, splits[d][splits[d].length - 1])[0];
            rows = all[d][all[d].length - 1];
        }
        long[] expected = Arrays.copyOfRange(own, last, own.length);
        expected[0] = rows;
        if (!Arrays.equals(expected, sizes)) {
            throw new IllegalArgumentException("the values of a ragged tensor of shape " + Arrays.toString(own) + " have the shape "
                + Arrays.toString(sizes) + "; by its row splits it is " + Arrays.toString(expected));
        }
        return parts(carrier, own, carrier.share(values, sizes), all);
    }

    /**
     * Makes a ragged tensor from values and row lengths, like {@link #ofSplits}.
     *
     * @param carrier that of the elements
     * @param values the flat values of all rows
     * @param lengths for each ragged axis its row lengths, outermost first
     * @return the parts, published
     * @throws IllegalArgumentException if a length is negative, or they do not add up to the length of what they split
     */
    public static <D extends TensorData<D>, A> RaggedParts ofLengths(Carrier<D, A> carrier, D values, long[]... lengths) {
        Objects.requireNonNull(values, "values");
        RowSplitsCheck.notNull("lengths", lengths);
        return ofSplits(carrier, values, RowSplitsCheck.ofLengths(check(carrier.of(values.dataType()), values, "values", 1)[0], lengths));
    }

    /**
     * Reads row splits or lengths from data.
     *
     * @param data of rank 1
     * @return a copy
     */
    public static long[] read(LongTensorData data) {
        OpenCheck.check(Objects.requireNonNull(data, "splits"));
        if (data.rank() != 1) {
            throw new IllegalArgumentException("data of shape " + Arrays.toString(data.shape()) + " for rows: it must have rank 1");
        }
        return Positions.read(new DataIndices.Elements(data), "for rows");
    }

    private static long[] check(Carrier<?, ?> carrier, TensorData<?> values, String what, int rank) {
        OpenCheck.check(values);
        long[] sizes = values.shape().clone();
        if (sizes.length < rank || RaggedShapes.isRagged(sizes)) {
            throw new IllegalArgumentException(what + " of shape " + Arrays.toString(sizes) + " must have rank " + rank
                + " at least and no ragged axis");
        }
        long[] checked = Shapes.checkSparse(sizes);
        Shapes.checkDense(checked, carrier.type, carrier.bytes);
        return checked;
    }

    /**
     * Makes a ragged tensor from the first positions of each row of dense data.
     *
     * @param any a carrier of its class
     * @param data of rank 2 at least; axis 1 becomes ragged
     * @param lengths the number of positions of each row to take
     * @return the parts, published
     * @throws IllegalArgumentException if the number of lengths is not that of rows, or one is negative or longer than the rows
     */
    public static <D extends TensorData<D>, A> RaggedParts ofDense(Carrier<D, A> any, D data, long... lengths) {
        Carrier<D, A> carrier = any.of(Objects.requireNonNull(data, "data").dataType());
        long[] own = Objects.requireNonNull(lengths, "lengths").clone();
        long[] shape = raggedShape(carrier, data);
        RowSplitsCheck.lengths(own, shape[0], data.size(1));
        return grow(carrier, shape, arena -> carrier.set(arena, data, own));
    }

    /** The shape of dense data if axis 1 becomes ragged. */
    static long[] raggedShape(Carrier<?, ?> carrier, TensorData<?> data) {
        long[] shape = check(carrier, Objects.requireNonNull(data, "data"), "data", 2);
        shape[1] = -1;
        return RaggedShapes.check(shape, carrier.bytes);
    }

    /**
     * The shape of a dense copy of data.
     *
     * @param data any data; ragged data must be open
     * @param full whether rows of different lengths are refused
     * @return its shape if it is dense, else with the length of the longest row for each ragged axis
     * @throws IllegalArgumentException if rows have different lengths and {@code full} is true, or ragged data is user-defined
     */
    public static long[] denseShape(TensorData<?> data, boolean full) {
        if (!RaggedShapes.isRagged(data.shape())) {
            return data.shape();
        }
        RaggedLayout tree = RaggedRows.present(data);
        if (full) {
            tree.checkFull();
        }
        return tree.denseShape();
    }

    /**
     * Copies ragged data to dense memory of the same shape as its rows, which are all of one length.
     *
     * @param memory the whole of a new tensor of {@link #denseShape}
     * @param from the data
     */
    public static <D extends TensorData<D>, A> void fill(D memory, D from) {
        RaggedRows.copyDense(from, OwnData.own(memory));
    }
}
