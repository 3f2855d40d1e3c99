//! Programs: what they say of themselves, and what they compute.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::*;

fn release_program(program: ProgramHandle) {
    ok(tensornio_program_release(program));
}

/// SAFETY of all that calls it: the text is the library's, and valid until the program is released.
fn text(get: impl FnOnce(*mut *const std::ffi::c_char) -> Status) -> String {
    let mut text = std::ptr::null();
    ok(get(&mut text));
    // SAFETY: it ends with a zero.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned()
}

#[test]
fn a_program_says_what_it_reads_and_defines() {
    let program = parse("C[i,j]+=A[i,k]*B[k,j]\nD[i]=C[i,0]\nreturn D, C");
    let (mut inputs, mut outputs) = (0, 0);
    // SAFETY: as the functions say.
    unsafe {
        ok(tensornio_program_counts(program, &mut inputs, &mut outputs));
        let input = |at| text(|name| tensornio_program_input_name(program, at, name));
        let output = |at| text(|name| tensornio_program_output_name(program, at, name));
        assert_eq!((inputs, outputs), (2, 2));
        assert_eq!(
            [input(0), input(1), output(0), output(1)],
            ["A", "B", "D", "C"]
        );
        let canonical = text(|to| tensornio_program_text(program, to));
        let again = parse(&canonical);
        assert_eq!(text(|to| tensornio_program_text(again, to)), canonical);
        release_program(again);
    }
    release_program(program);
}

/// A product of matrices against plain loops, with operands that are views.
#[test]
fn products_agree_with_loops_through_views() {
    let program = parse("C[i,j] += A[i,k] * B[k,j]");
    for (m, k, n) in [(1, 1, 1), (2, 3, 4), (5, 0, 2), (17, 9, 33), (3, 4, 2)] {
        let a: Vec<f32> = (0..m * k).map(|x| (x % 7) as f32 - 3.0).collect();
        let b: Vec<f32> = (0..k * n).map(|x| (x % 5) as f32 - 2.0).collect();
        let left = floats(&[m, k], &a);
        // B is stored with its columns as rows.
        let stored: Vec<f32> = (0..n)
            .flat_map(|j| (0..k).map(move |x| x * n + j))
            .map(|at| b[at as usize])
            .collect();
        let columns = floats(&[n, k], &stored);
        let right = view(columns, &[k, n], &[1, k], 0);
        let expected: Vec<f32> = (0..m * n)
            .map(|at| {
                (0..k)
                    .map(|x| a[(at / n * k + x) as usize] * b[(x * n + at % n) as usize])
                    .sum()
            })
            .collect();

        let (status, outputs) = run(program, &[left, right], 1);
        ok(status);
        assert_eq!(
            (shape(outputs[0]), values(outputs[0])),
            (vec![m, n], expected.clone())
        );

        // Into every second column of a wider tensor, from the right.
        let wide = floats(&[m, 2 * n], &vec![9.0; (2 * m * n) as usize]);
        let into = view(wide, &[m, n], &[2 * n, -2], 2 * n - 1);
        ok(run_into(program, &[left, right], &[into]));
        assert_eq!(values(into), expected);
        let untouched = view(wide, &[m, n], &[2 * n, 2], 0);
        assert_eq!(values(untouched), vec![9.0; (m * n) as usize]);
        release([left, columns, right, outputs[0], wide, into, untouched]);
    }
    release_program(program);
}

#[test]
fn a_program_runs_with_more_signatures_than_plans_are_kept() {
    let program = parse("C[i] = A[i] + B[i]");
    for round in 0..2 {
        for size in 1..20 {
            let ones = floats(&[size], &vec![1.0; size as usize]);
            let (status, outputs) = run(program, &[ones, ones], 1);
            ok(status);
            assert_eq!(
                values(outputs[0]),
                vec![2.0; size as usize],
                "round {round}"
            );
            release([ones, outputs[0]]);
        }
    }
    release_program(program);
}

/// Whoever releases does not take away what a run uses.
#[test]
fn threads_run_while_others_release() {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let program = parse("S[] += A[i] * A[i]");
                    let input = floats(&[1000], &[1.0; 1000]);
                    thread::scope(|inner| {
                        inner.spawn(|| release_program(program));
                        inner.spawn(|| release([input]));
                        let (status, outputs) = run(program, &[input], 1);
                        match status {
                            TENSORNIO_OK => {
                                assert_eq!(values(outputs[0]), [1000.0]);
                                release([outputs[0]]);
                            }
                            _ => fails(status, TENSORNIO_ILLEGAL_STATE, "was released"),
                        }
                    });
                }
            });
        }
        thread::sleep(std::time::Duration::from_millis(200));
        done.store(true, Ordering::Relaxed);
    });
}
