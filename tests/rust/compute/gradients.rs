//! Gradients: worked values, and the rules at ties, zeros, guards and sides that are not chosen.

use crate::support::*;
use tensornio_compute::Program;

/// The outputs of `gradient of by names`, in gather and in scatter form, which must agree.
fn gradients(text: &str, of: &str, by: &[&str], inputs: &[Value]) -> Vec<Vec<f64>> {
    let program = Program::parse(text)
        .unwrap()
        .gradient(of, None, by)
        .unwrap();
    let scattered = program.with_scattered_gradients().unwrap();
    let [gathered, scattered] = [program, scattered].map(|program| {
        let outputs =
            run(&program, inputs).unwrap_or_else(|error| panic!("{}: {error}", program.text()));
        // Both forms may differ in the sign of zero.
        let unsigned = |memory: &Memory| memory.doubles().into_iter().map(|x| x + 0.).collect();
        outputs.iter().map(unsigned).collect::<Vec<Vec<f64>>>()
    });
    assert_eq!(format!("{gathered:?}"), format!("{scattered:?}"), "{text}");
    gathered
}

/// The gradient with respect to one tensor.
fn gradient(text: &str, of: &str, by: &str, inputs: &[Value]) -> Vec<f64> {
    gradients(text, of, &[by], inputs).remove(1)
}

#[test]
fn of_a_convolution() {
    let inputs = [
        doubles(&[5], &[1., 2., 3., 4., 5.]),
        doubles(&[3], &[1., 0., -1.]),
    ];
    let outputs = gradients("o[x] += I[x+k]*K[k]", "o", &["I", "K"], &inputs);
    assert_eq!(
        outputs,
        [
            vec![-2., -2., -2.],
            vec![1., 1., 0., -1., -1.],
            vec![6., 9., 12.]
        ]
    );
}

#[test]
fn of_a_product_of_matrices() {
    let inputs = [
        floats(&[2, 2], &[1., 2., 3., 4.]),
        floats(&[2, 2], &[5., 6., 7., 8.]),
    ];
    let text = "P[i,j] += A[i,k]*B[k,j]; C[i,j] = 3 + 2*P[i,j]";
    let outputs = gradients(text, "C", &["A", "B"], &inputs);
    assert_eq!(
        outputs,
        [
            [41., 47., 89., 103.],
            [22., 30., 22., 30.],
            [8., 8., 12., 12.]
        ]
    );
}

#[test]
fn equal_winners_share() {
    let a = [floats(&[2, 3], &[1., 5., 5., 7., 0., 7.])];
    let outputs = gradients("m[i] max= A[i,j]", "m", &["A"], &a);
    assert_eq!(outputs, [vec![5., 7.], vec![0., 0.5, 0.5, 0.5, 0., 0.5]]);
    let a = [floats(&[2, 3], &[5., 1., 1., 0., 0., 0.])];
    let outputs = gradients("m[i] min= 3*A[i,j]", "m", &["A"], &a);
    assert_eq!(outputs[1], [0., 1.5, 1.5, 1., 1., 1.]);
    let x = [floats(&[3], &[1., 1., 3.]), floats(&[3], &[1., 2., 2.])];
    assert_eq!(
        gradients("y[i] = max(a[i], b[i])", "y", &["a", "b"], &x)[1..],
        [[0.5, 0., 1.], [0.5, 1., 0.]]
    );
    assert_eq!(
        gradients("y[i] = min(a[i], b[i])", "y", &["a", "b"], &x)[1..],
        [[0.5, 1., 0.], [0.5, 0., 1.]]
    );
}

#[test]
fn nans_win() {
    let a = [floats(&[3], &[1., f32::NAN, 5.])];
    assert_eq!(gradient("m max= A[i]", "m", "A", &a), [0., 1., 0.]);
    let a = [floats(&[3], &[1., f32::NAN, f32::NAN])];
    assert_eq!(gradient("m min= A[i]", "m", "A", &a), [0., 0.5, 0.5]);
}

#[test]
fn a_loser_with_an_infinite_derivative_gets_nothing() {
    let x = [floats(&[2], &[0., 4.])];
    let text = "y[i] = max(1, sqrt(x[i]))";
    assert_eq!(gradient(text, "y", "x", &x), [0., 0.25]);
}

