package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.FloatChain;
import io.tensornio.support.FloatSources;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.NaiveView;
import io.tensornio.support.Pick;
import io.tensornio.support.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random copies from some elements of {@code float} data of every kind to others of the same data, held against {@link NaiveView}. */
@ExtendWith(MemoryBalance.class)
class FloatRandomMoveTest {
    private static final int SEEDS = 100;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void copiesWithinATensor(int rank) {
        Seeds.each(20 + rank, SEEDS, (random, done) -> {
            Move move = new Move(random, rank, done);
            try (Tensor<Float> tensor = Tensors.denseFloat(move.whole.longShape(), move::run)) {
                assertArrayEquals(move.model, FloatValues.all(tensor.floatData()));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void copiesWithinASparseTensor(int rank) {
        Seeds.each(50 + rank, SEEDS, (random, done) -> {
            Move move = new Move(random, rank, done);
            try (SparseTensor<Float> tensor = Tensors.sparseFloat(move.whole.longShape(), move.whole.size(), move::run)) {
                assertArrayEquals(move.model, FloatValues.all(tensor.floatData()));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void copiesWithinTheUsersData(int rank) {
        Seeds.each(30 + rank, SEEDS, (random, done) -> {
            Move move = new Move(random, rank, done);
            String kind = FloatSources.KINDS.get(random.nextInt(FloatSources.KINDS.size()));
            done.append(", ").append(kind);
            FloatSources source = FloatSources.of(kind, move.whole.longShape());
            move.run(source.data);
            assertArrayEquals(move.model, FloatValues.all(source.data));
            source.checkMargins.run();
        });
    }

    /** A copy from some elements of data to others, or the same. */
    private static final class Move {
        final NaiveView whole;
        final float[] model;
        private final Pick[] from;
        private final Pick[] to;
        private final boolean put;

        Move(Random random, int rank, StringBuilder done) {
            int[] shape = new int[rank];
            for (int d = 0; d < rank; d++) {
                shape[d] = 1 + random.nextInt(rank > 3 ? 4 : 8);
            }
            whole = NaiveView.of(shape);
            from = new Pick[rank];
            to = new Pick[rank];
            for (int d = 0; d < rank; d++) {
                do {
                    from[d] = Pick.random(random, shape[d]);
                    to[d] = Pick.random(random, shape[d]);
                } while (to[d].chosen.length != from[d].chosen.length || to[d].drops != from[d].drops);
            }
            put = random.nextBoolean();
            done.append(", shape ").append(Arrays.toString(shape)).append(", ").append(Arrays.toString(from)).append(" to ")
                .append(Arrays.toString(to));
            model = FloatValues.array(0, whole.size());
            float[] moved = FloatChain.picked(model, whole.slice(from));
            int[] target = whole.slice(to).positions;
            for (int i = 0; i < moved.length; i++) {
                model[target[i]] = moved[i];
            }
        }

        void run(FloatTensorData data) {
            FloatValues.fill(data);
            FloatTensorData source = data.slice(Pick.set(from));
            FloatTensorData target = data.slice(Pick.set(to));
            if (put) {
                target.put(source);
            } else {
                source.get(target);
            }
        }
    }
}
