package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.compute.LoopIndex;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import io.tensornio.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Random graphs of steps on sequences make what java.util.ArrayList does. */
@ExtendWith(MemoryBalance.class)
class SequenceRandomTest {
    private static final int PROGRAMS = 60;
    private static final int STEPS = 12;

    private static float[] item(Random random) {
        float[] item = new float[random.nextInt(4)];
        for (int n = 0; n < item.length; n++) {
            item[n] = random.nextInt(100);
        }
        return item;
    }

    /** A position of n, which counts from the end half of the time. */
    private static int at(Random random, int n) {
        int at = random.nextInt(n);
        return random.nextBoolean() ? at : at - n;
    }

    private static float[] computed(float[] of, float times, float plus) {
        float[] computed = new float[of.length];
        for (int n = 0; n < of.length; n++) {
            computed[n] = of[n] * times + plus;
        }
        return computed;
    }

    private static float[] elements(Value of) {
        float[] elements = new float[(int) of.asTensor().shape()[0]];
        of.asTensor().floatData().copyTo(elements);
        return elements;
    }

    private static float[] joined(List<float[]> items) {
        int length = 0;
        for (float[] item : items) {
            length += item.length;
        }
        float[] joined = new float[length];
        int at = 0;
        for (float[] item : items) {
            System.arraycopy(item, 0, joined, at, item.length);
            at += item.length;
        }
        return joined;
    }

    /** What a graph makes: its outputs, and what each is to be: a list of arrays, or an array. */
    private static final class Program {
        final TensorContext t = new TensorContext();
        final List<Symbolic> outputs = new ArrayList<>();
        final List<Object> expected = new ArrayList<>();
        final List<float[]> given = new ArrayList<>();

        Program(Random random, StringBuilder done) {
            SymSequence sequence = t.sequence("s", DataType.FLOAT);
            for (int n = random.nextInt(4); n >= 0; n--) {
                given.add(item(random));
            }
            List<float[]> model = new ArrayList<>(given);
            Sym last = sequence.get(0);
            float[] lastOf = given.get(0);
            for (int n = 0; n < STEPS; n++) {
                int step = model.isEmpty() ? 0 : random.nextInt(6);
                done.append(' ').append(step);
                switch (step) {
                    case 0: {
                        int at = at(random, model.size() + 1);
                        sequence = sequence.add(last, at);
                        model = new ArrayList<>(model);
                        model.add(at < 0 ? at + model.size() + 1 : at, lastOf);
                        break;
                    }
                    case 1: {
                        int at = at(random, model.size());
                        sequence = sequence.remove(at);
                        model = new ArrayList<>(model);
                        model.remove(at < 0 ? at + model.size() : at);
                        break;
                    }
                    case 2: {
                        int at = at(random, model.size());
                        sequence = sequence.set(last, at);
                        model = new ArrayList<>(model);
                        model.set(at < 0 ? at + model.size() : at, lastOf);
                        break;
                    }
                    case 3: {
                        int at = at(random, model.size());
                        last = sequence.get(at).times(2);
                        lastOf = computed(model.get(at < 0 ? at + model.size() : at), 2, 0);
                        break;
                    }
                    case 4: {
                        sequence = sequence.map(x -> x.times(.5).plus(1));
                        List<float[]> mapped = new ArrayList<>();
                        model.forEach(item -> mapped.add(computed(item, .5f, 1)));
                        model = mapped;
                        break;
                    }
                    default:
                        last = sequence.concat(-1, false);
                        lastOf = joined(model);
                        if (lastOf.length > 1000) {
                            last = sequence.get(0);
                            lastOf = model.get(0);
                        }
                }
                if (random.nextInt(4) == 0 || n == STEPS - 1) {
                    outputs.add(sequence);
                    expected.add(model);
                    outputs.add(last);
                    expected.add(lastOf);
                }
            }
        }

        void check(ComputeGraph cg) {
            List<Tensor<Float>> tensors = new ArrayList<>();
            given.forEach(item -> tensors.add(Tensors.ofNested(item)));
            Map<String, Value> inputs = new HashMap<>();
            inputs.put("s", Value.list(tensors));
            Map<String, Value> results = cg.run(inputs);
            try {
                for (int n = 0; n < outputs.size(); n++) {
                    check(expected.get(n), results.get(outputs.get(n).name()));
                }
            } finally {
                results.values().forEach(Value::close);
                tensors.forEach(Tensor::close);
            }
        }

