//! Sparse tensors beside `memcpy` of 64 MiB between warm buffers: the ratio of two lines is what counts.
//!
//! 8192 x 8192 with 10 million values of 4 bytes, if a line says nothing else. What is written is fresh memory, as a new tensor's is, where the
//! line says so.

use std::hint::black_box;
use std::ptr::NonNull;
use std::time::{Duration, Instant};

use criterion::Criterion;
use tensornio_core::memory::{Memory, System};
use tensornio_core::sparse::{self, Chunks, Coordinates, Entries, Grid, Output, Values};
use tensornio_core::Error;

const SIDE: i64 = 8192;
const N: usize = 10_000_000;
const WIDTH: usize = 4;
/// How many rows are fed at a time: half a megabyte of them, as many as are pinned of an array.
const CHUNK: usize = 32 << 10;

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

/// Positions anywhere in a shape of 2^60 elements.
fn wide_positions() -> Vec<i64> {
    let mut random = Random(77);
    (0..N).map(|_| random.below(1 << 60) as i64).collect()
}

/// Positions in one row of 2^30 x 2^30, but for two in the corners.
fn heavy_row() -> Vec<i64> {
    let mut random = Random(77);
    let mut positions: Vec<i64> = (0..N)
        .map(|_| (1 << 59) + random.below(1 << 30) as i64)
        .collect();
    positions[N / 3] = 0;
    positions[N / 2] = (1 << 60) - 1;
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

/// All of two blocks.
fn output(blocks: &[NonNull<u8>]) -> Output {
    Output {
        indices: blocks[0].as_ptr().cast(),
        values: blocks[1].as_ptr(),
        capacity: N,
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

    let wide = [1 << 30, 1 << 30];
    let wide_grid = Grid::new(&wide).unwrap();
    let (even, heavy) = (wide_positions(), heavy_row());
    let heavy_rows: Vec<i64> = heavy
        .iter()
        .flat_map(|position| [position / wide[1], position % wide[1]])
        .collect();
    for (name, grid, coordinates) in [
        (
            "unsorted rows",
            &grid,
            Coordinates::Rows(unsorted_rows.as_ptr()),
        ),
        (
            "unsorted positions",
            &grid,
            Coordinates::Linear(unsorted.as_ptr()),
        ),
        (
            "sorted rows",
            &grid,
            Coordinates::Rows(sorted_rows.as_ptr()),
        ),
        (
            "sorted positions",
            &grid,
            Coordinates::Linear(sorted.as_ptr()),
        ),
        (
            "unsorted positions of 2^60",
            &wide_grid,
            Coordinates::Linear(even.as_ptr()),
        ),
        (
            "one heavy row of 2^30",
            &wide_grid,
            Coordinates::Rows(heavy_rows.as_ptr()),
        ),
    ] {
        let entries = entries(coordinates);
        let name = format!("build, {name}");
        measure(criterion, &memory, &name, &[16 * N, WIDTH * N], |blocks| {
            let output = output(blocks);
            // SAFETY: all arrays have N entries.
            let distinct = unsafe { sparse::build(&memory, &entries, grid, &output) };
            assert!(distinct.unwrap() > N - N / 50);
        });
    }

    for (name, grid, rows) in [
        ("unsorted rows", &grid, &unsorted_rows),
        ("one heavy row of 2^30", &wide_grid, &heavy_rows),
    ] {
        let name = format!("build in chunks, {name}");
        measure(criterion, &memory, &name, &[16 * N, WIDTH * N], |blocks| {
            let values = Values {
                start: values.as_ptr().cast(),
                width: WIDTH,
                n: N,
            };
            let feed = |to: &mut Chunks<'_>| {
                for chunk in rows.chunks(2 * CHUNK) {
                    // SAFETY: there are so many rows.
                    unsafe { to.take(Coordinates::Rows(chunk.as_ptr()), chunk.len() / 2) };
                }
                Ok::<_, Error>(())
            };
            let output = output(blocks);
            // SAFETY: all arrays have N entries.
            let distinct =
                unsafe { sparse::build_chunked(&memory, &values, false, grid, &output, feed) };
            assert!(distinct.unwrap() > N - N / 50);
        });
    }

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
            let output = output(blocks);
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
