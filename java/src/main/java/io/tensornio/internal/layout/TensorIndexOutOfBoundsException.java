package io.tensornio.internal.layout;

import java.util.Arrays;

/**
 * Coordinates outside of a shape. The message is built lazily: otherwise the JIT would inline the code that builds it into each access.
 */
public final class TensorIndexOutOfBoundsException extends IndexOutOfBoundsException {
    private static final long serialVersionUID = 1L;
    private static final long MANY = -2;

    private final long[] shape;
    /** The request, one of: coordinates, {@code given} indices, an index on the axis {@code given}. */
    private final int[] coordinates;
    private final long given;
    private final String index;
    /** The size of the axis, where it differs from that in the shape; {@link #MANY} if there are too many indices. */
    private final long size;
    /** A hint at what the caller may have meant; null for none. */
    private String instead;

    /** Coordinates that are outside of the shape, or too few or too many. */
    public TensorIndexOutOfBoundsException(long[] shape, int[] coordinates) {
        this.shape = shape;
        this.coordinates = coordinates.clone();
        given = coordinates.length;
        index = null;
        size = -1;
    }

    /**
     * More indices than the shape has axes.
     *
     * @param text the indices; empty if they were not read
     */
    TensorIndexOutOfBoundsException(long[] shape, String text, long given) {
        this.shape = shape;
        this.given = given;
        coordinates = null;
        index = text;
        size = MANY;
    }

    /** An index that does not fit its axis. */
    TensorIndexOutOfBoundsException(long[] shape, int axis, String index) {
        this(shape, axis, index, shape[axis]);
    }

    /** An index that does not fit its axis, which may be ragged: {@code size} is its size in this row. */
    public TensorIndexOutOfBoundsException(long[] shape, int axis, String index, long size) {
        this.shape = shape;
        given = axis;
        coordinates = null;
        this.index = index;
        this.size = size;
    }

    /** Adds a hint, if there are too many indices, for a caller who meant them as an array of elements. */
    public TensorIndexOutOfBoundsException orElements() {
        if (given > shape.length) {
            instead = "; copyTo and copyFrom copy elements to and from an array";
        }
        return this;
    }

    @Override
    public String getMessage() {
        return instead == null ? what() : what() + instead;
    }

    private String what() {
        if (index != null && size != MANY) {
            return index + onAxis(given, size);
        }
        if (coordinates != null) {
            for (int d = 0; d < coordinates.length && d < shape.length; d++) {
                if (shape[d] >= 0 && (coordinates[d] < 0 || coordinates[d] >= shape[d])) {
                    return "index " + coordinates[d] + " of " + Positions.coordinates(shape, coordinates) + onAxis(d, shape[d]);
                }
            }
        }
        String asked = coordinates == null ? index : Positions.coordinates(shape, coordinates);
        String count = given + (given == 1 ? " index" : " indices") + (asked.isEmpty() ? "" : " ");
        return count + asked + " for the shape " + Arrays.toString(shape) + " of rank " + shape.length;
    }

    private String onAxis(long axis, long n) {
        return " is outside of axis " + axis + " of size " + n + " in the shape " + Arrays.toString(shape);
    }
}
