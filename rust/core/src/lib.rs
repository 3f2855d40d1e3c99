//! TensorNIO's core: what a tensor library does with memory, without Java. Arrows point down only.
//!
//! | module | one noun |
//! | --- | --- |
//! | [`copy`] | copies between strided selections: runs, strides, transposes |
//! | [`sparse`] | sorted coordinates and values (COO): made, and to and from dense memory |
//! | [`layout`] | strided selections of memory: their check, their extent, the axes that merge |
//! | [`shape`] | sizes of axes, and products that cannot overflow |
//! | [`dtype`] | types of elements, and their Rust types |
//! | [`element`] | elements as bits of one of four widths |
//! | [`memory`] | blocks that are safe to close: budget, pool, arena, pages |
//! | [`parallel`] | the threads that share the work on many bytes |
//! | [`error`] | all that can go wrong, with what was asked and what was possible |
//! | [`panics`] | where threads have panicked |
//!
//! Memory here is shared with Java, which may write any of it at any time. So the rules of this crate:
//!
//! 1. **Such memory is only touched through raw pointers.** A `&[T]` over it would promise the compiler that nobody writes. Raw pointers avoid that
//!    promise, and no more: a bulk read that races with a writer is outside of Rust's memory model, which has no atomic copy of memory yet. This
//!    crate relies on such reads and writes being compiled as loads and stores.
//! 2. **No value that was read in that way decides about an address** (but for one case, below). Coordinates, which do decide, are loaded one
//!    by one as atomic numbers, once each, and what was checked is what is used.
//! 3. Numbers that come from outside are checked before memory is touched; an error that this finds changes nothing.
//!
//! The case: whether elements of dense memory are zero says how many entries are made of them, and so where they go. That is gathered into bits in
//! a local number, which is checked against the remaining capacity before anything is written.
//!
//! Begin with [`memory::Memory`], the state machine behind `close()`, or with [`copy::copy`].

pub mod copy;
pub mod dtype;
pub mod element;
pub mod error;
pub mod layout;
pub mod memory;
pub mod panics;
pub mod parallel;
pub mod shape;
pub mod sparse;

pub use dtype::DType;
pub use error::{Error, ErrorKind};
