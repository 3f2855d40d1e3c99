package io.tensornio.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What gradle/setup.sh brings to a bare machine, with stubs in place of the network and of Debian's packages. */
class SetupTest {
    private static final String HOST = "https://static.rust-lang.org/rustup/dist/x86_64-unknown-linux-gnu/rustup-init";
    private static final String SCRIPT = "https://sh.rustup.rs";

    @TempDir
    Path folder;

    @BeforeEach
    void stubs() throws IOException {
        assumeTrue(Files.isExecutable(Paths.get("/bin/sh")), "needs a shell");
        Files.createDirectories(folder.resolve("bin"));
        Files.createDirectories(folder.resolve("net"));
        // The last argument is the URL: the file of that name, or what curl does without a host. Each request is noted.
        stub("curl", "for url; do :; done; echo \"$url\" >>" + folder + "/asked; cat \"" + folder
            + "/net/$(echo \"$url\" | tr / _)\" 2>/dev/null || { echo 'could not resolve' >&2; exit 6; }");
        stub("uname", "[ \"$1\" = -m ] && echo x86_64 || echo Linux");
        stub("ldd", "echo 'ldd (GNU libc)'");
        stub("getconf", "echo 64");
    }

    private void stub(String name, String text) throws IOException {
        Path file = folder.resolve("bin").resolve(name);
        Files.write(file, ("#!/bin/sh\n" + text + "\n").getBytes(StandardCharsets.UTF_8));
        assertTrue(file.toFile().setExecutable(true));
    }

    private void serve(String url, String content) throws IOException {
        Files.write(folder.resolve("net").resolve(url.replace('/', '_')), content.getBytes(StandardCharsets.UTF_8));
    }

    private String installer(String name) {
        return "#!/bin/sh\necho " + name + " \"$@\" >>" + folder + "/ran\n";
    }

    private static String sha256(String text) throws Exception {
        StringBuilder hex = new StringBuilder();
        for (byte b : MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8))) {
            hex.append(String.format("%02x", b));
        }
        return hex.toString();
    }

    /** Runs a command in the shell, with the stubs first; what it prints, and its status. */
    private String run(String command, String... environment) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("RUSTUP_") || name.equals("TENSORNIO_SETUP"));
        builder.environment().put("PATH", folder.resolve("bin") + ":/usr/bin:/bin");
        builder.environment().put("HOME", folder.toString());
        builder.environment().put("CARGO_HOME", folder.resolve("cargo").toString());
        for (String setting : environment) {
            builder.environment().put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
        }
        Process process = builder.start();
        process.getOutputStream().close();
        byte[] bytes = new byte[1 << 16];
        int length = 0;
        for (int n; (n = process.getInputStream().read(bytes, length, bytes.length - length)) > 0;) {
            length += n;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8) + "status " + process.waitFor();
    }

    private List<String> lines(String name) throws IOException {
        Path file = folder.resolve(name);
        return Files.exists(file) ? Files.readAllLines(file) : new ArrayList<>();
    }

    private String install(String... environment) throws IOException, InterruptedException {
        return run("set -eu; . gradle/setup.sh; install_rustup", environment);
    }

    @Test
    void rustupComesFromWhereToolchainsComeFrom() throws Exception {
        serve(HOST, installer("init"));
        serve(HOST + ".sha256", sha256(installer("init")) + " *target/rustup-init\n");
        String printed = install();
        assertTrue(printed.endsWith("status 0"), printed);
        assertEquals(Arrays.asList("init -y -q --profile minimal --no-modify-path"), lines("ran"));
        assertEquals(Arrays.asList(HOST, HOST + ".sha256"), lines("asked"));
    }

    @Test
    void anotherHostOfToolchainsIsAsked() throws Exception {
        for (String setting : new String[] {"RUSTUP_DIST_SERVER=http://rust.example", "RUSTUP_UPDATE_ROOT=http://rust.example/rustup"}) {
            Files.deleteIfExists(folder.resolve("ran"));
            String there = HOST.replace("https://static.rust-lang.org", "http://rust.example");
            serve(there, installer("init"));
            serve(there + ".sha256", sha256(installer("init")));
            String printed = install(setting);
            assertTrue(printed.endsWith("status 0"), printed);
            assertEquals(1, lines("ran").size(), setting);
        }
    }

    @Test
    void whatIsNotAsItsSumSaysIsNotRun() throws Exception {
        serve(HOST, installer("init"));
        serve(SCRIPT, installer("script"));
        for (String sum : new String[] {sha256("another"), "", "<html>"}) {
            Files.deleteIfExists(folder.resolve("ran"));
            serve(HOST + ".sha256", sum);
            String printed = install();
            assertTrue(printed.contains("is not what its .sha256 says"), printed);
            assertEquals(Arrays.asList("script -y -q --profile minimal --no-modify-path"), lines("ran"), sum);
        }
    }

    @Test
    void theScriptIsTheSecondTry() throws Exception {
        serve(SCRIPT, installer("script"));
        String printed = install();
        assertTrue(printed.endsWith("status 0"), printed);
        assertEquals(Arrays.asList(HOST, SCRIPT), lines("asked"));
        Files.delete(folder.resolve("net").resolve(SCRIPT.replace('/', '_')));
        assertTrue(install().endsWith("status 1"), "nothing could be had");
    }

    @Test
    void whereNobodyMayInstallNothingIsAsked() throws Exception {
        assertTrue(install("TENSORNIO_SETUP=no").endsWith("status 1"));
        assertFalse(Files.exists(folder.resolve("asked")));
    }

    @Test
    void aPackagedRustThatIsTooOldIsNotInstalled() throws Exception {
        stub("cargo", "echo 'cargo 1.63.0'");
        stub("apt-get", "exit 1");
        String web = "[ \"$3\" = rustc-web ] && echo 'Version: 1.%s.0+dfsg3-1~deb12u3'; [ \"$3\" = rustc ] && echo 'Version: %s'; true";
        String java = "JAVA_HOME=" + javaHome();
        stub("apt-cache", String.format(web, 85, "1.63.0+dfsg1-2"));
        String old = run("./gradlew --version", java, "TENSORNIO_SETUP=no");
        assertTrue(old.contains("this needs Rust 1.") && !old.contains("rustc"), old);
        stub("apt-cache", String.format(web, 96, "1.63.0+dfsg1-2"));
        String newer = run("./gradlew --version", java, "TENSORNIO_SETUP=no");
        assertTrue(newer.contains("apt-get install rustc-web cargo-web\n"), newer);
        stub("apt-cache", String.format(web, 85, "1:1.91.1+dfsg1-1"));
        String plain = run("./gradlew --version", java, "TENSORNIO_SETUP=no");
        assertTrue(plain.contains("apt-get install rustc cargo\n"), plain);
    }

    /** The JDK of this JVM: what starts gradlew must have a compiler, and one that is new enough. */
    private static String javaHome() {
        Path home = Paths.get(System.getProperty("java.home"));
        assumeTrue(Files.isExecutable(home.resolve("bin/javac")), "needs a JDK");
        return home.toString();
    }
}
