//! Strided copies against their plain twin: an odometer that knows nothing of runs, tiles and merging.

use proptest::prelude::*;
use tensornio_core::{copy, layout::Strided, Error, ErrorKind};

/// Copies element by element in row-major order from an image of the source as it was.
fn naive(
    width: usize,
    shape: &[i64],
    memory_from: &[u8],
    from: (i64, &[i64]),
    memory_to: &mut [u8],
    to: (i64, &[i64]),
) {
    if shape.contains(&0) {
        return;
    }
    // Plain loops: Miri runs them as well.
    let mut index = vec![0; shape.len()];
    loop {
        let (mut source, mut target) = (from.0, to.0);
        for (axis, at) in index.iter().enumerate() {
            source += at * from.1[axis];
            target += at * to.1[axis];
        }
        let (source, target) = (source as usize * width, target as usize * width);
        memory_to[target..target + width].copy_from_slice(&memory_from[source..source + width]);
        let mut axis = shape.len();
        loop {
            if axis == 0 {
                return;
            }
            axis -= 1;
            index[axis] += 1;
            if index[axis] < shape[axis] {
                break;
            }
            index[axis] = 0;
        }
    }
}

/// Bytes of which no two within 256 are alike.
fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|k| (k * 131 + k / 256 * 17) as u8).collect()
}

#[derive(Clone, Debug)]
struct Case {
    width: usize,
    shape: Vec<i64>,
    from: (i64, Vec<i64>),
    to: (i64, Vec<i64>),
    /// How many elements the memory of each side has.
    lens: (usize, usize),
    /// Both sides are in one memory, at this distance in bytes.
    shared: Option<usize>,
    /// Memory starts so far off an aligned address.
    skew: usize,
}

/// A start and a length of memory that strides of this shape fit in exactly.
fn room(shape: &[i64], strides: &[i64]) -> (i64, usize) {
    let reach = |sign: i64| -> i64 {
        shape
            .iter()
            .zip(strides)
            .map(|(size, stride)| ((size - 1).max(0) * stride * sign).max(0))
            .sum()
    };
    let (below, above) = (reach(-1), reach(1));
    (below, (below + above + 1) as usize)
}

/// Row-major strides of the axes in some order, with gaps and signs; or anything at all.
fn strides(shape: Vec<i64>) -> impl Strategy<Value = Vec<i64>> {
    let rank = shape.len();
    let order = Just((0..rank).collect::<Vec<_>>()).prop_shuffle();
    let tight = (
        prop_oneof![2 => Just((0..rank).collect::<Vec<_>>()).boxed(), 3 => order.boxed()],
        prop::collection::vec(prop_oneof![6 => Just(0i64), 1 => 1..3i64], rank),
        prop::collection::vec(prop::bool::weighted(0.2), rank),
    )
        .prop_map(move |(order, gaps, turned)| {
            let mut strides = vec![0; rank];
            let mut step = 1;
            for axis in order.into_iter().rev() {
                strides[axis] = if turned[axis] { -step } else { step };
                step = (step * shape[axis].max(1) + gaps[axis]).max(1);
            }
            strides
        });
    prop_oneof![5 => tight.boxed(), 1 => prop::collection::vec(-9..10i64, rank).boxed()]
}

fn cases() -> impl Strategy<Value = Case> {
    let sizes = prop_oneof![1 => Just(0i64), 3 => Just(1i64), 12 => 2..4i64, 4 => 4..20i64];
    let shapes = prop_oneof![
        4 => prop::collection::vec(sizes, 0..=6).boxed(),
        2 => prop::collection::vec(1..40i64, 0..=2).boxed(),
    ];
    let shapes = shapes.prop_filter("small enough", |shape| {
        shape.iter().product::<i64>() <= if cfg!(miri) { 60 } else { 4000 }
    });
    shapes
        .prop_flat_map(|shape| {
            (
                prop::sample::select(vec![1usize, 2, 4, 8]),
                strides(shape.clone()),
                strides(shape.clone()),
                Just(shape),
                prop::option::weighted(0.4, 0..60usize),
                prop_oneof![3 => Just(0usize), 1 => 1..8usize],
            )
        })
        .prop_map(|(width, from, to, shape, shared, skew)| {
            let (from_start, from_len) = room(&shape, &from);
            let (to_start, to_len) = room(&shape, &to);
            Case {
                width,
                from: (from_start, from),
                to: (to_start, to),
                lens: (from_len, to_len),
                shared: shared.map(|distance| distance * width),
                skew,
                shape,
            }
        })
}

