package io.tensornio.internal.compute;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes statements built in Java as text. Tensors and loops have identity, names are not unique: the first tensor with a name keeps it, others get a
 * number; a loop gets a name that differs from all tensors and from the other loops of its statement. Keys of a graph's tensors keep their names, and
 * nothing else beside them has a name that is spelt as a key.
 */
public final class ProgramWriter {
    private final List<List<Object>> statements = new ArrayList<>();
    private final Map<Name, String> tensors = new HashMap<>();
    /** All names of tensors, original and written. */
    private final Set<String> taken = new HashSet<>();
    /** Whether there are keys of a graph's tensors. */
    private boolean hasKeys;

    private ProgramWriter() {
    }

    /** The text of statements. */
    public static String of(Term... all) {
        ProgramWriter text = new ProgramWriter();
        List<Name> inOrder = new ArrayList<>();
        for (Term statement : all) {
            List<Object> flat = statement.flat();
            text.statements.add(flat);
            for (Object part : flat) {
                if (part instanceof Name && !((Name) part).isLoop && text.tensors.put((Name) part, "") == null) {
                    inOrder.add((Name) part);
                    text.taken.add(((Name) part).text);
                    text.hasKeys |= ((Name) part).isKey;
                }
            }
        }
        Set<String> first = new HashSet<>();
        for (Name tensor : inOrder) {
            boolean isFree = tensor.isKey || !text.isKept(tensor.text) && first.add(tensor.text);
            text.tensors.put(tensor, isFree ? tensor.text : text.free(tensor.text, text.taken));
        }
        StringBuilder written = new StringBuilder();
        for (List<Object> flat : text.statements) {
            text.write(flat, written);
            written.append('\n');
        }
        return written.toString();
    }

    /** Whether a name is kept for keys. */
    private boolean isKept(String name) {
        return hasKeys && Keys.isSpelling(name);
    }

    private void write(List<Object> flat, StringBuilder written) {
        Map<Name, String> loops = new HashMap<>();
        Set<String> others = new HashSet<>(taken);
        for (Object part : flat) {
            if (!(part instanceof Name)) {
                written.append(part);
                continue;
            }
            Name name = (Name) part;
            String text = name.isLoop ? loops.get(name) : tensors.get(name);
            if (text == null) {
                text = !isKept(name.text) && others.add(name.text) ? name.text : free(name.text, others);
                loops.put(name, text);
            }
            written.append(text);
        }
    }

    /** Makes a unique name by adding a number, and marks it as taken. */
    private String free(String name, Set<String> others) {
        for (int n = 2; ; n++) {
            if (others.add(name + "_" + n)) {
                return name + "_" + n;
            }
        }
    }
}
