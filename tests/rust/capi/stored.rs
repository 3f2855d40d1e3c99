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
    // Into what is there, of the same rows.
    let splits = longs(&[4], &[0, 3, 3, 4]);
    let (target, sums) = (floats(&[4], &[0.; 4]), floats(&[3], &[0.; 3]));
    let (status, into) = ragged(target, &[3, -1], &[NONE, splits]);
    ok(status);
    ok(run_into(program, &[rows], &[sums, into]));
    assert_eq!(values(sums), [7., 0., 3.]);
    assert_eq!(values(target), [-6., -5., -3., 0.]);
    let others = longs(&[4], &[0, 2, 3, 4]);
    let (status, other) = ragged(target, &[3, -1], &[NONE, others]);
    ok(status);
    let zeros = floats(&[3], &[0.; 3]);
    for (outputs, what) in [
        ([zeros, target], "y: it has rank 2, but the output has shape [4]"),
        ([zeros, other], "outputs[1] is FLOAT and has another type, shape or rows than the result, which is ragged FLOAT of shape [3, -1]"),
        ([zeros, rows], "outputs[1] shares memory with inputs[0]"),
        ([parts, into], "outputs[0] shares memory with inputs[0]"),
    ] {
        fails(run_into(program, &[rows], &outputs), TENSORNIO_ILLEGAL_ARGUMENT, what);
        assert_eq!(values(zeros), [0.; 3]);
    }
    release([splits, others, zeros, sums, target, into, other]);
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

#[test]
fn sizes_and_parts_of_all_kinds_are_refused_or_fit() {
    let (parts, splits) = (floats(&[3], &[1., 2., 3.]), longs(&[3], &[0, 1, 3]));
    let illegal = TENSORNIO_ILLEGAL_ARGUMENT;
    // Sizes that are no number of rows, products that overflow, and too many axes.
    let far = [i64::MAX, i64::MAX - 1, 1 << 62, i64::MIN, -2];
    for size in far {
        fails(ragged(parts, &[size, -1], &[NONE, splits]).0, illegal, "");
        let (rank3, splits3) = ([2, -1, size], [NONE, splits, NONE]);
        fails(ragged(parts, &rank3, &splits3).0, illegal, "");
        let (rank3, splits3) = ([size, size, -1], [NONE, NONE, splits]);
        fails(ragged(parts, &rank3, &splits3).0, illegal, "");
    }
    let many = vec![-1; 65];
    fails(ragged(parts, &many, &[splits; 65]).0, illegal, "rank 65");
    fails(ragged(parts, &[], &[]).0, illegal, "at least one");
    // No row splits, and row splits of another rank, backwards, of a released tensor, and of what is not dense.
    let none = longs(&[0], &[]);
    fails(ragged(parts, &[2, -1], &[NONE, none]).0, illegal, "row");
    let (square, back) = (longs(&[3, 1], &[0, 1, 3]), view(splits, &[3], &[-1], 2));
    for one in [square, back] {
        let (status, _) = ragged(parts, &[2, -1], &[NONE, one]);
        fails(status, illegal, "not contiguous");
    }
    let (status, rows) = ragged(parts, &[2, -1], &[NONE, splits]);
    ok(status);
    let (status, _) = ragged(rows, &[2, -1], &[NONE, splits]);
    fails(status, illegal, "values is ragged or sparse");
    let (status, _) = ragged(parts, &[2, -1], &[NONE, rows]);
    fails(status, illegal, "row_splits[1] is ragged or sparse");
    release([none, square, back, splits]);
    let (status, _) = ragged(parts, &[2, -1], &[NONE, splits]);
    fails(status, TENSORNIO_ILLEGAL_STATE, "was released");
    // No rows at all, and one element, wherever it is.
    let (nothing, zero) = (floats(&[0], &[]), longs(&[1], &[0]));
    let (status, empty) = ragged(nothing, &[0, -1], &[NONE, zero]);
    ok(status);
    let (status, made) = run(parse("s += R[i,j]; y[i,j] = R[i,j] * 2"), &[empty], 2);
    ok(status);
    assert_eq!((values(made[0]), shape(made[1])), (vec![0.], vec![0, -1]));
    let last = view(parts, &[1], &[-7], 2);
    let ends = longs(&[2], &[0, 1]);
    let (status, lone) = ragged(last, &[1, -1], &[NONE, ends]);
    ok(status);
    let (status, sum) = run(parse("s += R[i,j]"), &[lone], 1);
    ok(status);
    assert_eq!(values(sum[0]), [3.]);
    release(made);
    release(sum);
    release([rows, nothing, zero, empty, last, ends, lone, parts]);
}

