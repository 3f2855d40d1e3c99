package io.tensornio.internal.graph;

import io.tensornio.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
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
    /** The gradients, if the rule is to make them. */
    private final Map<Variable, Cell> slopes = new LinkedHashMap<>();
    /** The step by gradients that are given; null before the first. */
    private BoundStep applied;
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
        final Map<Integer, BoundStep> calls = new TreeMap<>();
        private BoundStep last;
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

        BoundStep bound(int count, long rows) {
            if (rows == height && last != null && last.count == count) {
                return last;                // a number in a map is an object
            }
            if (rows != height) {
                calls.clear();
                height = rows;
            }
            last = calls.get(count);
            if (last == null) {
                last = new BoundStep(Descent.this, training, count, rows, isStored);
                calls.put(count, last);
            }
            return last;
        }
    }

    /** Whether steps fail that are not finite. */
    boolean isChecked() {
        return isChecked;
    }

    /** What the rule remembers of a parameter, by the ending of its key. */
    Cell memory(Variable variable, String ending) {
        return memories.get(variable).get(ending);
    }

    /** The gradient of a parameter, by a rule that makes them. */
    Cell slope(Variable variable) {
        return slopes.computeIfAbsent(variable, of -> model.own(new Cell(of.type, of.shape())));
    }

    /** Counts a step that has changed parameters. */
    void advance() {
        steps++;
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
                    applied = new BoundStep(this, given, 1, -1, false);
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
