package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.internal.graph.Bar;
import io.tensornio.internal.graph.Epoch;
import io.tensornio.support.Expect;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** What is shown of a training: lines, bars, tables and curves. */
class ProgressTest {
    private static final List<Epoch> EPOCHS = Arrays.asList(new Epoch(2, Double.NaN, .1, 1.5, Double.NaN), new Epoch(1, 3, .1, 61, .5),
        new Epoch(.5, Double.POSITIVE_INFINITY, .05, 1, .75));

    private static String shown(boolean isTerminal, long nanosPerStep) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long[] now = new long[1];
        ProgressListener listener = Progress.on(new Bar(new PrintStream(out, true, "UTF-8"), isTerminal, () -> now[0]));
        listener.begin(3, 4);
        for (int epoch = 0; epoch < 3; epoch++) {
            listener.beforeEpoch(epoch);
            for (int step = 0; step < 4; step++) {
                now[0] += nanosPerStep;
                listener.progress(epoch, 4L * epoch + step, .25);
            }
            listener.afterEpoch(new History(EPOCHS.subList(0, epoch + 1), Arrays.asList("accuracy"), 1, false));
        }
        return new String(out.toByteArray(), StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }

    @Test
    void elsewhereThereIsALineNowAndThen() throws Exception {
        assertEquals("epoch 1/3: loss 2.000, 1.5 s\n"
            + "epoch 3/3 4/4 steps, 1000/s, 0.0 s left, loss 0.2500\n"
            + "epoch 3/3: loss 0.5000, validation Infinity, accuracy 0.7500, 1.0 s\n", shown(false, 1_000_000));
        String slow = shown(false, 6_000_000_000L);
        assertTrue(slow.contains("epoch 1/3 2/4 steps, 0.1667/s, 1:00 left, loss 0.2500\n"), slow);
    }

    @Test
    void aTerminalHasABar() throws Exception {
        String text = shown(true, 500_000_000);
        assertTrue(text.startsWith("\repoch 1/3 [======>                 ] 1/4 steps, 2.000/s, 5.5 s left, loss 0.2500"), text);
        assertTrue(text.contains("\repoch 2/3: loss 1.000, validation 3.000, accuracy 0.5000, 1:01"), text);
        assertEquals(4, text.chars().filter(c -> c == '\n').count());
    }

    @Test
    void aHistoryIsATable() {
        History history = new History(EPOCHS, Arrays.asList("own, \"quoted\""), 1, true);
        assertEquals("epoch,loss,validation,rate,seconds,\"own, \"\"quoted\"\"\"\n"
            + "0,2.0,,0.1,1.5,\n1,1.0,3.0,0.1,61.0,0.5\n2,0.5,Infinity,0.05,1.0,0.75\n", history.toCsv());
        Expect.thrown(IllegalArgumentException.class, () -> history.metric("other"), "`other`", "quoted");
        assertEquals(1, history.best());
        assertTrue(history.stopped());
    }

    @Test
    void aHistoryIsAPicture() throws Exception {
        for (History history : new History[] {new History(EPOCHS, Arrays.asList("a < b & \"c\" \uD800\u0001"), 1, false),
                new History(EPOCHS.subList(0, 1), Arrays.asList("m"), -1, false), new History(EPOCHS.subList(0, 0), Arrays.asList(), -1, false),
                new History(Arrays.asList(new Epoch(7, 7, 1, 1), new Epoch(7, 7, 1, 1)), Arrays.asList(), 0, false)}) {
            String svg = history.toSvg();
            Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(
                svg.getBytes(StandardCharsets.UTF_8)));
            assertEquals("svg", document.getDocumentElement().getTagName());
            boolean isLine = history.epochs() > 1;
            int lines = (history.epochs() == 0 ? 0 : 1) + (isLine ? 1 : 0) + (history.metrics().size() > 0 && isLine ? 1 : 0);
            assertEquals(lines, document.getElementsByTagName("polyline").getLength(), svg);
            assertTrue(!svg.contains("NaN") && !svg.contains("Infinity"), svg);
        }
    }

    @Test
    void epochsAreReadAsTheyWereWritten() {
        List<Epoch> again = Epoch.of(Epoch.text(EPOCHS), 1);
        for (int n = 0; n < EPOCHS.size(); n++) {
            assertEquals(EPOCHS.get(n).loss, again.get(n).loss);
            assertEquals(EPOCHS.get(n).validation, again.get(n).validation);
            assertEquals(EPOCHS.get(n).metrics[0], again.get(n).metrics[0]);
        }
        Expect.thrown(IllegalArgumentException.class, () -> Epoch.of("1 2 x 4 5", 1), "`x`");
        Expect.thrown(IllegalArgumentException.class, () -> Epoch.of("1 2 3 4", 1), "1 metrics");
    }

    @Test
    void metricsAreThoseOfLoops() {
        io.tensornio.internal.graph.Scores auc = io.tensornio.internal.graph.Scores.auc();
        java.util.Random random = new java.util.Random(3);
        double[] scores = random.ints(60, 0, 9).asDoubleStream().toArray();
        int[] labels = random.ints(60, 0, 2).toArray();
        for (int from = 0; from < 60; from += 20) {
            try (io.tensornio.Tensor<?> a = io.tensornio.DoubleTensorData.of(Arrays.copyOfRange(scores, from, from + 20)).copy();
                    io.tensornio.Tensor<?> b = io.tensornio.IntTensorData.of(Arrays.copyOfRange(labels, from, from + 20)).copy()) {
                auc.add(Arrays.asList(a, b));
            }
        }
        double wins = 0;
        long pairs = 0;
        for (int p = 0; p < 60; p++) {
            for (int n = 0; n < 60; n++) {
                if (labels[p] == 1 && labels[n] == 0) {
                    pairs++;
                    wins += scores[p] > scores[n] ? 1 : scores[p] == scores[n] ? .5 : 0;
                }
            }
        }
        assertEquals(wins / pairs, auc.value(), 1e-12);
        assertTrue(Double.isNaN(io.tensornio.internal.graph.Scores.auc().value()));
        io.tensornio.internal.graph.Scores error = io.tensornio.internal.graph.Scores.meanAbsoluteError();
        try (io.tensornio.Tensor<?> a = io.tensornio.DoubleTensorData.of(new double[] {1, 2, 4}).copy();
                io.tensornio.Tensor<?> b = io.tensornio.DoubleTensorData.of(new double[] {2, 2, 1}).copy();
                io.tensornio.Tensor<?> c = io.tensornio.DoubleTensorData.of(new double[] {2, 2}).copy()) {
            error.add(Arrays.asList(a, b));
            assertEquals(4 / 3., error.value(), 1e-12);
            Expect.thrown(IllegalArgumentException.class, () -> error.add(Arrays.asList(a, c)), "[3]", "[2]");
        }
    }
}
