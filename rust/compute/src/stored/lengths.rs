//! Lengths of rows as numbers. Each is a loop of the statement with one value, which other loops determine: so it may stand wherever a loop may.

use super::rows::Path;
use crate::ast::{Access, Assign, Condition, Expr, Extent, Index, Shape};
use crate::infer::access::Axis;
use crate::infer::loops::Loops;
use crate::infer::Environment;

/// The length of a row in a statement's text.
#[derive(Clone, Debug)]
pub(super) struct RowLength {
    /// The loop that has its value: its text, which is no name.
    pub name: String,
    pub tensor: String,
    /// The indices before the axis.
    pub before: Vec<Index>,
}

/// Whether a number is the length of a row of a ragged axis.
pub(super) fn is_of_row(environment: &Environment, extent: &Extent) -> bool {
    match extent {
        Extent::Len(name, indices) => {
            let tensor = environment.tensor(name);
            tensor.is_some_and(|id| environment.tensors[id].shape.get(indices.len()) == Some(&-1))
        }
        _ => false,
    }
}

/// A statement with the lengths of rows as loops, and these, each after those in its own indices. None if an index does not fit INT64.
pub(super) fn written_out(
    environment: &Environment,
    assign: &Assign,
) -> Option<(Assign, Vec<RowLength>)> {
    let mut writer = Writer {
        environment,
        found: Vec::new(),
    };
    let mut assign = assign.clone();
    writer.indices(&mut assign.left)?;
    writer.expr(&mut assign.value)?;
    writer.conditions(&mut assign.guards)?;
    for (_, extent) in &mut assign.ranges {
        writer.extent(extent)?;
    }
    if let Some(Shape::Sizes(sizes)) = &mut assign.shape {
        for size in sizes {
            writer.extent(size)?;
        }
    }
    for access in &mut assign.stored {
        writer.indices(&mut access.indices)?;
    }
    Some((assign, writer.found))
}

struct Writer<'e> {
    environment: &'e Environment,
    found: Vec<RowLength>,
}

impl Writer<'_> {
    fn access(&mut self, access: &mut Access) -> Option<()> {
        self.indices(&mut access.indices)
    }

    fn indices(&mut self, indices: &mut [Index]) -> Option<()> {
        indices.iter_mut().try_for_each(|index| self.index(index))
    }

    fn index(&mut self, index: &mut Index) -> Option<()> {
        if let Some(look_up) = &mut index.look_up {
            self.access(look_up)?;
        }
        for (coefficient, length) in std::mem::take(&mut index.lengths) {
            match self.length(&length)? {
                Some(name) => index.add(&Index::of(name), coefficient)?,
                None => index.lengths.push((coefficient, length)),
            }
        }
        Some(())
    }

    /// The loop of a length; none if it is not that of a row.
    fn length(&mut self, extent: &Extent) -> Option<Option<String>> {
        let Extent::Len(tensor, indices) = extent else {
            return Some(None);
        };
        if !is_of_row(self.environment, extent) {
            return Some(None);
        }
        let name = extent.to_string().replace("#0", "");
        let mut before = indices.clone();
        self.indices(&mut before)?;
        if self.found.iter().all(|known| known.name != name) {
            self.found.push(RowLength {
                name: name.clone(),
                tensor: tensor.clone(),
                before,
            });
        }
        Some(Some(name))
    }

    fn extent(&mut self, extent: &mut Extent) -> Option<()> {
        if let Extent::Sum(sum) = extent {
            return self.index(sum);
        }
        if let Some(name) = self.length(extent)? {
            *extent = Extent::Sum(Box::new(Index::of(name)));
        }
        Some(())
    }

    fn conditions(&mut self, conditions: &mut Vec<Condition>) -> Option<()> {
        let mut plain = Vec::new();
        for mut condition in std::mem::take(conditions) {
            self.index(&mut condition.index)?;
            self.extent(&mut condition.bound)?;
            plain.extend(condition.plain()?);
        }
        *conditions = plain;
        Some(())
    }

    fn expr(&mut self, expr: &mut Expr) -> Option<()> {
        match expr {
            Expr::Read(access) => self.access(access)?,
            Expr::Length(extent) => {
                self.extent(extent)?;
                if let Extent::Sum(sum) = extent {
                    if let Some(name) = sum.lone() {
                        *expr = Expr::Loop(name.to_owned());
                    }
                }
            }
            Expr::Guard(conditions, _) => self.conditions(conditions)?,
            _ => {}
        }
        expr.children_mut()
            .into_iter()
            .try_for_each(|child| self.expr(child))
    }
}

impl RowLength {
    /// The axis of a read at these indices, of which the length is this.
    pub fn axis(&self) -> (Access, usize) {
        let mut indices = self.before.clone();
        indices.push(Index::default());
        let access = Access {
            tensor: self.tensor.clone(),
            indices,
        };
        (access, self.before.len())
    }

    /// The way to the row.
    pub fn path(
        &self,
        environment: &mut Environment,
        loops: &Loops,
        label: &str,
    ) -> Result<Path, Vec<String>> {
        let (access, axis) = self.axis();
        let read = Axis {
            tensor: &self.tensor,
            axis,
            length: -1,
            index: &access.indices[axis],
            guarded: true,
            bounds: false,
            access: &access,
        };
        super::ranges::path(environment, loops, label, &read)
    }
}
