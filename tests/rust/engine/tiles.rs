//! Random statements whose loops have sizes around those of vectors, tiles and panels, and whose reads are windows, diagonals, backwards, and along
//! any loop, of elements that include the extreme ones.

use std::panic::{catch_unwind, AssertUnwindSafe};

use tensornio_compute::operand::DType;
use tensornio_compute::signature::Signature;
use tensornio_compute::Program;

use crate::agree::{agree_on, depth, pick, setting, some, tensor, Input, Layout, Random, NUMBERS};

const LONG: [i64; 22] = [
    31, 32, 33, 63, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 600, 1023, 1025, 2048, 2049,
    8191, 8192, 8193,
];
const SHORT: [i64; 12] = [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 20, 33];
/// The most iterations of a statement, and elements of a tensor.
const MOST: i64 = 50_000;
const MOST_ELEMENTS: i64 = 400_000;
const LOOPS: [&str; 4] = ["a", "b", "c", "d"];

/// A tensor that is read, with the least shape that contains all reads.
struct Tensor {
    shape: Vec<i64>,
}

/// An index with values from 0 on, and the number of them.
fn index(random: &mut Random, l: usize, ranges: &[i64]) -> (String, i64) {
    let (name, range) = (LOOPS[l], ranges[l]);
    let other = random.below(ranges.len() as i64) as usize;
    let (wide, step) = (ranges[other], pick(random, &[1, 8, 16, 32]));
    match random.below(16) {
        0 => (format!("{}-{name}", range - 1), range),
        1 => (format!("2*{name}"), 2 * range - 1),
        2 => (format!("{name}+3"), range + 3),
        3 => ("0".to_owned(), 1),
        4 | 5 if other != l => (
            format!("{name}+{step}*{}", LOOPS[other]),
            range + step * (wide - 1),
        ),
        6 if other != l => (
            format!("{name}-{}+{}", LOOPS[other], wide - 1),
            range + wide - 1,
        ),
        _ => (name.to_owned(), range),
    }
}

/// A read of one of the tensors, along all loops in any order, or some of them, or one twice.
fn read(random: &mut Random, tensors: &mut [Tensor], ranges: &[i64]) -> String {
    let at = random.below(tensors.len() as i64) as usize;
    let mut order: Vec<usize> = (0..ranges.len()).collect();
    for k in (1..order.len()).rev() {
        order.swap(k, random.below(k as i64 + 1) as usize);
    }
    let rank = tensors[at].shape.len();
    let mut text = Vec::new();
    for axis in 0..rank {
        let l = match random.below(10) {
            0 => random.below(ranges.len() as i64) as usize,
            _ => order[axis % order.len()],
        };
        let (index, len) = index(random, l, ranges);
        tensors[at].shape[axis] = tensors[at].shape[axis].max(len);
        text.push(index);
    }
    format!("x{at}[{}]", text.join(","))
}

fn expression(
    random: &mut Random,
    tensors: &mut [Tensor],
    ranges: &[i64],
    integer: bool,
    depth: u32,
) -> String {
    if depth == 0 {
        return match random.below(12) {
            0 => format!("{}", random.below(4)),
            1 => pick(random, &LOOPS[..ranges.len()]).to_owned(),
            _ => read(random, tensors, ranges),
        };
    }
    let a = expression(random, tensors, ranges, integer, depth - 1);
    let other = random.below(2) as u32;
    let b = expression(random, tensors, ranges, integer, other);
    match random.below(14) {
        0..=2 => format!("({a} + {b})"),
        3 | 4 => format!("({a} - {b})"),
        5 | 6 => format!("{a} * {b}"),
        7 => format!("max({a}, {b})"),
        8 => format!("min({a}, {b})"),
        9 => format!("select({a} < {b}, {a}, {b})"),
        10 => {
            let l = random.below(ranges.len() as i64) as usize;
            let (first, bound) = (random.below(3), 1 + random.below(ranges[l]));
            format!("guard(0 <= {}-{first} < {bound}, {a})", LOOPS[l])
        }
        // Not by 0: what a run has written before it fails may differ.
        11 if integer => format!("({a} / {})", 1 + random.below(4)),
        12 => format!("abs({a})"),
        _ => a,
    }
}

