package io.tensornio.internal.graph;

import io.tensornio.internal.compute.Program;
import io.tensornio.internal.memory.LeakDetector;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** A comprehension in a graph, a step on sequences, or an equation between dimensions, which writes nothing. */
public final class Node {
    /** What makes the text of a comprehension, in which each tensor has its {@link Variable#key}. */
    public interface Text {
        /** The text, or null as long as too little is known. */
        String of(Dimensions known);
    }

    /** What finds ranks. */
    public interface Ranks {
        /** Sets the ranks that follow from those that are known. */
        void infer(Dimensions known);
    }

    /** What it reads. */
    public final List<Variable> reads;
    /** What it makes. */
    public final List<Variable> writes;
    /** Its expression. */
    final String title;
    /** The line of the caller that made it, if leak detection is on; else null. */
    private final StackTraceElement made = LeakDetector.caller();
    /** Whether the text is made once all dimensions are known, and says nothing of them. */
    final boolean isLate;
    private final Ranks ranks;
    private final Text text;
    /** Whether it is a layer of the library, whose statements a user has not seen. */
    final boolean isLayer;
    /** The latest text with its program, which graphs of different threads replace as a whole. */
    private volatile Parsed parsed;
    /** What is done instead of a comprehension; null where there is one. */
    final SequenceStep step;
    /** What there is besides, if the text is over a batch; null if it is for one example. */
    final Whole whole;

    /** What a node over a batch has besides its text, which is that of training. */
    static final class Whole {
        /** The text of evaluation. */
        final Text evaluation;
        /** The states that the text of training defines. */
        final List<Variable> states;
        /** The random truth values that the text of training reads, or null. */
        final Noise noise;

        Whole(Text evaluation, List<Variable> states, Noise noise) {
            this.evaluation = evaluation;
            this.states = states;
            this.noise = noise;
        }
    }

    /** A text, and its program. */
    private static final class Parsed {
        final String text;
        final Program program;

        Parsed(String text) {
            this.text = text;
            program = Program.of(text);
        }
    }

    /** A new one, which is not yet the maker of what it writes. */
    public Node(String title, List<Variable> reads, List<Variable> writes, boolean isLate, Ranks ranks, Text text) {
        this(title, reads, writes, isLate, false, ranks, text, null, null);
    }

    private Node(String title, List<Variable> reads, List<Variable> writes, boolean isLate, boolean isLayer, Ranks ranks, Text text,
            SequenceStep step, Whole whole) {
        this.title = title;
        this.reads = Collections.unmodifiableList(reads);
        this.writes = Collections.unmodifiableList(writes);
        this.isLate = isLate;
        this.isLayer = isLayer;
        this.ranks = Objects.requireNonNull(ranks);
        this.text = text;
        this.step = step;
        this.whole = whole;
        for (Variable state : whole == null ? Collections.<Variable>emptyList() : whole.states) {
            state.definer = this;
        }
    }

    /** A step, which makes a tensor or a sequence. */
    static Node step(String title, Variable made, SequenceStep step, Variable... reads) {
        return new Node(title, Arrays.asList(reads), Collections.singletonList(made), false, false, known -> { }, null, step, null);
    }

    /** A layer that reads tensors and makes one. */
    static Node layer(String title, Variable made, Ranks ranks, Text text, Variable... reads) {
        return new Node(title, Arrays.asList(reads), Collections.singletonList(made), false, true, ranks, text, null, null);
    }

    /** A comprehension over a whole batch: the first axis of what depends on an input is the example. */
    static Node over(String title, boolean isLayer, List<Variable> reads, List<Variable> writes, Ranks ranks, Text text, Whole whole) {
        return new Node(title, reads, writes, false, isLayer, ranks, text, null, whole);
    }

    /** What messages call it. */
    public String title() {
        return title + place();
    }

    /** Where it was made, if that is known. */
    String place() {
        return made == null ? "" : " (at " + made + ")";
    }

    void inferRanks(Dimensions known) {
        ranks.infer(known);
    }

    /** The text of evaluation. */
    String evaluation(Dimensions known) {
        return whole == null ? text(known) : whole.evaluation.of(known);
    }

    /** The text, or null as long as too little is known, and for what is no comprehension. */
    String text(Dimensions known) {
        return text == null ? null : text.of(known);
    }

    /** The program of its text, which is parsed once. */
    Program program(String of) {
        Parsed last = parsed;
        if (last == null || !last.text.equals(of)) {
            last = new Parsed(of);
            parsed = last;
        }
        return last.program;
    }
}
