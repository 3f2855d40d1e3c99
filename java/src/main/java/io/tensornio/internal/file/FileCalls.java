package io.tensornio.internal.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** Opens files and streams for what reads and writes them. What goes wrong with them is an {@link UncheckedIOException}. */
final class FileCalls {
    private FileCalls() {
    }

    /** What reads. */
    interface Reader<R> {
        R read(ByteInput in) throws IOException;
    }

    /** What writes. */
    interface Writer {
        void write(OutputStream out) throws IOException;
    }

    /** What may fail as files do. */
    interface Call<R> {
        R call() throws IOException;
    }

    /** Calls what works with a file. */
    static <R> R call(Path file, Call<R> call) {
        try {
            return call.call();
        } catch (IOException e) {
            throw failed(file, e);
        }
    }

    /** Reads a file; what is no regular file, such as a pipe, is read as a stream. */
    static <R> R read(Path file, Reader<R> reader) {
        Objects.requireNonNull(file, "file");
        return call(file, () -> {
            if (Files.isRegularFile(file)) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                    return reader.read(new ByteInput.OfFile(file.toString(), channel, 0, channel.size()));
                }
            }
            try (InputStream in = Files.newInputStream(file)) {
                return reader.read(new ByteInput.OfStream(file.toString(), in));
            }
        });
    }

    /** Calls what reads or writes something that has no path. */
    static <R> R call(Call<R> call) {
        try {
            return call.call();
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private static UncheckedIOException failed(Path file, IOException e) {
        return new UncheckedIOException(e instanceof NoSuchFileException ? "there is no file " + file : String.valueOf(e.getMessage()), e);
    }

    /** Reads a stream, which stays open. */
    static <R> R read(InputStream stream, Reader<R> reader) {
        Objects.requireNonNull(stream, "in");
        try {
            return reader.read(new ByteInput.OfStream("the stream", stream));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Checks that a file has been read to its end. */
    static void checkEnd(ByteInput in) throws IOException {
        if (in.left() != 0 && in.read(ByteBuffer.allocate(1)) >= 0) {
            throw in.malformed("something follows what was read");
        }
    }

    /** Writes a file, which is there as a whole or as it was before. */
    static void write(Path file, Writer writer) {
        Objects.requireNonNull(file, "file");
        try {
            AtomicFile.write(file, writer::write);
        } catch (IOException e) {
            throw new UncheckedIOException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Writes to a stream, which stays open. */
    static void write(OutputStream stream, Writer writer) {
        try {
            writer.write(stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
