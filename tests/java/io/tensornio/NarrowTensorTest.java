package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.ShortBuffer;
import java.util.Collections;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Dense tensors of types that are stored narrow. */
@ExtendWith(MemoryBalance.class)
class NarrowTensorTest {
    private static final DataType[] FLOATS = {DataType.FLOAT16, DataType.BFLOAT16};
    private static final DataType[] INTS = {DataType.INT8, DataType.INT16, DataType.UINT16};

    @Test
    void codesOfNativeCodeAreThePositionsOfConstants() {
        String[] names = {"FLOAT", "DOUBLE", "INT32", "INT64", "BOOL", "UINT8", "STRING", "FLOAT16", "BFLOAT16", "INT8", "INT16", "UINT16", "UINT32",
            "UINT64"};
        for (int n = 0; n < names.length; n++) {
            assertEquals(names[n], DataType.values()[n].name());
        }
    }

    @Test
    void typesSayWhatTheyHold() {
        String of = "";
        for (DataType type : DataType.values()) {
            of += type + ":" + (type.isFloat() ? "f" : "") + (type.isInteger() ? "i" : "") + (type.isSigned() ? "s" : "") + " ";
        }
        assertEquals("FLOAT:fs DOUBLE:fs INT32:is INT64:is BOOL: UINT8:i STRING: FLOAT16:fs BFLOAT16:fs INT8:is INT16:is UINT16:i UINT32:i "
            + "UINT64:i ", of);
    }

    @Test
    void everyPatternOfFloatsIsReadAndWrittenBack() {
        for (DataType type : FLOATS) {
            long[] shape = {256, 256};
            try (Tensor<Float> all = Tensors.denseFloat(type, shape, data -> {
                for (int i = 0; i < 1 << 16; i++) {
                    data.put(value(type, i), i >> 8, i & 255);
                }
            }); Tensor<Float> copy = Tensors.create(all.floatData().transpose())) {
                assertEquals(type, all.dataType());
                assertEquals(type, all.floatData().dataType());
                assertEquals(type, copy.dataType());
                assertEquals(2 << 16, all.numBytes());
                ByteBuffer bytes = all.asByteBuffer();
                float[] array = new float[1 << 16];
                all.floatData().get(array);
                for (int i = 0; i < 1 << 16; i++) {
                    float value = value(type, i);
                    assertEquals(value, all.floatData().get(i >> 8, i & 255));
                    assertEquals(value, copy.floatData().get(i & 255, i >> 8));
                    assertEquals(value, array[i]);
                    int bits = bytes.getShort(2 * i) & 0xffff;
                    assertEquals(value, value(type, bits));
                    assertTrue(Float.isNaN(value) || bits == i);
                }
                assertEquals(all.floatData(), copy.floatData().transpose());
            }
        }
    }

    @Test
    void everyPatternPassesThroughComprehensionsAndStreams() {
        short[] patterns = new short[1 << 16];
        for (int i = 0; i < patterns.length; i++) {
            patterns[i] = (short) i;
        }
        for (DataType type : FLOATS) {
            FloatTensorData all = type == DataType.FLOAT16 ? FloatTensorData.ofFloat16(patterns) : FloatTensorData.ofBFloat16(patterns);
            Comprehension each = Comprehension.of("y[i] = x[i]; z[i] = float(x[i]); w[i] = " + type.name().toLowerCase(Locale.ROOT) + "(x[i] * 1)");
            short[] back = new short[1 << 16];
            double[] stream = all.stream().toArray();
            try (Results r = each.run(all); Tensor<Float> put = Tensors.denseFloat(type, new long[] {1 << 16}, data -> data.put(all.stream()))) {
                r.get("y").asByteBuffer().asShortBuffer().get(back);
                assertArrayEquals(patterns, back);
                for (int i = 0; i < patterns.length; i++) {
                    float value = value(type, i);
                    assertEquals(value, r.floatTensor("z").floatData().get(i));
                    assertEquals(value, r.floatTensor("w").floatData().get(i));
                    assertEquals(value, (float) stream[i]);
                    assertEquals(value, put.floatData().get(i));
                }
            }
        }
    }

    /** By the definition of the formats. */
    private static float value(DataType type, int bits) {
        int fractions = type == DataType.FLOAT16 ? 10 : 7;
        int exponents = 15 - fractions;
        int bias = (1 << exponents - 1) - 1;
        int exponent = bits >> fractions & (1 << exponents) - 1;
        int fraction = bits & (1 << fractions) - 1;
        double magnitude = exponent == 0 ? Math.scalb((double) fraction, 1 - bias - fractions)
            : exponent < (1 << exponents) - 1 ? Math.scalb((double) fraction + (1 << fractions), exponent - bias - fractions)
            : fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
        return (float) ((bits & 0x8000) != 0 ? -magnitude : magnitude);
    }

