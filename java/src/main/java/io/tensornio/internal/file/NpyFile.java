package io.tensornio.internal.file;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.TensorDescription;
import io.tensornio.TensorLayout;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Objects;

/** What {@link io.tensornio.io.Npy} does. */
public final class NpyFile {
    private NpyFile() {
    }

    /** Reads a file, which ends with its array, of a type if that is not null. */
    public static Tensor<?> read(Path file, DataType wanted) {
        return FileCalls.read(file, in -> {
            NpyHeader header = NpyHeader.read(in, wanted);
            checkEnd(in, header);
            Tensor<?> tensor = NpyArray.elements(in, header);
            try {
                FileCalls.checkEnd(in);
                return tensor;
            } catch (Throwable e) {
                tensor.close();
                throw e;
            }
        });
    }

    /** Maps a file, whose array stays in it; reads it if it cannot be mapped as it is. */
    public static Tensor<?> map(Path file) {
        return MappedTensors.use(file, mapped -> {
            ByteInput.OfFile in = new ByteInput.OfFile(file.toString(), mapped.channel(), 0, mapped.channel().size());
            NpyHeader header = NpyHeader.read(in, null);
            checkEnd(in, header);
            if (header.strings != 0 || header.isSwapped) {
                return null;
            }
            return MappedTensors.of(header.type, mapped, in.position(), header.isFortran ? TensorLayout.columnMajor(header.shape)
                : TensorLayout.rowMajor(header.shape));
        }, () -> read(file, null));
    }

    private static void checkEnd(ByteInput in, NpyHeader header) throws IOException {
        in.need(header.bytes());
        if (in.left() > header.bytes()) {
            throw in.malformed(in.left() - header.bytes() + " bytes follow the array");
        }
    }

    /** Reads an array of a stream, which is left behind it. */
    public static Tensor<?> read(InputStream stream) {
        return FileCalls.read(stream, in -> NpyArray.read(in, null));
    }

    /** Reads the header of a file, and checks that the array is there. */
    public static TensorDescription describe(Path file) {
        return FileCalls.read(file, in -> {
            NpyHeader header = NpyHeader.read(in, null);
            checkEnd(in, header);
            return NpyArray.describe(header);
        });
    }

    /** Writes a file. */
    public static void write(Path file, TensorData<?> data) {
        NpyArray.check(data);
        FileCalls.write(file, out -> NpyArray.write(out, data));
    }

    /** Writes to a stream, which is neither flushed nor closed. */
    public static void write(OutputStream stream, TensorData<?> data) {
        NpyArray.check(data);
        FileCalls.write(Objects.requireNonNull(stream, "out"), out -> NpyArray.write(out, data));
    }
}
