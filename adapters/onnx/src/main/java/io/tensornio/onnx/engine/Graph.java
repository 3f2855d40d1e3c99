package io.tensornio.onnx.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Nodes in an order in which they can run, and the slots that values are in meanwhile. */
public final class Graph {
    final String name;
    final List<String> slots = new ArrayList<>();
    final List<Node> nodes = new ArrayList<>();
    /** By slot; null where there is none. */
    final List<Item> constants = new ArrayList<>();
    int[] inputs;
    /** How many of the inputs have no value here; the others are constants unless a run replaces them. */
    int needed = Integer.MAX_VALUE;
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

    /** Whether a slot's value may be replaced in a run. */
    boolean isReplaceable(int slot) {
        for (int n = needed; n < inputs.length; n++) {
            if (inputs[n] == slot) {
                return true;
            }
        }
        return false;
    }

    /** Whether a slot has the same value in all runs. */
    boolean isConstant(int slot) {
        return slot >= 0 && constants.get(slot) != null && !isReplaceable(slot);
    }

    /** The part of this graph that some slots need. */
    Graph part(int... wanted) {
        Graph part = new Graph(name);
        part.slots.addAll(slots);
        part.constants.addAll(constants);
        part.inputs = inputs;
        part.needed = needed;
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
                part.nodes.add(node);
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
        Collections.reverse(part.nodes);
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