#[test]
fn of_an_embedding() {
    let inputs = [
        doubles(&[3, 2], &[0., 1., 2., 3., 4., 5.]),
        ints(&[2, 2], &[0, 2, 1, 1]),
    ];
    let outputs = gradients("e[i,d] += LUT[I[i,j],d]", "e", &["LUT"], &inputs);
    assert_eq!(
        outputs,
        [vec![4., 6., 4., 6.], vec![1., 1., 2., 2., 1., 1.]]
    );
}

#[test]
fn repeated_reads_add_up() {
    assert_eq!(
        gradient("s += w[i]+w[i]", "s", "w", &[floats(&[2], &[1., 2.])]),
        [2., 2.]
    );
    assert_eq!(
        gradient("s += w[i]*w[i]", "s", "w", &[floats(&[2], &[1., 2.])]),
        [2., 4.]
    );
    assert_eq!(
        gradient("s += w[i+1]-w[i]", "s", "w", &[floats(&[3], &[1., 2., 5.])]),
        [-1., 0., 1.]
    );
}

#[test]
fn products_are_exact_with_any_number_of_zeros() {
    let a = [doubles(&[3, 2], &[2., 3., 0., 3., 0., 0.])];
    assert_eq!(
        gradient("y[i] *= A[i,j]", "y", "A", &a),
        [3., 2., 3., 0., 0., 0.]
    );
}

#[test]
fn what_is_not_chosen_contributes_exactly_zero() {
    let x = [floats(&[2], &[0., 2.])];
    assert_eq!(
        gradient("y[i] = select(x[i]>0, log(x[i]), 0)", "y", "x", &x),
        [0., 0.5]
    );
    assert_eq!(
        gradient(
            "y[i] = max(x[i], 1/x[i])",
            "y",
            "x",
            &[floats(&[2], &[0.5, 2.])]
        ),
        [-4., 1.]
    );
    assert_eq!(
        gradient("y[i] = relu(x[i]) + abs(x[i]) + sign(x[i])", "y", "x", &x),
        [0., 2.]
    );
    assert_eq!(
        gradient("y[i] = sqrt(x[i])", "y", "x", &x)[0],
        f64::INFINITY
    );
    let text = "y[i] = guard(0 <= i < 1, x[i]*x[i]) where i in 0:2";
    assert_eq!(
        gradient(text, "y", "x", &[floats(&[2], &[3., f32::NAN])]),
        [6., 0.]
    );
}

#[test]
fn powers_are_right_at_zero() {
    let (x, n) = (
        doubles(&[4], &[0., 0., 2., -1.]),
        doubles(&[4], &[0., 2., 3., 2.]),
    );
    let outputs = gradients("y[i] = x[i]^n[i]", "y", &["x", "n"], &[x.clone(), n]);
    assert_eq!(outputs[1], [0., 0., 12., -2.]);
    assert_eq!(outputs[2][..2], [0., 0.]);
    assert!((outputs[2][2] - 8. * 2f64.ln()).abs() < 1e-12 && outputs[2][3].is_nan());
    assert_eq!(
        gradient("y[i] = x[i]^3", "y", "x", &[x.clone()]),
        [0., 0., 12., 3.]
    );
    assert_eq!(gradient("y[i] = x[i]^0", "y", "x", &[x]), [0.; 4]);
    let outputs = gradients(
        "y = a % b",
        "y",
        &["a", "b"],
        &[doubles(&[], &[-7.5]), doubles(&[], &[2.])],
    );
    assert_eq!(outputs, [[-1.5], [1.], [3.]]);
}

#[test]
fn a_slice_gets_all_and_the_rest_nothing() {
    let a = [floats(&[3, 2], &[1., 2., 3., 4., 5., 6.])];
    assert_eq!(
        gradient("y[i] = A[2,i]*2", "y", "A", &a),
        [0., 0., 0., 0., 2., 2.]
    );
    assert_eq!(
        gradient("y[i] = x[2*i]", "y", "x", &[floats(&[5], &[0.; 5])]),
        [1., 0., 1., 0., 1.]
    );
    assert_eq!(
        gradient("y[i] = B[i,i]", "y", "B", &[floats(&[2, 2], &[0.; 4])]),
        [1., 0., 0., 1.]
    );
    assert_eq!(
        gradient("y[i] = x[3-i]*i", "y", "x", &[floats(&[4], &[0.; 4])]),
        [3., 2., 1., 0.]
    );
}

