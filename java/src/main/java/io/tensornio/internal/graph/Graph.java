package io.tensornio.internal.graph;

import io.tensornio.internal.compute.Equations;
import io.tensornio.internal.compute.Program;
import io.tensornio.internal.compute.Words;
import io.tensornio.internal.data.AnyData;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A graph whose dimensions are known, except those that depend on sequences: its comprehensions as texts, from which programs are made.
 */
public final class Graph {
    /** What programs over ragged and sparse tensors lack: the axes of a recurrence are named. */
    private static final Pattern UNSTORED = Pattern.compile("(?ms)^scan .*?\\.\\.\\..*?^end$");

    /** The loss, or null. */
    public final Variable loss;
    /** The other outputs. */
    public final List<Variable> outputs;
    /** All tensors, by number. */
    public final Map<Integer, Variable> variables;
    /** All nodes in topological order. */
    final List<Node> nodes;
    /** The tensors whose shapes are bound at run time. */
    final Scopes scopes;
    /** Whether tensors are ragged in a batch, or constants are ragged or sparse. */
    final boolean isStored;
    /** Held while dimensions of tensors of the context are written. */
    final Object lock;
    private final List<Node> equations = new ArrayList<>();
    private final Dimensions dimensions;
    /** The texts of the nodes whose dimensions are known. */
    private final Map<Node, String> texts;
    /** The texts of evaluation of nodes over a batch. */
    private final Map<Node, String> evaluations;
    private final Map<Variable, String> names = new HashMap<>();
    private final Map<String, Variable> byName = new HashMap<>();
    private final Names words = new Names();
    /** Made when it is first needed. */
    private volatile Map<Variable, List<Node>> readers;

    /**
     * Collects all nodes on which a loss and outputs depend, and infers their dimensions.
     *
     * @param equations equations between dimensions in addition to comprehensions
     * @param lock that of the context
     * @throws IllegalArgumentException if dimensions contradict each other or are not determined, there is a cycle, or
     *     an item of a sequence is used outside of its map
     */
    public Graph(Variable loss, List<Variable> outputs, Collection<Node> equations, Object lock) {
        this.loss = loss;
        this.outputs = outputs;
        List<Variable> wanted = new ArrayList<>(outputs);
        if (loss != null) {
            wanted.add(0, loss);
        }
        Reached reached = new Reached(wanted);
        variables = Collections.unmodifiableMap(reached.variables);
        nodes = reached.nodes;
        scopes = new Scopes(nodes);
        scopes.checkOutside(wanted);
        for (Node node : nodes) {
            if (node.whole != null && sequence() != null) {
                throw new IllegalArgumentException(node.title() + " is over a batch, and " + sequence()
                    + " is a sequence or dictionary: a graph with such has no batches");
            }
        }
        this.lock = lock;
        for (Node equation : equations) {
            if (variables.values().containsAll(equation.reads)) {
                this.equations.add(equation);
            }
        }
        synchronized (lock) {
            Nominal nominal = new Nominal(false);
            dimensions = inferred(nominal);
            dimensions.write(nominal.isUsed() ? inferred(new Nominal(true)) : null);
            texts = dimensions.texts();
            evaluations = dimensions.evaluations();
        }
        for (Variable variable : variables.values()) {
            if (variable.form != Variable.Form.TENSOR) {
                continue;
            }
            boolean isUsable = variable.name != null && Words.isName(variable.name);
            String name = words.tensor(isUsable ? variable.name : "t" + variable.id);
            names.put(variable, name);
            byName.put(name, variable);
        }
        isStored = variables.values().stream().anyMatch(variable -> variable.isVarying() || variable.isStored());
        if (isStored && sequence() != null) {
            throw new IllegalArgumentException(sequence() + " is a sequence or dictionary: a graph with such has dense tensors, and no axes without"
                + " length");
        }
        Map<Node, String> all = isStored ? texts : Collections.emptyMap();
        all.forEach((node, text) -> {
            if (UNSTORED.matcher(text).find()) {
                throw new IllegalArgumentException(node.title() + ": in a graph with ragged or sparse tensors, or axes without length, a `scan` has"
                    + " no `...`: name the axes");
            }
        });
        if (loss != null && loss.isVarying()) {
            throw new IllegalArgumentException("the loss " + loss + " is to have one element, but its axes are " + Arrays.toString(loss.axes)
                + ", of which one has no length: reduce it");
        }
        if (loss != null && !scopes.isBoundLate(loss) && Arrays.stream(loss.shape()).reduce(1, (a, b) -> a * b) != 1) {
            throw new IllegalArgumentException("the loss " + loss + " is to have one element, but its axes are " + Arrays.toString(loss.axes));
        }
    }

