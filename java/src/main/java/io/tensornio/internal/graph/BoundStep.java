package io.tensornio.internal.graph;

import io.tensornio.DataType;
import io.tensornio.LongTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.compute.Call;
import io.tensornio.internal.compute.Slots;
import io.tensornio.internal.compute.StoredCall;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.StridedOperand;
import io.tensornio.internal.data.WritableTensor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A step of a training for batches of one size: a call with where its inputs and outputs are, in arrays, so that a step makes no object. */
final class BoundStep {
    private final Descent descent;
    /** Room for a block of random numbers. */
    private final int[] words = new int[Noise.WORDS];
    private final Slots slots;
    /** The same if all tensors are dense, else null. */
    private final Call call;
    private final StoredCall stored;
    private final Variable[] inputs;
    private final int[] places;
    private final int rows;
    private final Cell[] cells;
    private final int[] cellPlaces;
    private final Cell[] written;
    private final String[] numbers;
    private final int[] numberPlaces;
    /** Which numbers are rates, and the factor of each. */
    private final boolean[] isRate;
    private final double[] factors;
    private final Noise[] noises;
    private final int[] noisePlaces;
    private final WritableTensor[] noiseMemory;
    private final ByteBuffer[][] noiseBytes;
    private final WritableTensor[] results;
    private final TensorData<?>[] values;
    /** How many examples. */
    final int count;
    /** The loss of gradients that are given. */
    private double givenLoss;

    BoundStep(Descent descent, StepProgram training, int count, long height, boolean isStored) {
        this.descent = descent;
        this.count = count;
        Model model = descent.model;
        Rule rule = descent.rule();
        List<DataType> types = new ArrayList<>();
        List<long[]> shapes = new ArrayList<>();
        if (!isStored) {
            training.signature(model.graph, count, height, types, shapes);
        }
        call = isStored ? null : new Call(training.program, types, shapes);
        stored = isStored ? new StoredCall(training.program) : null;
        slots = isStored ? stored : call;
        List<String> names = training.program.inputs();
        Map<String, Integer> numbered = new HashMap<>();
        names.forEach(name -> numbered.put(name, numbered.size()));
        Map<String, Cell> remembered = new HashMap<>();
        training.memories.forEach((variable, own) -> own.forEach((memory, name) -> remembered.put(name, descent.memory(variable, memory))));
        boolean isColumnar = training.rows != null;
        Map<Variable, String> given = isColumnar ? training.columns : training.forward.given;
        List<Variable> fed = new ArrayList<>();
        for (Variable input : given.keySet()) {
            if (numbered.containsKey(given.get(input))) {
                fed.add(input);
            }
        }
        inputs = fed.toArray(new Variable[0]);
        places = new int[inputs.length];
        for (int n = 0; n < inputs.length; n++) {
            places[n] = numbered.get(given.get(inputs[n]));
        }
        rows = isColumnar ? numbered.get(training.rows) : -1;
        List<Cell> read = new ArrayList<>();
        List<Integer> at = new ArrayList<>();
        for (int n = 0; n < names.size(); n++) {
            Variable variable = model.graph.named(names.get(n));
            Cell cell = variable == null ? remembered.get(names.get(n)) : model.cell(variable);
            if (cell != null) {
                read.add(cell);
                at.add(n);
            }
        }
        for (int n = 0; isStored && n < names.size(); n++) {
            Variable variable = model.graph.named(names.get(n));
            if (variable != null && variable.isStored()) {
                stored.input(n, model.operand(variable));
            }
        }
        cells = read.toArray(new Cell[0]);
        cellPlaces = at.stream().mapToInt(Integer::intValue).toArray();
        List<Cell> outputs = new ArrayList<>();
        for (Variable variable : training.trained) {
            outputs.add(rule == Rule.GRADIENTS ? descent.slope(variable) : model.cell(variable));
            for (String memory : rule.memories) {
                outputs.add(descent.memory(variable, memory));
            }
        }
        if (training.slopes.isEmpty()) {
            training.forward.states.keySet().forEach(state -> outputs.add(model.cell(state)));
        }
        written = outputs.toArray(new Cell[0]);
        List<String> noisy = new ArrayList<>(training.forward.noises.keySet());
        noisy.retainAll(numbered.keySet());
        noises = noisy.stream().map(training.forward.noises::get).toArray(Noise[]::new);
        noisePlaces = noisy.stream().mapToInt(numbered::get).toArray();
        noiseMemory = new WritableTensor[noises.length];
        noiseBytes = new ByteBuffer[noises.length][];
        for (int n = 0; n < noises.length; n++) {
            if (noises[n].like.isVarying()) {
                continue;                           // it is as long as each batch
            }
            noiseMemory[n] = model.own(WritableTensor.allocate(DataType.BOOL, Rows.with(count, noises[n].like.shape())));
            noiseBytes[n] = noiseMemory[n].bytes();
            slots.input(noisePlaces[n], noiseMemory[n], 0);
        }
        List<String> used = new ArrayList<>();
        List<Integer> usedAt = new ArrayList<>();
        training.numbers.forEach((number, name) -> {
            if (numbered.containsKey(name)) {
                used.add(number);
                usedAt.add(numbered.get(name));
            }
        });
        numbers = used.toArray(new String[0]);
        numberPlaces = usedAt.stream().mapToInt(Integer::intValue).toArray();
        factors = new double[numbers.length];
        isRate = new boolean[numbers.length];
        for (int n = 0; n < numbers.length; n++) {
            isRate[n] = numbers[n].startsWith("rate");
            factors[n] = numbers[n].equals("rate") ? 1 : 0;
        }
        descent.settings.factors.forEach((variable, factor) -> {
            int n = used.indexOf("rate " + variable.id);
            if (n >= 0) {
                factors[n] = factor;
            }
        });
        results = new WritableTensor[descent.isChecked() ? 2 : 1];
        values = new TensorData<?>[results.length];
        for (int n = 0; n < results.length; n++) {
            int output = n == 0 ? 0 : training.program.outputs().size() - 1;
            DataType type = n == 0 ? model.graph.loss.type : DataType.INT64;
            results[n] = model.own(WritableTensor.allocate(isStored ? type : call.type(output), isStored ? new long[0] : call.shape(output)));
            values[n] = results[n].data();
            slots.output(output, results[n], 0);
        }
    }

