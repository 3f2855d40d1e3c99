//! Named programs, each a path of the engine, against the plain evaluator.

use tensornio_compute::operand::{DType, Number};

use crate::agree::{agree_on, some, tensor, Input, Layout, Random};

const FLOATS: [DType; 2] = [DType::Float, DType::Double];
const NUMBERS: [DType; 5] = [
    DType::Float,
    DType::Double,
    DType::Int32,
    DType::Int64,
    DType::UInt8,
];

/// Runs a program on tensors of these shapes, of each of the types, plain and wild.
fn check(text: &str, types: &[DType], shapes: &[&[i64]]) {
    for &dtype in types {
        for (layout, seed) in [
            (Layout::Plain, 1),
            (Layout::Wild, 2),
            (Layout::Wild, 3),
            (Layout::Wild, 4),
        ] {
            let mut random = Random(seed);
            let inputs: Vec<Input> = shapes
                .iter()
                .map(|shape| some(dtype, shape, layout, &mut random))
                .collect();
            agree_on(text, &inputs, layout, 100.0, &mut random);
        }
    }
}

#[test]
fn chains_of_operators_agree() {
    check(
        "z[i] = 2*x[i] + y[i]*x[i] - x[i]/4",
        &FLOATS,
        &[&[1000], &[1000]],
    );
    check(
        "z[i] = 2*x[i] + y[i]*x[i] - x[i]",
        &NUMBERS,
        &[&[1000], &[1000]],
    );
    check(
        "z[i,j] = x[i,j] + y[j,i]",
        &NUMBERS,
        &[&[37, 70], &[70, 37]],
    );
    check(
        "z[i,j] = max(x[i,j], y[j]) * min(x[i,j], 3)",
        &NUMBERS,
        &[&[70, 37], &[37]],
    );
    check(
        "z[i] = sigmoid(x[i]) + tanh(x[i]) * exp(x[i]) + log(abs(x[i])) + erf(x[i])",
        &FLOATS,
        &[&[333]],
    );
    check(
        "z[i] = sqrt(abs(x[i])) + sin(x[i]) + cos(100*x[i]) + x[i]^2 + abs(x[i])^1.5",
        &FLOATS,
        &[&[333]],
    );
    check(
        "z[i] = relu(x[i]) + floor(x[i]) + ceil(x[i]) + round(x[i]) + sign(x[i]) + x[i] % 3",
        &FLOATS,
        &[&[333]],
    );
    check(
        "z[i] = select(x[i] < y[i], x[i], 7)",
        &NUMBERS,
        &[&[100], &[100]],
    );
}

#[test]
fn scalars_and_short_axes_agree() {
    check("s = x[]*2 + 1", &NUMBERS, &[&[]]);
    check("y[i] = x[i] + 1", &NUMBERS, &[&[8]]);
    check("y[i,j] = x[i,j] + b[j]", &NUMBERS, &[&[1000, 8], &[8]]);
    check(
        "y[i,j,k] = x[i,j,k] * b[k] + c[i]",
        &NUMBERS,
        &[&[10, 100, 3], &[3], &[10]],
    );
    check("y[i,j] = x[i] + b[j]", &NUMBERS, &[&[64], &[80]]);
    check("y[i,j] = 3 + 0*x[i,j]", &NUMBERS, &[&[1, 1]]);
}

#[test]
fn reductions_agree() {
    for text in [
        "s += x[i,j]",
        "s max= x[i,j]",
        "s min= x[i,j]",
        "s *= x[i,j]",
    ] {
        check(text, &NUMBERS, &[&[30, 50]]);
    }
    for text in [
        "r[i] += x[i,j]",
        "r[j] += x[i,j]",
        "r[i] max= x[i,j]",
        "r[j] min= x[i,j]",
        "r[j,i] += x[i,k,j]",
        "r[j] += x[i,j,k]",
    ] {
        let rank3 = text.contains("k");
        check(
            text,
            &NUMBERS,
            if rank3 {
                &[&[20, 30, 9]]
            } else {
                &[&[300, 70]]
            },
        );
    }
    check("s += (x[i]-y[i])^2", &FLOATS, &[&[5000], &[5000]]);
    check("s += x[i]*y[i]", &NUMBERS, &[&[5000], &[5000]]);
    check("s += x[i]*x[i]", &NUMBERS, &[&[5000]]);
    check("y[i] += A[i,j]*x[j]", &NUMBERS, &[&[50, 60], &[60]]);
    check(
        "y[i] += A[i,j]*x[j] + b[i]",
        &NUMBERS,
        &[&[50, 60], &[60], &[50]],
    );
}

