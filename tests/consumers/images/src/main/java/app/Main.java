package app;

import io.tensornio.ByteTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.UInt8;
import io.tensornio.images.Images;
import java.io.ByteArrayInputStream;

/** Makes a picture of numbers, and prints a column of what is read of it. */
public final class Main {
    private Main() {
    }

    public static void main(String[] arguments) {
        byte[] png = Images.png(ByteTensorData.of(new byte[] {0, 1, 2, 10, 11, 12}, 2, 3, 1));
        try (Tensor<UInt8> image = Images.read(new ByteArrayInputStream(png))) {
            int[] column = {image.uInt8Data().get(0, 2, 0), image.uInt8Data().get(1, 2, 0)};
            System.out.println(Tensors.ofNested(column));
        }
    }
}
