package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SparseBuildTest {
    private static String run(String tensors, String... options) {
        return Forked.with(options).run(SparseBuildProgram.class, tensors);
    }

    @Test
    void aCollectionOfForgottenTensorsLetsSortingGoOn() {
        String printed = run("dropped", "-Dtensornio.maxMemory=64m", "-Xmx512m");
        assertTrue(printed.contains("published"), printed);
    }

    @Test
    void beyondTheBudgetTheErrorSaysWhatWasAskedAndWhatToDo() {
        String printed = run("held", "-Dtensornio.maxMemory=64m", "-Xmx512m");
        for (String part : new String[] {"bytes for intermediate results", Long.toString(64L << 20), "-Dtensornio.maxMemory="}) {
            assertTrue(printed.contains(part), printed);
        }
    }

    @Test
    void beyondTheBudgetWithoutCollectionsTheErrorSaysSo() {
        String printed = run("held", "-Dtensornio.maxMemory=64m", "-Xmx64m", "-XX:+DisableExplicitGC");
        assertTrue(printed.contains("-XX:+DisableExplicitGC"), printed);
    }
}
