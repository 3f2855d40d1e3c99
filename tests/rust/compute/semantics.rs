//! What statements compute: worked values.

use crate::support::*;

#[test]
fn loops_on_the_right_are_reduced_over_the_whole_right_side() {
    let inputs = [
        floats(&[2, 2], &[1., 2., 3., 4.]),
        floats(&[2], &[1., 1.]),
        floats(&[2], &[10., 20.]),
    ];
    assert_eq!(first("y[i] += A[i,j]*x[j] + b[i]", &inputs), [23., 47.]);
    assert_eq!(
        eval("t[i] += A[i,j]*x[j]; y[i] = t[i]+b[i]", &inputs)[1].doubles(),
        [13., 27.]
    );
}

#[test]
fn a_name_may_be_defined_again() {
    let x = floats(&[3], &[-1., 0., 2.]);
    assert_eq!(
        first("r[i] = x[i]*2; r[i] = relu(r[i]); r += r[i]", &[x.clone()]),
        [4.]
    );
    assert_eq!(first("x[i] = x[i]+1", &[x]), [0., 1., 3.]);
}

#[test]
fn matrices_multiply() {
    let inputs = [
        floats(&[2, 3], &[1., 2., 3., 4., 5., 6.]),
        floats(&[3, 2], &[7., 8., 9., 10., 11., 12.]),
    ];
    assert_eq!(
        first("C[i,j] += A[i,k] * B[k,j]", &inputs),
        [58., 64., 139., 154.]
    );
}

#[test]
fn a_convolution_slides() {
    let inputs = [
        floats(&[5], &[1., 2., 3., 4., 5.]),
        floats(&[3], &[1., 0., -1.]),
    ];
    assert_eq!(first("o[x] += I[x+k]*K[k]", &inputs), [-2., -2., -2.]);
    let padded = "o[x] += guard(0 <= x+k-1 < size(I,0), I[x+k-1]*K[k]) where x in 0:size(I,0), k in 0:size(K,0)";
    assert_eq!(first(padded, &inputs), [-2., -2., -2., -2., 4.]);
}

#[test]
fn look_ups_gather_and_scatter() {
    let inputs = [
        floats(&[3, 2], &[0., 1., 2., 3., 4., 5.]),
        longs(&[2, 2], &[0, 2, 1, 1]),
    ];
    assert_eq!(first("e[i,d] += LUT[I[i,j],d]", &inputs), [4., 6., 4., 6.]);
    assert_eq!(
        first("h[I[i,j]] += 1 where h[4]", &inputs[1..]),
        [1., 2., 1., 0.]
    );
    assert_eq!(
        first("h[I[I[i,0],j]] max= 1 where h[4], i in 0:2", &inputs[1..]).len(),
        4
    );
}

#[test]
fn a_guard_contributes_zero_and_evaluates_nothing_elsewhere() {
    let x = floats(&[3], &[-1., -2., -3.]);
    assert_eq!(
        first(
            "m max= guard(0 <= i < 2, x[i]) where i in 0:3",
            &[x.clone()]
        ),
        [0.]
    );
    assert_eq!(
        first("y[i] = guard(0 <= i-1 < 3, x[i-1]) where y[5]", &[x]),
        [0., -1., -2., -3., 0.]
    );
    let k = ints(&[2], &[0, 3]);
    assert_eq!(
        first("y[i] = guard(0 <= i-1 < 1, 6 / k[i]) where i in 0:3", &[k]),
        [0., 2., 0.]
    );
}

#[test]
fn floats_follow_ieee() {
    let x = floats(&[5], &[-2.5, -0.5, 0.5, 1.5, f32::NAN]);
    let expected = [-2., -0., 0., 2.];
    assert_eq!(first("y[i] = round(x[i])", &[x.clone()])[..4], expected);
    for function in [
        "relu(x[i])",
        "sign(x[i])",
        "max(x[i], 0)",
        "min(x[i], 0)",
        "abs(x[i])",
    ] {
        assert!(
            first(&format!("y[i] = {function}"), &[x.clone()])[4].is_nan(),
            "{function}"
        );
    }
    assert!(first("m max= x[i]", &[x.clone()])[0].is_nan());
    assert_eq!(first("y[i] = x[i] % 2", &[x])[..4], [-0.5, -0.5, 0.5, 1.5]);
}

#[test]
fn functions_have_their_values() {
    let x = doubles(&[1], &[0.5]);
    for (function, expected) in [
        ("exp", 1.6487212707001282),
        ("log", -std::f64::consts::LN_2),
        ("sin", 0.479425538604203),
        ("cos", 0.8775825618903728),
        ("tanh", 0.46211715726000973),
        ("sigmoid", 0.6224593312018546),
        ("erf", 0.5204998778130465),
        ("sqrt", std::f64::consts::FRAC_1_SQRT_2),
    ] {
        let value = first(&format!("y[i] = {function}(x[i])"), &[x.clone()])[0];
        assert!((value - expected).abs() < 1e-15, "{function}: {value}");
    }
}

