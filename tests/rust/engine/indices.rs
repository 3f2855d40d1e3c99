//! Guards, windows, look-ups and scatters, against the plain evaluator.

use tensornio_compute::operand::DType;
use tensornio_compute::threads::in_threads;
use tensornio_compute::Plan;

use crate::agree::{
    agree_on, bind, check, outputs, some, tensor, Data, Input, Layout, Random, FLOATS, NUMBERS,
};

#[test]
fn windows_that_do_not_overlap_agree() {
    for text in [
        "d[m] += guard(0 <= m-2*i < 2, g[i] * w[m-2*i]) where m in 0:20, i in 0:10",
        // With gaps between them, before the first and after the last.
        "d[m] += guard(0 <= m-3*i < 2, g[i] * w[m-3*i]) where m in 0:40, i in 0:10",
        "d[m] += guard(0 <= m-2*i-1 < 2, g[i] * w[m-2*i-1]) where m in 0:22, i in 0:10",
        // Some of which are outside, or overlap, and used as numbers.
        "d[m] += guard(0 <= m-2*i < 2, g[i] * w[m-2*i]) where m in 0:19, i in 0:10",
        "d[m] += guard(0 <= m-2*i+1 < 2, g[i] * w[m-2*i+1]) where m in 0:20, i in 0:10",
        "d[m] += guard(0 <= m-i < 2, g[i] * w[m-i]) where m in 0:20, i in 0:10",
        "d[m] += guard(0 <= m-2*i < 2, g[i] * w[m-2*i] * m) where m in 0:20, i in 0:10",
        // Written into a part of what is there, and twice.
        "d[m,m2] += guard(0 <= m-2*i < 2, 0 <= m2-4*i < 3, g[i] * w[m-2*i]) where m in 0:20, m2 in 0:40, i in 0:10",
    ] {
        check(text, &NUMBERS, &[&[10], &[2]]);
    }
    check(
        "d[n,m,k,c] += guard(0 <= m-2*i < 2, 0 <= k-2*j < 2, g[n,i,j,c] * select(x[n,m,k,c] == y[n,i,j,c], 1, 0)) \
         where n in 0:5, m in 0:8, k in 0:6, c in 0:7, i in 0:4, j in 0:3",
        &NUMBERS,
        &[&[5, 4, 3, 7], &[5, 8, 6, 7], &[5, 4, 3, 7]],
    );
    // What the left side alone says: digits of one index.
    check(
        "d[2*i+r, c] += g[i,c] * w[r] where r in 0:2",
        &NUMBERS,
        &[&[10, 5], &[2]],
    );
    check(
        "d[2*i+r, c] += g[i,c] * w[r] where r in 0:3",
        &NUMBERS,
        &[&[10, 5], &[3]],
    );
}

#[test]
fn windows_beside_a_look_up_agree() {
    for dtype in NUMBERS {
        for layout in [Layout::Plain, Layout::Wild] {
            let mut random = Random(4);
            let at = some(DType::Int32, &[5], layout, &mut random);
            let g = some(dtype, &[10, 5], layout, &mut random);
            let w = some(dtype, &[2], layout, &mut random);
            // The window has two loops in place of one, so that of the look-up gets another number.
            agree_on(
                "d[m,I[k]] += guard(0 <= m-2*i < 2, g[i,k] * w[m-2*i]) where m in 0:20, i in 0:10, d[20,8]",
                &[at, g, w],
                layout,
                100.0,
                &mut random,
            );
        }
    }
}

#[test]
fn guards_agree() {
    check(
        "y[i] = guard(0 <= i-1 < 100, x[i-1]) + guard(0 <= i+1 < 100, x[i+1]) where i in 0:100",
        &NUMBERS,
        &[&[100]],
    );
    check(
        "y[i] = guard(0 <= 2*i-70 < 100, x[2*i-70]) where i in 0:100",
        &NUMBERS,
        &[&[100]],
    );
    check(
        "y[i] = guard(0 <= 60-3*i < 100, x[60-3*i]) where i in 0:100",
        &NUMBERS,
        &[&[100]],
    );
    check(
        "y[i] += guard(0 <= i-k < 50, x[i-k] * w[k]) where i in 0:54, k in 0:5",
        &NUMBERS,
        &[&[50], &[5]],
    );
    check("y[i,j] max= guard(0 <= i-k < 20, 0 <= j-l < 30, x[i-k,j-l]) where i in 0:20, j in 0:30, k in 0:3, l in 0:3", &NUMBERS, &[&[20, 30]]);
    check(
        "y[i] = guard(0 <= i-1 < 100, guard(0 <= i-3 < 50, x[i-3]*2) + x[i]) where i in 0:100",
        &NUMBERS,
        &[&[100]],
    );
    // Outside: an error, the same.
    check(
        "y[i] = guard(0 <= i < 200, x[i]) where i in 0:101",
        &FLOATS,
        &[&[100]],
    );
}

