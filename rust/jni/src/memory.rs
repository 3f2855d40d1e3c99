//! The natives of `io.tensornio.internal.memory.NativeMemory` about memory: shims over the one `Memory` of this library.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use jni::sys;
use tensornio_core::Error;

use crate::classes::Throwable;
use crate::env::{Env, Pending};
use crate::guard::{guard, not_null, Failure};
use crate::handle::{LongArray, Ref};
use crate::numbers::not_negative;

/// The one memory of this library. Java sets its limit before it allocates.
pub(crate) use tensornio_core::memory::shared as memory;

/// Returns pooled memory to the system, when the library is unloaded.
pub(crate) fn unload() {
    memory().trim(Duration::ZERO);
}

/// An address from Java.
fn address(value: i64) -> Result<NonNull<u8>, Failure> {
    // An address is a number without a sign: Java holds its bits.
    let pointer = usize::try_from(value as u64)
        .ok()
        .and_then(|bits| NonNull::new(bits as *mut u8));
    pointer.ok_or_else(|| Failure::illegal_argument(format!("{value:#x} is no address")))
}

/// The bytes of the first root of a block that has several, since it is larger than one buffer.
static FIRST_ROOT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The bytes that a direct buffer stands for: of the first root of a block that has several, all of the block.
///
/// As long as any root of a block is reachable, the block is not released, so that the answer holds for as long as the buffer is reachable.
pub(crate) fn reach(address: NonNull<u8>, capacity: usize) -> usize {
    // Of others the ledger, with its lock, need not be asked.
    if capacity != FIRST_ROOT.load(Ordering::Relaxed) {
        return capacity;
    }
    memory()
        .len_of(address)
        .map_or(capacity, |bytes| bytes.max(capacity))
}

/// The block that `root` was made for by `wrap`.
fn block_of(env: Env<'_>, root: Option<Ref<'_>>) -> Result<NonNull<u8>, Failure> {
    let root = not_null(root, "root")?;
    let (Some(address), Some(capacity)) = (env.direct_address(root), env.direct_capacity(root))
    else {
        return Err(Failure::illegal_argument(
            "root is a heap buffer, not one that wrap made",
        ));
    };
    let bytes = memory().len_of(address)?;
    if bytes != reach(address, capacity) {
        return Err(Failure::illegal_argument(format!(
            "root has {capacity} bytes, the block at its address has {bytes}: it is a part of the buffer that wrap made"
        )));
    }
    Ok(address)
}

/// `static native void setMaxMemory(long bytes)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_setMaxMemory(
    env: Env<'_>,
    _native: sys::jclass,
    bytes: sys::jlong,
) {
    guard(env, || {
        memory().set_limit(not_negative(bytes, "the budget")?);
        Ok(())
    });
}

/// `static native void setMoving(boolean moving)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_setMoving(
    env: Env<'_>,
    _native: sys::jclass,
    moving: sys::jboolean,
) {
    guard(env, || {
        memory().set_moving(moving);
        Ok(())
    });
}

/// `static native long allocate(long bytes, boolean zeroed)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_allocate(
    env: Env<'_>,
    _native: sys::jclass,
    bytes: sys::jlong,
    zeroed: sys::jboolean,
) -> sys::jlong {
    guard(env, || {
        let asked = not_negative(bytes, "the size")?;
        let bytes = usize::try_from(asked).map_err(|_| Error::BlockTooLarge {
            asked: asked.into(),
        })?;
        let block = memory().allocate(bytes, zeroed)?;
        Ok(block.map_or(0, |address| address.as_ptr() as sys::jlong))
    })
}

/// `static native void setFirstRoot(int bytes)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_setFirstRoot(
    env: Env<'_>,
    _native: sys::jclass,
    bytes: sys::jint,
) {
    guard(env, || {
        let bytes = not_negative(bytes.into(), "the size of a root")?;
        FIRST_ROOT.store(
            usize::try_from(bytes).unwrap_or(usize::MAX),
            Ordering::Relaxed,
        );
        Ok(())
    });
}

