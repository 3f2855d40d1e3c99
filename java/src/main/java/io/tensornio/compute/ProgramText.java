package io.tensornio.compute;

import io.tensornio.internal.compute.Keys;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
final class ProgramText {
    private final List<List<Object>> statements = new ArrayList<>();
    private final Map<TensorName, String> tensors = new HashMap<>();
    /** All names of tensors, original and written. */
    private final Set<String> taken = new HashSet<>();
    /** Whether there are keys of a graph's tensors. */
    private boolean hasKeys;

    private ProgramText() {
    }

    /** The text of statements. */
    static String of(Statement... all) {
        ProgramText text = new ProgramText();
        List<TensorName> inOrder = new ArrayList<>();
        for (Statement statement : all) {
            List<Object> flat = flat(statement);
            text.statements.add(flat);
            for (Object part : flat) {
                if (part instanceof TensorName && text.tensors.put((TensorName) part, "") == null) {
                    inOrder.add((TensorName) part);
                    text.taken.add(((TensorName) part).name());
                    text.hasKeys |= ((TensorName) part).isKey;
                }
            }
        }
        Set<String> first = new HashSet<>();
        for (TensorName tensor : inOrder) {
            boolean isFree = tensor.isKey || !text.isKept(tensor.name()) && first.add(tensor.name());
            text.tensors.put(tensor, isFree ? tensor.name() : text.free(tensor.name(), text.taken));
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

    /** The text of a term with original names. */
    static String plain(Term term) {
        StringBuilder written = new StringBuilder();
        for (Object part : flat(term)) {
            written.append(part instanceof LoopIndex ? ((LoopIndex) part).name() : part.toString());
        }
        return written.toString();
    }

    private void write(List<Object> flat, StringBuilder written) {
        Map<LoopIndex, String> loops = new HashMap<>();
        Set<String> others = new HashSet<>(taken);
        for (Object part : flat) {
            if (part instanceof LoopIndex) {
                LoopIndex loop = (LoopIndex) part;
                String name = loops.get(loop);
                if (name == null) {
                    name = !isKept(loop.name()) && others.add(loop.name()) ? loop.name() : free(loop.name(), others);
                    loops.put(loop, name);
                }
                written.append(name);
            } else {
                written.append(part instanceof TensorName ? tensors.get(part) : (String) part);
            }
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

    /** The strings and names of a term, without recursion: the depth of a sum is its length. */
    private static List<Object> flat(Term term) {
        List<Object> flat = new ArrayList<>();
        Deque<Object> open = new ArrayDeque<>();
        open.push(term);
        while (!open.isEmpty()) {
            Object next = open.pop();
            if (next instanceof Term && !(next instanceof LoopIndex)) {
                Object[] parts = ((Term) next).parts();
                for (int n = parts.length - 1; n >= 0; n--) {
                    open.push(parts[n]);
                }
            } else {
                flat.add(next);
            }
        }
        return flat;
    }
}
