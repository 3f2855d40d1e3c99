package io.tensornio.compute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is refused, and how it is told; what fails leaves nothing in use. */
@ExtendWith(MemoryBalance.class)
class ComprehensionErrorsTest {
    private static FloatTensorData floats(int... shape) {
        long[] sizes = Arrays.stream(shape).asLongStream().toArray();
        return FloatTensorData.of(new float[Arrays.stream(shape).reduce(1, (a, b) -> a * b)], sizes);
    }

    private static void refused(String text, String... parts) {
        Expect.exactly(IllegalArgumentException.class, () -> Comprehension.of(text), parts);
    }

    private static void fails(String text, Object[] inputs, String... parts) {
        Comprehension comprehension = Comprehension.of(text);
        Expect.exactly(IllegalArgumentException.class, () -> comprehension.run(inputs), parts);
    }

    private static Object[] in(Object... inputs) {
        return inputs;
    }

    @Test
    void syntaxIsToldWithLineAndColumn() {
        refused("y[i] += A[i,j] *", "line 1", "column 17");
        refused("y[i] = x[i]\nz[i] = x[i", "line 2");
        refused("y[i] = x[i] $", "line 1", "column 13");
        refused("", "statement");
        refused("# nothing", "statement");
        refused("y[i] = x[i]; return z", "z");
    }

    @Test
    void underEqualsEveryElementIsWrittenOnce() {
        refused("y[i] = A[i,j]", "y", "j");
        refused("y[i+j] = A[i,j]", "y");
        refused("y[I[i]] = x[i]", "y");
    }

    @Test
    void aNameIsALoopOrATensor() {
        refused("y[i] = x[i]; z[j] = i[j]", "i");
    }

    @Test
    void rangesThatDisagree() {
        fails("C[i,j] += A[i,k] * B[k,j]", in(floats(2, 3), floats(4, 2)), "C: index k is 3 by A axis 1 and 4 by B axis 0");
    }

    @Test
    void rangesThatNothingDetermines() {
        fails("H[i] = x[]", in(1.5f), "H: nothing determines the range of i");
    }

    @Test
    void readsOutsideAreTold() {
        fails("F[i] = A[2,i+3] where i in 0:3", in(floats(3, 3)), "F: A axis 1 of length 3 would be read at 5");
    }

    @Test
    void ranksAreTold() {
        fails("E[i] += A[i,j,k]", in(floats(2, 2)), "E: A has rank 2, 3 indices given");
    }

    @Test
    void allFaultsAreToldAtOnce() {
        fails("C[i,j] += A[i,k] * B[k,j]; E[i] += A[i,j,k]; D[i] = C[i,i] + E[i]", in(floats(2, 3), floats(4, 2)),
            "C: index k is 3 by A axis 1 and 4 by B axis 0", "E: A has rank 2, 3 indices given");
    }

    @Test
    void aRedefinitionIsToldByItsNumber() {
        fails("C[i] = x[i]; C[i] = C[i] + y[i]", in(floats(2), floats(3)), "C#2", "index i is 2");
    }

    @Test
    void mixedTypesAreToldWithTheCast() {
        fails("y[i] = x[i] * n[i]", in(floats(2), IntTensorData.of(new int[2])), "FLOAT", "INT32", "float(");
    }

    @Test
    void numbersThatATypeCannotHold() {
        fails("y[i] = n[i] + 0.5", in(IntTensorData.of(new int[2])), "0.5");
        fails("y[i] = n[i] + a", in(IntTensorData.of(new int[2]), 0.5), "0.5");
        fails("y[i] = n[i] + a", in(IntTensorData.of(new int[2]), 1L << 31), "2147483648");
        fails("y[i] = n[i] + a", in(IntTensorData.of(new int[2]), BigInteger.ONE.shiftLeft(63)), "9223372036854775808");
    }

    @Test
    void conditionsAreTruthValues() {
        fails("y[i] = select(x[i], 1, 0)", in(floats(2)), "bool(");
    }

    @Test
    void functionsOfRealsRefuseIntegers() {
        fails("y[i] = exp(n[i])", in(IntTensorData.of(new int[2])), "exp");
    }

    @Test
    void theNumberOfInputsIsTold() {
        fails("y[i] = x[i]", in(), "0", "1", "[x]");
        fails("y[i] = x[i]", in(floats(1), floats(1)), "2", "1", "[x]");
    }

    @Test
    void missingAndUnknownNamesAreListed() {
        Map<String, Object> inputs = new HashMap<>();
        inputs.put("x", floats(1));
        inputs.put("z", floats(1));
        Comprehension c = Comprehension.of("y[i] = x[i] + a[i] * b[i]");
        Expect.exactly(IllegalArgumentException.class, () -> c.run(inputs), "[a, b]", "[z]", "[x, a, b]");
    }

    @Test
    void whatIsNoInputIsRefused() {
        fails("y[i] = x[i]", in((Object) new float[2]), "x", "float[]", "FloatTensorData.of");
        fails("y[i] = x[i]", in("a"), "x", "java.lang.String");
        Comprehension c = Comprehension.of("y[i] = x[i]");
        Expect.exactly(NullPointerException.class, () -> c.run((Object) null), "x");
        Expect.exactly(NullPointerException.class, () -> c.run((Object[]) null), "inputs");
        Expect.exactly(NullPointerException.class, () -> c.run(Collections.singletonMap("x", null)), "x");
    }

