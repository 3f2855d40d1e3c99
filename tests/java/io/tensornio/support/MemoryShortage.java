package io.tensornio.support;

import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Fails a test that ends with an {@link OutOfMemoryError}. JUnit takes such an error for the end of the heap and throws it on, which ends its main
 * thread but not the JVM; here it mostly means that the budget for native memory was exhausted, after which the other tests can run. Registered as a
 * service, so that it holds for every test.
 */
public final class MemoryShortage implements InvocationInterceptor {
    @Override
    public void interceptBeforeEachMethod(Invocation<Void> call, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        proceed(call);
    }

    @Override
    public void interceptTestMethod(Invocation<Void> call, ReflectiveInvocationContext<Method> method, ExtensionContext context) throws Throwable {
        proceed(call);
    }

    @Override
    public void interceptTestTemplateMethod(Invocation<Void> call, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        proceed(call);
    }

    @Override
    public void interceptAfterEachMethod(Invocation<Void> call, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        proceed(call);
    }

    private static void proceed(Invocation<Void> call) throws Throwable {
        try {
            call.proceed();
        } catch (OutOfMemoryError e) {
            throw new AssertionError("nobody expected that there is no memory", e);
        }
    }
}
