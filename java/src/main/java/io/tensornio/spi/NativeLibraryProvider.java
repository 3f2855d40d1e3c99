package io.tensornio.spi;

/**
 * The service by which the native jar of a platform provides the library to the module {@code io.tensornio}, if both
 * are on the module path, without a {@code requires}. On the class path no such service is needed.
 *
 * <p>The library is a resource in the module of the provider, at {@code META-INF/native/} + {@link #platform()} +
 * {@code /} + {@link System#mapLibraryName} of {@code tensornio}. For internal use only.
 */
public interface NativeLibraryProvider {
    /**
     * The platform that the library was built for.
     *
     * @return its name, which is the classifier of the jar, such as {@code linux-x86_64}
     */
    String platform();
}
