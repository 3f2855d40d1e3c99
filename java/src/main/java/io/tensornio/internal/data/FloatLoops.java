package io.tensornio.internal.data;

import io.tensornio.internal.element.FloatBlock;
//#if buffer !array
import io.tensornio.internal.element.FloatBulk;
//#end
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Planes;
import java.nio.FloatBuffer;

/**
 * Copies between strided elements of a block and arrays, as loops: for memory that native code may not access, and for copies too small for a native
 * call. Its twin for arrays, FloatArrayLoops, is generated from this source, so that the loops of each are monomorphic.
 */
final class FloatLoops {
    //#if buffer
    /** From this length on, a contiguous row is copied faster in bulk than in a loop. */
    private static final int LONG_ROW = 16;

    //#end
    private static final int SHORT_ROW = 4;

    private FloatLoops() {
    }

    /** Copies all of {@code from} to an array, starting at {@code at}. */
    static void read(AbstractFloatStrided from, float[] to, int at) {
        FloatBuffer b = from.block.readable();
        if (from.rank <= 2 && from.layout == null && from.nLast != 1) {
            // Without allocation: it may be only a few elements.
            int columns = from.rank == 0 ? 1 : from.nLast;
            read(b, from.offset, from.rank == 2 ? from.n0 : 1, columns, from.s0, from.sLast, to, at);
            return;
        }
        Planes planes = new Planes(from.layout());
        for (int index = at; planes.next(); index += planes.rows * planes.columns) {
            read(b, planes.start, planes.rows, planes.columns, planes.rowStride, planes.stride, to, index);
        }
    }

    private static void read(FloatBuffer b, int start, int rows, int columns, int rowStride, int stride, float[] to, int at) {
        int row = start;
        int index = at;
        //#if buffer
        if (stride == 1 && columns >= LONG_ROW) {
            for (int r = 0; r < rows; r++, row += rowStride, index += columns) {
                //~array System.arraycopy(b, row, to, index, columns);
        //#end
        //#if buffer !array
                FloatBulk.get(b, row, to, index, columns);
        //#end
        //#if buffer
            }
            return;
        }
        //#end
        if (stride == 1 && columns >= 2 && columns <= SHORT_ROW) {
            readShort(b, row, rows, columns, rowStride, to, index);
            return;
        }
        for (int r = 0; r < rows; r++, row += rowStride, index += columns) {
            for (int i = 0; i < columns; i++) {
                to[index + i] = FloatElement.read(b, row + i * stride);
            }
        }
    }

    /** Contiguous rows of 2 to 4 elements, as pixels are: a loop over so few takes longer to begin than to run. */
    private static void readShort(FloatBuffer b, int start, int rows, int columns, int rowStride, float[] to, int at) {
        int row = start;
        int index = at;
        if (columns == 2) {
            for (int r = 0; r < rows; r++, row += rowStride, index += 2) {
                to[index] = FloatElement.read(b, row);
                to[index + 1] = FloatElement.read(b, row + 1);
            }
        } else if (columns == 3) {
            for (int r = 0; r < rows; r++, row += rowStride, index += 3) {
                to[index] = FloatElement.read(b, row);
                to[index + 1] = FloatElement.read(b, row + 1);
                to[index + 2] = FloatElement.read(b, row + 2);
            }
        } else {
            for (int r = 0; r < rows; r++, row += rowStride, index += 4) {
                to[index] = FloatElement.read(b, row);
                to[index + 1] = FloatElement.read(b, row + 1);
                to[index + 2] = FloatElement.read(b, row + 2);
                to[index + 3] = FloatElement.read(b, row + 3);
            }
        }
    }

    /** Copies all elements of a layout of rank 1 or more, with lists or runs, to an array, starting at {@code at}. */
    static void read(FloatBlock block, Layout layout, float[] to, int at) {
        read(block.readable(), layout, 0, (int) layout.offset(), to, at);
    }

