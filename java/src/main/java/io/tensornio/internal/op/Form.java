package io.tensornio.internal.op;

import io.tensornio.DataType;
import io.tensornio.internal.compute.Cast;
import java.util.Arrays;
import java.util.Locale;

/** The values of the words in braces of a template, which are not determined by the operands' shapes: axes, sizes, numbers. */
public abstract class Form {
    /** The form of an operation without parameters. */
    public static final Form NONE = new Form() {
        @Override
        String word(String word) {
            throw new AssertionError("no word " + word);
        }
    };

    private final long[] key;

    /** Makes a form; forms of the same class are equal if their keys are. */
    Form(long... key) {
        this.key = key;
    }

    /** The value of a word. */
    abstract String word(String word);

    /** The template that is expanded in place of one, which has other statements for some operands. */
    String template(String template) {
        return template;
    }

    /** Whether both have the same value for every word. */
    @Override
    public final boolean equals(Object other) {
        return other == this || other instanceof Form && other.getClass() == getClass() && Arrays.equals(key, ((Form) other).key);
    }

    @Override
    public final int hashCode() {
        return Arrays.hashCode(key);
    }

    /** Names of loops with a letter as prefix, separated by commas. */
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
     * A form of one integer of any sign.
     *
     * @param value {@code {value}}
     * @return the form
     */
    public static Form integer(long value) {
        return new Form(value) {
            @Override
            String word(String word) {
                return "(" + value + ")";
            }
        };
    }

    /**
     * A form of one integer.
     *
     * @param value {@code {value}}, 0 or more
     * @param name its name, for the error
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

    /** A number in the syntax of comprehensions. */
    static String text(double value) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        return Double.isInfinite(value) ? value < 0 ? "(-inf)" : "inf" : "(" + Double.toString(value).toLowerCase(Locale.ROOT) + ")";
    }

    /**
     * Resolves the number of an axis.
     *
     * @param axis -1 for the last
     * @param rank the number of axes
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
