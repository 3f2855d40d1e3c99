package io.tensornio.internal.graph;

import io.tensornio.internal.data.AnyData;
import java.util.LinkedHashMap;
import java.util.Map;

/** The best parameters of a training so far, in memory of their own. */
public final class Best implements AutoCloseable {
    final Map<Variable, Cell> cells = new LinkedHashMap<>();
    final Model model;

    /** A copy of the parameters of a model, which is closed with it, if not before. */
    public Best(Model model) {
        this.model = model;
        model.own(this);
        keep();
    }

    /** Takes the current parameters. */
    public void keep() {
        model.alone(() -> {
            model.check();
            for (Variable variable : model.kept()) {
                Cell cell = cells.computeIfAbsent(variable, of -> new Cell(of.type, of.shape()));
                AnyData.copy(model.cell(variable).now().data(), cell.now().data());
            }
            return null;
        });
    }

    /** Makes these the current parameters. */
    public void restore() {
        model.alone(() -> {
            model.check();
            cells.forEach((variable, cell) -> AnyData.copy(cell.now().data(), model.cell(variable).now().data()));
            return null;
        });
    }

    /** Closes this before its model. */
    public void drop() {
        model.close(this);
    }

    @Override
    public void close() {
        cells.values().forEach(Cell::close);
        cells.clear();
    }
}
