package io.tensornio.support;

import java.util.Random;

/** Random checks, one for each of some seeds. */
public final class Seeds {
    private Seeds() {
    }

    /** A check that says what it has done. */
    public interface Check {
        void run(Random random, StringBuilder done);
    }

    /** Runs a check with each seed; what fails says with which one, and what was done by then. */
    public static void each(int test, int seeds, Check check) {
        for (int seed = 0; seed < seeds * Expect.depth(); seed++) {
            StringBuilder done = new StringBuilder("test " + test + ", seed " + seed);
            try {
                check.run(new Random(1000L * seed + test), done);
            } catch (Throwable e) {
                throw new AssertionError(done.toString(), e);
            }
        }
    }
}
