//! Random programs, and random text: no panic, and one canonical form.

use std::panic::{catch_unwind, AssertUnwindSafe};

use crate::support::generate::{self, Case};
use crate::support::*;
use tensornio_compute::operand::DType;
use tensornio_compute::scalar::Scalar;
use tensornio_compute::{ErrorKind, Program, Signature};

/// A generator of numbers, by SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: i64) -> i64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        ((z ^ (z >> 31)) % n as u64) as i64
    }
}

pub fn seed() -> u64 {
    let seed = std::env::var("TENSORNIO_TEST_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(3);
    println!("seed {seed}");
    seed
}

/// Values for a case.
pub fn values(case: &Case, random: &mut Random) -> Vec<Value> {
    case.inputs
        .iter()
        .map(|input| {
            let count = input.shape.iter().product::<i64>();
            let elements: Vec<Scalar> = (0..count)
                .map(|_| match input.dtype {
                    DType::Float | DType::Double => {
                        Scalar::Double(random.below(64) as f64 / 8.0 - 4.0)
                    }
                    _ => Scalar::Int64(random.below(input.below.unwrap_or(8))),
                })
                .map(|scalar| scalar.cast(input.dtype))
                .collect();
            Value::Tensor(Memory::of(input.dtype, &input.shape, &elements))
        })
        .collect()
}

#[test]
fn random_programs_run() {
    let mut random = Random(seed());
    for _ in 0..500 * depth() {
        let case = generate::program(&mut |n| random.below(n));
        let program =
            Program::parse(&case.text).unwrap_or_else(|error| panic!("{}{error}", case.text));
        assert_eq!(program, Program::parse(program.text()).unwrap());
        let names: Vec<&str> = case
            .inputs
            .iter()
            .map(|input| input.name.as_str())
            .collect();
        assert_eq!(program.inputs(), names, "{}", case.text);
        let inputs = values(&case, &mut random);
        run(&program, &inputs).unwrap_or_else(|error| panic!("{}{error}", case.text));
    }
}

#[test]
fn random_programs_have_gradients_that_run() {
    let mut random = Random(seed() + 1);
    let mut differentiated = 0;
    for _ in 0..500 * depth() {
        let case = generate::program(&mut |n| random.below(n));
        let program = Program::parse(&case.text).unwrap();
        let Some(by) = case
            .inputs
            .iter()
            .find(|input| matches!(input.dtype, DType::Float | DType::Double))
        else {
            continue;
        };
        let of = program.outputs().last().unwrap();
        let gathered = program
            .gradient(of, None, &[&by.name])
            .unwrap_or_else(|error| panic!("{}{error}", case.text));
        let inputs = values(&case, &mut random);
        let signatures: Vec<Signature> = inputs.iter().map(Value::signature).collect();
        if gathered
            .bind(&signatures, &[None, None])
            .is_err_and(|error| {
                error
                    .to_string()
                    .contains("only FLOAT and DOUBLE have gradients")
            })
        {
            continue;
        }
        differentiated += 1;
        let scattered = gathered.with_scattered_gradients().unwrap();
        let [gathered, scattered] = [gathered, scattered].map(|program| {
            run(&program, &inputs).unwrap_or_else(|error| panic!("{}{error}", program.text()))
        });
        let scale = if by.dtype == DType::Float { 1e-3 } else { 1e-9 };
        for (a, b) in gathered[1].doubles().iter().zip(scattered[1].doubles()) {
            let close =
                (a - b).abs() <= scale * a.abs().max(1.) || a.is_nan() && b.is_nan() || *a == b;
            assert!(close, "{}gradient {of} by {}: {a} {b}", case.text, by.name);
        }
    }
    assert!(differentiated > 50, "{differentiated}");
}

/// Text that may be anything: nothing of it may panic, and what parses has one canonical form.
fn survives(text: &str, random: &mut Random) {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let program = match Program::parse(text) {
            Ok(program) => program,
            Err(error) => return assert_eq!(error.kind(), ErrorKind::IllegalArgument),
        };
        let again = Program::parse(program.text())
            .unwrap_or_else(|error| panic!("{}: {error}", program.text()));
        assert_eq!(program.text(), again.text());
        let inputs: Vec<Signature> = program
            .inputs()
            .iter()
            .map(|_| {
                let shape: Vec<i64> = (0..random.below(4)).map(|_| random.below(5)).collect();
                Signature::tensor(DType::ALL[random.below(6) as usize], &shape)
            })
            .collect();
        if let Err(error) = program.bind(&inputs, &vec![None; program.outputs().len()]) {
            assert_eq!(error.kind(), ErrorKind::IllegalArgument);
        }
        let names: Vec<&str> = program.inputs().iter().map(String::as_str).collect();
        let of = program.outputs()[0].clone();
        if let Ok(gradient) = program.gradient(&of, None, &names) {
            let _ = gradient.bind(&inputs, &vec![None; gradient.outputs().len()]);
        }
    }));
    assert!(outcome.is_ok(), "{text}");
}

#[test]
fn tokens_in_any_order_do_not_panic() {
    const TOKENS: [&str; 61] = [
        "...",
        "[...]",
        "[i,...]",
        "len(x,i)",
        "guard(i<3,",
        "x",
        "y",
        "A",
        "i",
        "j",
        "k",
        "[",
        "]",
        "[i]",
        "[i,j]",
        "(",
        ")",
        "+",
        "-",
        "*",
        "/",
        "%",
        "^",
        "<",
        "<=",
        "==",
        "!=",
        "=",
        "+=",
        "*=",
        "max=",
        "min=",
        ",",
        ";",
        "\n",
        ":",
        "0",
        "1",
        "2.5",
        "1e3",
        "inf",
        "nan",
        "true",
        "where",
        "in",
        "0:5",
        "size(x,0)",
        "guard(0<=i<3,",
        "select(",
        "exp(",
        "max(",
        "float(",
        "int(",
        "and",
        "or",
        "not",
        "return",
        "gradient",
        "seed",
        "by",
        "9223372036854775808",
    ];
    let mut random = Random(seed() + 2);
    for _ in 0..3000 * depth() {
        let mut text =
            String::from(["", "y[i] = ", "y += ", "y[i] += x[i] "][random.below(4) as usize]);
        for _ in 0..random.below(14) {
            text += TOKENS[random.below(TOKENS.len() as i64) as usize];
            text += " ";
        }
        survives(&text, &mut random);
    }
}

#[test]
fn programs_with_mistakes_do_not_panic() {
    let mut random = Random(seed() + 3);
    for _ in 0..1000 * depth() {
        let mut text: Vec<char> = generate::program(&mut |n| random.below(n))
            .text
            .chars()
            .collect();
        for _ in 0..1 + random.below(3) {
            let at = random.below(text.len() as i64) as usize;
            match random.below(4) {
                0 => drop(text.remove(at)),
                1 => text.insert(
                    at,
                    ['i', '9', '[', ']', '-', '#', '\u{e9}', '('][random.below(8) as usize],
                ),
                2 => text[at] = text[random.below(text.len() as i64) as usize],
                _ => text.truncate(at.max(1)),
            }
            if text.is_empty() {
                text.push('y');
            }
        }
        survives(&text.into_iter().collect::<String>(), &mut random);
    }
}
