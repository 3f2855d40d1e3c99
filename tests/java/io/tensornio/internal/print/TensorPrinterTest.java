package io.tensornio.internal.print;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.LongTensorData;
import io.tensornio.TensorData;
import io.tensornio.TensorFormat;
import io.tensornio.TensorIndex;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is printed of data that this library did not make, and that no memory could hold. */
class TensorPrinterTest {
    private static final TensorFormat FORMAT = TensorFormat.DEFAULT;
    private static final long LONG = 5_000_000_000L;

    /** Data whose elements are their positions, in decimal: 305 at 3, 0, 5. */
    private static LongTensorData positions(List<String> asked, long element, long... shape) {
        return (LongTensorData) Proxy.newProxyInstance(TensorPrinterTest.class.getClassLoader(), new Class<?>[] {LongTensorData.class},
            (self, method, arguments) -> {
                switch (method.getName()) {
                    case "dataType":
                        return DataType.INT64;
                    case "shape":
                        return shape.clone();
                    case "size":
                        return shape[(int) arguments[0]] < 0 ? LONG : shape[(int) arguments[0]];
                    case "get":
                        return method.getParameterCount() == 0 ? element : element * 10 + (int) arguments[0];
                    case "slice":
                        if (method.getParameterCount() == 0) {
                            return self;
                        }
                        boolean isInt = arguments[0] instanceof Integer;
                        String text = isInt ? "at(" + arguments[0] + ")" : ((TensorIndex[]) arguments[0])[0].toString();
                        if (text.equals("all()")) {
                            return self;
                        }
                        asked.add(isInt ? arguments[0].toString() : text);
                        return positions(asked, element * 10 + Long.parseLong(text.replaceAll("\\D", "")),
                            Arrays.copyOfRange(shape, 1, shape.length));
                    default:
                        throw new UnsupportedOperationException(method.toString());
                }
            });
    }

    @Test
    void anyImplementation() {
        assertEquals("INT64[2, 3]\n[[ 0,  1,  2],\n [10, 11, 12]]", TensorPrinter.print(positions(new ArrayList<>(), 0, 2, 3), FORMAT));
        assertEquals("INT64[] 7", TensorPrinter.print(positions(new ArrayList<>(), 7), FORMAT));
        assertEquals("INT64[0] []", TensorPrinter.print(positions(new ArrayList<>(), 7, 0), FORMAT));
    }

    @Test
    void anAxisLongerThanAnInt() {
        List<String> asked = new ArrayList<>();
        assertEquals("INT64[5000000000] [         0,          1, ..., 4999999998, 4999999999]",
            TensorPrinter.print(positions(asked, 0, LONG), FORMAT.withEdgeItems(2)));
        assertEquals("[at(4999999998), at(4999999999)]", asked.toString());
        asked.clear();
        assertEquals("INT64[5000000000, 2]\n[[          0,           1],\n ...,\n [49999999990, 49999999991]]",
            TensorPrinter.print(positions(asked, 0, LONG, 2), FORMAT.withEdgeItems(1)));
        assertEquals("[0, at(4999999999)]", asked.toString());
        asked.clear();
        long around = Integer.MAX_VALUE;        // a size that may stand for a longer one, so that no int goes there
        assertEquals("[0, 1, 2, ..., 2147483645, 2147483646, 2147483647]",
            TensorPrinter.print(positions(asked, 0, around + 1), FORMAT.withoutHeader()).replaceAll("\\s+", " ").replace("[ ", "["));
        assertEquals("[at(2147483647)]", asked.toString());
    }

    @Test
    void aRowLongerThanAnInt() {
        List<String> asked = new ArrayList<>();
        assertEquals("INT64[2, -1]\n[[0, ..., 4999999999], [10, ..., 5000000009]]",
            TensorPrinter.print(positions(asked, 0, 2, -1), FORMAT.withEdgeItems(1)));
        assertTrue(asked.contains("at(4999999999)"), asked.toString());
        assertFalse(asked.contains("at(0)"), asked.toString());
    }

    @Test
    void moreElementsThanALongCounts() {
        String text = TensorPrinter.print(positions(new ArrayList<>(), 0, LONG, LONG, LONG), FORMAT.withEdgeItems(1));
        assertEquals(8, text.split("\\d+(?=[,\\]])", -1).length - 1 - 3, "two of each axis, behind the shape: " + text);
        assertEquals("INT64[5000000000, 5000000000, 0] []", TensorPrinter.print(positions(new ArrayList<>(), 0, LONG, LONG, 0), FORMAT));
    }

    @Test
    void aFormatThatAsksForAllOfItGetsWhatFits() {
        TensorFormat all = FORMAT.withThreshold(Integer.MAX_VALUE).withoutHeader();
        assertEquals("[0, 1, 2, ..., 4999999997, 4999999998, 4999999999]",
            TensorPrinter.print(positions(new ArrayList<>(), 0, LONG), all).replaceAll("\\s+", " ").replace("[ ", "["));
    }

    @Test
    void dataOfAnUnknownTypeIsNotShown() {
        TensorData<?> data = (TensorData<?>) Proxy.newProxyInstance(TensorPrinterTest.class.getClassLoader(), new Class<?>[] {TensorData.class},
            (self, method, arguments) -> method.getName().equals("dataType") ? DataType.FLOAT : method.getName()
            .equals("shape") ? new long[] {2} : self);
        assertEquals("FLOAT[2] [...]", TensorPrinter.print(data, FORMAT));
    }
}
