package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Leaks are reported with the stack that made them, once for each place; what was closed is not. */
class LeakDetectorTest {
    private static List<String> logged(String detection, String program) {
        Forked forked = detection == null ? Forked.with("-Xmx64m") : Forked.with("-Xmx64m", "-Dtensornio.leakDetection=" + detection);
        String printed = forked.run(LeakProgram.class, program, Boolean.toString("all".equals(detection)));
        assertTrue(printed.contains("done"), printed);
        List<String> records = new ArrayList<>();
        Matcher matcher = Pattern.compile("\\[(WARNING .*?)\\]$", Pattern.DOTALL | Pattern.MULTILINE).matcher(printed);
        while (matcher.find()) {
            records.add(matcher.group(1));
        }
        return records;
    }

    @Test
    void aPlaceIsReportedOnceAndAgainAtTenTimesAsMany() {
        List<String> records = logged("all", "places");
        assertEquals(3, records.size(), records::toString);
        assertTrue(records.get(0).startsWith("WARNING leak: 1 tensor became unreachable without close()"), records.get(0));
        // More than 10 if one more is counted while that is said.
        assertTrue(records.get(1).matches("(?s)WARNING leak: 1[0-2] tensors became unreachable without close\\(\\).*"), records.get(1));
        assertTrue(records.get(2).startsWith("WARNING leak: 1 tensor became unreachable without close()"), records.get(2));
    }

    @Test
    void aReportNamesTypeShapeAndThePlaceInTheApplication() {
        List<String> records = logged("all", "places");
        for (String part : new String[] {"FLOAT", "[300, 100]", "at io.tensornio.support.LeakMaker.forgetHere(LeakMaker.java:",
            "at io.tensornio.internal.memory.LeakProgram.main("}) {
            assertTrue(records.get(0).contains(part), part + " in " + records.get(0));
        }
        for (String part : new String[] {"INT32", "[70000]", "at io.tensornio.support.LeakMaker.forgetThere(LeakMaker.java:"}) {
            assertTrue(records.get(2).contains(part), part + " in " + records.get(2));
        }
        for (String library : new String[] {"Tensors.dense", "LeakDetector", "Factory", "io.tensornio.Tensor."}) {
            assertFalse(records.get(0).contains(library), library + " in " + records.get(0));
        }
    }

    @Test
    void tensorsOfEveryKindAreReported() {
        List<String> records = logged("all", "kinds");
        Collections.sort(records);          // they may come to light at once
        assertEquals(2, records.size(), records::toString);
        for (String part : new String[] {"FLOAT", "[20000, 5]", "at io.tensornio.support.LeakMaker.sparse(LeakMaker.java:"}) {
            assertTrue(records.get(0).contains(part), part + " in " + records.get(0));
        }
        for (String part : new String[] {"INT64", "[10000, -1]", "at io.tensornio.support.LeakMaker.ragged(LeakMaker.java:"}) {
            assertTrue(records.get(1).contains(part), part + " in " + records.get(1));
        }
    }

    @Test
    void reportsOfWhatWasComputedBeginInTheApplication() {
        List<String> records = logged("all", "computed");
        assertEquals(5, records.size(), records::toString);
        for (String record : records) {
            assertTrue(record.contains("; created\n    at io.tensornio.support.LeakMaker.forgetComputed(LeakMaker.java:"), record);
        }
    }

    @Test
    void aPinThatNobodyClosesIsReported() {
        List<String> records = logged("all", "pins");
        assertEquals(1, records.size(), records::toString);
        assertTrue(records.get(0).startsWith("WARNING leak: 1 pin became unreachable without close(), the last one of a tensor FLOAT of shape "
            + "[300, 100]; created\n    at io.tensornio.support.LeakMaker.forgetPin(LeakMaker.java:"), records.get(0));
    }

    @Test
    void whatOperationsBorrowIsNoLeak() {
        assertEquals(new ArrayList<String>(), logged("all", "borrowed"));
    }

    @Test
    void aPartThatTheWholeClosesIsNoLeak() {
        assertEquals(new ArrayList<String>(), logged("all", "parts"));
    }

    @Test
    void whatIsClosedOrNeverCameToBeIsNoLeak() {
        assertEquals(new ArrayList<String>(), logged("all", "closed"));
    }

    @Test
    void ofASampleOneIn128IsWatched() {
        assertSampled(logged("sampled", "many"));
    }

    @Test
    void aSampleFindsALeakThatTakesTurnsWithATensorThatIsClosed() {
        assertSampled(logged("sampled", "turns"));
    }

    /** Of 4096 leaks about 32 are watched, as a Poisson distribution has it: none once in 10^13 runs, more than 80 once in 10^12. */
    private static void assertSampled(List<String> records) {
        assertFalse(records.isEmpty());
        String last = records.get(records.size() - 1);
        Matcher matcher = Pattern.compile("(?s)WARNING leak: (\\d+) tensors? .* of 1 in 128 watched.*").matcher(last);
        assertTrue(matcher.matches(), last);
        assertTrue(Integer.parseInt(matcher.group(1)) <= 80, last);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "off")
    void byDefaultAndWhenOffNothingIsWatched(String value) {
        assertEquals(new ArrayList<String>(), logged(value, "places"));
    }

    @Test
    void anUnknownValueIsSaidAndNothingIsWatched() {
        List<String> records = logged("everything", "places");
        assertEquals(1, records.size(), records::toString);
        assertTrue(records.get(0).contains("tensornio.leakDetection=everything"), records.get(0));
        assertTrue(records.get(0).contains("sampled"), records.get(0));
    }
}
