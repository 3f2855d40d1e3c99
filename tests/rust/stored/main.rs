//! Programs over ragged and sparse tensors.

mod examples;
mod given;
mod lengths;
mod limits;
mod random;
