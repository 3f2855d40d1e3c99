package io.tensornio.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tensornio.build.ElementType;
import io.tensornio.build.Siblings;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The build's generator of siblings: words, directives, and what it says of wrong ones. */
class GeneratorTest {
    private static ElementType type(String name) {
        return ElementType.SIBLINGS.stream().filter(type -> type.name.equals(name)).findFirst().get();
    }

    private static void assertWords(String expected, String exemplar, String type) {
        assertEquals(expected, Siblings.replaceWords(exemplar, type(type)));
    }

    private static void assertMade(List<String> expected, String type, String... lines) {
        assertEquals(expected, Siblings.make("FloatX.java", Arrays.asList(lines), type(type)));
    }

    private static void assertWrong(String message, String... lines) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, () -> Siblings.make("FloatX.java", Arrays.asList(lines), type("int")))
            .getMessage());
    }

    // ---- Words -----------------------------------------------------------------------------------------------------

    @Test
    void keywordsObjectsAndConstants() {
        assertWords("double x = Double.valueOf(1); // DOUBLE doubles Doubles", "float x = Float.valueOf(1); // FLOAT floats Floats", "double");
        assertWords("int x = Integer.valueOf(1); // INT32 ints Ints", "float x = Float.valueOf(1); // FLOAT floats Floats", "int");
        assertWords("byte x = Byte.valueOf(1); // UINT8 bytes Bytes", "float x = Float.valueOf(1); // FLOAT floats Floats", "byte");
        assertWords("String x; // STRING strings Strings", "float x; // FLOAT floats Floats", "string");
    }

    @Test
    void namesThatHaveTheWord() {
        assertWords("LongTensorData longAt(xLong y, xLongZ z)", "FloatTensorData floatAt(xFloat y, xFloatZ z)", "long");
        assertWords("afloat Afloat floating", "afloat Afloat floating", "long");
        assertWords("Tensors.denseUInt8(d).uInt8Data()", "Tensors.denseFloat(d).floatData()", "byte");
        assertWords("SparseTensor<UInt8> Constant<UInt8> List<Byte>", "SparseTensor<Float> Constant<Float> List<Float>", "byte");
    }

    @Test
    void buffersAndFunctions() {
        assertWords("ByteBuffer b = bytes.asByteBuffer();", "FloatBuffer b = bytes.asFloatBuffer();", "boolean");
        assertWords("java.util.function.Consumer<? super String> java.util.function.Supplier<String>", "FloatConsumer FloatSupplier", "string");
        assertWords("supplier.get()", "supplier.getAsFloat()", "string");
        assertWords("supplier.getAsInt()", "supplier.getAsFloat()", "int");
        assertWords("IntConsumer IntSupplier", "FloatConsumer FloatSupplier", "int");
    }

    @Test
    void articles() {
        assertWords("an int, an {@code int}, An IntX, a long", "a float, a {@code float}, A FloatX, a long", "int");
        assertWords("a double", "a float", "double");
    }

    @Test
    void arrays() {
        assertEquals("DoubleArrayStrided of(DoubleArray block, double[] b, int at & Integer.MAX_VALUE)",
            Siblings.replaceWords("FloatStrided of(FloatBlock block, FloatBuffer b, int at & FloatElement.MASK)", type("double").inArrays()));
    }

    // ---- Directives ------------------------------------------------------------------------------------------------

    @Test
    void linesStayWhereTheyAre() {
        assertMade(Arrays.asList("int a;", "", "int b;", "", "int c;"), "int", "float a;", "//#if numeric", "float b;", "//#end", "float c;");
        assertMade(Arrays.asList("boolean a;", "", "", "", "boolean c;"), "boolean", "float a;", "//#if numeric", "float b;", "//#end", "float c;");
    }

    @Test
    void regionsNameTypesOrWhatTheyAreNot() {
        for (String words : new String[] {"int float", "integral float", "!boolean !string", "buffer"}) {
            assertMade(Arrays.asList("", "int b;", ""), "int", "//#if " + words, "float b;", "//#end");
        }
        for (String words : new String[] {"floating", "!int", "numeric !integral", "array float"}) {
            assertMade(Arrays.asList("", "", ""), "int", "//#if " + words, "float b;", "//#end");
        }
    }

    @Test
    void linesForSiblingsAlone() {
        assertMade(Arrays.asList("  x(int);", "", "int y;"), "int", "  //~ x(float);", "//~double,long z;", "//~integral float y;");
        assertMade(Arrays.asList("", "long z;", ""), "long", "//~int x;", "//~double,long float z;", "//~!long y;");
        // The exemplar has none of them; what is made for float in arrays has those of arrays.
        assertEquals(Arrays.asList("", "float z;"), Siblings.make("FloatX.java", Arrays.asList("//~ x;", "float z;"), ElementType.FLOAT));
        assertEquals(Arrays.asList("x;"), Siblings.make("FloatX.java", Arrays.asList("//~array x;"), ElementType.FLOAT.inArrays()));
    }

    @Test
    void aRegionWithoutFloatHasSiblingsLinesAlone() {
        assertMade(Arrays.asList("", "// Why.", "int b;", ""), "int", "//#if int", "// Why.", "//~ float b;", "//#end");
        assertWrong("FloatX.java:2: float is left out here, so that only //~ lines can stand here", "//#if int", "float b;", "//#end");
    }

    @Test
    void mistakesAreToldWithTheirLine() {
        assertWrong("FloatX.java:2: //#if without //#end", "float a;", "//#if int float", "float b;");
        assertWrong("FloatX.java:2: //#end without //#if", "float a;", "//#end");
        assertWrong("FloatX.java:2: //#if inside the //#if of line 1", "//#if numeric", "//#if float", "//#end", "//#end");
        assertWrong("FloatX.java:1: unknown directive `//#else`", "//#else");
        assertWrong("FloatX.java:1: a directive without words", "//#if", "//#end");
        assertWrong("FloatX.java:1: a directive stands on a line of its own", "float a; //~int x");
        assertWrong("FloatX.java:1: a //~ line is never part of the exemplar", "//~float x;");
        assertWrong("FloatX.java:1: unknown word `short`; known are float double int long boolean byte string numeric floating integral buffer "
            + "primitive array float16 bfloat16 int8 int16 uint16 uint32 uint64 encoded", "//~short x;");
    }

    // ---- Members for each type -------------------------------------------------------------------------------------

    @Test
    void membersForEachType() {
        assertEquals(Arrays.asList("class X {", "    float a;\n\n    double a;", "}"),
            Siblings.repeat("X.java", Arrays.asList("class X {", "    //#each floating", "    float a;", "    //#end each", "}")));
        String all = Siblings.repeat("X.java", Arrays.asList("//#each", "    Tensor<Float> a;", "//#end each")).get(0);
        assertEquals(Arrays.asList("Float", "Double", "Integer", "Long", "Boolean", "UInt8", "String"),
            Arrays.asList(all.replaceAll("[^A-Z]*Tensor<(\\w+)> a;\\s*", "$1 ").trim().split(" ")));
    }

    @Test
    void mistakesInMembersAreTold() {
        String[][] wrong = {
            {"X.java:1: //#each without //#end each", "//#each"},
            {"X.java:1: //#end each without //#each", "//#end each"},
            {"X.java:2: //#each inside of another", "//#each", "//#each"},
            {"X.java:2: nothing between //#each and //#end each", "//#each", "//#end each"},
            {"X.java:1: unknown word `short`", "//#each short", "//#end each"},
        };
        for (String[] one : wrong) {
            List<String> lines = Arrays.asList(one).subList(1, one.length);
            assertEquals(one[0], assertThrows(IllegalArgumentException.class, () -> Siblings.repeat("X.java", lines)).getMessage());
        }
    }
}
