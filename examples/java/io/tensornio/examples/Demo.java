package io.tensornio.examples;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.to;

import io.tensornio.AnyTensor;
import io.tensornio.Axis;
import io.tensornio.ByteTensorData;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorFormat;
import io.tensornio.UInt8;
import io.tensornio.axes.NamedTensor;
import io.tensornio.compute.Results;
import io.tensornio.graph.History;
import io.tensornio.graph.Progress;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A tour on real data: handwritten digits and a photo. */
public final class Demo {
    private static final PrintStream OUT = System.out;
    /** Rows and columns of the canvas. */
    private static final int CANVAS = 8192;
    /** What the order of the digits and the first weights of the classifier hang on. */
    private static final long SEED = 1;
    private static final int EPOCHS = 40;
    /** Two digits that look alike. */
    private static final int FIRST = 3;
    private static final int SECOND = 8;

    /** Pages of which sentences are told from each other, beside the text, and how many steps that is trained. */
    private static final String[] PAGES = {"memory.md", "compute.md", "strings.md", "files.md"};
    private static final int STEPS = 25;

    /** The share of held-out digits that the classifier has to get right, in percent. */
    private static final double LEAST = 97;

    /** How many parts have begun. */
    private int parts;

    private Demo() {
    }

    /**
     * Runs the demo.
     *
     * @param args the directory of the data, the directory to write pictures to, and a text
     * @throws IOException if the data cannot be read, or a picture cannot be written
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 3) {
            throw new IllegalArgumentException("arguments: the directory of the data, the directory to write pictures to, and a text");
        }
        System.setProperty("java.awt.headless", "true");
        Path data = Paths.get(args[0]);
        Path pictures = Files.createDirectories(Paths.get(args[1]));
        List<String> rows = Digits.rows(data.resolve("digits.csv.gz"));
        BufferedImage image = Photo.decode(data.resolve("china.jpg"));

        OUT.printf("TensorNIO on Java %s, %s %s%n", System.getProperty("java.version"), System.getProperty("os.name"),
            System.getProperty("os.arch"));
        Demo demo = new Demo();
        demo.digits(rows, pictures.resolve("digits.png"));
        demo.photo(image, pictures.resolve("photo.png"));
        demo.selections(rows, image, pictures);
        demo.irregular(rows, Paths.get(args[2]));
        demo.comprehensions(image, pictures);
        demo.views(image, pictures);
        demo.learning(rows);
        demo.timing(rows, image);
        demo.sequences(Paths.get(args[2]));
        demo.sentences(Paths.get(args[2]), pictures);
        demo.namedAxes(image, pictures);
        demo.spectrum(pictures);
        double accuracy = demo.training(rows, pictures);
        if (accuracy < LEAST) {
            System.err.printf("The classifier gets %.2f %% of the digits right that it was not trained on; at least %.0f %% are expected.%n",
                accuracy, LEAST);
            System.exit(1);
        }
    }

    private void digits(List<String> rows, Path picture) throws IOException {
        title("Handwritten digits: a CSV file, parsed straight into native memory");
        FloatTensorData kept;
        try (Digits digits = new Digits(rows);
                Tensor<Float> means = digits.means()) {
            FloatTensorData images = digits.images.floatData();
            describe("images", digits.images);
            describe("labels", digits.labels);
            kept = images.slice(0);
            OUT.printf("%nThe first digit, images.slice(0), is a view: nothing is copied. It prints as%n%n%s%n", kept);
            OUT.printf("%nand the labels print as%n%n%s%n", digits.labels.intData());
            OUT.printf("%nThe mean image of each class, summed up through slices:%n%n%s%n", Shades.of(means.floatData()));
            try (Tensor<UInt8> sheet = ContactSheet.draw(images, digits.labels.intData(), means.floatData())) {
                ByteTensorData pixels = sheet.uInt8Data();
                BufferedImage png = new BufferedImage((int) pixels.size(1), (int) pixels.size(0), BufferedImage.TYPE_BYTE_GRAY);
                pixels.copyTo(Photo.pixels(png));
                Photo.write(png, picture);
                OUT.printf("%n%s: a row for each class, its mean image first, drawn through slices.%n", picture);
            }
            memory("Native memory");
        }
        OUT.printf("%nAll of that is closed now. Reading the digit that we kept does not crash, it throws%n%n");
        try {
            throw new AssertionError("read from a closed tensor: " + kept.get(0, 0));
        } catch (TensorClosedException e) {
            OUT.printf("%s: %s%n", e.getClass().getSimpleName(), e.getMessage());
        }
        memory("Native memory after close()");
    }

    private void photo(BufferedImage image, Path picture) throws IOException {
        title("A photo: from the decoder's bytes to the input of a vision model");
        byte[] bgr = Photo.pixels(image);
        try (Tensor<UInt8> photo = Photo.rgb(bgr, image.getHeight(), image.getWidth());
                Tensor<Float> input = Photo.normalise(photo.uInt8Data())) {
            describe("photo", photo);
            describe("input", input);
            OUT.printf("%nThe decoder gives blue first."
                + " Written through a view with its last axis flipped, one bulk copy puts red first:%n%n"
                + "    data.slice(all(), all(), flip()).put(bytes)%n");
            OUT.printf("%nA model wants each colour as a plane of its own. Red is a view with a stride of 3:%n%n"
                + "    photo.slice(all(), all(), at(0))%n%n%s%n", photo.uInt8Data().slice(all(), all(), at(0)));
            OUT.printf("%nThe input has red in plane 0, normalised:%n%n%s%n", input.floatData().slice(0));
            OUT.printf("%nA native library takes it where it lies. input.asByteBuffer() is%n%n    %s%n", input.asByteBuffer());

            ByteTensorData half = Photo.mirrored(photo.uInt8Data());
            BufferedImage png = new BufferedImage((int) half.size(1), (int) half.size(0), BufferedImage.TYPE_3BYTE_BGR);
            half.copyTo(Photo.pixels(png));
            Photo.write(png, picture);
            OUT.printf("%n%s: every second pixel, mirrored: a view, and one bulk copy out of it.%n", picture);
            memory("Native memory");
        }
    }

    private void selections(List<String> rows, BufferedImage image, Path pictures) throws IOException {
        title("Parts of data, streams and files");
        try (Digits digits = new Digits(rows);
                Tensor<UInt8> photo = Photo.rgb(Photo.pixels(image), image.getHeight(), image.getWidth());
                Tensor<UInt8> framed = Selections.framed(photo.uInt8Data(), 120, 260, 140, 200)) {
            FloatTensorData images = digits.images.floatData();
            OUT.printf("How often each digit was written, counted from a stream: %s%n",
                Arrays.toString(Selections.histogram(digits.labels.intData())));
            FloatTensorData threes = Selections.ofClass(images, digits.labels.intData(), 3);
            OUT.printf("The threes, images.slice(mask(...)): a view of shape %s. The last one:%n%n%s%n", Arrays.toString(threes.shape()),
                threes.slice(at(-1)).toString(TensorFormat.DEFAULT.withPrecision(1)));
            OUT.printf("%nTheir ink, by a parallel stream: %.1f of 16 on average; of all digits %.1f.%n",
                threes.stream().parallel().average().orElse(Double.NaN), images.stream().parallel().average().orElse(Double.NaN));

            Path file = pictures.resolve("images.bin");
            Selections.save(images, file);
            try (Tensor<Float> loaded = Selections.load(file, images.shape())) {
                OUT.printf("%n%s: all images, %,d bytes, written by writeTo(stream) and read back by readFrom(stream). Equal: %b.%n", file,
                    Files.size(file), loaded.floatData().equals(images));
            }

            ByteTensorData pixels = framed.uInt8Data().slice(all(), all(), flip());
            BufferedImage png = new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_3BYTE_BGR);
            pixels.copyTo(Photo.pixels(png));
            Path picture = pictures.resolve("framed.png");
            Photo.write(png, picture);
            OUT.printf("%n%s: a region of the photo, turned red and framed through views.%n", picture);
        }
    }

    private void irregular(List<String> rows, Path text) throws IOException {
        title("Sparse and ragged tensors, strings and nested arrays");
        try (Digits digits = new Digits(rows);
                SparseTensor<Float> ink = Irregular.ink(digits.images.floatData());
                SparseTensor<Float> canvas = Irregular.canvas(digits.images.floatData(), CANVAS)) {
            sparse("The digits as a matrix, a row for each", ink);
            OUT.printf("    Half of the pixels have ink, and each takes two coordinates: as a matrix so full is better dense.%n");
            sparse("The same on a canvas", canvas);
            OUT.printf("    One digit of it, canvas.slice(range(0, 8), range(0, 8)), reads as if dense:%n%n%s%n",
                canvas.floatData().slice(range(0, Digits.SIDE), range(0, Digits.SIDE)));
            OUT.printf("%nIts ink: %,.0f, summed by a stream; row 3 begins at value %d (CSR), in column %d.%n",
                canvas.floatData().slice(range(0, 512)).stream().sum(),
                canvas.rowPointers().longData().get(3), canvas.columnIndices().longData().get((int) canvas.rowPointers().longData().get(3)));
        }
        try (RaggedTensor<String> words = Irregular.words(text)) {
            StringTensorData data = words.stringData();
            OUT.printf("%nThe words of %s by line, a ragged tensor of shape %s: %,d words, %,d bytes. Lines 3 to 6:%n%n%s%n", text.getFileName(),
                Arrays.toString(words.shape()), data.totalSize(), words.numBytes(), data.slice(range(2, 6)));
            OUT.printf("%nThe first two words of each of them, slice(range(2, 6), to(2)):%n%n%s%n", data.slice(range(2, 6), to(2)));
            OUT.printf("%nFrequent words: %s.%n", Irregular.frequent(data, 6, 8));
        }
        try (Tensor<Float> columns = Irregular.columns(rows)) {
            OUT.printf("%nThe columns of the CSV file, float[65][1797], by Tensors.ofNested: %s. The labels are the last one:%n%n%s%n",
                Arrays.toString(columns.shape()), columns.floatData().slice(at(-1)));
            float[][] back = columns.toNested(float[][].class);
            OUT.printf("%nand toNested() gives float[%d][%d] back.%n", back.length, back[0].length);
        }
    }

    private void comprehensions(BufferedImage image, Path pictures) throws IOException {
        title("Comprehensions: what each element is, computed by native code");
        try (Tensor<UInt8> photo = Photo.rgb(Photo.pixels(image), image.getHeight(), image.getWidth());
                Results blurred = Filters.blur(photo.uInt8Data(), 4);
                Results edges = Filters.edges(photo.uInt8Data());
                Results histogram = Filters.histogram(photo.uInt8Data())) {
            colours(blurred.uInt8Tensor("blurred").uInt8Data(), pictures.resolve("blurred.png"));
            OUT.printf("%s: the photo convolved with a Gaussian,%n%n    b[y,x,c] += float(photo[y+r,x+s,c]) * kernel[r,s]%n%n",
                pictures.resolve("blurred.png"));
            ByteTensorData pixels = edges.uInt8Tensor("edges").uInt8Data();
            BufferedImage png = new BufferedImage((int) pixels.size(1), (int) pixels.size(0), BufferedImage.TYPE_BYTE_GRAY);
            pixels.copyTo(Photo.pixels(png));
            Photo.write(png, pictures.resolve("edges.png"));
            OUT.printf("%s: its edges, by two more.%n%n", pictures.resolve("edges.png"));
            colours(histogram.uInt8Tensor("drawn").uInt8Data(), pictures.resolve("histogram.png"));
            OUT.printf("%s: how often each value occurs in each colour, counted by a scatter,%n%n"
                + "    count[photo[y,x,c],c] += 1 where count[256,3]%n%nand drawn by another line. The first values:%n%n%s%n",
                pictures.resolve("histogram.png"),
                histogram.longTensor("count").longData().slice(range(0, 4)));
            memory("Native memory");
        }
    }

    private void views(BufferedImage image, Path pictures) throws IOException {
        title("Views of views: a mosaic and a batch of patches");
        try (Tensor<UInt8> photo = Photo.rgb(Photo.pixels(image), image.getHeight(), image.getWidth())) {
            ByteTensorData mosaic = Mosaic.of(photo.uInt8Data());
            OUT.printf("%s of the photo as it is, permute(1, 0, 2), flip(0) and flip(1), each in pad(...), joined by concat:%n"
                + "a view of shape %s that takes no memory. copy() makes a tensor of it,%n%n", pictures.resolve("mosaic.png"),
                Arrays.toString(mosaic.shape()));
            try (Tensor<UInt8> copy = mosaic.copy()) {
                describe("mosaic", copy);
                colours(copy.uInt8Data(), pictures.resolve("mosaic.png"));
            }
            ByteTensorData patches = Mosaic.patches(photo.uInt8Data());
            OUT.printf("%nPatches of 64 x 64 pixels at every 32, by slidingWindow: a view of shape %s, as if it had%n%,d bytes;"
                + " the photo has %,d. A batch of them is one copy(), which reshape(-1, 64, 64, 3) sees as such:%n%n",
                Arrays.toString(patches.shape()), patches.numElements(), photo.numBytes());
            try (Tensor<UInt8> batch = Mosaic.batch(photo.uInt8Data())) {
                describe("patches", batch);
                OUT.printf("batch:   a view of shape %s%n",
                    Arrays.toString(batch.uInt8Data().reshape(-1, Mosaic.PATCH, Mosaic.PATCH, 3).shape()));
            }
            memory("Native memory");
        }
    }

    private void learning(List<String> rows) {
        title("A gradient: logistic regression of two digits");
        List<String> chosen = rows.stream().filter(row -> Digits.label(row) == FIRST || Digits.label(row) == SECOND).collect(Collectors.toList());
        int half = chosen.size() / 2;
        try (Tensor<Float> seen = Logistic.pixels(chosen.subList(0, half));
                Tensor<Float> isSecond = Logistic.is(chosen.subList(0, half), SECOND);
                Tensor<Float> unseen = Logistic.pixels(chosen.subList(half, chosen.size()));
                Tensor<Float> isUnseenSecond = Logistic.is(chosen.subList(half, chosen.size()), SECOND)) {
            Logistic logistic = new Logistic();
            float loss = logistic.train(seen, isSecond, 200, 1);
            OUT.printf("%d and %d: 200 steps down the gradient of the cross-entropy,%n%n    gradient l by w, b%n%non %d images, loss %.3f."
                + " Accuracy on them %.1f %%, and on %d others %.1f %%.%n", FIRST, SECOND, half, loss, 100 * logistic.accuracy(seen, isSecond),
                unseen.size(0), 100 * logistic.accuracy(unseen, isUnseenSecond));
        }
        memory("Native memory");
    }

    private void sentences(Path text, Path pictures) throws IOException {
        title("A classifier of sentences of any length: ragged rows, and gradients through them");
        long start = System.nanoTime();
        Path folder = text.resolveSibling("docs").resolve("design");
        List<Path> pages = Arrays.stream(PAGES).map(folder::resolve).collect(Collectors.toList());
        if (!pages.stream().allMatch(Files::isRegularFile)) {
            OUT.printf("There are no pages in %s.%n", folder);
            return;
        }
        Sentences sentences = new Sentences(pages, SEED);
        int[] lengths = sentences.lengths();
        OUT.printf("%,d sentences of %s, of %d to %d words, which form ragged rows of %,d words:%n%n%s%n%n", sentences.size(),
            String.join(", ", PAGES), lengths[0], lengths[1], sentences.words(), Sentences.TEXT);
        Map<String, FloatTensorData> parameters = sentences.parameters(SEED);
        double[] losses = sentences.train(STEPS, parameters);
        Photo.write(Charts.curve("loss of the sentences", "step", losses), pictures.resolve("sentences.png"));
        OUT.printf("%s: the loss of %d steps, from %.3f to %.3f, each on all sentences.%nOf a fifth, held out, %.0f %% are told"
            + " (a guess would be %.0f %%), after %.1f s.%n", pictures.resolve("sentences.png"), STEPS, losses[0], losses[STEPS - 1],
            100 * sentences.accuracy(parameters), 100. / PAGES.length, (System.nanoTime() - start) / 1e9);
        memory("Native memory");
    }

    private void namedAxes(BufferedImage image, Path pictures) throws IOException {
        title("Named axes: the photo normalised and averaged, without a word of where its axes are");
        Axis height = Axis.of("height", image.getHeight());
        Axis width = Axis.of("width", image.getWidth());
        Axis colour = Axis.of("colour", 3);
        try (Tensor<UInt8> photo = Photo.rgb(Photo.pixels(image), image.getHeight(), image.getWidth())) {
            NamedTensor pixels = NamedTensor.of(photo, height, width, colour).cast(DataType.FLOAT);
            NamedTensor mean = pixels.mean(height, width);
            NamedTensor variance = pixels.minus(mean).square().mean(height, width);
            NamedTensor normal = pixels.minus(mean).div(variance.sqrt());
            NamedTensor average = normal.mean(colour).times(50).plus(128).cast(DataType.UINT8);
            OUT.printf("An expression is computed when it is read. The mean of each colour,%n%n    %s%n%nis%n", mean);
            try (NamedTensor kept = mean; NamedTensor drawn = normal.times(50).plus(128).cast(DataType.UINT8); NamedTensor grey = average) {
                OUT.printf("%n%s%n%n", kept.floatTensor().floatData());
                colours(drawn.uInt8Tensor().uInt8Data(), pictures.resolve("normal.png"));
                OUT.printf("%s: the photo with each colour normalised.%n", pictures.resolve("normal.png"));
                BufferedImage png = new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_BYTE_GRAY);
                grey.uInt8Tensor().uInt8Data().copyTo(Photo.pixels(png));
                Photo.write(png, pictures.resolve("average.png"));
                OUT.printf("%s: its colours averaged.%n", pictures.resolve("average.png"));
            }
        }
        memory("Native memory");
    }

    private void spectrum(Path pictures) throws IOException {
        title("Operations: the spectrogram of a tone, and a line through it");
        Path picture = pictures.resolve("spectrogram.png");
        try (Tensor<UInt8> drawn = Spectrogram.draw()) {
            ByteTensorData pixels = drawn.uInt8Data().flip(0);         // high frequencies above
            BufferedImage png = new BufferedImage((int) pixels.size(1), (int) pixels.size(0), BufferedImage.TYPE_BYTE_GRAY);
            pixels.copyTo(Photo.pixels(png));
            Photo.write(png, picture);
        }
        OUT.printf("%s: windows of the tone, which are views, transformed by rfft.%n", picture);
        double[] line = Spectrogram.line();
        OUT.printf("By lstsq its loudest frequency begins at %.0f Hz and rises by %.0f Hz in a second; it was made with %.0f and %.0f.%n", line[1],
            line[0], Spectrogram.FIRST, Spectrogram.RISE);
        memory("Native memory");
    }

    /** Writes pixels, red first, as a picture. */
    private static void colours(ByteTensorData rgb, Path picture) throws IOException {
        BufferedImage png = new BufferedImage((int) rgb.size(1), (int) rgb.size(0), BufferedImage.TYPE_3BYTE_BGR);
        rgb.slice(all(), all(), flip()).copyTo(Photo.pixels(png));
        Photo.write(png, picture);
    }

