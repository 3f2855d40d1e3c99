package io.tensornio.internal.string;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.tensornio.RaggedTensor;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.StringKinds;
import io.tensornio.support.StringValues;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is no string, or is too much for the heap, is refused, and changes nothing, or nothing from there on. */
@ExtendWith(MemoryBalance.class)
class StringRefusedTest {
    @Test
    void stringsAreCheckedWhole() {
        StringKinds.each(new long[] {2, 3}, kinds -> kinds.forEach((kind, data) -> {
            StringValues.fill(data);
            String[][] missing = {{"a", "b", "c"}, {"d", null, "f"}};
            Expect.thrown(NullPointerException.class, () -> Tensors.ofNested(missing), "[1][1] is null");
            Expect.thrown(NullPointerException.class, () -> data.putNested(missing), "[1][1] is null");
            assertArrayEquals(StringValues.array(0, 6), StringValues.all(data), kind);
        }));
        String[][] halved = {{"a", "b"}, {"c", "\ud83d"}};
        Tensors.denseString(new long[] {2, 2}, data -> {
            StringValues.fill(data);
            Expect.thrown(IllegalArgumentException.class, () -> data.putNested(halved));
            assertArrayEquals(StringValues.array(0, 4), StringValues.all(data));
        }).close();
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.ofNested(halved));
    }

    @Test
    void nullIsNoString() {
        try (Tensor<String> tensor = Tensors.denseString(new long[] {4}, data ->
                Expect.thrown(NullPointerException.class, () -> data.put(Stream.of("a", "b", null, "c")), "null"))) {
            assertArrayEquals(new String[] {"a", "b", "", ""}, StringValues.all(tensor.stringData()));
        }
    }

    @Test
    void longerRowsThanTheHeapCanHold() {
        try (RaggedTensor<String> tensor = Tensors.raggedString(new long[] {2, -1}, data -> {
            data.put("a", 0, 0);
            Expect.thrown(OutOfMemoryError.class, () -> data.put("b", 0, 199_999_999), "200000000 elements", "[2, -1]", "2400000000 bytes of heap");
            data.put("c", 0, 1);
        })) {
            assertArrayEquals(new String[] {"a", "c"}, StringValues.all(tensor.stringData()));
        }
    }
}
