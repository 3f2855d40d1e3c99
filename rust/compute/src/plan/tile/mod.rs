//! The tile VM: a statement as a loop nest around instructions, each of which computes a tile of elements.
//!
//! Enters: a statement, and the layouts of its tensors. Leaves: a [`Nest`], which runs in units of work that do not depend on the number of threads,
//! or row by row by a [`Machine`] that the caller moves. Every statement that binding lets through has a nest, so that all other forms are only
//! faster ways. Which loop is innermost, how long a tile is, what becomes of the value: all of it is decided here, and nowhere else.
//!
//! | module | one noun |
//! | --- | --- |
//! | [`view`] | tensors in memory |
//! | [`nest`] | one statement as a loop nest around instructions: the length of its tile |
//! | [`loops`] | the loop order of a statement |
//! | [`code`], [`emit`] | the instructions, and their generation from expressions |
//! | [`operators`] | the same for operators |
//! | [`access`] | reads and writes of tensors as memory operands |
//! | [`fuse`] | pairs of instructions that become one |
//! | [`registers`] | register allocation |
//! | [`root`] | what is done with the value of a statement |
//! | [`whole`] | rows that are one instruction each |
//! | [`panel`] | operands that are contiguous along another loop, several rows at a time |
//! | [`identity`] | identity elements of reductions |
//! | [`work`] | the split of a nest into units of work, independent of the number of threads |
//! | [`machine`], [`execute`] | the machine, and its execution of instructions |
//! | [`reduce`] | its reductions |
//! | [`near`] | windows of operands that are read by parts |
//! | [`odometer`] | the values of nested loops |
//! | [`scratch`] | its memory, which is kept for the next run |

mod access;
mod code;
mod emit;
mod execute;
mod fuse;
mod identity;
mod loops;
mod machine;
mod near;
mod nest;
mod odometer;
mod operators;
mod panel;
mod reduce;
mod registers;
mod root;
mod scratch;
mod view;
mod whole;
mod work;

pub(super) use code::{Code, Inside, Line, Memory, Slot};
pub(super) use emit::Unsupported;
pub(super) use machine::{Failed, Machine};
pub(super) use nest::Nest;
pub(super) use odometer::{advance, set};
pub(super) use root::Root;
pub use scratch::free_scratch;
pub(super) use scratch::Words;
pub(super) use view::{row_major, View};
pub(super) use work::{elements_per_unit, parts, units};
