package io.tensornio.internal.file;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.TensorDescription;
import io.tensornio.TensorIndex;
import io.tensornio.TensorLayout;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.WritableTensor;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.MappedFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What {@link io.tensornio.io.Safetensors} does, and one of its files that is open. */
public final class SafetensorsFile extends TensorStore {
    private final SafetensorsHeader header;
    private final Map<String, SafetensorsHeader.Entry> entries = new LinkedHashMap<>();
    /** Where the elements begin. */
    private final long start;

    /** The file if tensors are to stay in it, of which this is a user; null if they are read. */
    private final MappedFile mapped;

    private SafetensorsFile(String name, FileChannel channel, MappedFile mapped) throws IOException {
        super(name, channel);
        this.mapped = mapped;
        ByteInput.OfFile in = new ByteInput.OfFile(name, channel, 0, channel.size());
        header = SafetensorsHeader.read(in);
        start = in.position();
        header.entries().forEach(entry -> entries.put(entry.name, entry));
    }

    /** Opens a file. */
    public static SafetensorsFile open(Path file) {
        return open(file, (name, channel) -> new SafetensorsFile(name, channel, null));
    }

    /** Opens a file whose tensors stay in it, or as {@link #open(Path)} where it cannot be mapped. */
    public static SafetensorsFile map(Path file) {
        Objects.requireNonNull(file, "file");
        return MappedTensors.use(file, mapped -> {
            SafetensorsFile made = new SafetensorsFile(file.toString(), mapped.channel(), mapped);
            mapped.share();
            return made;
        }, () -> open(file));
    }

    @Override
    FileChannel channel() {
        return mapped == null ? super.channel() : mapped.channel();
    }

    @Override
    void closeFile() throws IOException {
        if (mapped == null) {
            super.closeFile();
        } else {
            mapped.release();
        }
    }

    @Override
    Collection<String> keys() {
        return entries.keySet();
    }

    @Override
    Map<String, String> texts() {
        return header.metadata();
    }

    @Override
    TensorDescription describe(String key) {
        SafetensorsHeader.Entry entry = entries.get(key);
        return TensorDescription.of(entry.type(name), entry.shape);
    }

    @Override
    Tensor<?> load(String key) throws IOException {
        SafetensorsHeader.Entry entry = entries.get(key);
        if (mapped != null) {
            DataType type = entry.type(name);
            Tensor<?> made = MappedTensors.of(type, mapped, start + entry.begin, TensorLayout.rowMajor(shape(name, entry, type)));
            if (made != null) {
                return made;
            }
        }
        return elements(new ByteInput.OfFile(name, channel(), start + entry.begin, start + entry.end), entry);
    }

    @Override
    Tensor<?> load(String key, TensorIndex... indices) throws IOException {
        SafetensorsHeader.Entry entry = entries.get(key);
        DataType type = entry.type(name);
        return new ElementSelection(name, channel(), start + entry.begin, type, false).read(Layout.rowMajor(shape(name, entry, type)), indices);
    }

    private static long[] shape(String file, SafetensorsHeader.Entry entry, DataType type) {
        try {
            return Shapes.check(entry.shape, type.byteSize());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": `" + entry.name + "`: " + e.getMessage(), e);
        }
    }

    private static Tensor<?> elements(ByteInput in, SafetensorsHeader.Entry entry) throws IOException {
        DataType type = entry.type(in.name);
        try (WritableTensor elements = ElementInput.read(in, type, false, shape(in.name, entry, type))) {
            return elements.publish();
        }
    }

    /** Reads all tensors of a file, in its order. */
    public static Map<String, Tensor<?>> read(Path file) {
        return FileCalls.read(file, SafetensorsFile::all);
    }

    /** Reads all tensors of a stream, which is left behind them. */
    public static Map<String, Tensor<?>> read(InputStream stream) {
        return FileCalls.read(stream, SafetensorsFile::all);
    }

    private static Map<String, Tensor<?>> all(ByteInput in) throws IOException {
        SafetensorsHeader header = SafetensorsHeader.read(in);
        header.entries().forEach(entry -> entry.type(in.name));
        Map<String, Tensor<?>> tensors = new LinkedHashMap<>();
        try {
            for (SafetensorsHeader.Entry entry : header.entries()) {
                tensors.put(entry.name, elements(in, entry));
            }
            return tensors;
        } catch (Throwable e) {
            tensors.values().forEach(Tensor::close);
            throw e;
        }
    }

    // ---- Writing -------------------------------------------------------------------------------------------------------

    /** Writes a file. */
    public static void write(Path file, Map<String, AnyTensor<?>> tensors, Map<String, String> metadata) {
        Writing writing = new Writing(tensors, metadata);
        FileCalls.write(file, writing::write);
    }

    /** Writes to a stream, which is neither flushed nor closed. */
    public static void write(OutputStream stream, Map<String, AnyTensor<?>> tensors, Map<String, String> metadata) {
        FileCalls.write(Objects.requireNonNull(stream, "out"), new Writing(tensors, metadata)::write);
    }

    private static final class Writing {
        private final byte[] header;
        private final List<TensorData<?>> inOrder = new ArrayList<>();

        Writing(Map<String, AnyTensor<?>> tensors, Map<String, String> metadata) {
            for (Map.Entry<String, AnyTensor<?>> entry : tensors.entrySet()) {
                AnyTensor<?> tensor = entry.getValue();
                if (!(tensor instanceof Tensor) || ElementCodes.safetensors(tensor.dataType()) == null) {
                    throw new IllegalArgumentException("\"" + entry.getKey() + "\" is a " + tensor.getClass().getSimpleName() + " of "
                        + tensor.dataType() + ": safetensors files have dense tensors of numbers and booleans alone");
                }
            }
            List<String> names = new ArrayList<>(tensors.keySet());
            names.sort((one, other) -> {
                int byType = ElementCodes.order(tensors.get(one).dataType()) - ElementCodes.order(tensors.get(other).dataType());
                return byType != 0 ? byType : compare(one, other);
            });
            SafetensorsHeader.Builder builder = new SafetensorsHeader.Builder();
            for (String name : names) {
                TensorData<?> data = AnyData.of(tensors.get(name));
                builder.add(name, data.dataType(), data.totalSize() * data.dataType().byteSize(), data.shape());
                inOrder.add(data);
            }
            header = builder.bytes(metadata);
        }

        /** Compares by code points, as UTF-8 does. */
        private static int compare(String one, String other) {
            int[] a = one.codePoints().toArray();
            int[] b = other.codePoints().toArray();
            for (int n = 0; n < Math.min(a.length, b.length); n++) {
                if (a[n] != b[n]) {
                    return Integer.compare(a[n], b[n]);
                }
            }
            return a.length - b.length;
        }

        void write(OutputStream out) throws IOException {
            out.write(header);
            try (ElementOutput elements = new ElementOutput(out)) {
                for (TensorData<?> data : inOrder) {
                    elements.write(data);
                }
            }
        }
    }
}
