//! The plans of dense statements and of rows, which later runs of a program find again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::bound::Bound;
use crate::plan::Plan;
use crate::Error;

/// The most plans: those of the last rows of different lengths, and of the statements between.
const MOST: usize = 128;

/// Plans by what they were made of: all that they depend on.
#[derive(Debug, Default)]
pub(super) struct Plans(Mutex<VecDeque<Arc<Plan>>>);

impl Plans {
    /// The plan of a program; of those that there are, the one that was found longest ago makes room for it.
    ///
    /// # Errors
    /// Those of [`Plan::new`].
    pub fn of(&self, bound: &Bound) -> Result<Arc<Plan>, Error> {
        let found = {
            let mut plans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let at = plans.iter().position(|plan| plan.bound() == bound);
            at.and_then(|at| plans.remove(at))
                .inspect(|plan| plans.push_back(Arc::clone(plan)))
        };
        if let Some(plan) = found {
            return Ok(plan);
        }
        let plan = Arc::new(Plan::new(bound)?);
        let mut plans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if plans.len() == MOST {
            plans.pop_front();
        }
        plans.push_back(Arc::clone(&plan));
        Ok(plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operand::DType;
    use crate::{Program, Signature};

    fn bound(length: i64) -> Bound {
        let program = Program::parse("y[i] = 2 * x[i]").unwrap();
        let of = Signature::tensor(DType::Float, &[length]);
        program.bind(&[of], &[None]).unwrap()
    }

    #[test]
    fn a_plan_is_found_again_until_others_take_its_place() {
        let plans = Plans::default();
        let first = plans.of(&bound(1)).unwrap();
        assert!(Arc::ptr_eq(&first, &plans.of(&bound(1)).unwrap()));
        for length in 2..MOST as i64 + 1 {
            plans.of(&bound(length)).unwrap();
        }
        assert!(Arc::ptr_eq(&first, &plans.of(&bound(1)).unwrap()));
        plans.of(&bound(1000)).unwrap();
        assert!(Arc::ptr_eq(&first, &plans.of(&bound(1)).unwrap()));
        (1001..1000 + MOST as i64 + 1).for_each(|length| drop(plans.of(&bound(length)).unwrap()));
        assert!(!Arc::ptr_eq(&first, &plans.of(&bound(1)).unwrap()));
    }
}
