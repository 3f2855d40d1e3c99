package io.tensornio.internal.graph;

/** Initial elements of a parameter, each of which depends only on the seed, the parameter's number and its own position. */
public final class Initial {
    /** Distinguishes the second uniform number of a normal one from the first. */
    private static final long SECOND = 0x5DEECE66DL;

    private Initial() {
    }

    private static long element(int[] at, int[] dims) {
        long element = 0;
        for (int axis = 0; axis < at.length; axis++) {
            element = element * dims[axis] + at[axis];
        }
        return element;
    }

    /** Uniform numbers up to a limit. */
    public static Variable.Fill uniform(long seed, Variable of, double limit) {
        return (at, dims) -> (2 * Mix.unit(seed, of.id, element(at, dims)) - 1) * limit;
    }

    /** Normal numbers, by the transformation of Box and Muller. */
    public static Variable.Fill normal(long seed, Variable of, double deviation) {
        return (at, dims) -> {
            long element = element(at, dims);
            double radius = Math.sqrt(-2 * Math.log1p(-Mix.unit(seed, of.id, element)));
            return deviation * radius * Math.cos(2 * Math.PI * Mix.unit(seed ^ SECOND, of.id, element));
        };
    }
}
