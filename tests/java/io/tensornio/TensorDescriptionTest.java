package io.tensornio;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.ellipsis;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.from;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.mask;
import static io.tensornio.TensorIndex.newAxis;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static io.tensornio.TensorIndex.take;
import static io.tensornio.TensorIndex.to;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.TensorDescription.Kind;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.util.Collections;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Descriptions: worked values, what they share and equal, and what they refuse. Random chains of them are held against data elsewhere. */
@ExtendWith(MemoryBalance.class)
class TensorDescriptionTest {
    private static final Class<IllegalArgumentException> BAD = IllegalArgumentException.class;
    private static final TensorDescription CUBE = TensorDescription.of(DataType.FLOAT, TensorLayout.rowMajor(2, 3, 5));
    private static final TensorDescription OPEN = TensorDescription.of(DataType.FLOAT, 2, 3, 5);

    private static long[] of(long... numbers) {
        return numbers;
    }

    private static void laidOut(TensorDescription description, long[] shape, long[] strides, long offset) {
        assertEquals(TensorLayout.strided(shape, strides, offset), description.layout());
        assertArrayEquals(shape, description.shape());
    }

    @Test
    void aTensorOfItsOwnHasWhatItIsGiven() {
        assertEquals(DataType.FLOAT, OPEN.dataType());
        assertEquals(3, OPEN.rank());
        assertEquals(5, OPEN.size(2));
        assertEquals(30, OPEN.numElements());
        assertEquals(Kind.BASIC, OPEN.kind());
        assertEquals(Optional.empty(), OPEN.baseTensor());
        assertSame(OPEN, OPEN.root());
        assertFalse(OPEN.isReadOnly());
        assertFalse(OPEN.hasLayout());
        assertFalse(OPEN.isContiguous());
        assertTrue(CUBE.isContiguous());
        assertEquals(0, TensorDescription.of(DataType.BOOL).rank());
        assertEquals(1, TensorDescription.of(DataType.BOOL).numElements());
        TensorLayout padded = TensorLayout.rowMajor(of(2, 3), of(2, 4));
        assertEquals(padded, TensorDescription.of(DataType.INT32, padded).layout());
    }

    @Test
    void stepsOfAKnownLayout() {
        laidOut(CUBE.permute(1, 2, 0), of(3, 5, 2), of(5, 1, 15), 0);
        laidOut(CUBE.transpose(), of(5, 3, 2), of(1, 5, 15), 0);
        laidOut(CUBE.broadcastTo(4, 2, 3, 5), of(4, 2, 3, 5), of(0, 15, 5, 1), 0);
        laidOut(CUBE.reshape(6, -1), of(6, 5), of(5, 1), 0);
        laidOut(CUBE.flatten(), of(30), of(1), 0);
        laidOut(CUBE.flatten(0, 1), of(6, 5), of(5, 1), 0);
        laidOut(CUBE.unflatten(-1, 5, 1), of(2, 3, 5, 1), of(15, 5, 1, 1), 0);
        laidOut(CUBE.expandDims(1).squeeze(1), of(2, 3, 5), of(15, 5, 1), 0);
        laidOut(CUBE.diagonal(0, 1), of(5, 2), of(1, 20), 0);
        laidOut(CUBE.flip(1), of(2, 3, 5), of(15, -5, 1), 10);
        laidOut(CUBE.slidingWindow(2, 3, 2), of(2, 3, 2, 3), of(15, 5, 2, 1), 0);
        laidOut(CUBE.slice(at(1), ellipsis(), step(2)), of(3, 3), of(5, 2), 15);
        laidOut(CUBE.slice(all(), incl(2, 1, 0)), of(2, 3, 5), of(15, -5, 1), 10);
        laidOut(CUBE.slice(all(), all(), incl(0, 1, 3)).slice(all(), all(), to(2)), of(2, 3, 2), of(15, 5, 1), 0);
    }

