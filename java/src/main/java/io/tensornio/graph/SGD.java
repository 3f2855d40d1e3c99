package io.tensornio.graph;

import io.tensornio.internal.graph.Checkpoints;
import io.tensornio.internal.graph.Descent;
import io.tensornio.internal.graph.Rule;
import io.tensornio.internal.graph.Settings;
import io.tensornio.internal.graph.Variable;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongToDoubleFunction;

/**
 * Stochastic gradient descent: steps that change the parameters of a compute graph so that its loss becomes small. Each is one native call: forward,
 * backward and update. A step that fails changes no parameter and nothing that is remembered; its batch is consumed.
 *
 * <pre>{@code
 * SGD descent = SGD.adam(cg).rate(.002);
 * double[] losses = descent.train(Minibatch.of(examples, 64, 1), 10, (epoch, step, loss) -> { });
 * }</pre>
 *
 * <p>It is not closed: what it remembers is closed with its compute graph. Any number of threads may use it; steps are serialised.
 */
public final class SGD {
    final Descent descent;
    private final ComputeGraph cg;

    private SGD(ComputeGraph cg, Rule rule, double rate) {
        this.cg = Objects.requireNonNull(cg, "cg");
        descent = new Descent(cg.model, rule, new Settings(rate));
    }

    /**
     * Plain descent, {@code w - rate g}, of rate .01; with {@link #momentum} {@code v = momentum v + g} and {@code w - rate v}.
     *
     * @param cg what is trained
     * @return a new descent
     * @throws IllegalStateException if it is closed
     * @throws IllegalArgumentException if its loss is neither FLOAT nor DOUBLE, or depends on no parameter
     */
    public static SGD of(ComputeGraph cg) {
        return new SGD(cg, Rule.PLAIN, .01);
    }

    /**
     * RMSProp (Hinton: Neural networks for machine learning, lecture 6, 2012): {@code v = rho v + (1 - rho) g^2} and
     * {@code w - rate g / (sqrt(v) + epsilon)}, of rate .001, rho .9 and epsilon 1e-8.
     *
     * @param cg what is trained
     * @return a new descent
     * @throws IllegalStateException if it is closed
     * @throws IllegalArgumentException if its loss is neither FLOAT nor DOUBLE, or depends on no parameter
     */
    public static SGD rmsProp(ComputeGraph cg) {
        return new SGD(cg, Rule.RMS_PROP, .001);
    }

    /**
     * Adam (Kingma, Ba: Adam, a method for stochastic optimization, 2015), of rate .001, beta1 .9, beta2 .999 and epsilon 1e-8.
     *
     * @param cg what is trained
     * @return a new descent
     * @throws IllegalStateException if it is closed
     * @throws IllegalArgumentException if its loss is neither FLOAT nor DOUBLE, or depends on no parameter
     */
    public static SGD adam(ComputeGraph cg) {
        return new SGD(cg, Rule.ADAM, .001);
    }

    /**
     * Descent with Nesterov's momentum (Sutskever, Martens, Dahl, Hinton: On the importance of initialization and momentum in deep learning,
     * 2013): {@code v = momentum v + g} and {@code w - rate (g + momentum v)}, of rate .01 and momentum .9.
     *
     * @param cg what is trained
     * @return a new descent
     * @throws IllegalStateException if it is closed
     * @throws IllegalArgumentException if its loss is neither FLOAT nor DOUBLE, or depends on no parameter
     */
    public static SGD nesterov(ComputeGraph cg) {
        SGD made = new SGD(cg, Rule.NESTEROV, .01);
        made.descent.settings.momentum = .9;
        return made;
    }

    /**
     * Adagrad (Duchi, Hazan, Singer: Adaptive subgradient methods, 2011): {@code v = v + g^2} and {@code w - rate g / (sqrt(v) + epsilon)}, of
     * rate .01 and epsilon 1e-10.
     *
     * @param cg what is trained
     * @return a new descent
     * @throws IllegalStateException if it is closed
     * @throws IllegalArgumentException if its loss is neither FLOAT nor DOUBLE, or depends on no parameter
     */
    public static SGD adagrad(ComputeGraph cg) {
        SGD made = new SGD(cg, Rule.ADAGRAD, .01);
        made.descent.settings.epsilon = 1e-10;
        return made;
    }

