package io.tensornio.op.random;

import io.tensornio.internal.op.Made;
import io.tensornio.op.Operand;

/** Random elements. */
final class Result<T> extends Operand<T> {
    Result(Made<T> made) {
        super(made);
    }
}
