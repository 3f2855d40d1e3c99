package io.tensornio.onnxruntime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.Tensor;
import io.tensornio.value.Value;
import java.io.File;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models that packages of Python ship, where these could be fetched: what comes out is what ONNX Runtime gives to those who run it by hand. */
class PackagedModelsTest {
    @TempDir
    Path folder;

    private Path model(String wheel, String entry) throws Exception {
        String[] found = new File(System.getProperty("tensornio.test.wheels", "none")).list((in, name) -> name.startsWith(wheel));
        assumeTrue(found != null && found.length > 0, () -> "skipped: the package " + wheel + " cannot be had");
        Path file = new File(System.getProperty("tensornio.test.wheels"), found[0]).toPath();
        try (FileSystem zip = FileSystems.newFileSystem(file, (ClassLoader) null)) {
            return Files.copy(zip.getPath(entry), folder.resolve("model.onnx"));
        }
    }

    private static void same(OrtSession.Result expected, Value out) throws Exception {
        int outputs = 0;
        for (Map.Entry<String, ?> one : expected) {
            OnnxTensor tensor = (OnnxTensor) one.getValue();
            Tensor<?> mine = (Tensor<?>) out.get(one.getKey()).asTensor();
            assertArrayEquals(tensor.getInfo().getShape(), mine.shape());
            FloatBuffer values = tensor.getFloatBuffer();
            FloatBuffer same = mine.asByteBuffer().asFloatBuffer();
            assertEquals(values.remaining(), same.remaining());
            for (int n = 0; n < values.remaining(); n++) {
                assertEquals(Float.floatToRawIntBits(values.get(n)), Float.floatToRawIntBits(same.get(n)), one.getKey());
            }
            outputs++;
        }
        assertEquals(outputs, out.asDict().size());
    }

    @Test
    void theTypesOfFiles() throws Exception {
        Path path = model("magika-", "magika/models/standard_v3_3/model.onnx");
        int[] bytes = new int[2 * 2048];
        Arrays.setAll(bytes, n -> n % 2048 < 1024 ? 32 + n % 90 : 256);
        OrtEnvironment env = OrtEnvironment.getEnvironment();
        try (OrtModel model = OrtModel.load(path); OrtSession session = env.createSession(path.toString());
            Tensor<Integer> tensor = IntTensorData.of(bytes, 2, 2048).copy()) {
            String input = model.inputs().keySet().iterator().next();
            String output = model.outputs().keySet().iterator().next();
            try (OnnxTensor theirs = OnnxTensor.createTensor(env, IntBuffer.wrap(bytes), new long[] {2, 2048});
                OrtSession.Result expected = session.run(Collections.singletonMap(input, theirs));
                Value out = model.run(Collections.singletonMap(input, tensor))) {
                same(expected, out);
                long[] shape = out.get(output).asTensor().shape();
                assertEquals(2, shape[0]);
                try (Value pinned = model.run(Collections.singletonMap(input, tensor), Collections.singletonMap(output, shape))) {
                    same(expected, pinned);
                }
            }
        }
    }

    @Test
    void voiceInSound() throws Exception {
        Path path = model("silero_vad-", "silero_vad/data/silero_vad.onnx");
        float[] sound = new float[576];
        for (int n = 0; n < sound.length; n++) {
            sound[n] = (float) (0.4 * Math.sin(n * 0.13) + 0.3 * Math.sin(n * 0.0071));
        }
        OrtEnvironment env = OrtEnvironment.getEnvironment();
        try (OrtModel model = OrtModel.load(path); OrtSession session = env.createSession(path.toString());
            OnnxTensor input = OnnxTensor.createTensor(env, FloatBuffer.wrap(sound), new long[] {1, 576});
            OnnxTensor state = OnnxTensor.createTensor(env, FloatBuffer.allocate(256), new long[] {2, 1, 128});
            OnnxTensor rate = OnnxTensor.createTensor(env, LongBuffer.wrap(new long[] {16_000}), new long[0])) {
            Map<String, OnnxTensor> theirs = new HashMap<>();
            theirs.put("input", input);
            theirs.put("state", state);
            theirs.put("sr", rate);
            Map<String, Object> mine = new HashMap<>();
            mine.put("input", FloatTensorData.of(sound, 1, 576));
            mine.put("state", FloatTensorData.constant(0, 2, 1, 128));
            mine.put("sr", LongTensorData.constant(16_000));
            assertTrue(model.inputs().keySet().equals(mine.keySet()), model::toString);
            try (OrtSession.Result expected = session.run(theirs); Value out = model.run(mine)) {
                same(expected, out);
            }
        }
    }
}
