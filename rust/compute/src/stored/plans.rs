//! The plans of dense statements and of rows, which later runs of a program find again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::bound::Bound;
use crate::plan::Plan;
use crate::Error;

/// The most plans: those of the last rows of different lengths, and of the statements between.
const MOST: usize = 128;

/// Plans beside what they were made of, which is all that they depend on. The program of a plan itself may have tensors that the planner added.
#[derive(Debug, Default)]
pub(super) struct Plans(Mutex<VecDeque<(Bound, Arc<Plan>)>>);

impl Plans {
    /// The plan of a program; of those that there are, the one that was found longest ago makes room for it.
    ///
    /// # Errors
    /// Those of [`Plan::new`].
    pub fn of(&self, bound: &Bound) -> Result<Arc<Plan>, Error> {
        let found = {
            let mut plans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let at = plans.iter().position(|(of, _)| of == bound);
            at.and_then(|at| plans.remove(at)).map(|(of, plan)| {
                plans.push_back((of, Arc::clone(&plan)));
                plan
            })
        };
        if let Some(plan) = found {
            return Ok(plan);
        }
        let plan = Arc::new(Plan::new(bound)?);
        let mut plans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if plans.len() == MOST {
            plans.pop_front();
        }
        plans.push_back((bound.clone(), Arc::clone(&plan)));
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
    fn a_plan_with_tensors_of_its_own_is_found_again() {
        let program = Program::parse("y[n[i],d] += g[i,d] where y[3,2]").unwrap();
        let of = [
            Signature::tensor(DType::Int64, &[500]),
            Signature::tensor(DType::Float, &[500, 2]),
        ];
        let bound = program.bind(&of, &[None]).unwrap();
        let plans = Plans::default();
        let first = plans.of(&bound).unwrap();
        assert!(first.bound().tensors.len() > bound.tensors.len());
        assert!(Arc::ptr_eq(&first, &plans.of(&bound).unwrap()));
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
