module MODULE {
    requires io.tensornio;

    provides io.tensornio.spi.NativeLibraryProvider with MODULE.Provider;
}
