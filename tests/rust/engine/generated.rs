//! Programs that mix reads, look-ups, guards and scatters at random, of small tensors.

use std::panic::{catch_unwind, AssertUnwindSafe};

use tensornio_compute::operand::DType;
use tensornio_compute::signature::Signature;
use tensornio_compute::Program;

use crate::agree::{agree_on, depth, pick, setting, some, Input, Layout, Random};

const TYPES: [DType; 6] = [
    DType::Float,
    DType::Double,
    DType::Int32,
    DType::Int64,
    DType::UInt8,
    DType::Bool,
];

/// A tensor that a program may read.
struct Known {
    name: String,
    rank: usize,
}

/// A program's text and its inputs.
struct Made {
    text: String,
    inputs: Vec<Input>,
}

fn index(random: &mut Random, loops: &[&str]) -> String {
    let l = pick(random, loops);
    match random.below(12) {
        0 => format!("{l}+1"),
        1 => format!("2*{l}"),
        2 => format!("{l}+{}", pick(random, loops)),
        3 => "0".to_owned(),
        4 => format!("3-{l}"),
        _ => l.to_owned(),
    }
}

fn read(random: &mut Random, known: &[Known], loops: &[&str]) -> String {
    let tensor = &known[random.below(known.len() as i64) as usize];
    let indices: Vec<String> = (0..tensor.rank).map(|_| index(random, loops)).collect();
    format!("{}[{}]", tensor.name, indices.join(","))
}

/// An expression of a number type. Functions that are steep or jump are left out: they make small differences large.
fn expression(
    random: &mut Random,
    known: &[Known],
    loops: &[&str],
    dtype: DType,
    depth: u32,
) -> String {
    if depth == 0 {
        return match random.below(6) {
            0 => format!("{}", random.below(5)),
            1 if dtype != DType::Bool => pick(random, loops).to_owned(),
            _ => read(random, known, loops),
        };
    }
    let sub = |random: &mut Random| expression(random, known, loops, dtype, depth - 1);
    let (a, b) = (sub(random), sub(random));
    let float = matches!(dtype, DType::Float | DType::Double);
    match random.below(14) {
        0..=2 => format!("({a} + {b})"),
        3 => format!("({a} - {b})"),
        4 | 5 => format!("{a} * {b}"),
        6 => format!("max({a}, {b})"),
        7 => format!("min({a}, {b})"),
        8 => format!("select({a} < {b}, {a}, {b})"),
        9 if float => format!("tanh({a})"),
        10 if float => format!("sigmoid({a})"),
        9 => format!("({a} / {b})"),
        10 => format!("({a} % {b})"),
        11 => format!("relu({a})"),
        12 => {
            let l = pick(random, loops);
            let shift = random.below(3);
            format!("guard(0 <= {l}-{shift} < {}, {a})", 1 + random.below(5))
        }
        _ => format!("abs({a})"),
    }
}

fn program(random: &mut Random) -> Made {
    let dtype = pick(random, &TYPES[..5]);
    let layout = pick(random, &[Layout::Plain, Layout::Wild]);
    let size = if random.below(10) == 0 { 40 } else { 7 };
    let mut known = Vec::new();
    let mut inputs = Vec::new();
    for k in 0..1 + random.below(3) {
        let rank = random.below(4) as usize;
        known.push(Known {
            name: format!("x{k}"),
            rank,
        });
        let shape: Vec<i64> = (0..rank)
            .map(|_| {
                if random.below(40) == 0 {
                    0
                } else {
                    1 + random.below(size)
                }
            })
            .collect();
        inputs.push((format!("x{k}"), some(dtype, &shape, layout, random)));
    }
    let index_tensor = random.below(3) == 0;
    if index_tensor {
        let of = pick(random, &[DType::Int32, DType::Int64, DType::UInt8]);
        inputs.push((
            "I".to_owned(),
            some(of, &[1 + random.below(6)], layout, random),
        ));
    }
    let mut lines = Vec::new();
    for k in 0..1 + random.below(3) {
        let all = ["i", "j", "k"];
        let kept = &all[..random.below(3) as usize];
        let loops =
            &all[..(kept.len() + random.below(2) as usize + usize::from(kept.is_empty())).min(3)];
        let depth = random.below(4) as u32;
        let mut value = expression(random, &known, loops, dtype, depth);
        if index_tensor && random.below(2) == 0 {
            let tensor = &known[random.below(known.len() as i64) as usize];
            if tensor.rank > 0 {
                let rest: String = (1..tensor.rank)
                    .map(|_| format!(",{}", pick(random, loops)))
                    .collect();
                value = format!(
                    "{value} + {}[I[{}]{rest}]",
                    tensor.name,
                    pick(random, loops)
                );
            }
        }
        let op = if loops.len() > kept.len() || random.below(3) == 0 {
            pick(random, &["+=", "+=", "+=", "max=", "min=", "*="])
        } else {
            "="
        };
        let scatter = index_tensor && op != "=" && random.below(3) == 0 && !kept.is_empty();
        let left: Vec<String> = kept
            .iter()
            .enumerate()
            .map(|(axis, &l)| match random.below(12) {
                _ if scatter && axis == 0 => format!("I[{l}]"),
                0 if op != "=" => format!("{l}+{}", pick(random, loops)),
                1 => format!("2*{l}+1"),
                _ => l.to_owned(),
            })
            .collect();
        let pinned = if scatter {
            format!(
                " where t{k}[{}]",
                left.iter().map(|_| "9").collect::<Vec<_>>().join(",")
            )
        } else {
            String::new()
        };
        // Products of large floats and zeros would hang on their order.
        if op == "*=" && matches!(dtype, DType::Float | DType::Double) {
            value = format!("tanh({value})");
        }
        lines.push(format!("t{k}[{}] {op} {value}{pinned}", left.join(",")));
        known.push(Known {
            name: format!("t{k}"),
            rank: left.len(),
        });
    }
    if random.below(2) == 0 {
        lines.push(format!("return t{}", lines.len() - 1));
    }
    let text = lines.join("; ");
    let names = Program::parse(&text)
        .map(|program| program.inputs().to_vec())
        .unwrap_or_default();
    let inputs = names
        .iter()
        .filter_map(|name| inputs.iter().find(|(other, _)| other == name))
        .map(|(_, input)| input.clone())
        .collect();
    Made { text, inputs }
}

#[test]
fn mixed_programs_agree() {
    let first = setting("TENSORNIO_SEED", 1);
    let mut ran = 0;
    for seed in first..first + 500 * depth() {
        let mut random = Random(seed);
        let made = program(&mut random);
        let Ok(parsed) = Program::parse(&made.text) else {
            continue;
        };
        let signatures: Vec<Signature> = made.inputs.iter().map(Input::signature).collect();
        if parsed
            .bind(&signatures, &vec![None; parsed.outputs().len()])
            .is_err()
        {
            continue;
        }
        let layout = pick(&mut random, &[Layout::Plain, Layout::Wild]);
        let run = catch_unwind(AssertUnwindSafe(|| {
            agree_on(&made.text, &made.inputs, layout, 1e4, &mut random)
        }));
        assert!(run.is_ok(), "seed {seed}: {}", made.text);
        ran += 1;
    }
    println!("{ran} programs ran");
    assert!(ran > 50);
}
