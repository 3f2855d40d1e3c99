//! TensorNIO's core: memory, layouts, copies and sparse tensors, independent of Java.
//!
//! | module | one noun |
//! | --- | --- |
//! | [`copy`] | copies between strided selections: runs, strides, transposes |
//! | [`sparse`] | sorted coordinates and values (COO): building them, and conversion to and from dense memory |
//! | [`layout`] | strided selections of memory: their check, their extent, the axes that merge |
//! | [`shape`] | sizes of axes, and products that cannot overflow |
//! | [`dtype`] | types of elements, and their Rust types |
//! | [`half`] | floating-point numbers of 16 bits, and their conversions |
//! | [`element`] | elements as bits of one of four widths |
//! | [`memory`] | blocks that are safe to close: budget, pool, arena, pages |
//! | [`parallel`] | the threads that share the work on many bytes |
//! | [`stack`] | the room on a thread's stack, and work on a stack that has enough of it |
//! | [`error`] | the errors of the core, with what was requested and what is possible |
//! | [`panics`] | the source locations of panics |
//!
//! Memory here is shared with Java, which may write any of it at any time. So the rules of this crate:
//!
//! 1. **Such memory is only accessed through raw pointers.** A `&[T]` over it would promise the compiler that nobody writes. Raw pointers avoid
//!    that promise, but no more: a bulk read that races with a writer is outside of Rust's memory model, which has no atomic copy of memory yet.
//!    This crate relies on such reads and writes being compiled as loads and stores.
//! 2. **No value read in that way determines an address** (with one exception, below). Coordinates, which do, are loaded one by one, atomically,
//!    and once each, so that the checked value is the one used.
//! 3. Arguments are checked before memory is accessed; an error found by these checks changes nothing.
//!
//! The exception: which elements of dense memory are zero determines the number of entries, and so their addresses. It
//! is gathered as bits into a local number, which is checked against the remaining capacity before the first write.
//!
//! Begin with [`memory::Memory`], the state machine behind `close()`, or with [`copy::copy`].

pub mod copy;
pub mod dtype;
pub mod element;
pub mod error;
pub mod half;
pub mod layout;
pub mod memory;
pub mod panics;
pub mod parallel;
pub mod shape;
pub mod sparse;
pub mod stack;

pub use dtype::DType;
pub use error::{Error, ErrorKind};
