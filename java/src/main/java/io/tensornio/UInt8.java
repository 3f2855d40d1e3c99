package io.tensornio;

/**
 * The type argument of unsigned 8-bit tensors, as in {@code Tensor<UInt8>}. It only marks the type, since Java has no
 * such primitive; it has no instances. Elements are read and written through {@link ByteTensorData}.
 */
public final class UInt8 extends Number {
    private static final long serialVersionUID = 1L;

    private UInt8() {
        throw new AssertionError("UInt8 is a marker and is never made");
    }

    @Override
    public int intValue() {
        throw new AssertionError();
    }

    @Override
    public long longValue() {
        throw new AssertionError();
    }

    @Override
    public float floatValue() {
        throw new AssertionError();
    }

    @Override
    public double doubleValue() {
        throw new AssertionError();
    }
}
