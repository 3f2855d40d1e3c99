package io.tensornio.compute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.internal.compute.ProgramWriter;
import io.tensornio.internal.compute.Term;
import io.tensornio.internal.compute.Words;
import io.tensornio.support.Expect;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Comprehensions that are built in Java, and the text that they are written as. */
class BuilderTest {
    private final TensorName a = new TensorName("A");
    private final TensorName b = new TensorName("B");
    private final TensorName c = new TensorName("C");
    private final TensorName n = new TensorName("N");
    private final LoopIndex i = new LoopIndex("i");
    private final LoopIndex j = new LoopIndex("j");
    private final LoopIndex k = new LoopIndex("k");

    /** What is built is the text, and the same comprehension as the text. */
    private static void same(String text, Statement... built) {
        assertEquals(text, ProgramWriter.of(Arrays.stream(built).map(Statement::term).toArray(Term[]::new)).trim());
        assertEquals(Comprehension.of(text), Comprehension.of(built));
    }

    @Test
    void matrixProduct() {
        same("C[i, j] += A[i, k] * B[k, j]", c.at(i, j).assignSum(a.at(i, k).times(b.at(k, j))));
    }

    @Test
    void everyOperatorOfStatements() {
        same("C[i] = A[i]\nC[i] += A[i]\nC[i] *= A[i]\nC[i] max= A[i]\nC[i] min= A[i]", c.at(i).assign(a.at(i)), c.at(i).assignSum(a.at(i)),
            c.at(i).assignProd(a.at(i)), c.at(i).assignMax(a.at(i)), c.at(i).assignMin(a.at(i)));
    }

    @Test
    void indicesAreSums() {
        same("C[i, j] += A[2*i + k - 1, -j + 3, 0]", c.at(i, j).assignSum(a.at(i.times(2).plus(k).minus(1), Index.of(3).minus(j), Index.of(0))));
        assertEquals("i", i.plus(j).minus(j).toString());
        assertEquals("0", i.minus(i).toString());
        assertEquals("-2*i - 4", i.plus(2).times(-2).toString());
    }

    @Test
    void accessesOfAnyRank() {
        same("C[] += A[i, j, k, i, j]", c.at().assignSum(a.at(i, j, k, i, j)));
        LoopIndex[] rest = {j, k};
        assertEquals("A[i, j, k]", a.at(i, rest).toString());
        assertEquals("A[j, k]", a.at(rest).toString());
        rest[0] = i;
        assertEquals("A[i, j, k, i]", a.at(i, j, k, i).toString());
    }

    @Test
    void anAccessKeepsItsIndices() {
        LoopIndex[] indices = {i, j};
        Access access = a.at(indices);
        Access second = a.at(k, indices);
        indices[0] = k;
        assertEquals("A[i, j]", access.toString());
        assertEquals("A[k, i, j]", second.toString());
    }

    @Test
    void lookUps() {
        same("C[i, k] = A[N[i] + 1, k]", c.at(i, k).assign(a.at(n.index(i).plus(1), k)));
        same("C[N[i] - 1] += A[i]", c.at(n.index(i).minus(1)).assignSum(a.at(i)));
    }

    @Test
    void precedenceIsWrittenWithTheLeastParentheses() {
        Expr x = a.at(i);
        Expr y = b.at(i);
        assertEquals("A[i] - (B[i] - A[i])", x.minus(y.minus(x)).toString());
        assertEquals("A[i] - B[i] - A[i]", x.minus(y).minus(x).toString());
        assertEquals("(A[i] + B[i]) * A[i]", x.plus(y).times(x).toString());
        assertEquals("A[i] / (B[i] * A[i])", x.div(y.times(x)).toString());
        assertEquals("-A[i]^2", x.pow(2).neg().toString());
        assertEquals("(-A[i])^2", x.neg().pow(2).toString());
        assertEquals("(A[i]^B[i])^A[i]", x.pow(y).pow(x).toString());
        assertEquals("A[i] % -2", x.mod(-2).toString());
        assertEquals("(A[i] < B[i]) == (A[i] > 0)", x.lt(y).eq(x.gt(0)).toString());
        assertEquals("not A[i] <= 1.5 and B[i] >= 2 or A[i] != B[i]", x.le(1.5).not().and(y.ge(2)).or(x.ne(y)).toString());
        assertEquals("not (A[i] == 1 or B[i] == 2)", x.eq(1).or(y.eq(2)).not().toString());
    }

