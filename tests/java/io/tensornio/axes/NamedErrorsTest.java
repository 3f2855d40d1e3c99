package io.tensornio.axes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.internal.axes.AxisLists;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** What is refused of named axes, and by what words. */
@ExtendWith(MemoryBalance.class)
class NamedErrorsTest {
    private static final Axis C = Axis.of("C", 3);
    private static final Axis H = Axis.of("H", 2);
    /** Of one class and length, so that a third one could be either. */
    private static final Axis A = Axis.of("a", "H", 2);
    private static final Axis B = Axis.of("b", "H", 2);

    private static NamedTensor zeros(Axis... axes) {
        return NamedTensor.of(FloatTensorData.constant(0, AxisLists.shape(axes)), axes);
    }

    private static NamedTensor bools(Axis... axes) {
        return zeros(axes).gt(0);
    }

    private static void refused(Executable call, String message) {
        IllegalArgumentException e = Expect.exactly(IllegalArgumentException.class, call);
        assertEquals(message, e.getMessage());
    }

    private static void names(String name, Executable call) {
        Expect.exactly(NullPointerException.class, call, name);
    }

    @Test
    void whatHasNoDenseElements() {
        try (Tensor<String> words = Tensors.ofNested(new String[] {"a"});
            RaggedTensor<Float> ragged = Tensors.raggedOfNested(new float[][] {{1}, {2, 3}});
            SparseTensor<Float> sparse = Tensors.sparseFloat(new long[] {3}, 1, data -> data.put(1, 2))) {
            refused(() -> NamedTensor.of(words, Axis.of(1)),
                "strings have no named axes: these are of FLOAT, DOUBLE, INT32, INT64, UINT8 and BOOL tensors");
            refused(() -> NamedTensor.of(StringTensorData.of(new String[] {"a"}), Axis.of(1)),
                "strings have no named axes: these are of FLOAT, DOUBLE, INT32, INT64, UINT8 and BOOL tensors");
            Expect.thrown(IllegalArgumentException.class, () -> NamedTensor.of(sparse, C), "dense", "toDense");
            Expect.thrown(IllegalArgumentException.class, () -> NamedTensor.of(ragged, H, C), "dense", "toDense");
            Expect.thrown(IllegalArgumentException.class, () -> NamedTensor.of(ragged.floatData(), H, C), "ragged", "toDense(padding)");
        }
        refused(() -> zeros(H).cast(DataType.STRING), "cast: nothing is cast to STRING");
    }

    @Test
    void whatCouldBeMeantTwice() {
        refused(() -> zeros(H).times(zeros(A, B)),
            "times: (H=2) and (a=2, b=2): a=2 could match more than one axis of its class: 1 on the left, for 2 on the right");
        refused(() -> zeros(A, B).dot(zeros(H.withOffset(1))), "dot: (a=2, b=2) and (H+1=2): more than one axis on the left at an offset, and of a "
            + "class and length, could contract the same on the right at the offset one higher");
        refused(() -> zeros(H).broadcast(A, B),
            "broadcast: (a=2, b=2) and (H=2): H=2 could match more than one axis of its class: 2 on the left, for 1 on the right");
        refused(() -> zeros(A, B).sum(H), "sum: H=2 is none of (a=2, b=2), and both a=2 and b=2, axes 0 and 1, are of its class and length");
        refused(() -> bools(A, B).select(zeros(C), zeros(H)),
            "select: (a=2, b=2, C=3) and (H=2): H=2 could match more than one axis of its class: 2 on the left, for 1 on the right");
        refused(() -> zeros(Axis.of("H", "x", 2), Axis.of("H", "y", 2)).axis("H"), "more than one axis of (H=2, H=2) is named H");
        refused(() -> NamedTensor.concat(Axis.of("H", 4), zeros(A, B), zeros(A, B)),
            "concat: part 0, (a=2, b=2), has more than one axis of class H");
        Axis x = Axis.of("X", 4);
        Axis k = Axis.of("K", 2);
        refused(() -> zeros(A, B, x).conv(zeros(k, H), ConvAxes.of(x, k)),
            "conv: (a=2, b=2) and (H=2): H=2 could match more than one axis of its class: 2 on the left, for 1 on the right");
    }

