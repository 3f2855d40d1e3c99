package io.tensornio.internal.graph;

import io.tensornio.internal.compute.Equations;
import io.tensornio.internal.compute.Program;
import io.tensornio.internal.compute.Words;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** A user's text of a layer, with the names of the graph's tensors replaced by their keys. */
public final class Texts {
    /** The tensors that it reads. */
    public final List<Variable> reads = new ArrayList<>();
    /** The tensors that it defines. */
    public final List<Variable> writes = new ArrayList<>();
    /** The names that are not in the text. */
    public final List<String> unused;
    /** A statement that layers must not have. */
    private static final Pattern GRADIENT = Pattern.compile("(?m)^gradient ");

    /** The statements. */
    public final String text;

    /**
     * Parses a text.
     *
     * @param text statements
     * @param tensors the tensors by name
     * @throws IllegalArgumentException if it is not valid; or reads a name that is not a tensor; or defines no tensor; or names are not in it
     */
    public Texts(String text, Map<String, Variable> tensors) {
        this(text, tensors, false);
    }

    /**
     * Parses a text.
     *
     * @param isPart whether it need not have all of the tensors
     */
    public Texts(String text, Map<String, Variable> tensors, boolean isPart) {
        Program program = Program.of(text);
        if (GRADIENT.matcher(program.text()).find()) {
            throw new IllegalArgumentException("the text has a `gradient` statement: those of a graph are made from its loss");
        }
        Equations equations = program.equations();
        List<String> unknown = new ArrayList<>(program.inputs());
        unknown.removeAll(tensors.keySet());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("the text reads " + unknown + ", which it does not define before, and which is none of "
                + tensors.keySet());
        }
        Set<String> written = new LinkedHashSet<>();
        for (int n = 0; n < equations.statements.size(); n++) {
            List<Equations.Access> accesses = equations.of(n);
            written.add(Equations.plain(accesses.get(accesses.size() - 1).tensor));
        }
        List<String> superfluous = new ArrayList<>(tensors.keySet());
        superfluous.removeAll(equations.tensors());
        unused = superfluous;
        if (!isPart && !superfluous.isEmpty()) {
            throw new IllegalArgumentException("the text does not have " + superfluous);
        }
        program.inputs().forEach(name -> reads.add(tensors.get(name)));
        for (String name : written) {
            if (tensors.containsKey(name)) {
                writes.add(tensors.get(name));
            }
        }
        if (writes.isEmpty()) {
            throw new IllegalArgumentException("the text defines none of " + tensors.keySet() + ": it has no output");
        }
        Names words = new Names();
        tensors.values().forEach(variable -> words.take(variable.key.name()));
        Map<String, String> names = new HashMap<>();
        for (String tensor : equations.tensors()) {
            names.put(tensor, tensors.containsKey(tensor) ? tensors.get(tensor).key.name() : words.tensor(tensor));
        }
        this.text = Names.rename(Graph.withoutReturn(program.text()), word -> names.containsKey(word) ? names.get(word)
            : Words.isName(word) ? words.loop(word) : word);
    }
}
