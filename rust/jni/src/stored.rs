//! The natives of `io.tensornio.internal.compute.NativeStored`: runs of programs over ragged and sparse tensors. Results stay here, by number, until
//! Java has allocated memory for them and copied them there.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use jni::sys;
use tensornio_compute::operand::{DType, Operand};
use tensornio_compute::registry::Registry;
use tensornio_compute::signature::Kind;
use tensornio_compute::stored::memory::Numbers;
use tensornio_compute::stored::{
    explain_dense, Compressed, Form, InputKind, Points, Prepared, Rows, Tensor,
};
use tensornio_compute::{Program, Signature};

use crate::compute::at_most;
use crate::env::Env;
use crate::guard::{guard, not_null, Failure};
use crate::handle::{BufferArray, LongArray, Ref, Text};
use crate::numbers::read_numbers;
use crate::programs::{code, program, Words, CAPACITY};
use crate::sides::Sides;

/// The forms of inputs and outputs, as Java numbers them.
const DENSE: i64 = 0;
const RAGGED: i64 = 1;
const SPARSE: i64 = 2;

/// Results that Java has not freed yet.
struct Kept(Vec<Tensor<'static>>);

#[derive(Default)]
struct Results {
    last: i64,
    kept: HashMap<i64, Arc<Kept>>,
}

fn results() -> MutexGuard<'static, Results> {
    static RESULTS: OnceLock<Mutex<Results>> = OnceLock::new();
    let results = RESULTS.get_or_init(Mutex::default);
    results.lock().unwrap_or_else(PoisonError::into_inner)
}

type Programs = Registry<(String, Box<[InputKind]>), Prepared>;

fn prepared() -> &'static Programs {
    static PREPARED: OnceLock<Programs> = OnceLock::new();
    PREPARED.get_or_init(|| Registry::with_capacity(CAPACITY))
}

/// Frees all programs and results, when the library is unloaded.
pub(crate) fn unload() {
    prepared().clear();
    let kept = std::mem::take(&mut results().kept);
    drop(kept);
}

/// An input, as its signature says.
enum Input {
    Dense(Signature),
    /// The shape, the values, and the row splits of each ragged axis.
    Ragged(Vec<i64>, Signature, Vec<Option<Signature>>),
    /// The shape, the values, the coordinates, and the compressed rows if there are.
    Sparse(Vec<i64>, Signature, Signature, Option<Signature>),
}

impl Input {
    /// The next input of a signature: a form; a type, a rank and the sizes; for a ragged one the number of values and of the row splits of each
    /// ragged axis; for a sparse one the number of values, and whether there are compressed rows.
    fn read(words: &mut Words<'_>) -> Result<Input, Failure> {
        let form = words.next()?;
        let kind = words.kind()?;
        let rank = words.length()?;
        let mut shape = Vec::new();
        for _ in 0..rank {
            shape.push(words.next()?);
        }
        let ragged = |axis: usize, size: i64| form == RAGGED && axis > 0 && size == -1;
        if shape
            .iter()
            .enumerate()
            .any(|(axis, &size)| size < 0 && !ragged(axis, size))
        {
            return Err(Failure::illegal_argument(format!(
                "a shape {shape:?} that is none"
            )));
        }
        let numbers = |count: i64| Signature {
            kind: Kind::Typed(DType::Int64),
            shape: vec![count],
        };
        Ok(match form {
            DENSE => Input::Dense(Signature { kind, shape }),
            RAGGED => {
                let count = words.length()? as i64;
                let mut splits = Vec::new();
                for &size in &shape {
                    splits.push(match size {
                        -1 => Some(numbers(words.length()? as i64)),
                        _ => None,
                    });
                }
                let values = Signature {
                    kind,
                    shape: vec![count],
                };
                Input::Ragged(shape, values, splits)
            }
            SPARSE => {
                let count = words.length()? as i64;
                let values = Signature {
                    kind,
                    shape: vec![count],
                };
                let coordinates = count.checked_mul(rank as i64).ok_or_else(|| {
                    Failure::illegal_argument("more coordinates than there can be")
                })?;
                // Those of a matrix: the row pointers, and the columns, two in each number.
                let compressed = match (words.next()?, &shape[..]) {
                    (0, _) => None,
                    (_, &[rows, _]) => {
                        let all = rows.saturating_add(1).saturating_add((count + 1) / 2);
                        Some(numbers(all))
                    }
                    _ => return Err(Failure::illegal_argument("compressed rows of no matrix")),
                };
                Input::Sparse(shape, values, numbers(coordinates), compressed)
            }
            _ => {
                return Err(Failure::illegal_argument(format!(
                    "{form} is no form of an input"
                )))
            }
        })
    }

