//! Decompositions of one matrix, by the crate `faer`, on the thread that asks.

use std::cmp::Ordering;

use dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::diag::DiagMut;
use faer::linalg::cholesky::llt;
use faer::linalg::lu::partial_pivoting as lu;
use faer::linalg::qr::no_pivoting::factor as qr;
use faer::linalg::{evd, householder, matmul, svd, triangular_solve};
use faer::perm::PermRef;
use faer::{Accum, Auto, Conj, Par, Spec};
use tensornio_compute::{Error, ErrorKind};

use super::matrix::Matrix;
use super::Real;
use crate::operands::list;

/// Why a matrix has no such decomposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Singular,
    NotDefinite,
    NotFinite,
    NotConverged,
}

/// What stops a decomposition: a fault of the matrix, or an error that has nothing to do with it.
#[derive(Debug)]
pub(super) enum Stop {
    Fault(Fault),
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Error(error)
    }
}

fn auto<T: Real, P: Auto<T>>() -> Spec<P, T> {
    P::auto().into()
}

/// The memory that a decomposition works in.
fn buffer(size: StackReq) -> Result<MemBuffer, Error> {
    MemBuffer::try_new(size).map_err(|_| {
        let bytes = size.size_bytes();
        Error::new(
            ErrorKind::OutOfMemory,
            vec![format!("no memory for {bytes} bytes of temporaries")],
        )
    })
}

/// That all elements are finite: else iterations would not end, or end anywhere.
fn check_finite<T: Real>(a: &Matrix<T>) -> Result<(), Stop> {
    if a.elements().iter().all(|element| element.finite()) {
        Ok(())
    } else {
        Err(Stop::Fault(Fault::NotFinite))
    }
}

/// A number times a power of two, rounded once.
fn scaled<T: Real>(number: T, exponent: i32) -> T {
    T::of_real(libm::scalbn(number.real(), exponent))
}

/// Multiplies a matrix whose elements are so large or so small that their squares, or their reciprocals, are no numbers by a power of two, which
/// brings the largest one near 1. The exponent of what results are to be multiplied by; 0 for ordinary matrices, and those that are not finite.
fn normalise<T: Real>(a: &mut Matrix<T>) -> i32 {
    // Sums of squares of 2^20 elements between these are neither infinite nor subnormal.
    let safe = if size_of::<T>() == 4 { 48 } else { 480 };
    let sizes = a.elements().iter().map(|element| element.real().abs());
    let largest = sizes.fold(0.0, f64::max);
    if largest == 0.0 || !largest.is_finite() {
        return 0;
    }
    let exponent = libm::ilogb(largest);
    if exponent.abs() <= safe {
        return 0;
    }
    for column in 0..a.columns() {
        for element in a.column(column) {
            *element = scaled(*element, -exponent);
        }
    }
    exponent
}

/// Multiplies elements by a power of two.
fn scale_all<T: Real>(elements: &mut [T], exponent: i32) {
    if exponent != 0 {
        for element in elements {
            *element = scaled(*element, exponent);
        }
    }
}

/// Makes of a matrix its Cholesky factor, which is lower triangular; the upper triangle is not read.
pub(super) fn cholesky<T: Real>(a: &mut Matrix<T>) -> Result<(), Stop> {
    let n = a.rows();
    let mut memory = buffer(llt::factor::cholesky_in_place_scratch::<T>(
        n,
        Par::Seq,
        auto(),
    ))?;
    let stack = MemStack::new(&mut memory);
    llt::factor::cholesky_in_place(a.as_mut(), Default::default(), Par::Seq, stack, auto())
        .map_err(|_| Stop::Fault(Fault::NotDefinite))?;
    if a.diagonal().any(|pivot| !pivot.finite()) {
        return Err(Stop::Fault(Fault::NotDefinite));
    }
    for column in 1..n {
        a.column(column)[..column].fill(T::default());
    }
    Ok(())
}

