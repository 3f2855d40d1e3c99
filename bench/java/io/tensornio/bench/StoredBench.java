package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

/**
 * Comprehensions over sparse matrices and ragged rows, on one thread as {@code bench/python/stored.py} does the same. Positions are random, lengths
 * of rows between 0 and 50.
 */
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+UseSerialGC", "-Dtensornio.maxMemory=7g", "-Dtensornio.threads=1"})
public class StoredBench extends Timed {
    /** A comprehension and its inputs. */
    @State(Scope.Thread)
    public static class Work {
        @Param({"vector", "transposed", "dense64", "product", "sampled", "denseSampled", "rowSums", "softmax", "denseSoftmax", "bag", "bagGradient",
            "classifier", "paddedClassifier"})
        String operation;
        /** A divisor of all sizes. */
        @Param("1")
        int part;
        private final Random random = new Random(1);
        private final List<AutoCloseable> owned = new ArrayList<>();
        private Comprehension text;
        private Object[] inputs;

        private <T extends AutoCloseable> T own(T made) {
            owned.add(made);
            return made;
        }

        private Tensor<Float> floats(long... shape) {
            return own(Tensors.denseFloat(shape, data -> {
                float[] row = new float[(int) (data.numElements() / Math.max(1, shape[0]))];
                for (int n = 0; n < shape[0]; n++) {
                    for (int k = 0; k < row.length; k++) {
                        row[k] = random.nextFloat();
                    }
                    if (shape.length == 1) {
                        data.put(row[0], n);
                    } else {
                        data.slice(n).put(row);
                    }
                }
            }));
        }

        /** So many random positions of a square matrix, some of them equal. */
        private SparseTensor<Float> matrix(int side, int values) {
            long[] keys = new long[values];
            for (int n = 0; n < values; n++) {
                keys[n] = random.nextInt(side) * (long) side + random.nextInt(side);
            }
            Arrays.sort(keys);
            int count = 0;
            for (int n = 0; n < values; n++) {
                if (n == 0 || keys[n] != keys[n - 1]) {
                    keys[count++] = keys[n];
                }
            }
            long[] coordinates = new long[2 * count];
            float[] stored = new float[count];
            for (int n = 0; n < count; n++) {
                coordinates[2 * n] = keys[n] / side;
                coordinates[2 * n + 1] = keys[n] % side;
                stored[n] = random.nextFloat();
            }
            return own(Tensors.sparseFloat(LongTensorData.of(coordinates, count, 2), FloatTensorData.of(stored), side, side));
        }

        private long[] splits(int rows) {
            long[] splits = new long[rows + 1];
            for (int n = 0; n < rows; n++) {
                splits[n + 1] = splits[n] + random.nextInt(51);
            }
            return splits;
        }

        private RaggedTensor<Float> rows(int rows) {
            long[] splits = splits(rows);
            return own(RaggedTensor.fromRowSplits(floats(splits[rows]).floatData(), splits));
        }

        private RaggedTensor<Long> words(int rows, int vocabulary) {
            long[] splits = splits(rows);
            Tensor<Long> ids = own(Tensors.denseLong(new long[] {splits[rows]}, data -> {
                for (int n = 0; n < data.size(0); n++) {
                    data.put(random.nextInt(vocabulary), n);
                }
            }));
            return own(RaggedTensor.fromRowSplits(ids.longData(), splits));
        }

