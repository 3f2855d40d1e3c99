package io.tensornio.programs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatFlow;
import io.tensornio.support.FloatValues;
import io.tensornio.support.LongValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** A ragged {@code float} tensor of a random program, and its rows. */
final class FloatHeldRows extends Held {
    private final RaggedTensor<Float> tensor;
    private final FloatTensorData data;
    private final float[][] rows;

    private FloatHeldRows(RaggedTensor<Float> tensor, float[]... rows) {
        super(tensor);
        this.tensor = tensor;
        this.data = tensor.floatData();
        this.rows = rows;
    }

    /** A tensor made in one of the ways that there are. */
    static FloatHeldRows make(Random random, StringBuilder done) {
        float[][] rows = new float[random.nextInt(7)][];
        long[] lengths = new long[rows.length];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = FloatValues.array(random.nextInt(1000), random.nextInt(6));
            lengths[i] = rows[i].length;
        }
        int way = random.nextInt(3);
        done.append(" FLOAT rows of ").append(Arrays.toString(lengths)).append(" in way ").append(way);
        switch (way) {
            case 0: {
                FloatTensorData values = FloatTensorData.of(joined(rows));
                return new FloatHeldRows(RaggedTensor.fromRowLengths(values, lengths), rows);
            }
            case 1:
                return new FloatHeldRows(Tensors.raggedFloat(new long[] {rows.length, -1}, data -> {
                    for (int i = 0; i < rows.length; i++) {
                        data.put(rows[i], i);
                    }
                }), rows);
            default:
                return new FloatHeldRows(Tensors.raggedFloat(new long[] {rows.length, -1}, data -> {
                    for (int i = rows.length - 1; i >= 0; i--) {
                        for (int j = 0; j < rows[i].length; j++) {
                            data.put(rows[i][j], i, j);
                        }
                    }
                }), rows);
        }
    }

    private static float[] joined(float[]... rows) {
        float[] joined = new float[Arrays.stream(rows).mapToInt(row -> row.length).sum()];
        int n = 0;
        for (float[] row : rows) {
            System.arraycopy(row, 0, joined, n, row.length);
            n += row.length;
        }
        return joined;
    }

    @Override
    void useClosed() {
        data.scalars();
    }

    @Override
    void read(Random random, StringBuilder done) {
        int way = random.nextInt(6);
        done.append(" rows ").append(way);
        assertArrayEquals(new long[] {rows.length, -1}, data.shape());
        float[] all = joined(rows);
        switch (way) {
            case 0:
                assertArrayEquals(all, FloatValues.all(data));
                break;
            case 1:
                for (int i = 0; i < rows.length; i++) {
                    assertArrayEquals(rows[i], FloatValues.all(data.slice(i)));
                    for (int j = 0; j < rows[i].length; j++) {
                        assertEquals(rows[i][j], data.get(i, j));
                    }
                    int row = i;
                    Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(row, rows[row].length));
                }
                break;
            case 2: {
                List<Object> rowByRow = new ArrayList<>();
                for (FloatTensorData row : data.elements()) {
                    rowByRow.addAll(FloatFlow.of(row).collect(Collectors.toList()));
                }
                assertEquals(FloatFlow.objects(all), rowByRow);
                break;
            }
            case 3: {
                assertArrayEquals(all, FloatValues.all(tensor.values().floatData()));
                long[] splits = new long[rows.length + 1];
                for (int i = 0; i < rows.length; i++) {
                    splits[i + 1] = splits[i] + rows[i].length;
                }
                assertArrayEquals(splits, LongValues.all(tensor.rowSplits(1).longData()));
                break;
            }
            case 4: {
                int longest = Arrays.stream(rows).mapToInt(row -> row.length).max().orElse(0);
                try (Tensor<Float> dense = tensor.toDense()) {
                    assertArrayEquals(new long[] {rows.length, longest}, dense.shape());
                    for (int i = 0; i < rows.length; i++) {
                        float[] padded = FloatValues.zeros(longest);
                        System.arraycopy(rows[i], 0, padded, 0, rows[i].length);
                        assertArrayEquals(padded, FloatValues.all(dense.floatData().slice(i)));
                    }
                }
                break;
            }
            default: {
                RaggedTensor<Float> same = RaggedTensor.fromRowLengths(FloatTensorData.of(all),
                    Arrays.stream(rows).mapToLong(row -> row.length).toArray());
                try {
                    assertEquals(same.floatData(), data);
                    assertEquals(same.floatData().hashCode(), data.hashCode());
                    assertEquals(same.floatData().toString(), data.toString());
                } finally {
                    same.close();
                }
            }
        }
    }
}
