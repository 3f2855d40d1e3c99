package io.tensornio.internal.graph;

import io.tensornio.AnyTensor;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.StoredOperand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The evaluation of tensors that depend on ragged or sparse ones: the rows and positions of these are known as a program runs. */
final class StoredEvaluation extends Evaluation {
    StoredEvaluation(Model model, Forward single) {
        super(model, single);
    }

    /** Runs a program with inputs that are data or tensors. */
    private AnyTensor<?>[] run(Forward forward, Map<Variable, ?> inputs) {
        model.check();                      // a binder may have closed it
        Map<String, Object> named = new HashMap<>();
        inputs.forEach((input, given) -> named.put(forward.given.get(input), given));
        List<Object> operands = new ArrayList<>();
        for (String name : forward.program.inputs()) {
            operands.add(named.containsKey(name) ? named.get(name) : model.operand(model.graph.named(name)));
        }
        return forward.program.runAny(operands.toArray());
    }

    @Override
    AnyTensor<?>[] one(Object example) {
        if (single.isWhole && !single.given.isEmpty()) {
            return alone(all(Collections.singletonList(example)));
        }
        checkOutsideOfBinders();
        List<AnyTensor<?>> made = new ArrayList<>();
        try (Rows row = new Rows(new ArrayList<>(single.given.keySet()), 1)) {
            fill(row, Collections.singletonList(example), 0, 1);
            Map<Variable, Object> inputs = new HashMap<>();
            for (Variable input : row.inputs) {
                Object batch = row.operand(input, 1);
                TensorData<?> one = (TensorData<?>) (batch instanceof AnyTensor ? AnyData.of((AnyTensor<?>) batch) : (TensorData<?>) batch).slice(0);
                if (Lengths.isRagged(one.shape())) {
                    AnyTensor<?> dense = one.copy();        // of equal rows, as was checked
                    made.add(dense);
                    inputs.put(input, dense);
                } else {
                    inputs.put(input, one);
                }
            }
            return run(single, inputs);
        } finally {
            made.forEach(AnyTensor::close);
        }
    }

    @Override
    AnyTensor<?>[] all(int count, Source source) {
        return all(Collections.emptyMap(), count, source);
    }

    private AnyTensor<?>[] all(Map<Variable, TensorData<?>> columns, int count, Source source) {
        checkOutsideOfBinders();
        Forward forward = many();
        if (forward.given.isEmpty()) {
            return one(null);
        }
        try (Rows rows = new Rows(new ArrayList<>(forward.given.keySet()), count, columns)) {
            source.write(rows, 0, count);
            return run(forward, operands(rows, count));
        }
    }

    private static Map<Variable, Object> operands(Rows rows, int count) {
        Map<Variable, Object> operands = new HashMap<>();
        rows.inputs.forEach(input -> operands.put(input, rows.operand(input, count)));
        return operands;
    }

    @Override
    AnyTensor<?>[] all(Map<Variable, TensorData<?>> columns, int rows) {
        Columns.check(many(), columns);
        return all(columns, rows, (to, from, count) -> to.copy(columns, from, count));
    }

    @Override
    AnyTensor<?>[] batch(Batches batches, int count) {
        if (batches.order() != null) {
            Columns.check(many(), batches.columns());
        }
        return all(batches.columns(), count, (to, from, examples) -> {
            if (batches.order() == null) {
                fill(to, batches.examples(), batches.from(), examples);
            } else {
                to.copy(batches.columns(), batches.order(), batches.from(), examples);
            }
        });
    }

    @Override
    AnyTensor<?>[] of(Map<Variable, AnyTensor<?>> inputs, boolean isBatch) {
        Forward forward = isBatch ? many() : single;
        boolean isOne = !isBatch && single.isWhole && !forward.given.isEmpty();
        Map<Variable, Object> operands = new HashMap<>();
        long examples = -1;
        for (Variable input : forward.given.keySet()) {
            AnyTensor<?> tensor = inputs.get(input);
            long[] shape = tensor.shape();
            boolean fits = isBatch ? Columns.fits(input, shape) : Columns.fitsOne(input, shape) && !Lengths.isRagged(shape);
            examples = isBatch && examples < 0 ? shape[0] : examples;
            if (tensor.dataType() != input.fed() || !fits) {
                throw new IllegalArgumentException("input " + input + " is " + input.fed() + " of shape " + Arrays.toString(input.shape())
                    + (isBatch ? " for each of " + examples + " examples" : "") + "; given is " + tensor.dataType() + " of shape "
                    + Arrays.toString(shape));
            }
            TensorData<?> data = AnyData.of(tensor);
            operands.put(input, isOne ? (TensorData<?>) data.slice(TensorIndex.newAxis()) : StoredOperand.is(tensor) ? tensor : data);
        }
        if (isBatch) {
            List<Variable> all = new ArrayList<>(operands.keySet());
            Lengths.check(all, all.stream().map(operands::get).toArray(), (int) Math.max(examples, 0));
        } else if (!isOne) {
            Lengths.checkOne(operands);
        }
        AnyTensor<?>[] made = run(forward, operands);
        return isOne ? alone(made) : made;
    }
}
