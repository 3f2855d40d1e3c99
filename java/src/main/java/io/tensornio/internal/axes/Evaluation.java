package io.tensornio.internal.axes;

import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.compute.Program;
import io.tensornio.internal.compute.ProgramCache;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.WritableTensor;
import java.util.Collections;
import java.util.function.Supplier;

/** The program that computes an expression, cached by the expression's structure, and its current inputs. */
public final class Evaluation {
    /** A program, and the entries of a snapshot that are its inputs. */
    private static final class Known {
        final Program program;
        final int[] sources;

        Known(Snapshot snapshot) {
            program = Program.of(ProgramText.of(snapshot));
            sources = program.inputs().stream().mapToInt(ProgramText::entryOf).toArray();
        }
    }

    private final Snapshot snapshot;
    private final Program program;
    private final Object[] inputs;
    /** The elements if there is nothing to compute, else null. */
    private final Object memory;

    private Evaluation(Snapshot snapshot, Program program, Object memory, Object... inputs) {
        this.snapshot = snapshot;
        this.program = program;
        this.memory = memory;
        this.inputs = inputs;
    }

    /**
     * Makes the evaluation of the current state of an expression.
     *
     * @throws io.tensornio.TensorClosedException if a tensor that it needs is closed
     */
    public static Evaluation of(Node root) {
        Snapshot snapshot = Snapshot.of(root);
        try {
            return of(snapshot);
        } catch (Throwable e) {
            snapshot.close();
            throw e;
        }
    }

    private static Evaluation of(Snapshot snapshot) {
        Known known = ProgramCache.get(snapshot.structure(), () -> new Known(snapshot));
        return new Evaluation(snapshot, known.program, snapshot.entry(snapshot.count() - 1).memory, snapshot.sources(known.sources));
    }

    /** Computes a tensor, which the caller closes. */
    static Tensor<?> run(Node root) {
        Node unmerged = unmerged(root);
        if (unmerged == null) {
            Evaluation evaluation = of(root);
            return named(root, evaluation::run);
        }
        try (WritableTensor made = WritableTensor.allocate(root.type(), root.shape())) {
            runInto(unmerged, made.data().reshape(unmerged.shape()));
            return made.publish();
        }
    }

    /** Computes into data of the type and shape of a node. */
    static void runInto(Node root, TensorData<?> target) {
        Node unmerged = unmerged(root);
        if (unmerged == null) {
            Evaluation evaluation = of(root);
            named(root, () -> {
                evaluation.runInto(target);
                return null;
            });
        } else {
            runInto(unmerged, target.reshape(unmerged.shape()));        // splitting an axis never needs a copy
        }
    }

    /** Runs, and replaces the names of the program in arithmetic errors by the expression. */
    private static <T> T named(Node root, Supplier<T> run) {
        try {
            return run.get();
        } catch (ArithmeticException e) {
            throw new ArithmeticException(e.getMessage().replaceFirst("^\\w+: ", "") + " in " + Formula.of(root));
        }
    }

    /** If the root only merges the axes of a computed node, that node: it is computed directly into the target. Else null. */
    private static Node unmerged(Node root) {
        Step step = root.step();
        if (root.memory() != null || step == null || !step.merges()) {
            return null;
        }
        Node operand = step.operands[0].node;
        return operand.memory() == null ? operand : null;
    }

    /** The program's text; no run follows. */
    public String text() {
        snapshot.close();
        return program.text();
    }

    private Tensor<?> run() {
        try {
            return memory instanceof TensorData ? AnyData.computed((TensorData<?>) memory) : program.run(inputs)[0];
        } finally {
            snapshot.close();
        }
    }

    private void runInto(TensorData<?> target) {
        try {
            program.runInto(inputs, Collections.singletonList(target));
        } finally {
            snapshot.close();
        }
    }
}
