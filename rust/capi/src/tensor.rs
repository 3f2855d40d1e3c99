//! Creation, copies and release of tensors.

use std::ffi::c_void;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;

use tensornio_compute::operand::{Operand, OperandMut};
use tensornio_core::layout::Strided;
use tensornio_core::{copy, DType, Error};

use crate::memory::Memory;
use crate::pointers::{array, out, Out};
use crate::status::{guard, Failure, Status};
use crate::table::{add, dense, tensors, TensorHandle};

/// The type of a tensor's elements: one of the constants TENSORNIO_FLOAT to TENSORNIO_UINT64.
pub type DTypeCode = i32;

/// 32-bit IEEE 754 numbers: float.
pub const TENSORNIO_FLOAT: DTypeCode = 0;
/// 64-bit IEEE 754 numbers: double.
pub const TENSORNIO_DOUBLE: DTypeCode = 1;
/// 32-bit two's complement integers: int32_t.
pub const TENSORNIO_INT32: DTypeCode = 2;
/// 64-bit two's complement integers: int64_t.
pub const TENSORNIO_INT64: DTypeCode = 3;
/// Booleans, a byte each, 0 or 1.
pub const TENSORNIO_BOOL: DTypeCode = 4;
/// Unsigned 8-bit integers: uint8_t.
pub const TENSORNIO_UINT8: DTypeCode = 5;
/// 16-bit IEEE 754 numbers.
pub const TENSORNIO_FLOAT16: DTypeCode = 7;
/// The upper halves of 32-bit IEEE 754 numbers.
pub const TENSORNIO_BFLOAT16: DTypeCode = 8;
/// 8-bit two's complement integers: int8_t.
pub const TENSORNIO_INT8: DTypeCode = 9;
/// 16-bit two's complement integers: int16_t.
pub const TENSORNIO_INT16: DTypeCode = 10;
/// Unsigned 16-bit integers: uint16_t.
pub const TENSORNIO_UINT16: DTypeCode = 11;
/// Unsigned 32-bit integers: uint32_t.
pub const TENSORNIO_UINT32: DTypeCode = 12;
/// Unsigned 64-bit integers: uint64_t.
pub const TENSORNIO_UINT64: DTypeCode = 13;

/// The maximum number of axes of a tensor in this API.
pub const TENSORNIO_MAX_RANK: usize = 64;

/// A tensor: a layout within its memory. Immutable except for the elements.
pub(crate) struct Tensor {
    pub dtype: DType,
    /// Its offset counts elements from the start of the memory.
    pub layout: Strided,
    memory: Memory,
}

impl Tensor {
    /// A contiguous tensor of zeros in row-major order.
    pub fn zeros(dtype: DType, shape: &[i64]) -> Result<Tensor, Failure> {
        let layout = Strided::row_major(shape)?;
        let memory = Memory::zeroed(bytes_of(dtype, &layout)?)?;
        Ok(Tensor {
            dtype,
            layout,
            memory,
        })
    }

    /// A contiguous tensor at the beginning of memory that is initialised.
    pub fn contiguous(dtype: DType, shape: &[i64], memory: Memory) -> Result<Tensor, Failure> {
        let layout = Strided::row_major(shape)?;
        layout.check(memory.len() / dtype.width())?;
        Ok(Tensor {
            dtype,
            layout,
            memory,
        })
    }

    /// The size of its elements in bytes.
    fn bytes(&self) -> u128 {
        // A view that repeats elements may have more bytes than there are addresses.
        self.layout.elements().unsigned_abs() as u128 * self.dtype.width() as u128
    }

    /// The address of its element [0, ..., 0].
    pub fn first(&self) -> *mut u8 {
        match self.layout.is_empty() {
            true => self.memory.start().as_ptr(),
            // An offset within the memory, as checked for every tensor.
            false => self
                .memory
                .start()
                .as_ptr()
                .wrapping_add(self.layout.offset() as usize * self.dtype.width()),
        }
    }

    /// The addresses from its first byte to the one after its last.
    pub fn extent(&self) -> Range<usize> {
        let Some((lowest, highest)) = self.layout.bounds() else {
            return 0..0;
        };
        let at = |position: i64| {
            self.memory.start().as_ptr() as usize + position as usize * self.dtype.width()
        };
        at(lowest)..at(highest + 1)
    }

    /// The layout of the elements, relative to the first one.
    fn strided(&self) -> Strided<&[i64]> {
        self.layout.as_slices().at_offset(0)
    }

