package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Operators of strings. */
final class Texts {
    private Texts() {
    }

    static void addTo(Table table) {
        table.one("StringConcat", 20, "a followed by b", call -> {
            long[] shape = Shapes.broadcast(call.shape(0), call.shape(1));
            String[] a = Data.strings(call.data(0).broadcastTo(shape));
            String[] b = Data.strings(call.data(1).broadcastTo(shape));
            Arrays.setAll(a, n -> a[n] + b[n]);
            return Call.made(Data.ofStrings(a, shape));
        });
        table.many("StringSplit", 20, "parts, and their number", Texts::split);
    }

    private static Item[] split(Call call) {
        String delimiter = call.attributes.string("delimiter", "");
        long most = call.attributes.has("maxsplit") ? call.attributes.integer("maxsplit") : Long.MAX_VALUE;
        String[] all = Data.strings(call.data(0));
        List<List<String>> parts = new ArrayList<>();
        int width = 0;
        for (String one : all) {
            List<String> own = delimiter.isEmpty() ? words(one, most) : pieces(one, delimiter, most);
            width = Math.max(width, own.size());
            parts.add(own);
        }
        String[] filled = new String[Shapes.intSize(all.length, width)];
        Arrays.fill(filled, "");
        long[] counts = new long[all.length];
        for (int n = 0; n < counts.length; n++) {
            counts[n] = parts.get(n).size();
            for (int k = 0; k < counts[n]; k++) {
                filled[n * width + k] = parts.get(n).get(k);
            }
        }
        return new Item[] {Call.made(Data.ofStrings(filled, Shapes.concat(call.shape(0), new long[] {width}))),
            Call.made(Data.ofLongs(DataType.INT64, counts, call.shape(0)))};
    }

    private static List<String> pieces(String text, String delimiter, long most) {
        List<String> pieces = new ArrayList<>();
        int from = 0;
        for (int at = text.indexOf(delimiter); at >= 0 && pieces.size() < most; at = text.indexOf(delimiter, from)) {
            pieces.add(text.substring(from, at));
            from = at + delimiter.length();
        }
        pieces.add(text.substring(from));
        return pieces;
    }

    /** Parts between white space, of which there is none at the ends. */
    private static List<String> words(String text, long most) {
        List<String> words = new ArrayList<>();
        String rest = text.trim();
        while (!rest.isEmpty()) {
            int end = 0;
            while (end < rest.length() && !Character.isWhitespace(rest.charAt(end))) {
                end++;
            }
            if (words.size() >= most) {
                words.add(rest);
                break;
            }
            words.add(rest.substring(0, end));
            rest = rest.substring(end).trim();
        }
        return words;
    }
}
