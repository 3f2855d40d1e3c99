//! Running programs.

use std::sync::Arc;

use tensornio_compute::overlap::written_twice;
use tensornio_compute::signature::Kind;
use tensornio_compute::stored::{Form, InputKind, Tensor as Made};
use tensornio_compute::{Planned, Signature};
use tensornio_core::copy;
use tensornio_core::layout::Strided;

use crate::pointers::array;
use crate::program::Program;
use crate::status::{guard, Failure, Status};
use crate::stored::of_result;
use crate::table::{add, programs, tensors, Any, ProgramHandle, TensorHandle};
use crate::tensor::Tensor;

/// The tensors of an array.
fn all(handles: &[TensorHandle], what: &str) -> Result<Vec<Arc<Any>>, Failure> {
    let one =
        |(at, handle): (usize, &TensorHandle)| tensors().get(handle.id, &format!("{what}[{at}]"));
    handles.iter().enumerate().map(one).collect()
}

/// The tensors, if all are dense.
fn all_dense(tensors: &[Arc<Any>]) -> Option<Vec<Arc<Tensor>>> {
    let one = |tensor: &Arc<Any>| match &**tensor {
        Any::Dense(tensor) => Some(tensor.clone()),
        Any::Stored(_) => None,
    };
    tensors.iter().map(one).collect()
}

/// Runs a program over tensors of which some are not dense, or that makes such. `pinned` has the shapes of outputs as far as they are known.
fn run_stored(
    program: &Program,
    inputs: &[Arc<Any>],
    pinned: &[Option<Vec<i64>>],
) -> Result<Vec<Made<'static>>, Failure> {
    let operand = |tensor: &Arc<Any>| match &**tensor {
        Any::Stored(stored) => stored.operand(),
        Any::Dense(tensor) => Made {
            kind: Kind::Typed(tensor.dtype),
            data: tensor.first(),
            keep: None,
            form: Form::Dense {
                shape: tensor.layout.shape().to_vec(),
                strides: tensor.layout.strides().to_vec(),
            },
        },
    };
    let operands: Vec<_> = inputs.iter().map(operand).collect();
    let kinds: Vec<InputKind> = operands.iter().map(InputKind::of).collect();
    let prepared = program.prepared(kinds)?;
    // SAFETY: every tensor has all elements that it selects, aligned and initialised, in memory that it keeps alive; row splits and coordinates were
    // checked, and are copies that nobody writes.
    Ok(unsafe { prepared.run(operands, pinned) }?)
}

/// Runs such a program, and copies what it makes to outputs, which all have to fit.
fn run_stored_into(
    program: &Program,
    inputs: &[Arc<Any>],
    outputs: &[Arc<Any>],
) -> Result<(), Failure> {
    let values = |any: &Arc<Any>| match &**any {
        Any::Dense(tensor) => tensor.clone(),
        Any::Stored(stored) => stored.values.clone(),
    };
    let (mut pinned, mut targets) = (Vec::new(), Vec::new());
    for (at, output) in outputs.iter().enumerate() {
        pinned.push(match &**output {
            Any::Dense(tensor) => Some(tensor.layout.shape().to_vec()),
            Any::Stored(stored) if matches!(stored.form, Form::Sparse(_)) => {
                return Err(Failure::illegal_argument(format!(
                    "outputs[{at}] is sparse, whose positions are not known before: run the program by tensornio_program_run"
                )))
            }
            Any::Stored(_) => None,
        });
        targets.push(values(output));
    }
    let sources: Vec<Arc<Tensor>> = inputs.iter().map(values).collect();
    check_written(&sources, &targets)?;
    let made = run_stored(program, inputs, &pinned)?;
    for (at, ((made, output), target)) in made.iter().zip(outputs).zip(&targets).enumerate() {
        let (dtype, fits) = match (&**output, &made.form) {
            (Any::Dense(tensor), Form::Dense { shape, .. }) => {
                (tensor.dtype, tensor.layout.shape() == shape)
            }
            (Any::Stored(stored), Form::Ragged(rows)) => {
                let own = stored.operand();
                (
                    stored.values.dtype,
                    own.rows().is_some_and(|own| own.agrees(rows)),
                )
            }
            _ => (target.dtype, false),
        };
        if !fits || made.dtype() != Some(dtype) {
            let kind = |form: &Form<'_>| match form {
                Form::Number(_) | Form::Dense { .. } => "dense",
                Form::Ragged(_) => "ragged",
                Form::Sparse(_) => "sparse",
            };
            let typed = made.dtype().map_or(String::new(), |of| format!("{of} "));
            return Err(Failure::illegal_argument(format!(
                "outputs[{at}] is {dtype} and has another type, shape or rows than the result, which is {} {typed}of shape {:?}",
                kind(&made.form),
                made.shape()
            )));
        }
    }
    for (made, target) in made.iter().zip(&targets) {
        let rows = Strided::row_major(target.layout.shape())?;
        // SAFETY: the result has as many elements, in row-major order and in memory of its own; the target's are in memory that it keeps alive.
        unsafe {
            copy::copy(
                target.dtype.width(),
                made.data,
                rows.as_slices(),
                target.first(),
                target.layout.as_slices().at_offset(0),
            )?;
        }
    }
    Ok(())
}

