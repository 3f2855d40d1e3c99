//! Recurrences over rows of different lengths.

use std::slice::from_ref;

use tensornio_compute::threads;

use crate::given::{dense, fault, longs, one, ragged, ragged_longs, run, sparse, Given};
use crate::random::Random;

fn close(a: &[f64], b: &[f64], text: &str) {
    assert_eq!(a.len(), b.len(), "{text}: {a:?} {b:?}");
    for (x, y) in a.iter().zip(b) {
        let scale = x.abs().max(y.abs()).max(1.0);
        assert!((x - y).abs() <= 1e-9 * scale, "{text}: {a:?} is not {b:?}");
    }
}

#[test]
fn sums_of_rows_from_both_ends() {
    let x = ragged(&[&[1.0, 2.0, 3.0], &[], &[4.0], &[5.0, 6.0]]);
    let up = one("scan t; y[i,t] = y[i,t-1] + x[i,t]; end", from_ref(&x));
    assert_eq!(up, ragged(&[&[1.0, 3.0, 6.0], &[], &[4.0], &[5.0, 11.0]]));
    let down = one("scan t down; y[i,t] = y[i,t+1] + x[i,t]; end", from_ref(&x));
    assert_eq!(down, ragged(&[&[6.0, 5.0, 3.0], &[], &[4.0], &[11.0, 6.0]]));
    let given = "scan t in 0:len(x,i); y[i,t] = 2*y[i,t-1]; init y = 1; end";
    assert_eq!(
        one(given, &[x]),
        ragged(&[&[2.0, 4.0, 8.0], &[], &[2.0], &[2.0, 4.0]])
    );
}

#[test]
fn the_gradient_of_the_worked_example_in_each_row() {
    // w = 2: y of the first row is [2, 5, 11] from y0 = 0.5; of the last one [1] from 0.
    let text = "scan t; y[i,t] = w*y[i,t-1] + x[i,t]; init y = y0; end; e += y[i,t]; gradient e by y, x, w, y0";
    let x = ragged(&[&[1.0, 1.0, 1.0], &[], &[1.0]]);
    let made = run(
        text,
        &[Given::Number(2.0), x, dense(&[3], &[0.5, 9.0, 0.0])],
    )
    .expect(text);
    assert_eq!(made[0], dense(&[], &[19.0]));
    assert_eq!(made[1], ragged(&[&[7.0, 3.0, 1.0], &[], &[1.0]]));
    assert_eq!(made[2], ragged(&[&[7.0, 3.0, 1.0], &[], &[1.0]]));
    assert_eq!(made[3], dense(&[], &[14.5]));
    assert_eq!(made[4], dense(&[3], &[14.0, 0.0, 2.0]));
}

/// Ragged of shape (n, -1, k), or (n, -1) if k is 0.
fn rows(random: &mut Random, lengths: &[i64], k: i64) -> Given {
    let mut splits = vec![0];
    for length in lengths {
        splits.push(splits[splits.len() - 1] + length);
    }
    let count = splits[splits.len() - 1] * k.max(1);
    let values = (0..count).map(|_| random.value()).collect();
    let (mut shape, mut all) = (vec![lengths.len() as i64, -1], vec![None, Some(splits)]);
    if k > 0 {
        shape.push(k);
        all.push(None);
    }
    Given::Ragged(shape, all, values)
}

/// The row of a ragged or dense tensor, without the axis of the rows.
fn row(of: &Given, at: usize) -> Given {
    match of {
        Given::Ragged(shape, splits, values) => {
            let splits = splits[1].as_ref().expect("rows");
            let inner: i64 = shape[2..].iter().product();
            let (first, end) = (splits[at] * inner, splits[at + 1] * inner);
            let mut shape = shape[1..].to_vec();
            shape[0] = splits[at + 1] - splits[at];
            dense(&shape, &values[first as usize..end as usize])
        }
        Given::RaggedLongs(splits, values) => {
            let (first, end) = (splits[at], splits[at + 1]);
            longs(&[end - first], &values[first as usize..end as usize])
        }
        Given::Dense(shape, values) => {
            let inner: i64 = shape[1..].iter().product();
            let first = at * inner as usize;
            dense(&shape[1..], &values[first..first + inner as usize])
        }
        other => other.clone(),
    }
}

