package io.tensornio.internal.compute;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/** The words of the language, and which names it allows. */
public final class Words {
    /** The keywords, which cannot be names. */
    public static final Set<String> KEYWORDS = Collections.unmodifiableSet(new HashSet<>(Arrays.asList("return", "where", "in", "gradient", "seed",
        "by", "size", "guard",
        "select", "max", "min", "not", "and", "or", "inf", "nan", "true", "false", "abs", "sqrt", "exp", "log", "sin", "cos", "tanh", "sigmoid",
        "relu",
        "erf", "floor", "ceil", "round", "sign", "float", "double", "int", "long", "uint8", "bool", "float16", "bfloat16", "int8", "int16", "uint16",
        "uint32", "uint64")));

    private Words() {
    }

    /**
     * Checks the name of a tensor or loop.
     *
     * @param name the name
     * @param of what has it, for the message
     * @return the name
     * @throws IllegalArgumentException if it is invalid, or a keyword
     */
    public static String check(String name, String of) {
        Objects.requireNonNull(name, "name");
        if (!isSpelling(name)) {
            throw new IllegalArgumentException("`" + name + "` cannot be the name of " + of
                + ": it is a letter or _, followed by letters, digits and _, of ASCII");
        }
        if (KEYWORDS.contains(name)) {
            throw new IllegalArgumentException("`" + name + "` cannot be the name of " + of + ": it is a word of the language");
        }
        return name;
    }

    /**
     * Checks that a function has a name, though the language may have no such function.
     *
     * @throws IllegalArgumentException if it is no word
     */
    public static void checkFunction(String function) {
        if (!isSpelling(Objects.requireNonNull(function, "function"))) {
            throw new IllegalArgumentException("`" + function + "` is no function: its name is a letter or _, followed by letters, digits and _");
        }
    }

    /** Whether a word can be a name. */
    public static boolean isName(String word) {
        return isSpelling(word) && !KEYWORDS.contains(word);
    }

    private static boolean isSpelling(String word) {
        boolean isName = !word.isEmpty() && !isDigit(word.charAt(0));
        for (int n = 0; n < word.length(); n++) {
            isName &= isLetter(word.charAt(n)) || isDigit(word.charAt(n));
        }
        return isName;
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
