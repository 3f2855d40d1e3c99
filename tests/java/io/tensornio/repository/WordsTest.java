package io.tensornio.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import java.io.ByteArrayInputStream;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What messages say to one who meant something else, and what is promised in words alone. */
class WordsTest {
    private static void namesCopyTo(IntTensorData data) {
        Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(new int[6]), "6 indices", "rank 2", "copyTo");
        IndexOutOfBoundsException outside = Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(new int[] {0, 7}), "index 7");
        assertFalse(outside.getMessage().contains("copyTo"), outside.getMessage());
    }

    @Test
    void coordinatesInPlaceOfAnArrayOfElementsNameCopyTo() {
        IntTensorData array = IntTensorData.of(new int[6], 2, 3);
        namesCopyTo(array);
        namesCopyTo(array.slice(TensorIndex.all(), TensorIndex.incl(1, 0, 2)));
        try (Tensor<Integer> dense = Tensors.create(array);
            SparseTensor<Integer> sparse = Tensors.sparseInt(new long[] {2, 3}, 1, data -> data.put(1, 1, 1));
            RaggedTensor<Integer> ragged = Tensors.raggedInt(new long[] {2, -1}, data -> {
                namesCopyTo(data);
                data.slice(0).put(new int[] {1, 2});
            })) {
            namesCopyTo(dense.intData());
            namesCopyTo(sparse.intData());
            namesCopyTo(ragged.intData());
        }
        IndexOutOfBoundsException longs = Expect.thrown(IndexOutOfBoundsException.class, () -> LongTensorData.of(new long[6], 2, 3)
            .get(new int[6]), "6 indices");
        assertFalse(longs.getMessage().contains("copyTo"), "the array is no array of longs");
    }

    @Test
    void aStringInAStreamIsToldByItsPosition() {
        byte[] malformed = {0, 1, (byte) 0x80};
        RuntimeException only = Expect.thrown(RuntimeException.class, () -> StringTensorData.of(new String[1])
            .write(new ByteArrayInputStream(malformed)), "the string at position 0 of the 1 element of [1] is no modified UTF-8");
        assertEquals(java.io.UTFDataFormatException.class, only.getCause().getClass());
        Expect.thrown(RuntimeException.class, () -> FloatTensorData.of(new float[1]).write(new ByteArrayInputStream(new byte[3])),
            "after 0 of the 1 element of [1] and 3 of the 4 bytes");
    }

    @Test
    void aWalkMayGoOnAfterItsConsumerHasClosedTheTensor() {
        AtomicInteger seen = new AtomicInteger();
        Tensor<Float> tensor = Tensors.denseFloat(new long[] {100}, data -> { });
        try {
            tensor.floatData().scalars().forEach(value -> {
                assertEquals(0, value);
                tensor.close();
                seen.incrementAndGet();
            });
        } catch (TensorClosedException e) {
            assertEquals(true, tensor.isClosed());
        }
        assertFalse(seen.get() == 0);
    }
}
