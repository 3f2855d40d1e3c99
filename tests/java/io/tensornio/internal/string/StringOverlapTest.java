package io.tensornio.internal.string;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.IntTensorData;
import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Strings of a tensor that are copied to others of it, which may be among them: as if through a copy of all, wherever they are collected. */
@ExtendWith(MemoryBalance.class)
class StringOverlapTest {
    /** More than are copied at a time: 64 padded ones, or 2,048 on a sequence. */
    private static final int N = 5_000;
    private static final int LENGTH = 12;

    /** Where strings are while they are collected. */
    enum Kind {
        /** In memory, in the order in which they were put. */
        ON_THE_TAPE,
        /** On the heap, in any order. */
        IN_THE_STORE,
        /** In memory, each in its place. */
        PADDED;

        Tensor<String> tensor(int count, Consumer<StringTensorData> init) {
            long[] shape = {count};
            if (this == PADDED) {
                return Tensors.denseString(shape, LENGTH, ' ', init);
            }
            return Tensors.denseString(shape, data -> {
                if (this == IN_THE_STORE && count > 1) {
                    data.put("", 1);            // out of order
                }
                init.accept(data);
            });
        }
    }

    private static String text(int i) {
        return i % 7 == 0 ? "" : i % 5 == 0 ? "\u20ac " + i : "text " + i;
    }

    private static void check(String[] expected, StringTensorData data) {
        for (int i = 0; i < expected.length; i++) {
            assertEquals(expected[i], data.get(i), "element " + i);
        }
    }

    /** Puts the first texts, and copies a run of {@code N}; both may lie in part or wholly behind them. */
    private static void copy(Kind kind, int first, int from, int to) {
        String what = from + " to " + to + " behind " + first;
        int count = Math.max(first, Math.max(from, to) + N) + 1;
        String[] expected = new String[count];
        Arrays.setAll(expected, i -> i < first ? text(i) : "");
        String[] texts = Arrays.copyOf(expected, first);
        System.arraycopy(expected, from, expected, to, N);
        try (Tensor<String> tensor = kind.tensor(count, data -> {
            data.put(texts);
            data.slice(TensorIndex.range(to, to + N)).put(data.slice(TensorIndex.range(from, from + N)));
            check(expected, data);
            data.put("last", count - 1);
        })) {
            expected[count - 1] = "last";
            check(expected, tensor.stringData());
        } catch (AssertionError e) {
            throw new AssertionError(what, e);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void upAndDownByAnyDistance(Kind kind) {
        for (int distance : new int[] {0, 1, 31, 32, 33, 63, 64, 65, 2_048, N - 1, N, N + 1}) {
            copy(kind, 2 * N + 1, 0, distance);
            copy(kind, 2 * N + 1, distance, 0);
        }
    }

    /** Where elements are put next, those to be copied are in part not there yet: these are empty, also once the first copies have come. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void toWhereElementsArePutNext(Kind kind) {
        for (int first : new int[] {1, 100, N, N + 1}) {
            for (int from : new int[] {0, first / 2, first - 1, first, first + 1, first + N}) {
                copy(kind, first, from, first);
            }
        }
    }

    /** Of what fits an axis: a run of it, or each so-manieth element, or any of them; forwards or backwards. */
    private static TensorIndex some(Random random, int count, int n) {
        int step = 1 + (random.nextBoolean() ? random.nextInt(count / n) : 0);
        int at = random.nextInt(count - (n - 1) * step);
        if (random.nextInt(4) > 0) {
            return TensorIndex.range(at, at + (n - 1) * step + 1, step);
        }
        int[] places = new int[n];
        Arrays.setAll(places, i -> random.nextInt(count));
        return TensorIndex.take(IntTensorData.of(places));
    }

    /** What was selected of the model, as positions. */
    private static int[] positions(TensorIndex index, boolean isFlipped, int count) {
        int[] all = new int[count];
        Arrays.setAll(all, i -> i);
        IntTensorData some = IntTensorData.of(all).slice(index);
        int[] positions = new int[(int) some.totalSize()];
        (isFlipped ? some.slice(TensorIndex.flip()) : some).copyTo(positions);
        return positions;
    }

    private static StringTensorData select(StringTensorData data, TensorIndex index, boolean isFlipped) {
        StringTensorData some = data.slice(index);
        return isFlipped ? some.slice(TensorIndex.flip()) : some;
    }

    @Test
    void randomSelections() {
        Seeds.each(1, 60, (random, done) -> {
            Kind kind = Kind.values()[random.nextInt(3)];
            int count = 1 + random.nextInt(N);
            String[] model = new String[count];
            int first = random.nextInt(count + 1);
            Arrays.setAll(model, i -> i < first ? text(i) : "");
            done.append(kind).append(' ').append(first).append(" of ").append(count);
            try (Tensor<String> tensor = kind.tensor(count, data -> {
                data.put(Arrays.copyOf(model, first));
                for (int steps = random.nextInt(20); steps > 0; steps--) {
                    int n = 1 + random.nextInt(random.nextBoolean() ? count : Math.min(count, 40));
                    TensorIndex from = some(random, count, n);
                    TensorIndex to = some(random, count, n);
                    boolean isFlipped = random.nextBoolean();
                    boolean isFlippedToo = random.nextInt(4) == 0;
                    done.append("; ").append(isFlipped).append(' ').append(from).append(" to ").append(isFlippedToo).append(' ').append(to);
                    int[] sources = positions(from, isFlipped, count);
                    int[] targets = positions(to, isFlippedToo, count);
                    String[] texts = new String[n];
                    Arrays.setAll(texts, i -> model[sources[i]]);
                    for (int i = 0; i < n; i++) {
                        model[targets[i]] = texts[i];
                    }
                    if (random.nextBoolean()) {
                        select(data, to, isFlippedToo).put(select(data, from, isFlipped));
                    } else {
                        select(data, from, isFlipped).get(select(data, to, isFlippedToo));
                    }
                }
                check(model, data);
            })) {
                check(model, tensor.stringData());
            }
        });
    }

    /** Of elements that were made of the same bytes each can be written alone, and what is no longer in use is dropped. */
    @Test
    void whatSharesBytesIsWrittenAlone() {
        int count = 2_000;
        String[] expected = new String[count];
        Arrays.fill(expected, "a text that is all but short, so that what was written before takes much memory");
        try (Tensor<String> tensor = Kind.IN_THE_STORE.tensor(count, data -> {
            data.put(expected[0], 0);
            for (int done = 1; done < count; done *= 2) {
                int n = Math.min(done, count - done);
                data.slice(TensorIndex.range(done, done + n)).put(data.slice(TensorIndex.to(n)));
            }
            check(expected, data);
            for (int i = 0; i < 20 * count; i += 3) {
                expected[i % count] = "written " + i + " instead of what was there";
                data.put(expected[i % count], i % count);
            }
            check(expected, data);
        })) {
            check(expected, tensor.stringData());
        }
    }
}
