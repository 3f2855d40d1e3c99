//! Tensor comprehensions: what each text means, and what is wrong with some.

// Inputs are lists; of one input, a list by reference would hide what the others show.
#![allow(clippy::cloned_ref_to_slice_refs)]

mod batches;
mod differences;
mod encodings;
mod faults;
mod gradients;
mod language;
mod random;
mod ranges;
mod rest;
mod rooms;
mod scans;
mod semantics;
#[path = "support/mod.rs"]
mod support;
mod threads;
mod types;
