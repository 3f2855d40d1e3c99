package io.tensornio.internal.data;

import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Pieces;

/**
 * Finds the elements of a view of pieces for one thread: the part is looked for once in each run of elements that are equally far apart in one part,
 * since that takes divisions. Elements are read from their parts, so that none is older than its read.
 */
abstract class PieceLookup implements Source {
    private final Made all;
    /** The places of the run, and where its elements are in a source that is no view of pieces. */
    long first;
    long end;
    long at;
    long step;
    Source source;
    /** The view whose own value it is, if no part has it, at this place; else null. */
    Made none;
    long nowhere;

    PieceLookup(Made all) {
        this.all = all;
    }

    /** Moves to the run that begins at a place. However deep pieces of pieces are, this takes no more stack. */
    final void find(long place) {
        Made made = all;
        long here = place;
        long length = Long.MAX_VALUE;
        end = first;                                    // of no elements, if this fails
        while (true) {
            Pieces pieces = ((Assembly.Joined) made.assembly).pieces;
            int part = pieces.part(here);
            length = Math.min(length, pieces.run(part, here));
            if (part < 0) {
                none = made;
                nowhere = here;
                source = null;
                break;
            }
            step = pieces.step(part);
            here = pieces.position(part, here);
            source = made.sources[part];
            Made next = PieceCopies.pieces(source);
            if (next == null) {
                at = here;
                none = null;
                break;
            }
            length = step == 1 ? length : 1;            // places of the next ones are a run as they are counted there
            made = next;
        }
        first = place;
        end = place + length;
    }

    @Override
    public OpenCheck[] checks() {
        return all.checks();
    }

    @Override
    public void checkOpen() {
        all.checkOpen();
    }

    @Override
    public Object memory() {
        return all.memory();
    }

    @Override
    public boolean isReadOnly() {
        return true;
    }

    @Override
    public void checkWritable() {
        all.checkWritable();
    }
}
