//! Decompositions by what is left of the matrix without them: random, graded, of lower rank, nearly singular, in batches; and what has none.

use crate::called::{array, Array, Call, Numbers};
use crate::matrices::{failure, nothing, orthonormal, zeros, Plain, Real};
use tensornio_compute::ErrorKind;
use tensornio_numeric::Algorithm;

/// Random matrices, with what makes them hard.
fn matrices(random: &mut Numbers, rows: usize, columns: usize) -> Vec<(&'static str, Plain)> {
    let mut plain = |rows, columns| {
        let values = (0..rows * columns).map(|_| random.fraction()).collect();
        Plain {
            rows,
            columns,
            values,
        }
    };
    let any = plain(rows, columns);
    let rank = rows.min(columns).div_ceil(2);
    let graded = Plain::from(rows, columns, |row, column| {
        any.at(row, column) * 0.5f64.powi((row + 2 * column).min(60) as i32)
    });
    let narrow = plain(rows, rank).times(&plain(rank, columns));
    let close = Plain::from(rows, columns, |row, column| 1.0 / (row + column + 1) as f64);
    let hole = Plain::from(rows, columns, |row, column| {
        if column == columns / 2 || row == 0 {
            0.0
        } else {
            any.at(row, column)
        }
    });
    let same = Plain::from(rows, columns, |_, _| 0.5);
    let large = Plain::from(rows, columns, |row, column| any.at(row, column) * 1e15);
    vec![
        ("random", any),
        ("graded", graded),
        ("of lower rank", narrow),
        ("Hilbert's", close),
        ("with a zero column", hole),
        ("of equal elements", same),
        ("large", large),
        ("zero", Plain::from(rows, columns, |_, _| 0.0)),
    ]
}

const SIZES: [(usize, usize); 9] = [
    (1, 1),
    (2, 2),
    (3, 5),
    (5, 3),
    (16, 16),
    (40, 7),
    (7, 40),
    (65, 64),
    (130, 130),
];

fn decompose_all<T: Real>() {
    let mut random = Numbers::of(54);
    for (rows, columns) in SIZES {
        let (m, n) = (rows as i64, columns as i64);
        let k = m.min(n);
        for (kind, exact) in matrices(&mut random, rows, columns) {
            let x: Array<T> = exact.array();
            let plain = Plain::of(&x);
            let what = format!("{kind} {rows} x {columns} {}", T::DTYPE);
            let (mut q, mut r) = (zeros::<T>(&[m, k]), zeros::<T>(&[k, n]));
            Call::of(Algorithm::Qr, &[])
                .with(&x)
                .fill(1, &mut [&mut q, &mut r])
                .unwrap();
            let (q, r) = (Plain::of(&q), Plain::of(&r));
            orthonormal::<T>(&format!("q {what}"), &q);
            nothing::<T>(
                &format!("qr {what}"),
                &q.times(&r).minus(&plain),
                plain.norm(),
                rows + columns,
            );
            for row in 0..r.rows {
                assert!(
                    (0..row.min(r.columns)).all(|column| r.at(row, column) == 0.0),
                    "r {what}"
                );
            }

            let (mut u, mut s, mut v) =
                (zeros::<T>(&[m, k]), zeros::<T>(&[k]), zeros::<T>(&[k, n]));
            Call::of(Algorithm::Svd, &[])
                .with(&x)
                .fill(1, &mut [&mut u, &mut s, &mut v])
                .unwrap();
            let s: Vec<f64> = s.values.iter().map(|&value| value.to()).collect();
            assert!(s.iter().all(|&value| value >= 0.0), "s {what}: {s:?}");
            assert!(
                s.windows(2).all(|pair| pair[0] >= pair[1]),
                "s {what}: {s:?}"
            );
            let (u, v) = (Plain::of(&u), Plain::of(&v));
            orthonormal::<T>(&format!("u {what}"), &u);
            orthonormal::<T>(&format!("v {what}"), &v.transposed());
            let product = u.times(&Plain::diagonal(&s)).times(&v);
            nothing::<T>(
                &format!("svd {what}"),
                &product.minus(&plain),
                plain.norm(),
                rows + columns,
            );

            let mut rank = array(&[], [0i64]);
            Call::of(Algorithm::Rank, &[])
                .with(&x)
                .fill(1, &mut [&mut rank])
                .unwrap();
            let least = rows.max(columns) as f64 * T::EPSILON * s[0];
            let counted = s.iter().filter(|&&value| value > least).count() as i64;
            // The last one may be on either side of the limit: its value without vectors has another rounding.
            assert!(
                (rank.values[0] - counted).abs() <= 1,
                "rank {what}: {s:?} {rank:?}"
            );
            match kind {
                "of lower rank" => assert!(rank.values[0] <= (k + 1) / 2, "rank {what}: {s:?}"),
                "of equal elements" => assert_eq!(rank.values, [1], "rank {what}: {s:?}"),
                "zero" => assert_eq!(rank.values, [0]),
                _ => {}
            }

            let mut inverse = zeros::<T>(&[n, m]);
            Call::of(Algorithm::PseudoInverse, &[])
                .with(&x)
                .fill(1, &mut [&mut inverse])
                .unwrap();
            let inverse = Plain::of(&inverse);
            if kind != "graded" && kind != "Hilbert's" && rank.values[0] > 0 {
                // Moore and Penrose's first equation, whose error grows with the condition.
                let condition = s[0] / s[rank.values[0] as usize - 1];
                let left = plain.times(&inverse).times(&plain).minus(&plain);
                nothing::<T>(
                    &format!("pinv {what}"),
                    &left,
                    plain.norm() * condition,
                    rows + columns,
                );
            }
        }
    }
}

