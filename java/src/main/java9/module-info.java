/** Tensor data for the JVM: typed, n-dimensional access to native memory without copies. */
@SuppressWarnings("module")         // the adapters' modules are not there when this is compiled
@org.jspecify.annotations.NullMarked
module io.tensornio {
    requires java.logging;
    requires static java.management;
    requires static org.jspecify;

    exports io.tensornio;
    exports io.tensornio.axes;
    exports io.tensornio.compute;
    exports io.tensornio.graph;
    exports io.tensornio.interop;
    exports io.tensornio.io;
    exports io.tensornio.op;
    exports io.tensornio.op.array;
    exports io.tensornio.op.fft;
    exports io.tensornio.op.linalg;
    exports io.tensornio.op.math;
    exports io.tensornio.op.nn;
    exports io.tensornio.op.random;
    exports io.tensornio.op.reduce;
    exports io.tensornio.spi;
    exports io.tensornio.value;
    exports io.tensornio.internal.interop to io.tensornio.arrow, io.tensornio.djl, io.tensornio.onnxruntime;
    exports io.tensornio.internal.compute to io.tensornio.onnx;
    exports io.tensornio.internal.file to io.tensornio.images;

    uses io.tensornio.spi.NativeLibraryProvider;
}
