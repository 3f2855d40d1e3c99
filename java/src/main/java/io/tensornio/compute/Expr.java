package io.tensornio.compute;

import io.tensornio.internal.compute.Term;
import java.util.Objects;

/**
 * An expression over elements of tensors: the right side of a {@link Statement}. Immutable; made from {@link Access}es, from numbers by
 * {@link #of(long)}, from loops by {@link F#value}, and by the functions of {@link F}.
 *
 * <p>All operands of an operator have the same type, which literals take, too: see {@link Comprehension} for the rules.
 */
public class Expr {
    /** The precedence of operators; an operand of lower precedence is written in parentheses. */
    static final int OR = 1;
    static final int AND = 2;
    static final int NOT = 3;
    static final int COMPARISON = 4;
    static final int SUM = 5;
    static final int PRODUCT = 6;
    static final int MINUS = 7;
    static final int POWER = 8;
    static final int ALONE = 9;

    final Term term;
    private final int level;

    /** Of strings, names and terms; operands have sufficient precedence. */
    Expr(int level, Object... parts) {
        this.level = level;
        this.term = Term.of(parts);
    }

    /** This expression as an operand in a context with that precedence. */
    private Term least(int level) {
        return this.level >= level ? term : Term.of("(", term, ")");
    }

    /**
     * An integer as an expression. It takes the type of its context.
     *
     * @param value the number
     * @return the literal
     */
    public static Expr of(long value) {
        // Literals have no sign, and the magnitude of Long.MIN_VALUE overflows a long.
        return value == Long.MIN_VALUE ? of(value + 1).minus(1) : value < 0 ? of(-value).neg() : new Expr(ALONE, Long.toString(value));
    }

    /**
     * A number as an expression. It takes the type of its context, by default FLOAT.
     *
     * @param value the number; infinities and NaN are allowed
     * @return the literal
     */
    public static Expr of(double value) {
        if (value < 0 || 1 / value < 0) {
            return of(-value).neg();
        }
        return new Expr(ALONE, Double.isNaN(value) ? "nan" : Double.isInfinite(value) ? "inf" : Double.toString(value).replace('E', 'e'));
    }

    /**
     * A truth value as an expression, of type BOOL.
     *
     * @param value the value
     * @return the literal
     */
    public static Expr of(boolean value) {
        return new Expr(ALONE, Boolean.toString(value));
    }

    /** A binary operator; those of the same precedence associate to the left. */
    private Expr binary(String operator, Expr right, int level) {
        return new Expr(level, least(level), " " + operator + " ", Objects.requireNonNull(right, "right").least(level + 1));
    }

    /** A comparison; comparisons do not chain. */
    private Expr comparison(String operator, Expr right) {
        return new Expr(COMPARISON, least(SUM), " " + operator + " ", Objects.requireNonNull(right, "right").least(SUM));
    }

    /**
     * The sum.
     *
     * @param right the other summand
     * @return {@code this + right}
     */
    public final Expr plus(Expr right) {
        return binary("+", right, SUM);
    }

    /**
     * The sum with an integer.
     *
     * @param right the other summand
     * @return {@code this + right}
     */
    public final Expr plus(long right) {
        return plus(of(right));
    }

    /**
     * The sum with a number.
     *
     * @param right the other summand
     * @return {@code this + right}
     */
    public final Expr plus(double right) {
        return plus(of(right));
    }

    /**
     * The difference.
     *
     * @param right the subtrahend
     * @return {@code this - right}
     */
    public final Expr minus(Expr right) {
        return binary("-", right, SUM);
    }

    /**
     * The difference to an integer.
     *
     * @param right the subtrahend
     * @return {@code this - right}
     */
    public final Expr minus(long right) {
        return minus(of(right));
    }

    /**
     * The difference to a number.
     *
     * @param right the subtrahend
     * @return {@code this - right}
     */
    public final Expr minus(double right) {
        return minus(of(right));
    }

    /**
     * The product.
     *
     * @param right the other factor
     * @return {@code this * right}
     */
    public final Expr times(Expr right) {
        return binary("*", right, PRODUCT);
    }

    /**
     * The product with an integer.
     *
     * @param right the other factor
     * @return {@code this * right}
     */
    public final Expr times(long right) {
        return times(of(right));
    }

    /**
     * The product with a number.
     *
     * @param right the other factor
     * @return {@code this * right}
     */
    public final Expr times(double right) {
        return times(of(right));
    }

    /**
     * The quotient. Integers truncate; division by zero is an {@link ArithmeticException} at run time.
     *
     * @param right the divisor
     * @return {@code this / right}
     */
    public final Expr div(Expr right) {
        return binary("/", right, PRODUCT);
    }

    /**
     * The quotient by an integer.
     *
     * @param right the divisor
     * @return {@code this / right}
     */
    public final Expr div(long right) {
        return div(of(right));
    }

    /**
     * The quotient by a number.
     *
     * @param right the divisor
     * @return {@code this / right}
     */
    public final Expr div(double right) {
        return div(of(right));
    }

    /**
     * The remainder, with the sign of the dividend.
     *
     * @param right the divisor
     * @return {@code this % right}
     */
    public final Expr mod(Expr right) {
        return binary("%", right, PRODUCT);
    }

    /**
     * The remainder by an integer.
     *
     * @param right the divisor
     * @return {@code this % right}
     */
    public final Expr mod(long right) {
        return mod(of(right));
    }