#[test]
fn decompositions_of_doubles_leave_nothing() {
    decompose_all::<f64>();
}

#[test]
fn decompositions_of_floats_leave_nothing() {
    decompose_all::<f32>();
}

fn solve_all<T: Real>() {
    let mut random = Numbers::of(7);
    for n in [1, 2, 3, 8, 17, 64, 129] {
        let size = n as i64;
        let any = Plain::from(n, n, |_, _| 0.0);
        let any = Plain {
            values: any.values.iter().map(|_| random.fraction()).collect(),
            ..any
        };
        let right = Plain {
            rows: n,
            columns: 3,
            values: (0..3 * n).map(|_| random.fraction()).collect(),
        };
        let (a, b): (Array<T>, Array<T>) = (any.array(), right.array());
        let (plain_a, plain_b) = (Plain::of(&a), Plain::of(&b));
        let mut x = zeros::<T>(&[size, 3]);
        Call::of(Algorithm::Solve, &[])
            .with(&a)
            .with(&b)
            .fill(1, &mut [&mut x])
            .unwrap();
        let x = Plain::of(&x);
        nothing::<T>(
            &format!("solve {n}"),
            &plain_a.times(&x).minus(&plain_b),
            1.0 + x.norm(),
            n,
        );

        let mut inverse = zeros::<T>(&[size, size]);
        Call::of(Algorithm::Inverse, &[])
            .with(&a)
            .fill(1, &mut [&mut inverse])
            .unwrap();
        let inverse = Plain::of(&inverse);
        let left = plain_a.times(&inverse).minus(&Plain::identity(n));
        nothing::<T>(&format!("inverse {n}"), &left, 1.0 + inverse.norm(), n);

        for is_lower in [true, false] {
            let third = Plain::from(n, n, |row, column| {
                if row == column {
                    2.0 + any.at(row, row)
                } else {
                    any.at(row, column) / n as f64
                }
            });
            let given: Array<T> = third.array();
            let mut x = zeros::<T>(&[size, 3]);
            let call = Call::of(Algorithm::Triangular, &[i64::from(is_lower)]);
            call.with(&given).with(&b).fill(1, &mut [&mut x]).unwrap();
            let given = Plain::of(&given);
            let triangle = Plain::from(n, n, |row, column| {
                if row == column || (row > column) == is_lower {
                    given.at(row, column)
                } else {
                    0.0
                }
            });
            let x = Plain::of(&x);
            nothing::<T>(
                &format!("triangular {n}"),
                &triangle.times(&x).minus(&plain_b),
                1.0 + x.norm(),
                n,
            );
        }

        let square = plain_a.times(&plain_a.transposed());
        let definite = Plain::from(n, n, |row, column| {
            square.at(row, column) + f64::from(row == column)
        });
        let definite: Array<T> = definite.array();
        let symmetric = Plain::of(&definite);
        // Only the lower triangle is read.
        let mut half = definite.clone();
        for row in 0..n {
            for column in row + 1..n {
                half.values[row * n + column] = T::of(f64::NAN);
            }
        }
        let mut l = zeros::<T>(&[size, size]);
        Call::of(Algorithm::Cholesky, &[])
            .with(&half)
            .fill(1, &mut [&mut l])
            .unwrap();
        let l = Plain::of(&l);
        nothing::<T>(
            &format!("cholesky {n}"),
            &l.times(&l.transposed()).minus(&symmetric),
            symmetric.norm(),
            n,
        );

        let (mut values, mut vectors) = (zeros::<T>(&[size]), zeros::<T>(&[size, size]));
        Call::of(Algorithm::Eigh, &[])
            .with(&half)
            .fill(1, &mut [&mut values, &mut vectors])
            .unwrap();
        let values: Vec<f64> = values.values.iter().map(|&value| value.to()).collect();
        assert!(
            values.windows(2).all(|pair| pair[0] <= pair[1]),
            "{values:?}"
        );
        let vectors = Plain::of(&vectors);
        orthonormal::<T>(&format!("eigenvectors {n}"), &vectors);
        let product = vectors
            .times(&Plain::diagonal(&values))
            .times(&vectors.transposed());
        nothing::<T>(
            &format!("eigh {n}"),
            &product.minus(&symmetric),
            symmetric.norm(),
            n,
        );

        let mut determinant = zeros::<T>(&[]);
        Call::of(Algorithm::Determinant, &[])
            .with(&definite)
            .fill(1, &mut [&mut determinant])
            .unwrap();
        let (mut log, mut sign) = (zeros::<T>(&[]), zeros::<T>(&[]));
        Call::of(Algorithm::LogDeterminant, &[])
            .with(&definite)
            .fill(1, &mut [&mut log, &mut sign])
            .unwrap();
        let of_values: f64 = values.iter().map(|value| value.ln()).sum();
        assert!(
            (log.values[0].to() - of_values).abs()
                <= 64.0 * n as f64 * T::EPSILON * (1.0 + of_values.abs())
        );
        assert_eq!(sign.values[0].to(), 1.0);
        let error = determinant.values[0].to().ln() - of_values;
        assert!(
            error.abs() <= 1e3 * n as f64 * T::EPSILON || of_values > 80.0,
            "det {n}: {error}"
        );
    }
}

