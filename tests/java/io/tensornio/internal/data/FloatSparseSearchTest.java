package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.excl;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.from;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.step;
import static io.tensornio.TensorIndex.to;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.internal.sparse.Sparse;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Field;
//#if buffer
import java.nio.FloatBuffer;
//#end
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Which reads of sparse {@code float} data search for each element: what is stored counts its searches, up to one for so many values, to know when
 * samples pay.
 */
class FloatSparseSearchTest {
    private static final int SIDE = 64;
    private static final TensorIndex[][] SLICES = {{}, {flip()}, {step(3), step(2)}, {excl(5), excl(1, 7)}, {all(), incl(9, 1, 1, 60)}, {at(7)},
        {all(), at(7)}, {from(3), to(4)}, {flip(), flip()}};

    private final SparseTensor<Float> tensor = Tensors.sparseFloat(new long[] {SIDE, SIDE}, SIDE * SIDE, FloatSparseSearchTest::fill);
    private final FloatTensorData data = tensor.floatData();

    private static void fill(FloatTensorData data) {
        FloatTensorIterator scalars = data.scalars();
        for (int i = 0; scalars.hasMoreElements(); i++) {
            //#if float double int long
            scalars.put(i);
            //#end
            //~byte scalars.put((byte) i);
            //~boolean scalars.put(i % 3 == 0);
            //~string scalars.put("s" + i);
        }
    }

    @AfterEach
    void close() {
        tensor.close();
    }

    /** How many searches were made; a number above all others once samples were taken, since they are counted no more. */
    private int searches() {
        try {
            Field searches = Sparse.class.getDeclaredField("searches");
            Field samples = Sparse.class.getDeclaredField("samples");
            searches.setAccessible(true);
            samples.setAccessible(true);
            FloatSparse sparse = (FloatSparse) ((OwnData<?, ?>) data).published();
            return samples.get(sparse) != null ? Integer.MAX_VALUE : searches.getInt(sparse);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private interface Read {
        void of(FloatTensorData slice) throws IOException;
    }

    /** That a read of any slice leaves the count as it was. */
    private void searchesNothing(String what, Read read) {
        for (TensorIndex[] indices : SLICES) {
            FloatTensorData slice = data.slice(indices);
            try {
                read.of(slice);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            assertEquals(0, searches(), () -> what + " of a slice of the shape " + Arrays.toString(slice.shape()));
        }
    }

    @Test
    void onlyAReadOfOneElementIsASearch() {
        assertEquals(0, searches());
        data.get(3, 4);
        data.slice(at(5)).get(6);
        data.slice(at(5), at(6)).get();
        assertEquals(3, searches());
        for (int i = 0; i < SIDE; i++) {
            data.get(i, i);
        }
        assertNotEquals(0, searches());
    }

    @Test
    void iteratorsSearchForNoElement() {
        searchesNothing("scalars", slice -> {
            for (FloatTensorIterator scalars = slice.scalars(); scalars.hasMoreElements(); ) {
                scalars.get();
            }
        });
        searchesNothing("forEach", slice -> slice.scalars().forEach(value -> { }));
        searchesNothing("rows", slice -> {
            if (slice.rank() > 1) {
                slice.elements().forEach(row -> row.scalars().forEach(value -> { }));
            }
        });
    }

    @Test
    void streamsSearchForNoElement() {
        searchesNothing("stream", slice -> slice.stream().toArray());
        searchesNothing("a parallel stream", slice -> slice.stream().parallel().toArray());
    }

    @Test
    void bulkReadsSearchForNoElement() {
        searchesNothing("copyTo an array", slice -> slice.copyTo(new float[(int) slice.totalSize()]));
        //#if buffer
        searchesNothing("get to a buffer", slice -> slice.get(FloatBuffer.allocate((int) slice.totalSize())));
        //#end
        searchesNothing("create", slice -> Tensors.create(slice).close());
        searchesNothing("fromDense", slice -> SparseTensor.fromDense(slice).close());
        searchesNothing("writeTo", slice -> slice.writeTo(new DataOutputStream(new ByteArrayOutputStream())));
        searchesNothing("toNested", FloatTensorData::toNested);
    }

    @Test
    void comparisonsSearchForNoElement() {
        try (SparseTensor<Float> other = Tensors.sparseFloat(new long[] {SIDE, SIDE}, SIDE * SIDE, FloatSparseSearchTest::fill)) {
            for (TensorIndex[] indices : SLICES) {
                assertEquals(other.floatData().slice(indices), data.slice(indices));
            }
            assertEquals(0, searches());
        }
        searchesNothing("equals", slice -> {
            try (Tensor<Float> dense = Tensors.create(slice)) {
                assertEquals(dense.floatData(), slice);
                assertEquals(slice, dense.floatData());
            }
        });
        searchesNothing("hashCode", FloatTensorData::hashCode);
    }

    @Test
    void listsInNoOrderAreReadBySamples() {
        long[] rows = new long[SIDE];
        Arrays.setAll(rows, i -> i * 37 % SIDE);
        FloatTensorData slice = data.slice(incl(rows), at(7));
        assertEquals(data.get(37, 7), slice.get(1));
        assertEquals(2, searches());
        slice.copyTo(new float[SIDE]);
        assertEquals(Integer.MAX_VALUE, searches(), "no samples");
    }
}
