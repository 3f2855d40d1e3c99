//! The natives of `io.tensornio.internal.compute.NativeCompute`: programs and plans by text and number, and runs of them.
//!
//! All arguments from Java are checked here, or by `tensornio-compute`, before anything is read or written.

use jni::sys;
use smallvec::SmallVec;
use tensornio_compute::equations::Length;
use tensornio_compute::far::Far;
use tensornio_compute::operand::{Operand, OperandMut};
use tensornio_compute::{threads, Error, ErrorKind, Planned, Program, Signature};

use crate::classes::Throwable;
use crate::env::Env;
use crate::files;
use crate::guard::{guard, not_null, Failure};
use crate::handle::{BufferArray, LongArray, Ref, Text};
use crate::numbers::read_numbers;
use crate::programs::{code, outputs_of, plan_of, planned, program};
use crate::sides::{InFile, Sides, FAR};

/// The maximum length of a geometry that needs no allocation.
const INLINE: usize = 32;

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let throwable = match error.kind() {
            ErrorKind::IllegalArgument => Throwable::IllegalArgument,
            ErrorKind::IndexOutOfBounds => Throwable::IndexOutOfBounds,
            ErrorKind::Arithmetic => Throwable::Arithmetic,
            ErrorKind::OutOfMemory => Throwable::OutOfMemory,
            ErrorKind::StackOverflow => Throwable::StackOverflow,
        };
        Failure::Throw(throwable, error.to_string())
    }
}

/// Runs something on at most so many threads, this one included; on all that there are if it is 0.
pub(crate) fn at_most<T>(threads: sys::jint, work: impl FnOnce() -> T) -> T {
    threads::at_most(usize::try_from(threads).unwrap_or(0), work)
}

/// The description that `parse` returns: inputs, those of them that indices look up, outputs and text, before which there is an empty line if the
/// program is run as one over ragged and sparse tensors, whatever its inputs are.
fn description(program: &Program) -> String {
    let looked_up: Vec<&str> = program.looked_up().collect();
    format!(
        "{}\n{}\n{}\n{}{}",
        program.inputs().join(","),
        looked_up.join(","),
        program.outputs().join(","),
        if program.is_stored() { "\n" } else { "" },
        program.text()
    )
}

fn answer<'a>(env: Env<'a>, program: &Program) -> Result<Option<Ref<'a>>, Failure> {
    Ok(Some(env.new_text(&description(program))?.into_ref()))
}

/// The names in a comma-separated list.
fn names(text: &str) -> Vec<&str> {
    text.split(',').filter(|name| !name.is_empty()).collect()
}

/// `static native String parse(String text)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_compute_NativeCompute_parse<'a>(
    env: Env<'a>,
    _native: sys::jclass,
    text: Option<Text<'_>>,
) -> Option<Ref<'a>> {
    guard(env, || {
        let text = env.text(not_null(text, "text")?)?;
        answer(env, &*program(&text)?)
    })
}

/// `static native String returning(String text, String names)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_compute_NativeCompute_returning<'a>(
    env: Env<'a>,
    _native: sys::jclass,
    text: Option<Text<'_>>,
    outputs: Option<Text<'_>>,
) -> Option<Ref<'a>> {
    guard(env, || {
        let text = env.text(not_null(text, "text")?)?;
        let outputs = env.text(not_null(outputs, "names")?)?;
        answer(env, &program(&text)?.returning(&names(&outputs))?)
    })
}

/// `static native String gradient(String text, String of, String seed, String names)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_compute_NativeCompute_gradient<'a>(
    env: Env<'a>,
    _native: sys::jclass,
    text: Option<Text<'_>>,
    of: Option<Text<'_>>,
    seed: Option<Text<'_>>,
    by: Option<Text<'_>>,
) -> Option<Ref<'a>> {
    guard(env, || {
        let text = env.text(not_null(text, "text")?)?;
        let of = env.text(not_null(of, "of")?)?;
        let seed = env.text(not_null(seed, "seed")?)?;
        let by = env.text(not_null(by, "names")?)?;
        let seed = Some(seed.as_str()).filter(|name| !name.is_empty());
        answer(env, &program(&text)?.gradient(&of, seed, &names(&by))?)
    })
}

/// A name, and which axes vary: `name:01` is one whose second axis does.
fn varying(text: &str) -> (&str, Vec<bool>) {
    let (name, axes) = text.split_once(':').unwrap_or((text, ""));
    (name, axes.bytes().map(|axis| axis == b'1').collect())
}

