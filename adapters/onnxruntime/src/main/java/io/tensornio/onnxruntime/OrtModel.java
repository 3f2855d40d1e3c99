package io.tensornio.onnxruntime;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.Tensors;
import io.tensornio.internal.interop.Loan;
import io.tensornio.value.Value;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A model that ONNX Runtime runs on tensors of this library, without copies of them: inputs are pinned for the time of a run, and outputs are written
 * into the memory of the tensors that it returns, where their shapes are known before.
 *
 * <pre>{@code
 * try (OrtModel model = OrtModel.load(path); Value out = model.run(Collections.singletonMap("x", tensor))) {
 *     out.get("y").asTensor().floatData();
 * }
 * }</pre>
 *
 * <p>Any number of threads may run it at once, and any of them close it.
 */
public final class OrtModel implements AutoCloseable {
    private final OrtEnvironment env;
    private final OrtSession session;
    private final Path path;
    private final Map<String, NodeInfo> inputs;
    private final Map<String, NodeInfo> outputs;
    /** Read by runs, written by the close. */
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private boolean closed;

    private OrtModel(OrtEnvironment env, OrtSession session, Path path) throws OrtException {
        this.env = env;
        this.session = session;
        this.path = path;
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(session.getInputInfo()));
        outputs = Collections.unmodifiableMap(new LinkedHashMap<>(session.getOutputInfo()));
    }

    /**
     * Loads a model, with the options that ONNX Runtime has by default.
     *
     * @param path a file in ONNX's format
     * @return a model, which the caller closes
     * @throws UncheckedIOException if there is no such file
     * @throws IllegalArgumentException if it is no model, or one that cannot be run from Java: with inputs or outputs of the types UINT16, UINT32 or
     *     UINT64, or inputs that are not tensors
     */
    public static OrtModel load(Path path) {
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
            return load(path, options);
        }
    }

    /**
     * Loads a model.
     *
     * @param path a file in ONNX's format
     * @param options ONNX Runtime's options, which may be closed afterwards
     * @return a model, which the caller closes
     * @throws UncheckedIOException as above
     * @throws IllegalArgumentException as above
     */
    public static OrtModel load(Path path, OrtSession.SessionOptions options) {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(options, "options");
        if (!Files.isRegularFile(path)) {
            IOException missing = new FileNotFoundException(path + " is no file");
            throw new UncheckedIOException(missing);
        }
        OrtEnvironment env = OrtEnvironment.getEnvironment();
        OrtSession session = null;
        try {
            session = env.createSession(path.toString(), options);
            OrtModel model = new OrtModel(env, session, path);
            model.check();
            session = null;
            return model;
        } catch (OrtException e) {
            throw new IllegalArgumentException(path + " cannot be loaded: " + e.getMessage(), e);
        } finally {
            closeQuietly(session);
        }
    }

    private static void closeQuietly(OrtSession session) {
        try {
            if (session != null) {
                session.close();
            }
        } catch (OrtException e) {
            throw new IllegalStateException("ONNX Runtime cannot close a session", e);
        }
    }

    private void check() {
        inputs.forEach((name, node) -> {
            String what = path + ": input `" + name + "`";
            if (!(node.getInfo() instanceof TensorInfo)) {
                throw new IllegalArgumentException(what + " is " + node.getInfo() + "; only tensors can be given to ONNX Runtime from Java");
            }
            OrtTypes.of((TensorInfo) node.getInfo(), what);
        });
        outputs.forEach((name, node) -> {
            if (node.getInfo() instanceof TensorInfo) {
                OrtTypes.of((TensorInfo) node.getInfo(), path + ": output `" + name + "`");
            }
        });
    }

    /**
     * The inputs, as ONNX Runtime describes them.
     *
     * @return an unmodifiable map by name, in the model's order
     */
    public Map<String, NodeInfo> inputs() {
        return inputs;
    }

    /**
     * The outputs, as ONNX Runtime describes them.
     *
     * @return an unmodifiable map by name, in the model's order
     */
    public Map<String, NodeInfo> outputs() {
        return outputs;
    }

    /**
     * Runs the model. An output whose shape the model fixes, with one axis at least, is written in place; others, whose memory ONNX Runtime
     * allocates, are copied.
     *
     * @param given by the name of each input a dense tensor or a value of one, read in place, or copied if it is not in row-major order; data, a
     *     number or nested arrays, which are copied
     * @return a dictionary of all outputs by name, which the caller closes: tensors; lists for sequences; dictionaries of scalars for maps, in which
     *     integer keys are decimal text
     * @throws IllegalArgumentException if an input is missing, unknown, of another type, or no dense tensor
     * @throws io.tensornio.TensorClosedException if a tensor is closed
     * @throws IllegalStateException if this is closed, or the run fails
     */
    public Value run(Map<String, ?> given) {
        return run(given, Collections.emptyMap());
    }

    /**
     * Runs the model, with shapes of outputs that the caller knows: these outputs are written in place, too.
     *
     * @param given as above
     * @param shapes shapes of tensors by the names of outputs; for those that the model fixes none is needed
     * @return as above
     * @throws IllegalArgumentException as above, or if a shape is of no output, or of one that is no tensor or of strings
     * @throws IllegalStateException as above, or if an output has another shape
     */
    public Value run(Map<String, ?> given, Map<String, long[]> shapes) {
        Objects.requireNonNull(given, "inputs");
        Objects.requireNonNull(shapes, "shapes");
        Lock running = lock.readLock();
        running.lock();
        try (Run run = new Run()) {
            if (closed) {
                throw new IllegalStateException("the model " + path + " is closed");
            }
            return run.all(given, shapes);
        } catch (OrtException e) {
            throw new IllegalStateException("the run of " + path + " has failed: " + e.getMessage(), e);
        } finally {
            running.unlock();
        }
    }

    /** Lets runs end that have begun, and releases the model. Later runs are refused. Closing again does nothing. */
    @Override
    public void close() {
        Lock ending = lock.writeLock();
        ending.lock();
        try {
            if (!closed) {
                closed = true;
                closeQuietly(session);
            }
        } finally {
            ending.unlock();
        }
    }

    @Override
    public String toString() {
        return "OrtModel[" + path + ", inputs " + inputs.values() + ", outputs " + outputs.values() + "]";
    }

    /** One run: what is open meanwhile, closed in the end, the last first. */
    final class Run implements AutoCloseable {
        private final Deque<AutoCloseable> open = new ArrayDeque<>();
        final Map<String, OnnxTensor> ins = new LinkedHashMap<>();
        final Map<String, OnnxTensor> pinned = new LinkedHashMap<>();
        private final Map<String, Loan> loans = new HashMap<>();

        Value all(Map<String, ?> given, Map<String, long[]> shapes) throws OrtException {
            for (String name : given.keySet()) {
                if (!inputs.containsKey(name)) {
                    throw new IllegalArgumentException("there is no input `" + name + "`; the model has " + inputs.keySet());
                }
            }
            for (Map.Entry<String, NodeInfo> input : inputs.entrySet()) {
                addInput(input.getKey(), (TensorInfo) input.getValue().getInfo(), given.get(input.getKey()));
            }
            for (String name : shapes.keySet()) {
                if (!outputs.containsKey(name)) {
                    throw new IllegalArgumentException("there is no output `" + name + "`; the model has " + outputs.keySet());
                }
            }
            for (Map.Entry<String, NodeInfo> output : outputs.entrySet()) {
                addOutput(output.getKey(), output.getValue(), shapes.get(output.getKey()));
            }
            Set<String> others = new LinkedHashSet<>(outputs.keySet());
            others.removeAll(pinned.keySet());
            try (OrtSession.Result result = session.run(ins, others, pinned)) {
                return take(result);
            }
        }

        private void addInput(String name, TensorInfo info, Object value) throws OrtException {
            String what = "input `" + name + "`";
            if (value == null) {
                throw new IllegalArgumentException(what + " is missing; the model has " + inputs.keySet());
            }
            Tensor<?> tensor = OrtTensors.check(tensor(what, value), what);
            DataType expected = OrtTypes.of(info, what);
            if (tensor.dataType() != expected) {
                throw new IllegalArgumentException(what + " is " + tensor.dataType() + Arrays.toString(tensor.shape()) + "; the model takes "
                    + expected);
            }
            if (expected == DataType.STRING) {
                ins.put(name, opened(OrtTensors.strings(env, tensor)));
                return;
            }
            Tensor<?> ordered = OrtTensors.isRowMajor(tensor) ? tensor : opened(OrtTensors.rowMajor(tensor));
            Loan loan = opened(Loan.of(ordered));
            ins.put(name, opened(OnnxTensor.createTensor(env, loan.buffer(), tensor.shape(), OrtTypes.of(expected))));
        }

        private AnyTensor<?> tensor(String what, Object value) {
            if (value instanceof AnyTensor) {
                return (AnyTensor<?>) value;
            }
            if (value instanceof Value) {
                if (((Value) value).kind() != Value.Kind.TENSOR) {
                    throw new IllegalArgumentException(what + " is a " + ((Value) value).kind() + "; ONNX Runtime takes tensors from Java alone");
                }
                return ((Value) value).asTensor();
            }
            return opened(value instanceof TensorData ? ((TensorData<?>) value).copy() : Tensors.ofNested(value));
        }

        private void addOutput(String name, NodeInfo node, long[] shape) throws OrtException {
            boolean isTensor = node.getInfo() instanceof TensorInfo;
            DataType type = isTensor ? OrtTypes.of((TensorInfo) node.getInfo(), name) : null;
            if (type == null || type == DataType.STRING) {
                if (shape != null) {
                    throw new IllegalArgumentException("output `" + name + "` is " + node.getInfo()
                        + ", which is not written in place: it takes no shape");
                }
                return;
            }
            long[] known = shape != null ? shape : ((TensorInfo) node.getInfo()).getShape();
            boolean isOpen = Arrays.stream(known).anyMatch(size -> size < 0);
            if (isOpen && shape != null) {
                throw new IllegalArgumentException("output `" + name + "` cannot have the shape " + Arrays.toString(shape));
            }
            if (isOpen || shape == null && known.length == 0) {         // outputs of any rank are described as scalars are
                return;
            }
            Loan loan = opened(Loan.toFill(type, known));
            loans.put(name, loan);
            pinned.put(name, opened(OnnxTensor.createTensor(env, loan.buffer(), known, OrtTypes.of(type))));
        }

        private Value take(OrtSession.Result result) throws OrtException {
            Map<String, Object> taken = new LinkedHashMap<>();
            try {
                for (String name : outputs.keySet()) {
                    Loan loan = loans.get(name);
                    if (loan != null) {
                        taken.put(name, loan.publish());
                    } else {
                        OnnxValue value = result.get(name).orElseThrow(() -> new IllegalStateException("ONNX Runtime gave no output `" + name + "`"));
                        taken.put(name, OrtTensors.copy(value, "output `" + name + "`"));
                    }
                }
                return Value.dict(taken);
            } catch (Throwable e) {
                for (Object one : taken.values()) {
                    OrtTensors.close((AutoCloseable) one);
                }
                throw e;
            }
        }

        private <C extends AutoCloseable> C opened(C closeable) {
            open.push(closeable);
            return closeable;
        }

        @Override
        public void close() {
            for (AutoCloseable one : open) {
                OrtTensors.close(one);
            }
        }
    }
}
