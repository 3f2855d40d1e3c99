//! Kernels: loops over the elements of a tile, one generic body each, compiled for every instruction set.

pub mod convert;
pub mod fold;
pub mod function;
pub mod isa;
pub mod map;
pub mod ops;
pub mod pair;
pub mod partial;
pub(crate) mod special;
pub mod stream;
mod table;
pub mod taps;

pub use convert::casts;
pub use isa::{Kernel, Level};
pub use pair::{pair, Operation};
pub use table::*;
