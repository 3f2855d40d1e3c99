package io.tensornio.internal.data;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.element.LongBlock;
import io.tensornio.internal.element.LongBulk;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.ragged.RaggedLayout;
import io.tensornio.internal.ragged.RaggedShapes;
import io.tensornio.internal.sparse.Sparse;
import io.tensornio.internal.sparse.SparseBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A ragged or sparse tensor, or data of one, as an operand of native code: its values, and its row splits or coordinates, each in native memory that
 * is pinned until this is closed. Whole tensors are used in place; of views that are not contiguous the stored elements are copied, and nothing is
 * made dense.
 */
public final class StoredOperand implements AutoCloseable {
    private final DataType type;
    private final long[] shape;
    private final boolean sparse;
    /** The number of values. */
    private long count;
    private StridedOperand values;
    /** The row splits of each axis, null for a uniform one; or the coordinates, and the compressed rows if there are. */
    private StridedOperand[] parts;
    /** What is closed with this, the latest first. */
    private final List<Runnable> owned = new ArrayList<>();

    private StoredOperand(DataType type, boolean sparse, long... shape) {
        this.type = type;
        this.sparse = sparse;
        this.shape = shape;
    }

    /** Whether an object is a ragged or sparse tensor, or data of one. */
    public static boolean is(Object given) {
        return given instanceof RaggedTensor || given instanceof SparseTensor
            || given instanceof TensorData && (OwnData.isSparse((TensorData<?>) given) || RaggedShapes.isRagged(((TensorData<?>) given).shape()));
    }

    /**
     * The operand.
     *
     * @param given for which {@link #is} holds, not of strings
     * @throws io.tensornio.TensorClosedException if it is closed
     * @throws IllegalArgumentException if it is ragged data of a user's own class
     */
    public static StoredOperand of(Object given) {
        StoredOperand made;
        if (given instanceof SparseTensor) {
            SparseTensor<?> tensor = (SparseTensor<?>) given;
            made = new StoredOperand(tensor.dataType(), true, tensor.shape());
            try {
                made.sparse(tensor);
                return made;
            } catch (Throwable e) {
                made.close();
                throw e;
            }
        }
        TensorData<?> data = given instanceof TensorData ? (TensorData<?>) given : AnyData.of((AnyTensor<?>) given);
        if (!(data instanceof OwnData)) {
            throw new IllegalArgumentException("ragged data of the class " + data.getClass().getName() + ": make a ragged tensor of it");
        }
        OwnData<?, ?> own = (OwnData<?, ?>) data;
        made = new StoredOperand(data.dataType(), OwnData.isSparse(data), data.shape());
        try {
            if (made.sparse) {
                made.sparseData(own);
            } else {
                made.raggedData(own, RaggedRows.present(data));
            }
            return made;
        } catch (Throwable e) {
            made.close();
            throw e;
        }
    }

    private StridedOperand pinned(TensorData<?> data) {
        StridedOperand operand = StridedOperand.inPlace(data);
        if (operand == null) {
            throw new IllegalArgumentException("data of shape " + java.util.Arrays.toString(shape) + " that is in no native memory");
        }
        owned.add(operand::close);
        return operand;
    }

    private void sparse(SparseTensor<?> tensor) {
        Tensor<?> stored = tensor.values();
        count = stored.size(0);
        values = pinned(TensorPublisher.unexposedData(stored));
        parts = new StridedOperand[] {pinned(TensorPublisher.unexposedData(tensor.indices())), compressed(TensorPublisher.sparse(tensor))};
    }

    private StridedOperand compressed(Sparse of) {
        LongBlock rows = of.compressed();
        return rows == null ? null : pinned(LongStrided.of(rows));
    }