fn expect(program: &Program, inputs: usize, outputs: usize) -> Result<(), Failure> {
    let (n, m) = program.counts();
    if (inputs, outputs) == (n, m) {
        return Ok(());
    }
    Err(Failure::illegal_argument(format!(
        "{inputs} inputs and {outputs} outputs for a program of {n} and {m}"
    )))
}

fn signatures(tensors: &[Arc<Tensor>]) -> Vec<Signature> {
    let one = |tensor: &Arc<Tensor>| Signature::tensor(tensor.dtype, tensor.layout.shape());
    tensors.iter().map(one).collect()
}

/// Fails unless outputs can be written in any order: none has several elements at one address, or shares memory with another or with an input.
fn check_written(inputs: &[Arc<Tensor>], outputs: &[Arc<Tensor>]) -> Result<(), Failure> {
    for (at, output) in outputs.iter().enumerate() {
        if !output.layout.has_distinct_positions() {
            return Err(Failure::illegal_argument(format!(
                "outputs[{at}] has several elements at one place: shape {:?}, strides {:?}",
                output.layout.shape(),
                output.layout.strides()
            )));
        }
    }
    let extents: Vec<_> = inputs
        .iter()
        .chain(outputs)
        .map(|each| each.extent())
        .collect();
    let first = inputs.len();
    let Some((out, other)) = written_twice(&extents, first) else {
        return Ok(());
    };
    let other = match other.checked_sub(first) {
        Some(output) => format!("outputs[{output}]"),
        None => format!("inputs[{other}]"),
    };
    Err(Failure::illegal_argument(format!(
        "outputs[{}] shares memory with {other}",
        out - first
    )))
}

fn run(planned: &Planned, inputs: &[Arc<Tensor>], outputs: &[Arc<Tensor>]) -> Result<(), Failure> {
    let inputs: Vec<_> = inputs.iter().map(|tensor| tensor.operand()).collect();
    let mut outputs: Vec<_> = outputs.iter().map(|tensor| tensor.operand_mut()).collect();
    // SAFETY: every tensor has all elements that it selects, aligned and initialised, in memory that the caller keeps alive by the tensors; what is
    // written is newly allocated, or was checked by `check_written`.
    unsafe { planned.run(&inputs, &mut outputs) }?;
    Ok(())
}

