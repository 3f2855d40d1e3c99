package io.tensornio.internal.compute;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.internal.data.WritableTensor;
import io.tensornio.internal.layout.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** A run of an {@link Algorithm}: its results, and the number that it returned. */
public final class Numeric {
    private final List<DataType> types = new ArrayList<>();
    private final List<long[]> shapes = new ArrayList<>();
    private final Algorithm algorithm;
    private long number;

    private Numeric(Algorithm algorithm) {
        this.algorithm = algorithm;
    }

    /** A run of an algorithm, which has no results yet. */
    public static Numeric of(Algorithm algorithm) {
        return new Numeric(algorithm);
    }

    /** Adds a result. */
    public Numeric gives(DataType type, long... shape) {
        types.add(type);
        shapes.add(shape);
        return this;
    }

    /** What the algorithm returned besides its results. */
    public long number() {
        return number;
    }

    /** Runs it, and gives its only result. */
    public Tensor<?> one(long[] numbers, Tensor<?>... given) {
        return run(numbers, given)[0];
    }

    /**
     * Runs the algorithm.
     *
     * @param numbers its numbers
     * @param given its operands, dense and not of strings
     * @return its results, which the caller closes
     * @throws IllegalArgumentException as the algorithm says
     * @throws io.tensornio.TensorClosedException if an operand is closed
     * @throws OutOfMemoryError if a result does not fit the budget
     */
    public Tensor<?>[] run(long[] numbers, Tensor<?>... given) {
        String[] names = new String[given.length];
        Arrays.setAll(names, n -> Integer.toString(n));
        WritableTensor[] made = new WritableTensor[types.size()];
        int words = 0;
        int places = 0;
        for (long[] shape : shapes) {
            words += 2 + shape.length;
            places += Places.length(shape.length);
        }
        try (Inputs in = new Inputs(Arrays.asList(names), Collections.emptyList(), (Object[]) given)) {
            long[] signature = in.signature(words);
            int at = signature.length - words;
            Places where = new Places(given.length + made.length, in.places() + places);
            in.locate(where);
            for (int n = 0; n < made.length; n++) {
                long[] shape = shapes.get(n);
                made[n] = WritableTensor.unexposed(types.get(n), shape);
                where.elements(made[n].root(), made[n].byteOffset(), Layout.rowMajorStrides(shape));
                signature[at++] = types.get(n).ordinal();
                signature[at++] = shape.length;
                for (long size : shape) {
                    signature[at++] = size;
                }
            }
            number = NativeNumeric.run(algorithm.ordinal(), given.length, signature, where.memory, where.geometry, numbers, Threads.most());
            return Program.published(made);
        } catch (Throwable e) {
            for (WritableTensor tensor : made) {
                if (tensor != null) {
                    tensor.close();
                }
            }
            throw e;
        }
    }
}
