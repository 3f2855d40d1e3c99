//! Which statements are one sweep over rows, and what of them is none after all: coordinates outside of an axis are faults as on any other way.

use super::given::{dense, fault, one, ragged, ragged_longs, run, sparse, Given};
use tensornio_compute::stored::swept;

/// A sparse matrix, a ragged one, words of the same rows, and dense tensors.
fn inputs(names: &str) -> Vec<Given> {
    let of = |name| match name {
        'S' => sparse(&[3, 3], &[(0, 0, 2.0), (0, 2, 3.0), (2, 1, -1.0)]),
        'R' => ragged(&[&[1.0, 2.0, 4.0], &[], &[3.0]]),
        'W' => ragged_longs(&[&[1, 0, 1], &[], &[2]]),
        'v' => dense(&[3], &[10.0, 20.0, 30.0]),
        'X' => dense(&[3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        _ => dense(&[3, 2], &[1.0, 0.0, 1.0, 1.0, 0.0, 1.0]),
    };
    names.chars().map(of).collect()
}

#[test]
fn common_sums_are_sweeps() {
    let minus = f64::NEG_INFINITY;
    for (text, names, wanted) in [
        ("y[i] += S[i,j] * v[j]", "Sv", &[110.0, 0.0, -20.0][..]),
        ("y[j] += S[i,j] * v[i]", "Sv", &[20.0, -30.0, 30.0]),
        (
            "y[i,d] += S[i,j] * X[j,d]",
            "SX",
            &[17.0, 22.0, 0.0, 0.0, -3.0, -4.0],
        ),
        (
            "y[j,d] += S[i,j] * X[i,d]",
            "SX",
            &[2.0, 4.0, -5.0, -6.0, 3.0, 6.0],
        ),
        (
            "sparse y[i,j] += S[i,j] * X[i,d] * Y[j,d]",
            "SXY",
            &[2.0, 6.0, -11.0],
        ),
        ("sparse y[i,k] += S[i,j] * T[j,k]", "SS", &[4.0, -3.0, 6.0]),
        ("y[i] += R[i,j]", "R", &[7.0, 0.0, 3.0]),
        ("y[i] += v[i] * 0.5 * R[i,j]", "vR", &[35.0, 0.0, 45.0]),
        ("y[i] += R[i,j] * R[i,j]", "R", &[21.0, 0.0, 9.0]),
        ("m[i] max= R[i,j]", "R", &[4.0, minus, 3.0]),
        (
            "m[i] max= S[i,j] where stored(S[i,j])",
            "S",
            &[3.0, minus, -1.0],
        ),
        (
            "e[i,d] += T[W[i,j],d]",
            "XW",
            &[7.0, 10.0, 0.0, 0.0, 5.0, 6.0],
        ),
        (
            "e[i,d] += T[W[i,j],d] * R[i,j]",
            "XWR",
            &[17.0, 24.0, 0.0, 0.0, 15.0, 18.0],
        ),
        ("e[i] += t[W[i,j]]", "vW", &[50.0, 0.0, 30.0]),
        ("e[i] += R[i,j] * t[W[i,j]]", "RvW", &[120.0, 0.0, 90.0]),
    ] {
        let before = swept();
        let made = one(text, &inputs(names));
        assert_eq!(swept() - before, 1, "{text}");
        let (Given::Dense(_, values) | Given::Sparse(_, _, values)) = &made else {
            panic!("{text}: {made:?}");
        };
        assert_eq!(values, wanted, "{text}");
    }
}

#[test]
fn soft_maxima_and_gradients_of_bags_are_sweeps() {
    let before = swept();
    let text = "m[i] max= R[i,j]; x[i,j] = exp(R[i,j] - m[i]); z[i] += x[i,j]; y[i,j] = x[i,j] / z[i]; return y";
    one(text, &inputs("R"));
    assert_eq!(swept() - before, 4);
    let before = swept();
    let made = run("e[i,d] += T[W[i,j],d]; gradient e by T", &inputs("XW")).unwrap();
    assert_eq!(swept() - before, 2);
    let counts = vec![1.0, 1.0, 2.0, 2.0, 1.0, 1.0];
    assert_eq!(made[1], Given::Dense(vec![3, 2], counts));
}

#[test]
fn what_is_outside_is_a_fault_and_no_sweep() {
    let words = ragged_longs(&[&[1, 0], &[3]]);
    let before = swept();
    let all = [dense(&[3, 2], &[0.0; 6]), words];
    for text in [
        "e[i,d] += T[W[i,j],d]",
        "e[W[i,j],d] += T[i,d] where e[3,2]",
    ] {
        let mut all = all.to_vec();
        if text.starts_with("e[W") {
            all.reverse();
            all[1] = dense(&[2, 2], &[0.0; 4]);
        }
        let fault = fault(text, &all);
        assert!(fault.contains("W[1,0] = 3"), "{fault}");
    }
    assert_eq!(swept(), before);
}

#[test]
fn other_statements_are_none() {
    for (text, names) in [
        ("y += R[i,j]", "R"),
        ("y[i] += exp(R[i,j])", "R"),
        ("y[i] *= R[i,j]", "R"),
        ("m[i] max= S[i,j]", "S"),
        ("m max= R[i,j]", "R"),
        ("y[d,i] += S[i,j] * X[j,d]", "SX"),
    ] {
        let before = swept();
        let _ = run(text, &inputs(names));
        assert_eq!(swept(), before, "{text}");
    }
}

/// Enough points for threads to share rows, of which some are empty.
#[test]
fn sweeps_have_the_same_bits_on_any_number_of_threads() {
    let n = 600;
    let value = |k: usize| ((k * 7919) % 1009) as f64 / 7.0;
    let inputs = |names: &str| -> Vec<Given> {
        let length = |i: usize| (i * 37) % 190;
        let mut splits = vec![0i64];
        for i in 0..n {
            splits.push(splits[i] + length(i) as i64);
        }
        let count = splits[n] as usize;
        let of = |name| match name {
            'S' | 'T' => {
                let entries: Vec<(i64, i64, f64)> = (0..n * n)
                    .filter(|k| k % 7 == 0 && k / n % 5 != 2)
                    .map(|k| ((k / n) as i64, (k % n) as i64, value(k)))
                    .collect();
                sparse(&[n as i64, n as i64], &entries)
            }
            'R' => {
                let splits = vec![None, Some(splits.clone())];
                Given::Ragged(vec![n as i64, -1], splits, (0..count).map(value).collect())
            }
            'W' => {
                let words = (0..count).map(|k| (k * 31 % n) as i64).collect();
                Given::RaggedLongs(splits.clone(), words)
            }
            'v' => dense(&[n as i64], &(0..n).map(value).collect::<Vec<_>>()),
            _ => dense(&[n as i64, 3], &(0..3 * n).map(value).collect::<Vec<_>>()),
        };
        names.chars().map(of).collect()
    };
    for (text, names) in [
        ("y[i] += S[i,j] * v[j]", "Sv"),
        ("y[j] += S[i,j] * v[i]", "Sv"),
        ("y[i,d] += S[i,j] * X[j,d]", "SX"),
        ("sparse y[i,j] += S[i,j] * X[i,d] * Y[j,d]", "SXY"),
        ("sparse y[i,k] += S[i,j] * T[j,k]", "ST"),
        ("y[i] += R[i,j]", "R"),
        ("m[i] max= R[i,j]; x[i,j] = exp(R[i,j] - m[i])", "R"),
        ("e[i,d] += T[W[i,j],d]", "XW"),
    ] {
        let made = |threads: usize| {
            let run = || run(text, &inputs(names)).unwrap();
            format!("{:?}", tensornio_compute::threads::in_threads(threads, run))
        };
        let one = made(1);
        assert!(one == made(2) && one == made(7), "{text}");
    }
}

/// Coordinates of the next rows are read before they are checked, to fetch what they lead to.
#[test]
fn what_is_fetched_ahead_is_no_overflow() {
    for far in [i64::MAX, i64::MIN, i64::MAX / 3] {
        let words = ragged_longs(&[&[1; 12], &[far, 0]]);
        let weights = ragged(&[&[1.0; 12], &[2.0, 3.0]]);
        let lines = dense(&[3, 40], &[1.0; 120]);
        let others = dense(&[2, 40], &[1.0; 80]);
        for (text, given) in [
            ("y[i,d] += X[W[i,j],d]", vec![lines.clone(), words.clone()]),
            (
                "y[i,d] += R[i,j] * X[W[i,j],d]",
                vec![weights.clone(), lines.clone(), words.clone()],
            ),
            (
                "y[i,j] += X[W[i,j],d] * L[i,d]",
                vec![lines.clone(), words.clone(), others],
            ),
        ] {
            assert_eq!(
                fault(text, &given),
                format!("y: X axis 0 of length 3 would be read at {far}, by W[1,0] = {far}")
            );
        }
    }
}
