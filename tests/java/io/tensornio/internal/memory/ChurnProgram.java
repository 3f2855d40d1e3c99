package io.tensornio.internal.memory;

import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.Tensors;

/** Makes very many tensors, closes or drops them, and prints what the process has grown to. */
final class ChurnProgram {
    private static final int LOOKS = 20;

    private static long resident;
    private static long tables;
    private static long mappings;

    private ChurnProgram() {
    }

    public static void main(String[] arguments) {
        int count = Integer.parseInt(arguments[1]);
        int bytes = Integer.parseInt(arguments[2]);
        boolean close = arguments[0].equals("close");
        run(count / 100 + 1, bytes, close);
        run(count, bytes, close);
        System.out.println("resident=" + resident);
        System.out.println("tables=" + tables);
        System.out.println("mappings=" + mappings);
        System.out.println("alive=" + MemoryStats.current().tensorsAlive());
    }

    private static void run(int count, int bytes, boolean close) {
        long[] shape = {bytes / Float.BYTES};
        for (int i = 0; i < count; i++) {
            Tensor<Float> tensor = Tensors.denseFloat(shape, data -> {
                for (int at = 0; at < shape[0]; at += 1024) {
                    data.put(at, at);
                }
            });
            if (close) {
                tensor.close();
            }
            if (i % (count / LOOKS + 1) == 0 || i == count - 1) {
                resident = Math.max(resident, MemoryWatch.statusKilobytes("VmRSS"));
                tables = Math.max(tables, MemoryWatch.statusKilobytes("VmPTE"));
                mappings = Math.max(mappings, MemoryWatch.mappings());
            }
        }
    }
}
