//! Reverse-mode differentiation of statements.

use crate::names::Named;
use crate::program::Plain;
use crate::Error;

/// Appends the statements that compute a gradient.
pub(crate) fn append(_plain: &mut Plain, gradient: &Named) -> Result<(), Error> {
    Err(Error::illegal(format!(
        "gradient {}: not yet",
        gradient.of_name
    )))
}
