package io.tensornio.onnx.engine;

import io.tensornio.Tensor;

/**
 * The tensors that a run has made and not closed yet. A kernel may forget temporary ones, and forgets all of them if it fails: behind each node those
 * that its outputs do not hold are closed. A run is one thread's.
 */
final class Cells {
    /** A tensor that a run has made, and how many values are in it; one of a list of those that are open, in the order in which they were made. */
    static final class Cell {
        final Tensor<?> tensor;
        int shares = 1;
        private final Cells owner;
        private final long number;
        private Cell before;
        private Cell after;

        private Cell(Tensor<?> tensor, Cells owner, long number, Cell before) {
            this.tensor = tensor;
            this.owner = owner;
            this.number = number;
            this.before = before;
        }

        /** Gives a share back; with the last one the tensor is closed. */
        void release() {
            if (--shares == 0) {
                owner.remove(this);
                tensor.close();
            }
        }

        /** Leaves the tensor to whoever asks. */
        Tensor<?> take() {
            shares = 0;
            owner.remove(this);
            return tensor;
        }

        /** Counts a value that is held, of a tensor that was made since a mark of the current run. */
        void hold(long mark) {
            if (number >= mark && owner == CURRENT.get()) {
                shares++;
            }
        }
    }

    private static final ThreadLocal<Cells> CURRENT = new ThreadLocal<>();

    /** The one made last, from which the others are found. */
    private Cell last;
    private final Cells outer = CURRENT.get();
    private long next;

    /** Begins a run of this thread. */
    Cells() {
        CURRENT.set(this);
    }

    static Cell of(Tensor<?> tensor) {
        Cells current = CURRENT.get();
        Cell cell = new Cell(tensor, current, current.next++, current.last);
        if (current.last != null) {
            current.last.after = cell;
        }
        current.last = cell;
        return cell;
    }

    private void remove(Cell cell) {
        if (cell.before != null) {
            cell.before.after = cell.after;
        }
        if (cell.after != null) {
            cell.after.before = cell.before;
        } else {
            last = cell.before;
        }
    }

    /** A mark of now. */
    static long mark() {
        return CURRENT.get().next;
    }

    /** Closes what was made since the mark, but for what values hold, to which all shares are left. */
    static void settle(long mark, Item... held) {
        Cells current = CURRENT.get();
        for (Cell cell = current.last; cell != null && cell.number >= mark; cell = cell.before) {
            cell.shares = 0;
        }
        for (Item item : held) {
            if (item != null) {
                item.hold(mark);
            }
        }
        for (Cell cell = current.last; cell != null && cell.number >= mark; cell = cell.before) {
            if (cell.shares == 0) {
                cell.shares = 1;
                cell.release();
            }
        }
    }

    /** Ends the run: closes what is left. */
    void close() {
        while (last != null) {
            last.shares = 1;
            last.release();
        }
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }
}
