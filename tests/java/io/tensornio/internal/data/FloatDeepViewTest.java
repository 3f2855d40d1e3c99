package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.BooleanTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorDescription;
import io.tensornio.TensorIndex;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Complex views of {@code float} data in chains that no stack can recurse over, and of parts that stand in them more often than can be counted. */
@ExtendWith(MemoryBalance.class)
@Timeout(60)
class FloatDeepViewTest {
    private static final int DEEP = 2500;

    private static FloatTensorData one(int n) {
        return FloatTensorData.of(FloatValues.array(n, 1), 1);
    }

    private static FloatTensorData loop(BinaryOperator<FloatTensorData> step) {
        FloatTensorData made = one(0);
        for (int n = 1; n < DEEP; n++) {
            made = step.apply(made, one(n));
        }
        return made;
    }

    /** Reads in all ways, and asks for what goes through all parts. */
    private static void reads(FloatTensorData data, float... expected) {
        assertArrayEquals(expected, FloatValues.all(data));
        float[] bulk = FloatValues.zeros(expected.length);
        data.copyTo(bulk);
        assertArrayEquals(expected, bulk);
        try (Tensor<Float> copy = data.copy()) {
            assertEquals(copy.floatData(), data);
            assertFalse(data.sharesMemoryWith(copy.floatData()));
        }
        assertTrue(data.sharesMemoryWith(data));
        assertEquals(data.slice(TensorIndex.ellipsis()).description(), data.description());
        assertTrue(data.description().toString().startsWith(data.dataType().toString()));
    }

    @Test
    void whatIsJoinedPartByPart() {
        reads(loop((made, next) -> FloatTensorData.concat(0, made, next)), FloatValues.array(0, DEEP));
        reads(loop((made, next) -> FloatTensorData.concat(0, next, made).flip().flip()).flip(), FloatValues.array(0, DEEP));
    }

    @Test
    void marginsOfMargins() {
        FloatTensorData data = loop((made, next) -> made.pad(new long[] {1}, new long[] {0}, next.get(0)));
        reads(data.flip(), FloatValues.array(0, DEEP));
        reads(loop((made, next) -> made.repeat(0, 1).tile(1)), FloatValues.array(0, 1));
    }

    @Test
    void choicesOfChoices() {
        BooleanTensorData no = BooleanTensorData.constant(false, 1);
        reads(loop((made, next) -> FloatTensorData.where(no, next, made)), FloatValues.array(0, 1));
        BooleanTensorData condition = no;
        for (int n = 0; n < 256; n++) {
            FloatTensorData.where(condition, one(1), one(2));
            condition = BooleanTensorData.where(condition, no, no);
        }
        BooleanTensorData deep = condition;
        assertFalse(deep.get(0));
        Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.where(deep, one(1), one(2)), "256", "copy()");
    }

    /** Whether the tensors of a chain of views are open is known without going through the chain: one of 50,000 would take minutes otherwise. */
    @Test
    void chainsOfViewsOfFewTensorsAreMadeInTimeThatGrowsWithTheirLength() {
        Tensor<Float> tensor = one(7).copy();
        Tensor<Boolean> no = BooleanTensorData.constant(false, 1).copy();
        FloatTensorData padded = tensor.floatData();
        FloatTensorData chosen = padded;
        for (int n = 0; n < 50_000; n++) {
            padded = padded.pad(new long[] {1}, new long[] {0}).slice(TensorIndex.range(1, 2));
            chosen = FloatTensorData.where(no.booleanData(), tensor.floatData(), chosen);
        }
        assertEquals(FloatValues.of(7), padded.get(0));
        assertEquals(FloatValues.of(7), chosen.get(0));
        FloatTensorData open = padded;
        FloatTensorData closed = chosen;
        no.close();
        assertEquals(FloatValues.of(7), open.flip().get(0));
        Expect.thrown(TensorClosedException.class, closed::flip, "BOOL");
        tensor.close();
        Expect.thrown(TensorClosedException.class, open::flip, "FLOAT");
    }

    /** Also of one that is asked for by hundreds of others. */
    @Test
    void eachOfManyTensorsThatClosesIsNoticed() {
        List<Tensor<Float>> tensors = new ArrayList<>();
        FloatTensorData made = one(0);
        for (int n = 0; n < 300; n++) {
            tensors.add(one(n).copy());
            made = FloatTensorData.concat(0, made.flip(), tensors.get(n).floatData());
        }
        FloatTensorData all = made;
        assertEquals(301, all.flip().size(0));
        for (Tensor<Float> tensor : tensors) {
            try (Tensor<Float> other = one(1).copy()) {
                FloatTensorData few = FloatTensorData.concat(0, tensor.floatData(), other.floatData()).flip();
                FloatTensorData both = FloatTensorData.stack(0, few, few);
                tensor.close();
                Expect.thrown(TensorClosedException.class, both::transpose, tensor.dataType().toString());
            }
            Expect.thrown(TensorClosedException.class, all::flip, tensor.dataType().toString());
        }
    }

    /** Each is evaluated for the next one's condition and for its element: without the limit, the read at the end would take 2^60 of them. */
    @Test
    void conditionsThatDoubleAreRefusedBeforeAReadCannotEnd() {
        BooleanTensorData[] made = {BooleanTensorData.of(new boolean[] {true, false})};
        FloatTensorData x = FloatTensorData.of(FloatValues.array(1, 2));
        Expect.thrown(IllegalArgumentException.class, () -> {
            for (int n = 0; n < 60; n++) {
                made[0] = BooleanTensorData.where(made[0], made[0].flip(), made[0]);
            }
        }, "where", "65536", "copy()");
        try (Tensor<Boolean> copy = made[0].copy()) {
            assertEquals(x, FloatTensorData.where(copy.booleanData(), x, x));
        }
        Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.where(made[0], x, x), "where", "65536", "copy()");
    }

    @Test
    void partsThatDoubleAreGoneThroughOnce() {
        FloatTensorData data = one(7);
        FloatTensorData other = one(8);
        Tensor<Float> tensor = one(9).copy();
        FloatTensorData closed = tensor.floatData();
        for (int n = 0; n < 40; n++) {
            data = FloatTensorData.concat(0, data, data);
            other = FloatTensorData.stack(0, other, other).flatten();
            closed = FloatTensorData.concat(0, closed, closed);
        }
        assertEquals(FloatValues.of(7), data.get(1_234_567));
        assertFalse(data.sharesMemoryWith(other));
        assertTrue(data.sharesMemoryWith(data.flip()));
        TensorDescription description = data.description();
        assertEquals(description, data.description());
        assertEquals(description.hashCode(), data.description().hashCode());
        assertTrue(description.sharesMemoryWith(description));
        assertFalse(description.sharesMemoryWith(other.description()));
        tensor.close();
        Expect.thrown(TensorClosedException.class, closed::transpose, "FLOAT");
        FloatTensorData last = closed;
        Expect.thrown(TensorClosedException.class, () -> last.get(1_234_567), "FLOAT");
    }
}
