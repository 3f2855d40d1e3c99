//! What a recurrence reads of a tensor for one row: the part at indices that the row determines.

use crate::bound::TensorId;
use crate::operand::{DType, Number};
use crate::stored::rows::inside;
use crate::stored::tensor::{Form, Rows, Tensor};
use crate::{Error, ErrorKind};

/// A part of a tensor, for each row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slice {
    /// The tensor at indices, one for each axis.
    pub element: Element,
    /// Whether guards stand around all of its reads: then a row need not have it.
    pub guarded: bool,
    /// Whether nothing but its type counts.
    pub is_type: bool,
}

/// A tensor at indices on its leading axes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Element {
    pub tensor: TensorId,
    /// The statement and the tensor, for messages.
    pub label: String,
    pub name: String,
    pub at: Vec<At>,
}

/// What is taken of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum At {
    All,
    One(Place),
}

/// An index that a row determines.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Place {
    pub constant: i64,
    /// Coefficients, and loops of the row by their axis.
    pub terms: Vec<(i64, usize)>,
    /// Coefficients, and lengths of the axis behind these indices.
    pub lengths: Vec<(i64, Element)>,
    pub look_up: Option<Box<Element>>,
}

/// A part of a tensor: an axis of which one index is taken has length 1, or 0 if it has no such index.
#[derive(Debug)]
pub(super) struct Cut {
    /// Its type; none for a number.
    pub dtype: Option<DType>,
    pub number: Option<Number>,
    pub data: *const u8,
    pub shape: Vec<i64>,
    pub strides: Vec<i64>,
}

/// What stands for a tensor of which only the type counts.
static NOTHING: [u64; 2] = [0; 2];

