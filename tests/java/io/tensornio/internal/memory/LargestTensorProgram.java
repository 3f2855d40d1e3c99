package io.tensornio.internal.memory;

import io.tensornio.BooleanTensorData;
import io.tensornio.ByteTensorData;
import io.tensornio.ByteTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.UInt8;
import java.util.Arrays;

/** Makes a tensor of as many bytes as one can have, and reads its ends. Ends with an exception, and so not with 0, if they are others. */
public final class LargestTensorProgram {
    private static final int SIZE = Integer.MAX_VALUE;

    private LargestTensorProgram() {
    }

    /** Of the type that the first argument names. */
    public static void main(String... arguments) {
        if (arguments[0].equals("UINT8")) {
            uInt8();
        } else {
            bool();
        }
    }

    private static void uInt8() {
        try (Tensor<UInt8> tensor = Tensors.denseUInt8(new long[] {SIZE}, data -> data.put((byte) 7, SIZE - 1))) {
            ByteTensorData data = tensor.uInt8Data();
            check(SIZE, tensor.numBytes());
            check(0, data.get(0));
            check(0, data.get(SIZE - 2));
            check(7, data.get(SIZE - 1));
            check(7, data.slice(TensorIndex.flip()).get(0));
            check(7, tensor.asByteBuffer().get(SIZE - 1));
            byte[] tail = new byte[3];
            data.slice(TensorIndex.from(SIZE - 3)).copyTo(tail);
            check("[0, 0, 7]", Arrays.toString(tail));
            ByteTensorIterator scalars = data.slice(TensorIndex.flip()).scalars();
            check(7, scalars.get());
            check(0, scalars.get());
        }
    }

    private static void bool() {
        try (Tensor<Boolean> tensor = Tensors.denseBoolean(new long[] {1, SIZE}, data -> data.put(true, 0, SIZE - 1))) {
            BooleanTensorData data = tensor.booleanData();
            check(SIZE, tensor.numBytes());
            check(false, data.get(0, SIZE - 2));
            check(true, data.get(0, SIZE - 1));
            check(true, data.slice(0).slice(TensorIndex.flip()).get(0));
            boolean[] tail = new boolean[3];
            data.slice(TensorIndex.at(0), TensorIndex.from(SIZE - 3)).copyTo(tail);
            check("[false, false, true]", Arrays.toString(tail));
        }
    }

    private static void check(Object expected, Object found) {
        if (!String.valueOf(expected).equals(String.valueOf(found))) {
            throw new AssertionError(found + " for " + expected);
        }
    }
}