    double run(Feed feed) {
        for (int n = 0; n < noises.length; n++) {
            if (noiseMemory[n] != null) {
                noises[n].fill(noiseBytes[n], descent.settings.seed, descent.steps(), words);
            }
        }
        locate();
        if (stored != null) {
            runStored(feed);
        } else if (rows < 0) {
            for (int n = 0; n < inputs.length; n++) {
                call.input(places[n], feed.memory(inputs[n]), 0);
            }
            call.run();
        } else {
            runOnColumns(feed);
        }
        return commit();
    }

    private void runStored(Feed feed) {
        Object[] operands = new Object[inputs.length];
        for (int n = 0; n < inputs.length; n++) {
            operands[n] = feed.operand(inputs[n]);
            stored.input(places[n], operands[n]);
        }
        List<RaggedTensor<?>> made = new ArrayList<>();
        try {
            for (int n = 0; n < noises.length; n++) {
                if (noiseMemory[n] == null) {
                    made.add(noises[n].ragged(Lengths.of(inputs, operands, count), count, descent.settings.seed, descent.steps(), words));
                    stored.input(noisePlaces[n], made.get(made.size() - 1));
                }
            }
            stored.run();
        } finally {
            made.forEach(RaggedTensor::close);
        }
    }

    /** Sets where parameters are, and the numbers. */
    private void locate() {
        for (int n = 0; n < cells.length; n++) {
            slots.input(cellPlaces[n], cells[n].now(), 0);
        }
        for (int n = 0; n < written.length; n++) {
            slots.output(n + 1, written[n].next(), 0);
        }
        double rate = descent.rate();
        for (int n = 0; n < numbers.length; n++) {
            slots.number(numberPlaces[n], isRate[n] ? rate * factors[n] : numbers[n].equals("examples") ? count
                : numbers[n].equals("loss") ? givenLoss : Rule.number(numbers[n], descent.settings, descent.steps() + 1));
        }
    }

    /** Makes what was computed the current elements. */
    private double commit() {
        double loss = Elements.get(values[0]);
        if (values.length > 1 && ((LongTensorData) values[1]).get() != 0) {
            throw new IllegalStateException("step " + descent.steps() + " is not finite: the loss is " + loss
                + (Double.isNaN(loss) || Double.isInfinite(loss) ? "" : ", but a parameter after it would not be finite")
                + "; nothing was changed");
        }
        for (Cell cell : written) {
            cell.advance();
        }
        descent.advance();
        return loss;
    }

    /** A step by gradients that are given. */
    void apply(Map<Integer, Tensor<?>> gradients, double loss, StepProgram training) {
        givenLoss = loss;
        locate();
        List<StridedOperand> operands = new ArrayList<>();
        try {
            for (Map.Entry<Variable, String> slope : training.slopes.entrySet()) {
                int place = training.program.inputs().indexOf(slope.getValue());
                if (place >= 0) {
                    StridedOperand operand = AnyData.operand(AnyData.of(gradients.get(slope.getKey().id)));
                    operands.add(operand);
                    call.input(place, operand);
                }
            }
            call.run();
        } finally {
            operands.forEach(StridedOperand::close);
        }
        commit();
    }

    private void runOnColumns(Feed feed) {
        int pinned = 0;
        try {
            for (; pinned < inputs.length; pinned++) {
                StridedOperand column = feed.batches.column(inputs[pinned]);
                column.pin();
                call.input(places[pinned], column);
            }
            call.input(rows, feed.numbers(), 0);
            call.run();
        } finally {
            while (--pinned >= 0) {
                feed.batches.column(inputs[pinned]).close();
            }
        }
    }
}
