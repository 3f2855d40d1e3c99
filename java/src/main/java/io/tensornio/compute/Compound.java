package io.tensornio.compute;

/** An expression that is written as its operands and what stands between them. */
final class Compound extends Expr {
    private final int level;
    private final Object[] parts;

    /** Takes over the array; the operands in it bind strongly enough. */
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
