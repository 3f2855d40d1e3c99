package io.tensornio.support;

import io.tensornio.TensorData;
import io.tensornio.TensorDescription;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Reshape;
import io.tensornio.internal.layout.Views;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A simple view other than a slice: the call on data of any kind, and what it makes of a {@link NaiveView}. */
public final class ViewStep {
    /** No view of more elements than this is made. */
    private static final int MOST = 600;
    private static final String[] NAMES = {"transpose", "permute", "broadcastTo", "reshape", "flatten", "flattenSome", "unflatten", "expandDims",
        "squeeze", "diagonal", "flip", "slidingWindow"};

    private final String name;
    private final long[] numbers;

    private ViewStep(String name, long... numbers) {
        this.name = name;
        this.numbers = numbers;
    }

    /** A step that a view with a layout allows. */
    public static ViewStep random(Random random, NaiveView view, Layout layout) {
        while (true) {
            ViewStep step = attempt(NAMES[random.nextInt(NAMES.length)], random, view, layout);
            if (step != null) {
                return step;
            }
        }
    }

    private static ViewStep attempt(String name, Random random, NaiveView view, Layout layout) {
        int rank = view.rank();
        long[] axes = shuffled(random, rank);
        switch (name) {
            case "transpose":
                return new ViewStep(name);
            case "permute":
                return new ViewStep(name, axes);
            case "flip":
                return new ViewStep(name, Arrays.copyOf(axes, random.nextInt(rank + 1)));
            case "squeeze":
                return new ViewStep(name, Arrays.stream(axes).filter(d -> view.shape[(int) d] == 1 && random.nextBoolean()).toArray());
            case "expandDims":
                return rank > 6 ? null : new ViewStep(name, random.nextInt(rank + 1));
            case "diagonal":
                return rank < 2 ? null : new ViewStep(name, axes[0], axes[1]);
            case "broadcastTo": {
                int added = random.nextInt(rank > 5 ? 1 : 2);
                long[] shape = new long[rank + added];
                long total = 1;
                for (int k = 0; k < shape.length; k++) {
                    int own = k < added ? 1 : view.shape[k - added];
                    shape[k] = own == 1 ? random.nextInt(4) : own;
                    total *= shape[k];
                }
                return total > MOST ? null : new ViewStep(name, shape);
            }
            case "slidingWindow": {
                int d = rank == 0 ? 0 : (int) axes[0];
                if (rank == 0 || view.shape[d] == 0 || layout.list(d) != null || rank > 6 || view.size() > MOST / view.shape[d]) {
                    return null;
                }
                return new ViewStep(name, d, 1 + random.nextInt(view.shape[d]), 1 + random.nextInt(3));
            }
            default:
                return attemptReshape(name, random, view, layout);
        }
    }

    private static ViewStep attemptReshape(String name, Random random, NaiveView view, Layout layout) {
        int rank = view.rank();
        if (name.equals("flatten")) {
            return Reshape.attempt(layout, view.size()) == null ? null : new ViewStep(name);
        }
        if (name.equals("flattenSome")) {
            int first = rank == 0 ? 0 : random.nextInt(rank);
            int last = rank == 0 ? 0 : first + random.nextInt(rank - first);
            return rank == 0 || Reshape.attempt(layout, Reshape.flattened(layout.sizes(), first, last)) == null ? null
                : new ViewStep(name, first, last);
        }
        if (name.equals("unflatten")) {
            int d = rank == 0 ? 0 : random.nextInt(rank);
            if (rank == 0 || rank > 6 || view.shape[d] == 0) {
                return null;
            }
            long[] split = split(random, view.shape[d]);
            return Reshape.attempt(layout, Reshape.unflattened(layout.sizes(), d, split)) == null ? null : new ViewStep(name, with(d, split));
        }
        long[] shape = view.size() == 0 ? new long[] {3, 0} : split(random, view.size());
        return shape.length > 7 || Reshape.attempt(layout, shape) == null ? null : new ViewStep(name, shape);
    }

    private static long[] with(long first, long... rest) {
        long[] all = new long[rest.length + 1];
        all[0] = first;
        System.arraycopy(rest, 0, all, 1, rest.length);
        return all;
    }