    @Test
    void stringsAreRefusedAndWhatSparseAndRaggedOnesCannotDo() {
        try (SparseTensor<Float> sparse = Tensors.sparseFloat(new long[] {4}, 1, data -> data.put(3, 2));
                RaggedTensor<Float> ragged = Tensors.raggedFloat(new long[] {2, -1}, data -> data.put(3, 0, 1));
                Tensor<String> strings = Tensors.ofNested(new String[] {"a"})) {
            fails("y[i] = x[i] + 1", in(sparse), "y: x[i] + 1 is not 0 where x is not stored; add where stored(x[i]), or toDense()");
            fails("y[i] = x[i]", in(ragged), "y: x has rank 2, 1 index given");
            fails("y[i] = x[i]", in(ragged.floatData()), "y: x has rank 2, 1 index given");
            fails("y[i,j] = x[i,j] + size(x,1)", in(ragged), "y: size(x,1), but that axis is ragged; the length of a row is len(x, ...)");
            fails("y[i] = x[i]", in(strings), "x", "strings");
            fails("y[i] = x[i]", in(strings.stringData()), "x", "strings");
        }
    }

    @Test
    void closedInputs() {
        Comprehension c = Comprehension.of("y[i] = x[i]");
        Tensor<Float> x = Tensors.ofNested(new float[2]);
        FloatTensorData view = x.floatData().slice(io.tensornio.TensorIndex.flip());
        x.close();
        Expect.exactly(TensorClosedException.class, () -> c.run(x));
        Expect.exactly(TensorClosedException.class, () -> c.run(view));
    }

    @Test
    void lookUpsOutsideAreToldAndLeaveNothing() {
        Comprehension gather = Comprehension.of("g[b] = T[I[b]]");
        Expect.exactly(IndexOutOfBoundsException.class, () -> gather.run(floats(3), IntTensorData.of(new int[] {0, 3})),
            "T", "axis 0", "I", "[1]", "3");
        Expect.exactly(IndexOutOfBoundsException.class, () -> gather.run(floats(3), IntTensorData.of(new int[] {-1, 0})),
            "T", "axis 0", "I", "[0]", "-1");
        Comprehension scatter = Comprehension.of("h[I[n]] += x[n] where h[2]");
        Expect.exactly(IndexOutOfBoundsException.class, () -> scatter.run(IntTensorData.of(new int[] {2}), floats(1)),
            "h", "axis 0", "I", "[0]", "2");
    }

    @Test
    void integersDividedByZero() {
        Comprehension c = Comprehension.of("y[i] = a[i] / b[i]");
        Expect.exactly(ArithmeticException.class, () -> c.run(IntTensorData.of(new int[] {1}), IntTensorData.of(new int[1])));
        Comprehension power = Comprehension.of("y[i] = a[i] ^ -1");
        Expect.exactly(ArithmeticException.class, () -> power.run(IntTensorData.of(new int[] {1})));
    }

    @Test
    void anIntegerMaximumOfNothing() {
        fails("m max= n[i]", in(IntTensorData.of(new int[0])), "m");
    }

    @Test
    void resultsThatAreTooLarge() {
        Comprehension c = Comprehension.of("y[i,j] = x[i] * x[j] where i in 0:1000000, j in 0:1000000");
        Expect.thrown(Throwable.class, () -> c.run(floats(1000000)));
        Comprehension outer = Comprehension.of("y[i,j] = x[i] * x[j]");
        Expect.thrown(OutOfMemoryError.class, () -> outer.run(floats(50000)), "FLOAT");
    }

    @Test
    void gradientsOfUnknownNames() {
        Comprehension c = Comprehension.of("y[i] = x[i] * x[i]");
        Expect.exactly(IllegalArgumentException.class, () -> c.gradient("z", "x"), "z");
        Expect.exactly(IllegalArgumentException.class, () -> c.gradient("y", "z"), "z");
        Expect.exactly(IllegalArgumentException.class, () -> c.gradient("y"));
        Expect.exactly(IllegalArgumentException.class, () -> c.gradient("y", "x", "x"), "x");
        Expect.exactly(IllegalArgumentException.class, () -> c.gradient("y", "x; z = 1"), "z");
        Expect.exactly(IllegalArgumentException.class, () -> c.gradientSeeded("y", "x", "x"), "x");
        Expect.exactly(IllegalArgumentException.class, () -> c.gradientSeeded("y", "a b", "x"), "a b");
        Expect.exactly(NullPointerException.class, () -> c.gradient(null, "x"), "of");
        Expect.exactly(NullPointerException.class, () -> c.gradientSeeded("y", null, "x"), "seed");
    }

    @Test
    void afterAnErrorTheSameComprehensionRuns() {
        Comprehension gather = Comprehension.of("g[b] = T[I[b]]");
        Expect.exactly(IndexOutOfBoundsException.class, () -> gather.run(floats(3), IntTensorData.of(new int[] {3})));
        try (Results r = gather.run(FloatTensorData.of(new float[] {1, 2}), IntTensorData.of(new int[] {1}))) {
            assertArrayEquals(new float[] {2}, r.get("g").toNested(float[].class));
        }
    }
}
