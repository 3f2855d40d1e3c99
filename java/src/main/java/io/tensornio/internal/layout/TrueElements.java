package io.tensornio.internal.layout;

import java.util.function.LongConsumer;

/** BOOL data that may know where it is true without a look at each element. */
public interface TrueElements {
    /**
     * Gives the numbers of the elements that are true, in ascending order, if this knows them.
     *
     * @param numbers takes each
     * @return false if it does not, and gave none
     * @throws io.tensornio.TensorClosedException if the data's tensor is closed
     */
    boolean eachTrue(LongConsumer numbers);
}
