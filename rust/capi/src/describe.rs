//! The properties of a tensor.

use std::ffi::c_void;

use crate::pointers::{fill, out};
use crate::status::{guard, Status};
use crate::table::{dense, tensors, Any, TensorHandle};
use crate::tensor::DTypeCode;

/// The type of a tensor's elements.
///
/// @return TENSORNIO_ILLEGAL_STATE for a tensor that was released; TENSORNIO_ILLEGAL_ARGUMENT for a NULL.
///
/// # Safety
/// `dtype` points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_dtype(
    tensor: TensorHandle,
    dtype: *mut DTypeCode,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let dtype = unsafe { out(dtype, "dtype") }?;
        dtype.set(match &*tensors().get(tensor.id, "tensor")? {
            Any::Dense(tensor) => tensor.dtype.code(),
            Any::Stored(stored) => stored.values.dtype.code(),
        });
        Ok(())
    })
}

/// The number of axes of a tensor.
///
/// @return As tensornio_tensor_dtype.
///
/// # Safety
/// `rank` points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_rank(tensor: TensorHandle, rank: *mut usize) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let rank = unsafe { out(rank, "rank") }?;
        rank.set(match &*tensors().get(tensor.id, "tensor")? {
            Any::Dense(tensor) => tensor.layout.rank(),
            Any::Stored(stored) => stored.shape().len(),
        });
        Ok(())
    })
}

/// The size of each axis, -1 for a ragged one. shape is an array of capacity numbers, of which the first rank are set.
///
/// @return As tensornio_tensor_dtype; TENSORNIO_ILLEGAL_ARGUMENT if capacity is less than the rank.
///
/// # Safety
/// `shape` points to memory for `capacity` numbers.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_shape(
    tensor: TensorHandle,
    shape: *mut i64,
    capacity: usize,
) -> Status {
    guard(|| {
        let tensor = tensors().get(tensor.id, "tensor")?;
        let sizes = match &*tensor {
            Any::Dense(tensor) => tensor.layout.shape(),
            Any::Stored(stored) => stored.shape(),
        };
        // SAFETY: the caller's promise.
        unsafe { fill(shape, capacity, sizes, "shape") }
    })
}

/// The stride of each axis: its step in memory, in elements. strides is an array of capacity numbers, of which the first rank
/// are set.
///
/// @return As tensornio_tensor_shape.
///
/// # Safety
/// `strides` points to memory for `capacity` numbers.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_strides(
    tensor: TensorHandle,
    strides: *mut i64,
    capacity: usize,
) -> Status {
    guard(|| {
        let tensor = dense(tensor.id, "tensor")?;
        // SAFETY: the caller's promise.
        unsafe { fill(strides, capacity, tensor.layout.strides(), "strides") }
    })
}

/// The number of elements of a tensor: the product of its sizes.
///
/// @return As tensornio_tensor_dtype.
///
/// # Safety
/// `elements` points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_elements(
    tensor: TensorHandle,
    elements: *mut i64,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let elements = unsafe { out(elements, "elements") }?;
        elements.set(dense(tensor.id, "tensor")?.layout.elements());
        Ok(())
    })
}

/// The address of element [0, ..., 0], aligned to its size: element [i, j, ...] is `i * strides[0] + j * strides[1] + ...` elements from there.
/// Never NULL; that of an empty tensor must not be dereferenced. Valid until the tensor is released; later use is not detected.
///
/// @return As tensornio_tensor_dtype.
///
/// # Safety
/// `data` points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_data(
    tensor: TensorHandle,
    data: *mut *mut c_void,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let data = unsafe { out(data, "data") }?;
        data.set(dense(tensor.id, "tensor")?.first().cast());
        Ok(())
    })
}
