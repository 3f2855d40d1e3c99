//! Programs over ragged and sparse tensors.
//!
//! | module | one noun |
//! | --- | --- |
//! | [`tensor`] | a dense, ragged or sparse tensor while a program runs |
//! | [`memory`] | memory of results, within the budget |
//! | [`run`] | a prepared program, and its run, statement by statement |
//! | `kinds` | which tensors are not dense, before shapes are known |
//! | `dense` | dense statements between others, as one plan |
//! | `infer` | the inference of a statement over ragged or sparse tensors |
//! | `statement` | such a statement, and its execution |
//! | `ranges`, `rows` | ranges of loops that depend on rows |
//! | `spans` | these, at values of loops |
//! | `lengths` | lengths of rows as numbers |
//! | `support` | the points outside of which an expression is 0 |
//! | `shape`, `given` | the shape of a target, with its row splits, as it is found, and as `where` gives it |
//! | `iterations` | numbers of iterations, of which too many are refused |
//! | `order` | the order of loops |
//! | `nest`, `leaf` | the walk over the points of a statement, led by the entries of sparse reads |
//! | `block`, `code`, `evaluate` | evaluation at some hundred points at a time, by the kernels of dense programs |
//! | `count` | the points of each element, with those outside of the support |
//! | `accumulate`, `collect` | the elements of a dense or ragged result, and the points of a sparse one |
//!
//! Nothing is made dense: memory is that of operands and results, time that of the points of the support.

mod accumulate;
mod block;
mod code;
mod collect;
mod count;
mod dense;
mod evaluate;
mod given;
mod infer;
mod iterations;
pub(crate) mod kinds;
mod leaf;
mod lengths;
pub mod memory;
mod nest;
mod order;
mod ranges;
mod rows;
pub mod run;
mod shape;
mod spans;
mod statement;
mod support;
pub mod tensor;

pub use run::{InputKind, Prepared};
pub use tensor::{Form, Points, Rows, Tensor};
