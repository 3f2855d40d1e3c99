package io.tensornio.spark;

import io.tensornio.DataType;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** An input of a model: the column that it is made of, and what a row of it is. */
final class Input implements Serializable {
    private static final long serialVersionUID = 1;

    final String column;
    /** Its name in the model. */
    final String name;
    /** To which its elements are converted; null if they stay as they are in the column. */
    final @Nullable DataType type;
    /** The shape of a row, in which leading axes may be ragged. */
    final long[] sizes;

    Input(String column, String name, @Nullable DataType type, long... sizes) {
        this.column = column;
        this.name = name;
        this.type = type;
        this.sizes = sizes;
    }

    Input named(String other) {
        return new Input(column, other, type, sizes);
    }

    /** How many leading axes are ragged. */
    int ragged() {
        int ragged = 0;
        while (ragged < sizes.length && sizes[ragged] < 0) {
            ragged++;
        }
        return ragged;
    }
}
