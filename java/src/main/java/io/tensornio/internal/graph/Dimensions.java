package io.tensornio.internal.graph;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.internal.compute.Equations;
import io.tensornio.internal.compute.Program;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The dimensions of all tensors of a graph, inferred to a fixed point from axes that are given and from what comprehensions say. What contradicts
 * itself, and what nothing determines, is collected and told at once.
 */
public final class Dimensions {
    /** So many examples are taken for a batch where shapes are to be inferred. */
    private static final long EXAMPLES = 7;
    /** How a fault begins that the engine finds: with what the statement defines. */
    private static final Pattern STATEMENT = Pattern.compile("^\\w+: ");
    private static final Pattern RANGE = Pattern.compile("^\\w+: index ");

    private final List<Node> nodes;
    private final Map<String, Variable> variables = new LinkedHashMap<>();
    private final Map<Variable, Dimension[]> known = new HashMap<>();
    /** What gave the rank of each tensor. */
    private final Map<Variable, String> ranked = new HashMap<>();
    private final Set<Node> stated = new HashSet<>();
    private final Set<Node> run = new HashSet<>();
    private final Set<Node> faulty = new HashSet<>();
    private final Set<String> faults = new LinkedHashSet<>();
    private final Predicate<Variable> isBoundLate;
    /** The tensors of which there is one for each example. */
    private final Set<Variable> perExample;
    /** For each node over a batch the number of examples. */
    private final Map<Node, Dimension> examples = new HashMap<>();
    private boolean changed;
    /** What stands for lengths of axes that have none. */
    private final Nominal nominal;
    /** Whether tensors of unknown rank are taken for vectors. */
    private boolean isGuessing;

    /**
     * Those of a graph.
     *
     * @param nodes its nodes, in an order in which what is read is made before
     * @param all its tensors by number
     * @param isBoundLate what has dimensions that bind as it is run: these may stay open
     * @param isGiven what has the axes that it has in a run, not by its declaration
     * @param nominal what stands for lengths of axes that have none
     */
    Dimensions(List<Node> nodes, Iterable<Variable> all, Predicate<Variable> isBoundLate, Predicate<Variable> isGiven, Nominal nominal) {
        this.nodes = nodes;
        this.nominal = nominal;
        this.isBoundLate = isBoundLate;
        perExample = perExample(nodes, all);
        for (Variable variable : all) {
            if (variable.form != Variable.Form.TENSOR) {
                continue;
            }
            variables.put(variable.key.name(), variable);
            String origin = isGiven.test(variable) ? "this run" : "its declaration";
            if (variable.axes != null) {
                setRank(variable, variable.axes.length, origin);
                for (int axis = 0; axis < variable.axes.length; axis++) {
                    if (variable.inferred.contains(variable.axes[axis])) {
                        known.get(variable)[axis].name(variable.axes[axis]);
                    } else if (variable.axes[axis] != null) {
                        fault(known.get(variable)[axis].set(variable.axes[axis], nominal.length(variable.axes[axis]), origin));
                    }
                }
            }
        }
    }

    /** The tensors of which there is one for each example: inputs, and what is made of them. */
    static Set<Variable> perExample(List<Node> nodes, Iterable<Variable> all) {
        Set<Variable> found = new HashSet<>();
        for (Variable variable : all) {
            if (variable.kind == Variable.Kind.INPUT) {
                found.add(variable);
            }
        }
        for (Node node : nodes) {
            if (!Collections.disjoint(node.reads, found)) {
                found.addAll(node.writes);
            }
        }
        return found;
    }

    /** Whether there is one of a tensor for each example. */
    boolean isPerExample(Variable of) {
        return perExample.contains(of);
    }

    /** The shape of a tensor in the text of a node. */
    private long[] shape(Node node, Variable of, long... shape) {
        return node.whole != null && perExample.contains(of) ? Rows.with(EXAMPLES, shape) : shape;
    }

