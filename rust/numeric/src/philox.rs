//! Philox 4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011).

/// The rounds: what the authors recommend.
const ROUNDS: usize = 10;
const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
/// The golden ratio, and the square root of 3 less 1, by which keys go on (Weyl sequences).
const STEPS: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

/// The four words of a counter. Inlined, so that loops over counters are compiled for wide vectors.
#[inline(always)]
pub fn philox(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let (mut c, mut k) = (counter, key);
    for _ in 0..ROUNDS {
        let even = u64::from(MULTIPLIERS[0]) * u64::from(c[0]);
        let odd = u64::from(MULTIPLIERS[1]) * u64::from(c[2]);
        c = [
            (odd >> 32) as u32 ^ c[1] ^ k[0],
            odd as u32,
            (even >> 32) as u32 ^ c[3] ^ k[1],
            even as u32,
        ];
        k = [k[0].wrapping_add(STEPS[0]), k[1].wrapping_add(STEPS[1])];
    }
    c
}

/// The 64 random bits of an element of the sequence of a seed.
#[inline(always)]
pub fn bits(seed: u64, element: u64) -> u64 {
    let key = [seed as u32, (seed >> 32) as u32];
    let words = philox([element as u32, (element >> 32) as u32, 0, 0], key);
    u64::from(words[1]) << 32 | u64::from(words[0])
}
