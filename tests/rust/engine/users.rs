//! Programs as users write them: convolutions with padding, shifts, differences and masks, that is guards with affine bounds on some of the loops,
//! several reads of one tensor, and gradients of first and second order of all of them. Operands have pages around them that nobody may touch, and no
//! plan may be refused by the check of footprints.

use tensornio_compute::operand::DType;
use tensornio_compute::{Program, Signature};

use crate::agree::{agree_on, depth, setting, some, Input, Layout, Random};

/// Runs a text on inputs of these shapes, in all layouts, of both float types.
fn check(text: &str, shapes: &[&[i64]]) {
    for dtype in [DType::Float, DType::Double] {
        for (layout, seed) in [(Layout::Plain, 1), (Layout::Plain, 2), (Layout::Wild, 3)] {
            let mut random = Random(seed);
            let inputs: Vec<Input> = shapes
                .iter()
                .map(|shape| some(dtype, shape, layout, &mut random))
                .collect();
            agree_on(text, &inputs, layout, 4000.0, &mut random);
        }
    }
}

/// An operand that a joined loop repeats was copied before the guard was looked at.
#[test]
fn an_operand_that_is_repeated_is_not_read_where_its_guard_does_not_hold() {
    let bounds = "where x in 0:15, f in 0:7, c in 0:5";
    let read = "guard(0 <= x-1 < 9, I[x-1,c])";
    for value in [
        read.to_owned(),
        format!("{read} * K[f,c]"),
        format!("{read} + K[f,c]"),
    ] {
        let shapes: &[&[i64]] = match value.contains('K') {
            true => &[&[9, 5], &[7, 5]],
            false => &[&[9, 5]],
        };
        check(&format!("y[x,f,c] = {value} {bounds}"), shapes);
        check(
            &format!("y[x,f,c] = {value} {bounds}; gradient y by I"),
            shapes,
        );
        check(&format!("y[x,c] max= {value} {bounds}"), shapes);
        check(&format!("y[x,c] += {value} {bounds}"), shapes);
        check(&format!("y[f,c] += {value} {bounds}"), shapes);
    }
    check(
        "y[f,c] += guard(0 <= x-100 < 9, I[x-100,c]) where x in 0:200, f in 0:7, c in 0:5",
        &[&[9, 5]],
    );
    check("y[x,f,c] = guard(0 <= x-1 < 9, I[x-1,c]) * guard(0 <= x-3 < 9, I[x-3,c]) where x in 0:15, f in 0:7, c in 0:5", &[&[9, 5]]);
}

/// Gradients in scatter form wrote where their guards did not hold.
#[test]
fn a_result_is_not_written_where_the_guard_of_its_statement_does_not_hold() {
    check(
        "y[i,j] = guard(0 <= 2*i+1 < 3, x[2*i+1]) - x[0] where i in 0:2, j in 0:2; gradient y by x",
        &[&[3]],
    );
    check(
        "o[i,x] = A[i,x] - guard(0 <= x-1 < size(A,1), A[0,x-1]); gradient o by A",
        &[&[4, 6]],
    );
    check(
        "t += A[0,i]*A[j,i+1] where i in 0:3, j in 0:3; gradient t by A; gradient dA by A",
        &[&[3, 4]],
    );
    // Large enough for a matrix product, whose result would leave its tensor.
    check(
        "y[i,j] += guard(0 <= 2*i+1 < 40, x[2*i+1,k] * w[k,j]) where i in 0:30, k in 0:20, j in 0:20; gradient y by x",
        &[&[40, 20], &[20, 20]],
    );
}

/// A coefficient, a loop and a shift: an index that may leave its axis.
fn index(random: &mut Random, l: &str, other: &str) -> String {
    match random.below(9) {
        0 => format!("2*{l}"),
        1 => format!("2*{l}+1"),
        2 => format!("{l}-1"),
        3 => format!("{l}+1"),
        4 => format!("{l}+{other}-1"),
        5 => format!("3-{l}"),
        6 => "0".to_owned(),
        _ => l.to_owned(),
    }
}

struct Tensor {
    name: &'static str,
    shape: Vec<i64>,
}

