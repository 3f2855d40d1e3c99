package io.tensornio.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.BooleanTensorData;
import io.tensornio.ByteTensorData;
import io.tensornio.ByteTensorIterator;
import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.StringBytes;
import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.UInt8;
import io.tensornio.UnsignedBytes;
import io.tensornio.support.Accessors;
import io.tensornio.support.Expect;
import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The types are alike: what one can, all can. And what the public classes show is only what was meant to be shown. */
class SiblingsTest {
    /** Methods whose first argument is an axis, a size or a coordinate, unless it is an array before coordinates. */
    private static final List<String> NUMBERS_FIRST = Arrays.asList("get", "slice", "size", "stream", "permute", "broadcastTo", "reshape", "flatten",
        "unflatten", "expandDims", "squeeze", "diagonal", "flip", "slidingWindow", "tile", "repeat", "pad", "concat", "stack");

    /** A type of elements, by the words in the names of its classes. */
    enum Element {
        FLOAT("float", "Float"), DOUBLE("double", "Double"), INT("int", "Int"), LONG("long", "Long"), BOOLEAN("boolean", "Boolean"),
        BYTE("byte", "Byte"),
        STRING("java.lang.String", "String");

        final String word;
        final String name;

        Element(String word, String name) {
            this.word = word;
            this.name = name;
        }

        Class<?> type(String suffix) throws ClassNotFoundException {
            return Class.forName("io.tensornio." + name + suffix);
        }

        /** What the type's methods take and give, with the type's own words replaced by `T`. */
        Set<String> signatures(Class<?> type) {
            Set<String> signatures = new TreeSet<>();
            for (Method method : type.getMethods()) {
                if (!method.isBridge() && method.getDeclaringClass() != UnsignedBytes.class && method.getDeclaringClass() != StringBytes.class
                    && !method.getName().equals("ofBytes") && !isUnsigned(method) && !isOverBytes(method)
                    && !method.getName().matches("ofB?(Float|U?Int)[0-9]+")) {
                    signatures.add(signature(method));
                }
            }
            return signatures;
        }

        /** Whether it is the form of a method that takes an element of UINT8 as a number from 0 to 255. */
        private boolean isUnsigned(Method method) {
            return this == BYTE && Arrays.asList("constant", "pad").contains(method.getName())
                && Arrays.asList(method.getParameterTypes()).contains(int.class);
        }

        /** Whether it is the form of `of` over bytes that booleans have in place of a buffer of their own. */
        private boolean isOverBytes(Method method) {
            return this == BOOLEAN && method.getName().equals("of") && method.getParameterTypes()[0] == ByteBuffer.class;
        }

        private String signature(Method method) {
            String name = method.getName().replace("getAs" + this.name, "getAsT");
            StringBuilder text = new StringBuilder(Modifier.isAbstract(method.getModifiers()) ? "" : "default ");
            text.append(element(method.getGenericReturnType(), true)).append(' ').append(name).append('(');
            Type[] parameters = method.getGenericParameterTypes();
            for (int i = 0; i < parameters.length; i++) {
                // Only the first argument can be an element, or what pads: the others are coordinates.
                boolean canBeElement = i == 0 && isElementFirst(method) || i == 2 && method.getName().equals("pad");
                boolean isCondition = i == 0 && method.getName().equals("where");
                text.append(i > 0 ? ", " : "").append(isCondition ? "condition" : element(parameters[i], canBeElement));
            }
            return text.append(')').append(Arrays.toString(method.getExceptionTypes())).toString();
        }

        private static boolean isElementFirst(Method method) {
            Class<?>[] parameters = method.getParameterTypes();
            boolean coordinatesAlone = NUMBERS_FIRST.contains(method.getName())
                && !(parameters.length == 2 && parameters[0].isArray() && parameters[1] == int[].class) && parameters[0].getPackage() == null;
            return !coordinatesAlone;
        }

