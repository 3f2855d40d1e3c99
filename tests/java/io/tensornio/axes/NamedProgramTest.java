package io.tensornio.axes;

import static io.tensornio.axes.NamedGiven.C;
import static io.tensornio.axes.NamedGiven.D;
import static io.tensornio.axes.NamedGiven.H;
import static io.tensornio.axes.NamedGiven.W;
import static io.tensornio.axes.NamedGiven.assertIs;
import static io.tensornio.axes.NamedGiven.counted;
import static io.tensornio.axes.NamedGiven.floats;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Axis;
import io.tensornio.FloatTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import io.tensornio.compute.Comprehension;
import io.tensornio.support.MemoryBalance;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is computed of an expression, and where: its statements, and the memory that it takes. */
@ExtendWith(MemoryBalance.class)
class NamedProgramTest {
    @Test
    void axesThatAreMergedAndPartsAreNotLookedUpInMemory() {
        NamedTensor x = floats(new float[][] {{0, 1, 2, 3}, {4, 5, 6, 7}}, H, W);
        Axis flat = Axis.of("F", 8);
        NamedTensor sum = x.flatten(flat, H, W).plus(counted(flat));
        assertEquals(Comprehension.of("t2[i0] = x0[i0] + x1[i0] where i0 in 0:8; return t2"), sum.program());
        assertIs(sum, "(F=8)", 0, 2, 4, 6, 8, 10, 12, 14);
        Axis more = Axis.of("wide", "W", 6);
        NamedTensor parts = NamedTensor.concat(more, x, floats(new float[][] {{8, 9}, {10, 11}}, Axis.of("W", 2), H)).times(2);
        assertEquals(Comprehension.of("t2[i0, i1] = x0[i0, i1] * c1 where i0 in 0:2, i1 in 0:6; return t2"), parts.program());
        assertIs(parts, "(H=2, wide=6)", 0, 2, 4, 6, 16, 20, 8, 10, 12, 14, 18, 22);
        Tensor<Float> source = Tensors.create(FloatTensorData.of(new float[8], 2, 4));
        NamedTensor late = NamedTensor.of(source, H, W).flatten(flat, H, W);
        source.close();
        assertThrows(TensorClosedException.class, late::materialize);
    }

    /** Which of them are one loop nest, the planner decides. */
    @Test
    void eachStepIsAStatement() {
        NamedTensor x = counted(C, H);
        NamedTensor y = counted(C, H);
        String both = " where i0 in 0:3, i1 in 0:2; ";
        assertEquals(Comprehension.of("t2[i0, i1] = x0[i0, i1] - x1[i0, i1]" + both + "t3[i0, i1] = t2[i0, i1] ^ 2" + both
            + "t4 += t3[i0, i1]" + both + "return t4"), x.minus(y).square().sum().program());
        assertEquals(Comprehension.of("t1[i0, i1] = x0[i0, i1] where i0 in 0:3, i1 in 0:2; "
            + "t3[i0, i1] += t1[i0, i2] * x2[i2, i1] where i0 in 0:3, i1 in 0:4, i2 in 0:2; return t3"),
            x.withAxes(C, D.withOffset(-1)).dot(counted(D, W)).program());
        assertEquals(Comprehension.of("t1[i0] += x0[i0, i1]" + both + "t3[i0] = t1[i0] / c2 where i0 in 0:3; "
            + "t4[i0, i1] = x0[i0, i1] - t3[i0]" + both + "return t4"), x.minus(x.mean(H)).program());
    }

    @Test
    void aChainAllocatesItsResultAlone() {
        Axis n = Axis.of("N", 1 << 20);
        float[] values = new float[1 << 20];
        Arrays.fill(values, 3);
        try (Tensor<Float> a = Tensors.create(FloatTensorData.of(values));
             NamedTensor s = NamedTensor.of(a, n).minus(1).square().sum()) {
            long before = MemoryStats.current().bytesInUse();
            s.materialize();
            assertTrue(MemoryStats.current().bytesInUse() - before <= 64);
            assertEquals(4f * (1 << 20), s.floatData().get());
        }
    }

    @Test
    void whatIsUsedTwiceIsOneStatement() {
        NamedTensor x = counted(C);
        assertIs(x.exp().minus(x.exp()), "(C=3)", 0, 0, 0);
        NamedTensor e = x.plus(1);
        assertIs(e.times(e).plus(e), "(C=3)", 2, 6, 12);
        NamedTensor f = x.plus(1);
        assertEquals(Comprehension.of("t2[i0] = x0[i0] + c1 where i0 in 0:3; t3[i0] = t2[i0] * t2[i0] where i0 in 0:3; "
            + "t4[i0] = t3[i0] + t2[i0] where i0 in 0:3; return t4"), f.times(f).plus(f).program());
    }
}