    @Test
    void eachStepHasItsKindAndItsParameters() {
        TensorDescription.Permute permuted = (TensorDescription.Permute) OPEN.permute(1, 2, -3);
        assertEquals(Kind.PERMUTE, permuted.kind());
        assertArrayEquals(new int[] {1, 2, 0}, permuted.permutation());
        assertEquals(Optional.of(OPEN), permuted.baseTensor());
        assertSame(OPEN, permuted.baseTensor().get());
        assertSame(OPEN, permuted.flip().root());
        assertArrayEquals(new int[] {2, 1, 0}, ((TensorDescription.Permute) OPEN.transpose()).permutation());
        TensorDescription.Broadcast wide = (TensorDescription.Broadcast) TensorDescription.of(DataType.FLOAT, 3, 1).broadcastTo(2, 3, 4);
        assertArrayEquals(of(1, 3, 1), wide.broadcastShape());
        assertEquals(Kind.BROADCAST, wide.kind());
        TensorDescription.Flatten flat = (TensorDescription.Flatten) TensorDescription.of(DataType.FLOAT, 32, 32, 128).flatten(0, -2);
        assertArrayEquals(new long[][] {{32, 32}, {128}}, flat.groups());
        assertEquals(Kind.FLATTEN, flat.kind());
        assertArrayEquals(new long[][] {{2, 3, 5}}, ((TensorDescription.Flatten) OPEN.flatten()).groups());
        assertArrayEquals(new long[][] {{2}, {3, 5}}, ((TensorDescription.Flatten) OPEN.flatten(1, 2)).groups());
        assertArrayEquals(new long[][] {{}}, ((TensorDescription.Flatten) TensorDescription.of(DataType.FLOAT).flatten()).groups());
        TensorDescription.Slice slice = (TensorDescription.Slice) OPEN.slice(newAxis(), at(0), ellipsis());
        assertEquals("[newAxis(), at(0), all(), all()]", slice.indices().toString());
        assertThrows(UnsupportedOperationException.class, () -> slice.indices().set(0, null));
        assertEquals("[all(), flip(), all()]", ((TensorDescription.Slice) OPEN.flip(1)).indices().toString());
        assertEquals(Kind.SLICE, slice.kind());
        TensorDescription.Pad padded = (TensorDescription.Pad) OPEN.pad(of(0, 1, 0), of(0, 2, 3));
        assertArrayEquals(of(2, 6, 8), padded.shape());
        assertArrayEquals(of(0, 1, 0), padded.prePadding());
        assertArrayEquals(of(0, 2, 3), padded.postPadding());
        assertEquals(Kind.PAD, padded.kind());
        assertSame(OPEN, padded.root());
        for (TensorDescription view : new TensorDescription[] {OPEN.diagonal(0, 1), OPEN.slidingWindow(0, 1, 1), OPEN.expandDims(0),
            OPEN.squeeze(), OPEN.unflatten(0, 2), OPEN.reshape(30)}) {
            assertEquals(Kind.RESHAPE, view.kind());
        }
    }

