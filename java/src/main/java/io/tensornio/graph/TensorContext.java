package io.tensornio.graph;

import io.tensornio.Axis;
import io.tensornio.DataType;
//#each primitive
import io.tensornio.FloatTensorData;
//#end each
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.compute.Program;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.graph.Binder;
import io.tensornio.internal.graph.Layers;
import io.tensornio.internal.graph.Node;
import io.tensornio.internal.graph.OverBatch;
import io.tensornio.internal.graph.Texts;
import io.tensornio.internal.graph.Variable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Makes symbolic tensors, and numbers them: the same program makes the same numbers, by which checkpoints identify parameters.
 *
 * <pre>{@code
 * TensorContext t = new TensorContext();
 * Sym1<DH> x = t.input(dh, Example.class, (example, data) -> data.put(example.x));
 * Dense<DH> layer = t.comprehensions().dense(dh, x);
 * }</pre>
 */
public final class TensorContext {
    private final DataType type;
    private final List<Variable> variables = new ArrayList<>();
    private final List<Node> equations = new ArrayList<>();
    private final Map<String, Variable> names = new HashMap<>();
    private final Comprehensions comprehensions = new Comprehensions(this);
    final SequenceMaker sequences = new SequenceMaker(this);

    /** A context whose tensors are FLOAT. */
    public TensorContext() {
        this(DataType.FLOAT);
    }

    /**
     * A context whose tensors are of a type. FLOAT is widened to it: inputs from binders, constants, and parameters that are set.
     *
     * @param type FLOAT, or DOUBLE, to check gradients
     * @throws IllegalArgumentException if it is another type
     */
    public TensorContext(DataType type) {
        if (Objects.requireNonNull(type, "type") != DataType.FLOAT && type != DataType.DOUBLE) {
            throw new IllegalArgumentException("a context of " + type + ": what is learnt is FLOAT or DOUBLE");
        }
        this.type = type;
    }

    /**
     * The layers and losses of the library.
     *
     * @return the factory
     */
    public Comprehensions comprehensions() {
        return comprehensions;
    }

    List<Node> equations() {
        return equations;
    }

    void check(Symbolic sym, String name) {
        if (Objects.requireNonNull(sym, name).context != this) {
            throw new IllegalArgumentException(sym + " is of another context");
        }
    }

