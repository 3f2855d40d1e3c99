package io.tensornio.internal.ragged;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.from;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.to;
import static io.tensornio.internal.ragged.FloatRaggedRows.row;
import static io.tensornio.internal.ragged.FloatRaggedRows.rows;
import static io.tensornio.internal.ragged.FloatRaggedRows.with;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorElements;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.LongValues;
import io.tensornio.support.MemoryBalance;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if buffer
import java.nio.FloatBuffer;
//#end

/** Ragged tensors of {@code float} elements: examples. */
@ExtendWith(MemoryBalance.class)
class FloatRaggedTest {
    private static float[] array(int from, int n) {
        return FloatValues.array(from, n);
    }

    @Test
    void rowsPutByArrays() {
        with(new long[] {3, -1}, FloatRaggedRows::three, tensor -> {
            FloatTensorData data = tensor.floatData();
            assertArrayEquals(new long[] {3, -1}, data.shape());
            assertArrayEquals(new long[] {3, -1}, tensor.shape());
            assertEquals(2, tensor.rank());
            assertEquals(DataType.FLOAT, tensor.dataType());
            assertEquals(-1, data.size(1));
            assertEquals(-1, tensor.size(1));
            assertEquals(6, data.totalSize());
            assertEquals(6, tensor.numElements());
            long bytes = 6 * DataType.FLOAT.byteSize();
            //~string bytes = 7 * 8 + 16;          // the third and the fifth are no ASCII
            assertEquals(bytes + 4 * 8, tensor.numBytes());
            rows(data, row(0, 1, 2), row(3), row(4, 5));
            assertArrayEquals(new long[] {0, 3, 4, 6}, LongValues.all(tensor.rowSplits(1).longData()));
            assertArrayEquals(array(0, 6), FloatValues.all(tensor.values().floatData()));
            //#if primitive
            assertEquals(6 * DataType.FLOAT.byteSize(), tensor.values().asByteBuffer().capacity());
            //#end
            //~string assertEquals(7, tensor.values().offsets().capacity());
            //~string assertEquals(16, tensor.values().bytes().capacity());
            assertEquals(bytes, tensor.values().numBytes());
        });
    }

    @Test
    void aRowGrowsWhereAnElementIsPutPastItsEnd() {
        with(new long[] {2, -1}, data -> {
            data.put(FloatValues.of(7), 0, 2);
            assertEquals(3, data.slice(0).size(0));
            assertEquals(FloatValues.ZERO, data.get(0, 1));
            data.put(FloatValues.of(8), 1, 0);
            data.put(FloatValues.of(9), 0, 3);
            data.put(FloatValues.of(1), 0, 0);
        }, tensor -> rows(tensor.floatData(), row(1, -1, 7, 9), row(8)));
    }

    @Test
    void aRowIsSetWholeAndGoesOnFromAPosition() {
        with(new long[] {2, -1}, data -> {
            data.put(array(0, 4), 0);
            data.put(array(10, 2), 0);              // shorter than it was
            rows(data, row(10, 11), row());
            data.put(array(20, 1), 0, 3);           // what lies between is zero, not what once was there
            data.put(array(30, 2), 1);
            data.put(array(40, 1), 1, 0);           // the tail stays
        }, tensor -> rows(tensor.floatData(), row(10, 11, -1, 20), row(40, 31)));
    }

    @Test
    void rowsAreSetInEveryForm() {
        with(new long[] {5, -1}, data -> {
            data.put(FloatTensorData.of(array(0, 2)), 0);
            data.put(FloatTensorData.of(array(2, 3)).stream(), 1);
            //#if buffer
            FloatBuffer buffer = FloatBuffer.wrap(array(4, 3));
            buffer.position(1);
            data.put(buffer, 2);
            assertEquals(3, buffer.position());
            //#end
            //~boolean,string data.put(array(5, 2), 2);
            data.put(data.slice(1), 3);
            data.put(data.slice(1).slice(flip()), 1);       // as if through a copy
            data.put(array(7, 3), 4);
            data.put(FloatTensorData.of(array(9, 1)).stream(), 4, 1);
            data.put(FloatTensorData.of(array(11, 1)).slice(0), 4, 3);
        }, tensor -> rows(tensor.floatData(), row(0, 1), row(4, 3, 2), row(5, 6), row(2, 3, 4), row(7, 9, 9, 11)));
    }

