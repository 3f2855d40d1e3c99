//! Programs over ragged and sparse tensors.
//!
//! | module | one noun |
//! | --- | --- |
//! | [`tensor`] | a dense, ragged or sparse tensor while a program runs |
//! | [`memory`] | memory of results, within the budget |
//! | [`run`] | a prepared program, and its run, statement by statement; recurrences in it, and `...` |
//! | `kinds` | which tensors are not dense, before shapes are known |
//! | `dense` | dense statements between others, as one plan |
//! | `plans` | the plans of these and of rows, kept for later runs |
//! | `infer` | the inference of a statement over ragged or sparse tensors |
//! | `statement`, `work` | such a statement, and its execution; what it does at points |
//! | `target`, `parts` | what it writes to, and the parts that threads share |
//! | `ranges`, `rows` | ranges of loops that depend on rows |
//! | `agree` | lone uses of a loop that agree in every row |
//! | `spans` | these, at values of loops |
//! | `lengths` | lengths of rows as numbers |
//! | `support` | the points outside of which an expression is 0 |
//! | `shape`, `given` | the shape of a target, with its row splits, as it is found, and as `where` gives it |
//! | `iterations` | numbers of iterations, of which too many are refused |
//! | `order` | the order of loops |
//! | `nest` | the loops of a statement, and the points at which it runs |
//! | `walk`, `leaf` | the walk over these, led by the entries of sparse reads |
//! | `block`, `runs` | some hundred points at a time, and those of them that differ in the innermost loop alone |
//! | `code`, `evaluate`, `lines` | evaluation there, by the kernels of dense programs |
//! | `sweep` | whole sums of products, row by row, without a walk |
//! | `multiply` | products of two sparse matrices |
//! | `products` | sums of products along runs |
//! | `count` | the points of each element, with those outside of the support |
//! | `recurrence` | a recurrence, whose rows are dense programs: its rows, their statements and slices, their plans and results |
//! | `report` | what a program does, in words |
//! | `accumulate`, `windows` | the elements of a dense or ragged result, some rows at a time |
//! | `collect`, `gather` | the points of a sparse one, in any order, and row by row |
//!
//! Nothing is made dense: memory is that of operands and results, time that of the points of the support.

mod accumulate;
mod agree;
mod block;
mod code;
mod collect;
mod count;
mod dense;
mod evaluate;
mod gather;
mod given;
mod infer;
mod iterations;
pub(crate) mod kinds;
mod leaf;
mod lengths;
mod lines;
pub mod memory;
mod multiply;
mod nest;
mod order;
mod parts;
mod plans;
mod products;
mod ranges;
mod recurrence;
mod report;
mod rows;
pub mod run;
mod runs;
mod shape;
mod spans;
mod statement;
mod support;
mod sweep;
mod target;
pub mod tensor;
mod walk;
mod windows;
mod work;

pub use report::dense as explain_dense;
pub use run::{InputKind, Prepared};
#[doc(hidden)]
pub use sweep::swept;
pub use tensor::{Compressed, Form, Points, Rows, Tensor};