/// The decomposition of a matrix into two triangular ones, with rows exchanged.
pub(super) struct Lu<T> {
    /// The lower one, whose diagonal is of ones, below the diagonal; the upper one on it and above.
    factors: Matrix<T>,
    rows: Vec<usize>,
    places: Vec<usize>,
    /// Whether an odd number of rows were exchanged.
    is_odd: bool,
    /// The exponent of the power of two by which the matrix is larger than its factors.
    exponent: i32,
}

impl<T: Real> Lu<T> {
    pub fn of(mut a: Matrix<T>) -> Result<Lu<T>, Error> {
        let exponent = normalise(&mut a);
        let n = a.rows();
        let (mut rows, mut places) = (list(n)?, list(n)?);
        let mut memory = buffer(lu::factor::lu_in_place_scratch::<usize, T>(
            n,
            n,
            Par::Seq,
            auto(),
        ))?;
        let stack = MemStack::new(&mut memory);
        let (info, _) =
            lu::factor::lu_in_place(a.as_mut(), &mut rows, &mut places, Par::Seq, stack, auto());
        Ok(Lu {
            factors: a,
            rows,
            places,
            is_odd: info.transposition_count % 2 == 1,
            exponent,
        })
    }

    /// Whether a pivot is exactly zero. What comes behind the first one of these means nothing.
    fn is_singular(&self) -> bool {
        self.factors.diagonal().any(|pivot| pivot == T::default())
    }

    /// Makes of each column `b` the `x` with `a x = b`.
    pub fn solve(&self, b: &mut Matrix<T>) -> Result<(), Stop> {
        if self.is_singular() {
            return Err(Stop::Fault(Fault::Singular));
        }
        let (n, columns) = (b.rows(), b.columns());
        let mut memory = buffer(lu::solve::solve_in_place_scratch::<usize, T>(
            n,
            columns,
            Par::Seq,
        ))?;
        lu::solve::solve_in_place(
            self.factors.as_ref(),
            self.factors.as_ref(),
            PermRef::new_checked(&self.rows, &self.places, n),
            b.as_mut(),
            Par::Seq,
            MemStack::new(&mut memory),
        );
        scale_all(b.elements_mut(), -self.exponent);
        Ok(())
    }

    /// The determinant: the product of the pivots.
    pub fn determinant(&self) -> T {
        if self.is_singular() {
            return T::default();
        }
        let product = self
            .factors
            .diagonal()
            .fold(T::ONE, |product, pivot| product * pivot);
        let power = i64::from(self.exponent) * self.factors.rows() as i64;
        let power = power.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        let product = if power == 0 {
            product
        } else {
            scaled(product, power)
        };
        if self.is_odd {
            -product
        } else {
            product
        }
    }

    /// The logarithm of the determinant's absolute value, and its sign.
    pub fn log_determinant(&self) -> (f64, f64) {
        if self.is_singular() {
            return (f64::NEG_INFINITY, 0.0);
        }
        let power = f64::from(self.exponent) * self.factors.rows() as f64;
        let mut log = power * std::f64::consts::LN_2;
        let mut sign = if self.is_odd { -1.0 } else { 1.0 };
        for pivot in self.factors.diagonal().map(T::real) {
            log += libm::log(pivot.abs());
            sign *= if pivot.is_nan() {
                pivot
            } else {
                pivot.signum()
            };
        }
        (log, sign)
    }
}

/// The reduced decomposition into a matrix with orthonormal columns, and an upper triangular one.
pub(super) fn qr<T: Real>(mut a: Matrix<T>) -> Result<(Matrix<T>, Matrix<T>), Stop> {
    check_finite(&a)?;
    let exponent = normalise(&mut a);
    let (m, n) = (a.rows(), a.columns());
    let size = m.min(n);
    let block = qr::recommended_block_size::<T>(m, n);
    let mut reflections = Matrix::<T>::zeros(block, size)?;
    let mut memory = buffer(StackReq::any_of(&[
        qr::qr_in_place_scratch::<T>(m, n, block, Par::Seq, auto()),
        householder::apply_block_householder_sequence_on_the_left_in_place_scratch::<T>(
            m, block, size,
        ),
    ]))?;
    let stack = MemStack::new(&mut memory);
    qr::qr_in_place(a.as_mut(), reflections.as_mut(), Par::Seq, stack, auto());
    let mut q = Matrix::identity(m, size)?;
    householder::apply_block_householder_sequence_on_the_left_in_place_with_conj(
        a.as_ref().get(.., ..size),
        reflections.as_ref(),
        Conj::No,
        q.as_mut(),
        Par::Seq,
        stack,
    );
    let mut r = Matrix::zeros(size, n)?;
    for column in 0..n {
        let upper = size.min(column + 1);
        r.column(column)[..upper].copy_from_slice(&a.column(column)[..upper]);
    }
    scale_all(r.elements_mut(), exponent);
    Ok((q, r))
}

