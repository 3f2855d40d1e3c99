package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Axis;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints: what is saved is loaded bit for bit, and what is no checkpoint of the graph changes nothing. */
@ExtendWith(MemoryBalance.class)
class CheckpointTest {
    private static final List<float[]> EXAMPLES = new ArrayList<>();

    static {
        Random random = new Random(2);
        for (int n = 0; n < 20; n++) {
            EXAMPLES.add(new float[] {random.nextFloat(), random.nextFloat(), random.nextFloat()});
        }
    }

    private static ComputeGraph graph(int hidden) {
        ComputeGraph cg = graph(hidden, Collections.emptyMap());
        CGInit.glorot(cg, 1);
        return cg;
    }

    private static ComputeGraph graph(int hidden, Map<Integer, Tensor<?>> parameters) {
        TensorContext t = new TensorContext();
        Sym1<Axis> x = t.input(Axis.of(3), float[].class, (in, data) -> data.put(in));
        Dense<Axis> layer = t.comprehensions().dense(Axis.of(hidden), x);
        layer.weights().named("first \"weights\"\n");
        Sym1<Axis> out = t.comprehensions().linear(Axis.of(3), layer.output()).output();
        return new TensorGraph(t.comprehensions().meanSquare(x, out)).compile(parameters);
    }

