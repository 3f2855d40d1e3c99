package io.tensornio.io;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.range;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
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
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Safetensors files: whole ones, parts of them, and those that somebody forged. */
@ExtendWith(MemoryBalance.class)
class SafetensorsTest {
    /** What Python's {@code save_file} writes for {@code {'b': int32 [7, 8], 'a': float32 [[0, 1, 2], [3, 4, 5]], 'z': bool True}}. */
    private static final String HEADER = "{\"__metadata__\":{\"k\":\"v\"},\"a\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]},"
        + "\"b\":{\"dtype\":\"I32\",\"shape\":[2],\"data_offsets\":[24,32]},\"z\":{\"dtype\":\"BOOL\",\"shape\":[],\"data_offsets\":[32,33]}}";

    @TempDir
    Path folder;

    private static byte[] file(byte[] header, int bytes) {
        return ByteBuffer.allocate(8 + header.length + bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(header.length).put(header).array();
    }

    private static byte[] file(String header, int bytes) {
        return file(header.getBytes(StandardCharsets.UTF_8), bytes);
    }

    private Path path(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("file.safetensors"), bytes);
    }

    private static Value value() {
        Map<String, Tensor<?>> tensors = new LinkedHashMap<>();
        tensors.put("z", Tensors.denseBoolean(new long[0], data -> data.put(true)));
        tensors.put("b", Tensors.ofNested(new int[] {7, 8}));
        tensors.put("a", Tensors.ofNested(new float[][] {{0, 1, 2}, {3, 4, 5}}));
        return Value.dict(tensors);
    }

    /** The bytes of one entry, which has the name {@code key}. */
    private static byte[] written(Object entry) {
        return written(Value.dict(Collections.singletonMap("key", entry)), Collections.emptyMap());
    }

