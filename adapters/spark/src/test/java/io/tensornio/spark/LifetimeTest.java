package io.tensornio.spark;

import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.MemoryStats;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import io.tensornio.graph.CGInit;
import io.tensornio.graph.ComputeGraph;
import io.tensornio.onnx.schema.Onnx;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Tasks run in threads of this JVM, so static fields see what they do. */
class LifetimeTest {
    private static final AtomicInteger CALLS = new AtomicInteger();
    private static final AtomicInteger CLOSED = new AtomicInteger();
    private static final AtomicInteger MADE = new AtomicInteger();
    private static final Queue<Long> SIZES = new ConcurrentLinkedQueue<>();
    private static final AtomicReference<AnyTensor<?>> KEPT = new AtomicReference<>();
    private static final CountDownLatch STARTED = new CountDownLatch(2);
    private static final CountDownLatch IN_A_BATCH = new CountDownLatch(1);
    private static final CountDownLatch GOING = new CountDownLatch(1);

    private static Dataset<Row> numbers(int count, int partitions) {
        return LocalSpark.session().range(0, count, 1, partitions).selectExpr("CAST(id AS int) AS x");
    }

    private static TensorTransform echo(ModelFunction before) {
        return TensorTransform.of(inputs -> {
            before.apply(inputs);
            return LocalSpark.ECHO.apply(inputs);
        }).input("x").output("ox", DataType.INT32, 0).batchSize(10);
    }

    @Test
    void aTensorThatIsKeptIsClosed() throws Exception {
        long before = MemoryStats.current().bytesInUse();
        assertEquals(25, echo(inputs -> {
            KEPT.set(inputs.get("x"));
            return inputs;
        }).transform(numbers(25, 1)).count());
        assertThrows(TensorClosedException.class, () -> KEPT.get().data());
        LocalSpark.awaitMemory(before);
    }

    @Test
    void aTaskThatFailsInTheMiddleIsTriedAgain() throws Exception {
        long before = MemoryStats.current().bytesInUse();
        CALLS.set(0);
        List<Row> rows = echo(inputs -> {
            if (CALLS.incrementAndGet() == 3) {
                throw new IllegalStateException("once");
            }
            return inputs;
        }).transform(numbers(50, 1)).collectAsList();
        assertEquals(50, rows.size());
        assertEquals(8, CALLS.get());
        for (int i = 0; i < 50; i++) {
            assertEquals(RowFactory.create(i, i), rows.get(i));
        }
        LocalSpark.awaitMemory(before);
    }

    @Test
    void whatIsCancelledGivesItsMemoryBack() throws Exception {
        long before = MemoryStats.current().bytesInUse();
        Dataset<Row> slow = echo(inputs -> {
            STARTED.countDown();
            Thread.sleep(30);
            return inputs;
        }).transform(numbers(1_000_000, 4));
        AtomicReference<Throwable> end = new AtomicReference<>();
        Thread job = new Thread(() -> {
            try {
                slow.sparkSession().sparkContext().setJobGroup("slow", "slow", false);
                slow.count();
            } catch (Throwable e) {
                end.set(e);
            }
        });
        job.start();
        assertTrue(STARTED.await(60, TimeUnit.SECONDS));
        slow.sparkSession().sparkContext().cancelJobGroup("slow");
        job.join(60_000);
        assertFalse(job.isAlive());
        assertTrue(String.valueOf(end.get()).contains("cancel"), String.valueOf(end.get()));
        LocalSpark.awaitMemory(before);
    }

