package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.from;
import static io.tensornio.TensorIndex.incl;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.SparseTensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.nio.LongBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Sparse {@code float} data between the mark of a close and the loss of the buffer, when coordinates may read as zeros and values may still be there:
 * what is found is not believed.
 */
@ExtendWith(MemoryBalance.class)
class FloatSparseCloseTest {
    private SparseTensor<Float> tensor;
    private FloatTensorData data;

    @BeforeEach
    void make() {
        //#if float byte
        float one = (float) 1;
        //#end
        //~double,int,long float one = 1;
        //~boolean boolean one = true;
        //~string String one = "one";
        tensor = Tensors.sparseFloat(new long[] {4, 6}, 3, all -> {
            all.put(one, 0, 1);
            all.put(one, 1, 0);
            all.put(one, 3, 5);
        });
        data = tensor.floatData();
        FloatSparse sparse = (FloatSparse) ((OwnData<?, ?>) data).published();
        LongBuffer coordinates = sparse.indices.rd;
        sparse.indices.close();
        sparse.indices.rd = coordinates;
    }

    @AfterEach
    void close() {
        tensor.close();
    }

    private static void closed(Runnable read) {
        Expect.thrown(TensorClosedException.class, read::run, "[4, 6]", "closed");
    }

    private static void walk(FloatTensorData data) {
        closed(() -> data.scalars().forEach(value -> { }));
    }

    @Test
    void singleElements() {
        closed(() -> data.get(1, 0));
        closed(() -> data.slice(3).get(5));
        assertEquals(FloatElement.ZERO, data.get(0, 0));        // nothing was found
    }

    @Test
    void iterators() {
        walk(data);
        walk(data.slice(flip()));
    }

    /** The first elements of a list are searched for, the others are told by a walk. */
    @Test
    void iteratorsThroughLists() {
        walk(data.slice(all(), incl(2, 1)));
        walk(data.slice(all(), incl(0, 0)));
    }

    @Test
    void bulkReads() {
        float[] array = new float[24];
        closed(() -> data.copyTo(array));
        closed(() -> data.slice(flip()).copyTo(array));
        closed(() -> data.slice(all(), incl(0, 5)).copyTo(array));
    }

    @Test
    void copies() {
        closed(() -> Tensors.create(data).close());
        closed(() -> Tensors.create(data.slice(from(1))).close());
        closed(() -> SparseTensor.fromDense(data).close());
    }
}
