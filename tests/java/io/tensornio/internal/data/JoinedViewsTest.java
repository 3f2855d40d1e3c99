package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.TensorIndex;
import org.junit.jupiter.api.Test;

/** How many parts a view has that is joined out of views that are joined themselves. */
class JoinedViewsTest {
    private static int parts(FloatTensorData data) {
        return ((Made) ((FloatData) data).source()).parts.length;
    }

    @Test
    void whatIsJoinedAlongOneAxisIsFlat() {
        FloatTensorData one = FloatTensorData.of(new float[4], 2, 2);
        FloatTensorData two = FloatTensorData.concat(0, one, one);
        assertEquals(5, parts(FloatTensorData.concat(0, two, one, two)));
        assertEquals(2, parts(FloatTensorData.concat(1, two, two)));
        assertEquals(2, parts(FloatTensorData.concat(0, two.flip(), one)));
        assertEquals(2, parts(FloatTensorData.concat(0, one.pad(new long[] {1, 0}, new long[2]), one)));
        assertEquals(2, parts(FloatTensorData.concat(0, one.tile(2, 1), one)));
    }

    @Test
    void streamsReadManyElementsBeforeTheyPassOnTheFirst() {
        int[] reads = {0};
        FloatTensorData computed = FloatTensorData.generate(at -> ++reads[0], 100);
        int[] before = {0};
        FloatTensorData.concat(0, computed, computed).slice(TensorIndex.range(20, 140)).stream()
            .forEach(value -> before[0] = before[0] == 0 ? reads[0] : before[0]);
        assertEquals(120, before[0]);
    }

    @Test
    void manyPartsAreJoinedAsTheyAre() {
        FloatTensorData made = FloatTensorData.of(new float[1], 1);
        int most = 0;
        for (int n = 0; n < 1000; n++) {
            made = FloatTensorData.concat(0, made, FloatTensorData.of(new float[] {n}, 1));
            most = Math.max(most, parts(made));
        }
        assertEquals(64, most);
        assertEquals(999, made.get(1000));
    }
}