    private static long[] split(Random random, int n) {
        List<Long> sizes = new ArrayList<>();
        int rest = n;
        for (int factor = 2; factor <= rest; factor++) {
            while (rest % factor == 0) {
                rest /= factor;
                sizes.add(random.nextInt(sizes.size() + 1), (long) factor);
            }
        }
        while (sizes.size() > 1 && random.nextBoolean()) {
            sizes.set(0, sizes.get(0) * sizes.remove(1));
        }
        if (random.nextInt(3) == 0) {
            sizes.add(random.nextInt(sizes.size() + 1), 1L);
        }
        return sizes.stream().mapToLong(Long::longValue).toArray();
    }

    private static long[] shuffled(Random random, int rank) {
        List<Long> axes = new ArrayList<>();
        for (long d = 0; d < rank; d++) {
            axes.add(random.nextInt(axes.size() + 1), d);
        }
        return axes.stream().mapToLong(Long::longValue).toArray();
    }

    private int[] axes() {
        return Arrays.stream(numbers).mapToInt(n -> (int) n).toArray();
    }

    /** The axes, of which every other one counts from the end. */
    private int[] axesOf(int rank) {
        int[] axes = axes();
        for (int k = 0; k < axes.length; k += 2) {
            axes[k] -= rank;
        }
        return axes;
    }

    /** The sizes, of which one is to be computed if it can be. */
    private long[] openSizes() {
        long[] sizes = numbers.clone();
        if (sizes.length > 0 && Arrays.stream(sizes).noneMatch(n -> n == 0)) {
            sizes[(int) (sizes[0] % sizes.length)] = -1;
        }
        return sizes;
    }

    /** Takes the step on data. */
    public <D extends TensorData<D>> D on(TensorData<D> data) {
        switch (name) {
            case "transpose":
                return data.transpose();
            case "permute":
                return data.permute(axesOf(data.rank()));
            case "flip":
                return data.flip(axes());
            case "squeeze":
                return data.squeeze(axes());
            case "expandDims":
                return data.expandDims((int) numbers[0]);
            case "diagonal":
                return data.diagonal((int) numbers[0], (int) numbers[1]);
            case "broadcastTo":
                return data.broadcastTo(numbers);
            case "slidingWindow":
                return data.slidingWindow((int) numbers[0], numbers[1], numbers[2]);
            case "flatten":
                return data.flatten();
            case "flattenSome":
                return data.flatten((int) numbers[0], (int) numbers[1]);
            case "unflatten":
                return data.unflatten((int) numbers[0], Arrays.copyOfRange(numbers, 1, numbers.length));
            default:
                return data.reshape(openSizes());
        }
    }

    /** Takes the step on a description. */
    public TensorDescription on(TensorDescription description) {
        switch (name) {
            case "transpose":
                return description.transpose();
            case "permute":
                return description.permute(axes());
            case "flip":
                return description.flip(axes());
            case "squeeze":
                return description.squeeze(axes());
            case "expandDims":
                return description.expandDims((int) numbers[0]);
            case "diagonal":
                return description.diagonal((int) numbers[0], (int) numbers[1]);
            case "broadcastTo":
                return description.broadcastTo(numbers);
            case "slidingWindow":
                return description.slidingWindow((int) numbers[0], numbers[1], numbers[2]);
            case "flatten":
                return description.flatten();
            case "flattenSome":
                return description.flatten((int) numbers[0], (int) numbers[1]);
            case "unflatten":
                return description.unflatten((int) numbers[0], Arrays.copyOfRange(numbers, 1, numbers.length));
            default:
                return description.reshape(numbers);
        }
    }

    /** Takes the step on a layout. */
    public Layout on(Layout layout) {
        switch (name) {
            case "transpose":
                return Views.transpose(layout);
            case "permute":
                return Views.permute(layout, axes());
            case "flip":
                return Views.flip(layout, axes());
            case "squeeze":
                return Views.squeeze(layout, axes());
            case "expandDims":
                return Views.expandDims(layout, (int) numbers[0]);
            case "diagonal":
                return Views.diagonal(layout, (int) numbers[0], (int) numbers[1]);
            case "broadcastTo":
                return Views.broadcastTo(layout, numbers);
            case "slidingWindow":
                return Views.slidingWindow(layout, (int) numbers[0], numbers[1], numbers[2]);
            case "flatten":
                return Reshape.flatten(layout);
            case "flattenSome":
                return Reshape.flatten(layout, (int) numbers[0], (int) numbers[1]);
            case "unflatten":
                return Reshape.unflatten(layout, (int) numbers[0], Arrays.copyOfRange(numbers, 1, numbers.length));
            default:
                return Reshape.reshape(layout, numbers);
        }
    }

