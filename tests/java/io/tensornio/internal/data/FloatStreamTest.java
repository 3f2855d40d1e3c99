package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatFlow;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.NaiveView;
import io.tensornio.support.Pick;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Spliterator;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.BaseStream;
import java.util.stream.Collectors;
//~int,byte import java.util.stream.IntStream;
//~long import java.util.stream.LongStream;
//~boolean,string import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if floating
import java.util.stream.DoubleStream;
//#end

/** Streams of {@code float} data. */
@ExtendWith(MemoryBalance.class)
class FloatStreamTest {
    private static final RuntimeException STOP = new RuntimeException("stop");
    private static final int[] SHAPE = {4, 1, 3, 5};
    private static final Pick[][] VIEWS = {
        {},
        {Pick.at(1)},
        {Pick.all(4), Pick.at(0), Pick.at(2)},
        {Pick.all(4), Pick.all(1), Pick.all(3), Pick.at(4)},
        {Pick.flip(4)},
        {Pick.flip(4), Pick.all(1), Pick.flip(3), Pick.flip(5)},
        {Pick.step(4, 2), Pick.at(0), Pick.all(3), Pick.step(5, 2)},
        {Pick.range(1, 3, 1), Pick.all(1), Pick.range(2, 0, -1), Pick.range(1, 5, 3)},
        {Pick.range(1, 2, 1), Pick.all(1), Pick.range(2, 1, -1), Pick.range(1, 2, 3)},
        {Pick.at(3), Pick.at(0), Pick.at(2)},
        {Pick.at(3), Pick.at(0), Pick.at(2), Pick.at(1)},
        {Pick.range(2, 2, 1)},
        {Pick.all(4), Pick.all(1), Pick.all(3), Pick.range(0, 0, 1)},
    };

    /** Runs a check on views of a tensor whose elements are the values of their positions. */
    private static void onEachView(BiConsumer<FloatTensorData, NaiveView> check) {
        try (Tensor<Float> tensor = FloatValues.tensor(4, 1, 3, 5)) {
            for (Pick[] picks : VIEWS) {
                try {
                    check.accept(tensor.floatData().slice(Pick.indices(picks)), NaiveView.of(SHAPE).slice(picks));
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError("in the view " + Arrays.toString(picks), e);
                }
            }
        }
    }

    private static Iterable<int[]> selections(NaiveView view) {
        return () -> java.util.stream.IntStream.rangeClosed(0, view.rank()).boxed()
            .flatMap(n -> NaiveView.of(Arrays.copyOf(view.shape, n)).indices().stream()).iterator();
    }

    @Test
    void theElementsOfEverySelection() {
        onEachView((data, view) -> {
            for (int[] indices : selections(view)) {
                List<Object> expected = FloatFlow.expected(view, indices);
                String where = Arrays.toString(indices);
                assertEquals(expected, FloatFlow.of(data, indices).collect(Collectors.toList()), where);
                assertEquals(expected, FloatFlow.of(data, indices).parallel().collect(Collectors.toList()), where);
                assertEquals(expected, FloatFlow.oneByOne(data.stream(indices)), where);
                assertEquals(expected, FloatFlow.rest(data.stream(indices).spliterator()), where);
                assertEquals(expected.size(), data.stream(indices).count(), where);
                List<Object> ordered = Collections.synchronizedList(new ArrayList<>());
                data.stream(indices).parallel().forEachOrdered(ordered::add);
                assertEquals(expected, ordered, where);
            }
        });
    }

    @Test
    void streamsAreThoseOfTheType() {
        try (Tensor<Float> tensor = FloatValues.tensor(2, 3)) {
            //#if floating
            DoubleStream stream = tensor.floatData().stream(1);
            double[] expected = {FloatValues.of(3), FloatValues.of(4), FloatValues.of(5)};
            //#end
            //~int IntStream stream = tensor.floatData().stream(1);
            //~int int[] expected = FloatValues.array(3, 3);
            //~byte IntStream stream = tensor.floatData().stream(1);
            //~byte int[] expected = {FloatValues.of(3) & 0xff, FloatValues.of(4) & 0xff, FloatValues.of(5) & 0xff};
            //~long LongStream stream = tensor.floatData().stream(1);
            //~long long[] expected = FloatValues.array(3, 3);
            //~boolean,string Stream<Float> stream = tensor.floatData().stream(1);
            //~boolean,string Object[] expected = {FloatValues.of(3), FloatValues.of(4), FloatValues.of(5)};
            assertArrayEquals(expected, stream.toArray());
        }
    }

