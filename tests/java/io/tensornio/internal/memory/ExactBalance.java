package io.tensornio.internal.memory;

import io.tensornio.MemoryStats;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Checks that exactly as much memory is in use after each test of a class as was before the first one. */
final class ExactBalance implements BeforeEachCallback, AfterEachCallback {
    private MemoryStats before;

    @Override
    public void beforeEach(ExtensionContext context) {
        if (before == null) {
            before = MemoryWatch.settled();
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        MemoryStats wanted = before;
        before = null;              // what one test leaves is not the fault of the next
        MemoryWatch.assertBalanced(wanted);
        before = wanted;
    }
}
