package io.tensornio.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import io.tensornio.value.Value;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of every form that are flipped, cut and lengthened, and files that change under who reads them: tensors, or an exception that is documented,
 * and no memory is left. {@code -PtestDepth=200} makes more than 10^5 of them.
 */
@ExtendWith(MemoryBalance.class)
class FileFuzzTest {
    private static final int FILES = 150;

    @TempDir
    Path folder;
    private Path file;

    private interface Reading {
        AutoCloseable read(Path file, byte[] bytes);
    }

    @BeforeEach
    void name() {
        file = folder.resolve("file");
    }

    private void fuzz(int test, byte[] good, Reading... readings) {
        Seeds.each(test, FILES, (random, done) -> {
            byte[] bad = changed(good, random);
            try {
                Files.write(file, bad);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            for (Reading reading : readings) {
                try (AutoCloseable read = reading.read(file, bad)) {
                    assertTrue(read.toString() != null);
                } catch (IllegalArgumentException | UncheckedIOException e) {
                    assertTrue(e.getMessage() != null && (e.getMessage().contains(file.toString()) || e.getMessage().contains("the stream")),
                        () -> "the message names no file: " + e.getMessage());
                } catch (OutOfMemoryError e) {
                    assertTrue(e.getMessage().contains("budget"), e.getMessage());
                } catch (RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        });
    }

    /** Headers are changed more often than elements, which may have any bits. */
    private static byte[] changed(byte[] good, Random random) {
        int length = random.nextInt(3) == 0 ? random.nextInt(good.length + 100) : good.length;
        byte[] bad = Arrays.copyOf(good, length);
        for (int n = random.nextInt(4); n > 0 && length > 0; n--) {
            int at = random.nextInt(random.nextBoolean() ? length : Math.min(length, 160));
            bad[at] = (byte) (random.nextBoolean() ? bad[at] ^ 1 << random.nextInt(8) : "0123456789'\"{}[]():,<>|f".charAt(random.nextInt(24)));
        }
        return bad;
    }

    private static Value value() {
        Map<String, Tensor<?>> tensors = new LinkedHashMap<>();
        tensors.put("a", Tensors.ofNested(new float[][] {{1, 2, 3}, {4, 5, 6}}));
        tensors.put("b", Tensors.ofNested(new boolean[] {true, false, true}));
        tensors.put("long name", Tensors.ofNested(new long[] {7}));
        return Value.dict(tensors);
    }

    @Test
    void arraysOfNumPy() throws IOException {
        Npy.write(file, IntTensorData.of(new int[] {1, 2, 3, 4, 5, 6}, 2, 3));
        fuzz(1, Files.readAllBytes(file), (path, bytes) -> Npy.read(path), (path, bytes) -> Npy.read(new ByteArrayInputStream(bytes)),
            (path, bytes) -> Npy.map(path));
    }

    @Test
    void stringsOfNumPy() throws IOException {
        try (Tensor<String> strings = Tensors.ofNested(new String[] {"a", "bcd", ""})) {
            Npy.write(file, strings.stringData());
        }
        fuzz(2, Files.readAllBytes(file), (path, bytes) -> Npy.read(path));
    }

    @Test
    void archivesOfNumPy() throws IOException {
        try (Value value = value()) {
            Npz.write(file, value);
            byte[] stored = Files.readAllBytes(file);
            Npz.writeCompressed(file, value);
            byte[] deflated = Files.readAllBytes(file);
            Reading[] both = {(path, bytes) -> Npz.read(path), (path, bytes) -> Npz.read(new ByteArrayInputStream(bytes))};
            fuzz(3, stored, both);
            fuzz(4, deflated, both);
        }
    }

    @Test
    void matricesOfScipy() throws IOException {
        try (SparseTensor<Float> matrix = Tensors.sparseFloat(new long[] {5, 6}, 2, data -> {
            data.put(1, 0, 5);
            data.put(2, 4, 3);
        })) {
            Npz.writeSparse(file, matrix);
        }
        fuzz(5, Files.readAllBytes(file), (path, bytes) -> Npz.readSparse(path));
    }

    @Test
    void safetensors() throws IOException {
        try (Value value = value()) {
            Safetensors.write(file, value);
        }
        fuzz(6, Files.readAllBytes(file), (path, bytes) -> Safetensors.read(path), (path, bytes) -> Safetensors.read(new ByteArrayInputStream(bytes)),
            (path, bytes) -> {
                try (TensorFile open = Safetensors.map(path)) {
                    return open.names().isEmpty() ? () -> { } : open.read(open.names().get(0));
                }
            });
    }

    // ---- Files that change ---------------------------------------------------------------------------------------------

    @Test
    void aFolderThatVanishesIsNamed() throws IOException {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        Path path = inner.resolve("x.npy");
        Npy.write(path, FloatTensorData.constant(1, 3));
        Files.delete(path);
        Files.delete(inner);
        Expect.thrown(UncheckedIOException.class, () -> Npy.write(path, FloatTensorData.constant(1, 3)), "inner");
        Expect.thrown(UncheckedIOException.class, () -> Npy.read(path), path.toString());
        Expect.thrown(UncheckedIOException.class, () -> Npy.map(path), path.toString());
        Expect.thrown(UncheckedIOException.class, () -> Safetensors.open(path), path.toString());
    }

    @Test
    void anOpenFileThatIsReplacedIsStillTheOldOne() {
        try (Value value = value(); Tensor<Float> other = Tensors.ofNested(new float[] {9})) {
            Safetensors.write(file, value);
            try (TensorFile open = Safetensors.open(file)) {
                Safetensors.write(file, Value.dict(java.util.Collections.singletonMap("other", other)));
                try (Tensor<?> a = open.read("a")) {
                    assertEquals(value.get("a"), Value.of(a));
                }
            }
        }
    }

    @Test
    void anOpenFileThatIsCutIsTruncated() throws IOException {
        try (Value value = value()) {
            Safetensors.write(file, value);
        }
        try (TensorFile open = Safetensors.open(file); FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - 20);
            Expect.thrown(UncheckedIOException.class, () -> open.read("a"), file.toString());
            Expect.thrown(UncheckedIOException.class, () -> open.read("a", io.tensornio.TensorIndex.at(1)), file.toString());
        }
    }

    /** A pipe is read as the stream that it is, and cannot be mapped. */
    @Test
    void aPipeIsRead() throws Exception {
        Path pipe = folder.resolve("pipe");
        Process made;
        try {
            made = new ProcessBuilder("mkfifo", pipe.toString()).start();
        } catch (IOException e) {
            Assumptions.assumeTrue(false, "skipped: there is no mkfifo");
            return;
        }
        assertTrue(made.waitFor(1, TimeUnit.MINUTES));
        Assumptions.assumeTrue(Files.exists(pipe), "skipped: there are no pipes here");
        for (boolean mapped : new boolean[] {false, true}) {
            Thread writer = new Thread(() -> Npy.write(pipe, IntTensorData.of(new int[] {1, 2, 3})));
            writer.start();
            try (Tensor<?> read = mapped ? Npy.map(pipe) : Npy.read(pipe)) {
                assertEquals("INT32[3] [1, 2, 3]", read.toString());
            }
            writer.join();
        }
    }
}
