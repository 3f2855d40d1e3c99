package io.tensornio;

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