    /** Copies the sub-tensor of the axes from {@code d} on at a position; returns the index in the array after it. */
    private static int read(FloatBuffer b, Layout layout, int d, int start, float[] to, int at) {
        int n = (int) layout.size(d);
        int index = at;
        if (d < layout.rank() - 1) {
            for (int i = 0; i < n; i++) {
                index = read(b, layout, d + 1, start + (int) layout.distance(d, i), to, index);
            }
            return index;
        }
        long[] list = layout.list(d);
        if (layout.runs(d) != null) {
            for (int i = 0; i < n; i++) {
                to[index + i] = FloatElement.read(b, start + (int) layout.distance(d, i));
            }
        } else if (list != null) {
            for (int i = 0; i < n; i++) {
                to[index + i] = FloatElement.read(b, start + (int) list[i]);
            }
        } else {
            read(b, start, 1, n, 0, (int) layout.stride(d), to, at);
        }
        return index + n;
    }

    /** Copies the elements {@code at} to {@code end} of an array to the first ones of a layout as above. */
    static void write(FloatBlock block, Layout layout, float[] from, int at, int end) {
        write(block.writable(), layout, 0, (int) layout.offset(), from, at, end);
    }

    private static int write(FloatBuffer b, Layout layout, int d, int start, float[] from, int at, int end) {
        int n = (int) layout.size(d);
        int index = at;
        if (d < layout.rank() - 1) {
            for (int i = 0; i < n && index < end; i++) {
                index = write(b, layout, d + 1, start + (int) layout.distance(d, i), from, index, end);
            }
            return index;
        }
        int some = Math.min(n, end - index);
        for (int i = 0; i < some; i++) {
            FloatElement.write(b, start + (int) layout.distance(d, i), from[index + i]);
        }
        return index + some;
    }

    /** Copies {@code n} elements of an array, starting at {@code at}, to the start of {@code to}. */
    static void write(AbstractFloatStrided to, int n, float[] from, int at) {
        FloatBuffer b = to.block.writable();
        if (to.rank <= 2 && to.layout == null && to.nLast != 1) {
            int columns = to.rank == 0 ? 1 : to.nLast;
            write(b, to.offset, n, columns, to.s0, to.sLast, from, at);
            return;
        }
        Planes planes = new Planes(to.layout());
        for (int done = 0; done < n && planes.next(); done += planes.rows * planes.columns) {
            int some = Math.min(n - done, planes.rows * planes.columns);
            write(b, planes.start, some, planes.columns, planes.rowStride, planes.stride, from, at + done);
        }
    }

    /** Writes the first {@code n} elements of a plane. */
    private static void write(FloatBuffer b, int start, int n, int columns, int rowStride, int stride, float[] from, int at) {
        int whole = stride == 1 && columns >= 2 && columns <= SHORT_ROW ? n / columns : 0;
        writeShort(b, start, whole, columns, rowStride, from, at);
        int row = start + whole * rowStride;
        for (int index = at + whole * columns, end = at + n; index < end; row += rowStride, index += columns) {
            int some = Math.min(columns, end - index);
            //#if buffer
            if (stride == 1 && some >= LONG_ROW) {
                //~array System.arraycopy(from, index, b, row, some);
            //#end
                //#if buffer !array
                FloatBulk.put(b, row, from, index, some);
                //#end
            //#if buffer
                continue;
            }
            //#end
            for (int i = 0; i < some; i++) {
                FloatElement.write(b, row + i * stride, from[index + i]);
            }
        }
    }

    private static void writeShort(FloatBuffer b, int start, int rows, int columns, int rowStride, float[] from, int at) {
        int row = start;
        int index = at;
        if (columns == 2) {
            for (int r = 0; r < rows; r++, row += rowStride, index += 2) {
                FloatElement.write(b, row, from[index]);
                FloatElement.write(b, row + 1, from[index + 1]);
            }
        } else if (columns == 3) {
            for (int r = 0; r < rows; r++, row += rowStride, index += 3) {
                FloatElement.write(b, row, from[index]);
                FloatElement.write(b, row + 1, from[index + 1]);
                FloatElement.write(b, row + 2, from[index + 2]);
            }
        } else {
            for (int r = 0; r < rows; r++, row += rowStride, index += 4) {
                FloatElement.write(b, row, from[index]);
                FloatElement.write(b, row + 1, from[index + 1]);
                FloatElement.write(b, row + 2, from[index + 2]);
                FloatElement.write(b, row + 3, from[index + 3]);
            }
        }
    }
}