    /** Of a tensor that a node makes, the shape for one example; what has no axis of examples, where there is to be one, is a fault. */
    private long[] each(Node node, Variable of, long... shape) {
        if (node.whole == null || !perExample.contains(of)) {
            return shape;
        }
        if (shape.length == 0 || shape[0] != EXAMPLES) {
            throw new IllegalArgumentException(of + ", which " + node.title() + " makes, depends on an input: its first axis in the text is to be the"
                + " example");
        }
        return Arrays.copyOfRange(shape, 1, shape.length);
    }

    /** What a node makes, and the states that it defines. */
    private static List<Variable> defined(Node node) {
        List<Variable> all = new ArrayList<>(node.writes);
        if (node.whole != null) {
            all.addAll(node.whole.states);
        }
        return all;
    }

    /** Collects a fault, which has names as a user knows them; null is none. */
    void fault(String text) {
        if (text != null) {
            faults.add(nominal.told(text));
        }
    }

    /** A text of the engine as a user has it, with the names of tensors in place of their keys. */
    private String display(String text) {
        return Names.rename(text, word -> variables.containsKey(word) ? variables.get(word).toString() : word);
    }

    /** The rank of a tensor, or -1. */
    public int rank(Variable of) {
        Dimension[] own = known.get(of);
        return own == null ? isGuessing ? 1 : -1 : own.length;
    }

    /** The text of a node as if tensors of unknown rank were vectors; null if nothing says it. */
    String likely(Node node) {
        isGuessing = true;
        try {
            return node.isLate ? null : node.text(this);
        } finally {
            isGuessing = false;
        }
    }

    /** The length of an axis, or -1. */
    public long length(Variable of, int axis) {
        Dimension[] own = known.get(of);
        return own == null || axis >= own.length ? -1 : own[axis].length();
    }

    /** Whether an axis is known to have no length of its own. */
    boolean varies(Variable of, int axis) {
        return of.axes != null && of.axes[axis] != null && of.axes[axis].isVarying();
    }

    /** How many elements a tensor has; 1 as long as that is not known. */
    public long elements(Variable of) {
        long elements = 1;
        for (int axis = 0; axis < Math.max(rank(of), 0); axis++) {
            elements *= length(of, axis) < 0 ? 1 : length(of, axis);
        }
        return elements;
    }

    /** Sets a rank, unless it is known: another one is a fault then. */
    public void setRank(Variable of, int rank, String statement) {
        Dimension[] own = known.get(of);
        if (own == null) {
            own = new Dimension[rank];
            for (int axis = 0; axis < rank; axis++) {
                own[axis] = new Dimension("axis " + axis + " of " + of);
            }
            known.put(of, own);
            ranked.put(of, statement);
            changed = true;
        } else if (own.length != rank) {
            fault(of + " has rank " + own.length + " by " + ranked.get(of) + ", and rank " + rank + " by " + statement);
        }
    }

    /** Makes two axes one. */
    public void equate(Variable first, int axis, Variable second, int other, String statement) {
        equate(known.get(first)[axis], known.get(second)[other], statement);
    }

    private void equate(Dimension first, Dimension second, String statement) {
        fault(first.equate(second, statement));
    }

    /** Gives an axis. */
    public void set(Variable of, int axis, Axis given, String statement) {
        fault(known.get(of)[axis].set(given, nominal.length(given), statement));
    }

    /**
     * Infers all dimensions.
     *
     * @throws IllegalArgumentException if they contradict each other, or one is not determined
     */
    void infer() {
        toFixedPoint();
        if (fillOpenAxes()) {
            toFixedPoint();
        }
        Set<Variable> open = new LinkedHashSet<>();
        for (Variable variable : variables.values()) {
            Dimension[] own = known.get(variable);
            if (isBoundLate.test(variable)) {
                continue;
            }
            if (own == null) {
                faults.add(variable + ": nothing determines its rank");
                open.add(variable);
            } else {
                for (Dimension dimension : own) {
                    if (dimension.length() < 0) {
                        open.add(variable);
                    }
                }
            }
        }
        report(open);
    }

