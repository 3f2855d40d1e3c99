package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.Tensors;

/**
 * Runs kernels on elements that are stored narrow: FLOAT16 and BFLOAT16 are computed in FLOAT, INT8, INT16 and UINT16 in INT32, UINT32 and UINT64 in
 * INT64. Inputs are widened, and outputs rounded or wrapped to the type of the first input that was computed in theirs: once for a node.
 */
final class Narrow {
    private Narrow() {
    }

    static Item[] run(Call call) {
        Operator operator = call.node.operator;
        boolean there = false;
        for (Item item : call.in) {
            there |= isNarrow(item);
        }
        if (!there || operator.keeps) {
            return operator.kernel.run(call);
        }
        Item[] wide = call.in.clone();
        for (int n = 0; n < wide.length; n++) {
            if (isNarrow(wide[n]) && !(operator.reads && wide[n].type != DataType.UINT64)) {
                wide[n] = Item.of(Tensors.convert(wide[n].data(), Types.wide(wide[n].type)));
                if (wide[n].type == DataType.INT64 && call.in[n].type == DataType.UINT64) {
                    checkSmall(wide[n].data(), n);
                }
            }
        }
        Item[] out = operator.kernel.run(new Call(call.run, call.node, wide, call.captured));
        for (int n = 0; n < Math.min(out.length, operator.narrows); n++) {
            DataType type = out[n] == null || out[n].kind != Item.Kind.TENSOR ? null : original(out[n].type, call.in);
            if (type != null && type != out[n].type) {
                Item made = out[n];
                out[n] = Item.of(Tensors.convert(made.data(), type));
                made.release();
            }
        }
        for (int n = 0; n < wide.length; n++) {
            if (wide[n] != call.in[n]) {
                wide[n].release();
            }
        }
        return out;
    }

    private static boolean isNarrow(Item item) {
        return item != null && item.kind == Item.Kind.TENSOR && Types.wide(item.type) != item.type;
    }

    /** The type of the first input that is computed in a type. */
    private static DataType original(DataType computed, Item... in) {
        for (Item item : in) {
            if (item != null && item.kind == Item.Kind.TENSOR && Types.wide(item.type) == computed) {
                return item.type;
            }
        }
        return null;
    }

    /** The upper half of UINT64 is not computed with: its bits are negative numbers of INT64. */
    private static void checkSmall(TensorData<?> data, int n) {
        if (data.totalSize() == 0) {
            return;
        }
        StringBuilder all = new StringBuilder();
        for (int d = 0; d < data.rank(); d++) {
            all.append(d == 0 ? "" : ",").append('i').append(d);
        }
        try (Tensor<?> least = Programs.tensor("y[] min= x0[" + all + "]", data)) {
            if (least.longData().get() < 0) {
                throw new IllegalArgumentException("input " + n + " is UINT64 and has a number of 2^63 or more, which is not computed with");
            }
        }
    }
}
