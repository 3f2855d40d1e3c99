//! Tensors that tests give, and what they get.

use tensornio_compute::operand::{DType, Number};
use tensornio_compute::signature::Kind;
use tensornio_compute::stored::memory::Numbers;
use tensornio_compute::stored::{Form, InputKind, Points, Prepared, Rows, Tensor};
use tensornio_compute::{Error, Program};

/// An input, of which values are doubles, or of another type if they are so large.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    Number(f64),
    Dense(Vec<i64>, Vec<f64>),
    /// The shape, the row splits of each ragged axis, and the values.
    Ragged(Vec<i64>, Vec<Option<Vec<i64>>>, Vec<f64>),
    /// The shape, the coordinates and the values.
    Sparse(Vec<i64>, Vec<i64>, Vec<f64>),
    /// Dense INT64.
    Longs(Vec<i64>, Vec<i64>),
    /// Dense BOOL.
    Bools(Vec<i64>, Vec<bool>),
    /// Ragged INT64 of rank 2.
    RaggedLongs(Vec<i64>, Vec<i64>),
}

pub fn dense(shape: &[i64], values: &[f64]) -> Given {
    Given::Dense(shape.to_vec(), values.to_vec())
}

/// Ragged of rank 2.
pub fn ragged(rows: &[&[f64]]) -> Given {
    let mut splits = vec![0];
    for row in rows {
        splits.push(splits[splits.len() - 1] + row.len() as i64);
    }
    Given::Ragged(
        vec![rows.len() as i64, -1],
        vec![None, Some(splits)],
        rows.concat(),
    )
}

/// Ragged INT64 of rank 2.
pub fn ragged_longs(rows: &[&[i64]]) -> Given {
    let mut splits = vec![0];
    for row in rows {
        splits.push(splits[splits.len() - 1] + row.len() as i64);
    }
    Given::RaggedLongs(splits, rows.concat())
}

pub fn longs(shape: &[i64], values: &[i64]) -> Given {
    Given::Longs(shape.to_vec(), values.to_vec())
}

/// Sparse of rank 2.
pub fn sparse(shape: &[i64], entries: &[(i64, i64, f64)]) -> Given {
    Given::Sparse(
        shape.to_vec(),
        entries.iter().flat_map(|&(i, j, _)| [i, j]).collect(),
        entries.iter().map(|&(_, _, value)| value).collect(),
    )
}

impl Given {
    pub fn tensor(&self) -> Tensor<'_> {
        let make = |values: *const u8, dtype: DType, form: Form<'static>| Tensor {
            kind: Kind::Typed(dtype),
            data: values,
            keep: None,
            form,
        };
        let strides = |shape: &[i64]| {
            let mut strides = vec![1; shape.len()];
            for axis in (1..shape.len()).rev() {
                strides[axis - 1] = strides[axis] * shape[axis].max(1);
            }
            strides
        };
        let copied =
            |numbers: &[i64]| Numbers::copied(numbers, || "numbers".to_owned()).expect("memory");
        match self {
            Given::Number(number) => Tensor::number(Number::Fraction(*number)),
            Given::Dense(shape, values) => make(
                values.as_ptr().cast(),
                DType::Double,
                Form::Dense {
                    shape: shape.clone(),
                    strides: strides(shape),
                },
            ),
            Given::Longs(shape, values) => make(
                values.as_ptr().cast(),
                DType::Int64,
                Form::Dense {
                    shape: shape.clone(),
                    strides: strides(shape),
                },
            ),
            Given::Bools(shape, values) => make(
                values.as_ptr().cast(),
                DType::Bool,
                Form::Dense {
                    shape: shape.clone(),
                    strides: strides(shape),
                },
            ),
            Given::Ragged(shape, splits, values) => make(
                values.as_ptr().cast(),
                DType::Double,
                Form::Ragged(Rows {
                    shape: shape.clone(),
                    splits: splits
                        .iter()
                        .map(|splits| splits.as_ref().map(|splits| copied(splits)))
                        .collect(),
                    count: values.len() as i64,
                }),
            ),
            Given::RaggedLongs(splits, values) => make(
                values.as_ptr().cast(),
                DType::Int64,
                Form::Ragged(Rows {
                    shape: vec![splits.len() as i64 - 1, -1],
                    splits: vec![None, Some(copied(splits))],
                    count: values.len() as i64,
                }),
            ),
            Given::Sparse(shape, coordinates, values) => make(
                values.as_ptr().cast(),
                DType::Double,
                Form::Sparse(Points {
                    shape: shape.clone(),
                    coordinates: copied(coordinates),
                    count: values.len(),
                    compressed: None,
                }),
            ),
        }
    }
}

/// The elements of a tensor.
pub fn doubles(tensor: &Tensor<'_>) -> Vec<f64> {
    let count = match &tensor.form {
        Form::Number(_) => 0,
        Form::Dense { shape, .. } => shape.iter().product::<i64>() as usize,
        Form::Ragged(rows) => rows.count as usize,
        Form::Sparse(points) => points.count,
    };
    (0..count)
        .map(|at| {
            // SAFETY: results have so many elements.
            unsafe {
                match tensor.dtype() {
                    Some(DType::Double) => *tensor.data.cast::<f64>().add(at),
                    Some(DType::Float) => f64::from(*tensor.data.cast::<f32>().add(at)),
                    Some(DType::Int64) => *tensor.data.cast::<i64>().add(at) as f64,
                    Some(DType::Int32) => f64::from(*tensor.data.cast::<i32>().add(at)),
                    _ => f64::from(*tensor.data.add(at)),
                }
            }
        })
        .collect()
}

fn got(tensor: &Tensor<'_>) -> Given {
    match &tensor.form {
        Form::Number(_) => Given::Number(0.0),
        Form::Dense { shape, .. } => Given::Dense(shape.clone(), doubles(tensor)),
        Form::Ragged(rows) => Given::Ragged(
            rows.shape.clone(),
            rows.splits
                .iter()
                .map(|splits| splits.as_ref().map(|splits| splits.to_vec()))
                .collect(),
            doubles(tensor),
        ),
        Form::Sparse(points) => Given::Sparse(
            points.shape.clone(),
            points.coordinates.to_vec(),
            doubles(tensor),
        ),
    }
}

/// The outputs of a text.
pub fn run(text: &str, inputs: &[Given]) -> Result<Vec<Given>, Error> {
    let program = Program::parse(text)?;
    let made = run_on(&program, inputs.iter().map(Given::tensor).collect())?;
    Ok(made.iter().map(got).collect())
}

/// The outputs of a program.
pub fn run_on<'a>(program: &Program, tensors: Vec<Tensor<'a>>) -> Result<Vec<Tensor<'a>>, Error> {
    let kinds: Vec<InputKind> = tensors.iter().map(InputKind::of).collect();
    let prepared = Prepared::new(program, &kinds)?;
    let pinned = vec![None; program.outputs().len()];
    // SAFETY: the inputs outlive the run.
    unsafe { prepared.run(tensors, &pinned) }
}

/// The only output of a text.
pub fn one(text: &str, inputs: &[Given]) -> Given {
    let mut made = run(text, inputs).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(made.len(), 1, "{text}");
    made.remove(0)
}

/// The message of a text that fails.
pub fn fault(text: &str, inputs: &[Given]) -> String {
    match run(text, inputs) {
        Ok(made) => panic!("{text}: {made:?}"),
        Err(error) => error.to_string(),
    }
}
