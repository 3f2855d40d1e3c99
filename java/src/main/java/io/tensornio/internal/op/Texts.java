package io.tensornio.internal.op;

import io.tensornio.Tensor;
import io.tensornio.internal.compute.Program;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Comprehensions that operations write for their operands: a cache of programs by text. Thread-safe. */
final class Texts {
    /** The capacity of the cache. */
    private static final int MOST = 256;

    private static final Map<String, Program> PROGRAMS = new ConcurrentHashMap<>();

    private Texts() {
    }

    /** Runs a text of which {@code y} is the only output; the caller closes it. */
    static Tensor<?> run(String text, Object... inputs) {
        return program(text).run(inputs)[0];
    }

    /** The program of a text. */
    static Program program(String text) {
        Program program = PROGRAMS.get(text);
        if (program == null) {
            program = Program.of(text);
            if (PROGRAMS.size() >= MOST) {
                PROGRAMS.clear();
            }
            PROGRAMS.put(text, program);
        }
        return program;
    }
}
