package io.tensornio.axes;

import io.tensornio.DataType;
import java.util.Locale;
import java.util.Objects;

/** Functions of elements: operands are matched by their axes and broadcast along the others. */
final class Elementwise {
    private static final String[] AROUND = {"(", ")"};

    private Elementwise() {
    }

    /** {@code left operator right}. */
    static Node infix(String name, String operator, Node left, Node right) {
        return binary(name, left, right, "(", " " + operator + " ", ")");
    }

    /** {@code function(left, right)}. */
    static Node function(String name, Node left, Node right) {
        return binary(name, left, right, name + "(", ", ", ")");
    }

    private static Node binary(String name, Node left, Node right, String... pieces) {
        checkSame(name, left, right);
        if (left.type() == DataType.BOOL && !name.equals("eq")) {
            throw noBool(name, left);
        }
        Matching.Union union = Matching.unite(name, left.axes(), right.axes());
        return new Node(isComparison(name) ? DataType.BOOL : left.type(), union.axes,
            Step.map(name, pieces, Operand.of(left, union.left), Operand.of(right, union.right)));
    }

    private static boolean isComparison(String name) {
        return name.length() == 2 && !name.equals("or");
    }

    static void checkSame(String name, Node left, Node right) {
        if (left.type() != right.type()) {
            throw new IllegalArgumentException(name + ": the left side " + AxisLists.text(left.axes()) + " is " + left.type() + ", the right side "
                + AxisLists.text(right.axes()) + " is " + right.type() + ": cast one, as by cast(DataType." + left.type() + ")");
        }
    }

    private static IllegalArgumentException noBool(String name, Node node) {
        return new IllegalArgumentException(name + ": " + AxisLists.text(node.axes()) + " is BOOL: it is computed with after cast(DataType.FLOAT)");
    }

    /** {@code left operator number}, the number in the type of the left side. */
    static Node infix(String name, String operator, Node left, double number) {
        return withNumber(name, left, number, "(", " " + operator + " ", ")");
    }

    /** {@code function(left, number)}. */
    static Node function(String name, Node left, double number) {
        return withNumber(name, left, number, name + "(", ", ", ")");
    }

    private static Node withNumber(String name, Node left, double number, String... pieces) {
        Number typed = typed(name, left, number);
        return new Node(isComparison(name) ? DataType.BOOL : left.type(), left.axes(),
            Step.map(name, pieces, Operand.of(left, Matching.identity(left.axes().length)), Operand.of(typed)));
    }

    /** A number for a type, if that can hold it. */
    private static Number typed(String name, Node left, double number) {
        switch (left.type()) {
            case FLOAT:
            case DOUBLE:
                return number;
            case BOOL:
                throw noBool(name, left);
            default:
                double least = left.type() == DataType.UINT8 ? 0 : left.type() == DataType.INT32 ? Integer.MIN_VALUE : Long.MIN_VALUE;
                double most = left.type() == DataType.UINT8 ? 255 : left.type() == DataType.INT32 ? Integer.MAX_VALUE : 0x1p63;
                if (number != Math.rint(number) || number < least || number > most || number == 0x1p63) {
                    throw new IllegalArgumentException(name + ": " + number + " is no " + left.type() + ", which " + AxisLists.text(left.axes())
                        + " is: cast that, as by cast(DataType.DOUBLE)");
                }
                return (long) number;
        }
    }

    /** A power; small whole exponents become part of the program, which multiplies then. */
    static Node pow(Node base, double exponent) {
        if (exponent == Math.rint(exponent) && Math.abs(exponent) <= 16) {
            typed("pow", base, exponent);
            return unary("pow", base.type(), base, "(", " ^ " + (long) exponent + ")");
        }
        return infix("pow", "^", base, exponent);
    }

    /** {@code function(x)}, of any numbers. */
    static Node function(String name, Node x) {
        if (x.type() == DataType.BOOL) {
            throw noBool(name, x);
        }
        return unary(name, x.type(), x, name + "(", ")");
    }

    /** {@code function(x)}, of floats. */
    static Node ofFloats(String name, Node x) {
        if (x.type() != DataType.FLOAT && x.type() != DataType.DOUBLE) {
            throw new IllegalArgumentException(name + ": " + AxisLists.text(x.axes()) + " is " + x.type()
                + ": this is of FLOAT and DOUBLE alone, as made by cast(DataType.FLOAT)");
        }
        return function(name, x);
    }

    static Node neg(Node x) {
        if (x.type() == DataType.BOOL) {
            throw noBool("neg", x);
        }
        return unary("neg", x.type(), x, "(-", ")");
    }

    static Node square(Node x) {
        if (x.type() == DataType.BOOL) {
            throw noBool("square", x);
        }
        return unary("square", x.type(), x, "(", " ^ 2)");
    }

    private static Node unary(String name, DataType type, Node x, String... pieces) {
        return new Node(type, x.axes(), Step.map(name, pieces, Operand.of(x, Matching.identity(x.axes().length))));
    }

    static Node cast(Node x, DataType type) {
        Objects.requireNonNull(type, "type");
        if (type == DataType.STRING) {
            throw new IllegalArgumentException("cast: nothing is cast to STRING");
        }
        String word = type == DataType.INT32 ? "int" : type == DataType.INT64 ? "long" : type.name().toLowerCase(Locale.ROOT);
        return type == x.type() ? unary("cast", type, x, AROUND) : unary("cast", type, x, word + "(", ")");
    }

    static Node select(Node condition, Node a, Node b) {
        if (condition.type() != DataType.BOOL) {
            throw new IllegalArgumentException("select: the condition " + AxisLists.text(condition.axes()) + " is " + condition.type()
                + ", not BOOL: compare it, as by gt(0)");
        }
        checkSame("select", a, b);
        Matching.Union first = Matching.unite("select", condition.axes(), a.axes());
        Matching.Union both = Matching.unite("select", first.axes, b.axes());
        return new Node(a.type(), both.axes, Step.map("select", new String[] {"select(", ", ", ", ", ")"},
            Operand.of(condition, through(first.left, both.left)), Operand.of(a, through(first.right, both.left)), Operand.of(b, both.right)));
    }

    private static int[] through(int[] first, int... then) {
        int[] through = new int[first.length];
        for (int n = 0; n < through.length; n++) {
            through[n] = then[first[n]];
        }
        return through;
    }
}
