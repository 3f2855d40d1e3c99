//! The accesses of a loop nest, as the tile VM executes it.

use super::region::{Condition, Form, Region};
use super::{within, Allocation, Fault};
use crate::bound::TensorId;
use crate::kernel::{Mode, Operation};
use crate::plan::tile::{Code, Inside, Line, Memory, Nest, Root, Slot};

/// The memory of a tensor, if there is such a tensor.
pub(crate) type Allocations<'a> = &'a dyn Fn(TensorId) -> Option<Allocation>;

/// Offsets in a register, in bytes: `form + slack`, from the lowest to the highest.
#[derive(Clone, Debug)]
struct Offsets {
    form: Form,
    slack: (i128, i128),
}

/// The state of the check, as the machine's would be for any tile.
struct Walk<'a> {
    nest: &'a Nest,
    allocation: Allocations<'a>,
    /// The ranges of the outer loops, then the positions along the innermost.
    ranges: Vec<i128>,
    /// What holds here: conditions of the nest and of guards, and checks that have passed.
    conditions: Vec<Condition>,
    /// The offsets in registers that have some.
    offsets: Vec<Option<Offsets>>,
    /// What was added to memory operands.
    moved: Vec<Option<Offsets>>,
    /// The register that each place holds.
    held: Vec<Option<u32>>,
}

/// Checks every access of a nest against the memory of the tensors.
pub(crate) fn nest(nest: &Nest, allocation: Allocations<'_>) -> Result<(), Fault> {
    let outer = nest.kept.iter().chain(&nest.reduced);
    let mut ranges: Vec<i128> = outer.map(|&range| i128::from(range)).collect();
    let together = matches!(nest.root, Root::Rows { together: true, .. });
    let rows = match nest.reduced.last() {
        // Iterations of the last reduced loop are beside each other along the innermost.
        Some(&rows) if together => i128::from(rows),
        _ => 1,
    };
    ranges.push(i128::from(nest.inner) * rows);
    let mut walk = Walk {
        nest,
        allocation,
        ranges,
        conditions: Vec::new(),
        offsets: vec![None; nest.registers.len()],
        moved: vec![None; nest.memories.len()],
        held: vec![None; nest.places],
    };
    walk.copies()?;
    let conditions = nest.conditions.iter().map(|inside| walk.condition(inside));
    walk.conditions = conditions.collect();
    walk.codes(&nest.codes)?;
    walk.root()
}

