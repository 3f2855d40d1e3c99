package io.tensornio.support;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.InvocationInterceptor;

class MemoryShortageTest {
    private final InvocationInterceptor interceptor = new MemoryShortage();

    private void run(InvocationInterceptor.Invocation<Void> test) throws Throwable {
        interceptor.interceptTestMethod(test, null, null);
    }

    @Test
    void aTestWithoutMemoryFailsAndTheNextOneRuns() throws Throwable {
        OutOfMemoryError error = new OutOfMemoryError("the budget");
        AssertionError failed = assertThrows(AssertionError.class, () -> run(() -> {
            throw error;
        }));
        assertSame(error, failed.getCause());
        run(() -> null);
    }

    @Test
    void otherErrorsStayThemselves() {
        StackOverflowError error = new StackOverflowError();
        assertSame(error, assertThrows(StackOverflowError.class, () -> run(() -> {
            throw error;
        })));
    }

    @Test
    void everyTestHasIt() {
        boolean found = false;
        for (Extension extension : ServiceLoader.load(Extension.class)) {
            found |= extension instanceof MemoryShortage;
        }
        assertTrue(found);
    }
}
