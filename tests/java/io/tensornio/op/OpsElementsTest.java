package io.tensornio.op;

import io.tensornio.DataType;
import io.tensornio.support.Seeds;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleSupplier;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Operations on elements against loops, on random shapes that broadcast, of each type. */
class OpsElementsTest {
    private interface Binary extends Function<Ops, BiFunction<Operand<Float>, Operand<Float>, Operand<?>>> { }

    private interface Unary extends Function<Ops, Function<Operand<Float>, Operand<?>>> { }

    private static final Map<Binary, DoubleBinaryOperator> ARITHMETIC = new LinkedHashMap<>();
    private static final Map<Binary, DoubleBinaryOperator> COMPARISONS = new LinkedHashMap<>();
    private static final Map<Unary, DoubleUnaryOperator> OF_NUMBERS = new LinkedHashMap<>();
    private static final Map<Unary, DoubleUnaryOperator> OF_FRACTIONS = new LinkedHashMap<>();

    static {
        ARITHMETIC.put(tf -> tf.math::add, (a, b) -> a + b);
        ARITHMETIC.put(tf -> tf.math::sub, (a, b) -> a - b);
        ARITHMETIC.put(tf -> tf.math::mul, (a, b) -> a * b);
        ARITHMETIC.put(tf -> tf.math::div, (a, b) -> a / b);
        ARITHMETIC.put(tf -> tf.math::mod, (a, b) -> a % b);
        ARITHMETIC.put(tf -> tf.math::pow, Math::pow);
        ARITHMETIC.put(tf -> tf.math::maximum, Math::max);
        ARITHMETIC.put(tf -> tf.math::minimum, Math::min);
        COMPARISONS.put(tf -> tf.math::equal, (a, b) -> a == b ? 1 : 0);
        COMPARISONS.put(tf -> tf.math::notEqual, (a, b) -> a != b ? 1 : 0);
        COMPARISONS.put(tf -> tf.math::less, (a, b) -> a < b ? 1 : 0);
        COMPARISONS.put(tf -> tf.math::lessEqual, (a, b) -> a <= b ? 1 : 0);
        COMPARISONS.put(tf -> tf.math::greater, (a, b) -> a > b ? 1 : 0);
        COMPARISONS.put(tf -> tf.math::greaterEqual, (a, b) -> a >= b ? 1 : 0);
        OF_NUMBERS.put(tf -> tf.math::neg, a -> -a);
        OF_NUMBERS.put(tf -> tf.math::abs, Math::abs);
        OF_NUMBERS.put(tf -> tf.math::sign, Math::signum);
        OF_NUMBERS.put(tf -> tf.math::floor, Math::floor);
        OF_NUMBERS.put(tf -> tf.math::ceil, Math::ceil);
        OF_NUMBERS.put(tf -> tf.math::round, Math::rint);
        OF_NUMBERS.put(tf -> tf.nn::relu, a -> Math.max(a, 0));
        OF_FRACTIONS.put(tf -> tf.math::sqrt, Math::sqrt);
        OF_FRACTIONS.put(tf -> tf.math::exp, Math::exp);
        OF_FRACTIONS.put(tf -> tf.math::log, Math::log);
        OF_FRACTIONS.put(tf -> tf.math::sin, Math::sin);
        OF_FRACTIONS.put(tf -> tf.math::cos, Math::cos);
        OF_FRACTIONS.put(tf -> tf.math::tanh, Math::tanh);
        OF_FRACTIONS.put(tf -> tf.math::sigmoid, a -> 1 / (1 + Math.exp(-a)));
        OF_FRACTIONS.put(tf -> tf.math::erf, OpsElementsTest::erf);
        OF_FRACTIONS.put(tf -> tf.nn::gelu, a -> .5 * a * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (a + .044715 * a * a * a))));
        OF_FRACTIONS.put(tf -> tf.nn::geluExact, a -> .5 * a * (1 + erf(a / Math.sqrt(2))));
    }

    /** The series of Maclaurin, which is exact enough for small arguments (Abramowitz and Stegun, 7.1.5). */
    private static double erf(double x) {
        double sum = 0;
        double term = x;
        for (int n = 0; n < 80; n++) {
            sum += term / (2 * n + 1);
            term *= -x * x / (n + 1);
        }
        return sum * 2 / Math.sqrt(Math.PI);
    }

    private static DoubleSupplier positive(Random random, DataType type) {
        return () -> NumberTypes.FLOATING.contains(type) ? (1 + random.nextInt(12)) / 4.0 : 1 + random.nextInt(4);
    }

    private static void binary(Random random, StringBuilder done, DataType type, DataType result, Binary operation, DoubleBinaryOperator naive) {
        long[] shape = Naive.shape(random, random.nextInt(4));
        Naive a = Naive.random(positive(random, type), shape);
        Naive b = Naive.random(positive(random, type), Naive.narrower(random, shape));
        if (random.nextBoolean()) {
            Naive other = a;
            a = b;
            b = other;
        }
        Naive left = a;
        Naive right = b;
        done.append(' ').append(type).append(Arrays.toString(left.shape)).append(Arrays.toString(right.shape));
        try (Ops tf = Ops.create()) {
            Naive.of(Naive.broadcast(left.shape, right.shape), at -> NumberTypes.narrow(result, naive.applyAsDouble(left.at(at), right.at(at))))
                .check(tf, operation.apply(tf).apply(left.operand(tf, type), right.operand(tf, type)), result);
        }
    }

    @Test
    void arithmeticIsThatOfLoops() {
        Seeds.each(1, 8, (random, done) -> ARITHMETIC.forEach((operation, naive) -> {
            DataType type = NumberTypes.pick(random, NumberTypes.NUMBERS);
            binary(random, done, type, type, operation, naive);
        }));
    }

    @Test
    void comparisonsAreThoseOfLoops() {
        Seeds.each(2, 8, (random, done) -> COMPARISONS.forEach((operation, naive) ->
            binary(random, done, NumberTypes.pick(random, NumberTypes.NUMBERS), DataType.BOOL, operation, naive)));
    }

    private static void unary(Random random, StringBuilder done, DataType type, DoubleSupplier elements, Unary operation, DoubleUnaryOperator naive) {
        Naive x = Naive.random(elements, Naive.shape(random, random.nextInt(4)));
        done.append(' ').append(type).append(Arrays.toString(x.shape));
        try (Ops tf = Ops.create()) {
            Naive.of(x.shape, at -> NumberTypes.narrow(type, naive.applyAsDouble(x.at(at))))
                .check(tf, operation.apply(tf).apply(x.operand(tf, type)), type);
        }
    }

    @Test
    void functionsAreThoseOfLoops() {
        Seeds.each(3, 6, (random, done) -> {
            OF_NUMBERS.forEach((operation, naive) -> {
                DataType type = NumberTypes.pick(random, NumberTypes.NUMBERS.subList(0, 4));
                unary(random, done, type, NumberTypes.elements(random, type), operation, naive);
            });
            OF_FRACTIONS.forEach((operation, naive) -> {
                DataType type = NumberTypes.pick(random, NumberTypes.FLOATING);
                unary(random, done, type, positive(random, type), operation, naive);
            });
        });
    }

    @Test
    void logicIsThatOfLoops() {
        Seeds.each(4, 6, (random, done) -> {
            long[] shape = Naive.shape(random, random.nextInt(4));
            Naive a = Naive.random(() -> random.nextInt(2), shape);
            Naive b = Naive.random(() -> random.nextInt(2), Naive.narrower(random, shape));
            try (Ops tf = Ops.create()) {
                Operand<Boolean> left = a.operand(tf, DataType.BOOL);
                Operand<Boolean> right = b.operand(tf, DataType.BOOL);
                Naive.of(shape, at -> a.at(at) * b.at(at)).check(tf, tf.math.logicalAnd(left, right), DataType.BOOL);
                Naive.of(shape, at -> Math.max(a.at(at), b.at(at))).check(tf, tf.math.logicalOr(left, right), DataType.BOOL);
                Naive.of(shape, at -> a.at(at) == b.at(at) ? 1 : 0).check(tf, tf.math.equal(left, right), DataType.BOOL);
                Naive.of(shape, at -> 1 - a.at(at)).check(tf, tf.math.logicalNot(left), DataType.BOOL);
            }
        });
    }

    @Test
    void aChoiceBroadcastsAllThree() {
        Seeds.each(5, 10, (random, done) -> {
            DataType type = NumberTypes.pick(random, NumberTypes.NUMBERS);
            long[] shape = Naive.shape(random, random.nextInt(4));
            Naive condition = Naive.random(() -> random.nextInt(2), Naive.narrower(random, shape));
            Naive a = Naive.random(positive(random, type), shape);
            Naive b = Naive.random(positive(random, type), Naive.narrower(random, shape));
            try (Ops tf = Ops.create()) {
                Naive.of(shape, at -> condition.at(at) != 0 ? a.at(at) : b.at(at)).check(tf,
                    tf.math.select(condition.operand(tf, DataType.BOOL), a.<Float>operand(tf, type), b.operand(tf, type)), type);
            }
        });
    }

    /** Integers wrap; fractions are cut off and saturate; a truth value is whether it is not 0. */
    @Test
    void castsAreThoseOfComprehensions() {
        try (Ops tf = Ops.create()) {
            Operand<Float> x = tf.constant(new float[] {-1.5f, 300.7f, Float.NaN, 1e20f, 0});
            new Shown(tf).is("UINT8[5] [0, 255, 0, 255, 0]", tf.math.cast(x, DataType.UINT8));
            new Shown(tf).is("INT32[5] [-1, 300, 0, 2147483647, 0]", tf.math.cast(x, Integer.class));
            new Shown(tf).is("BOOL[5] [true, true, true, true, false]", tf.math.cast(x, Boolean.class));
            new Shown(tf).is("UINT8[2] [44, 255]", tf.math.cast(tf.constant(new int[] {300, -1}), io.tensornio.UInt8.class));
            new Shown(tf).is("DOUBLE[2] [1.0, 0.0]", tf.math.cast(tf.constant(new boolean[] {true, false}), Double.class));
        }
    }
}
