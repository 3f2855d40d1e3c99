//! AVX-512 in functions is stable since Rust 1.89: with an older compiler the kernels for it are left out.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(avx512)");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(compiler).arg("--version").output();
    let text = version
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_default();
    let minor = text
        .split('.')
        .nth(1)
        .and_then(|minor| minor.parse::<u32>().ok());
    let x86 = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    if x86 && minor.is_some_and(|minor| minor >= 89) {
        println!("cargo::rustc-cfg=avx512");
    }
}
