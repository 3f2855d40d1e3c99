package io.tensornio.internal.data;

/**
 * Which conditions are evaluated to read one element of a complex view. They are limited: each that depends on another is a call inside of a call,
 * and one that is read by several others is evaluated for each of them, so that a few lines could make a read that does not end.
 */
final class Conditions {
    /** No condition. */
    static final Conditions NONE = new Conditions(0, 0);

    private static final int DEEPEST = 256;
    private static final int MOST = 65_536;

    /** How deep they depend on each other. */
    private final int depth;
    /** How many are evaluated, at most. */
    private final int number;

    private Conditions(int depth, int number) {
        this.depth = depth;
        this.number = number;
    }

    /** A condition that is evaluated by these. */
    Conditions andItself() {
        if (depth >= DEEPEST) {
            throw refused("depends on another one, and so on, more than " + DEEPEST + " deep");
        }
        if (number >= MOST) {
            throw refused("depends on others, which would be evaluated more than " + MOST + " times for an element");
        }
        return new Conditions(depth + 1, number + 1);
    }

    private static IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("where: the condition " + why + "; copy() it, and use the copy");
    }

    /** These, or those others, whichever is more. */
    Conditions or(Conditions others) {
        boolean isMore = depth >= others.depth && number >= others.number;
        return isMore ? this : new Conditions(Math.max(depth, others.depth), Math.max(number, others.number));
    }

    /** These, and then those others. */
    Conditions then(Conditions others) {
        long both = (long) number + others.number;
        return new Conditions(Math.max(depth, others.depth), (int) Math.min(Integer.MAX_VALUE, both));
    }
}
