package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import io.tensornio.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Operators that compute each element of their result from one of each operand. */
final class Elementwise implements Operator.Kernel {
    /** So many integers are cast on the heap, in less time than it takes to begin a program. */
    private static final int FEW = 1 << 10;
    private static final Pattern ATTRIBUTE = Pattern.compile("\\{(\\w+)=([^}]+)\\}");
    private static final Pattern OPERAND = Pattern.compile("\\b[a-h]\\b");

    /** Of expressions that nodes do not keep plans of. */
    private static final Plans PLANS = new Plans(1 << 10);

    private final String text;

    Elementwise(String text) {
        this.text = text;
    }

    @Override
    public Item[] run(Call call) {
        TensorData<?>[] data = new TensorData<?>[call.in.length];
        for (int n = 0; n < data.length; n++) {
            data[n] = call.data(n);
        }
        Plan plan = call.node.plans.of(false, () -> new Plan(program(filled(call.attributes), data)), data);
        return new Item[] {Programs.run(plan, data)};
    }

    /** The expression with a node's attributes. */
    String filled(Attributes attributes) {
        Matcher names = ATTRIBUTE.matcher(text);
        StringBuffer filled = new StringBuffer();
        while (names.find()) {
            names.appendReplacement(filled, number(attributes.number(names.group(1), Double.parseDouble(names.group(2)))));
        }
        names.appendTail(filled);
        return filled.toString();
    }

    /** An expression with others in place of its operands. */
    static String replaced(String expression, String... by) {
        Matcher operands = OPERAND.matcher(expression);
        StringBuffer replaced = new StringBuffer();
        while (operands.find()) {
            int n = operands.group().charAt(0) - 'a';
            if (n >= by.length) {
                throw new IllegalArgumentException("input " + n + " is missing");
            }
            operands.appendReplacement(replaced, by[n]);
        }
        operands.appendTail(replaced);
        return replaced.toString();
    }

    /** A number as the language has it. */
    static String number(double value) {
        return Double.isNaN(value) ? "nan" : value == Double.POSITIVE_INFINITY ? "inf" : value == Double.NEGATIVE_INFINITY ? "(-inf)"
            : value < 0 || 1 / value < 0 ? "(" + value + ")" : Double.toString(value);
    }

    static String number(float value) {
        return Float.isInfinite(value) || Float.isNaN(value) ? number((double) value) : value < 0 ? "(" + value + ")" : Float.toString(value);
    }

    /** An expression of the operands `a`, `b`, `c`, `d`, which broadcast. */
    static Item map(String expression, Item... operands) {
        TensorData<?>[] data = new TensorData<?>[operands.length];
        for (int n = 0; n < data.length; n++) {
            data[n] = operands[n].data();
        }
        return map(expression, data);
    }

    static Item map(String expression, TensorData<?>... data) {
        return Programs.run(PLANS.of(expression, () -> new Plan(program(expression, data)), data), data);
    }

    private static String program(String expression, TensorData<?>... data) {
        long[][] shapes = new long[data.length][];
        for (int n = 0; n < data.length; n++) {
            shapes[n] = data[n].shape();
            if (data[n].dataType() == DataType.STRING) {
                throw new IllegalArgumentException("strings are not computed with");
            }
        }
        long[] shape = Shapes.broadcast(shapes);
        String[] reads = new String[data.length];
        Arrays.setAll(reads, n -> "x" + n + access(shapes[n], shape));
        return "y" + loops(shape.length) + " = " + replaced(expression, reads);
    }

    /** `[i0,i1]`. */
    static String loops(int rank) {
        return access(new long[rank], new long[rank]);
    }

    /** How an operand of a shape is read that broadcasts to another: `[0,i2]`. */
    static String access(long[] from, long[] to) {
        StringBuilder access = new StringBuilder("[");
        int skipped = to.length - from.length;
        for (int d = 0; d < from.length; d++) {
            access.append(d == 0 ? "" : ",");
            if (from[d] == 1 && to[skipped + d] != 1) {
                access.append('0');
            } else {
                access.append('i').append(skipped + d);
            }
        }
        return access.append(']').toString();
    }

