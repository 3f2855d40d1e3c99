//! What becomes of a tile beyond one operator at a time: pairs of operators, sums of one element, results that go past the caches.

use tensornio_compute::kernel::{self, Level};
use tensornio_compute::operand::DType;
use tensornio_compute::{oracle, Plan, Program};

use crate::agree::{agree_on, bind, outputs, some, tensor, Data, Input, Layout, Random};

/// Numbers with as many digits as the type has.
fn digits(dtype: DType, n: i64, random: &mut Random) -> Input {
    tensor(dtype, &[n], Layout::Plain, random, |k| {
        (k as f64 * 0.7).sin() / 3.0
    })
}

/// The outputs of a plan.
fn results(text: &str, inputs: &[Input], level: Level) -> Vec<Data> {
    let bound = bind(text, inputs);
    let mut outputs = outputs(&bound, Layout::Plain, &mut Random(1));
    let operands: Vec<_> = inputs.iter().map(Input::operand).collect();
    let mut written: Vec<_> = outputs.iter_mut().map(Data::operand_mut).collect();
    let plan = Plan::at(&bound, level).expect("a plan");
    // SAFETY: operands are memory of this test.
    unsafe { plan.run(&operands, &mut written) }.expect("no error");
    outputs
}

/// The inputs of a program of x and y, in its order.
fn inputs_of(text: &str, x: &Input, y: &Input) -> Vec<Input> {
    let program = Program::parse(text).expect("a program");
    let of = |name: &String| if name == "x" { x } else { y }.clone();
    program.inputs().iter().map(of).collect()
}

/// The elements, of a type of floats, as bits.
fn bits(data: &Data) -> Vec<u64> {
    data.get().iter().map(|(x, _)| x.to_bits()).collect()
}

#[test]
fn pairs_of_operators_agree() {
    for text in [
        "z[i] = 2*x[i] + y[i]",
        "z[i] = x[i]*y[i] + 3",
        "z[i] = x[i]*2 + 3",
        "z[i] = x[i]*y[i] - 3",
        "z[i] = 3 - x[i]*y[i]",
        "z[i] = y[i] - x[i]*5",
        "z[i] = x[i]*y[i] + y[i]*3 - x[i]*x[i]",
        "z[i] = (x[i]*y[i] + 1) * (x[i]*y[i])",
        "z[i] = y[i] - sigmoid(x[i])",
        "z[i] = sigmoid(x[i]) - y[i]",
        "z[i] = 1 - sigmoid(x[i]*y[i])",
        "z[i] = x[i]*sigmoid(x[i]) + sigmoid(y[i])",
        "z[i] = 2*sigmoid(x[i]) + y[i]",
        "z[i] = exp(x[i]-y[i]) + exp(y[i]-3)",
        "z[i] = exp(3-x[i])",
        "z[i] = guard(0 <= i-3 < 40, exp(x[i]-y[i]) + x[i]*y[i]) where i in 0:600",
        "z[i] = x[i]*y[i] < x[i]*2 + 1",
        "s[] += x[i]*y[i] + 3",
    ] {
        for dtype in [DType::Float, DType::Double] {
            for layout in [Layout::Plain, Layout::Wild] {
                let mut random = Random(3);
                let [x, y] = [(); 2].map(|()| some(dtype, &[600], layout, &mut random));
                let inputs = inputs_of(text, &x, &y);
                agree_on(text, &inputs, layout, 1e4, &mut random);
            }
        }
    }
}

