package io.tensornio.value;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.Positions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;

/**
 * A tensor, a list of values, a dictionary of values by name, or a value that may be absent. Immutable: to change a list, make a new one, for example
 * by {@link SequenceOps}.
 *
 * <pre>{@code
 * Value inputs = Value.dict(Map.of("ids", ids, "history", Value.list(first, second)));
 * inputs.get("history").get(-1).asTensor();     // second
 * }</pre>
 *
 * <p><b>Element type of a list.</b> All tensors directly in one list have the same {@link DataType}. A list may also
 * contain lists, dictionaries and optional values, which have their own element types. A list that {@link SequenceOps}
 * has emptied keeps the type for insertions; the type is not a part of equality.
 *
 * <p><b>Equality</b> is structural: kinds are the same, tensors are the same object, or both open with equal data (see the data's {@code equals}),
 * lists are equal item by item, dictionaries entry by entry in any order. Closing a tensor therefore changes the equality of its values, but never
 * their hash, which depends only on kinds, types and shapes. Neither throws for closed tensors.
 *
 * <p><b>Memory.</b> A value refers to its tensors and copies nothing. It closes none by itself; {@link #close()} closes them all.
 */
public final class Value implements AutoCloseable {
    /** The kind of a value. */
    public enum Kind {
        /** One tensor: dense, sparse or ragged. */
        TENSOR,
        /** Values in order. */
        LIST,
        /** Values by name, in the order in which they were given. */
        DICT,
        /** A value, or none. */
        OPTIONAL
    }

    private static final Value EMPTY = new Value(Kind.LIST, Collections.emptyList(), null);
    private static final Value ABSENT = new Value(Kind.OPTIONAL, Collections.emptyList(), null);

    private final Kind kind;
    /** An {@link AnyTensor}; an unmodifiable list of values, with at most one if it is optional; or an unmodifiable map. */
    private final Object content;
    /** For a list: the element type of its tensors, null if unknown. */
    private final DataType elementType;
    /** Cached, since values are immutable, and may be shared by many others. */
    private final int hash;

    private Value(Kind kind, Object content, DataType elementType) {
        this.kind = kind;
        this.content = content;
        this.elementType = elementType;
        AnyTensor<?> tensor = kind == Kind.TENSOR ? (AnyTensor<?>) content : null;
        hash = 31 * kind.name().hashCode() + (tensor == null ? content.hashCode()
            : 31 * tensor.dataType().name().hashCode() + Arrays.hashCode(tensor.shape()));
    }

    /**
     * One tensor.
     *
     * @param tensor a tensor of any kind, open or closed
     * @return a value of kind {@link Kind#TENSOR}
     */
    public static Value of(AnyTensor<?> tensor) {
        return new Value(Kind.TENSOR, Objects.requireNonNull(tensor, "tensor"), null);
    }

    /**
     * The empty list, without an element type.
     *
     * @return a value of kind {@link Kind#LIST}
     */
    public static Value list() {
        return EMPTY;
    }

    /**
     * A list of values.
     *
     * @param items the items, in order
     * @return a value of kind {@link Kind#LIST}
     * @throws IllegalArgumentException if tensors among the items have different element types
     */
    public static Value list(Value... items) {
        return list(Arrays.asList(items));
    }

    /**
     * A list of tensors.
     *
     * @param items the items, in order
     * @return a value of kind {@link Kind#LIST}
     * @throws IllegalArgumentException if they have different element types
     */
    public static Value list(AnyTensor<?>... items) {
        return list(Arrays.asList(items));
    }

    /**
     * A list of values and tensors.
     *
     * @param items the items, in order, each a {@code Value} or an {@link AnyTensor}; the list is copied
     * @return a value of kind {@link Kind#LIST}
     * @throws IllegalArgumentException if an item is of another class, or tensors among the items have different element types
     */
    public static Value list(List<?> items) {
        return list(items, null);
    }

    /** A list whose tensors are of a type; null if unknown. */
    static Value list(List<?> items, DataType elementType) {
        List<Value> values = new ArrayList<>(items.size());
        DataType type = elementType;
        for (Object item : items) {
            String place = "item " + values.size();
            Value value = value(item, place);
            if (value.kind == Kind.TENSOR) {
                type = common(type, (AnyTensor<?>) value.content, place);
            }
            values.add(value);
        }
        return new Value(Kind.LIST, Collections.unmodifiableList(values), type);
    }

