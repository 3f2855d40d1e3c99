//! Random statements that share their leading axes, with rows long enough to be fused: maps, reductions, and what is read across rows.

use tensornio_compute::operand::DType;

use crate::agree::{agree_on, depth, pick, setting, some, Input, Layout, Random, NUMBERS};

/// Lengths of rows around those at which rows are fused, are one tile, and no longer are one; there are enough rows for several blocks.
const LENGTHS: [i64; 9] = [1, 33, 127, 128, 130, 257, 1000, 2048, 2100];
/// The most elements of a tensor.
const MOST: i64 = 40_000;

/// Tensors that a statement may read: by all axes, by those of rows, or by that within a row.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Whole,
    OfRows,
    Within,
}

/// The indices of a read; sometimes of another row, backwards, or always the first.
fn indices(
    random: &mut Random,
    kind: Kind,
    outer: &[&str],
    inner: &[&str],
    ranges: &[i64],
) -> String {
    let loops: Vec<(&str, i64)> = outer
        .iter()
        .chain(inner)
        .copied()
        .zip(ranges.iter().copied())
        .collect();
    let of = match kind {
        Kind::Whole => &loops[..],
        Kind::OfRows => &loops[..outer.len()],
        Kind::Within => &loops[outer.len()..],
    };
    let other = random.below(6) == 0;
    let indices: Vec<String> = of
        .iter()
        .map(|(l, range)| match random.below(8) {
            0 if other => format!("{}-{l}", range - 1),
            1 if other => "0".to_owned(),
            _ => (*l).to_owned(),
        })
        .collect();
    indices.join(",")
}

fn expression(random: &mut Random, reads: &[String], float: bool, depth: u32) -> String {
    if depth == 0 {
        let read = &reads[random.below(reads.len() as i64) as usize];
        return match random.below(8) {
            0 => format!("min({read}, {})", random.below(4)),
            _ => read.clone(),
        };
    }
    let a = expression(random, reads, float, depth - 1);
    let b = expression(random, reads, float, depth - 1);
    match random.below(9) {
        0 | 1 => format!("({a} + {b})"),
        2 => format!("({a} - {b})"),
        3 => format!("min(max({a}, 0), 2) * min({b}, 2)"),
        4 => format!("max({a}, {b})"),
        5 => format!("select({a} < {b}, {a}, {b})"),
        6 if float => format!("tanh({a})"),
        7 if float => format!("exp(min({a} - {b}, 1))"),
        _ => a,
    }
}

/// A program and its inputs: x has all axes, h those of rows, g that within a row.
fn program(random: &mut Random, dtype: DType, layout: Layout) -> (String, Vec<Input>) {
    let outer = &["a", "b"][..1 + random.below(2) as usize];
    let inner = &["i", "j"][..1 + random.below(2) as usize];
    let length = pick(random, &LENGTHS);
    let rows = (MOST / length).min(1 + random.below(300));
    let mut ranges = match outer.len() {
        1 => vec![rows],
        _ => vec![
            1 + random.below(3),
            pick(random, &[1, rows.div_euclid(3).max(1)]),
        ],
    };
    ranges.extend(match inner.len() {
        1 => vec![length],
        _ => vec![length.div_euclid(4).max(1), 4],
    });
    let (of_rows, within) = ranges.split_at(outer.len());
    let inputs = [&ranges[..], of_rows, within].map(|shape| some(dtype, shape, layout, random));
    let (left, all) = (outer.join(","), [outer, inner].concat().join(","));
    let mut known = vec![
        ("x".to_owned(), Kind::Whole),
        ("h".to_owned(), Kind::OfRows),
        ("g".to_owned(), Kind::Within),
    ];
    let mut lines = vec![];
    let float = matches!(dtype, DType::Float | DType::Double);
    for k in 0..2 + random.below(4) {
        let newest = known.len() - 1;
        let reads: Vec<String> = (0..3)
            .map(|n| {
                // The first one is likely the newest, so that statements are a chain.
                let at = if n == 0 && k > 0 {
                    newest
                } else {
                    random.below(known.len() as i64) as usize
                };
                let (name, kind) = &known[at];
                format!("{name}[{}]", indices(random, *kind, outer, inner, &ranges))
            })
            .collect();
        let deep = 1 + random.below(2) as u32;
        let mut value = expression(random, &reads, float, deep);
        let mut domain: Vec<String> = outer
            .iter()
            .chain(inner)
            .zip(&ranges)
            .map(|(l, range)| format!("{l} in 0:{range}"))
            .collect();
        let (target, op, kind) = match random.below(7) {
            0..=2 => (all.as_str(), "=", Kind::Whole),
            3 => (left.as_str(), pick(random, &["max=", "min="]), Kind::OfRows),
            4 => {
                // A value for each row, of such values alone.
                let of_rows: Vec<&String> = known
                    .iter()
                    .filter(|(_, kind)| *kind == Kind::OfRows)
                    .map(|(name, _)| name)
                    .collect();
                let read = of_rows[random.below(of_rows.len() as i64) as usize];
                let read = format!("{read}[{left}]");
                value = expression(random, &[read], float, deep);
                domain.truncate(outer.len());
                (left.as_str(), "=", Kind::OfRows)
            }
            5 => {
                // Of one element each, where a guard holds.
                let (l, range) = (inner[0], ranges[outer.len()]);
                value = format!("guard(0 <= {l}-1 < {}, {value})", range - range / 3);
                (all.as_str(), "+=", Kind::Whole)
            }
            _ => (left.as_str(), "+=", Kind::OfRows),
        };
        lines.push(format!(
            "t{k}[{target}] {op} {value} where {}",
            domain.join(", ")
        ));
        known.push((format!("t{k}"), kind));
    }
    let last = known.len() - 1;
    let returned: Vec<&str> = known[3..]
        .iter()
        .enumerate()
        .filter(|(k, _)| k + 3 == last || random.below(4) == 0)
        .map(|(_, (name, _))| name.as_str())
        .collect();
    lines.push(format!("return {}", returned.join(", ")));
    // What no statement reads is no input.
    let text = lines.join("; ");
    let used = |name: &str| text.contains(&format!("{name}["));
    let mut by_first_use: Vec<(usize, Input)> = ["x", "h", "g"]
        .iter()
        .zip(inputs)
        .filter(|(name, _)| used(name))
        .map(|(name, input)| (text.find(&format!("{name}[")).unwrap_or(0), input))
        .collect();
    by_first_use.sort_by_key(|(at, _)| *at);
    let inputs = by_first_use.into_iter().map(|(_, input)| input).collect();
    (text, inputs)
}

#[test]
fn random_rows_agree() {
    let seed = setting("TENSORNIO_TEST_SEED", 9);
    println!("seed {seed}");
    let mut random = Random(seed);
    for _ in 0..40 * depth() {
        let dtype = pick(&mut random, &NUMBERS);
        let layout = pick(&mut random, &[Layout::Plain, Layout::Wild]);
        let (text, inputs) = program(&mut random, dtype, layout);
        // Sums of up to 2100 numbers.
        agree_on(&text, &inputs, layout, 1e4, &mut random);
    }
}
