package io.tensornio.internal.memory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashSet;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Loads the library from a private copy in a directory that only this user can read. A file can be loaded by one class loader only, so two
 * applications in one JVM do not disturb each other.
 */
final class LibraryCopy {
    private static final String PREFIX = "tensornio-native-";
    /** The minimum age of a leftover copy: long enough for another JVM to load the copy that it is making. */
    private static final long SWEEP_AFTER_MILLIS = 60_000;

    private static final int MOST_ATTEMPTS = 100;

    private LibraryCopy() {
    }

    /**
     * Copies a library to {@code java.io.tmpdir}, loads the copy and deletes it; where a loaded file cannot be deleted, the next start does.
     *
     * @param library the bytes
     * @param file the name of the library's file
     * @throws IOException if it cannot be copied
     * @throws UnsatisfiedLinkError if the system refuses it
     */
    static void load(InputStream library, String file) throws IOException {
        Path base = directory();
        if (Platform.isWindows()) {
            sweep(base, FileTime.fromMillis(System.currentTimeMillis() - SWEEP_AFTER_MILLIS), file);
        }
        Path directory = makeDirectory(base);
        try {
            Path copy = directory.resolve(file);
            Files.copy(library, copy);
            System.load(copy.toAbsolutePath().toString());
        } finally {
            delete(directory, file);
        }
    }

    /** The directory for copies. */
    static Path directory() {
        return Paths.get(System.getProperty("java.io.tmpdir"));
    }

    /**
     * Makes a directory for a copy in which no other user can replace the library.
     *
     * @param base where to make it
     * @return the directory
     * @throws IOException if that fails
     */
    static Path makeDirectory(Path base) throws IOException {
        boolean isPosix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        // Not PosixFilePermissions.fromString, whose set of an enumeration needs reflection.
        FileAttribute<?>[] own = isPosix ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(new HashSet<>(Arrays.asList(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE)))} : new FileAttribute<?>[0];
        // Not Files.createTempDirectory, whose random numbers load cryptography, 25 ms of every start. Others may guess a name, and can only take it
        // before: then it is another one, a few times.
        for (int attempt = 1;; attempt++) {
            try {
                return Files.createDirectory(base.resolve(PREFIX + Long.toHexString(ThreadLocalRandom.current().nextLong())), own);
            } catch (FileAlreadyExistsException e) {
                if (attempt == MOST_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /**
     * Deletes the copies that earlier JVMs left behind. Those in use stay, since the system refuses to delete them.
     *
     * @param base where the copies are
     * @param before the latest time of modification: a newer copy may be about to be loaded
     * @param file the name of the library's file
     */
    static void sweep(Path base, FileTime before, String file) {
        try (DirectoryStream<Path> copies = Files.newDirectoryStream(base, PREFIX + "*")) {
            for (Path directory : copies) {
                if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                    && Files.getLastModifiedTime(directory, LinkOption.NOFOLLOW_LINKS).compareTo(before) < 0) {
                    delete(directory, file);
                }
            }
        } catch (IOException | RuntimeException e) {
            Log.log(Log.DEBUG, "cannot look for old copies of the native library in " + base, e);
        }
    }

    /** Deletes a directory with its copy, unless it contains other files. */
    private static void delete(Path directory, String file) {
        try {
            Files.deleteIfExists(directory.resolve(file));
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            Log.log(Log.DEBUG, "cannot delete " + directory + " now", e);
        }
    }
}
