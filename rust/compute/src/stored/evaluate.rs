//! Evaluation at the points of a block.

use super::block::{Block, Column, BLOCK};
use super::code::{Code, Step};
use super::support::Support;
use super::tensor::{Form, Tensor};
use crate::bound::{Access, Affine, Condition, Index, TensorId};
use crate::operand::DType;
use crate::scalar::{NoResult, Scalar};
use crate::{Error, ErrorKind};

/// What evaluation at points needs.
pub(super) struct Machine<'m, 'a> {
    pub tensors: &'m [Tensor<'a>],
    pub names: &'m (dyn Fn(TensorId) -> String + Sync),
    /// The statement's label, for messages.
    pub label: &'m str,
}

/// The axis of an access, for messages.
pub(super) struct Place<'p> {
    pub name: &'p dyn Fn() -> String,
    pub written: bool,
}

impl Machine<'_, '_> {
    /// The values of an expression.
    pub fn column(&self, code: &Code, block: &Block) -> Result<Column, Error> {
        let mut column = Column::new(code.dtype);
        if block.len > 0 {
            self.fill(code, block, &mut column)?;
        }
        Ok(column)
    }

    /// The error of an operator of integers without a result.
    pub fn no_result(&self, why: NoResult) -> Error {
        Error::arithmetic(format!("{}: {}", self.label, why.text()))
    }

