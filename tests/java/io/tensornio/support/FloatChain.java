package io.tensornio.support;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorElements;
import io.tensornio.FloatTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.TensorDescription;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.internal.data.DataIndices;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Slicer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
//#if buffer
import java.nio.FloatBuffer;
//#end

/** Slices of {@code float} data one after the other, and what its elements should be: all ways to read and to write are held against that. */
public final class FloatChain {
    public final NaiveView whole;
    /** Slices and other views, one after the other: {@code Pick[]} or {@link ViewStep}. */
    private final Object[] steps;
    public final NaiveView view;
    /** Where the elements of the view would be in a dense tensor. */
    public final Layout layout;
    public final float[] model;

    public FloatChain(Random random, int rank, StringBuilder done) {
        this(random, rank, 3, 0, done);
    }

    /** A chain of at most some steps, of which so many in ten are other views than slices. */
    public FloatChain(Random random, int rank, int most, int views, StringBuilder done) {
        int[] shape = shape(random, rank);
        done.append(", shape ").append(Arrays.toString(shape));
        whole = NaiveView.of(shape);
        NaiveView slice = whole;
        Layout at = Layout.rowMajor(whole.longShape());
        steps = new Object[1 + random.nextInt(most)];
        for (int i = 0; i < steps.length; i++) {
            if (random.nextInt(10) < views) {
                ViewStep step = ViewStep.random(random, slice, at);
                done.append(", ").append(step);
                slice = step.on(slice);
                at = step.on(at);
                steps[i] = step;
            } else {
                Pick[] picks = Pick.random(random, slice.shape);
                done.append(", ").append(Arrays.toString(picks));
                slice = slice.slice(picks);
                at = Slicer.slice(at, DataIndices.checked(Pick.set(picks)));
                steps[i] = picks;
            }
        }
        view = slice;
        layout = at;
        model = FloatValues.array(0, whole.size());
    }

    private static int[] shape(Random random, int rank) {
        int[] shape = new int[rank];
        for (int d = 0; d < rank; d++) {
            shape[d] = random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(rank > 4 ? 3 : rank > 2 ? 5 : 9);
        }
        if (rank > 0 && random.nextInt(20) == 0) {
            shape[random.nextInt(rank)] = 10 + random.nextInt(20);      // long rows are copied in another way
        }
        return shape;
    }

    /** The elements of a model that a view has. */
    public static float[] picked(float[] model, NaiveView view) {
        float[] picked = FloatValues.zeros(view.size());
        for (int i = 0; i < picked.length; i++) {
            picked[i] = model[view.positions[i]];
        }
        return picked;
    }

    /** Makes the slices; what their indices were made from says something else afterwards. */
    public FloatTensorData slice(FloatTensorData data) {
        FloatTensorData slice = data;
        for (Object step : steps) {
            if (step instanceof ViewStep) {
                slice = ((ViewStep) step).on(slice);
            } else {
                slice = slice.slice(Pick.set((Pick[]) step));
                Pick.spoil((Pick[]) step);
            }
        }
        return slice;
    }

    /** Checks that the steps lead from the description of data to that of its view, with and without a layout. */
    public void checkDescription(FloatTensorData data) {
        TensorDescription described = slice(data).description();
        TensorDescription start = data.description();
        assertEquals(layout.isStrided() && start.hasLayout(), described.hasLayout());
        TensorDescription view = describe(start);
        assertArrayEquals(this.view.longShape(), view.shape());
        assertEquals(start.isReadOnly() || layout.isReadOnly(), view.isReadOnly());
        assertEquals(described.isReadOnly(), view.isReadOnly());
        assertEquals(described.hasLayout(), view.hasLayout());
        if (view.hasLayout()) {
            assertEquals(described.layout(), view.layout());
            assertEquals(described.isContiguous(), view.isContiguous());
        }
        assertTrue(view.sharesMemoryWith(described));
        TensorDescription open = describe(TensorDescription.of(start.dataType(), start.shape()));
        assertFalse(open.hasLayout());
        assertArrayEquals(view.shape(), open.shape());
        if (view.hasLayout()) {
            assertEquals(view.layout(), open.withLayout(start.layout()).layout());
        }
        assertEquals(view, describe(start));
        assertEquals(view.hashCode(), describe(start).hashCode());
    }

    private TensorDescription describe(TensorDescription from) {
        TensorDescription to = from;
        for (Object step : steps) {
            if (step instanceof ViewStep) {
                to = ((ViewStep) step).on(to);
            } else {
                to = to.slice(Pick.set((Pick[]) step));
                Pick.spoil((Pick[]) step);
            }
        }
        return to;
    }

    /** Fills data, and checks reads and writes through its slice. */
    public void check(FloatTensorData data, Random random) {
        FloatTensorData slice = slice(data);
        FloatValues.fill(data);
        checkReads(slice, random);
        if (layout.isReadOnly()) {
            checkRefused(slice);
            return;
        }
        for (int writer = 0; writer < WRITERS; writer++) {
            write(slice, writer, random);
            assertArrayEquals(model, FloatValues.all(data), "written by " + writer);
        }
        checkReads(slice, random);
    }

