//! The C API, called as C calls it. `tests/java/io/tensornio/CApiTest.java` has a C compiler do so.

mod header;
mod misuse;
mod programs;
mod stored;
mod tensors;

use std::ffi::{c_void, CStr, CString};

use tensornio_capi::*;

/// No tensor.
const NONE: TensorHandle = TensorHandle { id: 0 };

/// What the last call that failed said.
fn last_error() -> String {
    // SAFETY: it ends with a zero.
    let text = unsafe { CStr::from_ptr(tensornio_last_error()) };
    text.to_str().unwrap().to_owned()
}

/// Fails unless a call went well.
#[track_caller]
fn ok(status: Status) {
    assert_eq!(status, TENSORNIO_OK, "{}", last_error());
}

/// Fails unless a call ended so, with a message that has these words.
#[track_caller]
fn fails(status: Status, expected: Status, words: &str) {
    let said = last_error();
    assert_eq!(status, expected, "{said}");
    assert!(said.contains(words), "{said}");
}

/// A tensor of zeros.
fn zeros(dtype: DTypeCode, shape: &[i64]) -> TensorHandle {
    let mut tensor = NONE;
    // SAFETY: as the function says.
    ok(unsafe { tensornio_tensor_create(dtype, shape.len(), shape.as_ptr(), &mut tensor) });
    tensor
}

/// A tensor of these values.
fn floats(shape: &[i64], values: &[f32]) -> TensorHandle {
    let tensor = zeros(TENSORNIO_FLOAT, shape);
    // SAFETY: as the function says.
    ok(unsafe { tensornio_tensor_write(tensor, values.as_ptr().cast(), size_of_val(values)) });
    tensor
}

/// The values of a tensor, in row-major order.
fn values(tensor: TensorHandle) -> Vec<f32> {
    let mut elements = 0;
    // SAFETY: as the function says.
    ok(unsafe { tensornio_tensor_elements(tensor, &mut elements) });
    let mut values = vec![0f32; elements as usize];
    let to = values.as_mut_ptr().cast::<c_void>();
    // SAFETY: as the function says.
    ok(unsafe { tensornio_tensor_read(tensor, to, size_of_val(&values[..])) });
    values
}

fn shape(tensor: TensorHandle) -> Vec<i64> {
    let mut rank = 0;
    // SAFETY: as the function says.
    ok(unsafe { tensornio_tensor_rank(tensor, &mut rank) });
    let mut shape = vec![0; rank];
    // SAFETY: as the function says.
    ok(unsafe { tensornio_tensor_shape(tensor, shape.as_mut_ptr(), rank) });
    shape
}

fn view(of: TensorHandle, shape: &[i64], strides: &[i64], offset: i64) -> TensorHandle {
    let mut view = NONE;
    let (rank, shape, strides) = (shape.len(), shape.as_ptr(), strides.as_ptr());
    // SAFETY: as the function says.
    ok(unsafe { tensornio_tensor_view(of, rank, shape, strides, offset, &mut view) });
    view
}

fn release(tensors: impl IntoIterator<Item = TensorHandle>) {
    for tensor in tensors {
        ok(tensornio_tensor_release(tensor));
    }
}

fn parse(text: &str) -> ProgramHandle {
    let mut program = ProgramHandle { id: 0 };
    let text = CString::new(text).unwrap();
    // SAFETY: as the function says.
    ok(unsafe { tensornio_program_parse(text.as_ptr(), &mut program) });
    program
}

/// Runs a program; gives the status, too.
fn run(
    program: ProgramHandle,
    inputs: &[TensorHandle],
    outputs: usize,
) -> (Status, Vec<TensorHandle>) {
    let mut made = vec![NONE; outputs];
    let (n, from) = (inputs.len(), inputs.as_ptr());
    // SAFETY: as the function says.
    let status = unsafe { tensornio_program_run(program, from, n, made.as_mut_ptr(), outputs) };
    (status, made)
}

fn run_into(program: ProgramHandle, inputs: &[TensorHandle], outputs: &[TensorHandle]) -> Status {
    let (n, m) = (inputs.len(), outputs.len());
    // SAFETY: as the function says.
    unsafe { tensornio_program_run_into(program, inputs.as_ptr(), n, outputs.as_ptr(), m) }
}
