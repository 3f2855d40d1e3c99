//! Sparse tensors against a map from coordinates to values.

mod building;
mod calls;
mod dense;
mod mistakes;
mod model;
mod random;
mod skewed;
