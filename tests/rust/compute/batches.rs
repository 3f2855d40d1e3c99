//! Programs for one example made programs for a batch, and what statements say of the lengths of axes.

use crate::random::{seed, values, Random};
use crate::support::generate;
use crate::support::*;
use tensornio_compute::equations::Length;
use tensornio_compute::scalar::Scalar;
use tensornio_compute::Program;

/// The text for a batch of these inputs, and the names that have the leading axis.
fn batched(text: &str, inputs: &[&str]) -> Result<(String, Vec<String>), String> {
    let program = Program::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    match program.batched(inputs) {
        Ok((batch, names)) => Ok((batch.text().to_owned(), names)),
        Err(error) => Err(error.to_string()),
    }
}

fn text(of: &str, inputs: &[&str]) -> String {
    batched(of, inputs).unwrap().0
}

#[test]
fn what_depends_on_an_input_gets_a_leading_axis() {
    assert_eq!(
        batched("y[i] += w[i,j] * x[j]", &["x"]),
        Ok((
            "y[example_1,i] += w[i,j] * x[example_1,j]".into(),
            vec!["x".into(), "y".into()]
        ))
    );
    assert_eq!(
        batched("d += w[i] ^ 2\ny = d + x", &["x"]).unwrap().1,
        ["x", "y"]
    );
    assert_eq!(text("y = x * 2", &["x"]), "y[example_1] = x[example_1] * 2");
}

#[test]
fn the_loop_over_examples_has_a_name_of_its_own() {
    assert_eq!(
        text("y[example_1] = x[example_1]", &["x"]),
        "y[example_2,example_1] = x[example_2,example_1]"
    );
}

#[test]
fn look_ups_and_sizes_follow_the_axis() {
    assert_eq!(
        text("y[k] = table[ids[k]]", &["ids"]),
        "y[example_1,k] = table[ids[example_1,k]]"
    );
    let sizes = text("y[i] = i + x[0] where i in 0:size(x,0)", &["x"]);
    assert!(sizes.contains("size(x,1)"), "{sizes}");
}

#[test]
fn sizes_of_axes_that_vary_are_lengths_of_rows() {
    let of = |text: &str, inputs: &[(&str, &[bool])]| {
        let program = Program::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        program.batched_rows(inputs).unwrap().0.text().to_owned()
    };
    let varies: &[(&str, &[bool])] = &[("x", &[true])];
    assert_eq!(
        of("m = c / size(x,0)\ns += x[j]", varies),
        "m[example_1] = c / len(x,example_1) where example_1 in 0:size(x,0)\ns[example_1] += x[example_1,j]"
    );
    // What has its rows has its lengths, from the end, too; what is reduced or redefined has not.
    let text = of(
        "y[j] = x[j] * 2\nn = size(y,-1) + size(y,0)\ny[i] += w[i] * x[j]\nk = size(y,0) + size(y,-1)",
        varies,
    );
    assert!(
        text.contains("len(y,example_1) + len(y,example_1)"),
        "{text}"
    );
    assert!(text.contains("size(y,1) + size(y,-1)"), "{text}");
    let text = of(
        "n = size(x,1) + x[0,0] + size(x,0)",
        &[("x", &[false, true])],
    );
    assert!(text.contains("len(x,example_1,0)"), "{text}");
    assert!(text.contains("size(x,1)"), "{text}");
    let text = of("y[j] = x[j] where j in 0:size(x,0)-1", varies);
    assert!(text.contains("len(x,example_1) - 1"), "{text}");
}

