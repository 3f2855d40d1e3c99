package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The budget: never exceeded, no error as long as a collection can help, and an error that helps when it cannot. Each in a JVM of its own. */
class BudgetTest {
    private static final String BUDGET = "-Dtensornio.maxMemory=512m";
    /** Small, so that what is measured is tensors. */
    private static final String HEAP = "-Xmx64m";
    private static final String SERIAL = "-XX:+UseSerialGC";
    private static final String DISABLED = "-XX:+DisableExplicitGC";

    private static long number(String name, String printed) {
        Matcher matcher = Pattern.compile(name + "=(\\d+)").matcher(printed);
        assertTrue(matcher.find(), printed);
        return Long.parseLong(matcher.group(1));
    }

    private static boolean isLinux() {
        return System.getProperty("os.name").equals("Linux");
    }

    @ParameterizedTest
    @CsvSource({
        "-XX:+UseG1GC, -XX:-DisableExplicitGC, 1",
        "-XX:+UseParallelGC, -XX:-DisableExplicitGC, 1",
        "-XX:+UseSerialGC, -XX:-DisableExplicitGC, 1",
        "-XX:+UseG1GC, -XX:-DisableExplicitGC, 4",
        "-XX:+UseG1GC, -XX:+DisableExplicitGC, 1",
        "-XX:+UseParallelGC, -XX:+DisableExplicitGC, 1",
        "-XX:+UseSerialGC, -XX:+DisableExplicitGC, 1",
        "-XX:+UseG1GC, -XX:+DisableExplicitGC, 4",
    })
    void eightyLargeTensorsThatNobodyClosesFitTheBudget(String collector, String explicit, String threads) {
        assumeTrue(isLinux());
        String printed = Forked.with(BUDGET, HEAP, collector, explicit).run(BudgetProgram.class, "dropped", threads);
        // The heap, too, grows meanwhile, and what the compiler and the collector have.
        assertTrue(number("more", printed) <= 512 + 64 + 32, printed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseG1GC", "-XX:+UseParallelGC", "-XX:+UseSerialGC"})
    void oldTensorsThatNobodyClosesFitTheBudget(String collector) {
        Forked.with(BUDGET, HEAP, collector).run(BudgetProgram.class, "old");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseG1GC", "-XX:+UseParallelGC", "-XX:+UseSerialGC"})
    void oldTensorsAreFoundWhereNobodyMayAskTheCollector(String collector) {
        Forked.with(BUDGET, HEAP, collector, DISABLED).run(BudgetProgram.class, "old");
    }

    @Test
    void theErrorSaysWhatIsInUseAndHowToHaveMore() {
        String printed = Forked.with(BUDGET, HEAP).run(BudgetProgram.class, "exhausted");
        for (String part : new String[] {
            Long.toString(65L << 20), Long.toString(512L << 20), Long.toString(448L << 20) + " are in use", "pooled", "-Dtensornio.maxMemory="}) {
            assertTrue(printed.contains(part), part + " in " + printed);
        }
        assertFalse(printed.contains("DisableExplicitGC"), printed);
    }

    @Test
    void theErrorSaysThatNobodyMayAskTheCollector() {
        String printed = Forked.with(BUDGET, HEAP, DISABLED).run(BudgetProgram.class, "exhausted");
        assertTrue(printed.contains("-XX:+DisableExplicitGC"), printed);
    }

    @Test
    void theErrorHasTheNumbersOfTheStatistics() {
        Forked.with(BUDGET, HEAP).run(BudgetProgram.class, "numbers");
    }

    @Test
    void whatNeverFitsFailsWithoutACollection() {
        String printed = Forked.with("-Dtensornio.maxMemory=50m", SERIAL, "-Xmx512m").run(BudgetProgram.class, "tooLarge");
        assertTrue(printed.contains(Long.toString(50L << 20)), printed);
    }

    @Test
    void threadsThatFailTogetherShareTheirCollections() {
        String printed = Forked.with(BUDGET, HEAP, SERIAL).run(BudgetProgram.class, "together", "32");
        // Four for the first, four for those that came meanwhile, and some for threads that came late: each for itself would make 128.
        assertTrue(number("collections", printed) <= 40, printed);
    }

    @Test
    void anInterruptedThreadGetsItsMemoryAndStaysInterrupted() {
        Forked.with(BUDGET, HEAP).run(BudgetProgram.class, "interrupted");
    }

    @ParameterizedTest
    @CsvSource({"40, bytes, 1", "48, bytes, 1", "56, bytes, 1", "90, bytes, 1", "40, data, 100", "56, data, 100", "90, data, 100", "56, data, 4",
        "90, data, 4", "40, texts, 100", "56, texts, 4", "90, texts, 100"})
    void stringsFitTheBudgetWhateverTheirOrderMadeOneGuess(String percent, String from, String atOnce) {
        Forked.with("-Dtensornio.maxMemory=64m", "-Xmx512m").run(BudgetProgram.class, "strings", percent, from, atOnce);
    }

    @Test
    void smallTensorsFitASmallBudget() {
        Forked.with("-Dtensornio.maxMemory=1m").run(BudgetProgram.class, "small");
    }

    @Test
    void aMillionSmallTensorsClosedAndAMillionDroppedAreBounded() {
        assumeTrue(isLinux());
        String printed = Forked.with("-Dtensornio.maxMemory=64m", HEAP).run(BudgetProgram.class, "million");
        assertTrue(number("more mappings", printed.replace("=-", "=0")) < 100, printed);
        assertTrue(number("peak", printed) < 300, printed);
    }

    @Test
    void aFewSmallTensorsThatStayDoNotCountAsTheirSlabs() {
        Forked.with("-Dtensornio.maxMemory=64m", HEAP).run(BudgetProgram.class, "sparse");
    }

    @Test
    void closingNeedsNoCollectorWhateverTheSize() {
        assumeTrue(isLinux());
        assumeTrue(Forked.has64Bits(), "with 32 bits closed tensors soon have an eighth of all addresses, which only a collection reclaims");
        String printed = Forked.with("-Dtensornio.maxMemory=256m", SERIAL, "-Xmx512m").run(BudgetProgram.class, "closes");
        assertTrue(number("peak", printed) < 500, printed);
    }

    @Test
    void nothingIsLostWhenTheHeapRunsOut() {
        Forked.with("-Dtensornio.maxMemory=1g", "-Xmx24m", SERIAL).run(BudgetProgram.class, "heap");
    }

    @Test
    void refusedAddressesAreAnErrorAndNothingElse() {
        assumeTrue(isLinux());
        String printed = Forked.with("-Dtensornio.maxMemory=1000g", HEAP, SERIAL, "-XX:ReservedCodeCacheSize=64m")
            .with64Bits("-XX:CompressedClassSpaceSize=64m").after("ulimit -v 8000000").run(BudgetProgram.class, "addresses");
        assertFalse(printed.isEmpty());
    }

    /** An eighth of the addresses that 64-bit ARM may have is 64 GiB. */
    @Test
    void closedTensorsThatTakeTooManyAddressesAreCollected() {
        assumeTrue(isLinux());
        assumeTrue(Forked.has64Bits(), "with 32 bits there are no 64 GiB of addresses");
        String printed = Forked.with("-Dtensornio.maxMemory=3g", "-Xmx64m", SERIAL, "-verbose:gc", "-Dos.arch=aarch64")
            .run(BudgetProgram.class, "pressure");
        assertTrue(printed.contains("System.gc()"), printed);
    }

    /** An eighth of what 31 bits address is 256 MiB, and there tensors below 2 MiB take no more addresses than bytes. */
    @Test
    void closedTensorsAreCollectedAfterAnEighthOfFewAddresses() {
        Forked.with("-Dtensornio.maxMemory=64m", "-Xmx64m", SERIAL, "-Dos.arch=i386").run(BudgetProgram.class, "few");
    }

    @Test
    void theBudgetIsWhatThePropertySays() {
        assertEquals(3L << 30, number("max", Forked.with("-Dtensornio.maxMemory=3g").run(BudgetProgram.class, "max")));
    }

    @Test
    void theDefaultIsWhatDirectBuffersMayHave() {
        assertEquals(77L << 20, number("max", Forked.with("-XX:MaxDirectMemorySize=77m", HEAP).run(BudgetProgram.class, "max")));
        long heap = number("max", Forked.with("-Xmx96m", SERIAL).run(BudgetProgram.class, "max"));
        assertTrue(heap > 80L << 20 && heap <= 96L << 20, () -> "as much as the heap: " + heap);
    }

    /** Without it a bean is asked, which takes 20 ms of each start, and gives the same number. */
    @Test
    void theLimitOfDirectBuffersIsKnownWithoutABean() {
        assumeTrue(System.getProperty("java.vm.name").contains("HotSpot") || System.getProperty("java.vm.name").contains("OpenJDK"));
        assertTrue(NativeMemory.maxDirectMemory() > 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"much", "0", "-5m", "12x", "k", "9999999999g"})
    void aBadValueIsSaidAndTheDefaultIsUsed(String value) {
        String printed = Forked.with("-Dtensornio.maxMemory=" + value, "-XX:MaxDirectMemorySize=77m").run(BudgetProgram.class, "said");
        assertEquals(77L << 20, number("max", printed));
        assertTrue(printed.contains("tensornio.maxMemory=" + value), printed);
    }
}
