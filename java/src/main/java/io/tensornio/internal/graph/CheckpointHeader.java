package io.tensornio.internal.graph;

import io.tensornio.internal.file.SafetensorsHeader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The header of a checkpoint, and which tensor of the graph each of its tensors is: by name where all have names, else by number. */
final class CheckpointHeader {
    /** The number of steps; empty if there is none. */
    final String steps;
    /** The name of the rule; empty if there is none. */
    final String rule;
    /** What a whole training notes, by keys that begin with {@link Checkpoints#NOTE}; empty if it is of something else. */
    final Map<String, String> notes = new HashMap<>();
    /** The tensors by their place. */
    final List<Entry> entries = new ArrayList<>();
    /** The names of parameters, by key. */
    private final Map<String, String> names = new HashMap<>();
    /** Whether tensors are matched by names, not by numbers. */
    private boolean isByName;

    /** A tensor in the file. */
    static final class Entry {
        final String key;
        final String type;
        /** The sizes, separated by commas. */
        final String shape;

        Entry(SafetensorsHeader.Entry entry) {
            key = entry.name();
            type = entry.code();
            shape = Arrays.toString(entry.shape()).replaceAll("[\\[\\] ]", "");
        }
    }

    /** What a header says: its metadata are the number of steps, the rule, and the names of parameters by their keys. */
    CheckpointHeader(SafetensorsHeader header) {
        names.putAll(header.metadata());
        header.metadata().forEach((key, text) -> {
            if (key.startsWith(Checkpoints.NOTE)) {
                notes.put(key, names.remove(key));
            }
        });
        steps = text(names.remove("steps"));
        rule = text(names.remove("rule"));
        header.entries().forEach(entry -> entries.add(new Entry(entry)));
    }

    private static String text(String given) {
        return given == null ? "" : given;
    }

    /** The key of the parameter of which a key is: itself, or what is before the suffix of an optimizer's state. */
    private static String parameter(String key) {
        int dot = key.indexOf('.');
        return dot < 0 ? key : key.substring(0, dot);
    }

    /** A key in messages, with the name of its parameter where tensors are matched by names. */
    String told(String key, Map<String, String> known) {
        return isByName ? key + " (" + known.get(parameter(key)) + ")" : key;
    }

    /** The key of a tensor in the file, in messages. */
    String told(String key) {
        return told(key, names);
    }

    /**
     * The key in the graph of each tensor in the file; none for one whose name the graph does not have.
     *
     * @param expected the keys in the graph
     * @param known the names of parameters in the graph, by key
     * @param faults receives names that contradict each other
     */
    Map<String, String> keys(Set<String> expected, Map<String, String> known, List<String> faults) {
        isByName = expected.stream().allMatch(key -> known.containsKey(parameter(key)))
            && entries.stream().allMatch(entry -> names.containsKey(parameter(entry.key)));
        return isByName ? byName(known, faults) : byNumber(known, faults);
    }

    private Map<String, String> byName(Map<String, String> known, List<String> faults) {
        Map<String, String> numbers = new HashMap<>();
        known.forEach((key, name) -> numbers.put(name, key));
        Map<String, String> holders = new HashMap<>();
        Map<String, String> keys = new LinkedHashMap<>();
        for (Entry entry : entries) {
            String own = parameter(entry.key);
            String name = names.get(own);
            String other = holders.putIfAbsent(name, own);
            if (other != null && !other.equals(own)) {
                faults.add("`" + name + "` is the name of " + other + " and of " + own + " in the file");
            }
            if (numbers.containsKey(name)) {
                keys.put(entry.key, numbers.get(name) + entry.key.substring(own.length()));
            }
        }
        return keys;
    }

    private Map<String, String> byNumber(Map<String, String> known, List<String> faults) {
        Map<String, String> keys = new LinkedHashMap<>();
        for (Entry entry : entries) {
            keys.put(entry.key, entry.key);
            String name = names.get(entry.key);
            String own = known.get(entry.key);
            if (name != null && own != null && !name.equals(own)) {
                faults.add(entry.key + " is named `" + name + "` in the file and `" + own + "` in this graph");
            }
        }
        return keys;
    }
}
