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
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongToDoubleFunction;

/** The training of a model by a rule, step by step. Steps are serialised; each holds the model for its native call alone. */
public final class Descent {
    /** A batch is written by another thread if a step, and the writing, took as many nanoseconds last time. */
    private static final long WORTHWHILE = 50_000;

    /** The model. */
    public final Model model;
    /** The numbers of the rule. */
    public final Settings settings;
    private Rule rule;
    private boolean isChecked;
    /** How many steps have changed parameters. */
    private volatile long steps;
    private final Map<Variable, Map<String, Cell>> memories = new LinkedHashMap<>();
    /** Room for a block of random numbers. */
    private final int[] words = new int[Noise.WORDS];
    /** The gradients, if the rule is to make them. */
    private final Map<Variable, Cell> slopes = new LinkedHashMap<>();
    /** The step by gradients that are given; null before the first. */
    private Bound applied;
    /** Its program; null if it is to be made. */
    private StepProgram given;
    private final Feeder feeder = new Feeder();
    private Feed front;
    private Feed back;
    private boolean isAhead;
    private long fillNanos;
    private long runNanos;
    private Step step;
    private volatile Thread filling;
    /** Held by each call. */
    final Turn turn = new Turn();

    /** A new one. */
    public Descent(Model model, Rule rule, Settings settings) {
        model.alone(() -> {
            model.check();
            return null;
        });
        if (model.graph.sequence() != null) {
            throw new IllegalArgumentException("the graph has " + model.graph.sequence()
                + ", a sequence or dictionary: a graph with such is run, but not trained");
        }
        Slopes.check(model.graph);
        if (model.graph.sources(Collections.singletonList(model.graph.loss)).stream().noneMatch(Variable::isParameter)) {
            throw new IllegalArgumentException("the loss " + model.graph.loss + " depends on no parameter: there is nothing to train");
        }
        this.model = model;
        this.rule = rule;
        this.settings = settings;
    }

    /** Changes the rule, for the next step. */
    public void rule(Rule other) {
        enter();
        try {
            if (rule != other) {
                rule = other;
                step = null;
                given = null;
            }
        } finally {
            turn.leave();
        }
    }

    /** Begins what one thread at a time does; {@link #turn} is left after it. */
    void enter() {
        checkOutsideOfBinders();
        turn.enter();
    }

    /** A step waits for the binders that write the next batch: they cannot wait for it. */
    private void checkOutsideOfBinders() {
        if (feeder.isInside() || filling == Thread.currentThread() || model.binders.isMine()) {
            throw new IllegalStateException("a binder is called within a step or an evaluation: it cannot make a step of the same graph, nor change,"
                + " save or load its training");
        }
    }

    /** The rule. */
    public Rule rule() {
        return rule;
    }

    /** Changes settings of which the program is made, for the next step. */
    public void change(Consumer<Settings> how) {
        enter();
        try {
            how.accept(settings);
            step = null;
            given = null;
        } finally {
            turn.leave();
        }
    }

    /** The rate of the next step. */
    public double rate() {
        LongToDoubleFunction schedule = settings.schedule;
        if (schedule == null) {
            return settings.rate;
        }
        double rate = schedule.applyAsDouble(steps);
        if (!(rate >= 0 && rate < Double.POSITIVE_INFINITY)) {
            throw new IllegalStateException("the schedule gives " + rate + " after " + steps + " steps: a rate is a number from 0 on");
        }
        return rate;
    }

    /** Has steps fail, before they change anything, if the loss or a parameter would not be finite. */
    public void checkFinite() {
        enter();
        try {
            if (!isChecked) {
                isChecked = true;
                step = null;
                given = null;
            }
        } finally {
            turn.leave();
        }
    }

    /** The program of steps with feeds from one minibatch, and calls of it by the number of examples. */
    private final class Step {
        final boolean isColumnar;
        /** Whether it runs over ragged or sparse tensors. */
        final boolean isStored;
        final StepProgram training;
        final Map<Integer, Bound> calls = new TreeMap<>();
        private Bound last;
        private long height = -1;
        private boolean isPrepared;

        Step(boolean isColumnar, boolean isStored) {
            this.isColumnar = isColumnar;
            this.isStored = isStored;
            training = new StepProgram(model.graph, rule, settings, isColumnar, isChecked);
        }

        /** Makes what the rule remembers; but once, as a step makes no object. */
        void prepare() {
            if (!isPrepared) {
                remember(training.trained);
                isPrepared = true;
            }
        }

        Bound bound(int count, long rows) {
            if (rows == height && last != null && last.count == count) {
                return last;                // a number in a map is an object
            }
            if (rows != height) {
                calls.clear();
                height = rows;
            }
            last = calls.get(count);
            if (last == null) {
                last = new Bound(training, count, rows, isStored);
                calls.put(count, last);
            }
            return last;
        }
    }

