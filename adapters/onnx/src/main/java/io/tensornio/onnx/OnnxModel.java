package io.tensornio.onnx;

import io.tensornio.internal.compute.Threads;
import io.tensornio.onnx.engine.Model;
import io.tensornio.value.Value;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * An ONNX model, run by the engine of this library: nothing else is needed, on the JVM and on Android.
 *
 * <pre>{@code
 * try (OnnxModel model = OnnxModel.load(path); Value out = model.run(Collections.singletonMap("x", tensor))) {
 *     out.get("y").asTensor().floatData();
 * }
 * }</pre>
 *
 * <p>Any number of threads may run it at once, and any of them close it: runs that have begun then end as they would.
 */
public final class OnnxModel implements AutoCloseable {
    /** Bytes of a model that are read at once, at most. */
    private static final int CHUNK = 1 << 16;

    private final String name;
    private final Model model;
    /** How many threads compute a run at most; 0 for all. */
    private final int threads;
    private final Map<String, ModelValue> inputs = new LinkedHashMap<>();
    private final Map<String, ModelValue> replaceable = new LinkedHashMap<>();
    private final Map<String, ModelValue> outputs = new LinkedHashMap<>();
    /** Read by runs, written by the close. */
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private boolean closed;

    private OnnxModel(String name, Model model, int threads) {
        this.name = name;
        this.model = model;
        this.threads = threads;
        model.inputs.forEach((key, info) -> inputs.put(key, new ModelValue(key, info.getType())));
        model.replaceable.forEach((key, info) -> replaceable.put(key, new ModelValue(key, info.getType())));
        model.outputs.forEach((key, info) -> outputs.put(key, new ModelValue(key, info.getType())));
    }

    /**
     * Loads a model from a file. Tensors that it keeps in other files are read from the same folder or below.
     *
     * @param path a file in ONNX's format
     * @return a model, which the caller closes
     * @throws UncheckedIOException if it cannot be read
     * @throws IllegalArgumentException if it is no model; or if it needs operators, domains or types that this engine does not have: all of them
     *     are named, with their nodes
     * @throws OutOfMemoryError if its tensors exceed the memory budget
     */
    public static OnnxModel load(Path path) {
        return load(path, Options.defaults());
    }

    /**
     * Loads a model from a file, with options.
     *
     * @param path a file in ONNX's format
     * @param options how it is loaded
     * @return a model, which the caller closes
     * @throws UncheckedIOException as {@link #load(Path)}
     * @throws IllegalArgumentException as {@link #load(Path)}; or if no axis has a name that the options fix
     * @throws OutOfMemoryError as {@link #load(Path)}
     */
    public static OnnxModel load(Path path, Options options) {
        Objects.requireNonNull(options, "options");
        return checked(read(path), folder(path), path.toString(), options);
    }

    /**
     * Loads a model from bytes. Tensors in other files are refused.
     *
     * @param bytes what a file in ONNX's format has
     * @return a model, which the caller closes
     * @throws IllegalArgumentException as {@link #load(Path)}
     * @throws OutOfMemoryError as {@link #load(Path)}
     */
    public static OnnxModel load(byte[] bytes) {
        return load(bytes, Options.defaults());
    }

    /**
     * Loads a model from bytes, with options. Tensors in other files are refused.
     *
     * @param bytes what a file in ONNX's format has
     * @param options how it is loaded
     * @return a model, which the caller closes
     * @throws IllegalArgumentException as {@link #load(Path, Options)}
     * @throws OutOfMemoryError as {@link #load(Path)}
     */
    public static OnnxModel load(byte[] bytes, Options options) {
        Objects.requireNonNull(options, "options");
        return checked(Objects.requireNonNull(bytes, "bytes"), null, "the model", options);
    }

    /**
     * Loads a model from a stream, which is read to its end and left open. Tensors in other files are refused.
     *
     * @param in what a file in ONNX's format has
     * @return a model, which the caller closes
     * @throws UncheckedIOException as {@link #load(Path)}
     * @throws IllegalArgumentException as {@link #load(Path)}
     * @throws OutOfMemoryError as {@link #load(Path)}
     */
    public static OnnxModel load(InputStream in) {
        return load(in, Options.defaults());
    }

    /**
     * Loads a model from a stream, with options.
     *
     * @param in what a file in ONNX's format has
     * @param options how it is loaded
     * @return a model, which the caller closes
     * @throws UncheckedIOException as {@link #load(Path)}
     * @throws IllegalArgumentException as {@link #load(Path, Options)}
     * @throws OutOfMemoryError as {@link #load(Path)}
     */
    public static OnnxModel load(InputStream in, Options options) {
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(in, "in");
        byte[] bytes;
        try {
            bytes = all(in, CHUNK);
        } catch (IOException e) {
            throw new UncheckedIOException("the model cannot be read: " + e.getMessage(), e);
        }
        return checked(bytes, null, "the model", options);
    }

    /**
     * What a model has that this engine does not support.
     *
     * @param path a file in ONNX's format
     * @return a line for each node, input, output and tensor at fault, in the model's order; none if it can be loaded
     * @throws UncheckedIOException as {@link #load(Path)}
     * @throws IllegalArgumentException if it is no model
     */
    public static List<String> unsupported(Path path) {
        List<String> unsupported = new ArrayList<>();
        Model.read(read(path), folder(path), unsupported, path.toString()).close();
        return unsupported;
    }

