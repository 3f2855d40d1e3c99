package app;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;

import io.tensornio.AnyTensor;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.arrow.ArrowTensors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;

/** Makes a vector of Arrow's of a tensor, and prints the last column of what comes back. */
public final class Main {
    private Main() {
    }

    public static void main(String[] arguments) {
        try (BufferAllocator allocator = new RootAllocator();
            Tensor<Integer> tensor = Tensors.denseInt(new long[] {2, 3}, data -> data.copyFrom(new int[] {0, 1, 2, 10, 11, 12}));
            FieldVector vector = ArrowTensors.toVector(tensor, allocator); AnyTensor<?> back = ArrowTensors.of(vector)) {
            System.out.println(((Tensor<?>) back).intData().slice(all(), at(2)));
        }
    }
}
