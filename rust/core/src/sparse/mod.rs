//! Sparse tensors as coordinates and values (COO), in row-major order without duplicates.
//!
//! | module | one noun |
//! | --- | --- |
//! | `coordinates` | where coordinates are, and the grid that they are in |
//! | `entries` | where entries are read, and where they are written |
//! | `rows` | rows of coordinates, and the one number that each stands for |
//! | `expander` | these numbers become coordinates again |
//! | `build` | coordinates in any order become sorted ones |
//! | `sort` | entries become ordered by their keys |
//! | `writer` | where the next entry of a result goes |
//! | `dense` | dense memory from coordinates, and back |
//! | `pointers` | where each row of a matrix begins |
//!
//! Inputs and outputs are memory that others may write at any time. What decides where something is written is loaded once, checked, and kept in
//! memory that nobody else knows. So a racing writer can spoil the values of a result, and nothing else.
//!
//! Coordinates and positions are loaded as atomic numbers, which others may write. So no reference of Rust's may lead to them during a call, and a
//! pointer to them must come from what may be written: not from a `&[i64]`.

mod build;
mod coordinates;
mod dense;
mod entries;
mod expander;
mod pointers;
mod rows;
mod sort;
mod writer;

pub use build::{ascend, build, build_brought};
pub use coordinates::{Coordinates, Grid};
pub use dense::{count, extract, find, from_dense, to_dense};
pub use entries::{Entries, Room, Values};
pub use pointers::row_pointers;
pub use sort::Pieces;
