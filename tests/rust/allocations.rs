//! What runs allocate: a test of its own, because it counts for the whole process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use tensornio_compute::operand::{DType, Operand, OperandMut, Strided};
use tensornio_compute::{Plan, Program, Signature};

/// The system's allocator, which counts bytes.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is the system allocator's own; counting touches no memory that it gave.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(live, Ordering::Relaxed);
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
