//! Inputs that are read by parts give the bits that they give in memory, and what is read is inside of them.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use tensornio_compute::far::Far;
use tensornio_compute::kernel::Level;
use tensornio_compute::operand::{DType, Operand, OperandMut};
use tensornio_compute::threads::in_threads;
use tensornio_compute::Plan;

use super::agree::{bind, outputs, some, Data, Input, Layout, Random, FLOATS, NUMBERS};

/// Where inputs that are far begin: no memory is there.
const START: usize = 1 << 40;
/// Room for one of them.
const ROOM: usize = 1 << 32;

/// The addresses of the elements of a tensor, as if its memory were far.
fn addresses(data: &Data, n: usize) -> Range<usize> {
    let (lowest, highest) = data.layout.bounds().expect("elements");
    let at = |position: i64| START + n * ROOM + position as usize * data.dtype.width();
    at(lowest)..at(highest + 1)
}

/// Runs a program with the tensors in `far` in no memory, after as many reads as `reads` fail. False if they have to be in memory, or cannot be read.
fn run_far(plan: &Plan, inputs: &[Input], far: &[bool], to: &mut [Data], reads: usize) -> bool {
    let left = AtomicUsize::new(reads);
    let read = |from: usize, to: &mut [u8]| {
        let n = (from - START) / ROOM;
        let Input::Tensor(data) = &inputs[n] else {
            panic!("input {n} is a number")
        };
        let all = addresses(data, n);
        assert!(
            all.contains(&from) && from + to.len() <= all.end,
            "{from:x} of {all:x?}"
        );
        to.copy_from_slice(&data.memory.bytes()[(from - START) % ROOM..][..to.len()]);
        left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            left.checked_sub(1)
        })
        .is_ok()
    };
    let is_far = |n: usize| far.get(n) == Some(&true);
    let mut fars = Vec::new();
    let mut operands = Vec::new();
    for (n, input) in inputs.iter().enumerate() {
        match input {
            Input::Tensor(data) if is_far(n) => {
                operands.push(Operand::Tensor {
                    dtype: data.dtype,
                    data: std::ptr::without_provenance(START + n * ROOM),
                    layout: data.layout.as_slices(),
                });
                let bytes = addresses(data, n);
                fars.push(Some(Far { bytes, read: &read }));
            }
            _ => {
                operands.push(input.operand());
                fars.push(None);
            }
        }
    }
    let mut results: Vec<OperandMut> = to.iter_mut().map(Data::operand_mut).collect();
    // SAFETY: operands are memory of this test, or far.
    unsafe { plan.run_far(&operands, &mut results, &fars) }.expect("no error")
}

/// Whether a program reads its far inputs by parts; if so its results are those from memory, bit by bit.
fn by_parts(text: &str, inputs: &[Input], far: &[bool], random: &mut Random) -> bool {
    let bound = bind(text, inputs);
    let mut all = true;
    for &level in Level::all() {
        let plan = Plan::at(&bound, level).expect("a plan");
        let state = random.0;
        let mut expected = outputs(&bound, Layout::Plain, random);
        super::agree::run(inputs, &mut expected, |inputs, outputs| {
            // SAFETY: operands are memory of this test.
            unsafe { plan.run(inputs, outputs) }
        })
        .expect("no error");
        for threads in [1, 3] {
            random.0 = state;
            let mut found = outputs(&bound, Layout::Plain, random);
            let done = in_threads(threads, || {
                run_far(&plan, inputs, far, &mut found, usize::MAX)
            });
            all &= done;
            for (a, b) in expected.iter().zip(&found).filter(|_| done) {
                assert!(
                    a.memory.bytes() == b.memory.bytes(),
                    "{text} ({level:?}, {threads})"
                );
            }
        }
    }
    all
}

fn inputs(dtype: DType, shapes: &[&[i64]], layout: Layout, random: &mut Random) -> Vec<Input> {
    let each = shapes.iter();
    each.map(|shape| some(dtype, shape, layout, random))
        .collect()
}

