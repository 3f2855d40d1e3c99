package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.TensorClosedException;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.ragged.RowTable;
//~string import io.tensornio.internal.string.StagedStrings;
import io.tensornio.support.MemoryBalance;
import java.lang.reflect.Field;
import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What a ragged {@code float} tensor that is filled does where several threads do at once what one of them may: nothing corrupt, and no memory kept.
 */
@ExtendWith(MemoryBalance.class)
class FloatRowArenaTest {
    private static final int LONG = 5000;

    private static FloatRowArena twoRows() {
        //#if primitive
        FloatRowArena arena = new FloatRowArena(FloatCarrier.FLOAT, 2, -1);
        //#end
        //~string StringRowArena arena = new StringRowArena(2, -1);
        set(arena, 0, 3);
        set(arena, 1, 4);
        return arena;
    }

    private static void set(FloatRowArena arena, int row, int n) {
        //#if primitive
        arena.set(row, new float[n], 0, n);
        //#end
        //~string arena.set(row, append(arena, n), n);
    }

    private static void put(FloatRowArena arena, int row, int place, int n) {
        //#if primitive
        arena.put(row, place, new float[n], 0, n);
        //#end
        //~string arena.put(row, place, append(arena, n), n);
    }

    //~string private static StagedStrings append(StringRowArena arena, int n) {
    //~string     String[] texts = new String[n];
    //~string     java.util.Arrays.fill(texts, "text");
    //~string     return arena.append(n, texts, k -> "element " + k);
    //~string }

    private static void refusesWrites(Class<? extends RuntimeException> type, FloatRowArena arena) {
        assertThrows(type, () -> arena.extend(1, LONG));
        assertThrows(type, () -> arena.extend(1, 5));
        assertThrows(type, () -> set(arena, 1, LONG));
        assertThrows(type, () -> set(arena, 1, 2));
        assertThrows(type, () -> put(arena, 1, 0, 2));
        assertThrows(type, () -> arena.prepare(LONG));
        float[] value = new float[1];
        assertThrows(type, () -> arena.write(value[0], 1L << 32));
    }

    @Test
    void whatIsPublishedGetsNoNewArena() {
        FloatRowArena arena = twoRows();
        Block values = arena.publish();
        assertEquals(7, values.shape()[0]);
        refusesWrites(ReadOnlyBufferException.class, arena);
        values.close();
        refusesWrites(TensorClosedException.class, arena);
    }

    @Test
    void whatIsClosedGetsNoNewArena() {
        FloatRowArena arena = twoRows();
        arena.close();
        refusesWrites(TensorClosedException.class, arena);
        assertThrows(TensorClosedException.class, arena::publish);
    }

    @Test
    void lengthsThatDoNotFitTheArenaAreNotPublished() {
        for (int row = 0; row < 2; row++) {
            FloatRowArena arena = twoRows();
            arena.rows.resize(row, LONG);
            IllegalStateException e = assertThrows(IllegalStateException.class, arena::publish);
            assertTrue(e.getMessage().contains("[2, -1]") && e.getMessage().contains("several threads"), e.getMessage());
            arena.close();
        }
    }

    @Test
    void splitsThatDoNotFitTheValuesMakeNoTensor() {
        for (long[] wrong : new long[][] {{0, 3, 8}, {0, 3, 6}, {0, 7}, {0, 3, 7, 7}}) {
            Block values = twoRows().publish();
            IllegalStateException e = assertThrows(IllegalStateException.class,
                () -> RaggedTensors.parts(FloatCarrier.FLOAT, new long[] {2, -1}, values, null, wrong));
            assertTrue(e.getMessage().contains("[2, -1]") && e.getMessage().contains("split"), e.getMessage());
            assertTrue(values.isClosed());
        }
        RaggedTensors.parts(FloatCarrier.FLOAT, new long[] {2, -1}, twoRows().publish(), null, new long[] {0, 3, 7}).close();
    }

    @Test
    void publishedRowsStayAsTheyWereMeasured() throws ReflectiveOperationException {
        FloatRowArena arena = twoRows();
        Field held = RowTable.class.getDeclaredField("length");       // as a thread has it that is about to write
        held.setAccessible(true);
        int[] lengths = (int[]) held.get(arena.rows);
        Block values = arena.publish();
        lengths[0] = LONG;
        assertEquals(2, arena.resolve(2));
        assertEquals(3 + 3, arena.resolve((1L << 32) + 3));
        assertThrows(IndexOutOfBoundsException.class, () -> arena.resolve(3));
        values.close();
    }
}
