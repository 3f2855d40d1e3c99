package io.tensornio.examples;

import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.UInt8;
import io.tensornio.compute.Comprehension;
import io.tensornio.op.Operand;
import io.tensornio.op.Ops;

/** A synthesised tone that rises, what frequencies it has when, and how fast it rises, by least squares. */
final class Spectrogram {
    /** Samples in a second, and in all. */
    static final int RATE = 8000;
    private static final int SAMPLES = 2 * RATE;
    /** The samples of a window, and from one window to the next. */
    private static final int WINDOW = 256;
    private static final int STEP = 64;
    /** Where the tone begins, in hertz, and how much higher it is after a second. */
    static final double FIRST = 400;
    static final double RISE = 1200;

    /** Each column is a window, the lowest frequency first; the brighter the louder, by a logarithm. */
    private static final Comprehension PICTURE = Comprehension.of(
        "power[t,k] = log(y[t,k,0]^2 + y[t,k,1]^2 + 1e-3)\n"
            + "low[] min= power[t,k]\n"
            + "high[] max= power[t,k]\n"
            + "picture[k,t] = uint8(255 * (power[t,k] - low[]) / (high[] - low[]))\n"
            + "return picture");

    private Spectrogram() {
    }

    /** The tone, whose phase is the sum of what its frequency has been. */
    private static Tensor<Float> tone() {
        return Tensors.denseFloat(new long[] {SAMPLES}, data -> {
            for (int n = 0; n < SAMPLES; n++) {
                double t = n / (double) RATE;
                data.put((float) Math.sin(2 * Math.PI * (FIRST + RISE / 2 * t) * t), n);
            }
        });
    }

    /** Draws it: UINT8 of shape (frequencies, windows). */
    static Tensor<UInt8> draw() {
        try (Tensor<Float> tone = tone(); Ops tf = Ops.create()) {
            return tf.keep(tf.apply(UInt8.class, PICTURE, transformed(tf, tone)));
        }
    }

    /** The Fourier transform of each window: a view of the tone, faded in and out by Hann's window. */
    private static Operand<Float> transformed(Ops tf, Tensor<Float> tone) {
        FloatTensorData windows = tone.floatData().slidingWindow(0, WINDOW, STEP);
        Operand<Float> turns = tf.array.linspace(0f, (float) (2 * Math.PI), WINDOW + 1);
        Operand<Float> fade = tf.array.slice(tf.math.cos(turns), TensorIndex.range(0, WINDOW)).times(-.5f).plus(.5f);
        return tf.fft.rfft(tf.math.mul(tf.constant(windows), fade));
    }

    /** How much higher it is after a second, by the loudest frequency of each window and a line through them: {@code (rise, first)} in hertz. */
    static double[] line() {
        try (Tensor<Float> tone = tone(); Ops tf = Ops.create()) {
            Operand<Float> y = transformed(tf, tone);
            Operand<Float> power = tf.reduce.sum(tf.math.mul(y, y), -1);
            Operand<Double> hertz = tf.math.cast(tf.reduce.argmax(power, 1), Double.class).times(RATE / (double) WINDOW);
            long count = hertz.shape()[0];
            // The middle of each window.
            Operand<Double> seconds = tf.array.range(0.0, count, 1.0).times(STEP).plus(WINDOW / 2.0).times(1. / RATE);
            Operand<Double> points = tf.array.stack(1, seconds, tf.array.fill(1.0, count));
            return tf.linalg.lstsq(points, hertz).asTensor().doubleData().stream().toArray();
        }
    }
}
