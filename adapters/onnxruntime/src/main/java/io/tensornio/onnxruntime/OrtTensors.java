package io.tensornio.onnxruntime;

import ai.onnxruntime.OnnxMap;
import ai.onnxruntime.OnnxSequence;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
import io.tensornio.internal.interop.Loan;
import io.tensornio.interop.Pin;
import io.tensornio.value.Value;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Tensors for ONNX Runtime, and what it returns as tensors. */
public final class OrtTensors {
    /** What ONNX Runtime takes from Java at most. */
    private static final long MOST_BYTES = Integer.MAX_VALUE - 8;

    private OrtTensors() {
    }

    /**
     * A tensor as an input of ONNX Runtime, which reads it in place. A tensor of another layout than the row-major one is copied, and so are strings.
     *
     * @param env ONNX Runtime's environment
     * @param tensor a dense tensor; it may be closed before the result is
     * @return the input, which the caller closes after the last run that uses it
     * @throws IllegalArgumentException if the tensor is sparse or ragged, has more than 2 GiB, or elements of a type that ONNX Runtime's Java has not
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    public static OrtTensor of(OrtEnvironment env, AnyTensor<?> tensor) {
        Objects.requireNonNull(env, "env");
        Tensor<?> dense = check(tensor, "the tensor");
        try {
            if (dense.dataType() == DataType.STRING) {
                return new OrtTensor(strings(env, dense), true, null);
            }
            if (!isRowMajor(dense)) {
                Tensor<?> copy = rowMajor(dense);
                return own(env, Pin.of(copy), copy, true);
            }
            return own(env, Pin.of(dense), null, false);
        } catch (OrtException e) {
            throw new IllegalStateException("ONNX Runtime makes no tensor of " + dense.dataType() + Arrays.toString(dense.shape()), e);
        }
    }

    private static OrtTensor own(OrtEnvironment env, Pin pin, Tensor<?> copy, boolean isCopy) throws OrtException {
        if (copy != null) {
            copy.close();               // its memory stays for the pin
        }
        try {
            long[] shape = pin.layout().shape();
            return new OrtTensor(OnnxTensor.createTensor(env, pin.buffer(), shape, OrtTypes.of(pin.dataType())), isCopy, pin);
        } catch (Throwable e) {
            pin.close();
            throw e;
        }
    }

    /** Checks that ONNX Runtime can have a tensor. */
    static Tensor<?> check(AnyTensor<?> tensor, String what) {
        Objects.requireNonNull(tensor, what);
        if (!(tensor instanceof Tensor)) {
            throw new IllegalArgumentException(what + " is a " + tensor.getClass().getSimpleName()
                + "; ONNX Runtime takes dense tensors: toDense() makes one");
        }
        Tensor<?> dense = (Tensor<?>) tensor;
        if (OrtTypes.of(dense.dataType()) == null) {
            throw new IllegalArgumentException(what + " has elements of type " + dense.dataType() + ", which ONNX Runtime's Java has not");
        }
        if (dense.dataType() != DataType.STRING && dense.numBytes() > MOST_BYTES) {
            throw new IllegalArgumentException(what + " has " + dense.numBytes() + " bytes, more than the " + MOST_BYTES
                + " that ONNX Runtime takes from Java");
        }
        return dense;
    }

    static boolean isRowMajor(Tensor<?> tensor) {
        TensorLayout layout = tensor.layout();
        return layout.offset() == 0 && layout.isContiguous();
    }

    /** A copy in row-major order. */
    static Tensor<?> rowMajor(Tensor<?> tensor) {
        return Loan.rowMajor(tensor);
    }

    static OnnxTensor strings(OrtEnvironment env, Tensor<?> tensor) throws OrtException {
        String[] values = new String[Math.toIntExact(tensor.numElements())];
        tensor.stringData().get(values);
        return OnnxTensor.createTensor(env, values, tensor.shape());
    }

    /**
     * Copies a value of ONNX Runtime: a tensor, or a sequence or map of them. It can be closed afterwards.
     *
     * <p>A map becomes a dictionary of scalars; integer keys become decimal text. A sequence becomes a list.
     *
     * @param value a value that is open
     * @return a value, which the caller closes
     * @throws IllegalArgumentException if its elements have a type that this library has not
     */
    public static Value copy(OnnxValue value) {
        Objects.requireNonNull(value, "value");
        try {
            return copy(value, "the value");
        } catch (OrtException e) {
            throw new IllegalStateException("ONNX Runtime does not give its " + value.getType() + " out", e);
        }
    }

    static Value copy(OnnxValue value, String what) throws OrtException {
        switch (value.getType()) {
            case ONNX_TYPE_TENSOR:
                return Value.of(tensor((OnnxTensor) value, what));
            case ONNX_TYPE_SEQUENCE:
                List<Value> items = new ArrayList<>();
                try {
                    for (OnnxValue item : ((OnnxSequence) value).getValue()) {
                        try (OnnxValue closed = item) {
                            items.add(copy(closed, what));
                        }
                    }
                    return Value.list(items);
                } catch (Throwable e) {
                    items.forEach(Value::close);
                    throw e;
                }
            case ONNX_TYPE_MAP:
                return map(((OnnxMap) value).getValue());
            default:
                throw new IllegalArgumentException(what + " is a " + value.getType() + "; tensors, sequences and maps can be copied");
        }
    }

    private static Tensor<?> tensor(OnnxTensor tensor, String what) throws OrtException {
        DataType type = OrtTypes.of(tensor.getInfo(), what);
        long[] shape = tensor.getInfo().getShape();
        if (type == DataType.STRING) {
            Object values = tensor.getValue();
            return values instanceof String ? Tensors.ofNested(values) : strings(shape, values);
        }
        try (Loan loan = Loan.toFill(type, shape)) {
            // ONNX Runtime's own copy, on the heap; there is no other way to its memory.
            ByteBuffer bytes = tensor.getByteBuffer();
            loan.buffer().put(bytes.order(ByteOrder.nativeOrder()));
            return loan.publish();
        }
    }

    private static Tensor<String> strings(long[] shape, Object nested) {
        List<String> flat = new ArrayList<>();
        flatten(nested, flat);
        return Tensors.denseString(shape, data -> data.put(flat.toArray(new String[0])));
    }

    private static void flatten(Object nested, List<String> into) {
        if (nested instanceof String) {
            into.add((String) nested);
        } else {
            for (Object part : (Object[]) nested) {
                flatten(part, into);
            }
        }
    }

    private static Value map(Map<?, ?> entries) {
        Map<String, Object> tensors = new LinkedHashMap<>();
        entries.forEach((key, value) -> tensors.put(String.valueOf(key), Tensors.ofNested(value)));
        return Value.dict(tensors);
    }

    static void close(AutoCloseable memory) {
        try {
            if (memory != null) {
                memory.close();
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
