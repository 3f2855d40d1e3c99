package io.tensornio.internal.compute;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.StridedOperand;
import io.tensornio.internal.data.WritableTensor;
import io.tensornio.internal.layout.Layout;
import java.util.Arrays;
import java.util.List;

/** The data to which a program's outputs are written: in place if it is in native memory and overlaps nothing else, else through a temporary. */
final class Targets implements AutoCloseable {
    private final List<String> names;
    private final List<TensorData<?>> targets;
    private final long[][] shapes;
    private final StridedOperand[] inPlace;
    private final WritableTensor[] temporaries;

    /**
     * Checks the data.
     *
     * @param names the names of all outputs
     * @throws IllegalArgumentException if one is not dense
     * @throws java.nio.ReadOnlyBufferException if one cannot be written
     * @throws io.tensornio.TensorClosedException if one is closed
     */
    Targets(List<String> names, List<TensorData<?>> targets) {
        this.names = names;
        this.targets = targets;
        shapes = new long[targets.size()][];
        inPlace = new StridedOperand[targets.size()];
        temporaries = new WritableTensor[targets.size()];
        for (int n = 0; n < shapes.length; n++) {
            AnyData.checkWritable(targets.get(n));
            shapes[n] = targets.get(n).shape().clone();
            for (long size : shapes[n]) {
                if (size < 0) {
                    throw new IllegalArgumentException("output " + names.get(n) + " is ragged data of shape " + Arrays.toString(shapes[n])
                        + ": an output is dense");
                }
            }
        }
    }

    /** The number of words that {@link #pin} writes. */
    int signatureLength() {
        int length = 0;
        for (long[] shape : shapes) {
            length += 1 + shape.length;
        }
        return length;
    }

    /** Writes the shapes to the end of a signature, as {@link NativeCompute#plan} takes them. */
    void pin(long[] signature, int from) {
        int at = from;
        for (long[] shape : shapes) {
            signature[at++] = shape.length;
            System.arraycopy(shape, 0, signature, at, shape.length);
            at += shape.length;
        }
    }

    /**
     * Determines where each output is written.
     *
     * @throws IllegalArgumentException if the type or the shape of one differs, or two have an element in common
     */
    void allocate(Binding binding, Inputs in) {
        for (int n = 0; n < shapes.length; n++) {
            DataType wanted = targets.get(n).dataType();
            if (wanted != binding.types[n] || !Arrays.equals(shapes[n], binding.shapes[n])) {
                throw new IllegalArgumentException("output " + names.get(n) + " is " + binding.types[n] + " of shape "
                    + Arrays.toString(binding.shapes[n]) + "; the data for it is " + wanted + " of shape " + Arrays.toString(shapes[n])
                    + (wanted == binding.types[n] || wanted == DataType.STRING ? "" : ": " + Cast.word(wanted) + "(...) right of = makes it so"));
            }
        }
        for (int n = 1; n < shapes.length; n++) {
            for (int other = 0; other < n; other++) {
                if (StridedOperand.share(targets.get(other), targets.get(n))) {
                    throw new IllegalArgumentException("outputs " + names.get(other) + " and " + names.get(n)
                        + " have elements in common: each element can have one value");
                }
            }
        }
        for (int n = 0; n < shapes.length; n++) {
            StridedOperand place = StridedOperand.inPlace(targets.get(n));
            boolean isApart = place != null && !in.mayOverlap(place);
            for (int other = 0; isApart && other < n; other++) {
                isApart = inPlace[other] == null || !inPlace[other].mayOverlap(place);
            }
            if (isApart) {
                inPlace[n] = place;
                continue;
            }
            if (place != null) {
                place.close();
            }
            temporaries[n] = WritableTensor.allocate(binding.types[n], binding.shapes[n]);
        }
    }

    /** Adds the locations of the outputs. */
    void locate(Places places) {
        for (int n = 0; n < shapes.length; n++) {
            if (inPlace[n] != null) {
                places.elements(inPlace[n].root(), inPlace[n].byteOffset(), inPlace[n].strides());
            } else {
                places.elements(temporaries[n].root(), temporaries[n].byteOffset(), Layout.rowMajorStrides(shapes[n]));
            }
        }
    }

    /** Copies the temporaries. */
    void finish() {
        for (int n = 0; n < temporaries.length; n++) {
            if (temporaries[n] != null) {
                AnyData.copy(temporaries[n].data(), targets.get(n));
            }
        }
    }

    @Override
    public void close() {
        for (int n = 0; n < shapes.length; n++) {
            if (inPlace[n] != null) {
                inPlace[n].close();
            }
            if (temporaries[n] != null) {
                temporaries[n].close();
            }
        }
    }
}
