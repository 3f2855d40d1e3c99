//! `...` in brackets: axes that the text does not name; and lengths as numbers.

use crate::random::{seed, Random};
use crate::support::*;
use tensornio_compute::operand::DType;
use tensornio_compute::{Program, Signature};

fn matrix() -> Value {
    doubles(&[2, 2], &[1., 2., 3., 4.])
}

fn shapes(text: &str, inputs: &[Value]) -> Vec<Vec<i64>> {
    let outputs = eval(text, inputs);
    outputs
        .iter()
        .map(|output| output.layout.shape().to_vec())
        .collect()
}

fn message(text: &str, inputs: &[Value]) -> String {
    faults(text, inputs).to_string()
}

#[test]
fn one_text_serves_all_ranks() {
    let text = "y[...] = relu(x[...])";
    assert_eq!(first(text, &[double(-2.)]), [0.]);
    assert_eq!(first(text, &[doubles(&[2], &[-1., 3.])]), [0., 3.]);
    let cube = doubles(&[1, 2, 2], &[1., -2., 3., -4.]);
    assert_eq!(first(text, &[cube.clone()]), [1., 0., 3., 0.]);
    assert_eq!(shapes(text, &[cube]), [[1, 2, 2]]);
    assert_eq!(first("y[...] = x[...] + 1", &[fraction(2.5)]), [3.5]);
}

fn double(x: f64) -> Value {
    doubles(&[], &[x])
}

#[test]
fn named_axes_are_before_and_after() {
    let x = doubles(&[2, 1, 3], &[1., 2., 3., 4., 5., 6.]);
    assert_eq!(first("s[...] += x[...,k]", &[x.clone()]), [6., 15.]);
    assert_eq!(shapes("s[...] += x[...,k]", &[x.clone()]), [[2, 1]]);
    let w = doubles(&[3, 2], &[1., 0., 0., 1., 1., 1.]);
    let y = "y[...,i] += x[...,k] * w[k,i]";
    assert_eq!(first(y, &[x.clone(), w]), [4., 5., 10., 11.]);
    let g = doubles(&[2], &[10., 100.]);
    assert_eq!(
        first("y[i,...] = x[i,...] * g[i]", &[x.clone(), g]),
        [10., 20., 30., 400., 500., 600.]
    );
    assert_eq!(shapes("y[j,...,i] = x[i,...,j]", &[x]), [[3, 1, 2]]);
}

#[test]
fn a_shorter_operand_and_axes_of_length_1_stretch() {
    let a = doubles(&[2, 3], &[1., 2., 3., 4., 5., 6.]);
    let row = doubles(&[3], &[10., 20., 30.]);
    let column = doubles(&[2, 1], &[100., 200.]);
    let text = "y[...] = a[...] + b[...]";
    let by_row = [11., 22., 33., 14., 25., 36.];
    assert_eq!(first(text, &[a.clone(), row.clone()]), by_row);
    assert_eq!(first(text, &[row.clone(), a.clone()]), by_row);
    assert_eq!(
        first(text, &[a.clone(), column.clone()]),
        [101., 102., 103., 204., 205., 206.]
    );
    assert_eq!(
        first(text, &[row, column.clone()]),
        [110., 120., 130., 210., 220., 230.]
    );
    let none = doubles(&[0], &[]);
    assert_eq!(shapes(text, &[column, none]), [[2, 0]]);
}

#[test]
fn a_left_side_without_dots_reduces_them() {
    let b = doubles(&[2], &[0., 1.]);
    let e = "e += (a[...] - b[...])^2";
    assert_eq!(first(e, &[matrix(), b]), [1. + 1. + 9. + 9.]);
    assert_eq!(first("m max= a[...]", &[matrix()]), [4.]);
    assert_eq!(first("m[i] max= a[i,...]", &[matrix()]), [2., 4.]);
    assert_eq!(
        Program::parse("y = a[...]").unwrap_err().to_string(),
        "y: the axes ... of a are not on the left of =; reduce them by +=, *=, max= or min="
    );
}