    private <D extends TensorData<D>, A> void sparseData(OwnData<D, A> data) {
        data.checkOpen();
        Carrier<D, A> any = data.carrier();
        PrimitiveCarrier<D, A> carrier = (PrimitiveCarrier<D, A>) any;
        Sparse whole = data.published();
        if (whole == null || !data.layout().isContiguous() || !java.util.Arrays.equals(whole.shape(), shape)) {
            whole = copied(carrier, data);
            owned.add(whole::close);
        }
        count = whole.n;
        values = pinned(carrier.whole(whole.values()));
        parts = new StridedOperand[] {pinned(LongStrided.of(whole.indices())), whole == data.published() ? compressed(whole) : null};
    }

    /** The entries of a view, stored zeros included. */
    private <D extends TensorData<D>, A> Sparse copied(PrimitiveCarrier<D, A> carrier, OwnData<D, A> data) {
        int n = 0;
        try (SparseEntries entries = SparseEntries.of(data)) {
            while (n < SparseBuilder.MOST_VALUES && entries.next()) {
                n++;
            }
        }
        SparseBuilder filling = carrier.sparseBuilder(shape, n);
        try (SparseEntries entries = SparseEntries.of(data)) {
            for (int at = 0; at < n && entries.next(); at++) {
                carrier.copyOne(entries.source(), entries.at(), filling, entries.number());
            }
            return filling.publish();
        } catch (Throwable e) {
            filling.close();
            throw e;
        }
    }

    private <D extends TensorData<D>, A> void raggedData(OwnData<D, A> data, RaggedLayout tree) {
        data.checkOpen();
        count = tree.totalSize();
        parts = new StridedOperand[shape.length];
        int last = RaggedShapes.last(shape);
        long nodes = shape[0];
        for (int d = 1; d <= last; d++) {
            if (shape[d] >= 0) {
                nodes = Math.multiplyExact(nodes, shape[d]);
                continue;
            }
            LongBlock whole = tree.wholeSplits(d);
            parts[d] = whole != null ? pinned(LongStrided.of(whole)) : splits(tree, d, nodes);
            nodes = tree.end(d + 1) - tree.begin(d + 1);
        }
        if (tree.isContiguous()) {
            values = pinned(data.carrier().view(data.source(), tree.stretch()));
            return;
        }
        PrimitiveCarrier<D, A> carrier = (PrimitiveCarrier<D, A>) data.carrier();
        Shapes.checkDense(new long[] {count}, type, type.byteSize());
        A array = carrier.array((int) count);
        RaggedRows.readAll(data, tree, array, 0);
        Block block = carrier.uncleared(count);
        owned.add(block::close);
        carrier.put(carrier.whole(block).self(), array);
        values = pinned(carrier.whole(block));
    }

    private StridedOperand splits(RaggedLayout tree, int axis, long nodes) {
        Shapes.checkDense(new long[] {nodes + 1}, DataType.INT64, Long.BYTES);
        long[] splits = new long[(int) nodes + 1];
        int n = 0;
        for (long node = tree.begin(axis), end = tree.end(axis); node < end && n < nodes; node++, n++) {
            splits[n + 1] = splits[n] + tree.size(axis, node);
        }
        LongBlock block = LongBlock.uncleared(splits.length);
        owned.add(block::close);
        LongBulk.put(block.wr, 0, splits, 0, splits.length);
        return pinned(LongStrided.of(block));
    }

    /** The type of the elements. */
    public DataType type() {
        return type;
    }

    /** Whether it is sparse, not ragged. */
    public boolean isSparse() {
        return sparse;
    }

    /** The size of each axis, -1 for a ragged one. */
    public long[] shape() {
        return shape;
    }

    /** The number of values. */
    public long count() {
        return count;
    }

    /** The values. */
    public StridedOperand values() {
        return values;
    }

    /** The row splits of each axis, null for a uniform one; or the coordinates, and the compressed rows or null. */
    public StridedOperand[] parts() {
        return parts;
    }

    @Override
    public void close() {
        Collections.reverse(owned);
        owned.forEach(Runnable::run);
        owned.clear();
    }
}
