package io.tensornio.internal.compute;

/** A name of a program that is built in Java, of a tensor or a loop. It has identity: another one of the same text is another tensor or loop. */
public final class Name {
    /** The text with which it was made. */
    public final String text;
    /** Whether it is that of a loop. */
    final boolean isLoop;
    /** Whether it is the key of a graph's tensor, which keeps its text beside users' names of the same spelling. */
    final boolean isKey;

    private Name(String text, boolean isLoop, boolean isKey) {
        this.text = text;
        this.isLoop = isLoop;
        this.isKey = isKey;
    }

    /**
     * The name of a tensor.
     *
     * @throws IllegalArgumentException if no tensor can have it
     */
    public static Name tensor(String text) {
        return new Name(Words.check(text, "a tensor"), false, false);
    }

    /**
     * The name of a loop.
     *
     * @throws IllegalArgumentException if no loop can have it
     */
    public static Name loop(String text) {
        return new Name(Words.check(text, "a loop"), true, false);
    }

    /** The key of a graph's tensor. */
    public static Name key(String text) {
        return new Name(text, false, true);
    }

    @Override
    public String toString() {
        return text;
    }
}
