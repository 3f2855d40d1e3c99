package io.tensornio.op;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.range;

import io.tensornio.DataType;
import io.tensornio.TensorIndex;
import io.tensornio.support.Seeds;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Operations that put elements elsewhere, and sums by letters, against loops: random shapes and axes of each type of number. */
class OpsRandomTest {
    /** What an operation gives, and what loops give. */
    private static final class Both {
        final Operand<?> result;
        final Naive naive;

        Both(Operand<?> result, Naive naive) {
            this.result = result;
            this.naive = naive;
        }
    }

    private interface Operation {
        /** Of an operand of rank 1 to 3, and the same as a {@link Naive}. */
        Both apply(Ops tf, Random random, Operand<Float> operand, Naive x);
    }

    private static final Map<String, Operation> OPERATIONS = new LinkedHashMap<>();

    static {
        OPERATIONS.put("reshape", OpsRandomTest::reshape);
        OPERATIONS.put("transpose", (tf, random, operand, x) -> new Both(tf.array.transpose(operand),
            permuted(x, IntStream.range(0, x.shape.length).map(d -> x.shape.length - 1 - d).toArray())));
        OPERATIONS.put("permute", OpsRandomTest::permute);
        OPERATIONS.put("concat", OpsRandomTest::concat);
        OPERATIONS.put("stack", OpsRandomTest::stack);
        OPERATIONS.put("slice", OpsRandomTest::slice);
        OPERATIONS.put("pad", OpsRandomTest::pad);
        OPERATIONS.put("tile", OpsRandomTest::tile);
        OPERATIONS.put("expandDims", OpsRandomTest::expandDims);
        OPERATIONS.put("squeeze", OpsRandomTest::squeeze);
        OPERATIONS.put("where", OpsRandomTest::where);
        OPERATIONS.put("biasAdd", OpsRandomTest::biasAdd);
        for (String equation : new String[] {"ijk->kij", "iij->ji", "iii->i", "ijk->j", "i,j->ij", "i,i->", "ij,j->i", "bij,bjk->bik",
            "ij,jk,kl->li"}) {
            OPERATIONS.put(equation, (tf, random, operand, x) -> einsum(tf, random, operand.dataType(), equation));
        }
    }

    private static long[] with(long[] shape, int axis, long size) {
        long[] other = shape.clone();
        other[axis] = size;
        return other;
    }

    /** A shape with one axis more. */
    private static long[] inserted(long[] shape, int axis, long size) {
        long[] more = new long[shape.length + 1];
        System.arraycopy(shape, 0, more, 0, axis);
        more[axis] = size;
        System.arraycopy(shape, axis, more, axis + 1, shape.length - axis);
        return more;
    }

    private static long[] without(long[] shape, int axis) {
        return IntStream.range(0, shape.length).filter(d -> d != axis).mapToLong(d -> shape[d]).toArray();
    }

    /** An axis as a caller may say it: some count from the end. */
    private static int said(Random random, int axis, int rank) {
        return random.nextBoolean() ? axis : axis - rank;
    }

    private static Naive like(Random random, DataType type, long... shape) {
        return Naive.random(NumberTypes.elements(random, type), shape);
    }

    private static Naive reshaped(Naive x, long... shape) {
        Naive other = new Naive(shape);
        System.arraycopy(x.values, 0, other.values, 0, x.values.length);
        return other;
    }

    private static Both reshape(Ops tf, Random random, Operand<Float> operand, Naive x) {
        long[] shape = inserted(permuted(x, order(random, x.shape.length)).shape, 0, 1);
        return new Both(tf.array.reshape(operand, shape), reshaped(x, shape));
    }

