package io.tensornio.onnx.engine;

import io.tensornio.compute.Comprehension;
import java.nio.LongBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The programs of a node by the shapes that come in: those of the shapes used last. Threads share them. */
final class Plans {
    private static final int MOST = 64;

    private final Map<LongBuffer, Comprehension> known = new LinkedHashMap<LongBuffer, Comprehension>(4, .75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LongBuffer, Comprehension> eldest) {
            return size() > MOST;
        }
    };

    /** The program for shapes, of a text that is made if they are new. */
    Comprehension of(long[][] shapes, Supplier<String> text) {
        int length = shapes.length;
        for (long[] shape : shapes) {
            length += shape.length;
        }
        LongBuffer key = LongBuffer.allocate(length);
        for (long[] shape : shapes) {
            key.put(shape.length).put(shape);
        }
        key.flip();
        synchronized (known) {
            Comprehension found = known.get(key);
            if (found != null) {
                return found;
            }
        }
        Comprehension made = Programs.of(text.get());
        synchronized (known) {
            known.put(key, made);
        }
        return made;
    }
}