#[test]
fn systems_of_doubles_are_solved() {
    solve_all::<f64>();
}

#[test]
fn systems_of_floats_are_solved() {
    solve_all::<f32>();
}

#[test]
fn least_squares_have_the_least_norm() {
    // Worked by hand: x + y = 2 has the least solution (1, 1); twice the equation changes nothing.
    let a = array(&[2, 2], [1.0f64, 1.0, 2.0, 2.0]);
    let b = array(&[2], [2.0f64, 4.0]);
    let mut x = zeros::<f64>(&[2]);
    Call::of(Algorithm::LeastSquares, &[])
        .with(&a)
        .with(&b)
        .fill(1, &mut [&mut x])
        .unwrap();
    assert!(
        x.values.iter().all(|value| (value - 1.0).abs() < 1e-14),
        "{x:?}"
    );
    // A line through (0, 1), (1, 2), (2, 2), (3, 4): 0.9 of slope from 0.9 on.
    let a = array(&[4, 2], [0.0f64, 1.0, 1.0, 1.0, 2.0, 1.0, 3.0, 1.0]);
    let b = array(&[4, 1], [1.0f64, 2.0, 2.0, 4.0]);
    let mut x = zeros::<f64>(&[2, 1]);
    Call::of(Algorithm::LeastSquares, &[])
        .with(&a)
        .with(&b)
        .fill(1, &mut [&mut x])
        .unwrap();
    assert!(
        x.values.iter().all(|value| (value - 0.9).abs() < 1e-14),
        "{x:?}"
    );
}

