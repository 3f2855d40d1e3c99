package io.tensornio.internal.print;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.ByteTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorFormat;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.UInt8;
import io.tensornio.support.Accessors;
import io.tensornio.support.MemoryBalance;
import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How tensors are printed. */
@ExtendWith(MemoryBalance.class)
class PrintTest {
    private static void prints(Tensor<?> made, String... lines) {
        try (Tensor<?> tensor = made) {
            String text = String.join("\n", lines);
            assertEquals(text, tensor.toString());
            assertEquals(text, Accessors.ALL.get(tensor.dataType()).apply(tensor).toString());
        }
    }

    private static Tensor<Integer> ints(long... shape) {
        int[] n = {0};
        return Tensors.denseInt(shape, data -> data.scalars().onEach(() -> n[0]++));
    }

    @Test
    void eachTypeAtRankZero() {
        prints(Tensors.denseFloat(new long[0], data -> data.put(1.5f)), "FLOAT[] 1.5");
        prints(Tensors.denseDouble(new long[0], data -> data.put(-0.25)), "DOUBLE[] -0.25");
        prints(Tensors.denseInt(new long[0], data -> data.put(Integer.MIN_VALUE)), "INT32[] -2147483648");
        prints(Tensors.denseLong(new long[0], data -> data.put(Long.MAX_VALUE)), "INT64[] 9223372036854775807");
        prints(Tensors.denseBoolean(new long[0], data -> data.put(true)), "BOOL[] true");
        prints(Tensors.denseUInt8(new long[0], data -> data.put(255)), "UINT8[] 255");
    }

    @Test
    void eachTypeAtRankOne() {
        prints(Tensors.denseFloat(new long[] {3}, data -> data.put(new float[] {1, -2.5f, 100})), "FLOAT[3] [  1. ,  -2.5, 100. ]");
        prints(Tensors.denseDouble(new long[] {2}, data -> data.put(new double[] {0.1, Double.NaN})), "DOUBLE[2] [0.1, nan]");
        prints(Tensors.denseInt(new long[] {3}, data -> data.put(new int[] {7, -12, 0})), "INT32[3] [  7, -12,   0]");
        prints(Tensors.denseLong(new long[] {2}, data -> data.put(new long[] {1L << 40, 1})), "INT64[2] [1099511627776,             1]");
        prints(Tensors.denseBoolean(new long[] {2}, data -> data.put(true, 0)), "BOOL[2] [ true, false]");
        prints(Tensors.denseUInt8(new long[] {3}, data -> data.put(new byte[] {1, -1, 127})), "UINT8[3] [  1, 255, 127]");
    }

    @Test
    void ranksTwoAndThree() {
        prints(ints(2, 3),
            "INT32[2, 3]",
            "[[0, 1, 2],",
            " [3, 4, 5]]");
        prints(ints(2, 2, 3),
            "INT32[2, 2, 3]",
            "[[[ 0,  1,  2],",
            "  [ 3,  4,  5]],",
            "",
            " [[ 6,  7,  8],",
            "  [ 9, 10, 11]]]");
        prints(ints(2, 1, 1, 2),
            "INT32[2, 1, 1, 2]",
            "[[[[0, 1]]],",
            "",
            "",
            " [[[2, 3]]]]");
    }

    @Test
    void slices() {
        try (Tensor<Integer> tensor = ints(3, 4)) {
            assertEquals("INT32[4] [4, 5, 6, 7]", tensor.intData().slice(1).toString());
            assertEquals("INT32[3, 2]\n[[ 3,  1],\n [ 7,  5],\n [11,  9]]",
                tensor.intData().slice(TensorIndex.all(), TensorIndex.range(-1, 0, -2)).toString());
        }
    }

    @Test
    void abridgedAboveAThousandElements() {
        prints(ints(1001), "INT32[1001] [   0,    1,    2, ...,  998,  999, 1000]");
        prints(ints(2, 1000),
            "INT32[2, 1000]",
            "[[   0,    1,    2, ...,  997,  998,  999],",
            " [1000, 1001, 1002, ..., 1997, 1998, 1999]]");
        prints(ints(400, 3),
            "INT32[400, 3]",
            "[[   0,    1,    2],",
            " [   3,    4,    5],",
            " [   6,    7,    8],",
            " ...,",
            " [1191, 1192, 1193],",
            " [1194, 1195, 1196],",
            " [1197, 1198, 1199]]");
        prints(ints(7, 2, 100),
            "INT32[7, 2, 100]",
            "[[[   0,    1,    2, ...,   97,   98,   99],",
            "  [ 100,  101,  102, ...,  197,  198,  199]],",
            "",
            " [[ 200,  201,  202, ...,  297,  298,  299],",
            "  [ 300,  301,  302, ...,  397,  398,  399]],",
            "",
            " [[ 400,  401,  402, ...,  497,  498,  499],",
            "  [ 500,  501,  502, ...,  597,  598,  599]],",
            "",
            " ...,",
            "",
            " [[ 800,  801,  802, ...,  897,  898,  899],",
            "  [ 900,  901,  902, ...,  997,  998,  999]],",
            "",
            " [[1000, 1001, 1002, ..., 1097, 1098, 1099],",
            "  [1100, 1101, 1102, ..., 1197, 1198, 1199]],",
            "",
            " [[1200, 1201, 1202, ..., 1297, 1298, 1299],",
            "  [1300, 1301, 1302, ..., 1397, 1398, 1399]]]");
    }

