package io.tensornio.internal.compute;

import io.tensornio.DataType;
import io.tensornio.internal.data.StridedOperand;
import io.tensornio.internal.data.WritableTensor;
import io.tensornio.internal.layout.Layout;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A program that is run repeatedly on inputs of the same shapes, in memory that its owner keeps writable and pinned: a
 * run allocates no object. For one thread at a time.
 */
public final class Call implements Slots {
    private final Program program;
    /** The buffer of each input, then of each output. */
    private final ByteBuffer[] memory;
    private final long[] geometry;
    /** The index in the geometry of each input, then of each output. */
    private final int[] places;
    private Binding binding;

    /**
     * Makes a plan.
     *
     * @param program the program
     * @param types the type of each input, in order; null for a floating-point number
     * @param shapes the shape of each input
     * @throws IllegalArgumentException if they do not fit the program
     */
    public Call(Program program, List<DataType> types, List<long[]> shapes) {
        this.program = program;
        int inputs = types.size();
        int outputs = program.outputs().size();
        int numbers = 0;
        for (int n = 0; n < inputs; n++) {
            numbers += types.get(n) == null ? 1 : Places.length(shapes.get(n).length);
        }
        binding = Binding.of(program.text(), outputs, Outputs.signature(types, shapes, outputs));
        memory = new ByteBuffer[inputs + outputs];
        geometry = new long[numbers + binding.places];
        places = new int[inputs + outputs];
        int at = 0;
        for (int n = 0; n < inputs; n++) {
            if (types.get(n) == null) {
                places[n] = at++;
            } else {
                at = place(n, at, shapes.get(n));
            }
        }
        for (int n = 0; n < outputs; n++) {
            at = place(inputs + n, at, binding.shapes[n]);
        }
    }

    private int place(int n, int at, long... shape) {
        places[n] = at;
        geometry[at] = n;
        long[] strides = Layout.rowMajorStrides(shape);
        System.arraycopy(strides, 0, geometry, at + 2, strides.length);
        return at + Places.length(shape.length);
    }

    /** The number of outputs. */
    public int outputs() {
        return binding.shapes.length;
    }

    /** The type of an output. */
    public DataType type(int output) {
        return binding.types[output];
    }

    /** The shape of an output; not to be written. */
    public long[] shape(int output) {
        return binding.shapes[output];
    }

    @Override
    public void input(int n, WritableTensor from, long skipped) {
        memory[n] = from.root();
        geometry[places[n] + 1] = from.byteOffset() + skipped;
    }

    /** Sets the location of a strided input. */
    public void input(int n, StridedOperand from) {
        memory[n] = from.root();
        geometry[places[n] + 1] = from.byteOffset();
        System.arraycopy(from.strides(), 0, geometry, places[n] + 2, from.rank());
    }

    @Override
    public void number(int n, double value) {
        geometry[places[n]] = Double.doubleToRawLongBits(value);
    }

    @Override
    public void output(int n, WritableTensor to, long skipped) {
        int at = places.length - binding.shapes.length + n;
        memory[at] = to.root();
        geometry[places[at] + 1] = to.byteOffset() + skipped;
    }

    @Override
    public void run() {
        binding = program.run(binding, memory, geometry);
    }
}
