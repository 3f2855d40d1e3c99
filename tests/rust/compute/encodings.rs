//! Types that are stored narrow: what they are read as, what keeps them, and what casts to them.

use crate::support::*;
use tensornio_compute::operand::DType;
use tensornio_compute::scalar::Scalar;
use tensornio_compute::Program;
use tensornio_core::half::{Brain, Half};

/// A vector of a type, of what these numbers are cast to.
fn of(dtype: DType, values: &[f64]) -> Value {
    let cast = |&x: &f64| Scalar::Double(x).cast(dtype);
    let elements: Vec<Scalar> = values.iter().map(cast).collect();
    Value::Tensor(Memory::of(dtype, &[values.len() as i64], &elements))
}

fn bits_of(dtype: DType, bits: &[u64]) -> Value {
    let elements: Vec<Scalar> = bits.iter().map(|&x| Scalar::of_bits(dtype, x)).collect();
    Value::Tensor(Memory::of(dtype, &[bits.len() as i64], &elements))
}

/// The type of the first output.
fn dtype(text: &str, inputs: &[Value]) -> DType {
    eval(text, inputs)[0].dtype
}

const NARROW: [DType; 6] = [
    DType::Float16,
    DType::BFloat16,
    DType::Int8,
    DType::Int16,
    DType::UInt16,
    DType::UInt32,
];

#[test]
fn encodings_are_computed_as_what_they_widen_to() {
    for narrow in NARROW {
        let x = of(narrow, &[3., 4.]);
        let y = eval("y[i] = x[i] * x[i] + 1", &[x.clone()]);
        assert_eq!(y[0].dtype, narrow.computes());
        assert_eq!(y[0].doubles(), [10., 17.]);
        assert_eq!(dtype("s += x[i]", &[x.clone()]), narrow.computes());
        assert_eq!(dtype("s max= x[i]", &[x]), narrow.computes());
    }
    assert_eq!(
        first("y[i] = x[i] - 200", &[of(DType::Int8, &[-128.])]),
        [-328.]
    );
    assert_eq!(
        first("y[i] = x[i] * 2", &[of(DType::UInt16, &[65535.])]),
        [131070.]
    );
    assert_eq!(
        first("y[i] = x[i] * 2", &[of(DType::UInt32, &[4294967295.])]),
        [8589934590.]
    );
}

#[test]
fn a_statement_of_one_read_keeps_the_type_and_the_bits() {
    let all = NARROW.into_iter().chain([DType::UInt64]);
    for narrow in all {
        let bits: Vec<u64> = [0, 1, 0x7fff, 0x7e01, 0x7c01, 0xfc55, 0x7f81, u64::MAX]
            .map(|bits| bits & (u64::MAX >> (64 - 8 * narrow.width())))
            .to_vec();
        let x = bits_of(narrow, &bits);
        for text in [
            "y[i] = x[i]",
            "y[i] = guard(0 <= i < 8, x[i]) where i in 0:8",
            "y[i] = select(i < 4, x[i], x[i])",
            "t[7-i] = x[i] where t[8]; y[7-i] = t[i]",
        ] {
            let y = eval(&format!("{text}; return y"), &[x.clone()]);
            assert_eq!(y[0].dtype, narrow, "{text}");
            let found: Vec<u64> = y[0].elements().into_iter().map(Scalar::bits).collect();
            assert_eq!(found, bits, "{text}");
        }
    }
}

#[test]
fn what_is_more_than_reads_of_one_type_is_widened() {
    let h = of(DType::Float16, &[1., 2.]);
    let b = of(DType::BFloat16, &[3., 4.]);
    assert_eq!(
        dtype("y[i] = select(i < 1, h[i], 0)", &[h.clone()]),
        DType::Float
    );
    assert_eq!(
        dtype("y[i] = select(i < 1, h[i], b[i])", &[h.clone(), b.clone()]),
        DType::Float
    );
    assert_eq!(first("y[i] = h[i] + b[i]", &[h.clone(), b]), [4., 6.]);
    assert_eq!(
        first("y[i] = h[i] + x[i]", &[h, floats(&[2], &[1., 1.])]),
        [2., 3.]
    );
    let (k, n) = (of(DType::Int8, &[-1.]), of(DType::UInt16, &[7.]));
    assert_eq!(
        dtype("y[i] = k[i] + n[i] + m[i]", &[k, n, ints(&[1], &[1])]),
        DType::Int32
    );
}