    @Test
    void floatsAreRoundedToTheNearestOfTwoTheEvenOne() {
        float[] given = {1 + 0x1p-11f, 1 + 0x3p-11f, Math.nextUp(1 + 0x1p-11f), 65519.996f, 65520, 0x1p-25f, Math.nextUp(0x1p-25f), -0.0f};
        float[] rounded = {1, 1 + 0x1p-9f, 1 + 0x1p-10f, 65504, Float.POSITIVE_INFINITY, 0, 0x1p-24f, -0.0f};
        try (Tensor<Float> half = Tensors.denseFloat(DataType.FLOAT16, new long[] {8}, data -> data.put(given))) {
            assertArrayEquals(rounded, (float[]) half.toNested());
        }
        float[] wide = {1 + 0x1p-8f, 1 + 0x3p-8f, Float.MAX_VALUE, Float.NaN};
        try (Tensor<Float> brain = Tensors.denseFloat(DataType.BFLOAT16, new long[] {4}, data -> data.put(wide))) {
            assertArrayEquals(new float[] {1, 1 + 0x1p-6f, Float.POSITIVE_INFINITY, Float.NaN}, (float[]) brain.toNested());
        }
    }

    @Test
    void integersOutsideOfTheRangeAreRefusedBeforeAnythingIsWritten() {
        int[][] limits = {{-128, 127}, {-32768, 32767}, {0, 65535}};
        for (int n = 0; n < INTS.length; n++) {
            DataType type = INTS[n];
            int low = limits[n][0];
            int high = limits[n][1];
            try (Tensor<Integer> made = Tensors.denseInt(type, new long[] {3}, data -> {
                data.put(new int[] {low, 7, high});
                for (int wrong : new int[] {low - 1, high + 1}) {
                    Expect.exactly(IllegalArgumentException.class, () -> data.put(wrong, 0), type.name(), "" + wrong, "" + low, "" + high);
                    Expect.exactly(IllegalArgumentException.class, () -> data.put(new int[] {1, 2, wrong}), type.name(), "" + wrong);
                }
            })) {
                assertArrayEquals(new int[] {low, 7, high}, (int[]) made.toNested());
                String text = made.intData().toString().replaceAll("\\s*, *", ", ").replaceAll("\\[ +", "[");
                assertEquals(type + "[3] [" + low + ", 7, " + high + "]", text);
            }
        }
        long top = 0xffffffffL;
        try (Tensor<Long> made = Tensors.denseLong(DataType.UINT32, new long[] {2}, data -> {
            data.put(new long[] {top, 1});
            Expect.exactly(IllegalArgumentException.class, () -> data.put(-1, 0), "UINT32", "-1", "" + top);
            Expect.exactly(IllegalArgumentException.class, () -> data.put(top + 1, 0), "UINT32", "4294967296");
        })) {
            assertArrayEquals(new long[] {top, 1}, (long[]) made.toNested());
        }
    }

    @Test
    void aTypeOfAnotherCarrierIsRefused() {
        Expect.exactly(IllegalArgumentException.class, () -> Tensors.denseFloat(DataType.INT8, new long[] {1}, data -> { }), "INT8", "float");
        Expect.exactly(IllegalArgumentException.class, () -> Tensors.denseInt(DataType.UINT32, new long[] {1}, data -> { }), "UINT32", "int");
        Expect.exactly(IllegalArgumentException.class, () -> Tensors.denseLong(DataType.FLOAT16, new long[] {1}, data -> { }), "FLOAT16", "long");
        try (Tensor<Float> made = Tensors.denseFloat(DataType.FLOAT, new long[] {1}, data -> data.put(.1f, 0))) {
            assertEquals(.1f, made.floatData().get(0));
        }
    }

    @Test
    void equalityIsOfTypeAndValues() {
        try (Tensor<Float> half = Tensors.denseFloat(DataType.FLOAT16, new long[] {2}, data -> data.put(new float[] {1, 2}));
            Tensor<Float> same = Tensors.denseFloat(DataType.FLOAT16, new long[] {2}, data -> data.put(new float[] {1, 2}));
            Tensor<Float> wide = Tensors.denseFloat(new long[] {2}, data -> data.put(new float[] {1, 2}))) {
            assertEquals(half.floatData(), same.floatData());
            assertEquals(half.floatData().hashCode(), same.floatData().hashCode());
            assertNotEquals(half.floatData(), wide.floatData());
            assertFalse(wide.floatData().equals(half.floatData()));
        }
    }

