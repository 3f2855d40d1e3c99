package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.MemoryBalance;
import io.tensornio.TensorClosedException;
//#if primitive
import io.tensornio.internal.element.FloatBlock;
//#end
//~string import io.tensornio.internal.text.StringAppended;
//~string import io.tensornio.internal.text.StringBlock;
import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What a ragged {@code float} tensor that is filled does where several threads do at once what one of them may: nothing corrupt, and no memory kept.
 */
@ExtendWith(MemoryBalance.class)
class FloatGrowthTest {
    private static final int LONG = 5000;

    private static FloatGrowth twoRows() {
        FloatGrowth growth = new FloatGrowth(2, -1);
        set(growth, 0, 3);
        set(growth, 1, 4);
        return growth;
    }

    private static void set(FloatGrowth growth, int row, int n) {
        //#if primitive
        growth.set(row, new float[n], 0, n);
        //#end
        //~string growth.set(row, append(growth, n), n);
    }

    private static void put(FloatGrowth growth, int row, int place, int n) {
        //#if primitive
        growth.put(row, place, new float[n], 0, n);
        //#end
        //~string growth.put(row, place, append(growth, n), n);
    }

    //~string private static StringAppended append(StringGrowth growth, int n) {
    //~string     String[] texts = new String[n];
    //~string     java.util.Arrays.fill(texts, "text");
    //~string     return growth.append(n, texts, k -> "element " + k);
    //~string }

    private static void refusesWrites(Class<? extends RuntimeException> type, FloatGrowth growth) {
        assertThrows(type, () -> growth.extend(1, LONG));
        assertThrows(type, () -> growth.extend(1, 5));
        assertThrows(type, () -> set(growth, 1, LONG));
        assertThrows(type, () -> set(growth, 1, 2));
        assertThrows(type, () -> put(growth, 1, 0, 2));
        assertThrows(type, () -> growth.prepare(LONG));
        float[] value = new float[1];
        assertThrows(type, () -> growth.write(value[0], 1L << 32));
    }

    @Test
    void whatIsPublishedGetsNoNewArena() {
        FloatGrowth growth = twoRows();
        FloatBlock values = growth.publish();
        assertEquals(7, values.shape()[0]);
        refusesWrites(ReadOnlyBufferException.class, growth);
        values.close();
        refusesWrites(TensorClosedException.class, growth);
    }

    @Test
    void whatIsClosedGetsNoNewArena() {
        FloatGrowth growth = twoRows();
        growth.close();
        refusesWrites(TensorClosedException.class, growth);
        assertThrows(TensorClosedException.class, growth::publish);
    }

    @Test
    void lengthsThatDoNotFitTheArenaAreNotPublished() {
        for (int row = 0; row < 2; row++) {
            FloatGrowth growth = twoRows();
            growth.rows.length[row] = LONG;
            IllegalStateException e = assertThrows(IllegalStateException.class, growth::publish);
            assertTrue(e.getMessage().contains("[2, -1]") && e.getMessage().contains("several threads"), e.getMessage());
            growth.close();
        }
    }

    @Test
    void splitsThatDoNotFitTheValuesMakeNoTensor() {
        for (long[] wrong : new long[][] {{0, 3, 8}, {0, 3, 6}, {0, 7}, {0, 3, 7, 7}}) {
            FloatBlock values = twoRows().publish();
            IllegalStateException e = assertThrows(IllegalStateException.class,
                () -> FloatRaggedTensors.parts(new long[] {2, -1}, values, null, wrong));
            assertTrue(e.getMessage().contains("[2, -1]") && e.getMessage().contains("split"), e.getMessage());
            assertTrue(values.isClosed());
        }
        FloatRaggedTensors.parts(new long[] {2, -1}, twoRows().publish(), null, new long[] {0, 3, 7}).close();
    }

    @Test
    void publishedRowsStayAsTheyWereMeasured() {
        FloatGrowth growth = twoRows();
        int[] lengths = growth.rows.length;
        FloatBlock values = growth.publish();
        lengths[0] = LONG;
        assertEquals(2, growth.resolve(2));
        assertEquals(3 + 3, growth.resolve((1L << 32) + 3));
        assertThrows(IndexOutOfBoundsException.class, () -> growth.resolve(3));
        values.close();
    }
}
