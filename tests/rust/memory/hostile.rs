//! A system that refuses.

use std::io;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tensornio_core::memory::{Geometry, Heap, NotMoved, Pages};

/// What can be refused, or done badly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    Reserve,
    Align,
    Commit,
    Advise,
    Discard,
    Renew,
    Move,
    /// A failed move leaves the target to somebody else.
    LoseTarget,
}

const CALLS: usize = Call::LoseTarget as usize + 1;

type Hook = Arc<dyn Fn() + Send + Sync>;

/// Memory from the heap, with refusals.
pub struct Hostile {
    heap: Heap,
    always: Vec<Call>,
    random: Option<AtomicU64>,
    counts: [AtomicUsize; CALLS],
    hook: Mutex<Option<Hook>>,
    /// Addresses that are somebody else's since a move failed.
    lost: Mutex<Vec<Range<usize>>>,
}

impl Hostile {
    /// Always refuses these.
    pub fn refusing(calls: &[Call]) -> Hostile {
        Hostile {
            heap: Heap::new(),
            always: calls.to_vec(),
            random: None,
            counts: Default::default(),
            hook: Mutex::new(None),
            lost: Mutex::new(Vec::new()),
        }
    }

    /// Refuses every fourth call or so.
    pub fn refusing_at_random(seed: u64) -> Hostile {
        Hostile {
            random: Some(AtomicU64::new(seed)),
            ..Hostile::refusing(&[])
        }
    }

    /// How often it was called for this.
    pub fn count(&self, call: Call) -> usize {
        self.counts[call as usize].load(Ordering::Relaxed)
    }

    /// Runs this at the beginning of each call.
    pub fn before_each_call(&self, hook: impl Fn() + Send + Sync + 'static) {
        *self.hook.lock().unwrap() = Some(Arc::new(hook));
    }

    fn refuses(&self, call: Call) -> bool {
        self.counts[call as usize].fetch_add(1, Ordering::Relaxed);
        let Some(random) = &self.random else {
            return self.always.contains(&call);
        };
        let step = |seed: u64| {
            seed.wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407)
        };
        let seed = random
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |seed| {
                Some(step(seed))
            })
            .unwrap();
        call != Call::Align && step(seed) >> 33 & 3 == 0
    }

    /// Sees that nobody touches what is lost.
    fn check(&self, start: NonNull<u8>, len: usize) -> Range<usize> {
        let range = start.addr().get()..start.addr().get() + len;
        for lost in self.lost.lock().unwrap().iter() {
            assert!(
                range.end <= lost.start || lost.end <= range.start,
                "{range:x?} is lost"
            );
        }
        range
    }

    fn call(&self, call: Call) -> io::Result<()> {
        let hook = self.hook.lock().unwrap().clone();
        if let Some(hook) = hook {
            hook();
        }
        if self.refuses(call) {
            return Err(io::Error::other("refused"));
        }
        Ok(())
    }
}

// SAFETY: what is not refused is done by the heap, which keeps the promises; what is refused changes nothing. (But `Align`, which
// breaks one: that is what it is for.)
unsafe impl Pages for Hostile {
    fn geometry(&self) -> Geometry {
        self.heap.geometry()
    }

    fn describe(&self) -> String {
        "memory that refuses".to_owned()
    }

    fn reserve(&self, len: usize) -> io::Result<NonNull<u8>> {
        self.call(Call::Reserve)?;
        let start = self.heap.reserve(len)?;
        if self.refuses(Call::Align) {
            // SAFETY: an address inside of what was reserved.
            return Ok(unsafe { start.add(1) });
        }
        Ok(start)
    }

    unsafe fn commit(&self, start: NonNull<u8>, len: usize) -> io::Result<()> {
        self.check(start, len);
        self.call(Call::Commit)?;
        // SAFETY: the caller's promise; here and below.
        unsafe { self.heap.commit(start, len) }
    }

    unsafe fn advise_huge(&self, start: NonNull<u8>, len: usize) -> bool {
        // SAFETY: as above.
        self.call(Call::Advise).is_ok() && unsafe { self.heap.advise_huge(start, len) }
    }

    unsafe fn discard(&self, start: NonNull<u8>, len: usize) -> io::Result<()> {
        self.check(start, len);
        self.call(Call::Discard)?;
        // SAFETY: as above.
        unsafe { self.heap.discard(start, len) }
    }

    unsafe fn renew(&self, start: NonNull<u8>, len: usize) -> io::Result<()> {
        self.check(start, len);
        self.call(Call::Renew)?;
        // SAFETY: as above.
        unsafe { self.heap.renew(start, len) }
    }

    unsafe fn move_pages(
        &self,
        from: NonNull<u8>,
        to: NonNull<u8>,
        len: usize,
    ) -> Result<(), NotMoved> {
        self.check(from, len);
        let target = self.check(to, len);
        if let Err(reason) = self.call(Call::Move) {
            let target_intact = !self.refuses(Call::LoseTarget);
            if !target_intact {
                self.lost.lock().unwrap().push(target);
            }
            return Err(NotMoved {
                reason,
                target_intact,
            });
        }
        // SAFETY: as above.
        unsafe { self.heap.move_pages(from, to, len) }
    }
}
