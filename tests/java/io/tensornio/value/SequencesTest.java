package io.tensornio.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Tensor;
import io.tensornio.support.Expect;
import io.tensornio.support.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class SequencesTest {
    private static final Tensor<Float> X = ValueTest.floats(1);
    private static final Tensor<Float> Y = ValueTest.floats(2);
    private static final Tensor<Float> Z = ValueTest.floats(3);
    private static final Tensor<Long> I = ValueTest.longs(4);

    private final Sequences scope = new Sequences();

    @AfterAll
    static void close() {
        Arrays.asList(X, Y, Z, I).forEach(Tensor::close);
    }

    private void has(Tensor<?>... items) {
        assertEquals(items.length, scope.sequenceLength("s"));
        for (int i = 0; i < items.length; i++) {
            assertSame(items[i], scope.itemAt("s", i));
            assertSame(items[i], scope.itemAt("s", i - items.length));
        }
    }

    @Test
    void itemsAreAddedSetAndRemoved() {
        scope.sequence("s", X, Y);
        has(X, Y);
        scope.addItemToSequence("s", Z, -1);
        has(X, Y, Z);
        scope.addItemToSequence("s", Z, 0);
        has(Z, X, Y, Z);
        scope.addItemToSequence("s", Y, -2);
        has(Z, X, Y, Y, Z);
        scope.setItemForSequenceAtIndex("s", X, -1);
        has(Z, X, Y, Y, X);
        assertSame(Z, scope.removeItemFromSequence("s", 0));
        assertSame(X, scope.removeItemFromSequence("s", -1));
        has(X, Y, Y);
        assertFalse(X.isClosed());
        assertFalse(Z.isClosed());
    }

    @Test
    void removingTheLastItemRemovesTheVariable() {
        scope.sequence("s", X);
        scope.sequence("other", I);
        scope.removeItemFromSequence("s", 0);
        assertEquals("[other]", scope.names().toString());
        Expect.exactly(IllegalStateException.class, () -> scope.sequenceLength("s"), "\"s\"", "[other]");
        scope.sequence("s", I);
        has(I);
    }

    @Test
    void aSnapshotDoesNotChange() {
        scope.sequence("s", X);
        Value snapshot = scope.value("s");
        scope.addItemToSequence("s", Y, -1);
        assertEquals(Value.list(X), snapshot);
        assertEquals(Value.list(X, Y), scope.value("s"));
    }

    @Test
    void theScopeDoesNotChangeWithTheArrayOfItems() {
        Tensor<?>[] items = {X, Y};
        scope.sequence("s", items);
        items[0] = Z;
        has(X, Y);
    }

    @Test
    void aSequenceThatCannotBeIsRefused() {
        Expect.exactly(IllegalArgumentException.class, () -> scope.sequence("s"), "\"s\"", "no items");
        Expect.exactly(IllegalArgumentException.class, () -> scope.sequence("s", X, I), "item 1", "\"s\"", "INT64", "FLOAT");
        Expect.exactly(NullPointerException.class, () -> scope.sequence("s", X, null), "item 1");
        Expect.exactly(NullPointerException.class, () -> scope.sequence(null, X), "name");
        assertTrue(scope.names().isEmpty());
        scope.sequence("s", X);
        Expect.exactly(IllegalArgumentException.class, () -> scope.sequence("s", Y), "\"s\"", "already");
        has(X);
    }

    @Test
    void wrongCallsAreToldAndChangeNothing() {
        scope.sequence("s", X, Y);
        for (int at : new int[] {3, -4, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            Expect.exactly(IndexOutOfBoundsException.class, () -> scope.addItemToSequence("s", Z, at), "position " + at, "2 items", "-3 to 2");
        }
        for (int at : new int[] {2, -3, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            Expect.exactly(IndexOutOfBoundsException.class, () -> scope.itemAt("s", at), "position " + at, "2 items", "-2 to 1");
            Expect.exactly(IndexOutOfBoundsException.class, () -> scope.removeItemFromSequence("s", at), "position " + at);
            Expect.exactly(IndexOutOfBoundsException.class, () -> scope.setItemForSequenceAtIndex("s", Z, at), "position " + at);
        }
        Expect.exactly(IllegalArgumentException.class, () -> scope.addItemToSequence("s", I, 0), "INT64", "FLOAT", "\"s\"");
        Expect.exactly(IllegalArgumentException.class, () -> scope.setItemForSequenceAtIndex("s", I, 0), "INT64", "FLOAT", "\"s\"");
        Expect.exactly(NullPointerException.class, () -> scope.addItemToSequence("s", null, 0), "item");
        Expect.exactly(NullPointerException.class, () -> scope.setItemForSequenceAtIndex("s", null, 0), "item");
        Expect.exactly(IllegalStateException.class, () -> scope.addItemToSequence("t", X, 0), "\"t\"");
        Expect.exactly(IllegalStateException.class, () -> scope.removeItemFromSequence("t", 0), "\"t\"");
        Expect.exactly(IllegalStateException.class, () -> scope.setItemForSequenceAtIndex("t", X, 0), "\"t\"");
        Expect.exactly(IllegalStateException.class, () -> scope.itemAt("t", 0), "\"t\"");
        Expect.exactly(IllegalStateException.class, () -> scope.value("t"), "\"t\"");
        has(X, Y);
    }

    @Test
    void theStringNamesVariables() {
        assertEquals("Sequences {}", scope.toString());
        scope.sequence("s", X, Y);
        scope.sequence("t", I);
        assertEquals("Sequences {s: 2 FLOAT, t: 1 INT64}", scope.toString());
    }

    @Test
    void randomProgramsDoWhatListsDo() {
        Seeds.each(1, 100, (random, done) -> {
            Sequences sequences = new Sequences();
            Map<String, List<Tensor<?>>> model = new LinkedHashMap<>();
            List<Tensor<Float>> tensors = Arrays.asList(X, Y, Z);
            for (int step = 0; step < 100; step++) {
                String name = "abc".substring(random.nextInt(3)).substring(0, 1);
                Tensor<Float> item = tensors.get(random.nextInt(3));
                List<Tensor<?>> list = model.get(name);
                int n = list == null ? 0 : list.size();
                int call = random.nextInt(4);
                done.append(call).append(name).append(' ');
                if (list == null) {
                    sequences.sequence(name, item);
                    model.put(name, new ArrayList<>(Arrays.asList(item)));
                } else if (call < 2) {
                    int at = random.nextInt(n + 1);
                    sequences.addItemToSequence(name, item, at(random, at, n + 1));
                    list.add(at, item);
                } else if (call == 2) {
                    int at = random.nextInt(n);
                    assertSame(list.remove(at), sequences.removeItemFromSequence(name, at(random, at, n)));
                    if (list.isEmpty()) {
                        model.remove(name);
                    }
                } else {
                    int at = random.nextInt(n);
                    sequences.setItemForSequenceAtIndex(name, item, at(random, at, n));
                    list.set(at, item);
                }
                assertEquals(model.keySet(), sequences.names());
                for (Map.Entry<String, List<Tensor<?>>> entry : model.entrySet()) {
                    assertEquals(Value.list(entry.getValue()), sequences.value(entry.getKey()));
                }
            }
        });
    }

    /** The same position, by chance counted from the end. */
    private static int at(Random random, int at, int end) {
        return random.nextBoolean() ? at : at - end;
    }
}
