//! A dense, ragged or sparse tensor, or a number, while a program runs.

use std::sync::Arc;

use super::memory::{Buffer, Numbers};
use crate::operand::{DType, Number};
use crate::signature::Kind;
use crate::Error;

/// A tensor, or a number.
///
/// The constructing code promises that every element that the form has, relative to `data`, stays allocated and initialised as long as this lives,
/// and that `data` is aligned to the type's size. Of row splits and coordinates nothing is promised but that they are as many as the form says.
#[derive(Clone, Debug)]
pub struct Tensor<'a> {
    /// The type of its elements; of a number, 8 bytes of the other kinds.
    pub kind: Kind,
    /// The address of position 0.
    pub data: *const u8,
    /// What keeps the elements of a result.
    pub keep: Option<Arc<Buffer>>,
    /// Where elements are.
    pub form: Form<'a>,
}

// SAFETY: elements are read only, and stay where they are, as who made it promised.
unsafe impl Send for Tensor<'_> {}
// SAFETY: as above.
unsafe impl Sync for Tensor<'_> {}

/// Where the elements of a tensor are.
#[derive(Clone, Debug)]
pub enum Form<'a> {
    /// Of a number: it has no memory.
    Number(Number),
    /// At multiples of strides.
    Dense {
        /// The length of each axis.
        shape: Vec<i64>,
        /// The distance between neighbours, in elements.
        strides: Vec<i64>,
    },
    /// In row-major order, rows of one axis being of different lengths.
    Ragged(Rows<'a>),
    /// In the order of coordinates.
    Sparse(Points<'a>),
}

/// Rows of different lengths: the nodes at depth d are the indices on d leading axes in row-major order. The children of node p are the nodes
/// `p * n + i` on a uniform axis of length n, and `splits[p] + i` on a ragged one.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    /// The length of each axis, -1 for a ragged one; the first one is not ragged.
    pub shape: Vec<i64>,
    /// The row splits of each ragged axis.
    pub splits: Vec<Option<Numbers<'a>>>,
    /// The number of elements.
    pub count: i64,
}

impl Rows<'_> {
    /// The child of a node of axis `axis`.
    pub fn child(&self, axis: usize, node: i64, index: i64) -> i64 {
        match &self.splits[axis] {
            Some(splits) => splits
                .get(node as usize)
                .map_or(-1, |first| first.wrapping_add(index)),
            None => node.wrapping_mul(self.shape[axis]).wrapping_add(index),
        }
    }

    /// The length of axis `axis` below a node; 0 where there is no such node.
    pub fn length(&self, axis: usize, node: i64) -> i64 {
        match &self.splits[axis] {
            Some(splits) => {
                let at = node as usize;
                match (splits.get(at), splits.get(at.wrapping_add(1))) {
                    (Some(first), Some(end)) => end.saturating_sub(*first).max(0),
                    _ => 0,
                }
            }
            None => self.shape[axis],
        }
    }

    /// Whether all rows are those of another one.
    pub fn agrees(&self, other: &Rows<'_>) -> bool {
        self.shape == other.shape
            && self
                .splits
                .iter()
                .zip(&other.splits)
                .all(|(a, b)| match (a, b) {
                    (Some(a), Some(b)) => a.is_same(b) || **a == **b,
                    (None, None) => true,
                    _ => false,
                })
    }
}

/// Stored points.
#[derive(Clone, Debug)]
pub struct Points<'a> {
    /// The length of each axis.
    pub shape: Vec<i64>,
    /// The coordinates of each point, distinct, in row-major order.
    pub coordinates: Numbers<'a>,
    /// The number of points.
    pub count: usize,
    /// Those of a matrix by rows, if that was made.
    pub compressed: Option<Compressed<'a>>,
}

/// The points of a matrix by rows. Nothing is promised of the numbers, nor that there are as many as there are points.
#[derive(Clone, Copy, Debug)]
pub struct Compressed<'a> {
    /// Where each row begins, and the number of points.
    pub starts: &'a [i64],
    /// The column of each point.
    pub columns: &'a [i32],
}

impl<'a> Compressed<'a> {
    /// Those of so many rows and points, where they are kept in one piece: columns follow, two in each number.
    pub fn packed(numbers: &'a [i64], rows: usize, points: usize) -> Option<Compressed<'a>> {
        let (starts, columns) = numbers.split_at_checked(rows.checked_add(1)?)?;
        let columns = bytemuck::cast_slice(columns).get(..points)?;
        Some(Compressed { starts, columns })
    }
}

impl Points<'_> {
    /// The coordinates of a point.
    pub fn at(&self, point: usize) -> &[i64] {
        let rank = self.shape.len();
        &self.coordinates[point * rank..(point + 1) * rank]
    }

    /// The number of the point at coordinates.
    pub fn find(&self, at: &[i64]) -> Option<usize> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.at(middle).cmp(at) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

/// The row-major strides of a shape.
pub fn row_major(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1i64; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis].saturating_mul(shape[axis].max(1));
    }
    strides
}