    /** A call with where its inputs and outputs are, in arrays, so that a step makes no object. */
    private final class Bound {
        final Slots slots;
        /** The same if all tensors are dense, else null. */
        final Call call;
        final StoredCall stored;
        final Variable[] inputs;
        final int[] places;
        final String[] columnNames;
        final int rows;
        final Cell[] cells;
        final int[] cellPlaces;
        final Cell[] written;
        final String[] numbers;
        final int[] numberPlaces;
        /** Which numbers are rates, and the factor of each. */
        final boolean[] isRate;
        final double[] factors;
        final Noise[] noises;
        final int[] noisePlaces;
        final WritableTensor[] noiseMemory;
        final ByteBuffer[][] noiseBytes;
        final WritableTensor[] results;
        final TensorData<?>[] values;
        final int count;
        /** The loss of gradients that are given. */
        double givenLoss;

        Bound(StepProgram training, int count, long height, boolean isStored) {
            this.count = count;
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
            training.memories.forEach((variable, own) -> own.forEach((memory, name) -> remembered.put(name, memories.get(variable).get(memory))));
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
            columnNames = new String[inputs.length];
            for (int n = 0; n < inputs.length; n++) {
                columnNames[n] = given.get(inputs[n]);
                places[n] = numbered.get(columnNames[n]);
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
                outputs.add(rule == Rule.GRADIENTS ? slopes.computeIfAbsent(variable, of -> model.own(new Cell(of.type, of.shape())))
                    : model.cell(variable));
                for (String memory : rule.memories) {
                    outputs.add(memories.get(variable).get(memory));
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
            settings.factors.forEach((variable, factor) -> {
                int n = used.indexOf("rate " + variable.id);
                if (n >= 0) {
                    factors[n] = factor;
                }
            });
            results = new WritableTensor[isChecked ? 2 : 1];
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
                    noises[n].fill(noiseBytes[n], settings.seed, steps, words);
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
                        made.add(noises[n].ragged(Lengths.of(inputs, operands, count), count, settings.seed, steps, words));
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
            double rate = rate();
            for (int n = 0; n < numbers.length; n++) {
                slots.number(numberPlaces[n], isRate[n] ? rate * factors[n] : numbers[n].equals("examples") ? count
                    : numbers[n].equals("loss") ? givenLoss : Rule.number(numbers[n], settings, steps + 1));
            }
        }

        /** Makes what was computed the current elements. */
        private double commit() {
            double loss = Elements.get(values[0]);
            if (isChecked && ((LongTensorData) values[1]).get() != 0) {
                throw new IllegalStateException("step " + steps + " is not finite: the loss is " + loss
                    + (Double.isNaN(loss) || Double.isInfinite(loss) ? "" : ", but a parameter after it would not be finite")
                    + "; nothing was changed");
            }
            for (Cell cell : written) {
                cell.advance();
            }
            steps++;
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

    /** The cells of what the rule remembers; made as they are needed. */
    private void remember(List<Variable> trained) {
        for (Variable variable : trained) {
            Map<String, Cell> own = memories.computeIfAbsent(variable, v -> new TreeMap<>());
            for (String memory : rule.memories) {
                if (!own.containsKey(memory)) {
                    own.put(memory, model.own(new Cell(variable.type, variable.shape())));
                }
            }
        }
    }

    /** The result of a step. */
    public static final class Outcome {
        /** The mean loss before the update. */
        public double loss;
        /** How many examples. */
        public int examples;
        /** Whether the batch was the last of its epoch. */
        public boolean isLast;
    }

    /**
     * One step.
     *
     * @param batches where the next batch is from
     * @param outcome what is told besides, or null
     * @return the mean loss before the update
     */
    public double step(Batches batches, Outcome outcome) {
        enter();
        try {
            return next(batches, outcome);
        } finally {
            turn.leave();
        }
    }

    private double next(Batches batches, Outcome outcome) {
        awaitAhead();               // without the model: the binders that are at work may need it
        model.turn.enter();
        try {
            model.check();
            prepare(batches);
        } finally {
            model.turn.leave();
        }
        Feed feed = filled(batches);
        if (back != null && feed.capacity() > 0) {
            back.reserve(feed.capacity());
        }
        batches.advance();
        if (outcome != null) {
            outcome.examples = feed.count();
            outcome.isLast = feed.isLast();
        }
        feed.take();
        // Who is told of epochs sees each begin before its first batch is written.
        boolean isBetweenEpochs = outcome != null && feed.isLast();
        boolean ahead = !isBetweenEpochs && !step.isColumnar && runNanos > WORTHWHILE && fillNanos > WORTHWHILE / 4;
        if (ahead) {
            isAhead = true;
            feeder.begin(back.fill(batches.position()));
        }
        double loss;
        long start = System.nanoTime();
        model.turn.enter();
        try {
            model.check();
            step.prepare();
            long height = step.isColumnar ? batches.order().length : 0;
            loss = step.bound(feed.count(), height).run(feed);
        } finally {
            model.turn.leave();
        }
        runNanos = System.nanoTime() - start;
        if (ahead) {
            Feed former = front;
            front = back;
            back = former;
        }
        if (outcome != null) {
            outcome.loss = loss;
        }
        return loss;
    }

    /** Makes the program and the memory for the batches of a minibatch. */
    private void prepare(Batches batches) {
        if (front != null && front.batches == batches && step != null) {
            return;
        }
        boolean isStored = model.graph.isStored || batches.isStored();
        boolean isColumnar = batches.isInPlace() && !isStored;
        if (step == null || step.isColumnar != isColumnar || step.isStored != isStored) {
            step = new Step(isColumnar, isStored);
        }
        if (front != null && front.batches == batches) {
            return;
        }
        if (batches.order() != null) {
            Columns.check(step.training.forward, batches.columns());
        }
        closeFeeds();
        List<Variable> inputs = new ArrayList<>(step.training.forward.given.keySet());
        front = model.own(new Feed(batches, isColumnar, inputs, model.binders));
        back = isColumnar ? null : model.own(new Feed(batches, false, inputs, model.binders));
    }

    private void awaitAhead() {
        if (isAhead) {
            Turn.await(feeder);
            isAhead = false;
        }
    }

    private void closeFeeds() {
        if (front != null) {
            model.close(front);
        }
        if (back != null) {
            model.close(back);
        }
    }

    /** The next batch: as it was written ahead, or written now. */
    private Feed filled(Batches batches) {
        long next = batches.position();
        if (!front.has(batches, next)) {
            long start = System.nanoTime();
            filling = Thread.currentThread();
            try {
                front.fill(next).run();
            } finally {
                filling = null;
            }
            fillNanos = System.nanoTime() - start;
        }
        return front;
    }

    /** One step by gradients that are given, by the numbers of parameters, as {@link #of} makes them. */
    public void apply(Map<Integer, Tensor<?>> gradients, double loss) {
        enter();
        try {
            awaitAhead();
            model.alone(() -> {
                model.check();
                if (given == null) {
                    given = new StepProgram(model.graph, rule, settings, isChecked);
                    remember(given.trained);
                    applied = new Bound(given, 1, -1, false);
                }
                check(gradients, given);
                applied.apply(gradients, loss, given);
                return null;
            });
        } finally {
            turn.leave();
        }
    }

    private static void check(Map<Integer, Tensor<?>> gradients, StepProgram program) {
        for (Variable variable : program.trained) {
            Tensor<?> one = gradients.get(variable.id);
            if (one == null) {
                throw new IllegalArgumentException("there is no gradient of " + variable + " among those of " + gradients.keySet());
            }
            if (one.dataType() != variable.type || !Arrays.equals(one.shape(), variable.shape())) {
                throw new IllegalArgumentException("the gradient of " + variable + " is " + one.dataType() + " of shape "
                    + Arrays.toString(one.shape()) + "; the parameter is " + variable.type + " of shape " + Arrays.toString(variable.shape()));
            }
        }
    }

    /**
     * The gradients of the next batch, by a descent whose rule makes them; states are updated.
     *
     * @param outcome receives the loss and the number of examples
     * @param gradients receives copies by the numbers of parameters, which the caller closes
     */
    void of(Batches batches, Outcome outcome, Map<Integer, Tensor<?>> gradients) {
        enter();
        try {
            steps = batches.position();         // what is random depends on it
            next(batches, outcome);
            try {
                model.alone(() -> {
                    model.check();
                    step.training.trained.forEach(variable -> gradients.put(variable.id, slopes.get(variable).now().snapshot()));
                    return null;
                });
            } catch (Throwable e) {
                gradients.values().forEach(Tensor::close);
                throw e;
            }
        } finally {
            turn.leave();
        }
    }

    /** How many steps there were. */
    public long steps() {
        return steps;
    }

    /** What is remembered, by parameter and the ending of its key; there for each parameter on which the loss depends, frozen or not. */
    Map<Variable, Map<String, Cell>> memories() {
        if (step == null) {
            step = new Step(false, model.graph.isStored);
        }
        remember(step.training.parameters);
        Map<Variable, Map<String, Cell>> current = new LinkedHashMap<>();
        for (Variable variable : step.training.parameters) {
            Map<String, Cell> own = new TreeMap<>(memories.get(variable));
            own.keySet().retainAll(rule.memories);
            current.put(variable, own);
        }
        return current;
    }

    /** Goes on from so many steps. */
    void resume(long from) {
        steps = from;
    }

}