    /** Folds any number of operands by an expression of two. */
    private static Item fold(String expression, Call call) {
        if (call.in.length == 0) {
            throw new IllegalArgumentException("there are no inputs");
        }
        Item result = call.item(0).share();
        for (int n = 1; n < call.in.length; n++) {
            Item next = map(expression, result, call.item(n));
            result.release();
            result = next;
        }
        return result;
    }

    static void addTo(Table table) {
        functions(table);
        activations(table);
        for (String[] old : new String[][] {{"Add", "a + b"}, {"Sub", "a - b"}, {"Mul", "a * b"}, {"Div", "a / b"}, {"Pow", "a ^ b"},
            {"PRelu", "select(a < 0, a * b, a)"}}) {
            table.one(old[0], 1, old[1] + ", with b along the attribute `axis`", call -> Elementwise.along(call, old[0].equals("PRelu"), old[1]));
        }
        table.text("Add", 7, "a + b");
        table.text("Sub", 7, "a - b");
        table.text("Mul", 7, "a * b");
        table.text("Div", 7, "a / b");
        table.one("Pow", 7, "a ^ b, with b cast to the type of a", Elementwise::pow);
        table.one("Mod", 10, "a % b, with the sign of b unless `fmod`", Elementwise::mod);
        for (String name : new String[] {"Max", "Min"}) {
            String function = name.toLowerCase(java.util.Locale.ROOT) + "(a, b)";
            table.one(name, 6, function + " of all inputs", call -> fold(function, call));
        }
        table.one("Sum", 6, "a + b of all inputs", call -> fold("a + b", call));
        table.one("Mean", 6, "the sum of all inputs, divided by their number", Elementwise::mean);
        comparisons(table);
        table.one("Where", 9, "select(a, b, c)", Elementwise::where);
        table.one("Clip", 6, "min(max(a, low), high)", Elementwise::clip);
        table.one("PRelu", 7, "select(a < 0, a * b, a)", Elementwise::prelu);
        table.one("Not", 1, "not a", Elementwise::not);
        for (String name : new String[] {"And", "Or"}) {
            table.text(name, 7, "a " + name.toLowerCase(java.util.Locale.ROOT) + " b");
        }
        table.text("Xor", 7, "a != b");
        table.text("BitwiseAnd", 18, "bitand(a, b)");
        table.text("BitwiseOr", 18, "bitor(a, b)");
        table.text("BitwiseXor", 18, "bitxor(a, b)");
        table.text("BitwiseNot", 18, "bitnot(a)");
        table.one("BitShift", 11, "shl(a, b), ushr(a, b)", Elementwise::shift);
        table.one("Cast", 6, "a cast", call -> cast(call.item(0), call.attributes.dataType("to", null))).keeps();
        table.one("CastLike", 15, "a cast to the type of b", call -> cast(call.item(0), call.type(1))).keeps();
        table.one("IsInf", 10, "isinf(a)", Elementwise::isInf);
        table.one("Identity", 1, "a", call -> call.item(0).share()).keeps();
        table.many("Dropout", 7, "a", Elementwise::dropout);
    }

    private static void functions(Table table) {
        for (String function : new String[] {"Abs", "Ceil", "Exp", "Floor", "Log", "Sqrt", "Sigmoid", "Tanh", "Relu"}) {
            table.text(function, 6, function.toLowerCase(java.util.Locale.ROOT) + "(a)");
        }
        table.text("Neg", 6, "-a");
        table.text("Reciprocal", 6, "1 / a");
        for (String function : new String[] {"Acos", "Asin", "Atan", "Cos", "Sin", "Tan"}) {
            table.text(function, 7, function.toLowerCase(java.util.Locale.ROOT) + "(a)");
        }
        for (String function : new String[] {"Acosh", "Asinh", "Atanh", "Cosh", "Sinh", "Erf", "IsNaN", "Sign"}) {
            table.text(function, 9, function.toLowerCase(java.util.Locale.ROOT) + "(a)");
        }
        table.text("Round", 11, "round(a)");
    }

