//! Random programs over random ragged and sparse tensors, against the same programs over padded and dense data, with their gradients.

use super::given::{run, Given};

/// A generator of numbers: xorshift64*.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }

    /// A quarter between -2 and 2, never 0, so that ties are as frequent as they are in practice.
    pub fn value(&mut self) -> f64 {
        let quarter = 1 + self.below(8);
        quarter as f64 / if self.below(2) == 0 { 4.0 } else { -4.0 }
    }

    fn values(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.value()).collect()
    }

    pub fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

/// A random expression of these terms.
pub fn expression(random: &mut Random, terms: &[&str], depth: usize) -> String {
    if depth == 0 || random.below(4) == 0 {
        return random.of(terms).to_owned();
    }
    let mut part = || expression(random, terms, depth - 1);
    let (a, b) = (part(), part());
    match random.below(9) {
        0 => format!("({a} + {b})"),
        1 => format!("({a} - {b})"),
        2 | 3 => format!("{a} * {b}"),
        4 => format!("max({a}, {b})"),
        5 => format!("tanh({a})"),
        6 => format!("select({a} > {b}, {a}, {b} * 2)"),
        7 => format!("{a} / (1 + square({b}))"),
        _ => format!("-abs({a})"),
    }
}

fn close(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs())) || a.is_nan() && b.is_nan()
}

/// Rows of random lengths: empty tensors, empty rows and one long row among them.
struct Ragged {
    splits: Vec<i64>,
    width: usize,
}

impl Ragged {
    fn new(random: &mut Random) -> Ragged {
        let rows = [0, 1, 3, 5, 9][random.below(5)];
        let most = [1, 2, 5][random.below(3)];
        let long = random.below(6);
        let mut splits = vec![0];
        let mut width = 0;
        for row in 0..rows {
            let length = if row == long {
                40
            } else {
                random.below(most + 1)
            };
            width = width.max(length);
            splits.push(splits[row] + length as i64);
        }
        Ragged { splits, width }
    }

    fn rows(&self) -> usize {
        self.splits.len() - 1
    }

    fn count(&self) -> usize {
        self.splits[self.rows()] as usize
    }

    fn len(&self, row: usize) -> usize {
        (self.splits[row + 1] - self.splits[row]) as usize
    }

    fn ragged(&self, values: Vec<f64>) -> Given {
        let splits = vec![None, Some(self.splits.clone())];
        Given::Ragged(vec![self.rows() as i64, -1], splits, values)
    }

    /// Values as a dense tensor; padding is large, so that it is seen.
    fn padded(&self, values: &[f64], padding: f64) -> Vec<f64> {
        let mut padded = vec![padding; self.rows() * self.width];
        for row in 0..self.rows() {
            for j in 0..self.len(row) {
                padded[row * self.width + j] = values[self.splits[row] as usize + j];
            }
        }
        padded
    }

    fn dense(&self, values: &[f64], padding: f64) -> Given {
        let shape = vec![self.rows() as i64, self.width as i64];
        Given::Dense(shape, self.padded(values, padding))
    }

    /// Whether a ragged result is what is not padding of a dense one.
    fn agrees(&self, ragged: &Given, dense: &Given) -> bool {
        match (ragged, dense) {
            (Given::Ragged(_, splits, values), Given::Dense(_, padded)) => {
                let mut same = splits[1].as_ref() == Some(&self.splits);
                for row in 0..self.rows() {
                    for j in 0..self.len(row) {
                        let value = values[self.splits[row] as usize + j];
                        same &= close(value, padded[row * self.width + j]);
                    }
                }
                same
            }
            (Given::Dense(_, a), Given::Dense(_, b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| close(a, b))
            }
            _ => false,
        }
    }
}

