//! TensorNIO's compute engine: programs of tensor comprehensions, such as `C[i,j] += A[i,k] * B[k,j]`, without Java.
//!
//! | module | one noun |
//! | --- | --- |
//! | [`ast`] | what a program says: statements, expressions, affine indices |
//! | [`program`] | a program that is known to make sense, with its inputs, outputs and canonical text |
//! | [`bound`] | a program bound to shapes and types: all that execution needs, every index judged |
//! | [`kernel`] | loops over the elements of a tile, compiled for every instruction set |
//! | [`plan`] | a bound program made ready to run fast, and run |
//! | [`threads`] | the threads that share its work |
//! | [`oracle`] | the plain evaluator, one loop nest per statement, that every faster path is tested against |
//! | `parse`, `text` | text as statements, and back |
//! | `names` | which version of a tensor each name means |
//! | `differentiate` | the statements of a gradient |
//! | `infer` | ranges, shapes and types, and all that is wrong with them |
//! | `batch` | a program for one example made one for a batch |
//! | [`equations`] | what statements say of the lengths of axes before shapes are known |
//! | [`signature`] | what is known about an input before it is read: type and shape |
//! | [`operand`] | memory to read and to write, which Java may write at any time |
//! | [`scalar`] | one element of a computable type, and what operators make of it |
//! | [`outside`] | the error of an index that is outside as a statement runs |
//! | [`error`] | all that can go wrong, fault by fault |
//!
//! Text goes one way: parse, resolve, differentiate, bind, run. Begin with [`Program::parse`], then [`Program::bind`], then
//! [`Plan::new`] and [`Plan::run`].

pub mod ast;
mod batch;
pub mod bound;
mod differentiate;
pub mod equations;
pub mod error;
mod infer;
pub mod kernel;
mod names;
pub mod operand;
pub mod oracle;
pub mod outside;
mod parse;
pub mod plan;
pub mod program;
pub mod scalar;
pub mod signature;
mod text;
pub mod threads;

pub use bound::Bound;
pub use error::{Error, ErrorKind};
pub use plan::{free_scratch, Plan};
pub use program::Program;
pub use signature::Signature;
