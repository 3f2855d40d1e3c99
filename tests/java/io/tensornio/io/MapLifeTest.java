package io.tensornio.io;

import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorData;
import io.tensornio.Tensors;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import io.tensornio.internal.memory.Garbage;
import io.tensornio.interop.Pin;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The life of tensors that stay in their files: how they are closed, and what happens to files meanwhile. */
@ExtendWith(MemoryBalance.class)
class MapLifeTest {
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

    private void cut(long size) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
        }
    }

    // ---- Closing -------------------------------------------------------------------------------------------------------

    @Test
    void onceClosedNothingReadsIt() {
        Tensor<?> tensor = map(counting(1000));
        FloatTensorData data = tensor.floatData();
        FloatTensorData view = data.slice(step(3));
        tensor.close();
        tensor.close();
        assertThrows(TensorClosedException.class, () -> data.get(0));
        assertThrows(TensorClosedException.class, () -> view.get(0));
        assertThrows(TensorClosedException.class, () -> data.copyTo(new float[1000]));
        assertThrows(TensorClosedException.class, data::copy);
        assertThrows(TensorClosedException.class, data::scalars);
        assertThrows(TensorClosedException.class, () -> Comprehension.of("y += A[i]").run(tensor));
        assertThrows(TensorClosedException.class, tensor::asByteBuffer);
        assertThrows(TensorClosedException.class, () -> Pin.of(tensor));
    }

    @Test
    void closingWhileOthersReadIsAnExceptionThere() throws InterruptedException {
        Npy.write(file, counting(MANY));
        for (int round = 0; round < 20; round++) {
            Tensor<?> tensor = Npy.map(file);
            FloatTensorData data = tensor.floatData();
            AtomicReference<Throwable> fault = new AtomicReference<>();
            CountDownLatch reading = new CountDownLatch(3);
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                int kind = t;
                Thread thread = new Thread(() -> {
                    float[] all = new float[MANY];
                    try {
                        while (true) {
                            if (kind == 0) {
                                data.copyTo(all);
                                assertEquals(MANY - 1, all[MANY - 1]);
                            } else if (kind == 1) {
                                assertEquals(7, data.get(7));
                            } else {
                                try (Results sum = Comprehension.of("y max= A[i]").run(data)) {
                                    assertEquals(MANY - 1, sum.floatTensor("y").floatData().get());
                                }
                            }
                            reading.countDown();
                        }
                    } catch (TensorClosedException e) {
                        reading.countDown();
                    } catch (Throwable e) {
                        fault.set(e);
                        reading.countDown();
                    }
                });
                threads.add(thread);
                thread.start();
            }
            reading.await();
            tensor.close();
            for (Thread thread : threads) {
                thread.join();
            }
            if (fault.get() != null) {
                throw new AssertionError(fault.get());
            }
        }
    }

    @Test
    void aForgottenTensorIsGivenBack() {
        Npy.write(file, counting(MANY));
        long before = mapped();
        drop();
        Garbage.collectUntil(() -> mapped() <= before);
    }

    private void drop() {
        assertEquals(5, Npy.map(file).floatData().get(5));
    }

    // ---- What happens to the file --------------------------------------------------------------------------------------

    @Test
    void aFileThatWasCutIsAnErrorWhereItIsRead() throws IOException {
        try (Tensor<?> tensor = map(counting(MANY))) {
            FloatTensorData data = tensor.floatData();
            cut(128 + 4000);
            assertEquals(999, data.get(999));
            float[] all = new float[MANY];
            Expect.thrown(UncheckedIOException.class, () -> data.copyTo(all), file.toString(), "4128");
            Expect.thrown(UncheckedIOException.class, () -> Comprehension.of("y += A[i]").run(tensor), file.toString(), "4128");
            Expect.thrown(UncheckedIOException.class, data::copy, file.toString(), "4128");
            Expect.thrown(UncheckedIOException.class, () -> data.slice(step(2)).copy(), file.toString());
            assertTrue(ofItself(() -> data.get(MANY - 1)) instanceof InternalError);
            Expect.thrown(UncheckedIOException.class, () -> data.stream().sum(), file.toString(), "4128");
            Expect.thrown(UncheckedIOException.class, () -> data.scalars().forEach(value -> { }), file.toString(), "4128");
            FloatTensorIterator each = data.scalars();
            Expect.thrown(UncheckedIOException.class, () -> {
                for (int n = 0; n < MANY; n++) {
                    assertEquals(n, each.get());
                }
            }, file.toString(), "4128");
            try (Tensor<Float> start = Tensors.create(data.slice(range(0, 1000)))) {
                assertEquals(999, start.floatData().get(999));
            }
        }
    }

    /** What a thread throws that does nothing else: before JDK 21 the error of a read may come after it, in whatever the thread does then. */
    private static Throwable ofItself(Runnable reads) {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                for (int n = 0; n < 1000; n++) {
                    reads.run();
                    Thread.yield();
                }
            } catch (Throwable e) {
                thrown.compareAndSet(null, e);
            }
        });
        thread.setUncaughtExceptionHandler((on, e) -> thrown.compareAndSet(null, e));
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return thrown.get();
    }

    /** Somebody cuts the file and writes it again, while others sum it: a sum is right, or an exception. */
    @Test
    void aFileIsCutWhileNativeCallsSumIt() throws Exception {
        try (Tensor<Float> ones = Tensors.create(FloatTensorData.constant(1, MANY)); Tensor<?> tensor = map(ones.floatData())) {
            byte[] whole = Files.readAllBytes(file);
            AtomicBoolean done = new AtomicBoolean();
            Thread cutter = new Thread(() -> {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    while (!done.get()) {
                        channel.truncate(4128);
                        channel.write(ByteBuffer.wrap(whole, 4128, whole.length - 4128), 4128);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            cutter.start();
            int right = 0;
            int cut = 0;
            Comprehension sum = Comprehension.of("y += A[i]");
            try {
                for (int n = 0; n < 300; n++) {
                    try (Results y = sum.run(tensor)) {
                        float found = y.floatTensor("y").floatData().get();
                        // A hole that is read between the cut and the write is zeros.
                        assertTrue(found >= 1000 && found <= MANY, () -> "a sum of " + found);
                        right++;
                    } catch (UncheckedIOException e) {
                        assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
                        cut++;
                    }
                    Throwable thrown = n % 10 == 0 ? ofItself(() -> tensor.floatData().get(MANY - 1)) : null;
                    assertTrue(thrown == null || thrown instanceof InternalError, () -> String.valueOf(thrown));
                }
            } finally {
                done.set(true);
                cutter.join();
            }
            assertEquals(300, right + cut);
        }
    }

    @Test
    void aFileThatIsReplacedStaysMapped() throws IOException {
        try (Tensor<?> tensor = map(counting(MANY))) {
            Npy.write(file, FloatTensorData.of(new float[] {1, 2}));
            float[] all = new float[MANY];
            tensor.floatData().copyTo(all);
            assertEquals(MANY - 1, all[MANY - 1]);
            assertEquals(3, tensor.floatData().get(3));
        }
    }

    /** An interrupt closes a channel for everybody: here it does not, and stays to be seen by who waits next. */
    @Test
    void anInterruptDisturbsNobody() throws Exception {
        try (Tensor<?> tensor = map(counting(MANY))) {
            FloatTensorData data = tensor.floatData();
            AtomicReference<Throwable> fault = new AtomicReference<>();
            AtomicBoolean done = new AtomicBoolean();
            Thread reader = new Thread(() -> {
                float[] all = new float[MANY];
                try {
                    while (!done.get()) {
                        data.copyTo(all);
                        assertEquals(MANY - 1, all[MANY - 1]);
                    }
                    assertTrue(Thread.currentThread().isInterrupted());
                } catch (Throwable e) {
                    fault.set(e);
                }
            });
            reader.start();
            float[] all = new float[MANY];
            for (int n = 0; n < 200; n++) {
                reader.interrupt();
                data.copyTo(all);
                assertEquals(MANY - 1, all[MANY - 1]);
            }
            done.set(true);
            reader.join();
            if (fault.get() != null) {
                throw new AssertionError(fault.get());
            }
            Thread.currentThread().interrupt();
            try (Tensor<Float> copy = Tensors.create(data)) {
                assertEquals(MANY - 1, copy.floatData().get(MANY - 1));
            }
            assertTrue(Thread.interrupted());
        }
    }

    /** An interrupt may close the file; if its path is a pipe by then, that is said, and nobody waits for a writer. */
    @Test
    void anInterruptWhereThePathHasBecomeAPipeIsTold() throws Exception {
        try (Tensor<?> tensor = map(counting(MANY))) {
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
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread reader = new Thread(() -> {
                float[] all = new float[MANY];
                try {
                    while (true) {
                        tensor.floatData().copyTo(all);
                        assertEquals(MANY - 1, all[MANY - 1]);
                    }
                } catch (Throwable e) {
                    thrown.set(e);
                }
            });
            reader.setDaemon(true);
            reader.start();
            for (int n = 0; n < 10_000 && reader.isAlive(); n++) {
                reader.interrupt();
                Thread.sleep(1);
            }
            assertFalse(reader.isAlive(), "it waits");
            assertTrue(thrown.get() instanceof UncheckedIOException && thrown.get().getMessage().contains(file + " was replaced"),
                () -> String.valueOf(thrown.get()));
        }
    }
}