#[test]
fn ragged_programs_are_those_over_padded_data() {
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let rows = Ragged::new(random);
        let (n, width) = (rows.rows(), rows.width);
        let terms = [
            "R[i,j]",
            "R[i,j]",
            "Q[i,j]",
            "x[i]",
            "len(R,i) * x[i]",
            "x[i] * j",
            "0.5",
            "T[word[i,j]]",
        ];
        let value = expression(random, &terms, 3);
        let op = random.of(&["+=", "max=", "min="]);
        // Over one more term that has the rows, so that all ranges are determined.
        let texts = [
            format!("y[i,j] = {value} + 0 * R[i,j]"),
            format!("s[i] {op} {value} + R[i,j] * x[i]"),
            "c[j] += R[i,j] * x[i]".to_owned(),
            "z[i,j] = y[i,j] * x[i] - select(len(R,i) > 2, c[j], 1) where j in 0:len(R,i)"
                .to_owned(),
            "e += z[i,j] * Q[i,j]".to_owned(),
            "gradient e by R, Q, x, T".to_owned(),
        ];
        // Where there is padding, nothing is written.
        let identity = match op {
            "+=" => "0.0",
            "max=" => "-inf",
            _ => "inf",
        };
        let masked = |text: &str| {
            let (left, right) = text.split_once("= ").unwrap_or((text, ""));
            let right = right.split(" where").next().unwrap_or(right);
            let otherwise = if left.starts_with('s') {
                identity
            } else {
                "0.0"
            };
            format!("{left}= select(M[i,j], {right}, {otherwise})").replace("len(R,i)", "L[i]")
        };
        let is_empty = n == 0 || width == 0;
        let dense_texts: Vec<String> = texts
            .iter()
            .map(|text| match text.starts_with("gradient") {
                true => text.clone(),
                false => masked(text),
            })
            .collect();
        let ending = "\nreturn y, s, c, z, e, dR, dQ, dx, dT";
        let (text, dense_text) = (texts.join("\n") + ending, dense_texts.join("\n") + ending);
        let (r, q) = (random.values(rows.count()), random.values(rows.count()));
        let x = Given::Dense(vec![n as i64], random.values(n));
        let t = Given::Dense(vec![4], random.values(4));
        let words: Vec<i64> = (0..rows.count()).map(|_| random.below(4) as i64).collect();
        let lengths: Vec<f64> = (0..n).map(|row| rows.len(row) as f64).collect();
        let padded_words: Vec<i64> = {
            let words: Vec<f64> = words.iter().map(|&word| word as f64).collect();
            let padded = rows.padded(&words, 0.0);
            padded.into_iter().map(|word| word as i64).collect()
        };
        let mask = rows.padded(&vec![1.0; rows.count()], 0.0);
        let mask = mask.into_iter().map(|x| x != 0.0).collect();
        let shape = vec![n as i64, width as i64];
        let ragged_input = |name: &str| match name {
            "R" => rows.ragged(r.clone()),
            "Q" => rows.ragged(q.clone()),
            "x" => x.clone(),
            "T" => t.clone(),
            "word" => Given::RaggedLongs(rows.splits.clone(), words.clone()),
            _ => panic!("{name}"),
        };
        let dense_input = |name: &str| match name {
            "R" => rows.dense(&r, 1e6),
            "Q" => rows.dense(&q, 1e6),
            "x" => x.clone(),
            "T" => t.clone(),
            "word" => Given::Longs(shape.clone(), padded_words.clone()),
            "L" => Given::Dense(vec![n as i64], lengths.clone()),
            "M" => Given::Bools(shape.clone(), Vec::clone(&mask)),
            _ => panic!("{name}"),
        };
        let text = if text.contains("T[") {
            text
        } else {
            text.replace(", T", "").replace(", dT", "")
        };
        let dense_text = if dense_text.contains("T[") {
            dense_text
        } else {
            dense_text.replace(", T", "").replace(", dT", "")
        };
        let made = named(&text, ragged_input);
        let wanted = named(&dense_text, dense_input);
        let (Ok(made), Ok(wanted)) = (&made, &wanted) else {
            panic!("{seed}: {text}\n{dense_text}\n{made:?}\n{wanted:?}");
        };
        for (at, (one, other)) in made.iter().zip(wanted).enumerate() {
            // A dense column sum of no columns.
            let fits = rows.agrees(one, other) || is_empty && !matches!(one, Given::Ragged(..));
            assert!(fits, "{seed}, output {at}: {text}\n{one:?}\n{other:?}");
        }
    }
}

