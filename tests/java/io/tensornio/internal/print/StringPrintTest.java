package io.tensornio.internal.print;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.AbstractStringTensorData;
import io.tensornio.StringTensorData;
import io.tensornio.support.Texts;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** How strings are printed that are long, by the first and the last 500 characters, or bytes of what is no text, and those that are null. */
class StringPrintTest {
    private static final String SMILE = "\ud83d\ude00";
    private static final String HEAD = "0" + Texts.repeat('a', 498) + "1";
    private static final String TAIL = "2" + Texts.repeat('b', 498) + "3";

    private static void prints(String expected, String text) {
        assertEquals("STRING[] " + expected, StringTensorData.of(new String[] {text}).slice(0).toString());
    }

    private static void printsBytes(String expected, String latin1) {
        byte[][] bytes = {latin1.getBytes(StandardCharsets.ISO_8859_1)};
        assertEquals("STRING[] " + expected, StringTensorData.ofBytes(bytes).slice(0).toString());
    }

    @Test
    void aThousandCharactersAreShownWhole() {
        prints("'" + HEAD + TAIL + "'", HEAD + TAIL);
    }

    @Test
    void ofMoreTheMiddleIsLeftOut() {
        prints("'" + HEAD + "..." + TAIL + "'", HEAD + "x" + TAIL);
        prints("'" + HEAD + "..." + TAIL + "'", HEAD + Texts.repeat('x', 5000) + TAIL);
    }

    @Test
    void noCharacterIsCutInTwo() {
        String head = HEAD.substring(1) + SMILE;
        String tail = SMILE + TAIL.substring(1);
        prints("'" + head + "..." + tail + "'", head + "x" + tail);
    }

    @Test
    void whatCountsIsCharactersNotTheirHalves() {
        String half = Texts.repeat(SMILE, 500);
        prints("'" + half + half + "'", half + half);
        prints("'" + half + "..." + half + "'", half + "x" + half);
    }

    @Test
    void quotesBesideTheGapAreThoseOfTheText() {
        String head = HEAD.substring(1) + "'";
        String tail = "'" + TAIL.substring(1);
        prints("'" + HEAD.substring(1) + "\\'...\\'" + TAIL.substring(1) + "'", head + "x" + tail);
    }

    @Test
    void aThousandBytesOfNoTextAreShownWhole() {
        printsBytes("b'" + HEAD.substring(1) + "\\xff\\xfe" + TAIL.substring(1) + "'", HEAD.substring(1) + "\u00ff\u00fe" + TAIL.substring(1));
    }

    @Test
    void ofMoreBytesOfNoTextTheMiddleIsLeftOut() {
        String head = HEAD.substring(1);
        String tail = TAIL.substring(1);
        printsBytes("b'" + head + "\\xff...\\xfe" + tail + "'", head + "\u00ff" + "x" + "\u00fe" + tail);
        printsBytes("b'" + head + "\\xff...\\xfe" + tail + "'", head + "\u00ff" + Texts.repeat('x', 5000) + "\u00fe" + tail);
    }

    @Test
    void anArrayThatIsYetToBeFilledIsShown() {
        assertEquals("STRING[2] ['a', null]", StringTensorData.of(new String[] {"a", null}).toString());
        assertEquals("STRING[2] ['a', null]", StringTensorData.ofBytes(new byte[][] {{'a'}, null}).toString());
        assertEquals("STRING[2] [null, null]", new AbstractStringTensorData(2) {
            @Override
            protected String getAt(long[] indices) {
                return null;
            }
        }.toString());
    }
}
