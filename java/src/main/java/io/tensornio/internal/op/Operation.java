package io.tensornio.internal.op;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensor;
import io.tensornio.internal.compute.Conversion;
import io.tensornio.internal.compute.Program;
import io.tensornio.internal.compute.ProgramCache;
import io.tensornio.internal.data.AnyData;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** A row of the table of operations: a template, of which programs are made. Thread-safe. */
public final class Operation {
    /** How the engine refuses to reduce nothing, in the names of the template. */
    private static final Pattern NOTHING = Pattern.compile("\\w+: (max|min)= of (\\w+) over index \\w+, whose range is 0, has no value");
    /** The maximum rank: the number of bits of a {@link Template#code} for broadcast axes. */
    private static final int MOST_AXES = 50;

    private final String name;
    private final Types types;
    private final String[] operands;
    /** For each operand, whether it has the type of the operation; if not, the template determines it. */
    private final boolean[] typed;
    /** Whether the result has the type of the operation. */
    private final boolean keeps;
    private final Template template;
    /** The last run: usually, the next one has the same types and shapes. */
    private volatile Recent recent;

    private Operation(String name, Types types, String[] operands, String text, boolean keeps) {
        this.name = name;
        this.types = types;
        this.operands = operands;
        this.keeps = keeps;
        typed = new boolean[operands.length];
        for (int n = 0; n < operands.length; n++) {
            typed[n] = !operands[n].startsWith("?");
            operands[n] = operands[n].replace("?", "");
        }
        template = text == null ? null : new Template(text, operands);
    }

    /**
     * Parses a row.
     *
     * @param name its name
     * @param types the supported types
     * @param operands names separated by commas; those with a type of their own begin with {@code ?}
     * @param text the template, whose output is {@code y}; null if there is none
     * @return the operation
     */
    public static Operation of(String name, Types types, String operands, String text) {
        return new Operation(name, types, operands.isEmpty() ? new String[0] : operands.split(", "), text, true);
    }

    /** As {@link #of}, for an operation whose result has a type of its own. */
    public static Operation to(String name, Types types, String operands, String text) {
        return new Operation(name, types, operands.split(", "), text, false);
    }

    /** A program, and the operand of each of its inputs. */
    private static final class Compiled {
        final Program program;
        /** Null if the inputs are the operands in order. */
        final int[] order;

        /** The type of the result if it is stored narrow, as which nothing is computed; else null. */
        private final DataType narrow;

        Compiled(Program program, List<String> operands, DataType narrow) {
            this.program = program;
            this.narrow = narrow;
            int[] found = new int[program.inputs().size()];
            boolean inOrder = found.length == operands.size();
            for (int n = 0; n < found.length; n++) {
                found[n] = operands.indexOf(program.inputs().get(n));
                inOrder &= found[n] == n;
            }
            order = inOrder ? null : found;
        }

        AnyTensor<?> run(AnyTensor<?>... given) {
            Object[] inputs = given;
            if (order != null) {
                inputs = new Object[order.length];
                for (int n = 0; n < inputs.length; n++) {
                    inputs[n] = given[order[n]];
                }
            }
            AnyTensor<?> made = program.runAny(inputs)[0];
            if (narrow == null || made.dataType() == narrow) {
                return made;
            }
            try (AnyTensor<?> wide = made) {
                if (!(wide instanceof Tensor)) {
                    throw new IllegalArgumentException("the result is ragged, which " + narrow + " is not: cast(x, DataType." + wide.dataType()
                        + ") the operands");
                }
                return Conversion.of(AnyData.of(wide), narrow);
            }
        }
    }

    /** A program, and the types and shapes of its operands, which are dense. */
    private static final class Recent {
        private final DataType[] types;
        private final long[][] shapes;
        final Form form;
        final Compiled compiled;

        Recent(Form form, Compiled compiled, AnyTensor<?>[] given, long[]... shapes) {
            this.form = form;
            this.compiled = compiled;
            this.shapes = shapes;
            types = new DataType[given.length];
            for (int n = 0; n < types.length; n++) {
                types[n] = given[n].dataType();
            }
        }

