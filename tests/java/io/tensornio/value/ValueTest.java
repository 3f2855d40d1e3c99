package io.tensornio.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.MemoryStats;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.internal.memory.Garbage;
import io.tensornio.support.Expect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class ValueTest {
    static Tensor<Float> floats(float... values) {
        return Tensors.denseFloat(new long[] {values.length}, data -> data.put(values));
    }

    static Tensor<Long> longs(long... values) {
        return Tensors.denseLong(new long[] {values.length}, data -> data.copyFrom(values));
    }

    private static Map<String, Object> map(Object... entries) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            map.put((String) entries[i], entries[i + 1]);
        }
        return map;
    }

    @Test
    void eachKindGivesBackWhatItWasMadeOf() {
        Tensor<Float> x = floats(1);
        Tensor<Float> y = floats(2, 3);
        assertSame(x, Value.of(x).asTensor());
        assertEquals(Value.Kind.TENSOR, Value.of(x).kind());
        Value list = Value.list(x, y);
        assertEquals(Value.Kind.LIST, list.kind());
        assertSame(y, list.get(1).asTensor());
        assertSame(y, list.get(-1).asTensor());
        assertSame(x, list.get(-2).asTensor());
        assertEquals(2, list.asList().size());
        Value dict = Value.dict(map("x", x, "list", list));
        assertEquals(Value.Kind.DICT, dict.kind());
        assertSame(x, dict.get("x").asTensor());
        assertSame(list, dict.get("list"));
        assertEquals(Arrays.asList("x", "list"), new ArrayList<>(dict.asDict().keySet()));
        Value present = Value.optional(x);
        assertTrue(present.isPresent());
        assertSame(x, present.get().asTensor());
        assertFalse(Value.optional(null).isPresent());
        assertEquals(Value.Kind.OPTIONAL, Value.optional(null).kind());
        list.close();
    }

    @Test
    void aListTakesValuesAndTensors() {
        Tensor<Float> x = floats(1);
        Value nested = Value.list(Arrays.asList(x, Value.list(longs(1)), Value.of(x)));
        assertEquals(3, nested.asList().size());
        assertEquals(Value.Kind.LIST, nested.get(1).kind());
        assertSame(x, nested.get(2).asTensor());
        nested.close();
    }

    @Test
    void theWrongKindIsToldWithBoth() {
        Value tensor = Value.of(floats(1));
        Expect.exactly(IllegalStateException.class, tensor::asList, "of the kind TENSOR, not LIST");
        Expect.exactly(IllegalStateException.class, tensor::asDict, "TENSOR", "DICT");
        Expect.exactly(IllegalStateException.class, tensor::get, "TENSOR", "OPTIONAL");
        Expect.exactly(IllegalStateException.class, tensor::isPresent, "TENSOR", "OPTIONAL");
        Expect.exactly(IllegalStateException.class, () -> tensor.get(0), "TENSOR", "LIST");
        Expect.exactly(IllegalStateException.class, () -> tensor.get("a"), "TENSOR", "DICT");
        Expect.exactly(IllegalStateException.class, () -> Value.list().asTensor(), "LIST", "TENSOR");
        tensor.close();
    }

    @Test
    void whatIsNotThereIsTold() {
        Value list = Value.list(floats(1), floats(2));
        Expect.exactly(IndexOutOfBoundsException.class, () -> list.get(2), "position 2", "2 items", "-2 to 1");
        Expect.exactly(IndexOutOfBoundsException.class, () -> list.get(-3), "position -3", "2 items");
        Expect.exactly(IndexOutOfBoundsException.class, () -> Value.list().get(0), "position 0", "0 items");
        Expect.exactly(NoSuchElementException.class, () -> Value.dict(map("a", list)).get("b"), "\"b\"", "[a]");
        Expect.exactly(NoSuchElementException.class, () -> Value.optional(null).get(), "absent");
        list.close();
    }

    @Test
    void itemsThatAreNoValuesAreRefusedWithTheirPlace() {
        Expect.exactly(IllegalArgumentException.class, () -> Value.list(Arrays.asList(Value.list(), "text")), "item 1", "java.lang.String");
        Expect.exactly(IllegalArgumentException.class, () -> Value.dict(map("a", 5)), "entry \"a\"", "java.lang.Integer");
        Expect.exactly(IllegalArgumentException.class, () -> Value.optional("x"), "java.lang.String");
        Expect.exactly(NullPointerException.class, () -> Value.list(Collections.singletonList(null)), "item 0");
        Expect.exactly(NullPointerException.class, () -> Value.dict(map("a", null)), "entry \"a\"");
        Expect.exactly(NullPointerException.class, () -> Value.of(null), "tensor");
    }

    @Test
    void tensorsOfMixedTypesAreRefused() {
        Tensor<Float> x = floats(1);
        Tensor<Long> i = longs(1);
        Expect.exactly(IllegalArgumentException.class, () -> Value.list(x, i), "item 1", "INT64", "FLOAT");
        Expect.exactly(IllegalArgumentException.class, () -> Value.list(Arrays.asList(i, Value.list(x), Value.of(x))), "item 2");
        x.close();
        i.close();
    }

    @Test
    void valuesDoNotChangeWithWhatTheyWereMadeOf() {
        Tensor<Float> x = floats(1);
        List<Object> items = new ArrayList<>(Arrays.asList(x));
        Map<String, Object> entries = map("x", x);
        Value list = Value.list(items);
        Value dict = Value.dict(entries);
        items.clear();
        entries.clear();
        assertEquals(1, list.asList().size());
        assertEquals(1, dict.asDict().size());
        assertThrows(UnsupportedOperationException.class, () -> list.asList().clear());
        assertThrows(UnsupportedOperationException.class, () -> dict.asDict().clear());
        x.close();
    }

    @Test
    void equalityIsStructural() {
        Tensor<Float> x = floats(1, 2);
        Tensor<Float> same = floats(1, 2);
        Tensor<Float> other = floats(1, 3);
        SparseTensor<Float> sparse = SparseTensor.fromDense(x.floatData());
        assertEquals(Value.of(x), Value.of(same));
        assertEquals(Value.of(x).hashCode(), Value.of(same).hashCode());
        assertEquals(Value.of(x), Value.of(sparse));
        assertEquals(Value.of(x).hashCode(), Value.of(sparse).hashCode());
        assertNotEquals(Value.of(x), Value.of(other));
        assertEquals(Value.of(x).hashCode(), Value.of(other).hashCode(), "a hash knows kind, type and shape alone");
        assertEquals(Value.list(x, other), Value.list(same, other));
        assertNotEquals(Value.list(x, other), Value.list(other, x));
        assertNotEquals(Value.list(x), Value.of(x));
        assertNotEquals(Value.list(x), Value.optional(x));
        assertEquals(Value.dict(map("a", x, "b", other)), Value.dict(map("b", other, "a", same)));
        assertEquals(Value.dict(map("a", x, "b", other)).hashCode(), Value.dict(map("b", other, "a", same)).hashCode());
        assertNotEquals(Value.dict(map("a", x)), Value.dict(map("b", x)));
        assertEquals(Value.optional(x), Value.optional(same));
        assertEquals(Value.optional(null), Value.optional(null));
        assertNotEquals(Value.optional(x), Value.optional(null));
        assertNotEquals(Value.of(x), x);
        for (AnyTensor<?> tensor : Arrays.<AnyTensor<?>>asList(x, same, other, sparse)) {
            tensor.close();
        }
    }

    @Test
    void theTypeOfAnEmptyListIsNoPartOfEquality() {
        assertEquals(Value.list(), SequenceOps.empty(DataType.INT32));
        assertEquals(Value.list().hashCode(), SequenceOps.empty(DataType.INT32).hashCode());
    }

    @Test
    void closedTensorsEqualOnlyThemselvesAndNothingThrows() {
        Tensor<Float> x = floats(1);
        Tensor<Float> same = floats(1);
        Value a = Value.list(x);
        Value b = Value.list(same);
        int hash = a.hashCode();
        assertEquals(a, b);
        x.close();
        assertNotEquals(a, b);
        assertNotEquals(b, a);
        assertEquals(a, Value.list(x));
        assertEquals(hash, a.hashCode());
        assertTrue(a.toString().contains("closed"), a.toString());
        same.close();
    }

    @Test
    void closeClosesEveryTensorHoweverDeep() {
        Tensor<Float> x = floats(1);
        Tensor<Float> y = floats(2);
        Tensor<Long> i = longs(3);
        Value value = Value.dict(map("a", Value.list(x, x), "b", Value.optional(Value.list(Value.list(y))), "c", i, "d", Value.optional(null)));
        value.close();
        assertTrue(x.isClosed() && y.isClosed() && i.isClosed());
        value.close();
    }

    @Test
    void valuesThatAreDroppedCloseNothing() {
        Tensor<Float> x = floats(1);
        Value.list(x, x);
        assertFalse(x.isClosed());
        x.close();
    }

    /** Each of these has the one before twice: 2^60 tensors, if one goes all ways. */
    private static Value shared(Tensor<Float> tensor) {
        Value value = Value.of(tensor);
        for (int n = 0; n < 60; n++) {
            value = n % 3 == 0 ? Value.dict(map("a", value, "b", value)) : Value.list(value, value);
        }
        return value;
    }

    @Test
    void whatIsInAValueTimeAndAgainIsLookedAtOnce() {
        Tensor<Float> x = floats(1);
        Tensor<Float> y = floats(1);
        Tensor<Float> z = floats(2);
        Value value = shared(x);
        assertEquals(value, shared(y));
        assertEquals(value.hashCode(), shared(y).hashCode());
        assertNotEquals(value, shared(z));
        assertTrue(value.toString().contains("..."));
        value.close();
        assertTrue(x.isClosed() && !y.isClosed());
        y.close();
        z.close();
    }

    @Test
    void valuesMayBeAsDeepAsTheyLike() {
        Tensor<Float> x = floats(1);
        Value first = Value.of(x);
        Value second = Value.of(x);
        for (int n = 0; n < 200_000; n++) {
            first = n % 2 == 0 ? Value.optional(first) : Value.list(first);
            second = n % 2 == 0 ? Value.optional(second) : Value.list(second);
        }
        assertEquals(first, second);
        assertNotEquals(first, Value.list(second));
        assertTrue(first.toString().contains("..."));
        first.close();
        assertTrue(x.isClosed());
    }

    /** A million at a depth of 50. */
    @Test
    void manyValuesThatAreDroppedTakeLittleMemory() {
        float[] page = new float[1024];
        long limit = MemoryStats.current().bytesInUse() + (32L << 20);          // all of them are 80 MiB and more
        int count = 20_000 * Expect.depth();
        for (int n = 0; n < count; n++) {
            Value.dict(map("list", Value.list(floats(page)), "none", Value.optional(null)));
            if (n % 1000 == 0) {
                Garbage.collectUntil(() -> MemoryStats.current().bytesInUse() < limit);
            }
        }
    }

    @Test
    void stringsShowKindsAndTensors() {
        Tensor<Float> x = floats(1);
        Tensor<Float> y = floats(2, 3);
        Tensor<Float> matrix = Tensors.ofNested(new float[][] {{1, 2}, {3, 4}});
        assertEquals("FLOAT[1] [1.]", Value.of(x).toString());
        assertEquals("LIST of 0: []", Value.list().toString());
        assertEquals("LIST of 0 INT64: []", SequenceOps.empty(DataType.INT64).toString());
        assertEquals("LIST of 2 FLOAT: [FLOAT[1] [1.], FLOAT[2] [2., 3.]]", Value.list(x, y).toString());
        assertEquals("DICT of 2: {x: FLOAT[1] [1.], none: OPTIONAL, absent}", Value.dict(map("x", x, "none", Value.optional(null))).toString());
        assertEquals("OPTIONAL of FLOAT[1] [1.]", Value.optional(x).toString());
        assertEquals("LIST of 2 FLOAT: [\n  FLOAT[1] [1.],\n  " + matrix.toString().replace("\n", "\n  ") + "\n]", Value.list(x, matrix).toString());
        assertEquals("LIST of 20 FLOAT: [" + String.join(", ", Collections.nCopies(3, "FLOAT[1] [1.]")) + ", ..., "
            + String.join(", ", Collections.nCopies(3, "FLOAT[1] [1.]")) + "]", Value.list(Collections.nCopies(20, x)).toString());
        x.close();
        y.close();
        matrix.close();
    }
}
