package io.tensornio.compute;

/** A piece of a program that is built in Java and written as text. */
abstract class Term {
    /**
     * Its parts in the text: strings, names ({@link TensorName}, {@link LoopIndex}) and further terms, in order, not to be changed.
     */
    abstract Object[] parts();

    /**
     * The text in the language of {@link Comprehension}, with the original names of tensors and loops.
     *
     * @return the text
     */
    @Override
    public final String toString() {
        return ProgramText.plain(this);
    }
}
