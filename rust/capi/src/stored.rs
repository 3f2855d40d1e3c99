//! Ragged and sparse tensors: made of dense ones, which have their values, and taken apart into these.

use std::sync::Arc;

use tensornio_compute::signature::Kind;
use tensornio_compute::stored::memory::{Buffer, Numbers};
use tensornio_compute::stored::{Form, Points, Rows};
use tensornio_core::DType;

use crate::memory::Memory;
use crate::pointers::{array, out};
use crate::status::{guard, Failure, Status};
use crate::table::{add, dense, tensors, Any, TensorHandle};
use crate::tensor::{shaped, Tensor};

/// How a tensor stores its elements: one of the constants TENSORNIO_DENSE to TENSORNIO_SPARSE.
pub type FormCode = i32;

/// All elements, in memory with strides.
pub const TENSORNIO_DENSE: FormCode = 0;
/// Rows of different lengths: values one row after the other, and row splits.
pub const TENSORNIO_RAGGED: FormCode = 1;
/// Some elements: their values, and their coordinates; all others are 0.
pub const TENSORNIO_SPARSE: FormCode = 2;

/// A ragged or sparse tensor. Immutable except for the values; its row splits and coordinates are its own, and were checked.
pub(crate) struct Stored {
    pub values: Arc<Tensor>,
    pub form: Form<'static>,
}

impl Stored {
    pub fn shape(&self) -> &[i64] {
        match &self.form {
            Form::Ragged(rows) => &rows.shape,
            Form::Sparse(points) => &points.shape,
            Form::Number(_) | Form::Dense { .. } => &[],
        }
    }

    /// As an operand, as long as this is alive.
    pub fn operand(&self) -> tensornio_compute::stored::Tensor<'static> {
        tensornio_compute::stored::Tensor {
            kind: Kind::Typed(self.values.dtype),
            data: self.values.first(),
            keep: None,
            form: self.form.clone(),
        }
    }
}

/// The contiguous elements of a tensor of rank 1, or of that rank.
fn contiguous(
    id: TensorHandle,
    rank: usize,
    dtype: Option<DType>,
    name: &str,
) -> Result<Arc<Tensor>, Failure> {
    let tensor = dense(id.id, name)?;
    let shape = tensor.layout.shape();
    let strides = tensornio_compute::stored::tensor::row_major(shape);
    let typed = dtype.is_none_or(|dtype| dtype == tensor.dtype);
    let fits = tensor.layout.strides() == strides || tensor.layout.elements() < 2;
    if shape.len() == rank && typed && fits {
        return Ok(tensor);
    }
    let typed = dtype.map_or(String::new(), |dtype| format!("{dtype} "));
    Err(Failure::illegal_argument(format!(
        "{name} is {} of shape {shape:?} and strides {:?}, not contiguous {typed}of rank {rank}",
        tensor.dtype,
        tensor.layout.strides()
    )))
}

/// Memory for so many numbers, within the library's budget.
fn memory(count: usize) -> Result<Buffer, Failure> {
    Ok(Buffer::zeroed(count, 8, || "a tensor".to_owned())?)
}

/// The numbers of a contiguous tensor of INT64, copied once: what is checked is what is used.
fn numbers(tensor: &Tensor) -> Result<Buffer, Failure> {
    let mut own = memory(tensor.layout.elements() as usize)?;
    for (at, to) in own.of_mut::<i64>().iter_mut().enumerate() {
        // SAFETY: it is an element of a contiguous tensor of INT64, which may change at any time.
        *to = unsafe { tensor.first().cast::<i64>().add(at).read_volatile() };
    }
    Ok(own)
}

/// A dense tensor of numbers, which begin as zeros.
fn of_numbers(shape: &[i64], fill: impl FnOnce(&mut [i64])) -> Result<TensorHandle, Failure> {
    let tensor = Tensor::zeros(DType::Int64, shape)?;
    let count = tensor.layout.elements() as usize;
    // SAFETY: it has as many elements, in memory of its own, which nobody else knows.
    fill(unsafe { std::slice::from_raw_parts_mut(tensor.first().cast(), count) });
    Ok(add(tensor))
}

