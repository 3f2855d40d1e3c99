package io.tensornio.graph;

import io.tensornio.AnyTensor;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.internal.graph.Elements;
import io.tensornio.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;

/** The loss of an example, or the mean loss of a batch, and its gradients, see {@link ComputeGraph#gradients(Minibatch)}. */
public final class Gradients implements AutoCloseable {
    private final double loss;
    private final Map<Integer, Tensor<?>> gradients;

    private final long examples;

    Gradients(double loss, long examples, Map<Integer, Tensor<?>> gradients) {
        this.loss = loss;
        this.examples = examples;
        this.gradients = gradients;
    }

    /**
     * The loss.
     *
     * @return its only element
     */
    public double loss() {
        return loss;
    }

    /**
     * Gradients of several batches as those of one batch of all their examples: each counts as many times as it has examples. So parts of a batch can
     * be worked on by compute graphs of their own, which have the same parameters, and one {@link SGD#apply} makes the step.
     *
     * @param parts the gradients, which stay as they are
     * @return their mean by examples, which the caller closes
     * @throws IllegalArgumentException if there are none, or they are not of the same parameters
     */
    public static Gradients sum(Collection<Gradients> parts) {
        if (Objects.requireNonNull(parts, "parts").isEmpty()) {
            throw new IllegalArgumentException("there are no gradients");
        }
        Gradients first = parts.iterator().next();
        double loss = 0;
        long examples = 0;
        for (Gradients part : parts) {
            if (!part.ids().equals(first.ids())) {
                throw new IllegalArgumentException("gradients of the parameters " + first.ids() + " and " + part.ids());
            }
            loss += part.loss * part.examples;
            examples += part.examples;
        }
        Map<Integer, Tensor<?>> sums = new LinkedHashMap<>();
        try {
            for (int id : first.ids()) {
                List<Tensor<?>> own = new ArrayList<>();
                List<Double> weights = new ArrayList<>();
                for (Gradients part : parts) {
                    own.add(part.get(id));
                    weights.add(part.examples / (double) examples);
                }
                sums.put(id, Elements.weighted(own, weights));
            }
            return new Gradients(loss / examples, examples, sums);
        } catch (Throwable e) {
            sums.values().forEach(Tensor::close);
            throw e;
        }
    }

    /**
     * Gradients that {@link #toValue()} has made, here or in another JVM.
     *
     * @param value a dictionary of {@code loss}, {@code examples} and {@code gradients}, which are by number; its tensors are closed with what is
     *     made
     * @return the gradients
     * @throws IllegalArgumentException if it is another value: its tensors stay open
     */
    public static Gradients of(Value value) {
        try {
            Map<String, Value> all = Objects.requireNonNull(value, "value").asDict();
            if (!all.keySet().equals(new HashSet<>(Arrays.asList("loss", "examples", "gradients")))) {
                throw new IllegalArgumentException("not the value of gradients: it has " + all.keySet());
            }
            Map<Integer, Tensor<?>> own = new LinkedHashMap<>();
            all.get("gradients").asDict().forEach((id, gradient) -> {
                if (own.put(Integer.valueOf(id), (Tensor<?>) gradient.asTensor()) != null) {
                    throw new IllegalArgumentException("not the value of gradients: two of the parameter " + Integer.valueOf(id));
                }
            });
            AnyTensor<?> loss = all.get("loss").asTensor();
            AnyTensor<?> examples = all.get("examples").asTensor();
            if (loss.rank() > 0 || examples.rank() > 0 || examples.longData().get() < 0) {
                throw new IllegalArgumentException("not the value of gradients: the loss is a number, and the examples are counted");
            }
            Gradients made = new Gradients(loss.doubleData().get(), examples.longData().get(), own);
            loss.close();
            examples.close();
            return made;
        } catch (IllegalStateException | NoSuchElementException | ClassCastException | NumberFormatException e) {
            throw new IllegalArgumentException("not the value of gradients: " + e.getMessage(), e);
        }
    }

    /**
     * The loss, the number of examples and the gradients, as what travels: {@code TensorBytes} takes it to another JVM.
     *
     * @return a dictionary for {@link #of(Value)} of copies, which the caller closes
     * @throws io.tensornio.TensorClosedException if this is closed
     */
    public Value toValue() {
        List<Tensor<?>> made = new ArrayList<>();
        try {
            Map<String, Object> own = new LinkedHashMap<>();
            gradients.forEach((id, gradient) -> {
                made.add(gradient.data().copy());
                own.put(id.toString(), made.get(made.size() - 1));
            });
            made.add(Tensors.denseDouble(new long[0], data -> data.put(loss)));
            made.add(Tensors.denseLong(new long[0], data -> data.put(examples)));
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("loss", made.get(made.size() - 2));
            all.put("examples", made.get(made.size() - 1));
            all.put("gradients", Value.dict(own));
            return Value.dict(all);
        } catch (Throwable e) {
            made.forEach(Tensor::close);
            throw e;
        }
    }

    /**
     * How many examples these are the mean of.
     *
     * @return the number of examples
     */
    public long examples() {
        return examples;
    }

    Map<Integer, Tensor<?>> all() {
        return gradients;
    }

    /**
     * The parameters on which the loss depends.
     *
     * @return their numbers
     */
    public Set<Integer> ids() {
        return gradients.keySet();
    }

    /**
     * The gradient of the loss with respect to a parameter.
     *
     * @param id its number
     * @return a tensor of its shape, which is closed with this
     * @throws IllegalArgumentException if the loss does not depend on it
     */
    public Tensor<?> get(int id) {
        Tensor<?> gradient = gradients.get(id);
        if (gradient == null) {
            throw new IllegalArgumentException("the loss depends on no parameter " + id + ": there are " + gradients.keySet());
        }
        return gradient;
    }

    /** Closes all gradients. Closing again does nothing. */
    @Override
    public void close() {
        gradients.values().forEach(Tensor::close);
    }
}
