package io.tensornio.internal.file;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorLayout;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.memory.MappedFile;
import io.tensornio.internal.memory.Platform;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/** Tensors that stay in their files, where these can be mapped. */
final class MappedTensors {
    private MappedTensors() {
    }

    /** What uses a file that is open. */
    interface Use<R> {
        /** Returns null if the file cannot be mapped as it is. */
        R use(MappedFile file) throws IOException;
    }

    /**
     * Opens a file for tensors, which keep it open.
     *
     * @param other reads what cannot be mapped, such as a pipe, a file in an archive, or any on Android, where a file that is cut short would end the
     *     process
     */
    static <R> R use(Path path, Use<R> use, Supplier<R> other) {
        if (path.getFileSystem() != FileSystems.getDefault() || Platform.isAndroid() || Files.exists(path) && !Files.isRegularFile(path)) {
            return other.get();
        }
        R made = FileCalls.call(path, () -> {
            MappedFile file = MappedFile.open(path);
            try {
                return use.use(file);
            } finally {
                file.release();
            }
        });
        return made != null ? made : other.get();
    }

    /**
     * Maps the elements from a position on.
     *
     * @return a tensor that the caller closes; null if there are no elements, they are not aligned, or the file system maps no files, or there are no
     *     addresses, which is an {@link IOException} of {@code java.nio}
     */
    static Tensor<?> of(DataType type, MappedFile file, long start, TensorLayout layout) {
        if (layout.extent() == 0 || start % type.byteSize() != 0) {
            return null;
        }
        try {
            return AnyData.mapped(type, file, start, layout);
        } catch (IOException | OutOfMemoryError e) {
            return null;
        }
    }
}
