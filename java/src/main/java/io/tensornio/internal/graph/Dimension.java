package io.tensornio.internal.graph;

import io.tensornio.Axis;

/** The length of one axis of a tensor, shared by all that have to have the same: a tree of a union-find. */
final class Dimension {
    private Dimension parent;
    private final String what;
    private Axis axis;
    /** The length, or -1. */
    private long length = -1;
    /** The axis that the length came from first, and the statement that gave it. */
    private String where;
    private String why;

    /** One that is not known. */
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

    /** What messages call it. */
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

    /** Takes an axis; gives what contradicts it, or null. */
    String set(Axis given, String statement) {
        Dimension root = root();
        String fault = set(given.length(), statement);
        if (root.axis == null && fault == null) {
            root.axis = given;
        }
        return fault;
    }

    /** Takes a length; gives what contradicts it, or null. */
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

    /** Makes both one; gives what contradicts that, or null. Each contradiction is told once. */
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
