package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.ellipsis;
import static io.tensornio.TensorIndex.excl;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.from;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.newAxis;
import static io.tensornio.TensorIndex.step;
import static io.tensornio.TensorIndex.to;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.tensornio.AbstractFloatTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
//~byte import io.tensornio.UInt8;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.internal.element.FloatElement;
//#if buffer
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
//#end
import org.junit.jupiter.api.Test;

/** Of which class slices of {@code float} data are, and what they look at. */
class FloatViewTest {
    /** Evenly spaced, so that no list is needed. */
    private static final TensorIndex[] EVEN = {all(), flip(), step(2), at(-1), incl(1, 3, 5), incl(4, 2, 0), incl(3), incl(), excl(0, -1), excl(),
        newAxis()};
    private static final TensorIndex[] UNEVEN = {incl(0, 1, 3), incl(2, 2, 3), excl(2), incl(5, 0, 5)};

    /** Checks that slices of 6 by 6 data are of a class where strides say it all, and else views of the same source. */
    private static void check(FloatTensorData data, Class<?> strided, Object source) {
        for (TensorIndex index : EVEN) {
            for (TensorIndex other : EVEN) {
                assertEquals(strided, data.slice(index, other).getClass(), index + ", " + other);
                assertEquals(strided, data.slice(ellipsis(), other).getClass(), index + ", " + other);
            }
        }
        for (TensorIndex index : UNEVEN) {
            FloatTensorData view = data.slice(all(), index);
            isView(view, source);
            isView(data.slice(index), source);
            isView(data.slice(index, index), source);
            // Whatever is sliced again is a slice of the source, not of the slice.
            isView(view.slice(flip()), source);
            isView(view.slice(2), source);
            isView(view.slice(2).slice(newAxis()), source);
            isView(view.slice(flip()).slice(at(1)), source);
            isView(view.slice(flip(), flip()).slice(incl(0, 0)), source);
            // Without its list it is what it would have been at once.
            assertEquals(strided, view.slice(all(), at(0)).getClass(), index.toString());
            assertEquals(strided, view.slice(all(), to(1)).getClass(), index.toString());
            assertEquals(strided, view.slice(all(), to(0)).getClass(), index.toString());
            assertEquals(strided, view.slice(0, 1).getClass(), index.toString());
            assertEquals(strided, data.slice(index).slice(1).getClass(), index.toString());
            assertEquals(strided, data.slice(index).slice(new int[] {1}).getClass(), index.toString());
            assertEquals(strided, data.slice(index).slice(flip()).elements().iterator().next().getClass(), index.toString());
        }
        assertEquals(strided, data.slice(incl(5, 1, 3)).slice(from(1)).getClass());
        assertEquals(strided, data.slice(incl(0, 3, 1, 5)).slice(incl(2, 1)).getClass());
    }

    private static void isView(FloatTensorData view, Object source) {
        assertEquals(FloatView.class, view.getClass());
        assertSame(source, source(view));
    }

    private static Object source(FloatTensorData view) {
        return ((FloatView) view).source();
    }

    @Test
    void slicesOfTensorsAreStridedWhereTheyCanBe() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {6, 6}, data -> check(data, FloatStrided.class, ((FloatStrided) data).block))) {
            FloatTensorData data = tensor.floatData();
            check(data, FloatStrided.class, ((FloatStrided) data).block);
        }
    }

    @Test
    void slicesOfArraysAreStridedWhereTheyCanBe() {
        FloatTensorData data = FloatTensorData.of(new float[36], 6, 6);
        check(data, FloatArrayStrided.class, ((FloatArrayStrided) data).block);
    }

    //#if buffer
    @Test
    void dataOverBuffersIsOfTheClassesThatThereAre() {
        ByteBuffer direct = ByteBuffer.allocateDirect(36 * Float.BYTES).order(ByteOrder.nativeOrder());
        FloatTensorData data = FloatTensorData.of(FloatElement.view(direct), 6, 6);
        check(data, FloatStrided.class, ((FloatStrided) data).block);
        FloatTensorData readOnly = FloatTensorData.of(FloatElement.view(direct).asReadOnlyBuffer(), 6, 6);
        check(readOnly, FloatView.class, source(readOnly));
    }
    //#end

    @Test
    void slicesOfAGetterLookAtTheGetter() {
        AbstractFloatTensorData getter = new AbstractFloatTensorData(6, 6) {
            @Override
            protected float getAt(long[] indices) {
                throw new AssertionError("a slice reads nothing");
            }
        };
        check(getter, FloatView.class, source(getter.slice(all())));
    }
}
