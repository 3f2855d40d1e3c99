package io.tensornio.onnx.engine;

import io.tensornio.Tensor;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The tensors that a run has made and not closed yet. A kernel may forget temporary ones, and forgets all of them if it fails: behind each node those
 * that its outputs do not hold are closed. A run is one thread's.
 */
final class Cells {
    /** A tensor that a run has made, and how many values are in it. */
    static final class Cell {
        final Tensor<?> tensor;
        int shares = 1;
        private final Cells owner;
        private final long number;

        private Cell(Tensor<?> tensor, Cells owner, long number) {
            this.tensor = tensor;
            this.owner = owner;
            this.number = number;
        }

        /** Gives a share back; with the last one the tensor is closed. */
        void release() {
            if (--shares == 0) {
                owner.open.remove(number);
                tensor.close();
            }
        }

        /** Leaves the tensor to whoever asks. */
        Tensor<?> take() {
            shares = 0;
            owner.open.remove(number);
            return tensor;
        }
    }

    private static final ThreadLocal<Cells> CURRENT = new ThreadLocal<>();

    private final TreeMap<Long, Cell> open = new TreeMap<>();
    private final Cells before = CURRENT.get();
    private long next;

    /** Begins a run of this thread. */
    Cells() {
        CURRENT.set(this);
    }

    static Cell of(Tensor<?> tensor) {
        Cells current = CURRENT.get();
        Cell cell = new Cell(tensor, current, current.next++);
        current.open.put(cell.number, cell);
        return cell;
    }

    /** A mark of now. */
    static long mark() {
        return CURRENT.get().next;
    }

    /** Closes what was made since the mark, but for what values hold, to which all shares are left. */
    static void settle(long mark, Item... held) {
        Map<Cell, Integer> counts = new IdentityHashMap<>();
        for (Item item : held) {
            if (item != null) {
                item.count(counts);
            }
        }
        for (Cell cell : new ArrayList<>(CURRENT.get().open.tailMap(mark).values())) {
            cell.shares = counts.getOrDefault(cell, 0);
            if (cell.shares == 0) {
                cell.shares = 1;
                cell.release();
            }
        }
    }

    /** Ends the run: closes what is left. */
    void close() {
        for (Cell cell : new ArrayList<>(open.values())) {
            cell.shares = 1;
            cell.release();
        }
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }
}
