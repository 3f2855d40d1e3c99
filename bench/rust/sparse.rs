//! Sparse tensors beside `memcpy` of 64 MiB between warm buffers: the ratio of two lines is what counts.
//!
//! 8192 x 8192 with 10 million values of 4 bytes. What is written is fresh memory, as a new tensor's is, where the line says so.

use std::hint::black_box;
use std::ptr::NonNull;
use std::time::{Duration, Instant};

use criterion::Criterion;
use tensornio_core::memory::{Memory, System};
use tensornio_core::sparse::{self, Coordinates, Entries, Grid, Output};

const SIDE: i64 = 8192;
const N: usize = 10_000_000;
const WIDTH: usize = 4;

struct Random(u64);

impl Random {
    fn below(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((u128::from(self.0) * u128::from(below)) >> 64) as u64
    }
}

/// Distinct positions in random order.
fn positions() -> Vec<i64> {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut taken = vec![false; (SIDE * SIDE) as usize];
    let mut positions = Vec::with_capacity(N);
    while positions.len() < N {
        let position = random.below((SIDE * SIDE) as u64);
        if !std::mem::replace(&mut taken[position as usize], true) {
            positions.push(position as i64);
        }
    }
    positions
}

fn rows(positions: &[i64]) -> Vec<i64> {
    positions
        .iter()
        .flat_map(|position| [position / SIDE, position % SIDE])
        .collect()
}

/// Blocks for a result: from the pool, or of pages that were never touched.
struct Blocks<'m> {
    memory: &'m Memory<System>,
    blocks: Vec<NonNull<u8>>,
}

impl<'m> Blocks<'m> {
    fn new(memory: &'m Memory<System>, fresh: bool, sizes: &[usize]) -> Blocks<'m> {
        if fresh {
            memory.trim(Duration::ZERO);
        }
        let blocks = sizes
            .iter()
            .map(|&size| memory.allocate(size, false).unwrap().unwrap())
            .collect();
        Blocks { memory, blocks }
    }
}

impl Drop for Blocks<'_> {
    fn drop(&mut self) {
        for &block in &self.blocks {
            self.memory.release(block).unwrap();
        }
    }
}

/// Measures a call that writes to new blocks.
fn measure(
    criterion: &mut Criterion,
    memory: &Memory<System>,
    name: &str,
    sizes: &[usize],
    call: impl Fn(&[NonNull<u8>]),
) {
    for fresh in [true, false] {
        let name = format!("{name}, {}", if fresh { "fresh" } else { "pooled" });
        criterion.bench_function(&name, |bencher| {
            bencher.iter_custom(|times| {
                let mut spent = Duration::ZERO;
                for _ in 0..times {
                    let output = Blocks::new(memory, fresh, sizes);
                    let start = Instant::now();
                    call(&output.blocks);
                    spent += start.elapsed();
                }
                spent
            });
        });
    }
}