#[test]
fn look_ups_have_dots_too() {
    let table = doubles(&[3, 2], &[0., 1., 2., 3., 4., 5.]);
    let n = ints(&[2, 2], &[2, 0, 1, 1]);
    let text = "y[...,d] = T[n[...],d]";
    let y = [4., 5., 0., 1., 2., 3., 2., 3.];
    assert_eq!(first(text, &[table.clone(), n.clone()]), y);
    assert_eq!(shapes(text, &[table, n]), [[2, 2, 2]]);
    let scattered = "t[n[...],d] += x[...,d] where t[3,size(x,-1)]";
    let (n, x) = (ints(&[2], &[2, 2]), matrix());
    assert_eq!(first(scattered, &[n, x]), [0., 0., 0., 0., 4., 6.]);
}

#[test]
fn where_gives_the_other_lengths() {
    let x = doubles(&[2, 2], &[1., 2., 3., 4.]);
    let text = "y[...,2*k] += x[...,k] where y[...,5]";
    assert_eq!(first(text, &[x]), [1., 0., 2., 0., 0., 3., 0., 4., 0., 0.]);
    for (text, why) in [
        (
            "y[...,k] += x[...,k] where y[5]",
            "y has rank 2, its shape 1 sizes",
        ),
        (
            "y[...,k] += x[...,k] where y[5,...]",
            "the shape of y has '...' where its left side has",
        ),
        (
            "y[k] += x[...,k] where y[...]",
            "the shape of y has '...' where its left side has",
        ),
        ("y[..., ...] = x[...]", "'...' is in one bracket twice"),
        (
            "y[...] = x[...] + T[..., i, ...]",
            "'...' is in one bracket twice",
        ),
    ] {
        let error = Program::parse(text).unwrap_err().to_string();
        assert!(
            error.contains(why) && error.contains("line 1, column"),
            "{text}: {error}"
        );
    }
}

#[test]
fn differences_name_both_operands_and_the_axis_from_the_end() {
    let a = doubles(&[2, 3], &[0.; 6]);
    let b = doubles(&[2, 2], &[0.; 4]);
    assert_eq!(
        message("y[...] = a[...] * b[...]", &[a.clone(), b.clone()]),
        "y: axis -1 of ... is 3 by a and 2 by b"
    );
    let c = doubles(&[4, 1], &[0.; 4]);
    assert_eq!(
        message("y[...] = a[...] * b[...]", &[a, c]),
        "y: axis -2 of ... is 2 by a and 4 by b"
    );
    assert_eq!(
        message("y[...] += x[...,i,j]", &[doubles(&[], &[1.])]),
        "y: x has rank 0, at least 2 indices given"
    );
    // What reads a faulty result is not judged.
    let text = "y[...] = a[...] + b[...]; z[...] = y[...] + b[...,0,0,0]";
    let three = doubles(&[3], &[0.; 3]);
    assert_eq!(
        message(text, &[three, b]),
        "y: axis -1 of ... is 3 by a and 2 by b"
    );
}

#[test]
fn guarded_reads_give_lengths() {
    let x = doubles(&[3], &[1., 2., 3.]);
    let text = "y[i,...] = guard(0 <= i-1, x[i-1,...]) where i in 0:3";
    assert_eq!(first(text, &[x]), [0., 1., 2.]);
    let x = doubles(&[2, 2], &[1., 2., 3., 4.]);
    let text = "y[i,...] = guard(i < 2, x[i,...]) where i in 0:3";
    assert_eq!(first(text, &[x]), [1., 2., 3., 4., 0., 0.]);
}

#[test]
fn without_a_read_there_are_no_axes() {
    assert_eq!(first("y[...] = 3.", &[]), [3.]);
    assert_eq!(shapes("y[i,...] = i where i in 0:2", &[]), [[2]]);
}

#[test]
fn outputs_must_have_the_inferred_shape() {
    let program = Program::parse("y[...] = x[...] * 2").unwrap();
    let run = |shape: &[i64]| {
        run_pinned(
            &program,
            &[doubles(&[2], &[1., 2.])],
            &[Some(shape.to_vec())],
        )
    };
    assert_eq!(run(&[2]).unwrap()[0].doubles(), [2., 4.]);
    assert_eq!(
        run(&[3]).unwrap_err().to_string(),
        "y: ... is [2], but the output has shape [3]"
    );
    assert_eq!(
        run(&[1, 2]).unwrap_err().to_string(),
        "y: it has rank 1, but the output has shape [1, 2]"
    );
}

