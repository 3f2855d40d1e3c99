//! TensorNIO's compute engine: programs of tensor comprehensions, such as `C[i,j] += A[i,k] * B[k,j]`, independent of Java.
//!
//! | module | one noun |
//! | --- | --- |
//! | [`ast`] | the syntax tree: statements, expressions, affine indices |
//! | [`operators`] | the operators of assignments and expressions |
//! | `builder` | a program that is being made |
//! | [`program`] | a checked program, with its inputs, outputs and canonical text |
//! | [`bound`] | a program bound to shapes and types: all that execution needs, with every index checked |
//! | [`kernel`] | loops over the elements of a tile, compiled for every instruction set |
//! | [`plan`] | a bound program compiled for fast execution, and its execution |
//! | [`overlap`] | outputs that overlap what else a call touches |
//! | [`planned`] | a program with its plan for certain types and shapes |
//! | [`registry`] | a bounded cache of these, and of programs |
//! | [`threads`] | the threads that share its work |
//! | [`oracle`] | the reference evaluator, one loop nest per statement, against which every faster path is tested |
//! | `parse`, `text` | text as statements, and back |
//! | `rest` | `...` in brackets: axes that a text does not name |
//! | `scan` | recurrences: the names of a block that runs step by step |
//! | `names` | resolution of names to versions of tensors |
//! | `differentiate` | the statements of a gradient |
//! | `infer` | inference of ranges, shapes and types, and their faults |
//! | `batch` | conversion of a program for one example to one for a batch |
//! | [`equations`] | equations between the lengths of axes, before shapes are known |
//! | [`signature`] | the type and shape of an input |
//! | [`far`] | inputs that are read by parts, such as those in files |
//! | [`operand`] | memory to read and to write, which Java may write at any time |
//! | [`scalar`] | one element of a computable type, and the semantics of operators |
//! | [`stored`] | programs over ragged and sparse tensors |
//! | `explain` | the error of a run that failed |
//! | [`outside`] | the error of an index that is out of bounds at run time |
//! | `stack` | the stack that recursion over trees needs |
//! | [`error`] | errors of programs, as lists of faults |
//!
//! The stages: parse, resolve, differentiate, bind, run. Begin with [`Program::parse`], then [`Program::bind`], then
//! [`Plan::new`] and [`Plan::run`].

pub mod ast;
pub mod batch;
pub mod bound;
mod builder;
mod differentiate;
pub mod equations;
pub mod error;
mod explain;
pub mod far;
mod infer;
pub mod kernel;
mod names;
pub mod operand;
pub mod operators;
pub mod oracle;
pub mod outside;
pub mod overlap;
mod parse;
pub mod plan;
pub mod planned;
pub mod program;
#[cfg(test)]
mod random;
pub mod registry;
mod rest;
pub mod scalar;
mod scan;
pub mod signature;
mod stack;
pub mod stored;
mod text;
pub mod threads;

pub use bound::Bound;
pub use error::{Error, ErrorKind};
pub use plan::{free_scratch, Plan};
pub use planned::Planned;
pub use program::Program;
pub use signature::Signature;
