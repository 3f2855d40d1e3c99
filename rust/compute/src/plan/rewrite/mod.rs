//! Rewriting: statements become other statements, which take less memory or less work.
//!
//! Enters: the statements of a bound program, with all that binding has proven of them. Leaves: statements of the same meaning, over more tensors if
//! some were split, and what can be said of a statement without knowing where its tensors are. Strides, kernels and threads are unknown here, and
//! nothing runs.
//!
//! | module | one noun |
//! | --- | --- |
//! | [`mod@inline`] | fusion: statements that become part of those that read them |
//! | [`window`] | gradients of windows that do not overlap |
//! | [`product`] | products of reads and constants |
//! | [`mod@split`] | products of three or more reads, the cheapest pair of them first |
//! | [`narrow`] | operands of products that are stored narrow, widened once |
//! | [`widen`] | scattered sums of FLOAT, accumulated in DOUBLE |
//! | [`footprint`] | what a statement writes, and under which guards |
//! | [`cell`] | values that are known before a statement runs |

mod cell;
mod footprint;
mod inline;
mod narrow;
mod product;
mod split;
mod widen;
mod window;

use crate::bound::{Bound, Statement};
pub(super) use cell::Cell;
pub(super) use footprint::{covers, guards, injective, is_inside, writes_directly};
pub(super) use inline::{inline, may_fail, MOST_DEPTH};
pub(super) use product::{Factor, Product};

/// What makes more statements of fused ones, which run faster.
pub(super) fn transformed(bound: &mut Bound, statements: &mut Vec<Statement>) {
    narrow::widen(bound, statements);
    split::split(bound, statements);
    widen::widen(bound, statements);
}
