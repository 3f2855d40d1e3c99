package io.tensornio.internal.compute;

import io.tensornio.DataType;
import io.tensornio.internal.layout.Layout;
import java.util.Arrays;

/** A program for inputs of certain types and shapes: the number of its plan, and what comes out. */
final class Binding {
    private static final DataType[] TYPES = DataType.values();

    /** In a signature, in place of an output's rank: any shape. */
    static final long ANY = -1;

    final long[] signature;
    final long plan;
    final DataType[] types;
    final long[][] shapes;
    /** Those of elements in row-major order. */
    final long[][] strides;
    /** How many numbers the outputs take in a geometry. */
    final int places;

    private Binding(long[] signature, long plan, DataType[] types, long[]... shapes) {
        this.signature = signature;
        this.plan = plan;
        this.types = types;
        this.shapes = shapes;
        strides = new long[shapes.length][];
        int length = 0;
        for (int n = 0; n < shapes.length; n++) {
            strides[n] = Layout.rowMajorStrides(shapes[n]);
            length += Places.length(shapes[n].length);
        }
        places = length;
    }

    /** Binds a text of so many outputs to a signature, as {@link NativeCompute#plan} has it, which this keeps. */
    static Binding of(String text, int outputs, long[] signature) {
        long[] answer = NativeCompute.plan(text, signature);
        DataType[] types = new DataType[outputs];
        long[][] shapes = new long[outputs][];
        int at = 1;
        for (int n = 0; n < outputs; n++) {
            types[n] = TYPES[(int) answer[at]];
            int rank = (int) answer[at + 1];
            shapes[n] = Arrays.copyOfRange(answer, at + 2, at + 2 + rank);
            at += 2 + rank;
        }
        return new Binding(signature, answer[0], types, shapes);
    }

    /** Whether it is for these inputs, and outputs of any shape. */
    boolean fits(Inputs in) {
        int end = signature.length - shapes.length;
        for (int n = end; n < signature.length; n++) {
            if (signature[n] != ANY) {
                return false;
            }
        }
        return in.fit(signature, end);
    }

    boolean fits(long... other) {
        return Arrays.equals(signature, other);
    }
}
