package io.tensornio.onnx.engine;

import io.tensornio.Tensor;
import io.tensornio.onnx.schema.Onnx.AttributeProto;
import io.tensornio.onnx.schema.Onnx.FunctionProto;
import io.tensornio.onnx.schema.Onnx.GraphProto;
import io.tensornio.onnx.schema.Onnx.ModelProto;
import io.tensornio.onnx.schema.Onnx.NodeProto;
import io.tensornio.onnx.schema.Onnx.OperatorSetIdProto;
import io.tensornio.onnx.schema.Onnx.SparseTensorProto;
import io.tensornio.onnx.schema.Onnx.TensorProto;
import io.tensornio.onnx.schema.Onnx.ValueInfoProto;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes graphs of a model's messages: names become slots, functions of the model are put in place of the nodes that call them, and all that this
 * engine does not support is collected, to be told at once.
 */
final class GraphBuilder {
    /** How deep graphs in nodes and calls of functions may be nested. */
    static final int DEEPEST = 64;
    /** How many nodes functions may become; more is an attack, since each call doubles them. */
    private static final int MOST_NODES = 1 << 20;

    private final ModelProto model;
    private final Initializers initializers;
    private final Map<String, FunctionProto> functions = new HashMap<>();
    /** Tensors that the model owns. */
    final List<Tensor<?>> owned = new ArrayList<>();
    /** What is not supported, node by node. */
    final Set<String> unsupported = new LinkedHashSet<>();
    private int nodes;

    GraphBuilder(ModelProto model, Initializers initializers) {
        this.model = model;
        this.initializers = initializers;
        for (FunctionProto function : model.getFunctionsList()) {
            functions.put(key(function.getDomain(), function.getName()), function);
        }
    }

    private static String key(String domain, String name) {
        return (domain.equals("ai.onnx") ? "" : domain) + ":" + name;
    }

    /** Names that nodes may read, and where their values are. */
    private final class Scope {
        final Scope outer;
        final Graph graph;
        final Map<String, Integer> slots = new HashMap<>();
        final Map<String, Long> opsets;
        /** Attributes of the node that calls the function whose body this is; null outside of functions. */
        final Map<String, AttributeProto> given;
        /** Names that nodes of this body define somewhere, for a better message. */
        final Set<String> later = new HashSet<>();
        final String path;

        Scope(Scope outer, Graph graph, Map<String, Long> opsets, Map<String, AttributeProto> given, String path) {
            this.outer = outer;
            this.graph = graph;
            this.opsets = opsets;
            this.given = given;
            this.path = path;
        }

        /** The slot of a name; one that is captured from outside if need be; -1 if nothing has that name. */
        int find(String name) {
            Integer slot = slots.get(name);
            if (slot != null) {
                return slot;
            }
            if (outer == null) {
                return -1;
            }
            int outside = outer.find(name);
            if (outside < 0) {
                return -1;
            }
            int own = graph.slot(name);
            graph.captured.add(new int[] {own, outside});
            slots.put(name, own);
            return own;
        }

        void define(String name, int slot, String by) {
            if (slots.put(name, slot) != null) {
                throw new IllegalArgumentException(by + " defines `" + name + "`, which is defined before");
            }
        }
    }

    private static Map<String, Long> opsets(List<OperatorSetIdProto> imports) {
        Map<String, Long> opsets = new HashMap<>();
        for (OperatorSetIdProto opset : imports) {
            opsets.put(opset.getDomain().equals("ai.onnx") ? "" : opset.getDomain(), opset.getVersion());
        }
        return opsets;
    }

    /** The graph of the model. Inputs are those that have no value in the model, and then those that have one that can be replaced. */
    Graph build(Map<String, ValueInfoProto> inputs, Map<String, ValueInfoProto> replaceable) {
        GraphProto proto = model.getGraph();
        Graph graph = new Graph(proto.getName());
        Map<String, Long> opsets = opsets(model.getOpsetImportList());
        opsets.forEach((domain, version) -> {
            if (domain.isEmpty() && (version < Table.OLDEST || version > Table.NEWEST)) {
                unsupported.add("version " + version + " of the operator set: versions " + Table.OLDEST + " to " + Table.NEWEST + " are supported");
            }
        });
        Scope scope = new Scope(null, graph, opsets, null, "");
        Set<String> inside = new HashSet<>();
        proto.getInitializerList().forEach(tensor -> inside.add(tensor.getName()));
        proto.getSparseInitializerList().forEach(tensor -> inside.add(tensor.getValues().getName()));
        for (ValueInfoProto input : proto.getInputList()) {
            // Before version 4 of the format all constants were inputs, too.
            if (inside.contains(input.getName()) && model.getIrVersion() < 4) {
                continue;
            }
            if ((inside.contains(input.getName()) ? replaceable : inputs).put(input.getName(), input) != null) {
                throw new IllegalArgumentException("two inputs are named `" + input.getName() + "`");
            }
        }
        List<String> names = new ArrayList<>(inputs.keySet());
        names.addAll(replaceable.keySet());
        graph.needed = inputs.size();
        body(proto, scope, names, 0);
        return graph;
    }

