//! The agreement of lone uses of a loop, row by row.

use super::ranges::Length;
use super::rows;
use super::shape::Shaper;
use super::spans::length;
use super::statement::Statement;
use crate::bound::LoopId;
use crate::Error;

impl Statement {
    /// Checks that lone uses of a loop agree, row by row.
    pub fn agree(&self, shaper: &Shaper<'_, '_>) -> Result<(), Error> {
        let ranges = &self.nest.ranges;
        for id in 0..self.nest.names.len() {
            let uses: Vec<_> = ranges
                .lones
                .iter()
                .filter(|lone| lone.loop_id == id)
                .collect();
            let Some(first) = uses.first() else { continue };
            for other in &uses[1..] {
                if self.is_same(shaper, &first.length, &other.length) {
                    continue;
                }
                let mut needs = Vec::new();
                first.length.needs(&mut needs);
                other.length.needs(&mut needs);
                let mut loops: Vec<LoopId> = Vec::new();
                for need in needs {
                    shaper.closure(need, &mut loops);
                    if !loops.contains(&need) {
                        loops.push(need);
                    }
                }
                let mut values = vec![0; self.nest.names.len()];
                shaper.each(&loops, &mut values, &mut |values| {
                    let a = length(shaper.tensors, &first.length, values)?;
                    let b = length(shaper.tensors, &other.length, values)?;
                    if a == b {
                        return Ok(());
                    }
                    let row: Vec<String> = loops.iter().map(|&id| values[id].to_string()).collect();
                    Err(Error::illegal(format!(
                        "{}: index {} is {a} by {} axis {} and {b} by {} axis {} in row {}",
                        self.label,
                        self.nest.names[id],
                        first.name,
                        first.axis,
                        other.name,
                        other.axis,
                        row.join(",")
                    )))
                })?;
            }
        }
        Ok(())
    }

    /// Whether two lengths are the same in all rows, by their row splits.
    pub fn is_same(&self, shaper: &Shaper<'_, '_>, a: &Length, b: &Length) -> bool {
        match (a, b) {
            (Length::Number(a), Length::Number(b)) => a == b,
            (Length::Row(a), Length::Row(b)) => {
                let rows = |path: &rows::Path| shaper.tensors[path.tensor].rows();
                let (Some(of_a), Some(of_b)) = (rows(a), rows(b)) else {
                    return false;
                };
                if a.before != b.before || a.axis != b.axis {
                    return false;
                }
                (0..=a.axis).all(|axis| match (&of_a.splits[axis], &of_b.splits[axis]) {
                    (None, None) => of_a.shape[axis] == of_b.shape[axis],
                    (Some(a), Some(b)) => a.is_same(b) || **a == **b,
                    _ => false,
                })
            }
            _ => false,
        }
    }
}
