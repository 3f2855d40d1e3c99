package io.tensornio.internal.compute;

import io.tensornio.DataType;
import io.tensornio.internal.layout.Layout;
import java.util.Arrays;

/** A program bound to types and shapes of inputs: the number of its plan, and the types and shapes of its outputs. */
final class Binding {
    /** In a signature, in place of an output's rank: the shape is inferred. */
    static final long ANY = -1;

    final long[] signature;
    final long plan;
    final DataType[] types;
    final long[][] shapes;
    /** The row-major strides of the outputs. */
    final long[][] strides;
    /** The number of words of the outputs in a geometry. */
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

    /** Binds a text with so many outputs to a signature of {@link NativeCompute#plan}, which this keeps. */
    static Binding of(String text, int outputs, long[] signature) {
        long[] answer = NativeCompute.plan(text, signature);
        Outputs inferred = new Outputs(answer, 1, outputs, signature);
        return new Binding(signature, answer[0], inferred.types, inferred.shapes);
    }

    /** Whether it is for these inputs, and infers the shapes of outputs. */
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
