package io.tensornio.repository;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An example of a {@link Page} or of the Javadoc: where it begins, its lines, and what these say that they do.
 * <ul>
 * <li>{@code // prints TEXT} behind a statement, or {@code // prints} alone and the lines of text in the comments below it: this is printed;
 * <li>{@code // throws NAME} or {@code // throws NAME: MESSAGE} behind a statement of one line.
 * </ul>
 */
final class CodeBlock {
    private static final Pattern THROWS = Pattern.compile("( *)(.*?;) *// throws ([\\w.]+)(?:: (.*))?");
    private static final Pattern PRINTS = Pattern.compile(".*// prints(?: (.*))?");

    public final int line;
    public final List<String> lines = new ArrayList<>();
    private final String file;
    private final List<String> imports = new ArrayList<>(Arrays.asList("import io.tensornio.*;", "import static io.tensornio.TensorIndex.*;"));
    private final List<String> given;

    /**
     * An empty one.
     *
     * @param file where it stands: the name of a file, with its folders
     * @param line and the line before the first of it
     * @param given the fields that it may use
     */
    CodeBlock(String file, int line, List<String> given) {
        this.file = file;
        this.line = line;
        this.given = given;
    }

    String className() {
        return file.substring(0, file.lastIndexOf('.')).replaceAll("\\W", "_") + "Line" + line;
    }

    /** Also imports what an earlier block does. */
    void importLike(CodeBlock earlier) {
        for (String line : earlier.lines) {
            if (isImport(line) && !imports.contains(line)) {
                imports.add(line);
            }
        }
    }

    static boolean isImport(String line) {
        return line.startsWith("import ");
    }

    /** Where it stands. */
    String where() {
        return file + ":" + line;
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

    /** A class with what is given for fields, and the block's statements in its main method. */
    String source() {
        importLike(this);
        List<String> body = new ArrayList<>();
        for (String line : lines) {
            Matcher thrower = THROWS.matcher(line);
            if (isImport(line)) {
                continue;
            }
            if (thrower.matches()) {
                body.add(expecting(thrower.group(2), thrower.group(3), thrower.group(4)));
            } else {
                body.add(line);
            }
        }
        return String.join("\n", imports) + "\npublic class " + className() + " {\n" + String.join("\n", given)
            + "\npublic static void main(String[] args) throws Exception {\n" + String.join("\n", body) + "\n}\n}\n";
    }

    private static String expecting(String statement, String exception, String message) {
        String check = message == null ? ""
            : "if (!\"" + message.replace("\\", "\\\\").replace("\"", "\\\"")
                + "\".equals(e.getMessage())) throw new AssertionError(e);";
        return "boolean thrown = false; try { " + statement + " } catch (" + exception + " e) { thrown = true; " + check + " }"
            + " if (!thrown) throw new AssertionError(\"no " + exception + "\");";
    }
}