#[test]
fn coordinates_of_all_kinds_are_refused_or_fit() {
    let illegal = TENSORNIO_ILLEGAL_ARGUMENT;
    let parts = floats(&[2], &[1., 2.]);
    // Rank 0 has one element at most.
    let (one, scalar) = (floats(&[1], &[5.]), longs(&[1, 0], &[]));
    let (status, single) = sparse(one, scalar, &[]);
    ok(status);
    let (status, made) = run(parse("y = S[] * 2"), &[single], 1);
    ok(status);
    assert_eq!(values(made[0]), [10.]);
    release(made);
    let pair = longs(&[2, 0], &[]);
    fails(sparse(parts, pair, &[]).0, illegal, "[] twice");
    // Products that overflow, coordinates at the ends of INT64, and rows in a matrix whose row splits would take more than there are addresses.
    let far = longs(&[2, 2], &[0, 0, (1 << 45) - 1, 1]);
    let sizes = [1 << 62, 1 << 62];
    fails(sparse(parts, far, &sizes).0, illegal, "product");
    for at in [i64::MAX, i64::MIN, -1, 3] {
        let indices = longs(&[2, 2], &[at, 0, 0, 0]);
        let (status, _) = sparse(parts, indices, &[3, 2]);
        fails(status, TENSORNIO_INDEX_OUT_OF_BOUNDS, "outside of shape");
        release([indices]);
    }
    let (status, long) = sparse(parts, far, &[1 << 45, 2]);
    ok(status);
    // SAFETY: as the functions say.
    unsafe {
        fails(
            tensornio_tensor_row_splits(long, 1, &mut { NONE }),
            TENSORNIO_OUT_OF_MEMORY,
            "",
        );
        fails(
            tensornio_tensor_row_splits(long, usize::MAX, &mut { NONE }),
            illegal,
            "no row splits",
        );
        fails(
            tensornio_tensor_row_splits(single, 1, &mut { NONE }),
            illegal,
            "no row splits",
        );
        let indices = got(|to| tensornio_tensor_indices(long, to));
        assert_eq!(numbers(indices), [0, 0, (1 << 45) - 1, 1]);
        release([indices]);
        // Compressed rows of sizes that are none, without row pointers, and of columns outside.
        let (pointers, columns) = (longs(&[3], &[0, 1, 2]), longs(&[2], &[0, 7]));
        let csr = |rows, width| {
            tensornio_tensor_csr(parts, pointers, columns, rows, width, &mut { NONE })
        };
        for rows in [i64::MAX, i64::MIN, -1, 1, 3] {
            fails(csr(rows, 8), illegal, "row_pointers");
        }
        fails(csr(2, -1), illegal, "row_pointers");
        fails(csr(2, 7), TENSORNIO_INDEX_OUT_OF_BOUNDS, "[1, 7]");
        fails(csr(2, i64::MAX), illegal, "product");
        ok(csr(2, 8));
        let none = longs(&[0], &[]);
        let empty = tensornio_tensor_csr(parts, none, columns, -1, 8, &mut { NONE });
        fails(empty, illegal, "row_pointers");
        release([pointers, columns, none]);
    }
    release([parts, one, scalar, single, pair, far, long]);
}

#[test]
fn outputs_share_no_memory() {
    let (parts, splits) = (floats(&[2], &[1., 2.]), longs(&[2], &[0, 2]));
    let (_, rows) = ragged(parts, &[1, -1], &[NONE, splits]);
    let program =
        parse("y[i,j] = R[i,j]; z[i,j] = y[i,j]; d[k] = x[k]; e[k] = d[k]; return y, z, d, e");
    let (status, made) = run(program, &[rows, parts], 4);
    ok(status);
    // SAFETY: as the function says.
    let [y, z] = [0, 1].map(|at| got(|to| unsafe { tensornio_tensor_values(made[at], to) }));
    for one in [y, made[2]] {
        // SAFETY: as the function says.
        ok(unsafe { tensornio_tensor_write(one, [7f32, 7.].as_ptr().cast(), 8) });
    }
    for one in [z, made[3], parts] {
        assert_eq!(values(one), [1., 2.]);
    }
    release(made);
    release([y, z, rows, parts, splits]);
}

#[test]
fn tensors_are_made_and_released_while_others_run() {
    let threads: Vec<_> = (0..4)
        .map(|thread| {
            std::thread::spawn(move || {
                let program = parse("y[i] += R[i,j] * x[j] where j in 0:len(R,i)");
                for n in 0..200 {
                    let value = (thread * 1000 + n) as f32;
                    let parts = floats(&[3], &[value, 1., 2.]);
                    let (x, splits) = (floats(&[2], &[1., 10.]), longs(&[3], &[0, 2, 3]));
                    let (status, rows) = ragged(parts, &[2, -1], &[NONE, splits]);
                    ok(status);
                    release([splits, parts]);
                    let (status, made) = run(program, &[rows, x], 1);
                    ok(status);
                    release([rows, x]);
                    assert_eq!(values(made[0]), [value + 10., 2.]);
                    let (status, _) = run(program, &[rows, x], 1);
                    fails(status, TENSORNIO_ILLEGAL_STATE, "was released");
                    release(made);
                }
                ok(tensornio_program_release(program));
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}