    @Test
    void typesThatDoNotFit() {
        for (Executable call : new Executable[] {() -> bools(H).dot(bools(H.withOffset(1))), () -> bools(C).conv(bools(H), ConvAxes.of(C, H))}) {
            Expect.exactly(IllegalArgumentException.class, call, "both sides are BOOL", "cast(DataType.FLOAT)");
        }
        for (Executable call : new Executable[] {() -> bools(H).sum(), () -> bools(H).prod(H), () -> bools(H).neg(), () -> bools(H).square(),
            () -> bools(H).plus(bools(H)), () -> bools(H).lt(bools(H)), () -> bools(H).eq(1), () -> bools(H).pow(2)}) {
            Expect.exactly(IllegalArgumentException.class, call, "(H=2) is BOOL", "cast(DataType.FLOAT)");
        }
        NamedTensor n = NamedTensor.of(IntTensorData.of(new int[] {1, 2}), H);
        refused(() -> n.log(), "log: (H=2) is INT32: this is of FLOAT and DOUBLE alone, as made by cast(DataType.FLOAT)");
        for (double number : new double[] {0.5, Double.NaN, Double.POSITIVE_INFINITY, 1L << 31, -(1L << 31) - 1}) {
            refused(() -> n.times(number), "times: " + number + " is no INT32, which (H=2) is: cast that, as by cast(DataType.DOUBLE)");
        }
        NamedTensor bytes = n.cast(DataType.UINT8);
        refused(() -> bytes.plus(-1), "plus: -1.0 is no UINT8, which (H=2) is: cast that, as by cast(DataType.DOUBLE)");
        refused(() -> bytes.plus(256), "plus: 256.0 is no UINT8, which (H=2) is: cast that, as by cast(DataType.DOUBLE)");
        refused(() -> n.cast(DataType.INT64).plus(0x1p63),
            "plus: " + 0x1p63 + " is no INT64, which (H=2) is: cast that, as by cast(DataType.DOUBLE)");
        Expect.exactly(IllegalArgumentException.class, () -> zeros(H).dot(n.withAxes(H.withOffset(1))), "dot", "FLOAT", "INT32", "cast");
        Expect.exactly(IllegalArgumentException.class, () -> NamedTensor.concat(Axis.of("H", 4), zeros(H), n), "concat", "FLOAT", "INT32", "cast");
        Expect.exactly(IllegalArgumentException.class, () -> bools(H).select(zeros(H), n), "select", "FLOAT", "INT32", "cast");
        NamedTensor empty = NamedTensor.of(IntTensorData.of(new int[0]), Axis.of(0));
        Expect.exactly(IllegalArgumentException.class, () -> empty.max().materialize(), "range is 0");
        assertThrows(ArithmeticException.class, () -> n.div(n.minus(1)).materialize());
    }

    @Test
    void wrongSteps() {
        NamedTensor x = zeros(H, C);
        refused(() -> x.slice(H, TensorIndex.newAxis()), "slice: newAxis() selects nothing of one axis, H=2");
        refused(() -> x.slice(H, TensorIndex.ellipsis()), "slice: ellipsis() selects nothing of one axis, H=2");
        Expect.thrown(IndexOutOfBoundsException.class, () -> x.slice(H, TensorIndex.at(2)), "2");
        Expect.thrown(IndexOutOfBoundsException.class, () -> x.slice(C, TensorIndex.incl(0, 3)), "3");
        refused(() -> x.pad(C, Long.MAX_VALUE, 1), "pad: 9223372036854775807 before and 1 after C=3 are more than a long counts");
        refused(() -> x.flatten(Axis.of("F", 4), H, H), "flatten: axis H=2 is there twice: (H=2, H=2)");
        refused(() -> x.flatten(Axis.of("F", 1)), "flatten: F=1 for (): there is at least one, and its length is their product");
        refused(() -> x.unflatten(H), "unflatten: () for H=2: there is at least one, and the product of their lengths is its");
        Axis one = Axis.of("one", 1);
        refused(() -> x.unflatten(H, one, C), "unflatten: (one=1, C=3) for H=2: there is at least one, and the product of their lengths is its");
        refused(() -> x.unflatten(C, C, one).unflatten(one, one, one), "axis one=1 is there twice: (H=2, C=3, one=1, one=1)");
        refused(() -> x.order(H, H), "order: (H=2, H=2) names axis H=2 of (H=2, C=3) twice");
        refused(() -> x.withAxes(H), "withAxes: (H=2) for (H=2, C=3): there is one for each axis, of its length");
        refused(() -> x.broadcast(H, C, C), "axis C=3 is there twice: (H=2, C=3, C=3)");
        refused(() -> NamedTensor.concat(H), "concat: along H=2 of no parts");
        refused(() -> x.sum(H.withOffset(1)), "sum: (H=2, C=3) has no axis H+1=2; H=2 of the same class has another offset");
        refused(() -> ConvAxes.of(H, C).stride(0), "a stride of 0: it is at least 1");
        refused(() -> ConvAxes.of(H, C).padding(-1), "a padding of -1: it is at least 0, and fits an int");
        Axis k = Axis.of("K", 2);
        refused(() -> x.conv(zeros(k), ConvAxes.of(k, k)), "conv: the input: (H=2, C=3) has no axis K=2");
        refused(() -> x.conv(zeros(k), ConvAxes.of(H, C)), "conv: the filter: (K=2) has no axis C=3");
        refused(() -> x.conv(zeros(k, one), ConvAxes.of(C, k).and(C, one)), "conv: axis C=3 of the input is named twice");
        refused(() -> x.conv(zeros(k), ConvAxes.of(C, k).and(H, k)), "conv: axis K=2 of the filter is named twice");
    }

