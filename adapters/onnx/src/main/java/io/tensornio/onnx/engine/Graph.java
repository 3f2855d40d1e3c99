package io.tensornio.onnx.engine;

import java.util.ArrayList;
import java.util.List;

/** Nodes in an order in which they can run, and the slots that values are in meanwhile. */
public final class Graph {
    final String name;
    final List<String> slots = new ArrayList<>();
    final List<Node> nodes = new ArrayList<>();
    /** By slot; null where there is none. */
    final List<Item> constants = new ArrayList<>();
    int[] inputs;
    int[] outputs;
    /** How often the value of each slot is read. */
    int[] reads;
    /** Slots here, and in the graph around it, of values that come from there. */
    final List<int[]> captured = new ArrayList<>();
    /** Of what the node around it captures, the first one that is this graph's. */
    int first;

    Graph(String name) {
        this.name = name;
    }

    int slot(String called) {
        slots.add(called);
        constants.add(null);
        return slots.size() - 1;
    }

    /** The part of this graph that some slots need. */
    Graph part(int... wanted) {
        Graph part = new Graph(name);
        part.slots.addAll(slots);
        part.constants.addAll(constants);
        part.inputs = inputs;
        part.outputs = wanted;
        boolean[] needed = new boolean[slots.size()];
        for (int slot : wanted) {
            needed[slot] = true;
        }
        for (int n = nodes.size() - 1; n >= 0; n--) {
            Node node = nodes.get(n);
            boolean needs = false;
            for (int slot : node.outputs) {
                needs |= slot >= 0 && needed[slot];
            }
            if (needs) {
                part.nodes.add(0, node);
                for (int slot : node.inputs) {
                    if (slot >= 0) {
                        needed[slot] = true;
                    }
                }
                for (int slot : node.captures) {
                    needed[slot] = true;
                }
            }
        }
        part.count();
        return part;
    }

    /** Counts the reads of each slot. */
    void count() {
        reads = new int[slots.size()];
        for (Node node : nodes) {
            for (int slot : node.inputs) {
                if (slot >= 0) {
                    reads[slot]++;
                }
            }
            for (int slot : node.captures) {
                reads[slot]++;
            }
        }
        for (int slot : outputs) {
            reads[slot]++;
        }
    }
}