/// Runs a program. The outputs are new tensors, to be released by the caller; their types and shapes follow from those of the inputs. Inputs may be
/// ragged and sparse, and outputs are where the program says so.
///
/// @return TENSORNIO_ILLEGAL_ARGUMENT for NULLs, wrong numbers of inputs or outputs, types and shapes that do not match;
/// TENSORNIO_ILLEGAL_STATE for a program or an input that was released; TENSORNIO_INDEX_OUT_OF_BOUNDS for a look-up out of bounds;
/// TENSORNIO_ARITHMETIC for an integer division by zero; TENSORNIO_OUT_OF_MEMORY. No output is created then, and outputs is unchanged.
///
/// # Safety
/// `inputs` points to `input_count` tensors, `outputs` to memory for `output_count` of them.
#[no_mangle]
pub unsafe extern "C" fn tensornio_program_run(
    program: ProgramHandle,
    inputs: *const TensorHandle,
    input_count: usize,
    outputs: *mut TensorHandle,
    output_count: usize,
) -> Status {
    guard(|| {
        let program = programs().get(program.id, "program")?;
        expect(&program, input_count, output_count)?;
        // SAFETY: the caller's promise.
        let inputs = all(unsafe { array(inputs, input_count, "inputs") }?, "inputs")?;
        if outputs.is_null() {
            return Err(Failure::illegal_argument("outputs is NULL"));
        }
        let all_dense = all_dense(&inputs).filter(|_| !program.is_stored());
        let Some(inputs) = all_dense else {
            let made = run_stored(&program, &inputs, &vec![None; output_count])?.into_iter();
            let made: Vec<Any> = made
                .map(|made| of_result(made, "an output"))
                .collect::<Result<_, _>>()?;
            for (at, tensor) in made.into_iter().enumerate() {
                // SAFETY: the caller's promise: there is memory for each output.
                unsafe { outputs.add(at).write(add(tensor)) };
            }
            return Ok(());
        };
        let planned = program.plan((signatures(&inputs), vec![None; output_count]))?;
        let mut made = Vec::with_capacity(output_count);
        for output in planned.outputs() {
            let Kind::Typed(dtype) = output.kind else {
                return Err(Failure::illegal_argument("an output has no type"));
            };
            made.push(Arc::new(Tensor::zeros(dtype, &output.shape)?));
        }
        run(&planned, &inputs, &made)?;
        for (at, tensor) in made.into_iter().enumerate() {
            // SAFETY: the caller's promise: there is memory for each output.
            unsafe { outputs.add(at).write(add(Any::Dense(tensor))) };
        }
        Ok(())
    })
}

/// Runs a program with existing tensors as its outputs, which must have their types and shapes, and may be views.
///
/// @return As tensornio_program_run; TENSORNIO_ILLEGAL_ARGUMENT, too, for a sparse output, whose positions are not known before, for one of another
/// type, shape or rows, one with several elements at one address, or one whose range, from first to last element, overlaps an input or another
/// output. Nothing is written then; an error during the run, TENSORNIO_INDEX_OUT_OF_BOUNDS or TENSORNIO_ARITHMETIC, may leave outputs
/// partially written.
///
/// # Safety
/// `inputs` and `outputs` point to `input_count` and `output_count` tensors.
#[no_mangle]
pub unsafe extern "C" fn tensornio_program_run_into(
    program: ProgramHandle,
    inputs: *const TensorHandle,
    input_count: usize,
    outputs: *const TensorHandle,
    output_count: usize,
) -> Status {
    guard(|| {
        let program = programs().get(program.id, "program")?;
        expect(&program, input_count, output_count)?;
        // SAFETY: the caller's promise.
        let inputs = all(unsafe { array(inputs, input_count, "inputs") }?, "inputs")?;
        // SAFETY: the caller's promise.
        let outputs = all(
            unsafe { array(outputs, output_count, "outputs") }?,
            "outputs",
        )?;
        let dense = (all_dense(&inputs), all_dense(&outputs));
        let (Some(inputs), Some(outputs), false) = (dense.0, dense.1, program.is_stored()) else {
            return run_stored_into(&program, &inputs, &outputs);
        };
        check_written(&inputs, &outputs)?;
        let shape = |tensor: &Arc<Tensor>| Some(tensor.layout.shape().to_vec());
        let planned = program.plan((signatures(&inputs), outputs.iter().map(shape).collect()))?;
        run(&planned, &inputs, &outputs)
    })
}