#[test]
fn names_get_as_many_ds_as_they_need() {
    let program = Program::parse("y[i] = x[i]*dx[i]")
        .unwrap()
        .gradient("y", None, &["x", "dx"])
        .unwrap();
    assert_eq!(program.inputs(), ["x", "dx"]);
    assert_eq!(program.outputs(), ["y", "ddx", "dddx"]);
    assert_eq!(program.text(), "y[i] = x[i] * dx[i]\ngradient y by x, dx");
}

#[test]
fn a_seed_is_the_last_input() {
    let program = Program::parse("y[i] = x[i]*w[i]")
        .unwrap()
        .gradient("y", Some("t"), &["w"])
        .unwrap();
    assert_eq!(program.inputs(), ["x", "w", "t"]);
    let inputs = [
        doubles(&[2], &[3., 4.]),
        doubles(&[2], &[1., 1.]),
        doubles(&[2], &[10., 100.]),
    ];
    assert_eq!(run(&program, &inputs).unwrap()[1].doubles(), [30., 400.]);
    let short = [
        inputs[0].clone(),
        inputs[1].clone(),
        doubles(&[3], &[0.; 3]),
    ];
    let error = run(&program, &short).unwrap_err().to_string();
    assert!(
        error.contains("gradient y: the seed t has shape [3], not [2]"),
        "{error}"
    );
    let of_itself = Program::parse("y[i] = x[i]")
        .unwrap()
        .gradient("y", Some("t"), &["y", "x"])
        .unwrap();
    let outputs = run(
        &of_itself,
        &[doubles(&[2], &[1., 2.]), doubles(&[2], &[5., 6.])],
    )
    .unwrap();
    assert_eq!(
        [outputs[1].doubles(), outputs[2].doubles()],
        [[5., 6.], [5., 6.]]
    );
}

#[test]
fn intermediates_have_gradients_and_inputs_the_total_one() {
    let x = [doubles(&[2], &[1., 2.])];
    let text = "t[i] = x[i]*x[i]; s += t[i]*x[i]";
    let outputs = gradients(text, "s", &["x", "t"], &x);
    assert_eq!(outputs, [vec![9.], vec![3., 12.], vec![1., 2.]]);
    let text = "r[i] = x[i]*3; r[i] = relu(r[i]); s += r[i]*r[i]";
    let outputs = gradients(text, "s", &["r", "x"], &x);
    assert_eq!(outputs, [vec![45.], vec![6., 12.], vec![18., 36.]]);
    // Of a name that is input and defined, the input.
    assert_eq!(
        gradient("x[i] = x[i]*x[i]; s += x[i]*5", "s", "x", &x),
        [10., 20.]
    );
}

#[test]
fn gradients_of_gradients() {
    let text = "s += x[i]^3\ngradient s by x\ng += dx[i]\ngradient g by x";
    let outputs = eval(text, &[doubles(&[2], &[2., 5.])]);
    assert_eq!(outputs[1].doubles(), [12., 30.]);
    let text = "o[x] += I[x+k]*K[k]*K[k]\ngradient o by K\ngradient dK by K, I";
    let program = Program::parse(text).unwrap();
    assert_eq!(program.outputs(), ["dK", "ddK", "dI"]);
    let inputs = [doubles(&[3], &[1., 2., 4.]), doubles(&[2], &[3., 5.])];
    let outputs = run(&program, &inputs).unwrap();
    assert_eq!(outputs[0].doubles(), [18., 60.]);
    assert_eq!(outputs[1].doubles(), [6., 12.]);
    assert_eq!(outputs[2].doubles(), [6., 16., 10.]);
}

#[test]
fn what_a_product_is_of_has_no_second_gradient() {
    let program = Program::parse("p *= x[i]; gradient p by x").unwrap();
    let error = program
        .gradient("dx", None, &["x"])
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "gradient dx: p is a product (*=), whose gradient has no gradient"
    );
}

#[test]
fn what_only_comparisons_see_has_gradient_zero() {
    let x = [doubles(&[3], &[1., -2., 0.5]), doubles(&[3], &[1., 2., 3.])];
    for text in [
        "y[i] = select(x[i] > 0, 1, 2)*w[i]",
        "y[i] = floor(x[i])*w[i]",
        "y[i] = double(int(x[i]))*w[i]",
        "k[i] = int(x[i]); y[i] = double(k[i])*w[i]",
    ] {
        assert_eq!(gradient(text, "y", "x", &x), [0.; 3], "{text}");
    }
    let text = "y[i] = w[0]*x[i] where i in 0:size(z,1)";
    let inputs = [
        doubles(&[1], &[2.]),
        doubles(&[3], &[0.; 3]),
        doubles(&[2, 3], &[0.; 6]),
    ];
    assert_eq!(gradient(text, "y", "z", &inputs), [0.; 6]);
}

