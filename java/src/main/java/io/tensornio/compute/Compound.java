package io.tensornio.compute;

/** An expression that is written as its operands and the text between them. */
final class Compound extends Expr {
    private final int level;
    private final Object[] parts;

    /** Keeps the array; its operands have sufficient precedence. */
    Compound(int level, Object... parts) {
        this.level = level;
        this.parts = parts;
    }

    @Override
    int level() {
        return level;
    }

    @Override
    Object[] parts() {
        return parts;
    }
}
