package io.tensornio.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The packages of the implementation: each uses those below it alone, so that what is above can be changed without a look at what is below. Of the
 * API, those below the data use what is named here, which keeps them from needing the data that they are the parts of.
 */
class PackagesTest {
    /** What each package may use. */
    private static final Map<String, List<String>> BELOW = new HashMap<>();

    static {
        BELOW.put("layout", Arrays.asList());
        BELOW.put("memory", Arrays.asList("layout"));
        BELOW.put("element", Arrays.asList("memory", "layout"));
        BELOW.put("string", Arrays.asList("element", "memory", "layout"));
        BELOW.put("ragged", Arrays.asList("element", "memory", "layout"));
        BELOW.put("sparse", Arrays.asList("element", "memory", "layout"));
        BELOW.put("print", Arrays.asList("ragged", "element", "layout"));
        BELOW.put("data", Arrays.asList("string", "ragged", "sparse", "element", "memory", "layout"));
        BELOW.put("file", Arrays.asList("data", "ragged", "memory", "layout"));
        BELOW.put("compute", Arrays.asList("data", "memory", "layout"));
        BELOW.put("interop", Arrays.asList("data", "memory", "layout"));
        BELOW.put("axes", Arrays.asList("compute", "data", "layout"));
        BELOW.put("op", Arrays.asList("compute", "data", "memory", "layout"));
        BELOW.put("graph", Arrays.asList("compute", "data", "memory", "layout", "file"));
    }

    /** What each package below the data, and what prints any data, may use of the API. */
    private static final Map<String, List<String>> OF_API = new HashMap<>();

    static {
        OF_API.put("layout", Arrays.asList("DataType", "TensorIndex"));
        OF_API.put("memory", Arrays.asList("DataType", "MemoryStats", "MemoryStatsMXBean", "TensorClosedException", "TensorData",
            "TensorNioInternalError"));
        OF_API.put("element", Arrays.asList("ByteTensorData", "DataType", "StringTensorIterator", "TensorClosedException", "UnsignedBytes"));
        OF_API.put("string", Arrays.asList("StringTensorIterator", "TensorClosedException"));
        OF_API.put("ragged", Arrays.asList("TensorClosedException", "TensorData", "TensorIndex"));
        OF_API.put("sparse", Arrays.asList("DataType", "TensorClosedException"));
        OF_API.put("print", Arrays.asList("BooleanTensorData", "ByteTensorData", "DoubleTensorData", "FloatTensorData", "IntTensorData",
            "DataType", "LongTensorData", "StringTensorData", "TensorClosedException", "TensorData", "TensorFormat", "TensorIndex"));
    }

    /** The packages of the API above the data, and what each uses of the others. */
    private static final Map<String, List<String>> FRONT_ENDS = new HashMap<>();

    static {
        FRONT_ENDS.put("value", Arrays.asList());
        FRONT_ENDS.put("interop", Arrays.asList());
        FRONT_ENDS.put("io", Arrays.asList("value"));
        FRONT_ENDS.put("compute", Arrays.asList());
        FRONT_ENDS.put("op", Arrays.asList("compute"));
        FRONT_ENDS.put("axes", Arrays.asList("compute"));
        FRONT_ENDS.put("graph", Arrays.asList("compute", "op", "value"));
    }

    /** The types of these packages that users do not see: what drives graphs, and formats of files and of values, by their API alone. */
    private static final List<String> HIDDEN = Arrays.asList("graph/NamedValues", "graph/SequenceMaker", "graph/TrainingRun",
        "io/ValueBytes", "op/random/Result", "value/ValueText");

