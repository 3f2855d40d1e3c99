//! A program that is known to make sense.

use crate::ast::Statement;
use crate::bound::Bound;
use crate::signature::Signature;
use crate::Error;

/// A program: statements, and the names that it returns.
#[derive(Clone, Debug)]
pub struct Program {
    statements: Vec<Statement>,
}

impl Program {
    /// The program that a text says.
    ///
    /// # Errors
    /// Of kind illegal argument: what the text has wrong, with line and column.
    pub fn parse(_text: &str) -> Result<Program, Error> {
        todo!()
    }

    /// Its statements.
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// The names of its inputs, in order of first appearance.
    pub fn inputs(&self) -> &[String] {
        todo!()
    }

    /// The names of its outputs.
    pub fn outputs(&self) -> &[String] {
        todo!()
    }

    /// Its canonical text: `parse` of it is equal to this program, and equal programs have equal texts.
    pub fn text(&self) -> &str {
        todo!()
    }

    /// The same program with other outputs.
    ///
    /// # Errors
    /// Of kind illegal argument: names that are not defined, or twice.
    pub fn returning(&self, _names: &[&str]) -> Result<Program, Error> {
        todo!()
    }

    /// The program with `gradient of [seed name] by names` at its end, whose outputs are `of` and a "d" and each of the names.
    ///
    /// # Errors
    /// Of kind illegal argument.
    pub fn gradient(&self, _of: &str, _seed: Option<&str>, _by: &[&str]) -> Result<Program, Error> {
        todo!()
    }

    /// The program for inputs of these types and shapes. An output with a pinned shape has exactly that one.
    ///
    /// # Errors
    /// Of kind illegal argument: all that is wrong with shapes and types, a line each.
    pub fn bind(
        &self,
        _inputs: &[Signature],
        _pinned: &[Option<Vec<i64>>],
    ) -> Result<Bound, Error> {
        todo!()
    }
}
