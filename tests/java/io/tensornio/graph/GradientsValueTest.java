package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tensornio.AnyTensor;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.value.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Gradients as values: what is refused leaves all of it open. */
@ExtendWith(MemoryBalance.class)
class GradientsValueTest {
    private static Tensor<?> number(double value) {
        return Tensors.denseDouble(new long[0], data -> data.put(value));
    }

    private static Tensor<?> count(long value) {
        return Tensors.denseLong(new long[0], data -> data.put(value));
    }

    private static Map<String, Object> gradients(Tensor<?> loss, Tensor<?> examples, String... ids) {
        Map<String, Object> own = new LinkedHashMap<>();
        for (String id : ids) {
            own.put(id, Tensors.ofNested(new float[] {1, 2}));
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("loss", loss);
        all.put("examples", examples);
        all.put("gradients", Value.dict(own));
        return all;
    }

    private static void refused(Map<String, Object> entries, String... parts) {
        try (Value value = Value.dict(entries)) {
            Expect.exactly(IllegalArgumentException.class, () -> Gradients.of(value), parts);
            for (String name : new String[] {"loss", "examples"}) {
                AnyTensor<?> open = value.get(name).asTensor();
                assertEquals(open.rank() == 0 ? 1 : 2, open.numElements());
                open.data();            // would throw of a closed one
            }
            value.get("gradients").asDict().values().forEach(each -> each.asTensor().data());
        }
    }

    @Test
    void whatIsNoValueOfGradientsStaysOpen() {
        refused(gradients(Tensors.denseFloat(new long[0], data -> data.put(1)), count(3), "1"), "not the value of gradients");
        refused(gradients(Tensors.ofNested(new double[] {1, 2}), count(3), "1"), "the loss is a number");
        refused(gradients(number(1), count(-3), "1"), "the examples are counted");
        refused(gradients(number(1), count(3), "1", "01"), "two of the parameter 1");
        refused(gradients(number(1), count(3), "one"), "not the value of gradients");
        Map<String, Object> more = gradients(number(1), count(3), "1");
        more.put("more", number(2));
        refused(more, "it has", "more");
        assertThrows(NullPointerException.class, () -> Gradients.of(null));
    }

    @Test
    void theyComeBack() {
        try (Gradients made = Gradients.of(Value.dict(gradients(number(.5), count(7), "1", "3"))); Value value = made.toValue()) {
            assertEquals(7, made.examples());
            assertEquals("[1, 3]", made.ids().toString());
            assertEquals(.5, value.get("loss").asTensor().doubleData().get());
            assertEquals(made.get(3).data(), value.get("gradients").get("3").asTensor().data());
        }
    }
}
