package io.tensornio.internal.graph;

import io.tensornio.Axis;

/** The length of an axis, shared by all axes that must have the same length: a node of a union-find forest. */
final class Dimension {
    private Dimension parent;
    private final String what;
    private Axis axis;
    /** The length, or -1. */
    private long length = -1;
    /** The axis from which the length was known first, and the statement that determined it. */
    private String where;
    private String why;

    /** An unknown length. */
    Dimension(String what) {
        this.what = what;
    }

    private Dimension root() {
        Dimension root = this;
        while (root.parent != null) {
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

    /** The axis, if the length is known. */
    Axis axis() {
        Dimension root = root();
        if (root.axis == null && root.length >= 0) {
            root.axis = Axis.of(root.length);
        }
        return root.axis;
    }

    /** Sets the axis; returns a contradiction, or null. */
    String set(Axis given, String statement) {
        Dimension root = root();
        String fault = set(given.length(), statement);
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
            root.where = what;
            root.why = statement;
            return null;
        }
        return root.length == given ? null : what + " is " + given + " by " + statement + " and " + root.length + root.reason(what);
    }

    private String reason(String of) {
        return (where.equals(of) ? "" : " by " + where + ",") + (where.equals(of) ? " by " : " ") + why;
    }

    /** Unites both; returns a contradiction, or null. Each contradiction is reported once. */
    String equate(Dimension other, String statement) {
        Dimension mine = root();
        Dimension theirs = other.root();
        if (mine == theirs) {
            return null;
        }
        if (mine.length >= 0 && theirs.length >= 0 && mine.length != theirs.length) {
            return what + " is " + mine.length + mine.reason(what) + ", and " + other.what + " is " + theirs.length + theirs.reason(other.what)
                + ": they are one by " + statement;
        }
        if (theirs.length >= 0 && mine.length < 0) {
            mine.parent = theirs;
        } else {
            theirs.parent = mine;
            if (mine.axis == null) {
                mine.axis = theirs.axis;
            }
        }
        return null;
    }
}
