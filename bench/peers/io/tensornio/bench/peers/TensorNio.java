package io.tensornio.bench.peers;

import io.tensornio.op.Operand;
import io.tensornio.op.Ops;
import java.util.function.Supplier;

/** This library. Results are closed; {@code OpsBench} has what one costs that is dropped. */
final class TensorNio extends Library {
    private final Ops tf = Ops.create();
    private final Operand<Float> x;
    private final Operand<Float> y;
    private final Operand<Float> rows;
    private final Operand<Float> square;

    TensorNio(int size) {
        super(size);
        x = tf.array.fill(X, size);
        y = tf.array.fill(Y, size);
        rows = tf.array.reshape(x, -1, row);
        square = tf.array.fill(X, side, side);
    }

    @Override
    Runnable call(String operation) {
        Supplier<Operand<?>> call = of(operation);
        return () -> call.get().asTensor().close();
    }

    private Supplier<Operand<?>> of(String operation) {
        switch (operation) {
            case "add":
                return () -> tf.math.add(x, y);
            case "mul":
                return () -> tf.math.mul(x, y);
            case "exp":
                return () -> tf.math.exp(x);
            case "tanh":
                return () -> tf.math.tanh(x);
            case "relu":
                return () -> tf.nn.relu(x);
            case "less":
                return () -> tf.math.less(x, y);
            case "sum":
                return () -> tf.reduce.sum(x);
            case "maxOfRows":
                return () -> tf.reduce.max(rows, 1);
            case "softmax":
                return () -> tf.nn.softmax(rows);
            case "matmul":
                return () -> tf.linalg.matmul(square, square);
            case "transpose":
                return () -> tf.linalg.transpose(rows);
            case "concat":
                return () -> tf.array.concat(0, x, y);
            default:
                throw unknown(operation);
        }
    }

    @Override
    public void close() {
        tf.close();
    }
}