    @Test
    void viewsAndSlicesAreOfTheSameType() {
        try (Tensor<Float> half = Tensors.denseFloat(DataType.FLOAT16, new long[] {3, 4}, data -> {
            for (int i = 0; i < 12; i++) {
                data.put(i + .25f, i / 4, i % 4);
            }
            data.slice(1).put(new float[] {4, 5});
        })) {
            FloatTensorData data = half.floatData();
            assertEquals(5, data.slice(1).get(1));
            assertEquals(2.25f, data.transpose().get(2, 0));
            assertEquals(DataType.FLOAT16, data.permute(1, 0).dataType());
            assertEquals(DataType.FLOAT16, FloatTensorData.concat(0, data, data).dataType());
            assertEquals(11.25f, data.reshape(12).get(11));
            Expect.thrown(ReadOnlyBufferException.class, () -> data.put(1, 0, 0), "FLOAT16");
        }
    }

    @Test
    void aClosedTensorIsNotRead() {
        Tensor<Integer> made = Tensors.denseInt(DataType.INT8, new long[] {2}, data -> data.put(3, 1));
        IntTensorData data = made.intData();
        made.close();
        Expect.thrown(TensorClosedException.class, () -> data.get(1), "INT8");
    }

    @Test
    void comprehensionsReadThemAndCastToThem() {
        Comprehension scaled = Comprehension.of("y[i,j] = float16(2 * x[j,i] + 1); z[i] += x[i,j]");
        try (Tensor<Float> half = Tensors.denseFloat(DataType.FLOAT16, new long[] {2, 3}, data -> data.put(new float[] {1, 2, 3, 4, 5, .1f}));
            Results r = scaled.run(half)) {
            assertEquals(DataType.FLOAT16, r.get("y").dataType());
            assertArrayEquals(new float[][] {{3, 9}, {5, 11}, {7, 1.2001953f}}, (float[][]) r.floatTensor("y").toNested());
            assertEquals(DataType.FLOAT, r.floatTensor("z").dataType());
            assertArrayEquals(new float[] {6, 9 + 0.099975586f}, (float[]) r.floatTensor("z").toNested());
        }
        IntTensorData bytes = IntTensorData.ofInt8(new byte[2]);
        Expect.exactly(IllegalArgumentException.class, () -> Comprehension.of("y[i] = 2 * x[i]").runInto(Collections.singletonMap("x", bytes),
            Collections.singletonMap("y", bytes)), "INT32", "INT8", "int8(");
        Comprehension kept = Comprehension.of("y[i] = x[i]");
        try (Tensor<Long> u = Tensors.denseLong(DataType.UINT64, new long[] {2}, data -> data.put(new long[] {-1, 5})); Results r = kept.run(u)) {
            assertEquals(DataType.UINT64, r.get("y").dataType());
            assertArrayEquals(new long[] {-1, 5}, (long[]) r.longTensor("y").toNested());
            Expect.exactly(IllegalArgumentException.class, () -> Comprehension.of("y[i] = x[i] + 1").run(u), "UINT64", "long(x[i])");
        }
        try (Tensor<Integer> k = Tensors.denseInt(DataType.INT8, new long[] {2}, data -> data.put(new int[] {-1, 100}));
            Results r = Comprehension.of("y[i] = x[i] * 2; z[i] = uint16(x[i])").run(k.intData().slice(TensorIndex.incl(1, 0)))) {
            assertArrayEquals(new int[] {200, -2}, (int[]) r.intTensor("y").toNested());
            assertArrayEquals(new int[] {100, 65535}, (int[]) r.intTensor("z").toNested());
        }
    }

    @Test
    void aHalfIsPrintedAsByNumPy() {
        try (Tensor<Float> half = Tensors.denseFloat(DataType.FLOAT16, new long[] {3}, data -> data.put(new float[] {.1f, 1, 2.5f}))) {
            assertEquals("FLOAT16[3] [0.1, 1. , 2.5]", half.floatData().toString());
        }
    }