#[test]
fn large_reductions_are_cut_into_blocks_and_agree() {
    let mut random = Random(5);
    for (text, shape) in [
        ("s += x[i]", vec![1_500_000]),
        ("s += x[i,j]*x[i,j]", vec![1200, 1201]),
        ("r[j] += x[i,j]", vec![100_000, 12]),
        ("r[i] += x[i,j]", vec![2, 700_000]),
        ("s max= x[i]", vec![1_500_000]),
        ("r[j] += x[i,j]", vec![1100, 1100]),
    ] {
        let x = some(DType::Float, &shape, Layout::Plain, &mut random);
        agree_on(text, &[x], Layout::Plain, 4000.0, &mut random);
    }
    let x = tensor(
        DType::Float,
        &[1100, 1100],
        Layout::Plain,
        &mut random,
        |k| (k % 7) as f64,
    );
    agree_on("r[j] += x[j,i]", &[x], Layout::Plain, 100.0, &mut random);
}

#[test]
fn contractions_agree() {
    check("C[i,j] += A[i,k]*B[k,j]", &NUMBERS, &[&[33, 45], &[45, 27]]);
    check("C[i,j] += A[k,i]*B[j,k]", &FLOATS, &[&[45, 33], &[27, 45]]);
    check(
        "C[b,i,j] += A[b,i,k]*B[b,k,j]",
        &FLOATS,
        &[&[3, 17, 20], &[3, 20, 19]],
    );
    check(
        "C[i,j] += A[i,k]*B[k,j]",
        &FLOATS,
        &[&[20, 1100], &[1100, 15]],
    );
    check(
        "O[n,y,x,f] += I[n,y+r,x+s,c]*K[r,s,c,f]",
        &FLOATS,
        &[&[2, 8, 9, 4], &[3, 3, 4, 6]],
    );
    check(
        "O[n,f,y,x] += I[n,c,y+r,x+s]*K[f,c,r,s]",
        &FLOATS,
        &[&[2, 4, 8, 9], &[6, 4, 3, 3]],
    );
    check("O[x] += I[x+k]*K[k]", &NUMBERS, &[&[1000], &[9]]);
    check(
        "O[y,x] += I[2*y+r,2*x+s]*K[r,s]",
        &FLOATS,
        &[&[31, 33], &[3, 3]],
    );
    check("C[i,j] += A[i]*B[j]", &NUMBERS, &[&[33], &[45]]);
    check("d[i] += A[i,k]*B[k,i]", &FLOATS, &[&[33, 45], &[45, 33]]);
    check(
        "C[i,l] += A[i,j]*B[j,k]*D[k,l]",
        &FLOATS,
        &[&[7, 8], &[8, 9], &[9, 10]],
    );
    check("s += A[i,k]*B[k,i]", &FLOATS, &[&[33, 45], &[45, 33]]);
}

#[test]
fn contractions_with_constants_and_of_several_factors_agree() {
    check(
        "C[i,j] += -0.5*A[i,k]*B[k,j]*2",
        &FLOATS,
        &[&[17, 20], &[20, 19]],
    );
    check(
        "C[i,l] += A[i,j]*2*B[j,k]*D[k,l]",
        &FLOATS,
        &[&[17, 18], &[18, 19], &[19, 20]],
    );
    check(
        "s += A[i,j]*B[j,k]*D[k,l]*E[l,i]",
        &FLOATS,
        &[&[7, 8], &[8, 9], &[9, 10], &[10, 7]],
    );
    check(
        "y[2*b,i] += W[i,j,k]*x[b,j]*z[b,k]; s += y[b,i]*y[b,i]",
        &FLOATS,
        &[&[6, 7, 8], &[9, 7], &[9, 8]],
    );
    let mut random = Random(1);
    for dtype in FLOATS {
        let [a, b] =
            [[17, 20], [20, 19]].map(|shape| some(dtype, &shape, Layout::Plain, &mut random));
        let inputs = [Input::Number(Number::Fraction(0.25)), a, b];
        let text = "C[i,j] += s*A[i,k]*B[k,j]";
        agree_on(text, &inputs, Layout::Plain, 100.0, &mut random);
    }
}

