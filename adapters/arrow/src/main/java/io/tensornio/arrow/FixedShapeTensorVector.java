package io.tensornio.arrow;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.hash.ArrowBufHasher;
import org.apache.arrow.vector.ExtensionTypeVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** A vector of tensors of one shape. {@link #getUnderlyingVector()} is the plain list of their elements. */
public final class FixedShapeTensorVector extends ExtensionTypeVector<FixedSizeListVector> {
    private final FieldType type;

    FixedShapeTensorVector(String name, FieldType fieldType, FixedShapeTensorType type, BufferAllocator allocator) {
        super(name, allocator, new FixedSizeListVector(name, allocator,
            new FieldType(fieldType.isNullable(), type.storageType(), fieldType.getDictionary()), null));
        this.type = new FieldType(fieldType.isNullable(), type, fieldType.getDictionary(), fieldType.getMetadata());
    }

    @Override
    public Field getField() {
        return new Field(getName(), type, getUnderlyingVector().getField().getChildren());
    }

    @Override
    public Object getObject(int index) {
        return getUnderlyingVector().getObject(index);
    }

    @Override
    public int hashCode(int index) {
        return getUnderlyingVector().hashCode(index);
    }

    @Override
    public int hashCode(int index, ArrowBufHasher hasher) {
        return getUnderlyingVector().hashCode(index, hasher);
    }
}