    @Test
    void complexDescriptionsHaveParts() {
        TensorDescription.Complex tiled = (TensorDescription.Complex) OPEN.tile(2, 1, 1);
        assertArrayEquals(of(4, 3, 5), tiled.shape());
        assertEquals(Collections.singletonList(OPEN), tiled.parts());
        assertSame(tiled, tiled.root());
        assertEquals(Optional.empty(), tiled.baseTensor());
        assertArrayEquals(of(2, 3, 20), OPEN.repeat(-1, 4).shape());
        TensorDescription other = TensorDescription.of(DataType.FLOAT, 2, 4, 5);
        assertArrayEquals(of(2, 7, 5), TensorDescription.concat(-2, OPEN, other).shape());
        assertArrayEquals(of(2, 3, 5, 2), TensorDescription.stack(-1, OPEN, CUBE).shape());
        TensorDescription condition = TensorDescription.of(DataType.BOOL, 3, 1);
        TensorDescription.Complex chosen = (TensorDescription.Complex) TensorDescription.where(condition, OPEN, TensorDescription.of(DataType.FLOAT));
        assertArrayEquals(of(2, 3, 5), chosen.shape());
        assertEquals(3, chosen.parts().size());
        assertEquals(Kind.COMPLEX, chosen.kind());
        assertTrue(chosen.isReadOnly());
        assertThrows(UnsupportedOperationException.class, () -> tiled.parts().clear());
        Expect.thrown(BAD, () -> TensorDescription.concat(0), "concat", "at least one part");
        Expect.thrown(BAD, () -> TensorDescription.concat(0, OPEN, TensorDescription.of(DataType.INT32, 2, 3, 5)), "part 1", "INT32", "FLOAT");
        Expect.thrown(BAD, () -> TensorDescription.concat(0, OPEN, other), "[2, 4, 5]", "part 1", "[2, 3, 5]");
        Expect.thrown(BAD, () -> TensorDescription.stack(0, OPEN, other), "[2, 4, 5]", "part 1");
        Expect.thrown(BAD, () -> TensorDescription.where(OPEN, OPEN, OPEN), "condition", "FLOAT", "BOOL");
        Expect.thrown(BAD, () -> TensorDescription.where(condition, OPEN, other), "no common one");
        Expect.thrown(BAD, () -> OPEN.tile(1, 2), "2 repeats", "rank 3");
        Expect.thrown(BAD, () -> OPEN.repeat(0, -1), "repeated -1 times");
        Expect.thrown(BAD, () -> OPEN.pad(of(1), of(1)), "pad", "[2, 3, 5]");
        Expect.thrown(BAD, () -> OPEN.pad(of(-1, 0, 0), of(0, 0, 0)), "-1 before");
    }

    @Test
    void withoutALayoutReshapesCountElements() {
        TensorDescription open = TensorDescription.of(DataType.FLOAT, 3, 4).transpose();
        assertTrue(open.canReshapeTo(12));
        assertTrue(open.canReshapeTo(2, -1));
        assertFalse(open.canReshapeTo(5));
        TensorDescription flat = open.reshape(12);
        Expect.thrown(BAD, () -> open.reshape(5, 2), "reshape", "[5, 2]", "12 elements", "[4, 3]");
        Expect.thrown(IllegalStateException.class, flat::layout, "[12]", "BASIC", "withLayout");
        Expect.thrown(IllegalStateException.class, OPEN::layout, "withLayout");
        Expect.thrown(BAD, () -> flat.withLayout(TensorLayout.rowMajor(3, 4)), "[12]", "RESHAPE", "[1, 4]", "copy()");
        laidOut(flat.withLayout(TensorLayout.columnMajor(3, 4)), of(12), of(1), 0);
        TensorDescription known = TensorDescription.of(DataType.FLOAT, TensorLayout.rowMajor(3, 4));
        laidOut(known.transpose().reshape(2, 2, 3), of(2, 2, 3), of(2, 1, 4), 0);
        laidOut(known.slice(all(), to(2)).reshape(3, 1, 2), of(3, 1, 2), of(4, 1, 1), 0);
        assertFalse(known.transpose().canReshapeTo(12));
        assertFalse(known.slice(all(), to(2)).canReshapeTo(6));
        Expect.thrown(BAD, () -> known.transpose().flatten(), "flatten", "[1, 4]", "copy()");
    }

