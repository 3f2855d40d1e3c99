//! The inputs and outputs of a run, as Java gives them.

use std::ops::Range;
use std::ptr::NonNull;

use tensornio_compute::operand::{DType, Number, Operand, OperandMut, Strided};
use tensornio_compute::signature::Kind;
use tensornio_compute::Signature;
use tensornio_core::copy::overlap;

use crate::classes::Classes;
use crate::env::Env;
use crate::guard::Failure;
use crate::handle::ObjectArray;

/// What a truth value that Java passed as a number points to.
static TRUTH: [u8; 2] = [0, 1];

/// The address of the first element, and the layout from there.
type Elements<'g> = (NonNull<u8>, Strided<&'g [i64]>);

/// Reads the inputs and outputs one after the other, and checks that every element lies inside of its buffer.
pub(crate) struct Sides<'a, 'g> {
    env: Env<'a>,
    classes: &'static Classes,
    memory: ObjectArray<'a>,
    geometry: &'g [i64],
    next: usize,
    /// The addresses of each side, from its lowest byte to its highest; empty if it has no memory.
    extents: Vec<Range<usize>>,
}

impl<'a, 'g> Sides<'a, 'g> {
    /// Of so many inputs and outputs.
    pub fn new(
        env: Env<'a>,
        memory: ObjectArray<'a>,
        geometry: &'g [i64],
        expected: usize,
    ) -> Result<Sides<'a, 'g>, Failure> {
        let given = env.len_of_objects(memory);
        if given != expected {
            return Err(Failure::illegal_argument(format!(
                "memory has {given} elements, the plan has {expected} inputs and outputs"
            )));
        }
        Ok(Sides {
            env,
            classes: Classes::get().ok_or_else(|| Failure::internal("the library is unloaded"))?,
            memory,
            geometry,
            next: 0,
            extents: Vec::with_capacity(expected),
        })
    }

    /// The next side as an input.
    pub fn input(&mut self, signature: &'g Signature) -> Result<Operand<'g>, Failure> {
        let name = self.next;
        match signature.kind {
            Kind::Integer => Ok(Operand::Number(Number::Integer(self.bits()?))),
            Kind::Fraction => Ok(Operand::Number(Number::Fraction(f64::from_bits(
                self.bits()? as u64,
            )))),
            Kind::Typed(dtype) => {
                let Some((data, layout)) = self.elements(dtype, &signature.shape)? else {
                    // A truth value; the place is its number.
                    return match (dtype, self.extents[name].start) {
                        (DType::Bool, value @ (0 | 1)) if signature.shape.is_empty() => {
                            self.extents[name] = 0..0;
                            Ok(Operand::Tensor {
                                dtype,
                                data: &raw const TRUTH[value],
                                layout: Strided::new(&[][..], &[][..], 0)?,
                            })
                        }
                        _ => Err(Failure::illegal_argument(format!("memory {name} is null"))),
                    };
                };
                Ok(Operand::Tensor {
                    dtype,
                    data: data.as_ptr(),
                    layout,
                })
            }
        }
    }

    /// The next side as an output.
    pub fn output(&mut self, signature: &'g Signature) -> Result<OperandMut<'g>, Failure> {
        let name = self.next;
        let Kind::Typed(dtype) = signature.kind else {
            return Err(Failure::internal(format!("output {name} has no type")));
        };
        let Some((data, layout)) = self.elements(dtype, &signature.shape)? else {
            return Err(Failure::illegal_argument(format!("memory {name} is null")));
        };
        if !layout.has_distinct_positions() {
            return Err(Failure::illegal_argument(format!(
                "memory {name} is written, and has several elements at one place: shape {:?}, strides {:?}",
                layout.shape(), layout.strides()
            )));
        }
        Ok(OperandMut {
            dtype,
            data: data.as_ptr(),
            layout,
        })
    }

    /// Checks that all was used, and that nothing that is written, from a side on, overlaps anything else.
    pub fn finish(&self, written: usize) -> Result<(), Failure> {
        if !self.geometry.is_empty() {
            return Err(Failure::illegal_argument(format!(
                "geometry has {} numbers too many",
                self.geometry.len()
            )));
        }
        for (out, a) in self.extents.iter().enumerate().skip(written) {
            for (other, b) in self.extents.iter().enumerate().take(out) {
                if overlap(a, b) {
                    return Err(Failure::illegal_argument(format!(
                        "memory {out}, which is written, overlaps memory {other}"
                    )));
                }
            }
        }
        Ok(())
    }

    fn number(&mut self) -> Result<i64, Failure> {
        let (&first, rest) = self.geometry.split_first().ok_or_else(too_short)?;
        self.geometry = rest;
        Ok(first)
    }

    /// The bits of a number, which has no memory.
    fn bits(&mut self) -> Result<i64, Failure> {
        self.next += 1;
        self.extents.push(0..0);
        self.number()
    }

    /// The elements of the next side; `None` if there is no memory, and then the place is its extent.
    fn elements(
        &mut self,
        dtype: DType,
        shape: &'g [i64],
    ) -> Result<Option<Elements<'g>>, Failure> {
        let name = self.next;
        self.next += 1;
        let place = self.number()?;
        let place = usize::try_from(place).map_err(|_| {
            Failure::illegal_argument(format!("memory {name} begins at byte {place}"))
        })?;
        if self.geometry.len() < shape.len() {
            return Err(too_short());
        }
        let (strides, rest) = self.geometry.split_at(shape.len());
        self.geometry = rest;
        let Some(object) = self.env.object(self.memory, name)? else {
            self.extents.push(place..place);
            return Ok(None);
        };
        let buffer = object.as_object();
        let address = self.env.direct_address(buffer);
        let is_bytes = self
            .classes
            .buffers(1)
            .any(|class| self.env.is_instance(buffer, class));
        let capacity = self.env.direct_capacity(buffer);
        // The array holds it, for as long as the call.
        self.env.delete(object);
        let (Some(address), true, Some(capacity)) = (address, is_bytes, capacity) else {
            return Err(Failure::illegal_argument(format!(
                "memory {name} is no direct buffer of bytes"
            )));
        };
        let width = dtype.width();
        let start = place / width;
        if place % width != 0 || address.as_ptr() as usize % width != 0 {
            return Err(Failure::illegal_argument(format!(
                "memory {name} begins at byte {place}, which elements of {width} bytes do not"
            )));
        }
        let start = i64::try_from(start).map_err(|_| too_short())?;
        let selected = Strided::new(shape, strides, start)?;
        let elements = selected.check(capacity / width)?;
        let (lowest, highest) = selected.bounds().unwrap_or((0, -1));
        // Both are positions inside of the buffer, or nothing is.
        let at = |position: i64| address.as_ptr() as usize + position as usize * width;
        self.extents.push(at(lowest)..at(highest + 1));
        // The pointer includes the offset: plans cache their work by layout, which so is the same at each call.
        let first = if elements == 0 {
            address
        } else {
            // SAFETY: the place is that of an element inside of the buffer, as was checked.
            unsafe { address.add(place) }
        };
        Ok(Some((first, selected.at_offset(0))))
    }
}

fn too_short() -> Failure {
    Failure::illegal_argument(
        "geometry is too short: a place and the strides of every input and output",
    )
}
