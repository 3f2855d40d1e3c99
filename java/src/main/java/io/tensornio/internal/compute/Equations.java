package io.tensornio.internal.compute;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The equations between lengths of axes that the statements of a program imply, before any length is known. Immutable. */
public final class Equations {
    /** The inputs, by their names in the statements. */
    public final List<String> inputs;
    /** The outputs, by their names in the statements. */
    public final List<String> outputs;
    /** The statements, in which every name is defined once. */
    public final List<String> statements;
    /** The accesses, in order; the last of a statement is the write. */
    public final List<Access> accesses;

    /** An access to a tensor. */
    public static final class Access {
        /** The number of the statement. */
        public final int statement;
        /** The tensor. */
        public final String tensor;
        /** For each axis the loop whose range is its length, or a number, or {@code ?}; {@code ...} for axes that the text does not name. */
        public final List<String> axes;

        Access(String line) {
            String[] parts = line.split(" ", -1);
            statement = Integer.parseInt(parts[0]);
            tensor = parts[1];
            axes = parts[2].isEmpty() ? Collections.emptyList() : Arrays.asList(parts[2].split(","));
        }
    }

    /** Parses the answer of {@link NativeCompute#equations}. */
    Equations(String answer) {
        String[] lines = answer.split("\n", -1);
        inputs = names(lines[0]);
        outputs = names(lines[1]);
        int count = Integer.parseInt(lines[2]);
        statements = Collections.unmodifiableList(Arrays.asList(lines).subList(3, 3 + count));
        List<Access> all = new ArrayList<>();
        for (String line : Arrays.asList(lines).subList(3 + count, lines.length)) {
            all.add(new Access(line));
        }
        accesses = Collections.unmodifiableList(all);
    }

    private static List<String> names(String joined) {
        return joined.isEmpty() ? Collections.emptyList() : Collections.unmodifiableList(Arrays.asList(joined.split(",")));
    }

    /** The names of all tensors, without version suffixes. */
    public Set<String> tensors() {
        Set<String> names = new LinkedHashSet<>();
        for (Access access : accesses) {
            names.add(plain(access.tensor));
        }
        return names;
    }

    /** The accesses of a statement, the write last. */
    public List<Access> of(int statement) {
        List<Access> own = new ArrayList<>();
        for (Access access : accesses) {
            if (access.statement == statement) {
                own.add(access);
            }
        }
        return own;
    }

    /** A name without its version suffix. */
    public static String plain(String label) {
        int mark = label.indexOf('#');
        return mark < 0 ? label : label.substring(0, mark);
    }
}
