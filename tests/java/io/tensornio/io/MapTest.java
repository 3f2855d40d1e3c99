package io.tensornio.io;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.BooleanTensorData;
import io.tensornio.ByteTensorData;
import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import io.tensornio.internal.interop.Loan;
import io.tensornio.interop.Pin;
import io.tensornio.op.Ops;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import io.tensornio.value.Value;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tensors that stay in their files: what they give. What happens to them and their files is for {@link MapLifeTest}. */
@ExtendWith(MemoryBalance.class)
class MapTest {
    private static final int MANY = 300_000;

    @TempDir
    Path folder;
    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("x.npy");
    }

    private static long mapped() {
        return MemoryStats.current().mappedBytes();
    }

    private static FloatTensorData counting(int n) {
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = i;
        }
        return FloatTensorData.of(values);
    }

    private Tensor<?> map(TensorData<?> data) {
        Npy.write(file, data);
        return Npy.map(file);
    }

    @Test
    void aFileOfEachTypeIsMapped() {
        TensorData<?>[] every = {
            FloatTensorData.of(new float[] {1.5f, Float.NaN, -0f, 4, 5, 6}, 2, 3), DoubleTensorData.of(new double[] {1, 2, 3, 4, 5, 6}, 2, 3),
            IntTensorData.of(new int[] {1, -2, 3, 4, 5, 6}, 2, 3), LongTensorData.of(new long[] {1, 2, Long.MIN_VALUE, 4, 5, 6}, 2, 3),
            BooleanTensorData.of(new boolean[] {true, false, true, true, false, false}, 2, 3),
            ByteTensorData.of(new byte[] {1, -1, 3, 4, 5, 6}, 2, 3)};
        for (TensorData<?> data : every) {
            long before = mapped();
            try (Tensor<?> tensor = map(data); Tensor<?> read = Npy.read(file)) {
                assertEquals(before + 6 * data.dataType().byteSize(), mapped(), () -> data.dataType().toString());
                assertEquals(data.dataType(), tensor.dataType());
                assertEquals(Value.of(read), Value.of(tensor));
                assertEquals(read.toString(), tensor.toString());
                assertEquals(TensorLayout.rowMajor(2, 3), tensor.layout());
            }
            assertEquals(before, mapped());
        }
    }

    /** Each type that is stored narrow, in files of both formats, against the same that is read. */
    @Test
    void aFileOfEachNarrowTypeIsMapped() {
        Path path = folder.resolve("m.safetensors");
        for (DataType type : new DataType[] {DataType.FLOAT16, DataType.BFLOAT16, DataType.INT8, DataType.INT16, DataType.UINT16, DataType.UINT32,
            DataType.UINT64}) {
            long before = mapped();
            try (Tensor<Float> wide = Tensors.denseFloat(new long[] {40, 900}, data -> data.put(counting(36_000).reshape(40, 900)));
                Tensor<Float> by = Tensors.denseFloat(new long[0], data -> data.put(120));
                Ops tf = Ops.create(); Tensor<?> narrow = tf.keep(tf.math.cast(tf.math.mod(tf.constant(wide), tf.constant(by)), type))) {
                Safetensors.write(path, Value.dict(Collections.singletonMap("x", narrow)));
                if (type != DataType.BFLOAT16) {        // which files of NumPy have no name for
                    Npy.write(file, narrow.data());
                    try (Tensor<?> tensor = Npy.map(file)) {
                        narrow(narrow, tensor, tf);
                        assertEquals(before + 36_000L * type.byteSize(), mapped());
                    }
                }
                try (TensorFile open = Safetensors.map(path); Tensor<?> tensor = open.read("x")) {
                    narrow(narrow, tensor, tf);
                    assertEquals(before + 36_000L * type.byteSize(), mapped());
                }
            }
            assertEquals(before, mapped());
        }
    }

    private static void narrow(Tensor<?> expected, Tensor<?> tensor, Ops tf) {
        assertEquals(expected.dataType(), tensor.dataType());
        assertEquals(Value.of(expected), Value.of(tensor));
        assertEquals(expected.toString(), tensor.toString());
        assertTrue(tensor.data().isReadOnly());
        assertEquals(expected.data().slice(39, 899), tensor.data().slice(39, 899));
        assertArrayEquals((Object[]) expected.toNested(), (Object[]) tensor.toNested());
        for (TensorIndex[] part : new TensorIndex[][] {{}, {at(7)}, {all(), at(7)}, {flip(), step(7)}, {incl(5, 3, 3), range(2, 900)}}) {
            TensorData<?> like = expected.data().slice(part);
            TensorData<?> data = tensor.data().slice(part);
            assertEquals(like, data);
            try (Tensor<?> copy = data.copy(); Tensor<?> copied = like.copy()) {
                assertEquals(tensor.dataType(), copy.dataType());
                assertEquals(copied.asByteBuffer(), copy.asByteBuffer());
            }
        }
        assertEquals(expected.asByteBuffer(), tensor.asByteBuffer());
        assertEquals(tf.math.cast(tf.constant(expected), DataType.DOUBLE).asTensor().data(),
            tf.math.cast(tf.constant(tensor), DataType.DOUBLE).asTensor().data());
    }

    /** A copy to another type that the same primitive carries is of the elements, not of their bytes. */
    @Test
    void copiesAreCast() {
        try (Tensor<?> tensor = map(FloatTensorData.of(new float[] {1, -2, 65504, 0.5f}));
            Tensor<?> half = Tensors.dense(DataType.FLOAT16, new long[] {4}, made -> ((FloatTensorData) made).put(tensor.floatData()));
            Tensor<?> mapped = map(half.data());
            Tensor<?> back = Tensors.dense(DataType.FLOAT, new long[] {4}, made -> ((FloatTensorData) made).put(mapped.floatData()))) {
            assertArrayEquals(new float[] {1, -2, 65504, 0.5f}, half.toNested(float[].class));
            assertArrayEquals(new float[] {1, -2, 65504, 0.5f}, back.toNested(float[].class));
        }
        try (Tensor<?> tensor = map(IntTensorData.of(new int[] {1, -2, 127, 0}));
            Tensor<?> bytes = Tensors.dense(DataType.INT8, new long[] {4}, made -> ((IntTensorData) made).put(tensor.intData()))) {
            assertArrayEquals(new int[] {1, -2, 127, 0}, bytes.toNested(int[].class));
        }
    }

    @Test
    void anArrayInFortransOrderIsColumnMajor() {
        float[][] rows = {{1, 2, 3}, {4, 5, 6}};
        try (Tensor<Float> made = Tensors.ofNested(rows); Tensor<Float> turned = Tensors.ofNested(new float[][] {{1, 4}, {2, 5}, {3, 6}});
            Tensor<?> tensor = map(turned.floatData().transpose())) {
            assertTrue(Npy.describe(file).hasLayout());
            assertEquals(TensorLayout.columnMajor(2, 3), tensor.layout());
            assertArrayEquals(rows, tensor.toNested(float[][].class));
            assertEquals(Value.of(made), Value.of(tensor));
            assertEquals(4, tensor.asByteBuffer().getFloat(4), "the buffer is the file");
            assertEquals(5, tensor.floatData().get(1, 1));
            try (Results sums = Comprehension.of("y[j] += A[i,j]").run(tensor)) {
                assertEquals("FLOAT[3] [5., 7., 9.]", sums.floatTensor("y").toString());
            }
        }
    }

    @Test
    void itCountsAsMappedAndNotAsMemory() {
        Npy.write(file, counting(MANY));
        MemoryStats before = MemoryStats.current();
        try (Tensor<?> tensor = Npy.map(file)) {
            assertEquals(MANY, tensor.numElements());
            MemoryStats now = MemoryStats.current();
            assertEquals(before.mappedBytes() + 4L * MANY, now.mappedBytes());
            assertEquals(before.bytesInUse(), now.bytesInUse());
            assertEquals(before.foreignBytes(), now.foreignBytes());
        }
    }

    @Test
    void nobodyCanWriteIt() {
        try (Tensor<?> tensor = map(counting(3))) {
            assertTrue(tensor.floatData().isReadOnly() && tensor.asByteBuffer().isReadOnly());
            assertThrows(ReadOnlyBufferException.class, () -> tensor.floatData().put(1, 0));
            assertThrows(ReadOnlyBufferException.class, () -> tensor.floatData().slice(at(0)).put(1));
            assertThrows(ReadOnlyBufferException.class, () -> tensor.floatData().put(new float[] {1, 2, 3}));
            Expect.thrown(IllegalArgumentException.class, () -> Pin.writable(tensor.floatData()), "init");
        }
    }

    /** Selections of any kind against those of the array in memory: elements, arrays, buffers, tensors, comprehensions, and views of more ranks. */
    @Test
    void everySelectionIsThatOfTheArray() {
        Seeds.each(1, 40, (random, done) -> {
            int rows = 1 + random.nextInt(300);
            int columns = 1 + random.nextInt(random.nextInt(3) == 0 ? 600 : 40);
            float[] values = new float[rows * columns];
            for (int n = 0; n < values.length; n++) {
                values[n] = random.nextInt(1000);
            }
            FloatTensorData like = FloatTensorData.of(values, rows, columns);
            like = random.nextBoolean() ? like : like.transpose();
            try (Tensor<?> tensor = map(like)) {
                FloatTensorData data = tensor.floatData();
                for (int step = 0; step < 6; step++) {
                    check(like, data, random);
                    long size = like.size(0);
                    TensorIndex[] how = {flip(), range(0, Math.max(1, size / 2)), step(1 + random.nextInt(3)),
                        incl(random.nextInt((int) size), random.nextInt((int) size), random.nextInt((int) size))};
                    int which = random.nextInt(how.length + 1);
                    like = which == how.length ? like.transpose() : like.slice(how[which]);
                    data = which == how.length ? data.transpose() : data.slice(how[which]);
                }
            }
        });
    }

    private static void check(FloatTensorData like, FloatTensorData data, Random random) {
        int count = (int) like.totalSize();
        float[] expected = new float[count];
        float[] actual = new float[count];
        like.copyTo(expected);
        data.copyTo(actual);
        assertArrayEquals(expected, actual);
        FloatBuffer buffer = ByteBuffer.allocateDirect(4 * count).order(ByteOrder.nativeOrder()).asFloatBuffer();
        data.get(buffer);
        assertEquals(0, buffer.remaining());
        for (int n = 0; n < 5; n++) {
            int[] index = {random.nextInt((int) like.size(0)), random.nextInt((int) like.size(1))};
            assertEquals(like.get(index), data.get(index));
        }
        assertEquals(like, data);
        try (Tensor<Float> copy = Tensors.create(data);
            Tensor<Float> columns = Tensors.denseFloat(TensorLayout.columnMajor(like.shape()), made -> made.put(data));
            Results doubled = Comprehension.of("y[i,j] = 2*A[i,j]").run(data)) {
            assertEquals(like, copy.floatData());
            assertEquals(like, columns.floatData());
            for (int n = 0; n < count; n++) {
                expected[n] *= 2;
            }
            doubled.floatTensor("y").floatData().copyTo(actual);
            assertArrayEquals(expected, actual);
        }
        assertEquals(like.stream().sum(), data.stream().sum());
    }

    @Test
    void operationsTakeIt() {
        try (Tensor<?> tensor = map(counting(1000)); Ops tf = Ops.create()) {
            @SuppressWarnings("unchecked")
            Tensor<Float> typed = (Tensor<Float>) tensor;
            assertEquals(-999, tf.math.neg(tf.constant(typed)).asTensor().floatData().get(999));
        }
    }

    @Test
    void whatIsNoRunOfNativeElementsIsRead() throws IOException {
        long before = mapped();
        String header = "{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }";
        Files.write(file, npy(header, new byte[] {0x3f, (byte) 0x80, 0, 0, 0x40, 0, 0, 0}));
        try (Tensor<?> foreign = Npy.map(file)) {
            assertEquals("FLOAT[2] [1., 2.]", foreign.toString());
            assertEquals(before, mapped());
        }
        ByteArrayOutputStream crooked = new ByteArrayOutputStream();
        String line = header.replace('>', '<') + (header.length() % 2 == 0 ? "" : " ") + "\n";
        crooked.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) line.length(), 0});
        crooked.write(line.getBytes(StandardCharsets.US_ASCII));
        assertFalse(crooked.size() % 4 == 0);
        crooked.write(new byte[] {0, 0, (byte) 0x80, 0x3f, 0, 0, 0, 0x40});
        Files.write(file, crooked.toByteArray());
        try (Tensor<?> unaligned = Npy.map(file)) {
            assertEquals("FLOAT[2] [1., 2.]", unaligned.toString());
            assertEquals(before, mapped());
        }
        try (Tensor<String> words = Tensors.ofNested(new String[] {"a", "bc"}); Tensor<?> texts = map(words.stringData())) {
            assertEquals(Value.of(words), Value.of(texts));
            assertEquals(before, mapped());
        }
        try (Tensor<?> none = map(FloatTensorData.of(new float[0], 3, 0)); Tensor<?> scalar = map(FloatTensorData.of(new float[] {7}, new long[0]))) {
            assertArrayEquals(new long[] {3, 0}, none.shape());
            assertEquals(7, scalar.floatData().get());
            assertEquals(before + 4, mapped());
        }
        Expect.thrown(UncheckedIOException.class, () -> Npy.map(folder.resolve("absent.npy")), "absent.npy");
        Expect.thrown(IllegalArgumentException.class, () -> Npy.map(Files.write(file, new byte[100])), "x.npy");
    }

    private static byte[] npy(String header, byte... elements) {
        StringBuilder padded = new StringBuilder(header);
        while ((padded.length() + 11) % 64 != 0) {
            padded.append(' ');
        }
        padded.append('\n');
        return ByteBuffer.allocate(10 + padded.length() + elements.length).order(ByteOrder.LITTLE_ENDIAN)
            .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}).putShort((short) padded.length())
            .put(padded.toString().getBytes(StandardCharsets.US_ASCII)).put(elements).array();
    }

    @Test
    void anyByteButZeroIsTrue() throws IOException {
        byte[] truths = new byte[1000];
        new Random(5).nextBytes(truths);
        truths[3] = 0;
        Files.write(file, npy("{'descr': '|b1', 'fortran_order': False, 'shape': (1000,), }", truths));
        try (Tensor<?> tensor = Npy.map(file); Tensor<?> copy = tensor.booleanData().copy();
            Results sum = Comprehension.of("n += int(b[i])").run(tensor)) {
            int count = 0;
            for (int n = 0; n < truths.length; n++) {
                assertEquals(truths[n] != 0, tensor.booleanData().get(n));
                assertEquals(truths[n] == 0 ? 0 : 1, copy.asByteBuffer().get(n));
                count += truths[n] == 0 ? 0 : 1;
            }
            assertEquals(count, sum.intTensor("n").intData().get());
        }
    }

    @Test
    @SuppressWarnings("try")            // closed in the middle
    void aPinAndABufferAreTheFile() {
        try (Tensor<?> tensor = map(counting(100))) {
            try (Pin pin = Pin.of(tensor)) {
                assertEquals(400, pin.byteSize());
                assertEquals(99, pin.buffer().getFloat(396));
                long before = mapped();
                tensor.close();
                assertEquals(98, pin.buffer().getFloat(392));
                assertEquals(before, mapped(), "the pin keeps it");
            }
        }
    }

    /** The third of the buffers begins beyond what an int can count. */
    @Test
    void aPinOfMoreThanTwoGibibytesIsInBuffers() throws IOException {
        long size = 2_400_000_000L;
        byte[] head = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (" + size + ",), }");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.SPARSE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(head), 0);
            channel.write(ByteBuffer.wrap(new byte[] {7}), head.length + size - 1);
        }
        try (Tensor<?> tensor = Npy.map(file); Pin pin = Pin.of(tensor)) {
            for (ByteBuffer[] parts : new ByteBuffer[][] {pin.buffers(), tensor.asByteBuffers()}) {
                assertEquals(3, parts.length);
                assertEquals(size, Arrays.stream(parts).mapToLong(ByteBuffer::remaining).sum());
                assertEquals(7, parts[2].get(parts[2].limit() - 1));
            }
            Expect.thrown(IllegalStateException.class, pin::buffer, "buffers()");
            Expect.thrown(IllegalStateException.class, pin::address, "buffers()");
        }
    }

    @Test
    @SuppressWarnings("try")            // closed in the middle
    void aLoanIsACopy() {
        try (Tensor<?> tensor = map(counting(100)); Loan loan = Loan.of(tensor)) {
            tensor.close();
            assertEquals(99, loan.buffer().getFloat(396));
        }
    }

    // ---- Safetensors ---------------------------------------------------------------------------------------------------

    @Test
    void tensorsOfAFileStayInIt() {
        Path path = folder.resolve("m.safetensors");
        Map<String, Tensor<?>> tensors = new LinkedHashMap<>();
        tensors.put("a", Tensors.ofNested(new float[][] {{1, 2}, {3, 4}}));
        tensors.put("b", Tensors.ofNested(new long[] {5, 6}));
        tensors.put("none", Tensors.ofNested(new float[0]));
        try (Value value = Value.dict(tensors)) {
            Safetensors.write(path, value, Collections.singletonMap("k", "v"));
            long before = mapped();
            TensorFile open = Safetensors.map(path);
            assertEquals("v", open.metadata().get("k"));
            try (Tensor<?> a = open.read("a"); Tensor<?> b = open.read("b"); Tensor<?> none = open.read("none");
                Tensor<?> part = open.read("a", all(), at(1))) {
                assertEquals(before + 32, mapped());
                open.close();
                open.close();
                assertEquals(value.get("a"), Value.of(a));
                assertEquals(value.get("b"), Value.of(b));
                assertEquals(value.get("none"), Value.of(none));
                assertEquals("FLOAT[2] [2., 4.]", part.toString());
                float[] values = new float[4];
                a.floatData().copyTo(values);
                assertArrayEquals(new float[] {1, 2, 3, 4}, values);
                assertThrows(IllegalStateException.class, () -> open.read("a"));
            }
            assertEquals(before, mapped());
        }
    }

    @Test
    void whatIsNotAlignedIsRead() throws IOException {
        Path path = folder.resolve("m.safetensors");
        String header = "{\"c\":{\"dtype\":\"BOOL\",\"shape\":[1],\"data_offsets\":[0,1]},"
            + "\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[1,5]}}";
        Files.write(path, ByteBuffer.allocate(8 + header.length() + 5).order(ByteOrder.LITTLE_ENDIAN).putLong(header.length())
            .put(header.getBytes(StandardCharsets.US_ASCII)).put((byte) 2).putFloat(1.5f).array());
        long before = mapped();
        try (TensorFile open = Safetensors.map(path); Tensor<?> x = open.read("x"); Tensor<?> c = open.read("c")) {
            assertEquals((header.length() + 9) % 4 == 0 ? before + 5 : before + 1, mapped());
            assertEquals(1.5f, x.floatData().get(0));
            assertTrue(c.booleanData().get(0));
            assertEquals(DataType.BOOL, c.dataType());
        }
        Files.move(path, folder.resolve("moved"), StandardCopyOption.REPLACE_EXISTING);
        Expect.thrown(UncheckedIOException.class, () -> Safetensors.map(path), "m.safetensors");
    }
}