    @Test
    void streamsHaveWordsOfTheWidthBigEndian() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Tensor<Float> half = Tensors.denseFloat(DataType.FLOAT16, new long[] {2}, data -> data.put(new float[] {1, -2}));
            Tensor<Integer> unsigned = Tensors.denseInt(DataType.UINT16, new long[] {1}, data -> data.put(0xfffe, 0))) {
            half.floatData().writeTo(out);
            unsigned.intData().writeTo(out);
        }
        assertArrayEquals(new byte[] {0x3c, 0, (byte) 0xc0, 0, (byte) 0xff, (byte) 0xfe}, out.toByteArray());
        try (Tensor<Float> back = Tensors.denseFloat(DataType.FLOAT16, new long[] {3}, data ->
            data.readFrom(new ByteArrayInputStream(out.toByteArray())))) {
            assertArrayEquals(new float[] {1, -2, Float.NaN}, (float[]) back.toNested());
        }
    }

    @Test
    void partsOfAViewHaveOneType() {
        try (Tensor<Float> half = Tensors.denseFloat(DataType.FLOAT16, new long[] {2}, data -> { });
            Tensor<Float> wide = Tensors.denseFloat(new long[] {2}, data -> { })) {
            Expect.exactly(IllegalArgumentException.class, () -> FloatTensorData.concat(0, half.floatData(), wide.floatData()), "concat", "FLOAT16",
                "FLOAT", "convert");
            Expect.exactly(IllegalArgumentException.class, () -> FloatTensorData.where(BooleanTensorData.of(new boolean[2]), half.floatData(),
                wide.floatData()), "where", "FLOAT16", "convert");
            wide.floatData().get(half.floatData().toNested(float[].class));
        }
    }

    @Test
    void arraysAndBuffersAreReadInPlaceAsTheyAreStored() {
        short[] halves = {0x3c00, (short) 0xc000, 0};
        FloatTensorData half = FloatTensorData.ofFloat16(halves);
        assertEquals(DataType.FLOAT16, half.dataType());
        assertEquals(-2, half.get(1));
        half.put(.5f, 2);
        assertEquals(0x3800, halves[2]);
        assertEquals(1, FloatTensorData.ofBFloat16(ShortBuffer.wrap(new short[] {7, 0x3f80}, 1, 1)).get(0));
        byte[] bytes = {1, -1, 3, 4};
        IntTensorData signed = IntTensorData.ofInt8(bytes, 2, 2);
        assertEquals(-1, signed.get(0, 1));
        Expect.exactly(IllegalArgumentException.class, () -> signed.put(128, 0, 0), "INT8", "128");
        Expect.exactly(IllegalArgumentException.class, () -> IntTensorData.ofInt8(bytes, 3), "3", "4");
        short[] shorts = {-1, 5};
        assertEquals(-1, IntTensorData.ofInt16(shorts).get(0));
        assertEquals(65535, IntTensorData.ofUInt16(shorts).get(0));
        assertEquals(0xffffffffL, LongTensorData.ofUInt32(new int[] {-1}).get(0));
        assertEquals(-1, LongTensorData.ofUInt64(new long[] {-1}).get(0));
        IntTensorData fixed = IntTensorData.ofInt16(ShortBuffer.wrap(shorts).asReadOnlyBuffer());
        Expect.thrown(ReadOnlyBufferException.class, () -> fixed.put(1, 0), "INT16");
        try (Tensor<Integer> made = Tensors.create(IntTensorData.ofUInt16(shorts))) {
            assertEquals(DataType.UINT16, made.dataType());
            short[] back = new short[2];
            IntTensorData.ofUInt16(back).put(made.intData());
            assertArrayEquals(shorts, back);
        }
        IntTensorData overlapping = IntTensorData.ofInt8(bytes);
        overlapping.slice(TensorIndex.from(1)).put(overlapping.slice(TensorIndex.to(3)));
        assertArrayEquals(new byte[] {1, 1, -1, 3}, bytes);
    }

    @Test
    void aTensorOfATypeThatIsKnownAtRunTimeIsOfItsCarriersInterface() {
        for (DataType type : DataType.values()) {
            if (type == DataType.STRING) {
                Expect.exactly(IllegalArgumentException.class, () -> Tensors.dense(type, new long[] {2}, data -> { }), "STRING");
                continue;
            }
            try (Tensor<?> made = Tensors.dense(type, new long[] {2, 1}, data -> assertEquals(type, data.dataType()))) {
                assertEquals(type, made.dataType());
                assertEquals(2L * type.byteSize(), made.numBytes());
            }
        }
    }

    @Test
    void conversionsTruncateSaturateWrapAndRoundOnce() {
        double[] given = {-1.9, 2.9, 300, Double.NaN, Double.POSITIVE_INFINITY, -1e30};
        DoubleTensorData data = DoubleTensorData.of(given, 6);
        try (Tensor<?> bytes = Tensors.convert(data, DataType.INT8); Tensor<?> wide = Tensors.convert(data, DataType.UINT64);
            Tensor<?> truth = Tensors.convert(data, DataType.BOOL); Tensor<Float> floats = Tensors.convert(data, Float.class)) {
            assertArrayEquals(new int[] {-1, 2, 127, 0, 127, -128}, (int[]) bytes.toNested());
            assertArrayEquals(new long[] {0, 2, 300, 0, -1, 0}, (long[]) wide.toNested());
            assertArrayEquals(new boolean[] {true, true, true, true, true, true}, (boolean[]) truth.toNested());
            assertArrayEquals(new float[] {-1.9f, 2.9f, 300, Float.NaN, Float.POSITIVE_INFINITY, -1e30f}, (float[]) floats.toNested());
            try (Tensor<?> value = Tensors.convert(wide.longData(), DataType.DOUBLE);
                Tensor<?> low = Tensors.convert(wide.longData(), DataType.INT16)) {
                assertArrayEquals(new double[] {0, 2, 300, 0, 0x1p64, 0}, (double[]) value.toNested());
                assertArrayEquals(new int[] {0, 2, 300, 0, -1, 0}, (int[]) low.toNested());
            }
        }
        // The middle of two BFLOAT16, and a bit more, which no DOUBLE holds.
        LongTensorData longs = LongTensorData.of(new long[] {(1L << 60) + (1L << 52), (1L << 60) + (1L << 52) + 1}, 2);
        try (Tensor<?> signed = Tensors.convert(longs, DataType.BFLOAT16); Tensor<?> same = Tensors.convert(longs, DataType.UINT64);
            Tensor<?> unsigned = Tensors.convert(same.longData(), DataType.BFLOAT16)) {
            assertArrayEquals(new float[] {0x1p60f, 0x1.02p60f}, (float[]) signed.toNested());
            assertArrayEquals(new float[] {0x1p60f, 0x1.02p60f}, (float[]) unsigned.toNested());
        }
        Expect.exactly(IllegalArgumentException.class, () -> Tensors.convert(StringTensorData.of(new String[] {"a"}), DataType.INT8), "STRING");
    }

    @Test
    void aScaleIsRoundedToTheTypeOfTheComputationAndResultsToTheNearestEven() {
        FloatTensorData data = FloatTensorData.of(new float[] {1, 3, 5, -300, Float.NaN}, 5);
        try (Tensor<?> bytes = Tensors.convert(data, DataType.INT8, .5, 0); Tensor<?> unsigned = Tensors.convert(data, DataType.UINT8, 1, -1)) {
            assertArrayEquals(new int[] {0, 2, 2, -128, 0}, (int[]) bytes.toNested());
            assertEquals(4, unsigned.uInt8Data().get(2));
            assertEquals(0, unsigned.uInt8Data().get(3));
        }
        float scale = 1 / 255f;
        try (Tensor<Integer> wide = Tensors.denseInt(DataType.UINT16, new long[] {3}, d -> d.put(new int[] {1, 65535, 255}));
            Tensor<?> floats = Tensors.convert(wide.intData(), DataType.FLOAT, 1 / 255., 1);
            Tensor<?> half = Tensors.convert(wide.intData(), DataType.FLOAT16, 1 / 255., 0)) {
            assertArrayEquals(new float[] {scale + 1, 65535 * scale + 1, 255 * scale + 1}, (float[]) floats.toNested());
            assertEquals(257, half.floatData().get(1));
        }
    }

    @Test
    void convertedDataIsWrittenInPlaceAtAnyStridesAndWhereItOverlaps() {
        try (Tensor<?> image = Tensors.dense(DataType.UINT8, new long[] {2, 3, 2}, data -> {
            for (int i = 0; i < 12; i++) {
                ((ByteTensorData) data).put((byte) (20 * i), i / 6, i / 2 % 3, i % 2);
            }
        }); Tensor<Float> planes = Tensors.denseFloat(DataType.FLOAT16, new long[] {2, 2, 3}, data ->
            image.uInt8Data().permute(2, 0, 1).convertTo(data, .1, 0))) {
            assertArrayEquals(new float[][][] {{{0, 4, 8}, {12, 16, 20}}, {{2, 6, 10}, {14, 18, 22}}}, (float[][][]) planes.toNested());
            Expect.thrown(ReadOnlyBufferException.class, () -> image.uInt8Data().permute(2, 0, 1).convertTo(planes.floatData()), "FLOAT16");
        }
        int[] array = {1, 2, 3, 4};
        IntTensorData ints = IntTensorData.of(array, 4);
        ints.slice(TensorIndex.to(3)).convertTo(ints.slice(TensorIndex.from(1)), 10, 0);
        assertArrayEquals(new int[] {1, 10, 20, 30}, array);
        Expect.exactly(IllegalArgumentException.class, () -> ints.convertTo(ints.reshape(2, 2)), "[4]", "[2, 2]");
    }
}
