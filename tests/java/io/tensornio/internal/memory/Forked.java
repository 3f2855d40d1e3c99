package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.tensornio.support.Expect;
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
import java.util.regex.Pattern;

/** A JVM of its own for what can be set only once, or ends badly: the same Java, class path and library as here, options from nowhere else. */
public final class Forked {
    private static final Pattern JVM_WARNING = Pattern.compile("WARNING in native method|WARNING: JNI|FATAL ERROR in native method| VM warning:");
    /** What the launcher and the beans of Java 8 cause themselves, by a function that the library does not call; with the stack. */
    private static final Pattern OF_JAVA_8 = Pattern.compile(
        "WARNING in native method: JNI call made without checking exceptions when required to from CallStaticObjectMethod\\R(\\t(at|-) .*\\R)*");

    private final List<String> options = new ArrayList<>();
    private final List<String> before = new ArrayList<>();
    private boolean hasNativeAccess = feature() >= 22;
    private long patience = TimeUnit.MINUTES.toMillis(10L * Expect.depth());

    private Forked() {
    }

    /** With these options of the JVM. */
    public static Forked with(String... options) {
        Forked forked = new Forked();
        forked.options.addAll(Arrays.asList(options));
        return forked;
    }

    /** With these options, too, if the JVM is one of 64 bits; the others warn of them. */
    Forked with64Bits(String... more) {
        if (has64Bits()) {
            options.addAll(Arrays.asList(more));
        }
        return this;
    }

    /** Started by the shell, after this command. */
    Forked after(String shellCommand) {
        Collections.addAll(before, "sh", "-c", shellCommand + " && exec \"$0\" \"$@\"");
        return this;
    }

    /** With a folder of its own mounted over an empty one, with these options; it may see no other. Needs Linux, and leave for that. */
    Forked mounting(String mountOptions, Path folder) {
        Collections.addAll(before, "unshare", "-rm", "sh", "-c",
            "mount -t tmpfs -o " + mountOptions + " tmpfs '" + folder + "' && exec \"$0\" \"$@\"");
        return this;
    }

    /** Whether {@link #mounting} works here. */
    static boolean canMount(Path folder) {
        try {
            Process process = new ProcessBuilder("unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", folder.toString()).start();
            return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Without the option that lets the library load native code. */
    Forked withoutNativeAccess() {
        hasNativeAccess = false;
        return this;
    }

    /** Killed if it has not ended after so many milliseconds. */
    Forked within(long millis) {
        patience = millis;
        return this;
    }

    /** Runs a program to its good end; gives all that it printed. */
    public String run(Class<?> program, String... arguments) {
        List<String> command = new ArrayList<>(before);
        command.add(Paths.get(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xcheck:jni");
        if (hasNativeAccess) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        String library = System.getProperty(NativeLibrary.PROPERTY);
        if (library != null) {
            command.add("-D" + NativeLibrary.PROPERTY + "=" + library);
        }
        command.add("-Dtensornio.test.depth=" + Expect.depth());
        command.addAll(options);
        Collections.addAll(command, "-cp", System.getProperty("java.class.path"), program.getName());
        Collections.addAll(command, arguments);
        try {
            File printed = File.createTempFile("tensornio-forked", ".log");
            try {
                return runToEnd(command, printed);
            } finally {
                if (!printed.delete()) {
                    printed.deleteOnExit();         // Windows may hold it for a moment longer than the process lives
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** What it prints goes to a file: nobody who reads it has to wait for a process that does not end. */
    private String runToEnd(List<String> command, File file) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(file);
        // The JVM would print that it picked them up.
        builder.environment().keySet().removeAll(Arrays.asList("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"));
        Process process = builder.start();
        process.getOutputStream().close();
        String end = "was interrupted";
        try {
            end = process.waitFor(patience, TimeUnit.MILLISECONDS) ? "exit " + process.exitValue() : "did not end within " + patience + " ms";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
        String printed = new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8);
        if (feature() == 8) {
            printed = OF_JAVA_8.matcher(printed).replaceAll("");
        }
        String said = command + ": " + end + "; it printed\n" + printed;
        assertEquals("exit 0", end, said);
        assertFalse(JVM_WARNING.matcher(printed).find(), printed);
        return printed;
    }

    /** Whether addresses have 64 bits. Without, no 2 GiB can be had in one piece. */
    public static boolean has64Bits() {
        return !"32".equals(System.getProperty("sun.arch.data.model"));
    }

    /** 8, 9, 10 and so on. */
    public static int feature() {
        String version = System.getProperty("java.specification.version");
        return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
    }
}