#[test]
fn casts_keep_each_type() {
    let inputs = [floats(&[2], &[3., 4.]), doubles(&[2], &[0.1, 0.2])];
    let program = Program::parse("s += double(x[i])*y[i]; gradient s by x, y").unwrap();
    let outputs = run(&program, &inputs).unwrap();
    assert_eq!(outputs[1].elements().len(), 2);
    assert_eq!(outputs[1].doubles(), [f64::from(0.1f32), f64::from(0.2f32)]);
    assert_eq!(outputs[2].doubles(), [3., 4.]);
}

#[test]
fn gradients_that_make_no_sense_are_refused() {
    let program = Program::parse("t[i] = x[i]; s += t[i]").unwrap();
    let refused = |of: &str, seed: Option<&str>, by: &[&str]| {
        program.gradient(of, seed, by).unwrap_err().to_string()
    };
    assert_eq!(refused("x", None, &["x"]), "gradient x: x is not defined");
    assert_eq!(
        refused("s", None, &["q", "x", "x"]),
        "gradient s: q is unknown\ngradient s: x is there twice"
    );
    assert_eq!(
        refused("s", None, &[]),
        "gradient s: with respect to no name"
    );
    assert_eq!(
        refused("s", Some("x"), &["x"]),
        "gradient s: the seed x must be a new name"
    );
    assert_eq!(
        refused("s", Some("max"), &["x"]),
        "gradient s: 'max' is no name for a seed"
    );
    let error = faults("s += x[i]*x[i]; gradient s by x", &[ints(&[2], &[1, 2])]);
    assert_eq!(
        error.faults(),
        [
            "gradient s: s is INT32, but only floating-point types have gradients",
            "gradient s: x is INT32, but only floating-point types have gradients"
        ]
    );
}

#[test]
fn a_number_may_have_a_gradient() {
    let outputs = eval(
        "y[i] = a*x[i]; gradient y by a",
        &[fraction(0.1), doubles(&[2], &[3., 4.])],
    );
    assert_eq!(outputs[1].doubles(), [7.]);
}

#[test]
fn derivatives_that_repeat_too_much_are_refused() {
    let text = (0..200).fold("x[0]".to_owned(), |inner, n| {
        format!("max(x[{n}+i], {inner})")
    });
    let program = Program::parse(&format!("y[i] = {text}")).unwrap();
    let error = program.gradient("y", None, &["x"]).unwrap_err().to_string();
    assert_eq!(
        error,
        "gradient y: the derivative of y is too large; give a part of it a name of its own"
    );
    let deep = format!("y[i] = {}x[i]{}", "sin(".repeat(60), ")".repeat(60));
    let outputs = eval(
        &format!("{deep}; gradient y by x"),
        &[doubles(&[1], &[0.5])],
    );
    assert!(outputs[1].doubles()[0] > 0.);
}