fn values(of: &Given) -> Vec<f64> {
    match of {
        Given::Dense(_, values) | Given::Ragged(_, _, values) | Given::Sparse(_, _, values) => {
            values.clone()
        }
        Given::Number(number) => vec![*number],
        Given::Longs(_, values) | Given::RaggedLongs(_, values) => {
            values.iter().map(|&value| value as f64).collect()
        }
        Given::Bools(..) => Vec::new(),
    }
}

/// x is (n,-1,3), s (n,-1), h0 (n,3), U (3,3), word (n,-1) of integers below 4, T (4,3).
fn inputs(random: &mut Random, lengths: &[i64], names: &str) -> Vec<Given> {
    let n = lengths.len();
    let mut some = |count: usize| -> Vec<f64> { (0..count).map(|_| random.value()).collect() };
    let (u, table, first) = (some(9), some(12), some(3 * n));
    names
        .split_whitespace()
        .map(|name| match name {
            "x" => rows(random, lengths, 3),
            "s" => rows(random, lengths, 0),
            "h0" => dense(&[n as i64, 3], &first),
            "U" => dense(
                &[3, 3],
                &u.iter().map(|value| value * 0.3).collect::<Vec<_>>(),
            ),
            "T" => dense(&[4, 3], &table),
            "w" => Given::Number(0.5),
            _ => {
                let Given::Ragged(_, splits, values) = rows(random, lengths, 0) else {
                    return Given::Number(0.0);
                };
                let words = values.iter().map(|_| random.below(4) as i64).collect();
                Given::RaggedLongs(splits[1].clone().unwrap_or_default(), words)
            }
        })
        .collect()
}

/// Names of inputs, the program over rows, and the same for one row.
const CASES: [(&str, &str, &str); 9] = [
    ("s", "scan t; y[i,t] = 0.5*y[i,t-1] + s[i,t]; end", "scan t; y[t] = 0.5*y[t-1] + s[t]; end"),
    (
        "x",
        "scan t down; y[i,t,k] = tanh(y[i,t+1,k] + x[i,t,k]); init y = 0.5; end",
        "scan t down; y[t,k] = tanh(y[t+1,k] + x[t,k]); init y = 0.5; end",
    ),
    (
        "U x h0",
        "scan t; a[i,t,k] += U[k,j]*h[i,t-1,j]; h[i,t,k] = tanh(a[i,t,k] + x[i,t,k]); init h = h0; end; return h",
        "scan t; a[t,k] += U[k,j]*h[t-1,j]; h[t,k] = tanh(a[t,k] + x[t,k]); init h = h0; end; return h",
    ),
    (
        "U x h0",
        "scan t down; a[i,t,k] += U[k,j]*h[i,t+1,j]; h[i,t,k] = tanh(a[i,t,k] + x[i,t,k]); \
         g[i,t,k] = g[i,t+1,k] + h[i,t,k]*a[i,t,k]; init h = h0; end; return a, h, g",
        "scan t down; a[t,k] += U[k,j]*h[t+1,j]; h[t,k] = tanh(a[t,k] + x[t,k]); g[t,k] = g[t+1,k] + h[t,k]*a[t,k]; init h = h0; end; return a, h, g",
    ),
    (
        "w T word",
        "scan t; y[i,t,d] = w*y[i,t-1,d] + T[word[i,t],d]; end",
        "scan t; y[t,d] = w*y[t-1,d] + T[word[t],d]; end",
    ),
    (
        "x",
        "scan t; m[i,t] max= x[i,t,k]; y[i,t] = max(0.9*y[i,t-1], m[i,t]); z[i,t] = y[i,t] + guard(0 <= t-2, x[i,t-2,0]); end; return y, z",
        "scan t; m[t] max= x[t,k]; y[t] = max(0.9*y[t-1], m[t]); z[t] = y[t] + guard(0 <= t-2, x[t-2,0]); end; return y, z",
    ),
    (
        "s",
        "scan t in 0:len(s,i); y[i,t] = 0.5*y[i,t-1] + s[i,len(s,i)-1-t]; end; scan u down; z[i,u] = z[i,u+1]*0.5 + y[i,u]; end; return z",
        "scan t in 0:size(s,0); y[t] = 0.5*y[t-1] + s[size(s,0)-1-t]; end; scan u down; z[u] = z[u+1]*0.5 + y[u]; end; return z",
    ),
    (
        "s",
        "p[i,t] = s[i,t]*2; scan t; y[i,t] = 0.5*y[i,t-1] + p[i,t]*s[i,t]; end; q[i,t] = y[i,t] + p[i,t]; return q",
        "p[t] = s[t]*2; scan t; y[t] = 0.5*y[t-1] + p[t]*s[t]; end; q[t] = y[t] + p[t]; return q",
    ),
    (
        "x",
        "scan t; y[i,t,k] = y[i,t-1,k]*0.5 + x[i,t,k]; y[i,t,k] = y[i,t,k] * 2 - y[i,t-1,k]; end; return y",
        "scan t; y[t,k] = y[t-1,k]*0.5 + x[t,k]; y[t,k] = y[t,k] * 2 - y[t-1,k]; end; return y",
    ),
];

