package io.tensornio.internal.string;

import io.tensornio.Tensor;
import io.tensornio.Tensors;

/** Pads strings up to 2 GiB, where a number of bytes is no {@code int} any more. Ends with an exception, and so not with 0, if they differ. */
public final class LongestPaddingProgram {
    private LongestPaddingProgram() {
    }

    /** Runs it. */
    public static void main(String... arguments) {
        for (int length : new int[] {8, 12, Integer.MAX_VALUE}) {
            int count = Integer.MAX_VALUE / length;
            try (Tensor<String> tensor = Tensors.denseString(new long[] {count}, length, ' ', data -> data.put("last", count - 1))) {
                if (count > 1) {            // the one is too long for the heap
                    check("", tensor.stringData().get(0));
                    check("", tensor.stringData().get(count - 2));
                    check("last", tensor.stringData().get(count - 1));
                }
            }
        }
    }

    private static void check(String expected, String found) {
        if (!found.equals(expected)) {
            throw new AssertionError("`" + found + "` for `" + expected + "`");
        }
    }
}