#[test]
fn casts_round_once_to_nearest_even() {
    let third = 1.0f64 / 3.0;
    for (word, narrow, of) in [
        (
            "float16",
            DType::Float16,
            (|x| f64::from(Half::of_f32(x).to_f32())) as fn(f32) -> f64,
        ),
        ("bfloat16", DType::BFloat16, |x| {
            f64::from(Brain::of_f32(x).to_f32())
        }),
    ] {
        let text = format!("y[i] = {word}(x[i])");
        let y = eval(&text, &[floats(&[3], &[third as f32, -0.0, 1e30])]);
        assert_eq!(y[0].dtype, narrow);
        assert_eq!(y[0].doubles(), [of(third as f32), -0.0, of(1e30)]);
        // By way of a float the middle would be reached, and then the even number.
        let middle = 1.0
            + f64::from(of(1.0 + 0.01) as f32 - 1.0) * 0.0
            + if word == "float16" {
                2f64.powi(-11)
            } else {
                2f64.powi(-8)
            };
        let above = middle + 2f64.powi(-40);
        let next = if word == "float16" {
            1.0 + 2f64.powi(-10)
        } else {
            1.0 + 2f64.powi(-7)
        };
        assert_eq!(
            first(&text, &[doubles(&[2], &[middle, above])]),
            [1.0, next]
        );
    }
    // 2^60 + 2^52 is the middle of two BFLOAT16; one more is nearer to the upper one, but no float holds it, nor a double.
    let x = longs(&[2], &[(1 << 60) + (1 << 52), (1 << 60) + (1 << 52) + 1]);
    let (even, upper) = (2f64.powi(60), 2f64.powi(60) + 2f64.powi(53));
    assert_eq!(first("y[i] = bfloat16(x[i])", &[x]), [even, upper]);
    // Later reads see what is stored.
    let x = [floats(&[1], &[0.1])];
    let rounded = f64::from(Half::of_f32(0.1).to_f32());
    assert_eq!(
        first("y[i] = float16(x[i]); z[i] = y[i] + 0; return z", &x),
        [rounded]
    );
}

#[test]
fn casts_wrap_integers_and_saturate_fractions() {
    let k = longs(&[4], &[300, -1, 70000, (1 << 40) + 5]);
    for (word, wrapped) in [
        ("int8", [44., -1., 112., 5.]),
        ("int16", [300., -1., 4464., 5.]),
        ("uint16", [300., 65535., 4464., 5.]),
        ("uint32", [300., 4294967295., 70000., 5.]),
        (
            "uint64",
            [300., 18446744073709551615., 70000., 1099511627781.],
        ),
    ] {
        assert_eq!(
            first(&format!("y[i] = {word}(k[i])"), &[k.clone()]),
            wrapped,
            "{word}"
        );
    }
    let x = doubles(&[5], &[-1.9, 2.9, f64::NAN, f64::INFINITY, -1e30]);
    for (word, saturated) in [
        ("int8", [-1., 2., 0., 127., -128.]),
        ("int16", [-1., 2., 0., 32767., -32768.]),
        ("uint16", [0., 2., 0., 65535., 0.]),
        ("uint32", [0., 2., 0., 4294967295., 0.]),
        ("uint64", [0., 2., 0., 18446744073709551615., 0.]),
    ] {
        assert_eq!(
            first(&format!("y[i] = {word}(x[i])"), &[x.clone()]),
            saturated,
            "{word}"
        );
    }
}

#[test]
fn casts_to_encodings_are_the_whole_right_side() {
    let fault = |text: &str| Program::parse(text).expect_err(text).to_string();
    assert_eq!(
        fault("y[i] = float16(x[i]) + 1"),
        "y: float16(...) says how elements are stored, so it is all that is right of =, as in t[i] = float16(x[i]), and t[i] is rounded"
    );
    for text in [
        "s += int8(x[i])",
        "s max= uint64(x[i])",
        "y[i] = int(uint16(x[i]))",
        "y[i] = guard(0 <= i < 2, bfloat16(x[i]))",
    ] {
        assert!(
            fault(text).contains("says how elements are stored"),
            "{text}"
        );
    }
}

