package io.tensornio.io;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorData;
import io.tensornio.Tensors;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import io.tensornio.internal.memory.NativeMemory;
import io.tensornio.op.Operand;
import io.tensornio.op.Ops;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Native code reads mapped files by parts: the same bits as from memory, in no memory of the file's size, whatever happens to the file meanwhile. */
@ExtendWith(MemoryBalance.class)
class MapPartsTest {
    private static final String[] PROGRAMS = {
        "s += x[i,j]", "r[i] += x[i,j]", "c[j] += x[i,j]", "m max= x[i,j]", "y[i,j] = 3 * x[i,j] + 1", "y[j,i] = x[i,j]", "s += x[i,j] * x[i,j]",
        "m[i] min= x[i,j]; y[i,j] = x[i,j] - m[i]", "C[i,k] += x[i,j] * x[k,j]", "s += x[i,0]", "y[i] = x[i,1]", "n = size(x, 0)",
        "y[i,j] = x[i+1,j] - x[i,j]",
    };

    @TempDir
    Path folder;
    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("x.npy");
    }

    private static TensorData<?> some(DataType type, Random random, int rows, int columns) {
        int n = rows * columns;
        switch (type) {
            case DOUBLE:
                return DoubleTensorData.of(random.doubles(n, -1, 1).toArray(), rows, columns);
            case INT32:
                return IntTensorData.of(random.ints(n, -99, 99).toArray(), rows, columns);
            case INT64:
                return LongTensorData.of(random.longs(n, -99, 99).toArray(), rows, columns);
            case FLOAT16:
                short[] halves = new short[n];
                for (int i = 0; i < n; i++) {
                    halves[i] = (short) (random.nextInt(0x4000) | random.nextInt(2) << 15);
                }
                return FloatTensorData.ofFloat16(halves, rows, columns);
            default:
                float[] values = new float[n];
                for (int i = 0; i < n; i++) {
                    values[i] = random.nextFloat() - .5f;
                }
                return FloatTensorData.of(values, rows, columns);
        }
    }

    /** Programs over files give the bits that they give over memory, and over views of files what they give over views of memory. */
    @Test
    void resultsAreThoseOfMemory() {
        DataType[] types = {DataType.FLOAT, DataType.DOUBLE, DataType.INT32, DataType.INT64, DataType.FLOAT16};
        Seeds.each(1, 15, (random, done) -> {
            DataType type = types[random.nextInt(types.length)];
            int columns = new int[] {3, 64, 257, 2000}[random.nextInt(4)];
            TensorData<?> given = some(type, random, (1 << 19) / columns + random.nextInt(50), columns);
            boolean isRowMajor = random.nextInt(3) > 0;
            Npy.write(file, isRowMajor ? given : given.transpose());
            try (Tensor<?> mapped = Npy.map(file); Tensor<?> read = Npy.read(file)) {
                int view = random.nextInt(5);
                TensorData<?>[] both = {mapped.data(), read.data()};
                for (int n = 0; n < 2; n++) {
                    both[n] = view == 0 ? both[n].slice(flip()) : view == 1 ? both[n].slice(step(2)) : view == 2 ? both[n].slice(all(), range(1, 3))
                        : both[n];
                }
                for (String text : PROGRAMS) {
                    if (text.startsWith("C") && both[0].size(0) > 400) {
                        continue;
                    }
                    done.append("; ").append(type).append(' ').append(columns).append(" view ").append(view).append(": ").append(text);
                    try (Results a = Comprehension.of(text).run(both[0]); Results b = Comprehension.of(text).run(both[1])) {
                        String name = text.startsWith("m[") ? "y" : text.substring(0, 1);
                        TensorData<?> expected = b.get(name).data();
                        TensorData<?> actual = a.get(name).data();
                        // What is copied is contiguous, so that sums over it may have another order.
                        assertTrue(expected.equals(actual) || !(isRowMajor && view > 2) && close(expected, actual), text);
                    }
                }
            }
        });
    }

    /** Whether results are equal up to the order of sums, which depends on the layout: that of a file in Fortran's order is another one. */
    private static boolean close(TensorData<?> expected, TensorData<?> actual) {
        try (Tensor<?> a = Tensors.convert(expected, DataType.DOUBLE); Tensor<?> b = Tensors.convert(actual, DataType.DOUBLE);
                Results off = Comprehension.of("e max= abs(a[...] - b[...]) - 1e-4 * abs(a[...])").run(a.data().flatten(), b.data().flatten())) {
            return off.doubleTensor("e").doubleData().get() <= 1e-4;
        }
    }

    private Tensor<?> mapped(int n) {
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = i % 1000;
        }
        Npy.write(file, FloatTensorData.of(values));
        return Npy.map(file);
    }

    private static boolean isUnix(Path folder) throws IOException {
        FileStore store = Files.getFileStore(folder);
        return store.supportsFileAttributeView("unix") || store.supportsFileAttributeView("posix");
    }

    /** A file of more bytes than there may be of native memory. */
    @Test
    void aSumTakesNoMemoryOfItsSize() throws IOException {
        Assumptions.assumeTrue(isUnix(folder), "skipped: nothing says which file a path is");
        int n = 16 << 20;
        try (Tensor<?> mapped = mapped(n)) {
            long before = MemoryStats.current().maxMemory();
            long room = MemoryStats.current().bytesInUse() + (8 << 20);
            NativeMemory.setMaxMemory(room);
            try (Ops tf = Ops.create(); Results sum = Comprehension.of("s += double(x[i])").run(mapped)) {
                double expected = n / 1000 * 499_500. + (n % 1000 - 1) * (n % 1000) / 2.;
                assertEquals(expected, sum.doubleTensor("s").doubleData().get());
                @SuppressWarnings("unchecked")
                Tensor<Float> typed = (Tensor<Float>) mapped;
                Operand<Float> largest = tf.reduce.max(tf.constant(typed));
                assertEquals(999, largest.asTensor().floatData().get());
                assertEquals(expected, mapped.floatData().stream().sum());
                assertSame(tf, largest.ops());      // reachable until here: memory of small results that were collected is given back later
            } finally {
                NativeMemory.setMaxMemory(before);
            }
        }
    }

    /** The file is cut at some time while it is summed: the sum of all, or an exception that names it. */
    @Test
    void aFileThatIsCutWhileItIsSummedIsNamed() throws Exception {
        for (int round = 0; round < 8; round++) {
            try (Tensor<?> mapped = mapped(4 << 20); FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                CountDownLatch begun = new CountDownLatch(1);
                AtomicReference<Throwable> thrown = new AtomicReference<>();
                Thread summing = new Thread(() -> {
                    try {
                        for (int n = 0; n < 1000; n++) {
                            try (Results sum = Comprehension.of("s += double(x[i])").run(mapped)) {
                                assertEquals(4194 * 499_500. + 303 * 304 / 2., sum.doubleTensor("s").doubleData().get());
                            }
                            begun.countDown();
                        }
                    } catch (Throwable e) {
                        thrown.set(e);
                    }
                });
                summing.start();
                assertTrue(begun.await(1, TimeUnit.MINUTES));
                Thread.sleep(round);
                channel.truncate(1000 + round * 1_000_000L);
                summing.join();
                assertTrue(thrown.get() instanceof UncheckedIOException && thrown.get().getMessage().contains(file.toString()), "" + thrown.get());
            }
        }
    }

    @Test
    void aFileThatIsReplacedIsStillTheOldOne() throws IOException {
        try (Tensor<?> mapped = mapped(1 << 20)) {
            Path other = folder.resolve("other.npy");
            Npy.write(other, FloatTensorData.constant(7, 1 << 20));
            Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
            try (Results max = Comprehension.of("m max= x[i]").run(mapped)) {
                assertEquals(999, max.floatTensor("m").floatData().get());
            }
        }
    }

    @Test
    void aFileThatIsDeletedIsStillThere() throws IOException {
        try (Tensor<?> mapped = mapped(1 << 20)) {
            try (Results max = Comprehension.of("m max= x[i]").run(mapped)) {
                assertEquals(999, max.floatTensor("m").floatData().get());
            }
            Files.delete(file);
            try (Results max = Comprehension.of("m max= x[i]").run(mapped)) {
                assertEquals(999, max.floatTensor("m").floatData().get());
            }
        }
    }

    /** Closing while others sum: each sum is right, or says that the tensor is closed. */
    @Test
    void closingMeanwhileIsTold() throws Exception {
        for (int round = 0; round < 10; round++) {
            Tensor<?> mapped = mapped(1 << 20);
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            CountDownLatch begun = new CountDownLatch(2);
            Thread[] threads = new Thread[2];
            for (int n = 0; n < 2; n++) {
                threads[n] = new Thread(() -> {
                    try {
                        while (true) {
                            try (Results max = Comprehension.of("m max= x[i]").run(mapped)) {
                                assertEquals(999, max.floatTensor("m").floatData().get());
                            }
                            begun.countDown();
                        }
                    } catch (TensorClosedException e) {
                        begun.countDown();
                    } catch (Throwable e) {
                        thrown.set(e);
                    }
                });
                threads[n].start();
            }
            begun.await();
            mapped.close();
            for (Thread thread : threads) {
                thread.join();
            }
            assertEquals(null, thrown.get());
        }
    }

    @Test
    void whatFailsIsToldAsInMemory() {
        try (Tensor<?> mapped = mapped(1 << 18); Tensor<Integer> n = Tensors.ofNested(new int[] {0, 1 << 18})) {
            Expect.thrown(IndexOutOfBoundsException.class, () -> Comprehension.of("y[i] = x[n[i]]; z += x[i]").run(mapped, n), "by n[1] = 262144");
        }
    }

    /** Into an input of the same run. */
    @Test
    void whatIsWrittenIntoAnInputIsWrittenOnce() {
        try (Tensor<?> mapped = mapped(1 << 18)) {
            float[] sums = new float[1 << 18];
            FloatTensorData target = FloatTensorData.of(sums);
            for (int n = 0; n < 3; n++) {
                Map<String, Object> inputs = new HashMap<>();
                inputs.put("a", target);
                inputs.put("x", mapped);
                Comprehension.of("y[i] = a[i] + x[i]").runInto(inputs, Collections.singletonMap("y", target));
            }
            for (int i = 0; i < sums.length; i++) {
                assertEquals(i % 1000 * 3, sums[i]);
            }
        }
    }

    private void assertLargest(float expected, Object given) {
        try (Results max = Comprehension.of("m max= x[i]").run(given)) {
            assertEquals(expected, max.floatTensor("m").floatData().get());
        }
    }

    /** Native code opens the path again, which must not wait for somebody to write to the pipe. */
    @Test
    void aPathThatHasBecomeAPipeIsNotWaitedFor() throws Exception {
        try (Tensor<?> mapped = mapped(1 << 20)) {
            Files.delete(file);
            Process made;
            try {
                made = new ProcessBuilder("mkfifo", file.toString()).start();
            } catch (IOException e) {
                Assumptions.assumeTrue(false, "skipped: there is no mkfifo");
                return;
            }
            assertTrue(made.waitFor(1, TimeUnit.MINUTES));
            Assumptions.assumeTrue(Files.exists(file), "skipped: there are no pipes here");
            AtomicReference<Throwable> thrown = new AtomicReference<>(new AssertionError("it waits"));
            Thread reading = new Thread(() -> {
                try {
                    assertLargest(999, mapped);
                    thrown.set(null);
                } catch (Throwable e) {
                    thrown.set(e);
                }
            });
            reading.setDaemon(true);
            reading.start();
            reading.join(TimeUnit.MINUTES.toMillis(1));
            if (reading.isAlive()) {                // a writer lets it go on, and close
                Files.newOutputStream(file, StandardOpenOption.WRITE).close();
                reading.join();
                throw new AssertionError("it has waited for a writer");
            }
            assertEquals(null, thrown.get());
        }
    }

    @Test
    void aFileThatGrowsIsAsLongAsItWas() throws IOException {
        try (Tensor<?> mapped = mapped(1 << 18)) {
            Files.write(file, new byte[] {0, 0, (byte) 0x80, 0x7f}, StandardOpenOption.APPEND);      // infinity
            assertLargest(999, mapped);
        }
    }

    /** A descriptor that is closed too early is at once that of another file. */
    @Test
    void aFileThatIsOpenedMeanwhileIsNotReadInItsPlace() throws Exception {
        int n = 1 << 18;
        Path other = folder.resolve("other.npy");
        Npy.write(other, FloatTensorData.constant(5000, n));
        mapped(n).close();
        for (int round = 0; round < 100; round++) {
            Tensor<?> mapped = Npy.map(file);
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            CountDownLatch begun = new CountDownLatch(1);
            Thread reading = new Thread(() -> {
                try {
                    while (true) {
                        assertLargest(999, mapped);
                        begun.countDown();
                    }
                } catch (TensorClosedException e) {
                    begun.countDown();
                } catch (Throwable e) {
                    thrown.set(e);
                    begun.countDown();
                }
            });
            reading.start();
            begun.await();
            mapped.close();
            try (Tensor<?> second = Npy.map(other)) {
                assertLargest(5000, second);
                reading.join();
            }
            assertEquals(null, thrown.get());
        }
    }

    @Test
    void descriptorsAreClosed() throws IOException {
        Path open = Paths.get("/proc/self/fd");
        Assumptions.assumeTrue(Files.isDirectory(open), "skipped: nothing counts the open files");
        mapped(1 << 18).close();
        int before = open.toFile().list().length;
        for (int round = 0; round < 200; round++) {
            try (Tensor<?> mapped = Npy.map(file)) {
                assertLargest(999, mapped);
            }
        }
        assertTrue(open.toFile().list().length < before + 100);
    }

    /** A view of no elements, and one whose rows are all the same. */
    @Test
    void viewsWithoutElementsAndOfRepeatedOnesAreThoseOfMemory() {
        try (Tensor<?> mapped = mapped(1 << 18)) {
            FloatTensorData data = mapped.floatData();
            assertLargest(Float.NEGATIVE_INFINITY, data.slice(range(7, 7)));
            FloatTensorData row = data.slice(range(5, 6)).reshape(1, 1);
            try (Results sums = Comprehension.of("s[i] += x[i,j]").run(row.broadcastTo(3, 1 << 18))) {
                assertEquals("FLOAT[3] [1.31072e+06, 1.31072e+06, 1.31072e+06]", sums.floatTensor("s").toString());
            }
        }
    }

    /** The target is the file's own memory, by a mapping of the caller: what is read are the elements as they were. */
    @Test
    void whatIsWrittenIntoTheFileItselfIsWrittenAfterAllIsRead() throws IOException {
        int n = 1 << 18;
        try (Tensor<?> mapped = mapped(n); FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            FloatBuffer own = channel.map(FileChannel.MapMode.READ_WRITE, channel.size() - 4L * n, 4L * n).order(ByteOrder.nativeOrder())
                .asFloatBuffer();
            FloatTensorData target = FloatTensorData.of(own, n);
            Comprehension.of("y[i] = x[i] + 1; s += x[i]").returning("y").runInto(Collections.singletonMap("x", mapped.floatData().slice(flip())),
                Collections.singletonMap("y", target));
            for (int i = 0; i < n; i++) {
                assertEquals((n - 1 - i) % 1000 + 1, own.get(i));
            }
        }
    }

    /** Of several outputs each is closed, if a file that was cut ends the run. */
    @Test
    void outputsOfACutFileAreClosedAndTheFileIsNamed() throws IOException {
        try (Tensor<?> mapped = mapped(1 << 19); FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(1 << 20);
            long before = MemoryStats.current().bytesInUse();
            float[] sum = {-1};
            for (int n = 0; n < 20; n++) {
                Expect.thrown(UncheckedIOException.class, () -> Comprehension.of("y[i] = x[i] + 1; z[i] = 2*x[i]; s += x[i]").run(mapped),
                    file.toString(), "1048576");
                Expect.thrown(UncheckedIOException.class, () -> Comprehension.of("s += x[i]").runInto(Collections.singletonMap("x", mapped),
                    Collections.singletonMap("s", FloatTensorData.of(sum, new long[0]))), file.toString(), "1048576");
            }
            assertEquals(-1, sum[0]);
            assertEquals(before, MemoryStats.current().bytesInUse());
        }
    }

    /** An interrupt neither ends a read nor is lost. */
    @Test
    void anInterruptedThreadReads() {
        try (Tensor<?> mapped = mapped(1 << 20)) {
            Thread.currentThread().interrupt();
            assertLargest(999, mapped);
            assertTrue(Thread.interrupted());
        }
    }
}
