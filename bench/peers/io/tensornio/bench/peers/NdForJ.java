package io.tensornio.bench.peers;

import java.util.function.Supplier;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.ops.transforms.Transforms;

/** ND4J. Results are closed. */
final class NdForJ extends Library {
    private final INDArray x;
    private final INDArray y;
    private final INDArray rows;
    private final INDArray square;

    NdForJ(int size) {
        super(size);
        x = Nd4j.valueArrayOf(new long[] {size}, X);
        y = Nd4j.valueArrayOf(new long[] {size}, Y);
        rows = x.reshape(-1, row);
        square = Nd4j.valueArrayOf(new long[] {side, side}, X);
    }

    @Override
    Runnable call(String operation) {
        Supplier<INDArray> call = of(operation);
        return () -> call.get().close();
    }

    private Supplier<INDArray> of(String operation) {
        switch (operation) {
            case "add":
                return () -> x.add(y);
            case "mul":
                return () -> x.mul(y);
            case "exp":
                return () -> Transforms.exp(x, true);
            case "tanh":
                return () -> Transforms.tanh(x, true);
            case "relu":
                return () -> Transforms.relu(x, true);
            case "less":
                return () -> x.lt(y);
            case "sum":
                return () -> x.sum();
            case "maxOfRows":
                return () -> rows.max(1);
            case "softmax":
                return () -> Transforms.softmax(rows, true);
            case "matmul":
                return () -> square.mmul(square);
            case "transpose":
                return () -> rows.transpose().dup('c');         // transpose alone is a view
            case "concat":
                return () -> Nd4j.concat(0, x, y);
            default:
                throw unknown(operation);
        }
    }

    @Override
    public void close() {
        x.close();
        y.close();
        square.close();
    }
}
