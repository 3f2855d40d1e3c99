package io.tensornio.internal.graph;

import io.tensornio.Tensor;
import io.tensornio.internal.data.AnyData;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The values of a run, or of the body of a map for one item: tensors, sequences and dictionaries. Tensors made in the
 * run are owned here, once, even if they are in several sequences; closing this closes those that were not taken.
 */
final class Values implements AutoCloseable {
    private final Model model;
    private final Plan plan;
    /** The values around the body, or null. */
    private final Values outer;
    private final Map<Variable, Object> known = new HashMap<>();
    private final Set<Tensor<?>> owned = Collections.newSetFromMap(new IdentityHashMap<>());

    /** The values of a whole run. */
    Values(Model model, Plan plan, Map<Variable, Object> given) {
        this.model = model;
        this.plan = plan;
        outer = null;
        known.putAll(given);
    }

    /** The values of the body of a map, for one item. */
    Values(Values outer) {
        model = outer.model;
        plan = outer.plan;
        this.outer = outer;
    }

    void set(Variable of, Object value) {
        known.put(of, value);
    }

    private Object find(Variable of) {
        for (Values place = this; place != null; place = place.outer) {
            Object value = place.known.get(of);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    /** A tensor. */
    Tensor<?> tensor(Variable of) {
        Object value = find(of);
        if (value != null) {
            return (Tensor<?>) value;
        }
        Values whole = this;
        while (whole.outer != null) {
            whole = whole.outer;
        }
        Tensor<?> kept = whole.own(model.cell(of).now().snapshot());       // a parameter or constant
        whole.set(of, kept);
        return kept;
    }

    /** A tensor as an operand of a program; parameters and constants are not copied. */
    Object operand(Variable of) {
        Cell cell = model.cell(of);
        return cell == null ? tensor(of) : cell.now().data();
    }

    Items items(Variable of) {
        return (Items) find(of);
    }

    @SuppressWarnings("unchecked")          // what is given for a dictionary
    Map<String, Tensor<?>> entries(Variable of) {
        return (Map<String, Tensor<?>>) find(of);
    }

    Plan body(Mapping of) {
        return plan.body(of);
    }

    void check() {
        model.check();
    }

    /** Takes ownership of a new tensor. */
    Tensor<?> own(Tensor<?> made) {
        owned.add(made);
        return made;
    }

    /** Removes variables, and closes tensors that were made here and are in no other variable. */
    void drop(List<Variable> last) {
        Set<Tensor<?>> dropped = Collections.newSetFromMap(new IdentityHashMap<>());
        last.forEach(variable -> dropped.addAll(tensors(known.remove(variable))));
        dropped.removeIf(tensor -> !owned.contains(tensor));
        if (!dropped.isEmpty()) {
            known.values().forEach(value -> tensors(value).forEach(dropped::remove));
            dropped.forEach(owned::remove);
            dropped.forEach(Tensor::close);
        }
    }

    /** The tensors of a value. */
    private static List<Tensor<?>> tensors(Object value) {
        return value instanceof Items ? ((Items) value).tensors : value instanceof Tensor ? Collections.singletonList((Tensor<?>) value)
            : Collections.emptyList();
    }

    /** Moves ownership of a tensor to the values around the body; does nothing if it is not owned here. */
    void give(Tensor<?> made) {
        if (owned.remove(made)) {
            outer.own(made);
        }
    }

    /**
     * The results for the caller: tensors made here, and copies of given ones or those taken already.
     *
     * @return for each a tensor, {@link Items} or a map of tensors
     */
    Object[] take(List<Variable> wanted) {
        List<Tensor<?>> taken = new ArrayList<>();
        try {
            Object[] all = new Object[wanted.size()];
            for (int n = 0; n < all.length; n++) {
                all[n] = take(wanted.get(n), taken);
            }
            return all;
        } catch (Throwable e) {
            taken.forEach(Tensor::close);
            throw e;
        }
    }

    private Object take(Variable of, List<Tensor<?>> taken) {
        switch (of.form) {
            case TENSOR:
                return take(tensor(of), taken);
            case LIST:
                Items items = items(of);
                List<Tensor<?>> own = new ArrayList<>();
                items.tensors.forEach(tensor -> own.add(take(tensor, taken)));
                return new Items(items.type, own);
            default:
                Map<String, Tensor<?>> entries = new LinkedHashMap<>();
                entries(of).forEach((key, tensor) -> entries.put(key, take(tensor, taken)));
                return entries;
        }
    }

    private Tensor<?> take(Tensor<?> tensor, List<Tensor<?>> taken) {
        Tensor<?> own = owned.remove(tensor) ? tensor : AnyData.of(tensor).copy();
        taken.add(own);
        return own;
    }

    @Override
    public void close() {
        owned.forEach(Tensor::close);
        owned.clear();
    }
}