    /**
     * AdamW (Loshchilov, Hutter: Decoupled weight decay regularization, 2019): {@link #adam}, before whose step weights decay,
     * {@code w - rate decay w}, with a decay of .01, see {@link #weightDecay}.
     *
     * @param cg what is trained
     * @return a new descent
     * @throws IllegalStateException if it is closed
     * @throws IllegalArgumentException if its loss is neither FLOAT nor DOUBLE, or depends on no parameter
     */
    public static SGD adamW(ComputeGraph cg) {
        return new SGD(cg, Rule.ADAM_W, .001).weightDecay(.01);
    }

    private static double checked(String name, double value) {
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(name + " is to be a number from 0 on, not " + value);
        }
        return value;
    }

    private static double fraction(String name, double value) {
        if (!(value >= 0 && value < 1)) {
            throw new IllegalArgumentException(name + " is to be a number from 0 on, less than 1, not " + value);
        }
        return value;
    }

    private void only(String name, boolean isThere) {
        if (!isThere) {
            throw new IllegalStateException(descent.rule() + " has no " + name);
        }
    }

    private boolean isAdam() {
        return descent.rule() == Rule.ADAM || descent.rule() == Rule.ADAM_W;
    }

    /**
     * Sets how far each step goes: the learning rate.
     *
     * @param value the number
     * @return this
     * @throws IllegalArgumentException if it is negative or not finite
     */
    public SGD rate(double value) {
        descent.settings.rate = checked("rate", value);
        descent.settings.schedule = null;
        return this;
    }

    /**
     * Has the rate of each step depend on {@link #steps()} before it.
     *
     * @param schedule gives the rate, such as {@link Schedule#cosine}. If it gives something negative or not finite, the step is an
     *     {@code IllegalStateException}
     * @return this
     */
    public SGD rate(LongToDoubleFunction schedule) {
        descent.settings.schedule = Objects.requireNonNull(schedule, "schedule");
        return this;
    }

    /**
     * The rate of the next step.
     *
     * @return the number
     * @throws IllegalStateException if a schedule gives something negative or not finite
     */
    public double currentRate() {
        return descent.rate();
    }

    /**
     * Clips each element of gradients to {@code -limit ... limit}, before all else.
     *
     * @param limit the number; infinity does not clip
     * @return this
     * @throws IllegalArgumentException if it is not positive
     */
    public SGD clipValue(double limit) {
        double value = limit("clipValue", limit);
        descent.change(settings -> settings.clipValue = value);
        return this;
    }

    /**
     * Scales all gradients of a step down to a norm, the root of the sum of all their squares, if it is larger (Pascanu, Mikolov, Bengio: On the
     * difficulty of training recurrent neural networks, 2013). It comes after {@link #clipValue}; parameters that are frozen do not count.
     *
     * @param max the largest norm; infinity does not clip
     * @return this
     * @throws IllegalArgumentException if it is not positive
     */
    public SGD clipNorm(double max) {
        double value = limit("clipNorm", max);
        descent.change(settings -> settings.clipNorm = value);
        return this;
    }

    private static double limit(String name, double value) {
        if (!(value > 0)) {
            throw new IllegalArgumentException(name + " is to be a positive number, not " + value);
        }
        return value;
    }

    /**
     * Has weights decay: {@code g + decay w} is taken for each gradient, after clipping; by {@link #adamW} {@code w - rate decay w} for each
     * parameter instead. Parameters of ranks 0 and 1, such as biases, do not decay, but by {@link #decayAll}.
     *
     * @param decay the number
     * @return this
     * @throws IllegalArgumentException if it is negative or not finite
     */
    public SGD weightDecay(double decay) {
        double value = checked("weightDecay", decay);
        descent.change(settings -> settings.decay = value);
        return this;
    }

    /**
     * Has parameters of all ranks decay, see {@link #weightDecay}.
     *
     * @return this
     */
    public SGD decayAll() {
        descent.change(settings -> settings.decaysAll = true);
        return this;
    }

    /**
     * Sets the seed of what is random in a step, see {@link Comprehensions#dropout}. It is 0 unless it is set, and checkpoints do not have it.
     *
     * @param value the seed
     * @return this
     */
    public SGD seed(long value) {
        descent.settings.seed = value;
        return this;
    }

    private Variable parameter(Sym sym) {
        Variable variable = cg.checked(sym);
        if (!cg.model.parameters().contains(variable)) {
            throw new IllegalArgumentException(sym + " is no parameter of this graph");
        }
        return variable;
    }

    /**
     * Multiplies the rate of one parameter.
     *
     * @param sym the parameter
     * @param factor the number by which the rate is multiplied
     * @return this
     * @throws IllegalArgumentException if it is no parameter of the graph, or the factor is negative or not finite
     */
    public SGD rateOf(Sym sym, double factor) {
        Variable variable = parameter(sym);
        double value = checked("rateOf " + sym, factor);
        descent.change(settings -> settings.factors.put(variable, value));
        return this;
    }

    /**
     * Keeps a parameter, and what is remembered of it, as they are, until {@link #unfreeze}.
     *
     * @param sym the parameter
     * @return this
     * @throws IllegalArgumentException if it is no parameter of the graph
     */
    public SGD freeze(Sym sym) {
        Variable variable = parameter(sym);
        descent.change(settings -> settings.frozen.add(variable));
        return this;
    }

    /**
     * Trains a parameter again.
     *
     * @param sym the parameter
     * @return this
     * @throws IllegalArgumentException if it is no parameter of the graph
     */
    public SGD unfreeze(Sym sym) {
        Variable variable = parameter(sym);
        descent.change(settings -> settings.frozen.remove(variable));
        return this;
    }

    /**
     * Sets the momentum: the part of the last update that is added to the next one.
     *
     * @param value the number
     * @return this
     * @throws IllegalArgumentException if it is negative, or 1 or more
     * @throws IllegalStateException if this is of another rule
     */
    public SGD momentum(double value) {
        only("momentum", descent.rule() == Rule.PLAIN || descent.rule() == Rule.MOMENTUM || descent.rule() == Rule.NESTEROV);
        descent.settings.momentum = fraction("momentum", value);
        if (value > 0 && descent.rule() == Rule.PLAIN) {
            descent.rule(Rule.MOMENTUM);
        }
        return this;
    }

    /**
     * Sets how much of the mean square of gradients is kept.
     *
     * @param value the number
     * @return this
     * @throws IllegalArgumentException if it is negative, or 1 or more
     * @throws IllegalStateException if this is of another rule
     */
    public SGD rho(double value) {
        only("rho", descent.rule() == Rule.RMS_PROP);
        descent.settings.rho = fraction("rho", value);
        return this;
    }

    /**
     * Sets how much of the mean of gradients is kept.
     *
     * @param value the number
     * @return this
     * @throws IllegalArgumentException if it is negative, or 1 or more
     * @throws IllegalStateException if this is of another rule
     */
    public SGD beta1(double value) {
        only("beta1", isAdam());
        descent.settings.beta1 = fraction("beta1", value);
        return this;
    }

    /**
     * Sets how much of the mean square of gradients is kept.
     *
     * @param value the number
     * @return this
     * @throws IllegalArgumentException if it is negative, or 1 or more
     * @throws IllegalStateException if this is of another rule
     */
    public SGD beta2(double value) {
        only("beta2", isAdam());
        descent.settings.beta2 = fraction("beta2", value);
        return this;
    }

    /**
     * Sets what is added to the divisor.
     *
     * @param value the number
     * @return this
     * @throws IllegalArgumentException if it is negative or not finite
     * @throws IllegalStateException if this is of another rule
     */
    public SGD epsilon(double value) {
        only("epsilon", descent.rule() == Rule.RMS_PROP || descent.rule() == Rule.ADAGRAD || isAdam());
        descent.settings.epsilon = checked("epsilon", value);
        return this;
    }

    /**
     * Has a step fail, before it changes anything, if its loss or a parameter after it would not be finite: an {@code IllegalStateException} that
     * names the step by {@link #steps()}.
     *
     * @return this
     */
    public SGD checkFinite() {
        descent.checkFinite();
        return this;
    }

    /**
     * One step on the next batch.
     *
     * @param minibatch where it is from
     * @return the mean loss of the batch, before the update
     * @throws IllegalArgumentException if there are no examples, or they do not fit the inputs
     * @throws IllegalStateException if the compute graph is closed, or by {@link #checkFinite}
     * @throws IndexOutOfBoundsException if a label or another look-up is outside
     */
    public double step(Minibatch minibatch) {
        cg.model.check();
        return descent.step(Objects.requireNonNull(minibatch, "minibatch").batches, null);
    }

    /**
     * One step by gradients that are there already: clipped, with decay and by the rate of the schedule, as any other step. Gradients of parameters
     * that are frozen are ignored; states stay as they are.
     *
     * @param gradients the gradients, of this compute graph or of another of the same network; they stay as they are
     * @throws IllegalArgumentException if there is none for a parameter, or its type or shape differs
     * @throws IllegalStateException if the compute graph is closed, or by {@link #checkFinite}
     */
    public void apply(Gradients gradients) {
        cg.model.check();
        descent.apply(Objects.requireNonNull(gradients, "gradients").all(), gradients.loss());
    }

    /**
     * Steps for whole epochs, or up to the end of the one that the minibatch is in and then whole ones.
     *
     * @param minibatch where batches are from
     * @param epochs how many
     * @param listener is told of each step
     * @return the mean loss of each epoch's examples, up to the one after which the listener does not keep going
     * @throws IllegalArgumentException as {@link #step}; or if the number of epochs is negative
     * @throws IllegalStateException as {@link #step}
     * @throws IndexOutOfBoundsException as {@link #step}
     */
    public double[] train(Minibatch minibatch, int epochs, ProgressListener listener) {
        cg.model.check();
        Objects.requireNonNull(minibatch, "minibatch");
        Objects.requireNonNull(listener, "listener");
        if (epochs < 0) {
            throw new IllegalArgumentException(epochs + " epochs");
        }
        double[] means = new double[Math.min(epochs, 1024)];        // it grows: who stops by an exception asks for very many epochs
        Descent.Outcome outcome = new Descent.Outcome();
        long step = 0;
        listener.begin(epochs, minibatch.batches.perEpoch());
        for (int epoch = 0; epoch < epochs; epoch++) {
            listener.beforeEpoch(epoch);
            double sum = 0;
            long examples = 0;
            do {
                descent.step(minibatch.batches, outcome);
                sum += outcome.loss * outcome.examples;
                examples += outcome.examples;
                listener.progress(epoch, step++, outcome.loss);
            } while (!outcome.isLast);
            if (epoch == means.length) {
                means = Arrays.copyOf(means, (int) Math.min(epochs, 2L * epoch));
            }
            means[epoch] = sum / examples;
            if (!listener.keepGoing()) {
                return Arrays.copyOf(means, epoch + 1);
            }
        }
        return means;
    }

    /**
     * What is trained.
     *
     * @return the compute graph
     */
    public ComputeGraph computeGraph() {
        return cg;
    }

    /**
     * Writes the parameters, what is remembered of them, and the number of steps, as safetensors. Neither rates nor the position of a minibatch are
     * written.
     *
     * @param file the file, which is replaced once the new one is complete
     * @throws java.io.UncheckedIOException if it cannot be written
     */
    public void save(Path file) {
        cg.model.check();
        Checkpoints.toFile(file, this::save);
    }

    /**
     * Writes what {@link #save(Path)} does.
     *
     * @param out where to; it is not closed
     * @throws java.io.UncheckedIOException if it cannot be written
     */
    public void save(OutputStream out) {
        cg.model.check();
        Checkpoints.save(descent, out);
    }

    /**
     * Reads what {@link #save(Path)} has written, all or nothing. The next step is the same, bit for bit, as it was then, if the minibatch
     * {@linkplain Minibatch#seek is there}, and the rates are the same.
     *
     * @param file a file of safetensors
     * @throws IllegalArgumentException if it is none, has not just these tensors, or is of another rule
     * @throws java.io.UncheckedIOException if it ends too early, or cannot be read
     */
    public void load(Path file) {
        cg.model.check();
        Checkpoints.fromFile(file, this::load);
    }

    /**
     * Reads what {@link #save(Path)} has written, see {@link #load(Path)}.
     *
     * @param in where from, up to its end; it is not closed
     * @throws IllegalArgumentException as above
     * @throws java.io.UncheckedIOException as above
     */
    public void load(InputStream in) {
        cg.model.check();
        Checkpoints.load(descent, in);
    }

    /**
     * How many steps were made, before {@link #load} and since.
     *
     * @return the number of steps that changed parameters
     */
    public long steps() {
        return descent.steps();
    }
}
