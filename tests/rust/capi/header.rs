//! `include/tensornio.h` is what cbindgen makes of the crate. Where that changes it as intended, run this with `TENSORNIO_ACCEPT=yes`.

use std::path::Path;
use std::{env, fs};

use cbindgen::{Builder, Config};

/// The files that have types and functions for C, in the order of the header.
const FILES: [&str; 8] = [
    "status", "table", "tensor", "describe", "stored", "program", "run", "library",
];

fn made(of: &Path) -> String {
    let config = Config::from_file(of.join("cbindgen.toml")).unwrap();
    let files = FILES.map(|file| of.join(format!("src/{file}.rs")));
    let mut builder = Builder::new().with_config(config);
    for file in files {
        builder = builder.with_src(file);
    }
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    String::from_utf8(header).unwrap()
}

#[test]
fn the_header_is_that_of_the_crate() {
    let of = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = of.join("../../include/tensornio.h");
    let made = made(of);
    if env::var_os("TENSORNIO_ACCEPT").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == made,
        "include/tensornio.h differs from what cbindgen makes; to accept that:\n\
         TENSORNIO_ACCEPT=yes cargo test --package tensornio-capi the_header\n{made}"
    );
}

/// Rust exports each of them, whatever the header says.
#[test]
fn every_function_is_in_the_header() {
    let of = Path::new(env!("CARGO_MANIFEST_DIR"));
    let header = made(of);
    let mut functions = 0;
    for file in fs::read_dir(of.join("src")).unwrap() {
        let source = fs::read_to_string(file.unwrap().path()).unwrap();
        for (at, _) in source.match_indices("extern \"C\" fn ") {
            let rest = &source[at + "extern \"C\" fn ".len()..];
            let name = &rest[..rest.find('(').unwrap()];
            assert!(
                header.contains(&format!(" {name}(")) || header.contains(&format!("*{name}(")),
                "{name}"
            );
            functions += 1;
        }
    }
    assert_eq!(functions, header.matches(");\n").count());
}
