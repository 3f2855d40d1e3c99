package io.tensornio.graph;

import io.tensornio.compute.Comprehension;
import io.tensornio.compute.LoopIndex;
import io.tensornio.compute.Statement;
import io.tensornio.internal.graph.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Collects the statements of a custom layer, see {@link TensorContext#comprehension}. All dimensions are known when it is used. */
public final class ComprehensionBuilder {
    private final List<Statement> statements = new ArrayList<>();
    private int loops;

    ComprehensionBuilder() {
    }

    /**
     * A new loop.
     *
     * @return a new one
     */
    public LoopIndex newIndex() {
        return new LoopIndex("i" + loops++);
    }

    /**
     * A new loop.
     *
     * @param name its name in messages
     * @return a new loop, distinct from others with the same name
     * @throws IllegalArgumentException if it cannot be the name of a loop
     */
    public LoopIndex newIndex(String name) {
        return new LoopIndex(name);
    }

    /**
     * Loops for several axes.
     *
     * @param count the number of loops
     * @return new loops
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
     * Appends a statement.
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
