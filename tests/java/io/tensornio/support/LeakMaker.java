package io.tensornio.support;

import io.tensornio.Axis;
import io.tensornio.FloatTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.axes.NamedTensor;
import io.tensornio.compute.Comprehension;
import io.tensornio.interop.Pin;
import io.tensornio.op.Ops;
import io.tensornio.value.SequenceOps;

/** An application that forgets to close; outside of the library's internals, so that its frames are shown. */
public final class LeakMaker {
    private LeakMaker() {
    }

    /** One place of creation. */
    public static void forgetHere() {
        Tensors.denseFloat(new long[] {300, 100}, data -> data.put(1, 0, 0));
    }

    /** Another place, and another type. */
    public static void forgetThere() {
        Tensors.denseInt(new long[] {70_000}, data -> { });
    }

    /** Tensors of the other kinds. */
    public static void forgetKinds() {
        sparse();
        ragged();
    }

    /** Large enough for memory of their own. */
    private static SparseTensor<Float> sparse() {
        return Tensors.sparseFloat(new long[] {20_000, 5}, 20_000, data -> {
            for (int i = 0; i < 20_000; i++) {
                data.put(i + 1, i, i % 5);
            }
        });
    }

    private static RaggedTensor<Long> ragged() {
        return Tensors.raggedLong(new long[] {10_000, -1}, data -> {
            for (int i = 0; i < 10_000; i++) {
                data.put(i, i, 0);
            }
        });
    }

    /** Tensors that the packages above this one make: of named axes, by a comprehension, taken out of a scope, and parts of one. */
    public static void forgetComputed() {
        Axis axis = Axis.of("N", 20_000);
        NamedTensor.of(FloatTensorData.constant(1, 20_000), axis).plus(1).materialize();
        Comprehension.of("y[i] = x[i] + 1").run(FloatTensorData.constant(1, 30_000)).floatTensor("y");
        try (Ops tf = Ops.create()) {
            tf.keep(tf.array.fill(1f, 40_000));
            try (Tensor<Float> whole = tf.array.fill(1f, 50_000, 1).asTensor()) {
                SequenceOps.splitToSequence(whole, 0, 50_000L);
            }
        }
        FloatTensorData.constant(1, 60_000).copy();
    }

    /** Lets go of a tensor that operations borrowed. */
    public static void forgetBorrowed() {
        try (Ops tf = Ops.create()) {
            tf.math.neg(tf.constant(Tensors.denseFloat(new long[] {300, 100}, data -> { })));
        }
    }

    /** Lets go of parts of tensors, which those close. */
    public static void forgetParts() {
        try (SparseTensor<Float> sparse = sparse(); RaggedTensor<Long> ragged = ragged()) {
            Tensor<?>[] parts = {sparse.indices(), sparse.values(), sparse.denseShape(), sparse.rowPointers(), ragged.values(), ragged.rowSplits(1)};
            for (Tensor<?> part : parts) {
                part.close();
                if (part.isClosed()) {
                    throw new AssertionError(part);
                }
            }
            // Others, which nobody closes.
            sparse.denseShape();
            sparse.rowPointers();
            ragged.values();
            ragged.rowSplits(1);
        }
    }

    /** Lets go of a pin, which keeps the memory of a tensor that is closed. */
    public static void forgetPin() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {300, 100}, data -> { })) {
            Pin.of(tensor).buffer();
        }
    }

    /** A pin that is closed, and one that a factory ends. */
    public static void closePins() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {300, 100}, Pin::writable); Pin pin = Pin.of(tensor)) {
            pin.buffer();
        }
    }

    /** A good citizen. */
    public static void close() {
        Tensors.denseFloat(new long[] {300, 100}, data -> { }).close();
    }

    /** Another one. */
    public static void closeKinds() {
        sparse().close();
        ragged().close();
    }

    /** A tensor that never comes to be. */
    public static void fail() {
        try {
            Tensors.denseFloat(new long[] {300, 100}, data -> {
                throw new ArithmeticException("init");
            });
        } catch (ArithmeticException e) {
            return;
        }
        throw new AssertionError("init threw nothing");
    }
}