/// Runs a case both ways; memory around the selections is compared as well.
fn check(case: &Case) -> Result<(), TestCaseError> {
    let Case {
        width,
        shape,
        from,
        to,
        lens,
        shared,
        skew,
    } = case;
    let elements: i64 = shape.iter().product();
    let source = Strided::new(&shape[..], &from.1[..], from.0).unwrap();
    let target = Strided::new(&shape[..], &to.1[..], to.0).unwrap();
    prop_assert_eq!(source.check(lens.0), Ok(elements as usize));
    prop_assert_eq!(target.check(lens.1), Ok(elements as usize));
    let (from_bytes, to_bytes) = (lens.0 * width, lens.1 * width);
    // Memory: the source, then the target; or the target within the source's.
    let to_at = skew + shared.unwrap_or(from_bytes);
    let mut memory = pattern((skew + from_bytes).max(to_at + to_bytes) + 8);
    let before = memory.clone();
    let mut expected = memory.clone();
    // The selections reach from end to end of what was made for them.
    let overlap = elements > 0 && *skew < to_at + to_bytes && to_at < skew + from_bytes;
    if !overlap {
        naive(
            *width,
            shape,
            &before[*skew..],
            (from.0, &from.1),
            &mut expected[to_at..],
            (to.0, &to.1),
        );
    }
    let base = memory.as_mut_ptr();
    // SAFETY: both selections were checked to lie in their parts of the memory.
    let copied = unsafe { copy::copy(*width, base.add(*skew), source, base.add(to_at), target) };
    match copied {
        Err(Error::Overlap { .. }) => prop_assert!(overlap, "refused, although apart"),
        copied => prop_assert_eq!((copied, overlap), (Ok(()), false)),
    }
    prop_assert!(
        memory == expected,
        "differs at byte {:?}",
        memory.iter().zip(&expected).position(|(a, b)| a != b)
    );
    Ok(())
}

fn depth() -> u32 {
    std::env::var("TENSORNIO_TEST_DEPTH")
        .ok()
        .and_then(|depth| depth.parse().ok())
        .unwrap_or(1)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if cfg!(miri) { 4 } else { 20_000 * depth() },
        max_shrink_iters: if cfg!(miri) { 0 } else { 10_000 },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_selections_are_copied_like_the_plain_twin(case in cases()) {
        check(&case)?;
    }
}

fn dense(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    strides
}

fn case(width: usize, shape: &[i64], from: &[i64], to: &[i64]) -> Case {
    let ((from_start, from_len), (to_start, to_len)) = (room(shape, from), room(shape, to));
    Case {
        width,
        shape: shape.to_vec(),
        from: (from_start, from.to_vec()),
        to: (to_start, to.to_vec()),
        lens: (from_len, to_len),
        shared: None,
        skew: 0,
    }
}

#[test]
fn transposes_of_all_sizes_around_a_tile_and_a_block() {
    let sizes: &[i64] = if cfg!(miri) {
        &[3, 9]
    } else {
        &[2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 72, 130]
    };
    for &rows in sizes {
        for &columns in sizes {
            for width in [1, 2, 4, 8] {
                check(&case(width, &[rows, columns], &[columns, 1], &[1, rows])).unwrap();
                check(&case(width, &[rows, columns], &[1, -rows], &[columns, 1])).unwrap();
            }
        }
    }
}

/// Large targets are written past the cache, but for what lies in front of the first whole line; others have lines that begin anywhere.
#[test]
fn large_transposes_are_copied_like_small_ones() {
    for width in [1, 2, 4, 8] {
        let rows = if cfg!(miri) { 40 } else { 1000 };
        let columns = if cfg!(miri) { 36 } else { 4500 } / width;
        let pitch = (columns + 63) / 64 * 64;
        for (pitch, skew) in [(pitch, 0), (pitch, 8), (columns, 0)] {
            let case = Case {
                skew: skew as usize,
                ..case(width as usize, &[rows, columns], &[1, rows], &[pitch, 1])
            };
            check(&case).unwrap();
        }
    }
}

/// One of each that is chosen by what the innermost axes look like.
#[test]
fn each_loop_copies_like_the_plain_twin() {
    let loops: [(&[i64], &[i64], &[i64]); 16] = [
        (&[], &[], &[]),
        // Runs: the whole, rows, rows that are one each in the source.
        (&[40], &[1], &[1]),
        (&[3, 40], &[50, 1], &[41, 1]),
        (&[3, 40], &[0, 1], &[40, 1]),
        // Rows: filled, upwards, downwards, with steps on either side and on both.
        (&[7], &[0], &[1]),
        (&[7], &[1], &[-1]),
        (&[7], &[3], &[1]),
        (&[7], &[1], &[3]),
        (&[7], &[2], &[3]),
        (&[7], &[2], &[-3]),
        // The same below other axes.
        (&[2, 3, 5], &[40, 12, 2], &[41, 13, 2]),
        (&[2, 3, 5], &[0, 0, 0], &[15, 5, 1]),
        // Two elements that are a wider one.
        (&[5, 2], &[4, 1], &[2, 1]),
        // Places that are repeated in the target, in the order of the rows.
        (&[4, 5], &[5, 1], &[1, 1]),
        // Tiles with axes before and between.
        (&[2, 9, 2, 10], &[180, 1, 90, 9], &[180, 20, 10, 1]),
        (&[2, 2, 10, 9], &[180, 90, 1, 10], &[180, 90, 9, 1]),
    ];
    for (shape, from, to) in loops {
        for width in [1, 2, 4, 8] {
            if cfg!(miri) && shape.len() > 3 && width != 4 {
                continue; // the transposes have these
            }
            let apart = case(width, shape, from, to);
            check(&apart).unwrap();
            if shape.len() > 2 || cfg!(miri) && width != 2 {
                continue;
            }
            // In one memory, one behind the other, and off an aligned address.
            let shared = Some(apart.lens.0 * width);
            check(&Case {
                shared,
                skew: 1,
                ..apart
            })
            .unwrap();
        }
    }
}

