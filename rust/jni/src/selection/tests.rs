//! Copies from and to an array of a virtual machine that is made up: it pins the array, or gives copies of it.

use std::cell::RefCell;
use std::ffi::c_void;
use std::mem;
use std::ptr::NonNull;

use jni::sys;

use super::*;
use crate::handle::{Array, Primitive, Ref};
use crate::operand::copies_in_secret;

/// How the machine gives the array.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Gives {
    #[default]
    Itself,
    Copies,
    /// Copies that it does not call so.
    SecretCopies,
    Nothing,
}

/// The machine of a thread, which has one array, of floats.
#[derive(Default)]
struct Machine {
    array: Vec<f32>,
    gives: Gives,
    /// What is written by another thread as soon as a copy was given.
    meanwhile: Vec<(usize, f32)>,
    /// What was given and not released: copies, or nothing for the array.
    given: Vec<Vec<f32>>,
    /// The mode of each release.
    released: Vec<sys::jint>,
    /// Where each region starts, and how many elements it has.
    regions: Vec<(usize, usize)>,
}

thread_local! {
    static MACHINE: RefCell<Machine> = RefCell::default();
}

fn machine<T>(work: impl FnOnce(&mut Machine) -> T) -> T {
    MACHINE.with_borrow_mut(work)
}

unsafe extern "system" fn get_critical(
    _: *mut sys::JNIEnv,
    _: sys::jarray,
    is_copy: *mut sys::jboolean,
) -> *mut c_void {
    machine(|machine| {
        let mut given = match machine.gives {
            Gives::Nothing => return std::ptr::null_mut(),
            Gives::Itself => Vec::new(),
            Gives::Copies | Gives::SecretCopies => machine.array.clone(),
        };
        for (at, value) in mem::take(&mut machine.meanwhile) {
            machine.array[at] = value;
        }
        // SAFETY: whoever calls the table has room for it.
        unsafe { is_copy.write(machine.gives == Gives::Copies) };
        let elements = match machine.gives {
            Gives::Itself => machine.array.as_mut_ptr(),
            _ => given.as_mut_ptr(),
        };
        machine.given.push(given);
        elements.cast()
    })
}

unsafe extern "system" fn release_critical(
    _: *mut sys::JNIEnv,
    _: sys::jarray,
    _: *mut c_void,
    mode: sys::jint,
) {
    machine(|machine| {
        let given = machine.given.pop().expect("the array is given");
        machine.released.push(mode);
        if machine.gives != Gives::Itself && mode == 0 {
            machine.array = given;
        }
    });
}

/// The elements of a region.
fn region(machine: &mut Machine, start: sys::jsize, len: sys::jsize) -> &mut [f32] {
    assert!(machine.given.is_empty(), "a call while the array is given");
    let (start, len) = (start as usize, len as usize);
    machine.regions.push((start, len));
    &mut machine.array[start..start + len]
}

unsafe extern "system" fn get_region(
    _: *mut sys::JNIEnv,
    _: sys::jarray,
    start: sys::jsize,
    len: sys::jsize,
    to: *mut sys::jfloat,
) {
    machine(|machine| {
        let elements = region(machine, start, len);
        // SAFETY: whoever calls the table has room for them.
        unsafe { to.copy_from_nonoverlapping(elements.as_ptr(), elements.len()) };
    });
}

unsafe extern "system" fn set_region(
    _: *mut sys::JNIEnv,
    _: sys::jarray,
    start: sys::jsize,
    len: sys::jsize,
    from: *const sys::jfloat,
) {
    machine(|machine| {
        let elements = region(machine, start, len);
        // SAFETY: whoever calls the table has them.
        unsafe { from.copy_to_nonoverlapping(elements.as_mut_ptr(), elements.len()) };
    });
}

unsafe extern "system" fn is_pending(_: *mut sys::JNIEnv) -> sys::jboolean {
    machine(|machine| assert!(machine.given.is_empty(), "a call while the array is given"));
    false
}

