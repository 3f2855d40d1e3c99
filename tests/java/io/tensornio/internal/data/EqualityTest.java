package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.BooleanTensorData;
import io.tensornio.ByteTensorData;
import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.Tensors;
import io.tensornio.UInt8;
import io.tensornio.support.BooleanOwn;
import io.tensornio.support.ByteOwn;
import io.tensornio.support.DoubleOwn;
import io.tensornio.support.FloatOwn;
import io.tensornio.support.IntOwn;
import io.tensornio.support.LongOwn;
import io.tensornio.support.MemoryBalance;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code equals} of data of different types. */
@ExtendWith(MemoryBalance.class)
class EqualityTest {
    private static List<TensorData<?>> zeros(long... shape) {
        int n = 1;
        for (long size : shape) {
            n *= (int) size;
        }
        List<TensorData<?>> all = new ArrayList<>();
        all.add(FloatTensorData.of(new float[n], shape));
        all.add(DoubleTensorData.of(new double[n], shape));
        all.add(IntTensorData.of(new int[n], shape));
        all.add(LongTensorData.of(new long[n], shape));
        all.add(BooleanTensorData.of(new boolean[n], shape));
        all.add(ByteTensorData.of(new byte[n], shape));
        all.add(FloatOwn.of(shape));
        all.add(DoubleOwn.of(shape));
        all.add(IntOwn.of(shape));
        all.add(LongOwn.of(shape));
        all.add(BooleanOwn.of(shape));
        all.add(ByteOwn.of(shape));
        return all;
    }

    @Test
    void otherTypesAreNeverEqual() {
        for (long[] shape : new long[][] {{2}, {0, 3}, {}}) {
            List<TensorData<?>> all = zeros(shape);
            try (Tensor<Float> a = Tensors.create((FloatTensorData) all.get(0)); Tensor<Double> b = Tensors.create((DoubleTensorData) all.get(1));
                    Tensor<Integer> c = Tensors.create((IntTensorData) all.get(2)); Tensor<Long> d = Tensors.create((LongTensorData) all.get(3));
                    Tensor<Boolean> e = Tensors.create((BooleanTensorData) all.get(4));
                    Tensor<UInt8> f = Tensors.create((ByteTensorData) all.get(5))) {
                all.add(a.floatData());
                all.add(b.doubleData());
                all.add(c.intData());
                all.add(d.longData());
                all.add(e.booleanData());
                all.add(f.uInt8Data());
                for (TensorData<?> one : all) {
                    for (TensorData<?> other : all) {
                        boolean same = one.dataType() == other.dataType();
                        assertEquals(same, one.equals(other), one + " equals " + other);
                        assertEquals(same, one.hashCode() == other.hashCode(), one + " and " + other);
                    }
                }
            }
        }
    }
}
