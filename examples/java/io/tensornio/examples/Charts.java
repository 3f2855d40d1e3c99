package io.tensornio.examples;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.util.Arrays;

/** Pictures of what was learnt. */
final class Charts {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 360;
    private static final int MARGIN = 48;
    private static final int CELL = 44;

    private Charts() {
    }

    private static Graphics2D canvas(BufferedImage image) {
        Graphics2D g = image.createGraphics();
        g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        g.setColor(Color.WHITE);
        g.fillRect(0, 0, image.getWidth(), image.getHeight());
        g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        return g;
    }

    /** Curves of losses from 0 to the largest, by epoch: of the training, and of the validation. */
    static BufferedImage curves(double[] training, double... validation) {
        BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D g = canvas(image);
        double largest = Math.max(Arrays.stream(training).max().orElse(1), Arrays.stream(validation).max().orElse(1));
        g.setColor(Color.GRAY);
        g.drawRect(MARGIN, MARGIN, WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN);
        g.drawString("epoch 1", MARGIN, HEIGHT - MARGIN + 18);
        g.drawString("epoch " + training.length, WIDTH - MARGIN - 50, HEIGHT - MARGIN + 18);
        curve(g, "loss of the training", 0, new Color(0x1F5FA8), largest, training);
        curve(g, "loss of the validation", 1, new Color(0xC2570C), largest, validation);
        g.dispose();
        return image;
    }

    /** A curve from 0 to its largest value, by number. */
    static BufferedImage curve(String name, String noun, double... values) {
        BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D g = canvas(image);
        g.setColor(Color.GRAY);
        g.drawRect(MARGIN, MARGIN, WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN);
        g.drawString(noun + " 1", MARGIN, HEIGHT - MARGIN + 18);
        g.drawString(noun + " " + values.length, WIDTH - MARGIN - 50, HEIGHT - MARGIN + 18);
        curve(g, name, 0, new Color(0x1F5FA8), Arrays.stream(values).max().orElse(1), values);
        g.dispose();
        return image;
    }

    private static void curve(Graphics2D g, String name, int which, Color color, double largest, double... values) {
        int width = WIDTH - 2 * MARGIN;
        int height = HEIGHT - 2 * MARGIN;
        g.setColor(color);
        g.drawString(String.format("%s, from %.3f to %.3f", name, values[0], values[values.length - 1]), MARGIN + which * width / 2, MARGIN - 10);
        Path2D line = new Path2D.Double();
        for (int n = 0; n < values.length; n++) {
            double x = MARGIN + width * n / Math.max(values.length - 1., 1);
            double y = MARGIN + height * (1 - values[n] / largest);
            if (n == 0) {
                line.moveTo(x, y);
            } else {
                line.lineTo(x, y);
            }
        }
        g.setStroke(new BasicStroke(2));
        g.draw(line);
    }

    /** A table of counts, the darker the more; a row for each class, a column for each answer. */
    static BufferedImage confusion(int[][] counts) {
        int size = 2 * MARGIN + CELL * counts.length;
        BufferedImage image = new BufferedImage(size, size, BufferedImage.TYPE_INT_RGB);
        Graphics2D g = canvas(image);
        for (int row = 0; row < counts.length; row++) {
            int most = 1;
            for (int count : counts[row]) {
                most = Math.max(most, count);
            }
            for (int column = 0; column < counts.length; column++) {
                int x = MARGIN + CELL * column;
                int y = MARGIN + CELL * row;
                float share = (float) Math.sqrt((double) counts[row][column] / most);
                g.setColor(new Color(1 - .85f * share, 1 - .6f * share, 1 - .3f * share));
                g.fillRect(x, y, CELL - 1, CELL - 1);
                g.setColor(share > .6f ? Color.WHITE : Color.DARK_GRAY);
                if (counts[row][column] > 0) {
                    g.drawString(String.valueOf(counts[row][column]), x + 12, y + CELL / 2 + 5);
                }
            }
            g.setColor(Color.GRAY);
            g.drawString(String.valueOf(row), MARGIN - 16, MARGIN + CELL * row + CELL / 2 + 5);
            g.drawString(String.valueOf(row), MARGIN + CELL * row + CELL / 2 - 4, MARGIN - 8);
        }
        g.dispose();
        return image;
    }
}
