//! The native of `io.tensornio.internal.graph.NativeCheckpoint`: what the header of a safetensors file says, judged by the crate of the format.

use jni::sys;
use safetensors::tensor::Metadata;

use crate::env::Env;
use crate::guard::{guard, not_null, Failure};
use crate::handle::{Ref, Text};

/// The keys of the metadata of a descent: the number of steps, and the rule.
const ABOUT: [&str; 2] = ["steps", "rule"];

/// `static native String header(String json)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_graph_NativeCheckpoint_header<'a>(
    env: Env<'a>,
    _native: sys::jclass,
    json: Option<Text<'_>>,
) -> Option<Ref<'a>> {
    guard(env, || {
        let json = env.text(not_null(json, "json")?)?;
        let lines = lines(&json).map_err(|fault| Failure::illegal_argument(&fault))?;
        Ok(Some(env.new_text(&lines)?.into_ref()))
    })
}

/// The number of steps and the rule, empty if there are none; then for each tensor, by its place, its key, type, shape, and where it begins and ends,
/// between tabs.
fn lines(json: &str) -> Result<String, String> {
    let header: Metadata = serde_json::from_str(json)
        .map_err(|fault| format!("the header is none of safetensors: {fault}"))?;
    let about = ABOUT.map(|key| {
        let text = header.metadata().as_ref().and_then(|map| map.get(key));
        text.map(|text| printable(text)).unwrap_or_default()
    });
    let mut lines = vec![about.join("\t")];
    for key in header.offset_keys() {
        let Some(info) = header.info(&key) else {
            return Err(format!("the header has no {key}"));
        };
        let (begin, end) = info.data_offsets;
        let shape: Vec<String> = info.shape.iter().map(usize::to_string).collect();
        lines.push(format!(
            "{}\t{:?}\t{}\t{begin}\t{end}",
            printable(&key),
            info.dtype,
            shape.join(",")
        ));
    }
    Ok(lines.join("\n"))
}

/// A text on one line without tabs; no key of ours has any.
fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn a_header_is_told_by_the_places_of_its_tensors() {
        let json = r#"{"b":{"dtype":"F64","shape":[],"data_offsets":[24,32]},
            "__metadata__":{"steps":"3","rule":"ADAM"},"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}"#;
        assert_eq!(
            lines(json).as_deref(),
            Ok("3\tADAM\na\tF32\t2,3\t0\t24\nb\tF64\t\t24\t32")
        );
    }

    #[test]
    fn a_header_with_holes_or_sizes_that_do_not_fit_is_refused() {
        for offsets in ["[4,28]", "[0,20]", "[24,0]"] {
            let json =
                format!(r#"{{"a":{{"dtype":"F32","shape":[2,3],"data_offsets":{offsets}}}}}"#);
            assert!(lines(&json).is_err(), "{offsets}");
        }
        assert!(lines("{").is_err());
    }
}
