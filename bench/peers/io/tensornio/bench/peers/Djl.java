package io.tensornio.bench.peers;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import java.util.function.Supplier;

/** DJL on PyTorch. Results are closed. */
final class Djl extends Library {
    private final NDManager manager = NDManager.newBaseManager();
    private final NDArray x;
    private final NDArray y;
    private final NDArray rows;
    private final NDArray square;

    Djl(int size) {
        super(size);
        x = manager.full(new Shape(size), X);
        y = manager.full(new Shape(size), Y);
        rows = x.reshape(-1, row);
        square = manager.full(new Shape(side, side), X);
    }

    @Override
    Runnable call(String operation) {
        if (operation.equals("transpose")) {
            return () -> {
                try (NDArray view = rows.transpose(); NDArray copy = view.reshape(-1)) {        // a view cannot have this shape
                    assert copy.size() == view.size();
                }
            };
        }
        Supplier<NDArray> call = of(operation);
        return () -> call.get().close();
    }

    private Supplier<NDArray> of(String operation) {
        switch (operation) {
            case "add":
                return () -> x.add(y);
            case "mul":
                return () -> x.mul(y);
            case "exp":
                return () -> x.exp();
            case "tanh":
                return () -> x.tanh();
            case "relu":
                return () -> Activation.relu(x);
            case "less":
                return () -> x.lt(y);
            case "sum":
                return () -> x.sum();
            case "maxOfRows":
                return () -> rows.max(new int[] {1});
            case "softmax":
                return () -> rows.softmax(-1);
            case "matmul":
                return () -> square.matMul(square);
            case "concat":
                return () -> x.concat(y);
            default:
                throw unknown(operation);
        }
    }

    @Override
    public void close() {
        manager.close();
    }
}