    @Test
    void aLayoutMakesEveryStepAgain() {
        TensorDescription view = OPEN.permute(2, 0, 1).slice(from(1)).flip(0).expandDims(0);
        TensorDescription laid = view.withLayout(TensorLayout.rowMajor(2, 3, 5));
        laidOut(laid, of(1, 4, 2, 3), of(1, -1, 15, 5), 4);
        assertFalse(view.hasLayout());
        assertTrue(laid.baseTensor().get().hasLayout());
        assertTrue(laid.sharesMemoryWith(view));
        laidOut(laid.withLayout(TensorLayout.columnMajor(2, 3, 5)), of(1, 4, 2, 3), of(1, -6, 1, 2), 24);
        Expect.thrown(BAD, () -> view.withLayout(TensorLayout.rowMajor(5, 3, 2)), "[5, 3, 2]", "[2, 3, 5]");
        assertTrue(OPEN.asReadOnly().flip().withLayout(TensorLayout.rowMajor(2, 3, 5)).isReadOnly());
        assertTrue(OPEN.flip().asReadOnly().withLayout(TensorLayout.rowMajor(2, 3, 5)).isReadOnly());
        TensorDescription padded = OPEN.pad(of(1, 0, 0), of(0, 0, 0)).transpose();
        TensorDescription rooted = padded.withLayout(TensorLayout.rowMajor(2, 3, 5));
        assertFalse(rooted.hasLayout());
        assertTrue(rooted.root().hasLayout());
        Expect.thrown(IllegalStateException.class, rooted::layout, "PAD", "do not lie in one tensor");
        Expect.thrown(BAD, () -> OPEN.tile(1, 1, 1).flip().withLayout(TensorLayout.rowMajor(2, 3, 5)), "COMPLEX", "tile", "1 parts");
    }

    @Test
    void listsOfPositionsHaveNoLayoutAndStayWhole() {
        for (TensorDescription base : new TensorDescription[] {OPEN, CUBE}) {
            TensorDescription listed = base.slice(all(), all(), incl(0, 1, 3));
            assertFalse(listed.hasLayout());
            Expect.thrown(IllegalStateException.class, listed::layout, "axis 2", "list of positions");
            assertArrayEquals(of(6, 3), listed.reshape(6, 3).shape());
            assertFalse(listed.canReshapeTo(18));
            Expect.thrown(BAD, () -> listed.flatten(), "axis 2", "list of positions", "copy()");
            Expect.thrown(BAD, () -> listed.slidingWindow(2, 2, 1), "axis 2", "list of positions", "copy()");
            assertArrayEquals(of(2, 3), listed.slice(all(), all(), at(2)).shape());
        }
        laidOut(CUBE.slice(all(), all(), incl(0, 1, 3)).slice(all(), all(), at(2)), of(2, 3), of(15, 5), 3);
    }

    @Test
    void dataAmongIndicesIsReadOnce() {
        int[] positions = {0, 2};
        boolean[] kept = {true, false, true};
        TensorDescription taken = OPEN.slice(all(), take(IntTensorData.of(positions)));
        TensorDescription masked = OPEN.slice(all(), mask(BooleanTensorData.of(kept)));
        TensorDescription coordinates = OPEN.slice(IntTensorData.of(positions).slice(range(0, 1)));
        positions[1] = 1;
        positions[0] = 1;
        kept[1] = true;
        TensorLayout layout = TensorLayout.rowMajor(2, 3, 5);
        laidOut(taken.withLayout(layout), of(2, 2, 5), of(15, 10, 1), 0);
        laidOut(masked.withLayout(layout), of(2, 2, 5), of(15, 10, 1), 0);
        laidOut(coordinates.withLayout(layout), of(3, 5), of(5, 1), 0);
        Expect.thrown(BAD, () -> OPEN.slice(mask(BooleanTensorData.of(kept))), "[3]", "axis 0 of size 2");
    }

    @Test
    void readOnlyIsWhatMayHaveOneElementTwice() {
        assertTrue(OPEN.broadcastTo(1, 2, 3, 5).isReadOnly());
        assertTrue(OPEN.slidingWindow(0, 1, 1).flip().isReadOnly());
        assertTrue(OPEN.tile(1, 1, 1).isReadOnly());
        assertTrue(OPEN.pad(of(0, 0, 0), of(0, 0, 0)).isReadOnly());
        assertFalse(OPEN.flip().transpose().diagonal(0, 1).expandDims(0).isReadOnly());
        TensorDescription readOnly = OPEN.asReadOnly();
        assertTrue(readOnly.transpose().isReadOnly());
        assertSame(readOnly, readOnly.asReadOnly());
        assertSame(readOnly, readOnly.root());
        assertTrue(readOnly.sharesMemoryWith(OPEN));
        assertNotEquals(OPEN, readOnly);
        assertEquals(OPEN.flip().asReadOnly().kind(), Kind.SLICE);
    }

