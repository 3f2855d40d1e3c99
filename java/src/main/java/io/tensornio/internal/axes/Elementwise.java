package io.tensornio.internal.axes;

import io.tensornio.DataType;
import java.util.Locale;
import java.util.Objects;

/** An elementwise function: operands are matched by their axes and broadcast along the others. */
public final class Elementwise {
    private static final String[] SELECT = {"select(", ", ", ", ", ")"};
    /** Integral exponents up to this one become part of the program, as multiplications. */
    private static final int MOST_FACTORS = 16;

    private final String name;
    private final ElementKind kind;
    /** The text around the operands in a comprehension. Shared by all steps of this function, so that they are compared quickly. */
    private final String[] pieces;

    public Elementwise(String name, ElementKind kind, String... pieces) {
        this.name = name;
        this.kind = kind;
        this.pieces = pieces;
    }

    /** Applies it to two tensors. */
    public Node of(Node left, Node right) {
        checkSame(name, left, right);
        DataType type = kind.of(name, left);
        Matching.Union union = Matching.unite(name, left.axes(), right.axes());
        return new Node(type, union.axes, Step.map(name, pieces, Read.of(left, union.left), Read.of(right, union.right)));
    }

    static void checkSame(String name, Node left, Node right) {
        if (left.type() != right.type()) {
            throw new IllegalArgumentException(name + ": the left side " + AxisLists.text(left.axes()) + " is " + left.type() + ", the right side "
                + AxisLists.text(right.axes()) + " is " + right.type() + ": cast one, as by cast(DataType." + left.type() + ")");
        }
    }

    /** Applies it to a tensor and a number, which takes the tensor's type. */
    public Node of(Node left, double number) {
        Number typed = typed(left, number);
        DataType type = kind.of(name, left);
        if (name.equals("pow") && number == Math.rint(number) && Math.abs(number) <= MOST_FACTORS) {
            return new Elementwise(name, kind, "(", " ^ " + (long) number + ")").of(left);
        }
        Read operand = Read.of(left, Matching.identity(left.axes().length));
        return new Node(type, left.axes(), Step.map(name, pieces, operand, Read.of(left.type(), typed)));
    }

    /** Converts a number to a type; throws if it does not fit. */
    private Number typed(Node left, double number) {
        switch (left.type()) {
            case FLOAT:
            case DOUBLE:
                return number;
            case BOOL:
                throw ElementKind.noNumbers(name, left);
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

    /** Applies it to one tensor. */
    public Node of(Node x) {
        return new Node(kind.of(name, x), x.axes(), Step.map(name, pieces, Read.of(x, Matching.identity(x.axes().length))));
    }

    public static Node cast(Node x, DataType type) {
        Objects.requireNonNull(type, "type");
        if (type == DataType.STRING) {
            throw new IllegalArgumentException("cast: nothing is cast to STRING");
        }
        String word = type == x.type() ? "" : type == DataType.INT32 ? "int" : type == DataType.INT64 ? "long" : type.name().toLowerCase(Locale.ROOT);
        return new Node(type, x.axes(), Step.map("cast", new String[] {word + "(", ")"}, Read.of(x, Matching.identity(x.axes().length))));
    }

    public static Node select(Node condition, Node a, Node b) {
        if (condition.type() != DataType.BOOL) {
            throw new IllegalArgumentException("select: the condition " + AxisLists.text(condition.axes()) + " is " + condition.type()
                + ", not BOOL: compare it, as by gt(0)");
        }
        checkSame("select", a, b);
        Matching.Union first = Matching.unite("select", condition.axes(), a.axes());
        Matching.Union both = Matching.unite("select", first.axes, b.axes());
        return new Node(a.type(), both.axes, Step.map("select", SELECT, Read.of(condition, through(first.left, both.left)),
            Read.of(a, through(first.right, both.left)), Read.of(b, both.right)));
    }

    private static int[] through(int[] first, int... then) {
        int[] through = new int[first.length];
        for (int n = 0; n < through.length; n++) {
            through[n] = then[first[n]];
        }
        return through;
    }
}
