//! Forwards Rust's log records to the Java application's logger.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use jni::sys;
use log::{Level, LevelFilter, Log, Metadata, Record};

use crate::env::{Env, Pending};
use crate::handle::{Method, WeakClass};
use crate::vm::Vm;

/// The Java method that takes a record.
struct Upcall {
    vm: Vm,
    /// `io.tensornio.internal.memory.NativeMemory`, not held: see `classes`.
    native: WeakClass,
    /// Its `log(int, String, String)`.
    log: Method,
}

static UPCALL: AtomicPtr<Upcall> = AtomicPtr::new(ptr::null_mut());

thread_local! {
    /// Not 0 if this thread must not call Java: the number of critical sections that it is in, plus one while it logs.
    static SILENT: Cell<u32> = const { Cell::new(0) };
}

/// While it lives, records of this thread are dropped before they are made.
pub(crate) struct Silence(());

impl Silence {
    pub fn enter() -> Silence {
        SILENT.with(|depth| depth.set(depth.get() + 1));
        Silence(())
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        SILENT.with(|depth| depth.set(depth.get() - 1));
    }
}

struct JavaLog;

impl Log for JavaLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::max_level() && SILENT.with(Cell::get) == 0
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        // The application's logger may log, too.
        let _silence = Silence::enter();
        // SAFETY: the pointer comes from `install`; `uninstall` frees it when no native method runs or will run.
        let Some(upcall) = (unsafe { UPCALL.load(Ordering::Acquire).as_ref() }) else {
            return;
        };
        let message = record.args().to_string();
        // If the JVM does not attach this thread, the record is lost.
        upcall
            .vm
            .with_env(|env| upcall.send(env, record.level(), record.target(), &message));
    }

    fn flush(&self) {}
}

impl Upcall {
    /// Calls Java. A record that cannot be delivered (no memory for its text, a logger that throws) is lost silently.
    /// `NativeMemory.log` reports a logger that throws.
    fn send(&self, env: Env<'_>, level: Level, target: &str, message: &str) {
        // Almost no JNI call is allowed while an exception is pending.
        let pending = env.take_pending();
        if self.call(env, level, target, message).is_err() {
            if let Some(thrown) = env.take_pending() {
                env.delete(thrown);
            }
        }
        if let Some(thrown) = pending {
            env.rethrow(thrown);
        }
    }

    fn call(&self, env: Env<'_>, level: Level, target: &str, message: &str) -> Result<(), Pending> {
        let Some(native) = env.recall(self.native) else {
            return Ok(());
        };
        let texts = env
            .new_text(target)
            .and_then(|target| Ok((target, env.new_text(message)?)));
        let called = texts.and_then(|(target, message)| {
            let arguments = [
                sys::jvalue {
                    i: level as sys::jint,
                },
                target.as_text().as_argument(),
                message.as_text().as_argument(),
            ];
            // SAFETY: `log` is the static method `NativeMemory.log(int, String, String)`.
            let called = unsafe { env.call_static(native.as_class(), self.log, &arguments) };
            env.delete(message);
            env.delete(target);
            called
        });
        env.delete(native);
        called
    }
}

/// Sends records to `NativeMemory.log` from now on, at the level that `set_level` sets; initially none.
pub(crate) fn install(env: Env<'_>, vm: Vm) -> Result<(), Pending> {
    let native = env.find_class(c"io/tensornio/internal/memory/NativeMemory")?;
    let log = env.static_method(
        native.as_class(),
        c"log",
        c"(ILjava/lang/String;Ljava/lang/String;)V",
    )?;
    let upcall = Upcall {
        vm,
        native: env.remember(native.as_class())?,
        log,
    };
    UPCALL.store(Box::into_raw(Box::new(upcall)), Ordering::Release);
    // It fails if this copy of the library was loaded before and is still mapped: then its logger is set already.
    if log::set_logger(&JavaLog).is_err() {
        log::set_max_level(LevelFilter::Off);
    }
    Ok(())
}

/// Stops sending records.
///
/// # Safety
/// No native method runs or will run: the JVM unloads the library.
pub(crate) unsafe fn uninstall(env: Env<'_>) {
    log::set_max_level(LevelFilter::Off);
    let installed = UPCALL.swap(ptr::null_mut(), Ordering::AcqRel);
    if !installed.is_null() {
        // SAFETY: it comes from `install`, and nothing is logged any more.
        unsafe { env.forget(Box::from_raw(installed).native) };
    }
}

/// The least important level that is sent: 0 none, 1 error, 2 warning, 3 information, 4 debug, 5 trace.
pub(crate) fn set_level(level: i32) {
    log::set_max_level(match level {
        i32::MIN..=0 => LevelFilter::Off,
        1 => LevelFilter::Error,
        2 => LevelFilter::Warn,
        3 => LevelFilter::Info,
        4 => LevelFilter::Debug,
        5.. => LevelFilter::Trace,
    });
}
