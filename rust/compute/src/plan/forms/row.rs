//! Rows that are looked up: where they are, and how long.

use crate::bound::{Index, Statement, TensorId};
use crate::operand::DType;
use crate::plan::tile::{Failed, View};

/// Shorter rows, in bytes, are moved element by element.
const SHORTEST: usize = 32;

/// A tensor, the offset of its element at 0, and the stride of each loop over rows, in bytes.
#[derive(Debug)]
pub(super) struct Steps {
    pub tensor: TensorId,
    /// The bytes of an element.
    pub size: usize,
    start: i64,
    strides: Vec<i64>,
}

impl Steps {
    pub fn new(tensor: TensorId, indices: &[Index], view: &View, loops: usize) -> Steps {
        let size = view.dtype.width();
        Steps {
            tensor,
            size,
            start: view.start(indices).wrapping_mul(size as i64),
            strides: view.steps(indices, loops),
        }
    }

    /// Leaves the first loops, those over rows.
    pub fn truncate(&mut self, outer: usize) {
        self.strides.truncate(outer);
    }

    pub fn at(&self, at: &[i64]) -> isize {
        at.iter()
            .zip(&self.strides)
            .fold(self.start, |sum, (&k, &stride)| {
                sum.wrapping_add(k.wrapping_mul(stride))
            }) as isize
    }

    /// The bytes that are touched by rows of so many bytes, counted from position 0.
    pub fn touched(&self, ranges: &[i64], row: usize) -> (TensorId, (i128, i128)) {
        let (mut least, mut greatest) = (i128::from(self.start), i128::from(self.start));
        for (&stride, &range) in self.strides.iter().zip(ranges) {
            let last = i128::from(stride) * i128::from(range - 1);
            least += last.min(0);
            greatest += last.max(0);
        }
        (self.tensor, (least, greatest + row as i128))
    }
}

/// The number of a row on one axis of a table: an element of an index tensor, and a sum of loops.
#[derive(Debug)]
pub(super) struct RowNumber {
    index: Steps,
    dtype: DType,
    /// The affine part: a constant, and the coefficient of each loop.
    affine: (i64, Vec<i64>),
    /// The length and stride of the axis; the stride in bytes.
    axis: (i64, i64),
}

impl RowNumber {
    /// That of an access with one look-up, in a tensor at plain indices.
    pub fn new(
        table: TensorId,
        indices: &[Index],
        views: &[View],
        loops: usize,
    ) -> Option<RowNumber> {
        let mut looked = (0..indices.len()).filter(|&axis| indices[axis].look_up.is_some());
        let axis = looked.next()?;
        let look = indices[axis].look_up.as_deref()?;
        let mut others = indices.iter().enumerate();
        if looked.next().is_some()
            || !look.is_plain()
            || !others.all(|(k, index)| k == axis || index.is_plain())
        {
            return None;
        }
        let mut terms = vec![0; loops];
        let affine = &indices[axis].affine;
        affine.terms.iter().for_each(|&(l, k)| terms[l] = k);
        let (view, index) = (&views[table], &views[look.tensor]);
        let size = view.dtype.width() as i64;
        Some(RowNumber {
            index: Steps::new(look.tensor, &look.indices, index, loops),
            dtype: index.dtype,
            affine: (affine.constant, terms),
            axis: (
                view.layout.shape()[axis],
                view.layout.strides()[axis].wrapping_mul(size),
            ),
        })
    }

    /// The number of outer loops, and that of the elements of a row: the last loops, while both sides are contiguous along them, and the number does
    /// not depend on them. `None` if rows are too short to pay.
    pub fn rows(&self, statement: &Statement, sides: [&Steps; 2]) -> Option<(usize, usize)> {
        let mut elements = 1usize;
        let mut outer = statement.loops.len();
        while outer > 0 {
            let l = outer - 1;
            let range = statement.loops[l].range;
            let piece = sides
                .iter()
                .all(|side| i128::from(side.strides[l]) == (side.size * elements) as i128);
            if range > 1 && (!piece || self.index.strides[l] != 0 || self.affine.1[l] != 0) {
                break;
            }
            elements = elements.checked_mul(range as usize)?;
            outer = l;
        }
        let bytes = elements.checked_mul(sides[0].size.min(sides[1].size))?;
        (bytes >= SHORTEST && outer > 0).then_some((outer, elements))
    }

    /// Leaves the first loops, those over rows.
    pub fn truncate(&mut self, outer: usize) {
        self.index.truncate(outer);
        self.affine.1.truncate(outer);
    }

    /// The index tensor.
    pub fn tensor(&self) -> TensorId {
        self.index.tensor
    }

    /// The bytes of the index tensor that are touched.
    pub fn touched(&self, ranges: &[i64]) -> (TensorId, (i128, i128)) {
        self.index.touched(ranges, self.dtype.width())
    }

    /// What is touched of the table, if this is touched at row 0.
    pub fn within(
        &self,
        (table, (mut from, mut to)): (TensorId, (i128, i128)),
    ) -> (TensorId, (i128, i128)) {
        let last = i128::from(self.axis.1) * i128::from(self.axis.0 - 1);
        from += last.min(0);
        to += last.max(0);
        (table, (from, to))
    }

    /// The offset of the row in bytes.
    ///
    /// # Errors
    ///
    /// The number is outside of the axis.
    ///
    /// # Safety
    ///
    /// `index` is position 0 of the index tensor, which has an element there.
    #[inline]
    pub unsafe fn offset(&self, index: *const u8, at: &[i64]) -> Result<isize, Failed> {
        let from = index.wrapping_offset(self.index.at(at));
        // SAFETY: as the caller says; loaded once, the loaded value is checked and used.
        let value = unsafe {
            match self.dtype {
                DType::Int32 => i64::from(from.cast::<i32>().read_volatile()),
                DType::Int64 => from.cast::<i64>().read_volatile(),
                DType::Int8 => i64::from(from.cast::<i8>().read_volatile()),
                DType::Int16 => i64::from(from.cast::<i16>().read_volatile()),
                DType::UInt16 => i64::from(from.cast::<u16>().read_volatile()),
                DType::UInt32 => i64::from(from.cast::<u32>().read_volatile()),
                _ => i64::from(from.read_volatile()),
            }
        };
        let terms = at.iter().zip(&self.affine.1);
        let added = terms.fold(self.affine.0, |sum, (&k, &by)| {
            sum.wrapping_add(k.wrapping_mul(by))
        });
        let number = value.checked_add(added);
        let inside = number.filter(|number| (0..self.axis.0).contains(number));
        inside
            .map(|number| (number * self.axis.1) as isize)
            .ok_or(Failed)
    }
}
