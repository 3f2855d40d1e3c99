//! The elements of operands and results, as algorithms read and write them: row-major, checked, and never by reference, since Java may write them at
//! any time.

use tensornio_compute::operand::{Operand, OperandMut, Strided};
use tensornio_compute::Error;
use tensornio_core::dtype::Typed;

/// A list of that length; the error if there is no memory for it.
pub(crate) fn list<T: Copy + Default>(length: usize) -> Result<Vec<T>, Error> {
    let mut list = Vec::new();
    reserve(&mut list, length)?;
    list.resize(length, T::default());
    Ok(list)
}

/// Makes room for that many elements in a list.
pub(crate) fn reserve<T>(list: &mut Vec<T>, length: usize) -> Result<(), Error> {
    list.clear();
    list.try_reserve_exact(length).map_err(|_| {
        let bytes = length.saturating_mul(size_of::<T>());
        Error::new(
            tensornio_compute::ErrorKind::OutOfMemory,
            vec![format!("no memory for {bytes} bytes of temporaries")],
        )
    })
}

/// The error of a call that Java's side of this never makes.
pub(crate) fn malformed(what: impl std::fmt::Display) -> Error {
    Error::illegal(format!("the call does not fit its algorithm: {what}"))
}

/// The elements of an operand in row-major order.
pub(crate) struct Source<T> {
    first: *const T,
    shape: Vec<usize>,
    length: usize,
    /// The elements, if they are not contiguous where they are.
    _copy: Vec<T>,
}

// SAFETY: it only reads elements, which are plain data.
unsafe impl<T: Typed> Send for Source<T> {}
// SAFETY: as above.
unsafe impl<T: Typed> Sync for Source<T> {}

impl<T: Typed> Source<T> {
    /// The elements of an operand, a copy of them if they are not contiguous.
    ///
    /// # Safety
    /// As [`Operand`] says, as long as the result is used.
    pub unsafe fn new(operand: &Operand) -> Result<Source<T>, Error> {
        let Operand::Tensor {
            dtype,
            data,
            layout,
        } = *operand
        else {
            return Err(malformed("an operand is a number"));
        };
        if dtype != T::DTYPE {
            return Err(malformed(format!("{dtype} is not {}", T::DTYPE)));
        }
        let shape: Vec<usize> = layout.shape().iter().map(|&size| size as usize).collect();
        let length = layout.elements() as usize;
        if length == 0 || layout.is_contiguous() {
            let first = data.cast::<T>().wrapping_offset(layout.offset() as isize);
            return Ok(Source {
                first,
                shape,
                length,
                _copy: Vec::new(),
            });
        }
        let mut copy = list::<T>(length)?;
        let target =
            Strided::row_major(layout.shape().to_vec()).map_err(|e| malformed(e.to_string()))?;
        let to = copy.as_mut_ptr().cast::<u8>();
        // SAFETY: the caller's promise for what is read; the list has an element for each of the shape.
        unsafe {
            tensornio_core::copy::copy(T::DTYPE.width(), data, layout, to, target.as_slices())
        }
        .map_err(|e| malformed(e.to_string()))?;
        Ok(Source {
            first: copy.as_ptr(),
            shape,
            length,
            _copy: copy,
        })
    }

    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    pub fn len(&self) -> usize {
        self.length
    }

    /// The element at a position.
    pub fn get(&self, at: usize) -> T {
        assert!(at < self.length, "{at} of {}", self.length);
        // SAFETY: one of the elements, which `new` was promised.
        unsafe { self.first.add(at).read() }
    }

    /// Copies consecutive elements.
    pub fn read(&self, from: usize, to: &mut [T]) {
        assert!(
            from <= self.length && to.len() <= self.length - from,
            "{from}, {} of {}",
            to.len(),
            self.length
        );
        // SAFETY: elements that `new` was promised, into a list of the library.
        unsafe {
            self.first
                .add(from)
                .copy_to_nonoverlapping(to.as_mut_ptr(), to.len());
        }
    }

    /// All elements, copied.
    pub fn all(&self) -> Result<Vec<T>, Error> {
        let mut all = list(self.length)?;
        self.read(0, &mut all);
        Ok(all)
    }
}

/// The elements of a result, which are contiguous.
#[derive(Clone, Copy)]
pub(crate) struct Target<T> {
    first: *mut T,
    length: usize,
}

// SAFETY: elements are plain data, and each unit of work writes its own.
unsafe impl<T: Typed> Send for Target<T> {}
// SAFETY: as above.
unsafe impl<T: Typed> Sync for Target<T> {}

impl<T: Typed> Target<T> {
    /// The elements of a result, of which there must be `length`.
    ///
    /// # Safety
    /// As [`OperandMut`] says, as long as the result is used.
    pub unsafe fn new(operand: &mut OperandMut, length: usize) -> Result<Target<T>, Error> {
        let layout = &operand.layout;
        if operand.dtype != T::DTYPE {
            return Err(malformed(format!("{} is not {}", operand.dtype, T::DTYPE)));
        }
        if layout.elements() as usize != length || length > 0 && !layout.is_contiguous() {
            return Err(malformed(format!(
                "a result of shape {:?} and strides {:?} for {length} elements",
                layout.shape(),
                layout.strides()
            )));
        }
        Ok(Target {
            first: operand
                .data
                .cast::<T>()
                .wrapping_offset(layout.offset() as isize),
            length,
        })
    }

    /// Writes an element.
    pub fn set(&self, at: usize, value: T) {
        assert!(at < self.length, "{at} of {}", self.length);
        // SAFETY: one of the elements, which `new` was promised.
        unsafe { self.first.add(at).write(value) }
    }

    /// Writes consecutive elements.
    pub fn write(&self, at: usize, from: &[T]) {
        assert!(
            at <= self.length && from.len() <= self.length - at,
            "{at}, {} of {}",
            from.len(),
            self.length
        );
        // SAFETY: elements that `new` was promised, from a list of the library.
        unsafe {
            self.first
                .add(at)
                .copy_from_nonoverlapping(from.as_ptr(), from.len());
        }
    }
}