    /**
     * Writes all dimensions to the variables.
     *
     * @param other those where other lengths stand for those of axes that have none: what differs varies. Null if there is no such axis
     * @throws IllegalArgumentException if a tensor of which there is one for all examples has an axis that varies
     */
    void write(Dimensions other) {
        Map<Variable, Axis[]> before = new HashMap<>();
        variables.values().forEach(variable -> before.put(variable, variable.axes));
        try {
            writeAll(other);
            report(Collections.emptySet());
        } catch (IllegalArgumentException e) {
            before.forEach((variable, axes) -> variable.axes = axes);
            throw e;
        }
    }

    private void writeAll(Dimensions other) {
        for (Variable variable : variables.values()) {
            Dimension[] own = known.get(variable);
            if (own == null) {
                continue;
            }
            Axis[] axes = new Axis[own.length];
            for (int axis = 0; axis < axes.length; axis++) {
                boolean isDeclared = variable.axes != null && variable.axes[axis] != null;
                boolean varies = other != null && other.length(variable, axis) != own[axis].length();
                axes[axis] = isDeclared ? variable.axes[axis] : own[axis].axis(varies);       // axes of one length may be distinct
                if (varies && !nominal.has(axes[axis])) {
                    variable.inferred.add(axes[axis]);
                }
                if (varies && variable.data == null && (variable.kind == Variable.Kind.CONSTANT || variable.kind == Variable.Kind.STATE
                    || variable.isParameter())) {
                    faults.add(variable + " has the axis " + axes[axis] + ", which has no length: a "
                        + (variable.isParameter() ? "parameter" : variable.kind.name().toLowerCase(Locale.ROOT))
                        + " has one shape for all examples");
                }
            }
            variable.axes = axes;
        }
        for (Node node : nodes) {
            if (other != null && !Objects.equals(node.text(this), node.text(other))) {
                List<Variable> varying = new ArrayList<>(node.reads);
                varying.removeIf(read -> !read.isVarying());
                faults.add(node.title() + " needs the lengths of all axes of what it reads: " + varying + " have axes that have none");
            }
            Variable like = node.whole == null || node.whole.noise == null ? null : node.whole.noise.like;
            if (like != null && Arrays.stream(like.axes).anyMatch(axis -> axis.isVarying() && !nominal.has(axis))) {
                faults.add(node.title() + ": " + like + " has the axes " + Arrays.toString(like.axes)
                    + ", of which one is no axis of an input: what is dropped has lengths that inputs have");
            }
        }
    }

    /** What follows from a fault is not told as well: what is only made of undetermined tensors, or by a faulty comprehension. */
    private void report(Set<Variable> open) {
        for (Variable variable : open) {
            boolean follows = variable.maker != null && (faulty.contains(variable.maker)
                || variable.maker.reads.stream().anyMatch(read -> open.contains(read) && read.maker != variable.maker));
            if (!follows && known.containsKey(variable)) {
                for (Dimension dimension : known.get(variable)) {
                    if (dimension.length() < 0) {
                        faults.add("nothing determines the length of " + dimension);
                    }
                }
            }
        }
        if (faults.isEmpty() && !open.isEmpty()) {
            open.forEach(variable -> faults.add("nothing determines the dimensions of " + variable));
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", faults));
        }
    }

    private void toFixedPoint() {
        do {
            changed = false;
            for (Node node : nodes) {
                node.inferRanks(this);
                if (!node.isLate) {
                    state(node);
                    flow(node);
                }
            }
        } while (changed);
    }

    /** The open axes of a constant that is filled are as long as its last one that is known. */
    private boolean fillOpenAxes() {
        boolean any = false;
        for (Variable variable : variables.values()) {
            Dimension[] own = known.get(variable);
            if (variable.fill == null || own == null) {
                continue;
            }
            Dimension last = null;
            for (Dimension dimension : own) {
                last = dimension.length() < 0 ? last : dimension;
            }
            for (Dimension dimension : own) {
                if (last != null && dimension.length() < 0) {
                    equate(dimension, last, "the constant's other axis");
                    any = true;
                }
            }
        }
        return any;
    }