        /** Makes the inputs. */
        @Setup
        public void make() {
            int million = 1_000_000 / part;
            switch (operation) {
                case "vector":
                    of("y[i] += S[i,j] * x[j]", matrix(million, 10 * million), floats(million));
                    break;
                case "transposed":
                    of("y[j] += S[i,j] * x[i]", matrix(million, 10 * million), floats(million));
                    break;
                case "dense64":
                    of("y[i,d] += S[i,j] * x[j,d]", matrix(million, 10 * million), floats(million, 64));
                    break;
                case "product":
                    of("sparse y[i,k] += S[i,j] * T[j,k]", matrix(million / 10, million), matrix(million / 10, million));
                    break;
                case "sampled":
                    int side = (int) (4096 / Math.sqrt(part));
                    of("sparse y[i,j] += S[i,j] * A[i,k] * B[j,k]", matrix(side, side * side / 100), floats(side, 256), floats(side, 256));
                    break;
                case "denseSampled":
                    int length = (int) (4096 / Math.sqrt(part));
                    of("p[i,j] += A[i,k] * B[j,k]; y[i,j] = S[i,j] * p[i,j]; return y", floats(length, 256), floats(length, 256),
                        floats(length, length));
                    break;
                case "rowSums":
                    of("y[i] += R[i,j]", rows(million));
                    break;
                case "softmax":
                    of("m[i] max= R[i,j]; x[i,j] = exp(R[i,j] - m[i]); z[i] += x[i,j]; y[i,j] = x[i,j] / z[i]; return y", rows(million));
                    break;
                case "denseSoftmax":
                    of("m[i] max= R[i,j]; x[i,j] = exp(R[i,j] - m[i]); z[i] += x[i,j]; y[i,j] = x[i,j] / z[i]; return y", floats(million, 25));
                    break;
                case "classifier":
                    classifier("s[i,j] += T[word[i,j],d] * q[d]; m[i] max= s[i,j]; x[i,j] = exp(s[i,j] - m[i])", false);
                    break;
                case "paddedClassifier":
                    classifier("s[i,j] += T[word[i,j],d] * q[d]; m[i] max= select(j < n[i], s[i,j], -1e30);"
                        + "x[i,j] = select(j < n[i], exp(s[i,j] - m[i]), 0)", true);
                    break;
                default:
                    of("e[i,d] += T[word[i,j],d]", floats(100_000, 64), words(million, 100_000));
                    if (operation.equals("bagGradient")) {
                        text = text.gradient("e", "T").returning("dT");
                    }
                    break;
            }
        }

        /** An epoch of a text classifier with attention over the words of 20,000 sentences of 1 to 63 words, as rows or padded to 64 words. */
        private void classifier(String attention, boolean padded) {
            int sentences = 20_000 / part;
            int most = 64;
            int vocabulary = 20_000;
            int classes = 4;
            long[] splits = new long[sentences + 1];
            long[] lengths = new long[sentences];
            long[] pages = new long[sentences];
            for (int n = 0; n < sentences; n++) {
                lengths[n] = 1 + random.nextInt(most - 1);
                splits[n + 1] = splits[n] + lengths[n];
                pages[n] = random.nextInt(classes);
            }
            long[] words = new long[padded ? sentences * most : (int) splits[sentences]];
            for (int n = 0; n < sentences; n++) {
                for (int k = 0; k < lengths[n]; k++) {
                    words[padded ? n * most + k : (int) splits[n] + k] = random.nextInt(vocabulary);
                }
            }
            text = Comprehension.of(attention + "; z[i] += x[i,j]; bag[i,d] += x[i,j] / z[i] * T[word[i,j],d]; y[i,c] += bag[i,d] * W[d,c];"
                + "top[i] max= y[i,c]; sum[i] += exp(y[i,c] - top[i]); loss += (log(sum[i]) + top[i] - y[i,page[i]]) / size(page, 0);"
                + "gradient loss by T, q, W; U[v,d] = T[v,d] - .1 * dT[v,d]; r[d] = q[d] - .1 * dq[d]; V[d,c] = W[d,c] - .1 * dW[d,c]")
                .returning("loss", "U", "r", "V");
            Object word = padded ? own(LongTensorData.of(words, sentences, most).copy())
                : own(RaggedTensor.fromRowSplits(LongTensorData.of(words), splits));
            Map<String, Object> all = new HashMap<>();
            all.put("T", floats(vocabulary, 64));
            all.put("q", floats(64));
            all.put("W", floats(64, classes));
            all.put("word", word);
            all.put("page", LongTensorData.of(pages));
            all.put("n", LongTensorData.of(lengths));
            inputs = text.inputs().stream().map(all::get).toArray();
        }

        private void of(String comprehension, Object... given) {
            text = Comprehension.of(comprehension);
            inputs = given;
        }

        /** Closes them. */
        @TearDown
        public void close() throws Exception {
            for (AutoCloseable one : owned) {
                one.close();
            }
        }
    }

    /** Computes, and closes what came of it. */
    @Benchmark
    public Object tensors(Work work) {
        try (Results results = work.text.run(work.inputs)) {
            return results;
        }
    }
}