    // ---- Reads -------------------------------------------------------------------------------------------------

    public void checkReads(FloatTensorData data, Random random) {
        assertArrayEquals(view.longShape(), data.shape());
        assertEquals(view.size(), data.totalSize());
        float[] expected = picked(model, view);
        int n = 0;
        for (int[] at : view.indices()) {
            assertEquals(expected[n], data.get(at));
            assertEquals(expected[n++], FloatValues.get(data, at));
        }
        float[] bulk = FloatValues.zeros(view.size());
        data.copyTo(bulk);
        assertArrayEquals(expected, bulk, "bulk");
        checkScalars(data, expected);
        checkElements(data);
        checkStream(data, view);
        for (int i = 0; i < 2; i++) {
            checkSelection(data, random);
        }
        try (Tensor<Float> copy = Tensors.denseFloat(view.longShape(), other -> other.put(data))) {
            assertArrayEquals(expected, FloatValues.all(copy.floatData()), "to data");
            assertEquals(copy.floatData(), data);
            assertEquals(data, copy.floatData());
            assertEquals(copy.floatData().hashCode(), data.hashCode());
        }
    }

    private static void checkScalars(FloatTensorData data, float... expected) {
        float[] collected = FloatValues.zeros(expected.length);
        int[] count = {0};
        data.scalars().forEach(value -> collected[count[0]++] = value);
        assertEquals(expected.length, count[0], "forEach");
        assertArrayEquals(expected, collected, "forEach");
        FloatTensorIterator scalars = data.scalars();
        for (float value : expected) {
            assertEquals(value, scalars.get(), "scalars");
        }
        assertFalse(scalars.hasMoreElements());
    }

    /** Streams of what some indices select of data, and of this the view is given. */
    private void checkStream(FloatTensorData data, NaiveView selection, int... leading) {
        List<Object> expected = FloatFlow.objects(picked(model, selection));
        assertEquals(expected, FloatFlow.of(data, leading).collect(Collectors.toList()), "stream");
        assertEquals(expected, FloatFlow.of(data, leading).parallel().collect(Collectors.toList()), "parallel stream");
        assertEquals(expected, FloatFlow.oneByOne(FloatFlow.of(data, leading)), "stream, one by one");
        assertEquals(expected, FloatFlow.rest(FloatFlow.leaves(FloatFlow.of(data, leading).spliterator())), "stream, split to the end");
    }

    private void checkElements(FloatTensorData data) {
        if (view.rank() > 0) {
            int i = 0;
            for (FloatTensorData element : data.elements()) {
                assertArrayEquals(FloatValues.all(data.slice(i)), FloatValues.all(element), "elements");
                float[] bulk = FloatValues.zeros((int) element.totalSize());
                element.copyTo(bulk);
                assertArrayEquals(picked(model, view.sub(i++)), bulk, "element");
            }
            assertEquals(view.shape[0], i, "elements");
        }
    }

    /** Some leading indices, or all, where there are elements. */
    private int[] leading(Random random) {
        int[] leading = new int[random.nextInt(view.rank() + 1)];
        for (int d = 0; d < leading.length; d++) {
            if (view.shape[d] == 0) {
                return Arrays.copyOf(leading, d);
            }
            leading[d] = random.nextInt(view.shape[d]);
        }
        return leading;
    }

    /** Reads a sub-tensor, or from a start position on, into an array, a buffer and other data. */
    private void checkSelection(FloatTensorData data, Random random) {
        int[] leading = leading(random);
        String where = "from " + Arrays.toString(leading);
        float[] expected = picked(model, view.selection(leading));
        int spare = random.nextInt(3);
        float[] array = FloatValues.filled(expected.length + spare, FloatValues.OWN);
        data.get(array, leading);
        assertArrayEquals(expected, Arrays.copyOf(array, expected.length), where);
        assertArrayEquals(FloatValues.filled(spare, FloatValues.OWN), Arrays.copyOfRange(array, expected.length, array.length), where);
        //#if buffer
        String kind = FloatBuffers.KINDS.get(random.nextInt(FloatBuffers.KINDS.size()));
        FloatBuffer buffer = FloatBuffers.of(kind, expected.length);
        data.get(buffer, leading);
        assertEquals(0, buffer.remaining(), kind);
        assertArrayEquals(FloatBuffers.withMargins(expected), FloatBuffers.content(buffer), where + " to " + kind);
        //#end
        checkStream(data, view.selection(leading), leading);
        NaiveView sub = view.sub(leading);
        float[] into = FloatValues.zeros(sub.size());
        FloatTensorData target = FloatTensorData.of(into, sub.longShape());
        data.get(mixed(target, random), leading);
        assertArrayEquals(picked(model, sub), FloatValues.all(last), where);
    }

