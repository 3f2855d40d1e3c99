//! Numbers from Java: sizes, and elements of arrays.

use crate::env::Env;
use crate::guard::Failure;
use crate::handle::LongArray;

/// A size or a duration from Java; refuses negative ones.
pub(crate) fn not_negative(value: i64, name: &str) -> Result<u64, Failure> {
    u64::try_from(value)
        .map_err(|_| Failure::illegal_argument(format!("{name} is negative: {value}")))
}

/// A number of elements in memory; refuses those that exceed the address space.
pub(crate) fn number(value: i64, name: &str) -> Result<usize, Failure> {
    usize::try_from(not_negative(value, name)?).map_err(|_| {
        Failure::illegal_argument(format!(
            "{name} is {value}: this platform has addresses for {} bytes",
            usize::MAX
        ))
    })
}

/// Reads all numbers of an array, into the first of the two that is large enough.
pub(crate) fn read_numbers<'s>(
    env: Env<'_>,
    array: LongArray<'_>,
    name: &str,
    inline: &'s mut [i64],
    long: &'s mut Vec<i64>,
) -> Result<&'s [i64], Failure> {
    let length = env.len(array.array());
    let values = match inline.get_mut(..length) {
        Some(values) => values,
        None => {
            long.try_reserve_exact(length).map_err(|_| {
                Failure::out_of_memory(format!("no memory for the {length} numbers of {name}"))
            })?;
            long.resize(length, 0);
            long.as_mut_slice()
        }
    };
    env.read_longs(array, values)?;
    Ok(values)
}
