package io.tensornio.compute;

import java.util.ArrayList;
import java.util.List;

/** A sequence of terms. */
final class Terms extends Term {
    private final Object[] parts;

    /** Keeps the array. */
    Terms(Object... parts) {
        this.parts = parts;
    }

    /** A list of terms with text before, between and after them. */
    static Terms list(String before, String after, Object... terms) {
        List<Object> parts = new ArrayList<>();
        String separator = before;
        for (Object term : terms) {
            parts.add(separator);
            parts.add(term);
            separator = ", ";
        }
        parts.add(terms.length == 0 ? before + after : after);
        return new Terms(parts.toArray());
    }

    @Override
    Object[] parts() {
        return parts;
    }
}
