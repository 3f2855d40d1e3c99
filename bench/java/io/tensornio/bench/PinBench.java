package io.tensornio.bench;

import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.interop.Pin;
import java.nio.ByteBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A tensor pinned and unpinned: for its address, and for a buffer. */
public class PinBench extends Timed {
    /** A tensor that is pinned. */
    @State(Scope.Thread)
    public static class Pinned {
        /** Its size: in a slab, and with pages of its own. */
        @Param({"64", "1048576"})
        int bytes;
        Tensor<Float> tensor;

        /** Makes it. */
        @Setup(Level.Trial)
        public void open() {
            tensor = Tensors.denseFloat(new long[] {bytes / Float.BYTES}, data -> { });
        }

        /** Closes it. */
        @TearDown(Level.Trial)
        public void close() {
            tensor.close();
        }
    }

    /** Pins, asks for the address, and unpins. */
    @Benchmark
    public long address(Pinned on) {
        try (Pin pin = Pin.of(on.tensor)) {
            return pin.address();
        }
    }

    /** Pins, asks for a buffer, and unpins. */
    @Benchmark
    public ByteBuffer buffer(Pinned on) {
        try (Pin pin = Pin.of(on.tensor)) {
            return pin.buffer();
        }
    }
}
