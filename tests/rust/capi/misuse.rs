//! What callers get wrong: each ends with a status and a message, and changes nothing.

use std::ptr::{null, null_mut};

use super::*;

#[test]
fn null_is_refused_wherever_a_pointer_is_needed() {
    let tensor = zeros(TENSORNIO_FLOAT, &[2]);
    let program = parse("B[i] = A[i]");
    let mut made = NONE;
    let shape = [2i64];
    let (mut numbers, mut size) = ([0i64; 4], 0usize);
    let refused = |status, name: &str| {
        fails(
            status,
            TENSORNIO_ILLEGAL_ARGUMENT,
            &format!("{name} is NULL"),
        )
    };
    // SAFETY: null is what each function promises to refuse; all else is as it says.
    unsafe {
        let float = TENSORNIO_FLOAT;
        refused(
            tensornio_tensor_create(float, 1, null(), &mut made),
            "shape",
        );
        refused(
            tensornio_tensor_create(float, 1, shape.as_ptr(), null_mut()),
            "result",
        );
        refused(
            tensornio_tensor_wrap(float, 1, shape.as_ptr(), null_mut(), 8, &mut made),
            "data",
        );
        refused(
            tensornio_tensor_wrap(float, 1, null(), null_mut(), 8, &mut made),
            "shape",
        );
        refused(
            tensornio_tensor_wrap(float, 1, shape.as_ptr(), null_mut(), 8, null_mut()),
            "result",
        );
        refused(
            tensornio_tensor_view(tensor, 1, null(), shape.as_ptr(), 0, &mut made),
            "shape",
        );
        refused(
            tensornio_tensor_view(tensor, 1, shape.as_ptr(), null(), 0, &mut made),
            "strides",
        );
        refused(
            tensornio_tensor_view(tensor, 0, null(), null(), 0, null_mut()),
            "result",
        );
        refused(tensornio_tensor_read(tensor, null_mut(), 8), "data");
        refused(tensornio_tensor_write(tensor, null(), 8), "data");
        refused(tensornio_tensor_dtype(tensor, null_mut()), "dtype");
        refused(tensornio_tensor_rank(tensor, null_mut()), "rank");
        refused(tensornio_tensor_shape(tensor, null_mut(), 4), "shape");
        refused(tensornio_tensor_strides(tensor, null_mut(), 4), "strides");
        refused(tensornio_tensor_elements(tensor, null_mut()), "elements");
        refused(tensornio_tensor_data(tensor, null_mut()), "data");
        refused(tensornio_live_bytes(null_mut()), "bytes");
        refused(
            tensornio_program_parse(null(), &mut ProgramHandle { id: 0 }),
            "text",
        );
        refused(
            tensornio_program_parse(c"B[i] = A[i]".as_ptr(), null_mut()),
            "result",
        );
        refused(
            tensornio_program_counts(program, null_mut(), &mut size),
            "inputs",
        );
        refused(
            tensornio_program_counts(program, &mut size, null_mut()),
            "outputs",
        );
        refused(tensornio_program_text(program, null_mut()), "text");
        refused(tensornio_program_input_name(program, 0, null_mut()), "name");
        refused(
            tensornio_program_output_name(program, 0, null_mut()),
            "name",
        );
        refused(
            tensornio_program_run(program, null(), 1, &mut made, 1),
            "inputs",
        );
        refused(
            tensornio_program_run(program, &tensor, 1, null_mut(), 1),
            "outputs",
        );
        refused(
            tensornio_program_run_into(program, null(), 1, &tensor, 1),
            "inputs",
        );
        refused(
            tensornio_program_run_into(program, &tensor, 1, null(), 1),
            "outputs",
        );
        // Where nothing is needed it will do.
        ok(tensornio_tensor_create(float, 0, null(), &mut made));
        ok(tensornio_tensor_shape(made, null_mut(), 0));
        ok(tensornio_tensor_shape(made, numbers.as_mut_ptr(), 0));
    }
    release([made, tensor]);
    ok(tensornio_program_release(program));
}

