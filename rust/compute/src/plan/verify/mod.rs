//! The last step of planning, in every build: the footprint of each access, over the loops as they will run and the guards that will hold, is
//! compared with the memory of its tensor.
//!
//! Enters: a finished step of a program, and the layouts of all tensors. Leaves: nothing, or the access that would be outside. Execution computes
//! addresses without looking at bounds again, so this is where memory safety of plans is decided, and it trusts nothing that made them: neither that
//! binding has proven an index, nor the order of loops, nor which of them were merged, nor register allocation. (What the kernels do with an address
//! and a count is theirs.)
//!
//! | module | one noun |
//! | --- | --- |
//! | [`region`] | affine forms, and their bounds where conditions hold |
//! | [`mod@nest`] | the accesses of a loop nest |

mod nest;
mod region;

use std::fmt;
use std::sync::{Mutex, PoisonError};

use crate::bound::{Affine, Condition, TensorId};
use crate::plan::tile::View;
pub(crate) use nest::nest;

/// The last fault.
static LAST: Mutex<Option<String>> = Mutex::new(None);

/// What was wrong with the last plan that failed the check, if any did since the last call: a fault of this library. For tests.
#[doc(hidden)]
pub fn plan_fault() -> Option<String> {
    LAST.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// An access that is not inside of its tensor, or an instruction that does not fit its operands.
#[derive(Debug, PartialEq)]
pub(crate) enum Fault {
    /// Bytes of a tensor that would be touched, and those that it has, counted from position 0.
    Outside {
        tensor: TensorId,
        touched: (i128, i128),
        has: (i128, i128),
    },
    /// Anything else.
    Wrong(&'static str),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Outside {
                tensor,
                touched,
                has,
            } => write!(
                f,
                "bytes {}..{} of tensor {tensor} would be touched, which has {}..{}",
                touched.0, touched.1, has.0, has.1
            ),
            Fault::Wrong(what) => f.write_str(what),
        }
    }
}

/// Reports a fault of the plan of a statement. The caller has the reference evaluator run in place of the plan.
pub(crate) fn report(statement: &str, fault: &Fault) {
    let message = format!(
        "internal error in the plan of {statement}: {fault}; the program runs slowly instead"
    );
    log::error!("{message}");
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(message);
}

/// The memory of a tensor.
#[derive(Clone, Debug)]
pub(crate) struct Allocation {
    /// The first byte and the end, counted from position 0.
    pub bytes: (i128, i128),
    /// If there is memory for a block of rows only: the loop over rows, and the bytes of a row.
    pub row: Option<(usize, i128)>,
    /// The strides of its axes, in bytes.
    strides: Vec<i128>,
}

impl Allocation {
    /// The memory of a tensor with this layout.
    pub fn of(view: &View) -> Allocation {
        let size = view.dtype.width() as i128;
        let bytes = match view.layout.bounds() {
            Some((first, last)) => (i128::from(first) * size, (i128::from(last) + 1) * size),
            None => (0, 0),
        };
        let mut strides: Vec<i128> = Vec::new();
        for &stride in view.layout.strides() {
            let stride = i128::from(stride) * size;
            if stride != 0 && !strides.contains(&stride) {
                strides.push(stride);
            }
        }
        Allocation {
            bytes,
            row: None,
            strides,
        }
    }

    /// Whether bytes are inside.
    pub fn has(&self, tensor: TensorId, touched: (i128, i128)) -> Result<(), Fault> {
        within(self.bytes, tensor, touched)
    }
}

/// Whether the bytes that are touched are among those that a tensor has.
fn within(has: (i128, i128), tensor: TensorId, touched: (i128, i128)) -> Result<(), Fault> {
    // If it ends before it begins, no iteration touches any.
    if touched.0 >= touched.1 || has.0 <= touched.0 && touched.1 <= has.1 {
        return Ok(());
    }
    Err(Fault::Outside {
        tensor,
        touched,
        has,
    })
}

/// The lowest and highest value of `start + sum of stride * loop`, where conditions on the loops hold. An access to a tensor with this view is proven
/// to be inside of it more often.
pub(crate) fn reach(
    view: &View,
    start: i128,
    strides: &[i64],
    ranges: &[i64],
    conditions: &[&Condition],
) -> (i128, i128) {
    let form = |affine: &Affine| {
        let mut form = region::Form::constant(i128::from(affine.constant), ranges.len());
        for &(l, k) in &affine.terms {
            form.terms[l] += i128::from(k);
        }
        form
    };
    let conditions: Vec<region::Condition> = conditions
        .iter()
        .map(|condition| region::Condition {
            form: form(&condition.affine),
            bound: i128::from(condition.bound),
        })
        .collect();
    let ranges: Vec<i128> = ranges.iter().map(|&range| i128::from(range)).collect();
    let region = region::Region {
        ranges: &ranges,
        conditions: &conditions,
        strides: &Allocation::of(view).strides,
    };
    let form = region::Form {
        constant: start,
        terms: strides.iter().map(|&stride| i128::from(stride)).collect(),
    };
    region.bounds(&form, (i128::MAX, i128::MIN))
}