/// Works with the environment and the array of the machine.
fn with_env<T>(work: impl FnOnce(Env<'_>, Array<'_>) -> T) -> T {
    // SAFETY: a union, which may hold any bytes; only what is set below is called.
    let mut table: sys::JNINativeInterface_ = unsafe { mem::zeroed() };
    table.v1_2.GetPrimitiveArrayCritical = get_critical;
    table.v1_2.ReleasePrimitiveArrayCritical = release_critical;
    table.v1_2.GetFloatArrayRegion = get_region;
    table.v1_2.SetFloatArrayRegion = set_region;
    table.v1_2.ExceptionCheck = is_pending;
    let mut env: sys::JNIEnv = &table;
    // SAFETY: it outlives the work.
    let env = unsafe { Env::from_raw(NonNull::from(&mut env)) };
    // SAFETY: nobody follows the reference: there is no other array.
    let array = unsafe {
        let array = Ref::from_raw(NonNull::dangling().as_ptr()).unwrap();
        array.as_array(Primitive::Float)
    };
    work(env, array)
}

/// Sizes, where the selection of each side starts, and its strides.
struct Case<'a> {
    shape: &'a [i64],
    array: (i64, &'a [i64]),
    native: (i64, &'a [i64]),
}

impl Case<'_> {
    /// Copies to the array of the machine or from it; whether it gave the array.
    fn copy(&self, native: &mut [f32], to_array: bool) -> bool {
        let first = NonNull::new(native.as_mut_ptr()).unwrap().cast();
        with_env(|env, array| {
            let side = |place, (start, strides)| Selection {
                place,
                layout: Strided::new(self.shape, strides, start).unwrap(),
            };
            let native = side(Place::Direct(first), self.native);
            let array = side(Place::Array(array), self.array);
            let (from, to) = if to_array {
                (native, array)
            } else {
                (array, native)
            };
            let width = size_of::<f32>();
            let copy = StridedCopy { width, from, to };
            // SAFETY: the cases select what is there.
            unsafe { copy.run(env) }.map(Result::unwrap).is_some()
        })
    }

    /// The positions of a side in row-major order.
    fn positions(&self, (start, strides): (i64, &[i64])) -> Vec<usize> {
        let mut positions = vec![start];
        for (&size, &stride) in self.shape.iter().zip(strides) {
            positions = positions
                .iter()
                .flat_map(|&at| (0..size).map(move |k| at + k * stride))
                .collect();
        }
        positions.into_iter().map(|at| at as usize).collect()
    }
}

fn numbers(n: usize) -> Vec<f32> {
    (1..=n).map(|k| k as f32).collect()
}

/// Starts the machine.
fn begin(array: Vec<f32>, gives: Gives) {
    MACHINE.set(Machine {
        array,
        gives,
        ..Machine::default()
    });
}

const COLUMN: Case<'_> = Case {
    shape: &[5],
    array: (1, &[4]),
    native: (0, &[1]),
};

#[test]
fn elements_that_others_write_stay_when_the_machine_gives_copies() {
    begin(vec![0.0; 20], Gives::Copies);
    machine(|machine| machine.meanwhile = (0..5).map(|row| (4 * row + 2, 70.0)).collect());
    assert!(COLUMN.copy(&mut numbers(5), true));
    machine(|machine| {
        for (row, elements) in machine.array.chunks(4).enumerate() {
            assert_eq!(elements, [0.0, row as f32 + 1.0, 70.0, 0.0]);
        }
        assert_eq!(machine.released, [sys::JNI_ABORT]);
    });
}

#[test]
fn an_array_that_the_machine_gives_itself_is_written_in_place() {
    begin(vec![0.0; 20], Gives::Itself);
    assert!(COLUMN.copy(&mut numbers(5), true));
    machine(|machine| {
        for (row, elements) in machine.array.chunks(4).enumerate() {
            assert_eq!(elements, [0.0, row as f32 + 1.0, 0.0, 0.0]);
        }
        assert_eq!((&*machine.released, machine.regions.len()), (&[0][..], 0));
    });
}

#[test]
fn an_array_that_is_read_is_given_back_as_it_was() {
    begin(numbers(20), Gives::Itself);
    let mut native = [0.0; 5];
    assert!(COLUMN.copy(&mut native, false));
    assert_eq!(native, [2.0, 6.0, 10.0, 14.0, 18.0]);
    machine(|machine| assert_eq!(machine.released, [sys::JNI_ABORT]));
}

