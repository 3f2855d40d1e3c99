/** Images as tensors. */
module io.tensornio.images {
    requires transitive io.tensornio;
    requires transitive java.desktop;

    exports io.tensornio.images;
}
