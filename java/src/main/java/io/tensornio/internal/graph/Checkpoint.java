package io.tensornio.internal.graph;

import io.tensornio.DataType;
import io.tensornio.internal.compute.Conversion;
import io.tensornio.internal.data.WritableTensor;
import io.tensornio.internal.file.SafetensorsHeader;
import io.tensornio.internal.memory.Storage;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Tensors in a safetensors file: eight bytes with the length of a header, the header, which is JSON, and the elements, little-endian as native memory
 * is wherever there is a native library. See https://github.com/huggingface/safetensors for the format.
 */
final class Checkpoint {
    private static final int CHUNK = 1 << 16;

    private Checkpoint() {
    }

    private static String code(DataType type) {
        switch (type) {
            case FLOAT:
                return "F32";
            case DOUBLE:
                return "F64";
            case INT32:
                return "I32";
            case INT64:
                return "I64";
            case UINT8:
                return "U8";
            default:
                return "BOOL";
        }
    }

    /** Writes tensors, and texts about them. */
    static void write(OutputStream out, Map<String, Cell> tensors, Map<String, String> about) throws IOException {
        StringBuilder header = new StringBuilder("{\"__metadata__\":{");
        String separator = "";
        for (Map.Entry<String, String> text : about.entrySet()) {
            header.append(separator).append(quoted(text.getKey())).append(':').append(quoted(text.getValue()));
            separator = ",";
        }
        header.append('}');
        long begin = 0;
        for (Map.Entry<String, Cell> tensor : tensors.entrySet()) {
            Cell cell = tensor.getValue();
            long end = begin + cell.now().numBytes();
            header.append(',').append(quoted(tensor.getKey())).append(":{\"dtype\":\"").append(code(cell.type)).append("\",\"shape\":")
                .append(Arrays.toString(cell.shape).replace(" ", "")).append(",\"data_offsets\":[").append(begin).append(',').append(end)
                .append("]}");
            begin = end;
        }
        header.append('}');
        byte[] json = header.toString().getBytes(StandardCharsets.UTF_8);
        int padded = (json.length + 7) / 8 * 8;         // so that elements are aligned in a file that is mapped
        byte[] whole = Arrays.copyOf(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(padded).array(), 8 + padded);
        Arrays.fill(whole, 8, whole.length, (byte) ' ');
        System.arraycopy(json, 0, whole, 8, json.length);
        out.write(whole);
        byte[] chunk = new byte[CHUNK];
        for (Cell cell : tensors.values()) {
            for (ByteBuffer elements : cell.now().bytes()) {
                while (elements.hasRemaining()) {
                    int count = Math.min(chunk.length, elements.remaining());
                    elements.get(chunk, 0, count);
                    out.write(chunk, 0, count);
                }
            }
        }
        out.flush();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    /** What was read, apart from what it is to replace. */
    static final class Contents implements AutoCloseable {
        /** The number of steps; -1 if there is none. */
        long steps = -1;
        /** The name of the rule; empty if there is none. */
        String rule;
        private final Map<Cell, WritableTensor> tensors = new LinkedHashMap<>();

        /** Replaces the elements of the cells; nothing can fail. */
        void commit() {
            tensors.forEach(Cell::replace);
            tensors.clear();
        }

        @Override
        public void close() {
            tensors.values().forEach(WritableTensor::close);
        }
    }

    /**
     * Reads just these tensors.
     *
     * @param expected the tensors by key
     * @param names the names of parameters by key, for those that have one
     * @param check looks at the header first, and may refuse it
     * @throws IllegalArgumentException if it is no such file, or tensors are missing, there are others, or they have other names, types or shapes
     * @throws IOException if it ends too early, or cannot be read
     */
    static Contents read(InputStream in, Map<String, Cell> expected, Map<String, String> names, Consumer<CheckpointHeader> check)
            throws IOException {
        CheckpointHeader header = new CheckpointHeader(SafetensorsHeader.read("the checkpoint", in));
        check.accept(header);
        Contents contents = new Contents();
        try {
            contents.steps = steps(header.steps);
            contents.rule = header.rule;
            Map<Cell, DataType> types = order(header, expected, names);
            for (Cell cell : types.keySet()) {
                WritableTensor staged = WritableTensor.allocate(cell.type, cell.shape);
                contents.tensors.put(cell, staged);
                DataType stored = types.get(cell);
                if (stored == cell.type) {
                    fill(staged, in);
                    continue;
                }
                try (WritableTensor narrow = WritableTensor.allocate(stored, cell.shape)) {
                    fill(narrow, in);
                    Conversion.into(narrow.elements(), staged.elements());
                }
            }
            if (in.read() >= 0) {
                throw new IllegalArgumentException("there is something after the last tensor");
            }
            return contents;
        } catch (Throwable e) {
            contents.close();
            throw e;
        }
    }

    private static long steps(String text) {
        if (text.isEmpty()) {
            return -1;
        }
        if (!text.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException("`" + text + "` is no number of steps");
        }
        return Long.parseLong(text);
    }

    /** The tensors by their place, with their types in the file; all that does not fit is told at once. */
    private static Map<Cell, DataType> order(CheckpointHeader header, Map<String, Cell> expected, Map<String, String> names) {
        Set<String> missing = new HashSet<>(expected.keySet());
        List<String> faults = new ArrayList<>();
        Map<Cell, DataType> order = new LinkedHashMap<>();
        Map<String, String> keys = header.keys(expected.keySet(), names, faults);
        for (CheckpointHeader.Entry entry : header.entries) {
            String key = keys.get(entry.key);
            Cell cell = key == null ? null : expected.get(key);
            missing.remove(key);
            if (cell == null) {
                faults.add(header.told(entry.key) + " is none of this graph's");
                continue;
            }
            DataType stored = stored(entry.type, cell.type);
            order.put(cell, stored);
            String shape = Arrays.toString(cell.shape).replaceAll("[\\[\\] ]", "");
            if (stored == null || !entry.shape.equals(shape)) {
                faults.add(header.told(entry.key) + " is " + entry.type + " of shape [" + entry.shape + "] in the file and " + code(cell.type)
                    + " of shape [" + shape + "] in this graph");
            }
        }
        for (String key : expected.keySet()) {
            if (missing.contains(key)) {
                faults.add(header.told(key, names) + " is missing");
            }
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException("the checkpoint does not fit: " + String.join("; ", faults));
        }
        return order;
    }

    /** The type of a tensor in the file that is loaded to one of another type, the same or narrower; null if it does not fit. */
    private static DataType stored(String code, DataType type) {
        if (type == DataType.FLOAT && (code.equals("F16") || code.equals("BF16"))) {
            return code.equals("F16") ? DataType.FLOAT16 : DataType.BFLOAT16;
        }
        return code.equals(code(type)) ? type : null;
    }

    private static void fill(WritableTensor staged, InputStream in) throws IOException {
        Storage pinned = staged.pin();
        try {
            long left = staged.numBytes();
            byte[] chunk = new byte[(int) Math.min(CHUNK, Math.max(left, 1))];
            for (ByteBuffer elements : staged.bytes()) {
                while (elements.hasRemaining()) {
                    int count = in.read(chunk, 0, Math.min(chunk.length, elements.remaining()));
                    if (count < 0) {
                        throw new EOFException("the checkpoint ends " + left + " bytes before the end of a tensor");
                    }
                    elements.put(chunk, 0, count);
                    left -= count;
                }
            }
        } finally {
            pinned.unpin();
        }
    }
}