#[test]
fn what_nothing_chose_has_no_part_across_statements() {
    let infinite = f64::INFINITY;
    // Each function where its derivative is infinite or NaN: the inputs, the statement, and the derivative where it is chosen.
    for (value, x, other, slope) in [
        ("log(x[i])", [0., 2.], 1., 0.5),
        ("sqrt(x[i])", [0., 4.], 1., 0.25),
        ("w[i] / x[i]", [0., 2.], 1., -0.5),
        ("x[i] ^ 0.5", [0., 4.], 1., 0.25),
        ("x[i] ^ -1", [0., 2.], 1., -0.25),
        ("exp(-1 / x[i])", [0., 1.], 1., (-1f64).exp()),
        ("x[i] * w[i]", [0., 3.], infinite, 2.),
        ("tanh(x[i] * w[i])", [0., 0.], infinite, 2.),
        ("x[i] % w[i]", [0., 1.], f64::NAN, 1.),
    ] {
        let inputs = [doubles(&[2], &x), doubles(&[2], &[other, 2.])];
        let plain = value.contains("w[i]");
        // The names of inputs in order of appearance.
        let inputs = if !plain {
            inputs[..1].to_vec()
        } else if value.find("w[") < value.find("x[") {
            vec![inputs[1].clone(), inputs[0].clone()]
        } else {
            inputs.to_vec()
        };
        for choice in [
            "y[i] = select(i > 0, l[i], 0.0)",
            "k[i] = l[i] + 0.0; y[i] = select(i > 0, k[i], 0.0)",
            "y[i] += l[i+1] where y[1]",
            "n[i] = int(i) + 1 where i in 0:1; y[i] = l[n[i]]",
        ] {
            let text = format!("l[i] = {value}; {choice}");
            let found = gradient(&text, "y", "x", &inputs);
            assert_eq!(found[0], 0., "{text}");
            assert!((found[1] - slope).abs() < 1e-12, "{text}: {found:?}");
            let again = Program::parse(&text)
                .and_then(|program| program.gradient("y", None, &["x"]))
                .and_then(|program| program.gradient("dx", None, &["x"]))
                .expect("a gradient");
            let second = run(&again, &inputs).expect("results");
            assert!(!second[1].doubles()[0].is_nan(), "{text}: second order");
        }
    }
    let x = [doubles(&[3], &[0., 1., 4.])];
    for (text, expected) in [
        ("l[i] = log(x[i]); m max= l[i]", [0., 0., 0.25]),
        ("l[i] = sqrt(x[i]); y[i] = max(l[i], 1.5)", [0., 0., 0.25]),
        ("l[i] = log(x[i]); y[i] = relu(l[i])", [0., 0.5, 0.25]),
        ("l[i] = -log(x[i]); y[i] = min(l[i], 9.0)", [0., -1., -0.25]),
    ] {
        let of = if text.contains("max=") { "m" } else { "y" };
        let found = gradient(text, of, "x", &x);
        assert_eq!(found[0], 0., "{text}: {found:?}");
        assert_eq!(found[2], expected[2], "{text}: {found:?}");
    }
}

#[test]
fn an_adjoint_of_zero_has_derivatives() {
    // The adjoint of l is 0 at x = 0, and its derivative is not: the second derivative of sin(x)^2 is 2 cos(2 x).
    let x = [doubles(&[3], &[0., 0.5, 1.])];
    let program = Program::parse("l[i] = sin(x[i]); y[i] = l[i] * l[i]")
        .and_then(|program| program.gradient("y", None, &["x"]))
        .and_then(|program| program.gradient("dx", None, &["x"]))
        .expect("gradients");
    let second = run(&program, &x).expect("results");
    for (found, x) in second[1].doubles().iter().zip([0f64, 0.5, 1.]) {
        assert!(
            (found - 2. * (2. * x).cos()).abs() < 1e-12,
            "{found} at {x}"
        );
    }
}

#[test]
fn chosen_infinities_stay() {
    let x = [doubles(&[2], &[0., 1.])];
    assert_eq!(
        gradient("l[i] = log(x[i]); y[i] = 2.0 * l[i]", "y", "x", &x),
        [f64::INFINITY, 2.]
    );
    let found = gradient(
        "l[i] = log(x[i]); k[i] = l[i] - l[i]; y[i] = k[i] * k[i]",
        "y",
        "x",
        &x,
    );
    assert!(found[0].is_nan(), "{found:?}");
}

