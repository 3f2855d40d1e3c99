package io.tensornio.spi;

/**
 * What the native jar of a platform provides to the module {@code io.tensornio}, so that whoever has both on the module path has the native library,
 * without a {@code requires}. On the class path the jar needs no such service.
 *
 * <p>The library is a resource in the module of the provider, at {@code META-INF/native/} + {@link #platform()} + {@code /} + what
 * {@link System#mapLibraryName} makes of {@code tensornio}. Programs have no use for this.
 */
public interface NativeLibraryProvider {
    /**
     * The platform that the library was built for.
     *
     * @return its name, which is the classifier of the jar, such as {@code linux-x86_64}
     */
    String platform();
}
