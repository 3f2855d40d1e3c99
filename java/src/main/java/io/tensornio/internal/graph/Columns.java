package io.tensornio.internal.graph;

import io.tensornio.TensorData;
import io.tensornio.internal.data.StoredOperand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Inputs given as columns, whose first axis is the example. */
final class Columns {
    private Columns() {
    }

    /**
     * Checks that there is a column for each required input, and that each fits its input.
     *
     * @throws IllegalArgumentException if not, naming all inputs at fault
     */
    static void check(Forward forward, Map<Variable, TensorData<?>> columns) {
        List<String> faults = new ArrayList<>();
        for (Variable input : forward.given.keySet()) {
            TensorData<?> column = columns.get(input);
            if (column == null) {
                faults.add("input " + input + " has no column");
            } else if (column.dataType() != input.fed() || !fits(input, column.shape())) {
                faults.add("input " + input + " is " + input.fed() + " of shape " + Arrays.toString(input.shape())
                    + " for each example; its column is " + column.dataType() + " of shape " + Arrays.toString(column.shape()));
            }
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", faults));
        }
    }

    /** Whether the shape of examples fits an input, whose varying axes may have any lengths. */
    static boolean fits(Variable input, long... shape) {
        return shape.length == input.rank() + 1 && fitsOne(input, Arrays.copyOfRange(shape, 1, shape.length));
    }

    /** The same for one example. */
    static boolean fitsOne(Variable input, long... shape) {
        boolean fits = shape.length == input.rank();
        for (int axis = 0; fits && axis < shape.length; axis++) {
            fits = input.axes[axis].isVarying() || shape[axis] == input.axes[axis].length();
        }
        return fits;
    }

    /** Whether columns are ragged or sparse. */
    static boolean isStored(Map<Variable, TensorData<?>> columns) {
        return columns.values().stream().anyMatch(StoredOperand::is);
    }
}
