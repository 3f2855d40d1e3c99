//! What runs allocate: a test of its own, because it counts for the whole process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use tensornio_compute::operand::{DType, Operand, OperandMut, Strided};
use tensornio_compute::stored::Tensor;
use tensornio_compute::{ErrorKind, Plan, Program, Signature};
use tensornio_core::memory::shared;

use given::{dense, one, ragged, run_on, sparse, Given};

#[path = "stored/given.rs"]
#[allow(dead_code)]
mod given;

/// The system's allocator, which counts bytes.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static ALL: AtomicUsize = AtomicUsize::new(0);
/// Tests count one after the other.
static ONE: Mutex<()> = Mutex::new(());

// SAFETY: every call is the system allocator's own; counting touches no memory that it gave.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(live, Ordering::Relaxed);
        ALL.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is the same.
        unsafe { System.dealloc(start, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn a_sum_of_64_m_elements_needs_memory_for_tiles_only() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    const ELEMENTS: i64 = 64 << 20;
    let data = vec![1u8; ELEMENTS as usize];
    let program = Program::parse("s += (float(x[i])-float(y[i]))^2").expect("a program");
    let signature = Signature::tensor(DType::UInt8, &[ELEMENTS]);
    let bound = program
        .bind(&[signature.clone(), signature], &[None])
        .expect("shapes that fit");
    let plan = Plan::new(&bound).expect("a plan");
    let layout = Strided::row_major([ELEMENTS]).expect("a shape");
    let one = Strided::row_major([0i64; 0]).expect("a shape");
    let input = || Operand::Tensor {
        dtype: DType::UInt8,
        data: data.as_ptr(),
        layout: layout.as_slices(),
    };
    let mut sum = 1f32;
    let mut outputs = [OperandMut {
        dtype: DType::Float,
        data: (&raw mut sum).cast(),
        layout: one.as_slices(),
    }];
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    // SAFETY: operands are memory of this test.
    unsafe { plan.run(&[input(), input()], &mut outputs) }.expect("no error");
    let allocated = PEAK.load(Ordering::Relaxed) - before;
    assert_eq!(sum, 0.0);
    assert!(allocated < 1 << 20, "{allocated} bytes");
}

/// What a step needs, and a name of which all steps are read after the block.
#[test]
fn temporaries_of_recurrences_are_of_the_budget() {
    const LENGTH: i64 = 1 << 20;
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (ones, places) = (
        vec![1f32; LENGTH as usize],
        (0..LENGTH as i32).rev().collect::<Vec<i32>>(),
    );
    let layout = Strided::row_major([LENGTH]).expect("a shape");
    let steps = Strided::row_major([3i64]).expect("a shape");
    for (text, sums) in [
        (
            "y[t,i] = y[t-1,i] + x[i]; s[t] += y[t,i]; end",
            [1., 2., 3.],
        ),
        (
            "y[t,i] = y[t-1,i] + x[i]; end; s[t] += y[t,i]",
            [1., 2., 3.],
        ),
        (
            "y[t,k[i]] += x[i] where y[3,1048576]; m[t] += y[t,i]; s[t] = s[t-1] + m[t]; end",
            [1., 2., 3.],
        ),
    ] {
        let text = format!("scan t in 0:3; {text}; return s");
        let program = Program::parse(&text).expect("a program");
        let of = |name: &String| {
            if name == "x" {
                DType::Float
            } else {
                DType::Int32
            }
        };
        let signatures: Vec<Signature> = program
            .inputs()
            .iter()
            .map(|name| Signature::tensor(of(name), &[LENGTH]))
            .collect();
        let bound = program.bind(&signatures, &[None]).expect("shapes that fit");
        let plan = Plan::new(&bound).expect("a plan");
        let mut result = [0f32; 3];
        let mut run = || {
            let inputs: Vec<Operand> = program
                .inputs()
                .iter()
                .map(|name| Operand::Tensor {
                    dtype: of(name),
                    data: match of(name) {
                        DType::Float => ones.as_ptr().cast(),
                        _ => places.as_ptr().cast(),
                    },
                    layout: layout.as_slices(),
                })
                .collect();
            let mut outputs = [OperandMut {
                dtype: DType::Float,
                data: result.as_mut_ptr().cast(),
                layout: steps.as_slices(),
            }];
            // SAFETY: operands are memory of this test.
            unsafe { plan.run(&inputs, &mut outputs) }
        };
        shared().set_limit(1 << 20);
        let failed = run();
        shared().set_limit(u64::MAX);
        let failed = failed.expect_err(&text);
        assert_eq!(failed.kind(), ErrorKind::OutOfMemory, "{text}");
        assert!(failed.to_string().contains("no memory for"), "{failed}");
        let before = LIVE.load(Ordering::Relaxed);
        PEAK.store(before, Ordering::Relaxed);
        run().expect(&text);
        let allocated = PEAK.load(Ordering::Relaxed) - before;
        assert!(allocated < 1 << 20, "{text}: {allocated} bytes");
        assert_eq!(result, sums.map(|sum: f32| sum * LENGTH as f32), "{text}");
        assert_eq!(shared().stats().live_bytes, 0, "{text}");
    }
}

/// A network of so many layers, its loss, and the gradients of all weights.
fn network(layers: usize) -> (String, usize) {
    let mut text = String::new();
    for n in 0..layers {
        let from = n.checked_sub(1).map_or("x".to_owned(), |n| format!("h{n}"));
        write!(
            text,
            "a{n}[i] += w{n}[i,j] * {from}[j]; h{n}[i] = tanh(a{n}[i]); "
        )
        .expect("memory");
    }
    let last = layers - 1;
    write!(text, "l += h{last}[i]^2; gradient l by ").expect("memory");
    let weights: Vec<String> = (0..layers).map(|n| format!("w{n}")).collect();
    text.push_str(&weights.join(", "));
    (text, layers + 1)
}

/// The bytes that are allocated, in all, to plan a network and for one run of the plan after the first.
fn work(layers: usize) -> (usize, usize) {
    let (text, inputs) = network(layers);
    let before = ALL.load(Ordering::Relaxed);
    let program = Program::parse(&text).expect("a program");
    let signatures: Vec<Signature> = program
        .inputs()
        .iter()
        .map(|name| Signature::tensor(DType::Float, if name == "x" { &[4] } else { &[4, 4] }))
        .collect();
    assert_eq!(signatures.len(), inputs);
    let wanted = vec![None; program.outputs().len()];
    let bound = program.bind(&signatures, &wanted).expect("shapes that fit");
    let plan = Plan::new(&bound).expect("a plan");
    let data = [0.5f32; 16];
    let (vector, matrix) = (
        Strided::row_major([4i64]).expect("a shape"),
        Strided::row_major([4i64, 4]).expect("a shape"),
    );
    let inputs: Vec<Operand> = program
        .inputs()
        .iter()
        .map(|name| Operand::Tensor {
            dtype: DType::Float,
            data: data.as_ptr().cast(),
            layout: if name == "x" {
                vector.as_slices()
            } else {
                matrix.as_slices()
            },
        })
        .collect();
    let scalar = Strided::row_major([0i64; 0]).expect("a shape");
    let mut results = vec![[0f32; 16]; program.outputs().len()];
    let mut outputs: Vec<OperandMut> = results
        .iter_mut()
        .zip(program.outputs())
        .map(|(result, name)| OperandMut {
            dtype: DType::Float,
            data: result.as_mut_ptr().cast(),
            layout: if name == "l" {
                scalar.as_slices()
            } else {
                matrix.as_slices()
            },
        })
        .collect();
    // SAFETY: operands are memory of this test, and outputs overlap nothing.
    unsafe { plan.run(&inputs, &mut outputs) }.expect("no error");
    let planned = ALL.load(Ordering::Relaxed);
    // SAFETY: as above.
    unsafe { plan.run(&inputs, &mut outputs) }.expect("no error");
    (planned - before, ALL.load(Ordering::Relaxed) - planned)
}

/// What planning and runs do is proportional to what they allocate: it grows with the number of layers, not with its square.
#[test]
fn four_times_as_many_layers_need_about_four_times_as_much() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    work(4); // what is made once
    let (few, many) = (work(40), work(160));
    assert!(
        many.0 < 6 * few.0,
        "planning: {many:?} bytes, {few:?} for a quarter of the layers"
    );
    assert!(
        many.1 < 6 * few.1,
        "a run: {many:?} bytes, {few:?} for a quarter of the layers"
    );
}

