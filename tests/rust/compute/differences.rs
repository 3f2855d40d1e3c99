//! Gradients against differences of values, in DOUBLE, in gather and in scatter form.

use crate::support::*;
use tensornio_compute::operand::DType;
use tensornio_compute::scalar::Scalar;
use tensornio_compute::Program;

/// A generator of numbers, by SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }

    /// Between 0.3 and 1.3, away from where functions are steep.
    fn double(&mut self) -> f64 {
        0.3 + (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

fn smooth(shape: &[i64], random: &mut Random) -> Value {
    let count = shape.iter().product::<i64>();
    doubles(
        shape,
        &(0..count).map(|_| random.double()).collect::<Vec<_>>(),
    )
}

/// Compares the gradients of the first `by.len()` inputs with differences; `of` is weighed by a seed.
fn check(text: &str, of: &str, by: &[&str], inputs: &[Value]) {
    let mut random = Random(7);
    let primal = Program::parse(text)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .returning(&[of])
        .unwrap();
    let value = run(&primal, inputs)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .remove(0);
    let seed = smooth(value.layout.shape(), &mut random);
    let Value::Tensor(weights) = &seed else {
        unreachable!()
    };
    let weights = weights.doubles();
    let total = |inputs: &[Value]| -> f64 {
        let value = run(&primal, inputs).unwrap().remove(0);
        value
            .doubles()
            .iter()
            .zip(&weights)
            .map(|(x, w)| x * w)
            .sum()
    };
    let program = Program::parse(text)
        .unwrap()
        .gradient(of, Some("seed_"), by)
        .unwrap();
    let mut with_seed = inputs.to_vec();
    with_seed.push(seed.clone());
    for program in [program.clone(), program.with_scattered_gradients().unwrap()] {
        let outputs = run(&program, &with_seed).unwrap_or_else(|error| panic!("{text}: {error}"));
        for (name, output) in by.iter().zip(&outputs[1..]) {
            let at = program
                .inputs()
                .iter()
                .position(|input| input == name)
                .unwrap();
            for (n, &gradient) in output.doubles().iter().enumerate() {
                let moved = |step: f64| {
                    let mut inputs = inputs.to_vec();
                    let Value::Tensor(memory) = &mut inputs[at] else {
                        unreachable!()
                    };
                    assert_eq!(memory.dtype, DType::Double);
                    let Scalar::Double(x) = memory.get(n as i64) else {
                        unreachable!()
                    };
                    memory.set(n as i64, Scalar::Double(x + step));
                    total(&inputs)
                };
                let step = 1e-5;
                let difference = (moved(step) - moved(-step)) / (2. * step);
                let error = (difference - gradient).abs();
                assert!(
                    error <= 1e-6 * difference.abs().max(1.),
                    "{text}: d{name}[{n}] is {gradient}, the difference {difference}"
                );
            }
        }
    }
}

#[test]
fn products_and_convolutions() {
    let r = &mut Random(1);
    check(
        "C[i,j] += A[i,k]*B[k,j]",
        "C",
        &["A", "B"],
        &[smooth(&[2, 3], r), smooth(&[3, 4], r)],
    );
    check(
        "o[x] += I[2*x+k]*K[k]",
        "o",
        &["I", "K"],
        &[smooth(&[9], r), smooth(&[3], r)],
    );
    check(
        "o[n,y,x,f] += I[n,2*y+r,2*x+s,c]*K[r,s,c,f]",
        "o",
        &["I", "K"],
        &[smooth(&[2, 6, 5, 2], r), smooth(&[3, 2, 2, 2], r)],
    );
    check(
        "o[y,x] += guard(0 <= y+r-1 < size(I,0), 0 <= x+s-1 < size(I,1), I[y+r-1,x+s-1])*K[r,s] where o[4,3], y in 0:4, x in 0:3",
        "o",
        &["I", "K"],
        &[smooth(&[4, 3], r), smooth(&[3, 3], r)],
    );
    check(
        "m[y,x] max= I[2*y+r,2*x+s] where r in 0:2, s in 0:2",
        "m",
        &["I"],
        &[smooth(&[4, 6], r)],
    );
}

#[test]
fn products_with_zeros() {
    for zeros in 0..3 {
        let mut x = [0.5, 1.5, -2., 0.75];
        x[..zeros].fill(0.);
        check("p *= x[i]", "p", &["x"], &[doubles(&[4], &x)]);
        check(
            "p[2*i] *= A[i,j]*w[j]",
            "p",
            &["A", "w"],
            &[doubles(&[1, 4], &x), doubles(&[4], &[1., 2., 3., 4.])],
        );
    }
}

#[test]
fn layers() {
    let r = &mut Random(2);
    let softmax = "m[b] max= x[b,c]; e[b,c] = exp(x[b,c]-m[b]); z[b] += e[b,c]; l[b] = log(z[b])+m[b]-x[b,label[b]]";
    check(
        softmax,
        "l",
        &["x"],
        &[smooth(&[2, 4], r), ints(&[2], &[3, 0])],
    );
    let norm = "s[b] += x[b,c]; u[b] = s[b]/double(n); v[b] += (x[b,c]-u[b])^2
        y[b,c] = (x[b,c]-u[b])/sqrt(v[b]/double(n)+1e-5)*g[c]+h[c]";
    check(
        norm,
        "y",
        &["x", "g", "h"],
        &[
            smooth(&[2, 3], r),
            integer(3),
            smooth(&[3], r),
            smooth(&[3], r),
        ],
    );
    let embedding = "e[i,d] = T[ids[i],d]*T[ids[i],d]";
    check(
        embedding,
        "e",
        &["T"],
        &[smooth(&[4, 2], r), longs(&[3], &[3, 0, 3])],
    );
    let attention =
        "q[i,j] += Q[i,d]*K[j,d]; m[i] max= q[i,j]; e[i,j] = exp(q[i,j]-m[i]); z[i] += e[i,j]
        o[i,d] += e[i,j]/z[i]*V[j,d]";
    check(
        attention,
        "o",
        &["Q", "K", "V"],
        &[smooth(&[3, 2], r), smooth(&[4, 2], r), smooth(&[4, 2], r)],
    );
}

#[test]
fn accesses_of_all_kinds() {
    let r = &mut Random(3);
    check(
        "y[i] = A[i,i]*b[i]",
        "y",
        &["A", "b"],
        &[smooth(&[3, 3], r), smooth(&[3], r)],
    );
    check("y[i] = x[4-i]*x[i]", "y", &["x"], &[smooth(&[5], r)]);
    let concat = "y[i] = guard(0 <= i < size(a,0), sin(a[i])) + guard(0 <= i-3 < size(b,0), b[i-3]^3) where y[7]";
    check(
        concat,
        "y",
        &["a", "b"],
        &[smooth(&[3], r), smooth(&[4], r)],
    );
    check(
        "h[I[i]] += w[i]*w[i] where h[4]",
        "h",
        &["w"],
        &[ints(&[5], &[0, 3, 3, 1, 0]), smooth(&[5], r)],
    );
    let reordered = |text: &str, by: &[&str], inputs: &[Value]| check(text, "y", by, inputs);
    reordered("y[i+j] += A[i,j]*A[i,j]", &["A"], &[smooth(&[2, 3], r)]);
    reordered(
        "y[i,j] = A[i+j,j]*A[i,j] where i in 0:3",
        &["A"],
        &[smooth(&[5, 3], r)],
    );
    reordered("y[i] += A[2,i]*A[j,0]", &["A"], &[smooth(&[3, 3], r)]);
    reordered("y[2*i+1] = x[i+1]/x[i]*(i+1)", &["x"], &[smooth(&[4], r)]);
    reordered(
        "y[i] = x[i+J[i]]*x[i] where i in 0:3",
        &["x"],
        &[smooth(&[4], r), ints(&[3], &[1, 0, 1])],
    );
    reordered(
        "y[i] min= x[i+j]*w[j]",
        &["x", "w"],
        &[smooth(&[6], r), smooth(&[3], r)],
    );
}

#[test]
fn second_order() {
    let r = &mut Random(4);
    check(
        "t[i,j] += A[i,k]*B[k,j]; y += t[i,j]^3; gradient y by A; q[i,k] = sin(dA[i,k])",
        "q",
        &["A", "B"],
        &[smooth(&[2, 3], r), smooth(&[3, 2], r)],
    );
    check(
        "o[x] += I[2*x+k]*K[k]*K[k]; y += o[x]*o[x]; gradient y by I; q[x] = dI[x]*dI[x]",
        "q",
        &["I", "K"],
        &[smooth(&[7], r), smooth(&[3], r)],
    );
    check(
        "m[b] max= x[b,c]; e[b,c] = exp(x[b,c]-m[b]); z[b] += e[b,c]
        l += log(z[b])+m[b]-x[b,label[b]]; gradient l by x; q[b,c] = dx[b,c]*dx[b,c]",
        "q",
        &["x"],
        &[smooth(&[2, 4], r), ints(&[2], &[3, 0])],
    );
    check(
        "e += T[ids[i],d]^3; gradient e by T; q[n,d] = dT[n,d]*dT[n,d]",
        "q",
        &["T"],
        &[smooth(&[4, 2], r), longs(&[3], &[3, 0, 3])],
    );
}

/// A random smooth expression over reads of two matrices and loops i and j.
fn expression(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        let reads = [
            "A[i,j]",
            "A[j,i]",
            "B[i,j]",
            "B[i+1,j]",
            "A[2-i,j]",
            "B[1,j]",
            "A[i,i]",
            "0.7",
            "i",
            "A[K[i],j]",
            "A[0,K[j]]",
        ];
        return reads[random.below(reads.len() as u64) as usize].to_owned();
    }
    let mut operand = || expression(random, depth - 1);
    let (a, b) = (operand(), operand());
    match random.below(14) {
        0 | 1 => format!("({a} + {b})"),
        2 => format!("({a} - {b})"),
        3 | 4 => format!("{a} * {b}"),
        5 => format!("({a}) / (2 + ({b})^2)"),
        6 => format!("sin({a})"),
        7 => format!("tanh({a})"),
        8 => format!("sigmoid({a})"),
        9 => format!("erf({a})"),
        10 => format!("exp(-({a})^2)"),
        11 => format!("log(1 + ({a})^2)"),
        12 => format!("guard(0 <= i+j-1 < 3, {a})"),
        _ => format!("(1 + ({a})^2)^(0.3 * {b})"),
    }
}

#[test]
fn random_smooth_programs() {
    let seed = std::env::var("TENSORNIO_TEST_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(20261125);
    println!("seed {seed}");
    let random = &mut Random(seed);
    for _ in 0..40 * depth() {
        let depth = 1 + random.below(3) as usize;
        let first = expression(random, depth);
        let left =
            ["y[i,j]", "y[j,i]", "y[i]", "y[2*i+j]", "y[K[i],j]", "y"][random.below(6) as usize];
        let text = format!(
            "t[i,j] = {first} + A[0,0]*B[0,0] + double(K[0]) where i in 0:3, j in 0:3\n\
             {left} += t[i,j] * B[i,j] + tanh(A[j,i]) where i in 0:3, j in 0:3{}",
            if left == "y[K[i],j]" { ", y[3,3]" } else { "" }
        );
        let program = Program::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let inputs: Vec<Value> = program
            .inputs()
            .iter()
            .map(|name| match name.as_str() {
                "A" => smooth(&[3, 3], random),
                "B" => smooth(&[4, 3], random),
                _ => ints(&[3], &[2, 0, 2]),
            })
            .collect();
        check(&text, "y", &["A", "B"], &inputs);
    }
}

#[test]
fn gradients_of_scans() {
    let r = &mut Random(21);
    check(
        "scan t; y[t] = w*y[t-1] + x[t]; init y = y0; end; e += y[t]*y[t]",
        "e",
        &["w", "x", "y0"],
        &[smooth(&[], r), smooth(&[4], r), smooth(&[], r)],
    );
    let network = "scan t
        a[t,i] += U[i,j] * h[t-1,j]
        h[t,i] = tanh(a[t,i] + x[t,i])
        init h = h0
      end";
    let inputs = [smooth(&[3, 3], r), smooth(&[4, 3], r), smooth(&[3], r)];
    check(network, "h", &["U", "x", "h0"], &inputs);
    check(
        &format!("{network}; z[i] = h[3,i]"),
        "z",
        &["U", "x", "h0"],
        &inputs,
    );
    let everywhere = [smooth(&[3, 3], r), smooth(&[4, 3], r), smooth(&[], r)];
    check(network, "h", &["U", "x", "h0"], &everywhere);
    check(
        "scan t down; p[i,t] = p[i,t+1] * x[i,t]; init p = p0; end",
        "p",
        &["x", "p0"],
        &[smooth(&[2, 4], r), smooth(&[2], r)],
    );
    check(
        "scan t; g[t] = h[t-1]; k[t] = g[t-1]; h[t] = sin(x[t])*k[t] + g[t]*h[t-1] + w; h[t] = h[t]*k[t] + 1; init h = 0.5; end; q += h[t]*x[t]",
        "q",
        &["x", "w"],
        &[smooth(&[5], r), smooth(&[], r)],
    );
    check(
        "scan t; m[t,i] max= h[t-1,j] * x[t,i,j]; h[t,i] = m[t,i] + 0.5; init h = h0; end",
        "h",
        &["x", "h0"],
        &[smooth(&[3, 2, 2], r), smooth(&[2], r)],
    );
    check(
        "scan t in 0:size(x,0); y[t] += guard(0 <= t-k, x[t-k]) * w[k]; z[t] = z[t-1]*y[t] + 1; end",
        "z",
        &["x", "w"],
        &[smooth(&[5], r), smooth(&[3], r)],
    );
    check(
        "scan t; p[t,i] *= x[t,i,j] + h[t-1,j]; h[t,i] = p[t,i] * 0.5; init h = 1; end",
        "h",
        &["x"],
        &[smooth(&[3, 2, 2], r)],
    );
    check(
        "scan t; y[t] = y[t-1] + x[t]; end; scan t down; z[t] = z[t+1]*y[t] + x[t]; init z = 1; end",
        "z",
        &["x"],
        &[smooth(&[4], r)],
    );
}

#[test]
fn gradients_of_gradients_of_scans() {
    let r = &mut Random(22);
    check(
        "scan t; y[t] = w*y[t-1] + sin(x[t]); init y = y0; end; e += y[t]^2; gradient e by w, x; s += dw * dx[t]",
        "s",
        &["w", "x", "y0"],
        &[smooth(&[], r), smooth(&[3], r), smooth(&[], r)],
    );
}

/// A random block over `x` of (5, 3), `v` of (3) and `w` of (3, 3), whose first name is `h0`.
fn block(r: &mut Random) -> String {
    let down = r.below(2) == 0;
    let (before, word) = if down { ("t+1", " down") } else { ("t-1", "") };
    let mut text = format!("scan t{word} in 0:5\n");
    let names = 1 + r.below(3);
    let mut defined: Vec<String> = Vec::new();
    for n in 0..names {
        let mut terms = vec!["x[t,i]*v[i]".to_owned()];
        for _ in 0..1 + r.below(3) {
            let read = match r.below(9) {
                0 => "x[4-t,i]".to_owned(),
                1 => "guard(0 <= t-2, x[t-2,i])".to_owned(),
                2 => "guard(t < 3, v[i])".to_owned(),
                3 => "x[at[t],i]".to_owned(),
                4 => "h0_1[t,i]".replace("h0_1", defined.last().map_or("x", |name| name)),
                _ => format!("h{}[{before},i]", r.below(names)),
            };
            terms.push(match r.below(4) {
                0 => format!("sin({read})"),
                1 => format!("0.5*{read}*w[i,i]"),
                _ => format!("0.25*{read}"),
            });
        }
        let sum = terms.join(" + ");
        match r.below(4) {
            0 => {
                let of = r.below(names);
                text += &format!("  a{n}[t,i] += w[i,k]*h{of}[{before},k]*0.25 where k in 0:3\n");
                text += &format!("  h{n}[t,i] = tanh(a{n}[t,i]) + {sum}\n");
            }
            1 => text += &format!("  h{n}[t,i] += ({sum}) * w[i,k] * 0.25\n"),
            2 => text += &format!("  h{n}[t,i] *= 1 + w[i,k] * 0.125 * ({sum})\n"),
            _ => text += &format!("  h{n}[t,i] = {sum}\n"),
        }
        defined.push(format!("h{n}"));
        for lag in 0..r.below(4) {
            let of = if lag == 0 {
                format!("h{n}")
            } else {
                format!("h{n}_{lag}")
            };
            text += &format!("  h{n}_{}[t,i] = {of}[{before},i] + 0*v[i]\n", lag + 1);
            defined.push(format!("h{n}_{}", lag + 1));
        }
        match r.below(4) {
            0 => text += &format!("  init h{n} = v\n"),
            1 => text += &format!("  init h{n} = 0.5\n"),
            _ => {}
        }
        if r.below(4) == 0 {
            text += &format!("  h{n}[t,i] = sin(h{n}[t,i]) + v[i]\n");
        }
    }
    text + "end\nz[i] += h0[t,i]*h0[t,i]"
}

#[test]
fn gradients_of_random_scans() {
    for seed in 0..60 * depth() as u64 {
        let r = &mut Random(seed);
        let text = block(r);
        let program = Program::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let inputs: Vec<Value> = program
            .inputs()
            .iter()
            .map(|name| match name.as_str() {
                "x" => smooth(&[5, 3], r),
                "v" => smooth(&[3], r),
                "w" => smooth(&[3, 3], r),
                _ => ints(&[5], &[0, 3, 1, 1, 4]),
            })
            .collect();
        let by: Vec<&str> = program
            .inputs()
            .iter()
            .map(String::as_str)
            .filter(|name| *name != "at")
            .collect();
        check(&text, "z", &by, &inputs);
    }
}
