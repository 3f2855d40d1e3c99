package io.tensornio.programs;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.graph.Sym;
import io.tensornio.graph.TensorContext;
import io.tensornio.graph.TensorGraph;
import io.tensornio.internal.memory.Forked;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What messages about a graph call its operators. */
class GraphLinesTest {
    /** Makes a graph whose lengths contradict each other, and prints the message. */
    public static void main(String... arguments) {
        TensorContext t = new TensorContext();
        Sym a = t.input("a", DataType.FLOAT, Axis.of(3));
        Sym b = t.input("b", DataType.FLOAT, Axis.of(4));
        Sym c = a.times(b);
        try {
            new TensorGraph(t.comprehensions().meanSquare(c, c)).compile().close();
            System.out.println("compiled");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }

    @Test
    void operatorsAreNamedByTheirExpressionAndTheirLineWhereLeaksAreDetected() {
        for (String detection : new String[] {"off", "sampled", "all"}) {
            String said = Forked.with("-Dtensornio.leakDetection=" + detection).run(GraphLinesTest.class);
            assertTrue(said.contains("a * b"), said);
            String line = "(at " + GraphLinesTest.class.getName() + ".main(GraphLinesTest.java:22))";
            assertTrue(said.contains(line) == !"off".equals(detection), said);
            assertFalse(said.toLowerCase(Locale.ROOT).contains("compiled"), said);
        }
    }
}
