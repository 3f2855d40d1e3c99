package io.tensornio.internal.string;

import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Collections;
import java.util.Enumeration;

/** Reads many strings, of 84 MB, into a vector of the shape {@code [-1]}. Ends with an exception, and so not with 0, if it cannot. */
public final class StringInputProgram {
    private static final int BLOCKS = 3000;
    private static final int IN_BLOCK = 1000;

    private StringInputProgram() {
    }

    /** Runs it: with {@code long} padding for few strings, so that the tensor takes nearly all of the budget; else for many. */
    public static void main(String... arguments) {
        if (arguments[0].equals("long")) {
            check(100, Tensors.denseString(new long[] {-1}, 400, ' ', data -> data.write(strings(100))));
            return;
        }
        check(BLOCKS, Tensors.denseString(new long[] {-1}, data -> data.write(strings(BLOCKS))));
        check(BLOCKS, Tensors.denseString(new long[] {-1}, 32, ' ', data -> data.write(strings(BLOCKS))));
    }

    private static void check(int count, Tensor<String> made) {
        try (Tensor<String> tensor = made) {
            StringTensorData data = tensor.stringData();
            if (data.size(0) != (long) count * IN_BLOCK) {
                throw new AssertionError(data.size(0));
            }
            for (long at = 0; at < data.size(0); at += 99_991) {
                String expected = "a string of some length, " + at % IN_BLOCK;
                if (!data.get((int) at).equals(expected)) {
                    throw new AssertionError(data.get((int) at) + " for " + expected);
                }
            }
        }
    }

    /** So many thousand strings, of 28 bytes each. */
    private static InputStream strings(int count) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(block)) {
            for (int n = 0; n < IN_BLOCK; n++) {
                out.writeUTF("a string of some length, " + n);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        byte[] bytes = block.toByteArray();
        Enumeration<byte[]> blocks = Collections.enumeration(Collections.nCopies(count, bytes));
        return new SequenceInputStream(new Enumeration<InputStream>() {
            @Override
            public boolean hasMoreElements() {
                return blocks.hasMoreElements();
            }

            @Override
            public InputStream nextElement() {
                return new ByteArrayInputStream(blocks.nextElement());
            }
        });
    }
}
