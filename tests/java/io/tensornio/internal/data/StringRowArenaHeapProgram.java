package io.tensornio.internal.data;

import io.tensornio.RaggedTensor;
import io.tensornio.StringTensorData;
import io.tensornio.Tensors;
import java.util.Arrays;

/** Puts single strings, which do not fit the heap twice, into ragged data. Ends with an exception, and so not with 0, if they change it. */
public final class StringRowArenaHeapProgram {
    /** More than half of the heap. */
    private static final byte[] LONG = new byte[17 << 20];

    private static int refused;

    private StringRowArenaHeapProgram() {
    }

    /** Runs it. */
    public static void main(String... arguments) {
        run(new long[] {2, -1}, new int[] {0, 1}, new int[] {0, 2}, new int[] {1, 5});
        run(new long[] {2, -1, 2}, new int[] {0, 1, 1}, new int[] {1, 0, 0});
        run(new long[] {2, -1, -1}, new int[] {0, 1, 1}, new int[] {0, 2, 0}, new int[] {1, 3, 2});
        System.out.println("refused=" + refused);
    }

    /** Puts to places of which the first has a string. */
    private static void run(long[] shape, int[]... places) {
        try (RaggedTensor<String> tensor = Tensors.raggedString(shape, data -> {
            data.put("old", places[0]);
            for (int[] place : places) {
                String before = data.toString();
                refuses(data, place);
                check(data.toString().equals(before), before + " has become " + data);
            }
        })) {
            check(tensor.stringData().get(places[0]).equals("old"), tensor.toString());
            check(tensor.stringData().slice(1).totalSize() == 0, tensor.toString());
        }
    }

    private static void refuses(StringTensorData data, int... place) {
        try {
            data.putBytes(LONG, place);
        } catch (OutOfMemoryError e) {
            check(e.getMessage().contains("of the Java heap more"), e.getMessage());
            refused++;
            return;
        }
        throw new AssertionError("the heap holds a second copy at " + Arrays.toString(place));
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }
}
