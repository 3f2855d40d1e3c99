package io.tensornio.programs;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.range;

import io.tensornio.ByteTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import io.tensornio.UInt8;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** What users do with tensors of more than 2 GiB. It needs 6 GB of memory. */
public final class LargeProgram {
    private static final int COLUMNS = 160_000_000;
    private static final long BYTES = 4L * 4 * COLUMNS;

    private LargeProgram() {
    }

    /** Prints a line for each step that went well. */
    public static void main(String... args) throws IOException {
        Tensor<Float> large = Tensors.denseFloat(new long[] {4, COLUMNS}, LargeProgram::fill);
        FloatTensorData data = large.floatData();
        check(large.numBytes(), BYTES);
        read(data);
        System.out.println("reads");
        buffers(large);
        System.out.println("views bytes");
        compute(large);
        System.out.println("computes");
        large.close();
        expect(TensorClosedException.class, () -> data.get(3, COLUMNS - 1));
        expect(TensorClosedException.class, () -> data.slice(3).get(COLUMNS - 1));
        check(MemoryStats.current().bytesInUse(), 0);
        System.out.println("closes");
        bytes();
        System.out.println("copies");
        for (int n = 0; n < 5; n++) {
            Tensors.denseFloat(new long[] {4, COLUMNS}, init -> init.put(1, 3, COLUMNS - 1));       // nobody closes it
        }
        System.out.println("is collected");
        refuse();
        System.out.println("refuses");
    }

    private static void fill(FloatTensorData init) {
        init.put(1, 0, 0);
        init.put(new float[] {2, 3, 4}, 1);
        init.slice(at(2), range(COLUMNS - 2, COLUMNS)).put(new float[] {5, 6});
        init.slice(3).put(7, 12_345);
        // From one end to the other, in the same memory.
        init.slice(range(0, 4), range(COLUMNS - 4, COLUMNS - 2)).put(init.slice(range(0, 4), range(0, 2)));
        expect(IndexOutOfBoundsException.class, () -> init.put(1, 4, 0));
        expect(IndexOutOfBoundsException.class, () -> init.put(1, 0, COLUMNS));
    }

    private static void read(FloatTensorData data) {
        check(data.get(0, 0) + data.get(1, 2) + data.get(2, COLUMNS - 1) + data.get(3, 12_345), 1 + 4 + 6 + 7);
        check(data.get(0, COLUMNS - 4), 1);
        check(data.get(1, COLUMNS - 3), 3);
        check(data.slice(2).get(COLUMNS - 2), 5);
        check(data.slice(flip(), flip()).get(3, COLUMNS - 1), 1);
        check(data.slice(all(), range(COLUMNS - 4, COLUMNS)).stream().sum(), 1 + 2 + 3 + 5 + 6);
        check(data.reshape(COLUMNS, 4).get(COLUMNS / 4, 2), 4);
        check(data.isReadOnly() ? 1 : 0, 1);
    }

    private static void buffers(Tensor<Float> large) throws IOException {
        IllegalStateException thrown = expect(IllegalStateException.class, large::asByteBuffer);
        check(thrown.getMessage().contains("asByteBuffers()") ? 1 : 0, 1);
        ByteBuffer[] all = large.asByteBuffers();
        check(Arrays.stream(all).mapToLong(ByteBuffer::remaining).sum(), BYTES);
        check(all[0].getFloat(0), 1);
        long at = 4L * (2L * COLUMNS + COLUMNS - 1);
        check(all[(int) (at >> 30)].getFloat((int) (at & (1 << 30) - 1)), 6);
        // The last bytes go to a file and back, as they are.
        ByteBuffer last = all[all.length - 1];
        last.position(last.limit() - 16);
        Path file = Files.createTempFile("tensornio", ".bin");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            check(channel.write(new ByteBuffer[] {last}), 16);
            ByteBuffer back = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
            channel.read(back, 0);
            check(back.getFloat(0), 0);
        } finally {
            Files.delete(file);
        }
    }

    private static void compute(Tensor<Float> large) {
        try (Results sums = Comprehension.of("y[i] += A[i,j]").run(large)) {
            FloatTensorData y = sums.floatTensor("y").floatData();
            check(y.get(0), 1 + 1);                 // the first, and its copy at the end
            check(y.get(1), 2 + 3 + 4 + 2 + 3);
            check(y.get(2), 5 + 6);
            check(y.get(3), 7);
        }
        try (Results twice = Comprehension.of("B[i,j] = A[i,j] * 2").run(large)) {
            Tensor<Float> doubled = twice.floatTensor("B");
            check(doubled.numBytes(), BYTES);
            check(doubled.floatData().get(3, 12_345), 14);
            check(doubled.floatData().get(2, COLUMNS - 1), 12);
        }
    }

    private static void bytes() {
        long rows = 3_000_000;
        try (Tensor<UInt8> bytes = Tensors.denseUInt8(new long[] {rows, 1000}, init -> init.slice(at(rows - 1)).put(new byte[] {1, 2, 3}));
            Tensor<UInt8> crop = Tensors.create(bytes.uInt8Data().slice(range(1, rows), range(1, 1000)))) {
            check(crop.numBytes(), (rows - 1) * 999);
            ByteTensorData copied = crop.uInt8Data();
            check(copied.get((int) rows - 2, 1), 3);
            check(copied.get((int) rows - 2, 2), 0);
        }
    }

    private static void refuse() {
        OutOfMemoryError error = expect(OutOfMemoryError.class, () -> Tensors.denseFloat(new long[] {1L << 40}, init -> { }));
        check(error.getMessage().contains("[1099511627776]") && error.getMessage().contains("tensornio.maxMemory") ? 1 : 0, 1);
    }

    private static void check(double is, double expected) {
        if (is != expected) {
            throw new AssertionError(is + " instead of " + expected);
        }
    }

    private static <T extends Throwable> T expect(Class<T> type, Runnable action) {
        try {
            action.run();
        } catch (Throwable thrown) {
            if (type.isInstance(thrown)) {
                return type.cast(thrown);
            }
            throw new AssertionError(thrown);
        }
        throw new AssertionError("no " + type);
    }
}
