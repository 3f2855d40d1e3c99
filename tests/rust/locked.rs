//! Memory under `mlockall(MCL_FUTURE)`, in a process of its own, since it is for a whole process.
#![cfg(all(target_os = "linux", not(miri)))]

use std::fs;

use tensornio_core::memory::{Memory, System};

/// A line of `/proc/self/status`, in bytes.
fn status(name: &str) -> usize {
    let text = fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.trim_matches([':', ' ', '\t']).split(' ').next());
    number.unwrap().parse::<usize>().unwrap() << 10
}

#[test]
fn only_what_is_used_is_locked_and_closing_gives_it_back() {
    const MIB: usize = 1 << 20;
    // SAFETY: no memory is passed.
    if unsafe { libc::mlockall(libc::MCL_FUTURE) } != 0 {
        eprintln!("skipped: {}", std::io::Error::last_os_error());
        return;
    }
    let memory = Memory::new(System::new(), u64::MAX);
    let before = status("VmRSS");
    for round in 0..20 {
        let blocks: Vec<_> = [100 << 10, 3 * MIB, 9 * MIB]
            .map(|len| (memory.allocate(len, true).unwrap().unwrap(), len))
            .into();
        for &(block, len) in &blocks {
            // SAFETY: the block has that many bytes.
            unsafe {
                assert!((0..len).step_by(1000).all(|k| block.add(k).read() == 0));
                block.write_bytes(7, len);
            }
        }
        let used = status("VmRSS").saturating_sub(before);
        assert!(used < 64 * MIB, "round {round}: {} MiB", used / MIB);
        for &(block, _) in &blocks {
            memory.close(block).unwrap();
            // SAFETY: closed addresses can be read until they are released.
            assert_eq!(unsafe { block.add(70_000).read_volatile() }, 0);
            if round % 2 == 0 {
                memory.release(block).unwrap();
            }
        }
        memory.trim(std::time::Duration::ZERO);
    }
}
