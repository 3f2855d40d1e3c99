package io.tensornio.repository;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A page of the documentation in Markdown: its fenced blocks of code, its links, and the anchors that links may name. */
final class Page {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^()\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("#{1,6} (.*)");
    private static final String FENCE = "```";

    public final Path path;
    private final List<String> lines;

    private Page(Path path) {
        this.path = path;
        try {
            lines = Files.readAllLines(path, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + path, e);
        }
    }

    /** README.md and all pages in docs: what users read. Tests run in the project's directory. */
    static List<Page> guide() throws IOException {
        return Stream.concat(Stream.of(new Page(Paths.get("README.md"))), in("docs").stream()).collect(Collectors.toList());
    }

    /** One page of docs, by its name. */
    static Page of(String name) {
        return new Page(Paths.get("docs", name));
    }

    /** All pages of the project. */
    static List<Page> all() throws IOException {
        List<Page> pages = new ArrayList<>();
        try (Stream<Path> files = Files.list(Paths.get("."))) {
            files.filter(Page::isPage).sorted().forEach(file -> pages.add(new Page(file.normalize())));
        }
        for (String folder : new String[] {"docs", "bench", "examples"}) {
            pages.addAll(in(folder));
        }
        return pages;
    }

    private static List<Page> in(String folder) throws IOException {
        try (Stream<Path> files = Files.walk(Paths.get(folder))) {
            return files.filter(Page::isPage).sorted().map(Page::new).collect(Collectors.toList());
        }
    }

    private static boolean isPage(Path file) {
        return file.toString().endsWith(".md");
    }

    /** Its path, with slashes on every system. */
    String name() {
        return path.toString().replace('\\', '/');
    }

    /** The fenced blocks in one language, in their order. In each, the imports of those before it on the page hold, too. */
    List<CodeBlock> blocks(String language) {
        List<CodeBlock> blocks = new ArrayList<>();
        CodeBlock open = null;
        boolean inside = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith(FENCE)) {
                inside = !inside;
                open = null;
                if (inside && line.equals(FENCE + language)) {
                    open = new CodeBlock(name(), i + 1, Collections.emptyList());
                    blocks.forEach(open::importLike);
                    blocks.add(open);
                }
            } else if (open != null) {
                open.lines.add(line);
            }
        }
        return blocks;
    }

    /** What stands beside the fences that begin a block: an indented one gives spaces, too. */
    Set<String> languages() {
        Set<String> languages = new LinkedHashSet<>();
        boolean inside = false;
        for (String line : lines) {
            if (line.trim().startsWith(FENCE)) {
                inside = !inside;
                if (inside) {
                    languages.add(line.replace(FENCE, ""));
                }
            }
        }
        return languages;
    }

    /** The targets of its links, each with its line. */
    void forEachLink(ObjIntConsumer<String> action) {
        forEachLineOfText((line, number) -> {
            Matcher links = LINK.matcher(line.replaceAll("`[^`]*`", ""));
            while (links.find()) {
                action.accept(links.group(1), number);
            }
        });
    }

    /** The anchors of its headings, as GitHub makes them. */
    Set<String> anchors() {
        Set<String> anchors = new LinkedHashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        forEachLineOfText((line, number) -> {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String anchor = heading.group(1).trim().toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_\\- ]", "").replace(' ', '-');
                int earlier = seen.merge(anchor, 1, Integer::sum) - 1;
                anchors.add(earlier == 0 ? anchor : anchor + "-" + earlier);
            }
        });
        return anchors;
    }

    private void forEachLineOfText(ObjIntConsumer<String> action) {
        boolean inside = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.trim().startsWith(FENCE)) {
                inside = !inside;
            } else if (!inside && !line.startsWith("    ")) {
                action.accept(line, i + 1);
            }
        }
    }
}