/// `static native String dense(String text)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_compute_NativeCompute_dense<'a>(
    env: Env<'a>,
    _native: sys::jclass,
    text: Option<Text<'_>>,
) -> Option<Ref<'a>> {
    guard(env, || {
        let text = env.text(not_null(text, "text")?)?;
        answer(env, &program(&text)?.dense()?)
    })
}

/// `static native String batched(String text, String names)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_compute_NativeCompute_batched<'a>(
    env: Env<'a>,
    _native: sys::jclass,
    text: Option<Text<'_>>,
    inputs: Option<Text<'_>>,
) -> Option<Ref<'a>> {
    guard(env, || {
        let text = env.text(not_null(text, "text")?)?;
        let inputs = env.text(not_null(inputs, "names")?)?;
        let given: Vec<(&str, Vec<bool>)> = names(&inputs).into_iter().map(varying).collect();
        let given: Vec<_> = given
            .iter()
            .map(|(name, axes)| (*name, &axes[..]))
            .collect();
        let (made, batched) = program(&text)?.batched_rows(&given)?;
        let answer = format!("{}\n{}", batched.join(","), description(&made));
        Ok(Some(env.new_text(&answer)?.into_ref()))
    })
}

/// `static native String equations(String text)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_compute_NativeCompute_equations<'a>(
    env: Env<'a>,
    _native: sys::jclass,
    text: Option<Text<'_>>,
) -> Option<Ref<'a>> {
    guard(env, || {
        let text = env.text(not_null(text, "text")?)?;
        let program = program(&text)?;
        let (inputs, outputs) = program.plain_names();
        let mut lines = vec![inputs.join(","), outputs.join(",")];
        let statements = program.plain_statements()?;
        lines.push(statements.len().to_string());
        lines.extend(statements);
        for equation in program.equations()? {
            let axes: Vec<String> = equation.axes.iter().map(length).collect();
            lines.push(format!(
                "{} {} {}",
                equation.statement,
                equation.tensor,
                axes.join(",")
            ));
        }
        Ok(Some(env.new_text(&lines.join("\n"))?.into_ref()))
    })
}

fn length(length: &Length) -> String {
    match length {
        Length::Loop(name) => name.clone(),
        Length::Number(number) => number.to_string(),
        Length::Unknown => "?".to_owned(),
        Length::Rest => "...".to_owned(),
    }
}

/// `static native long[] plan(String text, long[] signature)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_compute_NativeCompute_plan<'a>(
    env: Env<'a>,
    _native: sys::jclass,
    text: Option<Text<'_>>,
    signature: Option<LongArray<'_>>,
) -> Option<Ref<'a>> {
    with_signature(env, text, signature, |text, signature| {
        let logged = log::log_enabled!(log::Level::Debug).then(|| text.clone());
        let (number, planned) = plan_of(text, signature)?;
        let number = i64::try_from(number).map_err(|_| Failure::internal("no more numbers"))?;
        if let Some(text) = logged {
            log::debug!("plan {number} for the signature {signature:?}: {text}");
        }
        let mut words = vec![number];
        write(planned.outputs(), &mut words);
        Ok(words)
    })
}

/// Calls `work` with a text and a signature; returns its numbers to Java.
fn with_signature<'a>(
    env: Env<'a>,
    text: Option<Text<'_>>,
    signature: Option<LongArray<'_>>,
    work: impl FnOnce(String, &[i64]) -> Result<Vec<i64>, Failure>,
) -> Option<Ref<'a>> {
    guard(env, || {
        let text = env.text(not_null(text, "text")?)?;
        let signature = not_null(signature, "signature")?;
        let (mut inline, mut long) = ([0; INLINE], Vec::new());
        let signature = read_numbers(env, signature, "signature", &mut inline, &mut long)?;
        let words = work(text, signature)?;
        Ok(Some(env.new_longs(&words)?.into_ref()))
    })
}

/// Writes the type, the rank and the sizes of each output.
fn write(outputs: &[Signature], words: &mut Vec<i64>) {
    for output in outputs {
        words.push(code(output.kind));
        words.push(output.shape.len() as i64);
        words.extend_from_slice(&output.shape);
    }
}

