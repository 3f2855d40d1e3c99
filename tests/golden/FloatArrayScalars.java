package io.tensornio.internal.data;


import io.tensornio.FloatConsumer;


import io.tensornio.FloatSupplier;

import io.tensornio.FloatTensorIterator;
import io.tensornio.internal.element.FloatArray;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.layout.NoMoreElementsException;
import java.nio.FloatBuffer;
import java.util.NoSuchElementException;








/**
 * Iterates over the elements of {@link FloatArrayStrided} data, row by row. The step to the next row is repeated in each
 * method: a call that is not inlined would defeat escape analysis. With only one leading axis it is an addition: the
 * divisions of the general case would cause register spills in the caller's loop.
 */
final class FloatArrayScalars implements FloatTensorIterator {
    private final AbstractFloatArrayStrided data;
    private final FloatArray block;
    /** The length and stride of a row. */
    private final int n;
    private final int step;
    /** The number of rows, and of the leading axes that number them. */
    private final int rows;
    private final int outer;
    /** The start of the current row. */
    private int base;
    private int row;
    /** The index of the next element in the current row. */
    private int i;

    FloatArrayScalars(AbstractFloatArrayStrided data) {
        this.data = data;
        block = data.block;
        base = data.offset();
        outer = data.outerAxes();
        rows = data.positions(0, outer);
        n = data.positions(outer, data.rank());
        step = data.rowStep();
    }

    @Override
    public boolean hasMoreElements() {
        return i < n || row + 1 < rows;
    }

    @Override
    public float get() {
        float[] b = block.readable();
        if (i >= n) {
            int next = row + 1;
            if (next >= rows) {
                throw pastTheEnd(rows, n);
            }
            base = outer == 1 ? base + data.stride(0) : data.rowStart(next, outer);
            row = next;
            i = 0;
        }
        int at = i;
        float value = FloatElement.read(b, (base & Integer.MAX_VALUE) + (step == 1 ? at : at * step));
        i = at + 1;
        return value;
    }

    @Override
    public FloatTensorIterator put(float value) {
        float[] b = data.writable();
        if (i >= n) {
            int next = row + 1;
            if (next >= rows) {
                throw pastTheEnd(rows, n);
            }
            base = outer == 1 ? base + data.stride(0) : data.rowStart(next, outer);
            row = next;
            i = 0;
        }
        int at = i;
        FloatElement.write(b, (base & Integer.MAX_VALUE) + (step == 1 ? at : at * step), value);
        i = at + 1;
        return this;
    }

    @Override
    public void forEach(FloatConsumer consumer) {
        if (consumer == null) {
            throw new NullPointerException("consumer");
        }
        block.readable();
        while (hasMoreElements()) {
            if (i >= n) {
                nextRow();
            }
            float[] b = block.readable();
            if (step != 1) {
                eachStep(b, consumer);
                continue;
            }
            int from = base & Integer.MAX_VALUE;
            int at = i;
            int end = n;
            try {
                for (; at < end; at++) {
                    consumer.accept(FloatElement.read(b, from + at));
                }
            } catch (Throwable e) {
                i = at + 1;         // this one was read
                throw e;
            }
            i = end;
        }
    }

    /** Separate from {@link #forEach}, so that that is short enough to be inlined together with the consumer. */
    private void eachStep(float[] b, FloatConsumer consumer) {
        int from = base & Integer.MAX_VALUE;
        int at = i;
        int end = n;
        int by = step;
        try {
            for (; at < end; at++) {
                consumer.accept(FloatElement.read(b, from + by * at));
            }
        } catch (Throwable e) {
            i = at + 1;
            throw e;
        }
        i = end;
    }

    @Override
    public void onEach(FloatSupplier supplier) {
        if (supplier == null) {
            throw new NullPointerException("supplier");
        }
        data.writable();               // checked before the first call of the supplier
        while (hasMoreElements()) {
            if (i >= n) {
                nextRow();
            }
            int from = base & Integer.MAX_VALUE;
            int at = i;
            int end = n;
            int by = step;
            try {
                while (at < end) {
                    float value = supplier.getAsFloat();
                    FloatElement.write(data.writable(), from + (by == 1 ? at : by * at), value);
                    at++;
                }
            } finally {
                i = at;
            }
        }
    }

    private void nextRow() {
        base = outer == 1 ? base + data.stride(0) : data.rowStart(row + 1, outer);
        row++;
        i = 0;
    }

    /** Static, so that this object does not escape. */
    private static NoSuchElementException pastTheEnd(int rows, int n) {
        return new NoMoreElementsException((long) rows * n);
    }
}
