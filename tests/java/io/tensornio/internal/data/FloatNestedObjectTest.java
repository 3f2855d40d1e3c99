package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tensornio.RaggedTensor;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nested arrays of {@code float} whose class is known at run time alone, and rows that stand at many places. */
@ExtendWith(MemoryBalance.class)
class FloatNestedObjectTest {
    @Test
    void raggedOfAnyRank() {
        Object nested = new float[][][] {{FloatValues.array(1, 2), {}}, {}, {FloatValues.array(3, 1)}};
        try (RaggedTensor<?> tensor = Tensors.raggedOfNested(nested)) {
            assertArrayEquals(new long[] {3, -1, -1}, tensor.shape());
            assertArrayEquals((Object[]) nested, (Object[]) tensor.floatData().toNested());
        }
        assertThrows(NullPointerException.class, () -> Tensors.raggedOfNested((Object) null));
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.ofNested(new char[2][1]), "char[][] is not a nested array of");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.raggedOfNested(FloatValues.array(1, 2)), "float[]", "arrays of arrays");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.raggedOfNested((Object) FloatValues.of(1)), "ragged tensor", "arrays of arrays");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.raggedOfNested(new Object[] {new float[1]}), "Object[]");
    }

    @Test
    void emptyRowsAtMorePlacesThanAnybodyCanVisit() {
        float[][] rows = new float[1 << 16][];
        Arrays.fill(rows, new float[0]);
        float[][][] nested = new float[1 << 16][][];
        Arrays.fill(nested, rows);
        Expect.thrown(OutOfMemoryError.class, () -> Tensors.ofNested(nested), "[65536, 65536, 0]", "no elements", "rows");
    }
}
