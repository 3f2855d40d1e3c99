package io.tensornio.graph;

import io.tensornio.compute.Comprehension;
import io.tensornio.compute.LoopIndex;
import io.tensornio.compute.Statement;
import io.tensornio.internal.graph.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Takes the statements of a layer of one's own, see {@link TensorContext#comprehension}. All dimensions are known when it is used. */
public final class ComprehensionBuilder {
    private final List<Statement> statements = new ArrayList<>();
    private int loops;

    ComprehensionBuilder() {
    }

    /**
     * A loop.
     *
     * @return a new one
     */
    public LoopIndex newIndex() {
        return new LoopIndex("i" + loops++);
    }

    /**
     * A loop.
     *
     * @param name what it is called in messages
     * @return a new one, whatever others are called
     * @throws IllegalArgumentException if it cannot be the name of a loop
     */
    public LoopIndex newIndex(String name) {
        return new LoopIndex(name);
    }

    /**
     * Loops for several axes.
     *
     * @param count how many
     * @return as many new ones
     * @throws IllegalArgumentException if the count is negative
     */
    public LoopIndex[] newIndexRange(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("a range of " + count + " loops");
        }
        LoopIndex[] range = new LoopIndex[count];
        for (int n = 0; n < count; n++) {
            range[n] = newIndex();
        }
        return range;
    }

    /**
     * Adds a statement after those that are there.
     *
     * @param statement the statement
     */
    public void add(Statement statement) {
        statements.add(Objects.requireNonNull(statement, "statement"));
    }

    String text(Variable made) {
        if (statements.isEmpty()) {
            throw new IllegalArgumentException("the factory of the comprehension of " + made + " adds no statement");
        }
        return Comprehension.of(statements.toArray(new Statement[0])).toString();
    }
}