    private static final Path ROOT = Paths.get("java/src/main/java/io/tensornio/internal");
    private static final Pattern USE = Pattern.compile("io\\.tensornio\\.internal\\.(\\w+)");
    private static final Pattern USE_OF_API = Pattern.compile("io\\.tensornio\\.([A-Z]\\w*)");
    private static final Pattern USE_OF_FRONT_END = Pattern.compile("io\\.tensornio\\.([a-z]\\w*)");
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> list = Files.list(folder)) {
            return list.sorted().collect(Collectors.toList());
        }
    }

    /** The files of a folder and of those in it, or one file. */
    private static List<Path> files(Path place) throws IOException {
        try (Stream<Path> all = Files.walk(place)) {
            return all.filter(Files::isRegularFile).sorted().collect(Collectors.toList());
        }
    }

    private static String code(Path file) throws IOException {
        return COMMENT.matcher(new String(Files.readAllBytes(file), StandardCharsets.UTF_8)).replaceAll("");
    }

    /** What a package uses that a list does not have. */
    private static List<String> others(String folder, Pattern pattern, List<String> allowed) throws IOException {
        List<String> others = new ArrayList<>();
        int uses = 0;
        for (Path file : list(ROOT.resolve(folder))) {
            for (Matcher use = pattern.matcher(code(file)); use.find(); uses++) {
                if (!allowed.contains(use.group(1))) {
                    others.add(file.getFileName() + " uses " + use.group());
                }
            }
        }
        assertTrue(uses > 0 || allowed.isEmpty(), folder + " uses nothing");
        return others;
    }

    @Test
    void arrowsPointDown() throws IOException {
        for (Map.Entry<String, List<String>> entry : BELOW.entrySet()) {
            List<String> allowed = new ArrayList<>(entry.getValue());
            allowed.add(entry.getKey());
            assertEquals(new ArrayList<>(), others(entry.getKey(), USE, allowed));
        }
    }

    @Test
    void ofTheApiThePartsUseWhatIsNamed() throws IOException {
        for (Map.Entry<String, List<String>> entry : OF_API.entrySet()) {
            assertEquals(new ArrayList<>(), others(entry.getKey(), USE_OF_API, entry.getValue()));
        }
        TreeSet<String> all = new TreeSet<>(BELOW.keySet());
        all.removeAll(Arrays.asList("data", "file", "interop", "compute", "axes", "op", "graph"));
        assertEquals(all, new TreeSet<>(OF_API.keySet()));
    }

    @Test
    void frontEndsUseWhatIsBelowThem() throws IOException {
        Path api = ROOT.getParent();
        for (Map.Entry<String, List<String>> entry : FRONT_ENDS.entrySet()) {
            List<String> allowed = new ArrayList<>(entry.getValue());
            allowed.add(entry.getKey());
            assertEquals(new ArrayList<>(), usesOfFrontEnds(files(api.resolve(entry.getKey())), allowed));
        }
        for (Path folder : list(ROOT)) {
            // A graph is written into the text of a comprehension.
            List<String> allowed = folder.endsWith("graph") ? Arrays.asList("compute") : Arrays.asList();
            assertEquals(new ArrayList<>(), usesOfFrontEnds(files(folder), allowed));
        }
        List<Path> data = list(api).stream().filter(Files::isRegularFile).collect(Collectors.toList());
        assertEquals(new ArrayList<>(), usesOfFrontEnds(data, Arrays.asList()));
    }

    /** Where files name a package of the API that a list does not have. */
    private static List<String> usesOfFrontEnds(List<Path> files, List<String> allowed) throws IOException {
        List<String> others = new ArrayList<>();
        for (Path file : files) {
            for (Matcher use = USE_OF_FRONT_END.matcher(code(file)); use.find(); ) {
                if (FRONT_ENDS.containsKey(use.group(1)) && !allowed.contains(use.group(1))) {
                    others.add(file + " uses " + use.group());
                }
            }
        }
        return others;
    }

    /** Of classes that users do not see there are those that public ones extend, and what makes descriptions by constructors of this package. */
    @Test
    void ofTheDataUsersSeeAllButWhatItExtends() throws IOException {
        List<String> unseen = new ArrayList<>();
        for (Path file : list(ROOT.getParent())) {
            if (Files.isRegularFile(file) && !file.endsWith("package-info.java") && !code(file).contains("\npublic ")) {
                unseen.add(file.getFileName().toString().replace(".java", ""));
            }
        }
        assertEquals(Arrays.asList("AbstractTensorData", "BaseTensor", "DescribedData", "DescribedView", "DescriptionFacts", "DescriptionSteps"),
            unseen);
    }

    @Test
    void computeUsesNoDataOfTheImplementation() throws IOException {
        assertEquals(new ArrayList<>(), others("../compute", USE, Arrays.asList("compute")));
    }

    /** What users see of a package of the API is all that it has: machinery is in `internal`. */
    @Test
    void packagesOfTheApiHavePublicTypes() throws IOException {
        Path api = ROOT.getParent();
        List<String> hidden = new ArrayList<>();
        for (String folder : FRONT_ENDS.keySet()) {
            for (Path file : files(api.resolve(folder))) {
                String name = file.getFileName().toString().replace(".java", "");
                Pattern own = Pattern.compile("(?m)^public .*\\b(class|interface|enum) " + name + "\\b");
                if (!name.equals("package-info") && !own.matcher(code(file)).find()) {
                    hidden.add(api.relativize(file).toString().replace('\\', '/').replace(".java", ""));
                }
            }
        }
        assertEquals(HIDDEN, hidden.stream().sorted().collect(Collectors.toList()));
    }

    @Test
    void everyFileIsInOneOfThem() throws IOException {
        TreeSet<String> found = new TreeSet<>();
        for (Path path : list(ROOT)) {
            found.add(path.getFileName().toString());
        }
        TreeSet<String> known = new TreeSet<>(BELOW.keySet());
        known.add("package-info.java");
        assertEquals(known, found);
    }
}
