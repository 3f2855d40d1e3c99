package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.Axis;
import io.tensornio.internal.memory.Forked;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Forward pass, backward pass and update of a step are one native call on one plan, which the log shows. */
class StepCallsTest {
    private static final int STEPS = 12;

    /** In a JVM of its own: levels of the log are read when the first tensor is made. */
    @Test
    void aStepIsOneCall() {
        Forked.with().run(StepCallsTest.class);
    }

    /** Fails if a step is more than one call, or not always the same. */
    public static void main(String[] arguments) {
        Logger logger = Logger.getLogger("io.tensornio");
        List<String> records = Collections.synchronizedList(new ArrayList<>());
        logger.setLevel(Level.ALL);
        logger.setUseParentHandlers(false);
        logger.addHandler(new Handler() {
            @Override
            public void publish(LogRecord logged) {
                records.add(logged.getMessage());
            }

            @Override
            public void flush() {
                // Nothing waits.
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        });

        TensorContext t = new TensorContext();
        Comprehensions tc = t.comprehensions();
        Sym1<Axis> in = t.input(Axis.of(6), float[].class, (example, data) -> data.put(example));
        Sym label = t.inputInt(float[].class, (example, data) -> data.put((int) example[0]));
        Sym logits = tc.linear(Axis.of(3), tc.dense(Axis.of(5), in).output()).output();
        List<float[]> examples = new ArrayList<>();
        for (int n = 0; n < 8; n++) {
            examples.add(new float[] {n % 3, 1, 2, 3, 4, n});
        }
        try (ComputeGraph cg = new TensorGraph(tc.softmaxCrossEntropy(logits, label)).compile()) {
            CGInit.glorot(cg, 7);
            for (SGD descent : new SGD[] {SGD.of(cg), SGD.of(cg).momentum(.9), SGD.rmsProp(cg), SGD.adam(cg)}) {
                Minibatch minibatch = Minibatch.of(examples, 4, 1);
                descent.step(minibatch);
                records.clear();
                for (int step = 0; step < STEPS; step++) {
                    descent.step(minibatch);
                }
                List<String> runs = new ArrayList<>();
                for (String record : records) {
                    if (record.endsWith(" runs")) {
                        runs.add(record);
                    }
                }
                assertEquals(STEPS, runs.size(), runs::toString);
                assertEquals(Collections.nCopies(STEPS, runs.get(0)), runs);
            }
        }
    }
}
