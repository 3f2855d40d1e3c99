//! The C API of TensorNIO: the functions of `include/tensornio.h`, which a test makes of this crate.
//!
//! - `status`: results, errors and panics become a status and a message; all mistakes of callers are reported here
//! - `pointers`: pointer arguments, checked for null
//! - `table`: handles: the tensors and programs that C refers to by number
//! - `tensor`, `memory`, `describe`: tensors: creation, copies and release; the owner of their memory; their properties
//! - `stored`: ragged and sparse tensors
//! - `program`, `run`: comprehensions, and running them
//! - `library`: the library as a whole
//!
//! A tensor or a program is a number in C, not a pointer: numbers are never reused, so uses of released or unknown ones are detected.
//!
//! Nothing here has logic of its own beyond the check of arguments. The cdylib of `tensornio-jni` exports the functions.

// As in `tensornio-jni`: a panic is caught at the boundary and becomes a status. Where it aborts, it ends the caller's process.
#[cfg(not(panic = "unwind"))]
compile_error!("tensornio-capi needs panic = \"unwind\": panics are caught at the C boundary, where an abort would end the process");

mod describe;
mod library;
mod memory;
mod pointers;
mod program;
mod run;
mod status;
mod stored;
mod table;
mod tensor;

pub use describe::*;
pub use library::*;
pub use program::*;
pub use run::*;
pub use status::*;
pub use stored::*;
pub use table::{ProgramHandle, TensorHandle};
pub use tensor::*;
