//! The engine against the plain evaluator and exact references.

mod agree;
mod functions;
mod programs;
mod random;