    @Test
    void whatEndsWithTheTaskWaitsForABatch() throws Exception {
        ModelFunction waiting = inputs -> {
            IN_A_BATCH.countDown();
            GOING.await();
            return Collections.<String, AnyTensor<?>>singletonMap("y", Tensors.create(inputs.get("x").intData()));
        };
        long before = MemoryStats.current().bytesInUse();
        Models.Borrowed borrowed = Models.borrow("waiting", new FunctionModel(waiting), "y");
        Batches batches = new Batches(Arrays.asList(RowFactory.create(1), RowFactory.create(2)).iterator(), null, borrowed,
            new StructType().add("x", IntegerType), new Input[] {new Input("x", "x", null)},
            new Output[] {new Output("y", "y", DataType.INT32, 0)}, 1);
        List<Row> read = new ArrayList<>();
        Thread reader = new Thread(() -> batches.forEachRemaining(read::add));
        reader.start();
        IN_A_BATCH.await();
        Thread closing = new Thread(batches::close);
        closing.start();
        closing.join(100);
        assertTrue(closing.isAlive());
        GOING.countDown();
        closing.join();
        reader.join();
        assertTrue(read.size() <= 2 && read.contains(RowFactory.create(1, 1)));
        LocalSpark.awaitMemory(before);
    }

    @Test
    void emptyPartitionsSingleRowsAndSkewMakeTheBatchesTheyHave() {
        SIZES.clear();
        Dataset<Row> skewed = numbers(1, 3).union(numbers(95, 1)).union(numbers(0, 2));
        List<Row> rows = echo(inputs -> {
            SIZES.add(inputs.get("x").size(0));
            return inputs;
        }).transform(skewed).collectAsList();
        assertEquals(96, rows.size());
        long[] sizes = SIZES.stream().mapToLong(size -> size).sorted().toArray();
        assertEquals("[1, 5, 10, 10, 10, 10, 10, 10, 10, 10, 10]", Arrays.toString(sizes));
        assertEquals(0, echo(inputs -> inputs).transform(numbers(0, 2)).count());
    }

    @Test
    void eachRunningTaskHasAGraphAndNoMore() throws Exception {
        long before = MemoryStats.current().bytesInUse();
        MADE.set(0);
        try (ComputeGraph cg = Network.compiled()) {
            CGInit.glorot(cg, 7);
            TensorTransform transform = TensorTransform.of(() -> {
                MADE.incrementAndGet();
                return Network.compiled();
            }, cg).input("features", 4).output("probabilities", DataType.FLOAT, 1);
            assertEquals(100, transform.transform(TensorTransformTest.rows(100, 8)).collectAsList().size());
            assertTrue(MADE.get() >= 1 && MADE.get() <= 2, MADE + " graphs");
        }
        LocalSpark.awaitMemory(before);
    }

    /** y = x + x, of ONNX. */
    private static byte[] sum() {
        Onnx.TensorShapeProto shape = Onnx.TensorShapeProto.newBuilder().addDim(Onnx.TensorShapeProto.Dimension.newBuilder().setDimParam("batch"))
            .build();
        Onnx.TypeProto type = Onnx.TypeProto.newBuilder().setTensorType(Onnx.TypeProto.Tensor.newBuilder()
            .setElemType(Onnx.TensorProto.DataType.INT32_VALUE).setShape(shape)).build();
        Onnx.GraphProto.Builder graph = Onnx.GraphProto.newBuilder().setName("sum")
            .addInput(Onnx.ValueInfoProto.newBuilder().setName("x").setType(type))
            .addOutput(Onnx.ValueInfoProto.newBuilder().setName("y").setType(type))
            .addNode(Onnx.NodeProto.newBuilder().setOpType("Add").addInput("x").addInput("x").addOutput("y"));
        return Onnx.ModelProto.newBuilder().setIrVersion(8).addOpsetImport(Onnx.OperatorSetIdProto.newBuilder().setVersion(18)).setGraph(graph)
            .build().toByteArray();
    }

    @Test
    void anOnnxModelRuns() throws Exception {
        long before = MemoryStats.current().bytesInUse();
        List<Row> rows = TensorTransform.onnx(sum()).input("x").output("twice").named("y").batchSize(8).transform(numbers(20, 2)).collectAsList();
        assertEquals(RowFactory.create(19, 38), rows.get(19));
        LocalSpark.awaitMemory(before);
    }

