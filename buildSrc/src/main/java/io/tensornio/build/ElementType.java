package io.tensornio.build;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** A type of elements: the words in which its classes differ from those of {@code float}. */
public final class ElementType {
    /** The type of the exemplars. */
    public static final ElementType FLOAT =
        new ElementType("float", "float", "Float", "Float", "Float", "FLOAT", "FloatBuffer", "Float", "floatData", false);

    /** The types that siblings are made for. */
    public static final List<ElementType> SIBLINGS = Collections.unmodifiableList(Arrays.asList(
        new ElementType("double", "double", "Double", "Double", "Double", "DOUBLE", "DoubleBuffer", "Double", "doubleData", false),
        new ElementType("int", "int", "Int", "Integer", "Integer", "INT32", "IntBuffer", "Int", "intData", false),
        new ElementType("long", "long", "Long", "Long", "Long", "INT64", "LongBuffer", "Long", "longData", false),
        new ElementType("boolean", "boolean", "Boolean", "Boolean", "Boolean", "BOOL", "ByteBuffer", "Boolean", "booleanData", false),
        new ElementType("byte", "byte", "Byte", "Byte", "UInt8", "UINT8", "ByteBuffer", "UInt8", "uInt8Data", false),
        new ElementType("string", "String", "String", "String", "String", "STRING", null, "String", "stringData", false)));

    /** What directives, and identifiers that begin with it, call it. */
    public final String name;
    /** Its keyword, or its class. */
    public final String word;
    /** The word in the names of its classes. */
    public final String type;
    /** Its objects. */
    public final String box;
    /** The argument of {@code Tensor}. */
    public final String element;
    /** Its {@code DataType}. */
    public final String data;
    /** The class of its buffers; null if it has none. */
    public final String buffer;
    /** The word in the names of its factories. */
    public final String factory;
    /** The method of a tensor that gives its data. */
    public final String accessor;
    /** Whether what is made is for data in arrays. */
    public final boolean isArray;

    private ElementType(String name, String word, String type, String box, String element, String data, String buffer, String factory,
            String accessor, boolean isArray) {
        this.name = name;
        this.word = word;
        this.type = type;
        this.box = box;
        this.element = element;
        this.data = data;
        this.buffer = buffer;
        this.factory = factory;
        this.accessor = accessor;
        this.isArray = isArray;
    }

    /** This type, for data in arrays. */
    public ElementType inArrays() {
        return new ElementType(name, word, type, box, element, data, buffer, factory, accessor, true);
    }
}
