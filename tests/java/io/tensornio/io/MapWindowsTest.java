package io.tensornio.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DoubleTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import io.tensornio.interop.Pin;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Mapped files that are larger than a buffer, in a run of the tests in which these are small. */
@Tag("windows")
@ExtendWith(MemoryBalance.class)
class MapWindowsTest {
    private static final int N = 1000;

    @TempDir
    Path folder;

    @Test
    void aLargeFileIsMappedInParts() {
        double[] values = new double[N];
        for (int n = 0; n < N; n++) {
            values[n] = n;
        }
        Path file = folder.resolve("x.npy");
        Npy.write(file, DoubleTensorData.of(values, 10, N / 10));
        try (Tensor<?> tensor = Npy.map(file); Tensor<?> read = Npy.read(file); Pin pin = Pin.of(tensor);
            Results sum = Comprehension.of("y += A[i,j]").run(tensor)) {
            for (int n = 0; n < N; n++) {
                assertEquals(n, tensor.doubleData().get(n / 100, n % 100));
            }
            assertEquals(read.doubleData(), tensor.doubleData());
            double[] all = new double[N];
            tensor.doubleData().copyTo(all);
            assertArrayEquals(values, all);
            assertEquals(N * (N - 1) / 2, sum.doubleTensor("y").doubleData().get());
            assertEquals(990, tensor.doubleData().slice(TensorIndex.at(9), TensorIndex.flip()).get(9));
            for (ByteBuffer[] parts : new ByteBuffer[][] {pin.buffers(), tensor.asByteBuffers()}) {
                assertTrue(parts.length > 1);
                int at = 0;
                for (ByteBuffer part : parts) {
                    while (part.hasRemaining()) {
                        assertEquals(at++, part.getDouble());
                    }
                }
                assertEquals(N, at);
            }
            Expect.thrown(IllegalStateException.class, pin::address, "buffers()");
            Expect.thrown(IllegalStateException.class, pin::buffer, "buffers()");
        }
    }
}
