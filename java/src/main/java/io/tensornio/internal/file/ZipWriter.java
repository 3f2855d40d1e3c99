package io.tensornio.internal.file;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes a ZIP file to a stream, which it neither flushes nor closes. The time of all entries is the same, so that equal content makes equal files.
 */
final class ZipWriter implements AutoCloseable {
    private static final long TIME = new GregorianCalendar(1980, Calendar.FEBRUARY, 1).getTimeInMillis();

    /** Its deflater, which only closing it would end, with the stream. */
    private static final class Zip extends ZipOutputStream {
        Zip(OutputStream out) {
            super(out);
        }

        Deflater deflater() {
            return def;
        }
    }

    /** The length and checksum of what is written. */
    private static final class Sum extends OutputStream {
        private final CRC32 crc = new CRC32();
        private long size;

        @Override
        public void write(int b) {
            crc.update(b);
            size++;
        }

        @Override
        public void write(byte[] bytes, int from, int count) {
            crc.update(bytes, from, count);
            size += count;
        }
    }

    private final Zip zip;
    private final boolean isCompressed;

    ZipWriter(OutputStream out, boolean isCompressed) {
        zip = new Zip(out);
        this.isCompressed = isCompressed;
    }

    /** Adds an entry. Of one that is stored, length and checksum come before its bytes: the content is written twice. */
    void add(String name, FileCalls.Writer content) throws IOException {
        ZipEntry entry;
        try {
            entry = new ZipEntry(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("\"" + name.substring(0, 100) + "...\" is too long for the name of an entry", e);
        }
        entry.setTime(TIME);
        entry.setMethod(isCompressed ? ZipEntry.DEFLATED : ZipEntry.STORED);
        if (!isCompressed) {
            Sum sum = new Sum();
            content.write(sum);
            entry.setSize(sum.size);
            entry.setCrc(sum.crc.getValue());
        }
        zip.putNextEntry(entry);
        content.write(zip);
        zip.closeEntry();
    }

    /** Writes the directory. */
    void finish() throws IOException {
        zip.finish();
    }

    @Override
    public void close() {
        zip.deflater().end();
    }
}
