package io.tensornio.bench;

import java.util.Arrays;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A pass through elements that are the values of {@link OpenTensor}, and where they are.
 *
 * @param <T> what holds the elements
 */
@State(Scope.Thread)
public abstract class Contender<T> {
    /** What the pass does. There is no sum: the latency of the additions hides all else. */
    @Param
    Does does;
    private T elements;
    private Pass<T> pass;
    private float[] array;

    /** Has the pass see what it should, and says what to {@linkplain #use use}. */
    abstract void make();

    /** The pass, through so many elements. */
    final void use(T elements, Pass<T> pass, int n) {
        this.elements = elements;
        this.pass = pass;
        array = new float[n];
    }

    /** Makes the pass, and checks it. */
    @Setup
    public void setUp() {
        make();
        Arrays.fill(array, Float.NaN);
        float returned = run();
        float largest = does == Does.MAX ? returned : OpenTensor.LARGEST;
        for (float copied : array) {
            largest = does == Does.COPY && !(copied <= largest) ? Float.NaN : largest;
        }
        if (largest != OpenTensor.LARGEST) {
            throw new IllegalStateException("the largest element is not " + OpenTensor.LARGEST + ", or one was not copied");
        }
    }

    final float run() {
        return pass.run(does, elements, array);
    }
}
