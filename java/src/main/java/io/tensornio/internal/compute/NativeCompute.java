package io.tensornio.internal.compute;

import io.tensornio.internal.memory.NativeMemory;
import java.nio.ByteBuffer;

/**
 * The native methods that compute. As those of {@link NativeMemory}, they check their arguments. Programs are given by their text, and plans, which
 * are programs for inputs of certain types and shapes, by a number; native code keeps the latest of both, and makes those again that it asks
 * for after they have gone. So there is nothing to close.
 *
 * <p>A type is its ordinal in {@link io.tensornio.DataType}.
 */
final class NativeCompute {
    static {
        NativeMemory.load();
    }

    private NativeCompute() {
    }

    /**
     * Reads a program.
     *
     * @param text its text
     * @return three parts, with a line's end between them: the names of the inputs and of the outputs, separated by commas, and the canonical text
     * @throws IllegalArgumentException if it is no program
     */
    static native String parse(String text);

    /**
     * A program with other outputs.
     *
     * @param text its text
     * @param names the outputs, separated by commas
     * @return what {@link #parse} says of it
     * @throws IllegalArgumentException if it is no program, or does not define them
     */
    static native String returning(String text, String names);

    /**
     * A program that computes gradients, too.
     *
     * @param text its text
     * @param of what is differentiated
     * @param seed the name of the seed, or an empty string
     * @param names with respect to what, separated by commas
     * @return what {@link #parse} says of it
     * @throws IllegalArgumentException if it is no program, or cannot be differentiated so
     */
    static native String gradient(String text, String of, String seed, String names);

    /**
     * A program for one example made one for a batch: inputs, and all that depends on them, get a leading axis.
     *
     * @param text its text
     * @param names these inputs, separated by commas
     * @return the names that have the leading axis, separated by commas; then, after a line's end, what {@link #parse} says of the program
     * @throws IllegalArgumentException if it is no program, or has gradients, or there are no names, or one is no input
     */
    static native String batched(String text, String names);

    /**
     * What the statements of a program say of the lengths of axes.
     *
     * @param text its text
     * @return lines: the inputs and the outputs, separated by commas, as the statements have them, in which every name is defined once; how many
     *     statements there are; the statements; and, for each access, the number of its statement, the tensor and, between commas, for each
     *     axis the loop that has its length, or a number, or {@code ?}. An access of rank 0 ends with a space
     * @throws IllegalArgumentException if it is no program
     */
    static native String equations(String text);

    /**
     * Makes a plan.
     *
     * @param text the program's text
     * @param signature for each input its type, its rank and its sizes; the type of a number is -1 if it is an integer, -2 if it is a fraction. Then
     *     for each output its rank and its sizes, if it has to have these, else -1
     * @return the plan's number; then for each output its type, its rank and its sizes
     * @throws IllegalArgumentException if it is no program, the signature is none, or does not fit the program
     */
    static native long[] plan(String text, long[] signature);

    /**
     * Computes.
     *
     * @param plan the number of a plan
     * @param memory direct byte buffers
     * @param geometry for each input and then for each output the number of the buffer that it lies in, where in it its first element lies, in
     *     bytes, and its strides, in elements; of a number only its bits, as a {@code long} or a {@code double}; a truth value may be -1 and 0 or 1
     * @return whether the plan was there: if not, nothing is done
     * @throws IllegalArgumentException if the geometry is too short or too long; if a buffer is not there, or not direct; if an output overlaps
     *     anything; if a number is none of the type that it has to take, or an integer maximum or minimum is of nothing
     * @throws IndexOutOfBoundsException if elements do not lie inside of their buffer; if a look-up or a guarded read is outside of its tensor
     * @throws ArithmeticException if an integer is divided by zero, or has a negative exponent
     * @throws OutOfMemoryError if there is no memory for what is needed between
     */
    static native boolean run(long plan, ByteBuffer[] memory, long[] geometry);
}
