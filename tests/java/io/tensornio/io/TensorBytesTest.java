package io.tensornio.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.RaggedTensor;
import io.tensornio.StringTensorData;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.value.Value;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TensorBytesTest {
    private static TensorBytes serialised(TensorBytes bytes) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
            objects.writeObject(bytes);
        }
        try (ObjectInputStream objects = new ObjectInputStream(new ByteArrayInputStream(out.toByteArray()))) {
            return (TensorBytes) objects.readObject();
        }
    }

    private static void check(AnyTensor<?> tensor) throws Exception {
        try (AnyTensor<?> again = serialised(TensorBytes.of(tensor)).tensor()) {
            assertEquals(tensor.getClass(), again.getClass());
            assertEquals(tensor.dataType(), again.dataType());
            assertEquals(Arrays.toString(tensor.shape()), Arrays.toString(again.shape()));
            assertEquals(tensor.data(), again.data());
        } finally {
            tensor.close();
        }
    }

    private static byte[][] chunks(TensorBytes bytes) throws ReflectiveOperationException {
        Field field = TensorBytes.class.getDeclaredField("chunks");
        field.setAccessible(true);
        return (byte[][]) field.get(bytes);
    }

    @Test
    void aTensorOfEachTypeComesBack() throws Exception {
        for (DataType type : DataType.values()) {
            if (type != DataType.STRING) {
                try (AnyTensor<?> numbers = Tensors.convert(IntTensorData.of(new int[] {1, 0, 100, 7, 0, 5}, 2, 3), type)) {
                    check(numbers);
                }
                check(Tensors.dense(type, new long[] {0, 4}, data -> { }));
                check(Tensors.dense(type, new long[0], data -> { }));
            }
        }
        check(Tensors.ofNested(new String[][] {{"", "a"}, {"\u00e9\ud83d\ude00", new String(new char[70_000])}}));
        check(Tensors.ofNested(new float[] {Float.NaN, -0f, Float.NEGATIVE_INFINITY}));
    }

    @Test
    void sparseAndRaggedTensorsComeBack() throws Exception {
        check(Tensors.sparseFloat(LongTensorData.of(new long[] {1, 2, 0, 3}, 2, 2), FloatTensorData.of(new float[] {5, 6}), 3, 4));
        check(Tensors.sparseString(new long[] {1000}, 1, data -> data.put("x", 7)));
        check(RaggedTensor.fromRowLengths(IntTensorData.of(new int[] {1, 2, 3, 4, 5, 6}, 3, 2), 2, 0, 1));
        check(RaggedTensor.fromRowLengths(IntTensorData.of(new int[] {1, 2, 3}), new long[] {2, 0, 1}, new long[] {1, 0, 2}));
        check(Tensors.raggedFloat(new long[] {2, -1, 2, -1}, data -> {
            data.put(new float[] {1, 2}, 0, 0, 0);
            data.put(new float[] {3}, 0, 1, 1);
            data.put(new float[] {4, 5, 6}, 1, 0, 1);
            data.put(new float[0], 1, 1, 1);
        }));
        check(Tensors.raggedString(new long[] {2, -1}, data -> data.put(new String[] {"a", "bc"}, 1)));
        check(Tensors.raggedInt(new long[] {0, -1}, data -> { }));
        check(RaggedTensor.fromRowLengths(IntTensorData.of(new int[0]), new long[] {2, 0}, new long[] {0, 1}, new long[] {0}));
    }

    @Test
    void valuesComeBack() {
        Map<String, Object> inside = new LinkedHashMap<>();
        inside.put("b", Value.list(Tensors.ofNested(new int[] {1}), Tensors.ofNested(new int[] {2, 3})));
        inside.put("a", Value.optional(Tensors.ofNested(new double[] {4})));
        inside.put("none", Value.optional(null));
        inside.put("", Value.list());
        try (Value value = Value.dict(inside); Value again = TensorBytes.of(value).value()) {
            assertEquals(value, again);
            assertEquals(value.asDict().keySet().toString(), again.asDict().keySet().toString());
            assertThrows(IllegalStateException.class, () -> TensorBytes.of(value).tensor());
        }
    }

    @Test
    void moreThanOneChunkIsRead() {
        try (AnyTensor<?> tensor = Tensors.denseLong(new long[] {(1 << 23) + 5}, data -> data.put(9, 1 << 23));
            AnyTensor<?> again = TensorBytes.of(tensor).tensor()) {
            assertEquals(9, again.longData().get(1 << 23));
        }
    }

    @Test
    void whatIsMalformedIsRefusedAndTakesNoMemory() throws Exception {
        Value value = Value.dict(new LinkedHashMap<>());
        for (int i = 0; i < 70; i++) {
            value = Value.list(value);
        }
        Value deep = value;
        assertThrows(IllegalArgumentException.class, () -> TensorBytes.of(deep));
        Map<String, Object> dict = new LinkedHashMap<>();
        dict.put("x", Tensors.ofNested(new float[] {1, 2}));
        dict.put("y", RaggedTensor.fromRowLengths(IntTensorData.of(new int[] {1, 2, 3}), 2, 0, 1));
        dict.put("z", Tensors.sparseFloat(LongTensorData.of(new long[] {1, 2, 0, 3}, 2, 2), FloatTensorData.of(new float[] {5, 6}), 3, 4));
        dict.put("s", Tensors.ofNested(new String[] {"a", "bcd"}));
        Random random = new Random(5);
        try (Value good = Value.dict(dict)) {
            byte[] bytes = chunks(TensorBytes.of(good))[0].clone();
            long before = MemoryStats.current().bytesInUse();
            for (int i = 0; i < bytes.length; i++) {
                TensorBytes cut = TensorBytes.of(good);
                byte[][] own = chunks(cut);
                own[0] = Arrays.copyOf(bytes, i);
                assertThrows(IllegalArgumentException.class, cut::value, "cut at " + i);
                own[0] = bytes.clone();
                own[0][i] ^= (byte) (1 + random.nextInt(255));
                try {
                    cut.value().close();            // another value of another element, or name
                } catch (IllegalArgumentException expected) {
                    assertTrue(expected.getMessage().startsWith("malformed"), expected.getMessage());
                }
            }
            TensorBytes longer = TensorBytes.of(good);
            chunks(longer)[0] = Arrays.copyOf(bytes, bytes.length + 1);
            assertThrows(IllegalArgumentException.class, longer::value);
            chunks(longer)[0] = null;
            assertThrows(IllegalArgumentException.class, longer::value);
            assertEquals(before, MemoryStats.current().bytesInUse());
        }
    }

    private static Value read(int... bytes) throws ReflectiveOperationException {
        TensorBytes made = TensorBytes.of(Value.list());
        byte[] own = new byte[bytes.length];
        for (int n = 0; n < own.length; n++) {
            own[n] = (byte) bytes[n];
        }
        Field field = TensorBytes.class.getDeclaredField("chunks");
        field.setAccessible(true);
        field.set(made, new byte[][] {own});
        return made.value();
    }

    @Test
    void stringsAreBytesAndNamesAreUtf8() throws Exception {
        check(Tensors.create(StringTensorData.ofBytes(new byte[][] {{(byte) 0xff, 0}, {}, {65}, {(byte) 0xed, (byte) 0xa0, (byte) 0x80}}, 2, 2)));
        Expect.exactly(IllegalArgumentException.class, () -> TensorBytes.of(Value.dict(Collections.singletonMap("\ud800", Value.list()))),
            "half a surrogate pair");
        // A dictionary with the name 0xff of an empty list.
        Expect.exactly(IllegalArgumentException.class, () -> read(4, 0, 0, 0, 1, 0, 0, 0, 1, 0xff, 3, 0, 0, 0, 0), "malformed bytes of a tensor");
    }

    @Test
    void aTensorOfManyAxesComesBack() throws Exception {
        long[] shape = new long[256];
        Arrays.fill(shape, 1);
        check(Tensors.denseFloat(shape, data -> data.put(3, new int[256])));
    }

    @Test
    void whatIsWrongIsSaidAndKeepsNothing() throws Exception {
        long before = MemoryStats.current().tensorsAlive();
        int[] tensor = {0, 0, 5, 'F', 'L', 'O', 'A', 'T', 0, 0, 0, 0, 0, 0, 0, 0};
        int[] two = {5, 0, 0, 0, 2};
        int[] optional = Arrays.copyOf(two, two.length + 2 * tensor.length);
        System.arraycopy(tensor, 0, optional, two.length, tensor.length);
        System.arraycopy(tensor, 0, optional, two.length + tensor.length, tensor.length);
        Expect.exactly(IllegalArgumentException.class, () -> read(optional), "an optional value is 2 values");
        Expect.exactly(IllegalArgumentException.class, () -> read(77, 0, 0, 0, 0), "no value of kind 77");
        Expect.exactly(IllegalArgumentException.class, () -> read(0, 0, 5, 'F'), "they end early");
        Expect.exactly(IllegalArgumentException.class, () -> read(), "they end early");
        assertEquals(before, MemoryStats.current().tensorsAlive());
    }
}
