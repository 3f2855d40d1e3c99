package io.tensornio.internal.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The directory of a ZIP file, which alone says what its entries are: it is at the end of the file, and the entries before it. See APPNOTE.TXT of
 * PKWARE for the format, of which this reads stored and deflated entries, also those beyond 4 GiB.
 */
final class ZipDirectory {
    static final int STORED = 0;
    static final int DEFLATED = 8;

    private static final int END = 0x06054b50;
    private static final int END_LENGTH = 22;
    private static final int LOCATOR = 0x07064b50;
    private static final int LOCATOR_LENGTH = 20;
    private static final int END_64 = 0x06064b50;
    private static final int END_64_LENGTH = 56;
    private static final int CENTRAL = 0x02014b50;
    private static final int CENTRAL_LENGTH = 46;
    private static final int LOCAL = 0x04034b50;
    private static final int LOCAL_LENGTH = 30;
    private static final int MOST_COMMENT = 0xffff;
    private static final long NONE = 0xffffffffL;
    private static final long LARGEST = 100_000_000;
    private static final int ENCRYPTED = 1 | 1 << 6 | 1 << 13;
    private static final int UTF_8 = 1 << 11;

    /** The file. */
    interface Parts {
        /** The bytes from one position to another. */
        ByteInput part(long start, long end);
    }

    /** An entry: its bytes in the file, and what they are. */
    static final class Entry {
        final String name;
        final int method;
        final int crc;
        /** The number of bytes in the file, and after they are inflated. */
        final long packed;
        final long size;
        private final byte[] rawName;
        private final long offset;

        Entry(String name, byte[] rawName, int method, int crc, long packed, long size, long offset) {
            this.name = name;
            this.rawName = rawName;
            this.method = method;
            this.crc = crc;
            this.packed = packed;
            this.size = size;
            this.offset = offset;
        }

        private long least() {
            return offset + LOCAL_LENGTH + rawName.length + packed;
        }
    }

    private final String file;
    private final Parts parts;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    /** Where the directory begins. */
    private long start;

    /** Reads the directory of a file of so many bytes. */
    ZipDirectory(String file, Parts parts, long size) throws IOException {
        this.file = file;
        this.parts = parts;
        read(size);
    }

    /** The entries by name, in the order of the directory. */
    Map<String, Entry> entries() {
        return entries;
    }

    private IllegalArgumentException malformed(String fault) {
        return new IllegalArgumentException(file + ": " + fault);
    }