impl Walk<'_> {
    fn form(&self, line: &Line) -> Form {
        let inner = self.ranges.len() - 1;
        let mut form = Form::constant(i128::from(line.constant), self.ranges.len());
        for &(l, k) in &line.outer {
            form.terms[l] += i128::from(k);
        }
        form.terms[inner] += i128::from(line.inner);
        form
    }

    fn condition(&self, inside: &Inside) -> Condition {
        Condition {
            form: self.form(&inside.line),
            bound: i128::from(inside.bound),
        }
    }

    /// The address of a memory operand's elements, with this stride along the innermost loop.
    fn address(&self, memory: &Memory, inner: i64) -> Form {
        self.form(&Line {
            constant: memory.constant,
            outer: memory.outer.clone(),
            inner,
        })
    }

    /// Checks an access at a form of the loops and offsets, where conditions hold.
    fn access(
        &self,
        memory: &Memory,
        mut form: Form,
        slack: (i128, i128),
        ranges: &[i128],
        conditions: &[Condition],
    ) -> Result<(), Fault> {
        let allocation =
            (self.allocation)(memory.tensor).ok_or(Fault::Wrong("an operand that is no tensor"))?;
        let size = memory.size as i128;
        let mut has = allocation.bytes;
        if let Some((rows, bytes)) = allocation.row {
            // Of the row that the loop over rows is at, and of no other: what the loop adds to the step from row to row stays within the row, as
            // where a diagonal is read.
            form.terms[rows] -= bytes;
            has = (0, bytes);
        }
        let region = Region {
            ranges,
            conditions,
            strides: &allocation.strides,
        };
        let enough = (has.0 - slack.0, has.1 - slack.1 - size);
        let (least, greatest) = region.bounds(&form, enough);
        let touched = (least + slack.0, greatest + slack.1 + size);
        match within(has, memory.tensor, touched) {
            Err(_) if region.is_empty() => Ok(()),
            result => result,
        }
    }

    /// Checks what is copied before conditions are looked at: repeated operands and panels.
    fn copies(&self) -> Result<(), Fault> {
        for memory in &self.nest.memories {
            let mut ranges = self.ranges.clone();
            let stride = match (memory.repeated, memory.panel) {
                (Some((round, stride)), _) => {
                    if let Some(inner) = ranges.last_mut() {
                        *inner = round as i128;
                    }
                    stride
                }
                (None, Some(stride)) => stride,
                (None, None) => continue,
            };
            let form = self.address(memory, stride);
            self.access(memory, form, (0, 0), &ranges, &[])?;
        }
        Ok(())
    }

    /// Checks elements of a memory operand with this stride along the innermost loop, where the conditions of this place hold.
    fn elements(&self, m: u32, inner: i64) -> Result<(), Fault> {
        let memory = self.memory(m)?;
        if memory.repeated.is_some() || memory.panel.is_some() {
            return Ok(()); // copied, see `copies`
        }
        let mut form = self.address(memory, inner);
        let mut slack = (0, 0);
        if memory.moved {
            let Some(moved) = &self.moved[m as usize] else {
                return Err(Fault::Wrong("an operand that no look-up moved"));
            };
            form.add(&moved.form, 1);
            slack = moved.slack;
        }
        self.access(memory, form, slack, &self.ranges, &self.conditions)
    }

    fn memory(&self, m: u32) -> Result<&Memory, Fault> {
        let memory = self.nest.memories.get(m as usize);
        memory.ok_or(Fault::Wrong("no such operand"))
    }

    /// Checks an operand that is used in place, by as many elements as the tile has or, if `single`, by one.
    fn operand(&self, slot: Slot, single: bool) -> Result<(), Fault> {
        match slot {
            Slot::Memory(m) => {
                let memory = self.memory(m)?;
                let size = memory.size as i64;
                if memory.inner != size && !(single && memory.inner == 0) {
                    return Err(Fault::Wrong(
                        "elements that are not contiguous, used in place",
                    ));
                }
                self.elements(m, memory.inner)
            }
            Slot::Register(r) => self.holds(r),
            Slot::Cell(c) if (c as usize) < self.nest.cells.len() => Ok(()),
            Slot::Cell(_) => Err(Fault::Wrong("no such constant")),
            Slot::None => Ok(()),
        }
    }

    /// Checks that a register's place was not given to another one since it was written.
    fn holds(&self, r: u32) -> Result<(), Fault> {
        let (place, _) = self.nest.registers[r as usize];
        match self.held[place] == Some(r) {
            true => Ok(()),
            false => Err(Fault::Wrong("a register that was overwritten")),
        }
    }

    /// Notes that an operand was written, with these offsets if it has some.
    fn written(&mut self, slot: Slot, offsets: Option<Offsets>) -> Result<(), Fault> {
        match slot {
            Slot::Register(r) => {
                let (place, _) = self.nest.registers[r as usize];
                self.held[place] = Some(r);
                self.offsets[r as usize] = offsets;
                Ok(())
            }
            Slot::Memory(m) if m == self.nest.target => self.operand(slot, false),
            _ => Err(Fault::Wrong(
                "a result that is neither a register nor the target",
            )),
        }
    }

    /// The offsets in a register.
    fn offsets(&self, slot: Slot) -> Result<Offsets, Fault> {
        let Slot::Register(r) = slot else {
            return Err(Fault::Wrong("offsets that are in no register"));
        };
        self.holds(r)?;
        let offsets = self.offsets[r as usize].clone();
        offsets.ok_or(Fault::Wrong("offsets that were not checked"))
    }

    fn codes(&mut self, codes: &[Code]) -> Result<(), Fault> {
        for code in codes {
            match code {
                Code::Map {
                    operation,
                    to,
                    args,
                    once,
                    ..
                } => {
                    self.map(operation, args, *once, *to)?;
                }
                Code::Pack { to, from, .. } => {
                    self.elements(*from, self.memory(*from)?.inner)?;
                    self.written(*to, None)?;
                }
                Code::Iota { to, line, .. } => {
                    let form = self.form(line);
                    let slack = (0, 0);
                    self.written(*to, Some(Offsets { form, slack }))?;
                }
                Code::Index {
                    to,
                    look,
                    len,
                    stride,
                    first,
                    once,
                    ..
                } => {
                    self.operand(*look, *once)?;
                    let mut offsets = match first {
                        true => Offsets {
                            form: Form::constant(0, self.ranges.len()),
                            slack: (0, 0),
                        },
                        false => self.offsets(*to)?,
                    };
                    // The index is checked as it runs.
                    let last = i128::from(*stride) * i128::from((len - 1).max(0));
                    offsets.slack.0 += last.min(0);
                    offsets.slack.1 += last.max(0);
                    self.written(*to, Some(offsets))?;
                }
                Code::Check(inside) => {
                    let condition = self.condition(inside);
                    self.conditions.push(condition);
                }
                Code::Gather {
                    to, from, offsets, ..
                } => {
                    let offsets = self.offsets(*offsets)?;
                    self.at_offsets(*from, &offsets)?;
                    self.written(*to, None)?;
                }
                Code::Rebase { memory, offset } => {
                    self.memory(*memory)?;
                    self.moved[*memory as usize] = Some(self.offsets(*offset)?);
                }
                Code::Guard {
                    conditions,
                    to,
                    codes,
                    result,
                    ..
                } => {
                    self.written(*to, None)?;
                    let before = self.conditions.len();
                    let inside = conditions.iter().map(|inside| self.condition(inside));
                    let inside: Vec<Condition> = inside.collect();
                    self.conditions.extend(inside);
                    self.codes(codes)?;
                    self.operand(*result, false)?;
                    self.conditions.truncate(before);
                    self.operand(*to, false)?;
                }
            }
        }
        Ok(())
    }

    /// Checks an instruction of one kernel.
    fn map(
        &mut self,
        operation: &Operation,
        args: &[Slot; 3],
        once: bool,
        to: Slot,
    ) -> Result<(), Fault> {
        for (at, &arg) in args.iter().enumerate() {
            let one = match operation {
                Operation::Unary(_) => false,
                Operation::Binary(_, x, y) => [*x, *y, Mode::Vector][at] == Mode::Scalar,
                // Their kernels were made for operands that are one element.
                Operation::Splat | Operation::Offset | Operation::Other => true,
            };
            self.operand(arg, once || one)?;
        }
        let offsets = match operation {
            Operation::Splat => self.offsets(args[0]).ok(),
            Operation::Offset => {
                let (mut sum, other) = (self.offsets(args[0])?, self.offsets(args[1])?);
                sum.form.add(&other.form, 1);
                sum.slack.0 += other.slack.0;
                sum.slack.1 += other.slack.1;
                Some(sum)
            }
            _ => None,
        };
        self.written(to, offsets)
    }

    /// Checks elements of an operand at offsets, which are counted from its first in the row.
    fn at_offsets(&self, m: u32, offsets: &Offsets) -> Result<(), Fault> {
        let memory = self.memory(m)?;
        if memory.repeated.is_some() || memory.panel.is_some() {
            return Err(Fault::Wrong("offsets into a copy"));
        }
        let mut form = self.address(memory, memory.inner);
        form.add(&offsets.form, 1);
        self.access(memory, form, offsets.slack, &self.ranges, &self.conditions)
    }

    /// Checks the epilogue.
    fn root(&mut self) -> Result<(), Fault> {
        let nest = self.nest;
        let target = nest.memories[nest.target as usize].clone();
        if target.repeated.is_some() || target.panel.is_some() {
            return Err(Fault::Wrong("a target that is copied"));
        }
        // What runs whole rows does not look at conditions.
        let conditional = !nest.conditions.is_empty();
        let in_rows = matches!(
            nest.root,
            Root::Store { whole: Some(_), .. } | Root::Fold { whole: Some(_), .. }
        );
        if in_rows && conditional {
            return Err(Fault::Wrong("whole rows under a condition"));
        }
        match &nest.root {
            Root::Store { kernel: None, .. } => Ok(()),
            Root::Store { value, .. } => {
                // A strided store takes its stride from the operand.
                self.operand(*value, false)?;
                self.elements(nest.target, target.inner)
            }
            Root::Scatter { value, offsets, .. } => {
                self.operand(*value, false)?;
                let offsets = self.offsets(*offsets)?;
                let mut form = self.address(&target, 0);
                form.add(&offsets.form, 1);
                let (ranges, conditions) = (&self.ranges, &self.conditions);
                self.access(&target, form, offsets.slack, ranges, conditions)
            }
            Root::Fold { a, b, .. } => {
                self.operand(*a, false)?;
                self.operand(*b, false)?;
                self.reduced(&target, 0)
            }
            Root::Rows {
                a,
                b,
                four,
                together,
                ..
            } => {
                if four.is_some() && !together && conditional {
                    return Err(Fault::Wrong("four rows under a condition"));
                }
                self.operand(*a, true)?;
                self.operand(*b, false)?;
                self.reduced(&target, target.inner)
            }
        }
    }

    /// Checks the target of a reduction, which is written for all iterations of the kept loops, whatever conditions hold.
    fn reduced(&self, target: &Memory, inner: i64) -> Result<(), Fault> {
        let kept = self.nest.kept.len();
        if target.moved || target.outer.iter().any(|&(l, _)| l >= kept) {
            return Err(Fault::Wrong("a target that depends on a reduced loop"));
        }
        if inner == 0 && target.inner != 0 {
            return Err(Fault::Wrong("a target that depends on the reduced loop"));
        }
        let mut ranges = self.ranges.clone();
        if let Some(last) = ranges.last_mut() {
            *last = i128::from(self.nest.inner);
        }
        let form = self.address(target, inner);
        self.access(target, form, (0, 0), &ranges, &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Level;
    use crate::operand::DType;
    use crate::plan::tile::row_major;
    use crate::plan::tile::View;
    use crate::plan::verify::{plan_fault, report};
    use crate::{Program, Signature};

    /// The nest of a program's only statement over two vectors of 10 floats, and the memory of its tensors.
    fn made(text: &str) -> (Nest, Vec<Allocation>) {
        let program = Program::parse(text).expect("a program");
        let vectors: Vec<Signature> = program
            .inputs()
            .iter()
            .map(|name| match name.as_str() {
                "at" => Signature::tensor(DType::Int64, &[10]),
                _ => Signature::tensor(DType::Float, &[10]),
            })
            .collect();
        let bound = program.bind(&vectors, &[None]).expect("shapes fit");
        let views: Vec<View> = bound
            .tensors
            .iter()
            .map(|tensor| View {
                dtype: tensor.dtype.expect("a type"),
                layout: row_major(&tensor.shape),
            })
            .collect();
        let nest = Nest::new(Level::best(), &bound.statements[0], &views, &[], false);
        (
            nest.expect("a nest"),
            views.iter().map(Allocation::of).collect(),
        )
    }

    fn checked(made: &Nest, allocations: &[Allocation]) -> Result<(), Fault> {
        nest(made, &|tensor| allocations.get(tensor).cloned())
    }

    const TEXTS: [&str; 7] = [
        "y[i] = x[i] + z[9-i]",
        "y[i] = guard(0 <= i-3 < 10, x[i-3]) where i in 0:20",
        "y[i] = guard(0 <= i-3 < 12, x[i-3]) where i in 0:20",
        "y[i] = x[at[i]]",
        "y[at[i]] += x[i] where y[5]",
        "y[i] += x[j] * z[j] where i in 0:3",
        "y[i,j] = exp(x[i]) + x[j]",
    ];

    #[test]
    fn nests_as_they_are_made_pass() {
        for text in TEXTS {
            let (made, allocations) = made(text);
            assert_eq!(checked(&made, &allocations), Ok(()), "{text}");
        }
    }

    #[test]
    fn an_operand_that_is_elsewhere_is_found() {
        for text in TEXTS {
            let (made, allocations) = made(text);
            for m in 0..made.memories.len() {
                for by in [-44, 44] {
                    let mut wrong = made.clone();
                    wrong.memories[m].constant += by;
                    let found = checked(&wrong, &allocations);
                    let outside = matches!(found, Err(Fault::Outside { .. }));
                    assert!(outside, "{text}: {:?}: {found:?}", wrong.memories[m]);
                }
            }
        }
    }

    #[test]
    fn loops_that_run_further_are_found() {
        for text in TEXTS {
            let (mut made, allocations) = made(text);
            made.inner += 10;
            assert!(checked(&made, &allocations).is_err(), "{text}");
        }
    }

    #[test]
    fn guards_and_checks_that_are_missing_are_found() {
        // Either keeps the read inside; the run fails then, in place of reading something else.
        let without = |guards: bool, checks: bool| {
            let (mut made, allocations) = made(TEXTS[1]);
            for code in &mut made.codes {
                if let Code::Guard {
                    conditions, codes, ..
                } = code
                {
                    if guards {
                        conditions.clear();
                    }
                    codes.retain(|code| !checks || !matches!(code, Code::Check(_)));
                }
            }
            checked(&made, &allocations).is_ok()
        };
        assert!(without(true, false) && without(false, true));
        assert!(!without(true, true));
    }

    #[test]
    fn what_is_copied_ahead_of_its_guard_is_found() {
        let (mut made, allocations) = made(TEXTS[1]);
        made.memories[0].repeated = Some((20, 4));
        assert!(checked(&made, &allocations).is_err());
        made.memories[0].repeated = None;
        made.memories[0].panel = Some(4);
        assert!(checked(&made, &allocations).is_err());
    }

    #[test]
    fn offsets_that_are_not_checked_and_registers_that_are_overwritten_are_found() {
        let (made, allocations) = made(TEXTS[3]);
        let mut wrong = made.clone();
        wrong
            .codes
            .retain(|code| !matches!(code, Code::Index { .. }));
        assert!(matches!(
            checked(&wrong, &allocations),
            Err(Fault::Wrong(_))
        ));
        let mut wrong = made.clone();
        for code in &mut wrong.codes {
            if let Code::Index { len, .. } = code {
                *len += 1;
            }
        }
        assert!(matches!(
            checked(&wrong, &allocations),
            Err(Fault::Outside { .. })
        ));
        let (mut made, allocations) = super::tests::made(TEXTS[6]);
        assert!(made.registers.len() > 1, "{:?}", made.registers);
        made.registers.iter_mut().for_each(|(place, _)| *place = 0);
        made.codes.reverse();
        assert!(checked(&made, &allocations).is_err());
    }

    #[test]
    fn a_fault_names_the_statement() {
        let fault = Fault::Outside {
            tensor: 1,
            touched: (-4, 8),
            has: (0, 8),
        };
        report("y", &fault);
        let message = plan_fault().expect("a message");
        assert!(
            message.contains("plan of y: bytes -4..8 of tensor 1"),
            "{message}"
        );
        assert_eq!(plan_fault(), None);
    }
}
