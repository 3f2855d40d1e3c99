package app;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.flip;

import io.tensornio.Tensor;
import io.tensornio.Tensors;

/** Makes a tensor, and prints its last column. */
public final class Main {
    private Main() {
    }

    public static void main(String[] arguments) {
        try (Tensor<Integer> tensor = Tensors.denseInt(new long[] {2, 3}, data -> data.copyFrom(new int[] {0, 1, 2, 10, 11, 12}))) {
            System.out.println(tensor.intData().slice(all(), flip()).slice(all(), at(0)));
        }
    }
}
