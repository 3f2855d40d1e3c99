//! Guards, windows, look-ups and scatters, against the plain evaluator.

use tensornio_compute::operand::DType;

use crate::agree::{agree_on, check, some, tensor, Layout, Random, FLOATS, NUMBERS};

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