#[test]
fn gradients_sum_over_what_was_stretched() {
    let program = Program::parse("y[...] = a[...] * b[...]").unwrap();
    let gradient = program.gradient("y", None, &["a", "b"]).unwrap();
    assert_eq!(gradient.outputs(), ["y", "da", "db"]);
    assert_eq!(
        gradient.text(),
        "y[...] = a[...] * b[...]\ngradient y by a, b"
    );
    let b = doubles(&[2], &[10., 20.]);
    let out = run(&gradient, &[matrix(), b]).unwrap();
    assert_eq!(out[0].doubles(), [10., 40., 30., 80.]);
    assert_eq!(out[1].doubles(), [10., 20., 10., 20.]);
    assert_eq!(out[2].doubles(), [4., 6.]);
    let column = doubles(&[2, 1], &[10., 20.]);
    let out = run(&gradient, &[matrix(), column]).unwrap();
    assert_eq!(out[2].doubles(), [3., 7.]);
    assert_eq!(out[2].layout.shape(), [2, 1]);
    // And of a gradient.
    let twice = Program::parse("e += a[...]^3 * b[...]; gradient e by a; f += da[...]^2").unwrap();
    let twice = twice.gradient("f", None, &["b"]).unwrap();
    let out = run(&twice, &[doubles(&[2], &[1., 2.]), double(2.)]).unwrap();
    // f = sum of (3 a^2 b)^2, df/db = sum of 18 a^4 b
    assert_eq!(out[1].doubles(), [18. * 17. * 2.]);
}

#[test]
fn a_batch_has_its_axis_before_all_others() {
    let program = Program::parse("y[...] = x[...] * w[...]").unwrap();
    let (batch, names) = program.batched(&["x"]).unwrap();
    assert_eq!(batch.text(), "y[example_1,...] = x[example_1,...] * w[...]");
    assert_eq!(names, ["x", "y"]);
    let x = doubles(&[2, 3], &[1., 2., 3., 4., 5., 6.]);
    let w = doubles(&[2, 3], &[1., 1., 1., 2., 2., 2.]);
    let out = run(&batch, &[x, w]).unwrap();
    assert_eq!(out[0].layout.shape(), [2, 2, 3]);
    assert_eq!(
        out[0].doubles(),
        [1., 2., 3., 2., 4., 6., 4., 5., 6., 8., 10., 12.]
    );
}

#[test]
fn lengths_are_integers() {
    let h = doubles(&[3, 2], &[1., 2., 3., 4., 5., 6.]);
    assert_eq!(first("z[i] = h[size(h,0)-1,i]", &[h.clone()]), [5., 6.]);
    assert_eq!(
        first("z[i] = h[i, size(h,-1) - 1]", &[h.clone()]),
        [2., 4., 6.]
    );
    assert_eq!(
        first(
            "z[i] = h[size(h,0) - 1 - i, 0] where i in 0:size(h,0)",
            &[h.clone()]
        ),
        [5., 3., 1.]
    );
    assert_eq!(
        first("s[i] += h[i,j] / size(h,1)", &[h.clone()]),
        [1.5, 3.5, 5.5]
    );
    assert_eq!(
        first("s[i] += h[i,j] / len(h,i)", &[h.clone()]),
        [1.5, 3.5, 5.5]
    );
    assert_eq!(
        first(
            "z[i] = guard(i < size(h,0) - 1, h[i+1,0]) where i in 0:size(h,0)",
            &[h.clone()]
        ),
        [3., 5., 0.]
    );
    assert_eq!(
        first(
            "z[i] = h[i+1,0] - h[i,0] where i in 0:size(h,0)-1",
            &[h.clone()]
        ),
        [2., 2.]
    );
}

