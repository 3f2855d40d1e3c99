package io.tensornio.internal.data;

/** One value at every index. */
final class FloatConstant extends FloatMade {
    private final float value;

    FloatConstant(float value, long... shape) {
        super(shape);
        this.value = value;
    }

    @Override
    float value(long place) {
        return value;
    }
}
