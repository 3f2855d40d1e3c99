package io.tensornio.internal.compute;

import io.tensornio.DataType;
import java.util.Arrays;
import java.util.List;

/** The types and shapes of a program's outputs, for inputs of certain types and shapes. */
public final class Outputs {
    private static final DataType[] TYPES = DataType.values();

    /** The type of each output. */
    public final DataType[] types;
    /** The shape of each output; not to be written. */
    public final long[][] shapes;

    /** The signature of the inputs. */
    final long[] signature;

    /** Reads what native code answers for a signature, from a position on. */
    Outputs(long[] answer, int from, int outputs, long[] signature) {
        this.signature = signature;
        types = new DataType[outputs];
        shapes = new long[outputs][];
        int at = from;
        for (int n = 0; n < outputs; n++) {
            types[n] = TYPES[(int) answer[at]];
            int rank = (int) answer[at + 1];
            shapes[n] = Arrays.copyOfRange(answer, at + 2, at + 2 + rank);
            at += 2 + rank;
        }
    }

    /** The signature of inputs, by their types, where null is a floating-point number, and shapes, with shapes of outputs to be inferred. */
    static long[] signature(List<DataType> types, List<long[]> shapes, int outputs) {
        int length = outputs;
        for (long[] shape : shapes) {
            length += 2 + shape.length;
        }
        long[] signature = new long[length];
        int at = 0;
        for (int n = 0; n < types.size(); n++) {
            DataType type = types.get(n);
            long[] shape = shapes.get(n);
            signature[at++] = type == null ? Inputs.FRACTION : type.ordinal();
            signature[at++] = shape.length;
            System.arraycopy(shape, 0, signature, at, shape.length);
            at += shape.length;
        }
        Arrays.fill(signature, at, length, Binding.ANY);
        return signature;
    }
}
