package io.tensornio.compute;

/** An index that is an element of a tensor. */
final class LookUp extends Index {
    private final Access access;

    LookUp(Access access) {
        this.access = access;
    }

    @Override
    Affine affine() {
        return new Affine(this);
    }

    @Override
    Object[] parts() {
        return new Object[] {access};
    }
}
