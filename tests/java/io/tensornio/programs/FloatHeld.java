package io.tensornio.programs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.internal.data.DataIndices;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Slicer;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatChain;
import io.tensornio.support.FloatFlow;
import io.tensornio.support.FloatValues;
import io.tensornio.support.NaiveView;
import io.tensornio.support.Pick;
import io.tensornio.support.ViewStep;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
//#if buffer
import io.tensornio.support.FloatBuffers;
import java.nio.FloatBuffer;
//#end
//#if primitive
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
//#end

/** A dense or sparse {@code float} tensor of a random program, and its elements in row-major order. */
final class FloatHeld extends Held {
    private static final int READS = 14;

    private final FloatTensorData data;
    private final NaiveView whole;
    private final float[] model;

    private FloatHeld(AnyTensor<Float> tensor, NaiveView whole, float... model) {
        super(tensor);
        this.data = tensor.floatData();
        this.whole = whole;
        this.model = model;
    }

    // ---- Making ----------------------------------------------------------------------------------------------------

    /** A tensor made in one of the ways that there are. */
    static FloatHeld make(Random random, StringBuilder done) {
        NaiveView whole = NaiveView.of(shape(random));
        long[] shape = whole.longShape();
        float[] model = FloatValues.zeros(whole.size());
        int way = random.nextInt(6);
        done.append(" FLOAT").append(Arrays.toString(shape)).append(" in way ").append(way);
        switch (way) {
            case 0: {
                int[] some = IntStream.range(0, model.length).filter(i -> random.nextInt(3) == 0).toArray();
                for (int i : some) {
                    model[i] = FloatValues.of(random.nextInt(1000));
                }
                boolean backwards = random.nextBoolean();
                List<int[]> all = whole.indices();
                return new FloatHeld(Tensors.sparseFloat(shape, some.length, data -> {
                    for (int n = 0; n < some.length; n++) {
                        int i = some[backwards ? some.length - 1 - n : n];
                        FloatValues.put(data, model[i], all.get(i));
                    }
                }), whole, model);
            }
            case 1:
                for (int i = 0; i < model.length; i++) {
                    model[i] = random.nextInt(3) == 0 ? FloatValues.of(random.nextInt(1000)) : FloatValues.ZERO;
                }
                return new FloatHeld(SparseTensor.fromDense(FloatTensorData.of(model.clone(), shape)), whole, model);
            case 2: {
                FloatTensorData own = FloatTensorData.of(model.clone(), shape);
                fill(own, whole, model, random, done);
                return new FloatHeld(Tensors.create(own), whole, model);
            }
            //~string case 3:
            //~string     return new FloatHeld(Tensors.denseString(shape, 24, random.nextInt(2) * 32, data -> fill(data, whole, model, random, done)),
            //~string         whole, model);
            default:
                return new FloatHeld(Tensors.denseFloat(shape, data -> fill(data, whole, model, random, done)), whole, model);
        }
    }

    private static int[] shape(Random random) {
        if (random.nextInt(200) == 0) {
            return new int[] {20 + random.nextInt(20), 1000};       // of more than a page, and more than what shares pages
        }
        int[] shape = new int[random.nextInt(5)];
        for (int d = 0; d < shape.length; d++) {
            shape[d] = random.nextInt(15) == 0 ? 0 : 1 + random.nextInt(shape.length > 2 ? 4 : 9);
        }
        return shape;
    }

    /** Writes through some views, to the data and to the model. */
    private static void fill(FloatTensorData data, NaiveView whole, float[] model, Random random, StringBuilder done) {
        for (int writes = random.nextInt(4); writes > 0; writes--) {
            FloatPart part = FloatPart.of(data, whole, random, done);
            if (!part.layout.isReadOnly()) {
                float[] values = FloatValues.array(random.nextInt(1000), part.view.size());
                write(part, random.nextInt(4), values);
                for (int i = 0; i < values.length; i++) {
                    model[part.view.positions[i]] = values[i];
                }
            }
        }
    }

    private static void write(FloatPart part, int way, float... values) {
        switch (way) {
            case 0:
                part.data.copyFrom(values);
                break;
            case 1: {
                FloatTensorIterator scalars = part.data.scalars();
                for (float value : values) {
                    scalars.put(value);
                }
                break;
            }
            case 2:
                FloatFlow.put(part.data, FloatFlow.of(FloatTensorData.of(values)));
                break;
            default: {
                int n = 0;
                for (int[] at : part.view.indices()) {
                    FloatValues.put(part.data, values[n++], at);
                }
            }
        }
    }

    /** Some view of data, one or two steps away. */
    private static final class FloatPart {
        final FloatTensorData data;
        final NaiveView view;
        final Layout layout;

        private FloatPart(FloatTensorData data, NaiveView view, Layout layout) {
            this.data = data;
            this.view = view;
            this.layout = layout;
        }

        static FloatPart of(FloatTensorData data, NaiveView whole, Random random, StringBuilder done) {
            FloatPart part = new FloatPart(data, whole, Layout.rowMajor(whole.longShape()));
            if (whole.size() > 1000) {
                return part;
            }
            for (int steps = random.nextInt(3); steps > 0; steps--) {
                if (random.nextBoolean()) {
                    ViewStep step = ViewStep.random(random, part.view, part.layout);
                    done.append(' ').append(step);
                    part = new FloatPart(step.on(part.data), step.on(part.view), step.on(part.layout));
                } else {
                    Pick[] picks = Pick.random(random, part.view.shape);
                    done.append(' ').append(Arrays.toString(picks));
                    Layout layout = Slicer.slice(part.layout, DataIndices.checked(Pick.set(picks)));
                    part = new FloatPart(part.data.slice(Pick.set(picks)), part.view.slice(picks), layout);
                }
            }
            return part;
        }
    }

