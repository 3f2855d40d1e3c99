package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.element.BooleanSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Pieces;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.ragged.RaggedLayout;

/** How a complex view is put together: which of its parts has an element, and where. It knows nothing of elements. */
class Assembly {
    /** No part has any element: all are one value, or computed. */
    static final Assembly NONE = new Assembly();

    /** Which part has the element at a place; -1 if none does. */
    int part(long place) {
        return -1;
    }

    /** Where an element is in the source of its part, which has a layout. */
    long position(Layout layout, int part, long place) {
        throw new IllegalStateException();
    }

    /** Whether this is its parts side by side along an axis. */
    boolean isJoined(int axis) {
        return false;
    }

    /** All data that is read, of any type: the same array at each call. */
    TensorData<?>[] read(TensorData<?>... parts) {
        return parts;
    }

    /** What is evaluated before a part is read. */
    Conditions conditions() {
        return Conditions.NONE;
    }

    /**
     * The position, in a layout of a shape, of the element with a linear index. Allocates nothing, so that
     * reading an element costs only divisions.
     */
    static long position(Layout layout, long linear, long... shape) {
        long at = layout.offset();
        long rest = linear;
        for (int d = shape.length - 1; d >= 0; d--) {
            long size = shape[d];
            long left = d == 0 ? 0 : rest / size;
            at += layout.distance(d, rest - left * size);
            rest = left;
        }
        return at;
    }

    /** Parts concatenated along one axis, tiled, and padded. */
    static final class Joined extends Assembly {
        final Pieces pieces;

        Joined(Pieces pieces) {
            this.pieces = pieces;
        }

        @Override
        boolean isJoined(int axis) {
            return pieces.isJoined(axis);
        }

        @Override
        int part(long place) {
            return pieces.part(place);
        }

        @Override
        long position(Layout layout, int part, long place) {
            return pieces.position(part, place);
        }
    }

    /** Elements chosen from two data by a condition; all three have the same shape. */
    static final class Choice extends Assembly {
        private final BooleanSource chooser;
        private final Layout choice;
        private final long[] shape;
        private final TensorData<?>[] read;

        Choice(BooleanData condition, TensorData<?> x, TensorData<?> y, long... shape) {
            chooser = condition.source();
            choice = condition.layout();
            this.shape = shape;
            read = new TensorData<?>[] {condition, x, y};
        }

        @Override
        Conditions conditions() {
            return Made.conditions(chooser).andItself();
        }

        @Override
        TensorData<?>[] read(TensorData<?>... parts) {
            return read;
        }

        @Override
        int part(long place) {
            return chooser.read(position(choice, place, shape)) ? 0 : 1;
        }

        @Override
        long position(Layout layout, int part, long place) {
            return position(layout, place, shape);
        }
    }

    /** A selection from ragged rows that has a dense shape, but neither strides nor lists of positions: elements are addressed by linear index. */
    static final class Chosen extends Assembly {
        private final RaggedLayout tree;
        private final long[] shape;

        Chosen(RaggedLayout tree, long... shape) {
            this.tree = tree;
            this.shape = shape;
        }

        @Override
        int part(long place) {
            return 0;
        }

        @Override
        long position(Layout layout, int part, long place) {
            long[] coordinates = Shapes.coordinates(shape, place);
            int[] indices = new int[coordinates.length];
            for (int d = 0; d < indices.length; d++) {
                indices[d] = (int) coordinates[d];
            }
            return tree.position(indices);
        }
    }
}
