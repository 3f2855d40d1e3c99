package io.tensornio.internal.memory;

import io.tensornio.MemoryStats;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Checks that exactly as much memory is in use after a test as was before. */
final class ExactBalance implements BeforeEachCallback, AfterEachCallback {
    private MemoryStats before;

    @Override
    public void beforeEach(ExtensionContext context) {
        before = MemoryWatch.settled();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        MemoryWatch.assertBalanced(before);
    }
}
