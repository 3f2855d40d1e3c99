//! Ragged and sparse tensors: made, computed with, and taken apart.

use super::*;

fn longs(shape: &[i64], numbers: &[i64]) -> TensorHandle {
    let tensor = zeros(TENSORNIO_INT64, shape);
    // SAFETY: as the function says.
    ok(unsafe { tensornio_tensor_write(tensor, numbers.as_ptr().cast(), size_of_val(numbers)) });
    tensor
}

fn numbers(tensor: TensorHandle) -> Vec<i64> {
    let mut elements = 0;
    // SAFETY: as the function says.
    ok(unsafe { tensornio_tensor_elements(tensor, &mut elements) });
    let mut numbers = vec![0i64; elements as usize];
    let to = numbers.as_mut_ptr().cast::<c_void>();
    // SAFETY: as the function says.
    ok(unsafe { tensornio_tensor_read(tensor, to, size_of_val(&numbers[..])) });
    numbers
}

fn got(get: impl FnOnce(*mut TensorHandle) -> Status) -> TensorHandle {
    let mut tensor = NONE;
    ok(get(&mut tensor));
    tensor
}

fn ragged(values: TensorHandle, shape: &[i64], splits: &[TensorHandle]) -> (Status, TensorHandle) {
    let mut tensor = NONE;
    let (rank, shape, splits) = (shape.len(), shape.as_ptr(), splits.as_ptr());
    // SAFETY: as the function says.
    let status = unsafe { tensornio_tensor_ragged(values, rank, shape, splits, &mut tensor) };
    (status, tensor)
}

fn sparse(values: TensorHandle, indices: TensorHandle, shape: &[i64]) -> (Status, TensorHandle) {
    let mut tensor = NONE;
    let (rank, shape) = (shape.len(), shape.as_ptr());
    // SAFETY: as the function says.
    let status = unsafe { tensornio_tensor_sparse(values, indices, rank, shape, &mut tensor) };
    (status, tensor)
}

fn form(tensor: TensorHandle) -> FormCode {
    let mut form = -1;
    // SAFETY: as the function says.
    ok(unsafe { tensornio_tensor_form(tensor, &mut form) });
    form
}

#[test]
fn rows_are_computed_with() {
    let (parts, splits) = (floats(&[4], &[1., 2., 4., 3.]), longs(&[4], &[0, 3, 3, 4]));
    let (status, rows) = ragged(parts, &[3, -1], &[NONE, splits]);
    ok(status);
    assert_eq!(
        (form(rows), form(parts)),
        (TENSORNIO_RAGGED, TENSORNIO_DENSE)
    );
    assert_eq!(shape(rows), [3, -1]);
    // Row splits were copied, values are shared.
    // SAFETY: as the function says.
    ok(unsafe { tensornio_tensor_write(splits, [9i64; 4].as_ptr().cast(), 32) });
    release([splits]);
    let program = parse("s[i] += R[i,j]; y[i,j] = R[i,j] - s[i]");
    let (status, made) = run(program, &[rows], 2);
    ok(status);
    assert_eq!(values(made[0]), [7., 0., 3.]);
    assert_eq!(
        (form(made[1]), shape(made[1])),
        (TENSORNIO_RAGGED, vec![3, -1])
    );
    // SAFETY: as the functions say.
    unsafe {
        let of = got(|to| tensornio_tensor_values(made[1], to));
        assert_eq!(values(of), [-6., -5., -3., 0.]);
        let splits = got(|to| tensornio_tensor_row_splits(made[1], 1, to));
        assert_eq!(numbers(splits), [0, 3, 3, 4]);
        fails(
            tensornio_tensor_row_splits(made[1], 0, &mut { NONE }),
            TENSORNIO_ILLEGAL_ARGUMENT,
            "axis 0 of shape [3, -1] has no row splits",
        );
        fails(
            tensornio_tensor_indices(made[1], &mut { NONE }),
            TENSORNIO_ILLEGAL_ARGUMENT,
            "it has no coordinates",
        );
        let mut elements = 0;
        fails(
            tensornio_tensor_elements(made[1], &mut elements),
            TENSORNIO_ILLEGAL_ARGUMENT,
            "tensornio_tensor_values",
        );
        // A result is an operand like any other; values outlive what they are of.
        let (status, again) = run(parse("t += y[i,j]"), &[made[1]], 1);
        ok(status);
        assert_eq!(values(again[0]), [-14.]);
        release([made[1], again[0]]);
        assert_eq!(values(of), [-6., -5., -3., 0.]);
        release([of, splits]);
    }
    fails(
        run_into(program, &[rows], &[made[0], parts]),
        TENSORNIO_ILLEGAL_ARGUMENT,
        "run it by tensornio_program_run",
    );
    release([rows, parts, made[0]]);
    ok(tensornio_program_release(program));
}

