package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.FloatTensorData;
import org.junit.jupiter.api.Test;

/** How many parts a view has that is joined out of views that are joined themselves. */
class JoinedViewsTest {
    private static int parts(FloatTensorData data) {
        return ((FloatMade) ((FloatData) data).source()).parts.length;
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