    /// An input. The requirements of [`Operand`] hold as long as the tensor is alive.
    pub fn operand(&self) -> Operand<'_> {
        Operand::Tensor {
            dtype: self.dtype,
            data: self.first(),
            layout: self.strided(),
        }
    }

    /// An output, which must have distinct positions.
    pub fn operand_mut(&self) -> OperandMut<'_> {
        OperandMut {
            dtype: self.dtype,
            data: self.first(),
            layout: self.strided(),
        }
    }

    /// Fails unless `bytes` is the size of all elements.
    fn expect_bytes(&self, bytes: usize) -> Result<(), Failure> {
        if bytes as u128 == self.bytes() {
            return Ok(());
        }
        Err(Failure::illegal_argument(format!(
            "{bytes} bytes for {} elements of {}: {} are needed",
            self.layout.elements(),
            self.dtype,
            self.bytes()
        )))
    }
}

/// The size of contiguous elements in bytes.
fn bytes_of(dtype: DType, layout: &Strided) -> Result<usize, Failure> {
    let asked = layout.elements().unsigned_abs() as u128 * dtype.width() as u128;
    isize::try_from(asked)
        .map(|bytes| bytes as usize)
        .map_err(|_| Error::BlockTooLarge { asked }.into())
}

fn dtype_of(code: DTypeCode) -> Result<DType, Failure> {
    DType::from_code(code).ok_or_else(|| {
        Failure::illegal_argument(format!(
            "dtype {code}: TENSORNIO_FLOAT (0) to TENSORNIO_UINT64 (13) are known, but for 6"
        ))
    })
}

/// Sizes or strides.
///
/// # Safety
/// As for [`array()`].
unsafe fn axes<'a>(from: *const i64, rank: usize, name: &str) -> Result<&'a [i64], Failure> {
    if rank > TENSORNIO_MAX_RANK {
        return Err(Failure::illegal_argument(format!(
            "rank {rank}: a tensor has at most {TENSORNIO_MAX_RANK} axes"
        )));
    }
    // SAFETY: the caller's promise.
    unsafe { array(from, rank, name) }
}

/// The sizes of a tensor that is made, and memory for its handle.
///
/// # Safety
/// As for [`axes()`] and [`out()`].
pub(crate) unsafe fn shaped<'s, 'r>(
    shape: *const i64,
    rank: usize,
    result: *mut TensorHandle,
) -> Result<(&'s [i64], Out<'r, TensorHandle>), Failure> {
    // SAFETY: the caller's promise.
    unsafe { Ok((axes(shape, rank, "shape")?, out(result, "result")?)) }
}

/// Makes a tensor of zeros in row-major order, with rank axes of the sizes in shape. shape may be NULL for rank 0, a scalar.
///
/// @return TENSORNIO_ILLEGAL_ARGUMENT for an unknown dtype, a negative size, more than TENSORNIO_MAX_RANK axes, a NULL;
/// TENSORNIO_OUT_OF_MEMORY. result is set only if the call succeeds.
///
/// # Safety
/// `shape` points to `rank` numbers; `result` to memory for a tensor.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_create(
    dtype: DTypeCode,
    rank: usize,
    shape: *const i64,
    result: *mut TensorHandle,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let (shape, result) = unsafe { shaped(shape, rank, result) }?;
        let tensor = Tensor::zeros(dtype_of(dtype)?, shape)?;
        result.set(add(tensor));
        Ok(())
    })
}

/// Wraps memory of the caller as a tensor, without a copy: the elements are in row-major order from data on. The memory must stay until this
/// tensor and all views of it are released, and calls that use them have returned; the library never frees it.
///
/// @return TENSORNIO_ILLEGAL_ARGUMENT as tensornio_tensor_create, for data that is not aligned to its elements, and if bytes is not their size.
///
/// # Safety
/// `shape` points to `rank` numbers, `result` to memory for a tensor, and `data` to `bytes` initialised bytes for reads and writes, which stay.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_wrap(
    dtype: DTypeCode,
    rank: usize,
    shape: *const i64,
    data: *mut c_void,
    bytes: usize,
    result: *mut TensorHandle,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let (shape, result) = unsafe { shaped(shape, rank, result) }?;
        let dtype = dtype_of(dtype)?;
        let layout = Strided::row_major(shape)?;
        let needed = bytes_of(dtype, &layout)?;
        let memory = match NonNull::new(data.cast::<u8>()) {
            _ if needed == 0 => Memory::zeroed(0)?,
            None => return Err(Failure::illegal_argument("data is NULL")),
            // SAFETY: the caller's promise.
            Some(start) => unsafe { Memory::of_caller(start, bytes) },
        };
        if !(memory.start().as_ptr() as usize).is_multiple_of(dtype.width()) {
            return Err(Failure::illegal_argument(format!(
                "data is at {:p}, which is not a multiple of the {} bytes of an element of {dtype}",
                data,
                dtype.width()
            )));
        }
        let tensor = Tensor {
            dtype,
            layout,
            memory,
        };
        tensor.expect_bytes(bytes)?;
        result.set(add(tensor));
        Ok(())
    })
}

