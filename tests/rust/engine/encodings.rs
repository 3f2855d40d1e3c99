//! Types that are stored narrow, on every path of the engine, against the plain evaluator; and their casts, of all patterns.

use tensornio_compute::kernel::{casts, Level};
use tensornio_compute::operand::DType;
use tensornio_compute::scalar::Scalar;

use crate::agree::{agree_on, check, some, Input, Layout, Random, ENCODINGS};

#[test]
fn programs_of_encodings_agree() {
    for (text, shapes) in [
        (
            "z[i] = 2*x[i] + y[i]*x[i] - x[i]",
            &[&[1000][..], &[1000]][..],
        ),
        (
            "z[i,j] = max(x[i,j], y[j]) * min(x[i,j], 3)",
            &[&[70, 37], &[37]],
        ),
        ("z[i] = select(x[i] < y[i], x[i], 7)", &[&[100], &[100]]),
        ("s += x[i,j]", &[&[30, 50]]),
        ("r[j] += x[i,j] * y[i]", &[&[300, 70], &[300]]),
        ("r[i] max= x[i,j]", &[&[30, 50]]),
        ("z[i,j] += x[i,k] * y[k,j]", &[&[40, 50], &[50, 60]]),
        ("y[i,j] = x[j,i]", &[&[70, 130]]),
        ("y[k,j,i] = x[i,j,k]", &[&[9, 17, 33]]),
        ("y[i,j] = x[j,i] + x[i,j]", &[&[256, 256]]),
        ("y[2*i] = x[i]", &[&[77]]),
        ("y[i] = x[99-i]", &[&[100]]),
        (
            "y[i] = guard(0 <= i-3 < 90, x[i-3]) where i in 0:100",
            &[&[90]],
        ),
        (
            "y[i] = guard(0 <= i-3 < 90, x[i-3]) + 1 where i in 0:100",
            &[&[90]],
        ),
        ("y[i] = select(i < 50, x[i], x[99-i])", &[&[100]]),
        (
            "t[i] = x[i] * 2; y[i] = float16(t[i]); z[i] = y[i] + float(x[i]); return y, z",
            &[&[1000]],
        ),
        (
            "t[i] = x[i] * 3; y[i] = bfloat16(t[i]); s += y[i]; return y, s",
            &[&[1000]],
        ),
        (
            "y[i] = int8(x[i] * 100); z[i] = uint16(y[i]); return y, z",
            &[&[1000]],
        ),
        (
            "y[i] = uint32(x[i]); z[i] = uint64(y[i]); w[i] = int16(long(z[i])); return y, z, w",
            &[&[1000]],
        ),
        (
            "c[i] = x[i] - x[i]; h[c[i]] += 1 where h[3]; return c",
            &[&[100]],
        ),
    ] {
        let types = if text.contains("h[c") {
            &ENCODINGS[2..]
        } else {
            &ENCODINGS[..]
        };
        check(text, types, shapes);
    }
}

#[test]
fn rows_by_index_of_every_type_agree() {
    for index in &ENCODINGS[2..] {
        for table in ENCODINGS.into_iter().chain([DType::UInt64]) {
            let mut random = Random(5);
            let inputs = [
                some(table, &[8, 64], Layout::Plain, &mut random),
                some(*index, &[20], Layout::Wild, &mut random),
            ];
            agree_on(
                "y[i,j] = x[k[i],j]",
                &inputs,
                Layout::Plain,
                1.0,
                &mut random,
            );
            agree_on(
                "y[j,i] = x[k[i],j]",
                &inputs,
                Layout::Wild,
                1.0,
                &mut random,
            );
        }
    }
}

/// Elements by the cast's kernels.
fn cast(level: Level, from: DType, to: DType, elements: &[Scalar]) -> Vec<Scalar> {
    let n = elements.len();
    let mut bytes: Vec<u8> = Vec::new();
    for element in elements {
        bytes.extend(&element.bits().to_le_bytes()[..from.width()]);
    }
    let mut dtype = from;
    for (kernel, result) in casts(level, from, to) {
        let mut next = vec![0u8; n * result.width()];
        // SAFETY: memory of n elements each.
        unsafe {
            kernel(
                n,
                next.as_mut_ptr(),
                bytes.as_ptr(),
                bytes.as_ptr(),
                bytes.as_ptr(),
            )
        };
        (bytes, dtype) = (next, result);
    }
    assert_eq!(dtype, to);
    let one = |chunk: &[u8]| {
        let mut bits = [0; 8];
        bits[..to.width()].copy_from_slice(chunk);
        Scalar::of_bits(to, u64::from_le_bytes(bits))
    };
    bytes.chunks_exact(to.width()).map(one).collect()
}

/// Elements of all kinds: all patterns of narrow types, else what is around limits and middles, and any bits.
fn elements(dtype: DType) -> Vec<Scalar> {
    if dtype.width() <= 2 {
        let all = 0..1u64 << (8 * dtype.width());
        return all.map(|bits| Scalar::of_bits(dtype, bits)).collect();
    }
    let mut bits: Vec<u64> = Vec::new();
    for half in 0..=0x7fff_u64 {
        // The middle above each half, and what is around it.
        let low = Scalar::of_bits(DType::Float16, half).cast(dtype).bits();
        let high = Scalar::of_bits(DType::Float16, half + 1).cast(dtype).bits();
        let middle = low.wrapping_add(high) / 2;
        bits.extend([low, middle.wrapping_sub(1), middle, middle + 1]);
        let brain = Scalar::of_bits(DType::BFloat16, half).cast(dtype).bits();
        bits.extend([brain, brain.wrapping_sub(1), brain.wrapping_add(1)]);
    }
    let mut random = Random(9);
    for shift in 0..64 {
        let power = 1u64 << shift;
        bits.extend([power, power.wrapping_sub(1), power.wrapping_neg(), !power]);
        bits.extend((0..200).map(|_| random.next() >> shift));
    }
    bits.into_iter()
        .map(|bits| Scalar::of_bits(dtype, bits))
        .collect()
}

fn is_nan(scalar: Scalar) -> bool {
    matches!(scalar.cast(DType::Double), Scalar::Double(x) if x.is_nan())
}

#[test]
fn casts_between_all_types_have_the_bits_of_the_definition_on_every_level() {
    for from in DType::ALL {
        let elements = elements(from);
        for to in DType::ALL {
            for &level in Level::all() {
                let found = cast(level, from, to, &elements);
                for (element, found) in elements.iter().zip(found) {
                    let expected = element.cast(to);
                    // Of NaN the payload is not defined.
                    let nan = is_nan(expected) && is_nan(found);
                    assert!(
                        nan || expected.bits() == found.bits(),
                        "{element:?} to {to} ({level:?}): {expected:?} expected, {found:?} found"
                    );
                }
            }
        }
    }
}

#[test]
fn numbers_of_encodings_that_do_not_fill_a_vector_agree() {
    for n in 0..20 {
        let mut random = Random(n);
        let x = some(DType::Float16, &[n as i64], Layout::Plain, &mut random);
        let inputs: [Input; 1] = [x];
        agree_on(
            "y[i] = x[i] + 1; z[i] = float16(y[i])",
            &inputs,
            Layout::Plain,
            1.0,
            &mut random,
        );
    }
}
