package io.tensornio.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
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
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Files of types that are stored narrow. */
@ExtendWith(MemoryBalance.class)
class NarrowFilesTest {
    private static final DataType[] NARROW = {DataType.FLOAT16, DataType.BFLOAT16, DataType.INT8, DataType.INT16, DataType.UINT16, DataType.UINT32,
        DataType.UINT64};

    @TempDir
    Path folder;

    private static Tensor<?> made(DataType type) {
        if (type.isFloat()) {
            return Tensors.ofNested(type, new float[][] {{1, -2.5f, .1f}, {0, Float.POSITIVE_INFINITY, Float.NaN}});
        }
        if (type == DataType.UINT32 || type == DataType.UINT64) {
            return Tensors.ofNested(type, new long[][] {{0, 1, 0xffffffffL}, {3, 4, 5}});
        }
        return Tensors.ofNested(type, new int[][] {{0, 1, 127}, {3, type.isSigned() ? -100 : 100, 5}});
    }

    /** The header is that of a golden file; the elements are little-endian as NumPy's. */
    @Test
    void whatNumPyWroteIsReadAndWrittenAgain() throws IOException {
        String[][] dtypes = {{"<f2", "FLOAT16"}, {"|i1", "INT8"}, {"<u8", "UINT64"}, {">i2", "INT16"}, {"<u2", "UINT16"}, {"<u4", "UINT32"}};
        int found = 0;
        for (String line : Files.readAllLines(Paths.get("tests", "files", "npy.txt"))) {
            for (String[] dtype : dtypes) {
                if (line.startsWith("refused " + dtype[0] + " ")) {
                    found++;
                    byte[] file = Base64.getDecoder().decode(line.substring(line.lastIndexOf(' ') + 1));
                    file[file.length - 1] = 1;
                    ByteArrayOutputStream out = new ByteArrayOutputStream();
                    try (Tensor<?> read = Npy.read(new ByteArrayInputStream(file))) {
                        assertEquals(DataType.valueOf(dtype[1]), read.dataType());
                        assertArrayEquals(new long[] {2}, read.shape());
                        Npy.write(out, read.data());
                    }
                    if (dtype[0].charAt(0) == '>') {
                        file[file.length - 1] = 0;
                        file[file.length - 2] = 1;
                        file[new String(file, 0, 60, "ISO-8859-1").indexOf('>')] = '<';
                    }
                    assertArrayEquals(file, out.toByteArray(), dtype[0]);
                }
            }
        }
        assertEquals(dtypes.length, found);
    }

    @Test
    void arraysAreReadAndWrittenButForBrainFloats() throws IOException {
        for (DataType type : NARROW) {
            Path file = folder.resolve(type + ".npy");
            try (Tensor<?> tensor = made(type)) {
                if (type == DataType.BFLOAT16) {
                    Expect.exactly(IllegalArgumentException.class, () -> Npy.write(file, tensor.data()), "BFLOAT16", "Safetensors");
                    continue;
                }
                Npy.write(file, tensor.data());
                Npy.write(folder.resolve("columns.npy"), tensor.data().transpose());
                try (Tensor<?> read = Npy.read(file); Tensor<?> columns = Npy.read(folder.resolve("columns.npy"))) {
                    assertEquals(tensor.data(), read.data());
                    assertEquals(tensor.data().transpose(), columns.data());
                    assertEquals(type, Npy.describe(file).dataType());
                }
            }
        }
    }

    @Test
    void twoBytesOfNoTypeAreBrainFloatsIfThatIsAskedFor() throws IOException {
        for (String line : Files.readAllLines(Paths.get("tests", "files", "npy.txt"))) {
            if (line.startsWith("refused |V2 ")) {
                byte[] file = Base64.getDecoder().decode(line.substring(line.lastIndexOf(' ') + 1));
                file[file.length - 1] = 0x40;
                Path path = Files.write(folder.resolve("v2.npy"), file);
                try (Tensor<?> read = Npy.read(path, DataType.BFLOAT16)) {
                    assertEquals(FloatTensorData.ofBFloat16(new short[] {0, 0x4000}), read.data());
                }
            }
        }
    }

    @Test
    void dictionariesAreWrittenAndReadInBothFormats() throws IOException {
        Path npz = folder.resolve("all.npz");
        Path tensors = folder.resolve("all.safetensors");
        Map<String, Tensor<?>> all = new LinkedHashMap<>();
        for (DataType type : NARROW) {
            all.put(type.name(), made(type));
        }
        try (Value dict = Value.dict(all)) {
            Safetensors.write(tensors, dict, Collections.emptyMap());
            Map<String, Tensor<?>> some = new LinkedHashMap<>(all);
            some.remove("BFLOAT16");
            Npz.writeCompressed(npz, Value.dict(some));
            try (Value read = Npz.read(npz); Value whole = Safetensors.read(tensors); TensorFile file = Safetensors.open(tensors)) {
                for (DataType type : NARROW) {
                    assertEquals(all.get(type.name()).data(), whole.get(type.name()).asTensor().data());
                    try (Tensor<?> one = file.read(type.name()); Tensor<?> part = file.read(type.name(), TensorIndex.at(1), TensorIndex.from(1))) {
                        assertEquals(all.get(type.name()).data(), one.data());
                        assertEquals(all.get(type.name()).data().slice(TensorIndex.at(1), TensorIndex.from(1)), part.data());
                    }
                    if (type != DataType.BFLOAT16) {
                        assertEquals(all.get(type.name()).data(), read.get(type.name()).asTensor().data());
                    }
                }
            }
        }
    }

    @Test
    void sparseFilesOfSciPyHaveThem() throws IOException {
        Path file = folder.resolve("sparse.npz");
        try (SparseTensor<?> made = SparseTensor.fromDense(IntTensorData.ofUInt16(new short[] {0, -1, 0, 2}, 2, 2))) {
            Npz.writeSparse(file, made);
            try (SparseTensor<?> read = Npz.readSparse(file)) {
                assertEquals(made.data(), read.data());
                assertEquals(65535, read.intData().get(0, 1));
            }
        }
    }

    @Test
    void everyPatternOfHalvesGoesThroughAFile() throws IOException {
        short[] patterns = new short[1 << 16];
        for (int i = 0; i < patterns.length; i++) {
            patterns[i] = (short) i;
        }
        Path file = folder.resolve("halves.npy");
        Npy.write(file, FloatTensorData.ofFloat16(patterns));
        try (Tensor<?> read = Npy.read(file)) {
            short[] back = new short[1 << 16];
            read.asByteBuffer().asShortBuffer().get(back);
            assertArrayEquals(patterns, back);
            java.util.Arrays.fill(back, (short) 0);
            FloatTensorData.ofFloat16(back).put(read.floatData());
            assertArrayEquals(patterns, back);
        }
    }
}