#[test]
fn what_was_released_is_not_found_again() {
    let tensor = zeros(TENSORNIO_FLOAT, &[2]);
    let program = parse("B[i] = A[i]");
    release([tensor]);
    ok(tensornio_program_release(program));
    let mut out = 0;
    let was_released = |status| {
        fails(
            status,
            TENSORNIO_ILLEGAL_STATE,
            &format!("tensor {} was released", tensor.id),
        )
    };
    was_released(tensornio_tensor_release(tensor));
    // SAFETY: as the functions say.
    unsafe {
        was_released(tensornio_tensor_rank(tensor, &mut out));
        was_released(tensornio_tensor_read(
            tensor,
            [0u8; 8].as_mut_ptr().cast(),
            8,
        ));
        was_released(tensornio_tensor_write(tensor, [0u8; 8].as_ptr().cast(), 8));
    }
    let message = format!("program {} was released", program.id);
    fails(
        tensornio_program_release(program),
        TENSORNIO_ILLEGAL_STATE,
        &message,
    );
    fails(run(program, &[], 0).0, TENSORNIO_ILLEGAL_STATE, &message);
    // Its number is not used again.
    let next = zeros(TENSORNIO_FLOAT, &[2]);
    assert!(next.id > tensor.id);
    let program = parse("B[i] = A[i]");
    fails(
        run(program, &[tensor], 1).0,
        TENSORNIO_ILLEGAL_STATE,
        "inputs[0]: tensor",
    );
    fails(
        run_into(program, &[next], &[tensor]),
        TENSORNIO_ILLEGAL_STATE,
        "outputs[0]: tensor",
    );
    release([next]);
    ok(tensornio_program_release(program));
}

#[test]
fn what_was_never_made_is_told_from_what_is_none() {
    let invented = TensorHandle { id: u64::MAX };
    fails(
        tensornio_tensor_release(invented),
        TENSORNIO_ILLEGAL_STATE,
        "there was never a tensor",
    );
    let mut out = 0;
    // SAFETY: as the function says.
    let status = unsafe { tensornio_tensor_rank(NONE, &mut out) };
    fails(
        status,
        TENSORNIO_ILLEGAL_STATE,
        "tensor is no tensor: its id is 0",
    );
    // Like free(NULL).
    ok(tensornio_tensor_release(NONE));
    ok(tensornio_program_release(ProgramHandle { id: 0 }));
    let invented = ProgramHandle { id: 1 << 60 };
    fails(
        tensornio_program_release(invented),
        TENSORNIO_ILLEGAL_STATE,
        "there was never a program",
    );
}

#[test]
fn wrong_types_ranks_and_sizes_are_refused() {
    let create = |dtype, shape: &[i64]| {
        let mut made = TensorHandle { id: 77 };
        // SAFETY: as the function says.
        let status =
            unsafe { tensornio_tensor_create(dtype, shape.len(), shape.as_ptr(), &mut made) };
        assert_eq!(made.id, 77);
        status
    };
    for dtype in [-1, 6, i32::MAX, i32::MIN] {
        fails(
            create(dtype, &[1]),
            TENSORNIO_ILLEGAL_ARGUMENT,
            &format!("dtype {dtype}"),
        );
    }
    let float = TENSORNIO_FLOAT;
    fails(
        create(float, &[2, -3]),
        TENSORNIO_ILLEGAL_ARGUMENT,
        "axis 1 of shape [2, -3]",
    );
    fails(
        create(float, &[1 << 40, 1 << 40]),
        TENSORNIO_ILLEGAL_ARGUMENT,
        "product",
    );
    fails(
        create(float, &[1 << 62]),
        TENSORNIO_OUT_OF_MEMORY,
        "block of",
    );
    fails(
        create(float, &[1; TENSORNIO_MAX_RANK + 1]),
        TENSORNIO_ILLEGAL_ARGUMENT,
        "rank 65",
    );
    let mut made = NONE;
    // SAFETY: a rank that no tensor has is refused before the shape is looked at.
    let status = unsafe { tensornio_tensor_create(float, usize::MAX, [1].as_ptr(), &mut made) };
    fails(status, TENSORNIO_ILLEGAL_ARGUMENT, "at most 64 axes");
}

