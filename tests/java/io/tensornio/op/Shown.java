package io.tensornio.op;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;

/** Results as text: the type, the shape and the elements. */
final class Shown {
    private final Ops tf;

    Shown(Ops tf) {
        this.tf = tf;
    }

    void is(String expected, Operand<?> result) {
        Held.held(result);
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
