//! Evaluation along runs. What an access reads along a run is mostly the same element, or a line through memory: only its ends are found, and
//! checked.

use super::block::{Column, BLOCK};
use super::code::{Code, Step as Node};
use super::evaluate::{gather, splat, Machine, Place};
use super::rows;
use super::runs::{Kind, Runs};
use super::tensor::{Form, Tensor};
use crate::bound::{Index, LoopId, TensorId};
use crate::kernel;
use crate::operand::DType;
use crate::{Error, ErrorKind};

/// How a position moves along a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Not at all.
    Same,
    /// By so many elements with each value of the innermost loop.
    By(i64),
    /// By one with each point.
    Next,
}

/// The positions of an access along runs. They are those of elements: the first and the last one of each run were checked, and lie where they should.
pub(super) struct Line {
    pub firsts: Vec<i64>,
    pub step: Step,
}

/// Values at the points of runs.
pub(super) enum Value {
    Column(Column),
    /// Neighbouring elements of a tensor.
    Elements(*const u8),
}

impl Value {
    /// The address of the first one.
    pub fn start(&self) -> *const u8 {
        match self {
            Value::Column(column) => column.start(),
            Value::Elements(start) => *start,
        }
    }
}

/// How positions move with a loop; none if that differs from place to place.
pub(super) fn step(form: &Form<'_>, indices: &[Index], inner: LoopId) -> Option<Step> {
    let mut step = None;
    for (axis, index) in indices.iter().enumerate() {
        if let Some(look_up) = &index.look_up {
            let mut loops = Vec::new();
            look_up
                .indices
                .iter()
                .for_each(|index| rows::loops(index, &mut loops));
            if loops.contains(&inner) {
                return None;
            }
        }
        let of_inner = |&&(id, _): &&(LoopId, i64)| id == inner;
        let coefficient = index
            .affine
            .terms
            .iter()
            .find(of_inner)
            .map_or(0, |term| term.1);
        match form {
            Form::Dense { strides, .. } => {
                if coefficient != 0 {
                    let by = coefficient.checked_mul(strides[axis])?;
                    step = Some(step.unwrap_or(0i64).checked_add(by)?);
                }
            }
            Form::Ragged(rows) => match (&rows.splits[axis], step) {
                // Row splits are looked up there.
                (Some(_), Some(_)) => return None,
                (None, Some(by)) => {
                    let by = by.checked_mul(rows.shape[axis])?;
                    step = Some(by.checked_add(coefficient)?);
                }
                (_, None) if coefficient != 0 => step = Some(coefficient),
                (_, None) => {}
            },
            _ => return None,
        }
    }
    Some(step.map_or(Step::Same, Step::By))
}

impl Machine<'_, '_> {
    /// The positions of an access along runs; none if it is no line, or not all are positions of elements: then they are found one by one.
    pub fn line(
        &self,
        form: &Form<'_>,
        indices: &[Index],
        place: &Place<'_>,
        runs: &Runs<'_, '_>,
    ) -> Result<Option<Line>, Error> {
        let Some(step) = step(form, indices, runs.inner) else {
            return Ok(None);
        };
        let fault = |error: Error| match error.kind() {
            ErrorKind::OutOfMemory => Err(error),
            _ => Ok(None),
        };
        let mut firsts = vec![0; runs.len()];
        if let Err(error) = self.places(form, indices, &runs.heads, place, &mut firsts) {
            return fault(error);
        }
        let Step::By(by) = step else {
            return Ok(Some(Line { firsts, step }));
        };
        let tails = runs.tails()?;
        let mut lasts = vec![0; runs.len()];
        if let Err(error) = self.places(form, indices, tails, place, &mut lasts) {
            return fault(error);
        }
        let inner = runs.heads.loops[runs.inner]
            .iter()
            .zip(&tails.loops[runs.inner]);
        let ends = firsts.iter().zip(&lasts).zip(inner);
        let is_line = ends.into_iter().all(|((&first, &last), (&from, &to))| {
            from <= to
                && Some(last)
                    == to
                        .checked_sub(from)
                        .and_then(|count| count.checked_mul(by))
                        .and_then(|way| first.checked_add(way))
        });
        Ok(is_line.then_some(Line { firsts, step }))
    }

