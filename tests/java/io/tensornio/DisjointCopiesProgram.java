package io.tensornio;

/** Copies between data of the user's where there is no memory for a temporary. Ends with an exception, and so not with 0, if one is asked for. */
public final class ApartProgram {
    private ApartProgram() {
    }

    /** Runs it. */
    public static void main(String... arguments) {
        FloatApart.check();
        DoubleApart.check();
        IntApart.check();
        LongApart.check();
        ByteApart.check();
    }
}
