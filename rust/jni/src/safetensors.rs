//! The native of `io.tensornio.internal.file.NativeSafetensors`: what the header of a safetensors file says, and whether it is one.

use std::collections::HashSet;
use std::fmt;

use jni::sys;
use safetensors::tensor::TensorInfo;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

use crate::env::Env;
use crate::guard::{guard, not_null, Failure};
use crate::handle::{Ref, Text};

/// `static native String header(String json)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_file_NativeSafetensors_header<'a>(
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

/// A header as it stands: every key, in order, twice if it is there twice.
struct Header {
    about: Vec<(String, String)>,
    tensors: Vec<(String, TensorInfo)>,
    /// How often there is metadata.
    abouts: usize,
}

/// The entries of a JSON object in order. (A map would keep but one of two entries with the same key.)
struct Entries<V>(Vec<(String, V)>);

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Entries<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All<V>(std::marker::PhantomData<V>);

        impl<'de, V: Deserialize<'de>> Visitor<'de> for All<V> {
            type Value = Entries<V>;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(All(std::marker::PhantomData))
    }
}

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Whole;

        impl<'de> Visitor<'de> for Whole {
            type Value = Header;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Header, M::Error> {
                let mut header = Header {
                    about: Vec::new(),
                    tensors: Vec::new(),
                    abouts: 0,
                };
                while let Some(key) = map.next_key::<String>()? {
                    if key == "__metadata__" {
                        header.abouts += 1;
                        header.about.extend(map.next_value::<Entries<String>>()?.0);
                    } else {
                        header.tensors.push((key, map.next_value()?));
                    }
                }
                Ok(header)
            }
        }

        deserializer.deserialize_map(Whole)
    }
}

/// The first key that is there a second time.
fn twice<V>(entries: &[(String, V)]) -> Option<&str> {
    let mut known = HashSet::new();
    let mut keys = entries.iter().map(|(key, _)| key.as_str());
    keys.find(|key| !known.insert(*key))
}

impl Header {
    fn of(json: &str) -> Result<Header, String> {
        let mut header: Header = serde_json::from_str(json)
            .map_err(|fault| format!("the header is none of safetensors: {fault}"))?;
        if header.abouts > 1 {
            return Err("`__metadata__` is twice in the header".to_owned());
        }
        if let Some(key) = twice(&header.tensors) {
            return Err(format!("`{}` is twice in the header", printable(key)));
        }
        if let Some(key) = twice(&header.about) {
            return Err(format!("`{}` is twice in the metadata", printable(key)));
        }
        header.tensors.sort_by_key(|(_, info)| info.data_offsets);
        header.check()?;
        Ok(header)
    }

    /// Checks that tensors follow each other without holes, each as long as its type and shape say.
    fn check(&self) -> Result<(), String> {
        let mut start = 0;
        for (key, info) in &self.tensors {
            let key = printable(key);
            let (begin, end) = info.data_offsets;
            if begin != start || end < begin {
                return Err(format!(
                    "`{key}` has the offsets [{begin}, {end}], which are to begin at {start}, where the tensor before it ends"
                ));
            }
            start = end;
            let elements = info
                .shape
                .iter()
                .try_fold(1usize, |all, &size| all.checked_mul(size));
            let bits = elements.and_then(|count| count.checked_mul(info.dtype.bitsize()));
            if bits != (end - begin).checked_mul(8) || bits.is_none() {
                return Err(format!(
                    "`{key}` has the offsets [{begin}, {end}], which do not fit {:?} of shape {:?}",
                    info.dtype, info.shape
                ));
            }
        }
        Ok(())
    }
}

/// The number of entries of the metadata; each of them, key and text; then each tensor, by its place: its key, type, shape, and where it begins and
/// ends. All between tabs, on a line each.
fn lines(json: &str) -> Result<String, String> {
    let header = Header::of(json)?;
    let mut lines = vec![header.about.len().to_string()];
    for (key, text) in &header.about {
        lines.push(format!("{}\t{}", escaped(key), escaped(text)));
    }
    for (key, info) in &header.tensors {
        let (begin, end) = info.data_offsets;
        let shape: Vec<String> = info.shape.iter().map(usize::to_string).collect();
        lines.push(format!(
            "{}\t{:?}\t{}\t{begin}\t{end}",
            escaped(key),
            info.dtype,
            shape.join(",")
        ));
    }
    Ok(lines.join("\n"))
}

/// A key on one line, in messages.
fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

/// A text on one line without tabs, from which the original can be told.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\n', "\\n")
        .replace('\t', "\\t")
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn a_header_is_told_by_the_places_of_its_tensors() {
        let json = r#"{"b":{"dtype":"F64","shape":[],"data_offsets":[24,32]},
            "__metadata__":{"steps":"3","a":"a\tname\n\\","rule":"ADAM"},"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}"#;
        assert_eq!(
            lines(json).as_deref(),
            Ok("3\nsteps\t3\na\ta\\tname\\n\\\\\nrule\tADAM\na\tF32\t2,3\t0\t24\nb\tF64\t\t24\t32")
        );
        assert_eq!(lines("{}").as_deref(), Ok("0"));
    }

    #[test]
    fn a_header_with_holes_or_sizes_that_do_not_fit_is_refused_by_name() {
        let max = usize::MAX.to_string();
        for (shape, offsets) in [
            ("2,3", "[4,28]"),
            ("2,3", "[0,20]"),
            ("2,3", "[24,0]"),
            ("2,3", "[0,28]"),
            (max.as_str(), "[0,28]"),
            ("0,3", "[0,4]"),
        ] {
            let json = format!(
                r#"{{"name":{{"dtype":"F32","shape":[{shape}],"data_offsets":{offsets}}}}}"#
            );
            let fault = lines(&json).expect_err(offsets);
            assert!(fault.contains("`name`"), "{fault}");
        }
        assert!(lines("{").is_err());
        assert!(lines("[]").is_err());
    }

    #[test]
    fn keys_that_are_twice_in_a_header_are_refused_by_name() {
        let tensor = r#"{"dtype":"F32","shape":[],"data_offsets":[0,4]}"#;
        for (json, name) in [
            (format!(r#"{{"w":{tensor},"w":{tensor}}}"#), "w"),
            (format!(r#"{{"w":{tensor},"\u0077":{tensor}}}"#), "w"),
            (r#"{"__metadata__":{"t1":"a","t1":"b"}}"#.to_owned(), "t1"),
            (
                r#"{"__metadata__":{},"__metadata__":{}}"#.to_owned(),
                "__metadata__",
            ),
        ] {
            let fault = lines(&json).expect_err(name);
            assert!(fault.contains(&format!("`{name}` is twice")), "{fault}");
        }
    }
}
