package io.tensornio.graph;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.internal.graph.Graph;
import io.tensornio.internal.graph.Items;
import io.tensornio.internal.graph.Model;
import io.tensornio.internal.graph.Variable;
import io.tensornio.value.SequenceOps;
import io.tensornio.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Runs a model on named values. */
final class NamedValues {
    private final Model model;
    private final Graph graph;
    private final List<Variable> wanted;
    /** The value given for each input: a tensor, {@link Items} or a map of tensors. */
    private final Map<Variable, Object> given = new HashMap<>();

    /** Checks inputs, apart from those that only the context has; optional values are replaced by their contents, or count as not given. */
    NamedValues(Model model, List<Variable> wanted, Map<String, Value> inputs, Predicate<String> isOfContext) {
        this.model = model;
        this.wanted = wanted;
        graph = model.graph;
        Map<String, Value> present = new LinkedHashMap<>();
        inputs.forEach((name, value) -> {
            Value inside = Objects.requireNonNull(value, () -> "input " + name);
            while (inside.kind() == Value.Kind.OPTIONAL && inside.isPresent()) {
                inside = inside.get();
            }
            if (inside.kind() != Value.Kind.OPTIONAL) {
                present.put(name, inside);
            }
        });
        Map<String, Variable> known = new TreeMap<>();
        List<String> missing = new ArrayList<>();
        for (Variable variable : graph.variables.values()) {
            if (variable.kind == Variable.Kind.INPUT) {
                known.put(variable.toString(), variable);
            }
        }
        for (Variable input : graph.inputs(wanted)) {
            if (!present.containsKey(input.toString())) {
                missing.add(input.toString());
            }
        }
        List<String> unknown = new ArrayList<>(inputs.keySet());
        unknown.removeAll(known.keySet());
        unknown.removeIf(isOfContext);
        if (!missing.isEmpty() || !unknown.isEmpty()) {
            throw new IllegalArgumentException((missing.isEmpty() ? "" : "inputs are missing: " + missing)
                + (missing.isEmpty() || unknown.isEmpty() ? "" : "; ") + (unknown.isEmpty() ? "" : "unknown inputs: " + unknown));
        }
        known.forEach((name, input) -> {
            if (present.containsKey(name)) {
                given.put(input, content(input, present.get(name)));
            }
        });
    }

    private static Object content(Variable input, Value value) {
        Value.Kind kind = Value.Kind.valueOf(input.form.name());
        if (value.kind() != kind) {
            throw new IllegalStateException("input " + input + " takes a value of the kind " + kind + ", not " + value.kind());
        }
        switch (kind) {
            case TENSOR:
                return value.asTensor();
            case LIST:
                return items(input, value);
            default:
                return entries(input, value.asDict());
        }
    }

    private static Tensor<?> dense(String what, Value value) {
        if (value.kind() != Value.Kind.TENSOR) {
            throw new IllegalStateException(what + " is to be of the kind TENSOR, not " + value.kind());
        }
        AnyTensor<?> tensor = value.asTensor();
        if (!(tensor instanceof Tensor)) {
            throw new IllegalArgumentException(what + " is sparse or ragged: make it dense by toDense");
        }
        return (Tensor<?>) tensor;
    }

    private static Tensor<?> dense(String what, Value value, DataType type) {
        Tensor<?> tensor = dense(what, value);
        if (tensor.dataType() != type) {
            throw new IllegalArgumentException(what + " is " + type + "; given is " + tensor.dataType() + " of shape "
                + Arrays.toString(tensor.shape()));
        }
        return tensor;
    }

    private static Items items(Variable input, Value list) {
        List<Value> values = list.asList();
        if (values.isEmpty() && list.elementType() != null && list.elementType() != input.type) {
            throw new IllegalArgumentException("input " + input + " is a LIST of " + input.type + "; given is an empty one of " + list.elementType());
        }
        List<Tensor<?>> tensors = new ArrayList<>(values.size());
        for (Value value : values) {
            String what = "item " + tensors.size() + " of input " + input;
            Tensor<?> tensor = dense(what, value, input.type);
            if (input.axes != null && !Arrays.equals(tensor.shape(), input.shape())) {
                throw new IllegalArgumentException(what + " is of shape " + Arrays.toString(input.shape()) + "; given is "
                    + Arrays.toString(tensor.shape()));
            }
            tensors.add(tensor);
        }
        return new Items(input.type, tensors);
    }

