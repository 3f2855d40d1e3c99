package io.tensornio.internal.memory;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/**
 * A file of which tensors are mapped. Bulk reads do not touch the mapping, but read the file by position: if it was cut short, that is an exception
 * where the read is, while a bulk access to the mapping would be an error at some later place, and in native code the end of the process.
 *
 * <p>An interrupt of a thread that reads closes a channel for all threads. So a pending one is put off while this reads, and after one that comes
 * just then the file is opened again.
 */
public final class MappedFile {
    private final Path path;
    /** What the system knows the file by; null where it has no such key. */
    private final Object key;
    private volatile FileChannel channel;
    /** The number of its users; guarded by this. */
    private int users = 1;
    private volatile boolean closed;
    /** The descriptor by which native code reads it; -1 if there is none, {@link #UNKNOWN} before somebody asks. Guarded by this. */
    private int descriptor = UNKNOWN;
    private static final int UNKNOWN = -2;

    private MappedFile(Path path, FileChannel channel) throws IOException {
        this.path = path;
        this.channel = channel;
        key = key(path);
    }

    /** Opens a file, of which the caller is the first user. */
    public static MappedFile open(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        try {
            return new MappedFile(path, channel);
        } catch (Throwable e) {
            channel.close();
            throw e;
        }
    }

    private static Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /** The channel, to be used by position, and closed by this alone. */
    public FileChannel channel() {
        return channel;
    }

    /** Adds a user. To be called by one. */
    public synchronized void share() {
        users++;
    }

    /** Ends the use by one of its users; the last one closes the file. */
    public synchronized void release() {
        if (--users == 0) {
            closed = true;
            if (descriptor >= 0) {
                NativeMemory.closeFile(descriptor);
            }
            descriptor = -1;
            try {
                channel.close();
            } catch (IOException e) {
                Log.log(Log.WARNING, "cannot close " + path, e);
            }
        }
    }

    /**
     * The descriptor by which native code reads the file, valid as long as it has the users that it has now; -1 if there is none, as where the path
     * is another file by now.
     */
    public synchronized int descriptor() {
        if (descriptor == UNKNOWN && !closed) {
            descriptor = -1;
            long[] opened = key == null ? null : NativeMemory.openFile(path.toAbsolutePath().toString());
            // The key has no other form: where it is another one, files are copied, as they are on systems without keys.
            if (opened != null && key.toString().equals("(dev=" + Long.toHexString(opened[1]) + ",ino=" + opened[2] + ")")) {
                descriptor = (int) opened[0];
            } else if (opened != null) {
                NativeMemory.closeFile((int) opened[0]);
            }
        }
        return descriptor;
    }

    /** Maps bytes, at most as many as a buffer can have. */
    ByteBuffer map(long from, int size) throws IOException {
        boolean isInterrupted = false;
        try {
            while (true) {
                isInterrupted |= Thread.interrupted();
                FileChannel current = channel;
                try {
                    return current.map(FileChannel.MapMode.READ_ONLY, from, size).order(ByteOrder.nativeOrder());
                } catch (ClosedChannelException e) {
                    if (!reopen(current)) {
                        throw e;
                    }
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Fills a buffer.
     *
     * @param from the position in the file of the first byte
     * @param to the buffer
     * @return false if the file was closed, which it is not before its last tensor
     * @throws UncheckedIOException if it ends before the last byte, or cannot be read
     */
    public boolean read(long from, ByteBuffer to) {
        boolean isInterrupted = false;
        int start = to.position();
        try {
            while (to.hasRemaining()) {
                isInterrupted |= Thread.interrupted();
                FileChannel current = channel;
                long at = from + to.position() - start;
                try {
                    if (current.read(to, at) < 0) {
                        throw new EOFException(path + " ends before byte " + at + ", where elements are that are mapped: it was cut short");
                    }
                } catch (ClosedChannelException e) {
                    if (!reopen(current)) {
                        return false;
                    }
                }
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Opens the file again in place of a channel that an interrupt has closed; false if all users are gone. */
    private synchronized boolean reopen(FileChannel broken) throws IOException {
        if (closed) {
            return false;
        }
        if (channel == broken) {
            checkPath();                                // a pipe would be waited for
            FileChannel again = FileChannel.open(path, StandardOpenOption.READ);
            try {
                checkPath();
            } catch (Throwable e) {
                again.close();
                throw e;
            }
            channel = again;
        }
        return true;
    }

    private void checkPath() throws IOException {
        if (!Objects.equals(key, key(path))) {
            throw new IOException(path + " was replaced, and the interrupt of a thread that read it has closed the file that is mapped");
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
