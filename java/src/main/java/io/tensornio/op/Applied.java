package io.tensornio.op;

import io.tensornio.internal.op.Made;

/** The result of a comprehension. */
final class Applied<T> extends Operand<T> {
    Applied(Made<T> made) {
        super(made);
    }
}