/// A dense operand may have axes before those of what is ragged, so that an axis from the end is not known to be one of these.
#[test]
fn axes_of_dots_from_the_end_are_not_known() {
    let of = |text: &str| {
        let program = Program::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let batch = program.batched_rows(&[("x", &[true])]);
        batch.map(|(batch, _)| batch.text().to_owned())
    };
    let said = of("y[...] = x[...] + b[...]\nn = size(y,-1)").unwrap_err();
    let wanted = "n: size(y,-1) counts axes of `...` from the end, of which tensors that are no rows may have more than rows have, in a batch of \
                  rows; count them from the first one";
    assert_eq!(said.to_string(), wanted);
    let said = of("y[...] = x[...] + b[...]\nz[...] = y[...] * 2\nn = size(z,-1)").unwrap_err();
    assert!(
        said.to_string().starts_with("n: size(z,-1) counts"),
        "{said}"
    );
    let scan = "y[...] = x[...] + b[...]\nscan t in 0:size(y,-1)\ns[t] = s[t-1] + 1\nend";
    let said = of(scan).unwrap_err().to_string();
    assert!(said.starts_with("scan t: size(y,-1) counts"), "{said}");
    let scan = "y[...] = x[...] + b[...]\nscan t in 0:3\ns[t] = s[t-1] + size(y,-1)\nend";
    let said = of(scan).unwrap_err().to_string();
    assert!(said.starts_with("s: size(y,-1) counts"), "{said}");
    for (text, wanted) in [
        (
            "y[...] = x[...] + b[...]\nscan t\ny[t] = y[t-1] + x[t]\nend\nn = size(y,-1)",
            "len(y,example_1)",
        ),
        (
            "y[...] = x[...] + b[...]\nn = size(y,0)",
            "len(y,example_1)",
        ),
        (
            "y[...] = x[...] + b[...]\ny[...] = x[...] * 2\nn = size(y,-1)",
            "len(y,example_1)",
        ),
        (
            "y[...] = x[...] + b[...]\ny[i] = w[i]\nn = size(y,-1)",
            "size(y,-1)",
        ),
    ] {
        let text = of(text).unwrap();
        assert!(text.contains(wanted), "{text}");
    }
}

#[test]
fn a_program_as_if_it_were_dense_has_no_support() {
    let dense = |text: &str| {
        let program = Program::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let dense = program.dense().unwrap();
        assert!(!dense.is_stored(), "{text}");
        dense.text().to_owned()
    };
    assert_eq!(
        dense("sparse p[i,j] = S[i,j] * w[j]"),
        "p[i,j] = S[i,j] * w[j]"
    );
    let text = dense("n[i] += 1 where stored(S[i,j])");
    assert_eq!(text, "n[i] += 1 where i in 0:size(S,0), j in 0:size(S,1)");
}

#[test]
fn a_redefinition_without_inputs_has_no_leading_axis() {
    let (_, names) = batched("y = x\ny = w\nz = y", &["x"]).unwrap();
    assert_eq!(names, ["x"]);
}

#[test]
fn what_makes_no_batch_is_refused() {
    let refused = |text, inputs: &[&str]| batched(text, inputs).unwrap_err();
    assert!(refused("y = x", &[]).contains("at least one input"));
    let unknown = refused("y = x", &["w"]);
    assert!(
        unknown.contains("w is no input; the inputs are x"),
        "{unknown}"
    );
    assert!(refused("y = x\nz = y", &["y"]).contains("y is no input"));
    let gradient = refused("y = x * x\ngradient y by x", &["x"]);
    assert!(gradient.contains("gradient y"), "{gradient}");
}

/// Elements with another axis before theirs.
fn stacked(examples: &[&Memory]) -> Memory {
    let mut shape = vec![examples.len() as i64];
    shape.extend(examples[0].layout.shape());
    let elements: Vec<Scalar> = examples.iter().flat_map(|one| one.elements()).collect();
    Memory::of(examples[0].dtype, &shape, &elements)
}

fn tensor(value: &Value) -> &Memory {
    match value {
        Value::Tensor(memory) => memory,
        Value::Number(_) => panic!("no tensor"),
    }
}