/// `static native long[] infer(String text, long[] signature)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_compute_NativeCompute_infer<'a>(
    env: Env<'a>,
    _native: sys::jclass,
    text: Option<Text<'_>>,
    signature: Option<LongArray<'_>>,
) -> Option<Ref<'a>> {
    with_signature(env, text, signature, |text, signature| {
        let mut words = Vec::new();
        write(&outputs_of(&text, signature)?, &mut words);
        Ok(words)
    })
}

/// The inputs and outputs of a run.
#[derive(Default)]
struct Operands<'g> {
    inputs: SmallVec<[Operand<'g>; 8]>,
    outputs: SmallVec<[OperandMut<'g>; 4]>,
}

impl<'g> Operands<'g> {
    /// Reads all sides of a plan, and checks that no output overlaps itself or another side. They are read into place: few elements are computed in
    /// the time of moving all of this.
    fn read(&mut self, sides: &mut Sides<'_, 'g>, planned: &'g Planned) -> Result<(), Failure> {
        for input in planned.inputs() {
            self.inputs.push(sides.input(input)?);
        }
        for output in planned.outputs() {
            self.outputs.push(sides.output(output)?);
        }
        sides.finish(self.inputs.len())
    }
}

/// `static native boolean run(long plan, ByteBuffer[] memory, long[] geometry, int threads)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_compute_NativeCompute_run(
    env: Env<'_>,
    _native: sys::jclass,
    plan: sys::jlong,
    memory: Option<BufferArray<'_>>,
    geometry: Option<LongArray<'_>>,
    threads: sys::jint,
) -> sys::jboolean {
    guard(env, || {
        let memory = not_null(memory, "memory")?;
        let geometry = not_null(geometry, "geometry")?;
        let Some(planned) = u64::try_from(plan).ok().and_then(planned) else {
            return Ok(false);
        };
        log::trace!("plan {plan} runs");
        let (mut inline, mut long) = ([0; INLINE], Vec::new());
        let geometry = read_numbers(env, geometry, "geometry", &mut inline, &mut long)?;
        let mut sides = Sides::new(env, memory, geometry);
        let mut all = Operands::default();
        all.read(&mut sides, &planned)?;
        // SAFETY: `Sides` has checked that all elements lie inside of their buffers, which are aligned, and that no output overlaps itself or another
        // side. The buffers are in `memory`, an argument of this call, which keeps them reachable; Java keeps their pages in place.
        at_most(threads, || unsafe {
            planned.run(&all.inputs, &mut all.outputs)
        })?;
        Ok(true)
    })
}

/// `static native long runFiles(long plan, ByteBuffer[] memory, long[] geometry, int threads)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_compute_NativeCompute_runFiles(
    env: Env<'_>,
    _native: sys::jclass,
    plan: sys::jlong,
    memory: Option<BufferArray<'_>>,
    geometry: Option<LongArray<'_>>,
    threads: sys::jint,
) -> sys::jlong {
    guard(env, || {
        let memory = not_null(memory, "memory")?;
        let geometry = not_null(geometry, "geometry")?;
        let Some(planned) = u64::try_from(plan).ok().and_then(planned) else {
            return Ok(0);
        };
        log::trace!("plan {plan} runs over files");
        let (mut inline, mut long) = ([0; INLINE], Vec::new());
        let geometry = read_numbers(env, geometry, "geometry", &mut inline, &mut long)?;
        let mut sides = Sides::new(env, memory, geometry).with_files();
        let mut all = Operands::default();
        all.read(&mut sides, &planned)?;
        let files = sides.into_files();
        let readers: Vec<_> = files.iter().map(Option::as_ref).map(reader).collect();
        let each = readers.iter().zip(&files);
        let fars: Vec<Option<Far<'_>>> = each
            .map(|(read, file)| {
                let (bytes, _) = file.as_ref()?;
                let bytes = bytes.clone();
                Some(Far { bytes, read })
            })
            .collect();
        // SAFETY: as in `run`; those in files are read by `fars` alone.
        let done = at_most(threads, || unsafe {
            planned.run_far(&all.inputs, &mut all.outputs, &fars)
        })?;
        Ok(if done { 1 } else { 2 })
    })
}

/// Reads the file of a side, by addresses.
fn reader(file: Option<&InFile>) -> impl Fn(usize, &mut [u8]) -> bool + Sync {
    let file = file.map_or(-1, |&(_, file)| file);
    move |from, to| files::read(file, (from - FAR) as u64, to)
}
