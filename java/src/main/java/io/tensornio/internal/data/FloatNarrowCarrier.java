//#if float int long
package io.tensornio.internal.data;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
//~int,long import io.tensornio.FloatTensorIterator;
import io.tensornio.internal.element.Encodings;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.element.FloatGiven;
import io.tensornio.internal.element.FloatNarrow;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Storage;
import io.tensornio.internal.sparse.Sparse;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Objects;

/** The carrier {@code float} of elements that are stored narrow: {@link Encodings} says how. All but storage is inherited. */
final class FloatNarrowCarrier extends FloatCarrier {
    /** By the number of the type. */
    private static final FloatCarrier[] ALL = new FloatCarrier[DataType.values().length];

    static {
        for (DataType type : DataType.values()) {
            if (type != FloatElement.TYPE && Encodings.carrier(type) == FloatElement.TYPE) {
                ALL[type.ordinal()] = new FloatNarrowCarrier(type);
            }
        }
    }

    private FloatNarrowCarrier(DataType type) {
        super(type, type.byteSize());
    }

    /** That of a type, which {@code float} carries and which is stored narrow. */
    static FloatCarrier narrow(DataType type) {
        return ALL[type.ordinal()];
    }

    // ---- Storage -----------------------------------------------------------------------------------------------------

    @Override
    Block allocate(long[] shape, boolean zeroed) {
        return FloatNarrow.allocate(type, shape, zeroed);
    }

    @Override
    Block over(Storage storage, long... shape) {
        return FloatNarrow.over(type, storage, shape);
    }

    @Override
    Block zeroed(int n) {
        return one(true, n);
    }

    @Override
    Block uncleared(long... shape) {
        return one(false, shape);
    }

    private Block one(boolean zeroed, long... shape) {
        long size = Shapes.product(shape) * bytes;
        if (size > Integer.MAX_VALUE) {
            throw new OutOfMemoryError("a " + type + " tensor needs " + size + " bytes here; one buffer can have " + Integer.MAX_VALUE);
        }
        return FloatNarrow.over(type, Storage.allocate(size, zeroed), shape);
    }

    @Override
    FloatData whole(Block block) {
        return FloatView.of((FloatNarrow) block, block.shape());
    }

    @Override
    Buffer buffer(Block block, boolean write) {
        return ((FloatNarrow) block).first(write);
    }

    @Override
    Buffer window(Block block, int start, long n) {
        return Encodings.slice(((FloatNarrow) block).first(false), n == 0 ? 0 : start, (int) n);        // an empty selection may have any offset
    }

    @Override
    Block sharing(Block block, long... shape) {
        return new FloatNarrow((FloatNarrow) block, shape);
    }

    // ---- Copies ------------------------------------------------------------------------------------------------------

    @Override
    void copyRun(OwnData<FloatTensorData, float[]> from, OwnData<FloatTensorData, float[]> to) {
        int n = (int) from.totalSize();
        if (n > 0) {
            Encodings.copy(run(from, false, n), run(to, true, n));
        }
    }

    private static Buffer run(OwnData<FloatTensorData, float[]> data, boolean write, int n) {
        if (data.source() instanceof FloatGiven) {
            FloatGiven given = (FloatGiven) data.source();
            if (write) {
                given.checkWritable();
            }
            return Encodings.slice(given.buffer, data.offset(), n);
        }
        return Encodings.slice(((FloatNarrow) data.source()).first(write), data.offset(), n);
    }

    @Override
    void copyEntries(Sparse from, Layout layout, OwnData<FloatTensorData, float[]> to) {
        if (to.offset() == 0 && to.run() != null && layout.isContiguous() && layout.totalSize() == Shapes.product(from.shape)) {
            ((FloatSparse) from).toDense(this, to.run(), buffer(to.run(), true));
        } else {
            copyEach(FloatView.of((FloatSource) from, layout), to.self());
        }
    }

    @Override
    void copy(Block from, int at, Block to, int toAt, int n) {
        Encodings.copy(Encodings.slice(((FloatNarrow) from).first(false), at, n), Encodings.slice(((FloatNarrow) to).first(true), toAt, n));
    }

    @Override
    void put(Block block, int at, float[] from) {
        ((FloatNarrow) block).writeFirst(Layout.rowMajor(new long[] {from.length}).from(at), from.length, from, 0);
    }

    @Override
    boolean readsRows(long length) {
        return false;
    }

    @Override
    boolean isRanged() {
        return Encodings.isRanged(type);
    }

    @Override
    void checkRange(FloatTensorData values) {
        //~int,long if (isRanged()) {
        //~int,long     FloatTensorIterator scalars = Copies.present(values.scalars());
        //~int,long     while (scalars.hasMoreElements()) {
        //~int,long         Encodings.check(type, scalars.get());
        //~int,long     }
        //~int,long }
    }

    @Override
    void checkRange(float[] values, int at, int n) {
        //~int,long for (int i = at; i < at + n; i++) {
        //~int,long     Encodings.check(type, values[i]);
        //~int,long }
    }

    @Override
    Object stored(Object value) {
        return Encodings.rounded(type, (Float) value);
    }

    // ---- Streams of bytes --------------------------------------------------------------------------------------------

    @Override
    void encode(float[] elements, int n, byte[] to) {
        Buffer all = Encodings.view(type, ByteBuffer.wrap(to));
        for (int i = 0; i < n; i++) {
            Encodings.writeFloat(type, all, i, elements[i]);
        }
    }

    @Override
    void decode(byte[] from, float[] elements, int n) {
        Buffer all = Encodings.view(type, ByteBuffer.wrap(from));
        for (int i = 0; i < n; i++) {
            elements[i] = Encodings.readFloat(type, all, i);
        }
    }

    // ---- Over arrays and buffers of users ----------------------------------------------------------------------------

    /** Data over a buffer of the class of buffers that is as wide, which nobody else moves; without a shape a vector. */
    FloatTensorData given(Buffer buffer, long... shape) {
        int n = buffer.remaining();
        long[] sizes = Objects.requireNonNull(shape, "shape").length == 0 ? new long[] {n} : check(n, "there are ", "", shape);
        Layout layout = new Layout(buffer.position(), sizes, Layout.rowMajorStrides(sizes));
        return FloatView.of(new FloatGiven(type, buffer, sizes), layout);
    }
}
//#end