    /** Takes the step on what the elements should be. */
    public NaiveView on(NaiveView view) {
        int rank = view.rank();
        int[] n = axes();
        switch (name) {
            case "transpose":
                return permuted(view, reversed(rank));
            case "permute":
                return permuted(view, n);
            case "flip":
                return view.view(view.shape, i -> {
                    int[] to = i.clone();
                    for (int d = 0; d < rank; d++) {
                        int axis = d;
                        to[d] = n.length == 0 || Arrays.stream(n).anyMatch(f -> f == axis) ? view.shape[d] - 1 - i[d] : i[d];
                    }
                    return to;
                });
            case "squeeze": {
                int[] kept = Arrays.stream(reversed(rank)).map(d -> rank - 1 - d).filter(d -> view.shape[d] != 1
                    || n.length > 0 && Arrays.stream(n).noneMatch(s -> s == d)).toArray();
                return view.view(picked(view, kept), i -> placed(rank, kept, i));
            }
            case "expandDims": {
                int[] shape = new int[rank + 1];
                for (int k = 0; k < shape.length; k++) {
                    shape[k] = k == n[0] ? 1 : view.shape[k < n[0] ? k : k - 1];
                }
                return view.reshaped(shape);
            }
            case "diagonal": {
                int[] kept = new int[rank - 1];
                int axes = 0;
                for (int d = 0; d < rank; d++) {
                    if (d != n[0] && d != n[1]) {
                        kept[axes++] = d;
                    }
                }
                kept[axes] = n[0];
                int[] shape = picked(view, kept);
                shape[axes] = Math.min(view.shape[n[0]], view.shape[n[1]]);
                return view.view(shape, i -> {
                    int[] to = placed(rank, kept, i);
                    to[n[1]] = to[n[0]];
                    return to;
                });
            }
            case "broadcastTo":
                return view.view(n, i -> {
                    int[] to = Arrays.copyOfRange(i, n.length - rank, n.length);
                    for (int d = 0; d < rank; d++) {
                        to[d] = view.shape[d] == 1 ? 0 : to[d];
                    }
                    return to;
                });
            case "slidingWindow": {
                int[] shape = Arrays.copyOf(view.shape, rank + 1);
                shape[n[0]] = (view.shape[n[0]] - n[1]) / n[2] + 1;
                shape[rank] = n[1];
                return view.view(shape, i -> {
                    int[] to = Arrays.copyOf(i, rank);
                    to[n[0]] = i[n[0]] * n[2] + i[rank];
                    return to;
                });
            }
            case "flatten":
                return view.reshaped(view.size());
            case "flattenSome":
                return view.reshaped(ints(Reshape.flattened(view.longShape(), n[0], n[1])));
            case "unflatten":
                return view.reshaped(ints(Reshape.unflattened(view.longShape(), n[0], Arrays.copyOfRange(numbers, 1, numbers.length))));
            default:
                return view.reshaped(n);
        }
    }

    private static int[] ints(long... numbers) {
        return Arrays.stream(numbers).mapToInt(n -> (int) n).toArray();
    }

    private static int[] reversed(int rank) {
        int[] axes = new int[rank];
        Arrays.setAll(axes, k -> rank - 1 - k);
        return axes;
    }

    private static NaiveView permuted(NaiveView view, int... axes) {
        return view.view(picked(view, axes), i -> placed(view.rank(), axes, i));
    }

    private static int[] picked(NaiveView view, int... axes) {
        return Arrays.stream(axes).map(d -> view.shape[d]).toArray();
    }

    /** Indices of which each goes to one axis of the source. */
    private static int[] placed(int rank, int[] axes, int... indices) {
        int[] to = new int[rank];
        for (int k = 0; k < axes.length; k++) {
            to[axes[k]] = indices[k];
        }
        return to;
    }

    @Override
    public String toString() {
        return name + Arrays.toString(numbers);
    }
}
