package io.tensornio.support;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.function.Executable;

/** Checks of what is thrown, and by what it says. */
public final class Expect {
    private Expect() {
    }

    /** Checks that a call throws, with a message that has all of the parts. */
    public static <E extends Throwable> E thrown(Class<E> type, Executable call, String... parts) {
        E e = assertThrows(type, call);
        says(e, parts);
        return e;
    }

    /** Checks that a call throws just this class, none that extends it, with a message that has all of the parts. */
    public static <E extends Throwable> E exactly(Class<E> type, Executable call, String... parts) {
        E e = thrown(type, call, parts);
        assertSame(type, e.getClass());
        return e;
    }

    /** Checks that there is a message, and that it has all of the parts, none of them as a piece of a longer number or word. */
    public static void says(Throwable e, String... parts) {
        String message = e.getMessage();
        assertTrue(message != null && !message.trim().isEmpty(), () -> e.getClass() + " without a message");
        for (String part : parts) {
            assertTrue(has(message, part), () -> "`" + message + "` should say `" + part + "`");
        }
    }

    private static boolean has(String message, String part) {
        for (int at = message.indexOf(part); at >= 0; at = message.indexOf(part, at + 1)) {
            int end = at + part.length();
            if (!(joins(message, at - 1) && joins(message, at)) && !(joins(message, end - 1) && joins(message, end))) {
                return true;
            }
        }
        return false;
    }

    private static boolean joins(String message, int at) {
        return at >= 0 && at < message.length() && Character.isLetterOrDigit(message.charAt(at));
    }

    /** A number of elements as messages have it. */
    public static String elements(long n) {
        return n == 1 ? "1 element" : n + " elements";
    }

    /** How many times as long as usual random tests and races run. */
    public static int depth() {
        return Integer.getInteger("tensornio.test.depth", 1);
    }
}
