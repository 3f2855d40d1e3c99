package io.tensornio.internal.op;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.internal.compute.Cast;
import io.tensornio.internal.compute.Program;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** A row of the table of operations: a template, and the programs that were made of it so far. Any number of threads may use it. */
public final class Operation {
    /** So many programs are kept; one that has gone is made again. */
    private static final int MOST = 256;
    /** How many bits of a {@link Template#code} there are for the axes that are stretched. */
    private static final int MOST_AXES = 50;

    private final String name;
    private final Types types;
    private final String[] operands;
    /** Whether each operand has the type that the operation is of; if not, the template says of which. */
    private final boolean[] typed;
    private final Template template;
    private final Map<Key, Compiled> programs = new ConcurrentHashMap<>();
    /** What it was run on last: most often, the next is of the same types and shapes. */
    private volatile Recent recent;

    private Operation(String name, Types types, String[] operands, String text) {
        this.name = name;
        this.types = types;
        this.operands = operands;
        typed = new boolean[operands.length];
        for (int n = 0; n < operands.length; n++) {
            typed[n] = !operands[n].startsWith("?");
            operands[n] = operands[n].replace("?", "");
        }
        template = text == null ? null : new Template(text, operands);
    }

    /**
     * Reads a row.
     *
     * @param name what users call it
     * @param types what it takes
     * @param operands names with commas between; those of a type of their own begin with {@code ?}
     * @param text the template, whose output is {@code y}; null if it is none
     * @return the operation
     */
    public static Operation of(String name, Types types, String operands, String text) {
        return new Operation(name, types, operands.isEmpty() ? new String[0] : operands.split(", "), text);
    }

    /** A program, and which operand each of its inputs is. */
    private static final class Compiled {
        final Program program;
        /** Null if they are the operands, in order. */
        final int[] order;

        Compiled(Program program, List<String> operands) {
            this.program = program;
            int[] found = new int[program.inputs().size()];
            boolean inOrder = found.length == operands.size();
            for (int n = 0; n < found.length; n++) {
                found[n] = operands.indexOf(program.inputs().get(n));
                inOrder &= found[n] == n;
            }
            order = inOrder ? null : found;
        }

        Tensor<?> run(Tensor<?>... given) {
            if (order == null) {
                return program.run((Object[]) given)[0];
            }
            Object[] inputs = new Object[order.length];
            for (int n = 0; n < inputs.length; n++) {
                inputs[n] = given[order[n]];
            }
            return program.run(inputs)[0];
        }
    }

    /** A program, and the types and shapes of operands that it is for. */
    private static final class Recent {
        private final DataType[] types;
        private final long[][] shapes;
        final Form form;
        final Compiled compiled;

        Recent(Form form, Compiled compiled, Tensor<?>[] given, long[]... shapes) {
            this.form = form;
            this.compiled = compiled;
            this.shapes = shapes;
            types = new DataType[given.length];
            for (int n = 0; n < types.length; n++) {
                types[n] = given[n].dataType();
            }
        }

