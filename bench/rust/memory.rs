//! Allocate, fill and close beside filling warm memory: the ratio of two lines is what counts.

use std::hint::black_box;
use std::ptr::NonNull;

use criterion::{Criterion, Throughput};
use tensornio_core::memory::{Memory, System};

const LIMIT: u64 = 4 << 30;

fn fill(start: NonNull<u8>, len: usize) {
    let floats = black_box(start).cast::<f32>();
    for k in 0..len / 4 {
        // SAFETY: inside of a block of that length.
        unsafe { floats.add(k).write(1.5) };
    }
}

fn cycles(criterion: &mut Criterion) {
    for (name, len) in [
        ("64 KiB", 64 << 10),
        ("1 MiB", 1 << 20),
        ("2 MiB", 2 << 20),
        ("16 MiB", 16 << 20),
        ("64 MiB", 64 << 20),
    ] {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(len as u64));
        let warm = Memory::new(System::new(), LIMIT);
        let block = warm.allocate(len, true).unwrap().unwrap();
        group.bench_function("fill warm", |bencher| bencher.iter(|| fill(block, len)));
        for (how, zeroed, moving) in [
            ("zeroed", true, true),
            ("not zeroed", false, true),
            ("discarding", true, false),
        ] {
            let memory = Memory::new(System::new(), LIMIT);
            memory.set_moving(moving);
            group.bench_function(how, |bencher| {
                bencher.iter(|| {
                    let block = memory.allocate(len, zeroed).unwrap().unwrap();
                    fill(block, len);
                    memory.close(block).unwrap();
                    memory.release(block).unwrap();
                });
            });
        }
        group.finish();
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    cycles(&mut criterion);
    criterion.final_summary();
}
