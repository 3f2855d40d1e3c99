//! Sparse tensors as coordinates and values (COO), in row-major order without duplicates.
//!
//! | module | one noun |
//! | --- | --- |
//! | `coordinates` | pointers to coordinates, and the dense shape that they are in |
//! | `entries` | entries to read, and output arrays to write |
//! | `rows` | rows of coordinates, and their keys (linear indices in row-major order) |
//! | `expander` | from keys back to coordinates |
//! | `build` | sorts entries and removes duplicates |
//! | `sort` | the sort by key: partition into buckets, then sort each in the cache |
//! | `writer` | a cursor that appends entries to an output |
//! | `dense` | from sparse to dense, and back |
//! | `pointers` | row pointers of CSR |
//!
//! Inputs and outputs are memory that others may write at any time. Numbers that determine addresses of writes are loaded once, checked, and kept in
//! private memory. So a data race can corrupt the values of a result, and nothing else.
//!
//! Coordinates are loaded atomically, because others may write them. So no Rust reference to them may exist during a call, and a
//! pointer to them must have write provenance: it must not come from a `&[i64]`.

mod build;
mod coordinates;
mod dense;
mod entries;
mod expander;
mod pointers;
mod rows;
mod sort;
mod writer;

pub use build::{ascend, build, build_chunked};
pub use coordinates::{Coordinates, Grid};
pub use dense::{count, extract, find, from_dense, to_dense};
pub use entries::{Entries, Output, Values};
pub use pointers::{narrow_columns, row_pointers};
pub use sort::Chunks;