#[test]
fn of_every_function() {
    for (value, points) in [
        ("log1p(x[i])", [-0.5, 0.3, 4.]),
        ("expm1(x[i])", [-2., 0.1, 1.5]),
        ("log2(x[i])", [0.2, 1., 9.]),
        ("exp2(x[i])", [-3., 0., 2.5]),
        ("rsqrt(x[i])", [0.3, 1., 7.]),
        ("reciprocal(x[i])", [-2., 0.5, 3.]),
        ("square(x[i])", [-2., 0., 3.]),
        ("trunc(x[i])", [-2.5, 0.5, 3.2]),
        ("tan(x[i])", [-1., 0.2, 1.2]),
        ("asin(x[i])", [-0.9, 0., 0.4]),
        ("acos(x[i])", [-0.9, 0., 0.4]),
        ("atan(x[i])", [-5., 0., 0.4]),
        ("sinh(x[i])", [-2., 0., 1.4]),
        ("cosh(x[i])", [-2., 0., 1.4]),
        ("asinh(x[i])", [-2., 0., 1.4]),
        ("acosh(x[i])", [1.1, 2., 14.]),
        ("atanh(x[i])", [-0.9, 0., 0.4]),
        ("softplus(x[i])", [-3., 0., 2.]),
        ("silu(x[i])", [-3., 0., 2.]),
        ("lgamma(x[i])", [-1.5, 0.4, 3.]),
        ("erfinv(x[i])", [-0.9, 0.1, 0.7]),
        ("clip(x[i], -1.0, 1.0)", [-3., 0.5, 3.]),
        ("atan2(x[i], 2.0)", [-3., 0.5, 3.]),
        ("atan2(2.0, x[i])", [-3., 0.5, 3.]),
        (
            "select(isnan(x[i]) or isinf(x[i]), 0.0, x[i] * x[i])",
            [-3., 0.5, 3.],
        ),
    ] {
        let text = format!("y[i] = {value}");
        let found = gradient(&text, "y", "x", &[doubles(&[3], &points)]);
        let step = 1e-6;
        let at = |by: f64| first(&text, &[doubles(&[3], &points.map(|x| x + by))]);
        for ((found, above), below) in found.iter().zip(at(step)).zip(at(-step)) {
            let difference = (above - below) / (2. * step);
            let near = 1e-6 * (1. + difference.abs());
            assert!(
                (found - difference).abs() < near,
                "{text}: {found}, not {difference}"
            );
        }
    }
    let error = Program::parse("y[i] = digamma(x[i])")
        .and_then(|program| program.gradient("y", None, &["x"]));
    let error = error.expect_err("no gradient").to_string();
    assert_eq!(error, "gradient y: digamma in y has no gradient");
    let zero = gradient(
        "y = atan2(a, b)",
        "y",
        "a",
        &[doubles(&[], &[0.]), doubles(&[], &[0.])],
    );
    assert!(zero[0].is_nan());
}

#[test]
fn of_a_product_near_the_limits_of_its_type() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let of_floats = |x: &[f64]| {
        let x: Vec<f32> = x.iter().map(|&x| x as f32).collect();
        gradient("p *= x[i]", "p", "x", &[floats(&[x.len() as i64], &x)])
    };
    let near = |found: Vec<f64>, expected: &[f64]| {
        for (&found, &expected) in found.iter().zip(expected) {
            let near = (found - expected).abs() <= 1e-6 * expected.abs();
            assert!(
                near || found == expected || found.is_nan() && expected.is_nan(),
                "{found:e}, not {expected:e}"
            );
        }
    };
    near(of_floats(&[1e-30, 1e-20]), &[1e-20, 1e-30]);
    near(of_floats(&[1e30, 1e20, 1e-20]), &[1., 1e10, inf]);
    near(of_floats(&[2., inf]), &[inf, 2.]);
    near(of_floats(&[-2., inf, 3.]), &[inf, -6., -inf]);
    near(of_floats(&[-inf, inf, 3.]), &[inf, -inf, -inf]);
    near(of_floats(&[0., inf, 3.]), &[inf, 0., nan]);
    near(of_floats(&[0., 0., inf]), &[nan, nan, 0.]);
    near(of_floats(&[0., 2., 3.]), &[6., 0., 0.]);
    near(of_floats(&[-0.5]), &[1.]);
    let of_doubles = |x: &[f64]| gradient("p *= x[i]", "p", "x", &[doubles(&[x.len() as i64], x)]);
    near(of_doubles(&[2., inf, 4.]), &[inf, 8., inf]);
    near(of_doubles(&[1e-200, -1e-200]), &[-1e-200, 1e-200]);
    near(
        of_doubles(&[1e300, 1e-300, 1e300, 1e-300]),
        &[1e-300, 1e300, 1e-300, 1e300],
    );
    near(
        of_doubles(&[5e-324, 1e300, 4.]),
        &[4e300, 4. * 5e-324, 1e300 * 5e-324],
    );
    near(of_doubles(&[1e200, 1e200, 0.]), &[0., 0., inf]);
    assert_eq!(of_doubles(&[2., 3., 4., -7.]), [-84., -56., -42., 24.]);
    let many: Vec<f64> = (0..2000).map(|n| [1e-9, 1.41, 1e9, 1.41][n % 4]).collect();
    let all = 1.41f64.powi(1000);
    near(
        of_doubles(&many),
        &many.iter().map(|x| all / x).collect::<Vec<f64>>(),
    );
    near(
        gradient(
            "p[b[i]] *= x[i] where p[2]; q += p[j]",
            "q",
            "x",
            &[
                ints(&[4], &[0, 1, 0, 1]),
                floats(&[4], &[1e-30, 2., 1e-20, 0.]),
            ],
        ),
        &[1e-20, 0., 1e-30, 2.],
    );
}