#[test]
fn what_is_read_once_in_order_is_read_by_parts() {
    let programs: &[(&str, &[&[i64]])] = &[
        ("s += x[i]", &[&[1_200_003]]),
        ("s max= x[i]", &[&[600_000]]),
        ("s += x[i] * y[i]", &[&[600_001], &[600_001]]),
        ("s += x[i] * x[i]", &[&[70_001]]),
        ("s += x[i,j]", &[&[999, 701]]),
        ("r[i] += x[i,j]", &[&[999, 701]]),
        ("r[i] += x[i,j]", &[&[70_001, 7]]),
        ("r[i] max= x[i,j]", &[&[7, 170_001]]),
        ("c[j] += x[i,j]", &[&[999, 701]]),
        ("c[j] += x[i,j]", &[&[70_001, 7]]),
        ("c[j] min= x[i,j] + x[i,j] * 2", &[&[999, 301]]),
        ("y[i] = x[i] * 2 + 1", &[&[300_001]]),
        ("y[i,j] = x[i,j] + b[j]", &[&[999, 301], &[301]]),
        ("y[i] = x[i] + x[i+1]", &[&[200_001]]),
        ("s += x[i+3]", &[&[200_001]]),
        ("y[i] = x[i+1] - x[i] where i in 0:5", &[&[200_001]]),
        ("s += x[2*i]", &[&[200_001]]),
        ("y[i,j] = x[i,j] + 1", &[&[20_001, 3]]),
        ("m[j] += x[i,j]; d += (x[i,j] - m[j])", &[&[3_000, 64]]),
    ];
    for (text, shapes) in programs {
        for dtype in NUMBERS {
            let mut random = Random(7);
            let inputs = inputs(dtype, shapes, Layout::Plain, &mut random);
            assert!(
                by_parts(text, &inputs, &[true], &mut random),
                "{text} of {dtype:?}"
            );
        }
    }
}

/// Whatever the layout is: by parts or not, it is the same.
#[test]
fn any_layout_gives_the_bits_of_memory() {
    let programs: &[(&str, &[&[i64]])] = &[
        ("s += x[i,j] * y[i,j]", &[&[37, 1_001], &[37, 1_001]]),
        ("r[i] += x[i,j]", &[&[301, 127]]),
        ("c[j] += x[i,j]", &[&[301, 127]]),
        ("y[j,i] = x[i,j] * 2", &[&[301, 127]]),
        ("y[i,j] = x[i,j] + x[j,i]", &[&[201, 201]]),
        ("C[i,j] += x[i,k] * y[k,j]", &[&[33, 34], &[34, 35]]),
        ("y[i] = x[n[i]]", &[&[500], &[200]]),
        (
            "m[i] max= x[i,j]; y[i,j] = exp(x[i,j] - m[i])",
            &[&[31, 200]],
        ),
        ("y[i] += x[i+k] * y2[k]", &[&[5_000], &[9]]),
    ];
    for (text, shapes) in programs {
        for &dtype in &FLOATS {
            for seed in 1..12 {
                let mut random = Random(seed);
                let layout = if seed == 1 {
                    Layout::Plain
                } else {
                    Layout::Wild
                };
                let mut inputs = inputs(dtype, shapes, layout, &mut random);
                if text.contains("n[i]") {
                    inputs[1] = some(DType::Int32, shapes[1], layout, &mut random);
                }
                for far in [[true, false], [false, true], [true, true]] {
                    if far[1] && inputs.len() < 2 {
                        continue;
                    }
                    by_parts(text, &inputs, &far, &mut random);
                }
            }
        }
    }
}

#[test]
fn a_matrix_that_is_read_many_times_has_to_be_in_memory() {
    let mut random = Random(1);
    let inputs = inputs(
        DType::Float,
        &[&[100, 100], &[100, 100]],
        Layout::Plain,
        &mut random,
    );
    for text in ["C[i,j] += x[i,k] * y[k,j]", "C[i,j] max= x[i,k] - y[j,k]"] {
        assert!(
            !by_parts(text, &inputs, &[true, true], &mut random),
            "{text}"
        );
    }
}

/// A read may fail at any time: then false, and no thread goes on.
#[test]
fn a_read_that_fails_is_told() {
    let mut random = Random(1);
    let inputs = inputs(DType::Float, &[&[1_000_000]], Layout::Plain, &mut random);
    for text in ["s += x[i]", "y[i] = x[i] + 1"] {
        let bound = bind(text, &inputs);
        let plan = Plan::new(&bound).expect("a plan");
        for reads in [0, 1, 2, 7, 20] {
            let mut found = outputs(&bound, Layout::Plain, &mut random);
            let done = in_threads(3, || run_far(&plan, &inputs, &[true], &mut found, reads));
            assert!(!done, "{text} after {reads} reads");
        }
    }
}

/// The fault of a statement is told as one that only memory explains.
#[test]
fn an_index_that_is_outside_is_told_by_false() {
    let mut random = Random(1);
    let x = some(DType::Float, &[1_000], Layout::Plain, &mut random);
    let n = super::agree::tensor(DType::Int32, &[10], Layout::Plain, &mut random, |_| 5_000.0);
    let inputs = [x, n];
    let bound = bind("y[i] = x[n[i]]", &inputs);
    let plan = Plan::new(&bound).expect("a plan");
    let mut found = outputs(&bound, Layout::Plain, &mut random);
    assert!(!run_far(
        &plan,
        &inputs,
        &[false, true],
        &mut found,
        usize::MAX
    ));
}
