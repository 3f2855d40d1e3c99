//! The memory of the process.

use std::sync::OnceLock;

use super::{Memory, System};

static SHARED: OnceLock<Memory<System>> = OnceLock::new();

/// The memory shared by all front ends of this library, so that one limit covers all of their allocations. Unlimited until a limit is set.
pub fn shared() -> &'static Memory<System> {
    SHARED.get_or_init(|| Memory::new(System::new(), u64::MAX))
}
