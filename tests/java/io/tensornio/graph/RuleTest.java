package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.Tensor;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Collections;
import java.util.function.LongToDoubleFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every rule, and what is done with gradients before it, against its formula for ten steps in DOUBLE. */
@ExtendWith(MemoryBalance.class)
class RuleTest {
    private static final int STEPS = 10;
    private static final double[] START = {1, -2, .5, 3};
    private static final double[] SCALES = {1, 2, .25, 4};

    /** A matrix {@code w} of 2 x 2 and a vector {@code b} of 2, whose loss is the mean of the squares of {@code s w} and of {@code b}, added. */
    private static final class Net implements AutoCloseable {
        final TensorContext t = new TensorContext(DataType.DOUBLE);
        final Sym w = t.tensor(Axis.of(2), Axis.of(2)).named("w");
        final Sym b = t.tensor(Axis.of(2)).named("b");
        final ComputeGraph cg;

        Net() {
            Sym scaled = w.elementwise(t.constant(DoubleTensorData.of(SCALES, 2, 2)));
            cg = new TensorGraph(t.comprehensions().meanSquare(scaled, scaled.times(0)).plus(t.comprehensions().meanSquare(b, b.times(0)))).compile();
            cg.set(w, DoubleTensorData.of(START, 2, 2));
            cg.set(b, DoubleTensorData.of(new double[] {2, -1}));
        }

        double[] weights() {
            double[] all = new double[6];
            try (Tensor<?> first = cg.get(w); Tensor<?> second = cg.get(b)) {
                for (int n = 0; n < 6; n++) {
                    all[n] = n < 4 ? first.doubleData().get(n / 2, n % 2) : second.doubleData().get(n - 4);
                }
            }
            return all;
        }

        void step(SGD descent) {
            descent.step(Minibatch.inOrder(Collections.singletonList(""), 1));
        }

        @Override
        public void close() {
            cg.close();
        }
    }

    private static double[] gradient(double... w) {
        double[] g = new double[6];
        for (int n = 0; n < 6; n++) {
            g[n] = n < 4 ? w[n] * SCALES[n] * SCALES[n] / 2 : w[n];     // of means over 4 and over 2
        }
        return g;
    }

    /** A rule in plain Java: the next weight of a weight and its gradient, with what is remembered of it. */
    private interface Formula {
        double next(double w, double g, double[] memory, int step);
    }

    /** What is done with all gradients before the rule. */
    private interface Before {
        void change(double[] w, double[] g);
    }

    private static void check(UnaryOperator<SGD> settings, java.util.function.Function<ComputeGraph, SGD> rule, Before before, Formula formula) {
        try (Net net = new Net()) {
            SGD descent = settings.apply(rule.apply(net.cg));
            double[] w = net.weights();
            double[][] memory = new double[6][2];
            for (int step = 1; step <= STEPS; step++) {
                net.step(descent);
                double[] g = gradient(w);
                before.change(w, g);
                for (int n = 0; n < 6; n++) {
                    w[n] = formula.next(w[n], g[n], memory[n], step);
                }
                double[] actual = net.weights();
                for (int n = 0; n < 6; n++) {
                    assertEquals(w[n], actual[n], 1e-12 * Math.max(1, Math.abs(w[n])), "weight " + n + " after step " + step);
                }
            }
        }
    }

    private static final Before NOTHING = (w, g) -> { };
    private static final Formula PLAIN = (w, g, m, step) -> w - .05 * g;

    private static double adam(double w, double g, double[] m, int step) {
        m[0] = .9 * m[0] + .1 * g;
        m[1] = .999 * m[1] + .001 * g * g;
        return w - .05 * (m[0] / (1 - Math.pow(.9, step))) / (Math.sqrt(m[1] / (1 - Math.pow(.999, step))) + 1e-8);
    }

    @Test
    void rulesAreTheirFormulas() {
        check(sgd -> sgd.rate(.05), SGD::of, NOTHING, PLAIN);
        check(sgd -> sgd.rate(.05).momentum(.8), SGD::of, NOTHING, (w, g, m, step) -> w - .05 * (m[0] = .8 * m[0] + g));
        check(sgd -> sgd.rate(.05), SGD::nesterov, NOTHING, (w, g, m, step) -> {
            m[0] = .9 * m[0] + g;
            return w - .05 * (g + .9 * m[0]);
        });
        check(sgd -> sgd.rate(.05), SGD::adagrad, NOTHING, (w, g, m, step) -> {
            m[0] += g * g;
            return w - .05 * g / (Math.sqrt(m[0]) + 1e-10);
        });
        check(sgd -> sgd.rate(.05), SGD::rmsProp, NOTHING, (w, g, m, step) -> {
            m[0] = .9 * m[0] + (1 - .9) * g * g;
            return w - .05 * g / (Math.sqrt(m[0]) + 1e-8);
        });
        check(sgd -> sgd.rate(.05), SGD::adam, NOTHING, RuleTest::adam);
    }

