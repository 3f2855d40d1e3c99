//! Random numbers for the tests of what is private.

/// A generator of numbers: Knuth's linear congruential one.
pub(crate) struct Random(pub u64);

impl Random {
    /// A number from 0 on, below another.
    pub fn below(&mut self, n: u64) -> u64 {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}
