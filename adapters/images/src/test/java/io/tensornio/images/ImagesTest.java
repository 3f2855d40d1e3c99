package io.tensornio.images;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.ByteTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.UInt8;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.awt.image.WritableRaster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images read, written and converted. */
class ImagesTest {
    @TempDir
    Path folder;

    private static ByteTensorData pixels(int height, int width, int channels) {
        byte[] pixels = new byte[height * width * channels];
        new Random(height * 31 + channels).nextBytes(pixels);
        return ByteTensorData.of(pixels, height, width, channels);
    }

    private static byte[] encoded(BufferedImage image, String format) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertTrue(ImageIO.write(image, format, out), format);
        return out.toByteArray();
    }

    private static Tensor<UInt8> read(byte[] bytes) {
        return Images.read(new ByteArrayInputStream(bytes));
    }

    @Test
    void whatIsWrittenIsReadAgain() {
        for (String format : new String[] {"png", "bmp", "PNG"}) {
            for (int channels : new int[] {1, 3, 4}) {
                if (channels != 3 && format.equals("bmp")) {
                    continue;           // it has no alpha, and grey as a palette
                }
                Path file = folder.resolve("image." + format);
                Images.write(file, pixels(5, 7, channels));
                try (Tensor<UInt8> again = Images.read(file)) {
                    assertEquals(pixels(5, 7, channels), again.uInt8Data(), format + channels);
                }
            }
        }
        try (Tensor<UInt8> again = read(Images.png(pixels(3, 2, 4)))) {
            assertEquals(pixels(3, 2, 4), again.uInt8Data());
        }
    }

    @Test
    void aJpegIsNearlyWhatWasWritten() {
        byte[] smooth = new byte[16 * 16 * 3];
        for (int n = 0; n < smooth.length; n++) {
            smooth[n] = (byte) (n / 48 * 8 + n % 3 * 40);
        }
        Path file = folder.resolve("a.jpg");
        Images.write(file, ByteTensorData.of(smooth, 16, 16, 3));
        try (Tensor<UInt8> again = Images.read(file)) {
            assertArrayEquals(new long[] {16, 16, 3}, again.shape());
            byte[] found = new byte[smooth.length];
            again.uInt8Data().copyTo(found);
            for (int n = 0; n < found.length; n++) {
                assertEquals(smooth[n] & 0xff, found[n] & 0xff, 12);
            }
        }
    }

    /** A decoder writes red first, into an image of ours, what it else writes blue first. */
    @Test
    void whatIsReadIsWhatTheDecoderGivesByItself() throws IOException {
        for (String format : new String[] {"jpg", "png", "bmp", "gif"}) {
            for (int channels : new int[] {1, 3}) {
                for (int[] size : new int[][] {{1, 1}, {7, 5}, {33, 130}, {200, 17}}) {
                    byte[] values = new byte[size[0] * size[1] * channels];
                    new java.util.Random(7).nextBytes(values);
                    Path file = folder.resolve("image." + format);
                    Images.write(file, ByteTensorData.of(values, size[0], size[1], channels));
                    try (Tensor<UInt8> read = Images.read(file); Tensor<UInt8> plain = Images.of(ImageIO.read(file.toFile()))) {
                        assertEquals(plain.uInt8Data(), read.uInt8Data(), format + channels);
                    }
                }
            }
        }
    }

    @Test
    void anImageOfRedGreenAndBlueInOrderIsCopied() {
        BufferedImage image = Pixels.inOrder(5, 6);
        image.setRGB(2, 3, 0x0a141e);
        for (BufferedImage one : new BufferedImage[] {image, image.getSubimage(1, 2, 3, 2), image.getSubimage(0, 0, 6, 4)}) {
            try (Tensor<UInt8> tensor = Images.of(one)) {
                assertArrayEquals(new long[] {one.getHeight(), one.getWidth(), 3}, tensor.shape());
                int y = one.getHeight() == 2 ? 1 : 3;
                int x = one.getHeight() == 2 ? 1 : 2;
                assertEquals("UINT8[3] [10, 20, 30]", tensor.uInt8Data().slice(y, x).toString());
            }
        }
    }

    /** The same colours, whatever form an image has. */
    @Test
    void everyFormOfImageGivesItsColours() {
        int[] types = {BufferedImage.TYPE_INT_RGB, BufferedImage.TYPE_INT_BGR, BufferedImage.TYPE_3BYTE_BGR, BufferedImage.TYPE_INT_ARGB,
            BufferedImage.TYPE_4BYTE_ABGR, BufferedImage.TYPE_INT_ARGB_PRE, BufferedImage.TYPE_4BYTE_ABGR_PRE, BufferedImage.TYPE_USHORT_565_RGB,
            BufferedImage.TYPE_USHORT_555_RGB, BufferedImage.TYPE_BYTE_INDEXED, BufferedImage.TYPE_BYTE_BINARY};
        for (int type : types) {
            BufferedImage image = new BufferedImage(4, 3, type);
            image.setRGB(2, 1, 0xffff0000);
            image.setRGB(3, 2, 0xffffffff);
            try (Tensor<UInt8> tensor = Images.of(image)) {
                int channels = image.getColorModel().hasAlpha() ? 4 : 3;
                assertArrayEquals(new long[] {3, 4, channels}, tensor.shape(), "type " + type);
                for (int y = 0; y < 3; y++) {
                    for (int x = 0; x < 4; x++) {
                        Color color = new Color(image.getRGB(x, y), true);
                        int[] expected = {color.getRed(), color.getGreen(), color.getBlue(), color.getAlpha()};
                        for (int c = 0; c < channels; c++) {
                            assertEquals(expected[c], tensor.uInt8Data().getUnsigned(y, x, c), "type " + type + " at " + x + ", " + y);
                        }
                    }
                }
            }
        }
    }

    @Test
    void aPartOfAnImageIsThatPart() {
        for (int type : new int[] {BufferedImage.TYPE_3BYTE_BGR, BufferedImage.TYPE_INT_RGB}) {
            BufferedImage image = new BufferedImage(6, 5, type);
            image.setRGB(2, 3, 0x0a141e);
            try (Tensor<UInt8> part = Images.of(image.getSubimage(1, 2, 3, 2))) {
                assertArrayEquals(new long[] {2, 3, 3}, part.shape());
                assertEquals("UINT8[3] [10, 20, 30]", part.uInt8Data().slice(1, 1).toString());
            }
        }
    }

    /** Grey samples are the values: no curve is applied, as by getRGB. Of 16 bits the upper 8 count. */
    @Test
    void greyIsOneChannelAsItIs() {
        BufferedImage gray = new BufferedImage(2, 1, BufferedImage.TYPE_BYTE_GRAY);
        gray.getRaster().setSample(0, 0, 0, 77);
        BufferedImage deep = new BufferedImage(2, 1, BufferedImage.TYPE_USHORT_GRAY);
        deep.getRaster().setSample(1, 0, 0, 0xabcd);
        try (Tensor<UInt8> one = Images.of(gray); Tensor<UInt8> other = Images.of(deep)) {
            assertEquals(77, one.uInt8Data().getUnsigned(0, 0, 0));
            assertArrayEquals(new long[] {1, 2, 1}, other.shape());
            assertEquals(0xab, other.uInt8Data().getUnsigned(0, 1, 0));
        }
    }

    @Test
    void aPaletteWithATransparentColourHasAlpha() throws IOException {
        byte[] reds = {10, 20, 30};
        for (boolean isTransparent : new boolean[] {false, true}) {
            IndexColorModel palette = isTransparent ? new IndexColorModel(8, 3, reds, new byte[3], new byte[3], 1)
                : new IndexColorModel(8, 3, reds, new byte[3], new byte[3]);
            BufferedImage image = new BufferedImage(3, 1, BufferedImage.TYPE_BYTE_INDEXED, palette);
            WritableRaster raster = image.getRaster();
            for (int x = 0; x < 3; x++) {
                raster.setSample(x, 0, 0, x);
            }
            try (Tensor<UInt8> tensor = read(encoded(image, "png"))) {
                assertArrayEquals(new long[] {1, 3, isTransparent ? 4 : 3}, tensor.shape());
                assertEquals(30, tensor.uInt8Data().getUnsigned(0, 2, 0));
                if (isTransparent) {
                    assertEquals(0, tensor.uInt8Data().getUnsigned(0, 1, 3));
                    assertEquals(255, tensor.uInt8Data().getUnsigned(0, 2, 3));
                }
            }
        }
    }

    @Test
    void anImageHasTheValuesOfTheTensor() {
        for (int channels : new int[] {1, 3, 4}) {
            ByteTensorData pixels = pixels(4, 5, channels);
            try (Tensor<UInt8> again = Images.of(Images.toBufferedImage(pixels))) {
                assertEquals(pixels, again.uInt8Data());
            }
            try (Tensor<UInt8> turned = Images.of(Images.toBufferedImage(pixels.permute(1, 0, 2)))) {
                assertEquals(pixels.permute(1, 0, 2), turned.uInt8Data());
            }
        }
    }

    @Test
    void otherShapesAreRefused() {
        for (long[] shape : new long[][] {{2, 3}, {2, 3, 2}, {2, 3, 5}, {0, 3, 3}, {2, 0, 1}, {1, 2, 3, 1}, {}}) {
            long count = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
            ByteTensorData data = ByteTensorData.of(new byte[(int) count], shape);
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Images.toBufferedImage(data));
            assertTrue(e.getMessage().contains(Arrays.toString(shape)), e.getMessage());
        }
        ByteTensorData huge = ByteTensorData.of(new byte[] {1}, 1, 1, 1).broadcastTo(1L << 20, 1L << 20, 3);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Images.png(huge)).getMessage().contains("2^31"));
    }

    @Test
    void formatsThatAreNotThereAndAlphaInAJpegAreRefused() {
        Path file = folder.resolve("image.xyz");
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Images.write(file, pixels(1, 1, 3)));
        assertTrue(e.getMessage().contains("image.xyz") && e.getMessage().contains("png"), e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> Images.write(folder.resolve("noextension"), pixels(1, 1, 3)));
        for (String name : new String[] {"a.jpg", "a.jpeg", "a.JPG", "a.bmp"}) {
            IllegalArgumentException alpha = assertThrows(IllegalArgumentException.class, () -> Images.write(folder.resolve(name), pixels(2, 2, 4)));
            assertTrue(alpha.getMessage().contains("alpha"), alpha.getMessage());
            assertTrue(Files.notExists(folder.resolve(name)), "nothing was written");
        }
    }

    @Test
    void aFailureLeavesTheOldFileAndNoDraft() throws IOException {
        Path file = folder.resolve("old.png");
        Images.write(file, pixels(2, 2, 3));
        assertThrows(IllegalArgumentException.class, () -> Images.write(file, pixels(2, 2, 2)));
        assertThrows(UncheckedIOException.class, () -> Images.write(folder.resolve("absent/a.png"), pixels(2, 2, 3)));
        Images.write(file, pixels(3, 3, 1));
        try (Tensor<UInt8> again = Images.read(file); Stream<Path> files = Files.list(folder)) {
            assertEquals(pixels(3, 3, 1), again.uInt8Data());
            assertEquals(1, files.count());
        }
    }

    @Test
    void whatIsNoImageIsNamed() throws IOException {
        Path file = folder.resolve("text.png");
        Files.write(file, new byte[] {'h', 'e', 'l', 'l', 'o'});
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Images.read(file));
        assertTrue(e.getMessage().contains("text.png") && e.getMessage().contains("png"), e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> read(new byte[0]));
        assertThrows(UncheckedIOException.class, () -> Images.read(folder.resolve("absent.png")));
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("the device");
            }
        };
        assertThrows(UncheckedIOException.class, () -> Images.read(broken));
    }

    /** Pillow's {@code Image.new('CMYK', (8, 8), (200, 10, 30, 40))} as a JPEG: its inks cannot be shown as RGB without their profile. */
    @Test
    void inksAreRefusedByName() throws IOException {
        Path file = folder.resolve("inks.jpg");
        Files.write(file, Base64.getDecoder().decode("/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAbEhQXFBEbFxYXHhwbIChCKyglJShROj0wQmBVZWRfVV1baniZgWpxkHNbXYW1"
            + "hpCeo6utq2eAvMm6pseZqKuk/8AAFAgACAAIBEMRAE0RAFkRAEsRAP/EABUAAQEAAAAAAAAAAAAAAAAAAAUG/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAA4EQwBN"
            + "AFkASwAAPwAlRnTT/9k="));
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Images.read(file));
        assertTrue(e.getMessage().startsWith(file + " is in CMYK"), e.getMessage());
    }

    /** Who may read a file, and a link to it, stay as they are when its picture is replaced. */
    @Test
    void aFileKeepsItsPermissionsAndItsLinks() throws IOException {
        Assumptions.assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"), "skipped: there are no permissions here");
        Path file = folder.resolve("private.png");
        Path link = folder.resolve("link.png");
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.createSymbolicLink(link, file.getFileName());
        Images.write(link, pixels(2, 2, 1));
        assertTrue(Files.isSymbolicLink(link));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        try (Tensor<UInt8> read = Images.read(file)) {
            assertEquals(pixels(2, 2, 1), read.uInt8Data());
        }
    }

    /**
     * Bytes that are flipped, and files that are cut: an image or an exception that is documented, and nothing else. {@code -PtestDepth=84} makes
     * 10^5 of them.
     */
    @Test
    void hostileFilesAreRefused() throws IOException {
        Random random = new Random(7);
        for (String format : new String[] {"png", "jpg", "gif", "bmp"}) {
            byte[] good = encoded(Images.toBufferedImage(pixels(9, 8, 3)), format);
            for (int n = 0; n < 300 * Integer.getInteger("tensornio.test.depth", 1); n++) {
                byte[] bad = Arrays.copyOf(good, n % 3 == 0 ? random.nextInt(good.length) : good.length);
                for (int flips = n % 3; flips > 0; flips--) {
                    bad[random.nextInt(Math.min(bad.length, n % 2 == 0 ? 60 : bad.length))] ^= (byte) (1 << random.nextInt(8));
                }
                try (Tensor<UInt8> read = read(bad)) {
                    assertEquals(3, read.rank());
                } catch (IllegalArgumentException | UncheckedIOException e) {
                    assertTrue(e.getMessage() != null);
                } catch (OutOfMemoryError e) {
                    assertTrue(e.getMessage().contains("pixels"), e.getMessage());
                }
            }
        }
    }

    /** The header says how many pixels there are: those of a bomb are never decoded. */
    @Test
    void aSizeBeyondTheBudgetIsRefusedBeforeDecoding() throws IOException {
        byte[] file = encoded(Images.toBufferedImage(pixels(2, 2, 3)), "png");
        java.nio.ByteBuffer.wrap(file).putInt(16, 40_000).putInt(20, 40_000);
        OutOfMemoryError e = assertThrows(OutOfMemoryError.class, () -> read(file));
        assertTrue(e.getMessage().contains("40000 x 40000 pixels"), e.getMessage());
    }

    @Test
    void aHeatMapGoesFromTheLeastToTheMost() {
        float[] values = {-2, 0, 2, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY};
        try (Tensor<UInt8> map = Images.heatmap(FloatTensorData.of(values, 2, 3), Colormap.GRAY);
            Tensor<UInt8> viridis = Images.heatmap(FloatTensorData.of(values, 2, 3), Colormap.VIRIDIS);
            Tensor<UInt8> cool = Images.heatmap(FloatTensorData.of(values, 2, 3), Colormap.COOLWARM);
            Tensor<UInt8> constant = Images.heatmap(FloatTensorData.of(new float[] {5, 5}, 1, 2), Colormap.GRAY)) {
            assertEquals("UINT8[3, 4]\n[[  0,   0,   0, 255],\n [128, 128, 128, 255],\n [255, 255, 255, 255]]", map.uInt8Data().slice(0).toString());
            assertEquals("UINT8[3, 4]\n[[  0,   0,   0,   0],\n [255, 255, 255, 255],\n [  0,   0,   0, 255]]", map.uInt8Data().slice(1).toString());
            assertEquals("UINT8[4] [ 68,   1,  84, 255]", viridis.uInt8Data().slice(0, 0).toString());
            assertEquals("UINT8[4] [253, 231,  36, 255]", viridis.uInt8Data().slice(0, 2).toString());
            assertEquals("UINT8[4] [ 58,  76, 192, 255]", cool.uInt8Data().slice(0, 0).toString());
            assertEquals("UINT8[4] [179,   3,  38, 255]", cool.uInt8Data().slice(0, 2).toString());
            assertEquals("UINT8[4] [128, 128, 128, 255]", constant.uInt8Data().slice(0, 1).toString());
        }
        assertThrows(IllegalArgumentException.class, () -> Images.heatmap(FloatTensorData.of(new float[3], 3), Colormap.GRAY));
        assertThrows(IllegalArgumentException.class, () -> Images.heatmap(FloatTensorData.of(new float[0], 0, 3), Colormap.GRAY));
    }
}
