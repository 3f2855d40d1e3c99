package io.tensornio.internal.compute;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A piece of a program that is built in Java and written as text: strings, names and further terms, in order. Immutable. */
public final class Term {
    private final Object[] parts;

    /** Keeps the array. */
    private Term(Object... parts) {
        this.parts = parts;
    }

    /**
     * A sequence.
     *
     * @param parts strings, {@link Name}s and terms, which are kept
     */
    public static Term of(Object... parts) {
        return new Term(parts);
    }

    /** A list of terms with text before, between and after them. */
    public static Term list(String before, String after, Term... terms) {
        Object[] parts = new Object[Math.max(1, 2 * terms.length) + 1];
        parts[0] = before;
        for (int n = 0; n < terms.length; n++) {
            parts[2 * n] = n == 0 ? before : ", ";
            parts[2 * n + 1] = terms[n];
        }
        parts[parts.length - 1] = after;
        return new Term(parts);
    }

    /** Its strings and names, without recursion: the depth of a sum is its length. */
    List<Object> flat() {
        List<Object> flat = new ArrayList<>();
        Deque<Object> open = new ArrayDeque<>();
        open.push(this);
        while (!open.isEmpty()) {
            Object next = open.pop();
            if (next instanceof Term) {
                Object[] inner = ((Term) next).parts;
                for (int n = inner.length - 1; n >= 0; n--) {
                    open.push(inner[n]);
                }
            } else {
                flat.add(next);
            }
        }
        return flat;
    }

    /** The text with the original names of tensors and loops. */
    @Override
    public String toString() {
        StringBuilder written = new StringBuilder();
        flat().forEach(written::append);
        return written.toString();
    }
}
