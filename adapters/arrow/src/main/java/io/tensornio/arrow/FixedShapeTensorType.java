package io.tensornio.arrow;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.ArrowType.ExtensionType;
import org.apache.arrow.vector.types.pojo.ExtensionTypeRegistry;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Arrow's canonical extension type {@code arrow.fixed_shape_tensor}: a tensor of the same shape in each row, stored as a list of fixed size. Using
 * {@link ArrowTensors} registers it, unless the application has registered a type of that name.
 */
public final class FixedShapeTensorType extends ExtensionType {
    /** The name by which Arrow knows the type. */
    public static final String NAME = "arrow.fixed_shape_tensor";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final ArrowType storage;
    private final long[] shape;
    /** The axis of {@link #shape} that each axis of the tensor is. */
    private final int[] permutation;
    private final String metadata;

    private FixedShapeTensorType(ArrowType storage, String metadata) {
        this.storage = storage;
        this.metadata = metadata;
        JsonNode json;
        try {
            json = JSON.readTree(metadata);
        } catch (JsonProcessingException e) {
            throw invalid(metadata, "is no JSON", e);
        }
        if (json == null || !json.isObject() || !json.path("shape").isArray()) {
            throw invalid(metadata, "has no shape", null);
        }
        shape = new long[json.get("shape").size()];
        long product = 1;
        for (int n = 0; n < shape.length; n++) {
            JsonNode size = json.get("shape").get(n);
            if (!size.isIntegralNumber() || !size.canConvertToInt() || size.intValue() < 0) {
                throw invalid(metadata, "has a shape that is none", null);
            }
            shape[n] = size.intValue();
            product = Math.min(product * shape[n], Integer.MAX_VALUE + 1L);
        }
        if (!(storage instanceof ArrowType.FixedSizeList) || product != ((ArrowType.FixedSizeList) storage).getListSize()) {
            throw invalid(metadata, "does not fit its storage, " + storage, null);
        }
        permutation = permutation(json.get("permutation"));
    }

    private int[] permutation(JsonNode json) {
        int[] order = new int[shape.length];
        Arrays.setAll(order, n -> n);
        if (json != null && !json.isNull()) {
            boolean[] seen = new boolean[order.length];
            for (int n = 0; n < order.length; n++) {
                order[n] = json.isArray() && json.size() == order.length && json.get(n).isInt() ? json.get(n).intValue() : -1;
                if (order[n] < 0 || order[n] >= order.length || seen[order[n]]) {
                    throw invalid(metadata, "has a permutation that is none", null);
                }
                seen[order[n]] = true;
            }
        }
        return order;
    }

    private static IllegalArgumentException invalid(String metadata, String fault, Throwable cause) {
        return new IllegalArgumentException("the metadata of " + NAME + " " + fault + ": " + metadata, cause);
    }

    /**
     * The type of tensors of a shape.
     *
     * @param shape the size of each axis
     * @return the type
     * @throws IllegalArgumentException if a size is negative, or one or their product too large for a list
     */
    public static FixedShapeTensorType of(long... shape) {
        long product = 1;
        boolean areSizes = true;
        for (long size : shape) {
            areSizes &= size >= 0 && size <= Integer.MAX_VALUE;
            product = Math.min(product * size, Integer.MAX_VALUE + 1L);        // a size of 0 may follow
        }
        if (!areSizes || product > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("tensors of shape " + Arrays.toString(shape) + " cannot be rows of Arrow");
        }
        return new FixedShapeTensorType(new ArrowType.FixedSizeList((int) product), "{\"shape\":" + Arrays.toString(shape).replace(" ", "") + "}");
    }

    /** Makes files with this type readable, unless they are. */
    static void register() {
        if (ExtensionTypeRegistry.lookup(NAME) == null) {
            ExtensionTypeRegistry.register(of());
        }
    }

    /** What a field says of its tensors, read or not by whoever has registered the name; null if it is of another type. */
    static FixedShapeTensorType of(Field field) {
        if (field.getType() instanceof FixedShapeTensorType) {
            return (FixedShapeTensorType) field.getType();
        }
        if (field.getType() instanceof ExtensionType) {
            ExtensionType other = (ExtensionType) field.getType();
            return other.extensionName().equals(NAME) ? new FixedShapeTensorType(other.storageType(), other.serialize()) : null;
        }
        java.util.Map<String, String> said = field.getMetadata();
        return NAME.equals(said.get(ExtensionType.EXTENSION_METADATA_KEY_NAME))
            ? new FixedShapeTensorType(field.getType(), said.getOrDefault(ExtensionType.EXTENSION_METADATA_KEY_METADATA, "")) : null;
    }

    /**
     * The sizes of the axes as they lie in memory, in row-major order.
     *
     * @return a new array
     */
    public long[] shape() {
        return shape.clone();
    }

    /**
     * Which of the axes in memory each axis of a tensor is.
     *
     * @return a new array, 0, 1, ... if they are the same
     */
    public int[] permutation() {
        return permutation.clone();
    }

    /** Whether the axes lie in memory as they are meant. */
    boolean isOrdered() {
        for (int n = 0; n < permutation.length; n++) {
            if (permutation[n] != n) {
                return false;
            }
        }
        return true;
    }

    @Override
    public ArrowType storageType() {
        return storage;
    }

    @Override
    public String extensionName() {
        return NAME;
    }

    @Override
    public boolean extensionEquals(ExtensionType other) {
        return other instanceof FixedShapeTensorType && Arrays.equals(shape, ((FixedShapeTensorType) other).shape)
            && Arrays.equals(permutation, ((FixedShapeTensorType) other).permutation);
    }

    @Override
    public String serialize() {
        return metadata;
    }

    @Override
    public ArrowType deserialize(ArrowType storageType, String serializedData) {
        return new FixedShapeTensorType(storageType, serializedData);
    }

    @Override
    public FieldVector getNewVector(String name, FieldType fieldType, BufferAllocator allocator) {
        return new FixedShapeTensorVector(name, fieldType, this, allocator);
    }
}
