//! Inputs that are in no memory, but are read by parts as a run needs them, such as those in files that may be cut short meanwhile.

use std::ops::Range;

/// An input that is read by parts. The address in its [`Operand`](crate::operand::Operand) is a number by which its bytes are asked for: nothing is
/// ever read or written there.
#[derive(Clone)]
pub struct Far<'a> {
    /// The addresses of all of its elements, from the lowest byte on.
    pub bytes: Range<usize>,
    /// Reads the bytes from an address on, all of them inside of `bytes`; false if they cannot be read.
    pub read: &'a (dyn Fn(usize, &mut [u8]) -> bool + Sync),
}

impl std::fmt::Debug for Far<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Far({:x?})", self.bytes)
    }
}

/// The far ones of a program's tensors, by number; there are none beyond the end.
pub(crate) type Fars<'a> = &'a [Option<Far<'a>>];

/// That of a tensor.
pub(crate) fn of<'a>(fars: Fars<'a>, tensor: usize) -> Option<&'a Far<'a>> {
    fars.get(tensor).and_then(Option::as_ref)
}
