package io.tensornio.io;

import io.tensornio.SparseTensor;
import io.tensornio.internal.file.NpzFile;
import io.tensornio.internal.file.SparseFile;
import io.tensornio.value.Value;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;

/**
 * NumPy's {@code .npz} files, which are ZIP files of {@code .npy} files, and scipy's sparse matrices, which are such files.
 *
 * <pre>{@code
 * try (Value all = Npz.read(path)) {                 // numpy.savez(path, x=..., y=...)
 *     all.get("x").asTensor().floatData();
 * }
 * Npz.write(path, Value.dict(tensors));              // numpy.load(path)['x']
 * }</pre>
 *
 * <p>Names are those of the entries without {@code .npy}. What is read are stored and deflated entries, also beyond 4 GiB, by the directory of the
 * file, with their checksums; refused, by name, are other methods, encrypted entries, names that are there twice, entries that are no {@code .npy},
 * those that overlap, and whatever {@link Npy} refuses. What is written by {@code write} is stored, as {@code numpy.savez} does, and by
 * {@code writeCompressed} deflated; the arrays are as {@link Npy} writes them.
 *
 * <p>Elements go between file and native memory in one pass, without arrays of their size. Before memory is taken, it is known that the elements are
 * there; for what is compressed, it grows as they come. A stream is read to its end first, into native memory, since the directory is there. What
 * comes of a fault: {@link java.io.UncheckedIOException} if a file or a stream is missing, ends too early or fails, {@link IllegalArgumentException}
 * with its name and the fault if it is not what it should be, and {@link OutOfMemoryError} if a tensor exceeds the memory budget. A file is written
 * beside the one that is there and then moved to its place, so that a failure leaves the old one.
 */
public final class Npz {
    private Npz() {
    }

    /**
     * Reads a file.
     *
     * @param file the file
     * @return its arrays by name, as a value of kind DICT in the order of the file; closing it closes them
     * @throws IllegalArgumentException if it is no such file, or has an array of a type that is not read
     * @throws java.io.UncheckedIOException if it cannot be read
     * @throws OutOfMemoryError if the tensors exceed the memory budget
     */
    public static Value read(Path file) {
        return Value.dict(NpzFile.read(file));
    }

    /**
     * Reads a stream to its end.
     *
     * @param in the stream, which stays open
     * @return its arrays by name, as a value of kind DICT in the order of the stream's directory; closing it closes them
     * @throws IllegalArgumentException if it is no such file, or has an array of a type that is not read
     * @throws java.io.UncheckedIOException if it cannot be read
     * @throws OutOfMemoryError if the tensors, and the bytes of the stream, exceed the memory budget
     */
    public static Value read(InputStream in) {
        return Value.dict(NpzFile.read(in));
    }

    /**
     * Opens a file, of which arrays are then read one by one.
     *
     * @param file the file
     * @return the open file, which the caller closes
     * @throws IllegalArgumentException if it is no such file
     * @throws java.io.UncheckedIOException if it cannot be read
     */
    public static TensorFile open(Path file) {
        return new TensorFile(NpzFile.open(file));
    }

    /**
     * Writes a file whose entries are stored.
     *
     * @param file the file, which is replaced if it is there
     * @param dict a value of kind DICT, of dense tensors
     * @throws IllegalArgumentException if an entry is no dense tensor, or is none that {@link Npy} writes
     * @throws IllegalStateException if the value is of another kind
     * @throws java.io.UncheckedIOException if it cannot be written
     * @throws io.tensornio.TensorClosedException if a tensor is closed
     */
    public static void write(Path file, Value dict) {
        NpzFile.write(file, Safetensors.tensors(dict), false);
    }

    /**
     * Writes to a stream, with entries that are stored.
     *
     * @param out the stream, which is neither flushed nor closed
     * @param dict a value of kind DICT, of dense tensors
     * @throws IllegalArgumentException if an entry is no dense tensor, or is none that {@link Npy} writes
     * @throws IllegalStateException if the value is of another kind
     * @throws java.io.UncheckedIOException if it cannot be written
     * @throws io.tensornio.TensorClosedException if a tensor is closed
     */
    public static void write(OutputStream out, Value dict) {
        NpzFile.write(out, Safetensors.tensors(dict), false);
    }

    /**
     * Writes a file whose entries are deflated.
     *
     * @param file the file, which is replaced if it is there
     * @param dict a value of kind DICT, of dense tensors
     * @throws IllegalArgumentException if an entry is no dense tensor, or is none that {@link Npy} writes
     * @throws IllegalStateException if the value is of another kind
     * @throws java.io.UncheckedIOException if it cannot be written
     * @throws io.tensornio.TensorClosedException if a tensor is closed
     */
    public static void writeCompressed(Path file, Value dict) {
        NpzFile.write(file, Safetensors.tensors(dict), true);
    }

    /**
     * Writes to a stream, with entries that are deflated.
     *
     * @param out the stream, which is neither flushed nor closed
     * @param dict a value of kind DICT, of dense tensors
     * @throws IllegalArgumentException if an entry is no dense tensor, or is none that {@link Npy} writes
     * @throws IllegalStateException if the value is of another kind
     * @throws java.io.UncheckedIOException if it cannot be written
     * @throws io.tensornio.TensorClosedException if a tensor is closed
     */
    public static void writeCompressed(OutputStream out, Value dict) {
        NpzFile.write(out, Safetensors.tensors(dict), true);
    }

    /**
     * Reads a sparse matrix that {@code scipy.sparse.save_npz} wrote, in the format csr or coo. Values at the same place are added, as scipy does.
     *
     * @param file the file
     * @return the matrix, which the caller closes
     * @throws IllegalArgumentException if it is no such file, of another format, or its indices are outside of its shape
     * @throws java.io.UncheckedIOException if it cannot be read
     * @throws OutOfMemoryError if it exceeds the memory budget
     */
    public static SparseTensor<?> readSparse(Path file) {
        return SparseFile.read(file);
    }

    /**
     * Writes a sparse matrix as {@code scipy.sparse.load_npz} reads it, in the format csr, deflated.
     *
     * @param file the file, which is replaced if it is there
     * @param matrix a tensor of rank 2, not of strings
     * @throws IllegalArgumentException if it has another rank or a type that NumPy does not have
     * @throws java.io.UncheckedIOException if it cannot be written
     * @throws io.tensornio.TensorClosedException if it is closed
     */
    public static void writeSparse(Path file, SparseTensor<?> matrix) {
        SparseFile.write(file, matrix);
    }
}
