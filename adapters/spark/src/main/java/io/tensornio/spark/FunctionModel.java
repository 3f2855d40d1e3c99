package io.tensornio.spark;

import io.tensornio.AnyTensor;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializerInstance;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * A function of the caller's, in bytes. Each copy is read from them, on the driver and where executors are threads of it as well: copies are closed,
 * and the caller's own function is not.
 */
final class FunctionModel implements Model {
    private static final long serialVersionUID = 1;

    private final byte[] bytes;

    /** The function as it is now, or an error if it cannot be serialised. */
    FunctionModel(ModelFunction function) {
        try {
            ByteBuffer written = serializer().serialize(function, tag());
            bytes = new byte[written.remaining()];
            written.get(bytes);
        } catch (Exception e) {             // NotSerializableException too, which Scala does not declare
            throw new IllegalArgumentException("the function cannot be serialised: " + e, e);
        }
    }

    /** Spark's serialiser of closures, which finds their classes in every kind of executor. */
    private static SerializerInstance serializer() {
        return new JavaSerializer(new SparkConf(false)).newInstance();
    }

    private static ClassTag<ModelFunction> tag() {
        return ClassTag$.MODULE$.apply(ModelFunction.class);
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public Copy copy(String... outputs) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        ModelFunction function = serializer().deserialize(ByteBuffer.wrap(bytes), loader != null ? loader : FunctionModel.class.getClassLoader(),
            tag());
        return new Copy() {
            @Override
            public Map<String, ? extends AnyTensor<?>> run(Map<String, AnyTensor<?>> inputs) throws Exception {
                return function.apply(inputs);
            }

            @Override
            public void close() {
                if (function instanceof AutoCloseable) {
                    try {
                        ((AutoCloseable) function).close();
                    } catch (Exception e) {
                        throw new IllegalStateException("the function does not close: " + e.getMessage(), e);
                    }
                }
            }
        };
    }
}
