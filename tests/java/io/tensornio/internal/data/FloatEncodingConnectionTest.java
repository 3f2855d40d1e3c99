package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static io.tensornio.internal.data.FloatBytes.all;
import static io.tensornio.internal.data.FloatBytes.decoded;
import static io.tensornio.internal.data.FloatBytes.io;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.Tensor;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code float} data sent through the streams that there really are. */
@ExtendWith(MemoryBalance.class)
class FloatEncodingConnectionTest {
    /** Sends data through a connection and a thread of its own, with more behind it, and compares. */
    private static void checkConnection(OutputStream out, InputStream in) throws IOException, InterruptedException {
        float[] values = FloatValues.array(3, 3 * 40_001);
        byte[] behind = {1, 2, 3};
        Throwable[] thrown = new Throwable[1];
        try (Tensor<Float> sent = Tensors.denseFloat(new long[] {40_001, 3}, data -> data.put(values))) {
            Thread sender = new Thread(() -> {
                try (OutputStream closing = out) {
                    sent.floatData().slice(flip()).read(closing);
                    closing.write(behind);
                } catch (Throwable e) {
                    thrown[0] = e;
                }
            });
            sender.start();
            try (Tensor<Float> received = Tensors.denseFloat(new long[] {40_001, 3}, data -> data.slice(flip()).write(in))) {
                assertArrayEquals(values, all(received.floatData()));
            }
            for (byte b : behind) {
                assertEquals(b, in.read());
            }
            assertEquals(-1, in.read());
            sender.join();
            assertEquals(null, thrown[0]);
        }
    }

    @Test
    void throughAPipe() throws IOException, InterruptedException {
        PipedInputStream in = new PipedInputStream(1000);
        checkConnection(new PipedOutputStream(in), in);
    }

    @Test
    void throughASocket() throws IOException, InterruptedException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket accepted = server.accept()) {
            checkConnection(client.getOutputStream(), accepted.getInputStream());
        }
    }

    @Test
    void throughAFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("elements");
        int n = 100_003;
        try (Tensor<Float> tensor = FloatValues.tensor(n)) {
            try (OutputStream out = Files.newOutputStream(file)) {
                tensor.floatData().slice(step(3)).read(out);
                tensor.floatData().slice(range(1, 5)).read(out);
            }
            assertArrayEquals(decoded(Files.readAllBytes(file), n / 3 + 1 + 4),
                concat(all(tensor.floatData().slice(step(3))), FloatValues.array(1, 4)));
            try (InputStream in = Files.newInputStream(file);
                    Tensor<Float> first = Tensors.denseFloat(new long[] {n / 3 + 1}, data -> data.write(in));
                    Tensor<Float> second = Tensors.denseFloat(new long[] {2, 2}, data -> data.write(in))) {
                assertEquals(-1, in.read());
                assertArrayEquals(all(tensor.floatData().slice(step(3))), all(first.floatData()));
                assertArrayEquals(FloatValues.array(1, 4), all(second.floatData()));
            }
        }
    }

    private static float[] concat(float[] first, float... second) {
        float[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    @Test
    void throughAStreamOfData() {
        try (Tensor<Float> tensor = FloatValues.tensor(3, 4)) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            io(() -> {
                DataOutputStream out = new DataOutputStream(bytes);
                out.writeUTF("before");
                tensor.floatData().read(out);
                out.writeLong(42);
            });
            io(() -> {
                DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
                assertEquals("before", in.readUTF());
                try (Tensor<Float> copy = Tensors.denseFloat(new long[] {12}, data -> data.write(in))) {
                    assertArrayEquals(FloatValues.array(0, 12), all(copy.floatData()));
                }
                assertEquals(42, in.readLong());
            });
        }
    }
}
