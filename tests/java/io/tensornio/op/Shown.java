package io.tensornio.op;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Results as text: the type, the shape and the elements. */
final class Shown {
    /**
     * What the last of these has seen. Results are held weakly: one that the collector finds before the scope is closed is counted as open until the
     * small tensors beside it are gone, too, which the balance of memory would take for a leak.
     */
    private static List<Operand<?>> seen = new ArrayList<>();

    private final Ops tf;

    Shown(Ops tf) {
        this.tf = tf;
        seen = Collections.synchronizedList(new ArrayList<>());
    }

    void is(String expected, Operand<?> result) {
        seen.add(result);
        assertEquals(tf, result.ops());
        String elements = Arrays.deepToString(new Object[] {result.asTensor().toNested()});
        String shown = result.dataType() + Arrays.toString(result.shape()).replace(" ", "") + " " + elements.substring(1, elements.length() - 1);
        assertEquals(expected, result.dataType() == io.tensornio.DataType.UINT8 ? unsigned(shown) : shown);
    }

    /** Bytes as they are meant. */
    private static String unsigned(String shown) {
        StringBuffer text = new StringBuffer();
        java.util.regex.Matcher negative = java.util.regex.Pattern.compile("-\\d+").matcher(shown);
        while (negative.find()) {
            negative.appendReplacement(text, String.valueOf(256 + Integer.parseInt(negative.group())));
        }
        return negative.appendTail(text).toString();
    }
}
