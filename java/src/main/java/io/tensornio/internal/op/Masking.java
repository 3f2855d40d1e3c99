package io.tensornio.internal.op;

import io.tensornio.DataType;
import io.tensornio.Tensor;

/** Attention of the keys that take part. */
public final class Masking {
    private static final Operation ATTENTION = Operation.of("attention", Types.FLOATING, "q, k, v, ?mask",
        "s[..., i, j] += q[..., i, d] * k[..., j, d]\n"
            + "z[..., i, j] = select(mask[..., i, j], s[..., i, j], -inf)\n"
            + "m[..., i] max= z[..., i, j]\n"
            + "e[..., i, j] = select(mask[..., i, j], exp((s[..., i, j] - m[..., i]) * {value}), 0)\n"
            + "t[..., i] += e[..., i, j]\n"
            + "o[..., i, f] += e[..., i, j] * v[..., j, f]\n"
            + "y[..., i, f] = select(t[..., i] == 0, 0, o[..., i, f] / t[..., i])");

    private Masking() {
    }

    /** Attention with a mask. */
    public static Tensor<?> attention(Tensor<?> q, Tensor<?> k, Tensor<?> v, Tensor<?> mask) {
        if (mask.dataType() != DataType.BOOL) {
            throw new IllegalArgumentException("mask is " + mask.dataType() + ", and " + Types.BOOL.wanted());
        }
        return (Tensor<?>) ATTENTION.run(() -> Normalization.attention(q), q, k, v, mask);
    }
}