    @Test
    void oneApplicationAfterTheOtherUsesATransform() throws Exception {
        TensorTransform transform = echo(inputs -> inputs);
        assertEquals(20, transform.transform(numbers(20, 2)).count());
        assertEquals(20, transform.transform(LocalSpark.session().newSession().range(0, 20, 1, 2).selectExpr("CAST(id AS int) AS x")).count());
        LocalSpark.session().stop();
        assertEquals(30, transform.transform(numbers(30, 2)).count());
    }

    /** A function whose class each loader has for itself. */
    static final class Loaded implements ModelFunction {
        private static final long serialVersionUID = 1;

        @Override
        public Map<String, ? extends AnyTensor<?>> apply(Map<String, AnyTensor<?>> inputs) {
            return inputs;
        }
    }

    private static final class Loader extends ClassLoader {
        Loader() {
            super(LifetimeTest.class.getClassLoader());
        }

        ModelFunction load() throws Exception {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (InputStream in = LifetimeTest.class.getResourceAsStream("LifetimeTest$Loaded.class")) {
                for (int b = in.read(); b >= 0; b = in.read()) {
                    bytes.write(b);
                }
            }
            Class<?> own = defineClass(Loaded.class.getName(), bytes.toByteArray(), 0, bytes.size());
            java.lang.reflect.Constructor<?> constructor = own.getDeclaredConstructor();
            constructor.setAccessible(true);
            return (ModelFunction) constructor.newInstance();
        }
    }