        /** Whether operands have these types and shapes: then they were found to be fit before. */
        boolean fits(Tensor<?>... given) {
            if (given.length != types.length) {
                return false;
            }
            for (int n = 0; n < types.length; n++) {
                long[] shape = shapes[n];
                if (given[n].dataType() != types[n] || given[n].rank() != shape.length) {
                    return false;
                }
                for (int d = 0; d < shape.length; d++) {
                    if (given[n].size(d) != shape[d]) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    /** By what programs are found: the form, the type, and what of the shapes the text hangs on. */
    private static final class Key {
        private final Form form;
        private final long[] numbers;

        Key(Form form, long... numbers) {
            this.form = form;
            this.numbers = numbers;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key && form.equals(((Key) other).form) && Arrays.equals(numbers, ((Key) other).numbers);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(numbers) * 31 + form.hashCode();
        }
    }

    /**
     * Computes.
     *
     * @param form what the operands do not say
     * @param given the operands
     * @return the result, which the caller closes
     * @throws IllegalArgumentException if types or shapes do not fit; the message has those of all operands
     * @throws io.tensornio.TensorClosedException if an operand is closed
     */
    Tensor<?> run(Form form, Tensor<?>... given) {
        Recent last = recent;
        try {
            return last != null && last.form == form && last.fits(given) ? last.compiled.run(given) : run(form, check(given), given);
        } catch (IllegalArgumentException e) {
            throw refused(e, given);
        }
    }

    /** As {@link #run(Form, Tensor...)}, of a form that may be refused. */
    Tensor<?> run(Supplier<Form> form, Tensor<?>... given) {
        Recent last = recent;
        try {
            if (last != null && last.fits(given)) {
                Form own = form.get();
                return last.form.equals(own) ? last.compiled.run(given) : run(own, check(given), given);
            }
            DataType type = check(given);
            return run(form.get(), type, given);
        } catch (IllegalArgumentException e) {
            throw refused(e, given);
        }
    }

    private Tensor<?> run(Form form, DataType type, Tensor<?>... given) {
        long[][] shapes = new long[given.length][];
        for (int n = 0; n < shapes.length; n++) {
            shapes[n] = given[n].shape();
            if (shapes[n].length > MOST_AXES) {
                throw new IllegalArgumentException(operands[n] + " has rank " + shapes[n].length + ": it can be " + MOST_AXES);
            }
        }
        Compiled compiled = program(form, type, shapes);
        recent = new Recent(form, compiled, given, shapes);
        return compiled.run(given);
    }

    private Compiled program(Form form, DataType type, long[]... shapes) {
        long[] batch = template.batch(shapes);
        long[] numbers = new long[1 + shapes.length];
        numbers[0] = type == null ? -1 : type.ordinal();
        for (int n = 0; n < shapes.length; n++) {
            numbers[1 + n] = template.code(n, shapes[n], batch);
        }
        Key key = new Key(form, numbers);
        Compiled known = programs.get(key);
        if (known != null) {
            return known;
        }
        String text = template.expand(form, type == null ? "" : Cast.word(type), batch, shapes);
        Compiled made = new Compiled(Program.of(text + (text.contains("\n") ? "\nreturn y" : "")), Arrays.asList(operands));
        if (programs.size() >= MOST) {
            programs.clear();
        }
        programs.put(key, made);
        return made;
    }

    /**
     * Computes something that has no template, with the same errors.
     *
     * @param how makes the result, which the caller closes
     * @param given the operands
     * @return the result
     * @throws IllegalArgumentException if types or shapes do not fit
     */
    Tensor<?> make(Supplier<Tensor<?>> how, Tensor<?>... given) {
        try {
            check(given);
            return how.get();
        } catch (IllegalArgumentException e) {
            throw refused(e, given);
        }
    }

    /** The type of the operands; null if there are none. */
    private DataType check(Tensor<?>... given) {
        DataType type = null;
        int count = given.length;
        int first = 0;
        for (int n = 0; n < given.length; n++) {
            DataType own = given[n].dataType();
            if (!typed[Math.min(n, typed.length - 1)]) {
                continue;
            }
            if (!types.has(own)) {
                throw new IllegalArgumentException(name(n, count) + " is " + own + ", and " + types.wanted());
            }
            if (type != null && own != type) {
                throw new IllegalArgumentException(name(first, count) + " is " + type + " and " + name(n, count) + " is " + own
                    + ": both must be of one type, so cast(x, DataType." + type + ") one of them");
            }
            first = type == null ? n : first;
            type = own;
        }
        return type;
    }

    /** Operands of any number share the one name. */
    private String name(int n, int count) {
        return count == operands.length ? operands[n] : operands[0] + " " + n;
    }

    private IllegalArgumentException refused(IllegalArgumentException e, Tensor<?>... given) {
        StringBuilder text = new StringBuilder(name).append('(');
        for (int n = 0; n < given.length; n++) {
            text.append(n == 0 ? "" : ", ").append(given[n].dataType()).append(' ').append(Arrays.toString(given[n].shape()));
        }
        return new IllegalArgumentException(text.append("): ").append(e.getMessage()).toString(), e);
    }
}
