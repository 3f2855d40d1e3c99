package io.tensornio.onnx.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.tensornio.DataType;
import io.tensornio.internal.element.Encodings;
import org.junit.jupiter.api.Test;

/** Which type operators compute in. */
class TypesTest {
    /** The engine has a table of its own, since what it computes in need not be what carries elements; today they are the same. */
    @Test
    void operatorsComputeInTheTypeThatCarriesTheElements() {
        for (DataType type : DataType.values()) {
            assertEquals(Encodings.carrier(type), Types.wide(type), type::toString);
        }
        assertNull(Types.wide(null));
    }
}
