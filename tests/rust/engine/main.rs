//! The engine against the plain evaluator and exact references.

// Inputs are lists; of one input, a list by reference would hide what the others show.
#![allow(clippy::cloned_ref_to_slice_refs)]

mod agree;
mod contractions;
mod encodings;
mod endless;
mod far;
mod fence;
mod filters;
mod functions;
mod generated;
mod guarded;
mod indices;
mod passes;
mod programs;
mod random;
mod references;
mod rows;
mod scans;
mod small;
mod tiles;
mod users;
mod windows;