/// Outputs of a text, whose inputs are given by name.
fn named(text: &str, of: impl Fn(&str) -> Given) -> Result<Vec<Given>, tensornio_compute::Error> {
    let program = tensornio_compute::Program::parse(text)?;
    let inputs: Vec<Given> = program.inputs().iter().map(|name| of(name)).collect();
    run(text, &inputs)
}

/// A random expression with a support: 0 where neither of S and Q is stored.
fn supported(random: &mut Random, depth: usize) -> String {
    let dense = ["x[j]", "u[i]", "D[i,j]", "0.5", "(1 + u[i] * x[j])"];
    if depth == 0 || random.below(5) == 0 {
        return random.of(&["S[i,j]", "S[i,j]", "Q[j,i]"]).to_owned();
    }
    let other = expression(random, &dense, 1);
    let a = supported(random, depth - 1);
    match random.below(8) {
        0 => format!("({a} + {})", supported(random, depth - 1)),
        1 => format!("({a} - {})", supported(random, depth - 1)),
        2 => format!("{a} * {}", supported(random, depth - 1)),
        3 => format!("{a} * {other}"),
        4 => format!("{a} / (2 + square({other}))"),
        5 => format!("tanh({a})"),
        6 => format!("max({a}, {})", supported(random, depth - 1)),
        _ => format!(
            "select({a} != 0, {a} * {other}, {})",
            supported(random, depth - 1)
        ),
    }
}

/// Random positions, of which some store 0.
fn entries(random: &mut Random, shape: [usize; 2]) -> (Vec<i64>, Vec<f64>) {
    let (mut coordinates, mut values) = (Vec::new(), Vec::new());
    let filled = [0, 10, 30, 100][random.below(4)];
    let only = (random.below(5) == 0).then(|| random.below(shape[0].max(1)));
    for i in 0..shape[0] {
        for j in 0..shape[1] {
            if random.below(100) < filled && only.is_none_or(|only| only == i) {
                coordinates.extend([i as i64, j as i64]);
                values.push(if random.below(6) == 0 {
                    0.0
                } else {
                    random.value()
                });
            }
        }
    }
    (coordinates, values)
}

fn scattered(shape: [usize; 2], coordinates: &[i64], values: &[f64]) -> Vec<f64> {
    let mut dense = vec![0.0; shape[0] * shape[1]];
    for (at, &value) in coordinates.chunks(2).zip(values) {
        dense[at[0] as usize * shape[1] + at[1] as usize] = value;
    }
    dense
}