/// Terms in parentheses, so that their tree is as low as it can be.
fn balanced(terms: &[String], op: &str) -> String {
    match terms {
        [term] => term.clone(),
        _ => {
            let (a, b) = terms.split_at(terms.len() / 2);
            format!("({} {op} {})", balanced(a, op), balanced(b, op))
        }
    }
}

/// The bytes that are allocated, in all, by a run of a program over ragged and sparse tensors.
fn stored_work(text: &str, inputs: &[Given]) -> usize {
    let before = ALL.load(Ordering::Relaxed);
    one(text, inputs);
    ALL.load(Ordering::Relaxed) - before
}

#[test]
fn four_times_as_many_terms_need_about_four_times_as_much() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let sum = |count: i64, of: &dyn Fn(i64) -> String| {
        balanced(&(0..count).map(of).collect::<Vec<String>>(), "+")
    };
    let product = |count: i64, of: &dyn Fn(i64) -> String| {
        balanced(&(0..count).map(of).collect::<Vec<String>>(), "*")
    };
    let rows = |count: i64| {
        let text = format!("s[i] += {}", sum(count, &|n| format!("R[i,j] * {n}")));
        stored_work(&text, &[ragged(&[&[], &[]])])
    };
    let wide = |count: i64| sparse(&[2, 2 * count], &[(0, 1, 2.0), (1, 0, 3.0)]);
    let reads = |count: i64| {
        let text = format!("s += {}", sum(count, &|n| format!("S[i,{n}] * x[i]")));
        stored_work(&text, &[wide(count), dense(&[2], &[1.0, 10.0])])
    };
    let sums = |count: i64| {
        let of = |n: i64| format!("(S[i,{}] + S[i,{}])", 2 * n, 2 * n + 1);
        let text = format!("s += {}", product(count, &of));
        stored_work(&text, &[wide(count)])
    };
    let all: [(&str, &dyn Fn(i64) -> usize); 3] =
        [("rows", &rows), ("reads", &reads), ("sums", &sums)];
    for (name, work) in all {
        work(10); // what is made once
        let (few, many) = (work(250), work(1000));
        assert!(many < 7 * few, "{name}: {many} bytes, {few} for a quarter");
    }
}