    private Dimensions inferred(Nominal nominal) {
        Dimensions made = new Dimensions(stated(nodes, variables.values()), variables.values(), scopes::isBoundLate, variable -> false, nominal);
        made.infer();
        return made;
    }

    /** Nodes, and before them the equations between their tensors. */
    private List<Node> stated(List<Node> some, Collection<Variable> between) {
        List<Node> all = new ArrayList<>();
        for (Node equation : equations) {
            if (between.containsAll(equation.reads)) {
                all.add(equation);
            }
        }
        all.addAll(some);
        return all;
    }

    /** The comprehensions on which tensors depend, in topological order. */
    private static final class Reached {
        final Map<Integer, Variable> variables = new TreeMap<>();
        final List<Node> nodes = new ArrayList<>();
        private final Set<Node> done = new HashSet<>();
        private final Set<Node> open = new LinkedHashSet<>();

        Reached(Collection<Variable> wanted) {
            Deque<Object> stack = new ArrayDeque<>(wanted);
            while (!stack.isEmpty()) {
                Object next = stack.peek();
                Node node = next instanceof Node ? (Node) next : ((Variable) next).maker;
                if (next instanceof Variable) {
                    variables.put(((Variable) next).id, (Variable) next);
                }
                if (node == null || done.contains(node)) {
                    stack.pop();
                } else if (open.contains(node)) {
                    stack.pop();
                    if (next instanceof Node) {
                        open.remove(node);
                        done.add(node);
                        nodes.add(node);
                    } else {
                        throw new IllegalArgumentException(next + " is made of itself: a graph has no cycle");
                    }
                } else {
                    if (next instanceof Variable) {
                        stack.pop();
                        stack.push(node);
                    }
                    open.add(node);
                    for (Variable written : node.writes) {
                        variables.put(written.id, written);
                    }
                    if (node.whole != null) {
                        node.whole.states.forEach(state -> variables.put(state.id, state));
                    }
                    List<Variable> reads = new ArrayList<>(node.reads);
                    Collections.reverse(reads);
                    reads.forEach(stack::push);
                }
            }
        }
    }

    /** The name of a tensor in programs. */
    String name(Variable of) {
        return names.get(of);
    }

    /** The tensor with a name in programs; null if there is none. */
    Variable named(String name) {
        return byName.get(name);
    }

    /** The names of tensors in programs. */
    List<String> names(List<Variable> of) {
        List<String> all = new ArrayList<>();
        of.forEach(variable -> all.add(names.get(variable)));
        return all;
    }

    /** A sequence or dictionary that is an input; null if there is none, and so the graph has no sequences. */
    public Variable sequence() {
        for (Variable variable : variables.values()) {
            if (variable.form != Variable.Form.TENSOR && variable.maker == null) {
                return variable;
            }
        }
        return null;
    }

    /** A sequence or dictionary on which a tensor depends, so that its shape is bound at run time; null if there is none. */
    public Variable source(Variable of) {
        Variable source = scopes.source(of);
        return source == null ? null : source.kind == Variable.Kind.ITEM ? sequence() : source;
    }

