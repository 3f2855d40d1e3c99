package io.tensornio.internal.file;

import java.io.BufferedOutputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Writes a file atomically: whoever reads it, also after a crash, finds the old file or the whole new one. A draft beside it is written, synced,
 * given the owner, group and permissions of the old file, and moved to its place. Symbolic links stay, and the file that they name is written, also
 * if it is not there yet. What is no regular file, such as a device or a pipe, is written directly.
 */
public final class AtomicFile {
    /** As many symbolic links as Linux follows. */
    private static final int MOST_LINKS = 40;

    private AtomicFile() {
    }

    /** What writes the content. */
    public interface Content {
        /** Writes to a stream, which is buffered; it need be neither flushed nor closed. */
        void write(OutputStream out) throws IOException;
    }

    /**
     * Writes a file. If this fails, or the content throws, the old file is as it was; but a file whose owner or permissions cannot be given to
     * another one is overwritten in its place, once its new content is complete beside it, where it stays if that fails.
     *
     * @param path the file
     * @param content writes its content
     * @throws FileSystemException if it is a folder, its folder is not there, or links form a cycle
     * @throws IOException if it cannot be written
     */
    public static void write(Path path, Content content) throws IOException {
        Path named = Objects.requireNonNull(path, "file").toAbsolutePath();
        if (Files.isDirectory(named)) {
            throw new FileSystemException(named.toString(), null, "is a folder, where a file is to be written");
        }
        boolean isThere = Files.exists(named);
        if (isThere && !Files.isRegularFile(named)) {
            fill(named, content, false);
            return;
        }
        Path target = isThere ? named.toRealPath() : followed(named);
        if (!isThere && !Files.isDirectory(target.getParent())) {
            throw new NoSuchFileException(target.getParent().toString(), null, "is no folder, where a file is to be written");
        }
        Path draft = draft(target, isThere);
        boolean isKept = false;
        try {
            fill(draft, content, true);
            if (!isThere || keep(target, draft)) {
                move(draft, target);
                syncFolder(target.getParent());
            } else {
                isKept = true;
                overwrite(target, draft);
                isKept = false;
            }
        } finally {
            if (!isKept) {
                Files.deleteIfExists(draft);
            }
        }
    }

    /** What links that lead nowhere name in the end. */
    private static Path followed(Path link) throws IOException {
        Path path = link;
        for (int n = 0; Files.isSymbolicLink(path); n++) {
            if (n == MOST_LINKS) {
                throw new FileSystemLoopException(link.toString());
            }
            path = path.resolveSibling(Files.readSymbolicLink(path));
        }
        return path;
    }

    /** An empty file in the same folder, of a name whose length does not depend on that of the target. Nobody else reads it, if it replaces one. */
    private static Path draft(Path target, boolean replaces) throws IOException {
        boolean isPrivate = replaces && target.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = isPrivate
            ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))} : new FileAttribute<?>[0];
        while (true) {
            try {
                // Not Files.createTempFile: nobody else could read what it makes.
                return Files.createFile(target.resolveSibling(".tensornio-" + Long.toHexString(ThreadLocalRandom.current().nextLong()) + ".tmp"),
                    attributes);
            } catch (FileAlreadyExistsException e) {
                continue;
            }
        }
    }

    /** Writes the content to a file that is there, and syncs it if it is a regular one. */
    private static void fill(Path file, Content content, boolean isRegular) throws IOException {
        if (file.getFileSystem() != FileSystems.getDefault()) {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
                content.write(out);
            }
            return;
        }
        // Not a channel, which an interrupt of the thread would close.
        try (FileOutputStream raw = opened(file); OutputStream out = new BufferedOutputStream(raw)) {
            content.write(out);
            out.flush();
            if (isRegular) {
                raw.getFD().sync();
            }
        }
    }

    private static FileOutputStream opened(Path file) throws IOException {
        try {
            return new FileOutputStream(file.toFile());
        } catch (FileNotFoundException e) {
            FileSystemException told = new FileSystemException(file.toString(), null, e.getMessage());
            told.initCause(e);
            throw told;
        }
    }

    /** Gives the owner, group and permissions of the old file to the draft; returns whether that could be done. */
    private static boolean keep(Path old, Path draft) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(draft, PosixFileAttributeView.class);
        PosixFileAttributeView former = Files.getFileAttributeView(old, PosixFileAttributeView.class);
        if (view == null || former == null) {
            return true;
        }
        PosixFileAttributes wanted = former.readAttributes();
        try {
            PosixFileAttributes own = view.readAttributes();
            if (!own.group().equals(wanted.group())) {
                view.setGroup(wanted.group());
            }
            if (!own.owner().equals(wanted.owner())) {
                view.setOwner(wanted.owner());
            }
            if (!own.permissions().equals(wanted.permissions())) {
                view.setPermissions(wanted.permissions());
            }
            return true;
        } catch (IOException e) {
            return false;               // only its owner, or root, may do so
        }
    }

    private static void move(Path draft, Path target) throws IOException {
        try {
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException | FileAlreadyExistsException e) {
            Files.move(draft, target, StandardCopyOption.REPLACE_EXISTING);     // as in an archive
        }
    }

    private static void overwrite(Path target, Path draft) throws IOException {
        try {
            fill(target, out -> Files.copy(draft, out), true);
        } catch (IOException e) {
            throw new IOException(target + " could not be overwritten; its new content is in " + draft, e);
        }
    }

    /** Makes the move last, where folders can be synced. */
    private static void syncFolder(Path folder) {
        boolean isInterrupted = false;
        while (folder.getFileSystem() == FileSystems.getDefault()) {
            isInterrupted |= Thread.interrupted();
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
                break;
            } catch (ClosedByInterruptException e) {
                isInterrupted = true;
            } catch (IOException e) {
                break;                  // as on Windows, where a folder cannot be opened
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