    @Test
    void functions() {
        Expr x = a.at(i);
        same("C[i] = select(A[i] > 0, exp(A[i]), max(A[i], -1.5e-9))",
            c.at(i).assign(F.select(x.gt(0), F.exp(x), F.max(x, Expr.of(-1.5e-9)))));
        same("C[i] = float(N[i]) * uint8(A[i])", c.at(i).assign(F.cast(n.at(i), DataType.FLOAT).times(F.cast(x, DataType.UINT8))));
        same("C[i] = A[i] * i", c.at(i).assign(x.times(F.value(i))));
        same("C[i] += guard(0 <= i + k - 1 < size(A, 0), A[i + k - 1]) where i in 0:size(A, 0), k in 0:3",
            c.at(i).assignSum(F.guard(i.plus(k).minus(1), a.size(0), a.at(i.plus(k).minus(1)))).where(i, a.size(0)).where(k, 3));
        same("C[i] = guard(0 <= i - 1 < 4, 0 <= i < 2, A[i - 1]) where C[5]",
            c.at(i).assign(F.guard(i.minus(1), 4, i, 2, a.at(i.minus(1)))).shape(5));
        same("C[i, j] = 1 where C[size(A, 0), 2]", c.at(i, j).assign(Expr.of(1)).shape(a.size(0), Bound.of(2)));
    }

    @Test
    void everyFunctionIsOfTheLanguage() {
        Expr x = a.at(i);
        Expr[] all = {F.abs(x), F.sqrt(x), F.exp(x), F.log(x), F.sin(x), F.cos(x), F.tanh(x), F.sigmoid(x), F.relu(x), F.erf(x), F.floor(x),
            F.ceil(x), F.round(x), F.sign(x), F.max(x, x), F.min(x, x)};
        for (Expr one : all) {
            same("C[i] = " + one, c.at(i).assign(one));
        }
        for (DataType type : DataType.values()) {
            if (type != DataType.STRING) {
                same("C[i] = " + F.cast(x, type), c.at(i).assign(F.cast(x, type)));
            }
        }
    }

    @Test
    void numbersAreReadBackAsTheyWere() {
        assertEquals("1.0e-5", Expr.of(1e-5).toString());
        assertEquals("inf", Expr.of(Double.POSITIVE_INFINITY).toString());
        assertEquals("-inf", Expr.of(Double.NEGATIVE_INFINITY).toString());
        assertEquals("nan", Expr.of(Double.NaN).toString());
        assertEquals("-0.0", Expr.of(-0.0).toString());
        assertEquals("true", Expr.of(true).toString());
        for (long number : new long[] {0, -1, Long.MAX_VALUE, -Long.MAX_VALUE, Long.MIN_VALUE}) {
            Runs.one(c.at(i).assign(n.at(i).plus(number)).toString(), new long[] {number}, new long[1]);
        }
        for (double number : new double[] {0, -.1, Double.MIN_VALUE, Double.MAX_VALUE, 1e300, Math.PI, Double.NEGATIVE_INFINITY}) {
            Runs.one(c.at(i).assign(n.at(i).plus(number)).toString(), new double[] {number}, new double[1]);
        }
    }

    @Test
    void tensorsOfOneNameAreRenamed() {
        TensorName other = new TensorName("A");
        TensorName taken = new TensorName("A_2");
        same("C[i] = A[i] + A_3[i] * A_2[i]", c.at(i).assign(a.at(i).plus(other.at(i).times(taken.at(i)))));
        assertEquals("A", other.name());
    }

    @Test
    void loopsOfOneNameAreRenamed() {
        LoopIndex other = new LoopIndex("i");
        same("C[i] += A[i, i_2]", c.at(i).assignSum(a.at(i, other)));
        same("C[i] = A[i]\nB[i] = C[i]", c.at(i).assign(a.at(i)), b.at(other).assign(c.at(other)));
    }

    @Test
    void aLoopIsRenamedThatHasTheNameOfATensor() {
        LoopIndex loop = new LoopIndex("A");
        same("C[A_2] = A[A_2]", c.at(loop).assign(a.at(loop)));
    }

    @Test
    void aSumOfAnyLengthIsWritten() {
        Expr sum = a.at(i);
        for (int term = 0; term < 100_000; term++) {
            sum = sum.plus(a.at(i));
        }
        assertTrue(sum.toString().length() > 700_000);
    }

