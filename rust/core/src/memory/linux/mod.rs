//! Linux and Android: pages are moved by `mremap(MREMAP_DONTUNMAP)`, where a probe shows that it works.

mod locking;
mod moving;

use std::fs;
use std::io;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};

use libc::{c_int, c_void};

use super::mapping::page_size;
use super::pages::{reserve_aligned, Geometry, NotMoved, Pages, SMALL_ARENA};

/// The kernel's default, if `/proc` does not say.
const DEFAULT_MAX_MAP_COUNT: usize = 65_530;
/// Moving a shorter range costs more than clearing new pages.
const LEAST_MOVE: usize = 64 << 10;
const HUGE: usize = 2 << 20;

/// Pages of Linux: private anonymous memory.
#[derive(Debug)]
pub struct Linux {
    geometry: Geometry,
    /// Whether the system commits memory strictly: every mapping counts, so that replacing one may fail after the old
    /// one is unmapped, which leaves a hole in which accesses crash.
    strict: bool,
    /// Whether the kernel uses transparent huge pages by default. A block of 64 KiB would get one, 32 times its size;
    /// so arenas are advised against them, until a block requests them.
    unasked: bool,
    /// The reason if pages are not moved.
    no_moves: Option<String>,
    /// Whether new mappings were found to be locked (`mlockall`). From then on none is replaced, since the kernel fills those that take their place.
    locked: AtomicBool,
}

impl Linux {
    /// Queries the system, and probes whether a page can be moved.
    #[allow(clippy::new_without_default)] // it queries the system and maps memory, which a default value should not
    pub fn new() -> Linux {
        let page = page_size(4096);
        let strict = number_in("/proc/sys/vm/overcommit_memory") == Some(2);
        let no_moves = if strict {
            Some("the system commits memory strictly (vm.overcommit_memory is 2)".to_owned())
        } else {
            moving::probe(page)
                .err()
                .map(|reason| format!("moving a page failed: {reason}"))
        };
        let unasked = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled")
            .is_ok_and(|modes| modes.contains("[always]"));
        let most_maps = number_in("/proc/sys/vm/max_map_count").unwrap_or(DEFAULT_MAX_MAP_COUNT);
        let geometry = Geometry {
            page,
            huge: HUGE.max(page),
            spread: if plenty() { LEAST_MOVE } else { HUGE.max(page) },
            arena: if strict { SMALL_ARENA } else { arena() },
            least_move: LEAST_MOVE,
            // An island splits the mapping around it, so it adds two: at most a quarter of all mappings are ours.
            most_islands: most_maps / 8,
            moves: no_moves.is_none(),
            discard_zeroes: true,
        };
        Linux {
            geometry,
            strict,
            unasked,
            no_moves,
            locked: AtomicBool::new(false),
        }
    }

    /// Maps fresh memory with the attributes of arenas.
    ///
    /// # Safety
    /// As for `map`.
    unsafe fn map_fresh(
        &self,
        at: *mut c_void,
        len: usize,
        flags: c_int,
    ) -> io::Result<NonNull<u8>> {
        // SAFETY: the caller's promise; advice changes no value.
        unsafe {
            let (start, locked) = if at.is_null() {
                locking::reserve(len, self.geometry.page)?
            } else {
                locking::replace(at, len, flags, self.geometry.page)?
            };
            if locked && !self.locked.swap(true, Ordering::Relaxed) {
                log::debug!("mappings are locked (mlockall): pages are discarded at close");
            }
            // Refused if there are no huge pages, or no more mappings; the advice is optional.
            if self.unasked {
                libc::madvise(start.as_ptr().cast(), len, libc::MADV_NOHUGEPAGE);
            }
            Ok(start)
        }
    }
}

/// Whether address space is plentiful, so that a block may take 30 times its size: not with 32 bits, nor with Android's 39.
fn plenty() -> bool {
    cfg!(all(target_pointer_width = "64", not(target_os = "android")))
}

/// Android's kernels often have 39 bits of addresses, others 47 at least.
#[cfg(all(target_pointer_width = "64", target_os = "android"))]
fn arena() -> (usize, usize) {
    (256 << 20, 4 << 30)
}

#[cfg(all(target_pointer_width = "64", not(target_os = "android")))]
fn arena() -> (usize, usize) {
    (1 << 30, 64 << 30)
}

#[cfg(target_pointer_width = "32")]
fn arena() -> (usize, usize) {
    SMALL_ARENA
}

fn number_in(file: &str) -> Option<usize> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

