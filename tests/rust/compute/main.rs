//! Tensor comprehensions: what each text means, and what is wrong with some.

mod faults;
mod language;
mod ranges;
mod semantics;
#[path = "support/mod.rs"]
mod support;
mod types;
