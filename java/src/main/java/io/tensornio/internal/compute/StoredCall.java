package io.tensornio.internal.compute;

import io.tensornio.TensorData;
import io.tensornio.internal.data.WritableTensor;
import java.util.Arrays;
import java.util.List;

/** A program that is run repeatedly on tensors of which some are ragged or sparse: their rows and positions are others in each run. */
public final class StoredCall implements Slots {
    private final Program program;
    private final Object[] inputs;
    private final TensorData<?>[] outputs;
    private final List<TensorData<?>> targets;

    /** A new one, without inputs and outputs. */
    public StoredCall(Program program) {
        this.program = program;
        inputs = new Object[program.inputs().size()];
        outputs = new TensorData<?>[program.outputs().size()];
        targets = Arrays.asList(outputs);
    }

    /** Sets an input: data or a tensor of any kind. */
    public void input(int n, Object from) {
        inputs[n] = from;
    }

    @Override
    public void input(int n, WritableTensor from, long skipped) {
        inputs[n] = from.data();
    }

    @Override
    public void number(int n, double value) {
        inputs[n] = value;
    }

    @Override
    public void output(int n, WritableTensor to, long skipped) {
        outputs[n] = to.data();
    }

    @Override
    public void run() {
        program.runInto(inputs, targets);
    }
}
