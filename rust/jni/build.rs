//! What only the linker of the library's platform knows.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // The name by which programs that are linked with it ask for it, wherever it lay then. (Android's is set by gradle/cross/build, whose linkers
    // differ; macOS has an install name.)
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-link-arg-cdylib=-Wl,-soname,libtensornio.so");
    }
}
