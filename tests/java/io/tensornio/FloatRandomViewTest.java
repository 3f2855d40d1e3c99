package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Random;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random slices and other simple views of {@code float} data of every kind in every kind of access, held against {@link NaiveView}. */
@ExtendWith(MemoryBalance.class)
class FloatRandomViewTest {
    private static final int SEEDS = 50;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void chainsOfViews(int rank) {
        Seeds.each(rank + 3200, SEEDS, (random, done) -> {
            FloatChain chain = new FloatChain(random, rank, 6, 7, done);
            try (Tensor<Float> tensor = Tensors.denseFloat(chain.whole.longShape(), data -> chain.check(data, random))) {
                chain.checkReads(chain.slice(tensor.floatData()), random);
                chain.checkRefused(chain.slice(tensor.floatData()));
                chain.checkDescription(tensor.floatData());
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void chainsOfViewsOfTheUsersData(int rank) {
        Seeds.each(rank + 3210, SEEDS, (random, done) -> {
            FloatChain chain = new FloatChain(random, rank, 6, 7, done);
            String kind = FloatSources.KINDS.get(random.nextInt(FloatSources.KINDS.size()));
            done.append(", ").append(kind);
            FloatSources source = FloatSources.of(kind, chain.whole.longShape());
            chain.check(source.data, random);
            FloatTensorData readOnly = chain.slice(source.readOnly);
            chain.checkReads(readOnly, random);
            chain.checkRefused(readOnly);
            chain.checkDescription(source.data);
            assertArrayEquals(chain.model, FloatValues.all(source.data));
            source.checkMargins.run();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void chainsOfViewsOfSparseTensors(int rank) {
        Seeds.each(rank + 3240, SEEDS, (random, done) -> {
            FloatChain chain = new FloatChain(random, rank, 6, 7, done);
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
                chain.checkDescription(some.floatData());
            }
        });
    }

    //~string @ParameterizedTest
    //~string @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    //~string void chainsOfViewsOfStringsOfAFixedLength(int rank) {
    //~string     Seeds.each(rank + 3220, SEEDS, (random, done) -> {
    //~string         FloatChain chain = new FloatChain(random, rank, 6, 7, done);
    //~string         try (Tensor<String> tensor = Tensors.denseString(chain.whole.longShape(), 24, random.nextInt(2) * 32,
    //~string             data -> chain.check(data, random))) {
    //~string             chain.checkReads(chain.slice(tensor.stringData()), random);
    //~string             chain.checkRefused(chain.slice(tensor.stringData()));
    //~string             chain.checkDescription(tensor.stringData());
    //~string         }
    //~string     });
    //~string }
}
