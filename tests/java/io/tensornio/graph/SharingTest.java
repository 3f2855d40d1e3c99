package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Axis;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.internal.memory.Forked;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** Graphs and trainings that several threads use: they wait for one another, and never for ever. */
@ExtendWith(MemoryBalance.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SharingTest {
    private static final int WIDTH = 40;

    /** What a binder does besides. */
    private interface Besides {
        void run(float[] in) throws Exception;
    }

    /** A network of two layers that learns to give back its input. */
    private static final class Net implements AutoCloseable {
        final TensorContext t = new TensorContext();
        final Sym w;
        /** Of the weights alone. */
        final Sym norm;
        final Sym out;
        final Sym loss;
        final ComputeGraph cg;
        volatile Besides besides = in -> { };

        Net() {
            Axis wide = Axis.of("X", WIDTH);
            Sym1<Axis> x = t.input(wide, float[].class, (in, data) -> {
                try {
                    besides.run(in);
                } catch (RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
                data.put(in);
            });
            Dense<Axis> hidden = t.comprehensions().dense(Axis.of(WIDTH), x);
            w = hidden.weights();
            out = t.comprehensions().linear(wide, hidden.output()).output();
            loss = t.comprehensions().meanSquare(x, out);
            norm = t.comprehensions().meanSquare(w, w.times(2));
            cg = new TensorGraph(loss, norm).compile();
            CGInit.glorot(cg, 1);
        }

        @Override
        public void close() {
            cg.close();
        }
    }

    private static List<float[]> examples(int count) {
        List<float[]> examples = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            float[] example = new float[WIDTH];
            Arrays.fill(example, n % 7 / 7f);
            examples.add(example);
        }
        return examples;
    }

    /** Has a thread run something; what it throws is there once it has been joined. */
    private static final class Other {
        final AtomicReference<Throwable> thrown = new AtomicReference<>();
        private final Thread thread;

        Other(Executable work) {
            thread = new Thread(() -> {
                try {
                    work.execute();
                } catch (Throwable e) {
                    thrown.set(e);
                }
            });
            thread.start();
        }

        Throwable join() throws InterruptedException {
            thread.join();
            return thrown.get();
        }
    }

    @Test
    void aGraphIsClosedAtAnyMomentOfATraining() throws InterruptedException {
        for (int round = 0; round < 20 * Expect.depth(); round++) {
            Net net = new Net();
            Minibatch minibatch = Minibatch.of(examples(64), 16, round);
            SGD descent = SGD.adam(net.cg);
            Other other = new Other(() -> {
                while (true) {
                    descent.step(minibatch);
                }
            });
            Other reader = new Other(() -> {
                while (true) {
                    net.cg.eval(new float[WIDTH], net.out).close();
                }
            });
            long until = System.nanoTime() + new Random(round).nextInt(2_000_000);
            while (System.nanoTime() < until) {
                Thread.yield();
            }
            net.close();
            for (Throwable thrown : new Throwable[] {other.join(), reader.join()}) {
                assertTrue(thrown instanceof IllegalStateException || thrown instanceof TensorClosedException, () -> "" + thrown);
            }
        }
    }

    @Test
    void evaluationsGoOnWhileBindersOfATrainingEvaluate() throws InterruptedException {
        try (Net net = new Net()) {
            SGD descent = SGD.of(net.cg).rate(1e-4);
            net.besides = in -> {
                if (in[0] > .5f) {
                    net.cg.get(net.w).close();
                    net.cg.eval(null, net.norm).close();
                }
            };
            Other evaluating = new Other(() -> {
                for (int n = 0; n < 300; n++) {
                    net.cg.eval(new float[WIDTH], net.out).close();
                    net.cg.evalAll(examples(5), net.loss).close();
                }
            });
            Other saving = new Other(() -> {
                for (int n = 0; n < 30; n++) {
                    descent.save(new ByteArrayOutputStream());
                    net.cg.save(new ByteArrayOutputStream());
                }
            });
            descent.train(Minibatch.of(examples(64), 8, 1), 20, (epoch, step, loss) -> { });
            assertNull(evaluating.join());
            assertNull(saving.join());
            assertEquals(160, descent.steps());
        }
    }

    @Test
    void aBinderOfAnEvaluationCannotTrainItsGraph() {
        try (Net net = new Net()) {
            SGD descent = SGD.of(net.cg);
            Minibatch minibatch = Minibatch.of(examples(4), 2, 1);
            Executable[] calls = {() -> descent.step(minibatch), () -> descent.save(new ByteArrayOutputStream()), descent::checkFinite};
            for (Executable call : calls) {
                net.besides = in -> {
                    net.besides = any -> { };
                    try {
                        call.execute();
                    } catch (RuntimeException e) {
                        throw e;
                    } catch (Throwable e) {
                        throw new AssertionError(e);
                    }
                };
                Expect.thrown(IllegalStateException.class, () -> net.cg.eval(new float[WIDTH], net.out), "binder", "evaluation");
            }
            assertEquals(0, descent.steps());
        }
    }

    /** Of two graphs whose binders evaluate each other at the same moment one is refused, and the other goes on. */
    @Test
    void bindersThatWaitForEachOtherAreRefused() throws Exception {
        try (Net a = new Net(); Net b = new Net()) {
            CyclicBarrier both = new CyclicBarrier(2);
            float[] outer = new float[WIDTH];
            float[] inner = new float[WIDTH];
            a.besides = in -> {
                if (in == outer) {
                    both.await();
                    b.cg.eval(inner, b.out).close();
                }
            };
            b.besides = in -> {
                if (in == outer) {
                    both.await();
                    a.cg.eval(inner, a.out).close();
                }
            };
            Other first = new Other(() -> a.cg.eval(outer, a.out).close());
            Other second = new Other(() -> b.cg.eval(outer, b.out).close());
            List<Throwable> thrown = new ArrayList<>(Arrays.asList(first.join(), second.join()));
            thrown.removeAll(Collections.singletonList(null));
            assertEquals(1, thrown.size(), thrown::toString);
            assertEquals(IllegalStateException.class, thrown.get(0).getClass());
            Expect.says(thrown.get(0), "wait for ever", "binder");
            a.cg.eval(inner, a.out).close();
            b.cg.eval(inner, b.out).close();
        }
    }

    /** The same of two trainings, each of which has a binder make a step of the other. */
    @Test
    void trainingsThatWaitForEachOtherAreRefused() throws Exception {
        try (Net a = new Net(); Net b = new Net()) {
            CyclicBarrier both = new CyclicBarrier(2);
            SGD[] descents = {SGD.of(a.cg), SGD.of(b.cg)};
            Net[] nets = {a, b};
            List<float[]> outer = examples(1);
            Other[] others = new Other[2];
            for (int n = 0; n < 2; n++) {
                SGD other = descents[1 - n];
                nets[n].besides = in -> {
                    if (in == outer.get(0)) {
                        both.await();
                        other.step(Minibatch.of(examples(2), 2, 1));
                    }
                };
            }
            for (int n = 0; n < 2; n++) {
                SGD own = descents[n];
                others[n] = new Other(() -> own.step(Minibatch.of(outer, 1, 1)));
            }
            List<Throwable> thrown = new ArrayList<>(Arrays.asList(others[0].join(), others[1].join()));
            thrown.removeAll(Collections.singletonList(null));
            assertEquals(1, thrown.size(), thrown::toString);
            Expect.says(thrown.get(0), "wait for ever");
        }
    }

    @Test
    void severalThreadsStepInTurn() throws InterruptedException {
        try (Net net = new Net()) {
            SGD descent = SGD.of(net.cg).rate(.01);
            Minibatch minibatch = Minibatch.of(examples(64), 8, 1);
            Executable steps = () -> {
                for (int n = 0; n < 50; n++) {
                    descent.step(minibatch);
                }
            };
            Other first = new Other(steps);
            Other second = new Other(steps);
            assertNull(first.join());
            assertNull(second.join());
            assertEquals(100, descent.steps());
            assertEquals(100, minibatch.position());
        }
    }

    @Test
    void oneThreadAndTwoGiveTheSameBits() {
        String one = Forked.with("-Dtensornio.threads=1").run(TrainProgram.class);
        String two = Forked.with("-Dtensornio.threads=2").run(TrainProgram.class);
        assertTrue(one.startsWith("loss "), one);
        assertEquals(one, two);
    }

    @Test
    void interruptedThreadsDoAllThatOthersDo() {
        try (Net net = new Net(); Net second = new Net()) {
            Minibatch minibatch = Minibatch.of(examples(32), 8, 3);
            double[] expected = SGD.adam(net.cg).train(minibatch, 3, (epoch, step, loss) -> { });
            minibatch.seek(0);
            Thread.currentThread().interrupt();
            double[] found = SGD.adam(second.cg).train(minibatch, 3, (epoch, step, loss) -> { });
            try (Tensor<?> a = second.cg.eval(new float[WIDTH], second.out); Tensor<?> b = second.cg.get(second.w)) {
                assertTrue(a.numElements() > 0 && b.numElements() > 0);
            }
            second.cg.save(new ByteArrayOutputStream());
            assertTrue(Thread.interrupted());
            assertTrue(Arrays.equals(expected, found));
        }
    }
}
