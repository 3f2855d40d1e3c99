package io.tensornio.internal.graph;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.compute.Call;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.StoredOperand;
import io.tensornio.internal.data.StridedOperand;
import io.tensornio.internal.data.WritableTensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Evaluates tensors of a model: for one example or for a batch, from binders or from tensors. For one thread at a time. */
class Evaluation implements AutoCloseable {
    /** The maximum number of examples computed at once. */
    private static final int CHUNK = 256;
    /** The number of cached batch sizes. */
    private static final int RECENT = 4;

    final Model model;
    final Forward single;
    private Forward many;
    private Call one;
    private Rows row;
    private Rows chunk;
    /** Whether binders are running, which may evaluate the same tensors. */
    private boolean isBinding;
    /** Calls for a batch, by its size; the least recently used first. */
    private final Map<Integer, Call> calls = new LinkedHashMap<Integer, Call>(RECENT, .75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Call> eldest) {
            return size() > RECENT;
        }
    };

    Evaluation(Model model, Forward single) {
        this.model = model;
        this.single = single;
    }

    /** The evaluation of a program. */
    static Evaluation of(Model model, Forward single) {
        return model.graph.isStored ? new StoredEvaluation(model, single) : new Evaluation(model, single);
    }

    Forward many() {
        if (many == null) {
            many = single.batched();
        }
        return many;
    }

    /** A call for a batch of so many examples, or without a batch axis if that is -1. */
    private Call call(Forward forward, int examples) {
        List<DataType> types = new ArrayList<>();
        List<long[]> shapes = new ArrayList<>();
        for (String name : forward.program.inputs()) {
            Variable input = input(forward, name);
            if (input == null) {
                Variable other = model.graph.named(name);
                types.add(other.type);
                shapes.add(other.shape());
            } else {
                types.add(input.fed());
                shapes.add(examples < 0 ? input.shape() : Rows.with(examples, input.shape()));
            }
        }
        return new Call(forward.program, types, shapes);
    }

    private static Variable input(Forward forward, String name) {
        for (Map.Entry<Variable, String> given : forward.given.entrySet()) {
            if (given.getValue().equals(name)) {
                return given.getKey();
            }
        }
        return null;
    }

    private Call batch(int examples) {
        return calls.computeIfAbsent(examples, n -> call(many(), n));
    }

    /** Evaluates one example. */
    AnyTensor<?>[] one(Object example) {
        if (single.isWhole && !single.given.isEmpty()) {
            return alone(all(Collections.singletonList(example)));
        }
        checkOutsideOfBinders();
        if (one == null) {
            row = new Rows(new ArrayList<>(single.given.keySet()), 1);
            one = call(single, -1);
            fed(one, single, row);
        }
        fill(row, Collections.singletonList(example), 0, 1);
        model.bind(one, single.program.inputs());
        return run(one);
    }

    /** What there is of one example, from what there is of a batch of one. */
    AnyTensor<?>[] alone(AnyTensor<?>... made) {
        AnyTensor<?>[] results = new AnyTensor<?>[made.length];
        try {
            for (int n = 0; n < made.length; n++) {
                results[n] = isBatched(n) ? ((TensorData<?>) AnyData.of(made[n]).slice(0)).copy() : made[n];
            }
            for (int n = 0; n < made.length; n++) {
                if (results[n] != made[n]) {
                    made[n].close();
                }
            }
            return results;
        } catch (Throwable e) {
            for (int n = 0; n < made.length; n++) {
                made[n].close();
                if (results[n] != null) {
                    results[n].close();
                }
            }
            throw e;
        }
    }

    /** Calls binders to write examples to memory that all evaluations of these tensors share. */
    void fill(Rows rows, List<?> examples, int from, int count) {
        isBinding = true;
        try {
            rows.fill(examples, from, count);
        } finally {
            isBinding = false;
        }
    }

    void checkOutsideOfBinders() {
        if (isBinding) {
            throw new IllegalStateException("a binder is called within an evaluation: it cannot begin another of the same tensors");
        }
    }

    /** Sets the locations of the fed inputs in a call. */
    private static void fed(Call call, Forward forward, Rows rows) {
        for (Variable input : rows.inputs) {
            int place = forward.program.inputs().indexOf(forward.given.get(input));
            if (place >= 0) {
                call.input(place, rows.memory(input), 0);
            }
        }
    }

    private Tensor<?>[] run(Call call) {
        model.check();                      // a binder may have closed it
        WritableTensor[] made = new WritableTensor[call.outputs()];
        try {
            for (int n = 0; n < made.length; n++) {
                made[n] = WritableTensor.allocate(call.type(n), call.shape(n));
                call.output(n, made[n], 0);
            }
            call.run();
            return published(made);
        } catch (Throwable e) {
            Model.closeAll(made);
            throw e;
        }
    }

    private static Tensor<?>[] published(WritableTensor... made) {
        Tensor<?>[] tensors = new Tensor<?>[made.length];
        for (int n = 0; n < made.length; n++) {
            tensors[n] = made[n].publish();
        }
        return tensors;
    }

    /** Evaluates many examples. */
    AnyTensor<?>[] all(List<?> examples) {
        return all(examples.size(), (rows, from, count) -> fill(rows, examples, from, count));
    }

    /** Evaluates the rows of columns. */
    AnyTensor<?>[] all(Map<Variable, TensorData<?>> columns, int rows) {
        if (!model.graph.isStored && single.given.keySet().stream().anyMatch(input -> StoredOperand.is(columns.get(input)))) {
            return new StoredEvaluation(model, single).all(columns, rows);
        }
        Columns.check(many(), columns);
        return all(rows, (to, from, count) -> to.copy(columns, from, count));
    }

    /** What writes some of many examples to rows. */
    interface Source {
        void write(Rows to, int from, int count);
    }

    AnyTensor<?>[] all(int count, Source source) {
        checkOutsideOfBinders();
        Forward forward = many();
        if (forward.given.isEmpty()) {
            return one(null);
        }
        if (chunk == null || chunk.capacity < Math.min(count, CHUNK)) {
            if (chunk != null) {
                chunk.close();
            }
            chunk = new Rows(new ArrayList<>(forward.given.keySet()), Math.min(count, CHUNK));
        }
        Call first = batch(Math.min(count, CHUNK));
        WritableTensor[] made = new WritableTensor[first.outputs()];
        try {
            for (int n = 0; n < made.length; n++) {
                long[] shape = first.shape(n).clone();
                if (forward.isBatched(n)) {
                    shape[0] = count;
                }
                made[n] = WritableTensor.allocate(first.type(n), shape);
            }
            int from = 0;
            do {
                int next = Math.min(count - from, CHUNK);
                Call call = batch(next);
                source.write(chunk, from, next);
                fed(call, forward, chunk);
                model.bind(call, forward.program.inputs());
                for (int n = 0; n < made.length; n++) {
                    long bytes = count == 0 || !forward.isBatched(n) ? 0 : made[n].numBytes() / count * from;
                    call.output(n, made[n], bytes);
                }
                model.check();
                call.run();
                from += next;
            } while (from < count);
            return published(made);
        } catch (Throwable e) {
            Model.closeAll(made);
            throw e;
        }
    }

    /**
     * Evaluates the batch that is loaded.
     *
     * @param batches the batches; {@link Batches#loading} is held
     * @param count how many examples it has
     */
    AnyTensor<?>[] batch(Batches batches, int count) {
        if (!model.graph.isStored && Columns.isStored(batches.columns())) {
            return new StoredEvaluation(model, single).batch(batches, count);
        }
        checkOutsideOfBinders();
        Forward forward = many();
        if (forward.given.isEmpty()) {
            return one(null);
        }
        if (chunk == null || chunk.capacity < count) {
            if (chunk != null) {
                chunk.close();
            }
            chunk = new Rows(new ArrayList<>(forward.given.keySet()), Math.max(count, batches.most()));
        }
        if (batches.order() == null) {
            fill(chunk, batches.examples(), batches.from(), count);
        } else {
            Columns.check(forward, batches.columns());
            chunk.copy(batches.columns(), batches.order(), batches.from(), count);
        }
        Call call = batch(count);
        fed(call, forward, chunk);
        model.bind(call, forward.program.inputs());
        return run(call);
    }

    /** Whether a result has an axis of examples. */
    boolean isBatched(int output) {
        return many().isBatched(output);
    }

    /** Evaluates inputs that are tensors. */
    AnyTensor<?>[] of(Map<Variable, AnyTensor<?>> inputs, boolean isBatch) {
        if (single.given.keySet().stream().anyMatch(input -> !(inputs.get(input) instanceof Tensor))) {
            return new StoredEvaluation(model, single).of(inputs, isBatch);
        }
        Forward forward = isBatch ? many() : single;
        boolean isOne = !isBatch && single.isWhole && !forward.given.isEmpty();
        int examples = isOne ? 1 : isBatch && !forward.given.isEmpty() ? (int) inputs.get(forward.given.keySet().iterator().next()).shape()[0] : -1;
        Call call = examples < 0 ? call(single, -1) : batch(examples);
        List<StridedOperand> operands = new ArrayList<>();
        try {
            for (Variable input : forward.given.keySet()) {
                AnyTensor<?> tensor = inputs.get(input);
                long[] shape = examples < 0 || isOne ? input.shape() : Rows.with(examples, input.shape());
                if (tensor.dataType() != input.fed() || !Arrays.equals(tensor.shape(), shape)) {
                    throw new IllegalArgumentException("input " + input + " is " + input.fed() + " of shape " + Arrays.toString(input.shape())
                        + (examples < 0 || isOne ? "" : " for each of " + examples + " examples") + "; given is " + tensor.dataType() + " of shape "
                        + Arrays.toString(tensor.shape()));
                }
                TensorData<?> data = AnyData.of(tensor);
                StridedOperand operand = AnyData.operand(isOne ? (TensorData<?>) data.slice(TensorIndex.newAxis()) : data);
                operands.add(operand);
                int place = forward.program.inputs().indexOf(forward.given.get(input));
                if (place >= 0) {
                    call.input(place, operand);
                }
            }
            model.bind(call, forward.program.inputs());
            return isOne ? alone(run(call)) : run(call);
        } finally {
            operands.forEach(StridedOperand::close);
        }
    }

    @Override
    public void close() {
        if (row != null) {
            row.close();
        }
        if (chunk != null) {
            chunk.close();
        }
    }
}
