package io.tensornio.compute;

import io.tensornio.internal.compute.Affine;
import io.tensornio.internal.compute.Name;

/**
 * A loop of a comprehension built in Java. It has identity: another one made with the same name is another loop, which
 * is renamed in the comprehension's text. One loop may be used in any number of statements and comprehensions.
 */
public final class LoopIndex extends Index {
    final Name name;

    private LoopIndex(Name name) {
        super(Affine.of(name));
        this.name = name;
    }

    /**
     * Makes a loop.
     *
     * @param name its name: a letter or {@code _}, then letters, digits and {@code _}, of ASCII
     * @throws IllegalArgumentException if the name is invalid, or a keyword
     */
    public LoopIndex(String name) {
        this(Name.loop(name));
    }

    /**
     * The name with which it was made.
     *
     * @return the name
     */
    public String name() {
        return name.text;
    }
}
