package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.io.Safetensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.value.Value;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Inputs and checkpoints of types that are stored narrow. */
@ExtendWith(MemoryBalance.class)
class NarrowGraphTest {
    @Test
    void inputsOfNarrowTypesWidenWhereTheyAreRead() {
        TensorContext t = new TensorContext();
        Sym x = t.input("x", DataType.FLOAT16, Axis.of(2));
        Sym k = t.input("k", DataType.UINT16, Axis.of(2));
        Map<String, Sym> tensors = new LinkedHashMap<>();
        tensors.put("x", x);
        tensors.put("k", k);
        tensors.put("y", t.tensor().named("y"));
        Sym y = t.comprehension("y[i] = 2 * x[i] + float(k[i])", tensors);
        Expect.exactly(IllegalArgumentException.class, () -> t.input("u", DataType.UINT64, Axis.of(2)), "UINT64");
        try (ComputeGraph cg = TensorGraph.of(y).compile();
            Tensor<?> half = Tensors.ofNested(DataType.FLOAT16, new float[] {1, .1f});
            Tensor<?> ints = Tensors.ofNested(DataType.UINT16, new int[] {65535, 3})) {
            Map<String, Value> in = new LinkedHashMap<>();
            in.put("x", Value.of(half));
            in.put("k", Value.of(ints));
            try (Value out = cg.run(in).get("y")) {
                assertEquals(DataType.FLOAT, out.asTensor().dataType());
                assertArrayEquals(new float[] {65537, 3.1999512f}, (float[]) out.asTensor().toNested());
            }
            in.put("x", Value.of(ints));
            Expect.exactly(IllegalArgumentException.class, () -> cg.run(in), "UINT16", "FLOAT16");
        }
    }

    @Test
    void halvesInACheckpointWidenToParameters() {
        TensorContext t = new TensorContext();
        Sym1<Axis> x = t.input(Axis.of(2), float[].class, (in, data) -> data.put(in));
        Dense<Axis> layer = t.comprehensions().dense(Axis.of(1), x);
        Sym1<Axis> out = layer.output();
        try (ComputeGraph cg = TensorGraph.of(out).compile()) {
            CGInit.glorot(cg, 1);
            ByteArrayOutputStream saved = new ByteArrayOutputStream();
            cg.save(saved);
            for (DataType type : new DataType[] {DataType.FLOAT16, DataType.BFLOAT16}) {
                ByteArrayOutputStream narrow = new ByteArrayOutputStream();
                Map<String, Tensor<?>> all = new LinkedHashMap<>();
                try (Value whole = Safetensors.read(new ByteArrayInputStream(saved.toByteArray()))) {
                    whole.asDict().forEach((key, value) -> all.put(key, Tensors.convert(value.asTensor().data(), type)));
                }
                try (Value dict = Value.dict(all)) {
                    Safetensors.write(narrow, dict, Collections.emptyMap());
                    cg.load(new ByteArrayInputStream(narrow.toByteArray()));
                    ByteArrayOutputStream again = new ByteArrayOutputStream();
                    cg.save(again);
                    try (Value loaded = Safetensors.read(new ByteArrayInputStream(again.toByteArray()))) {
                        for (Map.Entry<String, Tensor<?>> one : all.entrySet()) {
                            try (Tensor<Float> wide = Tensors.convert(one.getValue().data(), Float.class)) {
                                assertEquals(wide.data(), loaded.get(one.getKey()).asTensor().data());
                            }
                        }
                    }
                }
            }
        }
    }
}
