package io.tensornio.onnx.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The table of operators: each is a row, which its family adds. A later version of an operator is a row of its own where it computes otherwise. */
public final class Table {
    /** What computes the one output of a node. */
    interface One {
        Item run(Call call);
    }

    /** The domain of classical models. */
    static final String ML = "ai.onnx.ml";
    /** The latest version of the default domain. */
    public static final int NEWEST = 22;
    static final int OLDEST = 1;

    private static final Table TABLE = new Table();

    private final Map<String, TreeMap<Integer, Operator>> rows = new TreeMap<>();
    private String domain = "";

    private Table() {
        Elementwise.addTo(this);
        Reductions.addTo(this);
        Products.addTo(this);
        Shaping.addTo(this);
        Indexing.addTo(this);
        Paddings.addTo(this);
        Convolutions.addTo(this);
        Pools.addTo(this);
        Normalizations.addTo(this);
        Losses.addTo(this);
        Quantized.addTo(this);
        Sequences.addTo(this);
        Control.addTo(this);
        Resizing.addTo(this);
        Sampling.addTo(this);
        Recurrent.addTo(this);
        Einsum.addTo(this);
        Signals.addTo(this);
        Randoms.addTo(this);
        Texts.addTo(this);
        Classical.addTo(this);
    }

    /**
     * The table as a page.
     *
     * @return lines of Markdown
     */
    public static List<String> page() {
        List<String> page = new ArrayList<>();
        page.add("# Operators of ONNX");
        page.add("");
        page.add("What [models of ONNX](onnx.md) may be made of, by the version of the operator set from which on an operator is");
        page.add("computed so. A text in which `a`, `b` and so on are the inputs is the comprehension that is run; `{alpha=0.01}` is an attribute,");
        page.add("and what it is if left out.");
        page.add("This page is made from the table of operators.");
        String domain = null;
        for (Operator row : all()) {
            if (!row.domain.equals(domain)) {
                domain = row.domain;
                page.add("");
                page.add("## " + (domain.isEmpty() ? "The default domain" : "`" + domain + "`"));
                page.add("");
                page.add("| operator | since | what it computes |");
                page.add("| --- | --- | --- |");
            }
            page.add("| `" + row.name + "` | " + row.since + " | `" + row.text.replace("|", "\\|").replace("`", "'") + "` |");
        }
        return page;
    }

    /** The row for a node of a version of its domain; null if there is none. */
    static Operator find(String domain, String name, int opset) {
        TreeMap<Integer, Operator> versions = TABLE.rows.get(domain + ":" + name);
        Map.Entry<Integer, Operator> found = versions == null ? null : versions.floorEntry(opset);
        return found == null ? null : found.getValue();
    }

    /**
     * All rows.
     *
     * @return them by domain, name and version
     */
    public static Collection<Operator> all() {
        List<Operator> all = new ArrayList<>();
        TABLE.rows.values().forEach(versions -> all.addAll(versions.values()));
        return all;
    }

    void domain(String of) {
        domain = of;
    }

    /**
     * An operator of elements, whose operands broadcast.
     *
     * @param text an expression of the operands `a`, `b` and so on, and of attributes in braces, with what they are if left out: `{alpha=0.01}`
     */
    void text(String name, int since, String text) {
        add(new Operator(domain, name, since, text, new Elementwise(text))).reads();
    }

    /** An operator that a method computes; `made` says of what. */
    Operator one(String name, int since, String made, One one) {
        return many(name, since, made, call -> new Item[] {one.run(call)});
    }

    /** An operator with several outputs. */
    Operator many(String name, int since, String made, Operator.Kernel kernel) {
        return add(new Operator(domain, name, since, made, kernel));
    }

    private Operator add(Operator row) {
        Operator before = rows.computeIfAbsent(row.domain + ":" + row.name, key -> new TreeMap<>()).put(row.since, row);
        if (before != null) {
            throw new IllegalStateException(row.fullName() + " has two rows of version " + row.since);
        }
        return row;
    }
}
