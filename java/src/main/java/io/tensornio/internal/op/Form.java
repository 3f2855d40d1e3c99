package io.tensornio.internal.op;

import io.tensornio.DataType;
import io.tensornio.internal.compute.Cast;
import java.util.Arrays;
import java.util.Locale;

/** What a template says by words in braces, and the operands' shapes do not: axes, sizes, numbers. */
public abstract class Form {
    /** Of an operation that is its operands' alone. */
    public static final Form NONE = new Form() {
        @Override
        String word(String word) {
            throw new AssertionError("no word " + word);
        }
    };

    private final long[] key;

    /** Makes a form; two of the same class are the same if their keys are. */
    Form(long... key) {
        this.key = key;
    }

    /** What a word stands for. */
    abstract String word(String word);

    /** Whether both say the same of every word. */
    @Override
    public final boolean equals(Object other) {
        return other == this || other instanceof Form && other.getClass() == getClass() && Arrays.equals(key, ((Form) other).key);
    }

    @Override
    public final int hashCode() {
        return Arrays.hashCode(key);
    }

    /** Loops named by a letter, with commas between. */
    static String loops(String letter, int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int d = from; d < to; d++) {
            text.append(text.length() == 0 ? "" : ", ").append(letter).append(d);
        }
        return text.toString();
    }

    /**
     * A form of one number.
     *
     * @param value {@code {value}}
     * @return the form
     */
    public static Form number(double value) {
        return new Form(Double.doubleToLongBits(value)) {
            @Override
            String word(String word) {
                return text(value);
            }
        };
    }

    /**
     * A form of one integer.
     *
     * @param value {@code {value}}, 0 or more
     * @param name of what, for the error
     * @return the form
     * @throws IllegalArgumentException if it is negative
     */
    public static Form size(long value, String name) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be 0 or more");
        }
        return new Form(value) {
            @Override
            String word(String word) {
                return Long.toString(value);
            }
        };
    }

    /**
     * A form of one type.
     *
     * @param type {@code {type}} is the function that casts to it
     * @return the form
     */
    public static Form type(DataType type) {
        String cast = Cast.word(type);
        return new Form(type.ordinal()) {
            @Override
            String word(String word) {
                return cast;
            }
        };
    }

    /** A number as comprehensions write it. */
    static String text(double value) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        return Double.isInfinite(value) ? value < 0 ? "(-inf)" : "inf" : "(" + Double.toString(value).toLowerCase(Locale.ROOT) + ")";
    }

    /**
     * The number of an axis.
     *
     * @param axis -1 for the last
     * @param rank how many there are
     * @return 0 or more
     * @throws IllegalArgumentException if there is no such axis
     */
    static int axis(int axis, int rank) {
        int found = axis < 0 ? axis + rank : axis;
        if (found < 0 || found >= rank) {
            throw new IllegalArgumentException("there is no axis " + axis + " at rank " + rank
                + (rank == 0 ? "" : ": axes are " + -rank + " to " + (rank - 1)));
        }
        return found;
    }

    /** Numbers for a key. */
    static long[] key(long first, long... more) {
        long[] key = Arrays.copyOf(new long[] {first}, 1 + more.length);
        System.arraycopy(more, 0, key, 1, more.length);
        return key;
    }
}