    /// The positions that a left side writes along runs.
    pub fn written_line(
        &self,
        form: &Form<'_>,
        name: &str,
        indices: &[Index],
        runs: &Runs<'_, '_>,
    ) -> Result<Option<Line>, Error> {
        let place = Place {
            name: &|| name.to_owned(),
            written: true,
        };
        self.line(form, indices, &place, runs)
    }

    /// The line of an access that is read.
    pub fn read_line(
        &self,
        id: TensorId,
        indices: &[Index],
        runs: &Runs<'_, '_>,
    ) -> Result<Option<Line>, Error> {
        let place = Place {
            name: &|| (self.names)(id),
            written: false,
        };
        self.line(&self.tensors[id].form, indices, &place, runs)
    }

    /// The values of an expression at the points of runs, of which there are no more than a block has.
    pub fn value(&self, code: &Code, runs: &Runs<'_, '_>) -> Result<Value, Error> {
        if runs.kind == Kind::Points {
            return Ok(Value::Column(self.column(code, &runs.heads)?));
        }
        let n = runs.points();
        debug_assert!(n <= BLOCK);
        let mut to = Column::new(code.dtype);
        match &code.node {
            Node::Constant(scalar) => splat(*scalar, n, &mut to),
            Node::Loop(id) if *id != runs.inner => {
                spread(runs.starts(), &runs.heads.loops[*id], to.of_mut::<i64>());
            }
            Node::Read(access) => {
                let tensor = &self.tensors[access.tensor];
                if let Some(line) = self.read_line(access.tensor, &access.indices, runs)? {
                    return self.elements(tensor, &line, runs, to);
                }
                let flat = runs.flat()?;
                self.fill(code, &flat, &mut to)?;
            }
            Node::Entry(leaf, id) => {
                let count = self.tensors[*id].points().map_or(0, |points| points.count) as i64;
                if let Some(line) = entries(*leaf, runs) {
                    let ends = line.firsts.iter().zip(runs.starts().windows(2));
                    let mut inside = ends.into_iter().map(|(&first, ends)| {
                        // Of what is not stored, -1, there is nothing to read.
                        first >= 0 && first + (ends[1] - ends[0]) as i64 <= count
                    });
                    if inside.all(|inside| inside) {
                        return self.elements(&self.tensors[*id], &line, runs, to);
                    }
                }
                let flat = runs.flat()?;
                self.fill(code, &flat, &mut to)?;
            }
            Node::Map1(kernel, a) => {
                let a = self.value(a, runs)?;
                // SAFETY: both are of as many elements as there are points, of the types for which the kernel was chosen.
                unsafe {
                    kernel(
                        n,
                        to.start_mut(),
                        a.start(),
                        std::ptr::null(),
                        std::ptr::null(),
                    );
                }
            }
            Node::Map2(kernel, why, a, b) => {
                let (a, b) = (self.value(a, runs)?, self.value(b, runs)?);
                let mut missing = 0u8;
                // SAFETY: as above, and the last operand is a byte to write.
                unsafe {
                    kernel(
                        n,
                        to.start_mut(),
                        a.start(),
                        b.start(),
                        (&raw mut missing).cast_const(),
                    );
                }
                if missing != 0 {
                    return Err(self.no_result(*why));
                }
            }
            Node::Select(kernel, condition, a, b) => {
                let condition = self.value(condition, runs)?;
                let (a, b) = (self.value(a, runs)?, self.value(b, runs)?);
                // SAFETY: as above, and the first one is of bytes.
                unsafe { kernel(n, to.start_mut(), condition.start(), a.start(), b.start()) };
            }
            Node::Loop(_) | Node::Stored(_) | Node::Guard(..) | Node::Within(..) => {
                let flat = runs.flat()?;
                self.fill(code, &flat, &mut to)?;
            }
        }
        Ok(Value::Column(to))
    }