/// A read of a tensor, under the guards that keep it inside, some of which may be wider or narrower than that.
fn read(random: &mut Random, tensor: &Tensor, loops: &[&str]) -> String {
    let pick = |random: &mut Random| loops[random.below(loops.len() as i64) as usize];
    let mut conditions = Vec::new();
    let mut indices = Vec::new();
    for &length in &tensor.shape {
        let (l, other) = (pick(random), pick(random));
        let index = index(random, l, other);
        match random.below(8) {
            0 => conditions.push(format!("0 <= {index} < {}", (length - 1).max(1))),
            1 => conditions.push(format!("0 <= {index} < {}", length + 1)),
            _ => conditions.push(format!("0 <= {index} < {length}")),
        }
        if random.below(12) == 0 {
            conditions.pop();
        }
        indices.push(index);
    }
    let read = format!("{}[{}]", tensor.name, indices.join(","));
    match conditions.is_empty() {
        true => read,
        false => format!("guard({}, {read})", conditions.join(", ")),
    }
}

/// A program and its inputs.
fn program(random: &mut Random) -> (String, Vec<Tensor>) {
    let size = |random: &mut Random| match random.below(12) {
        0 => 1,
        1 => 20 + random.below(20),
        _ => 2 + random.below(6),
    };
    let tensors: Vec<Tensor> = ["A", "B"]
        .into_iter()
        .map(|name| Tensor {
            name,
            shape: (0..1 + random.below(3)).map(|_| size(random)).collect(),
        })
        .collect();
    let all = ["i", "j", "k", "m"];
    let loops = &all[..2 + random.below(3) as usize];
    let kept = &loops[..random.below(loops.len() as i64 + 1) as usize];
    let mut terms = Vec::new();
    for _ in 0..1 + random.below(3) {
        let one = |random: &mut Random| {
            let tensor = &tensors[random.below(2) as usize];
            read(random, tensor, loops)
        };
        let a = one(random);
        terms.push(match random.below(5) {
            0 => a,
            1 => format!("{a} * {a}"),
            2 => format!("max({a}, {})", one(random)),
            _ => format!("{a} * {}", one(random)),
        });
    }
    let joint = [" + ", " - "][random.below(2) as usize];
    let mut value = terms.join(joint);
    if random.below(6) == 0 {
        let shift = random.below(3);
        value = format!("guard(0 <= {}-{shift} < 4, {value})", loops[0]);
    }
    let op = match loops.len() > kept.len() {
        true => ["+=", "+=", "+=", "max="][random.below(4) as usize],
        false => "=",
    };
    let ranges: Vec<String> = loops
        .iter()
        .map(|l| format!("{l} in 0:{}", size(random)))
        .collect();
    let mut text = format!(
        "y[{}] {op} {value} where {}",
        kept.join(","),
        ranges.join(", ")
    );
    let by = tensors[random.below(2) as usize].name;
    match random.below(4) {
        0 => {}
        1 => text += &format!("; gradient y by {by}; gradient d{by} by {by}"),
        2 if random.below(2) == 0 => {
            text = format!(
                "{text}; z[{}] = tanh(y[{}]); gradient z by {by}",
                kept.join(","),
                kept.join(",")
            )
        }
        _ => text += &format!("; gradient y by {by}"),
    }
    (text, tensors)
}

#[test]
fn random_programs_of_users_agree() {
    let first = setting("TENSORNIO_SEED", 1);
    let mut ran = 0;
    for seed in first..first + 600 * depth() {
        let mut random = Random(seed);
        let (text, tensors) = program(&mut random);
        let Ok(parsed) = Program::parse(&text) else {
            continue;
        };
        let used: Vec<&Tensor> = parsed
            .inputs()
            .iter()
            .filter_map(|name| tensors.iter().find(|tensor| tensor.name == name))
            .collect();
        let dtype = [DType::Float, DType::Double][random.below(2) as usize];
        let signatures: Vec<Signature> = used
            .iter()
            .map(|tensor| Signature::tensor(dtype, &tensor.shape))
            .collect();
        if used.len() < parsed.inputs().len()
            || parsed
                .bind(&signatures, &vec![None; parsed.outputs().len()])
                .is_err()
        {
            continue;
        }
        println!("seed {seed}: {text}");
        let layout = [Layout::Plain, Layout::Wild][random.below(2) as usize];
        let inputs: Vec<Input> = used
            .iter()
            .map(|tensor| some(dtype, &tensor.shape, layout, &mut random))
            .collect();
        agree_on(&text, &inputs, layout, 1e4, &mut random);
        ran += 1;
    }
    println!("{ran} programs ran");
    assert!(ran > 100, "{ran}");
}