#[test]
fn look_ups_agree() {
    for index in [DType::Int32, DType::Int64, DType::UInt8] {
        for layout in [Layout::Plain, Layout::Wild] {
            for value in NUMBERS {
                let mut random = Random(9);
                let table = some(value, &[8, 16], layout, &mut random);
                let rows = some(index, &[50], layout, &mut random);
                agree_on(
                    "y[i,j] = T[I[i],j]",
                    &[table.clone(), rows.clone()],
                    layout,
                    100.0,
                    &mut random,
                );
                agree_on(
                    "y[i] = T[I[i],I[i]+2*i] where i in 0:4",
                    &[table.clone(), rows.clone()],
                    layout,
                    100.0,
                    &mut random,
                );
                agree_on(
                    "y[j,i] = T[I[i],j]*2 + T[0,j]",
                    &[table.clone(), rows.clone()],
                    layout,
                    100.0,
                    &mut random,
                );
                agree_on(
                    "s[j] += T[I[i],j]",
                    &[table.clone(), rows.clone()],
                    layout,
                    100.0,
                    &mut random,
                );
                let square = some(value, &[8, 8], layout, &mut random);
                agree_on(
                    "y[i] = T[I[i],I[i+1]]",
                    &[square.clone(), rows.clone()],
                    layout,
                    100.0,
                    &mut random,
                );
                let outside = tensor(index, &[50], layout, &mut random, |k| {
                    if k == 33 {
                        8.0
                    } else {
                        1.0
                    }
                });
                agree_on(
                    "y[i,j] = T[I[i],j]",
                    &[table, outside],
                    layout,
                    100.0,
                    &mut random,
                );
            }
        }
    }
}

#[test]
fn scatters_agree() {
    for index in [DType::Int32, DType::Int64, DType::UInt8] {
        for layout in [Layout::Plain, Layout::Wild] {
            for value in NUMBERS {
                let mut random = Random(9);
                let rows = some(index, &[500], layout, &mut random);
                let x = some(value, &[500, 6], layout, &mut random);
                for op in ["+=", "*=", "max=", "min="] {
                    agree_on(
                        &format!("h[I[i],j] {op} x[i,j] where h[8,6]"),
                        &[rows.clone(), x.clone()],
                        layout,
                        1e30,
                        &mut random,
                    );
                }
                agree_on(
                    "h[I[i]] += 1 where h[8]",
                    &[rows.clone()],
                    layout,
                    100.0,
                    &mut random,
                );
                agree_on(
                    "h[I[i]] += 1 where h[7]",
                    &[rows.clone()],
                    layout,
                    100.0,
                    &mut random,
                );
                agree_on("h[i+j] += x[i,j]", &[x.clone()], layout, 100.0, &mut random);
                agree_on("h[2*i,i] += x[i,j]", &[x], layout, 100.0, &mut random);
            }
        }
    }
    check("y[2*i+1] = x[i]", &NUMBERS, &[&[40]]);
    check("y[i,i] = x[i]", &NUMBERS, &[&[40]]);
    check("y[39-i] = x[i]", &NUMBERS, &[&[40]]);
}

/// Rows longer than a block of conversion, rows in slices, and what looks alike but is no row.
#[test]
fn scattered_rows_agree() {
    let mut random = Random(11);
    for layout in [Layout::Plain, Layout::Wild] {
        for value in NUMBERS {
            let rows = some(DType::Int32, &[90], layout, &mut random);
            let two = some(DType::Int64, &[9, 10], layout, &mut random);
            let long = some(value, &[90, 300], layout, &mut random);
            let deep = some(value, &[9, 10, 4, 5], layout, &mut random);
            for op in ["+=", "max=", "min="] {
                for (text, inputs) in [
                    (
                        format!("h[I[i],j] {op} x[i,j] where h[8,300]"),
                        [&rows, &long],
                    ),
                    (
                        format!("h[I[i]+2,j] {op} x[i,j] where h[10,300]"),
                        [&rows, &long],
                    ),
                    (
                        format!("h[I[i],j] {op} x[i,j] where h[7,300]"),
                        [&rows, &long],
                    ),
                    (
                        format!("h[j,I[i]] {op} x[i,j] where h[300,8]"),
                        [&rows, &long],
                    ),
                    (
                        format!("h[I[i],i+j] {op} x[i,j] where h[8,389]"),
                        [&rows, &long],
                    ),
                    (
                        format!("h[a,I[a,b],p,q] {op} x[a,b,p,q] where h[9,8,4,5]"),
                        [&two, &deep],
                    ),
                    (
                        format!("h[I[a,b],p,q] {op} x[a,b,p,q] where h[8,4,5]"),
                        [&two, &deep],
                    ),
                    (
                        format!("h[I[a,b],q,p] {op} x[a,b,p,q] where h[8,5,4]"),
                        [&two, &deep],
                    ),
                ] {
                    let inputs = [inputs[0].clone(), inputs[1].clone()];
                    agree_on(&text, &inputs, layout, 100.0, &mut random);
                }
            }
        }
    }
    let rows = some(DType::Int32, &[3000], Layout::Plain, &mut random);
    let wide = some(DType::Float, &[3000, 200], Layout::Plain, &mut random);
    let outside = tensor(DType::Int32, &[3000], Layout::Plain, &mut random, |k| {
        if k == 2999 {
            -1.0
        } else {
            3.0
        }
    });
    for rows in [rows, outside] {
        agree_on(
            "h[I[i],j] += x[i,j] where h[8,200]",
            &[rows, wide.clone()],
            Layout::Plain,
            1000.0,
            &mut random,
        );
    }
}

