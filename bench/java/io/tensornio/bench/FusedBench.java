package io.tensornio.bench;

import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Layers and reductions as comprehensions that the planner fuses, as {@code bench/python/fused.py} does the same. */
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-Dtensornio.maxMemory=3g"})
public class FusedBench extends Timed {
    /** A comprehension and its inputs. */
    @State(Scope.Thread)
    public static class Work {
        @Param({"layerNorm", "maxPool", "averagePool", "addRows", "middleMean", "argmax", "attention", "pairs", "cube", "gelu"})
        String operation;
        @Param({"1", "2"})
        String threads;
        private final Random random = new Random(1);
        private final List<Tensor<?>> inputs = new ArrayList<>();
        private Comprehension text;

        private void floats(long... shape) {
            inputs.add(Tensors.denseFloat(shape, data -> {
                float[] values = new float[(int) data.numElements()];
                for (int k = 0; k < values.length; k++) {
                    values[k] = random.nextFloat() - 0.5f;
                }
                data.put(values);
            }));
        }

        /** Row numbers, which may be equal. */
        private void numbers(int count, int rows) {
            inputs.add(Tensors.denseLong(new long[] {count}, data -> {
                for (int k = 0; k < count; k++) {
                    data.put(random.nextInt(rows), k);
                }
            }));
        }

        /** Makes the inputs. */
        @Setup
        public void make() {
            System.setProperty("tensornio.threads", threads);
            switch (operation) {
                case "layerNorm":
                    floats(4096, 768);
                    floats(768);
                    floats(768);
                    text = Comprehension.of("t[i] += x[i,c]; m[i] = t[i] / 768.; s[i] += (x[i,c] - m[i]) * (x[i,c] - m[i]); "
                        + "r[i] = 1 / sqrt(s[i] / 768. + 1e-5);"
                        + "y[i,c] = (x[i,c] - m[i]) * r[i] * g[c] + b[c]; return y");
                    break;
                case "maxPool":
                    floats(8, 56, 56, 64);
                    text = Comprehension.of("y[n,p,q,c] max= x[n,2*p+i,2*q+j,c] where i in 0:2, j in 0:2, p in 0:28, q in 0:28");
                    break;
                case "averagePool":
                    floats(8, 56, 56, 64);
                    text = Comprehension.of("t[n,p,q,c] += x[n,2*p+i,2*q+j,c] where i in 0:3, j in 0:3, p in 0:27, q in 0:27; "
                        + "y[n,p,q,c] = t[n,p,q,c] / 9.;"
                        + " return y");
                    break;
                case "addRows":
                    numbers(65_536, 65_536);
                    floats(65_536, 128);
                    text = Comprehension.of("y[n[i],d] += g[i,d] where y[65536,128]");
                    break;
                case "middleMean":
                    floats(256, 256, 256);
                    text = Comprehension.of("t[a,c] += x[a,b,c]; y[a,c] = t[a,c] / 256.; return y");
                    break;
                case "argmax":
                    floats(4096, 768);
                    text = Comprehension.of("m[i] max= x[i,c]; y[i] min= select(x[i,c] == m[i] or x[i,c] != x[i,c], c, 9223372036854775807);"
                        + " return y");
                    break;
                case "attention":
                    floats(8, 512, 64);
                    text = Comprehension.of("t[b,i,j] += q[b,i,k] * q[b,j,k]; m[b,i] max= t[b,i,j]; e[b,i,j] = exp((t[b,i,j] - m[b,i]) * 0.125); "
                        + "z[b,i] += e[b,i,j];"
                        + "s[b,i,k] += e[b,i,j] * q[b,j,k]; y[b,i,k] = s[b,i,k] / z[b,i]; return y");
                    break;
                case "pairs":
                    floats(360, 64);
                    floats(1437, 64);
                    text = Comprehension.of("y[i,j] += (a[i,k] - b[j,k]) * (a[i,k] - b[j,k])");
                    break;
                case "cube":
                    floats(1 << 20);
                    text = Comprehension.of("y[i] = x[i]^3");
                    break;
                default:
                    floats(1 << 20);
                    text = Comprehension.of("y[i] = 0.5 * x[i] * (1 + tanh(0.7978845608 * (x[i] + 0.044715 * x[i]^3)))");
                    break;
            }
        }

        /** Closes them. */
        @TearDown
        public void close() {
            inputs.forEach(Tensor::close);
        }
    }

    /** Computes, and closes what came of it. */
    @Benchmark
    public Object tensors(Work work) {
        try (Results results = work.text.run(work.inputs.toArray())) {
            return results;
        }
    }
}