    /** The text of nodes whose tensors have the dimensions of a run; given tensors first. */
    String text(List<Node> some, Collection<Variable> tensors, Collection<Variable> given) {
        Dimensions bound = new Dimensions(stated(some, tensors), tensors, variable -> false,
            variable -> given.contains(variable) && scopes.isBoundLate(variable), new Nominal(false));
        bound.infer();
        bound.write(null);
        Map<Node, String> own = bound.texts();
        Names free = new Names();
        names.values().forEach(free::take);
        StringBuilder text = new StringBuilder();
        some.forEach(node -> text.append(renamed(node.program(own.get(node)), free, Collections.emptyMap())).append('\n'));
        return text.toString();
    }

    /** A fresh name for a tensor of a program. */
    String free(String wanted) {
        return words.tensor(wanted);
    }

    /** Takes the names in a text that the engine has written, so that no fresh one meets them. */
    void take(String text) {
        Names.rename(text, word -> {
            words.take(word);
            return word;
        });
    }

    /** The tensors on which some tensors depend, including themselves, by number. */
    public Collection<Variable> sources(Collection<Variable> of) {
        return new Reached(of).variables.values();
    }

    /** Everything on which some tensors depend, including themselves, by number, before any dimension is known. */
    static Collection<Variable> reached(Collection<Variable> of) {
        return new Reached(of).variables.values();
    }

    /** The inputs on which some tensors depend, by number. */
    public List<Variable> inputs(Collection<Variable> of) {
        List<Variable> inputs = new ArrayList<>();
        for (Variable variable : sources(of)) {
            if (variable.kind == Variable.Kind.INPUT) {
                inputs.add(variable);
            }
        }
        return inputs;
    }

    /** The program that computes tensors for one example; its outputs are in the same order. */
    public Forward forward(List<Variable> wanted) {
        return forward(wanted, false);
    }

    /**
     * The program that computes tensors for one example; for a batch, if one of the nodes is over the batch. Its outputs are in the same order.
     *
     * @param isTraining whether nodes over a batch have their texts of training, not those of evaluation
     */
    Forward forward(List<Variable> wanted, boolean isTraining) {
        Set<Node> reached = new HashSet<>(new Reached(wanted).nodes);
        List<Node> needed = new ArrayList<>(nodes);
        needed.retainAll(reached);
        Whole whole = needed.stream().anyMatch(node -> node.whole != null) ? new Whole(this) : null;
        StringBuilder text = whole == null ? new StringBuilder() : whole.part;
        Map<Variable, String> given = new LinkedHashMap<>();
        for (Variable input : inputs(wanted)) {
            given.put(input, names.get(input));
            if (input.type != input.fed()) {
                given.put(input, free(names.get(input) + "_given"));
                text.append(copy(names.get(input), "double(" + given.get(input) + loops(input.rank()) + ")", input.rank()));
            }
        }
        if (whole != null) {
            whole.give(given);
        }
        for (Node node : needed) {
            if (node.whole != null) {
                whole.add(node, isTraining);
            } else {
                text.append(renamed(node.program(texts.get(node)), words, Collections.emptyMap())).append('\n');
            }
        }
        List<String> made = new ArrayList<>();
        for (Variable variable : wanted) {
            String name = names.get(variable);
            if (variable.maker == null || made.contains(name)) {
                name = free("copy_of_" + name);
                text.append(variable.isStored() && AnyData.isSparse(variable.data) ? "sparse " : "")
                    .append(copy(name, names.get(variable) + loops(variable.rank()), variable.rank()));
            }
            made.add(name);
        }
        return whole == null ? new Forward(this, Program.of(text.toString()), given, made) : whole.forward(given, made);
    }

    /** The text of a node over a batch, of training or of evaluation. */
    String over(Node node, boolean isTraining) {
        return (isTraining ? texts : evaluations).get(node);
    }

