//! Forms: the fastest way to run each statement, or several together, and programs of them.
//!
//! Enters: statements in order, and the operands of a run. Leaves: a [`Program`], whose steps were checked against the memory of their tensors, with
//! the memory of what is temporary. A step is a nest, matrix products, or one of the forms of this room, each of which says in its `new` whether a
//! statement has that form; [`program`] asks one after the other.
//!
//! | module | one noun |
//! | --- | --- |
//! | [`program`] | the steps for inputs and outputs with certain strides |
//! | [`views`] | the layouts of the tensors of a run |
//! | [`meetings`] | outputs that overlap inputs or each other |
//! | [`temporary`] | memory of temporary tensors |
//! | [`take`] | rows of a table by index, as copies |
//! | [`put`] | rows that are combined with rows of a table by index |
//! | [`row`] | where rows that are looked up are |
//! | [`transpose`] | transpositions, as copies by the core |
//! | [`rows`] | statements that run row by row |
//! | [`scan`] | statements that run step by step |
//! | [`slices`] | the program of a step of these, over slices of their tensors |
//! | [`slicer`] | its statements |
//! | [`lane`] | running sums and first-order filters along an axis |

mod lane;
mod meetings;
mod program;
mod put;
mod row;
mod rows;
mod scan;
mod slicer;
mod slices;
mod take;
mod temporary;
mod transpose;
mod views;

pub(super) use program::Program;
pub(super) use scan::{fused, Group};
pub(super) use views::Views;