#[test]
fn an_array_that_is_not_given_is_not_copied() {
    begin(numbers(20), Gives::Nothing);
    for to_array in [false, true] {
        assert!(!COLUMN.copy(&mut [0.0; 5], to_array));
    }
    machine(|machine| assert_eq!(machine.array, numbers(20)));
}

#[test]
fn copies_that_are_not_called_so_are_found() {
    for gives in [Gives::Itself, Gives::Copies, Gives::SecretCopies] {
        begin(numbers(4), gives);
        let secret = with_env(copies_in_secret);
        assert_eq!(secret, Some(gives == Gives::SecretCopies));
        machine(|machine| assert_eq!(machine.released, [sys::JNI_ABORT; 2]));
    }
    begin(numbers(4), Gives::Nothing);
    assert_eq!(with_env(copies_in_secret), None);
}

#[test]
fn an_array_is_given_for_a_part_at_a_time_but_copied_once() {
    let n = 3 * MOST_PINNED as usize / size_of::<f32>();
    let whole = Case {
        shape: &[1, n as i64],
        array: (0, &[7, 1]),
        native: (0, &[7, 1]),
    };
    for (gives, times) in [(Gives::Itself, 3), (Gives::Copies, 1)] {
        begin(vec![0.0; n], gives);
        assert!(whole.copy(&mut numbers(n), true));
        machine(|machine| {
            assert_eq!(machine.released.len(), times);
            assert!(machine.array == numbers(n));
        });
    }
}

#[test]
fn neighbours_are_one_region() {
    let rows = Case {
        shape: &[3, 2, 1, 4],
        array: (5, &[10, 4, 99, 1]),
        native: (0, &[1, 3, 99, 6]),
    };
    for to_array in [false, true] {
        begin(numbers(40), Gives::Copies);
        assert!(rows.copy(&mut numbers(24), to_array));
        machine(|machine| assert_eq!(machine.regions, [(5, 8), (15, 8), (25, 8)]));
    }
}

#[test]
fn regions_are_no_longer_than_what_may_be_staged() {
    let most = MOST_STAGED / size_of::<f32>();
    let n = 2 * most + 1;
    let whole = Case {
        shape: &[n as i64],
        array: (0, &[1]),
        native: (0, &[1]),
    };
    for to_array in [false, true] {
        begin(numbers(n), Gives::Copies);
        assert!(whole.copy(&mut numbers(n), to_array));
        machine(|machine| {
            assert_eq!(machine.regions, [(0, most), (most, most), (2 * most, 1)]);
        });
    }
}

#[test]
fn copies_are_the_same_whether_the_machine_pins_or_not() {
    let cases = [
        Case {
            shape: &[],
            array: (3, &[]),
            native: (2, &[]),
        },
        Case {
            shape: &[4, 5],
            array: (0, &[5, 1]),
            native: (1, &[1, 4]),
        },
        Case {
            shape: &[4, 5],
            array: (19, &[-1, -4]),
            native: (20, &[-5, 1]),
        },
        Case {
            shape: &[2, 3, 4],
            array: (8, &[24, -4, 1]),
            native: (0, &[12, 4, 1]),
        },
        // The last one that is written stays.
        Case {
            shape: &[3, 4],
            array: (2, &[0, 1]),
            native: (0, &[4, 1]),
        },
    ];
    for case in &cases {
        let (of_array, of_native) = (case.positions(case.array), case.positions(case.native));
        for gives in [Gives::Itself, Gives::Copies] {
            begin(vec![0.0; 40], gives);
            let mut expected = [0.0; 40];
            for (&to, &from) in of_array.iter().zip(&of_native) {
                expected[to] = numbers(40)[from];
            }
            assert!(case.copy(&mut numbers(40), true));
            machine(|machine| assert_eq!(machine.array, expected));

            begin(numbers(40), gives);
            let (mut native, mut expected) = ([0.0; 40], [0.0; 40]);
            for (&from, &to) in of_array.iter().zip(&of_native) {
                expected[to] = numbers(40)[from];
            }
            assert!(case.copy(&mut native, false));
            assert_eq!(native, expected);
        }
    }
}