#[test]
fn channels_move_to_the_front_and_back() {
    let (height, width) = if cfg!(miri) { (2, 9) } else { (61, 83) };
    for channels in [3, 9] {
        let shape = [channels, height, width];
        let interleaved = [1, width * channels, channels];
        for &bytes in if cfg!(miri) { &[4][..] } else { &[1, 4] } {
            check(&case(bytes, &shape, &interleaved, &dense(&shape))).unwrap();
            check(&case(bytes, &shape, &dense(&shape), &interleaved)).unwrap();
        }
    }
}

#[test]
fn ranks_beyond_the_few_are_copied() {
    let shape = [2i64; if cfg!(miri) { 9 } else { 11 }];
    let from = dense(&shape);
    let to: Vec<i64> = from.iter().rev().copied().collect();
    check(&case(1, &shape, &from, &to)).unwrap();
    // 70 axes, most of size 1, with strides that are not used.
    let mut shape = vec![1i64; 70];
    let mut from = vec![0i64; 70];
    (shape[3], from[3], shape[66], from[66]) = (3, 5, 5, 1);
    check(&case(4, &shape, &from, &from)).unwrap();
}

#[test]
fn of_elements_with_the_same_place_the_last_one_stays() {
    let memory: Vec<u8> = (0..12).collect();
    let mut target = [0u8; 4];
    // SAFETY: 12 elements of the source; the target's rows all lie on its 4.
    unsafe {
        copy::copy(
            1,
            memory.as_ptr(),
            side(&[3, 4], 0, &[4, 1]),
            target.as_mut_ptr(),
            side(&[3, 4], 0, &[0, 1]),
        )
    }
    .unwrap();
    assert_eq!(target, [8, 9, 10, 11]);
}

#[test]
fn elements_that_are_seen_more_often_than_there_are_addresses_are_copied() {
    let memory = pattern(6);
    for shape in [[1 << 32, 2, 3], [1 << 61, 1, 3], [1 << 31, 1 << 30, 3]] {
        let mut target = [0u8; 6];
        let steps = if shape[1] == 2 { [0, 3, 1] } else { [0, 0, 1] };
        // SAFETY: both have the 3 or 6 elements that are selected.
        unsafe {
            copy::copy(
                1,
                memory.as_ptr(),
                side(&shape, 0, &steps),
                target.as_mut_ptr(),
                side(&shape, 0, &steps),
            )
        }
        .unwrap();
        let n = if shape[1] == 2 { 6 } else { 3 };
        assert_eq!(target[..n], memory[..n]);
        assert!(target[n..].iter().all(|&byte| byte == 0));
    }
}

/// Where a selection starts, and its strides.
type Side<'a> = (i64, &'a [i64]);

fn side<'a>(shape: &'a [i64], start: i64, strides: &'a [i64]) -> Strided<&'a [i64]> {
    Strided::new(shape, strides, start).unwrap()
}

#[test]
fn selections_that_may_overlap_are_refused_and_nothing_changes() {
    let mut memory = pattern(64);
    let before = memory.clone();
    let base = memory.as_mut_ptr();
    // Shifted up and down by one byte, onto itself, turned in place, the gaps of each other, and seen so often that it has no size in bytes.
    let cases: [(&[i64], Side<'_>, Side<'_>); 6] = [
        (&[10], (0, &[1]), (1, &[1])),
        (&[10], (1, &[1]), (0, &[1])),
        (&[10], (5, &[1]), (5, &[1])),
        (&[9], (8, &[-1]), (0, &[1])),
        (&[4], (0, &[2]), (1, &[2])),
        (&[1 << 61, 2], (0, &[0, 1]), (1, &[0, 1])),
    ];
    for (shape, from, to) in cases {
        // SAFETY: both selections are inside of 64 bytes.
        let copied = unsafe {
            copy::copy(
                1,
                base,
                side(shape, from.0, from.1),
                base,
                side(shape, to.0, to.1),
            )
        };
        let error = copied.unwrap_err();
        assert!(matches!(error, Error::Overlap { .. }), "{error}");
        assert_eq!(error.kind(), ErrorKind::IllegalArgument);
    }
    assert_eq!(memory, before);
    let base = memory.as_mut_ptr();
    // SAFETY: 10 elements of 4 bytes one behind the other, then 20 bytes, are inside of 64.
    unsafe { copy::copy(4, base, side(&[5], 0, &[1]), base, side(&[5], 5, &[1])) }.unwrap();
    assert_eq!(memory[20..40], before[..20]);
}
