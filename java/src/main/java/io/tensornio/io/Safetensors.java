package io.tensornio.io;

import io.tensornio.AnyTensor;
import io.tensornio.internal.file.SafetensorsFile;
import io.tensornio.value.Value;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Safetensors files: dense tensors by name, and texts about them, as models are stored.
 *
 * <pre>{@code
 * try (TensorFile file = Safetensors.open(path)) {
 *     Tensor<?> first = file.read("embedding", range(0, 100));       // reads 100 rows of it, and no more
 * }
 * try (Value all = Safetensors.read(path)) {
 *     all.get("bias").asTensor();
 * }
 * }</pre>
 *
 * <p>Types are those of {@link io.tensornio.DataType} but STRING. Refused, by name, are headers that are longer than the file, longer than 100 MB,
 * not UTF-8, not JSON or nested deeply; keys that are there twice; types that are unknown, or that this library does not have; and tensors whose
 * places are outside of the file, overlap, leave holes, or have not the bytes of their shapes.
 *
 * <p>What is written are the bytes that Python's {@code save_file} writes for the same dictionary: larger types first, then by name. (With several
 * texts of metadata, their order is that of the map; in Python it is random.)
 *
 * <p>Elements go between file and native memory in one pass, without arrays of their size. Before memory is taken, it is known that the elements are
 * there; for those of streams, it grows as they come. What comes of a fault: {@link java.io.UncheckedIOException} if a file or a stream is missing,
 * ends too early or fails, {@link IllegalArgumentException} with its name and the fault if it is not what it should be, and {@link OutOfMemoryError}
 * if a tensor exceeds the memory budget. A file is written beside the one that is there and then moved to its place, so that a failure leaves
 * the old one.
 */
public final class Safetensors {
    private Safetensors() {
    }

    /**
     * Reads a file.
     *
     * @param file the file
     * @return its tensors by name, as a value of kind DICT in the order of the file; closing it closes them
     * @throws IllegalArgumentException if it is no such file, or has a tensor of a type that is not read
     * @throws java.io.UncheckedIOException if it cannot be read, or is truncated
     * @throws OutOfMemoryError if the tensors exceed the memory budget
     */
    public static Value read(Path file) {
        return Value.dict(SafetensorsFile.read(file));
    }

    /**
     * Reads a stream.
     *
     * @param in the stream, of which nothing behind the tensors is read, and which stays open
     * @return its tensors by name, as a value of kind DICT in the order of the stream; closing it closes them
     * @throws IllegalArgumentException if it is none, or has a tensor of a type that is not read
     * @throws java.io.UncheckedIOException if it cannot be read, or ends within the tensors
     * @throws OutOfMemoryError if the tensors exceed the memory budget
     */
    public static Value read(InputStream in) {
        return Value.dict(SafetensorsFile.read(in));
    }

    /**
     * Opens a file, of which tensors are then read one by one.
     *
     * @param file the file
     * @return the open file, which the caller closes
     * @throws IllegalArgumentException if it is no such file
     * @throws java.io.UncheckedIOException if it cannot be read, or is truncated
     */
    public static TensorFile open(Path file) {
        return new TensorFile(SafetensorsFile.open(file));
    }

    /**
     * Opens a file whose tensors stay in it: {@link TensorFile#read(String)} reads no element, but gives a tensor that is mapped, as by
     * {@link Npy#map}, and keeps the file open until it is closed, too. A tensor that is not aligned to its elements is read; and where files
     * cannot be mapped this is {@link #open}.
     *
     * @param file the file
     * @return the open file, which the caller closes
     * @throws IllegalArgumentException if it is no such file
     * @throws java.io.UncheckedIOException if it cannot be read, or is truncated
     */
    public static TensorFile map(Path file) {
        return new TensorFile(SafetensorsFile.map(file));
    }

    /**
     * Writes a file without metadata.
     *
     * @param file the file, which is replaced if it is there
     * @param dict a value of kind DICT, of dense tensors
     * @throws IllegalArgumentException if an entry is no dense tensor, is one of strings, or has no name for this format
     * @throws IllegalStateException if the value is of another kind
     * @throws java.io.UncheckedIOException if it cannot be written
     * @throws io.tensornio.TensorClosedException if a tensor is closed
     */
    public static void write(Path file, Value dict) {
        write(file, dict, Collections.emptyMap());
    }

    /**
     * Writes a file.
     *
     * @param file the file, which is replaced if it is there
     * @param dict a value of kind DICT, of dense tensors
     * @param metadata texts by their keys; none for a file without
     * @throws IllegalArgumentException if an entry is no dense tensor, is one of strings, or has no name for this format
     * @throws IllegalStateException if the value is of another kind
     * @throws java.io.UncheckedIOException if it cannot be written
     * @throws io.tensornio.TensorClosedException if a tensor is closed
     */
    public static void write(Path file, Value dict, Map<String, String> metadata) {
        SafetensorsFile.write(file, tensors(dict), new LinkedHashMap<>(Objects.requireNonNull(metadata, "metadata")));
    }

    /**
     * Writes to a stream, without metadata.
     *
     * @param out the stream, which is neither flushed nor closed
     * @param dict a value of kind DICT, of dense tensors
     * @throws IllegalArgumentException if an entry is no dense tensor, is one of strings, or has no name for this format
     * @throws IllegalStateException if the value is of another kind
     * @throws java.io.UncheckedIOException if it cannot be written
     * @throws io.tensornio.TensorClosedException if a tensor is closed
     */
    public static void write(OutputStream out, Value dict) {
        write(out, dict, Collections.emptyMap());
    }

    /**
     * Writes to a stream.
     *
     * @param out the stream, which is neither flushed nor closed
     * @param dict a value of kind DICT, of dense tensors
     * @param metadata texts by their keys; none for a stream without
     * @throws IllegalArgumentException if an entry is no dense tensor, is one of strings, or has no name for this format
     * @throws IllegalStateException if the value is of another kind
     * @throws java.io.UncheckedIOException if it cannot be written
     * @throws io.tensornio.TensorClosedException if a tensor is closed
     */
    public static void write(OutputStream out, Value dict, Map<String, String> metadata) {
        SafetensorsFile.write(out, tensors(dict), new LinkedHashMap<>(Objects.requireNonNull(metadata, "metadata")));
    }

    /** The tensors of a dictionary, of whatever kind. */
    static Map<String, AnyTensor<?>> tensors(Value dict) {
        Map<String, AnyTensor<?>> tensors = new LinkedHashMap<>();
        Objects.requireNonNull(dict, "dict").asDict().forEach((name, value) -> {
            if (value.kind() != Value.Kind.TENSOR) {
                throw new IllegalArgumentException("\"" + name + "\" is of the kind " + value.kind() + ": a file has tensors alone, none in another");
            }
            tensors.put(name, value.asTensor());
        });
        return tensors;
    }
}
