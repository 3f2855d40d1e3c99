//! One type for each group of operands.

use crate::support::*;
use tensornio_compute::operand::DType;
use tensornio_compute::scalar::Scalar;

/// The type of the first output.
fn dtype(text: &str, inputs: &[Value]) -> DType {
    eval(text, inputs)[0].dtype
}

#[test]
fn numbers_take_the_type_of_their_group_before_any_operator() {
    let x = floats(&[2], &[3., 4.]);
    assert_eq!(first("y[i] = x[i]*(i/2)", &[x.clone()]), [0., 2.]);
    assert_eq!(
        first("y[i] = x[i]*(i/n)", &[x.clone(), integer(2)]),
        [0., 2.]
    );
    assert_eq!(
        dtype("y[i] = k[i]*n", &[ints(&[1], &[3]), fraction(5.0)]),
        DType::Int32
    );
    assert_eq!(dtype("y[i] = x[i]*n", &[x, integer(5)]), DType::Float);
}

#[test]
fn what_has_no_type_gets_one() {
    assert_eq!(dtype("y[i] = i where i in 0:3", &[]), DType::Int64);
    assert_eq!(dtype("y[i] = i*.5 where i in 0:3", &[]), DType::Float);
    assert_eq!(dtype("y = true", &[]), DType::Bool);
    assert_eq!(dtype("y = 5", &[]), DType::Int64);
    assert_eq!(dtype("y = a + b", &[integer(1), integer(2)]), DType::Int64);
    assert_eq!(
        dtype("h[I[i]] += 1 where h[3]", &[ints(&[1], &[0])]),
        DType::Int64
    );
    assert_eq!(
        dtype("y[i] = select(x[i] > 0, 1, 0)", &[floats(&[1], &[0.])]),
        DType::Int64
    );
    assert_eq!(dtype("y = long(5)", &[]), DType::Int64);
}

#[test]
fn mixed_types_are_refused_by_name() {
    let inputs = [floats(&[1], &[0.]), ints(&[1], &[0])];
    let mixed = "y: x is FLOAT and k is INT32; cast one of them, as in float(k)";
    assert_eq!(faults("y[i] = x[i] + k[i]", &inputs).to_string(), mixed);
    assert_eq!(
        faults("y[i] = select(x[i] < k[i], 1, 2)", &inputs).to_string(),
        mixed
    );
    assert_eq!(first("y[i] = x[i] + float(k[i])", &inputs), [0.]);
    let text = faults("y[i] = b[i] == 1", &[bools(&[1], &[true])]).to_string();
    assert_eq!(
        text,
        "y: b is BOOL and 1 is a number; cast one of them, as in bool(1)"
    );
}

#[test]
fn numbers_must_fit_integer_types() {
    let k = ints(&[1], &[0]);
    assert_eq!(
        faults("y[i] = k[i] + 3000000000", &[k.clone()]).to_string(),
        "y: INT32 cannot hold 3000000000"
    );
    assert_eq!(
        faults("y[i] = k[i] + .5", &[k.clone()]).to_string(),
        "y: INT32 cannot hold 0.5"
    );
    assert_eq!(
        faults("y[i] = k[i] + n", &[k.clone(), fraction(0.5)]).to_string(),
        "n: INT32 cannot hold 0.5"
    );
    assert_eq!(
        faults("y[i] = k[i] + n", &[k.clone(), integer(1 << 40)]).to_string(),
        "n: INT32 cannot hold 1099511627776"
    );
    assert_eq!(first("y[i] = k[i] + n", &[k.clone(), fraction(5.0)]), [5.]);
    assert_eq!(
        faults("y[i] = b[i] + 256", &[bytes(&[1], &[0])]).to_string(),
        "y: UINT8 cannot hold 256"
    );
}

#[test]
fn truth_is_no_number() {
    let inputs = [bools(&[1], &[true])];
    assert_eq!(
        faults("s += b[i]", &inputs).to_string(),
        "s: += of BOOL; use max= for or, min= for and, or cast by int(...)"
    );
    assert_eq!(
        faults("y[i] = b[i] * b[i]", &inputs).to_string(),
        "y: arithmetic on BOOL in b[i] * b[i]; cast its operands, as in int(...)"
    );
    let x = [floats(&[1], &[1.])];
    assert_eq!(
        faults("y[i] = not x[i]", &x).to_string(),
        "y: 'not' needs BOOL, but x[i] is FLOAT; write bool(x[i])"
    );
    let text = faults("y[i] = select(x[i], 1, 2)", &x).to_string();
    assert_eq!(
        text,
        "y: the condition of select needs BOOL, but x[i] is FLOAT; write bool(x[i])"
    );
    let text = faults("y[i] = exp(k[i])", &[ints(&[1], &[0])]).to_string();
    assert_eq!(text, "y: exp of INT32 k[i]; cast it, as in float(k[i])");
}

