package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.internal.string.StringHeap;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What a copy of strings to others of the same tensor leaves where it is. */
class StringCopyWithinTest {
    private static final int N = 100;

    /** Such texts may take most of the heap: another copy of them would not fit. */
    @Test
    void theTextsAreNotCopied() {
        String[] texts = new String[N];
        Arrays.setAll(texts, i -> "text " + i);
        try (Tensor<String> tensor = Tensors.denseString(new long[] {2 * N}, data -> {
            data.put("out of order", 1);
            StringTensorData first = data.slice(TensorIndex.to(N));
            StringTensorData second = data.slice(TensorIndex.from(N));
            first.put(texts);
            StringHeap store = ((StringCollector) ((StringData) data).source()).writable();
            long mark = store.mark();
            second.put(first);
            assertEquals(mark, store.mark());
            second.put(texts);
            assertNotEquals(mark, store.mark());
        })) {
            assertEquals(tensor.stringData().slice(TensorIndex.to(N)), tensor.stringData().slice(TensorIndex.from(N)));
        }
    }
}
