package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tensornio.support.Expect;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The threads that share the work of a call with the one that makes it. They keep no JVM from ending: each program here ends with them. */
@EnabledOnOs(OS.LINUX)
class ThreadsTest {
    private static final String TWO = "threads [tensornio-1, tensornio-2]";

    private static String shared(String... options) {
        return Forked.with(options).run(ThreadsProgram.class, "shared");
    }

    @Test
    void thereAreAsManyAsSet() {
        String three = shared("-Dtensornio.threads=3");
        assertTrue(three.contains(TWO), three);
        String one = shared("-Dtensornio.threads=1");
        assertTrue(one.contains("threads []"), one);
    }

    @Test
    void thereMayBeMoreThanProcessors() {
        String many = shared("-Dtensornio.threads=20");
        assertTrue(many.contains("tensornio-19"), many);
        assertFalse(many.contains("tensornio-20"), many);
    }

    /** With threads that have worked, as many as processors and more. */
    @ParameterizedTest
    @ValueSource(ints = {2, 64})
    void anIdleJvmUsesNoProcessor(int threads) {
        String printed = Forked.with("-Dtensornio.threads=" + threads).run(ThreadsProgram.class, "idle");
        Matcher idle = Pattern.compile("idle (\\d+)").matcher(printed);
        assertTrue(idle.find(), printed);
        assertTrue(Integer.parseInt(idle.group(1)) < 50, () -> idle.group() + " ms of a second");
    }

    /** Java's number of processors is what a container may use. */
    @Test
    void thereAreAsManyAsProcessorsByDefault() {
        String three = shared("-XX:ActiveProcessorCount=3");
        assertTrue(three.contains(TWO), three);
    }

    /** The first caller is bound to one processor; the threads are for all callers. */
    @Test
    void aBoundCallerMakesNoPoolOfOne() {
        int processors = Runtime.getRuntime().availableProcessors();
        assumeTrue(processors > 1, "needs two processors");
        String printed = Forked.with().run(ThreadsProgram.class, "bound");
        assumeTrue(!printed.contains("cannot be bound"), printed);
        assertTrue(printed.contains("tensornio-" + (processors - 1)), printed);
        String told = Forked.with("-XX:ActiveProcessorCount=3").run(ThreadsProgram.class, "bound");
        assertTrue(told.contains(TWO), told);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "many", "", "2.5", "99999999999"})
    void whatIsNoNumberIsSaidAndTheDefaultIsUsed(String text) {
        String printed = shared("-Dtensornio.threads=" + text, "-XX:ActiveProcessorCount=3");
        assertTrue(printed.contains("tensornio.threads=" + text + " is not a positive number of threads; the default of 3 is used"), printed);
        assertTrue(printed.contains(TWO), printed);
    }

    @Test
    void noneIsLeftWhenTheLibraryIsUnloaded() {
        String printed = Forked.with().run(ThreadsProgram.class, "unloaded");
        assertEquals(3, printed.split("loaded \\[tensornio-1, tensornio-2\\]", -1).length - 1, printed);
        assertTrue(printed.contains("unloaded []"), printed);
    }

    @Test
    void workNeedsOne() {
        for (int threads : new int[] {0, -1, Integer.MIN_VALUE}) {
            Expect.thrown(IllegalArgumentException.class, () -> NativeMemory.setThreads(threads), "one thread at least");
        }
    }
}
