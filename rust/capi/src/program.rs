//! Programs of tensor comprehensions.

use std::ffi::{c_char, CString};
use std::sync::Arc;

use tensornio_compute::registry::Registry;
use tensornio_compute::stored::{InputKind, Prepared};
use tensornio_compute::{Error, Planned, Signature};

use crate::pointers::{out, text, Out};
use crate::status::{guard, Failure, Status};
use crate::table::{programs, ProgramHandle};

/// The capacity of a program's cache of plans; there is one for each combination of types and shapes.
const PLANS: usize = 8;

/// The types and shapes of a program's inputs, and the shapes that its outputs must have, if any.
type Key = (Vec<Signature>, Vec<Option<Vec<i64>>>);

/// A program, its text and names as C strings, and its cache of plans.
pub(crate) struct Program {
    program: tensornio_compute::Program,
    text: CString,
    inputs: Vec<CString>,
    outputs: Vec<CString>,
    plans: Registry<Key, Planned>,
    prepared: Registry<Vec<InputKind>, Prepared>,
}

/// A C string. The text of a program contains no zero byte, as its syntax allows none.
fn c_string(text: &str) -> Result<CString, Failure> {
    CString::new(text).map_err(|_| Failure::illegal_argument(format!("{text:?} has a character 0")))
}

fn c_strings(texts: &[String]) -> Result<Vec<CString>, Failure> {
    texts.iter().map(|text| c_string(text)).collect()
}

impl Program {
    fn parse(text: &str) -> Result<Program, Failure> {
        let program = tensornio_compute::Program::parse(text)?;
        Ok(Program {
            text: c_string(program.text())?,
            inputs: c_strings(program.inputs())?,
            outputs: c_strings(program.outputs())?,
            plans: Registry::with_capacity(PLANS),
            prepared: Registry::with_capacity(PLANS),
            program,
        })
    }

    /// The number of inputs and outputs.
    pub fn counts(&self) -> (usize, usize) {
        (self.inputs.len(), self.outputs.len())
    }

    /// Whether it is run as one over ragged and sparse tensors, whatever its inputs are.
    pub fn is_stored(&self) -> bool {
        self.program.is_stored()
    }

    /// The program for inputs of these kinds, cached for the next run.
    pub fn prepared(&self, kinds: Vec<InputKind>) -> Result<Arc<Prepared>, Error> {
        let make = |kinds: &Vec<InputKind>| Prepared::new(&self.program, kinds);
        let (_, prepared) = self.prepared.get_or_make(kinds, make)?;
        Ok(prepared)
    }

    /// The plan for these types and shapes, cached for the next run.
    pub fn plan(&self, key: Key) -> Result<Arc<Planned>, Error> {
        let make = |(inputs, pinned): &Key| Planned::new(&self.program, inputs.clone(), pinned);
        let (_, planned) = self.plans.get_or_make(key, make)?;
        Ok(planned)
    }
}

/// Parses a program, such as `C[i,j] += A[i,k] * B[k,j]`, in UTF-8. docs/comprehensions.md describes the language.
///
/// @return TENSORNIO_ILLEGAL_ARGUMENT for a NULL, a text that is not in UTF-8, and an invalid program: the message has a line for each error.
/// result is set only if the call succeeds.
///
/// # Safety
/// `text` points to a string that ends with a zero byte; `result` to memory for a program.
#[no_mangle]
pub unsafe extern "C" fn tensornio_program_parse(
    text: *const c_char,
    result: *mut ProgramHandle,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let (text, result) = unsafe { (self::text(text, "text")?, out(result, "result")?) };
        let program = Program::parse(text)?;
        result.set(ProgramHandle {
            id: programs().add(program),
        });
        Ok(())
    })
}

/// The numbers of inputs and outputs of a program.
///
/// @return TENSORNIO_ILLEGAL_STATE for a program that was released; TENSORNIO_ILLEGAL_ARGUMENT for a NULL.
///
/// # Safety
/// `inputs` and `outputs` point to memory for the results.
#[no_mangle]
pub unsafe extern "C" fn tensornio_program_counts(
    program: ProgramHandle,
    inputs: *mut usize,
    outputs: *mut usize,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let (inputs, outputs) = unsafe { (out(inputs, "inputs")?, out(outputs, "outputs")?) };
        let counts = programs().get(program.id, "program")?.counts();
        inputs.set(counts.0);
        outputs.set(counts.1);
        Ok(())
    })
}

/// The canonical text of a program; equal programs have equal texts. Valid until the program is released.
///
/// @return As tensornio_program_counts.
///
/// # Safety
/// `text` points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn tensornio_program_text(
    program: ProgramHandle,
    text: *mut *const c_char,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let text = unsafe { out(text, "text") }?;
        text.set(programs().get(program.id, "program")?.text.as_ptr());
        Ok(())
    })
}

/// The name of a program's input, numbered from 0 in order of first appearance. Valid until the program is released.
///
/// @return As tensornio_program_counts; TENSORNIO_INDEX_OUT_OF_BOUNDS if index is not below their number.
///
/// # Safety
/// `name` points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn tensornio_program_input_name(
    program: ProgramHandle,
    index: usize,
    name: *mut *const c_char,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let name = unsafe { out(name, "name") }?;
        let program = programs().get(program.id, "program")?;
        set_name(&program.inputs, index, "inputs", name)
    })
}

/// The name of a program's output, numbered from 0. Valid until the program is released.
///
/// @return As tensornio_program_input_name.
///
/// # Safety
/// `name` points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn tensornio_program_output_name(
    program: ProgramHandle,
    index: usize,
    name: *mut *const c_char,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let name = unsafe { out(name, "name") }?;
        let program = programs().get(program.id, "program")?;
        set_name(&program.outputs, index, "outputs", name)
    })
}

fn set_name(
    names: &[CString],
    index: usize,
    what: &str,
    to: Out<'_, *const c_char>,
) -> Result<(), Failure> {
    let name = names.get(index).ok_or_else(|| {
        Failure::index_out_of_bounds(format!(
            "index {index}: the program has {} {what}",
            names.len()
        ))
    })?;
    to.set(name.as_ptr());
    Ok(())
}

/// Releases a program. Runs in progress continue. Does nothing if the id is 0.
///
/// @return TENSORNIO_ILLEGAL_STATE for a program that was already released, or never existed.
#[no_mangle]
pub extern "C" fn tensornio_program_release(program: ProgramHandle) -> Status {
    guard(|| {
        if program.id != 0 {
            programs().remove(program.id, "program")?;
        }
        Ok(())
    })
}