    private ByteBuffer bytes(long from, long length) throws IOException {
        return ByteBuffer.wrap(parts.part(from, from + length).bytes((int) length)).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static long unsigned(ByteBuffer from, int at) {
        return from.getInt(at) & NONE;
    }

    private static int unsignedShort(ByteBuffer from, int at) {
        return from.getShort(at) & 0xffff;
    }

    private void read(long size) throws IOException {
        long from = Math.max(0, size - END_LENGTH - MOST_COMMENT);
        ByteBuffer tail = bytes(from, size - from);
        int at = tail.capacity() - END_LENGTH;
        while (at >= 0 && !(tail.getInt(at) == END && unsignedShort(tail, at + 20) == tail.capacity() - at - END_LENGTH)) {
            at--;
        }
        if (at < 0) {
            throw malformed("this is no ZIP file, or it is truncated: there is no directory at its end");
        }
        long end = from + at;
        long count = unsignedShort(tail, at + 10);
        long length = unsigned(tail, at + 12);
        start = unsigned(tail, at + 16);
        boolean isOne = tail.getInt(at + 4) == 0 && tail.getShort(at + 8) == tail.getShort(at + 10);
        if (count == MOST_COMMENT || length == NONE || start == NONE) {
            if (end < LOCATOR_LENGTH + END_64_LENGTH) {
                throw malformed("the directory has no ZIP64 end");
            }
            ByteBuffer locator = bytes(end - LOCATOR_LENGTH, LOCATOR_LENGTH);
            long end64 = locator.getLong(8);
            if (locator.getInt(0) != LOCATOR || end64 < 0 || end64 > end - LOCATOR_LENGTH - END_64_LENGTH) {
                throw malformed("the directory has no ZIP64 end");
            }
            ByteBuffer large = bytes(end64, END_64_LENGTH);
            if (large.getInt(0) != END_64) {
                throw malformed("the directory has no ZIP64 end");
            }
            isOne = large.getLong(16) == 0 && large.getLong(24) == large.getLong(32);
            count = large.getLong(32);
            length = large.getLong(40);
            start = large.getLong(48);
            end = end64;
        }
        if (!isOne || length < 0 || start < 0 || length > LARGEST || start != end - length || count < 0 || count > length / CENTRAL_LENGTH) {
            throw malformed("the directory of " + count + " entries and " + length + " bytes at " + start + " is not the one that ends at " + end);
        }
        readEntries(bytes(start, length), count);
    }

    private void readEntries(ByteBuffer directory, long count) {
        int at = 0;
        for (long n = 0; n < count; n++) {
            if (directory.capacity() - at < CENTRAL_LENGTH || directory.getInt(at) != CENTRAL) {
                throw malformed("entry " + n + " of the directory is malformed");
            }
            int nameLength = unsignedShort(directory, at + 28);
            int extraLength = unsignedShort(directory, at + 30);
            int next = at + CENTRAL_LENGTH + nameLength + extraLength + unsignedShort(directory, at + 32);
            if (next > directory.capacity()) {
                throw malformed("entry " + n + " of the directory is malformed");
            }
            Entry entry = entry(directory, at, nameLength, extraLength);
            if (entries.put(entry.name, entry) != null) {
                throw malformed("the entry \"" + entry.name + "\" is there twice");
            }
            at = next;
        }
        if (at != directory.capacity()) {
            throw malformed("the directory has " + (directory.capacity() - at) + " bytes more than its entries");
        }
        List<Entry> byPlace = new ArrayList<>(entries.values());
        byPlace.sort(Comparator.comparingLong(entry -> entry.offset));
        for (int n = 0; n < byPlace.size(); n++) {
            Entry entry = byPlace.get(n);
            long most = n + 1 < byPlace.size() ? byPlace.get(n + 1).offset : start;
            if (entry.packed > start || entry.offset > start || entry.least() > most) {
                throw malformed("the entry \"" + entry.name + "\" does not fit between its place, " + entry.offset + ", and what follows, " + most);
            }
        }
    }

    private Entry entry(ByteBuffer directory, int at, int nameLength, int extraLength) {
        byte[] raw = new byte[nameLength];
        ByteBuffer all = directory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        all.position(at + CENTRAL_LENGTH);
        all.get(raw);
        int flags = unsignedShort(directory, at + 8);
        String name = name(raw, (flags & UTF_8) != 0);
        int method = unsignedShort(directory, at + 10);
        long[] large = {unsigned(directory, at + 24), unsigned(directory, at + 20), unsigned(directory, at + 42)};
        int from = at + CENTRAL_LENGTH + nameLength;
        int to = from + extraLength;
        while (from + 4 <= to) {
            int field = unsignedShort(directory, from);
            int place = from + 4;
            from = place + unsignedShort(directory, from + 2);
            for (int k = 0; field == 1 && k < large.length; k++) {
                if (large[k] == NONE && place + 8 <= Math.min(from, to)) {
                    large[k] = directory.getLong(place);
                    place += 8;
                }
            }
        }
        for (long value : large) {
            if (value < 0) {
                throw malformed("the entry \"" + name + "\" has a size or place beyond 2^63");
            }
        }
        if ((flags & ENCRYPTED) != 0) {
            throw malformed("the entry \"" + name + "\" is encrypted");
        }
        if (method != STORED && method != DEFLATED) {
            throw malformed("the entry \"" + name + "\" is compressed by method " + method + "; stored and deflated ones are read");
        }
        if (method == STORED && large[0] != large[1]) {
            throw malformed("the entry \"" + name + "\" is stored, but has " + large[1] + " bytes in the file and " + large[0] + " outside");
        }
        return new Entry(name, raw, method, directory.getInt(at + 16), large[1], large[0], large[2]);
    }

    private String name(byte[] raw, boolean isUtf8) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(raw)).toString();
        } catch (CharacterCodingException e) {
            if (isUtf8) {
                throw malformed("the name of an entry is not UTF-8");
            }
            return new String(raw, StandardCharsets.ISO_8859_1);
        }
    }

    /** Where the bytes of an entry begin in the file. */
    long begin(Entry entry) throws IOException {
        if (start - entry.offset < LOCAL_LENGTH) {
            throw malformed("the entry \"" + entry.name + "\" does not fit");
        }
        ByteBuffer local = bytes(entry.offset, LOCAL_LENGTH);
        long begin = entry.offset + LOCAL_LENGTH + unsignedShort(local, 26) + unsignedShort(local, 28);
        if (local.getInt(0) != LOCAL || unsignedShort(local, 8) != entry.method || unsignedShort(local, 26) != entry.rawName.length
            || entry.packed > start - begin || !bytes(entry.offset + LOCAL_LENGTH, entry.rawName.length).equals(ByteBuffer.wrap(entry.rawName))) {
            throw malformed("the entry \"" + entry.name + "\" is not what the directory says");
        }
        return begin;
    }

    /** The bytes of an entry, from its first one on. */
    ZipInput open(Entry entry) throws IOException {
        long begin = begin(entry);
        return new ZipInput(file + ": " + entry.name, entry, parts.part(begin, begin + entry.packed));
    }
}