    @Test
    void whatIsNoNameIsRefused() {
        for (String name : new String[] {"", "1a", "a b", "ä", "a.b", "a-b"}) {
            Expect.exactly(IllegalArgumentException.class, () -> new TensorName(name), "`" + name + "`", "letter");
            Expect.exactly(IllegalArgumentException.class, () -> new LoopIndex(name), "`" + name + "`", "letter");
        }
        Expect.exactly(NullPointerException.class, () -> new TensorName(null), "name");
    }

    @Test
    void everyWordOfTheLanguageIsNoName() {
        for (String word : Words.KEYWORDS) {
            Expect.exactly(IllegalArgumentException.class, () -> new TensorName(word), "`" + word + "`", "word");
            Expect.exactly(IllegalArgumentException.class, () -> Comprehension.of(word + "[i] = x[i]"), "line 1");
        }
    }

    @Test
    void misuseOfIndices() {
        Index lookUp = n.index(i);
        Expect.exactly(IllegalArgumentException.class, () -> lookUp.plus(n.index(j)), "look-up");
        Expect.exactly(IllegalArgumentException.class, () -> lookUp.times(2), "look-up", "N[i]", "2");
        Expect.exactly(IllegalArgumentException.class, () -> i.minus(lookUp), "look-up");
        Expect.exactly(IllegalArgumentException.class, () -> i.times(Long.MAX_VALUE).times(2), "64 bits");
        Expect.exactly(IllegalArgumentException.class, () -> Index.of(Long.MAX_VALUE).plus(1), "64 bits");
        Expect.exactly(IllegalArgumentException.class, () -> Bound.of(-1), "-1");
        Expect.exactly(IllegalArgumentException.class, () -> F.cast(a.at(i), DataType.STRING), "STRING");
    }

    @Test
    void nullsAreNamed() {
        Expect.exactly(NullPointerException.class, () -> a.at(i, (Index) null), "index 1");
        Expect.exactly(NullPointerException.class, () -> a.at(i).plus(null), "right");
        Expect.exactly(NullPointerException.class, () -> c.at(i).assign(null), "value");
        Expect.exactly(NullPointerException.class, () -> F.select(a.at(i).gt(0), null, a.at(i)), "argument 2", "select");
        Expect.exactly(NullPointerException.class, () -> F.guard(i, 3, null), "argument 2", "guard");
        Expect.exactly(NullPointerException.class, () -> Comprehension.of((Statement) null), "statement 0");
        Expect.exactly(NullPointerException.class, () -> Comprehension.of((String) null), "text");
        Expect.exactly(IllegalArgumentException.class, () -> Comprehension.of(new Statement[0]));
    }

    @Test
    void aGuardTakesAnyNumberOfRanges() {
        TensorName y = new TensorName("y");
        TensorName x = new TensorName("x");
        LoopIndex[] loops = {new LoopIndex("i"), new LoopIndex("j"), new LoopIndex("k")};
        Index[] shifted = {loops[0].minus(1), loops[1].plus(1), loops[2]};
        Statement three = y.at(loops).assign(F.guard(shifted, new long[] {2, 2, 1}, x.at(shifted))).where(loops[0], 3).where(loops[1], 2)
            .where(loops[2], 2);
        assertEquals("y[i, j, k] = guard(0 <= i - 1 < 2, 0 <= j + 1 < 2, 0 <= k < 1, x[i - 1, j + 1, k]) where i in 0:3, j in 0:2, k in 0:2",
            three.toString().trim());
        try (io.tensornio.Tensor<Float> given = io.tensornio.Tensors.ofNested(new float[][][] {{{1}, {2}}, {{3}, {4}}});
                Results results = Comprehension.of(three).run(given)) {
            assertEquals("FLOAT[3, 2, 2]\n[[[0., 0.],\n  [0., 0.]],\n\n [[2., 0.],\n  [0., 0.]],\n\n [[4., 0.],\n  [0., 0.]]]",
                results.get("y").toString());
        }
        Bound[] bounds = {x.size(0), x.size(1), x.size(2)};
        assertEquals("guard(0 <= i - 1 < size(x, 0), 0 <= j + 1 < size(x, 1), 0 <= k < size(x, 2), x[i - 1, j + 1, k])",
            F.guard(shifted, bounds, x.at(shifted)).toString());
        Class<IllegalArgumentException> bad = IllegalArgumentException.class;
        io.tensornio.support.Expect.thrown(bad, () -> F.guard(new Index[0], new Bound[0], x.at()), "at least one index");
        io.tensornio.support.Expect.thrown(bad, () -> F.guard(shifted, new long[2], x.at(shifted)), "3 indices with 2 bounds");
        io.tensornio.support.Expect.thrown(NullPointerException.class, () -> F.guard((Index[]) null, bounds, x.at()), "indices");
    }

