package io.tensornio.compute;

import io.tensornio.internal.compute.Affine;
import io.tensornio.internal.compute.Keys;
import io.tensornio.internal.compute.Name;
import io.tensornio.internal.compute.Term;
import java.util.Objects;

/**
 * A tensor of a comprehension built in Java: an input, or the target of a statement. It has identity: another one made
 * with the same name is another tensor, which is renamed in the comprehension's text ({@code A}, {@code A_2}).
 */
public final class TensorName {
    static {
        Keys.install(key -> new TensorName((Name) key));
    }

    final Name name;

    private TensorName(Name name) {
        this.name = name;
    }

    /**
     * Makes a tensor.
     *
     * @param name its name: a letter or {@code _}, then letters, digits and {@code _}, of ASCII
     * @throws IllegalArgumentException if the name is invalid, or a keyword
     */
    public TensorName(String name) {
        this(Name.tensor(name));
    }

    /**
     * The name with which it was made.
     *
     * @return the name
     */
    public String name() {
        return name.text;
    }

    /**
     * The only element of a tensor of rank 0.
     *
     * @return the access
     */
    public Access at() {
        return new Access(name);
    }

    /**
     * Elements of a tensor of rank 1.
     *
     * @param i the index of its axis
     * @return the access
     */
    public Access at(Index i) {
        return new Access(name, i);
    }

    /**
     * Elements of a tensor of rank 2.
     *
     * @param i the index of axis 0
     * @param j the index of axis 1
     * @return the access
     */
    public Access at(Index i, Index j) {
        return new Access(name, i, j);
    }

    /**
     * Elements of a tensor of rank 3.
     *
     * @param i the index of axis 0
     * @param j the index of axis 1
     * @param k the index of axis 2
     * @return the access
     */
    public Access at(Index i, Index j, Index k) {
        return new Access(name, i, j, k);
    }

    /**
     * Elements of a tensor of rank 4.
     *
     * @param i the index of axis 0
     * @param j the index of axis 1
     * @param k the index of axis 2
     * @param l the index of axis 3
     * @return the access
     */
    public Access at(Index i, Index j, Index k, Index l) {
        return new Access(name, i, j, k, l);
    }

    /**
     * Elements of a tensor of any rank.
     *
     * @param indices an index for each axis
     * @return the access
     */
    public Access at(Index... indices) {
        return new Access(name, own(indices));
    }

    /**
     * Elements of a tensor of any rank.
     *
     * @param first the index of axis 0
     * @param rest those of the other axes
     * @return the access
     */
    public Access at(Index first, Index[] rest) {
        Objects.requireNonNull(rest, "rest");
        Index[] all = new Index[rest.length + 1];
        all[0] = first;
        System.arraycopy(rest, 0, all, 1, rest.length);
        return new Access(name, all);
    }

    /**
     * The value of an element of this tensor as an index: a look-up, as in {@code T[I[b, j], k]}. The tensor is of integers, and not UINT64; a
     * negative value never counts from the end.
     *
     * @param indices an index for each of its axes
     * @return the index, whose coefficient stays 1
     */
    public Index index(Index... indices) {
        return new Index(Affine.lookUp(new Access(name, own(indices)).term));
    }

    /**
     * The length of an axis, as a bound.
     *
     * @param axis which axis, from 0 on; a negative one counts from the end
     * @return {@code size(name, axis)}
     */
    public Bound size(int axis) {
        return new Bound("size(", name, ", " + axis + ")");
    }

    /**
     * The length of the axis after some indices, as a bound.
     *
     * @param indices indices of the first axes, at least one
     * @return {@code len(name, indices)}
     * @throws IllegalArgumentException if there are none
     */
    public Bound len(Index... indices) {
        Objects.requireNonNull(indices, "indices");
        if (indices.length == 0) {
            throw new IllegalArgumentException("len of " + name + " without an index; the length of axis 0 is size(0)");
        }
        Term[] terms = new Term[indices.length];
        for (int n = 0; n < terms.length; n++) {
            terms[n] = indices[n].term();
        }
        return new Bound("len(", name, Term.list(", ", ")", terms));
    }

    /** A defensive copy, as an {@code Index[]}, since an array of a subclass cannot hold any index. */
    private static Index[] own(Index... indices) {
        Objects.requireNonNull(indices, "indices");
        Index[] own = new Index[indices.length];
        System.arraycopy(indices, 0, own, 0, own.length);
        return own;
    }

    /**
     * The name with which it was made.
     *
     * @return the name
     */
    @Override
    public String toString() {
        return name.text;
    }
}