#[test]
fn conways_life_takes_a_step() {
    let board = ints(
        &[5, 5],
        &[
            0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
        ],
    );
    let text = "n[y,x] += guard(0 <= y+r-1 < 5, 0 <= x+s-1 < 5, b[y+r-1,x+s-1]) where r in 0:3, s in 0:3, n[5,5]
        z[y,x] = select(n[y,x] == 3 or n[y,x] == 4 and b[y,x] == 1, 1, 0)
        return z";
    let next = first(text, &[board]);
    assert_eq!(next.iter().sum::<f64>(), 3.);
    assert_eq!(next[11..14], [1., 1., 1.]);
}

#[test]
fn softmax_of_rows_sums_to_one() {
    let x = floats(&[2, 3], &[1., 2., 3., 1000., 1000., 1000.]);
    let text = "m[i] max= x[i,j]; e[i,j] = exp(x[i,j]-m[i]); s[i] += e[i,j]; y[i,j] = e[i,j]/s[i]; return y";
    let y = first(text, &[x]);
    assert!((y[0] + y[1] + y[2] - 1.).abs() < 1e-6);
    assert!((y[3] - 1. / 3.).abs() < 1e-6);
}

#[test]
fn bits_shift_modulo_their_width() {
    let a = ints(&[3], &[-8, 5, i32::MIN]);
    for (value, expected) in [
        ("bitand(a[i], 6)", [0., 4., 0.]),
        ("bitor(a[i], 1)", [-7., 5., -2147483647.]),
        ("bitxor(a[i], -1)", [7., -6., 2147483647.]),
        ("bitnot(a[i])", [7., -6., 2147483647.]),
        ("shl(a[i], 1)", [-16., 10., 0.]),
        ("shl(a[i], 33)", [-16., 10., 0.]),
        ("shr(a[i], 1)", [-4., 2., -1073741824.]),
        ("shr(a[i], -31)", [-4., 2., -1073741824.]),
        ("ushr(a[i], 1)", [2147483644., 2., 1073741824.]),
        ("square(a[i])", [64., 25., 0.]),
        ("trunc(a[i])", [-8., 5., -2147483648.]),
    ] {
        assert_eq!(
            first(&format!("y[i] = {value}"), &[a.clone()]),
            expected,
            "{value}"
        );
    }
    let b = bytes(&[2], &[200, 3]);
    assert_eq!(first("y[i] = shr(b[i], 9)", &[b.clone()]), [100., 1.]);
    assert_eq!(first("y[i] = ushr(b[i], 1)", &[b.clone()]), [100., 1.]);
    assert_eq!(first("y[i] = shl(b[i], 1)", &[b.clone()]), [144., 6.]);
    assert_eq!(first("y[i] = bitnot(b[i])", &[b]), [55., 252.]);
    let l = longs(&[1], &[-1]);
    assert_eq!(
        first("y[i] = ushr(l[i], 65) == 9223372036854775807", &[l]),
        [1.]
    );
}

#[test]
fn predicates_and_clips_follow_their_definitions() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let x = doubles(&[4], &[nan, -inf, 3., inf]);
    assert_eq!(first("y[i] = isnan(x[i])", &[x.clone()]), [1., 0., 0., 0.]);
    assert_eq!(first("y[i] = isinf(x[i])", &[x.clone()]), [0., 1., 0., 1.]);
    assert_eq!(
        first("y[i] = isfinite(x[i])", &[x.clone()]),
        [0., 0., 1., 0.]
    );
    let clipped = first("y[i] = clip(x[i], 0, 2.5)", &[x.clone()]);
    assert!(clipped[0].is_nan());
    assert_eq!(clipped[1..], [0., 2.5, 2.5]);
    // The lower bound above the upper: the upper one wins.
    assert_eq!(first("y[i] = clip(x[i], 5, 1)", &[x])[2], 1.);
    assert_eq!(
        faults("y[i] = isnan(n[i])", &[ints(&[1], &[0])]).to_string(),
        "y: isnan of INT32 n[i]; cast it, as in float(n[i])"
    );
    assert_eq!(
        faults("y[i] = bitnot(x[i])", &[floats(&[1], &[0.])]).to_string(),
        "y: bitnot of FLOAT x[i]; cast it, as in int(x[i])"
    );
    assert_eq!(
        faults("y[i] = shl(x[i], 1)", &[floats(&[1], &[0.])]).to_string(),
        "y: bits of FLOAT in shl(x[i], 1); cast its operands, as in int(...)"
    );
    assert_eq!(
        faults("y[i] = atan2(n[i], 1)", &[ints(&[1], &[0])]).to_string(),
        "y: atan2 of INT32 in atan2(n[i], 1); cast its operands, as in float(...)"
    );
    // New functions are names, too, where no parenthesis follows.
    assert_eq!(
        first(
            "y[i] = square[i] * tan + log2",
            &[
                doubles(&[1], &[3.]),
                doubles(&[], &[2.]),
                doubles(&[], &[1.])
            ]
        ),
        [7.]
    );
}