#[test]
fn of_uint64_there_are_bits_and_values_alone() {
    let u = bits_of(DType::UInt64, &[u64::MAX, 1]);
    assert_eq!(first("y[i] = long(u[i])", &[u.clone()]), [-1., 1.]);
    assert_eq!(
        first("y[i] = double(u[i])", &[u.clone()]),
        [18446744073709551615., 1.]
    );
    assert_eq!(dtype("y[i] = float(u[i]) + 1", &[u.clone()]), DType::Float);
    let refused = "y: u is UINT64, with which nothing is computed; read its bits by long(u[i]), or its value by double(u[i]) or float(u[i])";
    for text in [
        "y[i] = u[i] + 1",
        "y[i] = int(u[i])",
        "y[i] = float(u[i] + 1)",
        "y max= u[i]",
        "y[i] = u[i] < 3",
    ] {
        assert_eq!(faults(text, &[u.clone()]).to_string(), refused, "{text}");
    }
    let look_up = faults("y[i] = x[u[i]]", &[floats(&[2], &[0., 0.]), u]).to_string();
    assert_eq!(
        look_up,
        "y: u is UINT64, but a look-up needs integers, and no UINT64"
    );
}

#[test]
fn uint8_does_not_mix_with_other_integers() {
    let (u, k) = (bytes(&[1], &[200]), of(DType::Int8, &[-1.]));
    let both = "; cast one of them, as in int(u[i])";
    let fault = faults("y[i] = u[i] + k[i]", &[u.clone(), k.clone()]).to_string();
    assert_eq!(fault, format!("y: u is UINT8 and k is INT8{both}"));
    let fault = faults("y[i] = k[i] + u[i]", &[k.clone(), u.clone()]).to_string();
    assert_eq!(fault, format!("y: k is INT8 and u is UINT8{both}"));
    assert_eq!(first("y[i] = int(u[i]) + k[i]", &[u, k]), [199.]);
    let (h, k) = (of(DType::Float16, &[1.]), of(DType::Int16, &[2.]));
    let fault = faults("y[i] = h[i] * k[i]", &[h, k]).to_string();
    assert_eq!(
        fault,
        "y: h is FLOAT16 and k is INT16; cast one of them, as in float(k[i])"
    );
}

#[test]
fn indices_of_every_width_are_values() {
    let x = floats(&[300], &(0..300).map(|k| k as f32).collect::<Vec<_>>());
    for (narrow, at) in [
        (DType::Int8, 127.),
        (DType::Int16, 299.),
        (DType::UInt16, 299.),
        (DType::UInt32, 299.),
    ] {
        assert_eq!(
            first("y[i] = x[k[i]]", &[x.clone(), of(narrow, &[at, 0.])]),
            [at, 0.]
        );
    }
    let outside = faults("y[i] = x[k[i]]", &[x, of(DType::UInt16, &[65535.])]).to_string();
    assert!(outside.contains("65535"), "{outside}");
}

#[test]
fn gradients_pass_casts_and_are_floats() {
    let x = floats(&[3], &[1., 2., 3.]);
    let h = of(DType::Float16, &[1., 2., 3.]);
    for word in ["float16", "bfloat16"] {
        let text = format!("y[i] = {word}(x[i]^2); gradient y by x; return dx");
        let dx = eval(&text, &[x.clone()]);
        assert_eq!(
            (dx[0].dtype, dx[0].doubles()),
            (DType::Float, vec![2., 4., 6.])
        );
    }
    let dh = eval("s += h[i] * h[i]; gradient s by h; return dh", &[h.clone()]);
    assert_eq!(
        (dh[0].dtype, dh[0].doubles()),
        (DType::Float, vec![2., 4., 6.])
    );
    let text = "y[i] = float16(3 * h[i]); gradient y seed g by h; return dh";
    let dh = eval(text, &[h.clone(), floats(&[3], &[1., 10., 100.])]);
    assert_eq!(
        (dh[0].dtype, dh[0].doubles()),
        (DType::Float, vec![3., 30., 300.])
    );
    let fault = faults(text, &[h.clone(), of(DType::Float16, &[1., 1., 1.])]).to_string();
    assert_eq!(fault, "gradient y: the seed g is FLOAT16, not FLOAT");
    // What is copied without a change.
    let dh = eval("y[i] = h[i]; gradient y by h; return dh", &[h]);
    assert_eq!(
        (dh[0].dtype, dh[0].doubles()),
        (DType::Float, vec![1., 1., 1.])
    );
    let text = "y[i] = k[i] * x[i]; gradient y by k; return dk";
    let fault = faults(
        "y[i] = float(k[i]) * x[i]; gradient y by k; return dk",
        &[of(DType::Int8, &[1.]), floats(&[1], &[2.])],
    )
    .to_string();
    assert!(
        fault.contains("gradient y: k is INT8, but only floating-point types have gradients"),
        "{text}: {fault}"
    );
}
