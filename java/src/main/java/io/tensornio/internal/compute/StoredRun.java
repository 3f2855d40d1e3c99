package io.tensornio.internal.compute;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.TensorData;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.StoredOperand;
import io.tensornio.internal.data.StoredResults;
import io.tensornio.internal.data.StridedOperand;
import io.tensornio.internal.data.WritableTensor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** A run of a program over ragged or sparse tensors. */
final class StoredRun implements AutoCloseable {
    private static final DataType[] TYPES = DataType.values();

    /** For each input what is dense, or null. */
    private final List<Inputs> dense = new ArrayList<>();
    /** For each input what is not, or null. */
    private final List<StoredOperand> stored = new ArrayList<>();

    private StoredRun(List<String> names, Object... given) {
        try {
            for (int n = 0; n < given.length; n++) {
                if (!StoredOperand.is(given[n])) {
                    stored.add(null);
                    dense.add(new Inputs(Collections.singletonList(names.get(n)), Collections.emptyList(), given[n]));
                    continue;
                }
                DataType type = given[n] instanceof TensorData ? ((TensorData<?>) given[n]).dataType() : ((AnyTensor<?>) given[n]).dataType();
                if (type == DataType.STRING) {
                    throw new IllegalArgumentException("input " + names.get(n)
                        + " is of strings: a comprehension computes FLOAT, DOUBLE, INT32, INT64, UINT8 and BOOL");
                }
                dense.add(null);
                stored.add(StoredOperand.of(given[n]));
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /** Whether one of some inputs or outputs needs such a run. */
    static boolean isFor(Object... given) {
        for (Object one : given) {
            if (StoredOperand.is(one)) {
                return true;
            }
        }
        return false;
    }

    /** Runs a program; {@code pins} are the words of the outputs in a signature. */
    static AnyTensor<?>[] run(Program program, long[] pins, Object... given) {
        long[] answer;
        try (StoredRun run = new StoredRun(program.inputs(), given)) {
            Words signature = new Words();
            Places places = run.places(signature, pins);
            answer = NativeStored.run(program.text(), signature.all(), places.memory, places.geometry, Threads.most());
        }
        try {
            return results(answer, program.outputs().size());
        } finally {
            NativeStored.free(answer[0]);
        }
    }

    /** Says what a program does with inputs. */
    static String explain(Program program, Object... given) {
        try (StoredRun run = new StoredRun(program.inputs(), given)) {
            Words signature = new Words();
            Places places = run.places(signature, inferred(program.outputs().size()));
            return NativeStored.explain(program.text(), signature.all(), places.memory, places.geometry, Threads.most());
        }
    }

    /** Words of a signature that infer all outputs. */
    static long[] inferred(int outputs) {
        long[] pins = new long[outputs];
        Arrays.fill(pins, Binding.ANY);
        return pins;
    }

    /** Where the inputs are; adds the words of the signature. */
    private Places places(Words signature, long... pins) {
        int sides = 0;
        int numbers = 0;
        for (int n = 0; n < dense.size(); n++) {
            StoredOperand one = stored.get(n);
            if (one == null) {
                signature.add(NativeStored.DENSE);
                signature.add(dense.get(n).signature(0));
                sides++;
                numbers += dense.get(n).places();
                continue;
            }
            signature.add(one.isSparse() ? NativeStored.SPARSE : NativeStored.RAGGED, one.type().ordinal(), one.shape().length);
            signature.add(one.shape());
            signature.add(one.count());
            if (one.isSparse()) {
                signature.add(one.parts()[1] == null ? 0 : 1);
            }
            sides++;
            for (StridedOperand part : one.parts()) {
                if (part != null) {
                    sides++;
                    if (!one.isSparse()) {
                        signature.add(part.sizes()[0]);
                    }
                }
            }
        }
        for (StoredOperand one : stored) {
            if (one != null) {
                numbers += Places.length(1);
                for (StridedOperand part : one.parts()) {
                    numbers += part == null ? 0 : Places.length(1);
                }
            }
        }
        signature.add(pins);
        Places places = new Places(sides, numbers);
        for (int n = 0; n < dense.size(); n++) {
            if (stored.get(n) == null) {
                dense.get(n).locate(places);
                continue;
            }
            locate(places, stored.get(n).values());
            for (StridedOperand part : stored.get(n).parts()) {
                if (part != null) {
                    locate(places, part);
                }
            }
        }
        return places;
    }

    private static void locate(Places places, StridedOperand part) {
        places.elements(part.root(), part.byteOffset(), 1);
    }

    /** The outputs of an answer. */
    private static AnyTensor<?>[] results(long[] answer, int outputs) {
        AnyTensor<?>[] made = new AnyTensor<?>[outputs];
        try {
            int at = 1;
            for (int n = 0; n < outputs; n++) {
                int rank = (int) answer[at + 2];
                long[] shape = Arrays.copyOfRange(answer, at + 3, at + 3 + rank);
                made[n] = result(answer[0], n, (int) answer[at], TYPES[(int) answer[at + 1]], shape, answer[at + 3 + rank]);
                at += 4 + rank;
            }
            return made;
        } catch (Throwable e) {
            for (AnyTensor<?> one : made) {
                if (one != null) {
                    one.close();
                }
            }
            throw e;
        }
    }

    private static AnyTensor<?> result(long results, int output, int form, DataType type, long[] shape, long count) {
        if (form == NativeStored.SPARSE) {
            return StoredResults.sparse(type, shape, count, (root, offset) -> take(results, output, true, root, offset),
                (root, offset) -> take(results, output, false, root, offset));
        }
        if (form == NativeStored.RAGGED) {
            long[][] splits = new long[shape.length][];
            for (int d = 1; d < shape.length; d++) {
                splits[d] = shape[d] < 0 ? NativeStored.splits(results, output, d) : null;
            }
            return StoredResults.ragged(type, shape, count, splits, (root, offset) -> take(results, output, false, root, offset));
        }
        try (WritableTensor dense = WritableTensor.unexposed(type, shape)) {
            take(results, output, false, dense.root(), dense.byteOffset());
            return dense.publish();
        }
    }

    private static void take(long results, int output, boolean coordinates, ByteBuffer root, long offset) {
        NativeStored.take(results, output, coordinates, new ByteBuffer[] {root}, new long[] {0, offset, 1});
    }

    /** Runs a program into existing data, by way of tensors of its own: outputs may overlap inputs. */
    static void runInto(Program program, Object[] given, List<TensorData<?>> targets) {
        Words pins = new Words();
        for (TensorData<?> target : targets) {
            AnyData.checkWritable(target);
            long[] shape = target.shape();
            if (AnyData.isSparse(target)) {
                throw new IllegalArgumentException("an output is sparse data, whose positions are not known before: take it from the results of run");
            }
            boolean isRagged = Arrays.stream(shape).anyMatch(size -> size < 0);
            if (isRagged) {
                pins.add(Binding.ANY);
            } else {
                pins.add(shape.length);
                pins.add(shape);
            }
        }
        AnyTensor<?>[] made = run(program, pins.all(), given);
        try {
            for (int n = 0; n < made.length; n++) {
                TensorData<?> target = targets.get(n);
                if (target.dataType() != made[n].dataType() || !Arrays.equals(target.shape(), made[n].shape())) {
                    throw new IllegalArgumentException("output " + program.outputs().get(n) + " is " + made[n].dataType() + " of shape "
                        + Arrays.toString(made[n].shape()) + "; the data for it is " + target.dataType() + " of shape "
                        + Arrays.toString(target.shape()));
                }
            }
            for (boolean writes : new boolean[] {false, true}) {
                for (int n = 0; n < made.length; n++) {
                    copy(program.outputs().get(n), AnyData.of(made[n]), targets.get(n), writes);
                }
            }
        } finally {
            for (AnyTensor<?> one : made) {
                one.close();
            }
        }
    }

    /** Checks that data has rows that grow, or are as long as those of a result, or copies it there. */
    private static void copy(String output, TensorData<?> from, TensorData<?> to, boolean writes) {
        if (Arrays.stream(from.shape()).allMatch(size -> size >= 0)) {
            long had = from.rank() > 0 ? to.size(0) : 0;
            if (from.rank() > 0 && had > 0 && had != from.size(0)) {
                throw new IllegalArgumentException("output " + output + " has a row of length " + from.size(0) + "; the data for it has " + had
                    + " elements there");
            }
            if (writes && from.numElements() > 0) {
                AnyData.copy(from, to);
            }
            return;
        }
        for (int n = 0; n < from.size(0); n++) {
            copy(output, from.slice(n), to.slice(n), writes);
        }
    }

    @Override
    public void close() {
        for (Inputs one : dense) {
            if (one != null) {
                one.close();
            }
        }
        for (StoredOperand one : stored) {
            if (one != null) {
                one.close();
            }
        }
    }

    /** Words that are added. */
    private static final class Words {
        private long[] words = new long[32];
        private int count;

        void add(long... more) {
            if (count + more.length > words.length) {
                words = Arrays.copyOf(words, Math.max(2 * words.length, count + more.length));
            }
            System.arraycopy(more, 0, words, count, more.length);
            count += more.length;
        }

        long[] all() {
            return Arrays.copyOf(words, count);
        }
    }
}