    /** The text of a node over a batch, in which some of its names have others. */
    String renamed(String of, Map<String, String> others) {
        return renamed(Program.of(of), words, others);
    }

    static String copy(String name, String value, int rank) {
        return name + loops(rank) + " = " + value + "\n";
    }

    /** Loops for all axes of a tensor, in brackets. */
    static String loops(int rank) {
        StringBuilder text = new StringBuilder();
        for (int n = 0; n < rank; n++) {
            text.append(n == 0 ? "[" : ",").append("axis_").append(n);
        }
        return text.append(rank == 0 ? "" : "]").toString();
    }

    /**
     * Fan-in and fan-out of a parameter: how many of its elements are reduced to one element by the first comprehension
     * that reads it, and to how many of these each contributes; for an embedding table, its first axis and the rest. If
     * no text determines it, the first axis is kept and the others are reduced, as in a dense layer.
     */
    public double[] fans(Variable parameter) {
        for (Node node : readers().getOrDefault(parameter, Collections.emptyList())) {
            String text = text(node);
            if (text == null) {
                continue;
            }
            Equations equations = node.program(text).equations();
            for (int n = 0; n < equations.statements.size(); n++) {
                List<Equations.Access> accesses = equations.of(n);
                for (Equations.Access access : accesses.subList(0, accesses.size() - 1)) {
                    if (Equations.plain(access.tensor).equals(parameter.key.name())) {
                        return fans(parameter, access.axes, accesses.get(accesses.size() - 1).axes);
                    }
                }
            }
        }
        double[] fans = {1, 1};
        for (int axis = 0; axis < parameter.rank(); axis++) {
            fans[axis == 0 ? 1 : 0] *= parameter.axes[axis].length();
        }
        return fans;
    }

    /** For each tensor the nodes that read it, in order. */
    private Map<Variable, List<Node>> readers() {
        Map<Variable, List<Node>> found = readers;
        if (found == null) {
            found = new HashMap<>();
            for (Node node : nodes) {
                for (Variable read : new LinkedHashSet<>(node.reads)) {
                    found.computeIfAbsent(read, of -> new ArrayList<>(1)).add(node);
                }
            }
            readers = found;
        }
        return found;
    }

    /** The text of a node, or its likely text if that depends on a run; null if it is unknown. */
    private String text(Node node) {
        if (texts.containsKey(node)) {
            return texts.get(node);
        }
        synchronized (lock) {
            return dimensions.likely(node);
        }
    }

    private static double[] fans(Variable parameter, List<String> read, List<String> kept) {
        double[] fans = {1, 1};
        boolean isTable = read.get(0).equals("?");
        for (int axis = 0; axis < read.size(); axis++) {
            boolean isIn = isTable ? axis == 0 : !kept.contains(read.get(axis));
            fans[isIn ? 0 : 1] *= parameter.axes[axis].length();
        }
        return fans;
    }

    /** The text of a node with the names of its tensors in programs, and fresh names for local tensors and loops. */
    private String renamed(Program program, Names free, Map<String, String> others) {
        Equations equations = program.equations();
        Map<String, String> own = new HashMap<>();
        for (String tensor : equations.tensors()) {
            Variable variable = keyed(tensor);
            own.put(tensor, others.containsKey(tensor) ? others.get(tensor) : variable == null ? free.tensor(tensor) : names.get(variable));
        }
        return Names.rename(withoutReturn(program.text()), word -> own.containsKey(word) ? own.get(word)
            : Words.isName(word) ? free.loop(word) : word);
    }

    static String withoutReturn(String text) {
        int last = text.lastIndexOf('\n') + 1;
        return text.startsWith("return ", last) ? text.substring(0, Math.max(last - 1, 0)) : text;
    }

    private Variable keyed(String key) {
        if (!key.matches("sym[0-9]{1,9}")) {
            return null;
        }
        return variables.get(Integer.parseInt(key.substring(3)));
    }
}
