package io.tensornio.axes;

import io.tensornio.Axis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;

/** A tensor of named axes as a map: from an index for each axis to an element. What the library computes is compared with this. */
final class NamedModel {
    final Axis[] axes;
    private final Map<Map<Axis, Long>, Double> elements = new HashMap<>();

    private NamedModel(Axis... axes) {
        this.axes = axes;
    }

    /** All indices of some axes, in row-major order. */
    static List<Map<Axis, Long>> indices(Axis... axes) {
        List<Map<Axis, Long>> all = new ArrayList<>();
        all.add(new HashMap<>());
        for (Axis axis : axes) {
            List<Map<Axis, Long>> more = new ArrayList<>();
            for (Map<Axis, Long> one : all) {
                for (long i = 0; i < axis.length(); i++) {
                    Map<Axis, Long> next = new HashMap<>(one);
                    next.put(axis, i);
                    more.add(next);
                }
            }
            all = more;
        }
        return all;
    }

    static NamedModel of(Axis[] axes, Function<Map<Axis, Long>, Double> element) {
        NamedModel model = new NamedModel(axes);
        for (Map<Axis, Long> index : indices(axes)) {
            model.elements.put(index, element.apply(index));
        }
        return model;
    }

    double at(Map<Axis, Long> index) {
        Double element = elements.get(index);
        if (element == null) {
            throw new AssertionError(index + " in " + Arrays.toString(axes));
        }
        return element;
    }

    /** The element at an index that has more axes, or others of the same class and length instead. */
    double broadcast(Map<Axis, Long> index) {
        Map<Axis, Long> own = new HashMap<>();
        for (Axis axis : axes) {
            Long at = index.get(axis);
            for (Map.Entry<Axis, Long> other : index.entrySet()) {
                Axis o = other.getKey();
                if (at == null && o.axisClass().equals(axis.axisClass()) && o.length() == axis.length() && o.offset() == axis.offset()) {
                    at = other.getValue();
                }
            }
            own.put(axis, at);
        }
        return at(own);
    }

    /** Reduces some axes. */
    NamedModel reduce(Axis[] kept, double identity, DoubleBinaryOperator operator) {
        Map<Map<Axis, Long>, Double> sums = new HashMap<>();
        for (Map.Entry<Map<Axis, Long>, Double> entry : elements.entrySet()) {
            Map<Axis, Long> index = new HashMap<>(entry.getKey());
            index.keySet().retainAll(Arrays.asList(kept));
            sums.merge(index, operator.applyAsDouble(identity, entry.getValue()), operator::applyAsDouble);
        }
        return of(kept, index -> sums.getOrDefault(index, identity));
    }

    /** The elements in row-major order. */
    double[] flat() {
        return indices(axes).stream().mapToDouble(this::at).toArray();
    }
}
