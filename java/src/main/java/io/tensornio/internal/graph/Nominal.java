package io.tensornio.internal.graph;

import io.tensornio.Axis;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;

/**
 * Lengths that stand for those of varying axes while dimensions are inferred, so that what holds for every example is inferred by the rules of one.
 * There are two sets of them: what has another length by the other set varies, too.
 */
final class Nominal {
    /** Primes apart from each other, so that few sums and products of lengths meet. */
    private static final long[] FIRST = {65_537, 104_729};
    private static final long STEP = 1_009;

    private final long first;
    private final Map<Axis, Long> lengths = new LinkedHashMap<>();

    /** The first set or the other. */
    Nominal(boolean isOther) {
        first = FIRST[isOther ? 1 : 0];
    }

    /** The length of an axis, or what stands for it. */
    long length(Axis of) {
        return of.isVarying() ? lengths.computeIfAbsent(of, axis -> first + STEP * lengths.size()) : of.length();
    }

    /** Whether there is an axis that has no length. */
    boolean isUsed() {
        return !lengths.isEmpty();
    }

    /** A message with the names of axes in place of what stands for their lengths. */
    String told(String message) {
        String told = message;
        for (Map.Entry<Axis, Long> entry : lengths.entrySet()) {
            told = told.replaceAll("\\b" + entry.getValue() + "\\b", Matcher.quoteReplacement(entry.getKey().toString()));
        }
        return told;
    }
}