    @Test
    void aThousandElementsAreShownWhole() {
        StringBuilder all = new StringBuilder("INT32[1000]\n[");
        for (int i = 0; i < 1000; i++) {
            all.append(String.format(i == 0 ? "%3d" : i % 15 == 0 ? ",\n %3d" : ", %3d", i));
        }
        prints(ints(1000), all + "]");
    }

    @Test
    void pointsStandBelowEachOther() {
        prints(Tensors.denseFloat(new long[] {2, 2}, data -> data.put(new float[] {1, 2.25f, -10.5f, -0f})),
            "FLOAT[2, 2]",
            "[[  1.  ,   2.25],",
            " [-10.5 ,  -0.  ]]");
        prints(Tensors.denseDouble(new long[] {3}, data -> data.put(new double[] {1e10, -2.5, Double.NEGATIVE_INFINITY})),
            "DOUBLE[3] [ 1.0e+10, -2.5e+00,     -inf]");
    }

    @Test
    void digitsAreThoseOfTheType() {
        prints(Tensors.denseFloat(new long[] {2}, data -> data.put(new float[] {0.1f, 1 / 3f})), "FLOAT[2] [0.1       , 0.33333334]");
        prints(Tensors.denseDouble(new long[] {2}, data -> data.put(new double[] {0.1f, 1 / 3.0})), "DOUBLE[2] [0.1       , 0.33333333]");
        prints(Tensors.denseDouble(new long[0], data -> data.put(2e23)), "DOUBLE[] 2.e+23");
    }

    @Test
    void rankOneGoesBelowTheHeadWhereTheLineIsFull() {
        TensorFormat format = TensorFormat.DEFAULT.withLineWidth(21);
        try (Tensor<Integer> tensor = ints(4); Tensor<Integer> long1 = ints(9); Tensor<Integer> none = ints(0)) {
            assertEquals("INT32[4] [0, 1, 2, 3]", tensor.toString(format));
            assertEquals("INT32[4]\n[0, 1, 2, 3]", tensor.toString(format.withLineWidth(20)));
            assertEquals("INT32[9]\n[0, 1, 2, 3, 4, 5, 6,\n 7, 8]", long1.toString(format));
            assertEquals("INT32[0] []", none.toString(format.withLineWidth(1)));
        }
    }

    @Test
    void byAFormat() {
        try (Tensor<Double> tensor = Tensors.denseDouble(new long[] {2, 3}, data -> data.put(new double[] {Math.PI, 1, 2, 3, 4, 1e-9}))) {
            TensorFormat format = TensorFormat.DEFAULT.withPrecision(2).withSuppressSmall();
            String text = "[[3.14, 1.  , 2.  ],\n [3.  , 4.  , 0.  ]]";
            assertEquals("DOUBLE[2, 3]\n" + text, tensor.toString(format));
            assertEquals(text, tensor.toString(format.withoutHeader()));
            assertEquals(text, tensor.doubleData().toString(format.withoutHeader()));
            assertEquals("[[3.14, ..., 2.  ],\n [3.  , ..., 0.  ]]", tensor.toString(format.withoutHeader().withThreshold(5).withEdgeItems(1)));
            assertEquals("[3.142, 1.000, 2.000]", tensor.doubleData().slice(0).toString(format.withFixedPrecision(3).withoutHeader()));
        }
    }

    @Test
    void empty() {
        prints(ints(0), "INT32[0] []");
        prints(ints(3, 0, 2), "INT32[3, 0, 2] []");
        prints(ints(0, 4), "INT32[0, 4] []");
        prints(ints(5_000_000_000L, 0), "INT32[5000000000, 0] []");
    }

    private static String text(long... shape) {
        try (Tensor<Integer> tensor = Tensors.denseInt(shape, data -> { })) {
            return tensor.toString();
        }
    }

