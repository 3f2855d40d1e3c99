//! Instruction sets: every kernel is one generic body, compiled for each set; a plan selects the version.

/// The properties of an instruction set on which a body may depend.
pub trait Isa {
    /// Whether `a * b + c` with one rounding is one instruction.
    const FMA: bool;
    /// Whether it converts FLOAT16, on x86.
    const HALVES: bool = false;
    /// Whether vectors are of 64 bytes.
    const WIDE: bool = false;
}

/// The target's baseline; on ARM64 that includes NEON with fused multiply-add.
pub struct Plain;
/// AVX2, FMA and F16C.
pub struct Avx2;
/// AVX-512 F, DQ, BW and VL.
pub struct Avx512;

impl Isa for Plain {
    const FMA: bool = cfg!(target_arch = "aarch64");
}
impl Isa for Avx2 {
    const FMA: bool = true;
    const HALVES: bool = true;
}
impl Isa for Avx512 {
    const FMA: bool = true;
    const HALVES: bool = true;
    const WIDE: bool = true;
}

/// An instruction set that this processor supports: only [`Level::best`] and [`Level::all`] return one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Plain,
    #[cfg(all(target_arch = "x86_64", not(baseline_only)))]
    Avx2,
    #[cfg(all(target_arch = "x86_64", not(baseline_only)))]
    Avx512,
}

impl Level {
    /// The widest instruction set that this processor supports.
    pub fn best() -> Level {
        *Level::all().last().unwrap_or(&Level(Set::Plain))
    }

    /// All instruction sets that this processor supports, the baseline first.
    pub fn all() -> &'static [Level] {
        static ALL: std::sync::OnceLock<Vec<Level>> = std::sync::OnceLock::new();
        ALL.get_or_init(|| {
            #[allow(unused_mut)]
            let mut all = vec![Level(Set::Plain)];
            #[cfg(all(target_arch = "x86_64", not(baseline_only)))]
            if !cfg!(miri)
                && is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("f16c")
            {
                all.push(Level(Set::Avx2));
            }
            #[cfg(all(target_arch = "x86_64", not(baseline_only)))]
            if all.len() > 1
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
            {
                all.push(Level(Set::Avx512));
            }
            all
        })
    }
}

/// A type of elements. Any bits are a valid value.
pub trait Element: bytemuck::Pod {
    /// Whether it is a float, whose kernels have versions for vectors of 64 bytes.
    const FLOAT: bool;
}

macro_rules! element {
    ($($t:ty => $float:literal)*) => {$(
        impl Element for $t {
            const FLOAT: bool = $float;
        }
    )*};
}

element! { f32 => true f64 => true i32 => false i64 => false u8 => false super::ops::Flag => false }
element! { i8 => false i16 => false u16 => false u32 => false u64 => false tensornio_core::half::Brain => false }

/// A kernel: computes `n` elements of a result from up to three operands, whose meaning the body defines.
pub type Kernel = unsafe fn(n: usize, to: *mut u8, a: *const u8, b: *const u8, c: *const u8);

/// The body of a kernel, for any instruction set. `run` is always inlined into functions that enable the instructions.
pub trait Body {
    /// Whether there is a version for vectors of 64 bytes: only for floats, to keep the library small.
    const WIDE: bool = false;

    /// Whether there is a version for vectors of 32 bytes.
    const VECTOR: bool = true;

    /// Computes the result.
    ///
    /// # Safety
    ///
    /// The addresses are valid for the reads and writes that the body defines.
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, c: *const u8);
}

unsafe fn plain<B: Body>(n: usize, to: *mut u8, a: *const u8, b: *const u8, c: *const u8) {
    // SAFETY: the caller's promise is the same.
    unsafe { B::run::<Plain>(n, to, a, b, c) }
}

#[cfg(all(target_arch = "x86_64", not(baseline_only)))]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn avx2<B: Body>(n: usize, to: *mut u8, a: *const u8, b: *const u8, c: *const u8) {
    // SAFETY: the caller's promise is the same.
    unsafe { B::run::<Avx2>(n, to, a, b, c) }
}

#[cfg(all(target_arch = "x86_64", not(baseline_only)))]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,fma,f16c")]
unsafe fn avx512<B: Body>(n: usize, to: *mut u8, a: *const u8, b: *const u8, c: *const u8) {
    // SAFETY: the caller's promise is the same.
    unsafe { B::run::<Avx512>(n, to, a, b, c) }
}

/// The body compiled for that instruction set. A `Level` exists only if the processor supports it, so calling the kernel is as safe as the body.
pub fn kernel<B: Body>(level: Level) -> Kernel {
    match level.0 {
        Set::Plain => plain::<B>,
        #[cfg(all(target_arch = "x86_64", not(baseline_only)))]
        _ if !B::VECTOR => plain::<B>,
        #[cfg(all(target_arch = "x86_64", not(baseline_only)))]
        Set::Avx2 => avx2::<B>,
        #[cfg(all(target_arch = "x86_64", not(baseline_only)))]
        Set::Avx512 if B::WIDE => avx512::<B>,
        #[cfg(all(target_arch = "x86_64", not(baseline_only)))]
        Set::Avx512 => avx2::<B>,
    }
}