    /** Checks that a tensor has the type of preceding ones, if any; returns its type. */
    static DataType common(DataType type, AnyTensor<?> tensor, String place) {
        if (type != null && tensor.dataType() != type) {
            throw new IllegalArgumentException(place + " is a tensor of " + tensor.dataType() + ", where the tensors of the list are " + type);
        }
        return tensor.dataType();
    }

    /**
     * Values and tensors by name.
     *
     * @param entries the values by name, each a {@code Value} or an {@link AnyTensor}; the map is copied, in its order
     * @return a value of kind {@link Kind#DICT}
     * @throws IllegalArgumentException if an entry is of another class
     */
    public static Value dict(Map<String, ?> entries) {
        Map<String, Value> values = new LinkedHashMap<>();
        for (Map.Entry<String, ?> entry : entries.entrySet()) {
            String name = Objects.requireNonNull(entry.getKey(), "a name");
            values.put(name, value(entry.getValue(), "entry \"" + name + "\""));
        }
        return new Value(Kind.DICT, Collections.unmodifiableMap(values), null);
    }

    /**
     * A value that may be absent.
     *
     * @param value a {@code Value} or an {@link AnyTensor}; null for none
     * @return a value of kind {@link Kind#OPTIONAL}
     * @throws IllegalArgumentException if it is of another class
     */
    public static Value optional(@org.jspecify.annotations.Nullable Object value) {
        return value == null ? ABSENT : new Value(Kind.OPTIONAL, Collections.singletonList(value(value, "the value")), null);
    }

    private static Value value(Object given, String place) {
        Objects.requireNonNull(given, place);
        if (given instanceof Value) {
            return (Value) given;
        }
        if (given instanceof AnyTensor) {
            return of((AnyTensor<?>) given);
        }
        throw new IllegalArgumentException(place + " is a " + given.getClass().getName() + ", neither a Value nor a tensor");
    }

    /**
     * The kind of this value.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * The tensor of a value of kind {@link Kind#TENSOR}.
     *
     * @return the tensor from which the value was made
     * @throws IllegalStateException if this is of another kind
     */
    public AnyTensor<?> asTensor() {
        return (AnyTensor<?>) content(Kind.TENSOR);
    }

    /**
     * The items of a value of kind {@link Kind#LIST}.
     *
     * @return an unmodifiable list
     * @throws IllegalStateException if this is of another kind
     */
    public List<Value> asList() {
        return items(content(Kind.LIST));
    }

    /**
     * The entries of a value of kind {@link Kind#DICT}.
     *
     * @return an unmodifiable map, in the order in which the entries were given
     * @throws IllegalStateException if this is of another kind
     */
    public Map<String, Value> asDict() {
        return entries(content(Kind.DICT));
    }

    /**
     * Whether a value of kind {@link Kind#OPTIONAL} has a value.
     *
     * @return whether {@link #get()} has a result
     * @throws IllegalStateException if this is of another kind
     */
    public boolean isPresent() {
        return !items(content(Kind.OPTIONAL)).isEmpty();
    }

    /**
     * The content of a value of kind {@link Kind#OPTIONAL}.
     *
     * @return the value
     * @throws IllegalStateException if this is of another kind
     * @throws NoSuchElementException if it is absent
     */
    public Value get() {
        List<Value> optional = items(content(Kind.OPTIONAL));
        if (optional.isEmpty()) {
            throw new NoSuchElementException("the OPTIONAL is absent");
        }
        return optional.get(0);
    }

    /**
     * An item of a value of kind {@link Kind#LIST}.
     *
     * @param at its position; negative ones count from the end, -1 is the last
     * @return the item
     * @throws IllegalStateException if this is of another kind
     * @throws IndexOutOfBoundsException if there is no such item
     */
    public Value get(int at) {
        List<Value> items = asList();
        return items.get(Positions.of(at, items.size()));
    }

