package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.ByteTensorData;
import io.tensornio.support.Expect;
import org.junit.jupiter.api.Test;

/** Views of UINT8 data that are made of numbers: 0 to 255, which is checked. */
class UInt8ViewTest {
    private static final Class<IllegalArgumentException> BAD = IllegalArgumentException.class;

    @Test
    void numbersAreZeroTo255() {
        assertEquals(255, ByteTensorData.constant(255, 2).getUnsigned(1));
        assertEquals(-1, ByteTensorData.constant((byte) -1, 2).get(1));
        Expect.thrown(BAD, () -> ByteTensorData.constant(256, 2), "constant", "256", "UINT8");
        Expect.thrown(BAD, () -> ByteTensorData.constant(-1, 2), "constant", "-1", "UINT8");
        ByteTensorData data = ByteTensorData.of(new byte[] {1, 2});
        assertEquals(200, data.pad(new long[] {1}, new long[] {0}, 200).getUnsigned(0));
        assertEquals(-2, data.pad(new long[] {1}, new long[] {0}, (byte) -2).get(0));
        Expect.thrown(BAD, () -> data.pad(new long[] {1}, new long[] {0}, 300), "pad", "300", "UINT8");
        ByteTensorData made = ByteTensorData.generate(at -> (int) (at[0] * 255), 3);
        assertEquals(255, made.getUnsigned(1));
        Expect.thrown(BAD, () -> made.get(2), "generate", "510", "UINT8");
        Expect.thrown(BAD, () -> made.copyTo(new byte[3]), "generate", "510", "UINT8");
    }
}