    private static void activations(Table table) {
        table.text("LeakyRelu", 6, "select(a < 0, {alpha=0.01} * a, a)");
        table.text("Elu", 6, "select(a < 0, {alpha=1} * (exp(a) - 1), a)");
        table.text("Celu", 12, "max(a, 0) + min(0, {alpha=1} * (exp(a / {alpha=1}) - 1))");
        table.text("Selu", 6, "{gamma=1.0507009873554804934193349852946} * select(a > 0, a, "
            + "{alpha=1.67326319217681884765625} * (exp(a) - 1))");
        table.text("HardSigmoid", 6, "max(0, min(1, {alpha=0.2} * a + {beta=0.5}))");
        table.text("HardSwish", 14, "a * max(0, min(1, a / 6 + 0.5))");
        table.text("Softplus", 1, "softplus(a)");
        table.text("Softsign", 1, "a / (1 + abs(a))");
        table.text("ThresholdedRelu", 10, "select(a > {alpha=1}, a, 0)");
        table.text("Shrink", 9, "select(a < -{lambd=0.5}, a + {bias=0}, select(a > {lambd=0.5}, a - {bias=0}, 0))");
        table.text("Mish", 18, "a * tanh(softplus(a))");
        table.one("Gelu", 20, "0.5 * a * (1 + erf(a / sqrt(2))), or its tanh form", call -> map(
            "tanh".equals(call.attributes.string("approximate", ""))
            ? "0.5 * a * (1 + tanh(0.7978845608028654 * (a + 0.044715 * a * a * a)))" : "0.5 * a * (1 + erf(a * 0.7071067811865476))", call.item(0)));
    }

    private static void comparisons(Table table) {
        table.one("Equal", 7, "a == b", Elementwise::equal);
        table.text("Greater", 7, "a > b");
        table.text("Less", 7, "a < b");
        table.text("GreaterOrEqual", 12, "a >= b");
        table.text("LessOrEqual", 12, "a <= b");
    }

    /** Until version 7, operands broadcast by attributes: the axes of b are those of a from `axis` on. */
    private static Item along(Call call, boolean channels, String text) {
        int rank = call.rank(0);
        int own = call.rank(1);
        boolean aligned = channels || call.attributes.flag("broadcast", false) && call.attributes.has("axis");
        long axis = channels ? 1 : call.attributes.integer("axis", 0);
        if (!aligned || own == 0 || own == rank || channels && call.data(1).totalSize() == 1) {
            return map(text, call.in);
        }
        int from = Shapes.axis(axis, rank);
        if (from + own > rank) {
            throw call.refused("an operand of rank " + own + " does not fit from axis " + from + " on");
        }
        return map(text, call.data(0), Call.reshaped(call.item(1), Shapes.concat(call.shape(1), Window.filled(rank - from - own, 1))).data());
    }

    private static Item equal(Call call) {
        TensorData<?> a = call.data(0);
        TensorData<?> b = call.data(1);
        boolean isText = a.dataType() == DataType.STRING;
        long[] shape = Shapes.broadcast(a.shape(), b.shape());
        if (!isText && !(a.dataType() == b.dataType() && isWhole(a.dataType()) && Shapes.size(shape) <= Call.FEW)) {
            return map("a == b", call.in);
        }
        a = a.broadcastTo(shape);
        b = b.broadcastTo(shape);
        long[] equal = new long[Shapes.intSize(shape)];
        if (isText) {
            String[] texts = Data.strings(a);
            String[] others = Data.strings(b);
            Arrays.setAll(equal, n -> texts[n].equals(others[n]) ? 1 : 0);
        } else {
            long[] numbers = Data.longs(a);
            long[] others = Data.longs(b);
            Arrays.setAll(equal, n -> numbers[n] == others[n] ? 1 : 0);
        }
        return Call.made(Data.ofLongs(DataType.BOOL, equal, shape));
    }

    private static Item not(Call call) {
        TensorData<?> data = call.data(0);
        if (data.dataType() != DataType.BOOL || data.totalSize() > Call.FEW) {
            return map("not a", data);
        }
        long[] values = Data.longs(data);
        Arrays.setAll(values, n -> 1 - values[n]);
        return Call.made(Data.ofLongs(DataType.BOOL, values, data.shape()));
    }

    /** Whether elements are integers or truth values, which an array of `long` holds. */
    private static boolean isWhole(DataType type) {
        return type.isInteger() || type == DataType.BOOL;
    }

    private static Item pow(Call call) {
        DataType type = call.type(0);
        DataType exponent = call.type(1);
        if (type == exponent) {
            return map("a ^ b", call.in);
        }
        // An integer to a fraction is one truncated.
        return type.isInteger() && exponent.isFloat()
            ? map(Types.cast(type) + "(" + Types.cast(exponent) + "(a) ^ b)", call.in)
            : map("a ^ " + Types.cast(type) + "(b)", call.in);
    }