/// The elements of an input: small numbers, or all that is special.
fn elements(
    random: &mut Random,
    dtype: DType,
    shape: &[i64],
    layout: Layout,
    special: bool,
) -> Input {
    if !special {
        return some(dtype, shape, layout, random);
    }
    let seed = random.next();
    let of: &[f64] = match dtype {
        DType::Float | DType::Double => &[
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            -0.0,
            0.0,
            1.0,
            -1.0,
            1e-40,
        ],
        DType::Int32 => &[i32::MIN as f64, i32::MAX as f64, -1.0, 0.0, 1.0, 65536.0],
        // The largest double below 2^63.
        DType::Int64 => &[
            i64::MIN as f64,
            9_223_372_036_854_774_784.0,
            -1.0,
            0.0,
            1.0,
            4_294_967_296.0,
        ],
        DType::UInt8 => &[0.0, 1.0, 16.0, 127.0, 128.0, 255.0],
        _ => &[0.0, 1.0],
    };
    tensor(dtype, shape, layout, random, |k| {
        of[Random(seed.wrapping_add(k as u64)).below(of.len() as i64) as usize]
    })
}

/// A statement and its inputs; `None` if it reads too much.
fn program(random: &mut Random, layout: Layout) -> Option<(String, Vec<Input>)> {
    let dtype = pick(random, &NUMBERS);
    let float = matches!(dtype, DType::Float | DType::Double);
    let mut ranges = vec![pick(random, &LONG)];
    for _ in 0..random.below(4) {
        let most = MOST / ranges.iter().product::<i64>();
        let range = match random.below(4) {
            0 => pick(random, &LONG),
            _ => pick(random, &SHORT),
        };
        ranges.push(range.min(most).max(1));
    }
    let first = random.below(ranges.len() as i64) as usize;
    ranges.swap(0, first);
    let mut tensors: Vec<Tensor> = (0..1 + random.below(3))
        .map(|_| Tensor {
            shape: vec![1; random.below(ranges.len() as i64 + 1) as usize],
        })
        .collect();
    let op = pick(random, &["=", "=", "=", "=", "+=", "+=", "max=", "min="]);
    let mut kept: Vec<usize> = (0..ranges.len()).collect();
    for k in (1..kept.len()).rev() {
        kept.swap(k, random.below(k as i64 + 1) as usize);
    }
    if op != "=" {
        kept.truncate(random.below(ranges.len() as i64 + 1) as usize);
    }
    let left: Vec<String> = kept
        .iter()
        .map(|&l| match random.below(12) {
            0 => format!("2*{}+1", LOOPS[l]),
            1 => format!("{}-{}", ranges[l] - 1, LOOPS[l]),
            _ => LOOPS[l].to_owned(),
        })
        .collect();
    let deep = random.below(4) as u32;
    let mut value = expression(random, &mut tensors, &ranges, !float, deep);
    if !value.contains('x') {
        value = format!("{value} + {}", read(random, &mut tensors, &ranges));
    }
    let domain: Vec<String> = ranges
        .iter()
        .zip(LOOPS)
        .map(|(range, l)| format!("{l} in 0:{range}"))
        .collect();
    // Sums of what overflows hang on their order.
    let special = random.below(3) == 0 && (op != "+=" || !float);
    let mut text = format!(
        "y[{}] {op} {value} where {}",
        left.join(","),
        domain.join(", ")
    );
    if op == "=" && random.below(4) == 0 {
        text = format!(
            "{text}; z[] max= y[{}]; return y, z",
            LOOPS[..left.len()].join(",")
        );
    }
    let names = Program::parse(&text).ok()?.inputs().to_vec();
    let mut inputs = Vec::new();
    for name in names {
        let shape = &tensors[name[1..].parse::<usize>().ok()?].shape;
        let count = shape.iter().try_fold(1i64, |n, &len| n.checked_mul(len))?;
        if count > MOST_ELEMENTS {
            return None;
        }
        inputs.push(elements(random, dtype, shape, layout, special));
    }
    Some((text, inputs))
}

#[test]
fn random_tiles_agree() {
    let first = setting("TENSORNIO_TEST_SEED", 1);
    println!("seed {first}");
    let mut ran = 0;
    for seed in first..first + 150 * depth() {
        let mut random = Random(seed);
        let layout = pick(&mut random, &[Layout::Plain, Layout::Wild]);
        let Some((text, inputs)) = program(&mut random, layout) else {
            continue;
        };
        let signatures: Vec<Signature> = inputs.iter().map(Input::signature).collect();
        let parsed = Program::parse(&text).expect("a program");
        let pinned = vec![None; parsed.outputs().len()];
        if parsed.bind(&signatures, &pinned).is_err() {
            continue;
        }
        let run = catch_unwind(AssertUnwindSafe(|| {
            agree_on(&text, &inputs, layout, 1e3, &mut random)
        }));
        let dtypes: Vec<_> = signatures.iter().map(|s| s.shape.clone()).collect();
        assert!(run.is_ok(), "seed {seed}: {text} of {dtypes:?}");
        ran += 1;
    }
    println!("{ran} programs ran");
    assert!(ran > 50);
}
