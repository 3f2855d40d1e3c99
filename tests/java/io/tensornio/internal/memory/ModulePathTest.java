package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A module that requires io.tensornio, and nothing else, has the native library from the jar of its platform, however Java was told of both. */
class ModulePathTest {
    private static final String MAIN = String.join("\n",
        "package app;",
        "import io.tensornio.*;",
        "public class Main {",
        "    public static void main(String[] arguments) {",
        "        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {2, 3}, data -> data.put(1.5f, 1, 2))) {",
        "            System.out.println(tensor.floatData().get(1, 2));",
        "        }",
        "    }",
        "}");

    /** Starts the program in a layer in which each module has a class loader of its own. */
    private static final String LAYER = String.join("\n",
        "import java.lang.module.*;",
        "import java.nio.file.*;",
        "import java.util.*;",
        "class Layer {",
        "    public static void main(String[] arguments) throws Exception {",
        "        ModuleFinder finder = ModuleFinder.of(Arrays.stream(arguments).map(Paths::get).toArray(Path[]::new));",
        "        ModuleLayer boot = ModuleLayer.boot();",
        "        Configuration all = boot.configuration().resolveAndBind(finder, ModuleFinder.of(), Collections.singleton(\"app\"));",
        "        ModuleLayer layer = boot.defineModulesWithManyLoaders(all, ClassLoader.getSystemClassLoader());",
        "        layer.findLoader(\"app\").loadClass(\"app.Main\").getMethod(\"main\", String[].class).invoke(null, (Object) new String[0]);",
        "    }",
        "}");

    @TempDir
    static Path temp;

    private static final String CORE = System.getProperty("tensornio.test.jar");
    private static final String NATIVES = System.getProperty("tensornio.test.nativeJar");
    private static Path app;

    @BeforeAll
    static void compile() throws IOException {
        assumeTrue(Forked.feature() >= 9, "no modules before Java 9");
        assumeTrue(CORE != null && NATIVES != null, "not run by the build, or for another platform");
        assumeTrue(Files.exists(tool("javac")) || Files.exists(tool("javac.exe")), "needs a JDK");
        Path sources = Files.createDirectories(temp.resolve("sources"));
        app = temp.resolve("app");
        Path module = write(sources, "module-info.java", "module app { requires io.tensornio; exports app; }");
        run(tool("javac"), "-d", app, "-p", CORE, module, write(sources, "Main.java", MAIN));
        run(tool("javac"), "-d", temp.resolve("layer"), write(sources, "Layer.java", LAYER));
    }

    private static Path write(Path directory, String name, String text) throws IOException {
        return Files.write(directory.resolve(name), text.getBytes(StandardCharsets.UTF_8));
    }

    private static Path tool(String name) {
        return Paths.get(System.getProperty("java.home"), "bin", name);
    }

    /** A call of this Java or an image of it, with leave for a module to load native code. */
    private static List<Object> java(Path java, String module, Object... arguments) {
        List<Object> command = new ArrayList<>();
        command.add(java);
        if (Forked.feature() >= 22) {
            command.add("--enable-native-access=" + module);
        }
        Collections.addAll(command, arguments);
        return command;
    }

    private static String run(Object... command) throws IOException {
        return end(0, Arrays.asList(command));
    }

    /** What a program printed that ended in this way. */
    private static String end(int status, List<Object> command) throws IOException {
        String[] words = command.stream().map(Object::toString).toArray(String[]::new);
        Path printed = Files.createTempFile(temp, "printed", ".log");
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(printed.toFile());
        builder.environment().keySet().removeAll(Arrays.asList("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"));
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(5, TimeUnit.MINUTES), () -> "did not end: " + command);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } finally {
            process.destroyForcibly();
        }
        String said = new String(Files.readAllBytes(printed), StandardCharsets.UTF_8);
        assertEquals(status, process.exitValue(), () -> command + " printed " + said);
        return said.replace(System.lineSeparator(), "\n");
    }

    private static String path(Object... entries) {
        return String.join(File.pathSeparator, Arrays.stream(entries).map(Object::toString).toArray(String[]::new));
    }

    @Test
    void theNativeModuleIsFoundWithoutARequires() throws IOException {
        assertEquals("1.5\n", end(0, java(tool("java"), "io.tensornio", "-p", path(CORE, NATIVES, app), "-m", "app/app.Main")));
    }

    @Test
    void theNativeJarMayStayOnTheClassPath() throws IOException {
        assertEquals("1.5\n", end(0, java(tool("java"), "io.tensornio", "-cp", NATIVES, "-p", path(CORE, app), "-m", "app/app.Main")));
    }

    @Test
    void allMayBeOnTheClassPath() throws IOException {
        assertEquals("1.5\n", end(0, java(tool("java"), "ALL-UNNAMED", "-cp", path(CORE, NATIVES, app), "app.Main")));
    }

    @Test
    void aClassLoaderForEachModuleIsNoObstacle() throws IOException {
        // In a layer, only its controller can give leave to load native code: of that Java warns from 24 on.
        String printed = end(0, java(tool("java"), "ALL-UNNAMED", "-cp", temp.resolve("layer"), "Layer", CORE, NATIVES, app));
        assertTrue(printed.endsWith("1.5\n"), printed);
    }

    @Test
    void anImageHasTheModuleThatIsAddedToIt() throws IOException {
        String jlink = tool("jlink").toString();
        assumeTrue(Files.exists(Paths.get(jlink)) || Files.exists(Paths.get(jlink + ".exe")), "this Java has no jlink");
        Path image = temp.resolve("image");
        run(jlink, "--output", image, "-p", path(CORE, NATIVES, app), "--add-modules", "app," + Platform.module(Platform.current()));
        assertEquals("1.5\n", end(0, java(image.resolve("bin/java"), "io.tensornio", "-m", "app/app.Main")));
    }

    @Test
    void anErrorSaysWhichModuleIsMissing() throws IOException {
        String printed = end(1, java(tool("java"), "io.tensornio", "-p", path(CORE, app), "-m", "app/app.Main"));
        assertTrue(printed.contains("UnsatisfiedLinkError: no native library of TensorNIO for " + Platform.current()), printed);
        assertTrue(printed.contains("--add-modules io.tensornio.natives." + Platform.current().replace('-', '.')), printed);
    }
}