    //~byte @Test
    //~byte void bytesAreUnsigned() {
    //~byte     try (Tensor<UInt8> tensor = Tensors.denseUInt8(new long[] {256}, data -> {
    //~byte         data.put(IntStream.range(0, 256));
    //~byte     })) {
    //~byte         assertArrayEquals(IntStream.range(0, 256).toArray(), tensor.uInt8Data().stream().toArray());
    //~byte         assertEquals((byte) -1, tensor.uInt8Data().get(255));
    //~byte     }
    //~byte }

    //#if numeric
    @Test
    void sumsOfManyElements() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {300, 7, 101}, data -> {
            FloatTensorIterator scalars = data.scalars();
            for (int i = 0; scalars.hasMoreElements(); i++) {
                scalars.put((byte) (i % 100));
            }
        })) {
            FloatTensorData data = tensor.floatData();
            long expected = 0;
            for (int i = 0; i < 300 * 7 * 101; i++) {
                expected += i % 100;
            }
            assertEquals(expected, data.stream().sum());
            assertEquals(expected, data.stream().parallel().sum());
            assertEquals(expected, data.slice(flip(), flip(), flip()).stream().parallel().sum());
            assertEquals(expected, data.slice(step(2)).stream().parallel().sum() + data.slice(range(1, 300, 2)).stream().sum());
            long row = 0;
            for (int i = 41; i < 101; i++) {
                row += ((299 * 7 + 6) * 101 + i) % 100;
            }
            assertEquals(row, data.stream(299, 6, 41).parallel().sum());
        }
    }
    //#end

    // ---- Splitting -------------------------------------------------------------------------------------------------

    /** Checks that a spliterator and all that it can be split into say what they have, and have it. */
    private static void checkSplits(Spliterator<?> spliterator, List<Object> expected) {
        assertTrue(spliterator.hasCharacteristics(Spliterator.ORDERED | Spliterator.SIZED | Spliterator.SUBSIZED | Spliterator.NONNULL));
        assertFalse(spliterator.hasCharacteristics(Spliterator.DISTINCT) || spliterator.hasCharacteristics(Spliterator.SORTED));
        assertEquals(expected.size(), spliterator.estimateSize());
        assertEquals(expected.size(), spliterator.getExactSizeIfKnown());
        Spliterator<?> before = spliterator.trySplit();
        if (before == null) {
            assertTrue(expected.size() < 2, () -> "not split: " + expected.size());
            assertEquals(expected, FloatFlow.rest(spliterator));
            assertEquals(0, spliterator.estimateSize());
            assertEquals(Collections.emptyList(), FloatFlow.rest(spliterator), "read twice");
            assertFalse(spliterator.tryAdvance(value -> { }));
            return;
        }
        int size = (int) before.estimateSize();
        assertTrue(size > 0 && size < expected.size(), () -> size + " of " + expected.size());
        checkSplits(before, expected.subList(0, size));
        checkSplits(spliterator, expected.subList(size, expected.size()));
    }

    @Test
    void sizesAreExactThroughAllSplits() {
        onEachView((data, view) -> {
            for (int[] indices : selections(view)) {
                checkSplits(data.stream(indices).spliterator(), FloatFlow.expected(view, indices));
            }
        });
    }

    @Test
    void splitsAreHalves() {
        try (Tensor<Float> tensor = FloatValues.tensor(1, 1 << 10, 1, 1 << 6)) {
            Spliterator<?> right = tensor.floatData().stream().spliterator();
            for (int n = 1 << 15; n > 0; n /= 2) {
                Spliterator<?> left = right.trySplit();
                assertEquals(n, left.estimateSize());
                assertEquals(n, right.estimateSize());
                right = n % 3 == 0 ? left : right;
            }
            assertNull(right.trySplit());
        }
    }

    @Test
    void partlyReadSpliteratorsSplitWhatIsLeft() {
        onEachView((data, view) -> {
            List<Object> expected = FloatFlow.expected(view);
            for (int read = 0; read <= expected.size(); read++) {
                Spliterator<?> spliterator = data.stream().spliterator();
                List<Object> got = new ArrayList<>();
                for (int i = 0; i < read; i++) {
                    assertTrue(spliterator.tryAdvance(got::add));
                }
                assertEquals(expected.subList(0, read), got);
                checkSplits(spliterator, expected.subList(read, expected.size()));
            }
        });
    }

    @Test
    void readingAndSplittingInAnyOrder() {
        Random random = new Random();
        long seed = random.nextLong();
        random.setSeed(seed);
        onEachView((data, view) -> {
            List<Object> expected = FloatFlow.expected(view);
            for (int round = 0; round < 50 * Expect.depth(); round++) {
                // Each with the elements that it should have.
                List<Spliterator<?>> parts = new ArrayList<>();
                List<List<Object>> left = new ArrayList<>();
                parts.add(data.stream().spliterator());
                left.add(expected);
                for (int i = 0; i < 40; i++) {
                    int p = random.nextInt(parts.size());
                    Spliterator<?> part = parts.get(p);
                    List<Object> rest = left.get(p);
                    if (random.nextBoolean()) {
                        List<Object> got = new ArrayList<>();
                        assertEquals(!rest.isEmpty(), part.tryAdvance(got::add), "seed " + seed);
                        assertEquals(rest.subList(0, got.size()), got, "seed " + seed);
                        left.set(p, rest.subList(got.size(), rest.size()));
                    } else {
                        Spliterator<?> before = part.trySplit();
                        if (before != null) {
                            int n = (int) before.estimateSize();
                            parts.add(p, before);
                            left.set(p, rest.subList(n, rest.size()));
                            left.add(p, rest.subList(0, n));
                        }
                    }
                    assertEquals(left.get(p).size(), parts.get(p).estimateSize(), "seed " + seed);
                }
                for (int p = 0; p < parts.size(); p++) {
                    assertEquals(left.get(p), FloatFlow.rest(parts.get(p)), "seed " + seed);
                }
            }
        });
    }

    @Test
    void anActionThatThrowsHasTakenItsElement() {
        onEachView((data, view) -> {
            List<Object> expected = FloatFlow.expected(view);
            Spliterator<?> spliterator = data.stream().spliterator();
            for (int i = 0; i < expected.size(); i++) {
                assertSame(STOP, assertThrows(RuntimeException.class, () -> spliterator.tryAdvance(value -> {
                    throw STOP;
                })));
                assertEquals(expected.size() - i - 1, spliterator.estimateSize());
            }
            Consumer<Object> stops = value -> {
                throw STOP;
            };
            assertFalse(spliterator.tryAdvance(stops));
            spliterator.forEachRemaining(stops);
            if (!expected.isEmpty()) {
                assertSame(STOP, assertThrows(RuntimeException.class, () -> data.stream().spliterator().forEachRemaining(stops)));
                assertThrows(RuntimeException.class, () -> FloatFlow.of(data).parallel().forEach(stops));
            }
        });
    }

    @Test
    void nullArguments() {
        try (Tensor<Float> tensor = FloatValues.tensor(2, 3)) {
            FloatTensorData data = tensor.floatData();
            Expect.thrown(NullPointerException.class, () -> data.stream((int[]) null), "indices");
            Spliterator<?> spliterator = data.stream().spliterator();
            assertThrows(NullPointerException.class, () -> spliterator.tryAdvance(null));
            assertThrows(NullPointerException.class, () -> spliterator.forEachRemaining(null));
            assertEquals(6, spliterator.estimateSize());
        }
    }

    @Test
    void aStreamIsUsedOnce() {
        try (Tensor<Float> tensor = FloatValues.tensor(2, 3)) {
            BaseStream<?, ?> stream = tensor.floatData().stream();
            stream.iterator();
            assertThrows(IllegalStateException.class, stream::iterator);
        }
    }

    // ---- When ------------------------------------------------------------------------------------------------------

    @Test
    void elementsAreReadByTheTerminalOperation() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {2, 3}, data -> {
            BaseStream<?, ?> stream = data.stream(1);
            BaseStream<?, ?> another = data.stream(1);
            java.util.Iterator<?> first = another.iterator();
            FloatValues.fill(data);
            assertEquals(FloatFlow.objects(FloatValues.array(3, 3)), FloatFlow.oneByOne(stream));
            assertEquals(FloatFlow.object(FloatValues.of(3)), first.next());
            data.put(FloatValues.array(20, 3), 1);
            assertEquals(FloatFlow.object(FloatValues.of(21)), first.next());
        })) {
            assertEquals(6, tensor.floatData().stream().count());
        }
    }

    @Test
    void closedBeforeTheTerminalOperation() {
        for (long[] shape : new long[][] {{}, {2, 3}, {0, 3}, {100_000}}) {
            String[] says = {"FLOAT", Arrays.toString(shape), "closed"};
            List<Consumer<java.util.stream.Stream<Object>>> terminals = new ArrayList<>();
            terminals.add(stream -> stream.forEach(value -> { }));
            terminals.add(java.util.stream.Stream::count);
            terminals.add(java.util.stream.Stream::findFirst);
            terminals.add(stream -> stream.parallel().forEach(value -> { }));
            terminals.add(stream -> stream.iterator().hasNext());
            terminals.add(stream -> stream.spliterator().estimateSize());
            terminals.add(stream -> stream.sorted().parallel().toArray());
            for (Consumer<java.util.stream.Stream<Object>> terminal : terminals) {
                Tensor<Float> tensor = FloatValues.tensor(shape);
                java.util.stream.Stream<Object> stream = FloatFlow.of(tensor.floatData());
                tensor.close();
                Expect.thrown(TensorClosedException.class, () -> terminal.accept(stream), says);
            }
            Tensor<Float> tensor = FloatValues.tensor(shape);
            FloatTensorData data = tensor.floatData();
            java.util.Iterator<?> iterator = data.stream().iterator();
            java.util.stream.BaseStream<?, ?> counted = data.stream();
            tensor.close();
            Expect.thrown(TensorClosedException.class, iterator::hasNext, says);
            Expect.thrown(TensorClosedException.class, () -> counted.spliterator().estimateSize(), says);
            Expect.thrown(TensorClosedException.class, () -> data.stream(), says);
            Expect.thrown(TensorClosedException.class, () -> data.stream(7, 7, 7, 7, 7), says);
        }
    }

    @Test
    void closedInTheMiddle() {
        Tensor<Float> tensor = FloatValues.tensor(2, 3);
        java.util.Iterator<?> iterator = tensor.floatData().stream().iterator();
        Spliterator<?> spliterator = tensor.floatData().stream().spliterator();
        assertEquals(FloatFlow.object(FloatValues.of(0)), iterator.next());
        assertTrue(spliterator.tryAdvance(value -> { }));
        tensor.close();
        Expect.thrown(TensorClosedException.class, iterator::hasNext, "FLOAT", "[2, 3]", "closed");
        Expect.thrown(TensorClosedException.class, () -> spliterator.tryAdvance(value -> { }), "closed");
        Expect.thrown(TensorClosedException.class, spliterator::trySplit, "closed");
        Expect.thrown(TensorClosedException.class, () -> spliterator.forEachRemaining(value -> { }), "closed");
    }

    @Test
    void coordinatesAreCheckedAtOnce() {
        try (Tensor<Float> tensor = FloatValues.tensor(2, 3)) {
            FloatTensorData data = tensor.floatData();
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.stream(2), "index 2", "axis 0", "size 2", "[2, 3]");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.stream(-1, 0), "index -1 of [-1, 0]", "axis 0");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.stream(1, 3), "index 3 of [1, 3]", "axis 1", "size 3");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.stream(0, 0, 0), "3 indices", "[0, 0, 0]", "[2, 3]", "rank 2");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(0, 0).stream(0), "1 index", "[]", "rank 0");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(range(0, 0)).stream(0), "index 0", "axis 0", "size 0");
        }
    }

    @Test
    void indicesAreReadOnce() {
        try (Tensor<Float> tensor = FloatValues.tensor(2, 3)) {
            int[] indices = {1};
            BaseStream<?, ?> stream = tensor.floatData().stream(indices);
            indices[0] = 0;
            assertEquals(FloatFlow.objects(FloatValues.array(3, 3)), FloatFlow.oneByOne(stream));
        }
    }
}