    @Test
    void descriptionsShareByTheirRoots() {
        TensorDescription other = TensorDescription.of(DataType.FLOAT, 2, 3, 5);
        assertTrue(OPEN.slice(at(0)).sharesMemoryWith(OPEN.slice(at(1))));
        assertFalse(OPEN.sharesMemoryWith(other));
        TensorDescription both = TensorDescription.concat(0, OPEN.flip(), other);
        assertTrue(both.sharesMemoryWith(other.transpose()));
        assertTrue(OPEN.pad(of(0, 0, 0), of(0, 0, 1)).sharesMemoryWith(both));
        assertFalse(TensorDescription.stack(0, other).sharesMemoryWith(OPEN));
    }

    @Test
    void equalityIsOfWhatIsSaid() {
        assertEquals(OPEN, TensorDescription.of(DataType.FLOAT, 2, 3, 5));
        assertEquals(OPEN.hashCode(), TensorDescription.of(DataType.FLOAT, 2, 3, 5).hashCode());
        assertNotEquals(OPEN, CUBE);
        assertNotEquals(OPEN, TensorDescription.of(DataType.INT32, 2, 3, 5));
        assertEquals(OPEN.slice(to(2)), OPEN.slice(all(), ellipsis()));
        assertEquals(OPEN.slice(to(2)).hashCode(), OPEN.slice(all(), ellipsis()).hashCode());
        assertEquals(OPEN.slice(all(), incl(2, 1, 0)), OPEN.flip(1));
        assertEquals(OPEN.slice(all(), all(), flip()), OPEN.flip(-1));
        assertNotEquals(OPEN.slice(at(0)), OPEN.slice(at(1)));
        assertNotEquals(OPEN.slice(all(), incl(0, 2, 1)), OPEN.slice(all(), incl(0, 1, 1)));
        assertEquals(OPEN.permute(2, 1, 0), OPEN.transpose());
        TensorDescription ones = TensorDescription.of(DataType.FLOAT, 1, 1);
        assertNotEquals(ones.permute(0, 1), ones.permute(1, 0));
        assertNotEquals(OPEN.reshape(30), OPEN.flatten());
        assertEquals(OPEN.pad(of(0, 0, 1), of(0, 0, 0)), OPEN.pad(of(0, 0, 1), of(0, 0, 0)));
        assertNotEquals(OPEN.pad(of(0, 0, 1), of(0, 0, 0)), OPEN.pad(of(0, 0, 0), of(0, 0, 1)));
        assertNotEquals(TensorDescription.concat(0, OPEN), TensorDescription.concat(1, OPEN));
        assertNotEquals(OPEN, null);
        assertEquals("FLOAT [5, 3, 2] PERMUTE of FLOAT [2, 3, 5] BASIC", OPEN.transpose().toString());
    }

    @Test
    @Timeout(60)
    void chainsAreLongerThanAnyStack() {
        TensorDescription[] made = {OPEN, TensorDescription.of(DataType.FLOAT, 2, 3, 5)};
        for (int n = 0; n < 20_000; n++) {
            made[0] = made[0].transpose();
            made[1] = made[1].transpose();
        }
        assertEquals(made[0], made[1]);
        assertEquals(made[0].hashCode(), made[1].hashCode());
        assertNotEquals(made[0], made[0].transpose().transpose());
        assertSame(OPEN, made[0].root());
        assertTrue(made[0].sharesMemoryWith(OPEN));
        assertFalse(made[0].sharesMemoryWith(made[1]));
        assertEquals(CUBE.layout(), made[0].withLayout(CUBE.layout()).layout());
        assertTrue(made[0].toString().startsWith("FLOAT [2, 3, 5] PERMUTE of FLOAT [5, 3, 2] PERMUTE of "));
    }

