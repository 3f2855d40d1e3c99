package io.tensornio.build;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A type of elements: the words in which its classes differ from those of {@code float}. */
public final class ElementType {
    /** The type of the exemplars. */
    public static final ElementType FLOAT =
        new ElementType("float", "float", "Float", "Float", "Float", "FLOAT", "FloatBuffer", "Float", "floatData");

    /** The types that siblings are made for. */
    public static final List<ElementType> SIBLINGS = Collections.unmodifiableList(Arrays.asList(
        new ElementType("double", "double", "Double", "Double", "Double", "DOUBLE", "DoubleBuffer", "Double", "doubleData"),
        new ElementType("int", "int", "Int", "Integer", "Integer", "INT32", "IntBuffer", "Int", "intData"),
        new ElementType("long", "long", "Long", "Long", "Long", "INT64", "LongBuffer", "Long", "longData"),
        new ElementType("boolean", "boolean", "Boolean", "Boolean", "Boolean", "BOOL", "ByteBuffer", "Boolean", "booleanData"),
        new ElementType("byte", "byte", "Byte", "Byte", "UInt8", "UINT8", "ByteBuffer", "UInt8", "uInt8Data"),
        new ElementType("string", "String", "String", "String", "String", "STRING", null, "String", "stringData")));

    /** The types that are stored narrow, as their carriers and the words of the classes of their tests. */
    private static final String[][] ENCODINGS = {{"float", "FLOAT16", "Float16"}, {"float", "BFLOAT16", "BFloat16"}, {"int", "INT8", "Int8"},
        {"int", "INT16", "Int16"}, {"int", "UINT16", "UInt16"}, {"long", "UINT32", "UInt32"}, {"long", "UINT64", "UInt64"}};

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
    /** The word in the names of the classes of tests that {@link #encoded} names, if this is a type that is stored narrow; else null. */
    public final String encoding;
    private final Set<String> encoded;

    private ElementType(String name, String word, String type, String box, String element, String data, String buffer, String factory,
            String accessor) {
        this(name, word, type, box, element, data, buffer, factory, accessor, false, null, Collections.emptySet());
    }

    private ElementType(String name, String word, String type, String box, String element, String data, String buffer, String factory,
            String accessor, boolean isArray, String encoding, Set<String> encoded) {
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
        this.encoding = encoding;
        this.encoded = encoded;
    }

    /** This type, for data in arrays. */
    public ElementType inArrays() {
        return new ElementType(name, word, type, box, element, data, buffer, factory, accessor, true, null, encoded);
    }

    /**
     * The types that are stored narrow, for tests: each has the words of its carrier, but for its {@code DataType} and the classes of tests.
     *
     * @param exemplars the exemplars that are made for these types
     */
    public static List<ElementType> encodings(Set<String> exemplars) {
        List<ElementType> types = new ArrayList<>();
        for (String[] row : ENCODINGS) {
            ElementType c = Stream.concat(Stream.of(FLOAT), SIBLINGS.stream()).filter(t -> t.name.equals(row[0])).findFirst().get();
            types.add(new ElementType(c.name, c.word, c.type, c.box, c.element, row[1], c.buffer, c.factory, c.accessor, false, row[2], exemplars));
        }
        return types;
    }

    /** The names of the types that are stored narrow, as directives have them. */
    static List<String> encodingNames() {
        return Stream.of(ENCODINGS).map(row -> row[2].toLowerCase(Locale.ROOT)).collect(Collectors.toList());
    }

    /** Whether a class is made for this type, which is stored narrow. */
    boolean hasOwn(String exemplar) {
        return encoded.contains(exemplar);
    }
}