#[test]
fn copies_of_another_size_are_refused() {
    let tensor = floats(&[2], &[1.0, 2.0]);
    let mut room = [9.0f32; 4];
    for bytes in [0, 4, 7, 9, 16, usize::MAX] {
        // SAFETY: another size than that of the tensor is refused before the memory is looked at.
        unsafe {
            let data = room.as_mut_ptr().cast::<c_void>();
            fails(
                tensornio_tensor_read(tensor, data, bytes),
                TENSORNIO_ILLEGAL_ARGUMENT,
                "8 are needed",
            );
            fails(
                tensornio_tensor_write(tensor, data, bytes),
                TENSORNIO_ILLEGAL_ARGUMENT,
                "8 are needed",
            );
            let mut made = NONE;
            let wrapped =
                tensornio_tensor_wrap(TENSORNIO_FLOAT, 1, [2].as_ptr(), data, bytes, &mut made);
            fails(wrapped, TENSORNIO_ILLEGAL_ARGUMENT, "8 are needed");
        }
    }
    assert_eq!((room, values(tensor)), ([9.0; 4], vec![1.0, 2.0]));
    let mut numbers = [0i64; 1];
    let matrix = zeros(TENSORNIO_FLOAT, &[2, 2]);
    // SAFETY: as the function says.
    let status = unsafe { tensornio_tensor_shape(matrix, numbers.as_mut_ptr(), 1) };
    fails(
        status,
        TENSORNIO_ILLEGAL_ARGUMENT,
        "shape has room for 1 numbers, there are 2",
    );
    release([tensor, matrix]);
}

#[test]
fn copies_to_and_from_the_tensor_itself_are_refused() {
    let tensor = floats(&[2], &[1.0, 2.0]);
    let mut data = null_mut();
    // SAFETY: as the functions say.
    unsafe {
        ok(tensornio_tensor_data(tensor, &mut data));
        fails(
            tensornio_tensor_read(tensor, data, 8),
            TENSORNIO_ILLEGAL_ARGUMENT,
            "overlap",
        );
        fails(
            tensornio_tensor_write(tensor, data, 8),
            TENSORNIO_ILLEGAL_ARGUMENT,
            "overlap",
        );
    }
    release([tensor]);
}

#[test]
fn memory_that_is_not_aligned_is_not_wrapped() {
    let mut memory = [0u64; 2];
    let mut made = NONE;
    // SAFETY: as the function says.
    let status = unsafe {
        let odd = memory.as_mut_ptr().cast::<u8>().add(1).cast();
        tensornio_tensor_wrap(TENSORNIO_FLOAT, 1, [2].as_ptr(), odd, 8, &mut made)
    };
    fails(
        status,
        TENSORNIO_ILLEGAL_ARGUMENT,
        "not a multiple of the 4 bytes",
    );
}

#[test]
fn views_stay_inside_of_the_memory() {
    let tensor = floats(&[2, 3], &[0.0; 6]);
    for (shape, strides, offset) in [
        (&[7][..], &[1][..], 0),
        (&[1], &[1], 6),
        (&[1], &[1], -1),
        (&[2], &[-1], 0),
        (&[1], &[1], i64::MAX),
        (&[1], &[1], i64::MIN),
        (&[2, 2], &[i64::MAX, i64::MAX], 0),
        (&[2], &[i64::MIN], 5),
    ] {
        let mut made = NONE;
        let rank = shape.len();
        // SAFETY: as the function says.
        let status = unsafe {
            tensornio_tensor_view(
                tensor,
                rank,
                shape.as_ptr(),
                strides.as_ptr(),
                offset,
                &mut made,
            )
        };
        fails(status, TENSORNIO_INDEX_OUT_OF_BOUNDS, "there are only 6");
        assert_eq!(made, NONE);
    }
    release([tensor]);
}

#[test]
fn texts_that_make_no_sense_are_explained() {
    let parse = |text: &std::ffi::CStr| {
        let mut made = ProgramHandle { id: 77 };
        // SAFETY: as the function says.
        let status = unsafe { tensornio_program_parse(text.as_ptr(), &mut made) };
        assert_eq!(made.id, 77);
        status
    };
    fails(parse(c""), TENSORNIO_ILLEGAL_ARGUMENT, "");
    fails(parse(c"C[i"), TENSORNIO_ILLEGAL_ARGUMENT, "line 1");
    fails(
        parse(c"C[i] = \xff"),
        TENSORNIO_ILLEGAL_ARGUMENT,
        "text is not in UTF-8: byte 7",
    );
}

