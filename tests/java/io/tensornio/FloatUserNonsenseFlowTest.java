package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.internal.data.FloatCarrier;
import io.tensornio.internal.data.FloatStreams;
import io.tensornio.internal.data.FromNested;
import io.tensornio.internal.data.ToNested;
import io.tensornio.internal.print.TensorPrinter;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatFlow;
import io.tensornio.support.FloatOwn;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/**
 * Things that implement {@link FloatTensorData} on their own and answer nonsense, as streams of elements and of bytes and as text: all of it ends,
 * with an exception that says something, if not with a result.
 */
@ExtendWith(MemoryBalance.class)
class FloatUserNonsenseFlowTest {
    private static final int N = 6;
    private static final Duration LONG = Duration.ofMinutes(1);

    /** A stream of zeros that does not end. */
    private static final class Zeros extends InputStream {
        @Override
        public int read() {
            return 0;
        }

        @Override
        public int read(byte[] to, int from, int n) {
            Arrays.fill(to, from, from + n, (byte) 0);
            return n;
        }
    }

    /** Data of so many elements and of such a size, as it says, that is a slice of itself. */
    private static FloatTensorData endless(long size, long total, long... shape) {
        FloatTensorData honest = FloatTensorData.of(FloatValues.array(0, N));
        return (FloatTensorData) Proxy.newProxyInstance(FloatTensorData.class.getClassLoader(), new Class<?>[] {FloatTensorData.class},
            (self, method, given) -> {
                switch (method.getName()) {
                    case "slice": return self;
                    case "totalSize": return total;
                    case "size": return size;
                    case "shape": return shape.clone();
                    case "rank": return shape.length;
                    default:
                }
                try {
                    return method.invoke(honest, given);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });
    }

    /** Data whose slices by ranges have more elements each time. */
    private static FloatTensorData growing(long total, long by) {
        Map<String, Supplier<Object>> lies = new HashMap<>();
        lies.put("totalSize", () -> total);
        lies.put("shape", () -> new long[] {total});
        lies.put("size", () -> total);
        lies.put("slice", () -> growing(total + by, by));
        return FloatUserNonsenseTest.liar(lies);
    }

    private static Map<String, FloatTensorData> liars() {
        Map<String, FloatTensorData> all = new LinkedHashMap<>(FloatUserNonsenseTest.liars());
        for (long size : new long[] {-1, 0, 1, 2, N, 1L << 40, Long.MAX_VALUE}) {
            for (long total : new long[] {-1, 0, 1, N, 100_000, Long.MAX_VALUE, Long.MIN_VALUE}) {
                all.put("slices of itself, size " + size + ", total " + total, endless(size, total, size));
                all.put("slices of itself, size " + size + ", total " + total + " in four axes", endless(size, total, size, 2, 1, size));
            }
        }
        for (long by : new long[] {1, -1, 100_000, -50_000, Long.MAX_VALUE / 3}) {
            all.put("slices that grow by " + by, growing(100_000, by));
        }
        all.put("an iterator without end", answering("scalars", FloatUserNonsenseFlowTest::withoutEnd));
        return all;
    }

    /** An iterator that always has one more, and takes as many. */
    private static FloatTensorIterator withoutEnd() {
        return (FloatTensorIterator) Proxy.newProxyInstance(FloatTensorIterator.class.getClassLoader(), new Class<?>[] {FloatTensorIterator.class},
            (self, method, given) -> {
                switch (method.getName()) {
                    case "hasMoreElements": return true;
                    case "get": return FloatValues.OWN;
                    case "put": return self;
                    default: return null;
                }
            });
    }

    /** A call on such data: whatever it does, it ends, and what it throws is no fault of ours. */
    private static void attempt(String what, Executable call) {
        try {
            assertTimeoutPreemptively(LONG, call, what);
        } catch (Throwable e) {
            boolean isOurs = e instanceof Error || e instanceof NegativeArraySizeException || e instanceof ArrayIndexOutOfBoundsException
                || e instanceof ClassCastException;
            // What the proxy answered with null is none of the library's messages.
            boolean isSilent = e.getMessage() == null && !(e instanceof NullPointerException);
            if (isOurs || isSilent) {
                throw new AssertionError(what, e);
            }
        }
    }

    /** A stream that bears no more than could ever be meant. */
    private static OutputStream bounded() {
        return new OutputStream() {
            private long n;

            @Override
            public void write(int b) {
                write(null, 0, 1);
            }

            @Override
            public void write(byte[] from, int at, int count) {
                n += count;
                assertTrue(n < 1 << 24, "there is no end to it");
            }
        };
    }

    private static void values(String name, FloatTensorData liar) {
        for (int n : new int[] {0, 3, 1000}) {
            attempt("put " + n + ": " + name, () -> FloatStreams.put(liar, FloatTensorData.of(FloatValues.array(0, n)).stream()));
            attempt("put " + n + " at 0: " + name, () -> FloatStreams.put(liar, FloatTensorData.of(FloatValues.array(0, n)).stream(), 0));
            attempt("put " + n + " at 0, 0: " + name, () -> FloatStreams.put(liar, FloatTensorData.of(FloatValues.array(0, n)).stream(), 0, 0));
        }
    }

    private static void bytes(String name, FloatTensorData liar) {
        attempt("read: " + name, () -> FloatCarrier.FLOAT.read(liar, bounded()));
        attempt("write: " + name, () -> FloatCarrier.FLOAT.write(liar, new ByteArrayInputStream(new byte[20])));
        attempt("write without end: " + name, () -> FloatCarrier.FLOAT.write(liar, new Zeros()));
    }

    private static void text(String name, FloatTensorData liar) {
        for (int threshold : new int[] {0, 1000, 200_000}) {
            attempt("text: " + name, () -> assertFalse(TensorPrinter.print(liar, TensorFormat.DEFAULT.withThreshold(threshold)).isEmpty()));
        }
    }

    @Test
    void streamsOfValues() {
        liars().forEach(FloatUserNonsenseFlowTest::values);
    }

    @Test
    void streamsOfBytes() {
        liars().forEach(FloatUserNonsenseFlowTest::bytes);
    }

    @Test
    void texts() {
        liars().forEach(FloatUserNonsenseFlowTest::text);
    }

    // ---- What is said ----------------------------------------------------------------------------------------------

    private static FloatTensorData answering(String method, Supplier<Object> lie) {
        Map<String, Supplier<Object>> lies = new HashMap<>();
        lies.put(method, lie);
        return FloatUserNonsenseTest.liar(lies);
    }

    @Test
    void nullIsNamed() {
        FloatTensorData one = FloatTensorData.of(FloatValues.zeros(1));
        FloatTensorData liar = answering("slice", () -> null);
        Expect.thrown(NullPointerException.class, () -> FloatStreams.put(liar, one.stream()), "slice() gave null");
        Expect.thrown(NullPointerException.class, () -> FloatStreams.put(liar, one.stream(), 0), "slice() gave null");
        FloatTensorData deeper = answering("slice", () -> answering("scalars", () -> null));
        Expect.thrown(NullPointerException.class, () -> FloatStreams.put(deeper, one.stream()), "scalars() gave null");
        FloatTensorData shapeless = answering("shape", () -> null);
        Expect.thrown(NullPointerException.class, () -> TensorPrinter.print(shapeless, TensorFormat.DEFAULT), "shape() gave null");
        FloatTensorData mute = answering("scalars", () -> null);
        FloatTensorData six = FloatTensorData.of(FloatValues.zeros(6));
        Expect.thrown(NullPointerException.class, () -> Tensors.create(mute), "scalars() gave null");
        Expect.thrown(NullPointerException.class, () -> six.put(mute), "scalars() gave null");
        Expect.thrown(NullPointerException.class, () -> six.get(mute), "scalars() gave null");
        Expect.thrown(NullPointerException.class, () -> six.equals(mute), "scalars() gave null");
        Expect.thrown(NullPointerException.class, () -> FromNested.put(FloatCarrier.FLOAT, liar, FloatValues.zeros(6)), "slice() gave null");
        Expect.thrown(NullPointerException.class, () -> ToNested.of(FloatCarrier.FLOAT, liar), "slice() gave null");
        //~boolean Expect.thrown(NullPointerException.class, () -> six.slice(TensorIndex.mask(mute)), "scalars() gave null");
        //~string StringTensorData silent = answering("scalars", () -> null);
        //~string Expect.thrown(NullPointerException.class, () -> StringCarrier.STRING.read(silent, bounded()), "scalars() gave null");
        //~string Expect.thrown(NullPointerException.class, () -> StringCarrier.STRING.write(silent, new Zeros()), "scalars() gave null");
    }

    //#if primitive
    @Test
    void numbersOfElementsThatCannotBe() {
        FloatTensorData negative = answering("totalSize", () -> -5L);
        String[] says = {"the shape [6]", "answers that it has -5 elements"};
        Expect.thrown(IllegalStateException.class, () -> FloatCarrier.FLOAT.read(negative, bounded()), says);
        Expect.thrown(IllegalStateException.class, () -> FloatCarrier.FLOAT.write(negative, new Zeros()), says);
        FloatTensorData large = answering("totalSize", () -> 100_000L);
        String[] halves = {"the shape [6]", "answers that it has 100000 elements, but its halves that they have 3 and 3"};
        Expect.thrown(IllegalStateException.class, () -> FloatCarrier.FLOAT.read(large, bounded()), halves);
        Expect.thrown(IllegalStateException.class, () -> FloatCarrier.FLOAT.write(large, new Zeros()), halves);
    }

    /** One half has nothing, the other all, again and again. */
    @Test
    void dataThatIsHalvedWithoutAnEnd() {
        FloatTensorData honest = FloatTensorData.of(FloatValues.array(0, N));
        FloatTensorData none = FloatTensorData.of(FloatValues.zeros(0));
        for (int which : new int[] {0, 1}) {
            int[] calls = {0};
            Class<?>[] type = {FloatTensorData.class};
            FloatTensorData liar = (FloatTensorData) Proxy.newProxyInstance(getClass().getClassLoader(), type, (self, method, given) -> {
                switch (method.getName()) {
                    case "slice": return given == null || calls[0]++ % 2 == which ? self : none;
                    case "totalSize": return 100_000L;
                    case "size": return 1L << 40;
                    default: return method.invoke(honest, given);
                }
            });
            String says = "answers that it has 100000 elements, but does not end when it is halved";
            Expect.thrown(IllegalStateException.class, () -> FloatCarrier.FLOAT.read(liar, bounded()), says);
            calls[0] = 0;
            Expect.thrown(IllegalStateException.class, () -> FloatCarrier.FLOAT.write(liar, new Zeros()), says);
        }
    }
    //#end

    //~string @Test
    //~string void iteratorsWithoutEnd() {
    //~string     FloatTensorData liar = answering("scalars", FloatUserNonsenseFlowTest::withoutEnd);
    //~string     String says = "after 6 of the 6 elements of [6] its iterator has more";
    //~string     Expect.thrown(IllegalStateException.class, () -> FloatCarrier.FLOAT.read(liar, bounded()), says);
    //~string     Expect.thrown(IllegalStateException.class, () -> FloatCarrier.FLOAT.write(liar, new Zeros()), says);
    //~string }

    @Test
    void sizesOfRowsThatCannotBe() {
        FloatTensorData liar = endless(-1, N, -1);
        Expect.thrown(IllegalStateException.class, () -> TensorPrinter.print(liar, TensorFormat.DEFAULT), "the shape [-1]",
            "-1 positions on axis 0");
    }

    /** Each row is as deep as what it is a row of. */
    @Test
    void rowsThatAreAllOfTheData() {
        FloatTensorData liar = endless(1, N, 1, -1);
        String text = TensorPrinter.print(liar, TensorFormat.DEFAULT.withThreshold(200_000));
        assertTrue(text.startsWith(DataType.FLOAT + "[1, -1]\n[[") && text.endsWith("]]"), text);
        long[] deep = new long[100_000];
        Arrays.fill(deep, -1);
        assertTrue(TensorPrinter.print(endless(1, N, deep), TensorFormat.DEFAULT).endsWith("[...]"));
    }

    /** A shape that is kept by who gave it, and changes while the elements are read. */
    @Test
    void aShapeThatChangesWhileItIsPrinted() {
        String expected = FloatTensorData.of(FloatValues.array(100, N)).toString();
        for (long into : new long[] {0, 1, N + 1, 1L << 40, -1, Long.MIN_VALUE}) {
            long[] shape = {N};
            Map<String, Supplier<Object>> lies = new HashMap<>();
            lies.put("shape", () -> shape);
            lies.put("dataType", () -> {
                shape[0] = into;
                return DataType.FLOAT;
            });
            assertEquals(expected, TensorPrinter.print(FloatUserNonsenseTest.liar(lies), TensorFormat.DEFAULT));
        }
    }

    // ---- Data of one's own -----------------------------------------------------------------------------------------

    /** Everything that may be overridden answers the same nonsense. */
    private static final class Overridden extends AbstractFloatTensorData {
        private final FloatTensorData nonsense;
        private final FloatTensorIterator scalars;

        Overridden(FloatTensorData nonsense, FloatTensorIterator scalars, long... shape) {
            super(shape);
            this.nonsense = nonsense;
            this.scalars = scalars;
        }

        @Override
        protected float getAt(long[] indices) {
            return FloatValues.OWN;
        }

        @Override
        public boolean isReadOnly() {
            return false;
        }

        @Override
        public void put(float[] array, int... indices) {
            // Nothing is written, whatever is given.
        }

        @Override
        public FloatTensorData slice() {
            return nonsense;
        }

        @Override
        public FloatTensorData slice(int i) {
            return nonsense;
        }

        @Override
        public FloatTensorData slice(int... indices) {
            return nonsense;
        }

        @Override
        public FloatTensorData slice(TensorIndex... indices) {
            return nonsense;
        }

        @Override
        public FloatTensorIterator scalars() {
            return scalars;
        }

        @Override
        public FloatTensorElements elements() {
            return null;
        }

        @Override
        public String toString() {
            return toString(TensorFormat.DEFAULT);
        }
    }

    private static void check(String name, FloatTensorData data) {
        attempt("put: " + name, () -> data.put(FloatTensorData.of(FloatValues.array(0, 1000)).stream()));
        attempt("put at 0: " + name, () -> data.put(FloatTensorData.of(FloatValues.array(0, 1000)).stream(), 0));
        attempt("read: " + name, () -> data.read(bounded()));
        attempt("writeTo: " + name, () -> data.writeTo(bounded()));
        attempt("write: " + name, () -> data.write(new Zeros()));
        attempt("readFrom: " + name, () -> data.readFrom(new ByteArrayInputStream(new byte[20])));
        attempt("stream: " + name, () -> FloatFlow.of(data).limit(1000).count());
        attempt("parallel stream: " + name, () -> FloatFlow.of(data).parallel().limit(1000).count());
        attempt("text: " + name, () -> assertFalse(data.toString().isEmpty()));
    }

    @Test
    void overriddenMethods() {
        for (long[] shape : new long[][] {{}, {0}, {N}, {2, 3}, {50_000, 2}, {1, 1, 100_000}}) {
            for (FloatTensorIterator scalars : new FloatTensorIterator[] {null, withoutEnd(), FloatUserNonsenseTest.scalars(2),
                FloatUserNonsenseTest.scalars(2, true), FloatUserNonsenseTest.scalars(1000, false)}) {
                for (FloatTensorData nonsense : new FloatTensorData[] {null, FloatTensorData.of(FloatValues.zeros(0)),
                    FloatTensorData.of(FloatValues.array(0, N), 1, N), endless(1, 100_000, 1), endless(2, 6, 2, 3), FloatOwn.of()}) {
                    check(Arrays.toString(shape), new Overridden(nonsense, scalars, shape));
                }
            }
        }
    }
}