#[test]
fn casts_wrap_truncate_and_saturate() {
    let k = ints(&[4], &[300, -1, i32::MIN, 0]);
    assert_eq!(
        first("y[i] = uint8(k[i])", &[k.clone()]),
        [44., 255., 0., 0.]
    );
    assert_eq!(first("y[i] = bool(k[i])", &[k]), [1., 1., 1., 0.]);
    let x = floats(&[6], &[-1.5, 2.9, 300., f32::NAN, f32::INFINITY, -1e30]);
    assert_eq!(
        first("y[i] = uint8(x[i])", &[x.clone()]),
        [0., 2., 255., 0., 255., 0.]
    );
    let (most, least) = (f64::from(i32::MAX), f64::from(i32::MIN));
    assert_eq!(
        first("y[i] = int(x[i])", &[x]),
        [-1., 2., 300., 0., most, least]
    );
}

#[test]
fn integers_wrap() {
    let k = ints(&[2], &[i32::MAX, i32::MIN]);
    let (most, least) = (f64::from(i32::MAX), f64::from(i32::MIN));
    assert_eq!(first("y[i] = k[i] + 1", &[k.clone()]), [least, least + 1.]);
    assert_eq!(first("y[i] = k[i] / -1", &[k.clone()]), [-most, least]);
    assert_eq!(first("y[i] = abs(k[i])", &[k]), [most, least]);
    let b = bytes(&[2], &[200, 3]);
    assert_eq!(
        first("y[i] = b[i] * 2 - b[i] ^ 2", &[b.clone()]),
        [f64::from((400i32 - 40000).rem_euclid(256)), 253.]
    );
    assert_eq!(first("y[i] = -b[i]", &[b]), [56., 253.]);
    let a = ints(&[3], &[-7, 7, -8]);
    assert_eq!(first("y[i] = a[i] / 2", &[a.clone()]), [-3., 3., -4.]);
    assert_eq!(first("y[i] = a[i] % 3", &[a.clone()]), [-1., 1., -2.]);
    assert_eq!(
        first("y[i] = sign(a[i]) * relu(a[i]) + (a[i] - a[i]) ^ 0", &[a]),
        [1., 8., 1.]
    );
}

#[test]
fn long_constants_keep_all_bits() {
    let program = "y = long(-9223372036854775807) + x";
    assert_eq!(
        eval(program, &[longs(&[], &[0])])[0].elements(),
        [Scalar::Int64(-i64::MAX)]
    );
}

#[test]
fn numbers_alone_are_integers_unless_they_have_a_point_or_an_exponent() {
    for (text, dtype, value) in [
        ("n += 1 where i in 0:9", DType::Int64, 9.),
        ("n = 7 / 2", DType::Int64, 3.),
        ("n = select(1 < 2, 7/2, 1)", DType::Int64, 3.),
        ("n[i] = 0 where i in 0:1", DType::Int64, 0.),
        ("n = 2 ^ 40", DType::Int64, (1u64 << 40) as f64),
        ("n += 1. where i in 0:9", DType::Float, 9.),
        ("n = 7 / 2.", DType::Float, 3.5),
        ("n = 1e0", DType::Float, 1.),
        ("n max= 3 where i in 0:2", DType::Int64, 3.),
        ("n = inf", DType::Float, f64::INFINITY),
        ("n *= 2 where i in 0:40", DType::Int64, (1u64 << 40) as f64),
    ] {
        let result = eval(text, &[]);
        assert_eq!(
            (result[0].dtype, result[0].doubles()),
            (dtype, vec![value]),
            "{text}"
        );
    }
    let half = eval("n = x + 1", &[fraction(0.5)]);
    assert_eq!(
        (half[0].dtype, half[0].doubles()),
        (DType::Float, vec![1.5])
    );
    let seven = eval("n = x / 2", &[integer(7)]);
    assert_eq!(
        (seven[0].dtype, seven[0].doubles()),
        (DType::Int64, vec![3.])
    );
    // A count beyond what a FLOAT can count.
    let counted = eval("h[b[i]] += 1 where h[2]", &[ints(&[5], &[0, 1, 1, 1, 0])]);
    assert_eq!(
        (counted[0].dtype, counted[0].doubles()),
        (DType::Int64, vec![2., 3.])
    );
}