#[test]
fn bounds_of_guards_are_affine() {
    let triangle = "z[i,j] = guard(j < i + 1, h[i,j]) where i in 0:3, j in 0:3";
    let h = doubles(&[3, 3], &[1., 2., 3., 4., 5., 6., 7., 8., 9.]);
    let lower = [1., 0., 0., 4., 5., 0., 7., 8., 9.];
    assert_eq!(first(triangle, &[h.clone()]), lower);
    let both = "z[i,j] = guard(0 <= j < i + 1, h[i,j]) where i in 0:3, j in 0:3";
    assert_eq!(first(both, &[h.clone()]), lower);
    let gradient =
        Program::parse("s += guard(0 <= i - j, h[i,j]^2) where i in 0:3, j in 0:3").unwrap();
    let gradient = gradient.gradient("s", None, &["h"]).unwrap();
    let doubled: Vec<f64> = lower.iter().map(|x| 2. * x).collect();
    assert_eq!(run(&gradient, &[h.clone()]).unwrap()[1].doubles(), doubled);
    let scattered = gradient.with_scattered_gradients().unwrap();
    assert_eq!(run(&scattered, &[h]).unwrap()[1].doubles(), doubled);
}

#[test]
fn a_length_alone_is_int64_and_takes_the_type_it_meets() {
    let x = floats(&[3], &[0.; 3]);
    let out = eval(
        "n = size(x,0); f = 1. * size(x,0); b[i] = uint8(1) * size(x,-1) where i in 0:1",
        &[x],
    );
    let types: Vec<DType> = out.iter().map(|each| each.dtype).collect();
    assert_eq!(types, [DType::Int64, DType::Float, DType::UInt8]);
    assert_eq!(out[2].doubles(), [3.]);
    let x = floats(&[300], &[0.; 300]);
    assert_eq!(
        message("b = uint8(1) * size(x,0)", &[x]),
        "b: UINT8 cannot hold 300"
    );
}

