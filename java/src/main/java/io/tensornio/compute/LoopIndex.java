package io.tensornio.compute;

/**
 * A loop of a comprehension that is built in Java. It stands for itself: another one made with the same name is another loop, which is renamed in the
 * comprehension's text. One loop may be used in any number of statements and comprehensions.
 */
public final class LoopIndex extends Index {
    private final String name;

    /**
     * Makes a loop.
     *
     * @param name its name: a letter or {@code _}, then letters, digits and {@code _}, of ASCII
     * @throws IllegalArgumentException if the name is none, or a word of the language
     */
    public LoopIndex(String name) {
        this.name = Names.check(name, "a loop");
    }

    /**
     * The name that it was made with.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    @Override
    Affine affine() {
        return new Affine(this);
    }

    @Override
    Object[] parts() {
        return new Object[] {this};
    }
}
