package io.tensornio.internal.memory;

import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Loads the library again and again, as a server does which redeploys an application, uses it and lets it go. */
final class ReloadingProgram {
    /** How many plans each makes, of some 70 KB. */
    private static final int PROGRAMS = 60;

    private ReloadingProgram() {
    }

    /** The memory of the process, in MB; 0 where there is no {@code /proc}. */
    private static long resident() throws IOException {
        Path status = Paths.get("/proc/self/status");
        if (!Files.isReadable(status)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(status, StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.startsWith("RssAnon:")).mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10).sum();
        }
    }

    /** What the application does with it: a task on the common pool, so that no frame or thread of it is kept. */
    public static final class Application implements Runnable {
        @Override
        public void run() {
            Tensor<Float> left = Tensors.denseFloat(new long[] {300, 300}, data -> data.put(2, 1, 1));
            try (Tensor<Float> closed = Tensors.denseFloat(new long[] {300, 300}, data -> data.put(3, 1, 1));
                SparseTensor<Float> sparse = SparseTensor.fromDense(left.floatData());
                RaggedTensor<Integer> ragged = Tensors.raggedInt(new long[] {2, -1}, data -> data.put(5, 1, 0));
                Results results = Comprehension.of("z[i,j] += x[i,k] * y[k,j]").run(left, closed);
                Tensor<Float> few = Tensors.ofNested(new float[] {1, 2});
                Results doubled = Comprehension.of("z[i] = x[i] + x[i]").run(few)) {
                for (int n = 0; n < PROGRAMS; n++) {
                    Comprehension.of("y[i] = x[i] * " + n + ".5; z[i,j] = y[i] * exp(y[j] - x[i]); w[i] += z[i,k] * z[k,i]").run(few).close();
                }
                if (doubled.get("z").floatData().get(1) != 4) {
                    throw new AssertionError("it is " + doubled.get("z"));
                }
                float sum = results.get("z").floatData().get(1, 1) + sparse.floatData().get(1, 1) + ragged.intData().get(1, 0);
                if (sum != 13) {
                    throw new AssertionError("it is " + sum);
                }
            }
        }
    }

    /** In a frame of its own, so that no local variable keeps the loader. */
    private static WeakReference<ClassLoader> use() throws Exception {
        URL[] urls = {
            NativeMemory.class.getProtectionDomain().getCodeSource().getLocation(),
            Application.class.getProtectionDomain().getCodeSource().getLocation(),
        };
        try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getSystemClassLoader().getParent())) {
            Class<?> application = Class.forName(Application.class.getName(), true, loader);
            if (application == Application.class) {
                throw new AssertionError("it is not loaded anew");
            }
            ((Runnable) application.getConstructor().newInstance()).run();
            return new WeakReference<>(loader);
        }
    }

    /** As many times as the first argument says. */
    public static void main(String[] arguments) throws Exception {
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        long before = 0;
        for (int n = Integer.parseInt(arguments[0]); n > 0; n--) {
            loaders.add(use());
            // A dropped tensor keeps its loader until a collection finds it and the thread that looks after memory has been idle for a second: no
            // server redeploys faster.
            if (n % 10 == 1) {
                Garbage.collectUntil(() -> loaders.stream().allMatch(loader -> loader.get() == null));
                before = before == 0 ? resident() : before;
            }
        }
        long mapped = 0;
        if (Files.isReadable(Paths.get("/proc/self/maps"))) {
            Garbage.pause();
            try (Stream<String> lines = Files.lines(Paths.get("/proc/self/maps"), StandardCharsets.ISO_8859_1)) {
                mapped = lines.filter(line -> line.contains("tensornio-native-") && line.contains(" r-xp ")).count();
            }
        }
        long threads = Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().startsWith("tensornio")).count();
        System.out.println("loaders=" + loaders.size() + " mapped=" + mapped + " threads=" + threads + " grown=" + (resident() - before));
    }
}
