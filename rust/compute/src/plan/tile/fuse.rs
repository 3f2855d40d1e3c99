//! Pairs of instructions that become one, because the register between them is used once.

use super::code::{Code, Slot};
use super::registers::{reads, root_reads};
use super::root::Root;
use crate::kernel::{self, Level, Operation};
use crate::operand::DType;

/// Makes one instruction of each pair that has a kernel of its own. `registers` are the types of the registers' elements.
pub(crate) fn fuse(level: Level, codes: &mut Vec<Code>, root: &Root, registers: &[DType]) {
    let mut uses = vec![0; registers.len()];
    let mut count = |slot: &Slot| {
        if let Slot::Register(r) = slot {
            uses[*r as usize] += 1;
        }
    };
    fn visit(codes: &[Code], count: &mut impl FnMut(&Slot)) {
        for code in codes {
            reads(code).iter().for_each(&mut *count);
            if let Code::Guard { codes, .. } = code {
                visit(codes, count);
            }
        }
    }
    visit(codes, &mut count);
    root_reads(root).iter().for_each(&mut count);
    within(level, codes, &uses, registers);
}

fn within(level: Level, codes: &mut Vec<Code>, uses: &[usize], registers: &[DType]) {
    let mut at = 0;
    while at < codes.len() {
        if let Code::Guard { codes, .. } = &mut codes[at] {
            within(level, codes, uses, registers);
        }
        if let Some((first, code)) = pair(level, &codes[..=at], uses, registers) {
            codes[at] = code;
            codes.remove(first);
        } else {
            at += 1;
        }
    }
}

/// The last of these codes and the one that makes an operand of it, as one; and where that one is.
fn pair(
    level: Level,
    codes: &[Code],
    uses: &[usize],
    registers: &[DType],
) -> Option<(usize, Code)> {
    let (last, before) = codes.split_last()?;
    let Code::Map {
        operation: then,
        to,
        args,
        once: false,
        ..
    } = last
    else {
        return None;
    };
    (0..2).find_map(|at| {
        let Slot::Register(r) = args[at] else {
            return None;
        };
        if uses[r as usize] != 1 {
            return None;
        }
        let (place, operation, [a, b, _]) =
            before
                .iter()
                .enumerate()
                .find_map(|(place, code)| match code {
                    Code::Map {
                        operation,
                        to,
                        args: inner,
                        once: false,
                        ..
                    } if *to == args[at] => Some((place, *operation, *inner)),
                    _ => None,
                })?;
        let pair = kernel::pair(level, registers[r as usize], operation, *then, at)?;
        let (a, b) = if pair.swapped { (b, a) } else { (a, b) };
        let other = args[1 - at];
        let args = if pair.other_first {
            [other, a, Slot::None]
        } else {
            [a, b, other]
        };
        let code = Code::Map {
            kernel: pair.kernel,
            operation: Operation::Other,
            to: *to,
            args,
            once: false,
        };
        Some((place, code))
    })
}
