package io.tensornio.arrow;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.RaggedTensor;
import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorLayout;
import io.tensornio.internal.interop.Loan;
import io.tensornio.interop.Pin;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ForeignAllocation;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Makes the vector of a tensor, whose buffers are pinned memory of the tensor where it has Arrow's form. */
final class ArrowWriter {
    private final BufferAllocator allocator;

    private ArrowWriter(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    static FieldVector write(String name, AnyTensor<?> tensor, BufferAllocator allocator) {
        if (!(tensor instanceof Tensor) && !(tensor instanceof RaggedTensor)) {
            throw new IllegalArgumentException("a " + tensor.getClass().getSimpleName() + " has no form in Arrow: toDense() makes a tensor that has");
        }
        long[] shape = tensor.shape();
        if (shape.length == 0) {
            throw new IllegalArgumentException("a scalar has no rows to be a vector");
        }
        ArrowType elements = ArrowTypes.of(tensor.dataType());
        boolean isRagged = tensor instanceof RaggedTensor;
        if (!isRagged && shape.length > 1 && tensor.dataType() == DataType.STRING) {
            throw new IllegalArgumentException("strings of shape " + Arrays.toString(shape) + " have no form in Arrow; those with one axis, and "
                + "ragged ones, have");
        }
        if (shape[0] > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(shape[0] + " rows are more than a vector of Arrow's can have in Java");
        }
        Field field = isRagged ? raggedField(name, shape, elements) : denseField(name, shape, elements);
        FieldVector vector = field.createVector(allocator);
        try {
            ArrowWriter writer = new ArrowWriter(allocator);
            if (isRagged) {
                writer.fillRagged(vector, (RaggedTensor<?>) tensor, shape);
            } else {
                writer.fillDense(vector, (Tensor<?>) tensor, shape);
            }
            return vector;
        } catch (Throwable e) {
            vector.close();
            throw e;
        }
    }

    private static Field field(String name, ArrowType type, Field... children) {
        return new Field(name, new FieldType(false, type, null), Arrays.asList(children));
    }

    private static Field denseField(String name, long[] shape, ArrowType elements) {
        if (shape.length == 1) {
            return field(name, elements);
        }
        return field(name, FixedShapeTensorType.of(Arrays.copyOfRange(shape, 1, shape.length)), field("item", elements));
    }

    private static Field raggedField(String name, long[] shape, ArrowType elements) {
        Field made = field("item", elements);
        for (int axis = shape.length - 1; axis > 0; axis--) {
            if (shape[axis] > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("the shape " + Arrays.toString(shape) + " has an axis that is too long for Arrow");
            }
            made = field(axis == 1 ? name : "item", shape[axis] < 0 ? ArrowType.LargeList.INSTANCE
                : new ArrowType.FixedSizeList((int) shape[axis]), made);
        }
        return made;
    }

    private void fillDense(FieldVector vector, Tensor<?> tensor, long[] shape) {
        FieldVector elements = vector;
        if (shape.length > 1) {
            load(vector, shape[0], Collections.emptyList());
            elements = vector.getChildrenFromFields().get(0);
        }
        TensorLayout layout = tensor.layout();
        if (tensor.dataType() == DataType.STRING || layout.offset() == 0 && layout.isContiguous()) {
            fillElements(elements, tensor);
        } else {
            try (Tensor<?> ordered = Loan.rowMajor(tensor)) {
                fillElements(elements, ordered);        // closed, it is there for the pin
            }
        }
    }

    private void fillRagged(FieldVector vector, RaggedTensor<?> tensor, long[] shape) {
        FieldVector at = vector;
        long rows = shape[0];
        for (int axis = 1; axis < shape.length; axis++) {
            if (shape[axis] < 0) {
                try (Tensor<Long> splits = tensor.rowSplits(axis)) {
                    load(at, rows, Collections.singletonList(pinned(splits)));
                    rows = splits.longData().get((int) rows);
                }
            } else {
                load(at, rows, Collections.emptyList());
                rows *= shape[axis];
            }
            at = at.getChildrenFromFields().get(0);
        }
        try (Tensor<?> values = tensor.values()) {
            fillElements(at, values);
        }
    }

    /** Loads the elements of a tensor in row-major order. */
    private void fillElements(FieldVector vector, Tensor<?> tensor) {
        long count = tensor.numElements();
        if (tensor.dataType() == DataType.STRING) {
            load(vector, count, strings(tensor.stringData().flatten(), count));
        } else {
            load(vector, count, Collections.singletonList(tensor.dataType() == DataType.BOOL ? bits(tensor) : pinned(tensor)));
        }
    }

    /** Gives a vector its values, none of them null, and buffers, of which this gives its own references up. */
    private void load(FieldVector vector, long count, List<ArrowBuf> buffers) {
        try {
            if (count > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(count + " values are more than a vector of Arrow's can have in Java");
            }
            List<ArrowBuf> all = new ArrayList<>();
            all.add(allocator.getEmpty());              // of what is null: nothing
            all.addAll(buffers);
            vector.loadFieldBuffers(new ArrowFieldNode(count, 0), all);
        } finally {
            buffers.forEach(buffer -> buffer.getReferenceManager().release());
        }
    }

    /** The memory of a tensor, in place. */
    private ArrowBuf pinned(Tensor<?> tensor) {
        Pin pin = Pin.of(tensor);
        try {
            if (pin.byteSize() > 0) {
                return allocator.wrapForeignAllocation(new ForeignAllocation(pin.byteSize(), pin.address()) {
                    @Override
                    protected void release0() {
                        pin.close();
                    }
                });
            }
        } catch (Throwable e) {
            pin.close();
            throw e;
        }
        pin.close();
        return allocator.getEmpty();
    }

    private ArrowBuf bits(Tensor<?> tensor) {
        long count = tensor.numElements();
        ArrowBuf to = allocator.buffer((count + 7) / 8);
        try (Loan loan = Loan.of(tensor)) {
            long at = 0;
            int bits = 0;
            for (ByteBuffer part : loan.buffers()) {
                for (int n = 0; n < part.capacity(); n++, at++) {
                    bits |= part.get(n) << (at & 7);
                    if ((at & 7) == 7 || at == count - 1) {
                        to.setByte(at >> 3, bits);
                        bits = 0;
                    }
                }
            }
            return to;
        } catch (Throwable e) {
            to.close();
            throw e;
        }
    }

    /** The offsets and bytes of strings. */
    private List<ArrowBuf> strings(StringTensorData data, long count) {
        byte[][] all = new byte[Math.toIntExact(count)][];
        long size = 0;
        for (int n = 0; n < all.length; n++) {
            all[n] = data.getBytes(n);
            size += all[n].length;
        }
        ArrowBuf offsets = allocator.buffer((count + 1) * Long.BYTES);
        ArrowBuf bytes;
        try {
            bytes = allocator.buffer(size);
        } catch (Throwable e) {
            offsets.close();
            throw e;
        }
        long at = 0;
        offsets.setLong(0, 0);
        for (int n = 0; n < all.length; n++) {
            bytes.setBytes(at, all[n]);
            at += all[n].length;
            offsets.setLong((n + 1L) * Long.BYTES, at);
        }
        return Arrays.asList(offsets, bytes);
    }
}
