package io.tensornio.internal.compute;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.StridedOperand;
import io.tensornio.internal.data.TensorPublisher;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** The inputs of a run, prepared for native code: data pinned in place or copied, and numbers. */
public final class Inputs implements AutoCloseable {
    /** What takes the tensor out of objects of certain classes, which install it as they are initialised. */
    private static final Map<Class<?>, Function<Object, AnyTensor<?>>> WRAPPERS = new ConcurrentHashMap<>();

    /** The codes of numbers in place of a type; types are 0 and above. */
    private static final long INTEGER = -1;
    static final long FRACTION = -2;

    /** The data of each input; null for numbers and truth values, which are in {@link #kinds} and {@link #bits}. */
    private final StridedOperand[] data;
    private final long[] kinds;
    private final long[] bits;
    /** Whether data may remain in a file, and whether some does. */
    private final boolean mayBeFiles;
    private boolean hasFiles;

    /**
     * Prepares inputs.
     *
     * @param names the names of all inputs
     * @param lookedUp those for which a number is an integer tensor of rank 0
     * @throws IllegalArgumentException if one has an unsupported class or type
     * @throws io.tensornio.TensorClosedException if one is closed
     * @throws OutOfMemoryError if a necessary copy does not fit the budget
     */
    Inputs(List<String> names, Collection<String> lookedUp, Object... given) {
        this(names, lookedUp, false, given);
    }