    /** What {@link #mixed} has made. */
    private FloatTensorData last;

    /** Data as it is, or its leading axis in another order. */
    private FloatTensorData mixed(FloatTensorData data, Random random) {
        last = data;
        if (data.rank() > 0 && random.nextBoolean()) {
            int[] order = IntStream.range(0, (int) data.size(0)).toArray();
            for (int i = order.length - 1; i > 0; i--) {
                int other = random.nextInt(i + 1);
                int swapped = order[i];
                order[i] = order[other];
                order[other] = swapped;
            }
            last = data.slice(TensorIndex.incl(Pick.longs(order)));
        }
        return last;
    }

    // ---- Writes ------------------------------------------------------------------------------------------------

    /** What was written to a selection from its start: of positions that it has repeatedly the last one. */
    private void written(NaiveView selection, float... values) {
        for (int i = 0; i < values.length; i++) {
            model[selection.positions[i]] = values[i];
        }
    }

    private static final int WRITERS = 10;

    /** Writes new values to the slice in one of several ways, and to the model. */
    private void write(FloatTensorData data, int writer, Random random) {
        int[] leading = writer > 5 ? leading(random) : new int[0];
        NaiveView selection = writer == 7 ? view.sub(leading) : view.selection(leading);
        int size = selection.size();
        int n = writer == 0 || (writer == 6 || writer > 7) && random.nextBoolean() ? random.nextInt(size + 1) : size;
        float[] values = FloatValues.array(random.nextInt(1000), n);
        switch (writer) {
            case 0:
            case 1:
                data.copyFrom(values);
                break;
            case 2: {
                FloatTensorIterator scalars = data.scalars();
                for (float value : values) {
                    scalars.put(value);
                }
                break;
            }
            case 3: {
                int[] next = {0};
                data.scalars().onEach(() -> values[next[0]++]);
                assertEquals(size, next[0], "onEach");
                break;
            }
            case 4: {
                int i = 0;
                for (int[] at : view.indices()) {
                    if (random.nextBoolean()) {
                        FloatValues.put(data, values[i++], at);
                    } else {
                        data.put(values[i++], at);
                    }
                }
                break;
            }
            case 5:
                if (view.rank() == 0) {
                    data.put(values);
                } else {
                    FloatTensorElements elements = data.elements();
                    int each = view.shape[0] == 0 ? 0 : size / view.shape[0];
                    for (int i = 0; elements.hasMoreElements(); i++) {
                        elements.put(Arrays.copyOfRange(values, i * each, (i + 1) * each));
                    }
                }
                break;
            case 6:
                data.put(values, leading);
                break;
            case 7: {
                FloatTensorData from = mixed(FloatTensorData.of(FloatValues.zeros(n), selection.longShape()), random);
                FloatTensorIterator scalars = from.scalars();
                for (float value : values) {
                    scalars.put(value);
                }
                if (random.nextInt(3) == 0) {
                    try (Tensor<Float> copy = Tensors.denseFloat(selection.longShape(), all -> all.put(from))) {
                        data.put(copy.floatData(), leading);
                    }
                } else {
                    data.put(from, leading);
                }
                break;
            }
            case 8: {
                Stream<Object> stream = FloatFlow.objects(values).stream();
                FloatFlow.put(data, random.nextBoolean() ? stream : stream.parallel(), leading);
                break;
            }
            default: {
                //#if buffer
                String kind = FloatBuffers.KINDS.get(random.nextInt(FloatBuffers.KINDS.size()));
                FloatBuffer buffer = FloatBuffers.of(kind, n);
                for (int i = 0; i < n; i++) {
                    buffer.put(FloatBuffers.MARGIN + i, values[i]);
                }
                FloatBuffer given = random.nextBoolean() ? buffer : buffer.asReadOnlyBuffer();
                data.put(given, leading);
                assertEquals(FloatBuffers.MARGIN + n, given.position(), kind);
                assertEquals(FloatBuffers.MARGIN + n, given.limit(), kind);
                //#end
                //~boolean,string data.put(values, leading);
            }
        }
        written(selection, values);
    }

    /** Checks that data refuses to be written in every way. */
    public void checkRefused(FloatTensorData data) {
        String shape = Arrays.toString(layout.isReadOnly() ? view.shape : whole.shape);
        Expect.thrown(ReadOnlyBufferException.class, () -> data.copyFrom(FloatValues.zeros(view.size())), "FLOAT", shape);
        Expect.thrown(ReadOnlyBufferException.class, () -> data.scalars().put(FloatValues.OWN), "FLOAT");
        Expect.thrown(ReadOnlyBufferException.class, () -> data.scalars().onEach(() -> FloatValues.OWN), "FLOAT");
        Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatValues.OWN, new int[view.rank()]), "FLOAT");
        Expect.thrown(ReadOnlyBufferException.class, () -> data.put(data), "FLOAT");
    }
}