    /** Takes the equations of a comprehension, once. */
    private void state(Node node) {
        String text = stated.contains(node) ? null : node.text(this);
        if (text == null) {
            return;
        }
        stated.add(node);
        changed = true;
        Equations equations = node.program(text).equations();
        Map<String, Dimension[]> locals = new HashMap<>();
        for (int n = 0; n < equations.statements.size(); n++) {
            String statement = "`" + (node.isLayer ? node.title : display(equations.statements.get(n))) + "`" + node.place();
            Map<String, Dimension> loops = new HashMap<>();
            for (Equations.Access access : equations.of(n)) {
                Dimension[] own = dimensions(node, equations, access, locals, statement);
                for (int axis = 0; own != null && axis < own.length; axis++) {
                    state(own[axis], access.axes.get(axis), loops, statement);
                }
            }
        }
    }

    private void state(Dimension dimension, String says, Map<String, Dimension> loops, String statement) {
        if (Character.isDigit(says.charAt(0))) {
            fault(dimension.set(Long.parseLong(says), statement));
        } else if (!says.equals("?")) {
            Dimension same = loops.putIfAbsent(says, dimension);
            if (same != null) {
                equate(same, dimension, statement);
            }
        }
    }

    /** Those of the tensor of an access; null if its rank is another. */
    private Dimension[] dimensions(Node node, Equations equations, Equations.Access access, Map<String, Dimension[]> locals, String statement) {
        String name = Equations.plain(access.tensor);
        Variable variable = variables.get(name);
        int rank = access.axes.size();
        if (access.axes.contains("...")) {
            return null;        // of any rank: shapes flow once those of inputs are known
        }
        if (variable != null && (equations.inputs.contains(access.tensor) || equations.outputs.contains(access.tensor))) {
            boolean isLed = node.whole != null && perExample.contains(variable);
            if (isLed && rank == 0) {
                fault(variable + " has no axis in " + statement + ": in a text over the batch its first axis is the example");
                return null;
            }
            setRank(variable, isLed ? rank - 1 : rank, statement);
            Dimension[] own = known.get(variable);
            if (isLed) {
                Dimension[] led = new Dimension[own.length + 1];
                led[0] = examples.computeIfAbsent(node, of -> new Dimension("the batch of " + of.title()));
                System.arraycopy(own, 0, led, 1, own.length);
                own = led;
            }
            return own.length == rank ? own : null;
        }
        Dimension[] own = locals.computeIfAbsent(access.tensor, label -> {
            Dimension[] made = new Dimension[rank];
            // A name that no text can have: that of a scan's steps, or of what a gradient goes through.
            int mark = name.indexOf('\'');
            String of = mark < 0 ? name : name.substring(0, mark);
            boolean isSteps = name.startsWith("'steps", mark < 0 ? name.length() : mark);
            Arrays.setAll(made, axis -> new Dimension(isSteps ? "the number of steps of scan " + of : "axis " + axis + " of " + of));
            return made;
        });
        return own.length == rank ? own : null;     // else the engine says so, once it has shapes
    }

    /** Finds what a comprehension makes of inputs that are known. */
    private void flow(Node node) {
        if (run.contains(node) || node.writes.isEmpty() || isBoundLate.test(node.writes.get(0))) {
            return;
        }
        for (Variable read : node.reads) {
            if (!isKnown(read)) {
                return;
            }
        }
        String text = node.text(this);
        if (text == null) {
            return;
        }
        run.add(node);
        changed = true;
        try {
            Outcome outcome = outcome(node, node.program(text), node.whole == null ? null : node.whole.noise);
            for (Variable written : defined(node)) {
                long[] shape = each(node, written, outcome.shape(written));
                setRank(written, shape.length, node.title());
                Dimension[] own = known.get(written);
                for (int axis = 0; own.length == shape.length && axis < shape.length; axis++) {
                    fault(own[axis].set(shape[axis], node.title()));
                }
                written.type = outcome.type(written);
            }
        } catch (IllegalArgumentException e) {
            faulty.add(node);
            for (String line : e.getMessage().split("\n")) {
                // Ranges that contradict each other are lengths that do, which are told already.
                if (!node.isLayer || faults.isEmpty() || !RANGE.matcher(line).find()) {
                    fault(said(node, line));
                }
            }
        }
    }

