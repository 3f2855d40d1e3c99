package io.tensornio.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.StructType;

/** Finds the columns of inputs, by their names or, if one has no other, by their names in other letters; all faults are told at once. */
final class Resolution {
    private final StructType schema;
    private final List<String> faults = new ArrayList<>();
    private final List<Input> found = new ArrayList<>();

    Resolution(StructType schema, List<Input> inputs, List<Output> outputs) {
        this.schema = schema;
        if (inputs.isEmpty() || outputs.isEmpty()) {
            faults.add("there are " + inputs.size() + " inputs and " + outputs.size() + " outputs: there is to be one of each");
        }
        Set<String> names = new HashSet<>();
        for (Input input : inputs) {
            if (!names.add(input.name)) {
                faults.add("two inputs are named " + input.name);
            }
            resolve(input);
        }
        Set<String> columns = new HashSet<>(Arrays.asList(schema.fieldNames()));
        for (Output output : outputs) {
            if (!columns.add(output.column)) {
                faults.add("there is a column " + output.column + " already");
            }
        }
    }

    private void resolve(Input input) {
        List<String> same = new ArrayList<>();
        for (String name : schema.fieldNames()) {
            if (name.equals(input.column)) {
                same.add(name);
            }
        }
        if (same.isEmpty()) {
            for (String name : schema.fieldNames()) {
                if (name.equalsIgnoreCase(input.column)) {
                    same.add(name);
                }
            }
        }
        if (same.size() != 1) {
            faults.add((same.isEmpty() ? "there is no column " : "there are several columns ") + input.column + "; there are "
                + Arrays.toString(schema.fieldNames()));
            return;
        }
        Input own = new Input(same.get(0), input.name, input.type, input.sizes);
        try {
            new Gathering(own, schema.apply(own.column).dataType());
            found.add(own);
        } catch (IllegalArgumentException e) {
            faults.add(e.getMessage());
        }
    }

    Input[] inputs() {
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", faults));
        }
        return found.toArray(new Input[0]);
    }
}
