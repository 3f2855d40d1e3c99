package io.tensornio.onnx.engine;

import io.tensornio.TensorClosedException;
import io.tensornio.onnx.ModelInterruptedException;
import java.util.Arrays;

/** One run of a model: its values, and what all its nodes share. */
public final class Run {
    /** How much random numbers that no seed fixes have been asked for. */
    long drawn;

    /** Runs a graph. Gives the outputs, of each a share; takes none of the inputs and of what is captured. */
    Item[] graph(Graph graph, Item[] inputs, Item... captured) {
        Item[] values = new Item[graph.slots.size()];
        int[] left = graph.reads.clone();
        try {
            if (inputs.length != graph.inputs.length) {
                throw new IllegalArgumentException("graph `" + graph.name + "` takes " + graph.inputs.length + " inputs, not " + inputs.length);
            }
            for (int n = 0; n < inputs.length; n++) {
                values[graph.inputs[n]] = inputs[n] == null ? null : inputs[n].share();
            }
            for (int n = 0; n < captured.length; n++) {
                values[graph.captured.get(n)[0]] = captured[n] == null ? null : captured[n].share();
            }
            for (int slot = 0; slot < values.length; slot++) {
                if (values[slot] == null && graph.constants.get(slot) != null) {
                    values[slot] = graph.constants.get(slot).share();
                }
            }
            for (Node node : graph.nodes) {
                checkInterrupt(node);
                step(node, values, left);
            }
            Item[] outputs = new Item[graph.outputs.length];
            for (int n = 0; n < outputs.length; n++) {
                if (values[graph.outputs[n]] == null) {
                    throw new IllegalArgumentException("output `" + graph.slots.get(graph.outputs[n]) + "` is not made by any node");
                }
            }
            for (int n = 0; n < outputs.length; n++) {
                outputs[n] = values[graph.outputs[n]].share();
            }
            return outputs;
        } finally {
            for (Item value : values) {
                if (value != null) {
                    value.release();
                }
            }
        }
    }

    static void checkInterrupt(Node node) {
        if (Thread.interrupted()) {
            Thread.currentThread().interrupt();
            throw new ModelInterruptedException("the thread was interrupted before " + node.where());
        }
    }

    private void step(Node node, Item[] values, int[] left) {
        Item[] in = taken(node.inputs, values);
        Item[] captured = taken(node.captures, values);
        Item[] out = compute(new Call(this, node, in, captured));
        for (int n = 0; n < node.outputs.length; n++) {
            int slot = node.outputs[n];
            Item made = n < out.length ? out[n] : null;
            if (slot >= 0) {
                values[slot] = made;
                if (made != null && left[slot] == 0) {
                    made.release();
                    values[slot] = null;
                }
            } else if (made != null) {
                made.release();
            }
        }
        for (int n = node.outputs.length; n < out.length; n++) {
            if (out[n] != null) {
                out[n].release();
            }
        }
        read(node.inputs, values, left);
        read(node.captures, values, left);
    }

    private static Item[] taken(int[] slots, Item... values) {
        Item[] taken = new Item[slots.length];
        for (int n = 0; n < taken.length; n++) {
            taken[n] = slots[n] < 0 ? null : values[slots[n]];
        }
        return taken;
    }

    /** What has been read for the last time is let go. */
    private static void read(int[] slots, Item[] values, int... left) {
        for (int slot : slots) {
            if (slot >= 0 && --left[slot] == 0 && values[slot] != null) {
                values[slot].release();
                values[slot] = null;
            }
        }
    }

    /** Runs a node; what it throws names the node. */
    static Item[] compute(Call call) {
        Node node = call.node;
        long mark = Cells.mark();
        Item[] out = {};
        try {
            out = Narrow.run(call);
            return out;
        } catch (ModelInterruptedException | TensorClosedException | NodeFailure e) {
            throw e;
        } catch (RuntimeException e) {
            throw new NodeFailure(node.where() + ", inputs " + Arrays.toString(call.in) + ": "
                + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()), e);
        } catch (OutOfMemoryError e) {
            OutOfMemoryError named = new OutOfMemoryError(node.where() + ", inputs " + Arrays.toString(call.in) + ": " + e.getMessage());
            named.initCause(e);
            throw named;
        } catch (StackOverflowError e) {
            throw new NodeFailure(node.where() + ": too deep", e);
        } finally {
            Cells.settle(mark, out);
        }
    }

    /** A node that has failed: the error of the innermost one is kept. */
    static final class NodeFailure extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        NodeFailure(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
