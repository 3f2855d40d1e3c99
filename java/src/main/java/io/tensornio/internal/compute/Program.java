package io.tensornio.internal.compute;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.data.WritableTensor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * A parsed program: its canonical text, from which native code can remake it, its inputs and outputs, and its recent plans. Thread-safe.
 */
public final class Program {
    /** The number of cached plans; native code caches more, by text. */
    private static final int RECENT = 8;

    private final String text;
    /** Whether it runs over ragged or sparse tensors even if all inputs are dense. */
    private final boolean stored;
    private final List<String> inputs;
    /** The inputs of rank 0 that indices look up: integers, also if they are given as numbers. */
    private final List<String> lookedUp;
    private final List<String> outputs;
    /** Recent plans, latest first. Replaced as a whole: a race may lose one, which is then found by its text. */
    private volatile Binding[] recent = {};
    private volatile Equations equations;
    /** The outputs that were inferred last. */
    private volatile Outputs inferred;

    /** Parses the description of a program, see {@link NativeCompute#parse}. */
    private Program(String description) {
        int first = description.indexOf('\n');
        int second = description.indexOf('\n', first + 1);
        int third = description.indexOf('\n', second + 1);
        inputs = names(description.substring(0, first));
        lookedUp = names(description.substring(first + 1, second));
        outputs = names(description.substring(second + 1, third));
        stored = description.startsWith("\n", third + 1);
        text = description.substring(stored ? third + 2 : third + 1);
    }

    private static List<String> names(String joined) {
        return Collections.unmodifiableList(new ArrayList<>(joined.isEmpty() ? Collections.emptyList() : Arrays.asList(joined.split(","))));
    }

    /**
     * Parses a program.
     *
     * @param text its text
     * @return the program
     * @throws IllegalArgumentException if it is not a valid program
     */
    public static Program of(String text) {
        return new Program(NativeCompute.parse(text));
    }

    /**
     * The program with other outputs.
     *
     * @param names the outputs
     * @return the program
     * @throws IllegalArgumentException if there are none, one is not defined, or is listed twice
     */
    public Program returning(List<String> names) {
        if (names.equals(outputs)) {
            return this;
        }
        String joined = joined(names);
        return ProgramCache.get(Arrays.asList(text, joined), () -> new Program(NativeCompute.returning(text, joined)));
    }

    /**
     * The program that computes gradients.
     *
     * @param of the tensor that is differentiated
     * @param seed the name of the seed, or null
     * @param names the tensors with respect to which
     * @return the program
     * @throws IllegalArgumentException if a name is unknown, there is none, or the seed exists already
     */
    public Program gradient(String of, String seed, List<String> names) {
        String ofOne = joined(Collections.singletonList(of));
        return new Program(NativeCompute.gradient(text, ofOne, seed == null ? "" : joined(Collections.singletonList(seed)), joined(names)));
    }

    /**
     * This program for a batch of examples: inputs, and all tensors that depend on them, get a leading axis.
     *
     * @param names these inputs; {@code name:01} is one whose axis 1 has another length in each example
     * @param has receives the names that have the leading axis then
     * @return the program
     * @throws IllegalArgumentException if there is no name, one is not an input, or the program has gradients
     */
    public Program batched(List<String> names, Collection<? super String> has) {
        String answer = NativeCompute.batched(text, joined(names));
        int end = answer.indexOf('\n');
        has.addAll(names(answer.substring(0, end)));
        return new Program(answer.substring(end + 1));
    }

    /** This program as if all tensors were dense, to infer types and shapes: nothing is declared sparse, or run at stored points alone. */
    public Program dense() {
        return stored ? new Program(NativeCompute.dense(text)) : this;
    }

    /** The equations between lengths of axes that the statements imply. */
    public Equations equations() {
        Equations known = equations;
        if (known == null) {
            known = new Equations(NativeCompute.equations(text));
            equations = known;
        }
        return known;
    }

    /**
     * Infers types and shapes without a plan.
     *
     * @param types the type of each input, in order
     * @param shapes the shape of each input
     * @return those of the outputs
     * @throws IllegalArgumentException if they do not fit the program
     */
    public Outputs infer(List<DataType> types, List<long[]> shapes) {
        long[] signature = Outputs.signature(types, shapes, outputs.size());
        Outputs known = inferred;
        if (known == null || !Arrays.equals(known.signature, signature)) {
            known = new Outputs(NativeCompute.infer(text, signature), 0, outputs.size(), signature);
            inferred = known;
        }
        return known;
    }

    /** Names separated by commas, which no name contains. */
    private static String joined(List<String> names) {
        for (String name : names) {
            if (name.isEmpty() || name.indexOf(',') >= 0) {
                throw new IllegalArgumentException("`" + name + "` is no name");
            }
        }
        return String.join(",", names);
    }

    /** The canonical text. */
    public String text() {
        return text;
    }

    /** The names of the inputs, in order; unmodifiable. */
    public List<String> inputs() {
        return inputs;
    }

    /** The names of the outputs, in order; unmodifiable. */
    public List<String> outputs() {
        return outputs;
    }

    /**
     * Computes the outputs.
     *
     * @param given the inputs, in order
     * @return the outputs, in order, which the caller closes
     * @throws IllegalArgumentException if the inputs do not fit the program
     */
    public AnyTensor<?>[] runAny(Object... given) {
        checkCount(given.length);
        Object[] opened = Inputs.opened(inputs, given);
        return stored || StoredRun.isFor(opened) ? StoredRun.run(this, StoredRun.inferred(outputs.size()), opened) : run(opened);
    }