/// Does work, of which so many bytes are outside of the library's memory at a time.
fn peak(work: impl FnOnce()) -> usize {
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    work();
    PEAK.load(Ordering::Relaxed) - before
}

/// Does work while the library's memory has but so many bytes more than now.
fn within<T>(bytes: u64, work: impl FnOnce() -> T) -> T {
    let memory = tensornio_core::memory::shared();
    memory.set_limit(0);
    memory.set_limit(memory.stats().live_bytes + bytes);
    let done = work();
    memory.set_limit(u64::MAX);
    done
}

/// The message of a program that fails, if it does; but for the library's memory it needs little.
fn fault_of(text: &str, inputs: &[Tensor<'_>]) -> String {
    let program = Program::parse(text).expect("a program");
    let mut fault = String::new();
    let bytes = peak(|| {
        if let Err(error) = run_on(&program, inputs.to_vec()) {
            fault = error.to_string();
        }
    });
    assert!(bytes < 1 << 20, "{text}: {bytes} bytes");
    fault
}

/// Ones at so many points, of which all but the first coordinates are in no order.
fn scattered(shape: &[i64]) -> Given {
    let coordinates = (0..shape[0]).flat_map(|i| shape.iter().map(move |length| (i, length)));
    let coordinates = coordinates.enumerate().map(|(n, (i, length))| {
        if n % shape.len() == 0 {
            i
        } else {
            i * 7919 % length
        }
    });
    let values = vec![1.0; shape[0] as usize];
    Given::Sparse(shape.to_vec(), coordinates.collect(), values)
}

#[test]
fn the_points_of_a_sparse_result_are_in_the_librarys_memory() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let count = 200_000;
    let given = scattered(&[count, count]);
    let s = [given.tensor()];
    // In order, and in none.
    for text in [
        "sparse y[i,j+1] += S[i,j]",
        "sparse y[j,k] += S[i,j] where k in 0:1",
    ] {
        assert_eq!(fault_of(text, &s), "");
        let fault = within(4 << 20, || fault_of(text, &s));
        assert!(
            fault.starts_with("y: the points of a sparse result: "),
            "{fault}"
        );
    }
}

#[test]
fn what_extrema_and_products_count_is_in_the_librarys_memory() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let given = scattered(&[200_000, 2]);
    let s = [given.tensor()];
    for op in ["max=", "min=", "*="] {
        let text = format!("m[i] {op} S[i,j]");
        assert_eq!(fault_of(&text, &s), "");
        // The result and the points of each element that are stored fit.
        let fault = within(4 << 20, || fault_of(&text, &s));
        assert!(
            fault.starts_with("m: the points of m: 200000 elements "),
            "{fault}"
        );
    }
}

#[test]
fn points_in_another_order_are_in_the_librarys_memory() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let given = scattered(&[400_000, 400_000, 400_000]);
    let s = [given.tensor()];
    assert_eq!(fault_of("s += S[i,j,k] * S[k,j,i]", &s), "");
}