        private static void check(Object expected, Value actual) {
            if (expected instanceof float[]) {
                assertArrayEquals((float[]) expected, elements(actual));
                return;
            }
            List<?> items = (List<?>) expected;
            assertEquals(items.size(), actual.asList().size());
            for (int n = 0; n < items.size(); n++) {
                assertArrayEquals((float[]) items.get(n), elements(actual.get(n)));
            }
        }

        TensorGraph graph() {
            return TensorGraph.of(outputs.get(0), outputs.subList(1, outputs.size()).toArray(new Symbolic[0]));
        }
    }

    @Test
    void randomGraphsDoWhatListsDo() {
        Seeds.each(37, PROGRAMS, (random, done) -> {
            Program program = new Program(random, done);
            try (ComputeGraph cg = program.graph().compile()) {
                program.check(cg);
                program.check(cg);
            }
        });
    }

    @Test
    void threadsShareAGraphAndGraphsShareAContext() {
        Seeds.each(38, 2, (random, done) -> {
            Program program = new Program(random, done);
            ExecutorService threads = Executors.newFixedThreadPool(4);
            try (ComputeGraph first = program.graph().compile(); ComputeGraph second = program.graph().compile()) {
                List<Future<?>> all = new ArrayList<>();
                for (int n = 0; n < 8; n++) {
                    ComputeGraph cg = n % 2 == 0 ? first : second;
                    all.add(threads.submit(() -> {
                        for (int run = 0; run < 10; run++) {
                            program.check(cg);
                        }
                    }));
                }
                for (Future<?> one : all) {
                    one.get();
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            } finally {
                threads.shutdown();
            }
        });
    }

    @Test
    void whatNobodyReadsLaterIsClosedAtOnce() {
        TensorContext t = new TensorContext();
        SymSequence s = t.sequence("s", DataType.FLOAT);
        Sym sum = t.scalar();
        AtomicLong most = new AtomicLong();
        SymSequence last = s;
        for (int n = 0; n < 6; n++) {
            last = last.map(x -> x.plus(1));
        }
        SymSequence sums = last.map(x -> t.comprehension(new Sym[] {x}, new Sym[0], new Sym[] {sum}, tcb -> {
            most.set(MemoryStats.current().bytesInUse());
            LoopIndex i = tcb.newIndex();
            tcb.add(sum.at().assignSum(x.at(i)));
        }));
        long list = 8 * 4L * 100_000;
        try (Tensor<Float> one = Tensors.denseFloat(new long[] {100_000}, data -> { }); ComputeGraph cg = TensorGraph.of(sums).compile()) {
            Tensor<?>[] items = new Tensor<?>[8];
            Arrays.fill(items, one);
            long before = MemoryStats.current().bytesInUse();
            try (Value value = cg.run(Collections.singletonMap("s", Value.list(items))).get(sums.name())) {
                assertEquals(600_000, value.get(7).asTensor().floatData().get());
            }
            long used = most.get() - before;
            assertTrue(used >= list && used < 2 * list, () -> used + " bytes, where a list has " + list);
        }
    }

    @Test
    void aMapOfManyItemsKeepsWhatItMakesAndNothingElse() {
        TensorContext t = new TensorContext();
        SymSequence s = t.sequence("s", DataType.FLOAT);
        Sym w = t.tensor(Axis.of(3));
        Sym total = s.map(x -> x.times(2).plus(w)).map(x -> x.elementwise(x)).concat(0, true);
        try (Tensor<Float> one = Tensors.ofNested(new float[] {1, 2, 3}); ComputeGraph cg = TensorGraph.of(total.named("total")).compile()) {
            Tensor<?>[] items = new Tensor<?>[3000];
            Arrays.fill(items, one);
            Map<String, Value> inputs = new HashMap<>();
            inputs.put("s", Value.list(items));
            try (Value value = cg.run(inputs).get("total")) {
                assertArrayEquals(new long[] {3000, 3}, value.asTensor().shape());
                assertEquals(36, value.asTensor().floatData().get(2999, 2));
            }
        }
    }
}