#[test]
fn scattered_sums_of_floats_lose_nothing() {
    let n = 20_000_000;
    let mut random = Random(5);
    let w = tensor(DType::Float, &[n], Layout::Plain, &mut random, |_| 1.0);
    let at = tensor(DType::UInt8, &[n], Layout::Plain, &mut random, |k| {
        (k % 8 / 7) as f64
    });
    let table = tensor(DType::Float, &[2, 3], Layout::Plain, &mut random, |_| 0.5);
    let x = tensor(DType::Float, &[5000], Layout::Plain, &mut random, |k| {
        if k == 0 {
            16_777_216.0
        } else {
            1.0
        }
    });
    let k = tensor(DType::Float, &[5000], Layout::Plain, &mut random, |_| 1.0);
    let convolved = (0..9999).map(|m| match m {
        0..5000 => f64::from((16_777_216 + m) as f32),
        _ => f64::from(9999 - m),
    });
    for (text, inputs, expected) in [
        (
            "h[b[i]] += w[i] where h[2]",
            vec![at.clone(), w],
            vec![17.5e6, 2.5e6],
        ),
        // The gradient of rows that are often used.
        (
            "y[i] = T[b[i],1]; gradient y by T; return dT",
            vec![table, at],
            vec![0., 17.5e6, 0., 0., 2.5e6, 0.],
        ),
        // Without look-ups.
        ("h[i+j] += x[i] * k[j]", vec![x, k], convolved.collect()),
    ] {
        let bound = bind(text, &inputs);
        let operands: Vec<_> = inputs.iter().map(Input::operand).collect();
        let plan = Plan::new(&bound).expect("a plan");
        let mut bits = Vec::new();
        for threads in [1, 3] {
            let mut outputs = outputs(&bound, Layout::Plain, &mut Random(1));
            let mut written: Vec<_> = outputs.iter_mut().map(Data::operand_mut).collect();
            // SAFETY: operands are memory of this test.
            let result = in_threads(threads, || unsafe { plan.run(&operands, &mut written) });
            result.expect("no error");
            let found: Vec<f64> = outputs[0]
                .get()
                .into_iter()
                .map(|(value, _)| value)
                .collect();
            assert_eq!(found, expected, "{text}");
            bits.push(found);
        }
        assert_eq!(bits[0], bits[1], "{text}");
    }
}

#[test]
fn a_failing_run_evaluates_what_its_indices_need() {
    // By the evaluator the products of matrices would take minutes.
    let n = 1500;
    let mut random = Random(3);
    let a = tensor(DType::Float, &[n, n], Layout::Plain, &mut random, |_| 1.0);
    let at = tensor(DType::Int32, &[n], Layout::Plain, &mut random, |k| {
        if k == 1400 {
            99_999.0
        } else {
            0.0
        }
    });
    for (text, fault) in [
        (
            "p[i,j] += A[i,k] * A[k,j]; y[i] = p[at[i],0]; return y",
            "y: p axis 0 of length 1500 would be read at 99999, by at[1400] = 99999",
        ),
        (
            "y[i,j] += A[at[j],k] * A[k,i]",
            "y: A axis 0 of length 1500 would be read at 99999, by at[1400] = 99999",
        ),
        (
            "z[i] = int(A[i,0]) * 0 + at[i] * 0; y[i,j] += int(A[i,k] * A[k,j]) / z[j]; return y",
            "y: division of an integer by zero",
        ),
    ] {
        let inputs = [a.clone(), at.clone()];
        let bound = bind(text, &inputs);
        let mut outputs = outputs(&bound, Layout::Plain, &mut Random(1));
        let operands: Vec<_> = inputs.iter().map(Input::operand).collect();
        let mut written: Vec<_> = outputs.iter_mut().map(Data::operand_mut).collect();
        let plan = Plan::new(&bound).expect("a plan");
        // SAFETY: operands are memory of this test.
        let error = unsafe { plan.run(&operands, &mut written) }.expect_err("it fails");
        assert!(error.to_string().starts_with(fault), "{error}");
    }
}
