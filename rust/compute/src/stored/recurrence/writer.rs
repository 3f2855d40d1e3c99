//! The writer of the text for one row: reads become those of slices.

use std::collections::HashSet;

use super::slices::{At, Element, Place, Slice};
use super::text::{numbered, rows};
use crate::ast::{Access, Assign, Condition, Expr, Extent, First, Index, Shape, Type};
use crate::bound::TensorId;
use crate::infer::{sizes, Environment, Known};
use crate::names::display;
use crate::scan::Block;

/// What writes the text of statements for one row.
pub(super) struct Writer<'w> {
    pub environment: &'w Environment,
    /// What the block defines.
    pub own: HashSet<&'w str>,
    pub block: &'w Block,
    /// The number of axes of rows.
    pub count: usize,
    /// The loops of rows in the statement at hand, and its label.
    pub rows: Vec<String>,
    pub label: String,
    pub slices: Vec<(String, Slice)>,
    pub nothing: Vec<String>,
    pub varies: bool,
    pub faults: Vec<String>,
}

impl Writer<'_> {
    fn fault(&mut self, what: impl std::fmt::Display) {
        let fault = format!("{}: {what}", self.label);
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    pub fn statement(&mut self, assign: &Assign) -> Assign {
        let mut assign = assign.clone();
        self.label = display(&assign.target).to_owned();
        self.rows = rows(&assign, self.count);
        let guarded = !assign.guards.is_empty();
        for index in &mut assign.left[self.count..] {
            self.index(index, guarded);
        }
        self.expr(&mut assign.value, guarded);
        assign
            .guards
            .iter_mut()
            .for_each(|condition| self.condition(condition));
        let rows = self.rows.clone();
        let step = &self.block.step;
        assign
            .ranges
            .retain(|(name, _)| name != step && !rows.contains(name));
        for (_, extent) in &mut assign.ranges {
            self.extent(extent);
        }
        let ones = rows.iter().map(|name| (name.clone(), Extent::Number(1)));
        assign.ranges.extend(ones);
        match &mut assign.shape {
            Some(Shape::Like(name)) => {
                let mut indices: Vec<At> = (0..self.count).map(|axis| At::One(row(axis))).collect();
                if let Some(id) = self.environment.tensor(name) {
                    indices.resize(self.environment.tensors[id].shape.len(), At::All);
                    *name = self.slice(name, indices, true);
                }
            }
            Some(Shape::Sizes(sizes)) if self.count == 0 => {
                sizes.iter_mut().for_each(|size| self.extent(size));
            }
            Some(Shape::Sizes(_)) => {
                let (name, step) = (self.label.clone(), step.clone());
                self.fault(format_args!(
                    "where gives the shape of {name}, whose rows have as many steps as {step}; give the ranges of its loops in place of it"
                ));
            }
            None => {}
        }
        for name in &mut assign.adjoint {
            *name = self.typed(name);
        }
        assign
    }

    /// What stands around the statements: first values and the range of the steps.
    pub fn around(&mut self, block: &mut Block, body: &[Assign]) {
        self.label = format!("scan {}", block.step);
        self.rows.clear();
        for lag in &mut block.lags {
            let Some(First::Tensor(tensor)) = &mut lag.init else {
                continue;
            };
            let (Some(id), Some(assign)) = (
                self.environment.tensor(tensor),
                body.iter().find(|assign| assign.target == lag.of),
            ) else {
                continue;
            };
            self.label = format!("init {}", display(&lag.of));
            if self.refuses_sparse(id) {
                continue;
            }
            let rank = self.environment.tensors[id].shape.len();
            let lacks = (assign.left.len() - 1).saturating_sub(rank);
            // Of rank 0, or with all other axes; one may lack that of the examples.
            let first = if rank == 0 { self.count } else { lacks };
            let of_row = (first..self.count).map(|axis| At::One(row(axis)));
            let mut indices: Vec<At> = of_row.take(rank).collect();
            let shape = &self.environment.tensors[id].shape;
            let ragged = shape.iter().rposition(|&length| length < 0);
            if indices.len() < ragged.unwrap_or(0) {
                let name = display(tensor).to_owned();
                self.fault(format_args!(
                    "{name} is ragged, and its rows are not those of {}: the loops before its ragged axis are those before {} on the left side",
                    display(&lag.of), block.step
                ));
                continue;
            }
            indices.resize(rank, At::All);
            *tensor = self.slice(tensor, indices, false);
        }
        if self.count == 0 {
            if let Some(range) = &mut block.range {
                self.extent(range);
            }
        }
    }

    /// Whether a tensor is sparse, which is a fault: of its stored points a row is no slice.
    fn refuses_sparse(&mut self, id: TensorId) -> bool {
        let is_sparse = self.environment.sparse.contains(&id);
        if is_sparse {
            let name = self.environment.tensors[id].name.clone();
            self.fault(format_args!(
                "{name} is sparse, and a scan reads dense and ragged tensors only; toDense() makes one of it"
            ));
        }
        is_sparse
    }

    fn expr(&mut self, expr: &mut Expr, guarded: bool) {
        match expr {
            Expr::Read(access) => self.access(access, guarded),
            Expr::Loop(name) => {
                if let Some(axis) = self.rows.iter().position(|row| row == name) {
                    *name = numbered(axis);
                    self.varies = true;
                }
            }
            Expr::Length(extent) => self.extent(extent),
            Expr::Cast(Type::Of(name), _) => *name = self.typed(name),
            Expr::Guard(conditions, _) => conditions
                .iter_mut()
                .for_each(|condition| self.condition(condition)),
            _ => {}
        }
        let guarded = guarded || matches!(expr, Expr::Guard(..));
        for child in expr.children_mut() {
            self.expr(child, guarded);
        }
    }

    fn condition(&mut self, condition: &mut Condition) {
        self.index(&mut condition.index, true);
        self.extent(&mut condition.bound);
    }

    fn access(&mut self, access: &mut Access, guarded: bool) {
        if self.own.contains(&*access.tensor) {
            let lone = |axis: usize| access.indices.get(axis).and_then(Index::lone);
            if (0..self.count).any(|axis| lone(axis) != Some(&self.rows[axis])) {
                let (name, rows) = (display(&access.tensor).to_owned(), self.rows.join(","));
                self.fault(format_args!(
                    "{name} is defined by the scan row by row, and read there at [{rows},...] only; read others after the scan"
                ));
                return;
            }
            for index in &mut access.indices[self.count..] {
                self.index(index, guarded);
            }
            return;
        }
        let id = match self.environment.known.get(&access.tensor) {
            Some(&Known::Tensor(id)) => id,
            Some(Known::Nothing) => {
                self.nothing.push(access.tensor.clone());
                return;
            }
            _ => return,
        };
        if self.refuses_sparse(id) {
            return;
        }
        let tensor = &self.environment.tensors[id];
        if tensor.shape.len() != access.indices.len() {
            // The inference of the row says so.
            let all = vec![At::All; tensor.shape.len()];
            access.tensor = self.slice(&access.tensor, all, guarded);
            return;
        }
        let last = tensor.shape.iter().rposition(|&length| length < 0);
        let mut indices = Vec::new();
        for (axis, index) in access.indices.iter_mut().enumerate() {
            let is_before = last.is_some_and(|last| axis <= last);
            let place = self.place(index);
            let of_row = |place: &Place| *place != Place::number(place.constant);
            let at = match place {
                Some(place) if is_before || of_row(&place) => At::One(place),
                _ => At::All,
            };
            if at != At::All {
                *index = Index::number(0);
            } else {
                if last.is_some_and(|last| axis < last) {
                    let (name, step) = (tensor.name.clone(), self.block.step.clone());
                    let index = index.to_string();
                    self.fault(format_args!(
                        "{index} selects no row of {name}, which is ragged: in a scan an index before a ragged axis is of loops alone \
                         that stand before {step} on the left side"
                    ));
                }
                self.index(index, guarded);
            }
            indices.push(at);
        }
        access.tensor = self.slice(&access.tensor, indices, guarded);
    }

    /// An index that is no part of a row's place.
    fn index(&mut self, index: &mut Index, guarded: bool) {
        for (_, name) in &mut index.terms {
            if let Some(axis) = self.rows.iter().position(|row| row == name) {
                *name = numbered(axis);
                self.varies = true;
            }
        }
        for (_, length) in &mut index.lengths {
            self.extent(length);
        }
        if let Some(look_up) = &mut index.look_up {
            self.access(look_up, guarded);
        }
    }

    fn extent(&mut self, extent: &mut Extent) {
        match extent {
            Extent::Sum(sum) => self.index(sum, true),
            Extent::Size(..) => match sizes::value(self.environment, extent) {
                Ok(value) => *extent = Extent::Number(value),
                Err(fault) => self.fault(fault),
            },
            Extent::Len(name, indices) => {
                let Some(id) = self.environment.tensor(name) else {
                    return;
                };
                let shape = &self.environment.tensors[id].shape;
                if shape.get(indices.len()) != Some(&-1) {
                    match sizes::value(self.environment, extent) {
                        Ok(value) => *extent = Extent::Number(value),
                        Err(fault) => self.fault(fault),
                    }
                    return;
                }
                let places: Option<Vec<At>> = indices
                    .iter()
                    .map(|index| self.place(index).map(At::One))
                    .collect();
                let Some(mut places) = places else {
                    let text = extent.to_string().replace("#0", "");
                    self.fault(format_args!(
                        "{text} is not the length of a row in a scan; its indices are loops that stand before {} on the left side",
                        self.block.step
                    ));
                    return;
                };
                let axis = places.len();
                places.resize(shape.len(), At::All);
                if shape[axis + 1..].contains(&-1) {
                    self.fault(format_args!(
                        "{} is ragged behind axis {axis}, too, whose length a scan cannot have",
                        display(name)
                    ));
                    return;
                }
                *extent = Extent::Size(self.slice(name, places, true), axis as i64);
            }
            _ => {}
        }
    }

    /// An index that a row determines.
    fn place(&mut self, index: &Index) -> Option<Place> {
        let mut place = Place::number(index.constant);
        if index.rest {
            return None;
        }
        for (coefficient, name) in &index.terms {
            let axis = self.rows.iter().position(|row| row == name)?;
            place.terms.push((*coefficient, axis));
        }
        for (coefficient, length) in &index.lengths {
            match length {
                Extent::Len(name, indices) => {
                    let id = self.environment.tensor(name)?;
                    if self.environment.tensors[id].shape.get(indices.len()) == Some(&-1) {
                        let element = self.element(name, indices)?;
                        place.lengths.push((*coefficient, element));
                        continue;
                    }
                }
                Extent::Size(..) => {}
                _ => return None,
            }
            let value = sizes::value(self.environment, length).ok()?;
            place.constant = place
                .constant
                .checked_add(value.checked_mul(*coefficient)?)?;
        }
        if let Some(access) = &index.look_up {
            let id = self.environment.tensor(&access.tensor)?;
            let tensor = &self.environment.tensors[id];
            let is_integer = tensor.dtype.is_none_or(|dtype| dtype.is_integer());
            if tensor.shape.len() != access.indices.len()
                || !is_integer
                || self.environment.sparse.contains(&id)
            {
                return None;
            }
            let element = self.element(&access.tensor, &access.indices)?;
            place.look_up = Some(Box::new(element));
        }
        Some(place)
    }

    fn element(&mut self, name: &str, indices: &[Index]) -> Option<Element> {
        if self.own.contains(name) {
            return None;
        }
        let tensor = self.environment.tensor(name)?;
        let places = indices
            .iter()
            .map(|index| self.place(index).map(At::One))
            .collect::<Option<Vec<At>>>()?;
        Some(self.at(tensor, name, places))
    }

    fn at(&self, tensor: TensorId, name: &str, at: Vec<At>) -> Element {
        Element {
            tensor,
            label: self.label.clone(),
            name: display(name).to_owned(),
            at,
        }
    }

    /// The label of a slice: that of the tensor, with as many marks behind it as there are other slices of it.
    fn slice(&mut self, name: &str, at: Vec<At>, guarded: bool) -> String {
        let Some(tensor) = self.environment.tensor(name) else {
            return name.to_owned();
        };
        let slice = Slice {
            element: self.at(tensor, name, at),
            guarded,
            is_type: false,
        };
        self.add(name, slice)
    }

    fn add(&mut self, name: &str, slice: Slice) -> String {
        let element = &slice.element;
        let is_same = |other: &Slice| {
            let of = &other.element;
            of.tensor == element.tensor
                && of.at == element.at
                && (other.guarded, other.is_type) == (slice.guarded, slice.is_type)
        };
        if let Some((label, _)) = self.slices.iter().find(|(_, other)| is_same(other)) {
            return label.clone();
        }
        let others = self.slices.iter();
        let marks = others
            .filter(|(_, other)| other.element.tensor == element.tensor)
            .count();
        let label = format!("{name}{}", "'".repeat(marks));
        self.slices.push((label.clone(), slice));
        label
    }

    /// The label of something of a tensor's type.
    fn typed(&mut self, name: &str) -> String {
        if self.own.contains(name) {
            return name.to_owned();
        }
        let Some(tensor) = self.environment.tensor(name) else {
            if self.environment.known.contains_key(name) {
                self.nothing.push(name.to_owned());
            }
            return name.to_owned();
        };
        let mut slices = self.slices.iter();
        if let Some((label, _)) = slices.find(|(_, slice)| slice.element.tensor == tensor) {
            return label.clone();
        }
        let slice = Slice {
            element: self.at(tensor, name, Vec::new()),
            guarded: true,
            is_type: true,
        };
        self.add(name, slice)
    }
}

impl Place {
    fn number(constant: i64) -> Place {
        Place {
            constant,
            ..Place::default()
        }
    }
}

/// The place of a row on one of its axes.
fn row(axis: usize) -> Place {
    Place {
        terms: vec![(1, axis)],
        ..Place::default()
    }
}
