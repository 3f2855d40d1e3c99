package io.tensornio.compute;

/** {@code ...} in brackets. */
final class Rest extends Index {
    @Override
    Affine affine() {
        throw new IllegalArgumentException("... stands for any number of indices, alone in brackets: it is no part of a sum");
    }

    @Override
    Object[] parts() {
        return new Object[] {"..."};
    }
}
