package io.tensornio.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.support.MemoryBalance;
import io.tensornio.value.Value;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Base64;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Files of several arrays that NumPy, scipy and safetensors wrote: {@code tests/files/others.txt}, which {@code make.py} beside it makes. */
@ExtendWith(MemoryBalance.class)
class GoldenFilesTest {
    @TempDir
    Path folder;

    private static byte[] golden(String name) throws IOException {
        for (String line : Files.readAllLines(Paths.get("tests", "files", "others.txt"))) {
            String[] words = line.split(" ");
            if (words[0].equals(name)) {
                return Base64.getDecoder().decode(words[1]);
            }
        }
        throw new AssertionError(name);
    }

    private static void check(Value arrays) {
        assertEquals(7, arrays.asDict().size());
        assertArrayEquals(new float[][] {{0, 1, 2}, {3, 4, 5}}, arrays.get("x").asTensor().toNested(float[][].class));
        AnyTensor<?> u = arrays.get("u").asTensor();
        assertEquals(DataType.UINT16, u.dataType());
        assertEquals(65_535, u.intData().get(1));
        assertArrayEquals(new boolean[] {true, false, true}, arrays.get("b").asTensor().toNested(boolean[].class));
        AnyTensor<?> half = arrays.get("half").asTensor();
        assertEquals(DataType.FLOAT16, half.dataType());
        assertEquals(-2, half.floatData().get(1));
        AnyTensor<?> i8 = arrays.get("i8").asTensor();
        assertEquals(DataType.INT8, i8.dataType());
        assertEquals(-128, i8.intData().get(0));
        assertEquals(7, arrays.get("scalar").asTensor().longData().get());
        AnyTensor<?> big = arrays.get("big").asTensor();
        assertEquals(DataType.UINT64, big.dataType());
        assertEquals(-1, big.longData().get(0));
    }

    @Test
    void arraysOfNumPyByName() throws IOException {
        for (String name : new String[] {"npz", "compressed"}) {
            byte[] bytes = golden(name);
            try (Value stream = Npz.read(new ByteArrayInputStream(bytes)); Value file = Npz.read(Files.write(folder.resolve(name), bytes))) {
                check(stream);
                check(file);
            }
        }
    }

    @Test
    void sparseMatricesOfScipy() throws IOException {
        for (String name : new String[] {"csr", "csr64"}) {
            try (SparseTensor<?> matrix = Npz.readSparse(Files.write(folder.resolve(name), golden(name))); Tensor<?> dense = matrix.toDense();
                Tensor<?> values = matrix.values()) {
                assertEquals(3, values.numElements());
                assertArrayEquals(new double[][] {{0, 1.5, 0}, {2, 0, -3}}, dense.toNested(double[][].class));
            }
        }
        try (SparseTensor<?> matrix = Npz.readSparse(Files.write(folder.resolve("coo"), golden("coo"))); Tensor<?> dense = matrix.toDense();
            Tensor<?> values = matrix.values()) {
            assertEquals(2, values.numElements());
            assertArrayEquals(new float[][] {{2, 0, 0}, {0, 0, 4}}, dense.toNested(float[][].class));
        }
    }

    @Test
    void tensorsOfSafetensorsAndTheSameBytesBack() throws IOException {
        byte[] bytes = golden("safetensors");
        try (Value tensors = Safetensors.read(new ByteArrayInputStream(bytes))) {
            check(tensors);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            Safetensors.write(out, tensors, Collections.singletonMap("format", "np"));
            assertArrayEquals(bytes, out.toByteArray());
        }
    }
}