/// The reduced singular value decomposition: `u`, the singular values in descending order, and `v`, of which `a = u s v^T` times a power of two.
pub(super) struct Svd<T> {
    pub u: Matrix<T>,
    s: Vec<T>,
    pub v: Matrix<T>,
    /// That of the power of two.
    exponent: i32,
}

impl<T: Real> Svd<T> {
    pub fn of(a: &mut Matrix<T>) -> Result<Svd<T>, Stop> {
        let size = a.rows().min(a.columns());
        let mut made = Svd {
            u: Matrix::zeros(a.rows(), size)?,
            s: list(size)?,
            v: Matrix::zeros(a.columns(), size)?,
            exponent: 0,
        };
        made.exponent = decompose(a, &mut made.s, Some((&mut made.u, &mut made.v)))?;
        Ok(made)
    }

    /// The singular values of the matrix itself.
    pub fn values(&mut self) -> &[T] {
        scale_all(&mut self.s, std::mem::take(&mut self.exponent));
        &self.s
    }

    /// How many singular values count: they are above the largest size times the distance from 1 to the next number times the largest one.
    pub fn rank(&self) -> usize {
        rank(&self.s, self.u.rows().max(self.v.rows()))
    }

    /// The `x` of least norm of those for which `a x - b` has the least: `v s^-1 u^T b`.
    pub fn solve(self, b: &Matrix<T>) -> Result<Matrix<T>, Error> {
        let rank = self.rank();
        let mut within = Matrix::zeros(rank, b.columns())?;
        let mut x = Matrix::zeros(self.v.rows(), b.columns())?;
        let u = self.u.as_ref().get(.., ..rank);
        let v = self.v.as_ref().get(.., ..rank);
        matmul::matmul(
            within.as_mut(),
            Accum::Replace,
            u.transpose(),
            b.as_ref(),
            T::ONE,
            Par::Seq,
        );
        for column in 0..b.columns() {
            for (element, &value) in within.column(column).iter_mut().zip(&self.s) {
                *element /= value;
            }
        }
        matmul::matmul(
            x.as_mut(),
            Accum::Replace,
            v,
            within.as_ref(),
            T::ONE,
            Par::Seq,
        );
        scale_all(x.elements_mut(), -self.exponent);
        Ok(x)
    }
}

/// How many of the singular values of a matrix count, of which the larger size is given.
fn rank<T: Real>(s: &[T], largest: usize) -> usize {
    let most = s.first().map_or(0.0, |most| most.real());
    let least = largest as f64 * T::EPSILON.real() * most;
    s.iter().filter(|value| value.real() > least).count()
}

/// The rank of a matrix.
pub(super) fn rank_of<T: Real>(a: &mut Matrix<T>) -> Result<usize, Stop> {
    let mut s = list(a.rows().min(a.columns()))?;
    decompose(a, &mut s, None)?;
    Ok(rank(&s, a.rows().max(a.columns())))
}

