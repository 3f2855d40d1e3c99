package io.tensornio.spark;

import io.tensornio.DataType;
import io.tensornio.graph.ComputeGraph;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Runs a model on the rows of a {@code Dataset}: columns become tensors, by batches, and outputs become columns behind those that are there.
 * Immutable: each method gives another transform.
 *
 * <pre>{@code
 * Dataset<Row> scored = TensorTransform.of(model).input("features", 64).output("probabilities").batchSize(512).transform(df);
 * }</pre>
 *
 * <p><b>Columns.</b> Numbers, booleans, strings, BINARY (UINT8), vectors of MLlib (DOUBLE, with what a sparse one does not store), and arrays of
 * these. A row has the shape that the input says; an array of a single level has its elements in row-major order. A null, or another length, fails
 * the task with an {@code IllegalArgumentException} that names column, row and partition; what a model throws is the cause of an
 * {@code IllegalStateException} that names the batch's first row.
 *
 * <p><b>Memory.</b> The tensors of a batch are closed as soon as its outputs are read, whatever happens to the task. Each JVM has the model once for
 * each transform, and a copy that runs for each task that runs at the same time, where copies are needed; they are closed a minute after the last
 * task.
 */
public final class TensorTransform {
    private final Model model;
    private final List<Input> inputs;
    private final List<Output> outputs;
    private final boolean inputIsLast;
    private final int batchSize;

    private TensorTransform(Model model, List<Input> inputs, List<Output> outputs, boolean inputIsLast, int batchSize) {
        this.model = model;
        this.inputs = inputs;
        this.outputs = outputs;
        this.inputIsLast = inputIsLast;
        this.batchSize = batchSize;
    }

    private static TensorTransform begun(Model model) {
        return new TensorTransform(model, new ArrayList<>(), new ArrayList<>(), true, 256);
    }

    /**
     * A function of tensors. It is serialised now; what runs, and is closed after use, is read from that.
     *
     * @param model the function
     * @return a transform without inputs and outputs, by batches of 256 rows
     * @throws IllegalArgumentException if it cannot be serialised
     */
    public static TensorTransform of(ModelFunction model) {
        return begun(new FunctionModel(Objects.requireNonNull(model, "model")));
    }

    /**
     * A graph with parameters.
     *
     * @param graph what compiles the graph on executors
     * @param checkpoint its parameters, as {@link ComputeGraph#save(java.io.OutputStream)} writes them
     * @return a transform without inputs and outputs, by batches of 256 rows
     */
    public static TensorTransform of(GraphSupplier graph, byte[] checkpoint) {
        return begun(new GraphModel(Objects.requireNonNull(graph, "graph"), checkpoint.clone()));
    }

    /**
     * A graph with the parameters that another one has now.
     *
     * @param graph what compiles the graph on executors
     * @param trained a compute graph of the same network
     * @return a transform without inputs and outputs, by batches of 256 rows
     * @throws IllegalStateException if the compute graph is closed
     */
    public static TensorTransform of(GraphSupplier graph, ComputeGraph trained) {
        ByteArrayOutputStream checkpoint = new ByteArrayOutputStream();
        trained.save(checkpoint);
        return of(graph, checkpoint.toByteArray());
    }

    /**
     * An ONNX model, which {@code tensornio-onnx} runs on executors.
     *
     * @param bytes what a file in ONNX's format has
     * @return a transform without inputs and outputs, by batches of 256 rows
     */
    public static TensorTransform onnx(byte[] bytes) {
        return begun(new OnnxBytes(bytes.clone()));
    }

    private TensorTransform with(Input input) {
        for (long size : input.sizes) {
            if (size < -1) {
                throw new IllegalArgumentException("input " + input.column + " has a size of " + size
                    + ": sizes are from 0 on, or -1 if rows differ");
            }
        }
        for (int axis = input.ragged(); axis < input.sizes.length; axis++) {
            if (input.sizes[axis] < 0) {
                throw new IllegalArgumentException("input " + input.column + " has the sizes " + Arrays.toString(input.sizes)
                    + ": axes whose rows differ come before the others");
            }
        }
        List<Input> more = new ArrayList<>(inputs);
        more.add(input);
        return new TensorTransform(model, more, outputs, true, batchSize);
    }

    private TensorTransform with(Output output) {
        List<Output> more = new ArrayList<>(outputs);
        more.add(output);
        return new TensorTransform(model, inputs, more, false, batchSize);
    }

