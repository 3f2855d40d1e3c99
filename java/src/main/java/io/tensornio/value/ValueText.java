package io.tensornio.value;

import io.tensornio.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Values as strings. */
final class ValueText {
    /** The maximum number of items of a list or dictionary that is not abridged. */
    private static final int MOST = 12;
    /** The number of items shown at each end if abridged, as many as NumPy shows of an axis. */
    private static final int ENDS = 3;

    /** The maximum depth that is shown. */
    private static final int DEEPEST = 50;
    /** The maximum number of values that are shown. */
    private static final int VALUES = 1000;

    private int shown;
    private int depth;

    private ValueText() {
    }

    static String of(Value value) {
        return new ValueText().text(value);
    }

    private String text(Value value) {
        if (shown == VALUES || depth == DEEPEST) {
            return "...";
        }
        shown++;
        depth++;
        try {
            return whole(value);
        } finally {
            depth--;
        }
    }

    private String whole(Value value) {
        switch (value.kind()) {
            case TENSOR:
                return value.asTensor().toString();
            case LIST:
                List<Value> items = value.asList();
                DataType type = value.elementType();
                return "LIST of " + items.size() + (type == null ? "" : " " + type) + ": " + sequence('[', texts(items), ']');
            case DICT:
                List<String> entries = new ArrayList<>();
                List<Map.Entry<String, Value>> all = new ArrayList<>(value.asDict().entrySet());
                for (Map.Entry<String, Value> entry : all) {
                    entries.add(abridged(entries.size(), all.size()) ? "" : entry.getKey() + ": " + text(entry.getValue()));
                }
                return "DICT of " + all.size() + ": " + sequence('{', entries, '}');
            default:
                return value.isPresent() ? "OPTIONAL of " + text(value.get()) : "OPTIONAL, absent";
        }
    }

    /** The texts of items; those not shown are arbitrary. */
    private List<String> texts(List<Value> items) {
        List<String> texts = new ArrayList<>();
        for (Value item : items) {
            texts.add(abridged(texts.size(), items.size()) ? "" : text(item));
        }
        return texts;
    }

    private static boolean abridged(int i, int n) {
        return n > MOST && i >= ENDS && i < n - ENDS;
    }

    /** In one line, or one item per line if one of them has several lines. */
    private static String sequence(char open, List<String> texts, char close) {
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            if (!abridged(i, texts.size())) {
                shown.add(texts.get(i));
            } else if (i == ENDS) {
                shown.add("...");
            }
        }
        boolean lines = shown.stream().anyMatch(text -> text.indexOf('\n') >= 0);
        return lines ? open + "\n  " + String.join(",\n", shown).replace("\n", "\n  ") + "\n" + close : open + String.join(", ", shown) + close;
    }
}
