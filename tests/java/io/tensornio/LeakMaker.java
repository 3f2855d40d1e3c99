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

    /** A good citizen. */
    public static void close() {
        Tensors.denseFloat(new long[] {300, 100}, data -> { }).close();
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
