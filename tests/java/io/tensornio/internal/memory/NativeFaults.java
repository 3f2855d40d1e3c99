package io.tensornio.internal.memory;

/** The native method of the tests' library alone. */
final class NativeFaults {
    static {
        NativeMemory.load();
    }

    private NativeFaults() {
    }

    /**
     * Makes something go wrong in native code, so that tests see how it arrives.
     *
     * <table>
     * <caption>What goes wrong</caption>
     * <tr><td>0 to 4</td><td>an error with the detail as its message: index out of bounds, illegal argument, illegal state,
     *     out of memory, internal</td></tr>
     * <tr><td>10, 11</td><td>a panic with a literal, with a formatted text that ends in the detail</td></tr>
     * <tr><td>12, 13</td><td>a panic with a number, with a value that panics again when it is dropped</td></tr>
     * <tr><td>14</td><td>a panic, during which another one is caught</td></tr>
     * <tr><td>15</td><td>a panic on one of the threads that share work, with a formatted text that ends in the detail</td></tr>
     * <tr><td>21 to 25</td><td>a log record with the detail: error, warning, information, debug, trace</td></tr>
     * <tr><td>30</td><td>an error's record from a thread that the JVM does not know</td></tr>
     * <tr><td>31</td><td>an error's record while {@link NoClassDefFoundError} is pending, which is thrown then</td></tr>
     * <tr><td>32</td><td>an error's record as inside of a critical section: it is dropped</td></tr>
     * </table>
     *
     * @param what the number of the fault; any other is {@link IllegalArgumentException}
     * @param detail a text to recognise it by
     */
    static native void provoke(int what, String detail);
}
