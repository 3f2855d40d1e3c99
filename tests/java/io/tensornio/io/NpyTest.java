package io.tensornio.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AbstractFloatTensorData;
import io.tensornio.BooleanTensorData;
import io.tensornio.ByteTensorData;
import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorData;
import io.tensornio.TensorDescription;
import io.tensornio.TensorIndex;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Python;
import io.tensornio.support.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Arrays of NumPy: those that it wrote are in {@code tests/files/npy.txt}, and it reads what is written here, where there is a Python. */
@ExtendWith(MemoryBalance.class)
class NpyTest {
    @TempDir
    Path folder;

    private static byte[] file(String header, byte... elements) {
        return file(1, header.getBytes(StandardCharsets.ISO_8859_1), elements);
    }

    private static byte[] file(int version, byte[] header, byte... elements) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] magic = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) version, 0, (byte) header.length, (byte) (header.length >> 8), 0, 0};
        out.write(magic, 0, version == 1 ? 10 : 12);
        out.write(header, 0, header.length);
        out.write(elements, 0, elements.length);
        return out.toByteArray();
    }

    private static String dict(String dtype, String shape) {
        return "{'descr': '" + dtype + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
    }

    private Path path(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("file.npy"), bytes);
    }

    /** Reads bytes from a file and from a stream, which must be the same. */
    private Tensor<?> read(byte[] bytes) throws IOException {
        Tensor<?> tensor = Npy.read(path(bytes));
        try (Tensor<?> streamed = Npy.read(new ByteArrayInputStream(bytes))) {
            assertEquals(streamed.toString(), tensor.toString());
        }
        return tensor;
    }

    private static byte[] written(TensorData<?> data) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Npy.write(out, data);
        return out.toByteArray();
    }

    /** What NumPy wrote: by dtype, order and version. */
    private static Map<String, byte[]> golden() throws IOException {
        Map<String, byte[]> golden = new LinkedHashMap<>();
        for (String line : Files.readAllLines(Paths.get("tests", "files", "npy.txt"))) {
            int space = line.lastIndexOf(' ');
            golden.put(line.substring(0, space), Base64.getDecoder().decode(line.substring(space + 1)));
        }
        return golden;
    }

    private static TensorData<?> data(Tensor<?> tensor) {
        switch (tensor.dataType()) {
            case FLOAT:
                return tensor.floatData();
            case DOUBLE:
                return tensor.doubleData();
            case INT32:
                return tensor.intData();
            case INT64:
                return tensor.longData();
            case BOOL:
                return tensor.booleanData();
            case UINT8:
                return tensor.uInt8Data();
            default:
                return tensor.stringData();
        }
    }

    private static TensorData<?> expected(String dtype) {
        switch (dtype.substring(1)) {
            case "f4":
                return FloatTensorData.of(new float[] {0, 1, 2, 3, 4, 5}, 2, 3);
            case "f8":
                return DoubleTensorData.of(new double[] {0, 1, 2, 3, 4, 5}, 2, 3);
            case "i4":
                return IntTensorData.of(new int[] {0, 1, 2, 3, 4, 5}, 2, 3);
            case "i8":
                return LongTensorData.of(new long[] {0, 1, 2, 3, 4, 5}, 2, 3);
            case "u1":
                return ByteTensorData.of(new byte[] {0, 1, 2, 3, 4, 5}, 2, 3);
            case "b1":
                return BooleanTensorData.of(new boolean[] {false, true, true, true, true, true}, 2, 3);
            default:
                return StringTensorData.of(new String[] {"a", "bc", "", "\u00e9\u00e9\u00e9", "\ud83d\ude00", "x y"}, 2, 3);
        }
    }

    @Test
    void whatNumPyWroteIsReadAndWrittenAgain() throws IOException {
        int read = 0;
        for (Map.Entry<String, byte[]> entry : golden().entrySet()) {
            String[] words = entry.getKey().split(" ");
            if ("refused".equals(words[0]) || !words[0].matches("[<>|].*") || "|S3".equals(words[0])) {
                continue;
            }
            read++;
            try (Tensor<?> tensor = read(entry.getValue())) {
                TensorData<?> elements = data(tensor);
                assertEquals(expected(words[0]), elements, entry.getKey());
                assertTrue(elements.isContiguous(), entry.getKey());
                TensorDescription description = Npy.describe(path(entry.getValue()));
                assertEquals(tensor.dataType(), description.dataType());
                assertArrayEquals(tensor.shape(), description.shape());
                if (!words[0].contains("U")) {
                    assertEquals("F".equals(words[1]), description.hasLayout() && description.layout().equals(TensorLayout.columnMajor(2, 3)));
                }
                if ("1".equals(words[2]) && words[0].charAt(0) != '>') {
                    assertArrayEquals(entry.getValue(), "F".equals(words[1]) ? columns(elements) : written(elements), entry.getKey());
                }
            }
        }
        assertEquals(26, read);
    }

    /** The bytes of the elements in column-major order. */
    private static byte[] columns(TensorData<?> elements) {
        try (Tensor<?> columns = elements.transpose().copy()) {
            return written(data(columns).transpose());
        }
    }

    @Test
    void bytesOfStringsAreRead() throws IOException {
        for (String order : new String[] {"C", "F"}) {
            try (Tensor<?> tensor = read(golden().get("|S3 " + order + " 1"))) {
                StringTensorData strings = tensor.stringData();
                assertEquals("a", strings.get(0, 0));
                assertEquals("", strings.get(0, 2));
                assertArrayEquals(new byte[] {(byte) 0xff}, strings.getBytes(1, 0));
                assertEquals("x y", strings.get(1, 2));
            }
        }
    }

    @Test
    void rankZeroEmptyAndRank32() throws IOException {
        try (Tensor<?> scalar = read(golden().get("rank0 C 1")); Tensor<?> empty = read(golden().get("empty C 1"));
                Tensor<?> deep = read(golden().get("rank32 C 1")); Tensor<?> nothing = read(golden().get("nothing C 1"))) {
            assertEquals(2.5, scalar.doubleData().get());
            assertArrayEquals(new long[] {2, 0, 3}, empty.shape());
            assertEquals(32, deep.rank());
            assertEquals(7, deep.intData().flatten().get(0));
            assertArrayEquals(new long[] {0}, nothing.shape());
            assertEquals(DataType.STRING, nothing.dataType());
            assertArrayEquals(golden().get("rank0 C 1"), written(scalar.doubleData()));
            assertArrayEquals(golden().get("empty C 1"), written(empty.floatData()));
            assertArrayEquals(golden().get("rank32 C 1"), written(deep.intData()));
            assertArrayEquals(golden().get("nothing C 1"), written(nothing.stringData()));
        }
    }

    @Test
    void otherDtypesAreRefusedByName() throws IOException {
        int refused = 0;
        for (Map.Entry<String, byte[]> entry : golden().entrySet()) {
            String[] words = entry.getKey().split(" ");
            if (!"refused".equals(words[0]) || hasType(words[1])) {
                continue;
            }
            refused++;
            Path file = path(entry.getValue());
            String named = "record".equals(words[1]) ? "('a', '<f4')" : words[1];
            assertTrue(Expect.exactly(IllegalArgumentException.class, () -> Npy.read(file), "file.npy").getMessage().contains(named));
            Expect.exactly(IllegalArgumentException.class, () -> Npy.describe(file), "file.npy");
            Expect.exactly(IllegalArgumentException.class, () -> Npy.read(new ByteArrayInputStream(entry.getValue())), "the stream");
        }
        assertTrue(refused >= 7);
    }

    /** Whether a type that was refused is one of the library's by now. */
    private static boolean hasType(String dtype) {
        String[][] names = {{"<f2", "FLOAT16"}, {"|i1", "INT8"}, {"<u8", "UINT64"}, {">i2", "INT16"}, {"<u2", "UINT16"}, {"<u4", "UINT32"}};
        return Arrays.stream(names).anyMatch(name -> name[0].equals(dtype)
            && Arrays.stream(DataType.values()).anyMatch(type -> type.name().equals(name[1])));
    }

    @Test
    void typesAreAskedFor() throws IOException {
        Path file = path(golden().get("<f4 C 1"));
        Npy.read(file, DataType.FLOAT).close();
        Expect.exactly(IllegalArgumentException.class, () -> Npy.read(file, DataType.DOUBLE), "file.npy", "<f4", "FLOAT", "DOUBLE");
        Path strings = path(golden().get("<U3 C 1"));
        Expect.exactly(IllegalArgumentException.class, () -> Npy.read(strings, DataType.DOUBLE), "STRING", "DOUBLE");
    }

    @Test
    void anyByteButZeroIsTrue() throws IOException {
        byte[] elements = new byte[21];
        Arrays.fill(elements, (byte) 1);
        elements[3] = 0;
        elements[9] = (byte) 0x80;
        elements[20] = 7;
        try (Tensor<?> tensor = read(file(dict("|b1", "(21,)"), elements))) {
            for (int n = 0; n < 21; n++) {
                assertEquals(n != 3, tensor.booleanData().get(n));
                assertEquals(n == 3 ? 0 : 1, tensor.asByteBuffer().get(n));
            }
        }
    }

    @Test
    void headersThatOtherProgramsWriteAreRead() throws IOException {
        for (String header : new String[] {"{\"shape\":(2L,),\"fortran_order\":False,\"descr\":\"=i4\"}",
            "{'descr': '|i4', 'fortran_order': True, 'shape': (2,)}   \n", " { 'descr' : '<i4' , 'fortran_order' : False , 'shape' : ( 2 , ) , } "}) {
            try (Tensor<?> tensor = read(file(header, new byte[] {1, 0, 0, 0, 2, 0, 0, 0}))) {
                assertEquals("INT32[2] [1, 2]", tensor.toString());
            }
        }
    }

    private void refuse(byte[] bytes, String... parts) throws IOException {
        Path file = path(bytes);
        Expect.exactly(IllegalArgumentException.class, () -> Npy.read(file), parts);
        Expect.exactly(IllegalArgumentException.class, () -> Npy.read(new ByteArrayInputStream(bytes)), parts);
    }

    @Test
    void malformedHeadersAreRefused() throws IOException {
        refuse("PK\3\4 this is a zip file".getBytes(StandardCharsets.US_ASCII), "no .npy file");
        refuse(file(4, dict("<f4", "()").getBytes(StandardCharsets.US_ASCII), new byte[4]), "version 4.0");
        String[][] faults = {
            {"", "'{' is expected"}, {"{", "a string is expected"}, {"{}", "is missing"}, {"{'descr': '<f4', 'shape': (1,)}", "is missing"},
            {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}", "'more'"},
            {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "'descr' is a second time"},
            {"{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", "True or False"},
            {"{'descr': '<f4', 'fortran_order': False, 'shape': (1)}", "comma"},
            {"{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}", "',' is expected"},
            {"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", "a size"},
            {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} + __import__('os')", "follows"},
            {"{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999999999999,)}", "a size"},
            {"{'descr': '<f\\x34', 'fortran_order': False, 'shape': (1,)}", "escapes"},
            {dict("f4", "(1,)"), "'f4'"}, {dict("", "(1,)"), "''"}, {dict("<f", "(1,)"), "'<f'"}, {dict("<f16", "(1,)"), "'<f16'"},
            {dict("<U0", "(1,)"), "'<U0'"}, {dict("<U9999999999", "(1,)"), "'<U9999999999'"}, {dict("<U", "(1,)"), "'<U'"},
        };
        for (String[] fault : faults) {
            refuse(file(fault[0], new byte[4]), fault[1]);
        }
        byte[] long3 = new byte[1 << 16 | 1];
        Arrays.fill(long3, (byte) ' ');
        byte[] large = file(3, long3);
        large[10] = 1;
        refuse(large, "65537 bytes");
        refuse(file(3, new byte[] {(byte) 0xff, '{'}), "UTF-8");
    }

    @Test
    void sizesThatOverflowAreRefused() throws IOException {
        for (String shape : new String[] {"(4611686018427387904, 4)", "(0, 4611686018427387904, 4)", "(9223372036854775807,)"}) {
            refuse(file(dict("<f4", shape)), "more bytes than a long can count");
        }
        refuse(file(dict("<U536870911", "(4611686018427387904,)")), "more bytes than a long can count");
    }

    @Test
    void truncatedFilesTakeNoMemory() throws IOException {
        Path file = path(file(dict("<f4", "(1000000000000,)"), new byte[100]));
        Expect.exactly(UncheckedIOException.class, () -> Npy.read(file), "file.npy", "truncated", "4000000000000");
        Expect.exactly(UncheckedIOException.class, () -> Npy.describe(file), "truncated");
        byte[] strings = file(dict("<U500000000", "(1000,)"), new byte[100]);
        Path ofStrings = path(strings);
        Expect.exactly(UncheckedIOException.class, () -> Npy.read(ofStrings), "truncated");
        byte[] whole = golden().get("<f8 C 1");
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            Path cutFile = path(cut);
            Expect.exactly(UncheckedIOException.class, () -> Npy.read(cutFile), "truncated");
            Expect.exactly(UncheckedIOException.class, () -> Npy.read(new ByteArrayInputStream(cut)));
        }
    }

    @Test
    void streamsTakeNoMoreThanTwiceWhatTheyHave() {
        byte[] claim = file(dict("<f4", "(50000000,)"));
        long peak = MemoryStats.current().peakBytes();
        Expect.exactly(UncheckedIOException.class, () -> Npy.read(new ByteArrayInputStream(claim)));
        assertTrue(MemoryStats.current().peakBytes() <= Math.max(peak, MemoryStats.current().bytesInUse() + (8 << 20)));
        byte[] beyond = file(dict("<f4", "(1000000000000,)"));
        Expect.thrown(OutOfMemoryError.class, () -> Npy.read(new ByteArrayInputStream(beyond)), "budget");
    }

    @Test
    void whatFollowsAnArrayIsRefusedInAFileAndLeftInAStream() throws IOException {
        byte[] whole = golden().get("<f8 C 1");
        byte[] longer = Arrays.copyOf(whole, whole.length + 5);
        Path file = path(longer);
        Expect.exactly(IllegalArgumentException.class, () -> Npy.read(file), "5 bytes follow");
        Expect.exactly(IllegalArgumentException.class, () -> Npy.describe(file), "5 bytes follow");
        InputStream in = new ByteArrayInputStream(longer);
        Npy.read(in).close();
        assertEquals(5, in.available());
    }

    @Test
    void manyArraysInAStream() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int n = 0; n < 5; n++) {
            Npy.write(out, IntTensorData.of(new int[n]));
        }
        InputStream in = new ByteArrayInputStream(out.toByteArray());
        for (int n = 0; n < 5; n++) {
            try (Tensor<?> tensor = Npy.read(in)) {
                assertEquals(n, tensor.numElements());
            }
        }
        assertEquals(-1, readOne(in));
    }

    private static int readOne(InputStream in) {
        try {
            return in.read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void dataOfAnyKindIsWritten() throws IOException {
        FloatTensorData user = new AbstractFloatTensorData(3, 2) {
            @Override
            protected float getAt(long[] indices) {
                return 10 * indices[0] + indices[1];
            }
        };
        try (SparseTensor<Float> sparse = Tensors.sparseFloat(new long[] {2, 3}, 1, data -> data.put(5, 1, 1))) {
            TensorData<?>[] all = {user, sparse.floatData(), FloatTensorData.constant(3, 4, 5), user.slice(TensorIndex.incl(2, 0)), user.transpose(),
                user.broadcastTo(2, 3, 2), FloatTensorData.constant(1, 700, 900).slice(TensorIndex.step(3), TensorIndex.flip()),
                FloatTensorData.of(new float[] {1, 2, 3}).slice(TensorIndex.flip()), FloatTensorData.of(FloatBuffer.allocate(6), 2, 3)};
            for (TensorData<?> data : all) {
                try (Tensor<?> tensor = read(written(data))) {
                    assertEquals(data, tensor.floatData());
                }
            }
        }
        try (RaggedTensor<Float> ragged = Tensors.raggedFloat(new long[] {2, -1}, data -> data.put(5, 1, 1))) {
            Expect.exactly(IllegalArgumentException.class, () -> written(ragged.floatData()), "ragged", "toDense");
        }
    }

    @Test
    void largeTensorsGoThroughFilesAndStreams() throws IOException {
        long[] shape = {1031, 1033};
        try (Tensor<Float> tensor = Tensors.denseFloat(shape, data -> {
            for (int i = 0; i < shape[0]; i++) {
                data.put(i, i, (int) (i % shape[1]));
            }
        })) {
            try (Tensor<?> again = read(written(tensor.floatData())); Tensor<?> columns = read(written(tensor.floatData().transpose()))) {
                assertEquals(tensor.floatData(), again.floatData());
                assertEquals(tensor.floatData().transpose(), columns.floatData());
            }
            Path file = folder.resolve("large.npy");
            Npy.write(file, tensor.floatData().slice(TensorIndex.range(5, 1000)));
            try (Tensor<?> again = Npy.read(file)) {
                assertEquals(tensor.floatData().slice(TensorIndex.range(5, 1000)), again.floatData());
            }
        }
    }

    @Test
    void stringsThatEndInNulAreRefused() {
        Expect.exactly(IllegalArgumentException.class, () -> written(StringTensorData.of(new String[] {"ab\0"})), "NUL", "ab\\0");
        assertEquals("<U1", new String(written(StringTensorData.of(new String[] {"", ""})), 0, 128, StandardCharsets.ISO_8859_1).split("'")[3]);
        byte[] surrogate = {0x00, (byte) 0xd8, 0, 0};
        Expect.exactly(IllegalArgumentException.class, () -> Npy.read(new ByteArrayInputStream(file(dict("<U1", "(1,)"), surrogate))), "0xd800");
        byte[] beyond = {0, 0, 0x11, 0};
        Expect.exactly(IllegalArgumentException.class, () -> Npy.read(new ByteArrayInputStream(file(dict("<U1", "(1,)"), beyond))), "0x110000");
    }

    @Test
    void failuresLeaveTheOldFile() throws IOException {
        Path file = folder.resolve("old.npy");
        Npy.write(file, FloatTensorData.of(new float[] {1}));
        byte[] before = Files.readAllBytes(file);
        Tensor<Float> closed = Tensors.denseFloat(new long[] {2}, data -> data.put(1, 0));
        FloatTensorData data = closed.floatData();
        closed.close();
        Expect.thrown(TensorClosedException.class, () -> Npy.write(file, data));
        Expect.exactly(IllegalArgumentException.class, () -> Npy.write(file, StringTensorData.of(new String[] {"\0"})));
        Path nowhere = folder.resolve("none").resolve("x.npy");
        Expect.exactly(UncheckedIOException.class, () -> Npy.write(nowhere, FloatTensorData.of(new float[1])), "none");
        Expect.exactly(UncheckedIOException.class, () -> Npy.write(folder, FloatTensorData.of(new float[1])));
        Expect.exactly(UncheckedIOException.class, () -> Npy.read(folder.resolve("none.npy")), "none.npy");
        Expect.exactly(UncheckedIOException.class, () -> Npy.read(folder));
        Expect.thrown(NullPointerException.class, () -> Npy.read((Path) null));
        Expect.thrown(NullPointerException.class, () -> Npy.read(file, null));
        Expect.thrown(NullPointerException.class, () -> Npy.write(file, null));
        assertArrayEquals(before, Files.readAllBytes(file));
        try (Stream<Path> all = Files.list(folder)) {
            assertEquals(1, all.count());
        }
    }

    @Test
    void aStreamThatFailsIsAnError() {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        Expect.exactly(UncheckedIOException.class, () -> Npy.write(full, FloatTensorData.of(new float[1])), "No space left on device");
    }

    @Test
    void aDiskThatIsFullIsAnError() {
        Path full = Paths.get("/dev/full");
        Assumptions.assumeTrue(Files.exists(full), "skipped: only Linux has a disk that is always full");
        Expect.exactly(UncheckedIOException.class, () -> Npy.write(full, FloatTensorData.constant(1, 100_000)));
    }

    @Test
    void noBytesOfAnyKindDoHarm() {
        Seeds.each(1, 300, (random, done) -> {
            try {
                byte[][] all = golden().values().toArray(new byte[0][]);
                byte[] bytes = all[random.nextInt(all.length)].clone();
                for (int n = random.nextInt(4); n > 0; n--) {
                    bytes[random.nextInt(bytes.length)] ^= 1 << random.nextInt(8);
                }
                int length = random.nextInt(3) == 0 ? random.nextInt(2 * bytes.length) : bytes.length;
                byte[] changed = Arrays.copyOf(bytes, length);
                done.append(": ").append(Base64.getEncoder().encodeToString(changed));
                survives(() -> Npy.read(new ByteArrayInputStream(changed)).close());
                Path file = path(changed);
                survives(() -> Npy.read(file).close());
                survives(() -> Npy.describe(file));
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
    void numPyReadsWhatIsWritten() throws IOException, InterruptedException {
        StringBuilder wanted = new StringBuilder();
        Path list = folder.resolve("list");
        Files.createDirectory(list);
        int n = 0;
        for (String dtype : "<f4 <f8 <i4 <i8 |u1 |b1 <U3".split(" ")) {
            Npy.write(list.resolve(n++ + ".npy"), expected(dtype));
            Npy.write(list.resolve(n++ + ".npy"), expected(dtype).transpose());
        }
        String printed = Python.run("import numpy, os, sys\n"
            + "for n in range(14):\n"
            + "    path = os.path.join(sys.argv[1], '%d.npy' % n)\n"
            + "    a = numpy.load(path)\n"
            + "    numpy.save(path + '.again.npy', a)\n"
            + "    same = open(path, 'rb').read() == open(path + '.again.npy', 'rb').read()\n"
            + "    print(a.dtype.str, a.shape, a.T.tolist() if n % 2 else a.tolist(), same)\n", list);
        for (String dtype : "<f4 <f8 <i4 <i8 |u1 |b1 <U3".split(" ")) {
            String rows = dtype.contains("f") ? "[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]"
                : dtype.contains("b") ? "[[False, True, True], [True, True, True]]"
                : dtype.contains("U") ? "[['a', 'bc', ''], ['\u00e9\u00e9\u00e9', '\ud83d\ude00', 'x y']]" : "[[0, 1, 2], [3, 4, 5]]";
            wanted.append(dtype).append(" (2, 3) ").append(rows).append(" True\n");
            wanted.append(dtype).append(" (3, 2) ").append(rows).append(" True\n");
        }
        assertEquals(wanted.toString(), printed.replace("\r", ""));
    }
}
