package io.tensornio;

import io.tensornio.internal.layout.AxisNumbers;
import java.util.Objects;

/**
 * A named length: the meaning of an axis of a tensor, such as height or channel. Two axes are equal if they derive from the same axis, and have the
 * same offset; axes that were made independently differ, even with the same name and length.
 *
 * <p>It may be extended, so that the type of a tensor can name its axes:
 * <pre>{@code
 * class DH extends Axis { DH() { super("H", 128); } }
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 */
public class Axis {
    private final String name;
    private final String axisClass;
    private final long length;
    private final int offset;
    /** The axis from which this one derives, or this. */
    private final Axis origin;

    /**
     * An axis whose class is its name.
     *
     * @param name its name
     * @param length the number of positions
     * @throws IllegalArgumentException if the length is negative
     */
    protected Axis(String name, long length) {
        this(name, name, length);
    }

    /**
     * An axis.
     *
     * @param name its name
     * @param axisClass the class, which it shares with axes that may be matched with it
     * @param length the number of positions
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

    private Axis(String name) {
        this.name = Objects.requireNonNull(name, "name");
        axisClass = name;
        length = -1;
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
     * @param length the number of positions
     * @return a new axis
     * @throws IllegalArgumentException if the length is negative
     */
    public static Axis of(String name, long length) {
        return new Axis(name, length);
    }

    /**
     * An anonymous axis with a class of its own.
     *
     * @param length the number of positions
     * @return a new axis
     * @throws IllegalArgumentException if the length is negative
     */
    public static Axis of(long length) {
        return new Axis("axis" + AxisNumbers.next(), length);
    }

    /**
     * An axis with a class.
     *
     * @param name its name
     * @param axisClass its class
     * @param length the number of positions
     * @return a new axis
     * @throws IllegalArgumentException if the length is negative
     */
    public static Axis of(String name, String axisClass, long length) {
        return new Axis(name, axisClass, length);
    }

    /**
     * An axis that has no length: in a graph each example has its own, as sentences have numbers of words.
     *
     * @param name its name
     * @return a new axis
     * @see io.tensornio.graph.TensorContext#input(String, DataType, Axis...)
     */
    public static Axis varying(String name) {
        return new Axis(name);
    }

    /**
     * Whether the axis has no length, but one for each example.
     *
     * @return whether it is {@linkplain #varying varying}
     */
    public final boolean isVarying() {
        return length < 0;
    }

    /**
     * The name.
     *
     * @return the name
     */
    public final String name() {
        return name;
    }

    /**
     * The number of positions.
     *
     * @return 0 or more; -1 of a {@linkplain #varying varying} axis
     */
    public final long length() {
        return length;
    }

    /**
     * The class, which related axes share.
     *
     * @return the class, the name unless another was given
     */
    public final String axisClass() {
        return axisClass;
    }

    /**
     * The offset from the axis from which it derives.
     *
     * @return 0, unless {@link #withOffset} has set it
     */
    public final int offset() {
        return offset;
    }

    /**
     * The axis with another offset, which replaces the current one and is not added to it.
     *
     * @param other the offset
     * @return an axis of the same name, class and length; never an instance of a subclass
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
     * The name, length and offset.
     *
     * @return a text such as {@code H=128} or {@code H-1=128}, or {@code T} of a varying axis
     */
    @Override
    public String toString() {
        return name + (offset == 0 ? "" : offset < 0 ? String.valueOf(offset) : "+" + offset) + (isVarying() ? "" : "=" + length);
    }
}