#[test]
fn contractions_of_several_blocks_agree() {
    let mut random = Random(6);
    for (text, a, b) in [
        // Blocks of all three axes, and none of them full.
        ("C[i,j] += A[i,k]*B[k,j]", vec![270, 6], vec![6, 520]),
        ("C[j,i] += A[k,i]*B[j,k]", vec![300, 20], vec![20, 300]),
        // More blocks of k than are added in order.
        ("C[i,j] += A[i,k]*B[k,j]", vec![4, 70_000], vec![70_000, 5]),
        // The taps of a convolution are products in place, its gradient has a row of them for each image and line.
        (
            "O[n,y,x,f] += I[n,y+r,x+s,c]*K[r,s,c,f]",
            vec![2, 6, 34, 8],
            vec![3, 3, 8, 20],
        ),
        (
            "K[r,s,c,f] += I[n,y+r,x+s,c]*O[n,y,x,f]",
            vec![2, 150, 34, 2],
            vec![2, 148, 32, 4],
        ),
        (
            "O[n,f,y,x] += K[f,c,r,s]*I[n,c,y+r,x+s]",
            vec![20, 8, 3, 3],
            vec![2, 8, 6, 34],
        ),
    ] {
        let inputs = [a, b].map(|shape| some(DType::Float, &shape, Layout::Plain, &mut random));
        agree_on(text, &inputs, Layout::Plain, 4000.0, &mut random);
    }
    let inputs =
        [[20, 300], [300, 24]].map(|shape| some(DType::Double, &shape, Layout::Wild, &mut random));
    agree_on(
        "C[2*i+1,j] += A[i,k]*B[k,j]",
        &inputs,
        Layout::Wild,
        4000.0,
        &mut random,
    );
}

#[test]
fn softmax_and_other_chains_of_statements_agree() {
    let softmax = "m[i] max= x[i,j]; e[i,j] = exp(x[i,j]-m[i]); s[i] += e[i,j]; y[i,j] = e[i,j]/s[i]; return y";
    check(softmax, &FLOATS, &[&[20, 300]]);
    check(softmax, &FLOATS, &[&[300, 5]]);
    let batch = "m[b,i] max= x[b,i,j]; e[b,i,j] = exp(x[b,i,j]-m[b,i]); s[b,i] += e[b,i,j]; y[b,i,j] = e[b,i,j]/s[b,i]; return y";
    check(batch, &FLOATS, &[&[4, 6, 200]]);
    check(batch, &FLOATS, &[&[4, 50, 7]]);
    let norm = "m[i] += x[i,j]/128; c[i,j] = x[i,j]-m[i]; v[i] += c[i,j]^2/128; y[i,j] = c[i,j]/sqrt(v[i]+1)*g[j]; return y, c";
    check(norm, &FLOATS, &[&[30, 128], &[128]]);
    check(
        "a[i,j,k] = x[i,j,k]*2; b[i,j,k] = a[i,j,k]/3 + sqrt(abs(a[i,j,k])); c[i] max= b[i,j,k]",
        &FLOATS,
        &[&[9, 20, 30]],
    );
    check(
        "t[i] = x[i]*2; u[i] = t[i] + 1; y[i] = u[i]*t[i]; return y",
        &NUMBERS,
        &[&[400]],
    );
    check(
        "t[i] = x[i]*2; u[i] = t[i] + 1; y[i] = u[i]*t[i]; return y, t",
        &NUMBERS,
        &[&[400]],
    );
    check(
        "t[i,j] = x[j,i]*2; y[i] += t[i,j] * t[i,j]; z[i] = y[i] + x[0,i]; return z, y",
        &NUMBERS,
        &[&[40, 50]],
    );
    check(
        "t[i] = 2*x[i]; t[i] = t[i] + x[i]; t[i] = t[i] * t[i]",
        &NUMBERS,
        &[&[40]],
    );
    check(
        "m += x[i,j]; c[i,j] = x[i,j] - m / 100; v += c[i,j]^2; return v",
        &FLOATS,
        &[&[40, 30]],
    );
    let attention =
        "s[q,k] += Q[q,d]*K[k,d]; t[q,k] = s[q,k]/8; m[q] max= t[q,k]; e[q,k] = exp(t[q,k]-m[q]); \
                     z[q] += e[q,k]; o[q,d] += e[q,k]*V[k,d]; r[q,d] = o[q,d]/z[q]; return r";
    check(attention, &FLOATS, &[&[20, 8], &[30, 8], &[30, 8]]);
    check(
        "t[i] = x[i]+1; y[i,j] = t[i]*x[j]; z[i] += t[j]*y[i,j]; return z",
        &FLOATS,
        &[&[50]],
    );
    check(
        "t[i] = x[2*i]; y[i] = t[i+1] - t[i]; return y",
        &NUMBERS,
        &[&[51]],
    );
}

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

