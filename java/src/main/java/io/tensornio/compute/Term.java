package io.tensornio.compute;

/** A piece of a program that is built in Java and written as text. */
abstract class Term {
    /**
     * What it is written as: strings, names ({@link TensorName}, {@link LoopIndex}) and further terms, in order, not to be changed.
     */
    abstract Object[] parts();

    /**
     * This in the language of {@link Comprehension}, with the names that its tensors and loops were made with.
     *
     * @return the text
     */
    @Override
    public final String toString() {
        return ProgramText.plain(this);
    }
}
