package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
//#if buffer
import io.tensornio.internal.element.FloatBulk;
//#end

/** Copies in bulk between {@code float} data and arrays. */
final class FloatArrayCopies {
    private FloatArrayCopies() {
    }

    /** Copies all of {@code from} to an array, starting at {@code at}. */
    static void read(FloatStrided from, float[] to, int at) {
        long n = from.totalSize();
        //#if buffer
        if (from.isContiguous()) {
            FloatBulk.get(from.block.readable(), n == 0 ? 0 : from.offset(), to, at, (int) n);         // an empty selection may have any offset
            return;
        }
        //#end
        try (StridedOperand operand = n < StridedOperand.LEAST ? null : from.operand(false)) {
            if (operand != null) {
                operand.read(n, to, at);
            } else {
                FloatLoops.read(from, to, at);
            }
        }
    }

    /** Copies {@code n} elements of an array, starting at {@code at}, to the start of {@code to}. */
    static void write(FloatStrided to, int n, float[] from, int at) {
        //#if buffer
        if (to.isContiguous()) {
            FloatBulk.put(to.block.writable(), n == 0 ? 0 : to.offset(), from, at, n);
            return;
        }
        //#end
        try (StridedOperand operand = n < StridedOperand.LEAST ? null : to.operand(true)) {
            if (operand != null) {
                operand.write(n, from, at);
            } else {
                FloatLoops.write(to, n, from, at);
            }
        }
    }

    /** Copies all of {@code from} to an array, starting at {@code at}. */
    static void read(FloatArrayStrided from, float[] to, int at) {
        int n = (int) from.totalSize();
        if (from.isContiguous()) {
            System.arraycopy(from.block.rd, n == 0 ? 0 : from.offset(), to, at, n);
        } else {
            FloatArrayLoops.read(from, to, at);
        }
    }

    /** Copies {@code n} elements of an array, starting at {@code at}, to the start of {@code to}. */
    static void write(FloatArrayStrided to, int n, float[] from, int at) {
        if (to.isContiguous()) {
            System.arraycopy(from, at, to.block.wr, n == 0 ? 0 : to.offset(), n);
        } else {
            FloatArrayLoops.write(to, n, from, at);
        }
    }

    /** Copies all of {@code from} to an array, starting at {@code at}, element by element. */
    static void readEach(FloatTensorData from, float[] to, int at) {
        FloatTensorIterator scalars = from.scalars();
        for (int n = at, end = at + (int) from.totalSize(); n < end; n++) {
            to[n] = scalars.get();
        }
    }

    /** Copies {@code n} elements of an array, starting at {@code at}, to the start of {@code to}, element by element. */
    static void writeEach(FloatTensorData to, int n, float[] from, int at) {
        FloatTensorIterator scalars = to.scalars();
        for (int i = at; i < at + n; i++) {
            scalars.put(from[i]);
        }
    }
}
