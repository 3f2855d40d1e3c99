package io.tensornio.examples;

import java.nio.FloatBuffer;
import java.util.List;

/** What the demo does with tensors, done with nested Java arrays: the same work, as one would write it. */
final class NestedArrays {
    private NestedArrays() {
    }

    static float[][][] images(List<String> rows) {
        float[][][] images = new float[rows.size()][Digits.SIDE][Digits.SIDE];
        for (int n = 0; n < images.length; n++) {
            String[] fields = rows.get(n).split(",");
            for (int p = 0; p < Digits.SIDE * Digits.SIDE; p++) {
                images[n][p / Digits.SIDE][p % Digits.SIDE] = Float.parseFloat(fields[p]);
            }
        }
        return images;
    }

    static int[] labels(List<String> rows) {
        int[] labels = new int[rows.size()];
        for (int n = 0; n < labels.length; n++) {
            labels[n] = Digits.label(rows.get(n));
        }
        return labels;
    }

    static float[][][] means(float[][][] images, int[] labels) {
        float[][][] means = new float[Digits.CLASSES][Digits.SIDE][Digits.SIDE];
        int[] count = new int[Digits.CLASSES];
        for (int n = 0; n < images.length; n++) {
            count[labels[n]]++;
            float[][] digit = images[n];
            float[][] sum = means[labels[n]];
            for (int y = 0; y < Digits.SIDE; y++) {
                for (int x = 0; x < Digits.SIDE; x++) {
                    sum[y][x] += digit[y][x];
                }
            }
        }
        for (int c = 0; c < Digits.CLASSES; c++) {
            for (float[] row : means[c]) {
                for (int x = 0; x < Digits.SIDE; x++) {
                    row[x] /= count[c];
                }
            }
        }
        return means;
    }

    static byte[][][] rgb(byte[] bgr, int height, int width) {
        byte[][][] rgb = new byte[height][width][3];
        int i = 0;
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                for (int c = 2; c >= 0; c--) {
                    rgb[y][x][c] = bgr[i++];
                }
            }
        }
        return rgb;
    }

    static float[][][] normalise(byte[][][] rgb) {
        int height = rgb.length;
        int width = rgb[0].length;
        float[][][] planes = new float[3][height][width];
        for (int c = 0; c < 3; c++) {
            float scale = 1 / (255 * Photo.DEVIATION[c]);
            float shift = -Photo.MEAN[c] / Photo.DEVIATION[c];
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    planes[c][y][x] = (rgb[y][x][c] & 0xff) * scale + shift;
                }
            }
        }
        return planes;
    }

    /** Every second pixel, left and right exchanged, blue first. */
    static void mirrored(byte[][][] rgb, byte[] bgr) {
        int i = 0;
        for (int y = 0; y < rgb.length; y += 2) {
            for (int x = (rgb[0].length - 1) / 2 * 2; x >= 0; x -= 2) {
                for (int c = 2; c >= 0; c--) {
                    bgr[i++] = rgb[y][x][c];
                }
            }
        }
    }

    static byte[][] contactSheet(float[][][] images, int[] labels, float[][][] means) {
        byte[][] small = new byte[ContactSheet.HEIGHT][ContactSheet.WIDTH];
        int[] next = new int[Digits.CLASSES];
        for (int c = 0; c < Digits.CLASSES; c++) {
            paint(means[c], small, c, next[c]++);
        }
        for (int n = 0; n < images.length; n++) {
            int c = labels[n];
            if (next[c] < ContactSheet.COLUMNS) {
                paint(images[n], small, c, next[c]++);
            }
        }
        byte[][] sheet = new byte[ContactSheet.HEIGHT * ContactSheet.ZOOM][ContactSheet.WIDTH * ContactSheet.ZOOM];
        for (int y = 0; y < sheet.length; y++) {
            for (int x = 0; x < sheet[y].length; x++) {
                sheet[y][x] = small[y / ContactSheet.ZOOM][x / ContactSheet.ZOOM];
            }
        }
        return sheet;
    }

    private static void paint(float[][] digit, byte[][] sheet, int row, int column) {
        for (int y = 0; y < Digits.SIDE; y++) {
            for (int x = 0; x < Digits.SIDE; x++) {
                sheet[row * ContactSheet.CELL + y][column * ContactSheet.CELL + x] = (byte) (digit[y][x] * 255 / 16);
            }
        }
    }

    /** What a native library asks for: all elements in one run of native memory. */
    static void flatten(float[][][] planes, FloatBuffer buffer) {
        buffer.clear();
        for (float[][] plane : planes) {
            for (float[] row : plane) {
                buffer.put(row);
            }
        }
    }

    static float[][] filled(int height, int width) {
        float[][] rows = new float[height][width];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                rows[y][x] = x;
            }
        }
        return rows;
    }
}
