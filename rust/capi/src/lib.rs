//! The C API of TensorNIO: the functions of `include/tensornio.h`, which a test makes of this crate.
//!
//! - `status`: results, errors and panics become a number and a text; whatever a caller can get wrong ends here
//! - `pointers`: what C gives as pointers, checked for null
//! - `table`: what C has under a number
//! - `tensor`, `memory`, `describe`: tensors: made, copied and released; whose memory they are in; what they are
//! - `program`, `run`: comprehensions, and their runs
//! - `library`: the library as a whole
//!
//! A tensor or a program is a number in C, not a pointer: numbers are never used twice, so what was released, or never made, is found out.
//!
//! Nothing here has logic of its own beyond the check of arguments. The cdylib of `tensornio-jni` exports the functions.

// As there: a panic is caught at the boundary and becomes a status. Where it aborts, it ends the caller's process.
#[cfg(not(panic = "unwind"))]
compile_error!("tensornio-capi needs panic = \"unwind\": panics are caught at the C boundary, where an abort would end the process");

mod describe;
mod library;
mod memory;
mod pointers;
mod program;
mod run;
mod status;
mod table;
mod tensor;

pub use describe::*;
pub use library::*;
pub use program::*;
pub use run::*;
pub use status::*;
pub use table::{ProgramHandle, TensorHandle};
pub use tensor::*;
