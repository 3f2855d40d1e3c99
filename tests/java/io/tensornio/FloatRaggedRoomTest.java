package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/**
 * Ragged {@code float} tensors of more rows and longer rows than there can be: the error says what was asked and what is possible, and nothing grows.
 */
@ExtendWith(MemoryBalance.class)
class FloatRaggedRoomTest {
    private static void refused(Executable call, String... says) {
        Expect.thrown(OutOfMemoryError.class, call, says);
    }

    @Test
    void moreRowsThanCanBeNumbered() {
        refused(() -> Tensors.raggedFloat(new long[] {1L << 40, -1}, data -> fail()), "1099511627776 rows", "[1099511627776, -1]",
            "there can be 2147483639");
        refused(() -> Tensors.raggedFloat(new long[] {1 << 16, 1 << 16, -1}, data -> fail()), "4294967296 rows", "[65536, 65536, -1]", "2147483639");
        Tensors.raggedFloat(new long[] {1, -1, -1}, data -> {
            data.put(FloatValues.of(1), 0, 2, 0);
            refused(() -> data.put(FloatValues.of(2), 0, Integer.MAX_VALUE, 0), "2147483648 rows", "[1, -1, -1]", "there can be 2147483639");
            assertEquals(3, data.slice(0).size(0));
        }).close();
        Tensors.raggedFloat(new long[] {1, -1, 1L << 40, -1}, data -> {
            refused(() -> data.put(FloatValues.of(2), 0, 0, 0, 0), "1099511627776 rows", "[1, -1, 1099511627776, -1]", "there can be 2147483639");
            refused(() -> data.put(FloatValues.of(2), 0, 1 << 25, 0, 0), "more than 9223372036854775807 rows", "[1, -1, 1099511627776, -1]",
                "there can be 2147483639");
            assertEquals(0, data.slice(0).size(0));
        }).close();
    }

    @Test
    void moreRowsThanTheHeapHasRoomFor() {
        refused(() -> Tensors.raggedFloat(new long[] {400_000_000, -1}, data -> fail()), "400000000 rows", "[400000000, -1]",
            "4800000000 bytes of heap");
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1, -1}, data -> {
            data.put(FloatValues.of(1), 0, 2, 0);
            // There is not even room for the numbers of the rows, or for these, but not for the rows.
            refused(() -> data.put(FloatValues.of(2), 1, 400_000_000, 0), "400000004 rows", "[2, -1, -1]", "4800000048 bytes of heap");
            refused(() -> data.put(FloatValues.of(2), 1, 80_000_000, 0), "80000004 rows", "[2, -1, -1]", "960000048 bytes of heap");
            assertEquals(0, data.slice(1).size(0));
            data.put(FloatValues.of(3), 1, 10_000, 0);
        })) {
            assertArrayEquals(new float[] {FloatValues.of(1), FloatValues.of(3)}, FloatValues.all(tensor.floatData()));
        }
    }

    @Test
    void longerRowsThanOneTensorHasBytesFor() {
        refused(() -> Tensors.raggedFloat(new long[] {1, -1, 1L << 31}, data -> fail()), "2147483648 elements in one position", "[1, -1, 2147483648]",
            "there can be 2147483639");
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1}, data -> {
            data.put(FloatValues.of(1), 0, 0);
            refused(() -> data.put(FloatValues.of(2), 0, Integer.MAX_VALUE), "row of 2147483648 positions", "[2, -1]", "2147483647 bytes");
            refused(() -> data.slice(0).put(FloatValues.of(2), Integer.MAX_VALUE), "row of 2147483648 positions", "[2, -1]", "2147483647 bytes");
            data.put(FloatValues.of(3), 0, 1);
        })) {
            assertArrayEquals(new float[] {FloatValues.of(1), FloatValues.of(3)}, FloatValues.all(tensor.floatData()));
        }
        Tensors.raggedFloat(new long[] {1, -1, 1 << 20}, data -> {
            refused(() -> data.put(FloatValues.of(2), 0, 2047, 0), "row of 2048 positions", "[1, -1, 1048576]", "2147483647 bytes");
            assertEquals(0, data.totalSize());
        }).close();
    }

    //~string @Test
    //~string void longerRowsThanTheHeapHasRoomFor() {
    //~string     try (RaggedTensor<String> tensor = Tensors.raggedString(new long[] {2, -1}, data -> {
    //~string         data.put("a", 0, 0);
    //~string         refused(() -> data.put("b", 0, 199_999_999), "200000000 elements", "[2, -1]", "2400000000 bytes of heap");
    //~string         data.put("c", 0, 1);
    //~string     })) {
    //~string         assertArrayEquals(new String[] {"a", "c"}, StringValues.all(tensor.stringData()));
    //~string     }
    //~string }
}