    @Test
    void classLoadersGoWithTheirModels() throws Exception {
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ModelFunction function = new Loader().load();
            assertNotSame(Loaded.class, function.getClass());
            loaders.add(new WeakReference<>(function.getClass().getClassLoader()));
            Thread.currentThread().setContextClassLoader(function.getClass().getClassLoader());
            try {
                Models.borrow("loaded " + i, new FunctionModel(function), "y").close();
            } finally {
                Thread.currentThread().setContextClassLoader(LifetimeTest.class.getClassLoader());
            }
        }
        for (int i = 0; i < 200 && loaders.stream().anyMatch(loader -> loader.get() != null); i++) {
            System.gc();
            Thread.sleep(50);
        }
        loaders.forEach(loader -> assertNull(loader.get()));
    }

    /** A function that has something to close, which fails. */
    static final class Closeable implements ModelFunction, AutoCloseable {
        private static final long serialVersionUID = 1;

        @Override
        public Map<String, ? extends AnyTensor<?>> apply(Map<String, AnyTensor<?>> inputs) throws Exception {
            return LocalSpark.ECHO.apply(inputs);
        }

        @Override
        public void close() {
            CLOSED.incrementAndGet();
            throw new IllegalStateException("this is expected: the model does not close");
        }
    }

    @Test
    void aFunctionIsClosedOnceAndMayFail() throws Exception {
        CLOSED.set(0);
        TensorTransform transform = TensorTransform.of(new Closeable()).input("x").output("ox", DataType.INT32, 0);
        assertEquals(40, transform.transform(numbers(40, 1)).count());
        LocalSpark.awaitMemory(MemoryStats.current().bytesInUse());
        for (int i = 0; i < 100 && CLOSED.get() == 0; i++) {
            Thread.sleep(50);
        }
        assertEquals(1, CLOSED.get());
    }

    /** A function that works until it is closed, as one with a connection does. */
    static final class Connection implements ModelFunction, AutoCloseable {
        private static final long serialVersionUID = 1;

        private boolean isClosed;

        @Override
        public Map<String, ? extends AnyTensor<?>> apply(Map<String, AnyTensor<?>> inputs) throws Exception {
            if (isClosed) {
                throw new IllegalStateException("the function is closed");
            }
            return LocalSpark.ECHO.apply(inputs);
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    @Test
    void askingForTheTypesOfOutputsLeavesTheFunctionOpen() {
        Connection function = new Connection();
        TensorTransform transform = TensorTransform.of(function).input("x").output("ox");
        assertEquals(20, transform.transform(numbers(20, 2)).collectAsList().size());
        assertEquals(20, transform.transform(numbers(20, 2)).collectAsList().size());
        assertFalse(function.isClosed);
    }

    @Test
    void aFunctionThatWasClosedIsMadeAnewForTheNextJob() throws Exception {
        Connection function = new Connection();
        Dataset<Row> out = TensorTransform.of(function).input("x").output("ox", DataType.INT32, 0).transform(numbers(20, 2));
        List<Row> rows = out.collectAsList();
        LocalSpark.awaitMemory(Long.MAX_VALUE);         // its copy is closed
        assertEquals(rows, out.collectAsList());
        assertFalse(function.isClosed);
    }

    @Test
    void aFunctionThatCannotBeSerialisedIsRefused() {
        Object own = new Object();
        String said = assertThrows(IllegalArgumentException.class, () -> TensorTransform.of(inputs -> {
            own.hashCode();
            return inputs;
        })).getMessage();
        assertTrue(said.contains("java.lang.Object"), said);
    }

    @Test
    @SuppressWarnings("deprecation")
    void modelsAreClosedAfterTheThreadThatClosesHasDied() throws Exception {
        Models.Borrowed used = Models.borrow("used", new FunctionModel(LocalSpark.ECHO), "ox");      // for which the thread stays
        Models.borrow("unused", new FunctionModel(LocalSpark.ECHO), "ox").close();
        Thread closing = null;
        while (closing == null || closing.getState() != Thread.State.TIMED_WAITING) {
            closing = Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().equals("tensornio-spark")).findAny()
                .orElse(null);
        }
        closing.stop();                                 // by a ThreadDeath, which is an Error
        closing.join();
        used.close();
        LocalSpark.awaitMemory(Long.MAX_VALUE);
    }

    @Test
    void aModelWithoutAMapOrATensorIsNamedAndLeavesNothing() throws Exception {
        long before = MemoryStats.current().bytesInUse();
        ModelFunction none = inputs -> null;
        String said = LocalSpark.fault(TensorTransform.of(none).input("x").output("y", DataType.INT32, 0).transform(numbers(3, 1)));
        assertTrue(said.contains("the model failed on the 3 rows from row 0 of partition 0 on: the model returned no map"), said);
        said = assertThrows(IllegalArgumentException.class, () -> TensorTransform.of(none).input("x").output("y").transform(numbers(3, 1)))
            .getMessage();
        assertTrue(said.contains("the model returned no map"), said);
        ModelFunction missing = inputs -> {
            Map<String, AnyTensor<?>> outputs = new LinkedHashMap<>();
            for (int i = 0; i < 20; i++) {
                outputs.put("y" + i, i == 7 ? null : Tensors.create(inputs.get("x").intData()));
            }
            return outputs;
        };
        said = LocalSpark.fault(TensorTransform.of(missing).input("x").output("y7", DataType.INT32, 0).transform(numbers(3, 1)));
        assertTrue(said.contains("the model failed on the 3 rows from row 0 of partition 0 on: output y7 is null"), said);
        said = assertThrows(IllegalArgumentException.class, () -> TensorTransform.of(missing).input("x").output("y7").transform(numbers(3, 1)))
            .getMessage();
        assertTrue(said.contains("output y7 is null"), said);
        assertEquals(3, TensorTransform.of(missing).input("x").output("y8").transform(numbers(3, 1)).collectAsList().size());
        LocalSpark.awaitMemory(before);
    }

    @Test
    void manyTransformsLeaveNothing() throws Exception {
        long before = MemoryStats.current().bytesInUse();
        for (int i = 0; i < 5; i++) {
            assertEquals(10, echo(inputs -> inputs).transform(numbers(10, 1)).count());
        }
        LocalSpark.awaitMemory(before);
        for (int i = 0; i < 100 && Thread.getAllStackTraces().keySet().stream().anyMatch(thread -> thread.getName().equals("tensornio-spark")); i++) {
            Thread.sleep(50);
        }
        assertTrue(Thread.getAllStackTraces().keySet().stream().noneMatch(thread -> thread.getName().equals("tensornio-spark")));
        assertNull(TaskContext.get());
    }
}
