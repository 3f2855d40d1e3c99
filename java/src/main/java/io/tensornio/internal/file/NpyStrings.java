package io.tensornio.internal.file;

import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The strings of a .npy file, each of the same number of bytes: code points of four bytes, or bytes alone. NULs at the end are no part of them. */
final class NpyStrings {
    private final ByteInput in;
    private final NpyHeader header;
    private final Bytes bytes;
    private final byte[] element;

    /** Takes the bytes of all of them. */
    NpyStrings(ByteInput in, NpyHeader header, Bytes bytes) {
        this.in = in;
        this.header = header;
        this.bytes = bytes;
        element = new byte[header.width];
    }

    Tensor<String> tensor() {
        return Tensors.denseString(header.shape, data -> fill(header.isFortran ? data.transpose() : data));
    }

    /** Puts them into data in the order of the file. */
    private void fill(StringTensorData data) {
        long[] shape = data.shape();
        int[] indices = new int[shape.length];
        long count = Shapes.product(shape);
        for (long n = 0; n < count; n++) {
            read(n * element.length);
            long[] coordinates = Shapes.coordinates(shape, n);
            for (int d = 0; d < indices.length; d++) {
                indices[d] = (int) coordinates[d];
            }
            if (header.strings == 'U') {
                data.put(text(n), indices);
            } else {
                int length = element.length;
                while (length > 0 && element[length - 1] == 0) {
                    length--;
                }
                data.putBytes(Arrays.copyOf(element, length), indices);
            }
        }
    }

    /** An element, which may span two segments. */
    private void read(long from) {
        for (int have = 0; have < element.length; ) {
            ByteBuffer part = bytes.at(from + have, element.length - have);
            int count = part.remaining();
            part.get(element, have, count);
            have += count;
        }
    }

    private String text(long place) {
        ByteBuffer points = ByteBuffer.wrap(element).order(header.isSwapped ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        int length = element.length / 4;
        while (length > 0 && points.getInt(4 * (length - 1)) == 0) {
            length--;
        }
        StringBuilder text = new StringBuilder(length);
        for (int n = 0; n < length; n++) {
            int point = points.getInt(4 * n);
            if (!Character.isValidCodePoint(point) || point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                throw in.malformed("string " + place + " has 0x" + Integer.toHexString(point) + " at character " + n + ", which is no code point");
            }
            text.appendCodePoint(point);
        }
        return text.toString();
    }
}
