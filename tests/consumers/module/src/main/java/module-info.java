/** Says nothing of natives: io.tensornio finds them. */
module app {
    requires io.tensornio;
}