// SAFETY: promise 1: `reserve` maps memory that nothing here unmaps; `renew` and a move replace mappings atomically. Promise 2: system
// calls say whether they failed; a failed move is looked after in `move_pages`. Promise 3: the geometry is a field.
unsafe impl Pages for Linux {
    fn geometry(&self) -> Geometry {
        self.geometry
    }

    fn describe(&self) -> String {
        match &self.no_moves {
            None => format!(
                "pages are moved at close, with at most {} moved blocks",
                self.geometry.most_islands
            ),
            Some(reason) => format!("pages are discarded at close: {reason}"),
        }
    }

    fn reserve(&self, len: usize) -> io::Result<NonNull<u8>> {
        // SAFETY: no address is given, and as many bytes are reserved as requested.
        unsafe {
            reserve_aligned(len, self.geometry.huge, |len| {
                self.map_fresh(std::ptr::null_mut(), len, 0)
            })
        }
    }

    unsafe fn commit(&self, _start: NonNull<u8>, _len: usize) -> io::Result<()> {
        Ok(()) // the kernel does, at the first access
    }

    unsafe fn advise_huge(&self, start: NonNull<u8>, len: usize) -> bool {
        // SAFETY: advice changes no value. A kernel without huge pages refuses it.
        unsafe { libc::madvise(start.as_ptr().cast(), len, libc::MADV_HUGEPAGE) == 0 }
    }

    unsafe fn discard(&self, start: NonNull<u8>, len: usize) -> io::Result<()> {
        // SAFETY: the caller's promise: it does not need the values.
        unsafe { locking::discard(start, len) }
    }

    unsafe fn renew(&self, start: NonNull<u8>, len: usize) -> io::Result<()> {
        if self.strict || self.locked.load(Ordering::Relaxed) {
            // Without moves, ranges need not join their neighbours' mapping.
            // SAFETY: the caller's promise.
            return unsafe { self.discard(start, len) };
        }
        // SAFETY: the range is part of an arena, and its values are not needed.
        unsafe { self.map_fresh(start.as_ptr().cast(), len, libc::MAP_FIXED) }.map(drop)
    }

    unsafe fn move_pages(
        &self,
        from: NonNull<u8>,
        to: NonNull<u8>,
        len: usize,
    ) -> Result<(), NotMoved> {
        if self.locked.load(Ordering::Relaxed) {
            return Err(NotMoved {
                reason: io::Error::other("mappings are locked"),
                target_intact: true,
            });
        }
        // SAFETY: the caller's promise.
        unsafe { moving::move_pages(self, from, to, len) }
    }
}

