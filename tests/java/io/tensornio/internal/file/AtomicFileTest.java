package io.tensornio.internal.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.support.Expect;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files are there as a whole, where and as they were; what cannot be replaced is written. */
class AtomicFileTest {
    @TempDir
    Path folder;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void write(Path path, String text) throws IOException {
        AtomicFile.write(path, out -> out.write(bytes(text)));
    }

    private static String text(Path path) throws IOException {
        return new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
    }

    private void holds(String... names) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            assertEquals(Arrays.asList(names), all.map(path -> path.getFileName().toString()).sorted().collect(Collectors.toList()));
        }
    }

    private static void posix() {
        Assumptions.assumeTrue(FileSystems.getDefault().supportedFileAttributeViews().contains("unix"));
    }

    @Test
    void aFileIsMadeAndReplaced() throws IOException {
        Path file = folder.resolve("file");
        write(file, "first");
        assertEquals("first", text(file));
        write(file, "2");
        assertEquals("2", text(file));
        Path relative = Paths.get("").toAbsolutePath().relativize(file.toAbsolutePath());
        write(relative, "third");
        assertEquals("third", text(file));
        holds("file");
    }

    @Test
    void aNewFileHasTheModeOfNewFiles() throws IOException {
        posix();
        write(folder.resolve("file"), "text");
        assertEquals(Files.getPosixFilePermissions(Files.createFile(folder.resolve("other"))), Files.getPosixFilePermissions(folder.resolve("file")));
    }

    @Test
    void permissionsStay() throws IOException {
        posix();
        Path file = folder.resolve("file");
        write(file, "old");
        for (String mode : Arrays.asList("rw-------", "r--r--r--", "rw-rw-rw-", "rwxr-x--x")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            write(file, mode);
            assertEquals(mode, PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            assertEquals(mode, text(file));
        }
    }

    @Test
    void aDraftOfAPrivateFileIsPrivate() throws IOException {
        posix();
        Path file = folder.resolve("file");
        write(file, "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        AtomicFile.write(file, out -> {
            try (Stream<Path> all = Files.list(folder)) {
                for (Path path : (Iterable<Path>) all::iterator) {
                    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)), path.toString());
                }
            }
        });
    }

    @Test
    void ownerAndGroupStay() throws IOException {
        posix();
        Path file = folder.resolve("file");
        write(file, "old");
        try {
            Files.setAttribute(file, "unix:uid", 12345);
            Files.setAttribute(file, "unix:gid", 23456);
        } catch (IOException e) {
            Assumptions.abort("only root gives files away");
        }
        write(file, "new");
        assertEquals(12345, Files.getAttribute(file, "unix:uid"));
        assertEquals(23456, Files.getAttribute(file, "unix:gid"));
        assertEquals("new", text(file));
        holds("file");
    }

    @Test
    void linksAreFollowed() throws IOException {
        posix();
        Path inner = Files.createDirectory(folder.resolve("inner"));
        Path file = inner.resolve("file");
        Path link = Files.createSymbolicLink(folder.resolve("link"), Paths.get("inner", "second"));
        Files.createSymbolicLink(inner.resolve("second"), Paths.get("..", "inner", "file"));
        write(link, "through dangling links");
        assertEquals("through dangling links", text(file));
        assertTrue(Files.isSymbolicLink(link) && Files.isSymbolicLink(inner.resolve("second")) && !Files.isSymbolicLink(file));
        write(link, "again");
        assertEquals("again", text(file));
        assertTrue(Files.isSymbolicLink(link) && Files.isSymbolicLink(inner.resolve("second")));
        holds("inner", "link");

        Path lost = Files.createSymbolicLink(folder.resolve("lost"), Paths.get("none", "file"));
        Expect.thrown(FileSystemException.class, () -> write(lost, "text"), "none", "is no folder");
        Path cycle = Files.createSymbolicLink(folder.resolve("cycle"), Paths.get("cycle"));
        Expect.thrown(FileSystemException.class, () -> write(cycle, "text"), "cycle");
    }

    @Test
    void devicesAndPipesAreWrittenDirectly() throws Exception {
        posix();
        Path nothing = Paths.get("/dev/null");
        write(nothing, "text");
        assertFalse(Files.isRegularFile(nothing));
        Path full = Paths.get("/dev/full");
        if (Files.exists(full)) {
            assertThrows(IOException.class, () -> write(full, "text"));
            assertFalse(Files.isRegularFile(full));
        }
        Path pipe = folder.resolve("pipe");
        Assumptions.assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0);
        Path link = Files.createSymbolicLink(folder.resolve("link"), pipe);
        for (Path written : Arrays.asList(pipe, link)) {
            FutureTask<byte[]> read = new FutureTask<>(() -> Files.readAllBytes(pipe));
            new Thread(read).start();
            write(written, "through the pipe");
            assertArrayEquals(bytes("through the pipe"), read.get());
            assertFalse(Files.isRegularFile(pipe));
        }
        holds("link", "pipe");
    }

    @Test
    void namesMayBeAsLongAsTheSystemAllows() throws IOException {
        Path file = folder.resolve(String.join("", Collections.nCopies(255, "n")));
        write(file, "first");
        write(file, "second");
        assertEquals("second", text(file));
    }

    @Test
    void anArchiveIsWrittenAgain() throws IOException {
        URI archive = URI.create("jar:" + folder.resolve("archive.zip").toUri());
        try (FileSystem zip = FileSystems.newFileSystem(archive, Collections.singletonMap("create", "true"))) {
            Path file = Files.createDirectory(zip.getPath("/inner")).resolve("file");
            for (String text : Arrays.asList("first", "second", "third")) {
                write(file, text);
                assertEquals(text, text(file));
            }
            List<String> names = new ArrayList<>();
            try (Stream<Path> all = Files.list(zip.getPath("/inner"))) {
                all.forEach(path -> names.add(path.toString()));
            }
            assertEquals(Collections.singletonList("/inner/file"), names);
        }
        try (FileSystem zip = FileSystems.newFileSystem(archive, Collections.emptyMap())) {
            assertEquals("third", text(zip.getPath("/inner/file")));
        }
    }

    @Test
    void aFailureLeavesTheOldFile() throws IOException {
        Path file = folder.resolve("file");
        for (boolean isThere : new boolean[] {false, true}) {
            Expect.thrown(IOException.class, () -> AtomicFile.write(file, out -> {
                out.write(new byte[100_000]);
                throw new IOException("no more");
            }), "no more");
            Expect.thrown(UncheckedIOException.class, () -> AtomicFile.write(file, out -> {
                out.write(1);
                throw new UncheckedIOException(new IOException("no more"));
            }), "no more");
            if (isThere) {
                assertEquals("old", text(file));
                holds("file");
            } else {
                holds();
                write(file, "old");
            }
        }
        Expect.thrown(FileSystemException.class, () -> write(folder, "text"), folder.toString(), "is a folder");
        Expect.thrown(FileSystemException.class, () -> write(folder.resolve("none").resolve("file"), "text"), "none", "is no folder");
    }

    @Test
    void anInterruptedThreadWritesAndStaysInterrupted() throws IOException {
        Path file = folder.resolve("file");
        for (String text : Arrays.asList("first", "second")) {
            Thread.currentThread().interrupt();
            write(file, text);
            assertTrue(Thread.interrupted());
            assertEquals(text, text(file));
        }
    }
}
