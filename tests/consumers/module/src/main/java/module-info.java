/** Says nothing of natives: io.tensornio finds them. The module for Kotlin is one that jlink takes. */
module app {
    requires io.tensornio;
    requires io.tensornio.kotlin;
}
