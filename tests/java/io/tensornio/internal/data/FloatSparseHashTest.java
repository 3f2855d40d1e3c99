package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.internal.element.IntBlock;
import io.tensornio.internal.element.LongBlock;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The index of a sparse {@code float} tensor that is filled: nobody can choose coordinates that all meet in one slot. What is counted is looks into
 * slots.
 */
@ExtendWith(MemoryBalance.class)
class FloatSparseHashTest {
    private static final int N = Math.min(25_000 * Expect.depth(), 100_000);
    private static final long SIDE = 1L << 31;
    /** Looks that all searches of all places may take together, on the average: a table that is less than half full needs 1.3. */
    private static final int LOOKS = 2;

    private static float value(int n) {
        //#if float double int long
        return n % 100 + 1;
        //#end
        //~byte return (byte) (n % 100 + 1);
        //~boolean return n % 3 != 0;
        //~string return "v" + n;
    }

    private static FloatSparseBuilder filling() {
        //#if primitive
        return new FloatSparseBuilder(FloatCarrier.FLOAT, new long[] {SIDE, SIDE}, N);
        //#end
        //~string return StringSparseBuilder.of(new long[] {SIDE, SIDE}, N, 12, ' ');
    }

    // ---- The hash in use -------------------------------------------------------------------------------------------

    /** A field of a filling, which it may have from a class above. */
    private static Object field(FloatSparseBuilder filling, String name) {
        for (Class<?> type = FloatSparseBuilder.class; type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    try {
                        field.setAccessible(true);
                        return field.get(filling);
                    } catch (IllegalAccessException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        }
        throw new AssertionError("no field " + name);
    }

    private static long mix(long bits) {
        for (Class<?> type = FloatSparseBuilder.class; type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals("mix")) {
                    try {
                        method.setAccessible(true);
                        return (long) method.invoke(null, bits);
                    } catch (ReflectiveOperationException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        }
        throw new AssertionError("no method mix");
    }

    /** What is mixed to these bits. */
    private static long unmix(long mixed) {
        long z = (mixed ^ mixed >>> 31 ^ mixed >>> 62) * inverse(0x94D049BB133111EBL);
        z = (z ^ z >>> 27 ^ z >>> 54) * inverse(0xBF58476D1CE4E5B9L);
        return z ^ z >>> 30 ^ z >>> 60;
    }

    private static long inverse(long odd) {
        long x = odd;                           // right in the last three bits, then in twice as many at each step
        for (int bits = 3; bits < 64; bits *= 2) {
            x *= 2 - odd * x;
        }
        return x;
    }

    /** Places of a tensor that all have slot 0 if the seed is this one. */
    private static long[] colliding(long seed, int n) {
        long[] places = new long[n];
        int found = 0;
        for (long hash = 0; found < n; hash++) {
            long at = unmix(hash) ^ seed;
            if (at >= 0 && at < SIDE * SIDE) {
                places[found++] = at;
            }
        }
        return places;
    }

    /** The looks that it takes to find each place once. */
    private static long looks(FloatSparseBuilder filling) {
        IntBlock slots = (IntBlock) field(filling, "slots");
        LongBlock places = (LongBlock) field(filling, "positions");
        long seed = (long) field(filling, "seed");
        int shift = (int) field(filling, "shift");
        int mask = (int) slots.shape()[0] - 1;
        long looks = 0;
        for (int slot = 0; slot <= mask; slot++) {
            int entry = slots.rd.get(slot) - 1;
            if (entry >= 0) {
                int home = (int) (mix(places.rd.get(entry) ^ seed) >>> shift);
                looks += (slot - home & mask) + 1;
            }
        }
        return looks;
    }

    // ---- Fillings --------------------------------------------------------------------------------------------------

    /** Puts values at places, each of which is looked up. */
    private static void put(FloatSparseBuilder filling, long[] places, int n, int first) {
        for (int i = 0; i < n; i++) {
            filling.write(value(first + i), places[i]);
            if (i == 0) {
                assertEquals(value(first), filling.read(places[0]));        // from here on there is an index
            }
        }
    }

    private static void check(FloatSparseBuilder filling, long[] places, int first) {
        for (int i = 0; i < places.length; i++) {
            assertEquals(value(first + i), filling.read(places[i]));
        }
    }

    /** Fills a tensor and checks its values and how far the places were searched for. */
    private static void checkSpread(String what, long... places) {
        FloatSparseBuilder filling = filling();
        try {
            put(filling, places, N, 0);
            check(filling, places, 0);
            long looks = looks(filling);
            assertTrue(looks >= N && looks <= LOOKS * (long) N, () -> what + ": " + looks + " looks for " + N + " places");
            put(filling, places, N, 7);
            assertEquals(looks, looks(filling));
            FloatSparse sparse = filling.publish();
            assertEquals(N, sparse.n);
            check(filling, places, 7);
            sparse.close();
        } finally {
            filling.close();
        }
    }

    private static long[] places(LongUnaryOperator place) {
        long[] places = new long[N];
        for (int i = 0; i < N; i++) {
            places[i] = place.applyAsLong(i);
        }
        return places;
    }

    @Test
    void placesThatMeetInOneTensorDoNotInTheNext() {
        assertEquals(12_345, mix(unmix(12_345)), "the hash is another one: these places do not meet");
        FloatSparseBuilder first = filling();
        long[] places;
        try {
            places = colliding((long) field(first, "seed"), N);
            int some = 1000;
            put(first, places, some, 0);
            assertEquals(some * (some + 1L) / 2, looks(first), "they were chosen for one slot");
            for (int i = 0; i < some; i++) {
                assertEquals(value(i), first.read(places[i]));
            }
        } finally {
            first.close();
        }
        checkSpread("the places of another tensor", places);
    }

    @Test
    void placesThatMeetWithoutASeedDoNotWithOne() {
        checkSpread("no seed", colliding(0, N));
    }

    @Test
    void rowsColumnsAndDiagonalsAreSpread() {
        checkSpread("a row", places(i -> i));
        checkSpread("a row backwards", places(i -> SIDE - 1 - i));
        checkSpread("a column", places(i -> i * SIDE));
        checkSpread("the diagonal", places(i -> i * (SIDE + 1)));
        for (int bits = 1; bits <= 44; bits += 4) {
            int step = bits;
            checkSpread("steps of 2^" + step, places(i -> i << step));
        }
    }
}
