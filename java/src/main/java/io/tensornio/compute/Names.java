package io.tensornio.compute;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/** Checks of names in the language. */
final class Names {
    /** The keywords, which cannot be names. */
    static final Set<String> WORDS = new HashSet<>(Arrays.asList("return", "where", "in", "gradient", "seed", "by", "size", "guard", "select", "max",
        "min", "not", "and", "or", "inf", "nan", "true", "false", "abs", "sqrt", "exp", "log", "sin", "cos", "tanh", "sigmoid", "relu", "erf",
        "floor", "ceil", "round", "sign", "float", "double", "int", "long", "uint8", "bool",
        "float16", "bfloat16", "int8", "int16", "uint16", "uint32", "uint64"));

    private Names() {
    }

    static String check(String name, String of) {
        Objects.requireNonNull(name, "name");
        boolean isName = !name.isEmpty() && !isDigit(name.charAt(0));
        for (int n = 0; n < name.length(); n++) {
            isName &= isLetter(name.charAt(n)) || isDigit(name.charAt(n));
        }
        if (!isName) {
            throw new IllegalArgumentException("`" + name + "` cannot be the name of " + of
                + ": it is a letter or _, followed by letters, digits and _, of ASCII");
        }
        if (WORDS.contains(name)) {
            throw new IllegalArgumentException("`" + name + "` cannot be the name of " + of + ": it is a word of the language");
        }
        return name;
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
