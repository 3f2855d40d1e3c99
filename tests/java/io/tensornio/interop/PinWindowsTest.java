package io.tensornio.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.internal.memory.NativeMemory;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pins of tensors that are larger than a buffer, in a run of the tests in which these are small. */
@Tag("windows")
@ExtendWith(MemoryBalance.class)
class PinWindowsTest {
    private static final int N = 1000;

    @Test
    void aLargerTensorHasSeveralBuffersOneAfterTheOther() {
        try (Tensor<Integer> tensor = Tensors.denseInt(new long[] {N}, data -> {
            try (Pin pin = Pin.writable(data)) {
                int at = 0;
                for (ByteBuffer part : pin.buffers()) {
                    while (part.hasRemaining()) {
                        part.putInt(at++);
                    }
                }
                assertEquals(N, at);
            }
        }); Pin pin = Pin.of(tensor)) {
            Expect.thrown(IllegalStateException.class, pin::buffer, "4000", "buffers()");
            ByteBuffer[] parts = pin.buffers();
            assertTrue(parts.length > 1);
            int at = 0;
            for (ByteBuffer part : parts) {
                assertEquals(pin.address() + 4L * at, NativeMemory.addressOf(part));
                assertTrue(part.isReadOnly() && part.order() == ByteOrder.nativeOrder());
                while (part.hasRemaining()) {
                    assertEquals(at++, part.getInt());
                }
            }
            assertEquals(N, at);
        }
    }

    @Test
    void aPinThatWritesEndsWithInitInAPartToo() {
        Pin[] pins = new Pin[2];
        Tensors.denseInt(new long[] {N / 10, 10}, data -> {
            pins[0] = Pin.writable(data);
            pins[1] = Pin.writable(data.slice(N / 10 - 1));
            pins[1].buffer().putInt(0, 7);
        }).close();
        for (Pin pin : pins) {
            Expect.thrown(IllegalStateException.class, pin::address, "ended");
        }
    }
}
