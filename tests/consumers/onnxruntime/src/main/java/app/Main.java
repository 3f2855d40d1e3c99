package app;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;

import ai.onnxruntime.OrtEnvironment;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.onnxruntime.OrtTensor;
import io.tensornio.onnxruntime.OrtTensors;
import io.tensornio.value.Value;

/** Gives a tensor to ONNX Runtime, and prints the last column of what comes back. */
public final class Main {
    private Main() {
    }

    public static void main(String[] arguments) {
        try (Tensor<Integer> tensor = Tensors.denseInt(new long[] {2, 3}, data -> data.copyFrom(new int[] {0, 1, 2, 10, 11, 12}));
            OrtTensor input = OrtTensors.of(OrtEnvironment.getEnvironment(), tensor); Value back = OrtTensors.copy(input.onnx())) {
            System.out.println(back.asTensor().intData().slice(all(), at(2)));
        }
    }
}