    private static Map<String, Tensor<?>> entries(Variable input, Map<String, Value> values) {
        List<String> missing = new ArrayList<>(input.entries.keySet());
        missing.removeAll(values.keySet());
        List<String> unknown = new ArrayList<>(values.keySet());
        unknown.removeAll(input.entries.keySet());
        if (!missing.isEmpty() || !unknown.isEmpty()) {
            throw new IllegalArgumentException("input " + input + " has the keys " + input.entries.keySet() + "; given are " + values.keySet());
        }
        Map<String, Tensor<?>> tensors = new LinkedHashMap<>();
        input.entries.forEach((key, type) -> tensors.put(key, dense("entry \"" + key + "\" of input " + input, values.get(key), type)));
        return tensors;
    }

    /** Computes the wanted variables, by name. */
    Map<String, Value> run() {
        Object[] made = isBoundLate() ? late() : model.run(tensors(), isBatch(), wanted);
        Map<String, Value> results = new LinkedHashMap<>();
        for (int n = 0; n < made.length; n++) {
            results.put(wanted.get(n).toString(), value(made[n]));
        }
        return results;
    }

    private boolean isBoundLate() {
        for (Variable variable : wanted) {
            if (graph.source(variable) != null) {
                return true;
            }
        }
        return false;
    }

    private Object[] late() {
        for (Variable input : graph.inputs(wanted)) {
            if (input.form == Variable.Form.TENSOR) {
                AnyTensor<?> tensor = (AnyTensor<?>) given.get(input);
                if (!(tensor instanceof Tensor)) {
                    throw new IllegalArgumentException("input " + input + " is sparse or ragged: a graph with sequences takes dense ones; toDense"
                        + " makes them");
                }
                if (tensor.dataType() != input.fed() || !Arrays.equals(tensor.shape(), input.shape())) {
                    throw new IllegalArgumentException("input " + input + " is " + input.fed() + " of shape " + Arrays.toString(input.shape())
                        + "; given is " + tensor.dataType() + " of shape " + Arrays.toString(tensor.shape())
                        + (tensor.rank() == input.rank() + 1 ? ": a graph with sequences takes no batch, but one example" : ""));
                }
            }
        }
        return model.run(given, wanted);
    }

    private static Value value(Object made) {
        if (made instanceof AnyTensor) {
            return Value.of((AnyTensor<?>) made);
        }
        if (made instanceof Map) {
            Map<String, Tensor<?>> entries = new LinkedHashMap<>();
            ((Map<?, ?>) made).forEach((key, tensor) -> entries.put((String) key, (Tensor<?>) tensor));
            return Value.dict(entries);
        }
        Items items = (Items) made;
        return items.type == null || !items.tensors.isEmpty() ? Value.list(items.tensors) : SequenceOps.empty(items.type);
    }

    private Map<Variable, AnyTensor<?>> tensors() {
        Map<Variable, AnyTensor<?>> tensors = new HashMap<>();
        given.forEach((input, content) -> {
            if (content instanceof AnyTensor) {
                tensors.put(input, (AnyTensor<?>) content);
            }
        });
        return tensors;
    }

    private boolean isBatch() {
        Boolean isBatch = null;
        long examples = -1;
        for (Variable input : graph.inputs(wanted)) {
            AnyTensor<?> tensor = (AnyTensor<?>) given.get(input);
            boolean more = tensor.rank() == input.rank() + 1;
            if (isBatch != null && isBatch != more || more && examples >= 0 && tensor.size(0) != examples) {
                throw new IllegalArgumentException("inputs are all of one example, or all of as many; " + input + " is of shape "
                    + Arrays.toString(tensor.shape()));
            }
            isBatch = more;
            examples = more ? tensor.size(0) : -1;
        }
        return isBatch != null && isBatch;
    }
}
