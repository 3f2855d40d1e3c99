//! What is built of coordinates in any order.

use tensornio_core::memory::{Heap, Memory};
use tensornio_core::ErrorKind;

use crate::calls::{ascend, build, build_in};
use crate::model::{floats, Sparse};
use crate::random::check;

#[test]
fn the_last_of_equal_coordinates_stays() {
    let coordinates = [2, 1, 0, 3, 2, 1, 1, 0, 2, 1];
    let built = build(
        &[3, 4],
        &coordinates,
        false,
        &floats(&[1.0, 2.0, 3.0, 4.0, 5.0]),
        4,
    );
    assert_eq!(
        built.unwrap(),
        Sparse {
            indices: vec![0, 3, 1, 0, 2, 1],
            values: floats(&[2.0, 4.0, 5.0]),
        }
    );
}

#[test]
fn zeros_that_were_put_stay() {
    let built = build(&[4], &[3, 1], false, &floats(&[0.0, 2.0]), 4).unwrap();
    assert_eq!(built.indices, [1, 3]);
    assert_eq!(built.values, floats(&[2.0, 0.0]));
}

#[test]
fn nothing_stays_nothing() {
    for shape in [&[0i64][..], &[3, 0], &[4, 5]] {
        check(shape, &[], 4);
    }
}

#[test]
fn a_scalar_has_one_place() {
    check(&[], &[0, 0, 0], 4);
    check(&[], &[0], 8);
}

#[test]
fn memory_for_intermediate_results_counts_against_the_limit() {
    let n = if cfg!(miri) { 400 } else { 40_000 };
    let memory = Memory::new(Heap::new(), 1 << 10);
    let positions: Vec<i64> = (0..n).rev().collect();
    let values = vec![1; n as usize];
    let error = build_in(&memory, &[n], &positions, true, &values, 1).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    assert!(
        error.to_string().contains("1024 bytes are the limit"),
        "{error}"
    );
    // What is sorted needs none.
    let ascending: Vec<i64> = (0..n).collect();
    let built = build_in(&memory, &[n], &ascending, true, &values, 1).unwrap();
    assert_eq!(built.indices, ascending);
    memory.set_limit(u64::MAX);
    let built = build_in(&memory, &[n], &positions, true, &values, 1).unwrap();
    assert_eq!(built.indices, ascending);
    assert_eq!(memory.stats().live_bytes, 0);
    assert!(memory.stats().pooled_bytes > 0);
}

/// Also where a part ends between them.
#[test]
fn rows_are_copied_as_long_as_they_ascend() {
    for part in 1..5 {
        let cube = [0, 0, 1, 0, 1, 0, 1, 1, 1];
        assert_eq!(ascend(&[2, 2, 2], &cube, false, part).unwrap(), cube);
        assert_eq!(ascend(&[2, 2, 2], &[1, 2, 7], true, part).unwrap(), cube);
        let pairs = [0, 1, 0, 2, 2, 0];
        assert_eq!(ascend(&[3, 3], &pairs, false, part).unwrap(), pairs);
        assert_eq!(ascend(&[3, 3], &[0, 1, 0, 1], false, part), None);
        assert_eq!(ascend(&[3, 3], &[5, 6, 3], true, part), None);
        assert_eq!(ascend(&[3, 3], &[0, 1, 0, 3], false, part), None);
    }
}
