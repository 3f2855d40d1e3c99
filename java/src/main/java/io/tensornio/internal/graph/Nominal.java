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
    /** Primes apart from each other, so that few sums and products of lengths meet; four axes of them are no overflow. */
    private static final long[] FIRST = {16_411, 32_771};
    /** From one axis to the next: up in one set and down in the other, so that the difference of two lengths is another there, too. */
    private static final long[] STEP = {1_009, -307};

    private final long first;
    private final long step;
    private final Map<Axis, Long> lengths = new LinkedHashMap<>();

    /** The first set or the other. */
    Nominal(boolean isOther) {
        first = FIRST[isOther ? 1 : 0];
        step = STEP[isOther ? 1 : 0];
    }

    /** The length of an axis, or what stands for it. */
    long length(Axis of) {
        return of.isVarying() ? lengths.computeIfAbsent(of, axis -> Math.max(first + step * lengths.size(), 1)) : of.length();
    }

    /** Whether a varying axis was declared, not inferred. */
    boolean has(Axis axis) {
        return lengths.containsKey(axis);
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
