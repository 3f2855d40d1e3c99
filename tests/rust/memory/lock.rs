//! The lock: what is called without it, and who waits for whom.

use std::cell::RefCell;
use std::ptr::{self, NonNull};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::hostile::{Call, Hostile};
use crate::{block, discard};
use tensornio_core::memory::Memory;
use tensornio_core::Error;

#[test]
fn the_system_is_called_without_the_lock() {
    let memory = Arc::new(Memory::new(Hostile::refusing(&[]), 4 << 10));
    let inner = Arc::downgrade(&memory);
    memory.pages().before_each_call(move || {
        inner.upgrade().unwrap().stats(); // would wait for itself
    });
    let start = block(&memory, 1000, 1);
    memory.close(start).unwrap();
    memory.release(start).unwrap();
    let start = block(&memory, 1000, 1);
    discard(&memory, start, 0, 1000).unwrap();
    memory.release(start).unwrap();
    let large = block(&memory, 4 << 10, 1);
    memory.release(large).unwrap();
    memory.trim(Duration::ZERO);
    memory.set_limit(0);
    for call in [
        Call::Reserve,
        Call::Commit,
        Call::Move,
        Call::Renew,
        Call::Discard,
    ] {
        assert!(memory.pages().count(call) > 0, "{call:?}");
    }
    memory.pages().before_each_call(|| {});
}

#[test]
fn a_block_cannot_be_released_or_closed_while_it_is_being_closed() {
    let memory = Arc::new(Memory::new(Hostile::refusing(&[]), 64 << 10));
    let start = block(&memory, 1000, 1);
    let address = start.addr().get();
    let inner = Arc::downgrade(&memory);
    memory.pages().before_each_call(move || {
        let memory = inner.upgrade().unwrap();
        let start = NonNull::new(ptr::without_provenance_mut(address)).unwrap();
        assert_eq!(
            memory.release(start),
            Err(Error::BlockClosing { address, len: 1000 })
        );
        assert_eq!(
            memory.close(start),
            Err(Error::BlockClosed { address, len: 1000 })
        );
    });
    memory.close(start).unwrap();
    memory.pages().before_each_call(|| {});
    assert_eq!(memory.pages().count(Call::Move), 1);
    memory.release(start).unwrap();
}

/// While they are on their way, for as long as an allocation that does not wait takes and much longer.
#[test]
fn an_allocation_waits_for_pages_that_another_thread_gives_back() {
    let memory = Arc::new(Memory::new(Hostile::refusing(&[]), 4 << 10));
    memory.release(block(&memory, 1 << 10, 1)).unwrap();
    let (answer, answered) = mpsc::channel();
    let answered = Arc::new(Mutex::new(answered));
    let early = Arc::clone(&answered);
    let first = Mutex::new(Some((Arc::clone(&memory), answer)));
    memory.pages().before_each_call(move || {
        // The call of the trim alone: the pool is empty now, and its bytes still count.
        let Some((memory, answer)) = first.lock().unwrap().take() else {
            return;
        };
        let (begin, begun) = mpsc::channel();
        thread::spawn(move || {
            begin.send(()).unwrap();
            answer.send(memory.allocate(4 << 10, true).unwrap().is_some())
        });
        begun.recv().unwrap();
        let early = early.lock().unwrap();
        let waits = early.recv_timeout(Duration::from_millis(200));
        assert_eq!(waits, Err(RecvTimeoutError::Timeout), "it did not wait");
    });
    memory.trim(Duration::ZERO);
    assert!(
        answered.lock().unwrap().recv().unwrap(),
        "None, although it fits without the pool"
    );
}

/// What a thread's records go to, and what the logger calls meanwhile.
type Logged = (Arc<Memory<Hostile>>, Vec<String>);

thread_local! {
    static LOGGED: RefCell<Option<Logged>> = const { RefCell::new(None) };
}

/// A logger that calls back, as one that is written in Java may.
struct CallsBack;

impl log::Log for CallsBack {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        LOGGED.with_borrow_mut(|logged| {
            if let Some((memory, lines)) = logged {
                memory.stats(); // would wait for itself
                lines.push(record.args().to_string());
            }
        });
    }

    fn flush(&self) {}
}

#[test]
fn loggers_are_called_without_the_lock_and_hear_why_pages_were_not_moved() {
    log::set_logger(&CallsBack).expect("no other test sets one");
    log::set_max_level(log::LevelFilter::Trace);
    let memory = Arc::new(Memory::new(
        Hostile::refusing(&[Call::Move, Call::Discard, Call::LoseTarget]),
        64 << 10,
    ));
    LOGGED.set(Some((Arc::clone(&memory), Vec::new())));
    for _ in 0..20 {
        memory.close(block(&memory, 512, 1)).unwrap();
    }
    let lines = LOGGED.take().map(|(_, lines)| lines).unwrap();
    let expect = |part: &str| {
        assert!(
            lines.iter().any(|line| line.contains(part)),
            "{part}: {lines:#?}"
        )
    };
    expect("pages of 64 bytes; memory that refuses");
    expect("an arena of");
    expect("512 bytes were not moved, but discarded: refused");
    expect("512 bytes are cleared, since the system refuses to discard them: refused");
    expect("16 failed moves have cost address space");
}
