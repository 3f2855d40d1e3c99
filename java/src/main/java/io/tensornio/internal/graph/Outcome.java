package io.tensornio.internal.graph;

import io.tensornio.DataType;
import io.tensornio.internal.compute.Outputs;
import io.tensornio.internal.compute.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The types and shapes of a comprehension's results, for inputs of certain types and shapes. */
final class Outcome {
    private final Program program;
    private final Outputs outputs;

    /**
     * Infers them.
     *
     * @throws IllegalArgumentException if the inputs do not fit, or one is not a tensor of the graph
     */
    Outcome(Program given, Function<Variable, long[]> shape, Map<String, Variable> variables, Noise noise) {
        program = given.dense();
        List<DataType> types = new ArrayList<>();
        List<long[]> shapes = new ArrayList<>();
        for (String name : program.inputs()) {
            if (noise != null && name.equals(Noise.NAME)) {
                types.add(DataType.BOOL);
                shapes.add(shape.apply(noise.like));
                continue;
            }
            Variable variable = variables.get(name);
            if (variable == null) {
                throw new IllegalArgumentException("`" + name + "` is read, but nothing defines it: a tensor of a graph has a Sym");
            }
            types.add(variable.type);
            shapes.add(shape.apply(variable));
        }
        outputs = program.infer(types, shapes);
    }

    private int index(Variable of) {
        int index = program.outputs().indexOf(of.key.name());
        if (index < 0) {
            throw new IllegalArgumentException(of + " is to be made by a comprehension that does not define it");
        }
        return index;
    }

    DataType type(Variable of) {
        return outputs.types[index(of)];
    }

    long[] shape(Variable of) {
        return outputs.shapes[index(of)];
    }
}
