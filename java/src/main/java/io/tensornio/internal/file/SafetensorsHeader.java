package io.tensornio.internal.file;

import io.tensornio.DataType;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The header of a safetensors file: eight bytes with its length, and JSON that says of each tensor its type, its shape and its place; the elements
 * follow, little-endian as native memory is wherever there is a native library. See https://github.com/huggingface/safetensors for the format.
 */
public final class SafetensorsHeader {
    /** The longest header that the format allows. */
    private static final long LARGEST = 100_000_000;
    private static final int LENGTH = 8;
    private static final String METADATA = "__metadata__";

    /** The texts of the metadata, in order; null if a header that is written is to have none. */
    private final Map<String, String> metadata;
    private final List<Entry> entries;

    private SafetensorsHeader(Map<String, String> metadata, List<Entry> entries) {
        this.metadata = metadata;
        this.entries = entries;
    }

    /** A tensor in a file. */
    public static final class Entry {
        final String name;
        /** The name of the type in the file, such as F32. */
        final String code;
        final long[] shape;
        /** Where the elements begin and end, in bytes from the end of the header on. */
        final long begin;
        final long end;

        private Entry(String name, String code, long[] shape, long begin, long end) {
            this.name = name;
            this.code = code;
            this.shape = shape;
            this.begin = begin;
            this.end = end;
        }

        private Entry(String line) {
            String[] parts = line.split("\t", -1);
            name = unescaped(parts[0]);
            code = parts[1];
            shape = parts[2].isEmpty() ? new long[0] : Arrays.stream(parts[2].split(",")).mapToLong(Long::parseLong).toArray();
            begin = Long.parseLong(parts[3]);
            end = Long.parseLong(parts[4]);
        }

        /** The name of the tensor. */
        public String name() {
            return name;
        }

        /** The name of the type in the file. */
        public String code() {
            return code;
        }

        /** The size of each axis. */
        public long[] shape() {
            return shape.clone();
        }

        /**
         * The type of the elements.
         *
         * @throws IllegalArgumentException if this library does not have it
         */
        DataType type(String file) {
            String type = ElementCodes.ofSafetensors(code);
            DataType known = type == null ? null : ElementCodes.type(type);
            if (known == null) {
                throw new IllegalArgumentException(file + ": the elements of `" + name + "` are " + code + ", which is no type of this library");
            }
            return known;
        }
    }

    /** The texts of the metadata, in order. */
    public Map<String, String> metadata() {
        return Collections.unmodifiableMap(metadata);
    }

    /** The tensors by their place. */
    public List<Entry> entries() {
        return Collections.unmodifiableList(entries);
    }

    /** The bytes of all elements. */
    long bytes() {
        return entries.isEmpty() ? 0 : entries.get(entries.size() - 1).end;
    }

    // ---- Reading -------------------------------------------------------------------------------------------------------

    /**
     * Reads the header of a stream, and no more of it.
     *
     * @param name what messages call the stream
     * @throws IllegalArgumentException if it is none
     * @throws IOException if it ends too early, or cannot be read
     */
    public static SafetensorsHeader read(String name, InputStream in) throws IOException {
        return read(new ByteInput.OfStream(name, in));
    }