#[test]
fn casts_loops_and_truth_values_agree() {
    for cast in ["float", "double", "int", "long", "uint8", "bool"] {
        check(&format!("y[i] = {cast}(x[i])"), &NUMBERS, &[&[300]]);
        check(
            &format!("y[i] = {cast}(x[i]) where i in 0:3"),
            &[DType::Bool],
            &[&[300]],
        );
    }
    check("y[i,j] = x[i]*(i/2) + j where j in 0:5", &NUMBERS, &[&[30]]);
    check(
        "y[i] = x[i] < 2 and not (x[i] == 1) or x[i] >= 3",
        &NUMBERS,
        &[&[300]],
    );
    check(
        "a max= x[i]; b min= x[i]; c[i] = not x[i]; d[i] max= x[i] and x[j]",
        &[DType::Bool],
        &[&[77]],
    );
}

#[test]
fn integer_arithmetic_and_its_errors_agree() {
    let integers = [DType::Int32, DType::Int64, DType::UInt8];
    check(
        "y[i] = (x[i]+5) / (z[i]+1) + x[i] % (z[i]+2) + x[i] ^ z[i]",
        &integers,
        &[&[300], &[300]],
    );
    check("y[i] = x[i] / z[i]", &integers, &[&[300], &[300]]);
    check("y[i] = x[i] % z[i]", &integers, &[&[300], &[300]]);
    check("y[i] = x[i] ^ (z[i] - 1)", &integers, &[&[300], &[300]]);
}

#[test]
fn numbers_agree() {
    let mut random = Random(1);
    for dtype in NUMBERS {
        let x = some(dtype, &[20], Layout::Plain, &mut random);
        agree_on(
            "y[i] = x[i]*a + a",
            &[x.clone(), Input::Number(Number::Integer(3))],
            Layout::Plain,
            100.0,
            &mut random,
        );
        agree_on(
            "y[i] = x[i]*a + a",
            &[x.clone(), Input::Number(Number::Fraction(5.0))],
            Layout::Plain,
            100.0,
            &mut random,
        );
        agree_on(
            "y[i] = x[i]*a + a",
            &[x.clone(), Input::Number(Number::Fraction(5.5))],
            Layout::Plain,
            100.0,
            &mut random,
        );
        agree_on(
            "y[i] = x[i]*a + a",
            &[x, Input::Number(Number::Integer(-3_000_000_000))],
            Layout::Plain,
            1e12,
            &mut random,
        );
    }
}

#[test]
fn empty_ranges_agree() {
    check("y[i] = x[i]", &NUMBERS, &[&[0]]);
    check("s += x[i]", &NUMBERS, &[&[0]]);
    check("s[i] *= x[i,j]", &NUMBERS, &[&[5, 0]]);
    check("s[i] max= x[i,j]", &FLOATS, &[&[5, 0]]);
    check("C[i,j] += A[i,k]*B[k,j]", &FLOATS, &[&[5, 0], &[0, 3]]);
    check("y[i+1] = x[i]", &NUMBERS, &[&[0]]);
}

#[test]
fn nan_and_infinities_pass() {
    for dtype in FLOATS {
        let mut random = Random(3);
        let values = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 1.0];
        let x = tensor(dtype, &[100], Layout::Plain, &mut random, |k| values[k % 5]);
        let y = tensor(dtype, &[100], Layout::Plain, &mut random, |k| {
            values[k / 5 % 5]
        });
        for text in [
            "max(x[i], y[i])",
            "min(x[i], y[i])",
            "relu(x[i]) + y[i]",
            "sign(x[i]) + y[i]",
            "x[i]*y[i]",
            "x[i]^y[i]",
            "x[i]%y[i]",
        ] {
            agree_on(
                &format!("z[i] = {text} + 0*(x[i] + y[i])"),
                &[x.clone(), y.clone()],
                Layout::Plain,
                1.0,
                &mut random,
            );
            agree_on(
                &format!("z[i] = {text}; q[i] = y[i]"),
                &[x.clone(), y.clone()],
                Layout::Plain,
                1.0,
                &mut random,
            );
        }
        agree_on(
            "m max= x[i]; n min= x[i]; s += x[i]",
            &[x],
            Layout::Plain,
            1.0,
            &mut random,
        );
    }
}