    @Test
    @Timeout(60)
    void partsThatDoubleAreGoneThroughOnce() {
        TensorDescription[] made = {OPEN, TensorDescription.of(DataType.FLOAT, 2, 3, 5)};
        for (int n = 0; n < 40; n++) {
            made[0] = TensorDescription.concat(0, made[0], made[0]);
            made[1] = TensorDescription.concat(0, made[1], made[1]);
        }
        assertEquals(made[0], made[1]);
        assertEquals(made[0].hashCode(), made[1].hashCode());
        assertTrue(made[0].sharesMemoryWith(OPEN));
        assertFalse(made[0].sharesMemoryWith(made[1]));
        String four = TensorDescription.concat(0, TensorDescription.stack(0, OPEN).slice(at(0)), OPEN).toString();
        assertEquals("FLOAT [4, 3, 5] read-only COMPLEX by concat [FLOAT [2, 3, 5] read-only SLICE of FLOAT [1, 2, 3, 5] read-only COMPLEX by stack"
            + " of 1 part, FLOAT [2, 3, 5] BASIC]", four);
        assertEquals("FLOAT [2] read-only COMPLEX by constant []", FloatTensorData.constant(1, 2).description().toString());
    }

    @Test
    void wrongStepsAreRefusedAsThoseOfDataAre() {
        FloatTensorData data = FloatTensorData.of(new float[30], 2, 3, 5);
        same(() -> data.permute(0, 1), () -> OPEN.permute(0, 1));
        same(() -> data.permute(0, 1, 1), () -> OPEN.permute(0, 1, 1));
        same(() -> data.broadcastTo(3, 5), () -> OPEN.broadcastTo(3, 5));
        same(() -> data.reshape(-1, -1), () -> OPEN.reshape(-1, -1));
        same(() -> data.flatten(2, 1), () -> OPEN.flatten(2, 1));
        same(() -> data.flatten(0, 3), () -> OPEN.flatten(0, 3));
        same(() -> data.unflatten(1, 2, 2), () -> OPEN.unflatten(1, 2, 2));
        same(() -> data.expandDims(4), () -> OPEN.expandDims(4));
        same(() -> data.squeeze(0), () -> OPEN.squeeze(0));
        same(() -> data.diagonal(1, -2), () -> OPEN.diagonal(1, -2));
        same(() -> data.flip(1, 1), () -> OPEN.flip(1, 1));
        same(() -> data.slidingWindow(0, 3, 1), () -> OPEN.slidingWindow(0, 3, 1));
        same(() -> data.slice(at(2)), () -> OPEN.slice(at(2)));
        same(() -> data.slice(ellipsis(), ellipsis()), () -> OPEN.slice(ellipsis(), ellipsis()));
        same(() -> data.pad(of(1), of(1)), () -> OPEN.pad(of(1), of(1)));
        same(() -> data.tile(1), () -> OPEN.tile(1));
        same(() -> data.repeat(3, 1), () -> OPEN.repeat(3, 1));
        Expect.thrown(BAD, () -> OPEN.size(3), "no axis 3");
        Expect.thrown(BAD, () -> TensorDescription.of(DataType.FLOAT, -1), "negative");
        Expect.exactly(NullPointerException.class, () -> TensorDescription.of(null, 1), "type");
        Expect.exactly(NullPointerException.class, () -> OPEN.reshape((long[]) null), "shape");
        for (TensorDescription made : new TensorDescription[] {OPEN, OPEN.flip(), OPEN.tile(1, 1, 1)}) {
            assertEquals("layout", Expect.exactly(NullPointerException.class, () -> made.withLayout(null)).getMessage());
        }
        TensorDescription none = null;
        Consumer<Object> init = filled -> { };
        Expect.exactly(NullPointerException.class, () -> Tensors.denseFloat(none, init), "description");
        Expect.exactly(NullPointerException.class, () -> Tensors.denseString(none, init), "description");
        Expect.exactly(NullPointerException.class, () -> Tensors.denseString(none, 4, 0, init), "description");
        Expect.exactly(NullPointerException.class, () -> TensorDescription.concat(0, OPEN, none), "part 1");
    }

