//! The one memory of a process.

use std::sync::OnceLock;

use super::{Memory, System};

static SHARED: OnceLock<Memory<System>> = OnceLock::new();

/// The memory that all front-ends of this library share, so that one limit holds for all that they allocate. Without a limit until one is set.
pub fn shared() -> &'static Memory<System> {
    SHARED.get_or_init(|| Memory::new(System::new(), u64::MAX))
}