fn tensors(criterion: &mut Criterion) {
    let from = vec![1u8; 64 << 20];
    let mut to = vec![0u8; 64 << 20];
    criterion.bench_function("M: memcpy of 64 MiB", |bencher| {
        // SAFETY: both have as many bytes.
        bencher.iter(|| unsafe {
            black_box(to.as_mut_ptr()).copy_from_nonoverlapping(from.as_ptr(), from.len());
        });
    });

    let memory = Memory::new(System::new(), u64::MAX);
    let shape = [SIDE, SIDE];
    let grid = Grid::new(&shape).unwrap();
    let values: Vec<f32> = (0..N).map(|k| k as f32 + 1.0).collect();
    let unsorted = positions();
    let mut sorted = unsorted.clone();
    sorted.sort_unstable();
    let (unsorted_rows, sorted_rows) = (rows(&unsorted), rows(&sorted));
    let entries = |coordinates| Entries {
        coordinates,
        values: values.as_ptr().cast(),
        width: WIDTH,
        n: N,
    };

    for (name, coordinates) in [
        (
            "build, unsorted rows",
            Coordinates::Rows(unsorted_rows.as_ptr()),
        ),
        (
            "build, unsorted positions",
            Coordinates::Linear(unsorted.as_ptr()),
        ),
        (
            "build, sorted rows",
            Coordinates::Rows(sorted_rows.as_ptr()),
        ),
        (
            "build, sorted positions",
            Coordinates::Linear(sorted.as_ptr()),
        ),
    ] {
        measure(criterion, &memory, name, &[16 * N, WIDTH * N], |blocks| {
            let output = Output {
                indices: blocks[0].as_ptr().cast(),
                values: blocks[1].as_ptr(),
                capacity: N,
            };
            // SAFETY: all arrays have N entries.
            let distinct = unsafe { sparse::build(&memory, &entries(coordinates), &grid, &output) };
            assert_eq!(distinct.unwrap(), N);
        });
    }

    let wide = [1 << 20, 1 << 20];
    let wide_grid = Grid::new(&wide).unwrap();
    let spread: Vec<i64> = unsorted
        .iter()
        .map(|position| position << 14 | position & 0x3fff)
        .collect();
    measure(
        criterion,
        &memory,
        "build, unsorted positions of 2^40",
        &[16 * N, WIDTH * N],
        |blocks| {
            let output = Output {
                indices: blocks[0].as_ptr().cast(),
                values: blocks[1].as_ptr(),
                capacity: N,
            };
            let entries = entries(Coordinates::Linear(spread.as_ptr()));
            // SAFETY: as above.
            let distinct = unsafe { sparse::build(&memory, &entries, &wide_grid, &output) };
            assert_eq!(distinct.unwrap(), N);
        },
    );

    let built = entries(Coordinates::Rows(sorted_rows.as_ptr()));
    let elements = (SIDE * SIDE) as usize;
    measure(
        criterion,
        &memory,
        "to dense",
        &[WIDTH * elements],
        |blocks| {
            // SAFETY: the block is as long as all elements.
            unsafe { sparse::to_dense(&built, &grid, blocks[0].as_ptr()).unwrap() };
        },
    );

    let dense = Blocks::new(&memory, false, &[WIDTH * elements]);
    // SAFETY: as above.
    unsafe { sparse::to_dense(&built, &grid, dense.blocks[0].as_ptr()).unwrap() };
    criterion.bench_function("count", |bencher| {
        // SAFETY: as above.
        bencher.iter(|| unsafe { sparse::count(WIDTH, false, dense.blocks[0].as_ptr(), elements) });
    });
    measure(
        criterion,
        &memory,
        "from dense",
        &[16 * N, WIDTH * N],
        |blocks| {
            let output = Output {
                indices: blocks[0].as_ptr().cast(),
                values: blocks[1].as_ptr(),
                capacity: N,
            };
            // SAFETY: all arrays have their full length.
            let found = unsafe {
                sparse::from_dense(WIDTH, false, &grid, dense.blocks[0].as_ptr(), &output)
            };
            assert_eq!(found.unwrap(), N);
        },
    );
    drop(dense);
    measure(
        criterion,
        &memory,
        "row pointers",
        &[8 * (SIDE as usize + 1)],
        |blocks| {
            // SAFETY: as above.
            unsafe {
                sparse::row_pointers(
                    sorted_rows.as_ptr(),
                    N,
                    SIDE as usize,
                    blocks[0].as_ptr().cast(),
                )
                .unwrap();
            }
        },
    );

    let mut random = Random(77);
    criterion.bench_function("find: binary search of a random position", |bencher| {
        bencher.iter(|| {
            let wanted = random.below(elements as u64) as i64;
            // SAFETY: as above.
            unsafe { sparse::find(&built, &grid, wanted) }
        });
    });
    let pairs: Vec<[i64; 2]> = sorted_rows
        .chunks_exact(2)
        .map(|pair| [pair[0], pair[1]])
        .collect();
    criterion.bench_function("find: the standard library's, over pairs", |bencher| {
        bencher.iter(|| {
            let wanted = random.below(elements as u64) as i64;
            pairs.binary_search(&[wanted / SIDE, wanted % SIDE])
        });
    });
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .measurement_time(Duration::from_secs(2))
        .warm_up_time(Duration::from_millis(500))
        .configure_from_args();
    tensors(&mut criterion);
    criterion.final_summary();
}
