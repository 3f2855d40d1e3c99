//! Programs over ragged and sparse tensors.

mod differences;
mod examples;
mod explain;
mod extrema;
mod given;
mod lengths;
mod limits;
mod random;
mod runs;
mod scans;
mod sweeps;