#[test]
fn a_batch_is_its_examples_one_by_one() {
    let mut random = Random(seed() + 5);
    let mut compared = 0;
    for _ in 0..300 * depth() {
        let case = generate::program(&mut |n| random.below(n));
        let program = Program::parse(&case.text).unwrap();
        let given: Vec<&str> = program
            .inputs()
            .iter()
            .filter(|_| random.below(3) > 0)
            .map(String::as_str)
            .collect();
        if given.is_empty() {
            continue;
        }
        let (batch, names) = program.batched(&given).unwrap();
        let is_given = |n: usize| given.contains(&program.inputs()[n].as_str());
        let fixed = values(&case, &mut random);
        let examples: Vec<Vec<Value>> = (0..3)
            .map(|_| {
                let own = values(&case, &mut random);
                (0..fixed.len())
                    .map(|n| {
                        if is_given(n) {
                            own[n].clone()
                        } else {
                            fixed[n].clone()
                        }
                    })
                    .collect()
            })
            .collect();
        // The batch may meet its inputs in another order.
        let inputs: Vec<Value> = batch
            .inputs()
            .iter()
            .map(|name| {
                let n = program
                    .inputs()
                    .iter()
                    .position(|other| other == name)
                    .unwrap();
                let all: Vec<&Memory> = examples.iter().map(|own| tensor(&own[n])).collect();
                if is_given(n) {
                    Value::Tensor(stacked(&all))
                } else {
                    fixed[n].clone()
                }
            })
            .collect();
        let made = run(&batch, &inputs)
            .unwrap_or_else(|error| panic!("{}\n{}\n{error}", case.text, batch.text()));
        let each: Vec<Vec<Memory>> = examples
            .iter()
            .map(|own| run(&program, own).unwrap())
            .collect();
        for (n, output) in program.outputs().iter().enumerate() {
            let all: Vec<&Memory> = each.iter().map(|one| &one[n]).collect();
            let expected = if names.contains(output) {
                stacked(&all)
            } else {
                all[0].clone()
            };
            assert_eq!(
                made[n].layout.shape(),
                expected.layout.shape(),
                "{}",
                case.text
            );
            let bits = |memory: &Memory| {
                memory
                    .elements()
                    .iter()
                    .map(|x| format!("{x:?}"))
                    .collect::<Vec<_>>()
            };
            assert_eq!(
                bits(&made[n]),
                bits(&expected),
                "{output} of {}\n{}",
                case.text,
                batch.text()
            );
        }
        compared += 1;
    }
    assert!(compared > 100);
}

/// The lengths of the axes that a program reads and writes, access by access, a line each.
fn lengths(text: &str) -> Vec<String> {
    let program = Program::parse(text).unwrap();
    let length = |length: &Length| match length {
        Length::Loop(name) => name.clone(),
        Length::Number(number) => number.to_string(),
        Length::Unknown => "?".to_owned(),
        Length::Rest => "...".to_owned(),
    };
    program
        .equations()
        .expect("a stack")
        .iter()
        .map(|equation| {
            let axes: Vec<String> = equation.axes.iter().map(length).collect();
            format!(
                "{} {}[{}]",
                equation.statement,
                equation.tensor,
                axes.join(",")
            )
        })
        .collect()
}

#[test]
fn loops_used_alone_equate_lengths() {
    assert_eq!(
        lengths("y[i] += a[i,j] * x[j]"),
        ["0 a[i,j]", "0 x[j]", "0 y[i]"]
    );
}

#[test]
fn other_indices_and_guards_say_nothing() {
    assert_eq!(
        lengths("y[i] += x[i+j] * k[j]"),
        ["0 x[?]", "0 k[j]", "0 y[?]"]
    );
    assert_eq!(lengths("y[i] = x[2*i]"), ["0 x[?]", "0 y[?]"]);
    assert_eq!(
        lengths("y[k] = t[ids[k]]"),
        ["0 t[?]", "0 ids[k]", "0 y[k]"]
    );
    assert_eq!(
        lengths("y[i] = guard(0 <= i < 2, x[i]) where i in 0:4"),
        ["0 x[?]", "0 y[4]"]
    );
}

#[test]
fn definitions_are_told_apart() {
    assert_eq!(
        lengths("s[i] = x[i]\ns[i] = s[i] + w[i]"),
        ["0 x[i]", "0 s[i]", "1 s[i]", "1 w[i]", "1 s#2[i]"]
    );
}

#[test]
fn shapes_of_where_are_numbers() {
    assert_eq!(
        lengths("y[i,j] = x[i] where y[3,4]"),
        ["0 x[i]", "0 y[3,4]"]
    );
}

#[test]
fn dots_are_axes_that_no_equation_names() {
    assert_eq!(
        lengths("y[...,i] += x[...,k] * w[k,i]; z[...] = y[...,0]"),
        [
            "0 x[...,k]",
            "0 w[k,i]",
            "0 y[...,i]",
            "1 y[...,?]",
            "1 z[...]"
        ]
    );
}
