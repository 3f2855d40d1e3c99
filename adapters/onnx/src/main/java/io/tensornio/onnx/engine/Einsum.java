package io.tensornio.onnx.engine;

import io.tensornio.TensorData;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Sums of products by Einstein's convention. */
final class Einsum {
    private Einsum() {
    }

    static void addTo(Table table) {
        table.one("Einsum", 12, "y[i, k] += a[i, j] * b[j, k] for `ij,jk->ik`", Einsum::run);
    }

    /** The axes of an operand: a letter each; those of `...` are numbers, of which the last axis is `.0`. */
    private static List<String> axes(String term, int rank) {
        List<String> axes = new ArrayList<>();
        int letters = term.replace("...", "").length();
        for (int n = 0; n < term.length(); n++) {
            if (term.startsWith("...", n)) {
                int more = rank - letters;
                for (int k = more - 1; k >= 0; k--) {
                    axes.add("." + k);
                }
                n += 2;
            } else if (Character.isLetter(term.charAt(n)) && term.charAt(n) < 128) {
                axes.add("l" + term.charAt(n));
            } else {
                throw new IllegalArgumentException("`" + term + "` has `" + term.charAt(n) + "`, which is no letter");
            }
        }
        return axes;
    }

    private static Item run(Call call) {
        String equation = call.attributes.string("equation", "").replace(" ", "");
        int arrow = equation.indexOf("->");
        String[] terms = (arrow < 0 ? equation : equation.substring(0, arrow)).split(",", -1);
        if (terms.length != call.in.length) {
            throw call.refused("`" + equation + "` is of " + terms.length + " operands");
        }
        List<List<String>> all = new ArrayList<>();
        TreeMap<String, Long> sizes = new TreeMap<>();
        TreeMap<String, Integer> counts = new TreeMap<>();
        int dots = 0;
        for (int n = 0; n < terms.length; n++) {
            List<String> axes = axes(terms[n], call.rank(n));
            if (axes.size() != call.rank(n)) {
                throw call.refused("`" + terms[n] + "` of `" + equation + "` is not of rank " + call.rank(n));
            }
            all.add(axes);
            for (int d = 0; d < axes.size(); d++) {
                long size = call.shape(n)[d];
                String axis = axes.get(d);
                Long before = sizes.get(axis);
                if (before != null && before != size && before != 1 && size != 1) {
                    throw call.refused("axis `" + axis.substring(1) + "` of `" + equation + "` is " + before + " and " + size);
                }
                sizes.put(axis, before == null || before == 1 ? size : before);
                counts.merge(axis, 1, Integer::sum);
                dots = axis.charAt(0) == '.' ? Math.max(dots, Integer.parseInt(axis.substring(1)) + 1) : dots;
            }
        }
        List<String> result = new ArrayList<>();
        if (arrow >= 0) {
            String right = equation.substring(arrow + 2);
            result = axes(right, right.replace("...", "").length() + (right.contains("...") ? dots : 0));
        } else {
            for (int k = dots - 1; k >= 0; k--) {
                result.add("." + k);
            }
            for (String axis : counts.keySet()) {
                if (axis.charAt(0) == 'l' && counts.get(axis) == 1) {
                    result.add(axis);
                }
            }
        }
        if (!sizes.keySet().containsAll(result)) {
            throw call.refused("the right of `" + equation + "` has letters that the left has not");
        }
        StringBuilder text = new StringBuilder("y[").append(loops(result, null, null)).append("] += ");
        TensorData<?>[] data = new TensorData<?>[terms.length];
        for (int n = 0; n < data.length; n++) {
            data[n] = call.data(n);
            text.append(n == 0 ? "" : " * ").append('x').append(n).append('[').append(loops(all.get(n), call.shape(n), sizes)).append(']');
        }
        return Programs.run(text.toString(), data);
    }

    private static String loops(List<String> axes, long[] shape, TreeMap<String, Long> sizes) {
        String[] loops = new String[axes.size()];
        for (int d = 0; d < loops.length; d++) {
            String axis = axes.get(d);
            loops[d] = shape != null && shape[d] == 1 && sizes.get(axis) != 1 ? "0" : axis.replace('.', 'd');
        }
        return String.join(",", loops);
    }
}
