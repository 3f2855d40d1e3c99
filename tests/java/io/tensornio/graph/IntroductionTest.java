package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Axis;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.compute.F;
import io.tensornio.compute.LoopIndex;
import io.tensornio.support.MemoryBalance;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The example that tensor graphs are introduced by, and its layer of one's own. */
@ExtendWith(MemoryBalance.class)
class IntroductionTest {
    static final class DH extends Axis {
        DH() {
            super("H", 128);
        }
    }

    static final class D1 extends Axis {
        D1() {
            super("one", 1);
        }
    }

    static final class MyInput {
        final float[] y = new float[128];
        float z;
    }

    private static List<MyInput> examples(int count) {
        Random random = new Random(5);
        List<MyInput> examples = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            MyInput in = new MyInput();
            for (int i = 0; i < in.y.length; i++) {
                in.y[i] = random.nextFloat() - .5f;
            }
            in.z = in.y[0] + in.y[1] > 0 ? 1 : 0;
            examples.add(in);
        }
        return examples;
    }

    @Test
    void theIntroductionTrainsAndEvaluates() {
        DH dh = new DH();
        D1 d1 = new D1();
        TensorContext t = new TensorContext();
        Comprehensions tc = t.comprehensions();

        Sym1<DH> y = t.input(dh, MyInput.class, (in, data) -> data.put(in.y));
        Sym1<D1> z = t.input(d1, MyInput.class, (in, data) -> data.put(in.z, 0));

        Dense<DH> first = tc.dense(dh, y);
        Sym1<DH> x1 = first.output();
        Sym a = first.weights();
        Sym1<DH> x2 = tc.dense(dh, x1).withRelu().output();

        Sym2<?, ?> a3 = t.tensor2();
        Sym1<DH> b3 = t.tensor(dh);
        Sym1<?> x3 = F.relu(a3.times(x2).plus(b3));

        Sym2<?, ?> a4 = t.constant2((i, j, dimI, dimJ) -> i == j + 1 || i == 0 && j == dimJ - 1 ? 1f : 0f);
        Sym1<?> x4 = a4.times(x3);

        Sym1<D1> zHat = tc.linear(d1, x3).withSigmoid().output();
        Sym loss = tc.meanSquare(z, zHat);
        TensorGraph tg = new TensorGraph(loss, x4);

        assertArrayEquals(new int[] {0, 1, 2, 5, 10, 11, 12, 13 + 2, 16, 17, 21, 22},
            new int[] {y.id(), z.id(), a.id(), x1.id(), x2.id(), a3.id(), b3.id(), x3.id(), a4.id(), x4.id(), zHat.id(), loss.id()});
        assertEquals(Status.INPUT, y.status());
        assertEquals(Status.PARAMETER, a3.status());
        assertEquals(Status.CONSTANT, a4.status());
        assertEquals(Status.FLOW, x4.status());

        List<MyInput> examples = examples(512);
        try (ComputeGraph cg = tg.compile()) {
            Minibatch minibatch = Minibatch.of(examples, 64, 1);
            CGInit.glorot(cg, 1);
            SGD descent = SGD.rmsProp(cg);
            double[] losses = descent.train(minibatch, 12, (epoch, step, value) -> { });
            assertTrue(losses[11] < losses[0] / 2, () -> losses[0] + " and at last " + losses[11]);
            try (Tensor<?> values = descent.computeGraph().get(a)) {
                assertArrayEquals(new long[] {128, 128}, values.shape());
            }
            assertEquals(128, a4.axes().get(0).length());
            try (Tensor<?> rotated = cg.eval(examples.get(0), x4); Tensor<?> plain = cg.eval(examples.get(0), x3)) {
                FloatTensorData moved = rotated.floatData();
                FloatTensorData from = plain.floatData();
                for (int i = 0; i < 128; i++) {
                    assertEquals(from.get((i + 127) % 128), moved.get(i));
                }
            }
        }
    }

    /** The document's layer of one's own. */
    private static <D extends Axis> Sym1<D> dense(D d, Sym in, Sym a) {
        TensorContext t = in.context();
        Sym1<D> b = t.tensor(d);
        Sym1<D> res = t.tensor(d);
        t.bindOnRight(a, d, in);
        t.comprehension(new Sym[] {in}, new Sym[] {a, b}, new Sym[] {res}, tcb -> {
            LoopIndex i = tcb.newIndex("i");
            LoopIndex[] jx = tcb.newIndexRange(a.rank() - 1);
            tcb.add(res.at(i).assignSum(a.at(i, jx).times(in.at(jx))));
            tcb.add(res.at(i).assign(F.relu(res.at(i).plus(b.at(i)))));
        });
        return res;
    }

    @Test
    void aLayerOfOnesOwnIsTheLibrarysLayer() {
        DH dh = new DH();
        TensorContext t = new TensorContext();
        Sym1<DH> y = t.input(dh, MyInput.class, (in, data) -> data.put(in.y));
        Sym a = t.tensor();
        Sym1<DH> own = dense(dh, y, a);
        Dense<DH> library = t.comprehensions().dense(dh, y);
        Sym loss = t.comprehensions().meanSquare(own, library.output());
        try (ComputeGraph cg = new TensorGraph(loss).compile()) {
            CGInit.glorot(cg, 3);
            List<MyInput> examples = examples(4);
            try (Gradients g = cg.gradients(examples.get(0))) {
                assertTrue(g.loss() > 0);
                assertEquals(4, g.ids().size());
            }
            try (Tensor<?> weights = cg.get(library.weights())) {
                cg.set(a, weights);
            }
            try (Tensor<?> value = cg.eval(examples.get(1), loss)) {
                assertEquals(0, value.floatData().get(), 1e-6);
            }
        }
    }
}