/// Lengths of rows: some empty, one long.
fn lengths(random: &mut Random) -> Vec<i64> {
    let n = random.below(6);
    let mut lengths: Vec<i64> = (0..n).map(|_| random.below(5) as i64).collect();
    if n > 0 && random.below(3) == 0 {
        lengths[random.below(n)] = 40;
    }
    lengths
}

#[test]
fn each_row_is_that_of_a_dense_program() {
    let mut random = Random::new(7);
    for round in 0..12 {
        for (names, text, alone) in CASES {
            let lengths = lengths(&mut random);
            let given = inputs(&mut random, &lengths, names);
            let made = run(text, &given).unwrap_or_else(|error| panic!("{text}: {error:?}"));
            for at in 0..lengths.len() {
                let of_row: Vec<Given> = names
                    .split_whitespace()
                    .zip(&given)
                    .map(|(name, each)| match name {
                        "U" | "T" | "w" => each.clone(),
                        _ => row(each, at),
                    })
                    .collect();
                let expected =
                    run(alone, &of_row).unwrap_or_else(|error| panic!("{alone}: {error:?}"));
                for (made, expected) in made.iter().zip(&expected) {
                    close(
                        &values(&row(made, at)),
                        &values(expected),
                        &format!("{round}: {text}"),
                    );
                }
            }
        }
    }
}

#[test]
fn gradients_are_those_of_differences() {
    let mut random = Random::new(8);
    for round in 0..4 {
        for (names, text, _) in CASES {
            let lengths = match round {
                0 => vec![2, 0, 3],
                _ => lengths(&mut random),
            };
            let given = inputs(&mut random, &lengths, names);
            let (body, returned) = match text.split_once("; return ") {
                Some((body, names)) => (body, names.split(',').next_back().unwrap_or("y").trim()),
                None => (text, "y"),
            };
            let axes = if body.contains(&format!("{returned}[i,t,")) {
                "i,t,k"
            } else {
                "i,t"
            };
            let axes = axes.replace(
                "t",
                if returned == "z" && body.contains("scan u") {
                    "u"
                } else {
                    "t"
                },
            );
            let energy = format!("{body}; e += {returned}[{axes}]*{returned}[{axes}]");
            let by: Vec<&str> = names
                .split_whitespace()
                .filter(|&name| name != "word")
                .collect();
            let program = format!("{energy}; gradient e by {}", by.join(", "));
            let made = run(&program, &given).unwrap_or_else(|error| panic!("{program}: {error:?}"));
            let value = |given: &[Given]| {
                let text = format!("{energy}; return e");
                values(&run(&text, given).unwrap_or_else(|error| panic!("{text}: {error:?}"))[0])[0]
            };
            for (number, name) in by.iter().enumerate() {
                let at = names
                    .split_whitespace()
                    .position(|other| other == *name)
                    .unwrap_or(0);
                let gradient = values(&made[number + 1]);
                assert_eq!(gradient.len(), values(&given[at]).len(), "{program}");
                for element in 0..gradient.len().min(6) {
                    let moved = |by: f64| {
                        let mut given = given.clone();
                        match &mut given[at] {
                            Given::Dense(_, values) | Given::Ragged(_, _, values) => {
                                values[element] += by
                            }
                            Given::Number(number) => *number += by,
                            _ => {}
                        }
                        value(&given)
                    };
                    let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                    let scale = difference.abs().max(1.0);
                    assert!(
                        (gradient[element] - difference).abs() <= 1e-5 * scale,
                        "{program}: by {name}, element {element}: {} is not {difference}; {given:?}",
                        gradient[element]
                    );
                }
            }
        }
    }
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let mut random = Random::new(9);
    let lengths: Vec<i64> = (0..300).map(|_| random.below(40) as i64).collect();
    for (names, text, _) in CASES {
        let given = inputs(&mut random, &lengths, names);
        let on = |count| threads::in_threads(count, || run(text, &given).expect(text));
        let first = on(1);
        assert!(first == on(2) && first == on(7), "{text}");
    }
}