    /** Reads a header; the input is then at the first element, and has them all if their number is known. */
    static SafetensorsHeader read(ByteInput in) throws IOException {
        in.need(LENGTH);
        long length = ByteBuffer.wrap(in.bytes(LENGTH)).order(ByteOrder.LITTLE_ENDIAN).getLong();
        if (length < 2 || length > LARGEST) {
            BigInteger bytes = BigInteger.valueOf(length).mod(BigInteger.ONE.shiftLeft(Long.SIZE));    // without a sign
            throw in.malformed("this is no safetensors file: its header would have " + bytes + " bytes, of at most " + LARGEST);
        }
        in.need(length);
        String json;
        try {
            json = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(in.bytes((int) length))).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(in.name + ": this is no safetensors file: its header is not UTF-8", e);
        }
        SafetensorsHeader header;
        try {
            header = parsed(NativeSafetensors.header(json));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(in.name + ": " + e.getMessage(), e);
        }
        in.need(header.bytes());
        if (in.left() > header.bytes()) {
            throw in.malformed(in.left() - header.bytes() + " bytes follow the last tensor");
        }
        return header;
    }

    private static SafetensorsHeader parsed(String answer) {
        String[] lines = answer.split("\n", -1);
        int texts = Integer.parseInt(lines[0]);
        Map<String, String> metadata = new LinkedHashMap<>();
        for (int n = 1; n <= texts; n++) {
            int tab = lines[n].indexOf('\t');
            metadata.put(unescaped(lines[n].substring(0, tab)), unescaped(lines[n].substring(tab + 1)));
        }
        List<Entry> entries = new ArrayList<>();
        for (int n = 1 + texts; n < lines.length; n++) {
            entries.add(new Entry(lines[n]));
        }
        return new SafetensorsHeader(metadata, entries);
    }

    private static String unescaped(String text) {
        if (text.indexOf('\\') < 0) {
            return text;
        }
        StringBuilder plain = new StringBuilder();
        for (int n = 0; n < text.length(); n++) {
            char c = text.charAt(n);
            if (c == '\\') {
                char next = text.charAt(++n);
                c = next == 'n' ? '\n' : next == 't' ? '\t' : next;
            }
            plain.append(c);
        }
        return plain.toString();
    }

    // ---- Writing -------------------------------------------------------------------------------------------------------

    /** Collects the tensors of a file that is to be written, one after the other. */
    static final class Builder {
        private final List<Entry> entries = new ArrayList<>();
        private long at;

        void add(String name, DataType type, long bytes, long... shape) {
            if (METADATA.equals(name)) {
                throw new IllegalArgumentException("a tensor cannot have the name " + METADATA);
            }
            entries.add(new Entry(name, ElementCodes.safetensors(type), shape, at, Math.addExact(at, bytes)));
            at += bytes;
        }

        /** The bytes of the header, as Python's {@code safetensors} writes them. */
        byte[] bytes(Map<String, String> metadata) {
            StringBuilder json = new StringBuilder("{");
            if (!metadata.isEmpty()) {
                json.append('"').append(METADATA).append("\":{");
                String separator = "";
                for (Map.Entry<String, String> text : metadata.entrySet()) {
                    quote(json.append(separator), text.getKey());
                    quote(json.append(':'), text.getValue());
                    separator = ",";
                }
                json.append('}');
            }
            for (Entry entry : entries) {
                quote(json.append(json.length() > 1 ? "," : ""), entry.name);
                json.append(":{\"dtype\":\"").append(entry.code).append("\",\"shape\":[");
                for (int d = 0; d < entry.shape.length; d++) {
                    json.append(d == 0 ? "" : ",").append(entry.shape[d]);
                }
                json.append("],\"data_offsets\":[").append(entry.begin).append(',').append(entry.end).append("]}");
            }
            ByteBuffer utf8;
            try {
                utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(json.append('}')));
            } catch (CharacterCodingException e) {
                throw new IllegalArgumentException("a name, or a text of the metadata, has an unpaired surrogate", e);
            }
            int padded = (utf8.remaining() + LENGTH - 1) / LENGTH * LENGTH;     // so that elements are aligned in a file that is mapped
            if (padded > LARGEST) {
                throw new IllegalArgumentException("the header would have " + padded + " bytes, of at most " + LARGEST);
            }
            byte[] whole = new byte[LENGTH + padded];
            Arrays.fill(whole, (byte) ' ');
            ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).putLong(padded).put(utf8);
            return whole;
        }

        private static void quote(StringBuilder to, String text) {
            to.append('"');
            for (int n = 0; n < text.length(); n++) {
                char c = text.charAt(n);
                int named = "\b\t\n\f\r\"\\".indexOf(c);
                if (named >= 0) {
                    to.append('\\').append("btnfr\"\\".charAt(named));
                } else if (c < ' ') {
                    to.append(String.format("\\u%04x", (int) c));
                } else {
                    to.append(c);
                }
            }
            to.append('"');
        }
    }
}
