package io.tensornio.op;

import io.tensornio.internal.op.Made;

/** What a comprehension has computed. */
final class Applied<T> extends Operand<T> {
    Applied(Made<T> made) {
        super(made);
    }
}
