package io.tensornio.internal.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The platforms that native libraries are built for. The name of one is the classifier of its jar, and the directory inside. */
public final class Platform {
    /** The platforms that have a published jar. */
    static final List<String> PUBLISHED = Collections.unmodifiableList(Arrays.asList(
        "linux-x86_64", "linux-x86_64-musl", "linux-aarch_64", "osx-x86_64", "osx-aarch_64", "windows-x86_64"));

    private Platform() {
    }

    /**
     * The platform of this JVM.
     *
     * @return its name
     */
    static String current() {
        return name(System.getProperty("os.name"), System.getProperty("os.arch"), isMusl());
    }

    /**
     * The name of a platform.
     *
     * @param osName the system property {@code os.name}
     * @param osArch the system property {@code os.arch}
     * @param musl whether the C library is musl
     * @return the name, such as {@code linux-x86_64}
     */
    static String name(String osName, String osArch, boolean musl) {
        String name = osName.toLowerCase(Locale.ROOT);
        String os = name.startsWith("mac") || name.startsWith("darwin") ? "osx"
            : name.startsWith("windows") ? "windows"
            : ofWords(name);
        String arch = osArch.toLowerCase(Locale.ROOT);
        if (arch.equals("amd64") || arch.equals("x64") || arch.equals("x86-64")) {
            arch = "x86_64";
        } else if (arch.equals("arm64") || arch.equals("aarch64")) {
            arch = "aarch_64";
        }
        return os + "-" + arch + (musl ? "-musl" : "");
    }

    /** A name without all but letters, digits and underscores of ASCII; not by an expression, whose classes a start does not need otherwise. */
    private static String ofWords(String name) {
        StringBuilder words = new StringBuilder();
        for (char c : name.toCharArray()) {
            if (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_') {
                words.append(c);
            }
        }
        return words.toString();
    }

    /**
     * The path of the library in the jar of a platform.
     *
     * @param platform the platform's name
     * @param file the name of the library's file
     * @return the name of the resource
     */
    static String resource(String platform, String file) {
        return "META-INF/native/" + platform + "/" + file;
    }

    /**
     * The module name of the jar of a platform.
     *
     * @param platform the platform's name
     * @return the name of the module
     */
    static String module(String platform) {
        return "io.tensornio.natives." + platform.replace('-', '.');
    }

    /**
     * Whether this process uses musl as its C library; that musl is installed is no evidence, since glibc systems may have it, too.
     *
     * @return whether it is musl
     */
    static boolean isMusl() {
        Path maps = Paths.get("/proc/self/maps");
        if (!Files.isReadable(maps)) {
            return false;
        }
        try {
            // At once, since this is a part of each start, when code is interpreted.
            return new String(Files.readAllBytes(maps), StandardCharsets.ISO_8859_1).contains("/ld-musl-");
        } catch (IOException e) {
            Log.log(Log.DEBUG, "cannot read " + maps + ": taken for a system with glibc", e);
            return false;
        }
    }

    /** Whether this runs on Android. */
    public static boolean isAndroid() {
        return "Dalvik".equals(System.getProperty("java.vm.name"));
    }

    static boolean isWindows() {
        return System.getProperty("os.name").startsWith("Windows");
    }
}