    private static void checkText(String name) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(Objects.requireNonNull(name, "name"))) {
            throw new IllegalArgumentException("a name with half of a surrogate pair is no text: no checkpoint could hold it");
        }
    }

    void checkFree(String name) {
        checkText(name);
        if (names.containsKey(name)) {
            throw new IllegalArgumentException("`" + name + "` is the name of " + names.get(name).what());
        }
    }

    /** Whether a name, or {@code t} and a number, is that of an input. */
    boolean isInput(String name) {
        Variable variable = names.get(name);
        for (int n = 0; variable == null && n < variables.size(); n++) {
            variable = variables.get(n).toString().equals(name) ? variables.get(n) : null;
        }
        return variable != null && variable.kind == Variable.Kind.INPUT;
    }

    void name(Variable variable, String name) {
        checkText(name);
        Variable other = names.putIfAbsent(name, variable);
        boolean isNumber = name.matches("t[0-9]+|sequence [0-9]+") && !name.equals("t" + variable.id) && !name.equals("sequence " + -variable.id);
        if (other != null && other != variable || isNumber) {
            throw new IllegalArgumentException("`" + name + "` is the name of " + (isNumber ? "what has that number" : other.what()));
        }
        if (variable.name != null && !variable.name.equals(name)) {
            names.remove(variable.name);
        }
        variable.name = name;
    }

    Variable variable(Variable.Kind kind, DataType of, Axis... axes) {
        if (axes != null) {
            for (int n = 0; n < axes.length; n++) {
                int which = n;
                Objects.requireNonNull(axes[n], () -> "axis " + which);
            }
        }
        return added(new Variable(variables.size(), kind, of, axes == null ? null : axes.clone()));
    }

    private Variable added(Variable variable) {
        variables.add(variable);
        return variable;
    }

    Sym sym(Variable variable) {
        switch (variable.rank()) {
            case 1:
                return new Sym1<>(this, variable);
            case 2:
                return new Sym2<>(this, variable);
            case 3:
                return new Sym3<>(this, variable);
            default:
                return new Sym(this, variable);
        }
    }

    /** A tensor of a rank whose dimensions are inferred. */
    Sym open(int rank) {
        return sym(added(new Variable(variables.size(), Variable.Kind.OTHER, type, rank < 0 ? null : new Axis[rank])));
    }

    /** A tensor of a rank, or of unknown rank, that a comprehension makes. */
    Sym made(int rank, Function<Variable, Node> maker) {
        Sym made = open(rank);
        made.variable.maker = maker.apply(made.variable);
        return made;
    }

    /**
     * A tensor of rank 0.
     *
     * @return a new tensor
     */
    public Sym scalar() {
        return sym(variable(Variable.Kind.OTHER, type));
    }

    /**
     * A tensor of rank 1.
     *
     * @param d1 its axis
     * @param <D1> the type of its axis
     * @return a new tensor
     */
    @SuppressWarnings("unchecked")          // of rank 1
    public <D1 extends Axis> Sym1<D1> tensor(D1 d1) {
        return (Sym1<D1>) sym(variable(Variable.Kind.OTHER, type, d1));
    }

    /**
     * A tensor of rank 2.
     *
     * @param d1 its first axis
     * @param d2 its second axis
     * @param <D1> the type of its first axis
     * @param <D2> the type of its second axis
     * @return a new tensor
     */
    @SuppressWarnings("unchecked")          // of rank 2
    public <D1 extends Axis, D2 extends Axis> Sym2<D1, D2> tensor(D1 d1, D2 d2) {
        return (Sym2<D1, D2>) sym(variable(Variable.Kind.OTHER, type, d1, d2));
    }

    /**
     * A tensor of rank 3.
     *
     * @param d1 its first axis
     * @param d2 its second axis
     * @param d3 its third axis
     * @param <D1> the type of its first axis
     * @param <D2> the type of its second axis
     * @param <D3> the type of its third axis
     * @return a new tensor
     */
    @SuppressWarnings("unchecked")          // of rank 3
    public <D1 extends Axis, D2 extends Axis, D3 extends Axis> Sym3<D1, D2, D3> tensor(D1 d1, D2 d2, D3 d3) {
        return (Sym3<D1, D2, D3>) sym(variable(Variable.Kind.OTHER, type, d1, d2, d3));
    }

    /**
     * A tensor with these axes; without axes, one whose rank and dimensions are inferred.
     *
     * @param axes its axes
     * @return a new tensor
     */
    public Sym tensor(Axis... axes) {
        return Objects.requireNonNull(axes, "axes").length == 0 ? open(-1) : sym(variable(Variable.Kind.OTHER, type, axes));
    }

    /**
     * A tensor of rank 1 whose dimension is inferred.
     *
     * @return a new tensor
     */
    public Sym1<?> tensor1() {
        return (Sym1<?>) open(1);
    }

    /**
     * A tensor of rank 2 whose dimensions are inferred.
     *
     * @return a new tensor
     */
    public Sym2<?, ?> tensor2() {
        return (Sym2<?, ?>) open(2);
    }

    /**
     * A tensor of rank 3 whose dimensions are inferred.
     *
     * @return a new tensor
     */
    public Sym3<?, ?, ?> tensor3() {
        return (Sym3<?, ?, ?>) open(3);
    }

    /**
     * A constant. Each compute graph has a copy, made when it is compiled; until then the tensor must stay open.
     *
     * @param tensor its elements
     * @return a new tensor
     * @throws IllegalArgumentException if its elements are strings or UINT64
     */
    public Sym constant(Tensor<?> tensor) {
        SequenceMaker.checkType("a constant", Objects.requireNonNull(tensor, "tensor").dataType());
        return constant(AnyData.of(tensor));
    }

    /**
     * A constant that is sparse. Each compute graph has a copy, made when it is compiled; until then the tensor must stay open. Texts have it as any
     * {@linkplain io.tensornio.compute.Comprehension comprehension} does: they run where it is stored.
     *
     * @param tensor its elements
     * @return a new tensor
     * @throws IllegalArgumentException if its elements are strings or UINT64
     */
    public Sym constant(SparseTensor<?> tensor) {
        return constant(AnyData.of(Objects.requireNonNull(tensor, "tensor")));
    }

    /**
     * A constant that is ragged. Each compute graph has a copy, made when it is compiled; until then the tensor must stay open.
     *
     * @param tensor its elements
     * @return a new tensor, whose ragged axes are {@linkplain Axis#varying varying}
     * @throws IllegalArgumentException if its elements are strings or UINT64
     */
    public Sym constant(RaggedTensor<?> tensor) {
        return constant(AnyData.of(Objects.requireNonNull(tensor, "tensor")));
    }

    /**
     * A constant. Each compute graph has a copy, made when it is compiled. What is sparse or ragged stays so.
     *
     * @param data its elements
     * @return a new tensor
     * @throws IllegalArgumentException if its elements are strings or UINT64
     */
    public Sym constant(TensorData<?> data) {
        SequenceMaker.checkType("a constant", Objects.requireNonNull(data, "data").dataType());
        long[] shape = data.shape();
        Axis[] axes = new Axis[shape.length];
        for (int n = 0; n < axes.length; n++) {
            axes[n] = shape[n] < 0 ? Axis.varying("rows of t" + variables.size()) : Axis.of(shape[n]);
        }
        Variable made = variable(Variable.Kind.CONSTANT, data.dataType() == DataType.FLOAT ? type : data.dataType(), axes);
        made.data = data;
        return sym(made);
    }

    private Sym filled(int rank, Variable.Fill fill) {
        Variable made = added(new Variable(variables.size(), Variable.Kind.CONSTANT, type, new Axis[rank]));
        made.fill = fill;
        return sym(made);
    }

    /**
     * A constant of rank 1 that is filled once its dimension has been inferred.
     *
     * @param elements its elements
     * @return a new tensor
     */
    public Sym1<?> constant1(Constant1 elements) {
        Objects.requireNonNull(elements, "elements");
        return (Sym1<?>) filled(1, (at, dims) -> elements.at(at[0], dims[0]));
    }

    /**
     * A constant of rank 2 that is filled once its dimensions have been inferred. An undetermined axis is as long as the other.
     *
     * @param elements its elements
     * @return a new tensor
     */
    public Sym2<?, ?> constant2(Constant2 elements) {
        Objects.requireNonNull(elements, "elements");
        return (Sym2<?, ?>) filled(2, (at, dims) -> elements.at(at[0], at[1], dims[0], dims[1]));
    }

    /**
     * A constant of rank 3 that is filled once its dimensions have been inferred. An undetermined axis is as long as the last determined one.
     *
     * @param elements its elements
     * @return a new tensor
     */
    public Sym3<?, ?, ?> constant3(Constant3 elements) {
        Objects.requireNonNull(elements, "elements");
        return (Sym3<?, ?, ?>) filled(3, (at, dims) -> elements.at(at[0], at[1], at[2], dims[0], dims[1], dims[2]));
    }

    /**
     * An input that is given by name, see {@link ComputeGraph#run}, or in columns, see {@link Minibatch#columns}.
     *
     * <p>An axis that is {@linkplain Axis#varying varying} has another length in each example: in a text the input is an ordinary tensor, of which
     * {@code size(name, 0)} is the example's length; a batch of it is ragged. Inputs with the same varying axis are equally long in each example.
     *
     * @param name its name
     * @param elements the type of its elements
     * @param axes its axes
     * @return a new tensor
     * @throws IllegalArgumentException if another tensor of the context has that name, or the elements are strings or UINT64
     */
    public Sym input(String name, DataType elements, Axis... axes) {
        SequenceMaker.checkType("an input", elements);
        checkFree(name);
        Variable made = input(elements, Objects.requireNonNull(axes, "axes"));
        name(made, name);
        return sym(made);
    }

    /**
     * An input that is a list of tensors, given by name, see {@link ComputeGraph#run}.
     *
     * @param name its name
     * @param elements the type of the elements of all items
     * @param axes the axes of each item; without axes, each item has its own shape, which is bound in a run
     * @return a new sequence
     * @throws IllegalArgumentException if something else of the context has that name, or the elements are strings or UINT64
     */
    public SymSequence sequence(String name, DataType elements, Axis... axes) {
        return sequences.input(name, elements, axes);
    }

    /**
     * An input that is a dictionary of tensors, given by name, see {@link ComputeGraph#run}. Their shapes are bound in a run.
     *
     * @param name its name
     * @param entries the types of the elements of its tensors, by key
     * @return a new dictionary
     * @throws IllegalArgumentException if something else of the context has that name, or elements are strings or UINT64
     */
    public SymDict dict(String name, Map<String, DataType> entries) {
        return sequences.dict(name, entries);
    }

    private Variable input(DataType elements, Axis... axes) {
        boolean isWidened = elements == DataType.FLOAT && type == DataType.DOUBLE;
        Variable made = variable(Variable.Kind.INPUT, isWidened ? type : elements, axes);
        made.isWidened = isWidened;
        return made;
    }

    private Sym input(DataType elements, Binder binder, Axis... axes) {
        Variable made = input(elements, axes);
        made.binder = binder;
        return sym(made);
    }

    /**
     * An input of rank 0, FLOAT.
     *
     * @param type the class of examples
     * @param binder writes an example to data, which is zeroed before; called for one example at a time
     * @param <I> the class of examples
     * @return a new tensor
     */
    public <I> Sym input(Class<I> type, BiConsumer<? super I, ? super FloatTensorData> binder) {
        return input(DataType.FLOAT, new Binder(type, binder));
    }

    //#each double int long boolean byte
    /**
     * An input of rank 0, FLOAT.
     *
     * @param type the class of examples
     * @param binder writes an example to data, which is zeroed before; called for one example at a time
     * @param <I> the class of examples
     * @return a new tensor
     */
    public <I> Sym inputFloat(Class<I> type, BiConsumer<? super I, ? super FloatTensorData> binder) {
        return input(DataType.FLOAT, new Binder(type, binder));
    }
    //#end each

    /**
     * An input of rank 1, FLOAT.
     *
     * @param d1 axis 0
     * @param type the class of examples
     * @param binder writes an example to data, which is zeroed before; called for one example at a time
     * @param <I> the class of examples
     * @param <D1> the type of axis 0
     * @return a new tensor
     */
    @SuppressWarnings("unchecked")          // of rank 1
    public <I, D1 extends Axis> Sym1<D1> input(D1 d1, Class<I> type, BiConsumer<? super I, ? super FloatTensorData> binder) {
        return (Sym1<D1>) input(DataType.FLOAT, new Binder(type, binder), d1);
    }

    //#each double int long boolean byte
    /**
     * An input of rank 1, FLOAT.
     *
     * @param d1 axis 0
     * @param type the class of examples
     * @param binder writes an example to data, which is zeroed before; called for one example at a time
     * @param <I> the class of examples
     * @param <D1> the type of axis 0
     * @return a new tensor
     */
    @SuppressWarnings("unchecked")          // of rank 1
    public <I, D1 extends Axis> Sym1<D1> inputFloat(D1 d1, Class<I> type, BiConsumer<? super I, ? super FloatTensorData> binder) {
        return (Sym1<D1>) input(DataType.FLOAT, new Binder(type, binder), d1);
    }
    //#end each

    /**
     * An input of rank 2, FLOAT.
     *
     * @param d1 axis 0
     * @param d2 axis 1
     * @param type the class of examples
     * @param binder writes an example to data, which is zeroed before; called for one example at a time
     * @param <I> the class of examples
     * @param <D1> the type of axis 0
     * @param <D2> the type of axis 1
     * @return a new tensor
     */
    @SuppressWarnings("unchecked")          // of rank 2
    public <I, D1 extends Axis, D2 extends Axis> Sym2<D1, D2> input(D1 d1, D2 d2, Class<I> type,
            BiConsumer<? super I, ? super FloatTensorData> binder) {
        return (Sym2<D1, D2>) input(DataType.FLOAT, new Binder(type, binder), d1, d2);
    }

    //#each double int long boolean byte
    /**
     * An input of rank 2, FLOAT.
     *
     * @param d1 axis 0
     * @param d2 axis 1
     * @param type the class of examples
     * @param binder writes an example to data, which is zeroed before; called for one example at a time
     * @param <I> the class of examples
     * @param <D1> the type of axis 0
     * @param <D2> the type of axis 1
     * @return a new tensor
     */
    @SuppressWarnings("unchecked")          // of rank 2
    public <I, D1 extends Axis, D2 extends Axis> Sym2<D1, D2> inputFloat(D1 d1, D2 d2, Class<I> type,
            BiConsumer<? super I, ? super FloatTensorData> binder) {
        return (Sym2<D1, D2>) input(DataType.FLOAT, new Binder(type, binder), d1, d2);
    }
    //#end each

    /**
     * An input of rank 3, FLOAT.
     *
     * @param d1 axis 0
     * @param d2 axis 1
     * @param d3 axis 2
     * @param type the class of examples
     * @param binder writes an example to data, which is zeroed before; called for one example at a time
     * @param <I> the class of examples
     * @param <D1> the type of axis 0
     * @param <D2> the type of axis 1
     * @param <D3> the type of axis 2
     * @return a new tensor
     */
    @SuppressWarnings("unchecked")          // of rank 3
    public <I, D1 extends Axis, D2 extends Axis, D3 extends Axis> Sym3<D1, D2, D3> input(D1 d1, D2 d2, D3 d3, Class<I> type,
            BiConsumer<? super I, ? super FloatTensorData> binder) {
        return (Sym3<D1, D2, D3>) input(DataType.FLOAT, new Binder(type, binder), d1, d2, d3);
    }

    //#each double int long boolean byte
    /**
     * An input of rank 3, FLOAT.
     *
     * @param d1 axis 0
     * @param d2 axis 1
     * @param d3 axis 2
     * @param type the class of examples
     * @param binder writes an example to data, which is zeroed before; called for one example at a time
     * @param <I> the class of examples
     * @param <D1> the type of axis 0
     * @param <D2> the type of axis 1
     * @param <D3> the type of axis 2
     * @return a new tensor
     */
    @SuppressWarnings("unchecked")          // of rank 3
    public <I, D1 extends Axis, D2 extends Axis, D3 extends Axis> Sym3<D1, D2, D3> inputFloat(D1 d1, D2 d2, D3 d3, Class<I> type,
            BiConsumer<? super I, ? super FloatTensorData> binder) {
        return (Sym3<D1, D2, D3>) input(DataType.FLOAT, new Binder(type, binder), d1, d2, d3);
    }
    //#end each

    /**
     * States that a tensor has an axis, and then all those of another.
     *
     * @param whole the tensor
     * @param axis its first axis
     * @param right the other
     * @throws IllegalArgumentException if one is of another context
     */
    public void bindOnRight(Sym whole, Axis axis, Sym right) {
        check(whole, "whole");
        check(right, "right");
        equations.add(Layers.onRight(whole.variable, Objects.requireNonNull(axis, "axis"), right.variable));
    }

    /**
     * A state: kept between steps like a parameter, and saved with parameters, but changed by a text of training alone, see
     * {@link #batchComprehension}, and by {@link ComputeGraph#set}.
     *
     * @param initial the first value of its elements
     * @param axes its axes; without axes, its rank and dimensions are inferred
     * @return a new tensor
     */
    public Sym state(double initial, Axis... axes) {
        Sym made = Objects.requireNonNull(axes, "axes").length == 0 ? openState(-1, initial) : sym(variable(Variable.Kind.STATE, type, axes));
        made.variable.start = initial;
        return made;
    }

    /** A state of a rank whose dimensions are inferred. */
    Sym openState(int rank, double initial) {
        Variable made = added(new Variable(variables.size(), Variable.Kind.STATE, type, rank < 0 ? null : new Axis[rank]));
        made.start = initial;
        return sym(made);
    }

    private List<Variable> checked(String what, Sym... syms) {
        List<Variable> checked = new ArrayList<>();
        for (int n = 0; n < Objects.requireNonNull(syms, what).length; n++) {
            check(syms[n], what + " " + n);
            checked.add(syms[n].variable);
        }
        return checked;
    }

    private void comprehension(Node node, List<Variable> written) {
        for (Variable variable : written) {
            if (variable.kind != Variable.Kind.OTHER) {
                throw new IllegalArgumentException(variable + " is " + (variable.kind == Variable.Kind.INPUT ? "an input"
                    : variable.kind == Variable.Kind.ITEM ? "an item of a sequence"
                    : variable.kind == Variable.Kind.STATE ? "a state, which only a text of training over the batch can define" : "a constant")
                    + ": no comprehension can write it");
            }
            if (variable.maker != null) {
                throw new IllegalArgumentException(variable + " is made by " + variable.maker.title() + " already: it cannot be made by "
                    + node.title() + ", too");
            }
        }
        written.forEach(variable -> variable.maker = node);
    }

    /**
     * A custom layer. The factory is called once all dimensions are known; nothing is inferred from its statements.
     *
     * @param inputs the inputs that it reads
     * @param params the parameters that it reads
     * @param outputs the tensors that it makes, at least one
     * @param factory adds the statements, for one example
     * @return the first output, as it was given
     * @throws IllegalArgumentException if there is no output, one is made already, or is an input or constant, or something is of another context
     */
    public Sym comprehension(Sym[] inputs, Sym[] params, Sym[] outputs, Consumer<? super ComprehensionBuilder> factory) {
        Objects.requireNonNull(factory, "factory");
        List<Variable> reads = checked("inputs", inputs);
        reads.addAll(checked("params", params));
        List<Variable> writes = checked("outputs", outputs);
        if (writes.isEmpty()) {
            throw new IllegalArgumentException("a comprehension has at least one output");
        }
        Sym first = outputs[0];
        comprehension(Layers.late("the comprehension of " + writes.get(0), reads, writes, known -> {
            ComprehensionBuilder builder = new ComprehensionBuilder();
            factory.accept(builder);
            String made = builder.text(writes.get(0));
            Set<String> read = new HashSet<>(Program.of(made).inputs());
            for (Variable variable : variables) {
                if (read.contains(variable.key.name()) && !reads.contains(variable) && !writes.contains(variable)) {
                    throw new IllegalArgumentException("the comprehension of " + writes.get(0) + " reads " + variable
                        + ", which is none of its inputs " + reads);
                }
            }
            return made;
        }), writes);
        return first;
    }

    /**
     * A custom layer as text, for one example. Dimensions are inferred from it.
     *
     * @param text the statements, see {@link io.tensornio.compute.Comprehension}
     * @param tensors the tensors by their names in the text; those that the text defines are its outputs, all other names of the text are local
     * @return the output, the first of several, as it was given
     * @throws IllegalArgumentException if it is not valid, reads a name that is neither in the map nor defined before,
     *     or defines no tensor of the map; or as {@link #comprehension(Sym[], Sym[], Sym[], Consumer)}
     */
    public Sym comprehension(String text, Map<String, ? extends Sym> tensors) {
        Objects.requireNonNull(text, "text");
        Map<String, Variable> own = new HashMap<>();
        Map<Variable, Sym> given = new HashMap<>();
        Objects.requireNonNull(tensors, "tensors").forEach((name, sym) -> {
            check(sym, "tensors." + Objects.requireNonNull(name, "the name of a tensor"));
            own.put(name, sym.variable);
            given.put(sym.variable, sym);
        });
        Texts read = new Texts(text, own);
        comprehension(Layers.text("`" + text.trim() + "`", read.reads, read.writes, read.text), read.writes);
        return given.get(read.writes.get(0));
    }

    /**
     * A custom layer as two texts over a whole batch: of what depends on an input, the first axis is the example, and here alone it may be reduced.
     * A step of training runs the first one, evaluation the second. The text of training may also define states, see {@link #state}: they are kept
     * when the step succeeds, and all that reads a state reads what it was before the step. Dimensions are inferred from the text of training.
     *
     * <pre>{@code
     * t.batchComprehension("n += 1.0 where b in 0:size(x, 0); sum += x[b]; mean = sum / n; y[b] = x[b] - mean; m = .9 * m + .1 * mean",
     *     "y[b] = x[b] - m", names);
     * }</pre>
     *
     * @param trainText the statements of training
     * @param evalText the statements of evaluation, which define the same tensors, and no states
     * @param tensors the tensors by their names in the texts; all other names of a text are local to it
     * @return the output, the first of several, as it was given
     * @throws IllegalArgumentException as {@link #comprehension(String, Map)}; or if the texts define different tensors, that of evaluation defines a
     *     state, or a state is defined already
     */
    public Sym batchComprehension(String trainText, String evalText, Map<String, ? extends Sym> tensors) {
        Objects.requireNonNull(trainText, "trainText");
        Objects.requireNonNull(evalText, "evalText");
        Map<String, Variable> own = new HashMap<>();
        Map<Variable, Sym> given = new HashMap<>();
        Objects.requireNonNull(tensors, "tensors").forEach((name, sym) -> {
            check(sym, "tensors." + Objects.requireNonNull(name, "the name of a tensor"));
            own.put(name, sym.variable);
            given.put(sym.variable, sym);
        });
        Node node = OverBatch.node(new Texts(trainText, own, true), new Texts(evalText, own, true), trainText);
        comprehension(node, node.writes);
        return given.get(node.writes.get(0));
    }
}
