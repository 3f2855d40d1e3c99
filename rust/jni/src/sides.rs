//! The inputs and outputs of a run, from Java.

use std::ops::Range;
use std::ptr::NonNull;

use smallvec::SmallVec;
use tensornio_compute::operand::{DType, Number, Operand, OperandMut, Strided};
use tensornio_compute::overlap::written_twice;
use tensornio_compute::signature::Kind;
use tensornio_compute::Signature;

use crate::env::Env;
use crate::guard::Failure;
use crate::handle::{BufferArray, ObjectArray};
use crate::memory::reach;

/// The buffer number of a truth value, which has no buffer.
const NONE: i64 = -1;

/// The memory to which truth values passed as numbers point.
static TRUTH: [u8; 2] = [0, 1];

/// The address of the first element, and the layout from there.
type Elements<'g> = (NonNull<u8>, Strided<&'g [i64]>);

/// The addresses of the elements of a side in a file, and the file's descriptor. The address of the file's first byte is [`FAR`].
pub(crate) type InFile = (Range<usize>, i32);

/// An address of the file's first byte, where no memory can be: files have fewer bytes than a quarter of all addresses.
pub(crate) const FAR: usize = 1 << (usize::BITS - 2);

/// A direct buffer.
#[derive(Clone, Copy)]
struct Buffer {
    address: NonNull<u8>,
    capacity: usize,
}

/// Reads the inputs and outputs in order, and checks that every element is inside of its buffer.
pub(crate) struct Sides<'a, 'g> {
    env: Env<'a>,
    memory: ObjectArray<'a>,
    /// The length of `memory`.
    count: usize,
    /// A cache of queried elements of `memory`: querying the JVM takes longer than all else here.
    buffers: SmallVec<[Option<Buffer>; 8]>,
    geometry: &'g [i64],
    /// The addresses of each side, from its lowest byte to its highest; empty if it has no memory.
    extents: SmallVec<[Range<usize>; 8]>,
    /// Whether inputs may be in files.
    may_be_files: bool,
    /// Those that are, by number; there are none beyond the end.
    files: Vec<Option<InFile>>,
}

impl<'a, 'g> Sides<'a, 'g> {
    /// The sides in these buffers.
    pub fn new(env: Env<'a>, memory: BufferArray<'a>, geometry: &'g [i64]) -> Sides<'a, 'g> {
        let memory = memory.objects();
        Sides {
            env,
            memory,
            count: env.len_of_objects(memory),
            buffers: SmallVec::new(),
            geometry,
            extents: SmallVec::new(),
            may_be_files: false,
            files: Vec::new(),
        }
    }

    /// Lets inputs be in files: their buffer number is -2 minus the descriptor, and their place a position in the file.
    pub fn with_files(mut self) -> Sides<'a, 'g> {
        self.may_be_files = true;
        self
    }

    /// The inputs that are in files, by number; after all inputs and outputs.
    pub fn into_files(self) -> Vec<Option<InFile>> {
        self.files
    }

