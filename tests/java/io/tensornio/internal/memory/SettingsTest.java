package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the text of a setting means. */
class SettingsTest {
    @ParameterizedTest
    @CsvSource({"1, 1", "65536, 65536", "1k, 1024", "2K, 2048", "512m, 536870912", "3M, 3145728", "1g, 1073741824", "7G, 7516192768",
        "' 10m ', 10485760", "007, 7", "9223372036854775807, 9223372036854775807", "8589934591g, 9223372035781033984"})
    void bytesMayHaveAUnit(String text, long bytes) {
        assertEquals(bytes, Settings.parseBytes(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "k", "m", "g", "much", "1.5g", "1 g", "10mb", "1t", "0x10", "m1", "1kk", "1e9", "512 MiB"})
    void anythingElseIsNoNumberOfBytes(String text) {
        assertThrows(NumberFormatException.class, () -> Settings.parseBytes(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0k", "0g", "-1", "-1g", "-9223372036854775808"})
    void bytesArePositive(String text) {
        assertThrows(NumberFormatException.class, () -> Settings.parseBytes(text));
    }

    /** What {@link MovingProgram} prints. */
    private static String moving(String... options) {
        return Forked.with(options).run(MovingProgram.class);
    }

    private static final String SWITCHED_OFF = "switched off";
    private static final String UNKNOWN = "tensornio.movePages=x is unknown; possible are on and off; it is on";

    @Test
    void pagesMoveUnlessThatIsSwitchedOff() {
        String usual = moving();
        assertTrue(usual.contains(": pages of "), usual);            // the line that would say it
        assertFalse(usual.contains(SWITCHED_OFF), usual);
        boolean moves = usual.contains("moved=1 discarded=0");
        assertEquals(usual.contains("pages are moved at close"), moves, usual);
        String on = moving("-Dtensornio.movePages=on");
        assertEquals(moves, on.contains("moved=1 discarded=0"), on);
        assertFalse(on.contains(SWITCHED_OFF), on);
        String off = moving("-Dtensornio.movePages=off");
        assertTrue(off.contains("moved=0 discarded=1"), off);
        assertEquals(moves, off.contains("(switched off: discarding)]"), off);
    }

    @Test
    void anythingElseIsSaidAndPagesMove() {
        String printed = moving("-Dtensornio.movePages=x");
        assertTrue(printed.contains("[WARNING " + UNKNOWN + "]"), printed);
        assertFalse(printed.contains(SWITCHED_OFF), printed);
        assertEquals(printed.contains("pages are moved at close"), printed.contains("moved=1 discarded=0"), printed);
    }

    @Test
    void theLargestBufferIsANumberOfBytesOrTheDefault() {
        String few = moving("-Dtensornio.largestBuffer=64k");
        assertFalse(few.contains("largestBuffer"), few);
        for (String text : new String[] {"x", "", "-1"}) {
            String printed = moving("-Dtensornio.largestBuffer=" + text);
            assertTrue(printed.contains("[WARNING tensornio.largestBuffer=" + text + " is not a positive number of bytes, perhaps with k, m or g; "
                + "the default is used]"), printed);
            assertTrue(printed.contains("moved="), printed);
        }
    }

    /** All threads wait for a class initialiser, and a handler may wait for any of them. */
    @Test
    void aWrongValueIsLoggedOnceTheClassesAreInitialised() {
        String[] names = {"maxMemory", "leakDetection", "movePages", "largestBuffer", "threads"};
        String[] options = Arrays.stream(names).map(name -> "-Dtensornio." + name + "=1gb").toArray(String[]::new);
        String printed = Forked.with(options).run(InitialiserProgram.class);
        assertFalse(printed.contains("in an initialiser"), printed);
        for (String name : names) {
            assertTrue(printed.contains("tensornio." + name + "=1gb is "), printed);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775808", "8589934592g", "9223372036854775807k", "99999999999999999999"})
    void bytesFitALong(String text) {
        assertThrows(NumberFormatException.class, () -> Settings.parseBytes(text));
    }
}