    @Test
    void ofManyAxes() {
        long[] twos = new long[24];
        Arrays.fill(twos, 2);
        assertTrue(text(twos).endsWith(" [...]"), "16 million elements are not listed");
        assertTrue(text(6, 6, 6, 6, 6, 6, 6).length() < 200_000, "of short axes less is shown");
        try (Tensor<Boolean> tensor = Tensors.denseBoolean(new long[] {65, 65}, data -> { })) {
            TensorFormat most = TensorFormat.DEFAULT.withLineWidth(Integer.MAX_VALUE).withEdgeItems(Integer.MAX_VALUE);
            assertEquals(65 * 65, tensor.toString(most).split("false", -1).length - 1, "of matrices all that was asked for is shown");
            assertEquals(40 * 40, tensor.toString(most.withEdgeItems(20)).split("false", -1).length - 1);
        }
        try (Tensor<Boolean> cube = Tensors.denseBoolean(new long[] {100, 100, 100}, data -> { });
                Tensor<Boolean> deep = Tensors.denseBoolean(new long[] {7, 7, 7, 7, 7}, data -> { })) {
            String shown = cube.toString(TensorFormat.DEFAULT.withEdgeItems(20));
            assertEquals(40 * 40 * 40, shown.split("false", -1).length - 1, "and of some more axes");
            assertEquals(6 * 6 * 6 * 6 * 6, deep.toString().split("false", -1).length - 1, "three at each end, as NumPy");
        }
        twos[23] = 0;
        assertTrue(text(twos).endsWith(" []"));
    }

    private static long[] ones(int rank, long... last) {
        long[] shape = new long[rank];
        Arrays.fill(shape, 1);
        System.arraycopy(last, 0, shape, rank - last.length, last.length);
        return shape;
    }

    private static String repeated(String text, int n) {
        return String.join("", Collections.nCopies(n, text));
    }

    /** As NumPy has it, which cannot have so many. */
    @Test
    void wholeDataOfMoreAxesThanCanBeAbridged() {
        TensorFormat format = TensorFormat.DEFAULT.withoutHeader();
        for (int rank : new int[] {32, 33, 300}) {
            try (Tensor<Integer> tensor = ints(ones(rank, 2, 1, 2))) {
                int outer = rank - 3;
                String open = repeated("[", outer);
                assertEquals(open + "[[[0, 1]],\n\n" + repeated(" ", outer + 1) + "[[2, 3]]]" + repeated("]", outer),
                    tensor.toString(format.withLineWidth(1000)));
                int wrapped = tensor.toString(format.withLineWidth(rank)).split("\n", -1).length;
                assertEquals(5, wrapped, "one element in a line");
            }
        }
        try (Tensor<String> tensor = Tensors.denseString(ones(40, 2), data -> data.put("b", new int[40]))) {
            assertEquals(repeated("[", 40) + "'b', ''" + repeated("]", 40), tensor.toString(format.withLineWidth(1000)));
        }
    }

    @Test
    void brackets() {
        int most = 131_072;
        for (int rank : new int[] {20_000, 100_000, most}) {
            String all = repeated("[", rank) + "7" + repeated("]", rank);
            try (Tensor<Integer> tensor = Tensors.denseInt(ones(rank), data -> data.put(7, new int[rank]))) {
                assertEquals(all, tensor.toString(TensorFormat.DEFAULT.withoutHeader()));
                assertTrue(tensor.toString().endsWith("\n" + all));
                assertEquals("[...]", tensor.toString(TensorFormat.DEFAULT.withoutHeader().withThreshold(0)), "abridged");
            }
        }
        assertTrue(text(ones(most + 1)).endsWith(" [...]"), "too many brackets");
        assertTrue(text(ones(most / 2 + 1, 2)).endsWith(" [...]"), "too many elements for so many brackets");
        assertTrue(text(ones(100, 1001)).endsWith(" [...]"), "more elements than are shown whole");
        assertTrue(text(ones(100, 1000)).endsWith("0" + repeated("]", 100)));
        assertTrue(text(ones(100_000, 0)).endsWith(" []"));
        try (Tensor<Integer> tensor = ints(ones(40, 5000))) {
            assertEquals("[...]", tensor.toString(TensorFormat.DEFAULT.withThreshold(5000).withoutHeader()));
            assertTrue(tensor.toString(TensorFormat.DEFAULT.withThreshold(200_000)).endsWith("4999" + repeated("]", 40)), "a larger threshold");
        }
    }

    @Test
    void closed() {
        Tensor<UInt8> tensor = Tensors.denseUInt8(new long[] {2, 3}, data -> { });
        ByteTensorData row = tensor.uInt8Data().slice(1);
        tensor.close();
        assertEquals("UINT8[2, 3] (closed)", tensor.toString());
        assertEquals("UINT8[3] (closed)", row.toString());
        assertEquals("UINT8[3] (closed)", row.toString(TensorFormat.DEFAULT.withLineWidth(1)));
        assertEquals("(closed)", tensor.toString(TensorFormat.DEFAULT.withoutHeader()));
    }
}
