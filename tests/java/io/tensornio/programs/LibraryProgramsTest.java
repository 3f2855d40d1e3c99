package io.tensornio.programs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.MemoryStats;
import io.tensornio.internal.memory.Forked;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link LibraryPrograms}: nothing crashes, nothing is thrown that is not documented, and no memory is lost. */
class LibraryProgramsTest {
    /** With a depth of 2000 they are a million. */
    private static final int PROGRAMS = 500;

    @Test
    void programsOfOneAndOfSeveralThreads() {
        MemoryBalance.settleSmall();
        MemoryStats before = MemoryStats.current();
        Seeds.each(0, PROGRAMS * 9 / 10, LibraryPrograms::alone);
        try (LibraryPrograms.Team team = new LibraryPrograms.Team()) {
            Seeds.each(1, PROGRAMS / 10, team::run);
        }
        MemoryBalance.settleSmall();
        MemoryBalance.assertNoMoreThan(before);
    }

    /** Programs in JVMs that collect and compile in other ways than this one. All run under {@code -Xcheck:jni}. */
    @ParameterizedTest
    @CsvSource({"8, -XX:+UseSerialGC, 30", "15, -XX:+UseZGC, 30", "8, -Xint, 10"})
    void otherJvmsRunThem(int since, String option, int programs) {
        if (Forked.feature() >= since) {
            String count = Integer.toString(programs * Expect.depth());
            String printed = Forked.with(option, "-Xmx256m").run(LibraryPrograms.class, count);
            assertTrue(printed.contains(count + " programs"), printed);
        }
    }
}