#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;

    fn filled(pages: &Linux, count: usize, value: u8) -> (NonNull<u8>, usize) {
        let len = count * pages.geometry.page;
        let start = pages.reserve(len).unwrap();
        // SAFETY: reserved just now.
        unsafe { start.write_bytes(value, len) };
        (start, len)
    }

    fn holds(start: NonNull<u8>, len: usize, value: u8) -> bool {
        // SAFETY: the tests pass what they have reserved.
        (0..len).all(|k| unsafe { start.add(k).read_volatile() } == value)
    }

    #[test]
    fn reserved_space_is_aligned_and_zero() {
        let pages = Linux::new();
        let start = pages.reserve(3 << 20).unwrap();
        assert_eq!(start.addr().get() % HUGE, 0);
        assert!(holds(start, 3 << 20, 0));
    }

    #[test]
    fn discarded_and_renewed_pages_read_zeros() {
        let pages = Linux::new();
        let (start, len) = filled(&pages, 3, 7);
        let page = pages.geometry.page;
        // SAFETY: pages of what was reserved.
        unsafe {
            pages.discard(start.add(page), page).unwrap();
            assert!(
                holds(start, page, 7)
                    && holds(start.add(page), page, 0)
                    && holds(start.add(2 * page), page, 7)
            );
            pages.renew(start, len).unwrap();
        }
        assert!(holds(start, len, 0));
    }

    #[test]
    fn moved_pages_leave_zeros_that_can_be_written() {
        let pages = Linux::new();
        if !pages.geometry.moves {
            let described = pages.describe();
            assert!(described.contains("discarded"), "{described}");
            eprintln!("skipped: {described}");
            return;
        }
        let (from, len) = filled(&pages, 3, 7);
        let to = pages.reserve(len).unwrap();
        // SAFETY: both were reserved, and nobody needs them.
        unsafe {
            pages.move_pages(from, to, len).unwrap();
            assert!(holds(from, len, 0) && holds(to, len, 7));
            from.write_bytes(9, len);
            assert!(holds(from, len, 9) && holds(to, len, 7));
        }
    }

    /// The kernel's flags of the mapping that an address is in, and where that starts and ends.
    fn mapping_of(address: NonNull<u8>) -> (String, usize, usize) {
        let smaps = fs::read_to_string("/proc/self/smaps").unwrap();
        let mut found = None;
        for line in smaps.lines() {
            let bounds = line
                .split_once(' ')
                .and_then(|(range, _)| range.split_once('-'));
            let number = |text| usize::from_str_radix(text, 16).ok();
            if let Some((Some(start), Some(end))) =
                bounds.map(|(start, end)| (number(start), number(end)))
            {
                found = (start..end)
                    .contains(&address.addr().get())
                    .then_some((start, end));
            }
            if let (Some((start, end)), Some(flags)) = (found, line.strip_prefix("VmFlags:")) {
                return (flags.to_owned(), start, end);
            }
        }
        panic!("{address:?} is not mapped");
    }

    #[test]
    fn where_huge_pages_come_unasked_only_blocks_that_ask_get_them() {
        let pages = Linux {
            unasked: true,
            ..Linux::new()
        };
        let len = 3 * HUGE;
        let start = pages.reserve(len).unwrap();
        let middle = start.addr().get() + HUGE;
        let middle = start.with_addr(middle.try_into().unwrap());
        let (flags, whole_start, whole_end) = mapping_of(middle);
        if !flags.contains(" nh") {
            eprintln!("skipped: this kernel takes no advice about huge pages (flags:{flags})");
            return;
        }
        assert!(whole_start <= start.addr().get() && whole_end >= start.addr().get() + len);
        // SAFETY: pages of what was reserved.
        unsafe {
            assert!(pages.advise_huge(middle, HUGE));
            assert!(mapping_of(middle).0.contains(" hg") && mapping_of(start).0.contains(" nh"));
            middle.write_bytes(7, HUGE);
            pages.renew(middle, HUGE).unwrap();
        }
        // One mapping again. What other tests map beside it may have joined it meanwhile, or left.
        let (flags, renewed_start, renewed_end) = mapping_of(middle);
        assert!(flags.contains(" nh"));
        assert!(renewed_start <= start.addr().get() && renewed_end >= start.addr().get() + len);
    }

    #[test]
    fn a_failed_move_leaves_the_target_alone_or_says_that_it_is_lost() {
        let pages = Linux::new();
        let (from, len) = filled(&pages, 2, 7);
        let to = pages.reserve(len).unwrap();
        // SAFETY: an address off a page's start is refused before anything is touched.
        let not_moved = unsafe { pages.move_pages(from.add(1), to, len) }.unwrap_err();
        assert_eq!(not_moved.reason.raw_os_error(), Some(libc::EINVAL));
        assert!(holds(from, len, 7));
        // The old mapping is still there, and cannot be distinguished from one of another thread.
        assert!(!not_moved.target_intact);
    }

    #[test]
    fn a_hole_where_the_target_was_is_filled() {
        let pages = Linux::new();
        let (from, len) = filled(&pages, 2, 7);
        let mut holes = 0;
        for _ in 0..20 {
            let to = pages.reserve(len).unwrap();
            // SAFETY: nobody else has the target. (Should another thread's mapping slip into the hole, it is not replaced.)
            unsafe {
                assert_eq!(libc::munmap(to.as_ptr().cast(), len), 0);
                let not_moved = pages.move_pages(from.add(1), to, len).unwrap_err();
                if not_moved.target_intact {
                    assert!(holds(to, len, 0));
                    holes += 1;
                }
            }
        }
        assert!(holes > 0, "another thread each time?");
    }

    #[test]
    fn a_hole_that_is_filled_merges_with_its_neighbours() {
        let pages = Linux {
            unasked: true,
            ..Linux::new()
        };
        let page = pages.geometry.page;
        let (from, _) = filled(&pages, 1, 7);
        let mut holes = 0;
        for _ in 0..20 {
            let start = pages.reserve(3 * page).unwrap();
            let to = start.with_addr((start.addr().get() + page).try_into().unwrap());
            let (before, ..) = mapping_of(to);
            if !before.contains(" nh") {
                eprintln!("skipped: this kernel takes no advice about huge pages");
                return;
            }
            // SAFETY: nobody else has the target. (Should another thread's mapping slip into the hole, it is not replaced.)
            let not_moved = unsafe {
                assert_eq!(libc::munmap(to.as_ptr().cast(), page), 0);
                pages.move_pages(from.add(1), to, page).unwrap_err()
            };
            if not_moved.target_intact {
                let (flags, first, end) = mapping_of(to);
                assert_eq!(flags, before);
                assert!(first <= start.addr().get() && end >= start.addr().get() + 3 * page);
                holes += 1;
            }
        }
        assert!(holes > 0, "another thread each time?");
    }
}