    /**
     * An entry of a value of kind {@link Kind#DICT}.
     *
     * @param name its name
     * @return the value of the entry
     * @throws IllegalStateException if this is of another kind
     * @throws NoSuchElementException if there is no such entry
     */
    public Value get(String name) {
        Map<String, Value> entries = asDict();
        Value value = entries.get(Objects.requireNonNull(name, "name"));
        if (value == null) {
            throw new NoSuchElementException("no entry \"" + name + "\"; there are " + entries.keySet());
        }
        return value;
    }

    /**
     * The element type of the tensors of a list, which it keeps when the last of them is removed.
     *
     * @return the type; null if the list never had a tensor, or this is no list
     */
    public @org.jspecify.annotations.Nullable DataType elementType() {
        return elementType;
    }

    private Object content(Kind wanted) {
        if (kind != wanted) {
            throw new IllegalStateException("this value is of the kind " + kind + ", not " + wanted);
        }
        return content;
    }

    @SuppressWarnings("unchecked")      // what the constructor was given for a LIST and an OPTIONAL
    private static List<Value> items(Object content) {
        return (List<Value>) content;
    }

    @SuppressWarnings("unchecked")      // what the constructor was given for a DICT
    private static Map<String, Value> entries(Object content) {
        return (Map<String, Value>) content;
    }

    /** The values directly in this one. */
    private Collection<Value> inside() {
        return kind == Kind.TENSOR ? Collections.emptyList() : kind == Kind.DICT ? asDict().values() : items(content);
    }

    /** Closes every tensor in this value, however deep. Closing again does nothing. */
    @Override
    public void close() {
        Set<Value> met = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Value> left = new ArrayDeque<>();
        for (Value next = this; next != null; next = left.poll()) {
            if (next.kind == Kind.TENSOR) {
                next.asTensor().close();
            } else if (met.add(next)) {
                left.addAll(next.inside());
            }
        }
    }

    /**
     * Whether another object is a value of the same structure with equal tensors.
     *
     * @param other any object
     * @return whether they are equal, see the class description
     */
    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof Value && hash == ((Value) other).hash && new Pairs().equal(this, (Value) other);
    }

    /** Pairs of values that must be equal: each is visited once, in a loop, so that depth and sharing are not limited. */
    private static final class Pairs {
        private final Map<Value, Set<Value>> met = new IdentityHashMap<>();
        private final Deque<Value> left = new ArrayDeque<>();

        boolean equal(Value a, Value b) {
            add(a, b);
            while (!left.isEmpty()) {
                Value first = left.remove();
                Value second = left.remove();
                if (first.kind != second.kind || !(first.kind == Kind.TENSOR ? AnyData.equal(first.asTensor(), second.asTensor())
                    : open(first, second))) {
                    return false;
                }
            }
            return true;
        }

        private void add(Value a, Value b) {
            if (a != b && met.computeIfAbsent(a, key -> Collections.newSetFromMap(new IdentityHashMap<>())).add(b)) {
                left.add(a);
                left.add(b);
            }
        }

        /** Adds the contents of two values; false if they differ in number or names. */
        private boolean open(Value a, Value b) {
            if (a.inside().size() != b.inside().size()) {
                return false;
            }
            if (a.kind == Kind.DICT) {
                if (!a.asDict().keySet().equals(b.asDict().keySet())) {
                    return false;
                }
                a.asDict().forEach((name, value) -> add(value, b.asDict().get(name)));
                return true;
            }
            Iterator<Value> others = b.inside().iterator();
            a.inside().forEach(value -> add(value, others.next()));
            return true;
        }
    }

    /**
     * A hash of kinds, element types and shapes; closing tensors does not change it.
     *
     * @return the hash
     */
    @Override
    public int hashCode() {
        return hash;
    }

    /**
     * The kind, then the tensors as they print themselves, such as {@code LIST of 2 FLOAT: [FLOAT[1] [1.], FLOAT[2] [2., 3.]]}. Long lists and
     * dictionaries are abridged with {@code ...}, as are very deep values, and those beyond a thousand.
     *
     * @return the string, which marks closed tensors
     */
    @Override
    public String toString() {
        return ValueText.of(this);
    }
}
