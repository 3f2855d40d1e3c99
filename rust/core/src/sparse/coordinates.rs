//! Pointers to coordinates, and the dense shape that they are in.

use crate::{shape, Error};

/// A pointer to the coordinates of entries.
#[derive(Clone, Copy, Debug)]
pub enum Coordinates {
    /// Rows of as many coordinates as there are axes.
    Rows(*const i64),
    /// Linear indices in row-major order.
    Linear(*const i64),
}

impl Coordinates {
    /// The first number.
    pub fn start(self) -> *const i64 {
        match self {
            Coordinates::Rows(start) | Coordinates::Linear(start) => start,
        }
    }
}

/// A coordinate that is outside of its axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outside {
    pub axis: usize,
    pub coordinate: i64,
}

/// A dense shape. The key of an element is its linear index in row-major order.
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a> {
    shape: &'a [i64],
    elements: i64,
}

impl<'a> Grid<'a> {
    /// The grid of that shape.
    ///
    /// # Errors
    /// [`Error::NegativeSize`], [`Error::TooManyElements`].
    pub fn new(shape: &'a [i64]) -> Result<Grid<'a>, Error> {
        Ok(Grid {
            shape,
            elements: shape::elements(shape)?,
        })
    }

    /// The size of each axis.
    pub fn shape(&self) -> &'a [i64] {
        self.shape
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The number of elements.
    pub fn elements(&self) -> i64 {
        self.elements
    }

    pub(super) fn outside(&self, row: usize, outside: Outside, linear: bool) -> Error {
        let Outside { axis, coordinate } = outside;
        if linear {
            return Error::PositionOutside {
                row,
                position: coordinate,
                elements: self.elements,
                shape: self.shape.to_vec(),
            };
        }
        Error::CoordinateOutside {
            row,
            axis,
            coordinate,
            size: self.shape[axis],
            shape: self.shape.to_vec(),
        }
    }
}
