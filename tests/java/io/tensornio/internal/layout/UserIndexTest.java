package io.tensornio.internal.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AbstractIntTensorData;
import io.tensornio.BooleanTensorData;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.TensorIndex;
import io.tensornio.TensorNioInternalError;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Indices that are data of the user's own, which need not answer the same twice: a slice never has positions outside of its axis. */
@ExtendWith(MemoryBalance.class)
class UserIndexTest {
    private static final float[] ROWS = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

    /** A matrix of which slices are made in the middle rows, so that what is outside would be other rows. */
    private static FloatTensorData middle() {
        return FloatTensorData.of(ROWS.clone(), 4, 3).slice(1);
    }

    private static float[] all(FloatTensorData data) {
        float[] array = new float[(int) data.totalSize()];
        data.copyTo(array);
        return array;
    }

    /** A mask whose shape grows once its elements are read. */
    @Test
    void aMaskThatGrows() {
        long[] shape = {3};
        BooleanTensorData mask = (BooleanTensorData) Proxy.newProxyInstance(BooleanTensorData.class.getClassLoader(),
            new Class<?>[] {BooleanTensorData.class},
            (self, method, given) -> {
                switch (method.getName()) {
                    case "shape":
                        return shape;
                    case "scalars":
                        shape[0] = 8;
                        return BooleanTensorData.of(new boolean[] {true, true, true, true, true, true, true, true}).scalars();
                    default:
                        throw new UnsupportedOperationException(method.toString());
                }
            });
        assertArrayEquals(new float[] {3, 4, 5}, all(middle().slice(TensorIndex.mask(mask))));
    }

    @Test
    void positionsThatChange() {
        AtomicInteger calls = new AtomicInteger();
        IntTensorData positions = new AbstractIntTensorData(2) {
            @Override
            protected int getAt(long[] indices) {
                return calls.getAndIncrement() < 2 ? 1 : 7;
            }
        };
        assertArrayEquals(new float[] {4, 4}, all(middle().slice(TensorIndex.take(positions))));
        Expect.thrown(IndexOutOfBoundsException.class, () -> middle().slice(TensorIndex.take(positions)), "position 7", "size 3");
        Expect.thrown(IndexOutOfBoundsException.class, () -> middle().slice(new AbstractIntTensorData(1) {
            @Override
            protected int getAt(long[] indices) {
                return 3;
            }
        }), "3");
    }

    /** Data that keeps the array that it is to fill, and changes it once more. */
    @Test
    void positionsInAnArrayThatIsKept() {
        long[][] kept = {null};
        LongTensorData positions = (LongTensorData) Proxy.newProxyInstance(LongTensorData.class.getClassLoader(),
            new Class<?>[] {LongTensorData.class},
            (self, method, given) -> {
                switch (method.getName()) {
                    case "shape":
                        return new long[] {2};
                    case "dataType":
                        return DataType.INT64;
                    case "copyTo":
                        kept[0] = (long[]) given[0];
                        return null;
                    case "rank":
                        if (kept[0] != null) {
                            kept[0][0] = 8;
                        }
                        return 1;
                    default:
                        throw new UnsupportedOperationException(method.toString());
                }
            });
        assertArrayEquals(new float[] {3, 3}, all(middle().slice(TensorIndex.take(positions))));
    }

    @Test
    void shapesThatAreNone() {
        for (long[] shape : new long[][] {null, {-1}, {Long.MAX_VALUE}, {2, 2}, {-1, -1}}) {
            IntTensorData liar = (IntTensorData) Proxy.newProxyInstance(IntTensorData.class.getClassLoader(), new Class<?>[] {IntTensorData.class},
                (self, method, given) -> method.getName().equals("shape") ? shape : method.getReturnType() == int.class ? (Object) 0 : null);
            assertTrue(!(assertThrows(Throwable.class, () -> middle().slice(TensorIndex.take(liar))) instanceof TensorNioInternalError));
            assertTrue(!(assertThrows(Throwable.class, () -> middle().slice((TensorIndex) liar)) instanceof TensorNioInternalError));
        }
    }
}
