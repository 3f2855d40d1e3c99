package io.tensornio.internal.layout;

import java.util.Arrays;

/**
 * Coordinates that a shape does not have. The message is built when it is asked for: building it at the throw would
 * inline all of that code with each access.
 */
public final class TensorIndexOutOfBoundsException extends IndexOutOfBoundsException {
    private static final long serialVersionUID = 1L;
    private static final long MANY = -2;

    private final long[] shape;
    /** What was asked, one of: coordinates, {@code given} indices, an index on the axis {@code given}. */
    private final int[] coordinates;
    private final long given;
    private final String index;
    /** The size of the axis that the index does not fit, where the shape does not say it; {@link #MANY} if there are too many indices. */
    private final long size;
    /** What else may have been meant by the indices; null for nothing. */
    private String instead;

    /** Coordinates that are outside of the shape, or of which there are too few or too many. */
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
     * @param text what they are; empty if nobody has looked
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

    /** An index that does not fit its axis, of a size of its own in the row where that is. */
    public TensorIndexOutOfBoundsException(long[] shape, int axis, String index, long size) {
        this.shape = shape;
        given = axis;
        coordinates = null;
        this.index = index;
        this.size = size;
    }

    /** Says, if there are too many indices, what is to be called for the array of elements that they may be. */
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
