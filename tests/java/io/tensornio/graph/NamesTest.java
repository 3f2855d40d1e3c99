package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.compute.LoopIndex;
import io.tensornio.compute.TensorName;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Names that users give to tensors, local tensors and loops never meet those that the library gives. */
@ExtendWith(MemoryBalance.class)
class NamesTest {
    /** Makes {@code v} of {@code y} and {@code u} by a layer with a local tensor and a loop of certain names. */
    private interface Layer {
        void add(TensorContext t, Sym y, Sym u, Sym v, String local, String loop);
    }

    private static void text(TensorContext t, Sym y, Sym u, Sym v, String local, String loop) {
        Map<String, Sym> names = new HashMap<>();
        names.put("y", y);
        names.put("u", u);
        names.put("v", v);
        t.comprehension(String.format("%1$s[%2$s] = u[%2$s] * 2; v[%2$s] = %1$s[%2$s] * y[%2$s]", local, loop), names);
    }

    private static void built(TensorContext t, Sym y, Sym u, Sym v, String local, String loop) {
        TensorName own = new TensorName(local);
        t.comprehension(new Sym[] {y}, new Sym[] {u}, new Sym[] {v}, tcb -> {
            LoopIndex i = tcb.newIndex(loop);
            tcb.add(own.at(i).assign(u.at(i).times(2)));
            tcb.add(v.at(i).assign(own.at(i).times(y.at(i))));
        });
    }

    private static List<Float> trained(Layer layer, String local, String loop) {
        TensorContext t = new TensorContext();
        Axis three = Axis.of(3);
        Sym x = t.input(three, float[].class, (in, data) -> data.put(in));
        Sym w = t.tensor(three);
        Sym u = t.tensor(three);
        Sym y = t.tensor(three);
        Map<String, Sym> product = new HashMap<>();
        product.put("x", x);
        product.put("w", w);
        product.put("y", y);
        t.comprehension("y[i] = x[i] * w[i]", product);
        Sym v = t.tensor(three);
        layer.add(t, y, u, v, local, loop);
        Sym loss = t.comprehensions().meanSquare(v, v.times(0));
        try (ComputeGraph cg = new TensorGraph(loss).compile()) {
            cg.set(w, FloatTensorData.of(new float[] {1, 1, 1}));
            cg.set(u, FloatTensorData.of(new float[] {5, 5, 5}));
            SGD.of(cg).rate(.001).step(Minibatch.inOrder(Collections.singletonList(new float[] {1, 2, 3}), 1));
            List<Float> all = new ArrayList<>();
            for (Sym sym : Arrays.asList(w, u)) {
                try (Tensor<?> now = cg.get(sym)) {
                    for (int n = 0; n < 3; n++) {
                        all.add(now.floatData().get(n));
                    }
                }
            }
            return all;
        }
    }

    @Test
    void localTensorsAndLoopsAreTheirLayersWhateverTheirNames() {
        // v = 10 x, its loss mean(v^2), dw = 2/3 * 100 * x^2: 66.67 x^2; du = 2/3 * 20 x * v / 10 = 13.33 x^2.
        List<Float> expected = trained(NamesTest::text, "q", "i");
        for (int n = 0; n < 3; n++) {
            assertEquals(1 - .001 * 2 / 3 * 100 * (n + 1) * (n + 1), expected.get(n), 1e-4);
            assertEquals(5 - .001 * 2 / 3 * 20 * (n + 1) * (n + 1), expected.get(n + 3), 1e-4);
        }
        List<String> names = new ArrayList<>();
        for (int id = 0; id < 8; id++) {
            Collections.addAll(names, "sym" + id, "t" + id, "next_t" + id, "dt" + id, "d_t" + id, "v_t" + id, "copy_of_t" + id);
        }
        Collections.addAll(names, "sequence1", "row", "rows", "example", "examples", "axis_0", "mean_loss", "rate", "total", "squares", "broken");
        for (String name : names) {
            assertEquals(expected, trained(NamesTest::text, name, "i"), name);
            assertEquals(expected, trained(NamesTest::built, name, "i"), name);
            assertEquals(expected, trained(NamesTest::text, "q", name), name);
            assertEquals(expected, trained(NamesTest::built, "q", name), name);
        }
    }

    @Test
    void namesOfTensorsAreToldAsTheyAreGiven() {
        TensorContext t = new TensorContext();
        Sym first = t.input("sym1", DataType.FLOAT, Axis.of(3));
        Sym second = t.input("sym0", DataType.FLOAT, Axis.of(2));
        IllegalArgumentException fault = Expect.thrown(IllegalArgumentException.class,
            () -> new TensorGraph(t.comprehensions().meanSquare(first, second)).compile(), "axis 0 of sym1 is 3", "axis 0 of sym0 is 2");
        assertFalse(fault.getMessage().contains("t1"), fault.getMessage());
    }
}
