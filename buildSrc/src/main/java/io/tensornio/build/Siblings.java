package io.tensornio.build;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Makes the classes of other types out of those of {@code float}, line by line; {@code gradle/siblings.gradle} says how. */
public final class Siblings {
    /** The exemplars that are made for data in arrays, too. */
    public static final List<String> ARRAY_EXEMPLARS =
        Collections.unmodifiableList(Arrays.asList("FloatStrided", "AbstractFloatStrided", "FloatScalars", "FloatLoops"));

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_$][A-Za-z_$0-9]*");
    private static final Pattern ONLY = Pattern.compile("^(\\s*)//~(\\S*)(?: (.*))?$");
    /** What makes tensors and data of {@code float}, unless it names a type: {@code FloatFactories} has calls of these names for other types. */
    private static final Pattern FACTORY =
        Pattern.compile("\\b(?:Tensors\\.(?=((dense|sparse|ragged)Float|ofNested)\\((?!DataType))|FloatTensorData\\.(?=of\\())");
    /** What makes data of one's own. */
    private static final Pattern USERS = Pattern.compile("\\bnew AbstractFloatTensorData\\((?!\\))");
    /** What directives name, and the types that it stands for. */
    private static final Map<String, List<String>> GROUPS = groups();

    private final String name;
    private final List<String> own;
    private final ElementType type;
    private int number;
    /** The line of the open //#if, or 0. */
    private int opened;
    /** Whether the sibling, and the exemplar, has the lines that follow. */
    private boolean isHere = true;
    private boolean isInExemplar = true;
    /** Whether the constructor that comes is one of data of one's own. */
    private boolean isUsers;

    private Siblings(String name, ElementType type) {
        this.name = name;
        this.type = type;
        own = type.isArray ? Arrays.asList(type.name, "array")
            : type.encoding != null ? Arrays.asList(type.name, type.encoding.toLowerCase(Locale.ROOT)) : Collections.singletonList(type.name);
    }

    private static Map<String, List<String>> groups() {
        List<String> words = types().map(t -> t.name).collect(toList());
        Map<String, List<String>> groups = new LinkedHashMap<>();
        words.forEach(word -> groups.put(word, Collections.singletonList(word)));
        groups.put("numeric", without(words, "boolean", "string"));
        groups.put("floating", Arrays.asList("float", "double"));
        groups.put("integral", Arrays.asList("int", "long", "byte"));
        groups.put("buffer", without(words, "boolean", "string"));
        groups.put("primitive", without(words, "string"));
        groups.put("array", Collections.singletonList("array"));
        ElementType.encodingNames().forEach(word -> groups.put(word, Collections.singletonList(word)));
        groups.put("encoded", ElementType.encodingNames());
        return groups;
    }

    private static Stream<ElementType> types() {
        return Stream.concat(Stream.of(ElementType.FLOAT), ElementType.SIBLINGS.stream());
    }

    private static List<String> without(List<String> words, String... left) {
        return words.stream().filter(word -> !Arrays.asList(left).contains(word)).collect(toList());
    }

    private static IllegalArgumentException mistake(String name, int line, String message) {
        return new IllegalArgumentException(name + ":" + line + ": " + message);
    }

    private static List<String> words(String text, String separator) {
        return Stream.of(text.split(separator)).filter(word -> !word.isEmpty()).collect(toList());
    }

    // ---- Words -----------------------------------------------------------------------------------------------------

    /** A text in the words of a type. */
    public static String replaceWords(String text, ElementType t) {
        String line = text;
        if (t.isArray) {
            line = line.replaceAll("\\bFloatBuffer b\\b", "float[] b").replaceAll("\\bFloatBlock\\b", "FloatArray")
                .replace("FloatElement.MASK", "Integer.MAX_VALUE");
            for (String exemplar : ARRAY_EXEMPLARS) {
                line = line.replaceAll("\\b" + exemplar + "\\b", exemplar.replace("Float", "FloatArray"));
            }
        }
        if (t.word.equals("int")) {
            line = line.replaceAll("\\b([Aa]) (?=(\\{@\\w+ )?(float\\b|Float|FLOAT\\b))", "$1n ");
        }
        line = line.replace("Tensor<Float>", "Tensor<" + t.element + ">").replace("Constant<Float>", "Constant<" + t.element + ">");
        Matcher identifiers = IDENTIFIER.matcher(line);
        StringBuffer result = new StringBuffer();
        while (identifiers.find()) {
            identifiers.appendReplacement(result, Matcher.quoteReplacement(replaceIdentifier(identifiers.group(), t)));
        }
        return identifiers.appendTail(result).toString();
    }

    private static String replaceIdentifier(String id, ElementType t) {
        if (t.hasOwn(id)) {
            return id.replaceFirst("Float", t.encoding);
        }
        switch (id) {
            case "float": return t.word;
            case "Float": return t.box;
            case "FLOAT": return t.data;
            case "floats": return t.name + "s";
            case "Floats": return t.type + "s";
            case "floatData": return t.accessor;
            case "denseFloat": case "sparseFloat": case "raggedFloat": case "inputFloat": return id.replace("Float", t.factory);
            default:
        }
        if (t.buffer != null && id.matches("(.*[a-z])?FloatBuffer")) {
            return id.replaceFirst("FloatBuffer$", t.buffer);
        }
        if (t.buffer == null && id.matches("Float(Consumer|Supplier)")) {
            return "java.util.function." + (id.equals("FloatConsumer") ? "Consumer<? super " + t.type + ">" : "Supplier<" + t.type + ">");
        }
        if (t.buffer == null && id.equals("getAsFloat")) {
            return "get";
        }
        return id.replaceFirst("^float(?=[A-Z])", t.name).replaceAll("^Float(?=[A-Z])|(?<=[a-z])Float(?=[A-Z]|$)", t.type);
    }

    // ---- Directives ------------------------------------------------------------------------------------------------

    /**
     * The lines of a sibling, one for each of the exemplar.
     *
     * @param name the exemplar's, for messages
     * @throws IllegalArgumentException if a directive is wrong
     */
    public static List<String> make(String name, List<String> lines, ElementType type) {
        Siblings sibling = new Siblings(name, type);
        List<String> made = lines.stream().map(sibling::line).collect(toList());
        if (sibling.opened > 0) {
            throw mistake(name, sibling.opened, "//#if without //#end");
        }
        return made;
    }

    private IllegalArgumentException mistake(String message) {
        return mistake(name, number, message);
    }

    private String line(String line) {
        number++;
        String text = line.trim();
        if (text.equals("//#if") || text.startsWith("//#if ")) {
            open(words(text.substring(5), "\\s+"));
            return "";
        }
        if (text.equals("//#end")) {
            close();
            return "";
        }
        if (text.startsWith("//#")) {
            throw mistake("unknown directive `" + text + "`");
        }
        Matcher only = ONLY.matcher(line);
        if (only.matches()) {
            return only(only.group(1), only.group(2), only.group(3));
        }
        if (text.contains("//#") || text.contains("//~")) {
            throw mistake("a directive stands on a line of its own");
        }
        if (!isInExemplar && !text.isEmpty() && !text.startsWith("//")) {
            throw mistake("float is left out here, so that only //~ lines can stand here");
        }
        return isHere ? words(line) : "";
    }

    /** A line in the words of the type. One that is stored narrow is named where else the carrier would be taken for it. */
    private String words(String line) {
        if (type.encoding == null) {
            return replaceWords(line, type);
        }
        String named = name.endsWith("FloatFactories.java") ? line : FACTORY.matcher(line).replaceAll("io.tensornio.support.FloatFactories.");
        named = USERS.matcher(named).replaceAll("$0io.tensornio.DataType.FLOAT, ")
            .replace("FloatCarrier.FLOAT", "FloatCarrier.carrying(io.tensornio.DataType.FLOAT)")
            .replace("FloatElement.TYPE", "io.tensornio.DataType.FLOAT");
        isUsers |= line.contains("extends AbstractFloatTensorData");
        if (isUsers && line.contains(" super(")) {
            isUsers = false;
            named = named.replace(" super(", " super(io.tensornio.DataType.FLOAT, ");
        }
        return replaceWords(named, type);
    }

    private void open(List<String> list) {
        if (opened > 0) {
            throw mistake("//#if inside the //#if of line " + opened);
        }
        opened = number;
        isHere = selects(list, own);
        isInExemplar = selects(list, Collections.singletonList("float"));
    }

    private void close() {
        if (opened == 0) {
            throw mistake("//#end without //#if");
        }
        opened = 0;
        isHere = true;
        isInExemplar = true;
    }

    private String only(String indentation, String list, String code) {
        if (list.equals("float")) {
            throw mistake("a //~ line is never part of the exemplar");
        }
        boolean isExemplar = own.equals(Collections.singletonList("float"));
        boolean isChosen = list.isEmpty() ? !type.word.equals("float") : selects(words(list, ","), own);
        return isHere && isChosen && !isExemplar && code != null ? words(indentation + code) : "";
    }

    /** Whether a list of words, some of them with a `!`, holds for a type that has some. */
    private boolean selects(List<String> list, List<String> have) {
        if (list.isEmpty()) {
            throw mistake("a directive without words");
        }
        for (String word : list) {
            checkWord(name, number, word);
        }
        boolean isNamed = list.stream().allMatch(word -> word.startsWith("!"))
            || list.stream().anyMatch(word -> !word.startsWith("!") && isOneOf(have, word));
        return isNamed && list.stream().noneMatch(word -> word.startsWith("!") && isOneOf(have, word.substring(1)));
    }

    private static boolean isOneOf(List<String> have, String word) {
        return !Collections.disjoint(have, GROUPS.get(word));
    }

    private static void checkWord(String name, int line, String word) {
        if (!GROUPS.containsKey(word.replaceFirst("^!", ""))) {
            throw mistake(name, line, "unknown word `" + word + "`; known are " + String.join(" ", GROUPS.keySet()));
        }
    }

    // ---- Members for each type -------------------------------------------------------------------------------------

    /**
     * The lines of a class with members for each type.
     *
     * @param name its name, for messages
     * @throws IllegalArgumentException if a directive is wrong
     */
    public static List<String> repeat(String name, List<String> lines) {
        List<String> result = new ArrayList<>();
        List<String> members = null;            // those of the open //#each, and its words
        List<String> list = Collections.emptyList();
        for (int n = 1; n <= lines.size(); n++) {
            String line = lines.get(n - 1);
            String text = line.trim();
            if (text.equals("//#each") || text.startsWith("//#each ")) {
                if (members != null) {
                    throw mistake(name, n, "//#each inside of another");
                }
                members = new ArrayList<>();
                list = words(text.substring(7), "\\s+");
                for (String word : list) {
                    if (!GROUPS.containsKey(word)) {
                        throw mistake(name, n, "unknown word `" + word + "`");
                    }
                }
            } else if (text.equals("//#end each")) {
                if (members == null) {
                    throw mistake(name, n, "//#end each without //#each");
                }
                if (String.join("", members).isEmpty()) {
                    throw mistake(name, n, "nothing between //#each and //#end each");
                }
                result.add(members(name, members, list));
                members = null;
            } else {
                (members == null ? result : members).add(line);
            }
        }
        if (members != null) {
            throw mistake(name, lines.size(), "//#each without //#end each");
        }
        return result;
    }

    /** Members for those types that a list names, or all. A directive becomes a blank line, which nobody needs here. */
    private static String members(String name, List<String> members, List<String> list) {
        return types().filter(t -> list.isEmpty() || list.stream().anyMatch(word -> GROUPS.get(word).contains(t.name)))
            .map(t -> "    " + String.join("\n", make(name, members, t)).replaceAll("\n[ \n]*\n", "\n\n").trim())
            .collect(joining("\n\n"));
    }
}
