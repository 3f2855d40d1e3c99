package app;

import io.tensornio.Tensors;
import io.tensornio.onnx.OnnxModel;
import io.tensornio.value.Value;
import java.util.Base64;
import java.util.Collections;

/** Runs a model that adds its input to itself, and prints what it gives. */
public final class Main {
    /** Of INT32: y = x + x. */
    private static final String TWICE = "CAgSADo1Cg4KAXgKAXgSAXkiA0FkZBIBdFoPCgF4EgoKCAgGEgQKAggCYg8KAXkSCgoICAYSBAoCCAJCBAoAEBI=";

    private Main() {
    }

    public static void main(String[] arguments) {
        try (OnnxModel model = OnnxModel.load(Base64.getDecoder().decode(TWICE));
                Value out = model.run(Collections.singletonMap("x", new int[] {1, 6}))) {
            int[] twice = new int[2];
            out.get("y").asTensor().intData().copyTo(twice);
            System.out.println(Tensors.ofNested(twice));
        }
    }
}
