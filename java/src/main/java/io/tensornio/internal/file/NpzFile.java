package io.tensornio.internal.file;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.TensorDescription;
import io.tensornio.TensorIndex;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.WritableTensor;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Slicer;
import io.tensornio.internal.memory.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** What {@link io.tensornio.io.Npz} does, and one of its files that is open. */
public final class NpzFile extends TensorStore {
    static final String SUFFIX = ".npy";

    private final ZipDirectory directory;
    private final Map<String, ZipDirectory.Entry> entries;

    private NpzFile(String name, FileChannel channel) throws IOException {
        super(name, channel);
        directory = new ZipDirectory(name, (start, end) -> new ByteInput.OfFile(name, channel, start, end), channel.size());
        entries = arrays(name, directory);
    }

    /** The entries by the names of their arrays. */
    private static Map<String, ZipDirectory.Entry> arrays(String file, ZipDirectory directory) {
        Map<String, ZipDirectory.Entry> arrays = new LinkedHashMap<>();
        directory.entries().forEach((name, entry) -> {
            if (!name.endsWith(SUFFIX)) {
                throw new IllegalArgumentException(file + ": the entry \"" + name + "\" is no " + SUFFIX);
            }
            arrays.put(name.substring(0, name.length() - SUFFIX.length()), entry);
        });
        return arrays;
    }

    /** Opens a file. */
    public static NpzFile open(Path file) {
        return open(file, NpzFile::new);
    }

    @Override
    Collection<String> keys() {
        return entries.keySet();
    }

    @Override
    Map<String, String> texts() {
        return Collections.emptyMap();
    }

    @Override
    TensorDescription describe(String key) throws IOException {
        try (ZipInput in = directory.open(entries.get(key))) {
            return NpyArray.describe(NpyHeader.read(in, null));
        }
    }

    @Override
    Tensor<?> load(String key) throws IOException {
        return whole(directory, entries.get(key));
    }

    private static Tensor<?> whole(ZipDirectory directory, ZipDirectory.Entry entry) throws IOException {
        try (ZipInput in = directory.open(entry)) {
            Tensor<?> tensor = NpyArray.read(in, null);
            try {
                in.finish();
                return tensor;
            } catch (Throwable e) {
                tensor.close();
                throw e;
            }
        }
    }

    @Override
    Tensor<?> load(String key, TensorIndex... indices) throws IOException {
        ZipDirectory.Entry entry = entries.get(key);
        if (entry.method != ZipDirectory.STORED) {
            try (Tensor<?> all = whole(directory, entry)) {
                return AnyData.computed(AnyData.of(all).slice(indices));
            }
        }
        long begin = directory.begin(entry);
        ByteInput.OfFile in = new ByteInput.OfFile(name + ": " + entry.name, channel(), begin, begin + entry.packed);
        NpyHeader header = NpyHeader.read(in, null);
        in.need(header.bytes());
        Layout layout = layout(header, 1);
        if (header.strings == 0) {
            return new ElementSelection(in.name, channel(), in.position(), header.type, header.isSwapped).read(layout, indices);
        }
        // Strings are rows of bytes, of which each has all.
        long[] selected = Slicer.slice(layout, indices).sizes();
        boolean hasRest = Arrays.stream(indices).anyMatch(index -> index.equals(TensorIndex.ellipsis()));
        TensorIndex[] ofBytes = hasRest ? Arrays.copyOf(indices, indices.length + 1) : indices;
        if (hasRest) {
            ofBytes[indices.length] = TensorIndex.all();
        }
        try (WritableTensor bytes = new ElementSelection(in.name, channel(), in.position(), DataType.UINT8, false)
                .fill(layout(header, header.width), ofBytes)) {
            return new NpyStrings(in, header.ofShape(selected), new Bytes(bytes.bytes())).tensor();
        }
    }

    /** The places of elements, or of the bytes of elements of some width, along another axis. */
    private static Layout layout(NpyHeader header, int width) {
        long[] sizes = header.shape.clone();
        long[] strides = header.isFortran ? NpyArray.reversed(Layout.rowMajorStrides(NpyArray.reversed(sizes))) : Layout.rowMajorStrides(sizes);
        if (header.strings == 0 || width == 1) {
            return new Layout(0, sizes, strides);
        }
        long[] wide = Arrays.copyOf(sizes, sizes.length + 1);
        long[] steps = Arrays.copyOf(Arrays.stream(strides).map(stride -> stride * width).toArray(), wide.length);
        wide[sizes.length] = width;
        steps[sizes.length] = 1;
        return new Layout(0, wide, steps);
    }

    /** Reads all arrays of a file, in its order. */
    public static Map<String, Tensor<?>> read(Path file) {
        try (NpzFile open = open(file)) {
            return FileCalls.call(file, () -> all(open.name, open.directory));
        }
    }

    /** Reads a stream to its end, and its arrays. */
    public static Map<String, Tensor<?>> read(InputStream stream) {
        return FileCalls.read(stream, in -> {
            try (StreamBytes all = new StreamBytes(in)) {
                return all(in.name, new ZipDirectory(in.name, (start, end) -> new ByteInput.OfMemory(in.name, all.bytes(), start, end), all.size()));
            }
        });
    }

    private static Map<String, Tensor<?>> all(String file, ZipDirectory directory) throws IOException {
        Map<String, ZipDirectory.Entry> arrays = arrays(file, directory);
        Map<String, Tensor<?>> tensors = new LinkedHashMap<>();
        try {
            for (Map.Entry<String, ZipDirectory.Entry> array : arrays.entrySet()) {
                tensors.put(array.getKey(), whole(directory, array.getValue()));
            }
            return tensors;
        } catch (Throwable e) {
            tensors.values().forEach(Tensor::close);
            throw e;
        }
    }

    // ---- Writing -------------------------------------------------------------------------------------------------------

    /** Writes a file. */
    public static void write(Path file, Map<String, AnyTensor<?>> tensors, boolean isCompressed) {
        Map<String, TensorData<?>> arrays = checked(tensors);
        FileCalls.write(file, out -> writeAll(out, arrays, isCompressed));
    }

    /** Writes to a stream, which is neither flushed nor closed. */
    public static void write(OutputStream stream, Map<String, AnyTensor<?>> tensors, boolean isCompressed) {
        Map<String, TensorData<?>> arrays = checked(tensors);
        FileCalls.write(Objects.requireNonNull(stream, "out"), out -> writeAll(out, arrays, isCompressed));
    }

    private static Map<String, TensorData<?>> checked(Map<String, AnyTensor<?>> tensors) {
        Map<String, TensorData<?>> arrays = new LinkedHashMap<>();
        tensors.forEach((name, tensor) -> {
            if (!(tensor instanceof Tensor)) {
                throw new IllegalArgumentException("\"" + name + "\" is a " + tensor.getClass().getSimpleName()
                    + ": .npz files have dense tensors alone; writeSparse has one sparse tensor");
            }
            TensorData<?> data = AnyData.of(tensor);
            try {
                NpyArray.check(data);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("\"" + name + "\": " + e.getMessage(), e);
            }
            arrays.put(name, data);
        });
        return arrays;
    }

    private static void writeAll(OutputStream out, Map<String, TensorData<?>> arrays, boolean isCompressed) throws IOException {
        try (ZipWriter zip = new ZipWriter(out, isCompressed)) {
            for (Map.Entry<String, TensorData<?>> array : arrays.entrySet()) {
                zip.add(array.getKey() + SUFFIX, to -> NpyArray.write(to, array.getValue()));
            }
            zip.finish();
        }
    }
}