    private void body(GraphProto proto, Scope scope, List<String> inputs, int depth) {
        Graph graph = scope.graph;
        graph.inputs = new int[inputs.size()];
        for (int n = 0; n < graph.inputs.length; n++) {
            graph.inputs[n] = graph.slot(inputs.get(n));
            scope.define(inputs.get(n), graph.inputs[n], "input " + n);
        }
        for (TensorProto tensor : proto.getInitializerList()) {
            String what = "initializer `" + tensor.getName() + "`";
            constant(scope, tensor.getName(), what, Types.of(tensor.getDataType()) == null
                ? unsupported(what + " has elements of the type " + Types.name(tensor.getDataType())) : initializers.read(tensor, what));
        }
        for (SparseTensorProto tensor : proto.getSparseInitializerList()) {
            String name = tensor.getValues().getName();
            String what = "initializer `" + name + "`";
            constant(scope, name, what, Types.of(tensor.getValues().getDataType()) == null
                ? unsupported(what + " has elements of the type " + Types.name(tensor.getValues().getDataType())) : initializers.read(tensor, what));
        }
        nodes(proto.getNodeList(), scope, depth);
        graph.outputs = new int[proto.getOutputCount()];
        for (int n = 0; n < graph.outputs.length; n++) {
            String name = proto.getOutput(n).getName();
            graph.outputs[n] = scope.find(name);
            if (graph.outputs[n] < 0) {
                throw new IllegalArgumentException("output `" + name + "`" + scope.path + " is not defined by any node");
            }
        }
        graph.count();
    }

    private Tensor<?> unsupported(String what) {
        unsupported.add(what);
        return null;
    }

    private void constant(Scope scope, String name, String what, Tensor<?> tensor) {
        Integer input = scope.slots.get(name);
        int slot = input != null && scope.graph.isReplaceable(input) && scope.graph.constants.get(input) == null ? input : scope.graph.slot(name);
        if (input == null || slot != input) {
            scope.define(name, slot, what);
        }
        if (tensor != null) {
            owned.add(tensor);
            scope.graph.constants.set(slot, Item.borrowed(tensor.data()));
        }
    }

    private void nodes(List<NodeProto> protos, Scope scope, int depth) {
        for (NodeProto proto : protos) {
            scope.later.addAll(proto.getOutputList());
        }
        int count = 0;
        for (NodeProto proto : protos) {
            String name = (proto.getName().isEmpty() ? "#" + count : proto.getName()) + scope.path;
            count++;
            node(proto, name, scope, depth);
        }
    }

    private void node(NodeProto proto, String name, Scope scope, int depth) {
        String domain = proto.getDomain().equals("ai.onnx") ? "" : proto.getDomain();
        String full = (domain.isEmpty() ? "" : domain + ".") + proto.getOpType();
        String where = "node `" + name + "` (" + full + ")";
        if (depth > DEEPEST) {
            throw new IllegalArgumentException(where + " is nested deeper than " + DEEPEST);
        }
        if (++nodes > MOST_NODES) {
            throw new IllegalArgumentException("functions become more than " + MOST_NODES + " nodes, at " + where);
        }
        int[] inputs = new int[proto.getInputCount()];
        for (int n = 0; n < inputs.length; n++) {
            String read = proto.getInput(n);
            inputs[n] = read.isEmpty() ? -1 : scope.find(read);
            if (inputs[n] < 0 && !read.isEmpty()) {
                throw new IllegalArgumentException(where + " reads `" + read + "`, which " + (scope.later.contains(read)
                    ? "a later node defines: nodes are in the order of their computation, without a cycle" : "nothing defines"));
            }
        }
        Map<String, AttributeProto> attributes = attributes(proto, scope, where);
        FunctionProto function = functions.get(key(domain, proto.getOpType()));
        Long opset = scope.opsets.get(domain);
        Operator operator = opset == null ? null : Table.find(domain, proto.getOpType(), (int) Math.min(Integer.MAX_VALUE, Math.max(0, opset)));
        if (function != null && operator == null) {
            inline(proto, function, attributes, inputs, name, where, scope, depth);
            return;
        }
        if (operator == null) {
            unsupported.add(where + (opset == null ? ": the model imports no version of the domain `" + domain + "`"
                : ": there is no such operator in version " + opset));
        }
        Attributes read = new Attributes(attributes);
        List<int[]> captures = new ArrayList<>();
        for (AttributeProto attribute : new ArrayList<>(attributes.values())) {
            attribute(attribute, read, where, name, scope, captures, depth);
        }
        int[] outputs = new int[proto.getOutputCount()];
        for (int n = 0; n < outputs.length; n++) {
            String made = proto.getOutput(n);
            outputs[n] = made.isEmpty() ? -1 : scope.graph.slot(made);
            if (outputs[n] >= 0) {
                scope.define(made, outputs[n], where);
            }
        }
        if (operator != null) {
            Node node = new Node(name, operator, (int) (long) opset, read, inputs, outputs);
            node.captures = captures.stream().mapToInt(pair -> pair[1]).toArray();
            scope.graph.nodes.add(node);
        }
    }