#[test]
fn rows_within_rows() {
    // x[i] has rows j, each with steps.
    let x = Given::Ragged(
        vec![2, -1, -1],
        vec![None, Some(vec![0, 2, 3]), Some(vec![0, 2, 2, 3])],
        vec![1.0, 2.0, 5.0],
    );
    let text = "scan t; y[i,j,t] = y[i,j,t-1] + x[i,j,t]; init y = y0; end; e += y[i,j,t]; gradient e by x, y0";
    let first = Given::Ragged(
        vec![2, -1],
        vec![None, Some(vec![0, 2, 3])],
        vec![10.0, 20.0, 30.0],
    );
    let made = run(text, &[x, first.clone()]).expect(text);
    assert_eq!(made[0], dense(&[], &[11.0 + 13.0 + 35.0]));
    let Given::Ragged(shape, _, of_x) = &made[1] else {
        panic!("{made:?}")
    };
    assert_eq!(
        (&shape[..], &of_x[..]),
        (&[2, -1, -1][..], &[2.0, 1.0, 1.0][..])
    );
    assert_eq!(values(&made[2]), [2.0, 0.0, 1.0]);
}

#[test]
fn the_number_of_a_row_counts() {
    let x = ragged(&[&[1.0, 2.0], &[3.0], &[4.0, 5.0, 6.0]]);
    let of_value = one("scan t; y[i,t] = y[i,t-1] + x[i,t]*i; end", from_ref(&x));
    assert_eq!(of_value, ragged(&[&[0.0, 0.0], &[3.0], &[8.0, 18.0, 30.0]]));
    let before = "scan t; y[i,t] = y[i,t-1] + x[i,t] + guard(0 <= i-1, v[i-1]); end";
    let guarded = one(before, &[x.clone(), dense(&[3], &[10.0, 20.0, 30.0])]);
    assert_eq!(
        guarded,
        ragged(&[&[1.0, 3.0], &[13.0], &[24.0, 49.0, 75.0]])
    );
    let mixed = "scan t; y[i,t] = y[i,t-1] + x[i,t]*v[i+t]; end";
    assert_eq!(
        one(mixed, &[x, dense(&[5], &[1.0, 2.0, 3.0, 4.0, 5.0])]),
        ragged(&[&[1.0, 5.0], &[6.0], &[12.0, 32.0, 62.0]])
    );
}

#[test]
fn dense_recurrences_among_ragged_statements() {
    let x = ragged(&[&[1.0, 2.0], &[], &[3.0]]);
    let text = "s[i] += x[i,t]; scan i; c[i] = c[i-1] + s[i]; end; y[i,t] = x[i,t]*c[i]; e += y[i,t]; gradient e by x";
    let made = run(text, &[x]).expect(text);
    // e = s0*s0 + s2*(s0+s2), with s0 = 3 and s2 = 3.
    assert_eq!(made[0], dense(&[], &[27.0]));
    assert_eq!(made[1], ragged(&[&[9.0, 9.0], &[], &[9.0]]));
}

#[test]
fn rows_that_an_index_looks_up() {
    let x = ragged(&[&[1.0, 2.0], &[], &[3.0]]);
    let text = "scan t; y[k,t] = y[k,t-1] + x[at[k],t]; end";
    assert_eq!(
        one(text, &[x, longs(&[3], &[2, 0, 1])]),
        ragged(&[&[3.0], &[1.0, 3.0], &[]])
    );
}

