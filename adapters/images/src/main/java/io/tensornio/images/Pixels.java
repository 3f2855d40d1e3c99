package io.tensornio.images;

import io.tensornio.ByteTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.UInt8;
import java.awt.Transparency;
import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.DataBufferByte;
import java.awt.image.IndexColorModel;
import java.awt.image.PixelInterleavedSampleModel;
import java.awt.image.Raster;
import java.awt.image.SampleModel;
import java.util.Arrays;

/** The pixels of a {@link BufferedImage} as a tensor of (height, width, channels). */
final class Pixels {
    private static final int[] IN_ORDER = {0, 1, 2};

    private Pixels() {
    }

    /** The number of channels: 1 for grey without alpha, 4 with alpha, else 3. */
    static int channels(ColorModel colors) {
        return colors.hasAlpha() ? 4 : isGray(colors) ? 1 : 3;
    }

    private static boolean isGray(ColorModel colors) {
        return !(colors instanceof IndexColorModel) && colors.getColorSpace().getType() == ColorSpace.TYPE_GRAY;
    }

    static Tensor<UInt8> of(BufferedImage image) {
        int channels = channels(image.getColorModel());
        int height = image.getHeight();
        int width = image.getWidth();
        byte[] whole = isInOrder(image) ? array(image, BufferedImage.TYPE_CUSTOM, 3) : array(image, BufferedImage.TYPE_BYTE_GRAY, 1);
        if (whole != null) {
            return Tensors.create(ByteTensorData.of(whole, height, width, channels));
        }
        byte[] colors = array(image, channels == 4 ? BufferedImage.TYPE_4BYTE_ABGR : BufferedImage.TYPE_3BYTE_BGR, channels);
        return Tensors.denseUInt8(new long[] {height, width, channels}, data -> {
            byte[] row = new byte[width * channels];
            RowReader reader = colors != null ? new Backwards(colors) : hasSamples(image) ? new Samples(image) : new Colors(image);
            for (int y = 0; y < height; y++) {
                reader.read(y, channels, row);
                data.put(row, y);
            }
        });
    }

    /** A new image whose bytes are red, green and blue, pixel by pixel. */
    static BufferedImage inOrder(int height, int width) {
        ColorSpace colors = ColorSpace.getInstance(ColorSpace.CS_sRGB);
        ColorModel model = new ComponentColorModel(colors, false, false, Transparency.OPAQUE, DataBuffer.TYPE_BYTE);
        return new BufferedImage(model, Raster.createInterleavedRaster(DataBuffer.TYPE_BYTE, width, height, 3 * width, 3, IN_ORDER.clone(), null),
            false, null);
    }

    /** Whether the bytes are as those of {@link #inOrder(int, int)}. */
    private static boolean isInOrder(BufferedImage image) {
        ColorModel colors = image.getColorModel();
        SampleModel samples = image.getSampleModel();
        return colors instanceof ComponentColorModel && colors.getColorSpace().isCS_sRGB() && !colors.hasAlpha()
            && samples instanceof PixelInterleavedSampleModel && samples.getDataType() == DataBuffer.TYPE_BYTE
            && ((PixelInterleavedSampleModel) samples).getPixelStride() == 3
            && ((PixelInterleavedSampleModel) samples).getScanlineStride() == 3 * image.getWidth()
            && Arrays.equals(((PixelInterleavedSampleModel) samples).getBandOffsets(), IN_ORDER);
    }

    /** The values of a whole image in one array, if it has such a type; a part of another image has that one's array. */
    private static byte[] array(BufferedImage image, int type, int channels) {
        if (image.getType() != type || image.getRaster().getParent() != null) {
            return null;
        }
        byte[] array = ((DataBufferByte) image.getRaster().getDataBuffer()).getData();
        return array.length == image.getWidth() * image.getHeight() * channels ? array : null;
    }

