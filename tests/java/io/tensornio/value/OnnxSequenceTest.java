package io.tensornio.value;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Tensor;
import io.tensornio.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What ONNX's backend tests of its operators on sequences and optional values state, each test named after its case there. */
class OnnxSequenceTest {
    // An input that is not there: in ONNX none, or one whose name is empty.
    private static final Tensor<Float> NO_TENSOR = null;
    private static final Value NO_VALUE = null;

    private final Tensor<Float> x = filled(1, 2, 3, 4);
    private final Tensor<Float> y = filled(0, 2, 3, 4);
    private final Tensor<Float> z = filled(2, 2, 3, 4);

    private static Tensor<Float> filled(float value, long... shape) {
        return Tensors.denseFloat(shape, data -> data.scalars().onEach(() -> value));
    }

    @AfterEach
    void close() {
        Arrays.asList(x, y, z).forEach(Tensor::close);
    }

    @Test
    void sequence_model1() {
        Value list = SequenceOps.insert(SequenceOps.insert(SequenceOps.insert(Value.list(), x), y), z, 1);
        assertSame(y, SequenceOps.at(list, 2));
    }

    @Test
    void sequence_model2() {
        assertSame(z, SequenceOps.at(SequenceOps.erase(SequenceOps.construct(x, y, z), 1), 1));
    }

    @Test
    void sequence_model3() {
        Value erased = SequenceOps.erase(SequenceOps.construct(x, y, z), -3);
        assertEquals(Value.list(y, z), erased);
        Value inserted = SequenceOps.insert(erased, x, -1);
        assertEquals(Value.list(y, x, z), inserted);
        assertSame(z, SequenceOps.at(inserted, -1));
    }

    @Test
    void sequence_model4() {
        try (Tensor<?> joined = SequenceOps.concatFromSequence(SequenceOps.construct(x, y, z), 1, false)) {
            assertArrayEquals(new long[] {2, 9, 4}, joined.shape());
            for (int j = 0; j < 9; j++) {
                assertEquals(new float[] {1, 0, 2}[j / 3], joined.floatData().get(1, j, 2));
            }
        }
    }

    @Test
    void sequence_model5() {
        try (Tensor<?> joined = SequenceOps.concatFromSequence(SequenceOps.construct(x, y, z), -1, true)) {
            assertArrayEquals(new long[] {2, 3, 4, 3}, joined.shape());
            float[] last = new float[3];
            joined.floatData().slice(1, 2, 3).copyTo(last);
            assertArrayEquals(new float[] {1, 0, 2}, last);
        }
    }

    @Test
    void sequence_model6() {
        try (Value parts = SequenceOps.splitToSequence(x, -1, true)) {
            assertEquals(4, SequenceOps.length(parts));
            assertArrayEquals(new long[] {2, 3, 1}, SequenceOps.at(parts, 0).shape());
        }
    }

    @Test
    void sequence_model7() {
        try (Tensor<Float> range = SequenceOpsTest.range(2, 3, 4); Value parts = SequenceOps.splitToSequence(range, 0, false)) {
            assertEquals(range.floatData().slice(1), SequenceOps.at(parts, 1).floatData());
        }
    }

    @Test
    void sequence_model8() {
        try (Tensor<Float> none = ValueTest.floats(); Value parts = SequenceOps.splitToSequence(none, 0, new long[] {0, 0, 0})) {
            assertEquals(3, SequenceOps.length(parts));
        }
    }

    @Test
    void sequence_insert_at_back() {
        try (Tensor<Long> item = ValueTest.longs(10, 11, 12);
                Value list = Value.list(ValueTest.longs(1, 2, 3, 4), ValueTest.longs(5, 6, 7), ValueTest.longs(8, 9))) {
            assertSame(item, SequenceOps.at(SequenceOps.insert(list, item), 3));
        }
    }

    @Test
    void sequence_insert_at_front() {
        try (Tensor<Long> item = ValueTest.longs(-2, -1, 0);
                Value list = Value.list(ValueTest.longs(1, 2, 3, 4), ValueTest.longs(5, 6, 7), ValueTest.longs(8, 9))) {
            assertSame(item, SequenceOps.at(SequenceOps.insert(list, item, 0), 0));
        }
    }

    @Test
    void split_to_sequence_1() {
        try (Tensor<Float> data = SequenceOpsTest.range(3, 6); Value parts = SequenceOps.splitToSequence(data, 1, 2)) {
            assertEquals(3, SequenceOps.length(parts));
            SequenceOpsTest.equals(new float[][] {{0, 1}, {6, 7}, {12, 13}}, SequenceOps.at(parts, 0));
            SequenceOpsTest.equals(new float[][] {{2, 3}, {8, 9}, {14, 15}}, SequenceOps.at(parts, 1));
            SequenceOpsTest.equals(new float[][] {{4, 5}, {10, 11}, {16, 17}}, SequenceOps.at(parts, 2));
        }
    }

    @Test
    void split_to_sequence_2() {
        try (Tensor<Float> data = SequenceOpsTest.range(3, 6); Value parts = SequenceOps.splitToSequence(data, 0, new long[] {1, 2})) {
            SequenceOpsTest.equals(new float[][] {{0, 1, 2, 3, 4, 5}}, SequenceOps.at(parts, 0));
            SequenceOpsTest.equals(new float[][] {{6, 7, 8, 9, 10, 11}, {12, 13, 14, 15, 16, 17}}, SequenceOps.at(parts, 1));
        }
    }