/// Makes a tensor that shares its elements with another: element [i, j, ...] of the view is the one at `i * strides[0] + j * strides[1] + ...`
/// elements from the tensor's element [0, ..., 0], plus offset. That makes slices, transposes (strides in another order), flips (negative strides)
/// and broadcasts (strides of 0) without a copy. Either may be released first: the last one frees the memory.
///
/// @return TENSORNIO_INDEX_OUT_OF_BOUNDS if an element is outside of the tensor's memory; TENSORNIO_ILLEGAL_ARGUMENT as
/// tensornio_tensor_create; TENSORNIO_ILLEGAL_STATE for a tensor that was released.
///
/// # Safety
/// `shape` and `strides` point to `rank` numbers each; `result` to memory for a tensor.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_view(
    tensor: TensorHandle,
    rank: usize,
    shape: *const i64,
    strides: *const i64,
    offset: i64,
    result: *mut TensorHandle,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let (shape, result) = unsafe { shaped(shape, rank, result) }?;
        // SAFETY: as above.
        let strides = unsafe { axes(strides, rank, "strides") }?;
        let of = dense(tensor.id, "tensor")?;
        let offset = of.layout.offset().saturating_add(offset);
        let layout = Strided::new(shape.to_vec(), strides.to_vec(), offset)?;
        layout.check(of.memory.len() / of.dtype.width())?;
        let view = Tensor {
            dtype: of.dtype,
            layout,
            memory: of.memory.clone(),
        };
        result.set(add(view));
        Ok(())
    })
}

/// Copies all elements of a tensor to the caller's memory, contiguous in row-major order. bytes must be their size, and data must not overlap the
/// tensor's memory; it need not be aligned.
///
/// @return TENSORNIO_ILLEGAL_ARGUMENT for another size, a NULL, data that overlaps the tensor's memory; TENSORNIO_ILLEGAL_STATE for a tensor that was
/// released. data is unchanged then.
///
/// # Safety
/// `data` points to `bytes` bytes for writes.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_read(
    tensor: TensorHandle,
    data: *mut c_void,
    bytes: usize,
) -> Status {
    guard(|| {
        let tensor = dense(tensor.id, "tensor")?;
        let Some(rows) = rows(&tensor, data, bytes)? else {
            return Ok(());
        };
        let all = tensor.layout.as_slices().at_offset(0);
        // SAFETY: the elements are in memory that `tensor` keeps alive; the caller's memory was checked to have their size.
        unsafe {
            copy::copy(
                tensor.dtype.width(),
                tensor.first(),
                all,
                data.cast(),
                rows.as_slices(),
            )?;
        }
        Ok(())
    })
}

/// Copies elements from the caller's memory, contiguous in row-major order, to all of a tensor. bytes must be their size, and data must not
/// overlap the tensor's memory; it need not be aligned. Where elements of a view share an address, the last one is kept.
///
/// @return As tensornio_tensor_read. The tensor is unchanged then.
///
/// # Safety
/// `data` points to `bytes` initialised bytes.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_write(
    tensor: TensorHandle,
    data: *const c_void,
    bytes: usize,
) -> Status {
    guard(|| {
        let tensor = dense(tensor.id, "tensor")?;
        let Some(rows) = rows(&tensor, data, bytes)? else {
            return Ok(());
        };
        let all = tensor.layout.as_slices().at_offset(0);
        // SAFETY: as for reads.
        unsafe {
            copy::copy(
                tensor.dtype.width(),
                data.cast(),
                rows.as_slices(),
                tensor.first(),
                all,
            )?;
        }
        Ok(())
    })
}

/// The layout of a tensor's elements in the caller's memory; `None` if there is nothing to copy.
fn rows(
    tensor: &Arc<Tensor>,
    data: *const c_void,
    bytes: usize,
) -> Result<Option<Strided>, Failure> {
    tensor.expect_bytes(bytes)?;
    if bytes == 0 {
        return Ok(None);
    }
    if data.is_null() {
        return Err(Failure::illegal_argument("data is NULL"));
    }
    if bytes > isize::MAX as usize {
        return Err(Failure::illegal_argument(format!(
            "{bytes} bytes: no memory has so many"
        )));
    }
    Ok(Some(Strided::row_major(tensor.layout.shape())?))
}

/// Releases a tensor. Its memory is freed when no view is left and no call uses it any more; pointers from tensornio_tensor_data are not to be used
/// after that. Does nothing if the id is 0.
///
/// @return TENSORNIO_ILLEGAL_STATE for a tensor that was already released, or never existed.
#[no_mangle]
pub extern "C" fn tensornio_tensor_release(tensor: TensorHandle) -> Status {
    guard(|| {
        if tensor.id != 0 {
            tensors().remove(tensor.id, "tensor")?;
        }
        Ok(())
    })
}