    fn kind(&self) -> InputKind {
        match self {
            Input::Dense(_) => InputKind::Dense,
            Input::Ragged(shape, ..) => {
                InputKind::Ragged(shape.iter().map(|&size| size < 0).collect())
            }
            Input::Sparse(..) => InputKind::Sparse,
        }
    }

    /// The tensor, whose parts are the next sides.
    ///
    /// # Safety
    /// The sides stay in place as long as the result lives.
    unsafe fn tensor<'g>(&'g self, sides: &mut Sides<'_, 'g>) -> Result<Tensor<'g>, Failure> {
        match self {
            Input::Dense(signature) => Ok(match sides.input(signature)? {
                Operand::Number(number) => Tensor::number(number),
                Operand::Tensor {
                    dtype,
                    data,
                    layout,
                } => Tensor {
                    kind: Kind::Typed(dtype),
                    data,
                    keep: None,
                    form: Form::Dense {
                        shape: layout.shape().to_vec(),
                        strides: layout.strides().to_vec(),
                    },
                },
            }),
            Input::Ragged(shape, values, splits) => {
                let (kind, data) = elements(sides, values)?;
                let mut all = Vec::new();
                for signature in splits {
                    all.push(match signature {
                        // SAFETY: as the caller says.
                        Some(signature) => Some(unsafe { numbers(sides, signature) }?),
                        None => None,
                    });
                }
                let form = Form::Ragged(Rows {
                    shape: shape.clone(),
                    splits: all,
                    count: values.shape[0],
                });
                Ok(Tensor {
                    kind,
                    data,
                    keep: None,
                    form,
                })
            }
            Input::Sparse(shape, values, coordinates, compressed) => {
                let (kind, data) = elements(sides, values)?;
                let count = values.shape[0] as usize;
                // SAFETY: as the caller says.
                let coordinates = unsafe { numbers(sides, coordinates) }?;
                let compressed = match compressed {
                    // SAFETY: as the caller says.
                    Some(signature) => match unsafe { numbers(sides, signature) }? {
                        Numbers::Given(all) => Compressed::packed(all, shape[0] as usize, count),
                        Numbers::Made(_) => None,
                    },
                    None => None,
                };
                let form = Form::Sparse(Points {
                    shape: shape.clone(),
                    coordinates,
                    count,
                    compressed,
                });
                Ok(Tensor {
                    kind,
                    data,
                    keep: None,
                    form,
                })
            }
        }
    }
}

/// The contiguous elements of the next side.
fn elements<'g>(
    sides: &mut Sides<'_, 'g>,
    signature: &'g Signature,
) -> Result<(Kind, *const u8), Failure> {
    match sides.input(signature)? {
        Operand::Tensor {
            dtype,
            data,
            layout,
        } if layout.strides() == [1] || signature.shape[0] < 2 => Ok((Kind::Typed(dtype), data)),
        _ => Err(Failure::illegal_argument(
            "parts of ragged and sparse tensors are contiguous",
        )),
    }
}

/// The numbers of the next side.
///
/// # Safety
/// They stay in place as long as the result lives, and nobody writes them.
unsafe fn numbers<'g>(
    sides: &mut Sides<'_, 'g>,
    signature: &'g Signature,
) -> Result<Numbers<'g>, Failure> {
    let (_, data) = elements(sides, signature)?;
    let count = signature.shape[0] as usize;
    if count == 0 {
        return Ok(Numbers::Given(&[]));
    }
    // SAFETY: `Sides` has checked that so many numbers are in their buffer, which is aligned.
    Ok(Numbers::Given(unsafe {
        std::slice::from_raw_parts(data.cast(), count)
    }))
}

