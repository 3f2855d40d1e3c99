//! Many threads on few processors, of which some are taken away meanwhile: alone in a process, since they are those of all of it.
#![cfg(all(target_os = "linux", not(miri)))]

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tensornio_compute::operand::{DType, Operand, OperandMut, Strided};
use tensornio_compute::{Plan, Program, Signature};
use tensornio_core::parallel::{end, run, set_threads};

const MANY: usize = 64;
/// The rows and columns of the input.
const SHAPE: [i64; 2] = [1024, 700];
/// Units that write, units that reduce, rows and columns, a product, and a transposed operand.
const PROGRAMS: [&str; 6] = [
    "r[i,j] = exp(x[i,j]) * 0.5 - tanh(x[i,j])",
    "r += x[i,j]^2",
    "r[i] += x[i,j]",
    "r[j] max= x[i,j] * 0.3",
    "r[i,k] += x[i,j] * x[k,j]",
    "r[j,i] = x[i,j] + 1",
];

/// Tests set the threads of the process, so they run one after the other.
fn alone() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The bits of each program's result.
fn results() -> Vec<Vec<u32>> {
    let numbers = 0..SHAPE[0] * SHAPE[1];
    let x: Vec<f32> = numbers
        .map(|n| ((n * 7919 % 2003) as f32 - 1001.0) / 700.0)
        .collect();
    let layout = Strided::row_major(SHAPE).expect("a shape");
    let result = |text: &&str| {
        let program = Program::parse(text).expect("a program");
        let inputs = [Signature::tensor(DType::Float, &SHAPE)];
        let bound = program.bind(&inputs, &[None]).expect("shapes that fit");
        let shape = bound.outputs()[0].shape.clone();
        let plan = Plan::new(&bound).expect("a plan");
        let to = Strided::row_major(shape.as_slice()).expect("a shape");
        let mut result = vec![0_f32; shape.iter().product::<i64>() as usize];
        let input = Operand::Tensor {
            dtype: DType::Float,
            data: x.as_ptr().cast(),
            layout: layout.as_slices(),
        };
        let output = OperandMut {
            dtype: DType::Float,
            data: result.as_mut_ptr().cast(),
            layout: to.as_slices(),
        };
        // SAFETY: the operands are all of the vectors, which are distinct.
        unsafe { plan.run(&[input], &mut [output]) }.expect("a run");
        result.into_iter().map(f32::to_bits).collect()
    };
    PROGRAMS.iter().map(result).collect()
}

/// A set of processors, as the kernel has it.
type Processors = [u64; 64];

fn processors() -> Processors {
    let mut bits: Processors = [0; 64];
    // SAFETY: the memory has the size that is passed; 0 is this thread.
    let status =
        unsafe { libc::sched_getaffinity(0, size_of_val(&bits), bits.as_mut_ptr().cast()) };
    assert_eq!(status, 0);
    bits
}

/// The first of some processors.
fn first(of: &Processors) -> Processors {
    let word = of.iter().position(|&word| word != 0).expect("a processor");
    let mut one: Processors = [0; 64];
    one[word] = 1 << of[word].trailing_zeros();
    one
}

/// Lets all threads of the process run on these processors alone.
fn bind_all(to: &Processors) {
    for task in fs::read_dir("/proc/self/task")
        .expect("Linux has it")
        .flatten()
    {
        let name = task.file_name();
        let number = name.to_str().and_then(|name| name.parse().ok());
        // A thread may have ended meanwhile.
        // SAFETY: the memory has the size that is passed.
        unsafe {
            libc::sched_setaffinity(
                number.expect("a number"),
                size_of_val(to),
                to.as_ptr().cast(),
            );
        }
    }
}

/// The time that processors have spent on this process.
fn time_of_processors() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: memory for the time.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[test]
fn many_threads_give_the_bits_of_one() {
    let _alone = alone();
    set_threads(1);
    let one = results();
    for threads in [2, MANY] {
        set_threads(threads);
        assert_eq!(results(), one, "{threads} threads");
    }
    end();
}

#[test]
fn a_processor_may_be_taken_away_and_given_back() {
    let _alone = alone();
    set_threads(1);
    let one = results();
    let all = processors();
    for threads in [2, MANY] {
        set_threads(threads);
        let ended = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !ended.load(Ordering::Relaxed) {
                    for some in [first(&all), all] {
                        bind_all(&some);
                        thread::sleep(Duration::from_millis(5));
                    }
                }
            });
            for _ in 0..4 {
                assert_eq!(results(), one, "{threads} threads");
            }
            ended.store(true, Ordering::Relaxed);
        });
        bind_all(&all);
    }
    end();
}

#[test]
fn threads_that_start_on_one_processor_give_the_same_bits() {
    let _alone = alone();
    set_threads(1);
    let one = results();
    let all = processors();
    bind_all(&first(&all));
    for threads in [2, MANY] {
        set_threads(threads);
        assert_eq!(results(), one, "{threads} threads");
    }
    bind_all(&all);
    end();
}

#[test]
fn threads_without_work_take_no_time_of_processors() {
    let _alone = alone();
    let few = thread::available_parallelism().map_or(2, |count| count.get().max(2));
    for threads in [few, MANY] {
        set_threads(threads);
        assert_eq!(run(0..1000, |job| job).len(), 1000);
        // Longer than they stay awake.
        thread::sleep(Duration::from_millis(100));
        let before = time_of_processors();
        thread::sleep(Duration::from_secs(1));
        let taken = time_of_processors() - before;
        assert!(
            taken < Duration::from_millis(50),
            "{taken:?} of a second on {threads} threads"
        );
    }
    end();
}