    private static int[] order(Random random, int rank) {
        List<Integer> order = IntStream.range(0, rank).boxed().collect(Collectors.toList());
        Collections.shuffle(order, random);
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    private static Naive permuted(Naive x, int... order) {
        return Naive.of(Arrays.stream(order).mapToLong(d -> x.shape[d]).toArray(), at -> {
            long[] from = new long[order.length];
            for (int d = 0; d < order.length; d++) {
                from[order[d]] = at[d];
            }
            return x.at(from);
        });
    }

    private static Both permute(Ops tf, Random random, Operand<Float> operand, Naive x) {
        int[] order = order(random, x.shape.length);
        return new Both(tf.array.permute(operand, Arrays.stream(order).map(d -> said(random, d, order.length)).toArray()), permuted(x, order));
    }

    private static Both concat(Ops tf, Random random, Operand<Float> operand, Naive x) {
        int axis = random.nextInt(x.shape.length);
        Naive y = like(random, operand.dataType(), with(x.shape, axis, random.nextInt(3)));
        long before = x.shape[axis];
        return new Both(tf.array.concat(said(random, axis, x.shape.length), operand, y.operand(tf, operand.dataType())),
            Naive.of(with(x.shape, axis, before + y.shape[axis]), at ->
                at[axis] < before ? x.at(at) : y.at(with(at, axis, at[axis] - before))));
    }

    private static Both stack(Ops tf, Random random, Operand<Float> operand, Naive x) {
        int axis = random.nextInt(x.shape.length + 1);
        Naive y = like(random, operand.dataType(), x.shape);
        return new Both(tf.array.stack(said(random, axis, x.shape.length + 1), operand, y.operand(tf, operand.dataType())),
            Naive.of(inserted(x.shape, axis, 2), at -> (at[axis] == 0 ? x : y).at(without(at, axis))));
    }

    private static Both slice(Ops tf, Random random, Operand<Float> operand, Naive x) {
        int rank = x.shape.length;
        TensorIndex[] indices = new TensorIndex[rank];
        long[] shape = x.shape.clone();
        long[] first = new long[rank];
        long[] step = new long[rank];
        for (int d = 0; d < rank; d++) {
            int kind = random.nextInt(3);
            long from = random.nextInt((int) shape[d] + 1);
            long size = shape[d];
            indices[d] = kind == 0 ? all() : kind == 1 ? flip() : range(from, size);
            first[d] = kind == 0 ? 0 : kind == 1 ? size - 1 : from;
            step[d] = kind == 1 ? -1 : 1;
            shape[d] = kind == 2 ? size - from : size;
        }
        return new Both(tf.array.slice(operand, indices),
            Naive.of(shape, at -> x.at(IntStream.range(0, rank).mapToLong(d -> first[d] + step[d] * at[d]).toArray())));
    }

    private static Both pad(Ops tf, Random random, Operand<Float> operand, Naive x) {
        int rank = x.shape.length;
        long[] before = random.longs(rank, 0, 3).toArray();
        long[] after = random.longs(rank, 0, 3).toArray();
        return new Both(tf.array.pad(operand, before, after),
            Naive.of(IntStream.range(0, rank).mapToLong(d -> before[d] + x.shape[d] + after[d]).toArray(), at -> {
                long[] from = IntStream.range(0, rank).mapToLong(d -> at[d] - before[d]).toArray();
                return IntStream.range(0, rank).allMatch(d -> 0 <= from[d] && from[d] < x.shape[d]) ? x.at(from) : 0;
            }));
    }

    private static Both tile(Ops tf, Random random, Operand<Float> operand, Naive x) {
        int rank = x.shape.length;
        long[] repeats = random.longs(rank, 0, 4).toArray();
        return new Both(tf.array.tile(operand, repeats), Naive.of(IntStream.range(0, rank).mapToLong(d -> repeats[d] * x.shape[d]).toArray(),
            at -> x.at(IntStream.range(0, rank).mapToLong(d -> at[d] % x.shape[d]).toArray())));
    }

    private static Both expandDims(Ops tf, Random random, Operand<Float> operand, Naive x) {
        int axis = random.nextInt(x.shape.length + 1);
        return new Both(tf.array.expandDims(operand, said(random, axis, x.shape.length + 1)), reshaped(x, inserted(x.shape, axis, 1)));
    }

    private static Both squeeze(Ops tf, Random random, Operand<Float> operand, Naive x) {
        int axis = random.nextInt(x.shape.length + 1);
        Operand<Float> wide = reshaped(x, inserted(x.shape, axis, 1)).operand(tf, operand.dataType());
        return random.nextBoolean() ? new Both(tf.array.squeeze(wide, said(random, axis, wide.rank())), x)
            : new Both(tf.array.squeeze(wide), reshaped(x, Arrays.stream(x.shape).filter(size -> size != 1).toArray()));
    }

    private static Both where(Ops tf, Random random, Operand<Float> operand, Naive x) {
        int[] found = IntStream.range(0, x.values.length).filter(n -> x.values[n] != 0).toArray();
        return new Both(tf.array.where(tf.math.cast(operand, Boolean.class)),
            Naive.of(new long[] {found.length, x.shape.length}, at -> x.coordinates(found[(int) at[0]])[(int) at[1]]));
    }

    private static Both biasAdd(Ops tf, Random random, Operand<Float> operand, Naive x) {
        Naive bias = like(random, operand.dataType(), x.shape[x.shape.length - 1]);
        return new Both(tf.nn.biasAdd(operand, bias.operand(tf, operand.dataType())), Naive.of(x.shape, at -> x.at(at) + bias.at(at)));
    }

    private static long size(long[] sizes, char letter) {
        return sizes[letter - 'a'];
    }

    /** Sums the products over all values of all letters. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Both einsum(Ops tf, Random random, DataType type, String equation) {
        String[] sides = equation.split("->", -1);
        String[] inputs = sides[0].split(",");
        long[] sizes = random.longs(26, 1, 4).toArray();
        Naive[] operands = new Naive[inputs.length];
        Operand[] given = new Operand[inputs.length];
        for (int n = 0; n < inputs.length; n++) {
            operands[n] = like(random, type, inputs[n].chars().mapToLong(letter -> size(sizes, (char) letter)).toArray());
            given[n] = operands[n].operand(tf, type);
        }
        int[] letters = sides[0].replace(",", "").chars().distinct().toArray();
        Naive every = new Naive(Arrays.stream(letters).mapToLong(letter -> size(sizes, (char) letter)).toArray());
        Naive sums = new Naive(sides[1].chars().mapToLong(letter -> size(sizes, (char) letter)).toArray());
        for (int n = 0; n < every.values.length; n++) {
            long[] at = new long[26];
            for (int l = 0; l < letters.length; l++) {
                at[letters[l] - 'a'] = every.coordinates(n)[l];
            }
            double product = 1;
            for (int o = 0; o < operands.length; o++) {
                product *= operands[o].at(inputs[o].chars().mapToLong(letter -> size(at, (char) letter)).toArray());
            }
            int to = 0;
            for (char letter : sides[1].toCharArray()) {
                to = to * (int) size(sizes, letter) + (int) size(at, letter);
            }
            sums.values[to] += product;
        }
        return new Both(tf.linalg.einsum(equation, given), sums);
    }

    @Test
    void operationsAreThoseOfLoops() {
        Seeds.each(1, 8, (random, done) -> OPERATIONS.forEach((name, operation) -> {
            DataType type = NumberTypes.pick(random, NumberTypes.NUMBERS);
            Naive x = like(random, type, Naive.shape(random, 1 + random.nextInt(3)));
            done.append("; ").append(name).append(' ').append(type).append(Arrays.toString(x.shape));
            try (Ops tf = Ops.create()) {
                Both both = operation.apply(tf, random, x.operand(tf, type), x);
                DataType result = name.equals("where") ? DataType.INT64 : type;
                ToDoubleFunction<long[]> narrowed = at -> NumberTypes.narrow(result, both.naive.at(at));
                Naive.of(both.naive.shape, narrowed).check(tf, both.result, result);
            }
        }));
    }
}
