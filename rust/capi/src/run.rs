//! Running programs.

use std::sync::Arc;

use tensornio_compute::overlap::written_twice;
use tensornio_compute::signature::Kind;
use tensornio_compute::stored::{Form, InputKind};
use tensornio_compute::{Planned, Signature};

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

/// Runs a program over tensors of which some are not dense, or that makes such.
fn run_stored(program: &Program, inputs: &[Arc<Any>]) -> Result<Vec<Any>, Failure> {
    let operand = |tensor: &Arc<Any>| match &**tensor {
        Any::Stored(stored) => stored.operand(),
        Any::Dense(tensor) => tensornio_compute::stored::Tensor {
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
    let (_, outputs) = program.counts();
    // SAFETY: every tensor has all elements that it selects, aligned and initialised, in memory that it keeps alive; row splits and coordinates were
    // checked, and are copies that nobody writes.
    let made = unsafe { prepared.run(operands, &vec![None; outputs]) }?;
    made.into_iter()
        .map(|made| of_result(made, "an output"))
        .collect()
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
            for (at, tensor) in run_stored(&program, &inputs)?.into_iter().enumerate() {
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
/// @return As tensornio_program_run; TENSORNIO_ILLEGAL_ARGUMENT, too, for a program over ragged or sparse tensors, for an output of another type or
/// shape, one with several elements at one address, or one whose range, from first to last element, overlaps an input or another
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
            return Err(Failure::illegal_argument(
                "a program over ragged or sparse tensors makes its outputs: run it by tensornio_program_run",
            ));
        };
        check_written(&inputs, &outputs)?;
        let shape = |tensor: &Arc<Tensor>| Some(tensor.layout.shape().to_vec());
        let planned = program.plan((signatures(&inputs), outputs.iter().map(shape).collect()))?;
        run(&planned, &inputs, &outputs)
    })
}
