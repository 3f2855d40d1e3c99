//! Sums of products, as matrix products and as filters.
//!
//! Enters: a statement, and the layouts of its tensors. Leaves: a [`Contraction`] or a [`Filter`], which runs in its own blocks on the threads that
//! share the work, and which names the bytes that it touches; or nothing, if the statement is no product, or one that the tile VM computes as fast.
//!
//! | module | one noun |
//! | --- | --- |
//! | [`contraction`] | a sum of products as matrix products: which loops are rows, columns and depth |
//! | [`axis`] | these loops, merged and split into blocks |
//! | [`mask`], [`runs`] | operands under guards, which are packed with zeros, and their even runs |
//! | [`part`] | parts of the operands, in place or packed |
//! | [`multiply`] | the products, block by block |
//! | [`windows`] | a statement as sums over windows: which loops are outputs, taps and channels |
//! | [`filter`], [`image`] | sums over windows of each channel, which are no matrix products, and what they read, packed |

mod axis;
mod contraction;
mod filter;
mod image;
mod mask;
mod multiply;
mod part;
mod runs;
mod windows;

pub(super) use contraction::Contraction;
pub(super) use filter::Filter;
