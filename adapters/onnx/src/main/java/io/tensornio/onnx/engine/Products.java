package io.tensornio.onnx.engine;

import io.tensornio.TensorData;
import java.util.Arrays;

/** Products of matrices. */
final class Products {
    private Products() {
    }

    static void addTo(Table table) {
        table.one("MatMul", 1, "y[..., i, j] += a[..., i, k] * b[..., k, j]", Products::product).reads();
        table.one("Gemm", 6, "t[i, j] += a[i, k] * b[k, j]; y[i, j] = alpha * t[i, j] + beta * c[i, j]", Products::gemm).reads();
    }

    /** The product of matrices, or of batches of them, which broadcast; a vector is a row on the left and a column on the right. */
    static Item matmul(TensorData<?> a, TensorData<?> b) {
        return Programs.run(plan(null, a, b), a, b);
    }

    private static Item product(Call call) {
        TensorData<?> a = call.data(0);
        TensorData<?> b = call.data(1);
        return call.run(call.plan(() -> plan(call.epilogue, a, b), a, b), a, b);
    }

    private static Plan plan(Followed.Epilogue epilogue, TensorData<?> a, TensorData<?> b) {
        if (a.rank() == 0 || b.rank() == 0) {
            throw new IllegalArgumentException("a matrix product needs operands of rank 1 or more");
        }
        boolean row = a.rank() == 1;
        boolean column = b.rank() == 1;
        long[] left = row ? Shapes.SCALAR : Arrays.copyOf(a.shape(), a.rank() - 2);
        long[] right = column ? Shapes.SCALAR : Arrays.copyOf(b.shape(), b.rank() - 2);
        long[] batch = Shapes.broadcast(left, right);
        String loops = inside(Elementwise.loops(batch.length));
        String all = joined(loops, row ? "" : "i", column ? "" : "j");
        String product = "] += x0["
            + joined(inside(Elementwise.access(left, batch)), row ? "" : "i", "k") + "] * x1["
            + joined(inside(Elementwise.access(right, batch)), "k", column ? "" : "j") + "]";
        long[] shape = Shapes.concat(batch, row ? Shapes.SCALAR : new long[] {a.size(a.rank() - 2)},
            column ? Shapes.SCALAR : new long[] {b.size(b.rank() - 1)});
        String after = epilogue == null || all.isEmpty() ? null : epilogue.statements("t[" + all + "]", all.split(","), shape, 2);
        return after == null ? new Plan("y[" + all + product) : new Plan("t[" + all + product + after, true);
    }

    private static String inside(String brackets) {
        return brackets.substring(1, brackets.length() - 1);
    }

    private static String joined(String... indices) {
        return String.join(",", Arrays.stream(indices).filter(index -> !index.isEmpty()).toArray(String[]::new));
    }

    private static Item gemm(Call call) {
        TensorData<?> a = call.attributes.flag("transA", false) ? call.data(0).transpose() : call.data(0);
        TensorData<?> b = call.attributes.flag("transB", false) ? call.data(1).transpose() : call.data(1);
        if (a.rank() != 2 || b.rank() != 2) {
            throw call.refused("matrices are expected, not shapes " + Arrays.toString(a.shape()) + " and " + Arrays.toString(b.shape()));
        }
        TensorData<?> c = call.has(2) ? call.data(2) : null;
        return call.run(call.plan(() -> plan(call, a, b, c), a, b, c), a, b, c);
    }

    private static Plan plan(Call call, TensorData<?> a, TensorData<?> b, TensorData<?> added) {
        float alpha = call.attributes.number("alpha", 1);
        float beta = call.attributes.number("beta", 1);
        boolean isFloat = a.dataType().isFloat();
        String product = isFloat ? factor(alpha) + "t[i0,i1]" : "(" + Types.cast(a.dataType()) + "(" + factor(alpha) + "double(t[i0,i1])))";
        boolean adds = added != null && beta != 0;
        Followed.Epilogue epilogue = call.epilogue;
        if (epilogue != null) {
            String[] loops = {"i0", "i1"};
            long[] shape = {a.size(0), b.size(1)};
            if (adds) {
                Shapes.broadcast(added.shape(), shape);
            }
            String own = product + (adds ? " + " + factor(beta) + "x2" + Elementwise.access(added.shape(), shape) : "");
            String after = epilogue.statements(own, loops, shape, 3);
            if (after != null) {
                return new Plan("t[i0,i1] += x0[i0,k] * x1[k,i1]" + after, true);
            }
        }
        if (!adds && alpha == 1) {
            return new Plan("y[i0,i1] += x0[i0,k] * x1[k,i1]");
        }
        String text = "t[i0,i1] += x0[i0,k] * x1[k,i1]; y[i0,i1] = " + product;
        if (!adds) {
            return new Plan(text + "; return y");
        }
        long[] shape = {a.size(0), b.size(1)};
        Shapes.broadcast(added.shape(), shape);
        String access = "x2" + Elementwise.access(added.shape(), shape);
        return new Plan(text + " + " + (isFloat ? factor(beta) + access
            : Types.cast(a.dataType()) + "(" + factor(beta) + "double(" + access + "))") + "; return y");
    }

    private static String factor(float factor) {
        return factor == 1 ? "" : Elementwise.number(factor) + " * ";
    }
}
