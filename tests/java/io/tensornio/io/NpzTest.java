package io.tensornio.io;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.ellipsis;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.range;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorDescription;
import io.tensornio.TensorIndex;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Python;
import io.tensornio.support.Seeds;
import io.tensornio.value.Value;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** ZIP files of arrays: whole ones, parts of them, and those that somebody forged; and sparse matrices in such files. */
@ExtendWith(MemoryBalance.class)
class NpzTest {
    @TempDir
    Path folder;

    private Path path(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("file.npz"), bytes);
    }

    private static Value value() {
        Map<String, Tensor<?>> tensors = new LinkedHashMap<>();
        tensors.put("x", Tensors.ofNested(new float[][] {{0, 1, 2}, {3, 4, 5}}));
        tensors.put("\u00e4/name", Tensors.ofNested(new String[][] {{"a", "bc"}, {"", "\ud83d\ude00"}}));
        tensors.put("empty", Tensors.ofNested(new long[0]));
        tensors.put("flag", Tensors.denseBoolean(new long[0], data -> data.put(true)));
        return Value.dict(tensors);
    }

    private static byte[] written(Value value, boolean isCompressed) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (isCompressed) {
            Npz.writeCompressed(out, value);
        } else {
            Npz.write(out, value);
        }
        return out.toByteArray();
    }

    /** The bytes of a file with one entry. */
    private static byte[] written(Object entry) {
        return written(Value.dict(Collections.singletonMap("key", entry)), false);
    }

    private static byte[] npy(FloatTensorData data) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Npy.write(out, data);
        return out.toByteArray();
    }

    /** A file of entries as another program makes them. */
    private static byte[] zip(Object... namesAndBytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (int n = 0; n < namesAndBytes.length; n += 2) {
                byte[] bytes = (byte[]) namesAndBytes[n + 1];
                ZipEntry entry = new ZipEntry((String) namesAndBytes[n]);
                CRC32 crc = new CRC32();
                crc.update(bytes);
                entry.setMethod(ZipEntry.STORED);
                entry.setSize(bytes.length);
                entry.setCrc(crc.getValue());
                zip.putNextEntry(entry);
                zip.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        try (Value value = value()) {
            for (boolean isCompressed : new boolean[] {false, true}) {
                byte[] bytes = written(value, isCompressed);
                Path file = path(bytes);
                try (Value again = Npz.read(file); Value streamed = Npz.read(new ByteArrayInputStream(bytes)); TensorFile open = Npz.open(file)) {
                    assertEquals(value, again);
                    assertEquals(value, streamed);
                    assertEquals(Arrays.asList("x", "\u00e4/name", "empty", "flag"), open.names());
                    assertEquals(TensorDescription.of(DataType.FLOAT, 2, 3), open.description("x"));
                    assertEquals(Collections.emptyMap(), open.metadata());
                    for (String name : open.names()) {
                        try (Tensor<?> tensor = open.read(name)) {
                            assertEquals(value.get(name), Value.of(tensor));
                        }
                    }
                }
                Path other = folder.resolve("other.npz");
                if (isCompressed) {
                    Npz.writeCompressed(other, value);
                } else {
                    Npz.write(other, value);
                }
                assertArrayEquals(bytes, Files.readAllBytes(other));
            }
        }
    }

    @Test
    void selectedElementsAreRead() throws IOException {
        float[][] rows = new float[300][50];
        String[][] texts = new String[30][5];
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < rows[i].length; j++) {
                rows[i][j] = 100 * i + j;
                texts[i % 30][j % 5] = "s" + i % 30 + "." + j % 5;
            }
        }
        Map<String, Object> tensors = new LinkedHashMap<>();
        tensors.put("rows", Tensors.ofNested(rows));
        tensors.put("columns", Tensors.denseFloat(TensorLayout.columnMajor(300, 50), data -> {
            for (int i = 0; i < rows.length; i++) {
                data.put(rows[i], i);
            }
        }));
        tensors.put("texts", Tensors.ofNested(texts));
        try (Value value = Value.dict(tensors)) {
            TensorIndex[][] all = {{}, {at(3)}, {all(), at(-1)}, {range(4, 9), incl(3, 0, 3)}, {ellipsis(), at(1)}, {at(2), at(1)},
                {TensorIndex.flip(), TensorIndex.step(4)}, {ellipsis()}};
            for (boolean isCompressed : new boolean[] {false, true}) {
                try (TensorFile open = Npz.open(path(written(value, isCompressed)))) {
                    for (TensorIndex[] indices : all) {
                        for (String name : new String[] {"rows", "columns"}) {
                            try (Tensor<?> part = open.read(name, indices)) {
                                assertEquals(value.get(name).asTensor().floatData().slice(indices), part.floatData());
                            }
                        }
                        try (Tensor<?> part = open.read("texts", indices)) {
                            assertEquals(value.get("texts").asTensor().stringData().slice(indices), part.stringData());
                        }
                    }
                    Expect.thrown(IndexOutOfBoundsException.class, () -> open.read("texts", at(0), at(0), at(0)));
                    Expect.thrown(IndexOutOfBoundsException.class, () -> open.read("rows", at(0), at(0), at(0)));
                }
            }
        }
    }

    private void refuse(byte[] bytes, String... parts) throws IOException {
        Path file = path(bytes);
        Expect.exactly(IllegalArgumentException.class, () -> Npz.read(file), parts);
        Expect.exactly(IllegalArgumentException.class, () -> Npz.read(new ByteArrayInputStream(bytes)), parts);
    }

    @Test
    void whatIsNoZipFileIsRefused() throws IOException {
        refuse(new byte[0], "no ZIP file");
        refuse(new byte[100], "no ZIP file");
        byte[] good = zip("a.npy", npy(FloatTensorData.of(new float[] {1})));
        refuse(Arrays.copyOf(good, good.length - 1), "no ZIP file");
        refuse(Arrays.copyOfRange(good, 1, good.length), "the directory");
        Npz.read(path(zip())).close();
    }

    @Test
    void entriesThatAreNoArraysAreRefused() throws IOException {
        refuse(zip("a.txt", new byte[3]), "a.txt", "no .npy");
        refuse(zip("folder/", new byte[0]), "folder/", "no .npy");
        refuse(zip("a.npy", new byte[30]), "a.npy", "x93NUMPY");
        byte[] array = npy(FloatTensorData.of(new float[] {1}));
        refuse(zip("a.npy", Arrays.copyOf(array, array.length + 1)), "a.npy", "1 bytes follow");
        Path cut = path(zip("a.npy", Arrays.copyOf(array, array.length - 1)));
        Expect.exactly(UncheckedIOException.class, () -> Npz.read(cut), "a.npy", "truncated");
    }

    /** The place of a header of a file. */
    private static int find(byte[] bytes, int signature, int from) {
        ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int at = from;
        while (all.getInt(at) != signature) {
            at++;
        }
        return at;
    }

    private static final int CENTRAL = 0x02014b50;

    private static byte[] changed(byte[] bytes, int at, int... values) {
        byte[] changed = bytes.clone();
        for (int n = 0; n < values.length; n++) {
            changed[at + n] = (byte) values[n];
        }
        return changed;
    }

    @Test
    void methodsEncryptionAndDuplicatesAreRefused() throws IOException {
        byte[] array = npy(FloatTensorData.of(new float[] {1}));
        byte[] good = zip("a.npy", array, "b.npy", array);
        int first = find(good, CENTRAL, 0);
        int second = find(good, CENTRAL, first + 1);
        refuse(changed(good, first + 10, 12), "a.npy", "method 12");
        refuse(changed(good, first + 8, 1), "a.npy", "encrypted");
        refuse(changed(good, second + 46, 'a'), "a.npy", "twice");
        refuse(changed(good, first + 20, 1), "a.npy", "stored");
        refuse(changed(good, second + 42, 0, 0, 0, 0), "a.npy", "does not fit");
        refuse(changed(good, second + 42, 0xff, 0xff, 0xff, 0x7f), "b.npy", "does not fit");
        refuse(changed(good, first + 16, 1, 2, 3, 4), "a.npy", "checksum");
        refuse(changed(good, good.length - 22 + 10, 9), "the directory");
        refuse(changed(good, good.length - 22 + 4, 1), "the directory");
        refuse(changed(good, 8, 8), "a.npy", "not what the directory says");
        refuse(changed(good, 30, 'c'), "a.npy", "not what the directory says");
        refuse(changed(good, 26, 4), "a.npy", "not what the directory says");
    }

    @Test
    void whatIsCompressedAndMalformedIsRefused() throws IOException {
        try (Tensor<?> tensor = Tensors.ofNested(new float[1000])) {
            byte[] good = written(Value.dict(Collections.singletonMap("a", tensor)), true);
            int central = find(good, CENTRAL, 0);
            refuse(changed(good, 35, 0xff, 0xff, 0xff), "a.npy");                           // a block of a type that there is not
            refuse(changed(good, central + 16, 0, 0, 0, 0), "a.npy", "checksum");
            for (int[] size : new int[][] {{0x10, 0, 0, 0}, {0x9f, 0x10, 0, 0}, {0xff, 0xff, 0xff, 0x7f}}) {
                Path file = path(changed(good, central + 24, size));
                RuntimeException e = assertThrows(RuntimeException.class, () -> Npz.read(file));
                assertTrue(e instanceof IllegalArgumentException || e instanceof UncheckedIOException, e.toString());
                Expect.says(e, "a.npy");
            }
        }
    }

    @Test
    void whatNumPyDoesNotHaveIsRefusedByItsKey() {
        try (Tensor<?> one = Tensors.ofNested(new float[] {1}); Value list = Value.list(Collections.singletonList(one));
                SparseTensor<Float> sparse = Tensors.sparseFloat(new long[] {2}, 0, data -> { });
                RaggedTensor<Float> ragged = Tensors.raggedFloat(new long[] {2, -1}, data -> { });
                Tensor<String> nul = Tensors.ofNested(new String[] {"\0"})) {
            Expect.exactly(IllegalArgumentException.class, () -> written(list), "\"key\"", "LIST");
            Expect.exactly(IllegalArgumentException.class, () -> written(sparse), "\"key\"", "SparseTensor", "writeSparse");
            Expect.exactly(IllegalArgumentException.class, () -> written(ragged), "\"key\"", "RaggedTensor");
            Expect.exactly(IllegalArgumentException.class, () -> written(nul), "NUL");
        }
    }

    @Test
    void noBytesOfAnyKindDoHarm() {
        Seeds.each(3, 300, (random, done) -> {
            try (Value value = value()) {
                byte[] bytes = written(value, random.nextBoolean());
                int directory = find(bytes, CENTRAL, 0);
                for (int n = random.nextInt(4); n > 0; n--) {
                    int at = random.nextBoolean() ? directory + random.nextInt(bytes.length - directory) : random.nextInt(bytes.length);
                    bytes[at] ^= 1 << random.nextInt(8);
                }
                byte[] changed = Arrays.copyOf(bytes, random.nextInt(5) == 0 ? random.nextInt(2 * bytes.length) : bytes.length);
                done.append(": ").append(Base64.getEncoder().encodeToString(changed));
                survives(() -> Npz.read(new ByteArrayInputStream(changed)).close());
                Path file = path(changed);
                survives(() -> Npz.read(file).close());
                survives(() -> Npz.readSparse(file).close());
                survives(() -> {
                    try (TensorFile open = Npz.open(file)) {
                        for (String name : open.names()) {
                            survives(() -> open.description(name));
                            survives(() -> open.read(name, ellipsis()).close());
                        }
                    }
                });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static void survives(Runnable call) {
        try {
            call.run();
        } catch (IllegalArgumentException | UncheckedIOException e) {
            assertFalse(String.valueOf(e.getMessage()).isEmpty());
        } catch (OutOfMemoryError e) {
            assertTrue(e.getMessage().contains("budget"), e.getMessage());
        }
    }

    @Test
    void numPyReadsAndWritesTheSame() throws IOException, InterruptedException {
        Path ours = folder.resolve("ours.npz");
        Path packed = folder.resolve("packed.npz");
        Path theirs = folder.resolve("theirs.npz");
        Path theirsPacked = folder.resolve("theirs-packed.npz");
        try (Value value = value()) {
            Npz.write(ours, value);
            Npz.writeCompressed(packed, value);
            String printed = Python.run("import numpy, sys\n"
                + "for path in sys.argv[1:3]:\n"
                + "    arrays = numpy.load(path)\n"
                + "    print([(name, arrays[name].tolist()) for name in arrays.files])\n"
                + "numpy.savez(sys.argv[3], **arrays)\n"
                + "numpy.savez_compressed(sys.argv[4], **arrays)\n", ours, packed, theirs, theirsPacked);
            String one = "[('x', [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]), ('\u00e4/name', [['a', 'bc'], ['', '\ud83d\ude00']]), "
                + "('empty', []), ('flag', True)]\n";
            assertEquals(one + one, printed.replace("\r", ""));
            for (Path file : new Path[] {theirs, theirsPacked}) {
                try (Value again = Npz.read(file)) {
                    assertEquals(value, again);
                }
            }
        }
    }

    // ---- Sparse matrices -----------------------------------------------------------------------------------------------

    private static SparseTensor<Double> matrix() {
        return Tensors.sparseDouble(new long[] {4, 3}, 4, data -> {
            data.put(1.5, 0, 2);
            data.put(-2, 2, 0);
            data.put(0, 2, 1);
            data.put(7, 2, 2);
        });
    }

    @Test
    void sparseMatricesAreWrittenAndRead() {
        Path file = folder.resolve("sparse.npz");
        try (SparseTensor<Double> matrix = matrix()) {
            Npz.writeSparse(file, matrix);
            try (SparseTensor<?> again = Npz.readSparse(file); Value arrays = Npz.read(file)) {
                assertEquals(matrix.doubleData(), again.doubleData());
                assertEquals(4, again.values().numElements());
                assertEquals("[indices, indptr, format, shape, data]", arrays.asDict().keySet().toString());
                assertEquals("INT32[5] [0, 1, 1, 4, 4]", arrays.get("indptr").asTensor().toString());
                assertEquals("INT32[4] [2, 0, 1, 2]", arrays.get("indices").asTensor().toString());
            }
        }
        try (SparseTensor<Float> vector = Tensors.sparseFloat(new long[] {3}, 0, data -> { })) {
            Expect.exactly(IllegalArgumentException.class, () -> Npz.writeSparse(file, vector), "rank 1");
        }
        try (SparseTensor<String> strings = Tensors.sparseString(new long[] {3, 3}, 0, data -> { })) {
            Expect.exactly(IllegalArgumentException.class, () -> Npz.writeSparse(file, strings), "STRING");
        }
    }

    /** The arrays of a matrix of 2 rows and 3 columns. */
    private Path sparse(String format, Object... namesAndArrays) {
        Map<String, Object> tensors = new LinkedHashMap<>();
        tensors.put("format", Tensors.denseString(new long[0], data -> data.put(format)));
        tensors.put("shape", Tensors.ofNested(new long[] {2, 3}));
        for (int n = 0; n < namesAndArrays.length; n += 2) {
            tensors.put((String) namesAndArrays[n], Tensors.ofNested(namesAndArrays[n + 1]));
        }
        Path file = folder.resolve("sparse.npz");
        try (Value value = Value.dict(tensors)) {
            Npz.write(file, value);
        }
        return file;
    }

    @Test
    void valuesAtOnePlaceAreAdded() {
        Object[] all = {new float[] {1, 2, 4, 8}, new double[] {1, 2, 4, 8}, new int[] {1, 2, 4, 8}, new long[] {1, 2, 4, 8},
            new byte[] {1, 2, 4, 8}};
        String[] sums = {"[[0., 0., 5.],\n [8., 2., 0.]]", "[[0., 0., 5.],\n [8., 2., 0.]]", "[[0, 0, 5],\n [8, 2, 0]]", "[[0, 0, 5],\n [8, 2, 0]]",
            "[[0, 0, 5],\n [8, 2, 0]]"};
        for (int n = 0; n < all.length; n++) {
            Path coo = sparse("coo", "row", new int[] {0, 1, 0, 1}, "col", new long[] {2, 1, 2, 0}, "data", all[n]);
            try (SparseTensor<?> matrix = Npz.readSparse(coo); Tensor<?> dense = matrix.toDense()) {
                assertEquals(3, matrix.values().numElements());
                assertTrue(dense.toString().contains(sums[n]), dense.toString());
            }
        }
        Path csr = sparse("csr", "indptr", new int[] {0, 2, 3}, "indices", new int[] {1, 1, 0}, "data", new boolean[] {false, true, true});
        try (SparseTensor<?> matrix = Npz.readSparse(csr)) {
            assertEquals(2, matrix.values().numElements());
            assertTrue(matrix.booleanData().get(0, 1));
        }
    }

    private void refuseSparse(Path file, String... parts) {
        Expect.exactly(IllegalArgumentException.class, () -> Npz.readSparse(file), parts);
    }

    @Test
    void forgedMatricesAreRefused() {
        float[] data = {1, 2};
        int[] good = {0, 1};
        refuseSparse(sparse("csc", "indptr", new int[] {0, 1, 2, 2}, "indices", good, "data", data), "csc", "tocsr");
        refuseSparse(sparse("csr", "indptr", new int[] {0, 1, 2}, "data", data), "\"indices\" is missing");
        refuseSparse(sparse("csr", "indptr", new int[] {0, 1, 2}, "indices", new int[] {0, 3}, "data", data), "column 3 of 3");
        refuseSparse(sparse("csr", "indptr", new int[] {0, 1, 2}, "indices", new int[] {0, -1}, "data", data), "column -1 of 3");
        refuseSparse(sparse("csr", "indptr", new int[] {0, 3, 2}, "indices", good, "data", data), "row 0");
        refuseSparse(sparse("csr", "indptr", new int[] {0, -1, 2}, "indices", good, "data", data), "row 0");
        refuseSparse(sparse("csr", "indptr", new int[] {1, 1, 2}, "indices", good, "data", data), "rows begin at 1");
        refuseSparse(sparse("csr", "indptr", new int[] {0, 1, 1}, "indices", good, "data", data), "end at 1");
        refuseSparse(sparse("csr", "indptr", new int[] {0, 2}, "indices", good, "data", data), "2 beginnings of rows, of 2 rows");
        refuseSparse(sparse("csr", "indptr", new float[] {0, 1, 2}, "indices", good, "data", data), "\"indptr\" is FLOAT");
        refuseSparse(sparse("csr", "indptr", new int[] {0, 1, 2}, "indices", good, "data", new float[2][1]), "\"data\"", "rank 2");
        refuseSparse(sparse("coo", "row", new int[] {0, 2}, "col", good, "data", data), "row 2 of 2");
        refuseSparse(sparse("coo", "row", new int[] {0}, "col", good, "data", data), "1 rows");
        refuseSparse(sparse("coo", "row", good, "col", good, "data", new String[] {"a", "b"}), "strings");
    }

    @Test
    void scipyReadsAndWritesTheSame() throws IOException, InterruptedException {
        Path ours = folder.resolve("ours.npz");
        Path csr = folder.resolve("csr.npz");
        Path coo = folder.resolve("coo.npz");
        try (SparseTensor<Double> matrix = matrix()) {
            Npz.writeSparse(ours, matrix);
            String printed = Python.run("import scipy.sparse, sys\n"
                + "m = scipy.sparse.load_npz(sys.argv[1])\n"
                + "print(m.format, m.dtype, m.indices.dtype, m.nnz, m.toarray().tolist())\n"
                + "scipy.sparse.save_npz(sys.argv[2], m)\n"
                + "c = scipy.sparse.coo_array(m)\n"
                + "scipy.sparse.save_npz(sys.argv[3], c, compressed=False)\n", ours, csr, coo);
            assertEquals("csr float64 int32 4 [[0.0, 0.0, 1.5], [0.0, 0.0, 0.0], [-2.0, 0.0, 7.0], [0.0, 0.0, 0.0]]\n", printed.replace("\r", ""));
            for (Path file : new Path[] {csr, coo}) {
                try (SparseTensor<?> again = Npz.readSparse(file)) {
                    assertEquals(matrix.doubleData(), again.doubleData());
                }
            }
        }
    }
}