        private String element(Type type, boolean canBeElement) {
            String text = type.getTypeName();
            if (canBeElement) {
                text = text.replaceAll("^" + word + "(?=$|\\[)", "T");
            }
            text = text.replaceAll("java\\.util\\.function\\.(To(Double|Int|Long)Function|Predicate|Function)"
                + "<\\? super long\\[\\](, java\\.lang\\.String)?>", "TFunction");
            // The JDK has streams of some primitive types; a value of any other is one of a wider type, or an object.
            text = text.replaceAll("java\\.util\\.stream\\.(((Double|Int|Long)Stream)|Stream<java\\.lang\\.(Boolean|String)>)", "TStream");
            text = text.replaceAll("java\\.util\\.function\\.(Consumer(?=<\\? super )|Supplier(?=<java))<(\\? super )?java\\.lang\\.String>", "T$1");
            text = text.replaceAll("io\\.tensornio\\.Tensor<[\\w.]+>", "Tensor<T>");
            return text.replaceAll("(io\\.tensornio|java\\.util\\.function|java\\.nio)\\." + this.name + "(?=[A-Z])", "T");
        }
    }

    /** Results that are numbers of elements, axes or states, and no elements, whatever the type. */
    private static Set<String> alike(Element element, String suffix) throws ClassNotFoundException {
        Set<String> result = new TreeSet<>();
        for (String signature : element.signatures(element.type(suffix))) {
            result.add(signature.replaceFirst(
                "^(default )?\\S+ "
                    + "(rank|size|totalSize|numElements|shape|isReadOnly|isContiguous|sharesMemoryWith|hasMoreElements|equals|hashCode|toString)\\(",
                "$1? $2("));
        }
        return result;
    }

