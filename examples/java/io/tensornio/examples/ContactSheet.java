package io.tensornio.examples;

import static io.tensornio.TensorIndex.range;

import io.tensornio.ByteTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.UInt8;

/** Many digits in one picture: a row for each class, its mean image first. */
final class ContactSheet {
    /** Digits in a row, and the distance from one to the next. */
    static final int COLUMNS = 25;
    static final int CELL = Digits.SIDE + 1;
    /** How many times each pixel is repeated down and across. */
    static final int ZOOM = 4;
    static final int HEIGHT = Digits.CLASSES * CELL;
    static final int WIDTH = COLUMNS * CELL;

    private ContactSheet() {
    }

    /** Draws digits as UINT8 of shape (height, width), 0 to 255. */
    static Tensor<UInt8> draw(FloatTensorData images, IntTensorData labels, FloatTensorData means) {
        try (Tensor<UInt8> small = Tensors.denseUInt8(new long[] {HEIGHT, WIDTH}, sheet -> {
            int[] next = new int[Digits.CLASSES];
            for (int c = 0; c < Digits.CLASSES; c++) {
                paint(means.slice(c), cell(sheet, c, next[c]++));
            }
            for (int n = 0; n < images.size(0); n++) {
                int c = labels.get(n);
                if (next[c] < COLUMNS) {
                    paint(images.slice(n), cell(sheet, c, next[c]++));
                }
            }
        })) {
            return zoom(small.uInt8Data());
        }
    }

    private static ByteTensorData cell(ByteTensorData sheet, int row, int column) {
        int y = row * CELL;
        int x = column * CELL;
        return sheet.slice(range(y, y + Digits.SIDE), range(x, x + Digits.SIDE));
    }

    private static void paint(FloatTensorData digit, ByteTensorData cell) {
        for (int y = 0; y < Digits.SIDE; y++) {
            for (int x = 0; x < Digits.SIDE; x++) {
                cell.put((int) (digit.get(y, x) * 255 / 16), y, x);
            }
        }
    }

    /** Repeats each pixel: every view with the zoom for a step is a whole sheet of its own. */
    private static Tensor<UInt8> zoom(ByteTensorData small) {
        int height = HEIGHT * ZOOM;
        int width = WIDTH * ZOOM;
        return Tensors.denseUInt8(new long[] {height, width}, sheet -> {
            for (int y = 0; y < ZOOM; y++) {
                for (int x = 0; x < ZOOM; x++) {
                    sheet.slice(range(y, height, ZOOM), range(x, width, ZOOM)).put(small);
                }
            }
        });
    }
}
