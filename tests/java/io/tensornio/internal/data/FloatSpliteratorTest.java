package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.tensornio.FloatTensorData;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Splitting {@code float} data that answers nonsense. */
class FloatSpliteratorTest {
    /** Data of so many elements, as it says, that is a slice of itself. */
    private static FloatTensorData endless(long size, long total) {
        FloatTensorData honest = FloatTensorData.of(new float[1]);
        return (FloatTensorData) Proxy.newProxyInstance(FloatTensorData.class.getClassLoader(), new Class<?>[] {FloatTensorData.class},
            (self, method, given) -> {
                if (method.getName().equals("slice")) {
                    return self;
                }
                if (method.getName().equals("totalSize")) {
                    return total;
                }
                if (method.getName().equals("size") && method.getParameterCount() == 1) {
                    return size;
                }
                try {
                    return method.invoke(honest, given);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });
    }

    @Test
    void dataThatNeverGetsSmaller() {
        for (long size : new long[] {0, 1, 2, 5, 1L << 40}) {
            assertTimeoutPreemptively(Duration.ofMinutes(1),
                () -> assertThrows(IllegalStateException.class, () -> new FloatSpliterator(endless(size, 5)).trySplit(), "size " + size));
        }
    }
}
