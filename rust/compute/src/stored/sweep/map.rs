//! A value for each entry, some hundred entries at a time, whatever their rows: what is the same along a row is spread over its entries.

use std::ops::Range as Span;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::finder::Finder;
use super::segments::{Rows, Segments};
use super::Factor;
use crate::ast::Op;
use crate::kernel::{self, Kernel};
use crate::operand::DType;
use crate::scalar::Scalar;
use crate::stored::block::BLOCK;
use crate::stored::code::{Code, Step};
use crate::stored::memory::Buffer;
use crate::stored::nest::Nest;
use crate::stored::statement::Statement;
use crate::stored::tensor::{Form, Tensor};
use crate::stored::walk::Walk;
use crate::stored::windows::Shared;
use crate::Error;

/// The elements that are written at a time: what is written beyond a row is written again.
const STRIDE: usize = 8;

/// A statement that computes a value for each entry.
pub(in crate::stored) struct Map<'s> {
    op: Op,
    dtype: DType,
    rows: Rows<'s>,
    range: i64,
    places: usize,
    root: Piece,
    /// The number of columns between.
    columns: usize,
}

// SAFETY: operands are read only, and stay where they are while a statement runs.
unsafe impl Sync for Map<'_> {}

/// A part of the value, and the column where it is computed.
enum Piece {
    Constant(Scalar, usize),
    /// An element for each entry, and their width.
    Entries(*const u8, usize),
    /// An element for each row.
    Row(Factor, usize, usize),
    Kernel(Kernel, Vec<Piece>, usize),
    /// Of which some operands may have no result.
    Partial(Kernel, Vec<Piece>, usize),
}

/// Columns of a block, and the rows of its points.
struct Columns {
    columns: Vec<Vec<u64>>,
    rows: Vec<(i64, usize, usize)>,
    first: usize,
    len: usize,
    failed: bool,
}

impl<'s> Map<'s> {
    /// The map that a statement is, if it is one; `target` as that of a sweep.
    pub fn new(
        statement: &'s Statement,
        code: &Code,
        walk: &Walk<'_, '_>,
        nest: &'s Nest,
        tensors: &'s [Tensor<'_>],
        target: Option<&Form<'_>>,
    ) -> Option<Map<'s>> {
        let is_plain = statement.guards.is_empty() && statement.outside.is_none();
        let is_one = matches!(statement.op, Op::Set | Op::Sum);
        if !is_plain || !is_one || nest.ranges.are_empty() || walk.order.len() != 2 {
            return None;
        }
        let (mut finder, rows, _, range) = Finder::new(walk, nest, tensors)?;
        if let Some(form) = target {
            let way = finder.way(form, &statement.left)?;
            if !way.is_of_places() || way.base != 0 {
                return None;
            }
        }
        let mut columns = 0;
        let root = piece(code, &mut finder, &mut columns)?;
        // Copies are made elsewhere.
        let is_computed = matches!(root, Piece::Kernel(..) | Piece::Partial(..));
        // Nothing depends on coordinates.
        let is_fixed = finder.looked_up.is_none() && !finder.by_loop;
        (is_computed && is_fixed).then_some(Map {
            op: statement.op,
            dtype: code.dtype,
            rows,
            range,
            places: finder.places,
            root,
            columns,
        })
    }

    /// Computes so many values, with the number of points; none if something has no place, or no result.
    pub fn run(
        &self,
        statement: &Statement,
        walk: &Walk<'_, '_>,
        count: usize,
        what: &dyn Fn() -> String,
    ) -> Result<Option<(Buffer, u64)>, Error> {
        let (gone, entries) = (AtomicBool::new(false), AtomicU64::new(0));
        let mut made = Buffer::uncleared(count, self.dtype.width(), what)?;
        let to = Shared(made.start_mut());
        // Row splits say where the target is, too.
        let places = self.places.min(count);
        statement.parts(walk.points(), self.range, true, &|part| {
            if !gone.load(Ordering::Relaxed) {
                let part = part.start..part.end.min(self.range);
                match self.part(part, places, &to) {
                    Some(met) => entries.fetch_add(met, Ordering::Relaxed),
                    None => u64::from(gone.swap(true, Ordering::Relaxed)),
                };
            }
            Ok(())
        })?;
        let entries = entries.into_inner();
        // Rows that leave an element out are none.
        if gone.load(Ordering::Relaxed) || entries != count as u64 {
            return Ok(None);
        }
        super::count_sweep();
        Ok(Some((made, entries)))
    }

    /// Computes the values of some rows.
    fn part(&self, rows: Span<i64>, places: usize, to: &Shared) -> Option<u64> {
        let mut segments = Segments::new(self.rows, rows, places);
        let mut block = Columns {
            columns: vec![vec![0; BLOCK + STRIDE]; self.columns],
            rows: Vec::with_capacity(BLOCK),
            first: 0,
            len: 0,
            failed: false,
        };
        self.root.constants(&mut block);
        let mut entries = 0;
        while let Some((row, mut from, end)) = segments.next() {
            entries += (end - from) as u64;
            while from < end {
                if block.len == BLOCK || block.first + block.len != from {
                    self.flush(&mut block, to);
                    block.first = from;
                }
                let some = (end - from).min(BLOCK - block.len);
                block.rows.push((row, block.len, block.len + some));
                block.len += some;
                from += some;
            }
        }
        self.flush(&mut block, to);
        (!segments.failed && !block.failed).then_some(entries)
    }

    /// Computes the values of a block.
    fn flush(&self, block: &mut Columns, to: &Shared) {
        if block.len > 0 {
            let width = self.dtype.width();
            // SAFETY: places are below the number of elements, and those of parts are distinct.
            unsafe {
                let start = to.at(block.first * width);
                self.root.compute(block, Some(start));
                // A sum of -0 is 0.
                match (self.op, self.dtype) {
                    (Op::Sum, DType::Float) => {
                        let all = std::slice::from_raw_parts_mut(start.cast::<f32>(), block.len);
                        all.iter_mut().for_each(|value| *value += 0.0);
                    }
                    (Op::Sum, DType::Double) => {
                        let all = std::slice::from_raw_parts_mut(start.cast::<f64>(), block.len);
                        all.iter_mut().for_each(|value| *value += 0.0);
                    }
                    _ => {}
                }
            }
        }
        block.rows.clear();
        block.len = 0;
    }
}