/// A new direct buffer over a part of a block.
fn wrap_part(
    env: Env<'_>,
    block: NonNull<u8>,
    from: i64,
    bytes: i64,
) -> Result<Option<Ref<'_>>, Failure> {
    let len = memory().len_of(block)?;
    let (first, capacity) = part("a block", len, from, bytes)?;
    // SAFETY: the part is inside of the block, whose range stays mapped until `release`, which Java calls when all of its buffers are unreachable.
    // The JVM does not check the capacity, which is not negative.
    let buffer = unsafe { env.new_direct_buffer(block.add(first), capacity) };
    buffer?.map(Some).ok_or_else(no_direct_buffers)
}

/// A part of memory that one buffer can view: its first byte and its bytes.
fn part(whole: &str, len: usize, from: i64, bytes: i64) -> Result<(usize, i32), Failure> {
    match (usize::try_from(from), i32::try_from(bytes)) {
        (Ok(first), Ok(capacity @ 0..)) if first <= len && capacity as usize <= len - first => {
            Ok((first, capacity))
        }
        _ => Err(Failure::illegal_argument(format!(
            "{bytes} bytes from byte {from} on are no part of {whole} of {len}, or more than the {} of a buffer",
            i32::MAX
        ))),
    }
}

fn no_direct_buffers() -> Failure {
    Failure::internal("this JVM has no direct buffers for native code")
}

/// The address of a direct buffer, and the bytes that it stands for.
fn direct<'a>(env: Env<'a>, buffer: Option<Ref<'a>>) -> Result<(NonNull<u8>, usize), Failure> {
    let buffer = not_null(buffer, "memory")?;
    match (env.direct_address(buffer), env.direct_capacity(buffer)) {
        (Some(address), Some(capacity)) => Ok((address, reach(address, capacity))),
        _ => Err(Failure::illegal_argument("memory is a heap buffer")),
    }
}

/// `static native ByteBuffer alias(ByteBuffer memory, long from, int bytes)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_alias<'a>(
    env: Env<'a>,
    _native: sys::jclass,
    buffer: Option<Ref<'a>>,
    from: sys::jlong,
    bytes: sys::jint,
) -> Option<Ref<'a>> {
    guard(env, || {
        let (address, len) = direct(env, buffer)?;
        let (first, capacity) = part("memory", len, from, bytes.into())?;
        // SAFETY: the part is inside of the memory of a buffer, which Java keeps reachable for as long as the new one is: see `AliasReference` and
        // `ForeignMemory`. Whoever lent memory of their own has promised that it stays mapped until it is released.
        let alias = unsafe { env.new_direct_buffer(address.add(first), capacity) };
        alias?.map(Some).ok_or_else(no_direct_buffers)
    })
}

/// `static native long addressOf(ByteBuffer memory)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_addressOf(
    env: Env<'_>,
    _native: sys::jclass,
    buffer: Option<Ref<'_>>,
) -> sys::jlong {
    guard(env, || {
        let (address, _) = direct(env, buffer)?;
        Ok(address.as_ptr() as usize as sys::jlong)
    })
}

/// `static native ByteBuffer wrap(long address)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_wrap<'a>(
    env: Env<'a>,
    _native: sys::jclass,
    address_of_block: sys::jlong,
) -> Option<Ref<'a>> {
    guard(env, || {
        let block = address(address_of_block)?;
        let bytes = memory().len_of(block)?;
        wrap_part(env, block, 0, i64::try_from(bytes).unwrap_or(i64::MAX))
    })
}

/// `static native ByteBuffer wrapPart(long address, long from, int bytes)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_wrapPart<'a>(
    env: Env<'a>,
    _native: sys::jclass,
    address_of_block: sys::jlong,
    from: sys::jlong,
    bytes: sys::jint,
) -> Option<Ref<'a>> {
    guard(env, || {
        wrap_part(env, address(address_of_block)?, from, bytes.into())
    })
}

