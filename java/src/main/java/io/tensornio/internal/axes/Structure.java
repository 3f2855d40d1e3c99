package io.tensornio.internal.axes;

import io.tensornio.Axis;
import io.tensornio.internal.compute.Affine;
import java.util.Arrays;

/**
 * The structure of an expression, on which its program depends: its steps, their operands and indices, shared nodes, and the lengths of axes; but not
 * elements, numbers, types or names. Two expressions of equal structure share a program.
 */
final class Structure {
    private long[] numbers = new long[64];
    private int used;
    private Object[] words = new Object[16];
    private int said;
    private int hash = 1;

    private void add(long number) {
        if (used == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * used);
        }
        numbers[used++] = number;
        hash = 31 * hash + (int) (number ^ number >>> 32);
    }

    /** Adds a text or the pieces of a text. */
    private void add(Object word, int itsHash) {
        if (said == words.length) {
            words = Arrays.copyOf(words, 2 * said);
        }
        words[said++] = word;
        hash = 31 * hash + itsHash;
    }

    /** Adds an entry, whose operands were added before. */
    void add(Entry entry) {
        Axis[] axes = entry.node.axes();
        add(axes.length);
        for (Axis axis : axes) {
            add(axis.length());
        }
        Step step = entry.step;
        if (step == null) {
            add(-1);
            return;
        }
        add(step.operands.length);
        add(step.assign, step.assign.hashCode());
        add(step.pieces, Arrays.hashCode(step.pieces));
        add(step.reduced.length);
        for (long range : step.reduced) {
            add(range);
        }
        for (int n = 0; n < step.operands.length; n++) {
            Entry operand = entry.operands[n];
            add(operand.index);
            for (Place place : step.operands[n].places) {
                add(place);
            }
        }
    }

    private void add(Place place) {
        if (place.isLoop()) {
            add(place.loop);
            return;
        }
        Affine index = place.index;
        add(-1 - index.count());
        for (int n = 0; n < index.count(); n++) {
            add((Integer) index.term(n));
            add(index.coefficient(n));
        }
        add(index.constant());
        add(place.guarded ? 1 : 0);
        add(place.list);
        add(place.divisor);
        add(place.modulus);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Structure)) {
            return false;
        }
        Structure that = (Structure) other;
        if (hash != that.hash || used != that.used || said != that.said) {
            return false;
        }
        for (int n = 0; n < used; n++) {
            if (numbers[n] != that.numbers[n]) {
                return false;
            }
        }
        for (int n = 0; n < said; n++) {
            if (words[n] != that.words[n] && !equal(words[n], that.words[n])) {
                return false;
            }
        }
        return true;
    }

    private static boolean equal(Object word, Object other) {
        return word instanceof String[] ? other instanceof String[] && Arrays.equals((String[]) word, (String[]) other) : word.equals(other);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