    // ---- Using -----------------------------------------------------------------------------------------------------

    @Override
    void useClosed() {
        data.scalars();
    }

    @Override
    void read(Random random, StringBuilder done) {
        FloatPart part = FloatPart.of(data, whole, random, done);
        float[] expected = FloatChain.picked(model, part.view);
        assertArrayEquals(part.view.longShape(), part.data.shape());
        for (int n = 0; n < 2; n++) {
            int way = random.nextInt(READS);
            done.append(" read ").append(way);
            if (way < 7) {
                readElements(part, way, random, expected);
            } else {
                readAsWhole(part, way, random, expected);
            }
        }
    }

    private static void readElements(FloatPart part, int way, Random random, float... expected) {
        FloatTensorData data = part.data;
        switch (way) {
            case 0:
                assertArrayEquals(expected, FloatValues.all(data));
                break;
            case 1: {
                float[] array = FloatValues.zeros(expected.length);
                data.copyTo(array);
                assertArrayEquals(expected, array);
                break;
            }
            case 2:
                assertEquals(FloatFlow.objects(expected), FloatFlow.of(data).collect(Collectors.toList()));
                break;
            case 3: {
                List<Object> all = new ArrayList<>();
                if (data.rank() > 0) {
                    for (FloatTensorData element : data.elements()) {
                        all.addAll(FloatFlow.objects(FloatValues.all(element)));
                    }
                    assertEquals(FloatFlow.objects(expected), all);
                }
                break;
            }
            //#if buffer
            case 4: {
                FloatBuffer buffer = FloatBuffers.any(random, expected.length);
                data.get(buffer, new int[0]);
                assertArrayEquals(FloatBuffers.withMargins(expected), FloatBuffers.content(buffer));
                break;
            }
            //#end
            case 5: {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                data.writeTo(out);
                FloatTensorData again = FloatTensorData.of(FloatValues.zeros(expected.length), data.shape());
                again.readFrom(new ByteArrayInputStream(out.toByteArray()));
                assertEquals(data, again);
                break;
            }
            default: {
                int n = 0;
                for (int[] at : part.view.indices()) {
                    assertEquals(expected[n++], FloatValues.get(data, at));
                }
            }
        }
    }

    private static void readAsWhole(FloatPart part, int way, Random random, float... expected) {
        FloatTensorData data = part.data;
        FloatTensorData same = FloatTensorData.of(expected, data.shape());
        switch (way) {
            case 7:
                try (Tensor<Float> copy = data.copy()) {
                    assertEquals(same, copy.floatData());
                    assertEquals(same.hashCode(), data.hashCode());
                }
                break;
            case 8:
                try (SparseTensor<Float> sparse = SparseTensor.fromDense(data); Tensor<Float> dense = sparse.toDense()) {
                    assertEquals(data, sparse.floatData());
                    assertEquals(same, dense.floatData());
                }
                break;
            case 9:
                assertEquals(same.toString(), data.toString());
                break;
            case 10:
                if (data.rank() > 0) {
                    FloatTensorData twice = FloatTensorData.concat(0, data, same);
                    assertEquals(2 * data.size(0), twice.size(0));
                    assertEquals(data, twice.slice(TensorIndex.from((int) data.size(0))));
                }
                break;
            //#if primitive
            case 11:
            case 12:
                compute(part, random.nextBoolean(), expected);
                break;
            //#end
            default:
                misuse(data);
        }
    }

    //#if primitive
    /** Transposes by a comprehension; numbers are doubled, too. */
    private static void compute(FloatPart part, boolean adding, float... expected) {
        int rank = part.view.rank();
        String[] names = new String[rank];
        int[] shape = new int[rank];
        for (int d = 0; d < rank; d++) {
            names[d] = "i" + d;
            shape[d] = part.view.shape[rank - 1 - d];
        }
        String from = rank == 0 ? "x" : "x[" + String.join(",", names) + "]";
        java.util.Collections.reverse(Arrays.asList(names));
        String to = rank == 0 ? "z" : "z[" + String.join(",", names) + "]";
        NaiveView transposed = NaiveView.of(part.view.shape).view(shape, at -> {
            int[] source = new int[rank];
            Arrays.setAll(source, d -> at[rank - 1 - d]);
            return source;
        });
        boolean adds = adding;
        //~boolean adds = false;
        Comprehension program = Comprehension.of(to + " = " + from + (adds ? " + " + from : ""));
        try (Results results = program.run(part.data)) {
            float[] wanted = FloatChain.picked(expected, transposed);
            if (adds) {
                twice(wanted);
            }
            assertArrayEquals(transposed.longShape(), results.get("z").shape());
            assertArrayEquals(wanted, FloatValues.all(results.get("z").floatData()));
        }
    }
    //#end

    //#if numeric
    private static void twice(float... values) {
        for (int i = 0; i < values.length; i++) {
            values[i] += values[i];
        }
    }
    //#end
    //~boolean private static void twice(boolean... values) {
    //~boolean     throw new AssertionError("truth values have no sums: " + values.length);
    //~boolean }

    private static void misuse(FloatTensorData data) {
        int[] outside = Arrays.stream(data.shape()).mapToInt(size -> (int) size).toArray();
        if (outside.length > 0) {
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(outside));
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(-1 - outside[0]));
        }
        assertTrue(data.isReadOnly());
        if (data.totalSize() > 0) {
            Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatValues.ZERO, new int[outside.length]));
        }
        Expect.thrown(IllegalArgumentException.class, () -> data.reshape(data.totalSize() + 1));
        Expect.thrown(IllegalArgumentException.class, () -> data.permute(new int[outside.length + 1]));
    }
}
