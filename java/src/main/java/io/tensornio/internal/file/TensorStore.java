package io.tensornio.internal.file;

import io.tensornio.Tensor;
import io.tensornio.TensorDescription;
import io.tensornio.TensorIndex;
import io.tensornio.internal.data.DataIndices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** An open file of named tensors, of any form. */
public abstract class TensorStore implements AutoCloseable {
    private static final AtomicIntegerFieldUpdater<TensorStore> CLOSED = AtomicIntegerFieldUpdater.newUpdater(TensorStore.class, "closed");

    /** The path, as messages have it. */
    final String name;
    private final FileChannel channel;
    /** 1 once it is closed. */
    private volatile int closed;

    /** Keeps a channel, which {@link #close} closes. */
    TensorStore(String name, FileChannel channel) {
        this.name = name;
        this.channel = channel;
    }

    /** What opens a file of some form. */
    interface Opener<S> {
        S open(String name, FileChannel channel) throws IOException;
    }

    /** Opens a regular file. */
    static <S extends TensorStore> S open(Path file, Opener<S> opener) {
        Objects.requireNonNull(file, "file");
        return FileCalls.call(file, () -> {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
            try {
                return opener.open(file.toString(), channel);
            } catch (Throwable e) {
                channel.close();
                throw e;
            }
        });
    }

    /** The open file. */
    FileChannel channel() {
        return channel;
    }

    /** Closes it. */
    void closeFile() throws IOException {
        channel.close();
    }

    /** The names of all tensors, in the order of the file. */
    abstract Collection<String> keys();

    abstract TensorDescription describe(String key) throws IOException;

    abstract Tensor<?> load(String key) throws IOException;

    abstract Tensor<?> load(String key, TensorIndex... indices) throws IOException;

    /** The texts of the metadata. */
    abstract Map<String, String> texts();

    private interface Call<R> {
        R call() throws IOException;
    }

    private <R> R open(Call<R> call) {
        if (closed != 0) {
            throw closedException();
        }
        try {
            return call.call();
        } catch (ClosedByInterruptException e) {
            throw new UncheckedIOException(name + ": the thread was interrupted, which closes the file", e);
        } catch (ClosedChannelException e) {
            throw closedException();
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private IllegalStateException closedException() {
        return new IllegalStateException("the file " + name + " is closed");
    }

    private String checked(String key) {
        if (!keys().contains(Objects.requireNonNull(key, "name"))) {
            throw new NoSuchElementException(name + " has no tensor \"" + key + "\"; there are " + keys());
        }
        return key;
    }

    /** The names of all tensors, in the order of the file. */
    public final List<String> names() {
        return open(() -> Collections.unmodifiableList(new ArrayList<>(keys())));
    }

    /** The texts of the metadata. */
    public final Map<String, String> metadata() {
        return open(() -> Collections.unmodifiableMap(texts()));
    }

    /** The type and shape of a tensor. */
    public final TensorDescription description(String key) {
        return open(() -> describe(checked(key)));
    }

    /** Reads a tensor. */
    public final Tensor<?> read(String key) {
        return open(() -> load(checked(key)));
    }

    /** Reads selected elements of a tensor. */
    public final Tensor<?> read(String key, TensorIndex... indices) {
        TensorIndex[] own = DataIndices.checked(indices);
        return open(() -> load(checked(key), own));
    }

    @Override
    public void close() {
        if (CLOSED.getAndSet(this, 1) != 0) {
            return;
        }
        try {
            closeFile();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