impl Piece {
    /// Fills the columns of constants.
    fn constants(&self, block: &mut Columns) {
        match self {
            Piece::Constant(scalar, column) => {
                let (bits, words) = (scalar.bits(), &mut block.columns[*column]);
                match scalar.dtype().width() {
                    1 => bytemuck::cast_slice_mut::<u64, u8>(words).fill(bits as u8),
                    2 => bytemuck::cast_slice_mut::<u64, u16>(words).fill(bits as u16),
                    4 => bytemuck::cast_slice_mut::<u64, u32>(words).fill(bits as u32),
                    _ => words.fill(bits),
                }
            }
            Piece::Kernel(_, of, _) | Piece::Partial(_, of, _) => {
                of.iter().for_each(|piece| piece.constants(block));
            }
            Piece::Entries(..) | Piece::Row(..) => {}
        }
    }

    /// The address of the values of a block, in a column or where they are to be.
    ///
    /// # Safety
    /// There are so many places and such rows, and there is room where values are to be.
    unsafe fn compute(&self, block: &mut Columns, to: Option<*mut u8>) -> *const u8 {
        match self {
            Piece::Constant(_, column) => block.columns[*column].as_ptr().cast(),
            Piece::Entries(data, width) => data.wrapping_add(block.first * width),
            Piece::Row(factor, width, column) => {
                let (rows, to) = (&block.rows, block.columns[*column].as_mut_ptr());
                // SAFETY: rows are within the axis, as ranges are; a column has room beyond its points.
                unsafe {
                    match width {
                        1 => spread::<u8>(factor, rows, to.cast()),
                        2 => spread::<u16>(factor, rows, to.cast()),
                        4 => spread::<u32>(factor, rows, to.cast()),
                        _ => spread::<u64>(factor, rows, to.cast()),
                    }
                }
                to.cast()
            }
            Piece::Kernel(kernel, of, column) | Piece::Partial(kernel, of, column) => {
                let mut from = [std::ptr::null(); 3];
                for (from, piece) in from.iter_mut().zip(of) {
                    // SAFETY: as the caller says.
                    *from = unsafe { piece.compute(block, None) };
                }
                let mut missing = 0u8;
                if let Piece::Partial(..) = self {
                    from[2] = (&raw mut missing).cast_const();
                }
                let column = block.columns[*column].as_mut_ptr().cast();
                let to = to.unwrap_or(column);
                // SAFETY: all have as many elements as there are points, of the types for which the kernel was chosen.
                unsafe { kernel(block.len, to, from[0], from[1], from[2]) };
                block.failed |= missing != 0;
                to
            }
        }
    }
}

/// The piece that a compiled expression is.
fn piece<'f>(code: &'f Code, finder: &mut Finder<'f, '_>, columns: &mut usize) -> Option<Piece> {
    let mut column = || {
        *columns += 1;
        *columns - 1
    };
    let width = kernel::size(code.dtype);
    // Bytes of any value are true.
    let is_read = matches!(code.node, Step::Read(_) | Step::Entry(..));
    if is_read && code.dtype == DType::Bool {
        return None;
    }
    Some(match &code.node {
        Step::Constant(scalar) => Piece::Constant(*scalar, column()),
        Step::Entry(0, id) => Piece::Entries(finder.tensors[*id].data, width),
        Step::Read(access) => {
            let tensor = &finder.tensors[access.tensor];
            let way = finder.way(&tensor.form, &access.indices)?;
            let data = tensor.data;
            if way.is_of_places() {
                Piece::Entries(
                    data.wrapping_offset(way.base as isize * width as isize),
                    width,
                )
            } else if way.is_of_row() && way.inner == 0 {
                Piece::Row(Factor { data, way }, width, column())
            } else {
                return None;
            }
        }
        Step::Map1(kernel, a) => {
            let column = column();
            Piece::Kernel(*kernel, vec![piece(a, finder, columns)?], column)
        }
        Step::Map2(kernel, _, a, b) => {
            let column = column();
            let of = vec![piece(a, finder, columns)?, piece(b, finder, columns)?];
            Piece::Partial(*kernel, of, column)
        }
        Step::Select(kernel, condition, a, b) => {
            let column = column();
            let of = [condition, a, b];
            let of = of.into_iter().map(|one| piece(one, finder, columns));
            Piece::Kernel(*kernel, of.collect::<Option<_>>()?, column)
        }
        _ => return None,
    })
}

/// Writes the elements of rows at all of their points, some at a time: those beyond a row are written by the next one.
///
/// # Safety
/// There are such rows, which follow one another; there is room for some more elements than points.
unsafe fn spread<T: Copy>(factor: &Factor, rows: &[(i64, usize, usize)], to: *mut T) {
    for &(row, from, end) in rows {
        // SAFETY: as the caller says.
        unsafe {
            let some = [*factor.at::<T>(row, 0, 0); STRIDE];
            let mut at = from;
            while at < end {
                to.add(at).cast::<[T; STRIDE]>().write_unaligned(some);
                at += STRIDE;
            }
        }
    }
}
