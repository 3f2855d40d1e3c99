//#if buffer
package io.tensornio.internal.data;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.TensorIndex;
import io.tensornio.support.FloatValues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/** Copies between {@code float} data of the user's that cannot overlap, without memory for a temporary. */
final class FloatDisjoint {
    private static final int N = 20_000;

    private FloatDisjoint() {
    }

    private static FloatBuffer buffer(boolean isDirect, ByteOrder order) {
        int bytes = N * DataType.FLOAT.byteSize();
        return FloatValues.view((isDirect ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes)).order(order));
    }

    /** Data in separate memory, by its name: in an array, or outside the heap. */
    private static Map<String, FloatTensorData> all(boolean isDirect) {
        Map<String, FloatTensorData> all = new LinkedHashMap<>();
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            all.put(order + " buffer", FloatTensorData.of(buffer(isDirect, order), N));
        }
        if (!isDirect) {
            all.put("array", FloatTensorData.of(FloatValues.zeros(N)));
            all.put("buffer of an array", FloatTensorData.of(FloatBuffer.wrap(FloatValues.zeros(N)), N));
        }
        FloatBuffer readOnly = buffer(isDirect, ByteOrder.nativeOrder());
        FloatValues.fill(FloatTensorData.of(readOnly, N));
        all.put("read-only buffer", FloatTensorData.of(readOnly.asReadOnlyBuffer(), N));
        return all;
    }

    /** Copies everything on one side to everything on the other, whole and in parts with gaps; throws if something else arrives. */
    static void check() {
        for (boolean isRead : new boolean[] {true, false}) {
            all(isRead).forEach((source, from) -> all(!isRead).forEach((target, to) -> {
                if (to.isReadOnly()) {
                    return;
                }
                if (!from.isReadOnly()) {
                    FloatValues.fill(from);
                }
                for (TensorIndex index : new TensorIndex[] {TensorIndex.all(), TensorIndex.flip(), TensorIndex.step(2)}) {
                    String what = source + " to " + target + " " + index;
                    to.slice(index).put(from.slice(index));
                    same(what + ": put", from.slice(index), to.slice(index));
                    from.slice(index).get(to.slice(index).slice(TensorIndex.flip()));
                    same(what + ": get", from.slice(index), to.slice(index).slice(TensorIndex.flip()));
                }
            }));
        }
    }

    private static void same(String what, FloatTensorData expected, FloatTensorData copy) {
        if (!expected.equals(copy)) {
            throw new AssertionError(what);
        }
    }
}
//#end
