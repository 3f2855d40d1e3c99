//! The order of numbers: ascending, -0 equal to 0, NaN last, by keys that are unsigned integers.

use tensornio_core::dtype::Typed;

/// An unsigned integer that is ordered as the numbers are. The largest one is that of NaN.
pub(crate) trait Key: Copy + Ord + Default + Send + Sync {
    const BITS: u32;
    fn bits(self) -> u64;
    fn inverted(self) -> Self;
}

macro_rules! keys {
    ($($key:ty),*) => {
        $(impl Key for $key {
            const BITS: u32 = <$key>::BITS;
            fn bits(self) -> u64 {
                self as u64
            }
            fn inverted(self) -> $key {
                !self
            }
        })*
    };
}
keys!(u8, u32, u64);

/// A number with a place in the order.
pub(crate) trait Ordered: Typed + PartialOrd {
    type Key: Key;
    const IS_FLOAT: bool;
    fn key(self) -> Self::Key;
    /// The number of a key; 0 of that of -0, and some NaN of that of NaN.
    fn of_key(key: Self::Key) -> Self;
    fn is_nan(self) -> bool;
    fn is_negative_zero(self) -> bool;
    /// The key in a direction: that of NaN is the largest in both.
    fn directed(self, descending: bool) -> Self::Key {
        if descending && !self.is_nan() {
            self.key().inverted()
        } else {
            self.key()
        }
    }
}

macro_rules! floats {
    ($($float:ty: $key:ty),*) => {
        $(impl Ordered for $float {
            type Key = $key;
            const IS_FLOAT: bool = true;
            fn key(self) -> $key {
                const SIGN: $key = 1 << (<$key>::BITS - 1);
                // Adding 0 makes -0 to 0.
                let bits = (self + 0.0).to_bits();
                let key = if bits & SIGN != 0 { !bits } else { bits | SIGN };
                if self != self { <$key>::MAX } else { key }
            }
            fn of_key(key: $key) -> $float {
                const SIGN: $key = 1 << (<$key>::BITS - 1);
                <$float>::from_bits(if key & SIGN != 0 { key ^ SIGN } else { !key })
            }
            fn is_nan(self) -> bool {
                self != self
            }
            fn is_negative_zero(self) -> bool {
                self.to_bits() == 1 << (<$key>::BITS - 1)
            }
        })*
    };
}
floats!(f32: u32, f64: u64);

macro_rules! integers {
    ($($integer:ty: $key:ty, $least:expr;)*) => {
        $(impl Ordered for $integer {
            type Key = $key;
            const IS_FLOAT: bool = false;
            fn key(self) -> $key {
                self as $key ^ $least
            }
            fn of_key(key: $key) -> $integer {
                (key ^ $least) as $integer
            }
            fn is_nan(self) -> bool {
                false
            }
            fn is_negative_zero(self) -> bool {
                false
            }
        })*
    };
}
integers!(i32: u32, 1 << 31; i64: u64, 1 << 63; u8: u8, 0;);

/// Fewer keys than that are sorted by comparisons.
const FEWEST: usize = 1 << 10;
/// The bits of a digit.
const DIGIT: u32 = 11;

/// Sorts keys by their bits from `from` on, and stably: keys that differ below only stay in their order.
pub(crate) fn sort_from<K: Key>(keys: &mut Vec<K>, spare: &mut Vec<K>, from: u32) {
    let length = keys.len();
    if length < FEWEST || K::BITS - from > 3 * DIGIT {
        if from == 0 {
            keys.sort_unstable();
        } else {
            keys.sort_by_key(|key| key.bits() >> from);
        }
        return;
    }
    spare.clear();
    spare.resize(length, K::default());
    let digits = (K::BITS - from).div_ceil(DIGIT) as usize;
    let mut counts = vec![[0u32; 1 << DIGIT]; digits];
    let digit =
        |key: K, n: usize| (key.bits() >> (from + n as u32 * DIGIT)) as usize & ((1 << DIGIT) - 1);
    for &key in keys.iter() {
        for (n, counts) in counts.iter_mut().enumerate() {
            counts[digit(key, n)] += 1;
        }
    }
    for (n, counts) in counts.iter_mut().enumerate() {
        if counts[digit(keys[0], n)] as usize == length {
            continue; // they are equal in this digit
        }
        let mut end = 0;
        for count in counts.iter_mut() {
            (*count, end) = (end, end + *count);
        }
        for &key in keys.iter() {
            let place = &mut counts[digit(key, n)];
            spare[*place as usize] = key;
            *place += 1;
        }
        std::mem::swap(keys, spare);
    }
}
