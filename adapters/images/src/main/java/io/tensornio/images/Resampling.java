package io.tensornio.images;

/**
 * How {@link Images#resize} finds the pixels between pixels. All but {@link #NEAREST} are filters of rows and then of columns, which are widened when
 * an image shrinks, so that every pixel counts; their values are
 * those of Pillow's filters of these names, of which {@link #AREA} is called {@code BOX}.
 */
public enum Resampling {
    /** The pixel that is next: no new values. */
    NEAREST(0) {
        @Override
        double weight(double x) {
            throw new AssertionError("it is no filter");
        }
    },
    /** A triangle: linear interpolation. */
    BILINEAR(1) {
        @Override
        double weight(double x) {
            double d = Math.abs(x);
            return d < 1 ? 1 - d : 0;
        }
    },
    /** The mean of what a pixel covers. */
    AREA(.5) {
        @Override
        double weight(double x) {
            return x > -.5 && x <= .5 ? 1 : 0;
        }
    },
    /** Cubic interpolation with the parameter -0.5 (Keys, 1981). */
    BICUBIC(2) {
        @Override
        double weight(double x) {
            double d = Math.abs(x);
            if (d < 1) {
                return (1.5 * d - 2.5) * d * d + 1;
            }
            return d < 2 ? ((-.5 * d + 2.5) * d - 4) * d + 2 : 0;
        }
    };

    /** How far from its middle the filter reaches, in pixels. */
    final double support;

    Resampling(double support) {
        this.support = support;
    }

    /** The weight of a pixel at a distance. */
    abstract double weight(double x);
}
