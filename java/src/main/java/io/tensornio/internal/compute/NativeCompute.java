package io.tensornio.internal.compute;

import io.tensornio.internal.memory.NativeMemory;
import java.nio.ByteBuffer;

/**
 * The native methods that compute. Like those of {@link NativeMemory}, they check their arguments. Programs are
 * identified by their text, and plans, which are programs for certain types and shapes of inputs, by a number; native
 * code caches both, and remakes those that were evicted. So there is nothing to close.
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
     * Parses a program.
     *
     * @param text its text
     * @return four parts, separated by newlines: the names of the inputs, of those that indices look up without indices of their own, and of the
     *     outputs, separated by commas, and the canonical text; before the
     *     text an empty line, if the program is run by {@link NativeStored} even if all inputs are dense
     * @throws IllegalArgumentException if it is not a valid program
     */
    static native String parse(String text);

    /**
     * A program with other outputs.
     *
     * @param text its text
     * @param names the outputs, separated by commas
     * @return the description, as from {@link #parse}
     * @throws IllegalArgumentException if it is not a valid program, or does not define them
     */
    static native String returning(String text, String names);

    /**
     * A program that computes gradients, too.
     *
     * @param text its text
     * @param of the tensor that is differentiated
     * @param seed the name of the seed, or an empty string
     * @param names the tensors with respect to which, separated by commas
     * @return the description, as from {@link #parse}
     * @throws IllegalArgumentException if it is not a valid program, or cannot be differentiated
     */
    static native String gradient(String text, String of, String seed, String names);

    /**
     * Converts a program for one example to one for a batch: inputs, and all tensors that depend on them, get a leading axis.
     *
     * @param text its text
     * @param names these inputs, separated by commas; {@code name:01} is one whose axis 1 has another length in each example
     * @return the names that have the leading axis, separated by commas; then, after a newline, the description as from {@link #parse}
     * @throws IllegalArgumentException if it is not a valid program, or has gradients, or there are no names, or one is not an input
     */
    static native String batched(String text, String names);

    /**
     * The program as if all of its tensors were dense.
     *
     * @param text its text
     * @return its description, as from {@link #parse}
     * @throws IllegalArgumentException if it is not a valid program
     */
    static native String dense(String text);

    /**
     * The equations between lengths of axes that the statements of a program imply.
     *
     * @param text its text
     * @return lines: the inputs and the outputs, separated by commas, by their names in the statements, in which every name is defined once; the
     *     number of statements; the statements; and, for each access, the number of its statement, the tensor and, between commas, for each axis the
     * loop whose range is its length, or a number, or {@code ?}. An access of rank 0 ends with a space
     * @throws IllegalArgumentException if it is not a valid program
     */
    static native String equations(String text);

    /**
     * Makes a plan.
     *
     * @param text the program's text
     * @param signature for each input its type, its rank and its sizes; the type of a number is -1 for an integer, -2
     *     for a floating-point number. Then for each output its rank and its sizes, or -1 to infer them
     * @return the plan's number; then for each output its type, its rank and its sizes
     * @throws IllegalArgumentException if it is not a valid program, the signature is none, or does not fit the program
     */
    static native long[] plan(String text, long[] signature);

    /**
     * The types and shapes of a program's outputs, without a plan.
     *
     * @param text the program's text
     * @param signature as of {@link #plan}
     * @return for each output its type, its rank and its sizes
     * @throws IllegalArgumentException if it is not a valid program, the signature is none, or does not fit the program
     */
    static native long[] infer(String text, long[] signature);

    /**
     * Computes.
     *
     * @param plan the number of a plan
     * @param memory direct byte buffers
     * @param geometry for each input and then for each output the number of its buffer, the offset of its first element in bytes, and its strides in
     *     elements; for a number only its bits, as a {@code long} or a {@code double}; a truth value may be -1 and 0 or 1,
     *     and an INT64 of rank 0 -1 and itself
     * @param threads how many share the work at most, 0 for as many as there are
     * @return whether the plan exists: if it was evicted, nothing is done
     * @throws IllegalArgumentException if the geometry is too short or too long; if a buffer is missing, or not direct; if an output overlaps
     *     anything; if a number does not fit its type, or an integer maximum or minimum has no elements
     * @throws IndexOutOfBoundsException if elements are outside of their buffer; if a look-up or a guarded read is outside of its tensor
     * @throws ArithmeticException if an integer is divided by zero, or has a negative exponent
     * @throws OutOfMemoryError if there is no memory for temporaries
     */
    static native boolean run(long plan, ByteBuffer[] memory, long[] geometry, int threads);

    /**
     * Computes like {@link #run} from inputs that may be in files, which are read by parts: the number of their buffer is -2 minus the descriptor
     * that {@link io.tensornio.internal.memory.NativeMemory#openFile} gave, and their offset the position in the file.
     *
     * @return 0 if there is no such plan, 1 if it is done, 2 if inputs cannot be read so, or a statement fails: then outputs may have been written,
     *     and copies in memory are to be used
     */
    static native long runFiles(long plan, ByteBuffer[] memory, long[] geometry, int threads);
}
