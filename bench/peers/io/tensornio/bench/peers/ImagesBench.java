package io.tensornio.bench.peers;

import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.UInt8;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import io.tensornio.images.Images;
import io.tensornio.images.Resampling;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A JPEG of 640 x 480 pixels as the input of a network, of (3, 224, 224), against its decoder alone. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-Djava.awt.headless=true"})
public class ImagesBench {
    /** A JPEG, and what scales it. */
    @State(Scope.Thread)
    public static class Picture {
        final Comprehension scale = Comprehension.of("y[c,i,j] = float(x[i,j,c]) / 255");
        Path path;

        /** Draws it: waves, and a little noise. */
        @Setup(Level.Trial)
        public void draw() throws IOException {
            path = Files.createTempFile("picture", ".jpg");
            try (Tensor<UInt8> pixels = Tensors.denseUInt8(new long[] {480, 640, 3}, data -> {
                for (int i = 0; i < 480; i++) {
                    for (int j = 0; j < 640; j++) {
                        for (int c = 0; c < 3; c++) {
                            double wave = 120 + 60 * Math.sin(i / 17.) + 60 * Math.cos((j + 40 * c) / 29.);
                            data.put((byte) (wave + (i * 31 + j * 17 + c * 7) % 11), i, j, c);
                        }
                    }
                }
            })) {
                Images.write(path, pixels.uInt8Data());
            }
        }

        /** Deletes it. */
        @TearDown(Level.Trial)
        public void close() throws IOException {
            Files.delete(path);
        }
    }

    /** Reads, resizes, scales and permutes it. */
    @Benchmark
    public float tensors(Picture on) {
        try (Tensor<UInt8> image = Images.read(on.path);
            Tensor<UInt8> small = Images.resize(image.uInt8Data(), 224, 224, Resampling.BILINEAR);
            Results scaled = on.scale.run(small)) {
            return scaled.floatTensor("y").floatData().get(0, 0, 0);
        }
    }

    /** Decodes it, by the JDK. */
    @Benchmark
    public BufferedImage decoder(Picture on) throws IOException {
        return ImageIO.read(on.path.toFile());
    }
}