#[test]
fn runs_of_what_does_not_fit_are_refused() {
    let program = parse("C[i,j] += A[i,k] * B[k,j]");
    let (a, b) = (floats(&[2, 3], &[1.0; 6]), floats(&[2, 3], &[1.0; 6]));
    fails(run(program, &[a, b], 1).0, TENSORNIO_ILLEGAL_ARGUMENT, "k");
    fails(
        run(program, &[a], 1).0,
        TENSORNIO_ILLEGAL_ARGUMENT,
        "1 inputs and 1 outputs for a program of 2 and 1",
    );
    fails(
        run(program, &[a, b], 2).0,
        TENSORNIO_ILLEGAL_ARGUMENT,
        "2 inputs and 2 outputs",
    );
    let ints = zeros(TENSORNIO_INT32, &[3, 2]);
    fails(
        run(program, &[a, ints], 1).0,
        TENSORNIO_ILLEGAL_ARGUMENT,
        "INT32",
    );

    let (right, out) = (floats(&[3, 2], &[1.0; 6]), floats(&[2, 2], &[9.0; 4]));
    let wrong = |output, words| {
        let status = run_into(program, &[a, right], &[output]);
        fails(status, TENSORNIO_ILLEGAL_ARGUMENT, words);
    };
    let repeated = view(out, &[2, 2], &[0, 1], 0);
    wrong(repeated, "outputs[0] has several elements at one place");
    wrong(
        view(a, &[2, 2], &[3, 1], 0),
        "outputs[0] shares memory with inputs[0]",
    );
    wrong(ints, "C");
    wrong(view(out, &[1, 2], &[2, 1], 0), "C");
    assert_eq!(values(out), [9.0; 4]);
    let twice = parse("C[i] = A[i]\nD[i] = A[i]\nreturn C, D");
    let row = view(a, &[3], &[1], 0);
    let target = floats(&[3], &[9.0; 3]);
    fails(
        run_into(twice, &[row], &[target, target]),
        TENSORNIO_ILLEGAL_ARGUMENT,
        "outputs[1] shares memory with outputs[0]",
    );
    ok(tensornio_program_release(twice));
    ok(tensornio_program_release(program));
    release([a, b, ints, right, out, repeated, row, target]);
}

#[test]
fn a_run_that_fails_makes_nothing() {
    let program = parse("C[i] = A[I[i]]");
    let a = floats(&[2], &[1.0, 2.0]);
    let at = zeros(TENSORNIO_INT32, &[1]);
    let outside = [2i32];
    // SAFETY: as the function says.
    ok(unsafe { tensornio_tensor_write(at, outside.as_ptr().cast(), 4) });
    let (status, outputs) = run(program, &[a, at], 1);
    fails(status, TENSORNIO_INDEX_OUT_OF_BOUNDS, "2");
    assert_eq!(outputs, [NONE]);
    let divide = parse("C[i] = A[i] / B[i]");
    fails(
        run(divide, &[at, zeros(TENSORNIO_INT32, &[1])], 1).0,
        TENSORNIO_ARITHMETIC,
        "zero",
    );
    let mut name = null();
    // SAFETY: as the function says.
    let status = unsafe { tensornio_program_input_name(divide, 2, &mut name) };
    fails(
        status,
        TENSORNIO_INDEX_OUT_OF_BOUNDS,
        "index 2: the program has 2 inputs",
    );
    release([a, at]);
}

#[test]
fn sizes_beyond_64_bits_are_said_as_they_are() {
    let mut made = NONE;
    let shape = [1i64 << 62];
    // SAFETY: shapes, strides and results are as each function says; the view repeats one element.
    unsafe {
        fails(
            tensornio_tensor_create(TENSORNIO_DOUBLE, 1, shape.as_ptr(), &mut made),
            TENSORNIO_OUT_OF_MEMORY,
            "a block of 36893488147419103232 bytes",
        );
        let one = zeros(TENSORNIO_DOUBLE, &[1]);
        let strides = [0i64];
        let view = tensornio_tensor_view(one, 1, shape.as_ptr(), strides.as_ptr(), 0, &mut made);
        assert_eq!(view, TENSORNIO_OK);
        let mut data = [0f64; 1];
        fails(
            tensornio_tensor_read(made, data.as_mut_ptr().cast(), 8),
            TENSORNIO_ILLEGAL_ARGUMENT,
            "36893488147419103232 are needed",
        );
    }
}
