//! Tensors: what is written is read, through views, too, and memory balances.

use super::*;

fn wrap(values: &mut [f32], shape: &[i64]) -> TensorHandle {
    let mut tensor = NONE;
    let (bytes, data) = (size_of_val(values), values.as_mut_ptr().cast());
    let (dtype, rank) = (TENSORNIO_FLOAT, shape.len());
    // SAFETY: as the function says.
    ok(unsafe { tensornio_tensor_wrap(dtype, rank, shape.as_ptr(), data, bytes, &mut tensor) });
    tensor
}

#[test]
fn a_tensor_begins_with_zeros_and_says_what_it_is() {
    for (dtype, width) in [
        (TENSORNIO_FLOAT, 4),
        (TENSORNIO_DOUBLE, 8),
        (TENSORNIO_INT32, 4),
        (TENSORNIO_INT64, 8),
        (TENSORNIO_BOOL, 1),
        (TENSORNIO_UINT8, 1),
        (TENSORNIO_FLOAT16, 2),
        (TENSORNIO_BFLOAT16, 2),
        (TENSORNIO_INT8, 1),
        (TENSORNIO_INT16, 2),
        (TENSORNIO_UINT16, 2),
        (TENSORNIO_UINT32, 4),
        (TENSORNIO_UINT64, 8),
    ] {
        let tensor = zeros(dtype, &[2, 3]);
        let (mut said, mut strides, mut data) = (-1, [0; 5], std::ptr::null_mut());
        let mut bytes = vec![1u8; 6 * width];
        // SAFETY: as the functions say.
        unsafe {
            ok(tensornio_tensor_dtype(tensor, &mut said));
            ok(tensornio_tensor_strides(tensor, strides.as_mut_ptr(), 5));
            ok(tensornio_tensor_data(tensor, &mut data));
            ok(tensornio_tensor_read(
                tensor,
                bytes.as_mut_ptr().cast(),
                bytes.len(),
            ));
        }
        assert_eq!((said, strides), (dtype, [3, 1, 0, 0, 0]));
        assert_eq!(shape(tensor), [2, 3]);
        assert_eq!(data as usize % 64, 0);
        assert_eq!(bytes, vec![0; 6 * width]);
        release([tensor]);
    }
}

#[test]
fn elements_can_be_written_through_the_pointer() {
    let tensor = zeros(TENSORNIO_FLOAT, &[2, 2]);
    let mut data = std::ptr::null_mut();
    // SAFETY: as the functions say; [1, 0] is two elements behind [0, 0].
    unsafe {
        ok(tensornio_tensor_data(tensor, &mut data));
        data.cast::<f32>().add(2).write(7.0);
    }
    assert_eq!(values(tensor), [0.0, 0.0, 7.0, 0.0]);
    release([tensor]);
}

#[test]
fn views_share_elements_and_outlive_their_tensor() {
    let tensor = floats(&[2, 3], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    let transposed = view(tensor, &[3, 2], &[1, 3], 0);
    let last_row_reversed = view(tensor, &[3], &[-1], 5);
    let repeated = view(tensor, &[2, 2], &[0, 1], 1);
    let of_a_view = view(last_row_reversed, &[2], &[-3], -1);
    release([tensor]);
    assert_eq!(values(transposed), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    assert_eq!(values(last_row_reversed), [5.0, 4.0, 3.0]);
    assert_eq!(values(repeated), [1.0, 2.0, 1.0, 2.0]);
    assert_eq!(values(of_a_view), [4.0, 1.0]);
    let three = [50.0f32, 40.0, 30.0];
    // SAFETY: as the function says.
    ok(unsafe { tensornio_tensor_write(last_row_reversed, three.as_ptr().cast(), 12) });
    assert_eq!(values(transposed), [0.0, 30.0, 1.0, 40.0, 2.0, 50.0]);
    release([transposed, last_row_reversed, repeated, of_a_view]);
}

#[test]
fn wrapped_memory_is_the_callers() {
    let mut memory = [1.0f32, 2.0, 3.0, 4.0];
    let tensor = wrap(&mut memory, &[2, 2]);
    let column = view(tensor, &[2], &[2], 1);
    assert_eq!(values(column), [2.0, 4.0]);
    let two = [20.0f32, 40.0];
    // SAFETY: as the function says.
    ok(unsafe { tensornio_tensor_write(column, two.as_ptr().cast(), 8) });
    release([tensor, column]);
    assert_eq!(memory, [1.0, 20.0, 3.0, 40.0]);
}

#[test]
fn tensors_without_elements_and_of_rank_0_are_tensors() {
    let empty = zeros(TENSORNIO_FLOAT, &[2, 0, 3]);
    assert_eq!((shape(empty), values(empty)), (vec![2, 0, 3], vec![]));
    let still_empty = view(empty, &[0, 1 << 40], &[i64::MAX, i64::MIN], i64::MAX);
    assert!(values(still_empty).is_empty());
    let nothing = wrap(&mut [], &[0]);
    assert!(values(nothing).is_empty());
    let scalar = floats(&[], &[5.0]);
    assert_eq!((shape(scalar), values(scalar)), (vec![], vec![5.0]));
    release([empty, still_empty, nothing, scalar]);
}

#[test]
fn memory_goes_with_the_last_view() {
    // Far more than all other tests of this process have at a time.
    let size = 1i64 << 28;
    let live = || {
        let mut bytes = 0;
        // SAFETY: as the function says.
        ok(unsafe { tensornio_live_bytes(&mut bytes) });
        bytes >= size as u64
    };
    let tensor = zeros(TENSORNIO_UINT8, &[size]);
    assert!(live());
    let part = view(tensor, &[1], &[1], size - 1);
    release([tensor]);
    assert!(live());
    release([part]);
    assert!(!live());
    ok(tensornio_quiesce());
}

#[test]
fn the_version_is_that_of_the_crate() {
    // SAFETY: it ends with a zero.
    let version = unsafe { CStr::from_ptr(tensornio_version()) };
    assert_eq!(version.to_str().unwrap(), env!("CARGO_PKG_VERSION"));
}