    private static Item mod(Call call) {
        if (call.attributes.flag("fmod", false) || call.type(0) == DataType.UINT8) {
            return map("a % b", call.in);
        }
        return map("select(a % b != 0 and (a % b < 0) != (b < 0), a % b + b, a % b)", call.in);
    }

    private static Item mean(Call call) {
        Item sum = fold("a + b", call);
        try {
            return map("a / " + call.in.length, sum);
        } finally {
            sum.release();
        }
    }

    private static Item where(Call call) {
        if (call.type(1) != DataType.STRING) {
            return map("select(a, b, c)", call.in);
        }
        long[] shape = Shapes.broadcast(call.shape(0), call.shape(1), call.shape(2));
        long[] condition = Data.longs(call.data(0).broadcastTo(shape));
        String[] a = Data.strings(call.data(1).broadcastTo(shape));
        String[] b = Data.strings(call.data(2).broadcastTo(shape));
        for (int n = 0; n < a.length; n++) {
            a[n] = condition[n] != 0 ? a[n] : b[n];
        }
        return Call.made(Data.ofStrings(a, shape));
    }

    private static Item clip(Call call) {
        if (call.opset() < 11) {
            return map("min(max(a, " + number(call.attributes.number("min", -Float.MAX_VALUE)) + "), "
                + number(call.attributes.number("max", Float.MAX_VALUE)) + ")", call.item(0));
        }
        List<Item> operands = new ArrayList<>();
        operands.add(call.item(0));
        String text = "a";
        for (int n = 1; n <= 2; n++) {
            if (call.has(n)) {
                text = (n == 1 ? "max(" : "min(") + text + ", " + (char) ('a' + operands.size()) + ")";
                operands.add(call.item(n));
            }
        }
        return operands.size() == 1 ? call.item(0).share() : map(text, operands.toArray(new Item[0]));
    }

    private static Item prelu(Call call) {
        return map("select(a < 0, a * b, a)", call.in);
    }

    private static Item shift(Call call) {
        String direction = call.attributes.string("direction", "");
        if (!direction.equals("LEFT") && !direction.equals("RIGHT")) {
            throw call.refused("attribute `direction` is `" + direction + "`, neither LEFT nor RIGHT");
        }
        return map(direction.equals("LEFT") ? "shl(a, b)" : "ushr(a, b)", call.in);
    }

    static Item cast(Item item, DataType to) {
        if (to == null) {
            throw new IllegalArgumentException("attribute `to` is missing");
        }
        TensorData<?> data = item.data();
        if (to == data.dataType()) {
            return item.share();
        }
        if (to == DataType.STRING) {
            return Call.made(Data.ofStrings(Strings.printed(data), data.shape()));
        }
        if (data.dataType() == DataType.STRING) {
            return Call.made(Strings.parsed(Data.strings(data), to, data.shape()));
        }
        boolean isWide = Types.wide(to) == to && Types.wide(data.dataType()) == data.dataType();
        if (isWide && isWhole(to) && isWhole(data.dataType()) && data.totalSize() <= FEW) {
            return Call.made(Data.ofLongs(to, Data.longs(data), data.shape()));
        }
        return isWide ? map(Types.cast(to) + "(a)", data)
            : Item.of(Tensors.convert(data, to));
    }

    private static Item isInf(Call call) {
        boolean negative = call.attributes.flag("detect_negative", true);
        boolean positive = call.attributes.flag("detect_positive", true);
        return map(negative && positive ? "isinf(a)" : negative ? "a == -inf" : positive ? "a == inf" : "a != a and a == a", call.item(0));
    }

    /** In a model that runs, nothing is dropped, unless the node asks for it. */
    private static Item[] dropout(Call call) {
        if (call.has(2) && call.integer(2) != 0 && !(call.has(1) && call.number(1) == 0)) {
            throw call.refused("training mode is not supported");
        }
        Item mask = !call.wants(1) ? null : call.opset() < 10 ? map("a == a or a != a", call.item(0))
            : Item.of(Data.constant(DataType.BOOL, 1, 1, call.shape(0)).copy());
        return new Item[] {call.item(0).share(), mask};
    }
}