    @Test
    void dotsStandForAxesThatAreNotNamed() {
        same("C[..., j] += A[..., k] * B[k, j]", c.at(Index.REST, j).assignSum(a.at(Index.REST, k).times(b.at(k, j))));
        same("C[..., 2*k] += A[..., k] where C[..., 9]",
            c.at(Index.REST, k.times(2)).assignSum(a.at(Index.REST, k)).shape(Bound.REST, Bound.of(9)));
        same("C[..., j] = A[N[...], j]", c.at(Index.REST, j).assign(a.at(n.index(Index.REST), j)));
        Expect.thrown(IllegalArgumentException.class, () -> Index.REST.plus(1), "...", "no part of a sum");
    }

    @Test
    void lengthsAreIntegers() {
        same("C[j] = A[size(A, 0) - 1, j]", c.at(j).assign(a.at(Index.of(a.size(0)).minus(1), j)));
        same("C[i] += A[i, j] / len(A, i)", c.at(i).assignSum(a.at(i, j).div(F.len(a, i))));
        same("C[i] = size(A, -1) where i in 0:size(A, -2)", c.at(i).assign(F.size(a, -1)).where(i, a.size(-2)));
        same("C[i] = guard(0 <= i - 1, A[i - 1]) where i in 0:4", c.at(i).assign(F.guard(i.minus(1), a.at(i.minus(1)))).where(i, 4));
        Bound length = a.size(0);
        assertEquals("i - 2*size(A, 0)", i.minus(Index.of(length)).minus(Index.of(length)).toString());
        Expect.thrown(IllegalArgumentException.class, () -> F.len(a), "without an index");
    }

    @Test
    void whatIsSparseAndRaggedHasWordsOfItsOwn() {
        same("sparse C[i, j] = A[i, j] * B[j]", c.at(i, j).assign(a.at(i, j).times(b.at(j))).sparse());
        same("C[i] max= A[i, j] where stored(A[i, j])", c.at(i).assignMax(a.at(i, j)).whereStored(a.at(i, j)));
        same("C[i] += select(stored(A[i, j]), B[j], 0)", c.at(i).assignSum(F.select(F.stored(a.at(i, j)), b.at(j), Expr.of(0))));
        same("C[i] += B[j] where i in 0:3, j in 0:i + 1", c.at(i).assignSum(b.at(j)).where(i, 3).where(j, Bound.of(i.plus(1))));
        same("C[i] = A[i, len(A, i) - 1] where i in 0:2", c.at(i).assign(a.at(i, Index.of(a.len(i)).minus(1))).where(i, 2));
        same("C[i, j] = B[j] where i in 0:2, j in 0:len(A, i)", c.at(i, j).assign(b.at(j)).where(i, 2).where(j, a.len(i)));
    }

    /** The functions of the engine's table, by their words. */
    private static List<String> words(String table) throws IOException {
        String source = new String(Files.readAllBytes(Paths.get("rust/compute/src/parse/words.rs")), StandardCharsets.UTF_8);
        int begin = source.indexOf("pub const " + table);
        Matcher words = Pattern.compile("\\(\"(\\w+)\",").matcher(source.substring(begin, source.indexOf("];", begin)));
        List<String> found = new ArrayList<>();
        while (words.find()) {
            found.add(words.group(1));
        }
        return found;
    }

    @Test
    void everyFunctionOfTheEngineIsHereAndInGraphs() throws Exception {
        List<String> unary = words("UNARY");
        assertTrue(unary.size() >= 40, unary.toString());
        for (String word : unary) {
            Object made = F.class.getMethod(word, Expr.class).invoke(null, a.at(i));
            same("C[i] = " + word + "(A[i])", c.at(i).assign((Expr) made));
            if (!word.equals("stored")) {                   // of the elements of a sparse tensor
                F.class.getMethod(word, Mappable.class);
            }
        }
        for (String word : words("BINARY")) {
            Object made = F.class.getMethod(word, Expr.class, Expr.class).invoke(null, a.at(i), b.at(i));
            same("C[i] = " + word + "(A[i], B[i])", c.at(i).assign((Expr) made));
        }
        same("C[i] = min(max(A[i], 0), 1)", c.at(i).assign(F.min(F.max(a.at(i), Expr.of(0)), Expr.of(1))));
        assertEquals("clip(A[i], 0, 1)", F.clip(a.at(i), Expr.of(0), Expr.of(1)).toString());
    }
}