    @Test
    void nothing() {
        NamedTensor x = zeros(H);
        names("right", () -> x.plus(null));
        names("right", () -> x.eq(null));
        names("right", () -> x.dot(null));
        names("a", () -> bools(H).select(null, x));
        names("b", () -> bools(H).select(x, null));
        names("type", () -> x.cast(null));
        names("axes", () -> x.sum((Axis[]) null));
        names("axis", () -> x.sum((Axis) null));
        names("axes", () -> x.order((Axis[]) null));
        names("axis 0", () -> x.withAxes((Axis) null));
        names("axis", () -> x.slice(null, TensorIndex.all()));
        names("index", () -> x.slice(H, null));
        names("axis", () -> x.pad(null, 0, 0));
        names("flat", () -> x.flatten(null, H));
        names("parts", () -> x.flatten(H, (Axis[]) null));
        names("part", () -> x.unflatten(H, (Axis) null));
        names("parts", () -> x.unflatten(H, (Axis[]) null));
        names("axes", () -> x.broadcast((Axis[]) null));
        names("axis", () -> NamedTensor.concat(null, x));
        names("part 1", () -> NamedTensor.concat(H, x, null));
        names("parts", () -> NamedTensor.concat(H, (NamedTensor[]) null));
        names("filter", () -> x.conv(null, ConvAxes.of(H, H)));
        names("over", () -> x.conv(x, null));
        names("filter", () -> ConvAxes.of(H, null));
        names("output", () -> ConvAxes.of(H, H, null));
        names("name", () -> x.axis(null));
        names("target", () -> x.into(null));
        names("tensor", () -> NamedTensor.of((Tensor<?>) null, H));
        names("data", () -> NamedTensor.of((FloatTensorData) null, H));
        names("axes", () -> NamedTensor.of(FloatTensorData.constant(0), (Axis[]) null));
        names("expressions", () -> Axes.strict(null));
    }

    @Test
    void strictEndsWithWhatItBuildsAndAlsoWhenThatFails() throws Exception {
        Axis longer = Axis.of("H", 5);
        Executable mixed = () -> zeros(H).plus(zeros(longer));
        assertThrows(IllegalStateException.class, () -> Axes.strict(() -> {
            throw new IllegalStateException("theirs");
        }));
        assertEquals(2, zeros(H).plus(zeros(longer)).axes().size());
        Axes.strict(() -> {
            assertThrows(IllegalArgumentException.class, () -> Axes.strict(() -> zeros(H).plus(zeros(longer))));
            assertThrows(IllegalArgumentException.class, mixed);
            assertEquals(1, zeros(H).plus(NamedTensor.scalar(1f)).axes().size());
            assertEquals(2, zeros(H, C).plus(zeros(C)).axes().size());
            assertEquals(2, zeros(H).dot(zeros(longer)).axes().size());         // of elementwise operations alone
            Thread other = new Thread(() -> assertEquals(2, zeros(H).plus(zeros(longer)).axes().size()));
            Throwable[] failed = new Throwable[1];
            other.setUncaughtExceptionHandler((thread, e) -> failed[0] = e);
            other.start();
            try {
                other.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            assertEquals(null, failed[0]);
            return null;
        });
    }

    @Test
    void aFailureIsNotKept() {
        int[] divisors = {0, 2};
        NamedTensor quotient = NamedTensor.of(IntTensorData.of(new int[] {4, 6}), H).div(NamedTensor.of(IntTensorData.of(divisors), H));
        Expect.thrown(ArithmeticException.class, quotient::materialize,
            "division of an integer by zero in INT32 (H=2) = (a / b) of a (H=2), b (H=2)");
        Expect.thrown(ArithmeticException.class, () -> quotient.into(IntTensorData.of(new int[2])), "by zero in INT32 (H=2) = ");
        assertFalse(quotient.isMaterialized());
        divisors[0] = 4;
        try (Tensor<Integer> made = quotient.intTensor()) {
            assertEquals(3, made.intData().get(1));
        }
    }
}