    private static void same(org.junit.jupiter.api.function.Executable data, org.junit.jupiter.api.function.Executable description) {
        RuntimeException expected = Expect.thrown(RuntimeException.class, data);
        assertEquals(expected.getMessage(), Expect.exactly(expected.getClass(), description).getMessage());
    }

    @Test
    void basicDescriptionsAreAllocated() {
        TensorDescription aligned = TensorDescription.of(DataType.FLOAT, TensorLayout.rowMajor(5, 3, 2).alignedTo(64, DataType.FLOAT));
        try (Tensor<Float> tensor = Tensors.denseFloat(aligned, data -> data.put(3, 1, 2, 1))) {
            assertEquals(aligned.layout(), tensor.layout());
            assertEquals(3, tensor.floatData().get(1, 2, 1));
        }
        try (Tensor<Float> tensor = Tensors.denseFloat(OPEN, data -> { })) {
            assertEquals(TensorLayout.rowMajor(2, 3, 5), tensor.layout());
        }
        TensorDescription strings = TensorDescription.of(DataType.STRING, TensorLayout.columnMajor(2, 3));
        try (Tensor<String> tensor = Tensors.denseString(strings, 4, 0, data -> data.put("ab", 1, 2))) {
            assertEquals("ab", tensor.stringData().get(1, 2));
            assertEquals(strings.layout(), tensor.layout());
        }
        try (Tensor<String> tensor = Tensors.denseString(TensorDescription.of(DataType.STRING, 2), data -> data.put("abc", 1))) {
            assertEquals("abc", tensor.stringData().get(1));
        }
        Expect.thrown(BAD, () -> Tensors.denseString(strings, data -> { }), "row-major");
        Expect.thrown(BAD, () -> Tensors.denseInt(OPEN, data -> { }), "FLOAT", "INT32");
        Expect.thrown(BAD, () -> Tensors.denseFloat(OPEN.flip(), data -> { }), "SLICE", "root");
        Expect.thrown(BAD, () -> Tensors.denseFloat(OPEN.asReadOnly(), data -> { }), "read-only", "of(type, layout)");
        Expect.thrown(BAD, () -> Tensors.denseFloat(OPEN.tile(1, 1, 1), data -> { }), "COMPLEX");
        TensorDescription shared = TensorDescription.of(DataType.FLOAT, TensorLayout.strided(of(2, 2), of(1, 1), 0));
        Expect.thrown(BAD, () -> Tensors.denseFloat(shared, data -> { }), "share");
    }