    pub fn fill(&self, code: &Code, block: &Block, to: &mut Column) -> Result<(), Error> {
        let n = block.len;
        debug_assert!(n <= BLOCK);
        match &code.node {
            Step::Constant(scalar) => splat(*scalar, n, to),
            Step::Loop(id) => to.of_mut::<i64>()[..n].copy_from_slice(&block.loops[*id][..n]),
            Step::Read(access) => self.read(access, block, to)?,
            Step::Entry(leaf, id) => self.entries(*id, &block.entries[*leaf][..n], to),
            Step::Stored(leaf) => {
                let entries = &block.entries[*leaf][..n];
                let stored = to.of_mut::<u8>().iter_mut().zip(entries);
                stored.for_each(|(to, &entry)| *to = u8::from(entry >= 0));
            }
            Step::Map1(kernel, a) => {
                let a = self.column(a, block)?;
                // SAFETY: both have room for a block, of the types for which the kernel was chosen.
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
            Step::Map2(kernel, why, a, b) => {
                let (a, b) = (self.column(a, block)?, self.column(b, block)?);
                let mut missing = 0u8;
                // SAFETY: all have room for a block, of the types for which the kernel was chosen, and the last operand is a byte to write.
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
            Step::Select(kernel, condition, a, b) => {
                let condition = self.column(condition, block)?;
                let (a, b) = (self.column(a, block)?, self.column(b, block)?);
                // SAFETY: all have room for a block, of the width for which the kernel was chosen; the first one is of bytes.
                unsafe { kernel(n, to.start_mut(), condition.start(), a.start(), b.start()) };
            }
            Step::Guard(conditions, inner) => {
                self.partly(inner, block, to, &|at| self.meets(conditions, block, at))?;
            }
            Step::Within(support, inner) => {
                self.partly(inner, block, to, &|at| is_within(support, block, at))?;
            }
        }
        Ok(())
    }

    /// Reads elements. A function of its own, so that recursion over an expression takes little of the stack.
    #[inline(never)]
    fn read(&self, access: &Access, block: &Block, to: &mut Column) -> Result<(), Error> {
        // On the heap, as all buffers here: look-ups nest, and stacks are short.
        let mut positions = vec![0i64; block.len];
        self.positions(access, block, &mut positions)?;
        // SAFETY: `positions` has checked that these are elements of the tensor.
        unsafe { gather(&self.tensors[access.tensor], &positions[..block.len], to) };
        Ok(())
    }

    /// Evaluates at some of the points; elsewhere the value is 0.
    fn partly(
        &self,
        inner: &Code,
        block: &Block,
        to: &mut Column,
        holds: &dyn Fn(usize) -> bool,
    ) -> Result<(), Error> {
        let points: Vec<u32> = (0..block.len as u32)
            .filter(|&at| holds(at as usize))
            .collect();
        if points.len() == block.len {
            return self.fill(inner, block, to);
        }
        let some = self.column(inner, &block.some(&points)?)?;
        splat(Scalar::zero(inner.dtype), block.len, to);
        match inner.dtype.width() {
            1 => spread::<u8>(&points, &some, to),
            2 => spread::<u16>(&points, &some, to),
            4 => spread::<u32>(&points, &some, to),
            _ => spread::<u64>(&points, &some, to),
        }
        Ok(())
    }

    /// Whether all conditions hold at a point.
    pub fn meets(&self, conditions: &[Condition], block: &Block, at: usize) -> bool {
        conditions
            .iter()
            .all(|condition| (0..condition.bound).contains(&affine(&condition.affine, block, at)))
    }

    /// The values of entries of a sparse tensor.
    fn entries(&self, id: TensorId, entries: &[i64], to: &mut Column) {
        let tensor = &self.tensors[id];
        let Some(points) = tensor.points() else {
            return;
        };
        let count = points.count as i64;
        let n = entries.len();
        // A run of neighbours is a copy.
        let (first, last) = (entries[0], entries[n - 1]);
        let is_run = first >= 0
            && last < count
            && last - first == n as i64 - 1
            && entries.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let width = crate::kernel::size(to.dtype);
        if is_run && to.dtype != DType::Bool {
            // SAFETY: the entries are below the number of points, which is that of values.
            unsafe {
                std::ptr::copy_nonoverlapping(
                    tensor.data.add(first as usize * width),
                    to.start_mut(),
                    n * width,
                );
            }
            return;
        }
        let stored = |entry: i64| (0..count).contains(&entry);
        // SAFETY: an entry is read if it is below the number of points, which is that of values.
        unsafe {
            match (width, to.dtype) {
                (_, DType::Bool) => {
                    for (to, &entry) in to.of_mut::<u8>().iter_mut().zip(entries) {
                        *to = u8::from(stored(entry) && *tensor.data.add(entry as usize) != 0);
                    }
                }
                (1, _) => {
                    for (to, &entry) in to.of_mut::<u8>().iter_mut().zip(entries) {
                        *to = if stored(entry) {
                            *tensor.data.add(entry as usize)
                        } else {
                            0
                        };
                    }
                }
                (2, _) => {
                    for (to, &entry) in to.of_mut::<u16>().iter_mut().zip(entries) {
                        *to = if stored(entry) {
                            *tensor.data.cast::<u16>().add(entry as usize)
                        } else {
                            0
                        };
                    }
                }
                (4, _) => {
                    for (to, &entry) in to.of_mut::<u32>().iter_mut().zip(entries) {
                        *to = if stored(entry) {
                            *tensor.data.cast::<u32>().add(entry as usize)
                        } else {
                            0
                        };
                    }
                }
                _ => {
                    for (to, &entry) in to.of_mut::<u64>().iter_mut().zip(entries) {
                        *to = if stored(entry) {
                            *tensor.data.cast::<u64>().add(entry as usize)
                        } else {
                            0
                        };
                    }
                }
            }
        }
    }

    /// The positions of the elements that an access of a dense or ragged tensor reads, all checked.
    fn positions(&self, access: &Access, block: &Block, to: &mut [i64]) -> Result<(), Error> {
        let place = Place {
            name: &|| (self.names)(access.tensor),
            written: false,
        };
        let form = &self.tensors[access.tensor].form;
        self.places(form, &access.indices, block, &place, to)
    }

    /// The positions of the elements that a left side writes, all checked.
    pub fn written(
        &self,
        form: &Form<'_>,
        name: &str,
        indices: &[Index],
        block: &Block,
        to: &mut [i64],
    ) -> Result<(), Error> {
        let place = Place {
            name: &|| name.to_owned(),
            written: true,
        };
        self.places(form, indices, block, &place, to)
    }

    pub fn places(
        &self,
        form: &Form<'_>,
        indices: &[Index],
        block: &Block,
        place: &Place<'_>,
        to: &mut [i64],
    ) -> Result<(), Error> {
        let n = block.len;
        to[..n].fill(0);
        let mut index = vec![0i64; n];
        for (axis, each) in indices.iter().enumerate() {
            // A lone loop is its column.
            let values: &[i64] = match (&each.look_up, &each.affine.terms[..]) {
                (None, [(id, 1)]) if each.affine.constant == 0 => &block.loops[*id][..n],
                _ => {
                    self.index(each, block, &mut index)?;
                    &index[..n]
                }
            };
            match form {
                Form::Dense { shape, strides } => {
                    let (length, stride) = (shape[axis] as u64, strides[axis]);
                    let mut outside = false;
                    for (to, &value) in to.iter_mut().zip(values) {
                        outside |= value as u64 >= length;
                        *to = to.wrapping_add(value.wrapping_mul(stride));
                    }
                    if outside {
                        return Err(
                            self.outside(block, each, axis, place, None, values, &|_| shape[axis])
                        );
                    }
                }
                Form::Ragged(rows) => match &rows.splits[axis] {
                    None => {
                        let length = rows.shape[axis];
                        let mut outside = false;
                        for (to, &value) in to.iter_mut().zip(values) {
                            outside |= value as u64 >= length as u64;
                            *to = to.wrapping_mul(length).wrapping_add(value);
                        }
                        if outside {
                            return Err(self.outside(
                                block,
                                each,
                                axis,
                                place,
                                None,
                                values,
                                &|_| length,
                            ));
                        }
                    }
                    Some(splits) => {
                        let splits: &[i64] = splits;
                        let mut outside = false;
                        let nodes = to[..n].to_vec();
                        for (to, &value) in to[..n].iter_mut().zip(values) {
                            let node = *to as usize;
                            match (splits.get(node), splits.get(node.wrapping_add(1))) {
                                (Some(&first), Some(&end)) => {
                                    let position = first.wrapping_add(value);
                                    outside |= value < 0 || position >= end || position < 0;
                                    *to = position;
                                }
                                _ => outside = true,
                            }
                        }
                        if outside {
                            let length = |at: usize| rows.length(axis, nodes[at]);
                            let before = Some(&indices[..axis]);
                            return Err(
                                self.outside(block, each, axis, place, before, values, &length)
                            );
                        }
                    }
                },
                _ => return Err(Error::illegal("no elements at positions")),
            }
        }
        // Splits were checked before; the elements are what memory safety hangs on.
        if let Form::Ragged(rows) = form {
            if to[..n]
                .iter()
                .any(|&position| position as u64 >= rows.count as u64)
            {
                return Err(Error::illegal(format!(
                    "{}: {} has other row splits than before",
                    self.label,
                    (place.name)()
                )));
            }
        }
        Ok(())
    }

    /// The values of an index. A look-up is read once, and saturates.
    pub fn index(&self, index: &Index, block: &Block, to: &mut [i64]) -> Result<(), Error> {
        let n = block.len;
        affines(&index.affine, block, &mut to[..n]);
        if let Some(look_up) = &index.look_up {
            let mut positions = vec![0i64; n];
            self.positions(look_up, block, &mut positions)?;
            let tensor = &self.tensors[look_up.tensor];
            for (to, &position) in to[..n].iter_mut().zip(&positions[..n]) {
                // SAFETY: `positions` has checked that these are elements of the tensor.
                *to = to.saturating_add(unsafe { tensor.integer(position) });
            }
        }
        Ok(())
    }

    /// The error of the first point at which an index is outside of its axis; `before` are the indices before a ragged one.
    #[allow(clippy::too_many_arguments)]
    fn outside(
        &self,
        block: &Block,
        index: &Index,
        axis: usize,
        place: &Place<'_>,
        before: Option<&[Index]>,
        values: &[i64],
        length: &dyn Fn(usize) -> i64,
    ) -> Error {
        let is_outside = |at: &usize| !(0..length(*at)).contains(&values[*at]);
        let at = (0..block.len).find(is_outside).unwrap_or(0);
        let one = match block.some(&[at as u32]) {
            Ok(one) => one,
            Err(error) => return error,
        };
        let name = (place.name)();
        let row = before.map_or(String::new(), |before| {
            let row: Vec<String> = before.iter().map(|index| self.shown(index, &one)).collect();
            format!(" in row {}", row.join(","))
        });
        let by = index.look_up.as_ref().map_or(String::new(), |access| {
            let at: Vec<String> = access
                .indices
                .iter()
                .map(|index| self.shown(index, &one))
                .collect();
            let looked = Index {
                affine: Affine::default(),
                look_up: index.look_up.clone(),
                checked: true,
            };
            let value = self.shown(&looked, &one);
            format!(
                ", by {}[{}] = {value}",
                (self.names)(access.tensor),
                at.join(",")
            )
        });
        let done = if place.written { "written" } else { "read" };
        let fault = format!(
            "{}: {name} axis {axis} of length {}{row} would be {done} at {}{by}",
            self.label,
            length(at),
            values[at]
        );
        // What ranges promise is an argument's fault; what is looked up, guarded, constant or a row's own index is found as it runs.
        let terms = &index.affine.terms;
        let of_row = before.is_some_and(|before| {
            terms.is_empty()
                || terms.iter().any(|(id, _)| {
                    let mut loops = Vec::new();
                    before
                        .iter()
                        .for_each(|index| super::rows::loops(index, &mut loops));
                    loops.contains(id)
                })
        });
        let kind = if index.look_up.is_some() || index.checked || of_row {
            ErrorKind::IndexOutOfBounds
        } else {
            ErrorKind::IllegalArgument
        };
        Error::new(kind, vec![fault])
    }

    /// The value of an index at the only point of a block, for messages.
    fn shown(&self, index: &Index, one: &Block) -> String {
        let mut value = vec![0i64; one.len];
        match self.index(index, one, &mut value) {
            Ok(()) => value[0].to_string(),
            Err(_) => "?".to_owned(),
        }
    }
}

/// Whether a point is in a support.
pub(super) fn is_within(support: &Support, block: &Block, at: usize) -> bool {
    support.holds(&|leaf| block.entries[leaf][at] >= 0)
}

/// The value of an affine form at a point; partial sums may wrap.
pub(super) fn affine(affine: &Affine, block: &Block, at: usize) -> i64 {
    let terms = affine.terms.iter();
    terms
        .map(|&(id, coefficient)| block.loops[id][at].wrapping_mul(coefficient))
        .fold(affine.constant, i64::wrapping_add)
}

fn affines(affine: &Affine, block: &Block, to: &mut [i64]) {
    to.fill(affine.constant);
    for &(id, coefficient) in &affine.terms {
        for (to, &value) in to.iter_mut().zip(&block.loops[id]) {
            *to = to.wrapping_add(value.wrapping_mul(coefficient));
        }
    }
}

pub(super) fn splat(scalar: Scalar, n: usize, to: &mut Column) {
    let bits = scalar.bits();
    match scalar.dtype().width() {
        1 => to.of_mut::<u8>()[..n].fill(bits as u8),
        2 => to.of_mut::<u16>()[..n].fill(bits as u16),
        4 => to.of_mut::<u32>()[..n].fill(bits as u32),
        _ => to.of_mut::<u64>()[..n].fill(bits),
    }
}

fn spread<T: bytemuck::Pod>(points: &[u32], from: &Column, to: &mut Column) {
    let to = to.of_mut::<T>();
    for (&at, &value) in points.iter().zip(from.of::<T>()) {
        to[at as usize] = value;
    }
}

/// Reads elements at positions.
///
/// # Safety
/// Positions are those of elements of the tensor.
pub(super) unsafe fn gather(tensor: &Tensor<'_>, positions: &[i64], to: &mut Column) {
    // SAFETY: as the caller says; the tensor's memory is aligned to its type.
    unsafe {
        match (crate::kernel::size(to.dtype), to.dtype) {
            (_, DType::Bool) => {
                for (to, &at) in to.of_mut::<u8>().iter_mut().zip(positions) {
                    *to = u8::from(*tensor.data.offset(at as isize) != 0);
                }
            }
            (1, _) => {
                for (to, &at) in to.of_mut::<u8>().iter_mut().zip(positions) {
                    *to = *tensor.data.offset(at as isize);
                }
            }
            (2, _) => {
                let data = tensor.data.cast::<u16>();
                for (to, &at) in to.of_mut::<u16>().iter_mut().zip(positions) {
                    *to = *data.offset(at as isize);
                }
            }
            (4, _) => {
                let data = tensor.data.cast::<u32>();
                for (to, &at) in to.of_mut::<u32>().iter_mut().zip(positions) {
                    *to = *data.offset(at as isize);
                }
            }
            _ => {
                let data = tensor.data.cast::<u64>();
                for (to, &at) in to.of_mut::<u64>().iter_mut().zip(positions) {
                    *to = *data.offset(at as isize);
                }
            }
        }
    }
}
