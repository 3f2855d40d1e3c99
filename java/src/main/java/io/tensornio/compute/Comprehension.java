package io.tensornio.compute;

import io.tensornio.TensorData;
import io.tensornio.internal.compute.Program;
import io.tensornio.internal.compute.ProgramWriter;
import io.tensornio.internal.compute.Term;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A tensor comprehension: statements that define each element of a tensor, such as {@code C[i,j] += A[i,k] * B[k,j]}. Native code checks it, infers
 * the range of every loop from the shapes of the inputs, and computes it, on several threads if there is enough work.
 *
 * <pre>{@code
 * Comprehension product = Comprehension.of("C[i,j] += A[i,k] * B[k,j]");
 * try (Results r = product.run(a, b)) {
 *     Tensor<Float> c = r.floatTensor("C");
 * }
 * }</pre>
 *
 * <p>A comprehension is immutable and may be used by any number of threads at once. It owns no native memory: there is
 * nothing to close. Comprehensions of the same text are equal.
 *
 * <p><b>Statements</b> end at {@code ;} or with the line, unless a bracket is open or an operator ends the line; {@code #} begins a comment.
 * <pre>{@code
 * name[index, ...] op expression where item, ...       op: = += *= max= min=
 * scan t down in 0:bound ... end                       statements that run step by step; `down`, and the range, may be left out
 * init name = value                                    in a scan: a number, or a tensor that is defined before; else 0
 * gradient name seed name by name, ...                 of what stands before it; `seed name` may be left out
 * return name, ...                                     at the end, if at all: the outputs; else they are all names that are defined
 * }</pre>
 *
 * <p>An index is an affine expression of loops, such as {@code 2*y + r - 1}, plus at most one look-up, an element of an integer tensor. Expressions
 * have, from the strongest to the weakest: {@code ^}, unary {@code -}, {@code * / %}, {@code + -}, one comparison, {@code not}, {@code and},
 * {@code or}; the functions of {@link F}; and {@code guard(0 <= index < bound, ..., x)}, which is 0 where an index is outside of its bound, and
 * does not evaluate {@code x} there. {@code where} gives ranges of loops, {@code i in 0:8}, and the shape of what is defined,
 * {@code C[3, size(A, 0)]}. A name without brackets is a loop if the statement uses it in brackets, a guard or {@code where}; else a tensor of rank
 * 0.
 *
 * <p><b>Reduction.</b> Under {@code += *= max= min=} the loops that are only on the right are reduced, over the whole right side. Under {@code =}
 * every loop is on the left. Elements that are not written are 0, or the reduction's identity.
 *
 * <p><b>Recurrences.</b> In a {@code scan} each left side has the loop over the steps, alone, as an index. What it defines is read in it at
 * {@code [t]}, after they are defined, or at {@code [t-1]}, the step before, with {@code down} {@code [t+1]}.
 *
 * <p><b>Ranges.</b> A loop runs from 0 as far as every element that it reads exists; all axes that a loop indexes alone must have the same length.
 *
 * <p><b>Types.</b> FLOAT, DOUBLE, INT32, INT64, UINT8 and BOOL; those that are stored narrow widen where they are read. The
 * operands of an expression have the same type, which numbers and loops take as well; to mix types, cast one: {@code x[i] * float(n[i])}.
 *
 * <p><b>Inputs</b> are the names that are read without being defined before. Each is given as a {@link io.tensornio.Tensor}, as data of any kind
 * ({@link io.tensornio.FloatTensorData} and its siblings, whatever they look at), or, of rank 0, as a {@link Number} or
 * {@link Boolean}. Native memory is read in place, with any strides, and pinned for the call, so that a concurrent
 * close is safe; other data is copied first. Concurrent writes may be seen or not.
 */
public final class Comprehension {
    private final Program program;

    private Comprehension(Program program) {
        this.program = program;
    }

    /**
     * Parses a comprehension.
     *
     * @param text one statement or more
     * @return the comprehension
     * @throws IllegalArgumentException if it is invalid; the message has the line and column, and what was expected
     */
    public static Comprehension of(String text) {
        return new Comprehension(Program.of(Objects.requireNonNull(text, "text")));
    }

    /**
     * Makes a comprehension from statements built in Java. Tensors and loops have identity: where names collide, they are renamed.
     *
     * @param statements one statement or more, in order
     * @return the comprehension
     * @throws IllegalArgumentException if there is no statement, or they are invalid: line numbers then count statements
     */
    public static Comprehension of(Statement... statements) {
        Term[] terms = new Term[Objects.requireNonNull(statements, "statements").length];
        for (int n = 0; n < terms.length; n++) {
            int which = n;
            terms[n] = Objects.requireNonNull(statements[n], () -> "statement " + which).term();
        }
        return of(ProgramWriter.of(terms));
    }

    /**
     * This comprehension with other outputs. Tensors that are not returned need not be in memory, and can be fused into
     * the statements that read them.
     *
     * @param names the names of the outputs, in this order
     * @return the comprehension
     * @throws IllegalArgumentException if there is no name, it does not define one of them, or one occurs twice
     */
    public Comprehension returning(String... names) {
        return new Comprehension(program.returning(checked(names)));
    }

    private static List<String> checked(String... names) {
        List<String> own = new ArrayList<>(Arrays.asList(Objects.requireNonNull(names, "names")));
        for (int n = 0; n < own.size(); n++) {
            int which = n;
            Objects.requireNonNull(own.get(n), () -> "name " + which);
        }
        return own;
    }

    /**
     * The names of the inputs, in order of first appearance; the seed of a gradient is the last.
     *
     * @return an unmodifiable list
     */
    public List<String> inputs() {
        return program.inputs();
    }

    /**
     * The names of the outputs.
     *
     * @return an unmodifiable list: what the text returns, or every name that it defines, in order
     */
    public List<String> outputs() {
        return program.outputs();
    }

    /**
     * Computes the outputs.
     *
     * @param inputs the inputs, in the order of {@link #inputs()}: dense, ragged and sparse tensors, data of them, operands of
     *     {@link io.tensornio.op.Ops}, tensors of named axes that are materialised, numbers and truth values
     * @return the outputs, which the caller closes
     * @throws IllegalArgumentException if there are more or fewer inputs; if one is of strings; or if the shapes, rows or types do not fit: the
     *     message names each statement, index, tensor and axis at fault
     * @throws IndexOutOfBoundsException if a look-up or a guarded read is outside of its tensor
     * @throws ArithmeticException if an integer is divided by 0, or has a negative exponent
     * @throws io.tensornio.TensorClosedException if an input is closed
     * @throws OutOfMemoryError if the outputs or temporaries exceed the memory budget
     */
    public Results run(Object... inputs) {
        Objects.requireNonNull(inputs, "inputs");
        return new Results(program.outputs(), program.runAny(inputs));
    }

    /**
     * Computes the outputs, see {@link #run(Object...)}.
     *
     * @param inputs the inputs, in the order of {@link #inputs()}
     * @return the outputs, which the caller closes
     * @throws IllegalArgumentException as {@link #run(Object...)}
     * @throws IndexOutOfBoundsException as {@link #run(Object...)}
     * @throws ArithmeticException as {@link #run(Object...)}
     * @throws io.tensornio.TensorClosedException if an input is closed
     * @throws OutOfMemoryError as {@link #run(Object...)}
     */
    public Results run(List<?> inputs) {
        return run(inputs.toArray());
    }

    /**
     * Computes the outputs, see {@link #run(Object...)}.
     *
     * @param inputs the inputs by name
     * @return the outputs, which the caller closes
     * @throws IllegalArgumentException as {@link #run(Object...)}; missing and unknown names are listed
     * @throws IndexOutOfBoundsException as {@link #run(Object...)}
     * @throws ArithmeticException as {@link #run(Object...)}
     * @throws io.tensornio.TensorClosedException if an input is closed
     * @throws OutOfMemoryError as {@link #run(Object...)}
     */
    public Results run(Map<String, ?> inputs) {
        return run(inOrder(inputs));
    }

    /**
     * Says what each statement does with such inputs: its text; the ranges of its loops, where it runs, and how many points it visits; and of what
     * kind its result is, dense, ragged or sparse, with its shape and memory. If one of the inputs is ragged or sparse the comprehension is run for
     * that on one thread, since ranges and positions depend on all that is computed before; then how many bytes results and temporaries took at a
     * time is said, too. What gradients compute has names of its own.
     *
     * @param inputs the inputs, in the order of {@link #inputs()}, as {@link #run(Object...)} takes them
     * @return three lines for each statement, and a last one for the memory at a time if it was run
     * @throws IllegalArgumentException as {@link #run(Object...)}
     * @throws IndexOutOfBoundsException as {@link #run(Object...)}
     * @throws ArithmeticException as {@link #run(Object...)}
     * @throws io.tensornio.TensorClosedException if an input is closed
     * @throws OutOfMemoryError as {@link #run(Object...)}
     */
    public String explain(Object... inputs) {
        return program.explain(Objects.requireNonNull(inputs, "inputs"));
    }

    private Object[] inOrder(Map<String, ?> inputs) {
        Map<String, Object> own = new LinkedHashMap<>(Objects.requireNonNull(inputs, "inputs"));
        List<String> missing = new ArrayList<>();
        Object[] inOrder = new Object[inputs().size()];
        for (int n = 0; n < inOrder.length; n++) {
            String name = inputs().get(n);
            if (!own.containsKey(name)) {
                missing.add(name);
            }
            inOrder[n] = own.remove(name);
        }
        if (!missing.isEmpty() || !own.isEmpty()) {
            throw new IllegalArgumentException((missing.isEmpty() ? "" : "inputs are missing: " + missing + "; ")
                + (own.isEmpty() ? "" : "unknown inputs: " + own.keySet() + "; ") + "the inputs are " + inputs() + early(missing));
        }
        return inOrder;
    }

    /** Says of missing inputs which are such because they are read before they are defined. */
    private String early(List<String> missing) {
        StringBuilder early = new StringBuilder();
        for (String name : missing) {
            if (outputs().contains(name)) {
                early.append("; ").append(name).append(" is read before it is defined, so its former values are an input");
            }
        }
        return early.toString();
    }

    /**
     * Computes outputs into existing data. Outputs may overlap inputs: they are computed into temporaries then, and
     * copied. If it fails, elements written so far remain.
     *
     * @param inputs the inputs by name
     * @param outputs writable data for outputs, at least one, of exactly their shapes and types: {@link io.tensornio.FloatTensorData} or a sibling
     * @throws IllegalArgumentException as {@link #run(Map)}; or if there is no output, one has another shape or type, or a name is unknown, or two
     *         have an element in common
     * @throws java.nio.ReadOnlyBufferException if an output cannot be written
     * @throws IndexOutOfBoundsException as {@link #run(Object...)}
     * @throws ArithmeticException as {@link #run(Object...)}
     * @throws io.tensornio.TensorClosedException if an input or an output is closed
     * @throws OutOfMemoryError as {@link #run(Object...)}
     */
    public void runInto(Map<String, ?> inputs, Map<String, ?> outputs) {
        Map<String, Object> own = new LinkedHashMap<>(Objects.requireNonNull(outputs, "outputs"));
        List<String> unknown = new ArrayList<>(own.keySet());
        unknown.removeAll(outputs());
        if (!unknown.isEmpty() || own.isEmpty()) {
            throw new IllegalArgumentException((own.isEmpty() ? "no output is given" : "unknown outputs: " + unknown)
                + "; the outputs are " + outputs());
        }
        Object[] inOrder = inOrder(inputs);
        List<String> names = new ArrayList<>(outputs());
        names.retainAll(own.keySet());
        List<TensorData<?>> targets = new ArrayList<>();
        for (String name : names) {
            Object target = Objects.requireNonNull(own.get(name), () -> "output " + name);
            if (!(target instanceof TensorData)) {
                throw new IllegalArgumentException("output " + name + " is a " + target.getClass().getName() + ", not data that can be written");
            }
            targets.add((TensorData<?>) target);
        }
        program.returning(names).runInto(inOrder, targets);
    }

    /**
     * The comprehension that computes an output and its gradients: of the sum of its elements, with respect to each of some names.
     *
     * @param of the name of the differentiated tensor, FLOAT or DOUBLE; its last definition
     * @param withRespectTo inputs, or names that are defined, whose last definition is then held independent
     * @return a comprehension with the outputs {@code of} and, for each of the names, {@code d} and the name; with more d's if that name is taken
     * @throws IllegalArgumentException if there are no names, one occurs twice, or a name is unknown
     */
    public Comprehension gradient(String of, String... withRespectTo) {
        return new Comprehension(program.gradient(Objects.requireNonNull(of, "of"), null, checked(withRespectTo)));
    }

    /**
     * The same with a seed: the gradient of the sum of the elements, each multiplied by the seed's element. This
     * propagates the gradient of something that is computed elsewhere from {@code of}.
     *
     * @param of the name of the differentiated tensor
     * @param seed the name of a new input, the last one, of the shape and type of {@code of}
     * @param withRespectTo inputs, or names that are defined
     * @return a comprehension like that of {@link #gradient}
     * @throws IllegalArgumentException as {@link #gradient}; or if the name of the seed is taken
     */
    public Comprehension gradientSeeded(String of, String seed, String... withRespectTo) {
        return new Comprehension(program.gradient(Objects.requireNonNull(of, "of"), Objects.requireNonNull(seed, "seed"), checked(withRespectTo)));
    }

    /**
     * Whether an object is a comprehension of the same text.
     *
     * @param other any object
     * @return true if both {@link #toString()} are equal
     */
    @Override
    public boolean equals(Object other) {
        return other instanceof Comprehension && toString().equals(other.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    /**
     * The text in its canonical form, from which {@link #of(String)} makes an equal comprehension.
     *
     * @return the text, without comments and with the least parentheses
     */
    @Override
    public String toString() {
        return program.text();
    }
}