    /// The next side as an input.
    pub fn input(&mut self, signature: &'g Signature) -> Result<Operand<'g>, Failure> {
        let dtype = match signature.kind {
            Kind::Integer => return Ok(Operand::Number(Number::Integer(self.bits()?))),
            Kind::Fraction => {
                let bits = self.bits()? as u64;
                return Ok(Operand::Number(Number::Fraction(f64::from_bits(bits))));
            }
            Kind::Typed(dtype) => dtype,
        };
        if let (DType::Bool, [], [NONE, value @ (0 | 1), rest @ ..]) =
            (dtype, &signature.shape[..], self.geometry)
        {
            self.geometry = rest;
            self.extents.push(0..0);
            return Ok(Operand::Tensor {
                dtype,
                data: &raw const TRUTH[*value as usize],
                layout: Strided::new(&[][..], &[][..], 0)?,
            });
        }
        if let (DType::Int64, [], [NONE, value, rest @ ..]) =
            (dtype, &signature.shape[..], self.geometry)
        {
            self.geometry = rest;
            self.extents.push(0..0);
            return Ok(Operand::Tensor {
                dtype,
                data: (&raw const *value).cast(),
                layout: Strided::new(&[][..], &[][..], 0)?,
            });
        }
        let (data, layout) = match self.geometry {
            [number, ..] if self.may_be_files && *number < NONE => {
                let file = i32::try_from(NONE - 1 - number).ok();
                self.in_file(file.ok_or_else(too_short)?, dtype, &signature.shape)?
            }
            _ => self.elements(dtype, &signature.shape)?,
        };
        Ok(Operand::Tensor {
            dtype,
            data: data.as_ptr(),
            layout,
        })
    }

    /// The next side as an output.
    pub fn output(&mut self, signature: &'g Signature) -> Result<OperandMut<'g>, Failure> {
        let name = self.extents.len();
        let Kind::Typed(dtype) = signature.kind else {
            return Err(Failure::internal(format!("output {name} has no type")));
        };
        let (data, layout) = self.elements(dtype, &signature.shape)?;
        if !layout.has_distinct_positions() {
            return Err(Failure::illegal_argument(format!(
                "side {name} is written, and has several elements at one place: shape {:?}, strides {:?}",
                layout.shape(), layout.strides()
            )));
        }
        Ok(OperandMut {
            dtype,
            data: data.as_ptr(),
            layout,
        })
    }

    /// Checks that the whole geometry was used, and that written sides, from `written` on, overlap no other side.
    pub fn finish(&self, written: usize) -> Result<(), Failure> {
        if !self.geometry.is_empty() {
            return Err(Failure::illegal_argument(format!(
                "geometry has {} numbers too many",
                self.geometry.len()
            )));
        }
        match written_twice(&self.extents, written) {
            Some((out, other)) => Err(Failure::illegal_argument(format!(
                "side {out}, which is written, overlaps side {other}"
            ))),
            None => Ok(()),
        }
    }

    fn number(&mut self) -> Result<i64, Failure> {
        let (&first, rest) = self.geometry.split_first().ok_or_else(too_short)?;
        self.geometry = rest;
        Ok(first)
    }

    /// The bits of the next side, a number, which has no memory.
    fn bits(&mut self) -> Result<i64, Failure> {
        self.extents.push(0..0);
        self.number()
    }

    /// A buffer by number; `None` if it is null.
    fn buffer(&mut self, number: i64) -> Result<Option<Buffer>, Failure> {
        let at = match usize::try_from(number) {
            Ok(at) if at < self.count => at,
            _ => return Ok(None),
        };
        while self.buffers.len() <= at {
            let Some(object) = self.env.object(self.memory, self.buffers.len())? else {
                self.buffers.push(None);
                continue;
            };
            let buffer = object.as_object();
            let address = self.env.direct_address(buffer);
            let capacity = self.env.direct_capacity(buffer);
            // The array keeps it reachable during the call.
            self.env.delete(object);
            let buffer = address.zip(capacity);
            let (address, capacity) = buffer.ok_or_else(|| {
                let number = self.buffers.len();
                Failure::illegal_argument(format!("memory {number} is no direct buffer"))
            })?;
            let capacity = reach(address, capacity);
            self.buffers.push(Some(Buffer { address, capacity }));
        }
        Ok(self.buffers[at])
    }

    /// The elements of the next side, which are in a file.
    fn in_file(
        &mut self,
        file: i32,
        dtype: DType,
        shape: &'g [i64],
    ) -> Result<Elements<'g>, Failure> {
        let name = self.extents.len();
        let address = NonNull::new(std::ptr::without_provenance_mut(FAR)).ok_or_else(too_short)?;
        let capacity = FAR;
        self.number()?;
        let elements = self.elements_of(Buffer { address, capacity }, dtype, shape)?;
        self.files.resize(name + 1, None);
        self.files[name] = Some((self.extents[name].clone(), file));
        Ok(elements)
    }

    /// The elements of the next side.
    fn elements(&mut self, dtype: DType, shape: &'g [i64]) -> Result<Elements<'g>, Failure> {
        let name = self.extents.len();
        let number = self.number()?;
        let Some(buffer) = self.buffer(number)? else {
            return Err(Failure::illegal_argument(format!(
                "side {name} is in memory {number}, which is not there"
            )));
        };
        self.elements_of(buffer, dtype, shape)
    }

    /// The elements of the next side, after the number of its buffer.
    fn elements_of(
        &mut self,
        Buffer { address, capacity }: Buffer,
        dtype: DType,
        shape: &'g [i64],
    ) -> Result<Elements<'g>, Failure> {
        let name = self.extents.len();
        let place = self.number()?;
        let place = usize::try_from(place).map_err(|_| {
            Failure::illegal_argument(format!("side {name} begins at byte {place}"))
        })?;
        if self.geometry.len() < shape.len() {
            return Err(too_short());
        }
        let (strides, rest) = self.geometry.split_at(shape.len());
        self.geometry = rest;
        let width = dtype.width();
        let start = place / width;
        if place % width != 0 || !(address.as_ptr() as usize).is_multiple_of(width) {
            return Err(Failure::illegal_argument(format!(
                "side {name} begins at byte {place}, which elements of {width} bytes do not"
            )));
        }
        let start = i64::try_from(start).map_err(|_| too_short())?;
        let selected = Strided::new(shape, strides, start)?;
        let elements = selected.check(capacity / width)?;
        let (lowest, highest) = selected.bounds().unwrap_or((0, -1));
        // Both are positions inside of the buffer, unless there are no elements.
        let at = |position: i64| address.as_ptr() as usize + position as usize * width;
        self.extents.push(at(lowest)..at(highest + 1));
        // The offset is part of the pointer, so that layouts are the same at each call, for which a plan caches steps.
        let first = if elements == 0 {
            address
        } else {
            // SAFETY: the offset was checked to be that of an element inside of the buffer, which ends before the last address.
            unsafe { NonNull::new_unchecked(address.as_ptr().wrapping_add(place)) }
        };
        Ok((first, selected.at_offset(0)))
    }
}

fn too_short() -> Failure {
    Failure::illegal_argument(
        "geometry is too short: a buffer, a place and the strides of every input and output",
    )
}
