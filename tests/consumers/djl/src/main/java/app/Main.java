package app;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;

import ai.djl.ndarray.NDManager;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.djl.DjlTensors;

/** Makes an array of DJL's of a tensor, and prints the last column of what comes back. */
public final class Main {
    private Main() {
    }

    public static void main(String[] arguments) {
        try (NDManager manager = NDManager.newBaseManager();
            Tensor<Integer> tensor = Tensors.denseInt(new long[] {2, 3}, data -> data.copyFrom(new int[] {0, 1, 2, 10, 11, 12}));
            Tensor<?> back = DjlTensors.of(DjlTensors.toNDArray(manager, tensor))) {
            System.out.println(back.intData().slice(all(), at(2)));
        }
    }
}
