//! Register allocation: registers with disjoint live ranges may share a slot.

use super::code::{Code, Slot};
use super::root::Root;
use crate::operand::DType;

/// The operand that an instruction writes.
pub(crate) fn writes(code: &Code) -> Slot {
    match code {
        Code::Map { to, .. }
        | Code::Pack { to, .. }
        | Code::Iota { to, .. }
        | Code::Index { to, .. }
        | Code::Gather { to, .. }
        | Code::Guard { to, .. } => *to,
        Code::Check(_) | Code::Rebase { .. } => Slot::None,
    }
}

/// What a code reads; a guard's codes have reads of their own.
pub(crate) fn reads(code: &Code) -> [Slot; 3] {
    let one = |slot: Slot| [slot, Slot::None, Slot::None];
    match code {
        Code::Map { args, .. } => *args,
        Code::Index { look, .. } => one(*look),
        Code::Gather { offsets, .. } => one(*offsets),
        Code::Rebase { offset, .. } => one(*offset),
        Code::Guard { result, .. } => one(*result),
        Code::Pack { .. } | Code::Iota { .. } | Code::Check(_) => [Slot::None; 3],
    }
}

/// What becomes the result.
pub(crate) fn root_reads(root: &Root) -> [Slot; 2] {
    match root {
        Root::Store { value, .. } => [*value, Slot::None],
        Root::Fold { a, b, .. } | Root::Rows { a, b, .. } => [*a, *b],
        Root::Scatter { value, offsets, .. } => [*value, *offsets],
    }
}

/// The slot of each register, and the stride of its elements, 0 if it holds one for the whole tile; and the number of slots.
pub(super) fn placed(
    codes: &[Code],
    root: &Root,
    dtypes: &[DType],
) -> (Vec<(usize, usize)>, usize) {
    let uniform = uniform(codes, dtypes.len());
    let (place, places) = place(codes, root, dtypes.len());
    let stride = |r: usize| {
        if uniform[r] {
            0
        } else {
            dtypes[r].width()
        }
    };
    let registers = place.iter().enumerate();
    (registers.map(|(r, &at)| (at, stride(r))).collect(), places)
}

/// The registers that hold one element for the whole tile.
pub(crate) fn uniform(codes: &[Code], registers: usize) -> Vec<bool> {
    fn visit(codes: &[Code], found: &mut [bool]) {
        for code in codes {
            match code {
                Code::Map { to, once: true, .. }
                | Code::Iota { to, once: true, .. }
                | Code::Index { to, once: true, .. } => {
                    if let Slot::Register(r) = to {
                        found[*r as usize] = true;
                    }
                }
                Code::Guard { codes, .. } => visit(codes, found),
                _ => {}
            }
        }
    }
    let mut found = vec![false; registers];
    visit(codes, &mut found);
    found
}

/// The slot of each register, and the number of slots. A register that an instruction writes never shares the slot of
/// one that it reads: their elements may differ in size.
pub(crate) fn place(codes: &[Code], root: &Root, registers: usize) -> (Vec<usize>, usize) {
    // The live range of each register: the first and last instruction that use it.
    let mut life = vec![(usize::MAX, 0usize); registers];
    let mut time = 0;
    let mut touch = |slot: &Slot, time: usize| {
        if let Slot::Register(r) = slot {
            let life = &mut life[*r as usize];
            life.0 = life.0.min(time);
            life.1 = life.1.max(time);
        }
    };
    fn visit(codes: &[Code], time: &mut usize, touch: &mut dyn FnMut(&Slot, usize)) {
        for code in codes {
            *time += 1;
            if let Code::Guard { to, codes, .. } = code {
                touch(to, *time);
                visit(codes, time, touch);
                *time += 1;
            }
            reads(code).iter().for_each(|slot| touch(slot, *time));
            touch(&writes(code), *time);
        }
    }
    visit(codes, &mut time, &mut touch);
    time += 1;
    root_reads(root).iter().for_each(|slot| touch(slot, time));
    let mut order: Vec<usize> = (0..registers).collect();
    order.sort_by_key(|&r| life[r].0);
    // The instruction after which each slot is free.
    let mut free: Vec<usize> = Vec::new();
    let mut place = vec![0; registers];
    for r in order {
        let (from, until) = life[r];
        if from == usize::MAX {
            continue;
        }
        let at = free.iter().position(|&end| end < from).unwrap_or_else(|| {
            free.push(0);
            free.len() - 1
        });
        free[at] = until;
        place[r] = at;
    }
    (place, free.len())
}