#[test]
fn sparse_programs_are_those_over_dense_data() {
    for seed in 0..400 {
        let random = &mut Random::new(seed + 10_000);
        let (n, m) = ([1, 3, 6][random.below(3)], [1, 2, 7][random.below(3)]);
        let value = supported(random, 3);
        let op = random.of(&["+=", "max=", "min="]);
        let outputs = [
            format!("y[i] {op} {value} + 0 * S[i,j]"),
            format!("c[j] += ({value}) * S[i,j]"),
            "P[i,j] = S[i,j] * D[i,j] - Q[j,i]".to_owned(),
            "t[i,k] += S[i,j] * V[j,k]".to_owned(),
            "e += P[i,j] * u[i] + 0 * S[i,j]".to_owned(),
            "f += c[j] * x[j]; g += t[i,k] * u[i] + y[i]; h = e + f + g".to_owned(),
            "gradient h by S, Q, x, u, D, V".to_owned(),
        ];
        let dense_text = outputs.join("\n") + "\nreturn y, c, P, t, h, dS, dQ, dx, du, dD, dV";
        let text = dense_text.replace("\nP[", "\nsparse P[");
        let s = entries(random, [n, m]);
        let q = entries(random, [m, n]);
        let (x, u) = (random.values(m), random.values(n));
        let (d, v) = (random.values(n * m), random.values(m * 2));
        let dense_of = |name: &str| match name {
            "x" => Given::Dense(vec![m as i64], x.clone()),
            "u" => Given::Dense(vec![n as i64], u.clone()),
            "D" => Given::Dense(vec![n as i64, m as i64], d.clone()),
            "V" => Given::Dense(vec![m as i64, 2], v.clone()),
            "S" => Given::Dense(vec![n as i64, m as i64], scattered([n, m], &s.0, &s.1)),
            "Q" => Given::Dense(vec![m as i64, n as i64], scattered([m, n], &q.0, &q.1)),
            _ => panic!("{name}"),
        };
        let of = |name: &str| match name {
            "S" => Given::Sparse(vec![n as i64, m as i64], s.0.clone(), s.1.clone()),
            "Q" => Given::Sparse(vec![m as i64, n as i64], q.0.clone(), q.1.clone()),
            name => dense_of(name),
        };
        let (made, wanted) = (named(&text, of), named(&dense_text, dense_of));
        let (Ok(made), Ok(wanted)) = (&made, &wanted) else {
            panic!("{seed}: {text}\n{made:?}\n{wanted:?}");
        };
        for (at, (one, other)) in made.iter().zip(wanted).enumerate() {
            let Given::Dense(_, wanted) = other else {
                panic!("{other:?}")
            };
            let fits = match one {
                Given::Dense(_, values) => values.iter().zip(wanted).all(|(&a, &b)| close(a, b)),
                Given::Sparse(shape, coordinates, values) => {
                    let width = shape[1] as usize;
                    let mut points = coordinates.chunks(2).zip(values);
                    points.all(|(at, &value)| {
                        close(value, wanted[at[0] as usize * width + at[1] as usize])
                    }) && match at {
                        5 => *coordinates == s.0,
                        6 => *coordinates == q.0,
                        _ => true,
                    }
                }
                _ => false,
            };
            assert!(
                fits,
                "{seed}, output {at}: {text}\n{one:?}\n{other:?}\n{s:?} {q:?}"
            );
        }
    }
}

/// Sums of many elements in several orders, on 1, 2 and 7 threads.
#[test]
fn results_have_the_same_bits_on_any_number_of_threads() {
    let random = &mut Random::new(5);
    let n = 1200;
    let mut splits = vec![0];
    for row in 0..n {
        splits.push(splits[row] + random.below(40) as i64);
    }
    let count = splits[n] as usize;
    let r = Given::Ragged(
        vec![n as i64, -1],
        vec![None, Some(splits)],
        random.values(count),
    );
    let mut coordinates = Vec::new();
    for i in 0..n as i64 {
        for j in 0..n as i64 {
            if random.below(40) == 0 {
                coordinates.extend([i, j]);
            }
        }
    }
    let values = random.values(coordinates.len() / 2);
    let s = Given::Sparse(vec![n as i64, n as i64], coordinates, values);
    let text = "y[i] += S[i,j] * sin(j * 0.1)
        c[j] += S[i,j] * sin(i * 0.1)
        m[i] max= R[i,j]
        z[i,j] = exp(R[i,j] - m[i])
        n[i] += z[i,j]
        p[i,j] = z[i,j] / n[i]
        q[j] += p[i,j]
        sparse P[i,k] += S[i,j] * S[j,k]
        e += P[i,k] * S[k,i]
        f += p[i,j] * y[i]
        h = e + f
        gradient h by R, S
        return y, c, p, q, P, h, dR, dS";
    let inputs = || {
        let program = tensornio_compute::Program::parse(text).unwrap();
        let of = |name: &String| match name.as_str() {
            "R" => r.clone(),
            _ => s.clone(),
        };
        program.inputs().iter().map(of).collect::<Vec<Given>>()
    };
    let made = |threads: usize| {
        let inputs = inputs();
        let made = tensornio_compute::threads::in_threads(threads, || run(text, &inputs));
        format!("{:?}", made.unwrap())
    };
    let one = made(1);
    assert!(one == made(2) && one == made(7));
}
