package io.tensornio.internal.graph;

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
    /** What messages call it. */
    private final String title;
    /** Whether the text is made once all dimensions are known, and says nothing of them. */
    final boolean isLate;
    private final Ranks ranks;
    private final Text text;
    /** Whether it is a layer of the library, whose statements a user has not seen. */
    final boolean isLayer;
    /** What is done instead of a comprehension; null where there is one. */
    final SequenceStep step;

    /** A new one, which is not yet the maker of what it writes. */
    public Node(String title, List<Variable> reads, List<Variable> writes, boolean isLate, Ranks ranks, Text text) {
        this(title, reads, writes, isLate, false, ranks, text, null);
    }

    private Node(String title, List<Variable> reads, List<Variable> writes, boolean isLate, boolean isLayer, Ranks ranks, Text text,
            SequenceStep step) {
        this.title = title;
        this.reads = Collections.unmodifiableList(reads);
        this.writes = Collections.unmodifiableList(writes);
        this.isLate = isLate;
        this.isLayer = isLayer;
        this.ranks = Objects.requireNonNull(ranks);
        this.text = text;
        this.step = step;
    }

    /** A step, which makes a tensor or a sequence. */
    static Node step(String title, Variable made, SequenceStep step, Variable... reads) {
        return new Node(title, Arrays.asList(reads), Collections.singletonList(made), false, false, known -> { }, null, step);
    }

    /** A layer that reads tensors and makes one. */
    static Node layer(String title, Variable made, Ranks ranks, Text text, Variable... reads) {
        return new Node(title, Arrays.asList(reads), Collections.singletonList(made), false, true, ranks, text, null);
    }

    /** What messages call it. */
    public String title() {
        return title;
    }

    void inferRanks(Dimensions known) {
        ranks.infer(known);
    }

    /** The text, or null as long as too little is known, and for what is no comprehension. */
    String text(Dimensions known) {
        return text == null ? null : text.of(known);
    }
}
