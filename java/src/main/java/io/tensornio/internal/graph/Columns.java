package io.tensornio.internal.graph;

import io.tensornio.TensorData;
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
            } else if (column.dataType() != input.fed() || !Arrays.equals(column.shape(), Rows.with(column.size(0), input.shape()))) {
                faults.add("input " + input + " is " + input.fed() + " of shape " + Arrays.toString(input.shape())
                    + " for each example; its column is " + column.dataType() + " of shape " + Arrays.toString(column.shape()));
            }
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", faults));
        }
    }
}
