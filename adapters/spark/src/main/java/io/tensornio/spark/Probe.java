package io.tensornio.spark;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.StructType;

/** Finds out the types and ranks of outputs, by a run on one row of zeros and empty strings. */
final class Probe {
    private Probe() {
    }

    static Output[] known(Model model, StructType schema, Input[] inputs, List<Output> outputs) {
        Output[] known = outputs.toArray(new Output[0]);
        if (outputs.stream().noneMatch(output -> output.type == null)) {
            return known;
        }
        Map<String, AnyTensor<?>> row = new LinkedHashMap<>();
        Map<String, ? extends AnyTensor<?>> results = null;
        String[] names = outputs.stream().map(output -> output.name).toArray(String[]::new);
        try (Model.Copy copy = model.copy(names)) {
            for (Input input : inputs) {
                row.put(input.name, zero(input, schema.apply(input.column).dataType()));
            }
            results = Objects.requireNonNull(copy.run(row), "the model returned no map");
            for (int i = 0; i < known.length; i++) {
                AnyTensor<?> result = Outputs.named(known[i].name, results);
                if (result.rank() == 0) {
                    throw new IllegalArgumentException("output " + known[i].name + " has no axis of the rows");
                }
                if (known[i].type == null) {
                    known[i] = known[i].of(result.dataType(), result.rank() - 1);
                    known[i].element();
                }
            }
            return known;
        } catch (Exception e) {
            throw new IllegalArgumentException("the types of outputs are not known from a run on one row of zeros (output(column, type, rank) says "
                + "them): " + e.getMessage(), e);
        } finally {
            Outputs.close(row.values());
            if (results != null) {
                Outputs.close(results.values());
            }
        }
    }

    /** A row of zeros, or of empty strings; ragged axes have one row each. */
    private static AnyTensor<?> zero(Input input, org.apache.spark.sql.types.DataType column) {
        org.apache.spark.sql.types.DataType inner = column;
        while (inner instanceof ArrayType) {
            inner = ((ArrayType) inner).elementType();
        }
        DataType type = input.type != null ? input.type : Vectors.isType(inner) ? DataType.DOUBLE : Element.of(inner).dataType;
        long[] shape = new long[input.sizes.length + 1];
        System.arraycopy(input.sizes, 0, shape, 1, input.sizes.length);
        shape[0] = 1;
        int ragged = input.ragged();
        if (ragged == 0) {
            return dense(type, shape);
        }
        long[] inside = new long[shape.length - ragged];
        System.arraycopy(shape, ragged + 1, inside, 1, inside.length - 1);
        inside[0] = 1;
        long[][] splits = new long[ragged][];
        java.util.Arrays.fill(splits, new long[] {0, 1});
        try (Tensor<?> values = dense(type, inside)) {
            return RaggedTensor.fromRowSplits(values.data(), splits);
        }
    }

    private static Tensor<?> dense(DataType type, long... shape) {
        return type == DataType.STRING ? Tensors.denseString(shape, data -> { }) : Tensors.dense(type, shape, data -> { });
    }
}