        /** Whether operands have these types and shapes: then they were checked before. */
        boolean fits(AnyTensor<?>... given) {
            if (given.length != types.length) {
                return false;
            }
            for (int n = 0; n < types.length; n++) {
                long[] shape = shapes[n];
                if (!(given[n] instanceof Tensor) || given[n].dataType() != types[n] || given[n].rank() != shape.length) {
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

    /** The key of a cached program: the template, the form, the type, and the properties of the shapes on which the text depends. */
    private static final class Key {
        private final Template template;
        private final Form form;
        private final long[] numbers;

        Key(Template template, Form form, long... numbers) {
            this.template = template;
            this.form = form;
            this.numbers = numbers;
        }

        @Override
        public boolean equals(Object other) {
            if (!(other instanceof Key)) {
                return false;
            }
            Key that = (Key) other;
            return template == that.template && form.equals(that.form) && Arrays.equals(numbers, that.numbers);
        }

        @Override
        public int hashCode() {
            return (Arrays.hashCode(numbers) * 31 + form.hashCode()) * 31 + System.identityHashCode(template);
        }
    }

    /**
     * Computes.
     *
     * @param form the parameters
     * @param given the operands
     * @return the result, which the caller closes
     * @throws IllegalArgumentException if types or shapes do not fit; the message contains those of all operands
     * @throws io.tensornio.TensorClosedException if an operand is closed
     */
    AnyTensor<?> run(Form form, AnyTensor<?>... given) {
        Recent last = recent;
        try {
            return last != null && last.form == form && last.fits(given) ? last.compiled.run(given) : run(form, check(given), given);
        } catch (IllegalArgumentException e) {
            throw refused(e, given);
        }
    }

    /** Like {@link #run(Form, AnyTensor...)}, with a form whose construction may throw. */
    AnyTensor<?> run(Supplier<Form> form, AnyTensor<?>... given) {
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

    private AnyTensor<?> run(Form form, DataType type, AnyTensor<?>... given) {
        boolean isDense = true;
        long[][] shapes = new long[given.length][];
        for (int n = 0; n < shapes.length; n++) {
            shapes[n] = given[n].shape();
            if (shapes[n].length > MOST_AXES) {
                throw new IllegalArgumentException(operands[n] + " has rank " + shapes[n].length + ": it can be " + MOST_AXES);
            }
            isDense &= given[n] instanceof Tensor;
        }
        Compiled compiled = program(form, type, shapes);
        if (isDense) {
            recent = new Recent(form, compiled, given, shapes);
        }
        return compiled.run(given);
    }

    private Compiled program(Form form, DataType type, long[]... shapes) {
        long[] batch = template.batch(shapes);
        long[] numbers = new long[1 + shapes.length];
        numbers[0] = type == null ? -1 : type.ordinal();
        for (int n = 0; n < shapes.length; n++) {
            numbers[1 + n] = template.code(n, shapes[n], batch);
        }
        return ProgramCache.get(new Key(template, form, numbers), () -> {
            String text = template.expand(form, type, batch, shapes);
            return new Compiled(Program.of(text + (text.contains("\n") ? "\nreturn y" : "")), Arrays.asList(operands),
                keeps && type != null && type != AnyData.carrierType(type) ? type : null);
        });
    }

    /**
     * Runs an operation without a template, with the same errors.
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
        } catch (ArithmeticException e) {
            throw undefined(e, given);
        }
    }

    /** The same of several results. */
    Tensor<?>[] makeAll(Supplier<Tensor<?>[]> how, Tensor<?>... given) {
        try {
            check(given);
            return how.get();
        } catch (IllegalArgumentException e) {
            throw refused(e, given);
        } catch (ArithmeticException e) {
            throw undefined(e, given);
        }
    }

    /**
     * An operand of an operation that takes dense ones alone.
     *
     * @param operand its name
     * @param given the operand
     * @return the same
     * @throws IllegalArgumentException if it is ragged or sparse
     */
    public Tensor<?> dense(String operand, AnyTensor<?> given) {
        if (given instanceof Tensor) {
            return (Tensor<?>) given;
        }
        throw refused(stored(operand, given), given);
    }

    /** How an operand that is not dense is refused. */
    private static IllegalArgumentException stored(String operand, AnyTensor<?> given) {
        boolean isRagged = given instanceof RaggedTensor;
        return new IllegalArgumentException(operand + " is " + (isRagged ? "ragged" : "sparse")
            + ": apply a comprehension, or make it dense by toDense(" + (isRagged ? "padding)" : ")"));
    }

    /** Checks the operands, and returns their type; null if there are none. */
    private DataType check(AnyTensor<?>... given) {
        for (int n = 0; n < given.length; n++) {
            if (!(given[n] instanceof Tensor) && !template.takes(n, given)) {
                throw stored(name(n, given.length), given[n]);
            }
        }
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

    /** The name of an operand; a variable number of operands share one name. */
    private String name(int n, int count) {
        return count == operands.length ? operands[n] : operands[0] + " " + n;
    }

    private String call(AnyTensor<?>... given) {
        StringBuilder text = new StringBuilder(name).append('(');
        for (int n = 0; n < given.length; n++) {
            text.append(n == 0 ? "" : ", ").append(given[n].dataType()).append(' ').append(Arrays.toString(given[n].shape()));
        }
        return text.append("): ").toString();
    }

    private IllegalArgumentException refused(IllegalArgumentException e, AnyTensor<?>... given) {
        String fault = NOTHING.matcher(e.getMessage()).replaceAll("the $1imum of no elements has no value in $2");
        return new IllegalArgumentException(call(given) + fault, e);
    }

    /** Like {@link #refused}, of an operation that has no value for these elements. */
    private ArithmeticException undefined(ArithmeticException e, Tensor<?>... given) {
        ArithmeticException named = new ArithmeticException(call(given) + e.getMessage());
        named.initCause(e);
        return named;
    }
}