    private static Set<String> withoutBuffers(Set<String> signatures) {
        return signatures.stream().filter(s -> !s.contains("TBuffer")).collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @EnumSource
    void interfacesAreAlikeButForTheType(Element element) throws ClassNotFoundException {
        for (String suffix : new String[] {"TensorData", "TensorIterator", "TensorElements"}) {
            Set<String> expected = alike(Element.FLOAT, suffix);
            if (element == Element.BOOLEAN || element == Element.STRING) {
                expected = withoutBuffers(expected);
            }
            assertEquals(String.join("\n", expected), String.join("\n", alike(element, suffix)), suffix);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theAbstractClassLeavesTheGetterAlone(Element element) throws ClassNotFoundException {
        Class<?> type = Class.forName("io.tensornio.Abstract" + element.name + "TensorData");
        List<String> left = Arrays.stream(type.getMethods()).filter(m -> Modifier.isAbstract(m.getModifiers())).map(Method::getName)
            .collect(Collectors.toList());
        assertEquals(Arrays.asList(), left);
        List<String> own = Arrays.stream(type.getDeclaredMethods()).filter(m -> Modifier.isAbstract(m.getModifiers())).map(Method::getName)
            .collect(Collectors.toList());
        assertEquals(Arrays.asList("getAt"), own);
    }

    @ParameterizedTest
    @EnumSource
    void slicesAreOfTheDataItself(Element element) throws ClassNotFoundException {
        Class<?> data = element.type("TensorData");
        assertEquals("io.tensornio.TensorData<" + data.getName() + ">", data.getGenericInterfaces()[0].getTypeName());
        assertEquals("java.lang.Iterable<" + data.getName() + ">", element.type("TensorElements").getGenericInterfaces()[0].getTypeName());
    }

    @Test
    void theComparisonSeesElementsAndBuffers() throws ClassNotFoundException {
        Set<String> data = alike(Element.FLOAT, "TensorData");
        for (String expected : new String[] {"T get(int[])[]", "T get(int, int, int, int)[]", "void put(T, int, int)[]", "void get(T[], int[])[]",
            "void put(TBuffer, int[])[]", "D slice(io.tensornio.TensorIndex[])[]", "default void copyTo(T[])[]", "void put(TTensorData, int[])[]",
            "default TStream stream(int[])[]", "default void put(TStream, int[])[]", "default void read(java.io.OutputStream)[]"}) {
            assertTrue(data.contains(expected), expected + " in " + data);
        }
        assertFalse(alike(Element.BOOLEAN, "TensorData").toString().contains("Buffer"));
        assertEquals(alike(Element.FLOAT, "TensorData").size() - 3, alike(Element.BOOLEAN, "TensorData").size());
    }

    @Test
    void onlyBytesHaveMore() {
        assertTrue(UnsignedBytes.class.isAssignableFrom(ByteTensorData.class));
        List<String> more = Arrays.stream(UnsignedBytes.class.getMethods())
            .filter(m -> m.isDefault()).map(m -> m.getName() + m.getParameterCount()).sorted().collect(Collectors.toList());
        assertEquals(Arrays.asList("getUnsigned0", "getUnsigned1", "getUnsigned1", "getUnsigned2", "getUnsigned3", "getUnsigned4",
            "put1", "put2", "put2", "put3", "put4", "put5"), more);
        for (Class<?> type : new Class<?>[] {FloatTensorData.class, DoubleTensorData.class, IntTensorData.class, LongTensorData.class,
            BooleanTensorData.class}) {
            boolean index = type == IntTensorData.class || type == LongTensorData.class;
            assertEquals(index ? Arrays.asList(TensorData.class, TensorIndex.class) : Arrays.asList(TensorData.class),
                Arrays.asList(type.getInterfaces()));
        }
    }

    @Test
    void onlyStringsHaveBytes() throws ClassNotFoundException {
        assertEquals(Arrays.asList(TensorData.class, StringBytes.class), Arrays.asList(StringTensorData.class.getInterfaces()));
        List<String> more = Arrays.stream(StringBytes.class.getMethods()).map(Method::getName).sorted().collect(Collectors.toList());
        assertEquals(Arrays.asList("getBytes", "putBytes"), more);
        List<String> made = Arrays.stream(StringTensorData.class.getDeclaredMethods())
            .filter(m -> Modifier.isStatic(m.getModifiers()) && !m.isSynthetic())
            .map(m -> m.getName() + m.getParameterCount()).sorted().collect(Collectors.toList());
        assertEquals(Arrays.asList("concat2", "constant2", "generate2", "of1", "of2", "ofBytes1", "ofBytes2", "stack2", "where3"), made);
        assertFalse(alike(Element.STRING, "TensorData").toString().contains("Buffer"));
    }

    @Test
    void iteratorsAreNoJavaIterators() throws ClassNotFoundException {
        for (Element element : Element.values()) {
            // Else forEach(System.out::println) would be ambiguous.
            assertFalse(Iterable.class.isAssignableFrom(element.type("TensorIterator")));
            assertFalse(java.util.Iterator.class.isAssignableFrom(element.type("TensorIterator")));
            assertTrue(Iterable.class.isAssignableFrom(element.type("TensorElements")));
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyTypeHasItsFactoryAndAccessor(DataType type) {
        try (Tensor<?> tensor = make(type)) {
            assertEquals(type, tensor.dataType());
            assertEquals((type == DataType.STRING ? 4 : 3) * type.byteSize(), tensor.numBytes());
            TensorData<?> data = Accessors.ALL.get(type).apply(tensor);
            assertEquals(type, data.dataType());
            assertEquals(3, data.size(0));
            assertEquals(Accessors.ALL.size(), DataType.values().length);
        }
    }

    private static Tensor<?> make(DataType type) {
        long[] shape = {3};
        switch (type) {
            case FLOAT: return Tensors.denseFloat(shape, data -> { });
            case DOUBLE: return Tensors.denseDouble(shape, data -> { });
            case INT32: return Tensors.denseInt(shape, data -> { });
            case INT64: return Tensors.denseLong(shape, data -> { });
            case BOOL: return Tensors.denseBoolean(shape, data -> { });
            case UINT8: return Tensors.denseUInt8(shape, data -> { });
            case STRING: return Tensors.denseString(shape, data -> { });
            default: return Tensors.dense(type, shape, data -> { });
        }
    }

    /** All classes of the public package, but for those of the tests. */
    private static List<Class<?>> published() throws Exception {
        File folder = new File(new File(Tensors.class.getProtectionDomain().getCodeSource().getLocation().toURI()), "io/tensornio");
        String[] files = folder.list((dir, name) -> name.endsWith(".class") && !name.equals("package-info.class"));
        assertNotNull(files, () -> folder + " is no folder of classes");
        List<Class<?>> classes = new ArrayList<>();
        for (String file : files) {
            classes.add(Class.forName("io.tensornio." + file.replace(".class", "")));
        }
        assertTrue(classes.contains(ByteTensorIterator.class) && classes.size() > 30, classes::toString);
        return classes;
    }

    /** A constant of the class that declares it, which is immutable: all its fields are final and primitive. */
    private static boolean isOwnConstant(Field field) {
        return Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers())
            && field.getType() == field.getDeclaringClass() && Modifier.isFinal(field.getType().getModifiers())
            && Arrays.stream(field.getType().getDeclaredFields()).filter(f -> !Modifier.isStatic(f.getModifiers()) && !f.isSynthetic())
                .allMatch(f -> Modifier.isFinal(f.getModifiers()) && f.getType().isPrimitive());
    }

    /** So that one for any object, or for a common supertype, can be passed. */
    @Test
    void consumersMayTakeMoreThanWhatTheyAreGiven() throws Exception {
        int consumers = 0;
        for (Class<?> type : published()) {
            for (Method method : type.getMethods()) {
                for (Type parameter : method.getGenericParameterTypes()) {
                    String name = parameter.getTypeName();
                    if (name.startsWith("java.util.function.Consumer<")) {
                        consumers++;
                        assertTrue(name.startsWith("java.util.function.Consumer<? super "), method::toGenericString);
                    }
                }
            }
        }
        assertTrue(consumers > 20, "only " + consumers);
    }

    @Test
    void noPublicFieldsButConstants() throws Exception {
        for (Class<?> type : published()) {
            for (Field field : type.getFields()) {
                assertTrue(field.isEnumConstant() || isOwnConstant(field), field::toString);
            }
        }
    }

    @Test
    void noStaticState() throws Exception {
        for (Class<?> type : published()) {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                    boolean immutable = field.getType().isPrimitive() || field.getType() == String.class || field.isEnumConstant()
                        || isOwnConstant(field);
                    assertTrue(Modifier.isFinal(field.getModifiers()) && immutable, field::toString);
                }
            }
        }
    }

    @Test
    void publicClassesAreInterfacesFinalOrMeantToBeExtended() throws Exception {
        for (Class<?> type : published()) {
            boolean extended = Throwable.class.isAssignableFrom(type) || type.getSimpleName().matches("Abstract\\w+TensorData|Axis");
            boolean forOursAlone = Modifier.isAbstract(type.getModifiers())
                && Arrays.stream(type.getDeclaredConstructors()).noneMatch(c -> (c.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0);
            if (Modifier.isPublic(type.getModifiers()) && !type.isInterface() && !extended && !forOursAlone) {
                assertTrue(Modifier.isFinal(type.getModifiers()), type::toString);
            }
        }
    }

    @Test
    void uInt8CannotBeMade() throws Exception {
        assertEquals(0, UInt8.class.getConstructors().length);
        java.lang.reflect.Constructor<UInt8> constructor = UInt8.class.getDeclaredConstructor();
        constructor.setAccessible(true);
        java.lang.reflect.InvocationTargetException e = org.junit.jupiter.api.Assertions.assertThrows(
            java.lang.reflect.InvocationTargetException.class, constructor::newInstance);
        Expect.says(e.getCause(), "UInt8", "never made");
    }
}