#[test]
fn determinants_have_signs() {
    for (values, wanted) in [
        ([0.0f64, 1.0, 1.0, 0.0], -1.0),
        ([2.0, 0.0, 0.0, -3.0], -6.0),
        ([1.0, 2.0, 2.0, 4.0], 0.0),
        ([-1.0, 0.0, 0.0, -4.0], 4.0),
        ([0.0, 0.0, 0.0, 0.0], 0.0),
    ] {
        let x = array(&[2, 2], values);
        let mut det = zeros::<f64>(&[]);
        Call::of(Algorithm::Determinant, &[])
            .with(&x)
            .fill(1, &mut [&mut det])
            .unwrap();
        assert_eq!(det.values, [wanted], "{values:?}");
        let (mut log, mut sign) = (zeros::<f64>(&[]), zeros::<f64>(&[]));
        Call::of(Algorithm::LogDeterminant, &[])
            .with(&x)
            .fill(1, &mut [&mut log, &mut sign])
            .unwrap();
        assert_eq!(
            (log.values[0], sign.values[0]),
            (
                f64::abs(wanted).ln(),
                if wanted == 0.0 { 0.0 } else { wanted.signum() }
            )
        );
    }
    let mut det = zeros::<f64>(&[2]);
    Call::of(Algorithm::Determinant, &[])
        .with(&zeros::<f64>(&[2, 0, 0]))
        .fill(1, &mut [&mut det])
        .unwrap();
    assert_eq!(det.values, [1.0, 1.0]);
}

#[test]
fn what_has_no_decomposition_is_named() {
    let identity = [1.0f64, 0.0, 0.0, 1.0];
    let batch = |bad: [f64; 4]| array(&[3, 2, 2], [identity, identity, bad].concat());
    let mut out = zeros::<f64>(&[3, 2, 2]);
    let singular = "the matrix [2] of the batch is singular: a pivot is exactly 0".to_string();
    let x = batch([1.0, 2.0, 2.0, 4.0]);
    let inverse = Call::of(Algorithm::Inverse, &[]).with(&x);
    assert_eq!(
        failure(inverse.fill(1, &mut [&mut out])),
        (ErrorKind::Arithmetic, singular.clone())
    );
    let x = batch([1.0, 2.0, 2.0, 0.0]);
    for lower in [0, 1] {
        let solve = Call::of(Algorithm::Triangular, &[lower]).with(&x).with(&x);
        assert_eq!(failure(solve.fill(1, &mut [&mut out])).1, singular);
    }
    let x = batch([1.0, 2.0, 2.0, 1.0]);
    let cholesky = Call::of(Algorithm::Cholesky, &[]).with(&x);
    let (kind, said) = failure(cholesky.fill(1, &mut [&mut out]));
    assert_eq!(
        (kind, &said[..]),
        (
            ErrorKind::Arithmetic,
            "the matrix [2] of the batch is not positive definite"
        )
    );
    let nan = array(&[2, 2], [f64::NAN, 0.0, 0.0, 1.0]);
    let mut out = zeros::<f64>(&[2, 2]);
    let cholesky = Call::of(Algorithm::Cholesky, &[]).with(&nan);
    assert_eq!(
        failure(cholesky.fill(1, &mut [&mut out])).1,
        "the matrix is not positive definite"
    );
    let (mut values, mut vectors) = (zeros::<f64>(&[2]), zeros::<f64>(&[2, 2]));
    let eigh = Call::of(Algorithm::Eigh, &[]).with(&nan);
    let (kind, said) = failure(eigh.fill(1, &mut [&mut values, &mut vectors]));
    assert_eq!(
        (kind, &said[..]),
        (
            ErrorKind::Arithmetic,
            "the matrix has an element that is not finite"
        )
    );
    // An LU decomposition has a value for each: that of a matrix with NaN is NaN.
    let mut x = zeros::<f64>(&[2, 2]);
    Call::of(Algorithm::Inverse, &[])
        .with(&nan)
        .fill(1, &mut [&mut x])
        .unwrap();
    assert!(x.values[0].is_nan(), "{x:?}");
}

