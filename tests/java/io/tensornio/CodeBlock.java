package io.tensornio;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A fenced block of README.md: where it begins, its lines, and what these say that they do. */
final class ReadmeBlock {
    private static final Pattern THROWS = Pattern.compile("( *)(.*?;) *// throws ([\\w.]+)(?:: (.*))?");
    private static final Pattern PRINTS = Pattern.compile(".*// prints(?: (.*))?");

    public final int line;
    public final List<String> lines = new ArrayList<>();

    private ReadmeBlock(int line) {
        this.line = line;
    }

    String className() {
        return "ReadmeLine" + line;
    }

    /** What the comments say that it prints. */
    public String expected() {
        StringBuilder text = new StringBuilder();
        boolean below = false;
        for (String line : lines) {
            String trimmed = line.trim();
            Matcher prints = PRINTS.matcher(line);
            if (prints.matches()) {
                below = prints.group(1) == null;
                if (!below) {
                    text.append(prints.group(1)).append('\n');
                }
            } else if (below && trimmed.startsWith("//")) {
                text.append(trimmed.replaceFirst("// ?", "")).append('\n');
            } else {
                below = false;
            }
        }
        return text.toString();
    }

    /** A class with the block's statements in its main method. */
    String source() {
        List<String> imports = new ArrayList<>(Arrays.asList("import io.tensornio.*;", "import static io.tensornio.TensorIndex.*;"));
        List<String> body = new ArrayList<>();
        for (String line : lines) {
            Matcher thrower = THROWS.matcher(line);
            if (line.startsWith("import ")) {
                if (!imports.contains(line)) {
                    imports.add(line);
                }
            } else if (thrower.matches()) {
                body.add(expecting(thrower.group(2), thrower.group(3), thrower.group(4)));
            } else {
                body.add(line);
            }
        }
        return String.join("\n", imports) + "\npublic class " + className() + " {\n"
            + "public static void main(String[] args) throws Exception {\n" + String.join("\n", body) + "\n}\n}\n";
    }

    private static String expecting(String statement, String exception, String message) {
        String check = message == null ? ""
            : "if (!\"" + message.replace("\\", "\\\\").replace("\"", "\\\"")
                + "\".equals(e.getMessage())) throw new AssertionError(e);";
        return "boolean thrown = false; try { " + statement + " } catch (" + exception + " e) { thrown = true; " + check + " }"
            + " if (!thrown) throw new AssertionError(\"no " + exception + "\");";
    }

    /** Those of one language, in their order. */
    public static List<ReadmeBlock> all(String language) throws IOException {
        Path readme = Paths.get("README.md");       // tests run in the project's directory
        List<ReadmeBlock> blocks = new ArrayList<>();
        ReadmeBlock open = null;
        int number = 0;
        for (String line : Files.readAllLines(readme, StandardCharsets.UTF_8)) {
            number++;
            if (open == null && line.equals("```" + language)) {
                open = new ReadmeBlock(number);
                blocks.add(open);
            } else if (line.equals("```")) {
                open = null;
            } else if (open != null) {
                open.lines.add(line);
            }
        }
        return blocks;
    }
}
