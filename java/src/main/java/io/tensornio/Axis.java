package io.tensornio;

import io.tensornio.internal.layout.AxisNumbers;
import java.util.Objects;

/**
 * A named length: what one axis of a tensor stands for, such as height or channel. Two axes are equal if they were made from the same axis, and have
 * the same offset; two that were made apart differ, even of the same name and length.
 *
 * <p>It may be extended, so that the type of a tensor can name its axes:
 * <pre>{@code
 * class DH extends Axis { DH() { super("H", 128); } }
 * }</pre>
 *
 * <p>Immutable; any number of threads may use it.
 */
public class Axis {
    private final String name;
    private final String axisClass;
    private final long length;
    private final int offset;
    /** The axis that this one was made from; itself if from none. */
    private final Axis origin;

    /**
     * An axis whose class is its name.
     *
     * @param name its name
     * @param length how many positions it has
     * @throws IllegalArgumentException if the length is negative
     */
    protected Axis(String name, long length) {
        this(name, name, length);
    }

    /**
     * An axis.
     *
     * @param name its name
     * @param axisClass what it has in common with others, in which it may be matched with them
     * @param length how many positions it has
     * @throws IllegalArgumentException if the length is negative
     */
    protected Axis(String name, String axisClass, long length) {
        this.name = Objects.requireNonNull(name, "name");
        this.axisClass = Objects.requireNonNull(axisClass, "axisClass");
        if (length < 0) {
            throw new IllegalArgumentException("axis " + name + " has a negative length: " + length);
        }
        this.length = length;
        offset = 0;
        origin = this;
    }

    private Axis(Axis origin, int offset) {
        name = origin.name;
        axisClass = origin.axisClass;
        length = origin.length;
        this.offset = offset;
        this.origin = origin;
    }

    /**
     * An axis whose class is its name.
     *
     * @param name its name
     * @param length how many positions it has
     * @return a new axis
     * @throws IllegalArgumentException if the length is negative
     */
    public static Axis of(String name, long length) {
        return new Axis(name, length);
    }

    /**
     * An axis of a class of its own.
     *
     * @param length how many positions it has
     * @return a new axis
     * @throws IllegalArgumentException if the length is negative
     */
    public static Axis of(long length) {
        return new Axis("axis" + AxisNumbers.next(), length);
    }

    /**
     * An axis of some class.
     *
     * @param name its name
     * @param axisClass its class
     * @param length how many positions it has
     * @return a new axis
     * @throws IllegalArgumentException if the length is negative
     */
    public static Axis of(String name, String axisClass, long length) {
        return new Axis(name, axisClass, length);
    }

    /**
     * Its name.
     *
     * @return the name
     */
    public final String name() {
        return name;
    }

    /**
     * How many positions it has.
     *
     * @return 0 or more
     */
    public final long length() {
        return length;
    }

    /**
     * What it has in common with other axes.
     *
     * @return the class, the name unless another was given
     */
    public final String axisClass() {
        return axisClass;
    }

    /**
     * How it is related to the axis that it was made from.
     *
     * @return 0, unless {@link #withOffset} has set it
     */
    public final int offset() {
        return offset;
    }

    /**
     * The related axis of some offset. It sets the offset, it does not add to it.
     *
     * @param other the offset
     * @return an axis of the same name, class and length, of no subclass
     */
    public final Axis withOffset(int other) {
        return other == offset ? this : other == 0 ? origin : new Axis(origin, other);
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof Axis && ((Axis) other).origin == origin && ((Axis) other).offset == offset;
    }

    @Override
    public final int hashCode() {
        return System.identityHashCode(origin) * 31 + offset;
    }

    /**
     * Its name, length and offset.
     *
     * @return a text such as {@code H=128} or {@code H-1=128}
     */
    @Override
    public String toString() {
        return name + (offset == 0 ? "" : offset < 0 ? String.valueOf(offset) : "+" + offset) + "=" + length;
    }
}
