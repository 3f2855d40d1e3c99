package io.tensornio.ffm;

import io.tensornio.AnyTensor;
import io.tensornio.interop.Pin;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Memory segments over the elements of tensors. */
public final class Segments {
    private Segments() {
    }

    /**
     * The elements of a dense tensor as one segment, however many there are. Nothing is copied: the tensor is {@linkplain Pin pinned} until the arena
     * closes, so that its memory stays where it is, and in use, also if the tensor is closed before.
     *
     * <pre>{@code
     * try (Arena arena = Arena.ofConfined()) {
     *     MemorySegment segment = Segments.of(tensor, arena);
     *     float first = segment.getAtIndex(ValueLayout.JAVA_FLOAT, 0);
     * }
     * }</pre>
     *
     * <p>The elements lie as {@link io.tensornio.Tensor#layout()} says, in native byte order. The segment is read-only; native code to which it is
     * passed must not write it either.
     *
     * @param tensor a dense tensor of numbers, booleans or fixed-length strings
     * @param arena who may access the segment, and for how long: an automatic one keeps the tensor pinned while the arena, or a segment of it, is
     *     reachable
     * @return a read-only segment of all bytes of the tensor
     * @throws IllegalArgumentException if the tensor is sparse or ragged, or its strings have variable length; if the arena is the global one, which
     *     never closes
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     * @throws IllegalStateException if the arena is closed
     * @throws WrongThreadException if the arena is confined to another thread
     * @throws IllegalCallerException if the module of this class, or all of the class path, is denied native access
     */
    @SuppressWarnings("restricted")     // the memory is there for as long as the pin, which ends with the segment
    public static MemorySegment of(AnyTensor<?> tensor, Arena arena) {
        Objects.requireNonNull(arena, "arena");
        if (arena.scope().equals(Arena.global().scope())) {
            throw new IllegalArgumentException("the global arena never closes, so that the tensor would be pinned for ever: take "
                + "Arena.ofAuto(), which ends once no segment is reachable");
        }
        Pin pin = Pin.of(tensor);
        try {
            return MemorySegment.ofAddress(pin.address()).reinterpret(pin.byteSize(), arena, closed -> pin.close()).asReadOnly();
        } catch (Throwable e) {
            pin.close();
            throw e;
        }
    }
}