impl Slice {
    /// The part for a row, given by its loops; without one, of the shape that any would have.
    pub fn cut(&self, tensors: &[Tensor<'_>], row: Option<&[i64]>) -> Result<Cut, Error> {
        let tensor = &tensors[self.element.tensor];
        let mut cut = Cut {
            dtype: tensor.dtype(),
            number: match tensor.form {
                Form::Number(number) => Some(number),
                _ => None,
            },
            data: tensor.data,
            shape: Vec::new(),
            strides: Vec::new(),
        };
        if self.is_type {
            cut.data = NOTHING.as_ptr().cast();
            return Ok(cut);
        }
        let (offset, is_there) = match &tensor.form {
            Form::Dense { shape, strides } => self.dense(tensors, row, shape, strides, &mut cut)?,
            Form::Ragged(rows) => self.ragged(tensors, row, rows, &mut cut)?,
            Form::Number(_) => (0, true),
            Form::Sparse(_) => {
                let (label, name) = (&self.element.label, &self.element.name);
                return Err(Error::illegal(format!("{label}: {name} is sparse")));
            }
        };
        if let (Some(dtype), true) = (cut.dtype, is_there && row.is_some()) {
            let bytes = (offset as isize).wrapping_mul(dtype.width() as isize);
            cut.data = cut.data.wrapping_offset(bytes);
        }
        Ok(cut)
    }

    /// The index of an axis of that length, if it has it.
    fn index(
        &self,
        tensors: &[Tensor<'_>],
        (row, axis, length): (Option<&[i64]>, usize, i64),
        place: &Place,
    ) -> Result<Option<i64>, Error> {
        let Some(row) = row else {
            return Ok(Some(0));
        };
        let at = match place.value(tensors, row) {
            Err(error) if self.guarded && error.kind() == ErrorKind::IndexOutOfBounds => {
                return Ok(None)
            }
            at => at?,
        };
        match inside(at, length) {
            None if !self.guarded => Err(self.element.outside(axis, length, at)),
            found => Ok(found),
        }
    }

    fn dense(
        &self,
        tensors: &[Tensor<'_>],
        row: Option<&[i64]>,
        shape: &[i64],
        strides: &[i64],
        cut: &mut Cut,
    ) -> Result<(i64, bool), Error> {
        let (mut offset, mut is_there) = (0i64, true);
        for (axis, at) in self.element.at.iter().enumerate() {
            let length = shape[axis];
            match at {
                At::All => cut.shape.push(length),
                At::One(place) => match self.index(tensors, (row, axis, length), place)? {
                    Some(index) => {
                        offset += index * strides[axis];
                        cut.shape.push(1);
                    }
                    None => {
                        is_there = false;
                        cut.shape.push(0);
                    }
                },
            }
            cut.strides.push(strides[axis]);
        }
        Ok((offset, is_there))
    }

    fn ragged(
        &self,
        tensors: &[Tensor<'_>],
        row: Option<&[i64]>,
        rows: &Rows<'_>,
        cut: &mut Cut,
    ) -> Result<(i64, bool), Error> {
        let rank = rows.shape.len();
        let last = rows.splits.iter().rposition(Option::is_some).unwrap_or(0);
        cut.strides = vec![1; rank];
        for axis in (last..rank - 1).rev() {
            cut.strides[axis] = cut.strides[axis + 1].saturating_mul(rows.shape[axis + 1].max(1));
        }
        let (mut node, mut offset, mut is_there) = (0, 0, true);
        for (axis, at) in self.element.at.iter().enumerate() {
            // Rows before the last ragged axis are of one length only if one of them is taken: all of them together are no slice.
            let is_known = axis > last || (row.is_some() && is_there);
            let length = match is_known && !(axis < last && *at == At::All) {
                true => rows.length(axis, node),
                false => 0,
            };
            let index = match at {
                At::All => {
                    cut.shape.push(length);
                    0
                }
                At::One(place) if is_there => {
                    let index = self.index(tensors, (row, axis, length), place)?;
                    is_there = index.is_some();
                    cut.shape.push(i64::from(is_there));
                    index.unwrap_or(0)
                }
                At::One(_) => {
                    cut.shape.push(1);
                    0
                }
            };
            if axis <= last {
                if is_there && row.is_some() {
                    node = rows.child(axis, node, index);
                }
                if axis == last {
                    offset = node.wrapping_mul(cut.strides[axis]);
                    node = 0;
                }
            } else {
                offset += index * cut.strides[axis];
            }
        }
        Ok((offset, is_there))
    }
}

impl Element {
    fn outside(&self, axis: usize, length: i64, at: i128) -> Error {
        let (label, name) = (&self.label, &self.name);
        Error::outside(format!(
            "{label}: {name} axis {axis} of length {length} would be read at {at}"
        ))
    }

    /// The node, or the position, at its indices.
    fn position(&self, tensors: &[Tensor<'_>], row: &[i64]) -> Result<i64, Error> {
        let tensor = &tensors[self.tensor];
        let mut position = 0;
        for (axis, at) in self.at.iter().enumerate() {
            let At::One(place) = at else { continue };
            let at = place.value(tensors, row)?;
            let length = match &tensor.form {
                Form::Dense { shape, .. } => shape[axis],
                Form::Ragged(rows) => rows.length(axis, position),
                _ => 0,
            };
            let index = inside(at, length).ok_or_else(|| self.outside(axis, length, at))?;
            position = match &tensor.form {
                Form::Dense { strides, .. } => position + index * strides[axis],
                Form::Ragged(rows) => rows.child(axis, position, index),
                _ => 0,
            };
        }
        Ok(position)
    }

    /// The length of the axis behind its indices.
    fn length(&self, tensors: &[Tensor<'_>], row: &[i64]) -> Result<i64, Error> {
        let node = self.position(tensors, row)?;
        let rows = tensors[self.tensor].rows();
        Ok(rows.map_or(0, |rows| rows.length(self.at.len(), node)))
    }
}

impl Place {
    /// The index for a row.
    fn value(&self, tensors: &[Tensor<'_>], row: &[i64]) -> Result<i128, Error> {
        let mut sum = i128::from(self.constant);
        for &(coefficient, axis) in &self.terms {
            sum = sum.saturating_add(i128::from(coefficient) * i128::from(row[axis]));
        }
        for (coefficient, length) in &self.lengths {
            let length = length.length(tensors, row)?;
            sum = sum.saturating_add(i128::from(*coefficient) * i128::from(length));
        }
        if let Some(look_up) = &self.look_up {
            let tensor = &tensors[look_up.tensor];
            let value = match &tensor.form {
                Form::Number(Number::Integer(number)) => *number,
                Form::Number(Number::Fraction(_)) => 0,
                _ => {
                    let position = look_up.position(tensors, row)?;
                    // SAFETY: all indices are inside, so this is the position of an element; row splits were checked before the run.
                    unsafe { tensor.integer(position) }
                }
            };
            sum = sum.saturating_add(i128::from(value));
        }
        Ok(sum)
    }
}
