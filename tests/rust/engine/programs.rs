//! Named programs, each a path of the engine, against the plain evaluator.

use tensornio_compute::operand::{DType, Number};

use crate::agree::{agree_on, check, some, tensor, Input, Layout, Random, FLOATS, NUMBERS};

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
fn transpositions_agree() {
    let all = [NUMBERS.as_slice(), &[DType::Bool]].concat();
    for (text, shape) in [
        ("y[i,j] = x[j,i]", &[70, 130][..]),
        ("y[i,j] = x[j,i]", &[1, 130]),
        ("y[k,j,i] = x[i,j,k]", &[9, 17, 33]),
        ("y[j,i,k] = x[i,j,k]", &[9, 17, 5]),
        // A part, backwards.
        (
            "y[i,j] = x[60-j,2*i+3] where i in 0:40, j in 0:50",
            &[70, 130],
        ),
        // With gaps that are 0, a diagonal, and elements several times.
        ("y[2*i,j] = x[j,i] where i in 0:70, j in 0:70", &[70, 130]),
        ("y[i,j] = x[j,i,j]", &[20, 30, 20]),
        ("y[i,j,k] = x[k,i] where j in 0:3", &[20, 30]),
    ] {
        check(text, &all, &[shape]);
    }
}

#[test]
fn operands_with_other_contiguous_axes_agree() {
    for (text, shapes) in [
        ("y[i,j] = x[i,j] + x[j,i]", &[&[256, 256][..]][..]),
        ("y[n,i,j] = x[n,i,j] * x[n,j,i]", &[&[2, 128, 128]]),
        ("y[i,n,j] = x[i,n,j] * x[j,n,i]", &[&[128, 2, 128]]),
        ("y[i,n,j] = x[n,i,j] * z[j,i]", &[&[3, 20, 256], &[256, 20]]),
        (
            "y[i,j] = x[255-j,i] - x[j,255-i] where i in 0:256, j in 0:256",
            &[&[256, 256]],
        ),
        (
            "y[i,j] = x[2*j,i] + x[j,i+3] where i in 0:250, j in 0:128",
            &[&[256, 256]],
        ),
        // Guards keep what is outside from being copied, too.
        (
            "y[i,j] = guard(0 <= i+j-100 < 256, x[i+j-100,i]) + guard(0 <= j-9 < 256, x[j-9,i]) \
             where i in 0:256, j in 0:300",
            &[&[256, 256]],
        ),
        ("y[i,j] = x[b[j],i] + x[j,i]", &[&[256, 256], &[256]]),
        // Of several tiles, and of several units.
        ("y[i,j] = x[j,i] + z[i,j]", &[&[1100, 256], &[256, 1100]]),
        ("y[i,j] = x[j,i] + z[i,j]", &[&[600, 704], &[704, 600]]),
    ] {
        let types = if text.contains("b[") {
            &NUMBERS[2..]
        } else {
            &NUMBERS[..]
        };
        check(text, types, shapes);
    }
}