#[test]
fn what_cannot_be_had_is_refused() {
    let x = ragged(&[&[1.0, 2.0], &[], &[3.0]]);
    let longer = ragged(&[&[1.0, 2.0], &[], &[3.0, 4.0]]);
    let of = |text: &str, given: &[Given]| fault(text, given);
    assert_eq!(
        of("scan t; y[t,i] = y[t-1,i] + x[i,t]; end", from_ref(&x)),
        "y: i selects no row of x, which is ragged: in a scan an index before a ragged axis is of loops alone that stand before t on the left side"
    );
    assert_eq!(
        of(
            "scan t; y[i,t] = y[i,t-1] + x[i,t] + z[i,t]; end",
            &[x.clone(), longer]
        ),
        "scan t: index t is 1 by x axis 1 and 2 by z axis 1 in row 2"
    );
    assert_eq!(
        of("scan t; y[i,t] += y[k,t-1] * x[i,t] where k in 0:2; end", from_ref(&x)),
        "y: y is defined by the scan row by row, and read there at [i,...] only; read others after the scan"
    );
    assert_eq!(
        of(
            "scan t; a[i,t] = x[i,t]; y[k,t] = y[k,t-1] + a[k,t]; end",
            from_ref(&x)
        ),
        "y: k stands where i does in a; the loops of a row have the same names in all of the scan"
    );
    assert_eq!(
        of("scan t; a[i,t] = x[i,t]; y[t] += y[t-1] + 0*i where i in 0:3; end", from_ref(&x)),
        "y: the range of t depends on the row, so it is on the same axis of all that the scan defines, behind the loops of the row"
    );
    assert_eq!(
        of("scan t; y[i,t] = y[i,t-1] + x[i,t] where y[3,2]; end", from_ref(&x)),
        "y: where gives the shape of y, whose rows have as many steps as t; give the ranges of its loops in place of it"
    );
    assert_eq!(
        of(
            "scan t; y[i,t] = y[i,t-1] + x[i,t] * 2; init y = h; end",
            &[x.clone(), dense(&[2], &[1.0, 2.0])]
        ),
        "scan t: index i is 3 by x axis 0 and 2 by h axis 0"
    );
    assert_eq!(
        of(
            "scan t; y[i,t] = y[i,t-1] + T[w[i,t]]; end",
            &[dense(&[2], &[1.0, 2.0]), ragged_longs(&[&[0, 1], &[5]])]
        ),
        "y: T axis 0 of length 2 would be read at 5, by w[0,0] = 5"
    );
    assert_eq!(
        of(
            "scan t; y[i,t] = y[i,t-1] + x[at[i],t]; end",
            &[x, longs(&[2], &[0, 7])]
        ),
        "scan t: x axis 0 of length 3 would be read at 7"
    );
}

#[test]
fn gradients_of_gradients() {
    let x = ragged(&[&[0.5, -0.25, 1.0], &[], &[0.75]]);
    let first = dense(&[3], &[0.5, 1.0, -0.5]);
    let energy = "scan t; y[i,t] = tanh(w*y[i,t-1] + x[i,t]); init y = y0; end; e += y[i,t]*y[i,t]; gradient e by x, w; \
                  g += dx[i,t]*dx[i,t]*x[i,t]; h = g + dw*dw";
    let by = format!("{energy}; gradient h by x, w, y0");
    let given = [Given::Number(0.7), x, first];
    let made = run(&by, &given).expect(energy);
    for (at, gradient) in [(1, &made[1]), (0, &made[2]), (2, &made[3])] {
        let gradient = values(gradient);
        for (element, &found) in gradient.iter().enumerate() {
            let moved = |by: f64| {
                let mut given = given.clone();
                match &mut given[at] {
                    Given::Dense(_, values) | Given::Ragged(_, _, values) => values[element] += by,
                    Given::Number(number) => *number += by,
                    _ => {}
                }
                values(&run(&format!("{energy}; return h"), &given).expect(energy)[0])[0]
            };
            let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            assert!(
                (found - difference).abs() < 1e-6,
                "{at} {element}: {found} is not {difference}"
            );
        }
    }
}

#[test]
fn rows_beyond_what_an_operand_has() {
    let x = ragged(&[&[1.0, 2.0], &[], &[3.0]]);
    let fewer = "scan t; y[i,t] = y[i,t-1] + x[i,t] where i in 0:2; end";
    assert_eq!(one(fewer, from_ref(&x)), ragged(&[&[1.0, 3.0], &[]]));
    let more = "scan t; y[i,t] = y[i,t-1] + x[i,t] where i in 0:5; end";
    let message = fault(more, from_ref(&x));
    assert!(
        message.contains("x axis 0 of length 3 would be read at 3"),
        "{message}"
    );
}