#[test]
fn a_pair_of_operators_has_the_bits_of_both() {
    let mut random = Random(1);
    for dtype in [DType::Float, DType::Double] {
        let [x, y] = [(); 2].map(|()| digits(dtype, 333, &mut random));
        for (first, then) in [
            ("x[i]*y[i]", "t[i] + x[i]"),
            ("3*y[i] + 0*x[i]", "t[i] - 3"),
            ("sigmoid(x[i]) + 0*y[i]", "y[i] - t[i]"),
            ("x[i] - y[i]", "exp(t[i])"),
        ] {
            let whole = format!("z[i] = {}", then.replace("t[i]", &format!("({first})")));
            let apart = format!("t[i] = {first}; z[i] = {then}; return t, z");
            for &level in Level::all() {
                let [apart, whole] =
                    [&apart, &whole].map(|text| results(text, &inputs_of(text, &x, &y), level));
                assert_eq!(bits(&apart[1]), bits(&whole[0]), "{first}, {then}");
            }
        }
    }
}

#[test]
fn sums_begin_with_zero() {
    let mut random = Random(1);
    for dtype in [DType::Float, DType::Double] {
        let zeros = |shape: &[i64], zero: f64, random: &mut Random| {
            tensor(dtype, shape, Layout::Plain, random, |_| zero)
        };
        for (text, inputs) in [
            ("y[i] += x[i]", vec![zeros(&[5], -0.0, &mut random)]),
            ("y[i] += x[i,j]", vec![zeros(&[5, 1], -0.0, &mut random)]),
            ("y[i] += x[i,j]", vec![zeros(&[5, 4], -0.0, &mut random)]),
            ("y[j] += x[i,j]", vec![zeros(&[5, 40], -0.0, &mut random)]),
            ("y[] += x[]", vec![zeros(&[], -0.0, &mut random)]),
            (
                "y[i,j] += -2*a[i,k]*b[k,j]",
                vec![
                    zeros(&[20, 30], 0.0, &mut random),
                    zeros(&[30, 20], 1.0, &mut random),
                ],
            ),
        ] {
            let bound = bind(text, &inputs);
            let operands: Vec<_> = inputs.iter().map(Input::operand).collect();
            let mut expected = outputs(&bound, Layout::Plain, &mut random);
            // SAFETY: operands are memory of this test.
            unsafe { oracle::run(&bound, &operands, &mut [expected[0].operand_mut()]) }
                .expect("no error");
            assert!(bits(&expected[0]).iter().all(|&bits| bits == 0), "{text}");
            for &level in Level::all() {
                let found = results(text, &inputs, level);
                assert_eq!(bits(&expected[0]), bits(&found[0]), "{text} ({level:?})");
            }
        }
    }
}

#[test]
fn what_goes_past_the_caches_is_what_was_computed() {
    let Some(stream) = kernel::stream(DType::UInt8) else {
        return;
    };
    let from: Vec<u8> = (0..600).map(|k| (k % 251) as u8).collect();
    for start in 0..70 {
        for n in [0, 1, 15, 63, 64, 65, 200, 500] {
            let mut to = vec![255u8; 600];
            // SAFETY: n bytes from `start` on are inside of both.
            unsafe {
                let (to, from) = (to.as_mut_ptr().add(start), from.as_ptr().add(start));
                stream(n, to, from, from, from);
            }
            kernel::stream::done();
            let inside = start..start + n;
            for (k, &x) in to.iter().enumerate() {
                let expected = if inside.contains(&k) { from[k] } else { 255 };
                assert_eq!(x, expected, "{k} of {inside:?}");
            }
        }
    }
}

#[test]
fn large_results_agree() {
    let mut random = Random(1);
    let (a, b) = (
        digits(DType::Double, 1025, &mut random),
        digits(DType::Double, 4097, &mut random),
    );
    let [x, y] = [&a, &b].map(|input| match input {
        Input::Tensor(data) => data.get(),
        Input::Number(_) => unreachable!("a tensor"),
    });
    for &level in Level::all() {
        let found = results("c[i,j] = a[i]*b[j]", &[a.clone(), b.clone()], level);
        let found = found[0].get();
        for (k, (c, _)) in found.into_iter().enumerate() {
            assert_eq!(c, x[k / 4097].0 * y[k % 4097].0, "{k} ({level:?})");
        }
    }
}
