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
import io.tensornio.support.Seeds;
import java.util.Random;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random slices of slices of {@code float} data of every kind in every kind of access, held against {@link NaiveView}. */
@ExtendWith(MemoryBalance.class)
class FloatRandomSliceTest {
    private static final int SEEDS = 100;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void chainsOfSlices(int rank) {
        Seeds.each(rank, SEEDS, (random, done) -> {
            FloatChain chain = new FloatChain(random, rank, done);
            try (Tensor<Float> tensor = Tensors.denseFloat(chain.whole.longShape(), data -> chain.check(data, random))) {
                chain.checkReads(chain.slice(tensor.floatData()), random);
                chain.checkRefused(chain.slice(tensor.floatData()));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void chainsOfSlicesOfTheUsersData(int rank) {
        Seeds.each(rank + 10, SEEDS, (random, done) -> {
            FloatChain chain = new FloatChain(random, rank, done);
            String kind = FloatSources.KINDS.get(random.nextInt(FloatSources.KINDS.size()));
            done.append(", ").append(kind);
            FloatSources source = FloatSources.of(kind, chain.whole.longShape());
            chain.check(source.data, random);
            FloatTensorData readOnly = chain.slice(source.readOnly);
            chain.checkReads(readOnly, random);
            chain.checkRefused(readOnly);
            assertArrayEquals(chain.model, FloatValues.all(source.data));
            source.checkMargins.run();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void chainsOfSlicesOfSparseTensors(int rank) {
        Seeds.each(rank + 40, SEEDS, (random, done) -> {
            FloatChain chain = new FloatChain(random, rank, done);
            long[] shape = chain.whole.longShape();
            try (SparseTensor<Float> tensor = Tensors.sparseFloat(shape, chain.whole.size(), data -> chain.check(data, random))) {
                chain.checkReads(chain.slice(tensor.floatData()), random);
                chain.checkRefused(chain.slice(tensor.floatData()));
            }
            int zeros = random.nextInt(4);
            for (int i = 0; i < chain.model.length; i++) {
                chain.model[i] = random.nextInt(4) < zeros ? FloatValues.ZERO : FloatValues.of(1 + i);
            }
            try (SparseTensor<Float> some = SparseTensor.fromDense(FloatTensorData.of(chain.model, shape))) {
                chain.checkReads(chain.slice(some.floatData()), random);
            }
        });
    }
}
