package io.tensornio.io;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.TensorDescription;
import io.tensornio.internal.file.NpyFile;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Objects;

/**
 * NumPy's {@code .npy} files: one array each.
 *
 * <pre>{@code
 * try (Tensor<?> image = Npy.read(path)) {
 *     image.floatData().get(0, 0);
 * }
 * Npy.write(path, tensor.floatData());
 * }</pre>
 *
 * <p>What is read are the versions 1.0 to 3.0 of the format, of either byte order, in C or Fortran order, of numbers and booleans whose type is a
 * {@link DataType}, of {@code U} strings, and of {@code S} strings as their bytes, see {@link io.tensornio.StringTensorData#getBytes}. Of a BOOL, any
 * byte but 0 is true. NULs at the end of strings are no part of them. Objects are refused: nothing is ever unpickled; so are structured arrays,
 * complex numbers, dates and times, each by its dtype. The header has at most 64 KiB.
 *
 * <p>What is written are the bytes that NumPy 2 writes for an array with these elements. A view whose {@code transpose()} is contiguous is in Fortran
 * order, as it is for NumPy, all other data in C order. Strings are {@code U} of the longest of them.
 *
 * <p>Elements go between file and native memory in one pass, without arrays of their size. Before memory is taken, it is known that the elements are
 * there; for those of streams, it grows as they come. What comes of a fault: {@link java.io.UncheckedIOException} if a file or a stream is missing,
 * ends too early or fails, {@link IllegalArgumentException} with its name and the fault if it is not what it should be, and {@link OutOfMemoryError}
 * if the tensor exceeds the memory budget. A file is written beside the one that is there and then moved to its place, so that a failure leaves
 * the old one.
 */
public final class Npy {
    private Npy() {
    }

    /**
     * Reads a file.
     *
     * @param file the file, which ends with its array
     * @return the array as a tensor, in row-major order
     * @throws IllegalArgumentException if it is no such file, or of a type that is not read
     * @throws java.io.UncheckedIOException if it cannot be read, or is truncated
     * @throws OutOfMemoryError if the tensor exceeds the memory budget
     */
    public static Tensor<?> read(Path file) {
        return NpyFile.read(file, null);
    }

    /**
     * Reads a file with elements of a type.
     *
     * @param file the file, which ends with its array
     * @param type the type that the elements must have
     * @return the array as a tensor, in row-major order
     * @throws IllegalArgumentException if it is no such file, or its elements are of another type
     * @throws java.io.UncheckedIOException if it cannot be read, or is truncated
     * @throws OutOfMemoryError if the tensor exceeds the memory budget
     */
    public static Tensor<?> read(Path file, DataType type) {
        return NpyFile.read(file, Objects.requireNonNull(type, "type"));
    }

    /**
     * Reads an array of a stream.
     *
     * @param in the stream, of which nothing behind the array is read, and which stays open
     * @return the array as a tensor, in row-major order
     * @throws IllegalArgumentException if it is no such array, or of a type that is not read
     * @throws java.io.UncheckedIOException if it cannot be read, or ends within the array
     * @throws OutOfMemoryError if the tensor exceeds the memory budget
     */
    public static Tensor<?> read(InputStream in) {
        return NpyFile.read(in);
    }

    /**
     * Makes a tensor of a file without reading it: its elements stay there, and the system reads them as they are needed. It is read-only, counts as
     * {@link io.tensornio.MemoryStats#mappedBytes()}, outside of the memory budget, and keeps the file open until it is closed. An array in Fortran's
     * order is a tensor with a column-major layout.
     *
     * <p>An array whose elements are not in the machine's byte order, or not aligned, strings, and what cannot be mapped, such as a pipe or a file in
     * an archive, are read as by {@link #read(Path)}, and so is everything on Android.
     *
     * <p>Native code, such as that of comprehensions and operations, and bulk copies read the file, not the mapping. Statements that read each
     * element once or twice, such as sums, read it by parts as they need them; for others, such as matrix products, it is copied into native memory
     * for the call. Streams and iterators read ahead. So if somebody cuts the file short, they throw an {@link java.io.UncheckedIOException} with
     * file and position, while an element that is read alone throws an {@link InternalError}. {@linkplain io.tensornio.interop.Pin Pins} and
     * {@linkplain Tensor#asByteBuffer() buffers} are the mapping itself: they are for files that nobody cuts, since foreign code that reads them then
     * dies, and the JVM with it. Somebody who overwrites the file changes the tensor. On Windows nobody can delete the file before a collection has
     * found the tensor closed or unreachable.
     *
     * @param file the file, which ends with its array
     * @return the array as a tensor, which the caller closes
     * @throws IllegalArgumentException if it is no such file, or of a type that is not read
     * @throws java.io.UncheckedIOException if it cannot be read, or is truncated
     * @throws OutOfMemoryError if it is read, and exceeds the memory budget
     */
    public static Tensor<?> map(Path file) {
        return NpyFile.map(Objects.requireNonNull(file, "file"));
    }

    /**
     * Reads what a file says of its array, whose elements are not read.
     *
     * @param file the file, which ends with its array
     * @return type and shape; with a column-major layout if the array is in Fortran order
     * @throws IllegalArgumentException if it is no such file, or of a type that is not read
     * @throws java.io.UncheckedIOException if it cannot be read, or is truncated
     */
    public static TensorDescription describe(Path file) {
        return NpyFile.describe(file);
    }

    /**
     * Writes a file.
     *
     * @param file the file, which is replaced if it is there
     * @param data the elements, of any data that is not ragged
     * @throws IllegalArgumentException if the data is ragged, of a type that NumPy does not have, or has a string that ends with NUL
     * @throws java.io.UncheckedIOException if it cannot be written
     * @throws io.tensornio.TensorClosedException if the data's tensor is closed
     */
    public static void write(Path file, TensorData<?> data) {
        NpyFile.write(file, data);
    }

    /**
     * Writes an array to a stream.
     *
     * @param out the stream, which is neither flushed nor closed
     * @param data the elements, of any data that is not ragged
     * @throws IllegalArgumentException if the data is ragged, of a type that NumPy does not have, or has a string that ends with NUL
     * @throws java.io.UncheckedIOException if it cannot be written
     * @throws io.tensornio.TensorClosedException if the data's tensor is closed
     */
    public static void write(OutputStream out, TensorData<?> data) {
        NpyFile.write(out, data);
    }
}
