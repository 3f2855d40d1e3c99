package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.internal.data.NativeCopies;
import io.tensornio.internal.memory.CopyModel.Side;
import io.tensornio.internal.memory.CopyModel.Type;
import io.tensornio.support.Expect;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Native copies to elements of an array of which other elements are written meanwhile. {@code -Xcheck:jni} gives native code copies of arrays. */
class SharedArrayTest {
    private static final int ROUNDS = 2000;
    private static final int ROWS = 64;
    /** Large enough that each copy of the array meets writes of the other thread. */
    private static final int ROW_BYTES = 4 << 10;

    @ParameterizedTest
    @EnumSource(Type.class)
    void threadsThatWriteDifferentColumnsLoseNothing(Type type) {
        int columns = ROW_BYTES / type.bytes;
        Side shared = Side.array(type, ROWS * columns);
        Workers.run(2, column -> {
            Side own = Side.buffer(type, ROWS, 0);
            for (int round = 1; round <= ROUNDS * Expect.depth(); round++) {
                long value = type == Type.BOOLEAN ? round & 1 : (byte) round;
                for (int row = 0; row < ROWS; row++) {
                    own.put(row, value);
                }
                NativeCopies.copy(own.object, 0, shared.object, column, new long[] {ROWS, 1, columns}, type.bytes);
                for (int row = 0; row < ROWS; row++) {
                    assertEquals(value, shared.get(row * columns + column), "round " + round + ", column " + column + ", row " + row);
                }
            }
        });
    }
}