    @Test
    void split_to_sequence_nokeepdims() {
        try (Tensor<Float> data = SequenceOpsTest.range(3, 6); Value parts = SequenceOps.splitToSequence(data, 1, false)) {
            assertEquals(6, SequenceOps.length(parts));
            for (int j = 0; j < 6; j++) {
                SequenceOpsTest.equals(new float[] {j, 6 + j, 12 + j}, SequenceOps.at(parts, j));
            }
        }
    }

    @Test
    void sequence_map_identity_1_sequence() {
        Value list = Value.list(x, y, z);
        Value mapped = SequenceOps.map(list, item -> item);
        assertEquals(list, mapped);
        assertSame(y, SequenceOps.at(mapped, 1));
    }

    @Test
    void sequence_map_identity_2_sequences() {
        Value first = Value.list(x, y, z);
        Value second = Value.list(z, x, y);
        Iterator<Value> others = second.asList().iterator();
        List<Value> secondMapped = new ArrayList<>();
        Value firstMapped = SequenceOps.map(first, item -> {
            secondMapped.add(others.next());
            return item;
        });
        assertEquals(first, firstMapped);
        assertEquals(second, Value.list(secondMapped));
    }

    @Test
    void sequence_map_identity_1_sequence_1_tensor() {
        Value list = Value.list(x, y);
        List<Tensor<?>> ofTensor = new ArrayList<>();
        Value mapped = SequenceOps.map(list, item -> {
            ofTensor.add(z);
            return item;
        });
        assertEquals(list, mapped);
        assertEquals(Value.list(z, z), Value.list(ofTensor));
    }

    @Test
    void sequence_map_add_2_sequences() {
        Iterator<Value> others = Value.list(z, z).asList().iterator();
        try (Value sums = SequenceOps.map(Value.list(x, y), item -> sum((Tensor<?>) item, (Tensor<?>) others.next().asTensor()))) {
            assertEquals(3, SequenceOps.at(sums, 0).floatData().get(1, 1, 1));
            assertEquals(2, SequenceOps.at(sums, 1).floatData().get(1, 1, 1));
        }
    }

    @Test
    void sequence_map_add_1_sequence_1_tensor() {
        try (Value sums = SequenceOps.map(Value.list(x, y), item -> sum((Tensor<?>) item, z))) {
            assertEquals(3, SequenceOps.at(sums, 0).floatData().get(1, 1, 1));
            assertEquals(2, SequenceOps.at(sums, 1).floatData().get(1, 1, 1));
        }
    }

    private static Tensor<Float> sum(Tensor<?> a, Tensor<?> b) {
        return Tensors.denseFloat(a.shape(), data -> {
            double[] left = a.floatData().stream().toArray();
            double[] right = b.floatData().stream().toArray();
            float[] sums = new float[left.length];
            for (int i = 0; i < sums.length; i++) {
                sums[i] = (float) (left[i] + right[i]);
            }
            data.copyFrom(sums);
        });
    }

    @Test
    void sequence_map_extract_shapes() {
        Value list = Value.list(filled(0, 40, 30, 3), filled(0, 20, 10, 3), filled(0, 10, 5, 3));
        try (Value shapes = SequenceOps.map(list, item -> ValueTest.longs(item.shape()))) {
            SequenceOpsTest.equals(new long[] {40, 30, 3}, SequenceOps.at(shapes, 0));
            SequenceOpsTest.equals(new long[] {10, 5, 3}, SequenceOps.at(shapes, 2));
        }
        list.close();
    }

    @Test
    void optional_has_element_tensor_input() {
        assertTrue(Value.optional(x).isPresent());
    }

    @Test
    void optional_has_element_empty_optional_input() {
        assertFalse(Value.optional(null).isPresent());
    }

    @Test
    void optional_get_element_tensor() {
        assertSame(x, Value.optional(x).get().asTensor());
    }

    @Test
    void optional_get_element_sequence() {
        Value list = Value.list(Collections.singletonList(x));
        assertSame(list, Value.optional(list).get());
    }

    @Test
    void optional_get_element_optional_tensor() {
        assertSame(x, Value.optional(Value.of(x)).get().asTensor());
    }

    @Test
    void optional_get_element_optional_sequence() {
        Value list = Value.list(x, y);
        assertSame(y, Value.optional(list).get().get(1).asTensor());
    }

    @Test
    void optional_has_element_optional_input() {
        assertTrue(Value.optional(Value.of(x)).isPresent());
    }

    @Test
    void optional_has_element_empty_no_input_optional_input() {
        assertFalse(Value.optional(NO_VALUE).isPresent());
    }

    @Test
    void optional_has_element_empty_no_input_tensor_input() {
        assertFalse(Value.optional(NO_TENSOR).isPresent());
    }

    @Test
    void optional_has_element_empty_no_input_name_optional_input() {
        assertFalse(Value.optional(NO_VALUE).isPresent());
    }

    @Test
    void optional_has_element_empty_no_input_name_tensor_input() {
        assertFalse(Value.optional(NO_TENSOR).isPresent());
    }

    @Test
    void identity_sequence() {
        Value list = Value.list(x);
        assertEquals(list, Value.list(list.asList()));
    }

    @Test
    void identity_opt() {
        Value optional = Value.optional(Value.list(x));
        assertEquals(optional, Value.optional(optional.get()));
    }
}
