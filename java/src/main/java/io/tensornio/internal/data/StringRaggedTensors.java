package io.tensornio.internal.data;

import io.tensornio.LongTensorData;
import io.tensornio.StringTensorData;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Positions;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.ragged.RaggedLayout;
import io.tensornio.internal.ragged.RaggedParts;
import io.tensornio.internal.ragged.RaggedShapes;
import io.tensornio.internal.ragged.RaggedTree;
import io.tensornio.internal.ragged.RowSplitsCheck;
import io.tensornio.internal.string.StringBlock;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;

/** Makes {@code String} ragged tensors, and dense copies of them. */
public final class StringRaggedTensors {
    private StringRaggedTensors() {
    }

    /**
     * Fills a ragged tensor.
     *
     * @param shape the sizes, -1 for ragged axes
     * @param init writes the elements
     * @return the parts, published
     */
    public static RaggedParts fill(long[] shape, Consumer<? super StringTensorData> init) {
        return grow(RaggedShapes.check(shape, StringElement.BYTES), arena -> init.accept(new StringRaggedBuilder(arena)));
    }

    private static RaggedParts grow(long[] shape, Consumer<StringRowArena> init) {
        StringRowArena arena = new StringRowArena(shape);
        try {
            init.accept(arena);
            StringBlock values = arena.publish();
            long[][] splits = arena.tree.splits();
            long[] ends = splits[arena.tree.last];
            if (ends[ends.length - 1] != values.shape()[0]) {
                throw new IllegalStateException("a thread writes rows of the ragged tensor of shape " + Arrays.toString(arena.tree.shape)
                    + " that is being published: no write may go on when init returns");
            }
            return parts(arena.tree.shape, values, splits);
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    /** Assembles the parts; takes ownership of the values, which it closes if it fails. */
    static RaggedParts parts(long[] shape, StringBlock values, long[]... splits) {
        values.name(shape);
        RaggedParts parts = new RaggedParts(shape, values, StringView.of(values, values.shape()));
        try {
            parts.addSplits(splits);
            values.namePlaces(parts::where);
            parts.whole = StringRagged.of(values, RaggedLayout.whole(shape, parts.rowSplits()));
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
     * @param values the flat values of all rows
     * @param splits for each ragged axis its row splits, outermost first
     * @return the parts, published
     * @throws IllegalArgumentException if splits do not begin with 0, decrease, or do not end with the length of what they split
     */
    public static RaggedParts ofSplits(StringTensorData values, long[]... splits) {
        Objects.requireNonNull(values, "values");
        RowSplitsCheck.notNull("splits", splits);
        long[] sizes = check(values, "values", 1);
        long[][] own = RowSplitsCheck.copy(splits, sizes[0]);
        long[] shape = new long[own.length + sizes.length];
        Arrays.fill(shape, -1);
        shape[0] = own[0].length - 1;
        System.arraycopy(sizes, 1, shape, own.length + 1, sizes.length - 1);
        long[][] all = new long[shape.length][];
        System.arraycopy(own, 0, all, 1, own.length);
        return parts(shape, share(values, sizes), all);
    }

    /**
     * Makes a ragged tensor from values and row lengths, like {@link #ofSplits}.
     *
     * @param values the flat values of all rows
     * @param lengths for each ragged axis its row lengths, outermost first
     * @return the parts, published
     * @throws IllegalArgumentException if a length is negative, or they do not add up to the length of what they split
     */
    public static RaggedParts ofLengths(StringTensorData values, long[]... lengths) {
        Objects.requireNonNull(values, "values");
        RowSplitsCheck.notNull("lengths", lengths);
        return ofSplits(values, RowSplitsCheck.ofLengths(check(values, "values", 1)[0], lengths));
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

    private static long[] check(StringTensorData values, String what, int rank) {
        OpenCheck.check(values);
        long[] sizes = values.shape().clone();
        if (sizes.length < rank || RaggedShapes.isRagged(sizes)) {
            throw new IllegalArgumentException(what + " of shape " + Arrays.toString(sizes) + " must have rank " + rank
                + " at least and no ragged axis");
        }
        long[] checked = Shapes.checkSparse(sizes);
        Shapes.checkDense(checked, StringElement.TYPE, StringElement.BYTES);
        return checked;
    }

    /** A block with the elements of data, which shares the memory if the data is the whole of a published tensor. */
    private static StringBlock share(StringTensorData data, long... shape) {
        StringBlock whole = StringView.whole(data);
        if (whole != null) {
            return whole.share(shape);
        }
        StringCollector copy = StringCollector.of(shape);
        try {
            StringCopies.copy(data, copy.data());
            return copy.finish();
        } catch (Throwable e) {
            copy.close();
            throw e;
        }
    }

    /**
     * Makes a ragged tensor from dense data by removing trailing padding from each row.
     *
     * @param data of rank 2 at least; axis 1 becomes ragged
     * @param padding the padding value; 0.0 and -0.0 are equal
     * @return the parts, published
     */
    public static RaggedParts ofDense(StringTensorData data, String padding) {
        Objects.requireNonNull(padding, "padding");
        long[] shape = raggedShape(data);
        checkPadding(padding);
        return grow(shape, arena -> {
            int unit = arena.rows.unit;
            for (int i = 0; i < shape[0]; i++) {
                Object[] row = StringCopies.values(Objects.requireNonNull(data.slice(i), "slice() gave null"));
                int n = row.length;
                while (n > 0 && padding.equals(row[n - 1])) {
                    n--;
                }
                // With inner axes of size 0 there are no elements to compare with the padding.
                int positions = unit == 0 ? Positions.count(data.size(1)) : (n + unit - 1) / unit;
                set(arena, i, positions, row);
            }
        });
    }

    /**
     * Makes a ragged tensor from the first positions of each row of dense data.
     *
     * @param data of rank 2 at least; axis 1 becomes ragged
     * @param lengths the number of positions of each row to take
     * @return the parts, published
     * @throws IllegalArgumentException if the number of lengths is not that of rows, or one is negative or longer than the rows
     */
    public static RaggedParts ofDense(StringTensorData data, long... lengths) {
        Objects.requireNonNull(data, "data");
        long[] own = Objects.requireNonNull(lengths, "lengths").clone();
        long[] shape = raggedShape(data);
        RowSplitsCheck.lengths(own, shape[0], data.size(1));
        return grow(shape, arena -> {
            for (int i = 0; i < own.length; i++) {
                set(arena, i, Positions.count(own[i]), StringCopies.values(Objects.requireNonNull(data.slice(i), "slice() gave null")));
            }
        });
    }

    private static long[] raggedShape(StringTensorData data) {
        long[] shape = check(Objects.requireNonNull(data, "data"), "data", 2);
        shape[1] = -1;
        return RaggedShapes.check(shape, StringElement.BYTES);
    }

    private static void checkPadding(String padding) {
        if (StringElement.encode(padding) == null) {
            throw StringElement.unpaired(padding, "the padding");
        }
    }

    private static void set(StringRowArena arena, int row, int positions, Object... values) {
        RaggedTree tree = arena.tree;
        arena.set(row, arena.append(positions * tree.rows.unit, values, k -> tree.where(tree.last, row, k)), positions);
    }

    /**
     * The shape of a dense copy of data.
     *
     * @param data any data; ragged data must be open
     * @param full whether rows of different lengths are refused
     * @return its shape if it is dense, else with the length of the longest row for each ragged axis
     * @throws IllegalArgumentException if rows have different lengths and {@code full} is true, or ragged data is user-defined
     */
    public static long[] denseShape(StringTensorData data, boolean full) {
        if (!RaggedShapes.isRagged(data.shape())) {
            return data.shape();
        }
        RaggedLayout tree = StringRagged.rowsOf(data);
        if (full) {
            tree.checkFull();
        }
        return tree.denseShape();
    }

    /**
     * Copies ragged data to dense memory, and fills the rest with padding.
     *
     * @param memory the whole of a new tensor of {@link #denseShape}
     * @param from the data
     * @param padding the value of missing elements
     */
    public static void fill(StringTensorData memory, StringTensorData from, String padding) {
        checkPadding(padding);
        if (!padding.isEmpty() && from.totalSize() < memory.totalSize()) {
            memory.scalars().onEach(() -> padding);
        }
        StringRagged.copyDense(from, (StringData) memory);
    }

    /**
     * Copies ragged data to dense memory of the same shape as its rows, which are all of one length.
     *
     * @param memory the whole of a new tensor of {@link #denseShape}
     * @param from the data
     */
    public static void fill(StringTensorData memory, StringTensorData from) {
        fill(memory, from, "");
    }
}
