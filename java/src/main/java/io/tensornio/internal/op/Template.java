package io.tensornio.internal.op;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensor;
import io.tensornio.internal.compute.Cast;
import io.tensornio.internal.data.AnyData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a comprehension for operands of any rank. {@code name[..., i, k]} stands for an access with a loop {@code b0}, {@code b1} and so on for
 * each leading axis: those of operands broadcast by NumPy's rule, other tensors have all of them. A {@link Form} replaces {@code {word}}.
 */
final class Template {
    private static final Pattern WORD = Pattern.compile("\\{(\\w+)}");
    private static final Pattern ACCESS = Pattern.compile("(\\w+)\\[\\.\\.\\.(,\\s*)?");

    private final String text;
    private final String[] operands;
    /** The number of axes of each operand that the text names; -1 for all. */
    private final int[] named;

    Template(String text, String... operands) {
        this.text = text;
        this.operands = operands;
        named = new int[operands.length];
        Arrays.fill(named, -1);
        for (Matcher access = ACCESS.matcher(text); access.find(); ) {
            int n = Arrays.asList(operands).indexOf(access.group(1));
            if (n >= 0) {
                named[n] = access.group(2) == null ? 0 : items(access.end());
            }
        }
    }

    /** The number of indices from {@code from} to the closing bracket. */
    private int items(int from) {
        int items = 1;
        int depth = 0;
        for (int at = from; depth >= 0; at++) {
            char c = text.charAt(at);
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            items += c == ',' && depth == 0 ? 1 : 0;
        }
        return items;
    }

    /**
     * Whether an operand may be other than dense, of an operation that has such ones: ragged where all of its axes are named or none, sparse as the
     * first factor of a product of matrices.
     */
    boolean takes(int n, AnyTensor<?>... given) {
        return given[n] instanceof RaggedTensor ? named[n] <= 0 : n == 0 && named[n] == 2 && given.length == 2 && given[1] instanceof Tensor;
    }

    /**
     * The broadcast sizes of the leading axes, which the text does not name.
     *
     * @throws IllegalArgumentException if an operand has too few axes, or they do not broadcast
     */
    long[] batch(long[]... shapes) {
        int rank = 0;
        for (int n = 0; n < named.length; n++) {
            if (named[n] > shapes[n].length) {
                throw new IllegalArgumentException(operands[n] + " has rank " + shapes[n].length + ": it must be " + named[n] + " or more");
            }
            rank = named[n] < 0 ? rank : Math.max(rank, shapes[n].length - named[n]);
        }
        long[] batch = new long[rank];
        Arrays.fill(batch, 1);
        for (int n = 0; n < named.length; n++) {
            int axes = shapes[n].length - named[n];
            for (int d = 0; named[n] >= 0 && d < axes; d++) {
                int at = rank - axes + d;
                long size = shapes[n][d];
                if (size != 1 && batch[at] != 1 && size != batch[at] && size >= 0 && batch[at] >= 0) {         // rows are compared as it runs
                    throw new IllegalArgumentException("the shapes do not broadcast: axis " + d + " of " + operands[n] + " is " + size
                        + ", and must be " + batch[at] + " or 1");
                }
                batch[at] = size == 1 || batch[at] < 0 ? batch[at] : size;
            }
        }
        return batch;
    }

    /** Encodes the properties of an operand's shape on which its accesses depend: the rank, and which axes are broadcast. */
    long code(int n, long[] shape, long... batch) {
        long code = 0;
        int axes = shape.length - named[n];
        for (int d = 0; named[n] >= 0 && d < axes; d++) {
            code |= isStretched(shape[d], batch[batch.length - axes + d]) ? 1L << d : 0;
        }
        return code * 64 + shape.length;
    }

    private static boolean isStretched(long size, long of) {
        return size == 1 && of != 1;
    }

    /** The text for given operands. */
    String expand(Form form, DataType type, long[] batch, long[]... shapes) {
        StringBuffer words = new StringBuffer();
        Matcher word = WORD.matcher(form.template(text));
        while (word.find()) {
            word.appendReplacement(words, Matcher.quoteReplacement(word(form, type, word.group(1))));
        }
        word.appendTail(words);
        StringBuffer whole = new StringBuffer();
        Matcher access = ACCESS.matcher(words);
        while (access.find()) {
            String loops = loops(Arrays.asList(operands).indexOf(access.group(1)), batch, shapes);
            access.appendReplacement(whole, access.group(1) + "[" + loops + (loops.isEmpty() || access.group(2) == null ? "" : ", "));
        }
        return access.appendTail(whole).toString();
    }

    private static String word(Form form, DataType type, String word) {
        switch (word) {
            case "T":
                return type == null ? "" : Cast.word(AnyData.carrierType(type));
            case "last":
                return String.valueOf(8 * type.byteSize() - 1);
            case "ones":
                return type == AnyData.carrierType(type) && type.isSigned() ? "-1" : String.valueOf((1L << 8 * type.byteSize()) - 1);
            default:
                return form.word(word);
        }
    }

    private String loops(int n, long[] batch, long[]... shapes) {
        if (n < 0) {
            return Form.loops("b", 0, batch.length);
        }
        int axes = shapes[n].length - named[n];
        List<String> loops = new ArrayList<>();
        for (int d = 0; d < axes; d++) {
            int at = batch.length - axes + d;
            loops.add(isStretched(shapes[n][d], batch[at]) ? "0" : "b" + at);
        }
        return String.join(", ", loops);
    }
}
