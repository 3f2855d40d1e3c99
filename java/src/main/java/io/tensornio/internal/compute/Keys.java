package io.tensornio.internal.compute;

import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Keys: the names of a graph's tensors in the text of its nodes. A key is told from a user's name of the same spelling by identity where statements
 * are built in Java; in text, users' names that are spelt as keys are replaced before they meet any.
 */
public final class Keys {
    private static final Pattern SPELLING = Pattern.compile("(sym|sequence)[0-9]+");

    private static volatile UnaryOperator<Object> maker;

    private Keys() {
    }

    /** Installs what makes a key of its {@link Name}; done once, as the class of names is initialised. */
    public static void install(UnaryOperator<Object> made) {
        maker = made;
    }

    /** The key of a tensor, by its number, or of a sequence or dictionary, by its negative one: a name, whose class is initialised. */
    public static Object of(int number) {
        return maker.apply(Name.key(number < 0 ? "sequence" + -number : "sym" + number));
    }

    /** Whether a name is spelt as a key. */
    public static boolean isSpelling(String name) {
        return SPELLING.matcher(name).matches();
    }
}
