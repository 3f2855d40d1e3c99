/** Operators, and ranges as indices, for TensorNIO in Kotlin. */
module io.tensornio.kotlin {
    requires transitive io.tensornio;
    requires transitive kotlin.stdlib;

    exports io.tensornio.kotlin;
}