    private static byte[] read(Path path) {
        try (InputStream in = Files.newInputStream(Objects.requireNonNull(path, "path"))) {
            return all(in, Math.min(Files.size(path), Integer.MAX_VALUE - 8));
        } catch (IOException e) {
            throw new UncheckedIOException(path + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** All bytes of a stream that has about so many, some at a time: the JDK keeps a copy outside of the heap of what is read at once. */
    private static byte[] all(InputStream in, long about) throws IOException {
        byte[] bytes = new byte[(int) Math.max(about, 1)];
        int size = 0;
        while (true) {
            int count = in.read(bytes, size, Math.min(CHUNK, bytes.length - size));
            if (count < 0) {
                return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
            }
            size += count;
            if (size == bytes.length) {
                int next = in.read();
                if (next < 0) {
                    return bytes;
                }
                if (size == Integer.MAX_VALUE - 8) {
                    throw new IOException("a model has at most 2^31 - 9 bytes, besides what is in other files");
                }
                bytes = Arrays.copyOf(bytes, (int) Math.min(2L * size + CHUNK, Integer.MAX_VALUE - 8));
                bytes[size++] = (byte) next;
            }
        }
    }

    private static Path folder(Path path) {
        return path.toAbsolutePath().getParent();
    }

    private static OnnxModel checked(byte[] bytes, Path folder, String name, Options options) {
        List<String> unsupported = new ArrayList<>();
        Model model = Model.read(bytes, folder, unsupported, name);
        if (!unsupported.isEmpty()) {
            throw new IllegalArgumentException(name + " needs what this engine does not have:\n  " + String.join("\n  ", unsupported));
        }
        try {
            model.freeze(options.lengths());
        } catch (IllegalArgumentException e) {
            model.close();
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
        }
        return new OnnxModel(name, model, options.threads());
    }

    /**
     * The inputs that a run needs.
     *
     * @return an unmodifiable map by name, in the model's order
     */
    public Map<String, ModelValue> inputs() {
        return Collections.unmodifiableMap(inputs);
    }

    /**
     * The inputs that have a value in the model, which a run may replace by one of its own.
     *
     * @return an unmodifiable map by name, in the model's order
     */
    public Map<String, ModelValue> replaceable() {
        return Collections.unmodifiableMap(replaceable);
    }

    /**
     * The outputs.
     *
     * @return an unmodifiable map by name, in the model's order
     */
    public Map<String, ModelValue> outputs() {
        return Collections.unmodifiableMap(outputs);
    }

    /**
     * What the model says about itself.
     *
     * @return an unmodifiable map
     */
    public Map<String, String> metadata() {
        return Collections.unmodifiableMap(model.metadata);
    }

    /**
     * The versions of the operator sets that the model uses.
     *
     * @return an unmodifiable map by domain; the default one is the empty string
     */
    public Map<String, Long> opsets() {
        return Collections.unmodifiableMap(model.opsets);
    }

    /**
     * Runs the model. Interrupting the thread ends the run at the next node.
     *
     * @param given by the name of each input a dense tensor or a value of one, read in place; data, a number or nested arrays, which are copied; a
     *     list for a sequence
     * @param only the names of the outputs that are wanted; none for all of them. Nodes that these do not need are not run
     * @return a dictionary of the outputs by name, which the caller closes: tensors of their own, lists, optional values and dictionaries
     * @throws IllegalArgumentException if an input is missing, unknown, or of another type or shape than the model takes; or if a node cannot compute
     *     what it is given: the message names it
     * @throws IllegalStateException if this is closed
     * @throws ModelInterruptedException if the thread is interrupted
     * @throws io.tensornio.TensorClosedException if an input is closed
     * @throws OutOfMemoryError if values exceed the memory budget
     */
    public Value run(Map<String, ?> given, String... only) {
        Objects.requireNonNull(given, "inputs");
        Objects.requireNonNull(only, "outputs");
        Lock running = lock.readLock();
        running.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the model " + name + " is closed");
            }
            return threads == 0 ? model.run(given, only) : Threads.atMost(threads, () -> model.run(given, only));
        } finally {
            running.unlock();
        }
    }

    /** Lets runs end that have begun, and closes the model. Later runs are refused. Closing again does nothing. */
    @Override
    public void close() {
        Lock ending = lock.writeLock();
        ending.lock();
        try {
            if (!closed) {
                closed = true;
                model.close();
            }
        } finally {
            ending.unlock();
        }
    }

    /**
     * The inputs and outputs as a table.
     *
     * @return a line for each
     */
    @Override
    public String toString() {
        StringBuilder table = new StringBuilder("OnnxModel ").append(name);
        inputs.values().forEach(input -> table.append("\n  input  ").append(input));
        replaceable.values().forEach(input -> table.append("\n  input  ").append(input).append(", unless given the model's own"));
        outputs.values().forEach(output -> table.append("\n  output ").append(output));
        return table.toString();
    }
}