impl<'a> Tensor<'a> {
    /// A number.
    pub fn number(number: Number) -> Tensor<'a> {
        let kind = match number {
            Number::Integer(_) => Kind::Integer,
            Number::Fraction(_) => Kind::Fraction,
        };
        Tensor {
            kind,
            data: std::ptr::null(),
            keep: None,
            form: Form::Number(number),
        }
    }

    /// A tensor whose elements are in a buffer.
    pub fn made(dtype: DType, buffer: Buffer, form: Form<'a>) -> Tensor<'a> {
        let buffer = Arc::new(buffer);
        Tensor {
            kind: Kind::Typed(dtype),
            data: buffer.start(),
            keep: Some(buffer),
            form,
        }
    }

    /// The type of its elements; none for a number.
    pub fn dtype(&self) -> Option<DType> {
        match self.kind {
            Kind::Typed(dtype) => Some(dtype),
            Kind::Integer | Kind::Fraction => None,
        }
    }

    /// The length of each axis, -1 for a ragged one.
    pub fn shape(&self) -> &[i64] {
        match &self.form {
            Form::Number(_) => &[],
            Form::Dense { shape, .. } => shape,
            Form::Ragged(rows) => &rows.shape,
            Form::Sparse(points) => &points.shape,
        }
    }

    /// Whether it is dense, or a number.
    pub fn is_dense(&self) -> bool {
        matches!(self.form, Form::Number(_) | Form::Dense { .. })
    }

    /// The stored points of a sparse tensor.
    pub fn points(&self) -> Option<&Points<'a>> {
        match &self.form {
            Form::Sparse(points) => Some(points),
            _ => None,
        }
    }

    /// The rows of a ragged tensor.
    pub fn rows(&self) -> Option<&Rows<'a>> {
        match &self.form {
            Form::Ragged(rows) => Some(rows),
            _ => None,
        }
    }

    /// An element as an index; 0 if it is no integer.
    ///
    /// # Safety
    /// It is the position of an element.
    pub(super) unsafe fn integer(&self, position: i64) -> i64 {
        let at = position as isize;
        // SAFETY: as the caller says; the tensor's memory is aligned to its type.
        unsafe {
            match self.dtype() {
                Some(DType::Int32) => i64::from(*self.data.cast::<i32>().offset(at)),
                Some(DType::Int64) => *self.data.cast::<i64>().offset(at),
                Some(DType::UInt8) => i64::from(*self.data.offset(at)),
                Some(DType::Int8) => i64::from(*self.data.cast::<i8>().offset(at)),
                Some(DType::Int16) => i64::from(*self.data.cast::<i16>().offset(at)),
                Some(DType::UInt16) => i64::from(*self.data.cast::<u16>().offset(at)),
                Some(DType::UInt32) => i64::from(*self.data.cast::<u32>().offset(at)),
                _ => 0,
            }
        }
    }

    /// Checks that splits and coordinates are what the form says.
    ///
    /// # Errors
    /// Of kind illegal argument.
    pub fn check(&self, name: &str) -> Result<(), Error> {
        let fault = |what: &str| Err(Error::illegal(format!("{name}: {what}")));
        match &self.form {
            Form::Ragged(rows) => {
                let mut nodes = rows.shape.first().copied().unwrap_or(0);
                for axis in 1..rows.shape.len() {
                    match &rows.splits[axis] {
                        Some(splits) => {
                            let ascend = splits.windows(2).all(|pair| pair[0] <= pair[1]);
                            if splits.len() as i64 != nodes.saturating_add(1)
                                || splits[0] != 0
                                || !ascend
                            {
                                return fault("row splits that are none");
                            }
                            nodes = splits[splits.len() - 1];
                        }
                        None => nodes = nodes.saturating_mul(rows.shape[axis]),
                    }
                }
                if nodes != rows.count {
                    return fault("other row splits than values");
                }
            }
            Form::Sparse(points) => {
                let rank = points.shape.len();
                if points.coordinates.len() != points.count * rank {
                    return fault("other coordinates than values");
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl Tensor<'_> {
    /// The same tensor, whose parts are all its own: row splits and coordinates that are an input's are copied.
    ///
    /// # Errors
    /// Of kind out of memory.
    pub fn owned(self, name: &str) -> Result<Tensor<'static>, Error> {
        let own = |numbers: Numbers<'_>| match numbers {
            Numbers::Made(buffer) => Ok(Numbers::Made(buffer)),
            Numbers::Given(numbers) => Numbers::copied(numbers, || name.to_owned()),
        };
        let form = match self.form {
            Form::Number(number) => Form::Number(number),
            Form::Dense { shape, strides } => Form::Dense { shape, strides },
            Form::Ragged(rows) => {
                let splits = rows.splits.into_iter();
                Form::Ragged(Rows {
                    shape: rows.shape,
                    splits: splits
                        .map(|splits| splits.map(own).transpose())
                        .collect::<Result<_, Error>>()?,
                    count: rows.count,
                })
            }
            Form::Sparse(points) => Form::Sparse(Points {
                shape: points.shape,
                coordinates: own(points.coordinates)?,
                count: points.count,
                compressed: None,
            }),
        };
        Ok(Tensor {
            kind: self.kind,
            data: self.data,
            keep: self.keep,
            form,
        })
    }
}
