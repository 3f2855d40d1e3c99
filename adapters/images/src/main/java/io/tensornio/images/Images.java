package io.tensornio.images;

import io.tensornio.ByteTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.UInt8;
import io.tensornio.internal.file.AtomicFile;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.imageio.IIOException;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/**
 * Images as tensors of UINT8 and (height, width, channels): 1 channel for grey, 3 for red, green and blue, 4 with alpha, which is not multiplied into
 * the colours. What formats there are is up to Java's image I/O: PNG, JPEG, GIF, BMP and TIFF (Java 9), and those that plug-ins add.
 */
public final class Images {
    private Images() {
    }

    /**
     * Reads the first image of a file.
     *
     * @param file the file
     * @return a tensor of (height, width, 1, 3 or 4): palettes become 3 channels, or 4 if they have transparent colours, and samples of 16 bits lose
     *     their lower 8
     * @throws UncheckedIOException if it cannot be read, or ends early
     * @throws IllegalArgumentException if it is of no known format, malformed, or in CMYK
     * @throws OutOfMemoryError if the tensor would exceed the memory budget; nothing is decoded then
     */
    public static Tensor<UInt8> read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return read(in, file.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads the first image of a stream. It may read more than the image, and does not close the stream.
     *
     * @param in the stream
     * @return as {@link #read(Path)}
     * @throws UncheckedIOException if it cannot be read, or ends early
     * @throws IllegalArgumentException if it is of no known format, malformed, or in CMYK
     * @throws OutOfMemoryError if the tensor would exceed the memory budget; nothing is decoded then
     */
    public static Tensor<UInt8> read(InputStream in) {
        return read(Objects.requireNonNull(in, "in"), "the stream");
    }

    private static Tensor<UInt8> read(InputStream in, String name) {
        // In memory, not in a temporary file, as the default would have it.
        try (ImageInputStream input = new MemoryCacheImageInputStream(in)) {
            // Who looks for a reader takes no notice of a device that fails.
            input.mark();
            input.read();
            input.reset();
            Iterator<ImageReader> readers = ImageIO.getImageReaders(input);
            if (!readers.hasNext()) {
                throw new IllegalArgumentException(name + " is no image of a known format: these are " + formats(ImageIO.getReaderFormatNames()));
            }
            ImageReader reader = readers.next();
            try {
                if (hasFourInks(input)) {
                    throw inks(name, null);
                }
                reader.setInput(input, true, true);
                return Pixels.of(decode(reader, name));
            } finally {
                reader.dispose();
            }
        } catch (EOFException e) {
            throw new UncheckedIOException(name + " ends early", e);
        } catch (IOException e) {
            if (e instanceof IIOException && !(e.getCause() instanceof IOException)) {
                throw new IllegalArgumentException(name + " is malformed: " + e.getMessage(), e);
            }
            throw new UncheckedIOException(e);
        }
    }

    private static IllegalArgumentException inks(String name, Throwable cause) {
        return new IllegalArgumentException(name + " is in CMYK, or in other colours that cannot be converted here: convert it to RGB first", cause);
    }

    /**
     * Whether this is a JPEG of four components, which are inks: some versions of Java's reader take them for colours with alpha. The number is in
     * the segment that begins the frame (ITU-T T.81, B.2.2).
     */
    private static boolean hasFourInks(ImageInputStream input) throws IOException {
        input.mark();
        try {
            if (input.read() != 0xff || input.read() != 0xd8) {
                return false;
            }
            while (true) {
                int marker = input.read();
                while (marker == 0xff) {
                    marker = input.read();          // fill bytes, and the first byte of the marker
                }
                boolean isFrame = marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
                int high = input.read();
                int length = high << 8 | input.read();
                if (length < 2 || marker == 0xda) {
                    return false;                   // malformed, or without a frame: the reader says so
                }
                if (isFrame) {
                    return input.skipBytes(5) == 5 && input.read() == 4;
                }
                if (input.skipBytes(length - 2) < length - 2) {
                    return false;
                }
            }
        } finally {
            input.reset();
        }
    }

    private static BufferedImage decode(ImageReader reader, String name) throws IOException {
        try {
            long size = 4L * reader.getWidth(0) * reader.getHeight(0);
            long most = MemoryStats.current().maxMemory();
            if (size > most || size > Integer.MAX_VALUE) {
                throw new OutOfMemoryError(name + " has " + reader.getHeight(0) + " x " + reader.getWidth(0) + " pixels, which may take " + size
                    + " bytes; " + (size > most ? "the memory budget is " + most : "an image can have " + Integer.MAX_VALUE));
            }
            ImageReadParam how = reader.getDefaultReadParam();
            if (reader.getFormatName().matches("(?i)jpe?g|png")) {
                Iterator<ImageTypeSpecifier> types = reader.getImageTypes(0);
                if (types.hasNext() && types.next().getBufferedImageType() == BufferedImage.TYPE_3BYTE_BGR) {
                    // The JDK's decoders have red first: else they, and then we, would turn each pixel around.
                    how.setDestination(Pixels.inOrder(reader.getHeight(0), reader.getWidth(0)));
                }
            }
            return reader.read(0, how);
        } catch (IIOException e) {
            if (String.valueOf(e.getMessage()).contains("Unsupported Image Type")) {
                throw inks(name, e);
            }
            throw e;
        } catch (RuntimeException e) {
            // Decoders trust what they read.
            throw new IllegalArgumentException(name + " is malformed: " + e, e);
        }
    }

    private static String formats(String[] names) {
        return Arrays.stream(names).map(name -> name.toLowerCase(Locale.ROOT)).distinct().sorted().collect(Collectors.joining(", "));
    }

    /**
     * Writes an image in the format that the file's extension says. The file is written beside its place and then moved there, so that a failure
     * leaves an old one as it was.
     *
     * @param file the file
     * @param data UINT8 of (height, width, 1, 3 or 4)
     * @throws UncheckedIOException if it cannot be written
     * @throws IllegalArgumentException if the shape is another, no format has that extension, or this one has no alpha and the data has
     */
    public static void write(Path file, ByteTensorData data) {
        BufferedImage image = toBufferedImage(data);
        String name = String.valueOf(file.getFileName());
        byte[] encoded = encode(image, name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT), name);
        try {
            AtomicFile.write(file, out -> out.write(encoded));
        } catch (IOException e) {
            throw new UncheckedIOException(String.valueOf(e.getMessage()), e);
        }
    }

    private static byte[] encode(BufferedImage image, String format, String name) {
        Iterator<ImageWriter> writers = ImageIO.getImageWritersBySuffix(format);
        if (!writers.hasNext()) {
            throw new IllegalArgumentException(name + ": no format has this extension; these are there: " + formats(ImageIO.getWriterFileSuffixes()));
        }
        ImageWriter writer = writers.next();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
            if (image.getColorModel().hasAlpha() && (!writer.getOriginatingProvider().canEncodeImage(image) || format.matches("jpe?g"))) {
                throw new IllegalArgumentException(name + ": " + format + " has no alpha; write the first three channels, slice(ellipsis(), to(3))");
            }
            writer.setOutput(out);
            writer.write(image);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }

    /**
     * The pixels of an image, in the order of their channels and with straight alpha, whatever the image's own form is.
     *
     * @param image the image
     * @return a tensor of (height, width, 1, 3 or 4)
     */
    public static Tensor<UInt8> of(BufferedImage image) {
        return Pixels.of(Objects.requireNonNull(image, "image"));
    }

    /**
     * An image with the values of a tensor.
     *
     * @param data UINT8 of (height, width, 1, 3 or 4)
     * @return a new image of bytes: grey, colours, or colours with alpha
     * @throws IllegalArgumentException if the shape is another, has no pixels, or more than 2^31 - 1 values
     */
    public static BufferedImage toBufferedImage(ByteTensorData data) {
        check(data.shape(), true);
        return Pixels.image(data);
    }

    /**
     * An image as a PNG, for a page or a notebook.
     *
     * @param data UINT8 of (height, width, 1, 3 or 4)
     * @return the bytes of a file
     * @throws IllegalArgumentException as {@link #toBufferedImage}
     */
    public static byte[] png(ByteTensorData data) {
        return encode(toBufferedImage(data), "png", "png");
    }

    private static void check(long[] shape, boolean channels) {
        boolean fits = shape.length == 3 && shape[0] > 0 && shape[1] > 0
            && (channels ? shape[2] == 1 || shape[2] == 3 || shape[2] == 4 : shape[2] > 0);
        if (!fits) {
            throw new IllegalArgumentException("an image of shape " + Arrays.toString(shape) + ": needed is (height, width, "
                + (channels ? "1, 3 or 4)" : "channels)") + " with at least one pixel");
        }
        if (shape[0] > Integer.MAX_VALUE || shape[1] > Integer.MAX_VALUE / shape[0] || shape[2] > Integer.MAX_VALUE / (shape[0] * shape[1])) {
            throw new IllegalArgumentException("an image of shape " + Arrays.toString(shape) + " has more than 2^31 - 1 values");
        }
    }

    private static void check(long[] shape, int height, int width) {
        check(shape, false);
        if (height <= 0 || width <= 0) {
            throw new IllegalArgumentException("an image of " + height + " x " + width + " pixels; at least one is needed");
        }
        check(new long[] {height, width, shape[2]}, false);
        check(new long[] {shape[0], width, shape[2]}, false);
    }

    /**
     * Resizes an image of bytes. What shrinks is smoothed; of four channels the last one is alpha, by which colours count.
     *
     * @param data UINT8 of (height, width, channels)
     * @param height the new height
     * @param width the new width
     * @param how the filter
     * @return a new tensor
     * @throws IllegalArgumentException if the shape is another, or the height or width is not positive
     */
    public static Tensor<UInt8> resize(ByteTensorData data, int height, int width, Resampling how) {
        long[] shape = data.shape();
        check(shape, height, width);
        Resizer resizer = new Resizer((int) shape[0], (int) shape[1], (int) shape[2], height, width, Objects.requireNonNull(how, "how"));
        boolean hasAlpha = shape[2] == 4 && how != Resampling.NEAREST;
        byte[] resized = resizer.resize(data, hasAlpha);
        if (hasAlpha) {
            Resizer.divideByAlpha(resized);
        }
        return Tensors.create(ByteTensorData.of(resized, height, width, shape[2]));
    }

    /**
     * Resizes an image of floats. What shrinks is smoothed; all channels are treated alike.
     *
     * @param data FLOAT of (height, width, channels)
     * @param height the new height
     * @param width the new width
     * @param how the filter
     * @return a new tensor
     * @throws IllegalArgumentException if the shape is another, or the height or width is not positive
     */
    public static Tensor<Float> resize(FloatTensorData data, int height, int width, Resampling how) {
        long[] shape = data.shape();
        check(shape, height, width);
        Resizer resizer = new Resizer((int) shape[0], (int) shape[1], (int) shape[2], height, width, Objects.requireNonNull(how, "how"));
        float[] pixels = new float[(int) data.numElements()];
        data.copyTo(pixels);
        return Tensors.create(FloatTensorData.of(resizer.resize(pixels), height, width, shape[2]));
    }

    /**
     * A picture of a matrix: the least finite number has the first colour of a map, the greatest the last. Infinite numbers have these, too; NaN is
     * transparent. If all finite numbers are equal they have the middle colour.
     *
     * @param matrix FLOAT of (height, width)
     * @param map the colours
     * @return a tensor of (height, width, 4)
     * @throws IllegalArgumentException if it is no matrix, or has no elements
     */
    public static Tensor<UInt8> heatmap(FloatTensorData matrix, Colormap map) {
        long[] shape = matrix.shape();
        if (shape.length != 2) {
            throw new IllegalArgumentException("a heat map of shape " + Arrays.toString(shape) + ": needed is a matrix");
        }
        check(new long[] {shape[0], shape[1], 4}, true);
        Objects.requireNonNull(map, "map");
        float[] values = new float[(int) matrix.numElements()];
        matrix.copyTo(values);
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        for (float value : values) {
            if (Math.abs(value) <= Float.MAX_VALUE) {
                least = Math.min(least, value);
                most = Math.max(most, value);
            }
        }
        byte[] pixels = new byte[4 * values.length];
        for (int n = 0; n < values.length; n++) {
            if (!Float.isNaN(values[n])) {
                map.put(place(values[n], least, most), pixels, 4 * n);
            }
        }
        return Tensors.create(ByteTensorData.of(pixels, shape[0], shape[1], 4));
    }

    /** Where a number is between the least and the most, as a number of a colour. */
    private static int place(float value, double least, double most) {
        if (Float.isInfinite(value)) {
            return value > 0 ? Colormap.COLORS - 1 : 0;
        }
        double part = most > least ? (value - least) / (most - least) : .5;
        return Math.min((int) (part * Colormap.COLORS), Colormap.COLORS - 1);
    }
}
