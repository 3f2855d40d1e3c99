//! A program with `...`, whose statements are written out as they run.

use std::sync::Arc;

use super::{illegal, Run};
use crate::ast::{Assign, First};
use crate::names::display;
use crate::program::{Plain, Steps};
use crate::rest::{self, Fresh};
use crate::scan::Block;
use crate::Error;

impl Steps for Run<'_, '_> {
    fn closed(&mut self, assign: &Assign, fresh: &Fresh) -> Result<Assign, Error> {
        let shape = |label: &str| {
            let id = self.environment.tensor(label)?;
            Some(self.environment.tensors[id].shape.clone())
        };
        let pin = self.pins.get(&assign.target).map(Vec::as_slice);
        rest::written_out(assign, fresh, &shape, pin, &|_| false).map_err(|faults| {
            let none = || {
                let name = display(&assign.target);
                vec![format!("{name}: `...` of what has no value")]
            };
            illegal(faults.unwrap_or_else(none))
        })
    }

    fn block(&mut self, body: Vec<Assign>, block: &mut Block) -> Result<Vec<Assign>, Error> {
        if let Some(open) = body.iter().find(|assign| assign.is_open()) {
            return Err(Error::illegal(format!(
                "{}: `...` in a scan of a program over ragged or sparse tensors; write the axes out",
                display(&open.target)
            )));
        }
        for lag in &mut block.lags {
            if let Some(First::Tensor(tensor)) = &lag.init {
                let id = self.environment.tensor(tensor);
                lag.rank = id.map(|id| self.environment.tensors[id].shape.len());
            }
        }
        Ok(body)
    }

    fn next(&mut self, plain: &Plain) -> Result<(), Error> {
        let first = self.plain.statements.len();
        self.plain = Arc::new(plain.clone());
        self.run_from(first)
    }
}