/// Makes a ragged tensor: rank axes of the sizes in shape, -1 for a ragged one, which the first one is not. values has all elements, one row after
/// the other. row_splits has rank tensors of INT64: for each ragged axis where each row begins, counted in rows of the next axis, and the end of the
/// last row; for the others the id 0. All are contiguous and of rank 1. Row splits are copied, values are not.
///
/// @return TENSORNIO_ILLEGAL_ARGUMENT for a NULL, sizes and tensors that do not fit, row splits that do not begin with 0, that descend, or are other
/// than there are rows or values; TENSORNIO_ILLEGAL_STATE for a tensor that was released; TENSORNIO_OUT_OF_MEMORY.
///
/// # Safety
/// `shape` and `row_splits` point to `rank` numbers and tensors; `result` to memory for a tensor.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_ragged(
    values: TensorHandle,
    rank: usize,
    shape: *const i64,
    row_splits: *const TensorHandle,
    result: *mut TensorHandle,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let (shape, result) = unsafe { shaped(shape, rank, result) }?;
        // SAFETY: as above.
        let row_splits = unsafe { array(row_splits, rank, "row_splits") }?;
        let values = contiguous(values, 1, None, "values")?;
        let ragged = |(axis, &size): (usize, &i64)| size == -1 && axis > 0;
        let sized = |(axis, &size): (usize, &i64)| size >= 0 || ragged((axis, &size));
        if !shape.iter().enumerate().all(sized) || !shape.iter().enumerate().any(ragged) {
            return Err(Failure::illegal_argument(format!(
                "shape {shape:?}: -1 is the size of a ragged axis, of which there is at least one, but not the first"
            )));
        }
        let mut splits = Vec::new();
        for (axis, (&size, &one)) in shape.iter().zip(row_splits).enumerate() {
            let name = format!("row_splits[{axis}]");
            splits.push(match (size, one.id) {
                (-1, _) => {
                    let splits = numbers(&*contiguous(one, 1, Some(DType::Int64), &name)?)?;
                    Some(Numbers::Made(Arc::new(splits)))
                }
                (_, 0) => None,
                _ => {
                    return Err(Failure::illegal_argument(format!(
                        "{name} is a tensor, but axis {axis} has the size {size}"
                    )))
                }
            });
        }
        let stored = Stored {
            form: Form::Ragged(Rows {
                shape: shape.to_vec(),
                splits,
                count: values.layout.elements(),
            }),
            values,
        };
        let operand = stored.operand();
        operand.check("row_splits")?;
        result.set(add(stored));
        Ok(())
    })
}

/// Makes a sparse tensor of rank axes of the sizes in shape. indices is a tensor of INT64 with a row for each stored element, its coordinates;
/// values has their values. Both are contiguous. Coordinates in row-major order are copied, and values are not; of others values are, in that order.
///
/// @return TENSORNIO_ILLEGAL_ARGUMENT for a NULL, sizes and tensors that do not fit, coordinates that are there twice;
/// TENSORNIO_INDEX_OUT_OF_BOUNDS for coordinates outside of shape; TENSORNIO_ILLEGAL_STATE for a tensor that was released; TENSORNIO_OUT_OF_MEMORY.
///
/// # Safety
/// `shape` points to `rank` numbers; `result` to memory for a tensor.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_sparse(
    values: TensorHandle,
    indices: TensorHandle,
    rank: usize,
    shape: *const i64,
    result: *mut TensorHandle,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let (shape, result) = unsafe { shaped(shape, rank, result) }?;
        let values = contiguous(values, 1, None, "values")?;
        let indices = contiguous(indices, 2, Some(DType::Int64), "indices")?;
        let count = values.layout.elements();
        if indices.layout.shape() != [count, rank as i64] {
            return Err(Failure::illegal_argument(format!(
                "indices has the shape {:?}, for {count} values and rank {rank}",
                indices.layout.shape()
            )));
        }
        result.set(add(sparse(shape, values, numbers(&indices)?)?));
        Ok(())
    })
}