    private Outcome outcome(Node node, Program program, Noise noise) {
        return new Outcome(program, of -> shape(node, of, shape(of)), variables, noise);
    }

    /** A fault that the engine finds in a statement; one of a layer of the library is told by its title, not by its statements. */
    private String said(Node node, String line) {
        Matcher statement = STATEMENT.matcher(line);
        boolean isTitled = node.isLayer && statement.find();
        String text = display(isTitled ? line.substring(statement.end()) : line);
        return (isTitled ? node.title() + ": " : "")
            + (node.isLayer ? text.replaceFirst("; cast one of them, as in .*", "; a comprehension of one's own can cast one of them") : text);
    }

    private boolean isKnown(Variable variable) {
        Dimension[] own = known.get(variable);
        if (own == null) {
            return false;
        }
        for (Dimension dimension : own) {
            if (dimension.length() < 0) {
                return false;
            }
        }
        return true;
    }

    private long[] shape(Variable of) {
        Dimension[] own = known.get(of);
        long[] shape = new long[own.length];
        Arrays.setAll(shape, axis -> own[axis].length());
        return shape;
    }

    /** Checks that a text of evaluation makes what that of training makes, and that a state keeps its type. */
    private void check(Node node, Variable written, Outcome evaluated, DataType type, long... shape) {
        if (written.kind == Variable.Kind.STATE) {
            if (type != written.type) {
                throw new IllegalArgumentException("the state " + written + " is " + written.type + ", and " + node.title() + " defines it as "
                    + type);
            }
        } else if (evaluated != null) {
            long[] other = each(node, written, evaluated.shape(written));
            if (evaluated.type(written) != type || !Arrays.equals(other, shape)) {
                throw new IllegalArgumentException(written + " is " + type + " of shape " + Arrays.toString(shape) + " by the text of training, and "
                    + evaluated.type(written) + " of shape " + Arrays.toString(other) + " by that of evaluation");
            }
        }
    }

    /** The final texts of evaluation, of those nodes whose text is over the batch. Called once all is inferred. */
    Map<Node, String> evaluations() {
        Map<Node, String> texts = new LinkedHashMap<>();
        for (Node node : nodes) {
            if (node.whole != null) {
                texts.put(node, node.evaluation(this));
            }
        }
        return texts;
    }

    /** The final texts of nodes, in order, but for those that bind late. Types of what they make are set. Called once all is inferred. */
    Map<Node, String> texts() {
        Map<Node, String> texts = new LinkedHashMap<>();
        List<String> wrong = new ArrayList<>();
        for (Node node : nodes) {
            if (node.writes.isEmpty() || isBoundLate.test(node.writes.get(0))) {
                continue;
            }
            String text = node.text(this);
            texts.put(node, text);
            try {
                Outcome outcome = outcome(node, node.program(text), node.whole == null ? null : node.whole.noise);
                Outcome evaluated = node.whole == null ? null : outcome(node, Program.of(node.evaluation(this)), null);
                for (Variable written : defined(node)) {
                    DataType type = outcome.type(written);
                    long[] shape = each(node, written, outcome.shape(written));
                    check(node, written, evaluated, type, shape);
                    if (!Arrays.equals(shape, shape(written))) {
                        wrong.add(written + " is " + Arrays.toString(shape) + " by " + node.title() + ", and " + Arrays.toString(shape(written))
                            + " by the graph");
                    }
                    written.type = type;
                }
            } catch (IllegalArgumentException e) {
                wrong.add(said(node, e.getMessage()));
            }
        }
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(nominal.told(String.join("\n", wrong)));
        }
        return texts;
    }
}
