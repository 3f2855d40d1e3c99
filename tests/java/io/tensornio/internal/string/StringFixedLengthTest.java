package io.tensornio.internal.string;

import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import io.tensornio.support.StringChain;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random slices and views of strings of a fixed length, as {@code StringRandomSliceTest} and {@code StringRandomViewTest} have them of any. */
@ExtendWith(MemoryBalance.class)
class StringFixedLengthTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void chainsOfSlicesOfStringsOfAFixedLength(int rank) {
        Seeds.each(rank + 20, 100, (random, done) -> {
            StringChain chain = new StringChain(random, rank, done);
            try (Tensor<String> tensor = Tensors.denseString(chain.whole.longShape(), 24, random.nextInt(2) * 32,
                data -> chain.check(data, random))) {
                chain.checkReads(chain.slice(tensor.stringData()), random);
                chain.checkRefused(chain.slice(tensor.stringData()));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void chainsOfViewsOfStringsOfAFixedLength(int rank) {
        Seeds.each(rank + 3220, 50, (random, done) -> {
            StringChain chain = new StringChain(random, rank, 6, 7, done);
            try (Tensor<String> tensor = Tensors.denseString(chain.whole.longShape(), 24, random.nextInt(2) * 32,
                data -> chain.check(data, random))) {
                chain.checkReads(chain.slice(tensor.stringData()), random);
                chain.checkRefused(chain.slice(tensor.stringData()));
                chain.checkDescription(tensor.stringData());
            }
        });
    }
}
