package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/** A JVM of its own for what can be set only once, or ends badly: the same Java, class path and library as here, options from nowhere else. */
public final class Forked {
    private static final Pattern JVM_WARNING = Pattern.compile("WARNING in native method|WARNING: JNI|FATAL ERROR in native method| VM warning:");

    private final List<String> options = new ArrayList<>();
    private final List<String> before = new ArrayList<>();

    private Forked() {
    }

    /** With these options of the JVM. */
    public static Forked with(String... options) {
        Forked forked = new Forked();
        forked.options.addAll(Arrays.asList(options));
        return forked;
    }

    /** Started by the shell, after this command. */
    Forked after(String shellCommand) {
        Collections.addAll(before, "sh", "-c", shellCommand + " && exec \"$0\" \"$@\"");
        return this;
    }

    /** Runs a program to its good end; gives all that it printed. */
    public String run(Class<?> program, String... arguments) {
        List<String> command = new ArrayList<>(before);
        command.add(Paths.get(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xcheck:jni");
        if (feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        String library = System.getProperty(NativeLibrary.PROPERTY);
        if (library != null) {
            command.add("-D" + NativeLibrary.PROPERTY + "=" + library);
        }
        command.add("-Dtensornio.test.depth=" + MemoryWatch.DEPTH);
        command.addAll(options);
        Collections.addAll(command, "-cp", System.getProperty("java.class.path"), program.getName());
        Collections.addAll(command, arguments);
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            // The JVM would print that it picked them up.
            builder.environment().keySet().removeAll(Arrays.asList("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"));
            Process process = builder.start();
            process.getOutputStream().close();
            String printed = readAll(process.getInputStream());
            assertEquals(0, process.waitFor(), () -> command + " printed\n" + printed);
            assertFalse(JVM_WARNING.matcher(printed).find(), printed);
            return printed;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String readAll(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] part = new byte[1 << 12];
        for (int n = in.read(part); n >= 0; n = in.read(part)) {
            out.write(part, 0, n);
        }
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }

    /** 8, 9, 10 and so on. */
    static int feature() {
        String version = System.getProperty("java.specification.version");
        return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
    }
}
