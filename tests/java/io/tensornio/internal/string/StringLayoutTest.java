package io.tensornio.internal.string;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Tensor;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Dense tensors of fixed-length strings whose memory is not in row-major order, or has padding. */
@ExtendWith(MemoryBalance.class)
class StringLayoutTest {
    private static final long[] SHAPE = {3, 4, 2};

    private static TensorLayout[] layouts() {
        return new TensorLayout[] {TensorLayout.rowMajor(SHAPE), TensorLayout.columnMajor(SHAPE),
            TensorLayout.rowMajor(SHAPE, new long[] {5, 4, 7}), TensorLayout.strided(SHAPE, new long[] {4, 12, 2}, 0)};
    }

    @Test
    void stringsOfAFixedLengthHaveLayouts() {
        for (TensorLayout layout : layouts()) {
            try (Tensor<String> tensor = Tensors.denseString(layout, 3, 32, data -> data.put("ab", 2, 3, 1))) {
                assertEquals("ab", tensor.stringData().get(2, 3, 1));
                assertEquals("", tensor.stringData().get(1, 0, 0));
                assertEquals(layout, tensor.layout());
                assertEquals(3 * layout.extent(), tensor.numBytes());
                int at = 3 * (int) layout.position(2, 3, 1);
                assertEquals('b', tensor.asByteBuffer().get(at + 1));
                for (int i = 0; i < tensor.numBytes(); i++) {
                    assertTrue(i == at || i == at + 1 || tensor.asByteBuffer().get(i) == ' ', "the byte " + i + " of " + layout);
                }
            }
            Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseString(layout, -1, 0, data -> { }), "-1");
            Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseString(layout, 3, 128, data -> { }), "128");
        }
    }
}
