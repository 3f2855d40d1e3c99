//! Plans: bound programs compiled for fast execution, and their execution.
//!
//! Four rooms, and the check of what leaves them. A room uses those below it, and none above:
//!
//! | room | what it makes |
//! | --- | --- |
//! | [`forms`] | programs: the form of each statement, memory, and the order of steps |
//! | [`gemm`] | matrix products of sums of products |
//! | [`verify`] | the proof that each access of a step is inside of its tensor |
//! | [`tile`] | a loop nest around instructions, of any statement |
//! | [`rewrite`] | better statements of statements |
//!
//! The plan of a program is made once per shape, its steps once per layout.

mod forms;
mod gemm;
mod rewrite;
mod tile;
mod verify;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::bound::{Bound, Statement};
use crate::far::Far;
use crate::kernel::Level;
use crate::operand::{DType, Operand, OperandMut, Strided};
use crate::scalar::Scalar;
use crate::stack::deep;
use crate::{oracle, Error};
use forms::{Group, Program, Views};
use rewrite::MOST_DEPTH;
pub use tile::free_scratch;
#[doc(hidden)]
pub use verify::plan_fault;

/// The number of sets of layouts for which a plan caches steps.
const PROGRAMS: usize = 8;

/// A bound program compiled for fast execution. Threads may share it.
///
/// Its results are those of [`oracle::run`] within the tolerances of the language: the same for integers; for floats
/// the same bits in every run with the same layouts on the same machine, with any number of threads.
#[derive(Debug)]
pub struct Plan {
    bound: Bound,
    level: Level,
    statements: Vec<Statement>,
    scans: Vec<Group>,
    programs: Mutex<Vec<Arc<Program>>>,
}

impl Plan {
    /// The plan of a program.
    ///
    /// # Errors
    /// Of kind stack overflow.
    pub fn new(bound: &Bound) -> Result<Plan, Error> {
        Plan::at(bound, Level::best())
    }

    /// The plan of a program with kernels for that instruction set.
    ///
    /// # Errors
    /// Of kind stack overflow.
    pub fn at(bound: &Bound, level: Level) -> Result<Plan, Error> {
        deep(bound.depth.max(MOST_DEPTH), || {
            let mut bound = bound.clone();
            let (statements, scans) = if bound.scans.is_empty() {
                let mut statements = rewrite::inline(&bound);
                rewrite::transformed(&mut bound, &mut statements);
                (statements, Vec::new())
            } else {
                forms::fused(&mut bound)
            };
            Plan {
                bound,
                level,
                statements,
                scans,
                programs: Mutex::new(Vec::new()),
            }
        })
    }

    /// The bound program.
    pub fn bound(&self) -> &Bound {
        &self.bound
    }

    /// Runs the program. Outputs may overlap inputs. A run that fails may have written some of the outputs.
    ///
    /// # Errors
    ///
    /// Those of [`oracle::run`], and of kind illegal argument: operands other than those to which the program was bound.
    ///
    /// # Safety
    ///
    /// As [`Operand`] and [`OperandMut`] say.
    pub unsafe fn run(&self, inputs: &[Operand], outputs: &mut [OperandMut]) -> Result<(), Error> {
        // SAFETY: as the caller says.
        unsafe { self.run_far(inputs, outputs, &[]) }.map(|_| ())
    }

    /// The same with inputs that are read by parts, the same bits as if they were in memory: by number, with none for those that are in memory.
    /// False if it reads them in another way, or they cannot be read, or a statement fails; then outputs may have been written.
    ///
    /// # Errors
    ///
    /// As [`run`](Plan::run), but those of statements.
    ///
    /// # Safety
    ///
    /// As [`Operand`] and [`OperandMut`] say, but for those inputs.
    pub unsafe fn run_far(
        &self,
        inputs: &[Operand],
        outputs: &mut [OperandMut],
        fars: &[Option<Far<'_>>],
    ) -> Result<bool, Error> {
        self.check(inputs, outputs)?;
        let fits = self
            .bound
            .numbers
            .iter()
            .all(|&(input, dtype)| match &inputs[input] {
                Operand::Number(number) => Scalar::of_number(*number, dtype).is_some(),
                Operand::Tensor { .. } => true,
            });
        let program = if fits {
            self.program(inputs, outputs)
        } else {
            self.bound.check_numbers(inputs)?;
            None
        };
        match program {
            Some(program) if program.reads_by_parts(fars) => {
                let (statements, scans) = (&self.statements, &self.scans);
                // SAFETY: operands have the types and layouts that the program was made for.
                unsafe { program.run(&self.bound, statements, scans, inputs, outputs, fars) }
            }
            None if fars.is_empty() => {
                // SAFETY: as the caller says.
                unsafe { oracle::run(&self.bound, inputs, outputs) }.map(|()| true)
            }
            _ => Ok(false),
        }
    }

    /// Checks that operands are those to which the program was bound.
    fn check(&self, inputs: &[Operand], outputs: &[OperandMut]) -> Result<(), Error> {
        let (n, m) = (self.bound.inputs(), self.bound.returned.len());
        if inputs.len() != n || outputs.len() != m {
            let (given, written) = (inputs.len(), outputs.len());
            return Err(Error::illegal(format!(
                "{given} inputs and {written} outputs for a program of {n} and {m}"
            )));
        }
        let tensors = &self.bound.tensors;
        let same = |id: usize, dtype: DType, layout: &Strided<&[i64]>| {
            let tensor = &tensors[id];
            if tensor.dtype == Some(dtype) && tensor.shape == layout.shape() {
                return Ok(());
            }
            Err(Error::illegal(format!(
                "{}: {dtype:?} of shape {:?}, but the program was bound to {:?} of {:?}",
                tensor.name,
                layout.shape(),
                tensor.dtype,
                tensor.shape
            )))
        };
        for (id, input) in inputs.iter().enumerate() {
            match input {
                Operand::Tensor { dtype, layout, .. } => same(id, *dtype, layout)?,
                Operand::Number(_) if tensors[id].dtype.is_none() => {}
                Operand::Number(_) => {
                    return Err(Error::illegal(format!(
                        "{}: a number for a tensor",
                        tensors[id].name
                    )))
                }
            }
        }
        for (output, &id) in outputs.iter().zip(&self.bound.returned) {
            same(id, output.dtype, &output.layout)?;
        }
        Ok(())
    }

    /// The steps for these layouts, cached for the next run; `None` if only the reference evaluator supports the program.
    fn program(&self, inputs: &[Operand], outputs: &[OperandMut]) -> Option<Arc<Program>> {
        let known = |programs: &[Arc<Program>]| {
            let fits = |program: &&Arc<Program>| program.views.are_of(&self.bound, inputs, outputs);
            programs.iter().find(fits).cloned()
        };
        if let Some(program) = known(&self.programs()) {
            return Some(program);
        }
        // Made outside of the lock, so that others need not wait.
        let views = Views::new(&self.bound, inputs, outputs);
        let made = deep(self.bound.depth.max(MOST_DEPTH), || {
            Program::new(
                &self.bound,
                &self.statements,
                &self.scans,
                self.level,
                views,
            )
            .ok()
        });
        let program = made.ok().flatten()?;
        let mut programs = self.programs();
        if let Some(program) = known(&programs) {
            return Some(program); // another thread was faster
        }
        if programs.len() == PROGRAMS {
            programs.remove(0);
        }
        let program = Arc::new(program);
        programs.push(program.clone());
        Some(program)
    }

    fn programs(&self) -> MutexGuard<'_, Vec<Arc<Program>>> {
        self.programs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