    @Test
    void theCursorSetsRows() {
        with(new long[] {4, -1}, data -> {
            FloatTensorElements cursor = data.elements();
            cursor.put(array(0, 3)).put(array(3, 1)).put(FloatTensorData.of(array(4, 2)));
            assertTrue(cursor.hasMoreElements());
            //#if buffer
            cursor.put(FloatBuffer.wrap(array(6, 1)));
            //#end
            //~boolean,string cursor.put(array(6, 1));
            assertFalse(cursor.hasMoreElements());
        }, tensor -> rows(tensor.floatData(), row(0, 1, 2), row(3), row(4, 5), row(6)));
    }

    @Test
    void aStreamOfBytesOverwritesARow() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        FloatTensorData.of(array(7, 2)).read(out);
        with(new long[] {2, -1}, data -> {
            data.put(array(0, 2), 1);
            data.slice(1).write(new ByteArrayInputStream(out.toByteArray()));
        }, tensor -> rows(tensor.floatData(), row(), row(7, 8)));
    }

    @Test
    void windowsGrowWithTheirRowsAndViewsDoNot() {
        FloatTensorData[] kept = new FloatTensorData[3];
        with(new long[] {2, -1}, data -> {
            kept[0] = data.slice(0);
            data.put(array(0, 2), 0);
            kept[1] = data.slice(all(), from(1));
            kept[2] = data.slice(at(0), all());
            data.put(array(10, 500), 1);
            data.slice(0).put(FloatValues.of(5), 2);
            data.put(array(20, 600), 1);                    // and rows move
            kept[1].put(FloatValues.of(6), 0, 0);
            assertEquals(FloatValues.of(6), data.get(0, 1));
        }, tensor -> {
            assertArrayEquals(new long[] {3}, kept[0].shape());
            assertEquals(FloatValues.of(5), kept[0].get(2));
            assertEquals(FloatValues.of(6), kept[0].get(1));
            rows(kept[1], row(6), row());
            assertArrayEquals(new long[] {2}, kept[2].shape());
            assertEquals(FloatValues.of(6), kept[2].get(1));
            for (FloatTensorData data : kept) {
                assertTrue(data.isReadOnly());
            }
        });
    }

    @Test
    void aViewOfWhatARowHasNoMore() {
        with(new long[] {1, -1}, data -> {
            data.put(array(0, 3), 0);
            FloatTensorData view = data.slice(at(0), all());
            data.put(array(5, 1), 0);
            assertEquals(FloatValues.of(5), view.get(0));
            Expect.thrown(IndexOutOfBoundsException.class, () -> view.get(2), "the element [0, 2]", "has 1 element");
            Expect.thrown(IndexOutOfBoundsException.class, () -> view.put(FloatValues.of(1), 1), "the element [0, 1]");
        }, tensor -> rows(tensor.floatData(), row(5)));
    }

    @Test
    void uniformDimensionsInside() {
        with(new long[] {2, -1, 2}, data -> {
            data.put(array(0, 4), 0);
            data.put(array(4, 2), 1, 1);
            data.put(FloatValues.of(6), 1, 2, 1);
            data.put(array(7, 1), 0, 0, 1);
        }, tensor -> {
            FloatTensorData data = tensor.floatData();
            assertArrayEquals(new long[] {2, -1, 2}, data.shape());
            assertArrayEquals(new long[] {5, 2}, tensor.values().shape());
            assertArrayEquals(new long[] {2, 2}, data.slice(0).shape());
            rows(data.slice(0), row(0, 7), row(2, 3));
            rows(data.slice(1), row(-1, -1), row(4, 5), row(-1, 6));
            assertArrayEquals(new long[] {2, -1}, data.slice(all(), all(), at(0)).shape());
            rows(data.slice(all(), all(), at(0)), row(0, 2), row(-1, 4, -1));
            assertArrayEquals(new long[] {2, 2}, data.slice(all(), at(0)).shape());
            rows(data.slice(all(), at(0)), row(0, 7), row(-1, -1));
        });
    }

    @Test
    void severalRaggedAxes() {
        with(new long[] {2, -1, -1}, data -> {
            data.put(array(0, 2), 1, 1);
            data.put(FloatValues.of(5), 0, 0, 2);
            data.slice(1).put(array(6, 1), 2);
        }, tensor -> {
            FloatTensorData data = tensor.floatData();
            assertArrayEquals(new long[] {0, 1, 4}, LongValues.all(tensor.rowSplits(1).longData()));
            assertArrayEquals(new long[] {0, 3, 3, 5, 6}, LongValues.all(tensor.rowSplits(2).longData()));
            assertArrayEquals(new long[] {1, -1}, data.slice(0).shape());
            rows(data.slice(0), row(-1, -1, 5));
            rows(data.slice(1), row(), row(0, 1), row(6));
            rows(data.slice(1).slice(from(1)), row(0, 1), row(6));
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(all(), at(1)), "at(1)", "row [0]", "axis 1", "size 1");
        });
    }

    @Test
    void uniformDimensionsBetween() {
        with(new long[] {1, -1, 2, -1}, data -> data.put(array(0, 2), 0, 1, 1), tensor -> {
            FloatTensorData data = tensor.floatData();
            assertArrayEquals(new long[] {2, 2, -1}, data.slice(0).shape());
            assertArrayEquals(new long[] {0, 0, 0, 0, 2}, LongValues.all(tensor.rowSplits(3).longData()));
            rows(data.slice(0, 1), row(), row(0, 1));
            Expect.thrown(IllegalArgumentException.class, () -> tensor.rowSplits(2), "axis 2", "[1, -1, 2, -1]", "[1, 3] are");
        });
    }

    @Test
    void elementsThatAreRows() {
        with(new long[] {3, -1}, FloatRaggedRows::three, tensor -> {
            List<FloatTensorData> all = new ArrayList<>();
            tensor.floatData().elements().forEach(all::add);
            assertEquals(3, all.size());
            assertEquals(FloatTensorData.of(array(3, 1)), all.get(1));
            assertEquals(FloatTensorData.of(array(4, 2)), all.get(2));
            assertEquals(3, tensor.floatData().stream(0).count());
            assertEquals(1, tensor.floatData().stream(2, 1).count());
            FloatTensorElements cursor = tensor.floatData().elements();
            cursor.get();
            float[] one = {cursor.scalars().get()};
            assertArrayEquals(array(3, 1), one);
        });
    }

    @Test
    void equalIfRowsAre() {
        with(new long[] {2, -1}, data -> data.put(array(0, 2), 0), a -> with(new long[] {2, -1}, data -> {
            data.put(array(0, 1), 0);
            data.put(array(1, 1), 1);
        }, b -> {
            assertNotEquals(a.floatData(), b.floatData());
            assertEquals(a.floatData().slice(all(), to(0)), b.floatData().slice(all(), to(0)));
            assertEquals(a.floatData().slice(flip(), to(0)).hashCode(), b.floatData().slice(all(), to(0)).hashCode());
            assertNotEquals(a.floatData(), a.floatData().slice(flip()));
            assertEquals(a.floatData(), a.floatData().slice(flip()).slice(flip()));
            assertEquals(a.floatData().hashCode(), a.floatData().slice(flip()).slice(flip()).hashCode());
            try (Tensor<Float> dense = b.toDense()) {
                assertArrayEquals(new long[] {2, 1}, dense.shape());
                assertNotEquals(dense.floatData(), b.floatData());
                assertNotEquals(b.floatData(), dense.floatData());
            }
            int hash = 31 * "FLOAT".hashCode() + Arrays.hashCode(new long[] {2, -1});
            //~double hash = 31 * "DOUBLE".hashCode() + Arrays.hashCode(new long[] {2, -1});
            //~int hash = 31 * "INT32".hashCode() + Arrays.hashCode(new long[] {2, -1});
            //~long hash = 31 * "INT64".hashCode() + Arrays.hashCode(new long[] {2, -1});
            //~boolean hash = 31 * "BOOL".hashCode() + Arrays.hashCode(new long[] {2, -1});
            //~string hash = 31 * "STRING".hashCode() + Arrays.hashCode(new long[] {2, -1});
            //~byte hash = 31 * "UINT8".hashCode() + Arrays.hashCode(new long[] {2, -1});
            hash = 31 * (31 * hash + 2) + 0;
            hash = 31 * (31 * hash + FloatValues.hash(FloatValues.of(0))) + FloatValues.hash(FloatValues.of(1));
            assertEquals(hash, a.floatData().hashCode());
        }));
    }

    @Test
    void createOfFullRows() {
        with(new long[] {2, -1, -1}, data -> {
            for (int i = 0; i < 4; i++) {
                data.put(array(3 * i, 3), i / 2, i % 2);
            }
        }, tensor -> {
            try (Tensor<Float> dense = Tensors.create(tensor.floatData());
                 Tensor<Float> flipped = Tensors.create(tensor.floatData().slice(flip(), all(), from(1)))) {
                assertEquals(FloatTensorData.of(array(0, 12), 2, 2, 3), dense.floatData());
                assertEquals(FloatTensorData.of(array(0, 12), 2, 2, 3).slice(flip(), all(), from(1)), flipped.floatData());
            }
        });
    }

    @Test
    void copiesBetweenRaggedData() {
        with(new long[] {3, -1}, FloatRaggedRows::three, source -> with(new long[] {3, -1}, data -> {
            data.put(array(20, 3), 0);
            data.put(array(20, 1), 1);
            data.put(array(20, 2), 2);
            FloatTensorData view = data.slice(all(), all());
            source.floatData().get(view);
            rows(data, row(0, 1, 2), row(3), row(4, 5));
            view.slice(all(), flip()).put(view);                // within itself
            Expect.thrown(IllegalArgumentException.class, () -> view.put(source.floatData().slice(flip())), "row [0]", "2 positions", "3 on");
        }, tensor -> rows(tensor.floatData(), row(2, 1, 0), row(3), row(5, 4))));
    }

    @Test
    void noRowsAndEmptyRows() {
        with(new long[] {0, -1}, data -> { }, tensor -> {
            assertEquals(0, tensor.numElements());
            assertFalse(tensor.floatData().scalars().hasMoreElements());
            assertFalse(tensor.floatData().elements().hasMoreElements());
            assertArrayEquals(new long[] {0}, LongValues.all(tensor.rowSplits(1).longData()));
            assertTrue(tensor.toString().endsWith("[0, -1] []"), tensor.toString());
        });
        with(new long[] {2, -1}, data -> data.put(array(0, 0), 1), tensor -> {
            assertEquals(0, tensor.floatData().slice(1).totalSize());
            assertTrue(tensor.toString().endsWith("[[], []]"), tensor.toString());
            assertNotSame(tensor.values(), tensor.values());
        });
    }

    @Test
    void aLongRow() {
        //#if primitive
        int n = 10_000_000;
        //#end
        //~string int n = 1_000_000;
        float[] all = array(0, n);
        with(new long[] {3, -1}, data -> {
            data.put(array(1, 1), 0);
            data.put(all, 1);
            data.put(array(2, 1), 2, 4);
        }, tensor -> {
            FloatTensorData data = tensor.floatData();
            assertEquals(n + 6, data.totalSize());
            assertEquals(FloatValues.of(n - 1), data.get(1, n - 1));
            assertArrayEquals(all, FloatValues.all(data.slice(1)));
            assertEquals(FloatValues.of(2), data.get(2, 4));
            assertEquals(FloatValues.of(n - 1), data.slice(incl(1), flip()).get(0, 0));
        });
    }

    @Test
    void oneElementAfterTheOther() {
        int n = 300;
        with(new long[] {2, -1}, data -> {
            for (int j = 0; j < n; j++) {
                data.put(FloatValues.of(j), 0, j);
                data.put(FloatValues.of(-j), 1, n - 1 - j);
            }
        }, tensor -> {
            assertArrayEquals(array(0, n), FloatValues.all(tensor.floatData().slice(0)));
            assertArrayEquals(array(1 - n, n), FloatValues.all(tensor.floatData().slice(1)));
        });
    }

    /** Rows in order, but for some that come again, shorter or longer. */
    @Test
    void rowsThatComeAgainAmongThoseInOrder() {
        int[] lengths = {3, 0, 5, 2, 7, 1, 4};
        int[] again = {3, 2, 5, 1, 9, 1, 6};
        with(new long[] {lengths.length, -1}, data -> {
            for (int i = 0; i < lengths.length; i++) {
                data.put(array(10 * i, lengths[i]), i);
                if (again[i] != lengths[i]) {
                    data.put(array(10 * i + 1, again[i]), i);
                }
                if (i > 1) {
                    data.put(array(10 * i - 19, again[i - 2] + 1), i - 2);
                }
            }
        }, tensor -> {
            for (int i = 0; i < lengths.length; i++) {
                boolean changed = again[i] != lengths[i];
                float[] expected = i < lengths.length - 2 ? array(10 * i + 1, again[i] + 1) : array(changed ? 10 * i + 1 : 10 * i, again[i]);
                assertArrayEquals(expected, FloatValues.all(tensor.floatData().slice(i)), "row " + i);
            }
        });
    }
}