    /// The elements of a tensor on a line.
    fn elements(
        &self,
        tensor: &Tensor<'_>,
        line: &Line,
        runs: &Runs<'_, '_>,
        mut to: Column,
    ) -> Result<Value, Error> {
        let (starts, firsts) = (runs.starts(), &line.firsts);
        let width = kernel::size(to.dtype);
        match line.step {
            Step::Same => {
                let mut heads = Column::new(to.dtype);
                // SAFETY: they are positions of elements, as a line promises.
                unsafe { gather(tensor, firsts, &mut heads) };
                match width {
                    1 => spread(starts, heads.of::<u8>(), to.of_mut()),
                    2 => spread(starts, heads.of::<u16>(), to.of_mut()),
                    4 => spread(starts, heads.of::<u32>(), to.of_mut()),
                    _ => spread(starts, heads.of::<u64>(), to.of_mut()),
                }
                return Ok(Value::Column(to));
            }
            Step::By(1) | Step::Next
                if (line.step == Step::Next || runs.kind == Kind::Range)
                    && to.dtype != DType::Bool =>
            {
                let follow =
                    (1..firsts.len()).all(|run| firsts[run] - firsts[0] == starts[run] as i64);
                // SAFETY: it is the position of an element.
                let start = |at: i64| unsafe { tensor.data.offset(at as isize * width as isize) };
                if follow {
                    return Ok(Value::Elements(start(firsts[0])));
                }
                let bytes = to.start_mut();
                for (&first, ends) in firsts.iter().zip(starts.windows(2)) {
                    // SAFETY: all positions of a run are those of elements, and the column has room for all points.
                    unsafe {
                        std::ptr::copy_nonoverlapping(
                            start(first),
                            bytes.add(ends[0] * width),
                            (ends[1] - ends[0]) * width,
                        );
                    }
                }
                return Ok(Value::Column(to));
            }
            _ => {}
        }
        let mut positions = vec![0; runs.points()];
        positions_on(line, runs, &mut positions);
        // SAFETY: they are between the first and the last of a run, or these.
        unsafe { gather(tensor, &positions, &mut to) };
        Ok(Value::Column(to))
    }
}

/// The numbers of the entries of a sparse read along runs; none if they are no line.
pub(super) fn entries(leaf: usize, runs: &Runs<'_, '_>) -> Option<Line> {
    let firsts = runs.heads.entries[leaf][..runs.len()].to_vec();
    if runs.kind != Kind::Entries(leaf) {
        return Some(Line {
            firsts,
            step: Step::Same,
        });
    }
    let step = Step::Next;
    runs.is_natural().then_some(Line { firsts, step })
}

/// The positions at all points of runs. Whatever coordinates are, each is between the first one and the last one of its run.
pub(super) fn positions_on(line: &Line, runs: &Runs<'_, '_>, to: &mut [i64]) {
    let inner = &runs.heads.loops[runs.inner];
    for (run, ends) in runs.starts().windows(2).enumerate() {
        let (first, to) = (line.firsts[run], &mut to[ends[0]..ends[1]]);
        match (line.step, runs.coordinates()) {
            (Step::Same, _) => to.fill(first),
            (Step::By(by), Some((column, places))) => {
                let from = inner[run];
                let most = runs.last(run).wrapping_sub(from).max(0);
                for (to, at) in to.iter_mut().zip(column.from(places[run])) {
                    *to = first + at.wrapping_sub(from).clamp(0, most) * by;
                }
            }
            (Step::By(by), None) => {
                for (n, to) in to.iter_mut().enumerate() {
                    *to = first + n as i64 * by;
                }
            }
            (Step::Next, _) => {
                for (n, to) in to.iter_mut().enumerate() {
                    *to = first + n as i64;
                }
            }
        }
    }
}

/// Values of runs at all of their points.
fn spread<T: Copy>(starts: &[usize], from: &[T], to: &mut [T]) {
    for (&value, ends) in from.iter().zip(starts.windows(2)) {
        to[ends[0]..ends[1]].fill(value);
    }
}
