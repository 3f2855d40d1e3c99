package io.tensornio.internal.graph;

import io.tensornio.Axis;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The length of an axis, shared by all axes that must have the same length: a node of a union-find forest, which also knows what united it. */
final class Dimension {
    private Dimension parent;
    private final String what;
    private Axis axis;
    /** The length, in the root alone, or -1. */
    private long length = -1;
    /** The statement that gave a length to this axis itself; null if there is none. */
    private String why;
    /** The equations with others that united sets: a spanning tree of each set. */
    private List<Equation> equations = Collections.emptyList();

    private static final class Equation {
        final Dimension other;
        final String statement;

        Equation(Dimension other, String statement) {
            this.other = other;
            this.statement = statement;
        }
    }

    /** An unknown length. */
    Dimension(String what) {
        this.what = what;
    }

    private Dimension root() {
        Dimension root = this;
        while (root.parent != null) {
            if (root.parent.parent != null) {
                root.parent = root.parent.parent;
            }
            root = root.parent;
        }
        return root;
    }

    /** The name in messages. */
    @Override
    public String toString() {
        return what;
    }

    long length() {
        return root().length;
    }

    /** The axis, if the length is known; a varying one if it is not the same for all examples. */
    Axis axis(boolean varies) {
        Dimension root = root();
        if (varies && (root.axis == null || !root.axis.isVarying())) {
            root.axis = Axis.varying(what);
        }
        if (root.axis == null && root.length >= 0) {
            root.axis = Axis.of(root.length);
        }
        return root.axis;
    }

    /** Sets the axis, whose length is to be inferred. */
    void name(Axis given) {
        Dimension root = root();
        root.axis = root.axis == null ? given : root.axis;
    }

    /** Sets the axis, whose length is that; returns a contradiction, or null. */
    String set(Axis given, long of, String statement) {
        Dimension root = root();
        String fault = set(of, statement);
        if (root.axis == null && fault == null) {
            root.axis = given;
        }
        return fault;
    }

    /** Sets the length; returns a contradiction, or null. */
    String set(long given, String statement) {
        Dimension root = root();
        if (root.length < 0) {
            root.length = given;
            why = statement;
        }
        if (root.length == given) {
            return null;
        }
        return what + " is " + given + " by " + statement + " and " + root.length + reason();
    }

    /** Which statement gave its length, to which axis, and which statements make that axis and this one. */
    private String reason() {
        Map<Dimension, Equation> towards = new HashMap<>();
        Deque<Dimension> open = new ArrayDeque<>();
        towards.put(this, null);
        Dimension found = this;
        while (found != null && found.why == null) {
            for (Equation equation : found.equations) {
                if (!towards.containsKey(equation.other)) {
                    towards.put(equation.other, new Equation(found, equation.statement));
                    open.add(equation.other);
                }
            }
            found = open.poll();
        }
        if (found == null) {
            return "";
        }
        if (found == this) {
            return " by " + why;
        }
        List<String> between = new ArrayList<>();
        for (Equation back = towards.get(found); back != null; back = towards.get(back.other)) {
            if (!between.contains(back.statement)) {
                between.add(back.statement);
            }
        }
        int count = between.size();
        return " by " + found.what + ", " + found.why + ", and " + between.get(0)
            + (count > 2 ? " and " + (count - 2) + " more" : "") + (count > 1 ? " and " + between.get(count - 1) : "");
    }

    /** Unites both; returns a contradiction, or null. Each contradiction is reported once. */
    String equate(Dimension other, String statement) {
        Dimension mine = root();
        Dimension theirs = other.root();
        if (mine == theirs) {
            return null;
        }
        if (mine.length >= 0 && theirs.length >= 0 && mine.length != theirs.length) {
            return what + " is " + mine.length + reason() + ", and " + other.what + " is " + theirs.length + other.reason() + ": they are one by "
                + statement;
        }
        add(other, statement);
        other.add(this, statement);
        if (theirs.length >= 0 && mine.length < 0) {
            mine.parent = theirs;
            theirs.axis = theirs.axis == null ? mine.axis : theirs.axis;
        } else {
            theirs.parent = mine;
            if (mine.axis == null) {
                mine.axis = theirs.axis;
            }
        }
        return null;
    }

    private void add(Dimension other, String statement) {
        if (equations.isEmpty()) {
            equations = new ArrayList<>(1);
        }
        equations.add(new Equation(other, statement));
    }
}