#[test]
fn batches_broadcast_and_threads_change_nothing() {
    let mut random = Numbers::of(3);
    let a = array(&[5, 1, 24, 24], (0..5 * 24 * 24).map(|_| random.fraction()));
    let b = array(&[4, 24, 6], (0..4 * 24 * 6).map(|_| random.fraction()));
    let solved = |threads| {
        let mut x = zeros::<f64>(&[5, 4, 24, 6]);
        Call::of(Algorithm::Solve, &[])
            .with(&a)
            .with(&b)
            .fill(threads, &mut [&mut x])
            .unwrap();
        x
    };
    let x = solved(1);
    for threads in [2, 7] {
        assert_eq!(x, solved(threads));
    }
    for n in 0..20 {
        let one = |values: &[f64], at: usize, rows: usize, columns: usize| {
            array(
                &[rows as i64, columns as i64],
                values[at * rows * columns..(at + 1) * rows * columns].to_vec(),
            )
        };
        let (a, b) = (one(&a.values, n / 4, 24, 24), one(&b.values, n % 4, 24, 6));
        let mut alone = zeros::<f64>(&[24, 6]);
        Call::of(Algorithm::Solve, &[])
            .with(&a)
            .with(&b)
            .fill(1, &mut [&mut alone])
            .unwrap();
        assert_eq!(alone.values, x.values[n * 24 * 6..(n + 1) * 24 * 6]);
    }
}

#[test]
fn matrices_without_elements_are_fine() {
    for (m, n) in [(0, 0), (0, 3), (3, 0)] {
        let x = zeros::<f64>(&[2, m, n]);
        let (mut q, mut r) = (zeros::<f64>(&[2, m, 0]), zeros::<f64>(&[2, 0, n]));
        Call::of(Algorithm::Qr, &[])
            .with(&x)
            .fill(1, &mut [&mut q, &mut r])
            .unwrap();
        let (mut u, mut s, mut v) = (
            zeros::<f64>(&[2, m, 0]),
            zeros::<f64>(&[2, 0]),
            zeros::<f64>(&[2, 0, n]),
        );
        Call::of(Algorithm::Svd, &[])
            .with(&x)
            .fill(1, &mut [&mut u, &mut s, &mut v])
            .unwrap();
        let mut rank = array(&[2], [9i64, 9]);
        Call::of(Algorithm::Rank, &[])
            .with(&x)
            .fill(1, &mut [&mut rank])
            .unwrap();
        assert_eq!(rank.values, [0, 0]);
        let b = zeros::<f64>(&[2, m, 2]);
        let mut x_of = array(&[2, n, 2], vec![9.0f64; 4 * n as usize]);
        Call::of(Algorithm::LeastSquares, &[])
            .with(&x)
            .with(&b)
            .fill(1, &mut [&mut x_of])
            .unwrap();
        assert!(x_of.values.iter().all(|&value| value == 0.0));
    }
}

/// Threads of Java may have short stacks, whose end no crate asks for.
#[test]
fn a_short_stack_is_enough() {
    let short = std::thread::Builder::new().stack_size(256 << 10).spawn(|| {
        let mut random = Numbers::of(9);
        let (m, n) = (260, 260);
        let x = array(&[m, n], (0..m * n).map(|_| random.fraction()));
        let (mut u, mut s, mut v) = (
            zeros::<f64>(&[m, n]),
            zeros::<f64>(&[n]),
            zeros::<f64>(&[n, n]),
        );
        Call::of(Algorithm::Svd, &[])
            .with(&x)
            .fill(1, &mut [&mut u, &mut s, &mut v])
            .unwrap();
        let (mut values, mut vectors) = (zeros::<f64>(&[n]), zeros::<f64>(&[n, n]));
        Call::of(Algorithm::Eigh, &[])
            .with(&x)
            .fill(1, &mut [&mut values, &mut vectors])
            .unwrap();
        let mut inverse = zeros::<f64>(&[n, n]);
        Call::of(Algorithm::Inverse, &[])
            .with(&x)
            .fill(1, &mut [&mut inverse])
            .unwrap();
        let mut transformed = zeros::<f64>(&[m, n / 2 + 1, 2]);
        Call::of(Algorithm::RealFft, &[n])
            .with(&x)
            .fill(1, &mut [&mut transformed])
            .unwrap();
        s.values[0]
    });
    assert!(short.unwrap().join().unwrap() > 1.0);
}
