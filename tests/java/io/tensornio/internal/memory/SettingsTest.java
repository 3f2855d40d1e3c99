package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775808", "8589934592g", "9223372036854775807k", "99999999999999999999"})
    void bytesFitALong(String text) {
        assertThrows(NumberFormatException.class, () -> Settings.parseBytes(text));
    }
}
