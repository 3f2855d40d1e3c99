package io.tensornio.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import io.tensornio.UInt8;
import org.junit.jupiter.api.Test;

/** The check after each test is one itself: what it overlooks, no test shows. */
class MemoryBalanceTest {
    private static Tensor<UInt8> tensor(long size) {
        return Tensors.denseUInt8(new long[] {size}, data -> { });
    }

    /** A tensor that was there before goes, and a larger one stays: their number is the same. */
    @Test
    void bytesThatStayAreTold() {
        MemoryBalance.settleSmall();
        Tensor<UInt8> before = tensor(10);
        MemoryBalance balance = new MemoryBalance();
        balance.beforeEach(null);
        before.close();
        Tensor<UInt8> left = tensor(100_000);
        Expect.says(assertThrows(AssertionError.class, () -> balance.afterEach(null)), "0 tensors were left open", "bytes left in use");
        left.close();
        balance.afterEach(null);
    }

    /** A large one goes, and two small ones stay. */
    @Test
    void tensorsThatStayAreTold() {
        MemoryBalance.settleSmall();
        Tensor<UInt8> before = tensor(100_000);
        MemoryBalance balance = new MemoryBalance();
        balance.beforeEach(null);
        before.close();
        Tensor<UInt8> left = tensor(10);
        Tensor<UInt8> other = tensor(10);
        Expect.says(assertThrows(AssertionError.class, () -> balance.afterEach(null)), "1 tensors were left open");
        left.close();
        other.close();
        balance.afterEach(null);
    }

    /** Of a test before this one a closed tensor is still reachable, in the memory of which the next one takes some. */
    @Test
    void whatIsDroppedIsCollectedApart() {
        MemoryBalance.settleSmall();
        Tensor<UInt8> kept = tensor(10);
        kept.close();
        MemoryBalance.fillSmall();
        MemoryBalance balance = new MemoryBalance();
        balance.beforeEach(null);
        tensor(10);
        MemoryBalance.settleSmall();
        balance.afterEach(null);
        assertEquals("the UINT8 tensor of shape [10] is closed", assertThrows(TensorClosedException.class, kept::asByteBuffer).getMessage());
    }
}
