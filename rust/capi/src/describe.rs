//! What a tensor is.

use std::ffi::c_void;

use crate::pointers::{fill, out};
use crate::status::{guard, Status};
use crate::table::{tensors, TensorHandle};
use crate::tensor::DTypeCode;

/// The type of a tensor's elements.
///
/// @return TENSORNIO_ILLEGAL_STATE for a tensor that was released; TENSORNIO_ILLEGAL_ARGUMENT for a NULL.
///
/// # Safety
/// `dtype` leads to a place for the result.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_dtype(
    tensor: TensorHandle,
    dtype: *mut DTypeCode,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let dtype = unsafe { out(dtype, "dtype") }?;
        dtype.set(tensors().get(tensor.id, "tensor")?.dtype.code());
        Ok(())
    })
}

/// How many axes a tensor has.
///
/// @return As tensornio_tensor_dtype.
///
/// # Safety
/// `rank` leads to a place for the result.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_rank(tensor: TensorHandle, rank: *mut usize) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let rank = unsafe { out(rank, "rank") }?;
        rank.set(tensors().get(tensor.id, "tensor")?.layout.rank());
        Ok(())
    })
}

/// The size of each axis. shape has room for capacity numbers, of which the first rank are set.
///
/// @return As tensornio_tensor_dtype; TENSORNIO_ILLEGAL_ARGUMENT if capacity is less than the rank.
///
/// # Safety
/// `shape` leads to `capacity` places.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_shape(
    tensor: TensorHandle,
    shape: *mut i64,
    capacity: usize,
) -> Status {
    guard(|| {
        let tensor = tensors().get(tensor.id, "tensor")?;
        // SAFETY: the caller's promise.
        unsafe { fill(shape, capacity, tensor.layout.shape(), "shape") }
    })
}

/// How many elements there are in memory from one position of an axis to the next. strides has room for capacity numbers, of which the first rank
/// are set.
///
/// @return As tensornio_tensor_shape.
///
/// # Safety
/// `strides` leads to `capacity` places.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_strides(
    tensor: TensorHandle,
    strides: *mut i64,
    capacity: usize,
) -> Status {
    guard(|| {
        let tensor = tensors().get(tensor.id, "tensor")?;
        // SAFETY: the caller's promise.
        unsafe { fill(strides, capacity, tensor.layout.strides(), "strides") }
    })
}

/// How many elements a tensor has: the product of its sizes.
///
/// @return As tensornio_tensor_dtype.
///
/// # Safety
/// `elements` leads to a place for the result.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_elements(
    tensor: TensorHandle,
    elements: *mut i64,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let elements = unsafe { out(elements, "elements") }?;
        elements.set(tensors().get(tensor.id, "tensor")?.layout.elements());
        Ok(())
    })
}

/// Where a tensor's element [0, ..., 0] is, aligned to its size: element [i, j, ...] is `i * strides[0] + j * strides[1] + ...` elements from there.
/// Never NULL; of a tensor without elements it leads to nothing. Valid until the tensor is released; nothing keeps a caller from using it afterwards.
///
/// @return As tensornio_tensor_dtype.
///
/// # Safety
/// `data` leads to a place for the result.
#[no_mangle]
pub unsafe extern "C" fn tensornio_tensor_data(
    tensor: TensorHandle,
    data: *mut *mut c_void,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let data = unsafe { out(data, "data") }?;
        data.set(tensors().get(tensor.id, "tensor")?.first().cast());
        Ok(())
    })
}
