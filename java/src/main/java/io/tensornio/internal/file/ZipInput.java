package io.tensornio.internal.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** The bytes of an entry of a ZIP file: as they are stored, or inflated, of which there are no more than the directory says. */
final class ZipInput extends ByteInput implements AutoCloseable {
    private static final int CHUNK = 1 << 16;

    private final ZipDirectory.Entry entry;
    private final ByteInput packed;
    private final CRC32 crc = new CRC32();
    private final byte[] chunk = new byte[CHUNK];
    /** What inflates, and the bytes that it was given last; null if the entry is stored. */
    private final Inflater inflater;
    private final byte[] given;
    private long left;

    ZipInput(String name, ZipDirectory.Entry entry, ByteInput packed) {
        super(name);
        this.entry = entry;
        this.packed = packed;
        left = entry.size;
        boolean isDeflated = entry.method == ZipDirectory.DEFLATED;
        inflater = isDeflated ? new Inflater(true) : null;
        given = isDeflated ? new byte[CHUNK] : null;
    }

    /** The number of bytes that are left; -1 if the entry is compressed, as then what it says may be a lie. */
    @Override
    long left() {
        return inflater == null ? left : -1;
    }

    @Override
    int read(ByteBuffer to) throws IOException {
        int most = (int) Math.min(Math.min(CHUNK, to.remaining()), left);
        if (most == 0) {
            return to.hasRemaining() ? -1 : 0;
        }
        int count = inflater == null ? packed.read(ByteBuffer.wrap(chunk, 0, most)) : inflate(most);
        if (count < 0) {
            throw truncated("the entry ends " + left + " bytes too early");
        }
        crc.update(chunk, 0, count);
        to.put(chunk, 0, count);
        left -= count;
        return count;
    }

    private int inflate(int most) throws IOException {
        try {
            while (true) {
                int count = inflater.inflate(chunk, 0, most);
                if (count > 0 || inflater.finished()) {
                    return count > 0 ? count : -1;
                }
                if (inflater.needsDictionary()) {
                    throw malformed("it is compressed with a dictionary");
                }
                int more = packed.read(ByteBuffer.wrap(given));
                if (more < 0) {
                    return -1;
                }
                inflater.setInput(given, 0, more);
            }
        } catch (DataFormatException e) {
            throw new IllegalArgumentException(name + ": what is compressed is malformed: " + e.getMessage(), e);
        }
    }

    /** Checks that all has been read, and is what was written. */
    void finish() throws IOException {
        if (left > 0) {
            throw malformed(left + " bytes follow the array");
        }
        if (inflater != null && inflate(1) > 0) {
            throw malformed("there is more than the directory says");
        }
        if ((int) crc.getValue() != entry.crc) {
            throw malformed("the checksum is not the one of what was written");
        }
    }

    @Override
    public void close() {
        if (inflater != null) {
            inflater.end();
        }
    }
}
