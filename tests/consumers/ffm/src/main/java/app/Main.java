package app;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.ffm.Segments;
import io.tensornio.interop.Foreign;
import java.lang.foreign.Arena;
import java.nio.ByteOrder;

/** Makes a segment of a tensor, and a tensor of the segment, of which it prints the last column. */
public final class Main {
    private Main() {
    }

    public static void main(String[] arguments) {
        Arena arena = Arena.ofShared();
        try (Tensor<Integer> tensor = Tensors.denseInt(new long[] {2, 3}, data -> data.copyFrom(new int[] {0, 1, 2, 10, 11, 12}));
            Tensor<?> back = Foreign.adopt(DataType.INT32, tensor.shape(), Segments.of(tensor, arena).asByteBuffer().order(ByteOrder.nativeOrder()),
                arena::close)) {
            System.out.println(back.intData().slice(all(), at(2)));
        }
    }
}
