//! Ranges by rounds, shapes of outputs.

use crate::support::*;
use tensornio_compute::operand::DType;
use tensornio_compute::signature::Signature;
use tensornio_compute::Program;

/// The shape of the first output for float inputs of these shapes, or the faults.
fn shape(text: &str, inputs: &[&[i64]]) -> Result<Vec<i64>, String> {
    pinned(text, inputs, None)
}

fn pinned(text: &str, inputs: &[&[i64]], pin: Option<&[i64]>) -> Result<Vec<i64>, String> {
    let program = Program::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let inputs: Vec<Signature> = inputs
        .iter()
        .map(|shape| Signature::tensor(DType::Float, shape))
        .collect();
    let mut pins = vec![None; program.outputs().len()];
    pins[0] = pin.map(<[i64]>::to_vec);
    match program.bind(&inputs, &pins) {
        Ok(bound) => Ok(bound.outputs()[0].shape.clone()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn reads_determine_ranges() {
    assert_eq!(shape("y[i] = d[i+1] - d[i]", &[&[5]]), Ok(vec![4]));
    assert_eq!(shape("y[i] = d[i+1] - d[i]", &[&[1]]), Ok(vec![0]));
    assert_eq!(shape("y[i] = I[2*i]", &[&[5]]), Ok(vec![3]));
    assert_eq!(shape("y[i] = x[3-i]", &[&[4]]), Ok(vec![4]));
    assert_eq!(shape("O[i] += I[j,i+j,k]", &[&[3, 7, 2]]), Ok(vec![5]));
    assert_eq!(shape("O[x] += I[x+k] * K[k]", &[&[5], &[3]]), Ok(vec![3]));
    assert_eq!(
        shape("O[y,x] += I[2*y+r-1+1,2*x+s] * K[r,s]", &[&[9, 8], &[3, 3]]),
        Ok(vec![4, 3])
    );
    assert_eq!(shape("O[x] += I[x+k] * K[k]", &[&[5], &[0]]), Ok(vec![5]));
}

#[test]
fn where_fixes_a_loop() {
    assert_eq!(shape("y[i] = i where i in 0:5", &[]), Ok(vec![5]));
    assert_eq!(shape("y[i] = x[i] where i in 0:2", &[&[5]]), Ok(vec![2]));
    assert_eq!(
        shape("y[i] = x[i] where i in 0:size(z,1)", &[&[5], &[2, 3]]),
        Ok(vec![3])
    );
    assert_eq!(
        shape("y[i] = x[i] where i in 0:6", &[&[5]]),
        Err("y: x axis 0 of length 5 would be read at 5".into())
    );
}

#[test]
fn the_shape_of_an_output_determines_what_is_open() {
    assert_eq!(shape("y[i] = 1 where y[4]", &[]), Ok(vec![4]));
    assert_eq!(pinned("y[i,j] = i", &[], Some(&[2, 3])), Ok(vec![2, 3]));
}

#[test]
fn the_shape_of_an_output_must_equal_what_was_found() {
    let agree = "y: index i is 3 by x axis 0 and 5 by y axis 0";
    assert_eq!(shape("y[i] = x[i] where y[5]", &[&[3]]), Err(agree.into()));
    assert_eq!(
        pinned("y[i] = x[i]", &[&[3]], Some(&[5])),
        Err(agree.into())
    );
    assert_eq!(
        pinned("y[i] = x[i]", &[&[3]], Some(&[3, 1])),
        Err("y: it has rank 1, but the output has shape [3, 1]".into())
    );
    assert_eq!(
        pinned("y[i] = x[i] where y[3]", &[&[3]], Some(&[4])),
        Err("y: it has shape [3], but the output has shape [4]".into())
    );
    assert_eq!(
        shape("y[i+1] = x[i] where y[3]", &[&[3]]),
        Err("y: y axis 0 of length 3 would be written at 3".into())
    );
    assert_eq!(shape("y[i+1] = x[i] where y[9]", &[&[3]]), Ok(vec![9]));
    assert_eq!(
        shape("y[i-1] = x[i]", &[&[3]]),
        Err("y: y axis 0 would be written at -1".into())
    );
}

#[test]
fn an_output_reaches_as_far_as_it_is_written() {
    assert_eq!(shape("y[2*i+3] = x[i]", &[&[4]]), Ok(vec![10]));
    assert_eq!(shape("y[2-i] = x[i]", &[&[3]]), Ok(vec![3]));
    assert_eq!(shape("y[i+j] += A[i,j]", &[&[3, 4]]), Ok(vec![6]));
    assert_eq!(shape("y[i,2] = x[i]", &[&[4]]), Ok(vec![4, 3]));
    assert_eq!(shape("y[i] = x[i]", &[&[0]]), Ok(vec![0]));
    assert_eq!(shape("y[2*i] = x[i]", &[&[0]]), Ok(vec![0]));
}

#[test]
fn elements_that_nothing_writes_are_the_identity() {
    let x = floats(&[2], &[5., 7.]);
    assert_eq!(first("y[2*i+1] = x[i]", &[x.clone()]), [0., 5., 0., 7.]);
    assert_eq!(first("y[2*i+1] *= x[i]", &[x.clone()]), [1., 5., 1., 7.]);
    assert_eq!(
        first("y[2*i+1] max= x[i]", &[x.clone()]),
        [f64::NEG_INFINITY, 5., f64::NEG_INFINITY, 7.]
    );
    assert_eq!(
        first("y[2*i+1] min= x[i]", &[x]),
        [f64::INFINITY, 5., f64::INFINITY, 7.]
    );
    assert_eq!(
        first("y[2*i+1] max= x[i]", &[ints(&[1], &[5])]),
        [f64::from(i32::MIN), 5.]
    );
}
