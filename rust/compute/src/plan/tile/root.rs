//! What is done with the value of a statement: the epilogue of its loop nest.

use super::code::{Code, Slot, Value};
use super::emit::Emitter;
use crate::kernel::{self, Folding, Kernel};

/// The epilogue: what is done with the value.
#[derive(Clone, Debug)]
pub(crate) enum Root {
    /// Each value is written once. No kernel: the last instruction writes it in place.
    Store {
        kernel: Option<Kernel>,
        value: Slot,
        /// If rows are one instruction in place each, the distances of its result and operands from one iteration of the last kept loop to the next,
        /// in bytes.
        whole: Option<[isize; 4]>,
    },
    /// The innermost loop is reduced: values are folded into lanes.
    Fold {
        kernels: Folding,
        a: Slot,
        b: Slot,
        /// If rows are folded whole, the distances of a, of b and of the target from one iteration of the last kept loop to the next, in bytes.
        whole: Option<[isize; 3]>,
    },
    /// Loops outside of the innermost are reduced: values are combined with those before, element by element.
    Rows {
        accumulate: Kernel,
        a: Slot,
        b: Slot,
        /// Takes in four rows at a time of `a`, which is in memory then, unless rows are together.
        four: Option<Kernel>,
        /// Whether several iterations of the last reduced loop are one tile, one row after the other.
        together: bool,
    },
    /// Values are combined with what is in memory, at offsets.
    Scatter {
        kernel: Kernel,
        value: Slot,
        offsets: Slot,
    },
}

/// The store of a value: directly by its last instruction if possible.
pub(super) fn store(
    emitter: &mut Emitter,
    value: Value,
    memory: u32,
    unconditional: bool,
    stream: Option<Kernel>,
) -> Root {
    let m = &emitter.memories[memory as usize];
    let (contiguous, repeated) = (m.inner == m.size as i64, m.repeated.is_some());
    let dtype = value.dtype;
    debug_assert!(!repeated);
    if !contiguous {
        let value = emitter.spread(value);
        return Root::Store {
            kernel: Some(kernel::unpack(dtype)),
            value: value.slot,
            whole: None,
        };
    }
    let value = if value.uniform {
        emitter.spread(value)
    } else {
        value
    };
    if stream.is_some() {
        return Root::Store {
            kernel: stream,
            value: value.slot,
            whole: None,
        };
    }
    let used = emitter
        .codes
        .iter()
        .filter(|code| super::registers::writes(code) == value.slot)
        .count();
    if let Some(Code::Map {
        to, once: false, ..
    }) = emitter.codes.last_mut()
    {
        if *to == value.slot && used == 1 && unconditional {
            *to = Slot::Memory(memory);
            return Root::Store {
                kernel: None,
                value: Slot::None,
                whole: None,
            };
        }
    }
    Root::Store {
        kernel: Some(kernel::same(emitter.level, dtype)),
        value: value.slot,
        whole: None,
    }
}
