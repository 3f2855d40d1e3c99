package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Programs in JVMs of their own that do not end well are failures, and none of them keeps the tests waiting. */
class ForkedTest {
    /** Ends as its first argument says. */
    static final class Program {
        private Program() {
        }

        public static void main(String[] arguments) throws InterruptedException {
            System.out.println("begins");
            System.err.println("continues");
            switch (arguments[0]) {
                case "never":
                    new CountDownLatch(1).await();
                    break;
                case "badly":
                    throw new IllegalStateException("ends badly");
                default:
                    break;
            }
        }
    }

    private static String failure(Forked forked, String end) {
        return assertThrows(AssertionError.class, () -> forked.run(Program.class, end)).getMessage();
    }

    @Test
    void aProgramThatEndsWellHasPrintedThis() {
        assertEquals("begins\ncontinues\n", Forked.with().run(Program.class, "well").replace(System.lineSeparator(), "\n"));
    }

    @Test
    void aProgramThatEndsBadlyFailsWithWhatItPrinted() {
        String message = failure(Forked.with(), "badly");
        assertTrue(message.contains("exit 1") && message.contains("begins") && message.contains("ends badly"), message);
    }

    @Test
    void aProgramThatNeverEndsFails() {
        String message = failure(Forked.with().within(1), "never");
        assertTrue(message.contains("did not end within 1 ms"), message);
    }
}