    @Test
    void dataIsDescribed() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {3, 4}, data -> {
            assertFalse(data.description().isReadOnly());
            assertEquals(TensorDescription.of(DataType.FLOAT, TensorLayout.rowMajor(3, 4)), data.description());
        })) {
            FloatTensorData data = tensor.floatData();
            TensorDescription row = data.slice(at(1), from(1)).description();
            laidOut(row, of(3), of(1), 5);
            assertEquals(Kind.BASIC, row.kind());
            assertTrue(row.isReadOnly());
            assertTrue(row.sharesMemoryWith(data.transpose().description()));
            Expect.thrown(BAD, () -> Tensors.denseFloat(data.description(), copy -> { }), "read-only", "of(type, layout)");
            assertFalse(data.slice(incl(0, 2, 1)).description().hasLayout());
            TensorDescription padded = data.pad(of(0, 1), of(1, 0)).description();
            assertEquals(data.description().pad(of(0, 1), of(1, 0)), padded);
            assertTrue(padded.sharesMemoryWith(row));
            assertEquals(Kind.BASIC, data.pad(of(0, 1), of(1, 0)).flip().description().kind());
            assertEquals(TensorDescription.concat(-1, data.description(), row.reshape(3, 1)).shape()[1], 5);
            assertEquals(TensorDescription.concat(0, data.description(), data.description()), FloatTensorData.concat(0, data, data).description());
            assertEquals(TensorDescription.stack(1, data.description()), FloatTensorData.stack(1, data).description());
            assertEquals(data.description().tile(2, 3), data.tile(2, 3).description());
            assertEquals(data.description().repeat(1, 3), data.repeat(-1, 3).description());
            BooleanTensorData yes = BooleanTensorData.constant(true);
            assertEquals(TensorDescription.where(yes.description(), data.description(), data.description()),
                FloatTensorData.where(yes, data, data).description());
            assertEquals(Kind.COMPLEX, yes.description().kind());
            assertEquals(Collections.emptyList(), ((TensorDescription.Complex) yes.description()).parts());
        }
        Tensor<Float> closed = FloatTensorData.of(new float[2]).copy();
        FloatTensorData data = closed.floatData();
        closed.close();
        Expect.thrown(TensorClosedException.class, data::description, "FLOAT");
    }

    /** By name, before anything else is looked at; on Java 8 a null that is used says nothing. */
    @Test
    void nullIsNamed() {
        Class<NullPointerException> none = NullPointerException.class;
        TensorDescription one = TensorDescription.of(DataType.FLOAT, 1);
        Expect.thrown(none, () -> TensorDescription.of(null, 1), "type");
        Expect.thrown(none, () -> TensorDescription.of(DataType.FLOAT, (TensorLayout) null), "layout");
        Expect.thrown(none, () -> TensorDescription.of(DataType.FLOAT, (Axis[]) null), "axes");
        Expect.thrown(none, () -> TensorDescription.where(null, one, one), "condition");
        Expect.thrown(none, () -> TensorDescription.where(one, null, one), "x");
        Expect.thrown(none, () -> TensorDescription.where(one, one, null), "y");
        Expect.thrown(none, () -> one.sharesMemoryWith(null), "other");
    }

    @Test
    void positionsOfDataCountFromTheArrayOrTheBuffer() {
        float[] array = new float[12];
        FloatTensorData wrapped = FloatTensorData.of(array, 3, 4);
        laidOut(wrapped.slice(at(2)).description(), of(4), of(1), 8);
        assertFalse(wrapped.description().isReadOnly());
        assertTrue(wrapped.description().sharesMemoryWith(FloatTensorData.of(array).description()));
        java.nio.FloatBuffer buffer = java.nio.FloatBuffer.wrap(array);
        buffer.position(2);
        laidOut(FloatTensorData.of(buffer, 2, 5).slice(at(1)).description(), of(5), of(1), 5);
        laidOut(FloatTensorData.of(buffer.asReadOnlyBuffer(), 2, 5).slice(at(1)).description(), of(5), of(1), 5);
    }

    @Test
    void dataWithoutStridesIsDescribedWithoutLayout() {
        FloatTensorData own = new AbstractFloatTensorData(2, 3) {
            @Override
            protected float getAt(long[] indices) {
                return 0;
            }
        };
        assertEquals(TensorDescription.of(DataType.FLOAT, 2, 3).asReadOnly(), own.description());
        assertTrue(own.description().sharesMemoryWith(own.flip().description()));
        try (SparseTensor<Float> sparse = Tensors.sparseFloat(new long[] {2, 3}, 1, data -> data.put(1, 0, 0));
            Tensor<String> strings = Tensors.denseString(new long[] {2}, data -> { });
            Tensor<String> fixed = Tensors.denseString(new long[] {2}, 3, 0, data -> { });
            RaggedTensor<Float> ragged = Tensors.raggedFloat(new long[] {2, -1}, data -> data.put(1, 0, 0))) {
            assertFalse(sparse.floatData().description().hasLayout());
            assertFalse(strings.stringData().description().hasLayout());
            assertTrue(fixed.stringData().description().hasLayout());
            Expect.thrown(BAD, () -> ragged.floatData().description(), "axis 1", "ragged");
            laidOut(ragged.floatData().slice(0).description(), of(1), of(1), 0);
        }
    }
}
