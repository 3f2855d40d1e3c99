package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.function.Executable;

/** Checks of what is thrown, and by what it says. */
final class Expect {
    private Expect() {
    }

    /** Checks that a call throws, with a message that has all of the parts. */
    static <E extends Throwable> E thrown(Class<E> type, Executable call, String... parts) {
        E e = assertThrows(type, call);
        says(e, parts);
        return e;
    }

    /** Checks that there is a message, and that it has all of the parts, none of them as a piece of a longer number or word. */
    static void says(Throwable e, String... parts) {
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

    /** How much longer than usual random tests should run. */
    static int depth() {
        return Integer.getInteger("tensornio.test.depth", 1);
    }
}
