package io.tensornio.internal.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ArrayLengthTest {
    private static final int HALF = ArrayLength.MOST / 2;

    @Test
    void anEmptyArrayGetsWhatIsNeeded() {
        assertEquals(0, ArrayLength.doubled(0, 0));
        assertEquals(1, ArrayLength.doubled(0, 1));
        assertEquals(16, ArrayLength.doubled(0, 16));
    }

    @Test
    void anArrayGetsTwiceAsLong() {
        assertEquals(2, ArrayLength.doubled(1, 2));
        assertEquals(200, ArrayLength.doubled(100, 101));
    }

    @Test
    void moreThanTwiceIsAsMuchAsNeeded() {
        assertEquals(201, ArrayLength.doubled(100, 201));
        assertEquals(ArrayLength.MOST, ArrayLength.doubled(100, ArrayLength.MOST));
    }

    @Test
    void theLastLengthThatCanBeDoubledIs() {
        assertEquals(2 * HALF, ArrayLength.doubled(HALF, HALF + 1));
    }

    @Test
    void whatCannotBeDoubledIsAsLongAsArraysAre() {
        assertEquals(ArrayLength.MOST, ArrayLength.doubled(HALF + 1, HALF + 2));
        assertEquals(ArrayLength.MOST, ArrayLength.doubled(1 << 30, (1 << 30) + 1));
        assertEquals(ArrayLength.MOST, ArrayLength.doubled(ArrayLength.MOST - 1, ArrayLength.MOST));
    }

    @Test
    void theLongestStaysAsItIs() {
        assertEquals(ArrayLength.MOST, ArrayLength.doubled(ArrayLength.MOST, ArrayLength.MOST));
    }
}