    /**
     * A column as an input of the same name.
     *
     * @param column its name
     * @param sizes the shape of a row, without the axis of the rows; none for a single element. Leading sizes may be -1: rows differ there in length,
     *     and the input is ragged
     * @return another transform
     * @throws IllegalArgumentException if a size is less than -1, or one of -1 comes after another
     */
    public TensorTransform input(String column, long... sizes) {
        return with(new Input(Objects.requireNonNull(column, "column"), column, null, sizes.clone()));
    }

    /**
     * A column as an input of the same name, whose elements are converted.
     *
     * @param column its name
     * @param type the type of the input, to which elements are cast as {@link io.tensornio.Tensors#convert} does
     * @param sizes the shape of a row, see {@link #input(String, long...)}
     * @return another transform
     * @throws IllegalArgumentException as {@link #input(String, long...)}
     */
    public TensorTransform input(String column, DataType type, long... sizes) {
        return with(new Input(Objects.requireNonNull(column, "column"), column, Objects.requireNonNull(type, "type"), sizes.clone()));
    }

    /**
     * An output of the model as a column of the same name. Its type and rank are found out by a run on one row of zeros and empty strings, on the
     * driver.
     *
     * @param column its name
     * @return another transform
     */
    public TensorTransform output(String column) {
        return with(new Output(Objects.requireNonNull(column, "column"), column, null, 0));
    }

    /**
     * An output of the model as a column of the same name.
     *
     * @param column its name
     * @param type the type that the model's output has
     * @param rank the rank of a row: 0 for an element, 1 for an array, and so on
     * @return another transform
     * @throws IllegalArgumentException if the rank is negative, or no column can have the type
     */
    public TensorTransform output(String column, DataType type, int rank) {
        if (rank < 0) {
            throw new IllegalArgumentException("output " + column + " of rank " + rank);
        }
        Output output = new Output(Objects.requireNonNull(column, "column"), column, Objects.requireNonNull(type, "type"), rank);
        output.element();
        return with(output);
    }

    /**
     * The model's name of the input or output that was added last, if it is not that of the column.
     *
     * @param name the name in the model
     * @return another transform
     * @throws IllegalStateException if there is none
     */
    public TensorTransform named(String name) {
        Objects.requireNonNull(name, "name");
        List<Input> in = new ArrayList<>(inputs);
        List<Output> out = new ArrayList<>(outputs);
        if (in.isEmpty() && out.isEmpty()) {
            throw new IllegalStateException("there is no input and no output that could be named " + name);
        }
        if (inputIsLast) {
            in.set(in.size() - 1, in.get(in.size() - 1).named(name));
        } else {
            out.set(out.size() - 1, out.get(out.size() - 1).named(name));
        }
        return new TensorTransform(model, in, out, inputIsLast, batchSize);
    }

    /**
     * How many rows the model gets at once; the last batch of a partition may have less.
     *
     * @param rows the number of rows
     * @return another transform
     * @throws IllegalArgumentException if it is not positive
     */
    public TensorTransform batchSize(int rows) {
        if (rows <= 0) {
            throw new IllegalArgumentException("a batch of " + rows + " rows: there is to be at least one");
        }
        return new TensorTransform(model, inputs, outputs, inputIsLast, rows);
    }

    /**
     * Adds the columns of the outputs. Nothing runs yet, but for outputs of unknown type.
     *
     * @param df rows with the columns of the inputs
     * @return the same rows, with one more column for each output
     * @throws IllegalArgumentException if a column is missing, has another type or is there already; if there are no inputs or outputs, or names
     *     occur twice; if the model fails on a row of zeros, where that is asked for; or if {@code df} belongs to Spark Connect, which runs no code
     *     of executors
     */
    public Dataset<Row> transform(Dataset<Row> df) {
        JavaSparkContext context = Sessions.context(Objects.requireNonNull(df, "df"));
        StructType schema = df.schema();
        Input[] in = new Resolution(schema, inputs, outputs).inputs();
        Output[] out = Probe.known(model, schema, in, outputs);
        StructType made = schema;
        for (Output output : out) {
            made = made.add(new StructField(output.column, output.sparkType(), false, org.apache.spark.sql.types.Metadata.empty()));
        }
        Broadcast<Model> sent = context.broadcast(model);
        BatchFunction function = new BatchFunction(UUID.randomUUID().toString(), sent, schema, in, out, batchSize);
        return df.as(Encoders.row(Columns.raw(schema))).mapPartitions(function, Encoders.row(made));
    }
}