/// Makes a sparse matrix of compressed rows (CSR): row_pointers is a tensor of INT64 with where each row begins, and the end of the last one; columns
/// has the column of each stored element, in ascending order in each row or not, and values its value. All are contiguous and of rank 1.
///
/// @return As tensornio_tensor_sparse, and as tensornio_tensor_ragged for row_pointers.
///
/// # Safety
/// `result` points to memory for a tensor.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_csr(
    values: TensorHandle,
    row_pointers: TensorHandle,
    columns: TensorHandle,
    rows: i64,
    width: i64,
    result: *mut TensorHandle,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let result = unsafe { out(result, "result") }?;
        let values = contiguous(values, 1, None, "values")?;
        let pointers = contiguous(row_pointers, 1, Some(DType::Int64), "row_pointers")?;
        let columns = contiguous(columns, 1, Some(DType::Int64), "columns")?;
        let (pointers, columns) = (numbers(&pointers)?, numbers(&columns)?);
        let (pointers, columns) = (pointers.of::<i64>(), columns.of::<i64>());
        let count = values.layout.elements();
        let ascend = pointers.windows(2).all(|pair| pair[0] <= pair[1]);
        let ends = (pointers.first(), pointers.last()) == (Some(&0), Some(&count));
        if rows < 0
            || width < 0
            || pointers.len() as i64 != rows.saturating_add(1)
            || !ascend
            || !ends
        {
            return Err(Failure::illegal_argument(format!(
                "row_pointers: {} numbers for {rows} rows and {count} values: they begin with 0, ascend, and end with the number of values",
                pointers.len()
            )));
        }
        if columns.len() as i64 != count {
            return Err(Failure::illegal_argument(format!(
                "columns has {} numbers for {count} values",
                columns.len()
            )));
        }
        let mut coordinates = memory(2 * columns.len())?;
        let (to, _) = coordinates.of_mut::<i64>().as_chunks_mut::<2>();
        for (row, ends) in pointers.windows(2).enumerate() {
            let entries = ends[0] as usize..ends[1] as usize;
            for (to, &column) in to[entries.clone()].iter_mut().zip(&columns[entries]) {
                *to = [row as i64, column];
            }
        }
        result.set(add(sparse(&[rows, width], values, coordinates)?));
        Ok(())
    })
}

/// A sparse tensor of coordinates in any order.
fn sparse(shape: &[i64], values: Arc<Tensor>, coordinates: Buffer) -> Result<Stored, Failure> {
    if let Some(size) = shape.iter().find(|&&size| size < 0) {
        return Err(Failure::illegal_argument(format!(
            "size {size}: sizes are not negative"
        )));
    }
    tensornio_core::shape::elements(shape)?;
    let (rank, count) = (shape.len(), values.layout.elements() as usize);
    let given = coordinates.of::<i64>();
    let at = |entry: usize| &given[entry * rank..(entry + 1) * rank];
    for entry in 0..count {
        let inside = at(entry)
            .iter()
            .zip(shape)
            .all(|(at, size)| (0..*size).contains(at));
        if !inside {
            return Err(Failure::index_out_of_bounds(format!(
                "indices[{entry}] is {:?}, outside of shape {shape:?}",
                at(entry)
            )));
        }
    }
    let twice =
        |entry: usize| Failure::illegal_argument(format!("indices has {:?} twice", at(entry)));
    let ascends = (1..count).all(|entry| at(entry - 1) < at(entry));
    let (values, coordinates) = if ascends {
        (values, coordinates)
    } else {
        let mut order = memory(count)?;
        let order = order.of_mut::<i64>();
        for (entry, to) in order.iter_mut().enumerate() {
            *to = entry as i64;
        }
        order.sort_unstable_by(|&a, &b| at(a as usize).cmp(at(b as usize)));
        let mut pairs = order.windows(2);
        if let Some(pair) = pairs.find(|pair| at(pair[0] as usize) == at(pair[1] as usize)) {
            return Err(twice(pair[0] as usize));
        }
        let mut sorted = memory(count * rank)?;
        // There are several, so that they differ on some axis.
        let to = sorted.of_mut::<i64>().chunks_exact_mut(rank);
        for (to, &entry) in to.zip(&*order) {
            to.copy_from_slice(at(entry as usize));
        }
        let own = Tensor::zeros(values.dtype, &[count as i64])?;
        let width = values.dtype.width();
        for (to, &from) in order.iter().enumerate() {
            // SAFETY: both are elements of contiguous tensors of one type, which are not the same.
            unsafe {
                let from = values.first().add(from as usize * width);
                from.copy_to_nonoverlapping(own.first().add(to * width), width);
            }
        }
        (Arc::new(own), sorted)
    };
    Ok(Stored {
        values,
        form: Form::Sparse(Points {
            shape: shape.to_vec(),
            coordinates: Numbers::Made(Arc::new(coordinates)),
            count,
            compressed: None,
        }),
    })
}

/// How a tensor stores its elements.
///
/// @return TENSORNIO_ILLEGAL_STATE for a tensor that was released; TENSORNIO_ILLEGAL_ARGUMENT for a NULL.
///
/// # Safety
/// `form` points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_form(
    tensor: TensorHandle,
    form: *mut FormCode,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let form = unsafe { out(form, "form") }?;
        form.set(match &*tensors().get(tensor.id, "tensor")? {
            Any::Dense(_) => TENSORNIO_DENSE,
            Any::Stored(stored) => match stored.form {
                Form::Sparse(_) => TENSORNIO_SPARSE,
                _ => TENSORNIO_RAGGED,
            },
        });
        Ok(())
    })
}