#[test]
fn lengths_that_are_not_there_are_faults() {
    let x = || floats(&[3], &[0.; 3]);
    for (text, why) in [
        ("n = size(x,1)", "n: size(x,1), but x has rank 1"),
        ("n = size(x,-2)", "n: size(x,-2), but x has rank 1"),
        ("n = len(x,0)", "n: len(x,0), but x has rank 1"),
        (
            "y[i] = x[size(x,0)]",
            "y: nothing determines the range of i",
        ),
        (
            "y = x[size(x,0)]",
            "y: x axis 0 of length 3 would be read at 3",
        ),
        (
            "y[i] = x[i + size(x,0)]",
            "y: nothing determines the range of i",
        ),
        (
            "y[i] = x[i + size(x,0)] where i in 0:1",
            "y: x axis 0 of length 3 would be read at 3",
        ),
        (
            "y[i] = 1 where i in 0:3, y[size(x,0)-5]",
            "y: the shape [-2] has a negative length",
        ),
        (
            "y[i] = 1 where i in 0:3, y[size(x,1)]",
            "y: size(x,1), but x has rank 1",
        ),
    ] {
        let error = message(text, &[x()]);
        assert!(error.starts_with(why), "{text}: {error}");
    }
    assert_eq!(shapes("y[i] = 1 where i in 0:size(x,0)-5", &[x()]), [[0]]);
    for (text, why) in [
        (
            "y[i] = 1 where i in 0:n",
            "loops of the statement, of which n is none",
        ),
        ("y[i] = guard(i < n[], x[i])", "a guard has no look-ups"),
    ] {
        let error = Program::parse(text).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
}

#[test]
fn the_new_text_has_one_form() {
    for (text, canonical) in [
        (
            "y[ ... ,i]=x[...,i+size(x,-1)-1]",
            "y[...,i] = x[...,i + size(x,-1) - 1]",
        ),
        ("y = x[2 - size(x,0)]", "y = x[2 - size(x,0)]"),
        (
            "y[i] = guard(0<=i-1,i<3,x[i-1]<2)",
            "y[i] = guard(0 <= i - 1, i < 3, x[i - 1] < 2)",
        ),
        (
            "y[i] = guard(0 <= i < 3, 0 <= i)",
            "y[i] = guard(0 <= i < 3, 0 <= i)",
        ),
        ("y[i] = len(R,i) * size(R,0)", "y[i] = len(R,i) * size(R,0)"),
        (
            "y[i] = 1 where i in 0:2*size(x,0)+1",
            "y[i] = 1 where i in 0:2*size(x,0) + 1",
        ),
        (
            "y[...,k] = x[...] where k in 0:2, y[...,3]",
            "y[...,k] = x[...] where k in 0:2, y[...,3]",
        ),
        ("y = len", "y = len"),
    ] {
        let program = Program::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(program.text(), canonical);
        let again = Program::parse(canonical).unwrap();
        assert_eq!(
            format!("{:?}", program.statements()),
            format!("{:?}", again.statements())
        );
    }
}

/// A random text with `...`, the same written out, and the shapes of its inputs.
struct Open {
    open: String,
    written: String,
    shapes: Vec<Vec<i64>>,
}

/// An operand: its axes of `...`, some of length 1, and its named indices before and after.
struct Part {
    rest: Vec<i64>,
    before: Vec<usize>,
    after: Vec<usize>,
}

const NAMED: [(&str, i64); 3] = [("i", 2), ("j", 3), ("k", 1)];

fn open(random: &mut Random) -> Open {
    let rank = random.below(4) as usize;
    let lengths: Vec<i64> = (0..rank)
        .map(|_| [1, 2, 3, 4, 0][(random.below(18) / 4) as usize])
        .collect();
    let count = 1 + random.below(3) as usize;
    let parts: Vec<Part> = (0..count)
        .map(|_| {
            let own = random.below(rank as i64 + 1) as usize;
            let rest = lengths[own..].iter();
            Part {
                rest: rest
                    .map(|&length| if random.below(4) == 0 { 1 } else { length })
                    .collect(),
                before: (0..random.below(2))
                    .map(|_| random.below(3) as usize)
                    .collect(),
                after: (0..random.below(3))
                    .map(|_| random.below(3) as usize)
                    .collect(),
            }
        })
        .collect();
    // What is inferred from them, aligned at the last axis.
    let rank = parts.iter().map(|part| part.rest.len()).max().unwrap_or(0);
    let length = |from_end: usize| {
        let axis = |part: &Part| {
            let at = part.rest.len().checked_sub(from_end)?;
            part.rest.get(at).copied()
        };
        let all: Vec<i64> = parts.iter().filter_map(axis).collect();
        all.iter().copied().find(|&length| length != 1).unwrap_or(1)
    };
    let inferred: Vec<i64> = (1..=rank).rev().map(length).collect();
    let mut used = Vec::new();
    let (mut terms, mut shapes) = (Vec::new(), Vec::new());
    for (n, part) in parts.iter().enumerate() {
        let names = |at: &[usize]| {
            at.iter()
                .map(|&at| NAMED[at].0.to_owned())
                .collect::<Vec<_>>()
        };
        let sizes = |at: &[usize]| at.iter().map(|&at| NAMED[at].1).collect::<Vec<_>>();
        used.extend(part.before.iter().chain(&part.after));
        let rest: Vec<String> = (0..part.rest.len())
            .map(|at| {
                let from_end = part.rest.len() - at;
                if part.rest[at] == length(from_end) {
                    format!("rest_{from_end}")
                } else {
                    "0".to_owned()
                }
            })
            .collect();
        let bracket = |middle: Vec<String>| {
            let all = [names(&part.before), middle, names(&part.after)].concat();
            format!("x{n}[{}]", all.join(","))
        };
        let (open, written) = (bracket(vec!["...".to_owned()]), bracket(rest));
        let wrap = [
            "X",
            "X * X",
            "exp(X)",
            "2 * X",
            "max(X, 0.5)",
            "guard(0 <= i - 1, X)",
            "guard(0 <= i < 1, X)",
            "select(X > 1, X, 3)",
            "X * size(x0,-1)",
        ];
        let least = if parts[0].rest.is_empty()
            && parts[0].before.is_empty()
            && parts[0].after.is_empty()
        {
            8
        } else {
            9
        };
        let form = wrap[random.below(least) as usize];
        if form.contains('i') && form.contains("guard") {
            used.push(0);
        }
        terms.push((form.replace('X', &open), form.replace('X', &written)));
        shapes.push([sizes(&part.before), part.rest.clone(), sizes(&part.after)].concat());
    }
    used.sort_unstable();
    used.dedup();
    // Some loops stay; under = all do.
    let op = ["=", "+=", "max=", "min=", "+="][random.below(5) as usize];
    let mut kept: Vec<usize> = used
        .iter()
        .copied()
        .filter(|_| op == "=" || random.below(2) == 0)
        .collect();
    let after: Vec<usize> = kept.split_off(random.below(kept.len() as i64 + 1) as usize);
    let dots = op == "=" || random.below(3) > 0;
    let left = |middle: Vec<String>| {
        let names = |at: &[usize]| {
            at.iter()
                .map(|&at| NAMED[at].0.to_owned())
                .collect::<Vec<_>>()
        };
        format!(
            "y[{}]",
            [names(&kept), middle, names(&after)].concat().join(",")
        )
    };
    let join = [" + ", " * ", " - "][random.below(3) as usize];
    let value = |side: fn(&(String, String)) -> &String| {
        let sides: Vec<&str> = terms.iter().map(|term| side(term).as_str()).collect();
        sides.join(join)
    };
    let named: Vec<String> = used
        .iter()
        .map(|&at| format!("{} in 0:{}", NAMED[at].0, NAMED[at].1))
        .collect();
    let loops: Vec<String> = (1..=rank).rev().map(|n| format!("rest_{n}")).collect();
    let ranges: Vec<String> = loops
        .iter()
        .zip(&inferred)
        .map(|(name, range)| format!("{name} in 0:{range}"))
        .collect();
    let clause = |items: Vec<String>| {
        if items.is_empty() {
            String::new()
        } else {
            format!(" where {}", items.join(", "))
        }
    };
    let open = format!(
        "{} {op} {}{}",
        left(if dots { vec!["...".to_owned()] } else { vec![] }),
        value(|term| &term.0),
        clause(named.clone())
    );
    let written = format!(
        "{} {op} {}{}",
        left(if dots { loops } else { vec![] }),
        value(|term| &term.1),
        clause([named, ranges].concat())
    );
    Open {
        open,
        written,
        shapes,
    }
}

#[test]
fn random_texts_are_what_is_written_out() {
    let mut random = Random(seed() + 4);
    let mut stretched = 0;
    for _ in 0..2000 * depth() {
        let Open {
            open,
            written,
            shapes,
        } = open(&mut random);
        stretched += usize::from(written.contains(",0") || written.contains("[0"));
        let [program, expected] = [&open, &written]
            .map(|text| Program::parse(text).unwrap_or_else(|error| panic!("{text}: {error}")));
        assert_eq!(program, Program::parse(program.text()).unwrap());
        assert_eq!(program.inputs(), expected.inputs());
        let signatures: Vec<Signature> = shapes
            .iter()
            .map(|shape| Signature::tensor(DType::Double, shape))
            .collect();
        let names: Vec<&str> = program.inputs().iter().map(String::as_str).collect();
        let both = [&program, &expected].map(|program| {
            let gradient = program.gradient("y", None, &names).unwrap();
            let bound = program.bind(&signatures, &[None]);
            let outputs = vec![None; gradient.outputs().len()];
            let of_gradient = gradient.bind(&signatures, &outputs);
            // But for the depth of their texts.
            [bound, of_gradient].map(|bound| match bound {
                Ok(bound) => Ok(format!(
                    "{:?}",
                    (bound.tensors, bound.statements, bound.returned)
                )),
                Err(error) => Err(error.to_string()),
            })
        });
        assert_eq!(both[0], both[1], "{open}\n{written}\n{shapes:?}");
        assert!(
            both[0][0].is_ok() && both[0][1].is_ok(),
            "{open} {shapes:?}: {:?}",
            both[0]
        );
    }
    assert!(stretched > 100, "{stretched}");
}