#[test]
fn panels_that_begin_at_one_element_but_differ_in_size_agree() {
    // The first row of a window is the last part of a panel of the one before, which has fewer rows.
    for (width, range) in [(8, 10), (16, 20), (64, 70), (16, 17)] {
        check(
            &format!(
                "y[k,i,j] = x[j,i+{width}*k] + z[i] where k in 0:3, i in 0:{range}, j in 0:200"
            ),
            &NUMBERS,
            &[&[200, 256], &[range]],
        );
    }
    // The last window of a tile begins where the next tile does, which is shorter.
    check(
        "y[k,i,j] = x[j+k,i] + z[i] where k in 0:513, i in 0:2, j in 0:520",
        &[DType::Float],
        &[&[1032, 64], &[2]],
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
fn whole_rows_agree() {
    let all = [NUMBERS.as_slice(), &[DType::Bool]].concat();
    for n in [1, 2, 3, 31, 32, 33, 64, 100] {
        for op in ["max=", "min="] {
            check(&format!("r[i,j] {op} x[i,j,k]"), &all, &[&[3, 5, n]]);
        }
        for text in [
            "r += x[0,0,k]",
            "r[i,j] += x[i,j,k]",
            "r[j,i] += x[i,j,k] * x[i,j,k]",
            "r[i,j] += x[i,j,k] * x[j,i,k] where i in 0:3, j in 0:3",
            "r[i,j] += (x[i,j,k] - x[0,1,k])^2",
            "r[i,j,l] += x[i,j,k] where l in 0:2",
            "r[2*i+1,j] *= min(max(x[i,j,k], 1), 2)",
            "r[j] += x[1,j+1,k] where j in 0:3, k in 0:1",
        ] {
            check(text, &NUMBERS, &[&[3, 5, n]]);
        }
    }
    // Of several units, and so long that their sums go to a tree.
    check("r[i,j] += x[i,j,k]", &FLOATS, &[&[2, 70_000, 3]]);
    for n in [2047, 2048, 2049] {
        check("r[i] += x[i,k]", &FLOATS, &[&[3, n]]);
    }
}

#[test]
fn rows_of_one_instruction_agree() {
    for n in [1, 127, 128, 300] {
        for text in [
            // Integers may be divided by zero.
            "y[i,j,k] = x[i,j,k] / x[i,j,0]",
            "y[i,j,k] = x[i,j,k] - x[i,0,k]",
            "y[i,j,k] = x[i,j,k] - x[0,j,0]",
            "y[i,j,k] = -x[i,j,k]",
            "y[j,i,k] = max(x[i,j,k], 2)",
            "y[2*i,j,k] = x[i,j,k] * x[i,j,k]",
        ] {
            check(text, &NUMBERS, &[&[3, 5, n]]);
        }
        check("y[i,j] = exp(x[i,j] - m[i])", &FLOATS, &[&[7, n], &[7]]);
    }
    // In parts of a row, and of several units.
    check("y[i,j] = x[i,j] * m[i]", &FLOATS, &[&[3, 100_000], &[3]]);
}

#[test]
fn rows_of_statements_run_in_blocks_and_agree() {
    let softmax = "m[b,i] max= x[b,i,j]; e[b,i,j] = exp(x[b,i,j]-m[b,i]); s[b,i] += e[b,i,j]; y[b,i,j] = e[b,i,j]/s[b,i]";
    for rows in [1, 15, 16, 17, 33] {
        check(&format!("{softmax}; return y"), &FLOATS, &[&[3, rows, 128]]);
        check(
            &format!("{softmax}; return y, s"),
            &FLOATS,
            &[&[2, rows, 130]],
        );
    }
    check(&format!("{softmax}; return y"), &FLOATS, &[&[2, 300, 256]]);
    // Loops inside of rows, the number of the row as a value, and an operand that is repeated in each.
    for text in [
        "t[i,j,k] = x[i,j,k]*b[k]; s[i,j] += t[i,j,k]; y[i,j,k] = t[i,j,k] - s[i,j]; return y",
        "t[i,k,j] = x[i,j,k] + i*100 + b[k]; y[i,j,k] = t[i,k,j] * t[i,k,j]; return y",
        "t[i,k] = x[i,5,k] * i - b[k]; s[i] += t[i,k]; y[i,j,k] = x[i,j,k] * s[i] + t[i,k]; return y, s",
    ] {
        check(text, &NUMBERS, &[&[21, 20, 10], &[10]]);
    }
}

#[test]
fn values_for_each_row_are_computed_along_the_rows_of_a_block() {
    let text = "m[a,b] max= x[a,b,i]; r[a,b] = exp(0 - m[a,b]); s[a,b] = r[a,b] / (1 + m[a,b]^2); y[a,b,i] = x[a,b,i] * r[a,b] - s[a,b]";
    for shape in [[8, 1, 256], [1, 200, 130], [3, 150, 128], [2, 1, 3000]] {
        for returned in ["y", "y, r", "y, m, r, s"] {
            check(&format!("{text}; return {returned}"), &FLOATS, &[&shape]);
        }
    }
}

#[test]
fn guarded_sums_of_one_element_are_zero_elsewhere_among_rows() {
    for text in [
        "t[i,j] += guard(0 <= j-i < 200, x[i,j]) where i in 0:200, j in 0:200; m[i] max= t[i,j]; y[i,j] = t[i,j] - m[i]; return y",
        "t[i,j] += guard(0 <= j-i < 200, x[i,j]) where i in 0:200, j in 0:200; m[i] max= t[i,j]; return t, m",
        "e[i,j] = x[i,j] * 2; t[i,j] += guard(0 <= i-j < 200, e[i,j]) where i in 0:200, j in 0:200; m[i] += t[i,j] - e[i,j]; return m, e",
    ] {
        check(text, &NUMBERS, &[&[200, 200]]);
    }
}

#[test]
fn diagonals_of_rows_agree() {
    check(
        "e[i,j] = exp(x[i,j]); z[i] += e[i,j]; p[i] = e[i,i] / z[i]; return p",
        &FLOATS,
        &[&[200, 200]],
    );
}

#[test]
fn short_rows_that_are_reduced_together_agree() {
    for text in [
        "r[j] += x[i,j] * b[j]",
        "r[j] += x[i,j] * y[i,j]",
        "r[j] += (x[i,j] - y[i,j])^2",
        "r[j] += 3 * x[i,j]",
        "r[j] += 3 - x[i,j]",
        "r[j] += select(x[i,j] + b[j] > 2, y[i,j], 0)",
        "r[j] max= select(x[i,j] + b[j] > 2, y[i,j], b[j]) + a[i]",
        "r[j] *= min(max(x[i,j] + b[j], 1), 1) + a[i] - a[i]",
        "r[j] += guard(0 <= k-2 < 3, x[i,j] * b[j]) where i in 0:150, j in 0:13, k in 0:7",
        "r[j] += x[i,j] * k where k in 0:3",
        "r[k,j] min= x[i,j] + k where k in 0:3",
        "r[j] += x[b[k],j] + y[i,j] where k in 0:1",
    ] {
        let program = tensornio_compute::Program::parse(text).expect("a program");
        let shape = |name: &String| -> &[i64] {
            match name.as_str() {
                "b" => &[13],
                "a" => &[150],
                _ => &[150, 13],
            }
        };
        let shapes: Vec<&[i64]> = program.inputs().iter().map(shape).collect();
        let types = if text.contains("[b[") {
            &NUMBERS[2..]
        } else {
            &NUMBERS[..]
        };
        check(text, types, &shapes);
    }
    // Several rows of statements, each with what it repeats.
    check(
        "m[n,j] max= x[n,i,j] + b[j]; e[n,i,j] = exp(x[n,i,j] - m[n,j]); s[n,j] += e[n,i,j] * c[n,j]; return s",
        &FLOATS,
        &[&[3, 20, 30], &[30], &[3, 30]],
    );
    check(
        "P[n,y,x,c] max= relu(T[n,2*y+r,2*x+q,c] + d[c]) where r in 0:2, q in 0:2; \
         N[n,y,x,c] += select(relu(T[n,2*y+r,2*x+q,c] + d[c]) == P[n,y,x,c], 1, 0) where r in 0:2, q in 0:2",
        &FLOATS,
        &[&[3, 6, 8, 5], &[5]],
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