    /**
     * The remainder by a number.
     *
     * @param right the divisor
     * @return {@code this % right}
     */
    public final Expr mod(double right) {
        return mod(of(right));
    }

    /**
     * The power.
     *
     * @param exponent the exponent
     * @return {@code this ^ exponent}
     */
    public final Expr pow(Expr exponent) {
        return new Expr(POWER, least(ALONE), "^", Objects.requireNonNull(exponent, "exponent").least(ALONE));
    }

    /**
     * The power with an integer exponent.
     *
     * @param exponent the exponent
     * @return {@code this ^ exponent}
     */
    public final Expr pow(long exponent) {
        return pow(of(exponent));
    }

    /**
     * The power with a number as exponent.
     *
     * @param exponent the exponent
     * @return {@code this ^ exponent}
     */
    public final Expr pow(double exponent) {
        return pow(of(exponent));
    }

    /**
     * The negated value.
     *
     * @return {@code -this}
     */
    public final Expr neg() {
        return new Expr(MINUS, "-", least(POWER));
    }

    /**
     * Whether this is less.
     *
     * @param right the right operand
     * @return {@code this < right}, of type BOOL
     */
    public final Expr lt(Expr right) {
        return comparison("<", right);
    }

    /**
     * Whether this is less than an integer.
     *
     * @param right the right operand
     * @return {@code this < right}, of type BOOL
     */
    public final Expr lt(long right) {
        return lt(of(right));
    }

    /**
     * Whether this is less than a number.
     *
     * @param right the right operand
     * @return {@code this < right}, of type BOOL
     */
    public final Expr lt(double right) {
        return lt(of(right));
    }

    /**
     * Whether this is less or equal.
     *
     * @param right the right operand
     * @return {@code this <= right}, of type BOOL
     */
    public final Expr le(Expr right) {
        return comparison("<=", right);
    }

    /**
     * Whether this is less than or equal to an integer.
     *
     * @param right the right operand
     * @return {@code this <= right}, of type BOOL
     */
    public final Expr le(long right) {
        return le(of(right));
    }

    /**
     * Whether this is less than or equal to a number.
     *
     * @param right the right operand
     * @return {@code this <= right}, of type BOOL
     */
    public final Expr le(double right) {
        return le(of(right));
    }

    /**
     * Whether this is greater.
     *
     * @param right the right operand
     * @return {@code this > right}, of type BOOL
     */
    public final Expr gt(Expr right) {
        return comparison(">", right);
    }

    /**
     * Whether this is greater than an integer.
     *
     * @param right the right operand
     * @return {@code this > right}, of type BOOL
     */
    public final Expr gt(long right) {
        return gt(of(right));
    }

    /**
     * Whether this is greater than a number.
     *
     * @param right the right operand
     * @return {@code this > right}, of type BOOL
     */
    public final Expr gt(double right) {
        return gt(of(right));
    }

    /**
     * Whether this is greater or equal.
     *
     * @param right the right operand
     * @return {@code this >= right}, of type BOOL
     */
    public final Expr ge(Expr right) {
        return comparison(">=", right);
    }

    /**
     * Whether this is greater than or equal to an integer.
     *
     * @param right the right operand
     * @return {@code this >= right}, of type BOOL
     */
    public final Expr ge(long right) {
        return ge(of(right));
    }

    /**
     * Whether this is greater than or equal to a number.
     *
     * @param right the right operand
     * @return {@code this >= right}, of type BOOL
     */
    public final Expr ge(double right) {
        return ge(of(right));
    }

    /**
     * Whether both are equal.
     *
     * @param right the right operand
     * @return {@code this == right}, of type BOOL
     */
    public final Expr eq(Expr right) {
        return comparison("==", right);
    }

    /**
     * Whether this is equal to an integer.
     *
     * @param right the right operand
     * @return {@code this == right}, of type BOOL
     */
    public final Expr eq(long right) {
        return eq(of(right));
    }

    /**
     * Whether this is equal to a number.
     *
     * @param right the right operand
     * @return {@code this == right}, of type BOOL
     */
    public final Expr eq(double right) {
        return eq(of(right));
    }

    /**
     * Whether both differ.
     *
     * @param right the right operand
     * @return {@code this != right}, of type BOOL
     */
    public final Expr ne(Expr right) {
        return comparison("!=", right);
    }

    /**
     * Whether this differs from an integer.
     *
     * @param right the right operand
     * @return {@code this != right}, of type BOOL
     */
    public final Expr ne(long right) {
        return ne(of(right));
    }

    /**
     * Whether this differs from a number.
     *
     * @param right the right operand
     * @return {@code this != right}, of type BOOL
     */
    public final Expr ne(double right) {
        return ne(of(right));
    }

    /**
     * Whether both are true. Both are evaluated.
     *
     * @param right the other condition, of type BOOL like this
     * @return {@code this and right}
     */
    public final Expr and(Expr right) {
        return binary("and", right, AND);
    }

    /**
     * Whether one is true. Both are evaluated.
     *
     * @param right the other condition, of type BOOL like this
     * @return {@code this or right}
     */
    public final Expr or(Expr right) {
        return binary("or", right, OR);
    }

    /**
     * Whether this is false.
     *
     * @return {@code not this}, of type BOOL like this
     */
    public final Expr not() {
        return new Expr(NOT, "not ", least(NOT));
    }

    /**
     * The text in the language of {@link Comprehension}, with the original names of tensors and loops.
     *
     * @return the text
     */
    @Override
    public final String toString() {
        return term.toString();
    }
}
