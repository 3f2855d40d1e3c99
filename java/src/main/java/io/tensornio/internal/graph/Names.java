package io.tensornio.internal.graph;

import io.tensornio.internal.compute.Keys;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names in the text of a program. */
final class Names {
    /** A name, or a number, which may contain letters. */
    private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*|[0-9.]+([eE][+-]?[0-9]+)?");

    /** The lines of a scan that are no statements, and what is declared sparse. */
    private static final Pattern SCAN = Pattern.compile("(scan|  init|sparse) [A-Za-z_]|end$");
    private static final Pattern DOWN = Pattern.compile("scan [A-Za-z0-9_]+ down");

    /** The loops of statements that the library adds to users' texts. */
    private static final Pattern OWN_LOOP = Pattern.compile("axis_[0-9]+|row|example");

    private final Set<String> tensors = new HashSet<>();
    private final Set<String> loops = new HashSet<>();

    /** The text with its words replaced; the function is called for keywords, too. */
    static String rename(String text, UnaryOperator<String> names) {
        Matcher words = WORD.matcher(text);
        StringBuilder renamed = new StringBuilder();
        int end = 0;
        while (words.find()) {
            renamed.append(text, end, words.start());
            String word = words.group();
            char first = word.charAt(0);
            end = words.end();
            // Before a parenthesis it is a function, though a tensor may have its name.
            boolean isName = (first < '0' || first > '9') && first != '.' && !text.startsWith("(", end) && !isOfScan(text, words.start(), end);
            renamed.append(isName ? names.apply(word) : word);
        }
        return renamed.append(text, end, text.length()).toString();
    }

    /** Whether a word of a canonical text is one of the language that is a name elsewhere: in the lines of a scan, or before a name. */
    private static boolean isOfScan(String text, int start, int end) {
        int line = text.lastIndexOf('\n', start - 1) + 1;
        int after = text.indexOf('\n', end);
        return SCAN.matcher(text).region(line, after < 0 ? text.length() : after).lookingAt()
            && (text.substring(line, start).trim().isEmpty() || DOWN.matcher(text).region(line, end).matches());
    }

    /** Takes a name, which no other gets. */
    void take(String name) {
        tensors.add(name);
    }

    /** A fresh name for a tensor, other than keys and those of added loops; the wanted one if possible. */
    String tensor(String wanted) {
        String free = free(wanted, true);
        tensors.add(free);
        return free;
    }

    /** A name for a loop that no tensor has, nor a key; the wanted one if possible. */
    String loop(String wanted) {
        String free = free(wanted, false);
        loops.add(free);
        return free;
    }

    private String free(String wanted, boolean alone) {
        String free = wanted;
        for (int n = 2; Keys.isSpelling(free) || tensors.contains(free)
                || alone && (loops.contains(free) || OWN_LOOP.matcher(free).matches()); n++) {
            free = wanted + "_" + n;
        }
        return free;
    }
}