fn stored<T>(
    tensor: TensorHandle,
    work: impl FnOnce(&Stored) -> Result<T, Failure>,
) -> Result<T, Failure> {
    match &*tensors().get(tensor.id, "tensor")? {
        Any::Stored(stored) => work(stored),
        Any::Dense(_) => Err(Failure::illegal_argument(
            "tensor is dense: it has no parts",
        )),
    }
}

/// The values of a ragged or sparse tensor, one row after the other, or in row-major order of the coordinates: a tensor of rank 1, to be released by
/// the caller, which shares them.
///
/// @return TENSORNIO_ILLEGAL_STATE for a tensor that was released; TENSORNIO_ILLEGAL_ARGUMENT for a dense one, and for a NULL.
///
/// # Safety
/// `result` points to memory for a tensor.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_values(
    tensor: TensorHandle,
    result: *mut TensorHandle,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let result = unsafe { out(result, "result") }?;
        let values = stored(tensor, |stored| Ok(stored.values.clone()))?;
        result.set(add(Any::Dense(values)));
        Ok(())
    })
}

/// The row splits of a ragged axis, or the row pointers of a sparse matrix, of which axis is 1: a new tensor of INT64, to be released by the caller.
///
/// @return As tensornio_tensor_values; TENSORNIO_ILLEGAL_ARGUMENT, too, for an axis that has none; TENSORNIO_OUT_OF_MEMORY.
///
/// # Safety
/// `result` points to memory for a tensor.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_row_splits(
    tensor: TensorHandle,
    axis: usize,
    result: *mut TensorHandle,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let result = unsafe { out(result, "result") }?;
        let none = |shape: &[i64]| {
            Failure::illegal_argument(format!("axis {axis} of shape {shape:?} has no row splits"))
        };
        let made = stored(tensor, |stored| match &stored.form {
            Form::Ragged(rows) => match rows.splits.get(axis) {
                Some(Some(splits)) => {
                    of_numbers(&[splits.len() as i64], |to| to.copy_from_slice(splits))
                }
                _ => Err(none(&rows.shape)),
            },
            Form::Sparse(points) if points.shape.len() == 2 && axis == 1 => {
                of_numbers(&[points.shape[0].saturating_add(1)], |pointers| {
                    for entry in 0..points.count {
                        pointers[points.at(entry)[0] as usize + 1] += 1;
                    }
                    for row in 1..pointers.len() {
                        pointers[row] += pointers[row - 1];
                    }
                })
            }
            _ => Err(none(stored.shape())),
        })?;
        result.set(made);
        Ok(())
    })
}

/// The coordinates of a sparse tensor: a new tensor of INT64 with a row for each stored element, in row-major order, to be released by the caller.
/// The columns of a matrix of compressed rows are its second column.
///
/// @return As tensornio_tensor_values; TENSORNIO_ILLEGAL_ARGUMENT, too, for a ragged tensor; TENSORNIO_OUT_OF_MEMORY.
///
/// # Safety
/// `result` points to memory for a tensor.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_indices(
    tensor: TensorHandle,
    result: *mut TensorHandle,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let result = unsafe { out(result, "result") }?;
        let made = stored(tensor, |stored| match &stored.form {
            Form::Sparse(points) => {
                let shape = [points.count as i64, points.shape.len() as i64];
                of_numbers(&shape, |to| to.copy_from_slice(&points.coordinates))
            }
            _ => Err(Failure::illegal_argument(
                "tensor is ragged: it has no coordinates",
            )),
        })?;
        result.set(made);
        Ok(())
    })
}

/// What a run has made, as a tensor of C.
pub(crate) fn of_result(
    made: tensornio_compute::stored::Tensor<'_>,
    name: &str,
) -> Result<Any, Failure> {
    let made = made.owned(name)?;
    let (Some(dtype), Some(keep)) = (made.dtype(), made.keep.clone()) else {
        return Err(Failure::illegal_argument("an output has no type"));
    };
    let memory = Memory::of_result(keep)?;
    Ok(match made.form {
        Form::Dense { shape, .. } => Any::from(Tensor::contiguous(dtype, &shape, memory)?),
        Form::Ragged(rows) => Any::Stored(Stored {
            values: Arc::new(Tensor::contiguous(dtype, &[rows.count], memory)?),
            form: Form::Ragged(rows),
        }),
        Form::Sparse(points) => Any::Stored(Stored {
            values: Arc::new(Tensor::contiguous(dtype, &[points.count as i64], memory)?),
            form: Form::Sparse(points),
        }),
        Form::Number(_) => return Err(Failure::illegal_argument("an output is a number")),
    })
}