/// What steps begin with is a part of a tensor that has it, and no memory behind it.
#[test]
fn first_values_are_slices() {
    let ragged = ragged(&[&[1.0, 2.0], &[], &[], &[]]);
    let scan = |target: &str, before: &str, given: &str| {
        format!("scan t in 0:2; h[{target}] = h[{before}] + 1{given}; init h = x; end; return h")
    };
    for (target, before, given) in [
        ("t,i,k", "t-1,i,k", ""),
        ("t,i,k", "t-1,i,k", " where i in 0:4, k in 0:2"),
        ("t,b,i,k", "t-1,b,i,k", " where b in 0:2"),
    ] {
        let text = scan(target, before, given);
        assert_eq!(
            fault(&text, from_ref(&ragged)),
            "init h: x is ragged, and its rows are not those of h: the loops before its ragged axis are those before t on the left side"
        );
    }
    for entries in [&[][..], &[(0, 1, 5.0)]] {
        let x = sparse(&[2, 2], entries);
        for given in ["", " where i in 0:2, k in 0:2"] {
            let text = scan("t,i,k", "t-1,i,k", given);
            assert_eq!(
                fault(&text, from_ref(&x)),
                "init h: x is sparse, and a scan reads dense and ragged tensors only; toDense() makes one of it"
            );
        }
    }
    // Of the same rows: a ragged axis behind the steps is as long in all of them.
    let x = super::given::ragged(&[&[1.0, 2.0], &[3.0, 4.0]]);
    assert_eq!(
        one(&scan("i,t,k", "i,t-1,k", ""), &[x]),
        dense(&[2, 2, 2], &[2.0, 3.0, 3.0, 4.0, 4.0, 5.0, 5.0, 6.0])
    );
}

#[test]
fn rest_in_a_scan_stands_for_the_axes_of_rows() {
    let mut random = Random::new(17);
    for lengths in [vec![3, 0, 2], vec![1], vec![]] {
        let n = lengths.len() as i64;
        let x = rows(&mut random, &lengths, 2);
        let h = dense(&[n, 2], &vec![0.5; 2 * n as usize]);
        for (open, closed, given) in [
            (
                "scan t; y[i,t,...] = 2 * y[i,t-1,...] + x[i,t,...]; end",
                "scan t; y[i,t,k] = 2 * y[i,t-1,k] + x[i,t,k]; end",
                vec![x.clone()],
            ),
            (
                "scan t down; a[i,t,...] = x[i,t,...] * g[...]; y[i,t,...] = y[i,t+1,...] * a[i,t,...]; init y = h; end
                e += y[i,t,k]; gradient e by x, h",
                "scan t down; a[i,t,k] = x[i,t,k] * g[k]; y[i,t,k] = y[i,t+1,k] * a[i,t,k]; init y = h; end
                e += y[i,t,k]; gradient e by x, h",
                vec![x.clone(), dense(&[2], &[1.5, -0.5]), h.clone()],
            ),
            (
                "scan t; s[i,t] += s[i,t-1] + x[i,t,...]; end; z[...] = s[...]",
                "scan t; s[i,t] += s[i,t-1] + x[i,t,k]; end; z[i,t] = s[i,t]",
                vec![x.clone()],
            ),
            (
                "scan t; y[i,t,k] = x[i,t,0] * g[k] where k in 0:2; a[i,t] += y[i,t,...]; end; z[...] = a[...]",
                "scan t; y[i,t,k] = x[i,t,0] * g[k] where k in 0:2; a[i,t] += y[i,t,k]; end; z[i,t] = a[i,t]",
                vec![x.clone(), dense(&[5], &[1.0, 2.0, 3.0, 4.0, 5.0])],
            ),
        ] {
            let made = run(open, &given).unwrap_or_else(|error| panic!("{open}: {error:?}"));
            let wanted = run(closed, &given).unwrap_or_else(|error| panic!("{closed}: {error:?}"));
            assert_eq!(made, wanted, "{open}");
        }
    }
}

#[test]
fn rest_in_a_scan_that_nothing_gives_is_refused() {
    let x = ragged(&[&[1.0, 2.0], &[], &[3.0]]);
    let given = [x, dense(&[2], &[1.0, 2.0]), dense(&[3], &[1.0; 3])];
    assert_eq!(
        fault(
            "scan t; y[i,t,k] = x[i,t] * k where k in 0:size(x,0)-1; a[i,t] += y[i,t,...]; end",
            &given[..1],
        ),
        "a: `...` of y has an axis whose length is not known before the scan has run; write the axes out"
    );
    assert_eq!(
        fault(
            "scan t; y[i,t,...] = y[i,t-1,...] + x[i,t] * g[...] * f[...]; end",
            &given
        ),
        "y: axis -1 of ... is 2 by g and 3 by f"
    );
}
