package io.tensornio.arrow;

import static io.tensornio.TensorIndex.to;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.interop.Pin;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A file that Python wrote by pyarrow: see {@code make.py} beside it. */
class PyArrowFileTest {
    private static final List<String> NUMBERS = Arrays.asList("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16",
        "uint32", "uint64");

    private BufferAllocator allocator;
    private ArrowFileReader reader;
    private VectorSchemaRoot root;

    @BeforeEach
    void open() throws Exception {
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("/pyarrow.arrow"))) {
            allocator = new RootAllocator();
            FixedShapeTensorType.register();            // as using ArrowTensors does
            reader = new ArrowFileReader(new ByteArrayReadableSeekableByteChannel(in.readAllBytes()), allocator);
            root = reader.getVectorSchemaRoot();
        }
    }

    @AfterEach
    void close() throws Exception {
        reader.close();
        allocator.close();
    }

    private Object nested(String column, Class<?> type) {
        try (AnyTensor<?> tensor = ArrowTensors.of(root.getVector(column))) {
            return tensor.toNested(type);
        }
    }

    @Test
    void numbersOfEveryTypeAreReadAndInPlace() throws Exception {
        assertTrue(reader.loadNextBatch());
        for (String name : NUMBERS) {
            DataType type = DataType.valueOf(name.equals("float32") ? "FLOAT" : name.equals("float64") ? "DOUBLE" : name.toUpperCase());
            FieldVector vector = root.getVector(name);
            try (AnyTensor<?> tensor = ArrowTensors.of(vector); Tensor<Double> doubles = Tensors.convert(tensor.data(), Double.class)) {
                assertEquals(type, tensor.dataType());
                assertArrayEquals(new double[] {0, 1, 2}, doubles.doubleData().slice(to(3)).stream().toArray(), name);
                assertEquals(highest(type), doubles.doubleData().get(3), name);
                ArrowTensors.inPlace(vector, seen -> {
                    try (Pin pin = Pin.of(seen)) {
                        assertEquals(vector.getDataBufferAddress(), pin.address());
                    }
                    assertEquals(type, seen.dataType());
                    return null;
                });
            }
        }
    }

    private static double highest(DataType type) {
        switch (type) {
            case UINT16:
                return 65_535;
            case UINT32:
                return 4_294_967_295.0;
            case UINT64:
                return 18_446_744_073_709_551_615.0;
            default:
                return 3;
        }
    }

    @Test
    void booleansStringsAndListsAreRead() throws Exception {
        assertTrue(reader.loadNextBatch());
        assertArrayEquals(new boolean[] {true, false, false, true}, (boolean[]) nested("bool", boolean[].class));
        for (String name : new String[] {"utf8", "large_utf8"}) {
            assertArrayEquals(new String[] {"", "a", "\u00e9", "bc"}, (String[]) nested(name, String[].class));
        }
        assertArrayEquals(new float[][] {{0, 0.5f}, {1, 1.5f}, {2, 2.5f}, {3, 3.5f}}, (float[][]) nested("fixed", float[][].class));
        assertArrayEquals(new int[][] {{1}, {}, {2, 3}, {4}}, (int[][]) nested("list", int[][].class));
        assertArrayEquals(new String[][] {{"a"}, {}, {"b", ""}, {"c"}}, (String[][]) nested("large_list", String[][].class));
    }

    @Test
    void tensorsOfOneShapeAreRead() throws Exception {
        assertTrue(reader.loadNextBatch());
        long[][][] tensors = (long[][][]) nested("tensor", long[][][].class);
        assertArrayEquals(new long[][] {{6, 7, 8}, {9, 10, 11}}, tensors[1]);
        long[][][] permuted = (long[][][]) nested("permuted", long[][][].class);
        assertArrayEquals(new long[][] {{6, 9}, {7, 10}, {8, 11}}, permuted[1]);
    }

    @Test
    void aPartOfABatchIsRead() throws Exception {
        assertTrue(reader.loadNextBatch());
        assertTrue(reader.loadNextBatch());
        assertEquals(3, root.getRowCount());
        assertArrayEquals(new boolean[] {false, false, true}, (boolean[]) nested("bool", boolean[].class));
        assertArrayEquals(new String[] {"a", "\u00e9", "bc"}, (String[]) nested("utf8", String[].class));
        assertArrayEquals(new int[][] {{}, {2, 3}, {4}}, (int[][]) nested("list", int[][].class));
        assertArrayEquals(new float[][] {{1, 1.5f}, {2, 2.5f}, {3, 3.5f}}, (float[][]) nested("fixed", float[][].class));
    }

    @Test
    void columnsOfOneTypeAreAMatrix() throws Exception {
        assertTrue(reader.loadNextBatch());
        FieldVector column = root.getVector("int64");
        try (Tensor<?> matrix = ArrowTensors.matrix(new VectorSchemaRoot(Arrays.asList(column, column)))) {
            assertArrayEquals(new long[][] {{0, 0}, {1, 1}, {2, 2}, {3, 3}}, matrix.toNested(long[][].class));
        }
    }

    @Test
    void nullsTimesAndDictionariesAreRefusedByName() throws Exception {
        assertTrue(reader.loadNextBatch());
        for (String name : new String[] {"nulls", "day", "dictionary"}) {
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> ArrowTensors.of(root.getVector(name)));
            assertTrue(e.getMessage().contains("`" + name + "`"), e.getMessage());
        }
    }
}