    @Test
    void adamWDecaysMatricesBeforeItsStep() {
        try (Net net = new Net()) {
            SGD descent = SGD.adamW(net.cg).rate(.05);
            double[] w = net.weights();
            double[][] memory = new double[6][2];
            for (int step = 1; step <= STEPS; step++) {
                net.step(descent);
                double[] g = gradient(w);
                for (int n = 0; n < 6; n++) {
                    w[n] = adam(n < 4 ? w[n] - .05 * .01 * w[n] : w[n], g[n], memory[n], step);
                    assertEquals(w[n], net.weights()[n], 1e-12);
                }
            }
        }
        check(sgd -> sgd.rate(.05).weightDecay(.2).decayAll(), SGD::adamW, NOTHING, (w, g, m, step) -> adam(w - .05 * .2 * w, g, m, step));
    }

    private static void clipNorm(double max, double... g) {
        double squares = 0;
        for (double one : g) {
            squares += one * one;
        }
        for (int n = 0; n < g.length && squares > max * max; n++) {
            g[n] *= max / Math.sqrt(squares);
        }
    }

    @Test
    void gradientsAreClippedThenTheirNormThenWeightsDecay() {
        Before values = (w, g) -> {
            for (int n = 0; n < 6; n++) {
                g[n] = Math.max(Math.min(g[n], 1.5), -1.5);
            }
        };
        Before decay = (w, g) -> {
            for (int n = 0; n < 4; n++) {
                g[n] += .3 * w[n];
            }
        };
        check(sgd -> sgd.rate(.05).clipValue(1.5), SGD::of, values, PLAIN);
        check(sgd -> sgd.rate(.05).clipNorm(2), SGD::of, (w, g) -> clipNorm(2, g), PLAIN);
        check(sgd -> sgd.rate(.05).clipNorm(1e6), SGD::of, NOTHING, PLAIN);
        check(sgd -> sgd.rate(.05).weightDecay(.3), SGD::of, decay, PLAIN);
        check(sgd -> sgd.rate(.05).weightDecay(.3).decayAll(), SGD::of, (w, g) -> {
            for (int n = 0; n < 6; n++) {
                g[n] += .3 * w[n];
            }
        }, PLAIN);
        check(sgd -> sgd.rate(.05).weightDecay(.3).clipNorm(2).clipValue(1.5).checkFinite(), SGD::adam, (w, g) -> {
            values.change(w, g);
            clipNorm(2, g);
            decay.change(w, g);
        }, RuleTest::adam);
        check(sgd -> sgd.rate(.05).clipNorm(2).clipNorm(Double.POSITIVE_INFINITY).clipValue(1).clipValue(Double.POSITIVE_INFINITY), SGD::of, NOTHING,
            PLAIN);
    }

    @Test
    void rateOfAParameterIsMultipliedAndFrozenOnesStay() {
        try (Net net = new Net()) {
            SGD descent = SGD.of(net.cg).rate(.05).rateOf(net.w, .5).rateOf(net.b, 0);
            double[] w = net.weights();
            for (int step = 0; step < STEPS; step++) {
                net.step(descent);
                double[] g = gradient(w);
                for (int n = 0; n < 6; n++) {
                    w[n] -= n < 4 ? .025 * g[n] : 0;
                    assertEquals(w[n], net.weights()[n], 1e-12);
                }
            }
        }
        try (Net net = new Net()) {
            // The norm is that of what is not frozen; moments of what is frozen are kept.
            SGD descent = SGD.adam(net.cg).rate(.05).clipNorm(1);
            double[] w = net.weights();
            double[][] memory = new double[6][2];
            for (int step = 1; step <= STEPS; step++) {
                boolean isFrozen = step > 3 && step < 7;
                descent = isFrozen ? descent.freeze(net.w) : descent.unfreeze(net.w);
                net.step(descent);
                double[] g = gradient(w);
                if (isFrozen) {
                    java.util.Arrays.fill(g, 0, 4, 0);
                }
                clipNorm(1, g);
                for (int n = isFrozen ? 4 : 0; n < 6; n++) {
                    w[n] = adam(w[n], g[n], memory[n], step);
                }
                for (int n = 0; n < 6; n++) {
                    assertEquals(w[n], net.weights()[n], 1e-12, "weight " + n + " after step " + step);
                }
            }
        }
    }

