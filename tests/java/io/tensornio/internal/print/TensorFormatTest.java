package io.tensornio.internal.print;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DoubleTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorFormat;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The options of printing. */
@ExtendWith(MemoryBalance.class)
class TensorFormatTest {
    private static final TensorFormat DEFAULT = TensorFormat.DEFAULT;

    @Test
    void theDefaultsAreNumPys() {
        assertEquals("precision=8, threshold=1000, edgeItems=3, lineWidth=75", DEFAULT.toString());
        assertEquals(8, DEFAULT.precision());
        assertFalse(DEFAULT.isFixedPrecision());
        assertEquals(1000, DEFAULT.threshold());
        assertEquals(3, DEFAULT.edgeItems());
        assertEquals(75, DEFAULT.lineWidth());
        assertFalse(DEFAULT.isSuppressSmall());
        assertTrue(DEFAULT.hasHeader());
    }

    @Test
    void eachMethodChangesOneOption() {
        TensorFormat format = DEFAULT.withPrecision(1).withThreshold(2).withEdgeItems(4).withLineWidth(5);
        assertEquals("precision=1, threshold=2, edgeItems=4, lineWidth=5", format.toString());
        assertEquals("precision=6, threshold=2, edgeItems=4, lineWidth=5", format.withPrecision(6).toString());
        assertEquals("precision=6 fixed, threshold=2, edgeItems=4, lineWidth=5", format.withFixedPrecision(6).toString());
        assertEquals("precision=6, threshold=2, edgeItems=4, lineWidth=5", format.withFixedPrecision(7).withPrecision(6).toString());
        assertEquals("precision=1, threshold=6, edgeItems=4, lineWidth=5", format.withThreshold(6).toString());
        assertEquals("precision=1, threshold=2, edgeItems=6, lineWidth=5", format.withEdgeItems(6).toString());
        assertEquals("precision=1, threshold=2, edgeItems=4, lineWidth=6", format.withLineWidth(6).toString());
        assertEquals("precision=1, threshold=2, edgeItems=4, lineWidth=5, suppressSmall", format.withSuppressSmall().toString());
        assertEquals("precision=1, threshold=2, edgeItems=4, lineWidth=5, no header", format.withoutHeader().toString());
        TensorFormat all = format.withFixedPrecision(1).withSuppressSmall().withoutHeader();
        assertTrue(all.isFixedPrecision() && all.isSuppressSmall() && !all.hasHeader());
        assertEquals("precision=1 fixed, threshold=3, edgeItems=3, lineWidth=3, suppressSmall, no header",
            all.withThreshold(3).withEdgeItems(3).withLineWidth(3).toString());
    }

    @Test
    void equalWhereAllOptionsAre() {
        TensorFormat format = DEFAULT.withPrecision(4).withoutHeader();
        assertEquals(format, DEFAULT.withoutHeader().withPrecision(4));
        assertEquals(format.hashCode(), DEFAULT.withoutHeader().withPrecision(4).hashCode());
        assertNotEquals(format, format.withFixedPrecision(4));
        assertNotEquals(format, DEFAULT);
        assertNotEquals(format, format.toString());
    }

    @Test
    void wrongOptionsAreRefused() {
        Expect.thrown(IllegalArgumentException.class, () -> DEFAULT.withPrecision(-1), "precision -1", "0 to 1074");
        Expect.thrown(IllegalArgumentException.class, () -> DEFAULT.withPrecision(1075), "precision 1075", "0 to 1074");
        Expect.thrown(IllegalArgumentException.class, () -> DEFAULT.withFixedPrecision(-2), "precision -2", "0 to 1074");
        Expect.thrown(IllegalArgumentException.class, () -> DEFAULT.withThreshold(-1), "threshold -1", "at least 0");
        Expect.thrown(IllegalArgumentException.class, () -> DEFAULT.withEdgeItems(0), "edge items 0", "at least 1");
        Expect.thrown(IllegalArgumentException.class, () -> DEFAULT.withLineWidth(0), "line width 0", "at least 1");
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {2}, data -> { })) {
            Expect.thrown(NullPointerException.class, () -> tensor.toString(null), "format");
            Expect.thrown(NullPointerException.class, () -> tensor.floatData().toString(null), "format");
        }
    }

    @Test
    void theFinestDoubleHasAllItsDigits() {
        try (Tensor<Double> tensor = Tensors.denseDouble(new long[] {2}, data -> data.put(new double[] {Double.MIN_VALUE, Double.MAX_VALUE}))) {
            DoubleTensorData data = tensor.doubleData();
            TensorFormat exact = DEFAULT.withoutHeader().withFixedPrecision(1074).withSuppressSmall();
            assertEquals(new java.math.BigDecimal(Double.MIN_VALUE).toPlainString(), data.slice(0).toString(exact));
            assertEquals("5.e-324", data.slice(0).toString(DEFAULT.withoutHeader()));
            assertEquals("1.79769313e+308", data.slice(1).toString(DEFAULT.withoutHeader()));
        }
    }
}