    /** Whether the samples are the values, but for their number of bits: no palette, no other colours, and straight alpha. */
    private static boolean hasSamples(BufferedImage image) {
        ColorModel colors = image.getColorModel();
        boolean isUsual = isGray(colors) || colors.getColorSpace().isCS_sRGB();
        if (colors instanceof IndexColorModel || !isUsual || colors.isAlphaPremultiplied()) {
            return false;
        }
        SampleModel samples = image.getSampleModel();
        int bits = samples.getSampleSize(0);
        for (int band = 1; band < samples.getNumBands(); band++) {
            bits = samples.getSampleSize(band) == bits ? bits : 0;
        }
        // Those of 16 bits without a sign: floats, and shorts with one, have other maxima.
        return bits == 8 || bits == 16 && samples.getDataType() == DataBuffer.TYPE_USHORT;
    }

    private interface RowReader {
        void read(int y, int channels, byte[] row);
    }

    /** Reads an array whose channels are from the last to the first, as those of most decoders are. */
    private static final class Backwards implements RowReader {
        private final byte[] array;

        Backwards(byte[] array) {
            this.array = array;
        }

        @Override
        public void read(int y, int channels, byte[] row) {
            int from = y * row.length;
            if (channels == 3) {
                for (int to = 0; to < row.length; to += 3) {
                    row[to] = array[from + to + 2];
                    row[to + 1] = array[from + to + 1];
                    row[to + 2] = array[from + to];
                }
                return;
            }
            for (int to = 0; to < row.length; to += 4) {
                row[to] = array[from + to + 3];
                row[to + 1] = array[from + to + 2];
                row[to + 2] = array[from + to + 1];
                row[to + 3] = array[from + to];
            }
        }
    }

    /** Reads the samples themselves. Grey with alpha becomes three equal colours. */
    private static final class Samples implements RowReader {
        private final Raster raster;
        private final int bands;
        private final int shift;
        private final int[] samples;

        Samples(BufferedImage image) {
            raster = image.getRaster();
            bands = raster.getNumBands();
            shift = raster.getSampleModel().getSampleSize(0) - 8;
            samples = new int[image.getWidth() * bands];
        }

        @Override
        public void read(int y, int channels, byte[] row) {
            raster.getPixels(raster.getMinX(), raster.getMinY() + y, raster.getWidth(), 1, samples);
            if (bands == channels) {
                for (int at = 0; at < row.length; at++) {
                    row[at] = (byte) (samples[at] >> shift);
                }
                return;
            }
            for (int from = 0, to = 0; to < row.length; from += bands, to += channels) {
                row[to] = (byte) (samples[from] >> shift);
                row[to + 1] = row[to];
                row[to + 2] = row[to];
                row[to + 3] = (byte) (samples[from + 1] >> shift);
            }
        }
    }

    /** Asks the image for its colours, whatever they are made of. */
    private static final class Colors implements RowReader {
        private final BufferedImage image;
        private final int[] colors;

        Colors(BufferedImage image) {
            this.image = image;
            colors = new int[image.getWidth()];
        }

        @Override
        public void read(int y, int channels, byte[] row) {
            image.getRGB(0, y, colors.length, 1, colors, 0, colors.length);
            for (int x = 0, to = 0; x < colors.length; x++, to += channels) {
                int color = colors[x];
                row[to] = (byte) (color >> 16);
                if (channels > 1) {
                    row[to + 1] = (byte) (color >> 8);
                    row[to + 2] = (byte) color;
                }
                if (channels > 3) {
                    row[to + 3] = (byte) (color >>> 24);
                }
            }
        }
    }

    /** A new image with the pixels, whose number of channels is 1, 3 or 4. */
    static BufferedImage image(ByteTensorData data) {
        int channels = (int) data.size(2);
        int type = channels == 1 ? BufferedImage.TYPE_BYTE_GRAY : channels == 3 ? BufferedImage.TYPE_3BYTE_BGR : BufferedImage.TYPE_4BYTE_ABGR;
        BufferedImage image = new BufferedImage((int) data.size(1), (int) data.size(0), type);
        data.flip(-1).copyTo(((DataBufferByte) image.getRaster().getDataBuffer()).getData());
        return image;
    }
}