#[test]
fn coordinates_and_compressed_rows_are_one_matrix() {
    // (1, 0) before (0, 1).
    let (parts, indices) = (
        floats(&[3], &[5., 3., 4.]),
        longs(&[3, 2], &[1, 0, 0, 1, 1, 2]),
    );
    let (status, matrix) = sparse(parts, indices, &[2, 3]);
    ok(status);
    let (pointers, columns) = (longs(&[3], &[0, 1, 3]), longs(&[3], &[1, 2, 0]));
    let compressed = floats(&[3], &[3., 4., 5.]);
    // SAFETY: as the function says.
    let csr = got(|to| unsafe { tensornio_tensor_csr(compressed, pointers, columns, 2, 3, to) });
    let x = floats(&[3], &[1., 10., 100.]);
    let program = parse("y[i] += S[i,j] * x[j]; sparse d[i,j] = S[i,j] * x[j]");
    for one in [matrix, csr] {
        assert_eq!(form(one), TENSORNIO_SPARSE);
        let (status, made) = run(program, &[one, x], 2);
        ok(status);
        assert_eq!(values(made[0]), [30., 405.]);
        // SAFETY: as the functions say.
        unsafe {
            let of = got(|to| tensornio_tensor_values(made[1], to));
            assert_eq!(values(of), [30., 5., 400.]);
            let indices = got(|to| tensornio_tensor_indices(made[1], to));
            assert_eq!(numbers(indices), [0, 1, 1, 0, 1, 2]);
            let pointers = got(|to| tensornio_tensor_row_splits(made[1], 1, to));
            assert_eq!(numbers(pointers), [0, 1, 3]);
            release([of, indices, pointers]);
        }
        release(made);
    }
    release([
        matrix, csr, parts, indices, pointers, columns, compressed, x,
    ]);
    ok(tensornio_program_release(program));
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let parts = floats(&[3], &[1., 2., 3.]);
    let illegal = TENSORNIO_ILLEGAL_ARGUMENT;
    for splits in [[0, 2, 2], [0, 4, 3], [1, 2, 3], [0, -1, 3]] {
        let splits = longs(&[3], &splits);
        fails(
            ragged(parts, &[2, -1], &[NONE, splits]).0,
            illegal,
            "row_splits",
        );
        release([splits]);
    }
    let splits = longs(&[3], &[0, 1, 3]);
    fails(
        ragged(parts, &[3, -1], &[NONE, splits]).0,
        illegal,
        "row_splits",
    );
    fails(
        ragged(parts, &[-1, 2], &[splits, NONE]).0,
        illegal,
        "but not the first",
    );
    fails(
        ragged(parts, &[2, 3], &[NONE, NONE]).0,
        illegal,
        "at least one",
    );
    fails(
        ragged(parts, &[2, -1, 1], &[NONE, splits, splits]).0,
        illegal,
        "axis 2 has the size 1",
    );
    fails(ragged(parts, &[2, -1], &[NONE, parts]).0, illegal, "INT64");
    fails(
        ragged(parts, &[2, -1], &[NONE, NONE]).0,
        TENSORNIO_ILLEGAL_STATE,
        "its id is 0",
    );
    let indices = |numbers: &[i64]| longs(&[3, 2], numbers);
    let (out, twice) = (indices(&[0, 0, 0, 9, 1, 1]), indices(&[0, 0, 1, 1, 0, 0]));
    fails(
        sparse(parts, out, &[2, 3]).0,
        TENSORNIO_INDEX_OUT_OF_BOUNDS,
        "indices[1] is [0, 9], outside of shape [2, 3]",
    );
    fails(sparse(parts, twice, &[2, 3]).0, illegal, "[0, 0] twice");
    fails(sparse(parts, twice, &[2]).0, illegal, "rank 1");
    fails(sparse(parts, twice, &[2, -3]).0, illegal, "not negative");
    let (pointers, columns) = (longs(&[3], &[0, 2, 1]), longs(&[3], &[0, 1, 2]));
    let csr = |pointers, rows| {
        let mut tensor = NONE;
        // SAFETY: as the function says.
        unsafe { tensornio_tensor_csr(parts, pointers, columns, rows, 3, &mut tensor) }
    };
    fails(csr(pointers, 2), illegal, "row_pointers");
    fails(csr(splits, 1), illegal, "row_pointers");
    ok(csr(splits, 2));
    // Faults of a run are those of the engine.
    let (_, matrix) = sparse(parts, indices(&[0, 0, 0, 1, 1, 1]), &[2, 3]);
    let program = parse("y[i,j] = S[i,j] + 1");
    fails(
        run(program, &[matrix], 1).0,
        illegal,
        "add where stored(S[i,j])",
    );
    // SAFETY: as the functions say; NULLs are refused.
    unsafe {
        let null = std::ptr::null_mut();
        fails(
            tensornio_tensor_values(matrix, null),
            illegal,
            "result is NULL",
        );
        fails(
            tensornio_tensor_form(matrix, std::ptr::null_mut()),
            illegal,
            "form is NULL",
        );
        fails(
            tensornio_tensor_values(parts, &mut { NONE }),
            illegal,
            "tensor is dense",
        );
    }
}
