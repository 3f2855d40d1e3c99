package io.tensornio.programs;

import io.tensornio.LongTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import java.util.concurrent.CountDownLatch;

/** Ends its JVM in the middle of something; hooks that run then use the library. What {@link EndingTest} runs. */
final class EndingProgram {
    private static final long[] LARGE = {4_000_000};

    private EndingProgram() {
    }

    public static void main(String[] arguments) throws InterruptedException {
        Tensor<Float> dense = Tensors.denseFloat(new long[] {3, 4}, data -> data.put(7, 2, 3));
        Tensor<String> words = Tensors.denseString(new long[] {2}, data -> data.put("word", 1));
        SparseTensor<Integer> sparse = Tensors.sparseInt(new long[] {5, 5}, 1, data -> data.put(9, 4, 4));
        RaggedTensor<Long> ragged = RaggedTensor.fromRowLengths(LongTensorData.of(new long[] {1, 2, 3}), 1, 2);
        Tensor<Float> large = Tensors.denseFloat(LARGE, data -> data.put(3, 3));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            StringBuilder read = new StringBuilder("the hook reads ").append(dense.floatData().get(2, 3)).append(' ')
                .append(words.stringData().get(1)).append(' ').append(sparse.intData().get(4, 4)).append(' ')
                .append(ragged.longData().get(1, 1)).append(' ').append(large.floatData().get(3));
            try (Results results = Comprehension.of("s += x[i]").run(large); Tensor<Float> copy = large.floatData().copy()) {
                read.append(", computes ").append(results.get("s").floatData().get()).append(", copies ").append(copy.floatData().get(3));
            }
            large.close();
            System.out.println(read.append(", and closes"));
        }));
        switch (arguments[0]) {
            case "return":
                break;
            case "init":
                Tensors.denseFloat(new long[] {3}, data -> {
                    data.put(1, 1);
                    System.exit(0);
                });
                break;
            case "inits":
                Tensors.sparseFloat(new long[] {3}, 1, sparseData -> Tensors.raggedInt(new long[] {2, -1},
                    raggedData -> Tensors.denseString(new long[] {2}, data -> System.exit(0))));
                break;
            case "busy":
                exitWhileOthersWork(large);
                break;
            default:
                throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Others make, copy and compute without an end. */
    private static void exitWhileOthersWork(Tensor<Float> large) throws InterruptedException {
        CountDownLatch working = new CountDownLatch(4);
        Comprehension twice = Comprehension.of("y[i] = 2 * x[i]");
        for (int t = 0; t < 4; t++) {
            boolean copies = t % 2 == 0;
            new Thread(() -> {
                while (true) {
                    try {
                        if (copies) {
                            large.floatData().copy().close();
                        } else {
                            twice.run(large).close();
                        }
                    } catch (TensorClosedException e) {
                        return;             // by the hook
                    }
                    working.countDown();
                }
            }).start();
        }
        working.await();
        System.exit(0);
    }
}