    private static byte[] saved(ComputeGraph cg) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        cg.save(out);
        return out.toByteArray();
    }

    private static void resumes(Function<ComputeGraph, SGD> rule) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        double[] expected = new double[5];
        byte[] last;
        try (ComputeGraph cg = graph(4)) {
            SGD descent = rule.apply(cg);
            Minibatch minibatch = Minibatch.of(EXAMPLES, 6, 9);
            for (int step = 0; step < 7; step++) {
                descent.step(minibatch);
            }
            descent.save(file);
            for (int step = 0; step < expected.length; step++) {
                expected[step] = descent.step(minibatch);
            }
            last = saved(cg);
        }
        try (ComputeGraph cg = graph(4)) {
            SGD descent = rule.apply(cg);
            descent.load(new ByteArrayInputStream(file.toByteArray()));
            assertEquals(7, descent.steps());
            Minibatch minibatch = Minibatch.of(EXAMPLES, 6, 9);
            minibatch.seek(7);
            for (double loss : expected) {
                assertEquals(loss, descent.step(minibatch));
            }
            assertTrue(Arrays.equals(last, saved(cg)));
        }
    }

    @Test
    void stepsGoOnBitForBit() {
        resumes(SGD::of);
        resumes(cg -> SGD.of(cg).momentum(.9));
        resumes(SGD::rmsProp);
        resumes(SGD::adam);
    }

    @Test
    void aDescentByAnotherRuleIsRefused() {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ComputeGraph cg = graph(4)) {
            SGD momentum = SGD.of(cg).momentum(.9);
            momentum.step(Minibatch.inOrder(EXAMPLES, 5));
            momentum.save(file);
            SGD other = SGD.rmsProp(cg);        // what it remembers has the same keys
            Expect.thrown(IllegalArgumentException.class, () -> other.load(new ByteArrayInputStream(file.toByteArray())), "MOMENTUM", "RMS_PROP");
            assertEquals(0, other.steps());
        }
    }

    @Test
    void aFileIsReplacedWhereItIs(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("model.safetensors");
        Path link = folder.resolve("current");
        try (ComputeGraph cg = graph(4)) {
            cg.save(file);
            Files.createSymbolicLink(link, file);
            CGInit.zeros(cg);
            cg.save(link);
            assertTrue(Files.isSymbolicLink(link));
            assertTrue(Arrays.equals(saved(cg), Files.readAllBytes(file)));
            Path plain = Files.createFile(folder.resolve("plain"));
            assertEquals(Files.getPosixFilePermissions(plain), Files.getPosixFilePermissions(file));
            Expect.thrown(UncheckedIOException.class, () -> cg.save(folder.resolve("none").resolve("model")), folder.resolve("none").toString(),
                "is no folder");
        }
    }

    @Test
    void aFileIsReadBackAndItsParametersCompile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("model.safetensors");
        try (ComputeGraph cg = graph(4); ComputeGraph other = graph(4)) {
            cg.save(file);
            CGInit.zeros(other);
            other.load(file);
            assertTrue(Arrays.equals(saved(cg), saved(other)));
            Map<Integer, Tensor<?>> parameters = cg.parameters();
            assertEquals(Arrays.asList(1, 2, 5, 6), new ArrayList<>(parameters.keySet()));
            try (ComputeGraph given = graph(4, parameters)) {
                assertTrue(Arrays.equals(saved(cg), saved(given)));
            }
            Expect.thrown(IllegalArgumentException.class, () -> graph(5, parameters), "weights", "[5, 3]", "[4, 3]");
            Expect.thrown(IllegalArgumentException.class, () -> graph(4, Collections.singletonMap(3, parameters.get(1))), "3");
            parameters.values().forEach(Tensor::close);
            try (Stream<Path> files = Files.list(folder)) {
                assertEquals(1, files.count());
            }
        }
    }

    /** A file of one's own. */
    private static byte[] file(String header, int bytes) {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        byte[] file = new byte[8 + json.length + bytes];
        file[0] = (byte) json.length;
        file[1] = (byte) (json.length >> 8);
        System.arraycopy(json, 0, file, 8, json.length);
        return file;
    }

    private static void refused(ComputeGraph cg, Class<? extends Throwable> type, byte[] file, String... parts) {
        byte[] before = saved(cg);
        Expect.thrown(type, () -> cg.load(new ByteArrayInputStream(file)), parts);
        assertTrue(Arrays.equals(before, saved(cg)));
    }

    @Test
    void filesThatDoNotFitAreRefusedInOneMessage() {
        try (ComputeGraph cg = graph(4); ComputeGraph other = graph(5)) {
            refused(cg, IllegalArgumentException.class, saved(other), "t1 is F32 of shape [5,3]", "t2", "t5 is F32 of shape [3,5]");
            refused(cg, IllegalArgumentException.class, file("{\"t1\":{\"dtype\":\"F64\",\"shape\":[4,3],\"data_offsets\":[0,96]},"
                + "\"q\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[96,97]}}", 97), "q is none", "F64", "t2 is missing", "t6 is missing");
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            SGD.adam(cg).save(all);
            refused(cg, IllegalArgumentException.class, all.toByteArray(), "t1.m", "t6.v");
            byte[] before = saved(cg);
            Expect.thrown(IllegalArgumentException.class, () -> SGD.of(cg).load(new ByteArrayInputStream(before)), "number of steps");
        }
    }

    @Test
    void brokenFilesAreRefused() {
        try (ComputeGraph cg = graph(4)) {
            byte[] good = saved(cg);
            refused(cg, IllegalArgumentException.class, file("nothing", 0), "header");
            refused(cg, IllegalArgumentException.class, file("{\"t1\":{\"dtype\":\"F32\",\"shape\":[4,3],\"data_offsets\":[4,52]}}", 52));
            refused(cg, IllegalArgumentException.class,
                file("{\"t1\":{\"dtype\":\"F32\",\"shape\":[9223372036854775807,9],\"data_offsets\":[0,4]}}", 4));
            byte[] huge = good.clone();
            Arrays.fill(huge, 0, 8, (byte) 0x7f);
            refused(cg, IllegalArgumentException.class, huge, "bytes");
            byte[] notUtf8 = good.clone();
            notUtf8[10] = (byte) 0xff;
            refused(cg, IllegalArgumentException.class, notUtf8, "UTF-8");
            refused(cg, IllegalArgumentException.class, Arrays.copyOf(good, good.length + 1), "after the last");
        }
    }

    /** Two parameters of one shape, made in the other order or not; the loss depends on both. */
    private static ComputeGraph pair(boolean isSwapped, String first, String second) {
        TensorContext t = new TensorContext();
        Sym1<Axis> x = t.input(Axis.of(2), float[].class, (in, data) -> data.put(in));
        Sym a = isSwapped ? null : t.tensor(Axis.of(2), Axis.of(2));
        Sym b = t.tensor(Axis.of(2), Axis.of(2));
        a = isSwapped ? t.tensor(Axis.of(2), Axis.of(2)) : a;
        if (first != null) {
            a.named(first);
        }
        if (second != null) {
            b.named(second);
        }
        ComputeGraph cg = new TensorGraph(t.comprehensions().meanSquare(a.matmul(b.matmul(x)), x)).compile();
        cg.set(a, FloatTensorData.of(new float[] {1, 2, 3, 4}, 2, 2));
        cg.set(b, FloatTensorData.of(new float[] {5, 6, 7, 8}, 2, 2));
        return cg;
    }

    private static String numbers(ComputeGraph cg) {
        StringBuilder all = new StringBuilder();
        cg.parameters().forEach((id, tensor) -> {
            all.append(tensor.floatData().get(0, 0)).append(' ');
            tensor.close();
        });
        return all.toString();
    }

    private static final List<float[]> HALVES = Collections.singletonList(new float[] {.5f, .25f});

    @Test
    void parametersThatAllHaveNamesAreKnownByThem() {
        try (ComputeGraph cg = pair(false, "first", "second\n\t\\"); ComputeGraph other = pair(true, "first", "second\n\t\\")) {
            byte[] file = saved(cg);
            CGInit.zeros(other);
            other.load(new ByteArrayInputStream(file));
            assertEquals("1.0 5.0 ", numbers(cg));
            assertEquals("5.0 1.0 ", numbers(other));

            SGD one = SGD.adam(cg).rate(.5);
            SGD two = SGD.adam(other).rate(.5);
            one.step(Minibatch.inOrder(HALVES, 1));
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            one.save(all);
            two.load(new ByteArrayInputStream(all.toByteArray()));
            assertEquals(one.step(Minibatch.inOrder(HALVES, 1)), two.step(Minibatch.inOrder(HALVES, 1)));
            String[] mine = numbers(cg).split(" ");
            assertEquals(mine[1] + " " + mine[0] + " ", numbers(other));
        }
    }

    @Test
    void namesThatDifferAreRefusedWithBoth() {
        Class<IllegalArgumentException> bad = IllegalArgumentException.class;
        try (ComputeGraph all = pair(false, "first", "second"); ComputeGraph some = pair(false, "first", null);
                ComputeGraph differing = pair(false, "1st", null); ComputeGraph others = pair(false, "first", "third");
                ComputeGraph none = pair(true, null, null)) {
            refused(differing, bad, saved(all), "t1 is named `first` in the file and `1st` in this graph");
            refused(all, bad, saved(differing), "t1 is named `1st` in the file and `first` in this graph");
            refused(others, bad, saved(all), "t2 (second) is none of this graph's", "t2 (third) is missing");
            some.load(new ByteArrayInputStream(saved(all)));
            all.load(new ByteArrayInputStream(saved(some)));
            none.load(new ByteArrayInputStream(saved(all)));
            all.load(new ByteArrayInputStream(saved(none)));
            assertEquals("1.0 5.0 ", numbers(none));
            String tensor = "{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[";
            refused(all, bad, file("{\"__metadata__\":{\"t1\":\"first\",\"t2\":\"first\"},\"t1\":" + tensor + "0,16]},\"t2\":" + tensor
                + "16,32]}}", 32), "`first` is the name of t1 and of t2 in the file");
        }
    }

    @Test
    void keysThatAreTwiceAndOffsetsThatDoNotFitAreToldByName() {
        Class<IllegalArgumentException> bad = IllegalArgumentException.class;
        try (ComputeGraph cg = pair(false, null, null)) {
            String tensor = "{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[";
            refused(cg, bad, file("{\"t1\":" + tensor + "0,16]},\"t1\":" + tensor + "16,32]},\"t2\":" + tensor + "32,48]}}", 48),
                "`t1` is twice in the header");
            refused(cg, bad, file("{\"__metadata__\":{\"t2\":\"a\",\"t2\":\"b\"}}", 0), "`t2` is twice in the metadata");
            refused(cg, bad, file("{\"t1\":" + tensor + "0,16]},\"t2\":" + tensor + "16,36]}}", 36), "`t2`", "[16, 36]", "F32 of shape [2, 2]");
            refused(cg, bad, file("{\"t1\":" + tensor + "0,16]},\"t2\":" + tensor + "20,36]}}", 36), "`t2`", "begin at 16");
        }
    }

    @Test
    void namesWithHalfOfASurrogatePairAreRefused() {
        TensorContext t = new TensorContext();
        Sym w = t.tensor(Axis.of(1)).named("\ud83d\ude00");
        Class<IllegalArgumentException> bad = IllegalArgumentException.class;
        for (String half : new String[] {"\ud83d", "a\ude00", "\ude00\ud83d"}) {
            Expect.thrown(bad, () -> w.named(half), "surrogate");
            Expect.thrown(bad, () -> t.input(half, io.tensornio.DataType.FLOAT), "surrogate");
            Expect.thrown(bad, () -> t.sequence(half, io.tensornio.DataType.FLOAT), "surrogate");
        }
        assertEquals("\ud83d\ude00", w.name());
        try (ComputeGraph cg = new TensorGraph(t.comprehensions().meanSquare(w, w)).compile()) {
            cg.load(new ByteArrayInputStream(saved(cg)));
        }
    }

    @Test
    void truncatedFilesAreRefusedWhereverTheyEnd() {
        try (ComputeGraph cg = graph(4)) {
            byte[] good = saved(cg);
            for (int length = 0; length < good.length; length += 1 + length / 8) {
                refused(cg, UncheckedIOException.class, Arrays.copyOf(good, length), "ends");
            }
        }
    }

    @Test
    void bytesThatAreChangedAtRandomNeverHarm() {
        Seeds.each(1, 200, (random, done) -> {
            try (ComputeGraph cg = graph(2)) {
                byte[] file = saved(cg);
                int header = 8 + file[0] + (file[1] & 255) * 256;
                int at = random.nextInt(header);
                file[at] = (byte) random.nextInt(256);
                done.append(", byte ").append(at).append(" is ").append(file[at]);
                cg.load(new ByteArrayInputStream(file));
            } catch (IllegalArgumentException | UncheckedIOException e) {
                done.append(e);             // as it should be
            }
        });
    }
}