    private Map<String, AttributeProto> attributes(NodeProto proto, Scope scope, String where) {
        Map<String, AttributeProto> attributes = new LinkedHashMap<>();
        for (AttributeProto attribute : proto.getAttributeList()) {
            AttributeProto actual = attribute;
            if (!attribute.getRefAttrName().isEmpty()) {
                if (scope.given == null) {
                    throw new IllegalArgumentException(where + ": attribute `" + attribute.getName()
                        + "` refers to one of a function, outside of any");
                }
                AttributeProto given = scope.given.get(attribute.getRefAttrName());
                if (given == null) {
                    continue;
                }
                actual = given.toBuilder().setName(attribute.getName()).build();
            }
            if (attributes.put(actual.getName(), Attributes.detached(actual)) != null) {
                throw new IllegalArgumentException(where + " has two attributes `" + actual.getName() + "`");
            }
        }
        return attributes;
    }

    private void attribute(AttributeProto attribute, Attributes read, String where, String node, Scope scope, List<int[]> captures, int depth) {
        String what = where + ", attribute `" + attribute.getName() + "`";
        if (attribute.hasT()) {
            Tensor<?> tensor = Types.of(attribute.getT().getDataType()) == null
                ? unsupported(what + " has elements of the type " + Types.name(attribute.getT().getDataType()))
                : initializers.read(attribute.getT(), what);
            keep(attribute, read, tensor);
        } else if (attribute.hasSparseTensor()) {
            keep(attribute, read, initializers.read(attribute.getSparseTensor(), what));
        } else if (attribute.hasG()) {
            Graph graph = new Graph(attribute.getName() + " of " + node);
            Scope inner = new Scope(scope, graph, scope.opsets, scope.given, scope.path + " in " + attribute.getName() + " of " + node);
            List<String> names = new ArrayList<>();
            Set<String> inside = new HashSet<>();
            attribute.getG().getInitializerList().forEach(tensor -> inside.add(tensor.getName()));
            attribute.getG().getInputList().forEach(input -> {
                if (!inside.contains(input.getName())) {
                    names.add(input.getName());
                }
            });
            body(attribute.getG(), inner, names, depth + 1);
            read.put(attribute.getName(), graph);
            graph.first = captures.size();
            captures.addAll(graph.captured);
            read.forget(attribute.getName());
        } else if (attribute.getGraphsCount() > 0 || attribute.getTensorsCount() > 0) {
            unsupported.add(what + " is a list of graphs or tensors");
        } else if (attribute.getName().equals("to") || attribute.getName().equals("dtype")) {
            if (attribute.getI() != 0 && attribute.getI() == (int) attribute.getI() && Types.of((int) attribute.getI()) == null) {
                unsupported.add(what + " is the type " + Types.name((int) attribute.getI()));
            }
        }
    }

    private void keep(AttributeProto attribute, Attributes read, Tensor<?> tensor) {
        if (tensor != null) {
            owned.add(tensor);
            read.put(attribute.getName(), Item.borrowed(tensor.data()));
        }
        read.forget(attribute.getName());
    }

    /** Puts the nodes of a function in place of a node that calls it. */
    private void inline(NodeProto proto, FunctionProto function, Map<String, AttributeProto> attributes, int[] inputs, String name, String where,
            Scope scope, int depth) {
        Map<String, AttributeProto> given = new HashMap<>();
        function.getAttributeProtoList().forEach(attribute -> given.put(attribute.getName(), attribute));
        given.putAll(attributes);
        Map<String, Long> opsets = opsets(function.getOpsetImportList());
        if (opsets.isEmpty()) {
            opsets = scope.opsets;
        }
        Scope body = new Scope(null, scope.graph, opsets, Collections.unmodifiableMap(given), scope.path + " in " + name);
        if (inputs.length > function.getInputCount() || proto.getOutputCount() > function.getOutputCount()) {
            throw new IllegalArgumentException(where + " has " + inputs.length + " inputs and " + proto.getOutputCount()
                + " outputs; the function has " + function.getInputCount() + " and " + function.getOutputCount());
        }
        for (int n = 0; n < function.getInputCount(); n++) {
            // What is left out reads as left out: a slot that nothing fills.
            int slot = n < inputs.length && inputs[n] >= 0 ? inputs[n] : scope.graph.slot(function.getInput(n));
            body.define(function.getInput(n), slot, where);
        }
        nodes(function.getNodeList(), body, depth + 1);
        for (int n = 0; n < proto.getOutputCount(); n++) {
            if (!proto.getOutput(n).isEmpty()) {
                int slot = body.find(function.getOutput(n));
                if (slot < 0) {
                    throw new IllegalArgumentException(where + ": the function does not define its output `" + function.getOutput(n) + "`");
                }
                scope.define(proto.getOutput(n), slot, where);
            }
        }
    }
}
