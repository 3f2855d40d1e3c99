//! Gradients of random programs over ragged and sparse tensors against differences: how much a result changes with each element.

use super::given::{run_on, Given};
use super::random::{expression, Random};
use tensornio_compute::stored::Tensor;
use tensornio_compute::Program;

/// A program that ends in `e`, the names by which it is differentiated, and its inputs.
struct Case {
    text: String,
    by: Vec<&'static str>,
    inputs: Vec<(&'static str, Given)>,
}

/// A value in no particular place, so that few programs have a corner there.
fn value(random: &mut Random) -> f64 {
    let value = (1 + random.below(1_000_000)) as f64 / 500_000.0;
    value * if random.below(2) == 0 { 1.0 } else { -1.0 }
}

fn values(random: &mut Random, n: usize) -> Vec<f64> {
    (0..n).map(|_| value(random)).collect()
}

fn dense(random: &mut Random, shape: &[usize]) -> Given {
    let count = shape.iter().product();
    let shape = shape.iter().map(|&n| n as i64).collect();
    Given::Dense(shape, values(random, count))
}

fn splits(random: &mut Random, rows: usize) -> Vec<i64> {
    let most = [1, 3, 6][random.below(3)];
    let mut splits = vec![0];
    for row in 0..rows {
        splits.push(splits[row] + random.below(most + 1) as i64);
    }
    splits
}

fn ragged(random: &mut Random, splits: &[i64]) -> Given {
    let rows = splits.len() - 1;
    let count = splits[rows] as usize;
    Given::Ragged(
        vec![rows as i64, -1],
        vec![None, Some(splits.to_vec())],
        values(random, count),
    )
}

fn sparse(random: &mut Random, shape: [usize; 2]) -> Given {
    let filled = [0, 20, 50, 100][random.below(4)];
    let mut coordinates = Vec::new();
    for i in 0..shape[0] as i64 {
        for j in 0..shape[1] as i64 {
            if random.below(100) < filled {
                coordinates.extend([i, j]);
            }
        }
    }
    let values = values(random, coordinates.len() / 2);
    Given::Sparse(vec![shape[0] as i64, shape[1] as i64], coordinates, values)
}

/// Some of the statements, and the sum of what they define.
fn some(random: &mut Random, statements: &[(String, &str)]) -> String {
    let mut text: Vec<String> = Vec::new();
    let mut ends = Vec::new();
    for (statement, end) in statements {
        if end.is_empty() {
            text.push(statement.clone());
        } else if random.below(3) > 0 {
            text.push(statement.clone());
            ends.push(*end);
        }
    }
    text.push("e0 = 0.5 * one".to_owned());
    for (n, end) in ends.iter().enumerate() {
        text.push(format!("f{n} += {end}"));
    }
    let sum: Vec<String> = (0..ends.len()).map(|n| format!("f{n}")).collect();
    text.push(format!(
        "e = {}",
        [vec!["e0".to_owned()], sum].concat().join(" + ")
    ));
    text.join("\n")
}

fn ragged_case(random: &mut Random) -> Case {
    let n = 1 + random.below(5);
    let rows = splits(random, n);
    let count = rows[n] as usize;
    let terms = [
        "R[i,j]",
        "Q[i,j]",
        "x[i]",
        "len(R,i) * x[i]",
        "T[word[i,j]]",
        "0.5",
    ];
    let a = expression(random, &terms, 3);
    let b = expression(random, &["a[i,j]", "R[i,j]", "x[i]"], 2);
    let statement = |text: &str| text.to_owned();
    let text = some(
        random,
        &[
            (format!("a[i,j] = tanh({a}) + 0 * R[i,j]"), ""),
            (statement("s[i] += a[i,j] * R[i,j]"), "sin(s[i])"),
            (statement("z[i] += exp(0.1 * a[i,j])"), "z[i] * x[i]"),
            (
                statement("m[i] max= a[i,j]; k[i] = select(len(R,i) > 0, m[i], 0)"),
                "k[i]^2",
            ),
            (
                format!("p[i,j] = {b} + 0 * R[i,j] where j in 0:len(R,i)"),
                "p[i,j] * x[i]",
            ),
            (
                statement("g[i,d] += a[i,j] * U[word[i,j],d]"),
                "square(g[i,d])",
            ),
            (statement("c[j] += a[i,j] * x[i]"), "c[j]^2"),
            (
                statement("dd[i,j] = R[i,j+1] - R[i,j] * a[i,j]"),
                "dd[i,j]^2",
            ),
            (statement("h[l,j] = a[rows[l],j] * R[rows[l],j]"), "h[l,j]"),
            (
                statement("w[i,l,j] = a[i,j] * U[l,0] where l in 0:i+1, j in 0:len(R,i)"),
                "tanh(w[i,l,j])",
            ),
        ],
    );
    let words = (0..count).map(|_| random.below(4) as i64).collect();
    let inputs = vec![
        ("R", ragged(random, &rows)),
        ("Q", ragged(random, &rows)),
        ("x", dense(random, &[n])),
        ("T", dense(random, &[4])),
        ("U", dense(random, &[6, 2])),
        ("one", Given::Dense(Vec::new(), vec![value(random)])),
        ("word", Given::RaggedLongs(rows, words)),
        (
            "rows",
            Given::Longs(vec![2], vec![random.below(n) as i64, 0]),
        ),
    ];
    Case {
        text,
        by: vec!["R", "Q", "x", "T", "U", "one"],
        inputs,
    }
}

fn sparse_case(random: &mut Random) -> Case {
    let (n, m) = (1 + random.below(5), 1 + random.below(4));
    let other = expression(random, &["x[j]", "u[i]", "D[i,j]", "0.5"], 2);
    let a = expression(random, &["S[i,j]", "S[i,j] * u[i]", "S[i,j] * x[j]"], 2);
    let statement = |text: &str| text.to_owned();
    let text = some(
        random,
        &[
            (format!("sparse P[i,j] = S[i,j] * ({other}) - Q[j,i]"), ""),
            (statement("pp += P[i,j]^2"), "pp"),
            (statement("y[i] += S[i,j] * x[j]"), "sin(y[i])"),
            (statement("t[j] += P[i,j] * u[i]"), "t[j] * x[j]"),
            (statement("v[i,k] += S[i,j] * V[j,k]"), "square(v[i,k])"),
            (
                statement("sparse W[i,k] += S[i,j] * Q[j,k]"),
                "tanh(W[i,k])",
            ),
            (
                format!("r[i] += ({a}) * S[i,j] where stored(S[i,j])"),
                "r[i]",
            ),
            (
                statement("sparse G[i,j] += S[i,j] * V[j,k] * Z[i,k]"),
                "G[i,j]^3",
            ),
            (
                statement(
                    "mx[i] max= S[i,j] where stored(S[i,j]); ms[i] = select(mx[i] > -9, mx[i], 0)",
                ),
                "ms[i]^2",
            ),
            (statement("o[j,i] += S[i,j] + Q[j,i]"), "o[j,i]^2"),
        ],
    );
    let inputs = vec![
        ("S", sparse(random, [n, m])),
        ("Q", sparse(random, [m, n])),
        ("x", dense(random, &[m])),
        ("u", dense(random, &[n])),
        ("D", dense(random, &[n, m])),
        ("V", dense(random, &[m, 2])),
        ("Z", dense(random, &[n, 2])),
        ("one", Given::Dense(Vec::new(), vec![value(random)])),
    ];
    Case {
        text,
        by: vec!["S", "Q", "x", "u", "D", "V", "Z", "one"],
        inputs,
    }
}

fn mixed_case(random: &mut Random) -> Case {
    let (n, m) = (1 + random.below(4), 1 + random.below(4));
    let rows = splits(random, m);
    let a = expression(random, &["R[k,j]", "u[k]", "0.5"], 3);
    let statement = |text: &str| text.to_owned();
    let text = some(
        random,
        &[
            (format!("a[k,j] = sin({a}) + 0 * R[k,j]"), ""),
            (statement("y[i] += S[i,k] * R[k,j]"), "y[i]^2"),
            (statement("t[i,j] += S[i,k] * a[k,j]"), "tanh(t[i,j])"),
            (statement("sparse B[i,k] += S[i,k] * a[k,j]"), "B[i,k]^2"),
            (statement("b[k,j] += S[i,k] * a[k,j]"), "b[k,j] * u[k]"),
            (
                statement("c[i] += len(R,k) * S[i,k] * u[k]; d[i] = c[i] / (1 + square(c[i]))"),
                "d[i]",
            ),
        ],
    );
    let inputs = vec![
        ("S", sparse(random, [n, m])),
        ("R", ragged(random, &rows)),
        ("u", dense(random, &[m])),
        ("one", Given::Dense(Vec::new(), vec![value(random)])),
    ];
    Case {
        text,
        by: vec!["S", "R", "u", "one"],
        inputs,
    }
}

fn elements(given: &mut Given) -> &mut Vec<f64> {
    match given {
        Given::Dense(_, values) | Given::Ragged(_, _, values) | Given::Sparse(_, _, values) => {
            values
        }
        other => panic!("{other:?}"),
    }
}

fn outputs(text: &str, inputs: &[(&'static str, Given)]) -> Vec<Vec<f64>> {
    let program = Program::parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    let of = |name: &String| {
        let found = inputs.iter().find(|(known, _)| known == name);
        found.map(|(_, given)| given.tensor()).expect("an input")
    };
    let tensors: Vec<Tensor<'_>> = program.inputs().iter().map(of).collect();
    let made =
        run_on(&program, tensors).unwrap_or_else(|error| panic!("{text}\n{error}\n{inputs:?}"));
    made.iter().map(super::given::doubles).collect()
}

#[test]
fn random_gradients_are_differences() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let depth: usize = number("TENSORNIO_TEST_DEPTH").unwrap_or(1);
    let seed: u64 = number("TENSORNIO_TEST_SEED").map_or(7, |seed: usize| seed as u64);
    println!("seed {seed}");
    for n in 0..120 * depth as u64 {
        let random = &mut Random::new(seed.wrapping_add(n).wrapping_mul(7919));
        let mut case = match n % 3 {
            0 => ragged_case(random),
            1 => sparse_case(random),
            _ => mixed_case(random),
        };
        let used: Vec<&str> = case
            .by
            .iter()
            .copied()
            .filter(|name| {
                Program::parse(&case.text)
                    .unwrap()
                    .inputs()
                    .iter()
                    .any(|input| input == name)
            })
            .collect();
        let names: Vec<String> = used.iter().map(|name| format!("d{name}")).collect();
        let gradient = format!(
            "{}\ngradient e by {}\nreturn {}",
            case.text,
            used.join(", "),
            names.join(", ")
        );
        let gradients = outputs(&gradient, &case.inputs);
        let text = format!("{}\nreturn e", case.text);
        for (name, gradient) in used.iter().zip(&gradients) {
            let at = case
                .inputs
                .iter()
                .position(|(known, _)| known == name)
                .expect("an input");
            let count = elements(&mut case.inputs[at].1).len();
            assert_eq!(gradient.len(), count, "{text}\nd{name}");
            for _ in 0..count.min(3) {
                let element = random.below(count);
                let change = |by: f64| {
                    let mut inputs = case.inputs.clone();
                    elements(&mut inputs[at].1)[element] += by;
                    outputs(&text, &inputs)[0][0]
                };
                let slope = |by: f64| (change(by) - change(-by)) / (2.0 * by);
                let (coarse, fine) = (slope(2e-5), slope(1e-5));
                let size = 1.0 + fine.abs();
                // At a corner there is no gradient.
                if (coarse - fine).abs() > 1e-5 * size {
                    continue;
                }
                let error = (gradient[element] - fine).abs();
                assert!(
                    error <= 2e-5 * size,
                    "{n}: {text}\nd{name}[{element}] is {} and not {fine}\n{:?}",
                    gradient[element],
                    case.inputs
                );
            }
        }
    }
}
