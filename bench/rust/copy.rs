//! Strided copies beside `memcpy` of as many bytes: the ratio of two lines is what counts.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use tensornio_core::copy;
use tensornio_core::layout::Strided;

/// A copy to benchmark: shape, and strides of both sides, in elements.
struct Case {
    name: &'static str,
    width: usize,
    shape: Vec<i64>,
    from: Vec<i64>,
    to: Vec<i64>,
}

fn cases() -> Vec<Case> {
    let case = |name, width, shape: &[i64], from: &[i64], to: &[i64]| Case {
        name,
        width,
        shape: shape.to_vec(),
        from: from.to_vec(),
        to: to.to_vec(),
    };
    vec![
        case("one run", 4, &[1000, 1000], &[1000, 1], &[1000, 1]),
        case("rows of 1000", 4, &[1000, 1000], &[1001, 1], &[1000, 1]),
        case("rows of 3", 4, &[333_333, 3], &[4, 1], &[3, 1]),
        case("every second", 4, &[1000, 1000], &[2000, 2], &[1000, 1]),
        case("flipped", 4, &[1000, 1000], &[1000, -1], &[1000, 1]),
        case(
            "transposed, 4 bytes",
            4,
            &[1000, 1000],
            &[1, 1000],
            &[1000, 1],
        ),
        case(
            "transposed, 4 bytes, 1024",
            4,
            &[1024, 1024],
            &[1, 1024],
            &[1024, 1],
        ),
        case(
            "transposed, 4 bytes, 4096",
            4,
            &[4096, 4096],
            &[1, 4096],
            &[4096, 1],
        ),
        case(
            "last of three axes first, 4 bytes",
            4,
            &[256, 256, 256],
            &[1, 65536, 256],
            &[65536, 256, 1],
        ),
        case(
            "transposed, 8 bytes",
            8,
            &[1000, 1000],
            &[1, 1000],
            &[1000, 1],
        ),
        case(
            "transposed, 1 byte",
            1,
            &[1000, 1000],
            &[1, 1000],
            &[1000, 1],
        ),
        case(
            "channels first, 1 byte",
            1,
            &[3, 427, 640],
            &[1, 1920, 3],
            &[273_280, 640, 1],
        ),
        case(
            "channels last, 4 bytes",
            4,
            &[427, 640, 3],
            &[640, 1, 273_280],
            &[1920, 3, 1],
        ),
        case("broadcast", 4, &[1000, 1000], &[1, 0], &[1000, 1]),
        case("8 x 8 of a sheet", 4, &[8, 8], &[80, 1], &[8, 1]),
    ]
}

/// Where element `[0, 0, ...]` is when the lowest is at 0.
fn start(shape: &[i64], strides: &[i64]) -> usize {
    shape
        .iter()
        .zip(strides)
        .map(|(size, stride)| ((size - 1) * -stride).max(0))
        .sum::<i64>() as usize
}

fn copies(criterion: &mut Criterion) {
    let from = vec![1u8; 64 << 20];
    let mut to = vec![0u8; 64 << 20];
    for case in cases() {
        let Case {
            name,
            width,
            shape,
            from: from_strides,
            to: to_strides,
        } = case;
        let bytes = shape.iter().product::<i64>() as usize * width;
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_function("strided", |bencher| {
            bencher.iter(|| {
                // SAFETY: every case fits into 64 MiB on each side.
                unsafe {
                    let from = from.as_ptr().add(start(&shape, &from_strides) * width);
                    let to = black_box(to.as_mut_ptr()).add(start(&shape, &to_strides) * width);
                    copy::copy(
                        width,
                        from,
                        Strided::new(black_box(&shape[..]), &from_strides[..], 0)?,
                        to,
                        Strided::new(&shape[..], &to_strides[..], 0)?,
                    )
                }
            });
        });
        group.bench_function("memcpy", |bencher| {
            // SAFETY: as above.
            bencher.iter(|| unsafe {
                black_box(to.as_mut_ptr()).copy_from_nonoverlapping(from.as_ptr(), bytes)
            });
        });
        group.finish();
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    copies(&mut criterion);
    criterion.final_summary();
}