/// Finds singular values, and vectors if they are asked for, of the matrix divided by a power of two, whose exponent is the result.
fn decompose<T: Real>(
    a: &mut Matrix<T>,
    s: &mut [T],
    mut vectors: Option<(&mut Matrix<T>, &mut Matrix<T>)>,
) -> Result<i32, Stop> {
    check_finite(a)?;
    let exponent = normalise(a);
    let wanted = match vectors {
        Some(_) => svd::ComputeSvdVectors::Thin,
        None => svd::ComputeSvdVectors::No,
    };
    let (u, v) = match &mut vectors {
        Some((u, v)) => (Some((**u).as_mut()), Some((**v).as_mut())),
        None => (None, None),
    };
    let (m, n) = (a.rows(), a.columns());
    let scratch = svd::svd_scratch::<T>(m, n, wanted, wanted, Par::Seq, auto());
    let mut memory = buffer(scratch)?;
    let stack = MemStack::new(&mut memory);
    let diagonal = DiagMut::from_slice_mut(s);
    svd::svd(a.as_ref(), diagonal, u, v, Par::Seq, stack, auto())
        .map_err(|_| Stop::Fault(Fault::NotConverged))?;
    match vectors {
        Some((u, v)) => arrange(s, &mut [u, v], |a, b| a > b)?,
        None => arrange(s, &mut [], |a, b| a > b)?,
    }
    Ok(exponent)
}

/// Brings values into an order, and the columns of matrices with them: those that are nothing beside the largest are found in any order.
fn arrange<T: Real>(
    values: &mut [T],
    vectors: &mut [&mut Matrix<T>],
    before: impl Fn(T, T) -> bool,
) -> Result<(), Error> {
    if values.windows(2).all(|pair| !before(pair[1], pair[0])) {
        return Ok(());
    }
    let mut order = list::<usize>(values.len())?;
    for (at, place) in order.iter_mut().enumerate() {
        *place = at;
    }
    order.sort_unstable_by(|&a, &b| {
        if before(values[a], values[b]) {
            Ordering::Less
        } else if before(values[b], values[a]) {
            Ordering::Greater
        } else {
            a.cmp(&b)
        }
    });
    let mut arranged = list(values.len())?;
    for (to, &from) in arranged.iter_mut().zip(&order) {
        *to = values[from];
    }
    values.copy_from_slice(&arranged);
    for matrix in vectors {
        matrix.arrange(&order)?;
    }
    Ok(())
}

/// The eigenvalues of a symmetric matrix, ascending, and its eigenvectors, as columns; the upper triangle is not read.
pub(super) fn eigh<T: Real>(a: &mut Matrix<T>) -> Result<(Vec<T>, Matrix<T>), Stop> {
    let n = a.rows();
    for column in 1..n {
        a.column(column)[..column].fill(T::default());
    }
    check_finite(a)?;
    let exponent = normalise(a);
    let (mut values, mut vectors) = (list(n)?, Matrix::zeros(n, n)?);
    let wanted = evd::ComputeEigenvectors::Yes;
    let mut memory = buffer(evd::self_adjoint_evd_scratch::<T>(
        n,
        wanted,
        Par::Seq,
        auto(),
    ))?;
    let stack = MemStack::new(&mut memory);
    let (s, u) = (DiagMut::from_slice_mut(&mut values), Some(vectors.as_mut()));
    evd::self_adjoint_evd(a.as_ref(), s, u, Par::Seq, stack, auto())
        .map_err(|_| Stop::Fault(Fault::NotConverged))?;
    scale_all(&mut values, exponent);
    arrange(&mut values, &mut [&mut vectors], |a, b| a < b)?;
    Ok((values, vectors))
}

/// Makes of each column `b` the `x` with `a x = b` for a triangular matrix, whose other triangle is not read.
pub(super) fn triangular<T: Real>(
    a: &mut Matrix<T>,
    b: &mut Matrix<T>,
    is_lower: bool,
) -> Result<(), Stop> {
    if a.diagonal().any(|pivot| pivot == T::default()) {
        return Err(Stop::Fault(Fault::Singular));
    }
    for column in 0..a.columns() {
        let other = if is_lower {
            0..column
        } else {
            column + 1..a.rows()
        };
        a.column(column)[other].fill(T::default());
    }
    let exponent = normalise(a);
    if is_lower {
        triangular_solve::solve_lower_triangular_in_place(a.as_ref(), b.as_mut(), Par::Seq);
    } else {
        triangular_solve::solve_upper_triangular_in_place(a.as_ref(), b.as_mut(), Par::Seq);
    }
    scale_all(b.elements_mut(), -exponent);
    Ok(())
}