    @Test
    void aCheckpointHasTheMomentsOfWhatIsFrozen() {
        try (Net net = new Net(); Net other = new Net()) {
            SGD descent = SGD.nesterov(net.cg).rate(.05);
            net.step(descent);
            descent.freeze(net.w);
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            descent.save(file);
            SGD resumed = SGD.nesterov(other.cg).rate(.05);
            resumed.load(new ByteArrayInputStream(file.toByteArray()));
            net.step(descent.unfreeze(net.w));
            other.step(resumed);
            org.junit.jupiter.api.Assertions.assertArrayEquals(net.weights(), other.weights());
        }
    }

    private static void schedule(LongToDoubleFunction schedule, double... rates) {
        for (int step = 0; step < rates.length; step++) {
            assertEquals(rates[step], schedule.applyAsDouble(step), 5e-7, "step " + step);
        }
    }

    @Test
    void schedulesGiveTheirRates() {
        schedule(Schedule.constant(.3), .3, .3, .3);
        schedule(Schedule.exponential(8, .5), 8, 4, 2, 1);
        schedule(Schedule.step(8, .5, 2), 8, 8, 4, 4, 2);
        schedule(Schedule.piecewise(new long[] {1, 3}, 3, 2, 1), 3, 2, 2, 1, 1);
        schedule(Schedule.piecewise(new long[0], 7), 7, 7);
        schedule(Schedule.cosine(1, 5, 1), 1, 1, .853553, .5, .146447, 0, 0);
        schedule(Schedule.cosine(2, 6, 4), .5, 1, 1.5, 2, 2, 1, 0);
        check(sgd -> sgd.rate(Schedule.exponential(.05, .5)), SGD::of, NOTHING, (w, g, m, step) -> w - .05 * Math.pow(.5, step - 1) * g);
        check(sgd -> sgd.rate(Schedule.constant(9)).rate(.05), SGD::of, NOTHING, PLAIN);
        try (Net net = new Net()) {
            SGD descent = SGD.of(net.cg).rate(step -> step == 0 ? .5 : Double.NaN);
            assertEquals(.5, descent.currentRate());
            net.step(descent);
            double[] before = net.weights();
            Expect.thrown(IllegalStateException.class, () -> net.step(descent), "the schedule gives NaN after 1 steps");
            org.junit.jupiter.api.Assertions.assertArrayEquals(before, net.weights());
        }
    }

    @Test
    void wrongSettingsAreRefused() {
        Class<IllegalArgumentException> bad = IllegalArgumentException.class;
        try (Net net = new Net()) {
            SGD descent = SGD.of(net.cg);
            Expect.thrown(bad, () -> descent.clipNorm(0), "clipNorm", "0.0");
            Expect.thrown(bad, () -> descent.clipValue(Double.NaN), "clipValue", "NaN");
            Expect.thrown(bad, () -> descent.weightDecay(-1), "weightDecay");
            Expect.thrown(bad, () -> descent.rateOf(net.w, -1), "rateOf w");
            Expect.thrown(bad, () -> descent.freeze(net.t.constant(DoubleTensorData.of(START))), "no parameter");
            Expect.thrown(bad, () -> descent.freeze(new TensorContext().scalar()), "another context");
            Expect.thrown(NullPointerException.class, () -> descent.rate(null), "schedule");
            Expect.thrown(IllegalStateException.class, () -> SGD.adagrad(net.cg).momentum(.5), "ADAGRAD has no momentum");
        }
        Expect.thrown(bad, () -> Schedule.step(1, .5, 0), "every");
        Expect.thrown(bad, () -> Schedule.piecewise(new long[] {1}, 1), "1 ends and 1 rates");
        Expect.thrown(bad, () -> Schedule.piecewise(new long[] {2, 2}, 1, 2, 3), "do not increase");
        Expect.thrown(bad, () -> Schedule.cosine(1, 5, 5), "warm-up of 5 of 5");
        Expect.thrown(bad, () -> Schedule.exponential(Double.NaN, 1), "rate");
    }
}