    /**
     * Says what each statement does with inputs.
     *
     * @param given the inputs, in order
     * @return lines
     * @throws IllegalArgumentException if the inputs do not fit the program
     */
    public String explain(Object... given) {
        checkCount(given.length);
        return StoredRun.explain(this, Inputs.opened(inputs, given));
    }

    /**
     * Computes the outputs, of which all inputs are dense.
     *
     * @param given the inputs, in order
     * @return the outputs, in order, which the caller closes
     * @throws IllegalArgumentException if the inputs do not fit the program
     */
    public Tensor<?>[] run(Object... given) {
        checkCount(given.length);
        Tensor<?>[] made = run(true, given);
        return made != null ? made : run(false, given);
    }

    /** Returns null if data of files has to be copied to memory. */
    private Tensor<?>[] run(boolean files, Object... given) {
        WritableTensor[] made = new WritableTensor[outputs.size()];
        Tensor<?>[] tensors = null;
        try (Inputs in = new Inputs(inputs, lookedUp, files, given)) {
            Binding binding = binding(in);
            Places places = new Places(given.length + made.length, in.places() + binding.places);
            in.locate(places);
            for (int n = 0; n < made.length; n++) {
                made[n] = WritableTensor.unexposed(binding.types[n], binding.shapes[n]);
                places.elements(made[n].root(), made[n].byteOffset(), binding.strides[n]);
            }
            tensors = run(binding, places, in) ? published(made) : null;
            return tensors;
        } finally {
            for (WritableTensor tensor : made) {
                if (tensor != null && tensors == null) {
                    tensor.close();
                }
            }
        }
    }

    /**
     * Computes from and into existing memory, which the caller keeps pinned.
     *
     * @param binding a binding of this program
     * @param memory as {@link NativeCompute#run} takes it
     * @param geometry as {@link NativeCompute#run} takes it
     */
    Binding run(Binding binding, ByteBuffer[] memory, long... geometry) {
        Binding now = binding;
        while (!NativeCompute.run(now.plan, memory, geometry, Threads.most())) {
            now = Binding.of(text, outputs.size(), now.signature);
        }
        return now;
    }

    private void checkCount(int given) {
        if (given != inputs.size()) {
            throw new IllegalArgumentException(given + (given == 1 ? " input is" : " inputs are") + " given; there are " + inputs.size()
                + ": " + inputs);
        }
    }

    /** Publishes all, or closes those that were. */
    static Tensor<?>[] published(WritableTensor... made) {
        Tensor<?>[] tensors = new Tensor<?>[made.length];
        int n = 0;
        try {
            for (; n < made.length; n++) {
                tensors[n] = made[n].publish();
            }
            return tensors;
        } catch (Throwable e) {
            while (--n >= 0) {
                tensors[n].close();         // the other tensors stay with the caller
            }
            throw e;
        }
    }

    /** Runs a plan, which is remade if native code has evicted it. False if data of files has to be copied to memory. */
    private boolean run(Binding known, Places places, Inputs in) {
        Binding now = known;
        long done = 1;
        if (in.hasFiles()) {
            while ((done = NativeCompute.runFiles(now.plan, places.memory, places.geometry, Threads.most())) == 0) {
                now = Binding.of(text, outputs.size(), now.signature);
            }
        } else {
            now = run(known, places.memory, places.geometry);
        }
        if (now != known) {
            remember(now);
        }
        return done == 1;
    }

    private Binding binding(Inputs in) {
        for (Binding binding : recent) {
            if (binding.fits(in)) {
                return binding;
            }
        }
        long[] signature = in.signature(outputs.size());
        Arrays.fill(signature, signature.length - outputs.size(), signature.length, Binding.ANY);
        Binding made = Binding.of(text, outputs.size(), signature);
        remember(made);
        return made;
    }

    private Binding binding(long... signature) {
        for (Binding binding : recent) {
            if (binding.fits(signature)) {
                return binding;
            }
        }
        Binding made = Binding.of(text, outputs.size(), signature);
        remember(made);
        return made;
    }

    private void remember(Binding made) {
        List<Binding> next = new ArrayList<>();
        next.add(made);
        for (Binding binding : recent) {
            if (next.size() < RECENT && !binding.fits(made.signature)) {
                next.add(binding);
            }
        }
        recent = next.toArray(new Binding[0]);
    }

    /**
     * Computes the outputs into existing data.
     *
     * @param given the inputs, in order
     * @param targets data for the outputs, in order
     * @throws IllegalArgumentException if the inputs do not fit the program, or a target has another shape or type than its output
     * @throws java.nio.ReadOnlyBufferException if a target cannot be written
     */
    public void runInto(Object[] given, List<TensorData<?>> targets) {
        checkCount(given.length);
        Object[] opened = Inputs.opened(inputs, given);
        if (stored || StoredRun.isFor(opened) || StoredRun.isFor(targets.toArray())) {
            StoredRun.runInto(this, opened, targets);
            return;
        }
        if (!runInto(true, opened, targets)) {
            runInto(false, opened, targets);
        }
    }

    /** Returns false if data of files has to be copied to memory; then targets that are no inputs may have been written. */
    private boolean runInto(boolean files, Object[] opened, List<TensorData<?>> targets) {
        try (Inputs in = new Inputs(inputs, lookedUp, files, opened); Targets out = new Targets(outputs, targets)) {
            long[] signature = in.signature(out.signatureLength());
            out.pin(signature, signature.length - out.signatureLength());
            Binding binding = binding(signature);
            out.allocate(binding, in);
            Places places = new Places(opened.length + targets.size(), in.places() + binding.places);
            in.locate(places);
            out.locate(places);
            if (!run(binding, places, in)) {
                return false;
            }
            out.finish();
            return true;
        }
    }
}
