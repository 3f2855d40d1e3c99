package io.tensornio.internal.data;

/** Copies between data of the user's where there is no memory for a temporary. Ends with an exception, and so not with 0, if one is asked for. */
public final class DisjointCopiesProgram {
    private DisjointCopiesProgram() {
    }

    /** Runs it. */
    public static void main(String... arguments) {
        FloatDisjoint.check();
        DoubleDisjoint.check();
        IntDisjoint.check();
        LongDisjoint.check();
        ByteDisjoint.check();
    }
}