/// Links the methods that release memory. The JVM links others at their first call, which allocates heap and so could
/// fail when memory is to be released.
pub(crate) fn link(env: Env<'_>) -> Result<(), Pending> {
    let native = env.find_class(c"io/tensornio/internal/memory/NativeMemory")?;
    let methods = [
        (
            c"close",
            c"(Ljava/nio/ByteBuffer;)V",
            Java_io_tensornio_internal_memory_NativeMemory_close as *mut c_void,
        ),
        (
            c"closeInPlace",
            c"(Ljava/nio/ByteBuffer;)V",
            Java_io_tensornio_internal_memory_NativeMemory_closeInPlace as *mut c_void,
        ),
        (
            c"recycle",
            c"(Ljava/nio/ByteBuffer;)V",
            Java_io_tensornio_internal_memory_NativeMemory_recycle as *mut c_void,
        ),
        (
            c"release",
            c"(J)V",
            Java_io_tensornio_internal_memory_NativeMemory_release as *mut c_void,
        ),
        (
            c"discard",
            c"(Ljava/nio/ByteBuffer;II)V",
            Java_io_tensornio_internal_memory_NativeMemory_discard as *mut c_void,
        ),
        (
            c"discardStale",
            c"(J)V",
            Java_io_tensornio_internal_memory_NativeMemory_discardStale as *mut c_void,
        ),
    ];
    // SAFETY: the functions are those that `NativeMemory` declares with these signatures.
    unsafe { env.link(native.as_class(), &methods) }
}

/// `static native void close(ByteBuffer root)`: the buffer is an argument of this call, which keeps it reachable until the pages are moved.
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_close(
    env: Env<'_>,
    _native: sys::jclass,
    root: Option<Ref<'_>>,
) {
    guard(env, || Ok(memory().close(block_of(env, root)?)?));
}

/// `static native void closeInPlace(ByteBuffer root)`: as above.
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_closeInPlace(
    env: Env<'_>,
    _native: sys::jclass,
    root: Option<Ref<'_>>,
) {
    guard(env, || Ok(memory().close_in_place(block_of(env, root)?)?));
}

/// `static native void recycle(ByteBuffer root)`: as above. Nobody but the caller has a buffer over the block, so its range may be used again.
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_recycle(
    env: Env<'_>,
    _native: sys::jclass,
    root: Option<Ref<'_>>,
) {
    guard(env, || Ok(memory().release(block_of(env, root)?)?));
}

/// `static native void release(long address)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_release(
    env: Env<'_>,
    _native: sys::jclass,
    address_of_block: sys::jlong,
) {
    guard(env, || Ok(memory().release(address(address_of_block)?)?));
}

/// `static native void discard(ByteBuffer root, int from, int to)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_discard(
    env: Env<'_>,
    _native: sys::jclass,
    root: Option<Ref<'_>>,
    from: sys::jint,
    to: sys::jint,
) {
    guard(env, || {
        let address = block_of(env, root)?;
        match (usize::try_from(from), usize::try_from(to)) {
            (Ok(from), Ok(to)) => {
                // SAFETY: Java releases the block when `root` is unreachable. It is an argument of this call, which keeps it reachable.
                unsafe { memory().discard(address, from, to)? };
                Ok(())
            }
            _ => Err(Failure::Throw(
                Throwable::IndexOutOfBounds,
                format!("from {from} to {to} is no part of a block"),
            )),
        }
    });
}

/// `static native void discardStale(long address)`: Java does not release the block during this call.
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_discardStale(
    env: Env<'_>,
    _native: sys::jclass,
    address_of_block: sys::jlong,
) {
    guard(env, || {
        // SAFETY: Java does not release the block during this call.
        unsafe { memory().discard_stale(address(address_of_block)?)? };
        Ok(())
    });
}

/// `static native void trim(long idleMillis)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_trim(
    env: Env<'_>,
    _native: sys::jclass,
    idle_millis: sys::jlong,
) {
    guard(env, || {
        memory().trim(Duration::from_millis(not_negative(
            idle_millis,
            "the idle time",
        )?));
        Ok(())
    });
}

/// `static native void memory(long[] out)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_memory(
    env: Env<'_>,
    _native: sys::jclass,
    out: Option<LongArray<'_>>,
) {
    guard(env, || {
        let out = not_null(out, "out")?;
        let stats = memory().stats();
        let values = [
            stats.live_bytes,
            stats.pooled_bytes,
            stats.stale_bytes,
            stats.stale_small_bytes,
            stats.live_blocks,
            stats.limit,
            stats.moved,
            stats.discarded,
        ]
        // A limit above i64::MAX means unlimited: it is clamped for Java.
        .map(|value| i64::try_from(value).unwrap_or(i64::MAX));
        let length = env.len(out.array());
        if length < values.len() {
            return Err(Failure::illegal_argument(format!(
                "out has {length} elements, {} are written",
                values.len()
            )));
        }
        Ok(env.write_longs(out, &values)?)
    });
}
