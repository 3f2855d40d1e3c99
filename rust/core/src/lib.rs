//! TensorNIO's core: what a tensor library does with memory, without Java. Arrows point down only.
//!
//! | module | one noun |
//! | --- | --- |
//! | [`copy`] | copies between strided selections: runs, strides, transposes |
//! | [`sparse`] | sorted coordinates and values (COO): made, and to and from dense memory |
//! | [`layout`] | strided selections of a stretch of elements, and their check |
//! | [`shape`] | sizes of axes, and products that cannot overflow |
//! | [`element`] | elements as bits of one of four widths |
//! | [`memory`] | blocks that are safe to close: budget, pool, arena, pages |
//! | [`error`] | all that can go wrong, with what was asked and what was possible |
//! | [`panics`] | where threads have panicked |
//!
//! Memory here is shared with Java, which may write any of it at any time. So the rule of this crate: **such memory is
//! only touched through raw pointers.** A `&[T]` over it would promise the compiler that nobody writes. The second rule: numbers that
//! come from outside are checked before memory is touched, and an error changes nothing.
//!
//! Begin with [`memory::Memory`], the state machine behind `close()`, or with [`copy::copy`].

pub mod copy;
pub mod element;
pub mod error;
pub mod layout;
pub mod memory;
pub mod panics;
pub mod shape;
pub mod sparse;

pub use error::{Error, ErrorKind};
