package io.tensornio.onnx;

import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtException;
import org.junit.jupiter.api.Test;

/** Networks of usual kinds give what ONNX Runtime gives, to 1e-3 of the largest element. */
class NetworksTest {
    private static void agree(byte[] model, int... shape) throws OrtException {
        double difference = Ratios.difference(model, Ratios.noise(shape));
        assertTrue(difference <= 1e-3, "differs by " + difference);
    }

    @Test
    void convolutionsWithResiduals() throws OrtException {
        agree(Networks.residual(), 1, 3, 112, 112);
    }

    @Test
    void convolutionsOfEachChannel() throws OrtException {
        agree(Networks.mobile(), 1, 3, 112, 112);
    }

    @Test
    void attention() throws OrtException {
        agree(Networks.encoder(), 1, 128, 256);
    }

    /** Filters by channel and single ones, with padding, strides and dilations, of one and two axes. */
    @Test
    void singleFilters() throws OrtException {
        agree(Networks.filters(6, 5, 2, 1, 6), 2, 6, 9, 11);
        agree(Networks.filters(6, 3, 1, 2, 6), 1, 6, 9, 11);
        agree(Networks.filters(1, 3, 2, 1, 1), 2, 6, 9, 11);
        agree(Networks.filters(1, 5, 1, 2, 1), 1, 6, 13, 11);
    }
}
