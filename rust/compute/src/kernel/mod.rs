//! Kernels: loops over the elements of a tile, one generic body each, compiled for every instruction set.

pub mod fold;
pub mod function;
pub mod isa;
pub mod map;
pub mod ops;
pub mod partial;
mod table;

pub use isa::{Kernel, Level};
pub use table::*;
