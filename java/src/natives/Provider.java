package MODULE;

import io.tensornio.spi.NativeLibraryProvider;

/** Names the platform that the native library beside this class was built for. */
public final class Provider implements NativeLibraryProvider {
    @Override
    public String platform() {
        return "PLATFORM";
    }
}
