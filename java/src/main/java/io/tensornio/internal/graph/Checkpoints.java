package io.tensornio.internal.graph;

import io.tensornio.internal.file.AtomicFile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** What of a model, or of its training, is saved and loaded: all or nothing. */
public final class Checkpoints {
    /** How the keys of notes begin. */
    public static final String NOTE = "training.";

    private Checkpoints() {
    }

    private static Map<String, Cell> parameters(Model model) {
        Map<String, Cell> tensors = new LinkedHashMap<>();
        for (Variable parameter : model.kept()) {
            tensors.put("t" + parameter.id, model.cell(parameter));
        }
        return tensors;
    }

    private static Map<String, Cell> all(Descent descent) {
        Map<String, Cell> tensors = parameters(descent.model);
        descent.memories().forEach((variable, own) -> own.forEach((memory, cell) -> tensors.put("t" + variable.id + "." + memory, cell)));
        return tensors;
    }

    private static Map<String, String> names(Model model) {
        Map<String, String> names = new LinkedHashMap<>();
        for (Variable parameter : model.kept()) {
            if (parameter.name != null) {
                names.put("t" + parameter.id, parameter.name);
            }
        }
        return names;
    }

    /** Writes the parameters. */
    public static void save(Model model, OutputStream out) {
        Objects.requireNonNull(out, "out");
        model.turn.enter();
        try {
            model.check();
            write(out, parameters(model), names(model));
        } finally {
            model.turn.leave();
        }
    }

    /** Writes the parameters, what the rule remembers, and the number of steps. */
    public static void save(Descent descent, OutputStream out) {
        Objects.requireNonNull(out, "out");
        alone(descent, () -> {
            Map<String, String> about = names(descent.model);
            about.put("steps", String.valueOf(descent.steps()));
            about.put("rule", descent.rule().name());
            write(out, all(descent), about);
        });
    }

    /** Writes the best parameters, as those of a model. */
    public static void save(Best best, OutputStream out) {
        Model model = best.model;
        model.turn.enter();
        try {
            model.check();
            Map<String, Cell> tensors = new LinkedHashMap<>();
            best.cells.forEach((variable, cell) -> tensors.put("t" + variable.id, cell));
            write(out, tensors, names(model));
        } finally {
            model.turn.leave();
        }
    }

    private static void write(OutputStream out, Map<String, Cell> tensors, Map<String, String> about) {
        try {
            Checkpoint.write(out, tensors, about);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the parameters. */
    public static void load(Model model, InputStream in) {
        Objects.requireNonNull(in, "in");
        model.turn.enter();
        try {
            model.check();
            read(in, model);
        } finally {
            model.turn.leave();
        }
    }

    private static void read(InputStream in, Model model) {
        try (Checkpoint.Contents contents = Checkpoint.read(in, parameters(model), names(model), header -> { })) {
            contents.commit();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the parameters, what the rule remembers, and the number of steps. */
    public static void load(Descent descent, InputStream in) {
        Objects.requireNonNull(in, "in");
        alone(descent, () -> read(in, descent, all(descent), header -> checkRule(header, descent)));
    }

    private static Map<String, Cell> all(Descent descent, Best best) {
        Map<String, Cell> tensors = all(descent);
        if (best != null) {
            best.cells.forEach((variable, cell) -> tensors.put("t" + variable.id + ".best", cell));
        }
        return tensors;
    }

    /**
     * Writes a whole training: parameters, what the rule remembers, the number of steps, the best parameters and notes.
     *
     * @param best the best parameters, or null
     * @param notes texts by keys that begin with {@link #NOTE}
     */
    public static void save(Descent descent, Best best, Map<String, String> notes, OutputStream out) {
        alone(descent, () -> {
            Map<String, String> about = names(descent.model);
            about.put("steps", String.valueOf(descent.steps()));
            about.put("rule", descent.rule().name());
            about.putAll(notes);
            write(out, all(descent, best), about);
        });
    }

    /**
     * Reads a whole training.
     *
     * @param best the best parameters, or null
     * @param check looks at the notes first, and may refuse them
     */
    public static void load(Descent descent, Best best, Consumer<Map<String, String>> check, InputStream in) {
        alone(descent, () -> read(in, descent, all(descent, best), header -> {
            checkRule(header, descent);
            check.accept(header.notes);
        }));
    }

    private static void checkRule(CheckpointHeader header, Descent descent) {
        if (header.steps.isEmpty()) {
            throw new IllegalArgumentException("the checkpoint has no number of steps: it is one of a compute graph, not of a descent");
        }
        if (!header.rule.equals(descent.rule().name())) {
            throw new IllegalArgumentException("the checkpoint is of a descent by " + (header.rule.isEmpty() ? "no rule" : header.rule)
                + "; this one is by " + descent.rule());
        }
    }

    private static void read(InputStream in, Descent descent, Map<String, Cell> tensors, Consumer<CheckpointHeader> check) {
        try (Checkpoint.Contents contents = Checkpoint.read(in, tensors, names(descent.model), check)) {
            contents.commit();
            descent.resume(contents.steps);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void alone(Descent descent, Runnable call) {
        descent.enter();
        try {
            descent.model.turn.enter();
            try {
                descent.model.check();
                call.run();
            } finally {
                descent.model.turn.leave();
            }
        } finally {
            descent.turn.leave();
        }
    }

    /** What writes to a stream. */
    public interface Writer {
        /** Writes. */
        void write(OutputStream out);
    }

    /** Writes a file, which takes the place of the one that is there once it is complete. */
    public static void toFile(Path file, Writer writer) {
        try {
            AtomicFile.write(file, writer::write);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What reads from a stream. */
    public interface Reader {
        /** Reads. */
        void read(InputStream in);
    }

    /** Reads a file. */
    public static void fromFile(Path file, Reader reader) {
        try {
            if (Files.isDirectory(Objects.requireNonNull(file, "file"))) {
                throw new FileSystemException(file.toString(), null, "is a folder: a checkpoint is loaded from a file");
            }
            try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
                reader.read(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