    /** The same, with large data of mapped files in place if {@code mayBeFiles}. */
    Inputs(List<String> names, Collection<String> lookedUp, boolean mayBeFiles, Object... given) {
        this.mayBeFiles = mayBeFiles;
        data = new StridedOperand[given.length];
        kinds = new long[given.length];
        bits = new long[given.length];
        try {
            for (int n = 0; n < given.length; n++) {
                take(n, names, given[n]);
                if (kinds[n] == INTEGER && lookedUp.contains(names.get(n))) {
                    kinds[n] = DataType.INT64.ordinal();
                }
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /** Has objects of a class be inputs. */
    public static void accept(Class<?> type, Function<Object, AnyTensor<?>> tensor) {
        WRAPPERS.put(type, tensor);
    }

    /** The tensor in an object; null if its class is none of those that have one. */
    private static AnyTensor<?> unwrapped(int n, List<String> names, Object given) {
        for (Map.Entry<Class<?>, Function<Object, AnyTensor<?>>> wrapper : WRAPPERS.entrySet()) {
            if (wrapper.getKey().isInstance(given)) {
                try {
                    return wrapper.getValue().apply(given);
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException("input " + names.get(n) + " is " + e.getMessage(), e);
                }
            }
        }
        return null;
    }

    /** The inputs with the tensors in place of the objects that have ones. */
    static Object[] opened(List<String> names, Object... given) {
        Object[] opened = given;
        for (int n = 0; n < given.length; n++) {
            if (given[n] == null || given[n] instanceof AnyTensor || given[n] instanceof TensorData || given[n] instanceof Number) {
                continue;
            }
            AnyTensor<?> inside = unwrapped(n, names, given[n]);
            if (inside != null) {
                opened = opened == given ? Arrays.copyOf(given, given.length, Object[].class) : opened;
                opened[n] = inside;
            }
        }
        return opened;
    }

    /** What is said of an object that is no input: how an array becomes one. */
    private static String told(Object given) {
        Class<?> element = given.getClass();
        int rank = 0;
        for (; element.isArray(); rank++) {
            element = element.getComponentType();
        }
        StringBuilder name = new StringBuilder(element.getName());
        for (int n = 0; n < rank; n++) {
            name.append("[]");
        }
        String data = element == float.class ? "Float" : element == double.class ? "Double" : element == int.class ? "Int"
            : element == long.class ? "Long" : element == boolean.class ? "Boolean" : element == byte.class ? "Byte" : null;
        return "a " + name + (data == null || rank == 0
            ? ": an input is a Tensor, data such as FloatTensorData.of(array, shape), or a Number or Boolean for rank 0"
            : rank == 1 ? ": wrap it, as " + data + "TensorData.of(array, shape)" : ": make it a tensor, by Tensors.ofNested(array)");
    }

    private void take(int n, List<String> names, Object given) {
        if (given instanceof Tensor) {
            if (((Tensor<?>) given).dataType() == DataType.STRING) {
                throw refused(n, names, "a tensor", DataType.STRING);
            }
            StridedOperand inPlace = StridedOperand.inPlace(TensorPublisher.unexposedData((Tensor<?>) given));
            data[n] = inPlace != null ? inPlace : strided(n, names, AnyData.of((Tensor<?>) given));
        } else if (given instanceof TensorData) {
            data[n] = strided(n, names, (TensorData<?>) given);
        } else if (given instanceof Boolean) {
            kinds[n] = DataType.BOOL.ordinal();
            bits[n] = (Boolean) given ? 1 : 0;
        } else if (given instanceof Number) {
            number(n, names, (Number) given);
        } else if (given instanceof SparseTensor || given instanceof RaggedTensor) {
            throw refused(n, names, "a " + (given instanceof SparseTensor ? "sparse" : "ragged") + " tensor", ((AnyTensor<?>) given).dataType());
        } else {
            AnyTensor<?> inside = unwrapped(n, names, Objects.requireNonNull(given, () -> "input " + names.get(n)));
            if (inside == null) {
                throw new IllegalArgumentException("input " + names.get(n) + " is " + told(given));
            }
            take(n, names, inside);
        }
    }

    private StridedOperand strided(int n, List<String> names, TensorData<?> of) {
        StridedOperand inPlace = StridedOperand.inPlace(of);
        if (inPlace != null) {
            return inPlace;
        }
        StridedOperand inFile = mayBeFiles ? StridedOperand.inFile(of) : null;
        if (inFile != null) {
            hasFiles = true;
            return inFile;
        }
        for (long size : of.shape()) {
            if (size < 0) {
                throw refused(n, names, "ragged data", of.dataType());
            }
        }
        StridedOperand copy = AnyData.operand(of);
        if (copy == null) {
            throw refused(n, names, "data", of.dataType());
        }
        return copy;
    }

    private static IllegalArgumentException refused(int n, List<String> names, String what, DataType type) {
        String input = "input " + names.get(n) + " is " + what;
        return new IllegalArgumentException(type == DataType.STRING
            ? input + " of strings: a comprehension computes FLOAT, DOUBLE, INT32, INT64, UINT8 and BOOL"
            : input + ": make it dense by toDense" + (what.contains("ragged") ? "(padding)" : "()"));
    }

    private void number(int n, List<String> names, Number value) {
        kinds[n] = INTEGER;
        if (value instanceof Double || value instanceof Float) {
            kinds[n] = FRACTION;
            bits[n] = Double.doubleToRawLongBits(value.doubleValue());
        } else if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte
            || value instanceof AtomicInteger || value instanceof AtomicLong) {
            bits[n] = value.longValue();
        } else if (value instanceof BigInteger) {
            if (((BigInteger) value).bitLength() > 63) {
                throw new IllegalArgumentException("input " + names.get(n) + " is " + value + ", which no type of integers holds");
            }
            bits[n] = value.longValue();
        } else {
            kinds[n] = FRACTION;
            bits[n] = Double.doubleToRawLongBits(value.doubleValue());
        }
    }

    /** Types and shapes, as {@link NativeCompute#plan} takes them, with {@code more} unused words at the end. */
    long[] signature(int more) {
        int length = more;
        for (StridedOperand one : data) {
            length += 2 + (one == null ? 0 : one.rank());
        }
        long[] signature = new long[length];
        int at = 0;
        for (int n = 0; n < data.length; n++) {
            StridedOperand one = data[n];
            signature[at] = one == null ? kinds[n] : one.type().ordinal();
            signature[at + 1] = one == null ? 0 : one.rank();
            at += 2;
            for (int d = 0; one != null && d < one.rank(); d++) {
                signature[at++] = one.sizes()[d];
            }
        }
        return signature;
    }

    /** Whether the first {@code end} words of a signature are these types and shapes. */
    boolean fit(long[] signature, int end) {
        int at = 0;
        for (int n = 0; n < data.length; n++) {
            StridedOperand one = data[n];
            int rank = one == null ? 0 : one.rank();
            if (at + 2 + rank > end || signature[at] != (one == null ? kinds[n] : one.type().ordinal()) || signature[at + 1] != rank) {
                return false;
            }
            at += 2;
            for (int d = 0; d < rank; d++) {
                if (signature[at++] != one.sizes()[d]) {
                    return false;
                }
            }
        }
        return at == end;
    }

    /** The number of words of a geometry that they take. */
    int places() {
        int length = 0;
        for (int n = 0; n < data.length; n++) {
            length += data[n] != null ? Places.length(data[n].rank()) : kinds[n] < 0 ? 1 : Places.length(0);
        }
        return length;
    }

    /** Adds their locations. */
    void locate(Places places) {
        for (int n = 0; n < data.length; n++) {
            StridedOperand one = data[n];
            if (one != null && one.descriptor() >= 0) {
                places.file(one.descriptor(), one.byteOffset(), one.strides());
            } else if (one != null) {
                places.elements(one.root(), one.byteOffset(), one.strides());
            } else if (kinds[n] < 0) {
                places.number(bits[n]);
            } else {
                places.scalar(bits[n]);
            }
        }
    }

    /** Whether some data is in files, which {@link NativeCompute#runFiles} reads. */
    boolean hasFiles() {
        return hasFiles;
    }

    /** Whether an operand that is written may overlap an input. */
    boolean mayOverlap(StridedOperand written) {
        for (StridedOperand one : data) {
            if (one != null && one.mayOverlap(written)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        for (StridedOperand one : data) {
            if (one != null) {
                one.close();
            }
        }
    }
}