/// Calls `work` with the program of a text, its inputs, their kinds, and the shapes of outputs as far as they are given.
fn given<T>(
    env: Env<'_>,
    text: Option<Text<'_>>,
    signature: Option<LongArray<'_>>,
    memory: Option<BufferArray<'_>>,
    geometry: Option<LongArray<'_>>,
    work: impl FnOnce(
        (&str, &Program),
        &[Input],
        Vec<Tensor<'_>>,
        &[Option<Vec<i64>>],
    ) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let text = env.text(not_null(text, "text")?)?;
    let signature = not_null(signature, "signature")?;
    let memory = not_null(memory, "memory")?;
    let geometry = not_null(geometry, "geometry")?;
    let (mut inline, mut long) = ([0; 64], Vec::new());
    let signature = read_numbers(env, signature, "signature", &mut inline, &mut long)?;
    let (mut inline, mut long) = ([0; 64], Vec::new());
    let geometry = read_numbers(env, geometry, "geometry", &mut inline, &mut long)?;

    let program = program(&text)?;
    let mut words = Words::new(signature);
    let mut inputs = Vec::new();
    for _ in program.inputs() {
        inputs.push(Input::read(&mut words)?);
    }
    let mut pinned = Vec::new();
    for _ in program.outputs() {
        pinned.push(words.shape()?);
    }
    words.finish()?;
    let mut sides = Sides::new(env, memory, geometry);
    let mut tensors = Vec::new();
    for input in &inputs {
        // SAFETY: the buffers are in `memory`, an argument of this call, which keeps them reachable; Java keeps their pages in place, and they
        // are those of published tensors or of copies, which nobody writes.
        tensors.push(unsafe { input.tensor(&mut sides) }?);
    }
    sides.finish(usize::MAX)?;
    work((&text, &program), &inputs, tensors, &pinned)
}

/// The program prepared for these inputs.
fn prepared_for(
    (text, program): (&str, &Program),
    inputs: &[Input],
) -> Result<Arc<Prepared>, Failure> {
    let kinds: Box<[InputKind]> = inputs.iter().map(Input::kind).collect();
    let key = (text.to_owned(), kinds);
    let (_, prepared) = prepared().get_or_make(key, |(_, kinds)| Prepared::new(program, kinds))?;
    Ok(prepared)
}

/// `static native long[] run(String text, long[] signature, ByteBuffer[] memory, long[] geometry, int threads)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_compute_NativeStored_run<'a>(
    env: Env<'a>,
    _native: sys::jclass,
    text: Option<Text<'_>>,
    signature: Option<LongArray<'_>>,
    memory: Option<BufferArray<'_>>,
    geometry: Option<LongArray<'_>>,
    threads: sys::jint,
) -> Option<Ref<'a>> {
    guard(env, || {
        given(
            env,
            text,
            signature,
            memory,
            geometry,
            |program, inputs, tensors, pinned| {
                let prepared = prepared_for(program, inputs)?;
                // SAFETY: `Sides` has checked that all elements lie inside of their buffers, which are aligned.
                let made = at_most(threads, || unsafe { prepared.run(tensors, pinned) })?;
                let mut answer = vec![0];
                let mut kept = Vec::new();
                for (tensor, name) in made.into_iter().zip(program.1.outputs()) {
                    let tensor = tensor.owned(name)?;
                    let (form, count) = match &tensor.form {
                        Form::Number(_) | Form::Dense { .. } => {
                            (DENSE, tensor.shape().iter().product())
                        }
                        Form::Ragged(rows) => (RAGGED, rows.count),
                        Form::Sparse(points) => (SPARSE, points.count as i64),
                    };
                    answer.extend([form, code(tensor.kind), tensor.shape().len() as i64]);
                    answer.extend_from_slice(tensor.shape());
                    answer.push(count);
                    kept.push(tensor);
                }
                let number = {
                    let mut results = results();
                    results.last += 1;
                    let number = results.last;
                    results.kept.insert(number, Arc::new(Kept(kept)));
                    number
                };
                answer[0] = number;
                match env.new_longs(&answer) {
                    Ok(answer) => Ok(Some(answer.into_ref())),
                    Err(pending) => {
                        free(number);
                        Err(pending.into())
                    }
                }
            },
        )
    })
}