    private static void sparse(String what, SparseTensor<Float> tensor) {
        long dense = tensor.numElements() * tensor.dataType().byteSize();
        OUT.printf("%n%s: %s, of which %,d values are stored: %,d bytes; dense it would be %,d.%n", what, Arrays.toString(tensor.shape()),
            tensor.values().numElements(), tensor.numBytes(), dense);
    }

    private void timing(List<String> rows, BufferedImage image) {
        title("The same steps with tensors and with nested Java arrays");
        OUT.printf("Both are warmed up, checked to give the same values, and timed in turn. This takes some seconds.%n%n");
        OUT.println(Comparison.run(rows, Photo.pixels(image), image.getHeight(), image.getWidth()));
        OUT.printf("%nWhat a step makes it closes, or leaves to the collector if it is arrays."
            + " Arrays are good at short loops over what is there;%ntensors at making, rearranging and handing on."
            + " What the last row says of arrays changes from run to run, with the%nstate of the heap.%n");
        memory("Native memory at the end");
    }

    private void sequences(Path text) throws IOException {
        title("Values: the lines of a text, a sequence of vectors, through a graph");
        Lines.show(OUT, text);
        memory("Native memory");
    }

    /** Returns how many of the digits that were held out it gets right, in percent. */
    private double training(List<String> rows, Path pictures) throws IOException {
        title("A classifier of the digits, trained here");
        long start = System.nanoTime();
        List<Classifier.Example> inFile = Classifier.examples(rows);
        List<Classifier.Example> examples = Classifier.shuffled(inFile, SEED);
        int split = examples.size() * 2 / 3;
        List<Classifier.Example> heldOut = examples.subList(split, examples.size());
        Path file = pictures.resolve("digits.safetensors");
        double accuracy;
        try (Classifier classifier = new Classifier(SEED)) {
            OUT.println(classifier.summary());
            History history = classifier.train(examples.subList(0, split), EPOCHS, pictures.resolve("best.safetensors"), Progress.console());
            Files.write(pictures.resolve("training.svg"), history.toSvg().getBytes(StandardCharsets.UTF_8));
            Files.write(pictures.resolve("training.csv"), history.toCsv().getBytes(StandardCharsets.UTF_8));
            Photo.write(Charts.curves(history.losses(), history.validationLosses()), pictures.resolve("loss.png"));
            OUT.printf("%d epochs, of which number %d is kept: %s%n", history.epochs(), history.best() + 1, pictures.resolve("training.svg"));
            Photo.write(Charts.confusion(classifier.confusion(heldOut)), pictures.resolve("confusion.png"));
            classifier.save(file);
            OUT.printf("%n%s: the loss of each epoch. %s: a row for each digit, a column for each answer.%n", pictures.resolve("loss.png"),
                pictures.resolve("confusion.png"));
            try (Classifier loaded = new Classifier(0)) {
                loaded.load(file);
                OUT.printf("%s: %,d bytes; loaded, it gives the same answers: %b.%n", file, Files.size(file),
                    Arrays.equals(classifier.classify(heldOut), loaded.classify(heldOut)));
            }
            accuracy = 100 * classifier.accuracy(heldOut);
            OUT.printf("%nOf a third of the rows, held out, shuffled by a seed: %.2f %% are right, after %.1f s.%n", accuracy,
                (System.nanoTime() - start) / 1e9);
        }
        try (Classifier classifier = new Classifier(SEED)) {
            List<Classifier.Example> others = inFile.subList(split, inFile.size());
            classifier.train(inFile.subList(0, split), EPOCHS, pictures.resolve("best.safetensors"), (epoch, step, loss) -> { });
            OUT.printf("In the order of the file the last third is by other writers: %.2f %%.%n", 100 * classifier.accuracy(others));
        }
        memory("Native memory at the end");
        return accuracy;
    }

    private void title(String text) {
        parts++;
        String numbered = parts + ". " + text;
        OUT.printf("%n%s%n%s%n%n", numbered, numbered.replaceAll(".", "="));
    }

    private static void describe(String name, AnyTensor<?> tensor) {
        OUT.printf("%s: %-6s %-15s %,10d bytes%n", name, tensor.dataType(), Arrays.toString(tensor.shape()), tensor.numBytes());
    }

    private static void memory(String when) {
        MemoryStats stats = MemoryStats.current();
        OUT.printf("%n%s: %d tensors alive, %,d bytes in use (peak %,d), %,d pooled, %,d awaiting collection.%n", when,
            stats.tensorsAlive(), stats.bytesInUse(), stats.peakBytes(), stats.bytesPooled(), stats.bytesAwaitingCollection());
    }
}