    private static byte[] written(Value value, Map<String, String> metadata) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Safetensors.write(out, value, metadata);
        return out.toByteArray();
    }

    @Test
    void theBytesAreThoseOfPython() {
        try (Value value = value()) {
            byte[] bytes = written(value, Collections.singletonMap("k", "v"));
            int padded = (HEADER.length() + 7) / 8 * 8;
            assertEquals(padded, ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong());
            String header = new String(bytes, 8, padded, StandardCharsets.UTF_8);
            assertEquals(HEADER, header.trim());
            assertEquals(8 + padded + 33, bytes.length);
            ByteBuffer elements = ByteBuffer.wrap(bytes, 8 + padded, 33).slice().order(ByteOrder.LITTLE_ENDIAN);
            assertEquals(5f, elements.getFloat(20));
            assertEquals(8, elements.getInt(28));
            assertEquals(1, elements.get(32));
        }
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        try (Value value = value()) {
            Path file = folder.resolve("x.safetensors");
            Safetensors.write(file, value);
            InputStream in = new ByteArrayInputStream(written(value, Collections.emptyMap()));
            try (Value again = Safetensors.read(file); Value streamed = Safetensors.read(in)) {
                assertEquals(value, again);
                assertEquals(value, streamed);
                assertEquals("[a, b, z]", again.asDict().keySet().toString());
            }
            assertArrayEquals(written(value, Collections.emptyMap()), Files.readAllBytes(file));
        }
    }

    @Test
    void namesAndTextsOfAnyKindSurvive() throws IOException {
        String odd = "\u00e4 \"q\" \\ \n\t\r\b\f\u0001\u007f \ud83d\ude00 \uffee '";
        Map<String, Tensor<?>> tensors = new LinkedHashMap<>();
        tensors.put("\ud83d\ude00", Tensors.ofNested(new float[] {1}));
        tensors.put("\uffee", Tensors.ofNested(new float[] {2}));
        tensors.put(odd, Tensors.ofNested(new float[] {3}));
        tensors.put("", Tensors.ofNested(new float[] {4}));
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put(odd, odd);
        metadata.put("second", "");
        try (Value value = Value.dict(tensors)) {
            Path file = path(written(value, metadata));
            try (TensorFile open = Safetensors.open(file); Value again = Safetensors.read(file)) {
                assertEquals(value, again);
                assertEquals(metadata, open.metadata());
                assertEquals(Arrays.asList("", odd, "\uffee", "\ud83d\ude00"), open.names());
            }
            Expect.exactly(IllegalArgumentException.class, () -> written(value, Collections.singletonMap("k", "\ud83d")), "surrogate");
        }
    }

    @Test
    void tensorsAreReadOneByOne() throws IOException {
        Tensor<?> kept;
        try (Value value = value(); TensorFile file = Safetensors.open(path(written(value, Collections.singletonMap("k", "v"))))) {
            assertEquals(Arrays.asList("a", "b", "z"), file.names());
            assertEquals("{k=v}", file.metadata().toString());
            assertEquals(TensorDescription.of(DataType.FLOAT, 2, 3), file.description("a"));
            kept = file.read("b");
            Expect.exactly(NoSuchElementException.class, () -> file.read("c"), "file.safetensors", "c", "a");
        }
        assertEquals("INT32[2] [7, 8]", kept.toString());
        kept.close();
    }

    @Test
    void aClosedFileReadsNothing() throws IOException {
        try (Value value = value()) {
            TensorFile file = Safetensors.open(path(written(value, Collections.emptyMap())));
            for (int n = 0; n < 2; n++) {
                file.close();
            }
            Expect.exactly(IllegalStateException.class, () -> file.read("b"), "file.safetensors", "closed");
            Expect.exactly(IllegalStateException.class, () -> file.read("b", at(0)), "closed");
            Expect.exactly(IllegalStateException.class, file::names, "closed");
            Expect.exactly(IllegalStateException.class, file::metadata, "closed");
            Expect.exactly(IllegalStateException.class, () -> file.description("b"), "closed");
        }
    }

    @Test
    void selectedElementsAreRead() throws IOException {
        long[] shape = {30, 700, 40};
        try (Tensor<Float> tensor = Tensors.denseFloat(shape, data -> {
            for (int i = 0; i < 30; i++) {
                for (int j = 0; j < 700; j++) {
                    for (int k = 0; k < 40; k++) {
                        data.put(i * 100_000 + j * 100 + k, i, j, k);
                    }
                }
            }
        }); TensorFile file = Safetensors.open(path(written(Value.dict(Collections.singletonMap("t", tensor)), Collections.emptyMap())))) {
            TensorIndex[][] all = {{}, {at(3)}, {range(4, 9)}, {all(), at(650)}, {all(), all(), at(-1)}, {incl(29, 0, 3), range(10, 600)},
                {TensorIndex.flip(), TensorIndex.step(300), incl(1, 1, 0)}, {TensorIndex.ellipsis(), TensorIndex.odd()},
                {TensorIndex.newAxis(), at(0), TensorIndex.flip()}, {at(7), at(8), at(9)}, {range(3, 3)},
                {TensorIndex.step(29), all(), TensorIndex.step(39)},
                {IntTensorData.of(new int[] {5, -1, 5})}};
            for (TensorIndex[] indices : all) {
                try (Tensor<?> part = file.read("t", indices)) {
                    assertEquals(tensor.floatData().slice(indices), part.floatData(), Arrays.toString(indices));
                }
            }
            Expect.thrown(IndexOutOfBoundsException.class, () -> file.read("t", at(30)), "30");
            Expect.thrown(IndexOutOfBoundsException.class, () -> file.read("t", at(0), at(0), at(0), at(0)));
            Random random = new Random(5);
            for (int n = 0; n < 100; n++) {
                TensorIndex[] indices = {pick(random, 30), pick(random, 700), pick(random, 40)};
                try (Tensor<?> part = file.read("t", indices)) {
                    assertEquals(tensor.floatData().slice(indices), part.floatData(), Arrays.toString(indices));
                }
            }
        }
    }

    private static TensorIndex pick(Random random, int size) {
        int from = random.nextInt(size);
        switch (random.nextInt(5)) {
            case 0:
                return at(from);
            case 1:
                return range(from, from + random.nextInt(size - from + 1));
            case 2:
                return TensorIndex.step(1 + from);
            case 3:
                return incl(from, random.nextInt(size), -1);
            default:
                return all();
        }
    }

    @Test
    void aFileMayBeClosedWhileOthersRead() throws IOException, InterruptedException {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {1000, 100}, data -> data.put(7, 999, 99))) {
            Path path = path(written(tensor));
            for (int n = 0; n < 20 * Expect.depth(); n++) {
                TensorFile file = Safetensors.open(path);
                AtomicReference<Throwable> fault = new AtomicReference<>();
                Thread[] readers = new Thread[3];
                for (int k = 0; k < readers.length; k++) {
                    readers[k] = new Thread(() -> {
                        try {
                            while (true) {
                                try (Tensor<?> all = file.read("key"); Tensor<?> one = file.read("key", at(-1), at(-1))) {
                                    if (all.floatData().get(999, 99) != 7 || one.floatData().get() != 7) {
                                        throw new AssertionError("read " + one);
                                    }
                                }
                            }
                        } catch (IllegalStateException e) {
                            if (!e.getMessage().contains("is closed")) {
                                fault.set(e);
                            }
                        } catch (Throwable e) {
                            fault.set(e);
                        }
                    });
                    readers[k].start();
                }
                Thread.sleep(n % 4);
                file.close();
                for (Thread reader : readers) {
                    reader.join();
                }
                if (fault.get() != null) {
                    throw new AssertionError(fault.get());
                }
            }
        }
    }

    @Test
    void anInterruptedThreadIsToldSo() throws IOException {
        try (Value value = value(); TensorFile file = Safetensors.open(path(written(value, Collections.emptyMap())))) {
            Thread.currentThread().interrupt();
            Expect.exactly(UncheckedIOException.class, () -> file.read("a"), "interrupted");
            assertTrue(Thread.interrupted());
            Expect.exactly(IllegalStateException.class, () -> file.read("a"), "closed");
        }
    }

    private void refuse(String header, int bytes, String... parts) throws IOException {
        refuse(file(header, bytes), parts);
    }

    private void refuse(byte[] bytes, String... parts) throws IOException {
        Path file = path(bytes);
        Expect.exactly(IllegalArgumentException.class, () -> Safetensors.read(file), parts);
        Expect.exactly(IllegalArgumentException.class, () -> Safetensors.open(file), parts);
        Expect.exactly(IllegalArgumentException.class, () -> Safetensors.read(new ByteArrayInputStream(bytes)), parts);
    }

    private static String entry(String name, String shape, String offsets) {
        return "\"" + name + "\":{\"dtype\":\"F32\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
    }

    @Test
    void headersLongerThanTheFileOrAllowedAreRefused() throws IOException {
        Path longer = path(ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN).putLong(93).array());
        Expect.exactly(UncheckedIOException.class, () -> Safetensors.open(longer), "file.safetensors", "truncated");
        long peak = MemoryStats.current().peakBytes();
        for (long length : new long[] {100_000_001, 1L << 40, -1, 0, 1}) {
            refuse(ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN).putLong(length).array(), Long.toUnsignedString(length));
        }
        byte[] claim = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN).putLong(99_999_999).array();
        Expect.exactly(UncheckedIOException.class, () -> Safetensors.read(new ByteArrayInputStream(claim)));
        assertEquals(peak, MemoryStats.current().peakBytes());
    }

    @Test
    void offsetsOutsideOverlappingOrWithHolesAreRefused() throws IOException {
        refuse("{" + entry("a", "[1]", "[0,4]") + "," + entry("b", "[1]", "[0,4]") + "}", 8, "`b`");
        refuse("{" + entry("a", "[2]", "[0,8]") + "," + entry("b", "[1]", "[4,8]") + "}", 8, "`b`");
        refuse("{" + entry("a", "[1]", "[0,4]") + "," + entry("b", "[1]", "[8,12]") + "}", 12, "`b`");
        refuse("{" + entry("a", "[1]", "[4,8]") + "}", 8, "`a`");
        refuse("{" + entry("a", "[1]", "[4,0]") + "}", 8, "`a`");
        Path outside = path(file("{" + entry("a", "[4]", "[0,16]") + "}", 8));
        Expect.exactly(UncheckedIOException.class, () -> Safetensors.open(outside), "truncated");
        Path follows = path(file("{" + entry("a", "[1]", "[0,4]") + "}", 8));
        Expect.exactly(IllegalArgumentException.class, () -> Safetensors.open(follows), "4 bytes follow");
    }

    @Test
    void shapesThatOverflowOrDoNotFitTheBytesAreRefused() throws IOException {
        refuse("{" + entry("a", "[4611686018427387904,4]", "[0,0]") + "}", 0, "`a`");
        refuse("{" + entry("a", "[4294967296,4294967296,4294967296,4294967296,1]", "[0,4]") + "}", 4, "`a`");
        refuse("{" + entry("a", "[3]", "[0,4]") + "}", 4, "`a`");
        refuse("{" + entry("a", "[-1]", "[0,4]") + "}", 4);
        refuse("{" + entry("a", "[1.5]", "[0,4]") + "}", 4);
        refuse("{" + entry("a", "[99999999999999999999]", "[0,4]") + "}", 4);
    }

    @Test
    void duplicateKeysAreRefused() throws IOException {
        refuse("{" + entry("a", "[1]", "[0,4]") + "," + entry("a", "[1]", "[4,8]") + "}", 8, "`a` is twice");
        refuse("{" + entry("a", "[1]", "[0,4]") + "," + entry("\\u0061", "[1]", "[4,8]") + "}", 8, "`a` is twice");
        refuse("{\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"}}", 0, "`k` is twice");
        refuse("{\"__metadata__\":{},\"__metadata__\":{}}", 0, "`__metadata__` is twice");
        refuse("{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "dtype");
    }

    @Test
    void unknownTypesAreRefused() throws IOException {
        refuse("{" + entry("a", "[1]", "[0,4]").replace("F32", "F31") + "}", 4, "F31");
        byte[] known = file("{" + entry("a", "[4]", "[0,4]").replace("F32", "F8_E4M3") + "}", 4);
        Path file = path(known);
        Expect.exactly(IllegalArgumentException.class, () -> Safetensors.read(file), "file.safetensors", "`a`", "F8_E4M3");
        try (TensorFile open = Safetensors.open(file)) {
            assertEquals(Collections.singletonList("a"), open.names());
            Expect.exactly(IllegalArgumentException.class, () -> open.description("a"), "F8_E4M3");
            Expect.exactly(IllegalArgumentException.class, () -> open.read("a"), "F8_E4M3");
        }
    }

    @Test
    void whatIsNoHeaderIsRefused() throws IOException {
        refuse(file(new byte[] {'{', '"', (byte) 0xff, '"', '}'}, 0), "UTF-8");
        for (String header : new String[] {"[]", "{\"a\":1}", "{\"a\"", "{} x", "{\"__metadata__\":{\"k\":1}}", "nu",
            "{\"a\":{\"dtype\":\"F32\"}}"}) {
            refuse(header, 0, "header");
        }
        StringBuilder deep = new StringBuilder("{\"a\":");
        for (int n = 0; n < 100_000; n++) {
            deep.append("[");
        }
        refuse(deep.toString(), 0);
        StringBuilder unknown = new StringBuilder("{\"a\":{\"x\":");
        for (int n = 0; n < 100_000; n++) {
            unknown.append("{\"x\":");
        }
        refuse(unknown.toString(), 0);
    }

    @Test
    void whatSafetensorsDoNotHaveIsRefusedByItsKey() {
        try (Tensor<String> strings = Tensors.ofNested(new String[] {"a"}); Value list = Value.list(Collections.singletonList(strings));
                SparseTensor<Float> sparse = Tensors.sparseFloat(new long[] {2}, 0, data -> { }); Tensor<?> one = Tensors.ofNested(new float[] {1})) {
            Expect.exactly(IllegalArgumentException.class, () -> written(strings), "\"key\"", "STRING");
            Expect.exactly(IllegalArgumentException.class, () -> written(list), "\"key\"", "LIST");
            Expect.exactly(IllegalArgumentException.class, () -> written(sparse), "\"key\"", "SparseTensor");
            Expect.exactly(IllegalArgumentException.class,
                () -> written(Value.dict(Collections.singletonMap("__metadata__", one)), Collections.emptyMap()), "__metadata__");
            Expect.exactly(IllegalStateException.class, () -> written(list, Collections.emptyMap()), "LIST");
        }
    }

    @Test
    void tensorsOfOtherLayoutsAreWrittenInRowMajorOrder() throws IOException {
        FloatTensorData values = FloatTensorData.of(new float[] {0, 1, 2, 3, 4, 5}, 2, 3);
        try (Tensor<Float> columns = Tensors.denseFloat(TensorLayout.columnMajor(2, 3), data -> data.put(values));
                Value again = Safetensors.read(path(written(columns)))) {
            assertEquals(values, again.get("key").asTensor().floatData());
        }
    }

    @Test
    void failuresLeaveTheOldFile() throws IOException {
        Path file = folder.resolve("old.safetensors");
        Tensor<?> tensor = Tensors.ofNested(new float[] {1});
        Value value = Value.dict(Collections.singletonMap("a", tensor));
        Safetensors.write(file, value);
        byte[] before = Files.readAllBytes(file);
        tensor.close();
        Expect.thrown(TensorClosedException.class, () -> Safetensors.write(file, value));
        assertArrayEquals(before, Files.readAllBytes(file));
        Expect.exactly(UncheckedIOException.class, () -> Safetensors.open(folder.resolve("none")), "none");
    }

    @Test
    void aFileThatIsCutWhileItIsOpenIsAnError() throws IOException {
        try (Value value = value(); TensorFile file = Safetensors.open(path(written(value, Collections.emptyMap())))) {
            Files.write(folder.resolve("file.safetensors"), new byte[20]);
            Expect.exactly(UncheckedIOException.class, () -> file.read("a"), "file.safetensors", "truncated");
            Expect.exactly(UncheckedIOException.class, () -> file.read("a", at(1)), "file.safetensors", "truncated");
        }
    }

    @Test
    void streamsAreLeftBehindTheTensors() throws IOException {
        try (Value value = value()) {
            byte[] once = written(value, Collections.emptyMap());
            byte[] twice = Arrays.copyOf(once, 2 * once.length);
            System.arraycopy(once, 0, twice, once.length, once.length);
            InputStream in = new ByteArrayInputStream(twice);
            try (Value first = Safetensors.read(in); Value second = Safetensors.read(in)) {
                assertEquals(first, second);
            }
            assertEquals(0, in.available());
        }
    }

    @Test
    void noBytesOfAnyKindDoHarm() {
        Seeds.each(2, 300, (random, done) -> {
            try (Value value = value()) {
                byte[] bytes = written(value, Collections.singletonMap("k", "v"));
                for (int n = random.nextInt(4); n > 0; n--) {
                    bytes[random.nextInt(bytes.length)] ^= 1 << random.nextInt(8);
                }
                byte[] changed = Arrays.copyOf(bytes, random.nextInt(3) == 0 ? random.nextInt(2 * bytes.length) : bytes.length);
                done.append(": ").append(Base64.getEncoder().encodeToString(changed));
                survives(() -> Safetensors.read(new ByteArrayInputStream(changed)).close());
                Path file = path(changed);
                survives(() -> Safetensors.read(file).close());
                survives(() -> {
                    try (TensorFile open = Safetensors.open(file)) {
                        for (String name : open.names()) {
                            open.read(name, TensorIndex.ellipsis()).close();
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
    void pythonReadsAndWritesTheSame() throws IOException, InterruptedException {
        Path ours = folder.resolve("ours.safetensors");
        Path theirs = folder.resolve("theirs.safetensors");
        try (Value value = value()) {
            Safetensors.write(ours, value, Collections.singletonMap("k", "v"));
            String printed = Python.run("from safetensors.numpy import load_file, save_file\n"
                + "import numpy, sys\n"
                + "for name, array in sorted(load_file(sys.argv[1]).items()):\n"
                + "    print(name, array.dtype, array.tolist())\n"
                + "save_file({'z': numpy.array(True), 'b': numpy.array([7, 8], 'i4'), 'a': numpy.arange(6, dtype='f4').reshape(2, 3)}, sys.argv[2],\n"
                + "    {'k': 'v'})\n", ours, theirs);
            assertEquals("a float32 [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]\nb int32 [7, 8]\nz bool True\n", printed.replace("\r", ""));
            assertArrayEquals(Files.readAllBytes(theirs), Files.readAllBytes(ours));
            try (Value again = Safetensors.read(theirs)) {
                assertEquals(value, again);
            }
        }
    }
}