/// `static native String explain(String text, long[] signature, ByteBuffer[] memory, long[] geometry, int threads)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_compute_NativeStored_explain<'a>(
    env: Env<'a>,
    _native: sys::jclass,
    text: Option<Text<'_>>,
    signature: Option<LongArray<'_>>,
    memory: Option<BufferArray<'_>>,
    geometry: Option<LongArray<'_>>,
    threads: sys::jint,
) -> Option<Ref<'a>> {
    guard(env, || {
        given(
            env,
            text,
            signature,
            memory,
            geometry,
            |program, inputs, tensors, _| {
                let dense = inputs.iter().map(|input| match input {
                    Input::Dense(signature) => Some(signature.clone()),
                    _ => None,
                });
                let text = match dense.collect::<Option<Vec<Signature>>>() {
                    Some(dense) if !program.1.is_stored() => explain_dense(program.1, &dense)?,
                    _ => {
                        let prepared = prepared_for(program, inputs)?;
                        // SAFETY: `Sides` has checked that all elements lie inside of their buffers, which are aligned.
                        at_most(threads, || unsafe { prepared.explain(tensors) })?
                    }
                };
                Ok(Some(env.new_text(&text)?.into_ref()))
            },
        )
    })
}

fn free(number: i64) {
    let freed = results().kept.remove(&number);
    drop(freed); // outside of the lock: it may be large
}

/// An output of results.
fn output(number: sys::jlong, output: sys::jint) -> Result<(Arc<Kept>, usize), Failure> {
    let kept = results().kept.get(&number).cloned();
    let kept = kept.ok_or_else(|| Failure::illegal_argument(format!("no results {number}")))?;
    match usize::try_from(output) {
        Ok(at) if at < kept.0.len() => Ok((kept, at)),
        _ => Err(Failure::illegal_argument(format!("no output {output}"))),
    }
}

/// `static native void take(long results, int output, boolean coordinates, ByteBuffer[] memory, long[] geometry)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_compute_NativeStored_take(
    env: Env<'_>,
    _native: sys::jclass,
    number: sys::jlong,
    at: sys::jint,
    coordinates: sys::jboolean,
    memory: Option<BufferArray<'_>>,
    geometry: Option<LongArray<'_>>,
) {
    guard(env, || {
        let memory = not_null(memory, "memory")?;
        let geometry = not_null(geometry, "geometry")?;
        let (mut inline, mut long) = ([0; 8], Vec::new());
        let geometry = read_numbers(env, geometry, "geometry", &mut inline, &mut long)?;
        let (kept, at) = output(number, at)?;
        let tensor = &kept.0[at];
        let (dtype, data, count) = match (&tensor.form, tensor.kind) {
            (Form::Sparse(points), _) if coordinates => (
                DType::Int64,
                points.coordinates.as_ptr().cast(),
                points.coordinates.len() as i64,
            ),
            (Form::Dense { shape, .. }, Kind::Typed(dtype)) => {
                (dtype, tensor.data, shape.iter().product())
            }
            (Form::Ragged(rows), Kind::Typed(dtype)) => (dtype, tensor.data, rows.count),
            (Form::Sparse(points), Kind::Typed(dtype)) => (dtype, tensor.data, points.count as i64),
            _ => return Err(Failure::illegal_argument("an output without elements")),
        };
        let signature = Signature {
            kind: Kind::Typed(dtype),
            shape: vec![count],
        };
        let mut sides = Sides::new(env, memory, geometry);
        let to = sides.output(&signature)?;
        sides.finish(0)?;
        if count > 1 && to.layout.strides() != [1] {
            return Err(Failure::illegal_argument("an output is contiguous"));
        }
        // SAFETY: both have so many elements, as `Sides` has checked; results are in memory of their own.
        unsafe { std::ptr::copy_nonoverlapping(data, to.data, count as usize * dtype.width()) };
        Ok(())
    });
}

/// `static native long[] splits(long results, int output, int axis)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_compute_NativeStored_splits<'a>(
    env: Env<'a>,
    _native: sys::jclass,
    number: sys::jlong,
    at: sys::jint,
    axis: sys::jint,
) -> Option<Ref<'a>> {
    guard(env, || {
        let (kept, at) = output(number, at)?;
        let rows = kept.0[at].rows();
        let splits = usize::try_from(axis)
            .ok()
            .and_then(|axis| rows?.splits.get(axis)?.as_ref());
        match splits {
            Some(splits) => Ok(Some(env.new_longs(splits)?.into_ref())),
            None => Ok(None),
        }
    })
}

/// `static native void free(long results)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_compute_NativeStored_free(
    env: Env<'_>,
    _native: sys::jclass,
    number: sys::jlong,
) {
    guard(env, || {
        free(number);
        Ok(())
    });
}
