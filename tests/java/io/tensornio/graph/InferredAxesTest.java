package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.TensorData;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Axes whose lengths follow from those of varying ones: these have no length, either. */
@ExtendWith(MemoryBalance.class)
class InferredAxesTest {
    private static Map<String, Sym> names(Object... pairs) {
        Map<String, Sym> names = new HashMap<>();
        for (int n = 0; n < pairs.length; n += 2) {
            names.put((String) pairs[n], (Sym) pairs[n + 1]);
        }
        return names;
    }

    private static void assertMade(String expected, AnyTensor<?> made) {
        try (AnyTensor<?> own = made) {
            assertEquals(expected, own.toString());
        }
    }

    /** A convolution of an input with another, whose axis was declared before or after. */
    @Test
    void theDifferenceOfLengthsVaries() {
        for (int order = 0; order < 2; order++) {
            Sym[] in = new Sym[2];
            TensorContext t = new TensorContext(DataType.DOUBLE);
            for (int n = 0; n < 2; n++) {
                int which = (n + order) % 2;
                in[which] = t.input("in" + which, DataType.DOUBLE, Axis.varying("T" + which));
            }
            Sym w = t.scalar().named("w");
            Sym y = t.tensor().named("y");
            Sym loss = t.scalar();
            t.comprehension("y[i] += x[i+j] * k[j] * w", names("x", in[0], "k", in[1], "w", w, "y", y));
            t.comprehension("e += y[i]^2", names("y", y, "e", loss));
            try (ComputeGraph cg = new TensorGraph(loss, y).compile(); RaggedTensor<Double> x = Tensors.raggedOfNested(new double[][] {{1, 2, 3, 4},
                {5, 6}, {1}}); RaggedTensor<Double> k = Tensors.raggedOfNested(new double[][] {{1, 10}, {2}, {1, 1, 1}})) {
                assertTrue(y.axes().get(0).isVarying(), () -> y.axes().toString());
                cg.set(w, DoubleTensorData.of(new double[] {1}, new long[0]));
                Map<Sym, TensorData<?>> columns = new HashMap<>();
                columns.put(in[0], x.data());
                columns.put(in[1], k.data());
                assertMade("DOUBLE[3, -1]\n[[21., 32., 43.], [10., 12.], []]", cg.evalAll(columns, y));
            }
            Sym p = t.tensor1().named("p");
            Sym other = t.scalar();
            t.comprehension("e += y[i] * p[i]", names("y", y, "p", p, "e", other));
            Expect.thrown(IllegalArgumentException.class, () -> new TensorGraph(other).compile().close(), "p has the axis", "no length", "parameter");
        }
    }

    /** Axes that a graph inferred are those of another graph of the context; a graph that is refused infers none. */
    @Test
    void aContextIsCompiledAgain() {
        TensorContext t = new TensorContext(DataType.DOUBLE);
        Sym x = t.inputDouble(Axis.varying("T"), double[].class, (example, data) -> data.put(example)).named("x");
        Sym w = t.scalar().named("w");
        Sym y = t.tensor().named("y");
        Sym z = t.tensor().named("z");
        Sym p = t.tensor1().named("p");
        Sym loss = t.scalar();
        Sym refused = t.scalar();
        t.comprehension("y[i] = (x[i+3] - x[i]) * w", names("x", x, "y", y, "w", w));
        t.comprehension("z[i] = y[i] + 1; e += z[i]", names("y", y, "z", z, "e", loss));
        t.comprehension("e += y[i] * p[i]", names("y", y, "p", p, "e", refused));
        for (int n = 0; n < 2; n++) {
            Expect.thrown(IllegalArgumentException.class, () -> new TensorGraph(refused).compile().close(), "p has the axis axis 0 of", "no length");
            Expect.thrown(IllegalStateException.class, p::axes, "inferred");
        }
        Axis first = null;
        for (int n = 0; n < 3; n++) {
            try (ComputeGraph cg = new TensorGraph(loss, y, z).compile()) {
                first = n == 0 ? y.axes().get(0) : first;
                assertEquals(first, y.axes().get(0));
                assertEquals(first, z.axes().get(0));
                cg.set(w, DoubleTensorData.of(new double[] {2}, new long[0]));
                assertMade("DOUBLE[2, -1]\n[[7., 9.], [1.]]", cg.evalAll(Arrays.asList(new double[] {1, 0, 5, 4, 4}, new double[] {3, 0, 0, 3}), z));
            }
        }
    }

    @Test
    void fourAxesMayVary() {
        TensorContext t = new TensorContext(DataType.DOUBLE);
        Map<Sym, TensorData<?>> columns = new HashMap<>();
        Map<String, Sym> all = new HashMap<>();
        Sym y = t.tensor().named("y");
        Sym loss = t.scalar();
        try (RaggedTensor<Double> rows = Tensors.raggedOfNested(new double[][] {{1, 2}, {}, {3}})) {
            for (String name : new String[] {"a", "b", "c", "d"}) {
                all.put(name, t.input(name, DataType.DOUBLE, Axis.varying("of_" + name)));
                columns.put(all.get(name), rows.data());
            }
            all.putAll(names("y", y, "loss", loss));
            t.comprehension("y[i,j,k,l] = a[i] * b[j] * c[k] * d[l]; loss += y[i,j,k,l]", all);
            try (ComputeGraph cg = new TensorGraph(loss, y).compile()) {
                assertMade("DOUBLE[3] [81.,  0., 81.]", cg.evalAll(columns, loss));
            }
        }
    }
}
