//! What a program does with its inputs, statement by statement, in words: ranges, support, points, and the kind and the memory of each result.

use std::collections::HashMap;

use super::nest::Nest;
use super::ranges::{Bound, Length, Range};
use super::rows::Path;
use super::support::Support;
use super::tensor::{Form, Tensor};
use crate::ast;
use crate::bound::{self, Access, Affine, Index, LoopId, TensorId};
use crate::names::display;
use crate::operand::DType;
use crate::program::Program;
use crate::{kernel, Error, Signature};

/// What a statement did.
pub(super) struct Entry {
    /// Its text.
    pub text: String,
    /// Its loops, and where it runs.
    pub loops: String,
    pub points: u128,
    /// What it made.
    pub result: String,
}

impl Entry {
    /// That of a dense statement; of what is not kept nothing needs be in memory.
    pub fn dense(
        text: String,
        statement: &bound::Statement,
        target: &bound::Tensor,
        kept: bool,
    ) -> Entry {
        let loops = statement.loops.iter();
        let loops: Vec<String> = loops
            .map(|each| format!("{} in 0:{}", each.name, each.range))
            .collect();
        let ranges = statement.loops.iter().map(|each| each.range.max(0) as u128);
        Entry {
            text,
            loops: loops.join(", "),
            points: ranges.fold(1, u128::saturating_mul),
            result: dense_result(target.dtype.unwrap_or(DType::Double), &target.shape, kept),
        }
    }
}

/// All entries, one below the other.
pub(super) fn text(entries: &[Entry]) -> String {
    let mut text = String::new();
    for Entry {
        text: statement,
        loops,
        points,
        result,
    } in entries
    {
        let points = match points {
            1 => "1 point".to_owned(),
            points => format!("{points} points"),
        };
        let loops = match &**loops {
            "" => points,
            loops => format!("{loops}: {points}"),
        };
        text.push_str(&format!("{statement}\n    {loops}\n    {result}\n"));
    }
    text
}

/// The memory that a program took at a time.
pub(super) fn most(bytes: u64) -> String {
    format!("at most {} at a time\n", counted(u128::from(bytes), "byte"))
}

/// The text of a statement by what defines its names.
pub(super) fn statement(assign: &ast::Assign) -> String {
    assign.to_string().replace("#0", "")
}

/// What a program with dense inputs of these types and shapes does.
///
/// # Errors
/// Of kind illegal argument, as [`Program::bind`].
pub fn dense(program: &Program, inputs: &[Signature]) -> Result<String, Error> {
    let bound = program.bind(inputs, &vec![None; program.outputs().len()])?;
    let texts = program.plain_statements()?;
    let targets = program.plain_targets();
    let texts: HashMap<&str, &String> = targets
        .iter()
        .map(|label| display(label))
        .zip(&texts)
        .collect();
    let entries: Vec<Entry> = bound
        .statements
        .iter()
        .map(|each| {
            let tensor = &bound.tensors[each.target];
            let text = texts.get(&*tensor.name);
            let text = text.map_or(String::new(), |text| text.replace("#0", ""));
            Entry::dense(text, each, tensor, bound.returned.contains(&each.target))
        })
        .collect();
    Ok(text(&entries))
}

/// A dense result; of one that is not kept nothing needs be in memory.
fn dense_result(dtype: DType, shape: &[i64], kept: bool) -> String {
    let count = shape
        .iter()
        .map(|&length| length.max(0) as u128)
        .fold(1, u128::saturating_mul);
    let bytes = count.saturating_mul(kernel::size(dtype) as u128);
    let most = if kept { "" } else { "at most " };
    format!(
        "dense {}: {}, {most}{}",
        typed(dtype, shape),
        counted(count, "element"),
        counted(bytes, "byte")
    )
}

/// A result; `others` are the tensors before it, with their names, whose row splits and coordinates it may share.
pub(super) fn result(
    made: &Tensor<'_>,
    others: &[Tensor<'_>],
    name: &dyn Fn(TensorId) -> String,
) -> String {
    let dtype = made.dtype().unwrap_or(DType::Double);
    let typed = typed(dtype, made.shape());
    let width = dtype.width() as u128;
    match &made.form {
        Form::Number(_) | Form::Dense { .. } => dense_result(dtype, made.shape(), true),
        Form::Ragged(rows) => {
            let mut bytes = rows.count as u128 * width;
            let mut shared = Vec::new();
            for splits in rows.splits.iter().flatten() {
                let has = |other: &Tensor<'_>| {
                    let other = other.rows().map(|rows| rows.splits.iter().flatten());
                    other.is_some_and(|mut all| all.any(|one| one.is_same(splits)))
                };
                match others.iter().position(has) {
                    Some(id) => shared.push(name(id)),
                    None => bytes += splits.len() as u128 * 8,
                }
            }
            shared.dedup();
            let rows_of = match &shared[..] {
                [] => String::new(),
                names => format!("the row splits of {}, ", names.join(" and ")),
            };
            format!(
                "ragged {typed}: {}, {rows_of}{}",
                counted(rows.count as u128, "element"),
                counted(bytes, "byte")
            )
        }
        Form::Sparse(points) => {
            let mut bytes = points.count as u128 * width;
            let has = |other: &Tensor<'_>| {
                other
                    .points()
                    .is_some_and(|other| other.coordinates.is_same(&points.coordinates))
            };
            let of = match others.iter().position(has) {
                Some(id) => format!("the positions of {}, ", name(id)),
                None => {
                    bytes += points.coordinates.len() as u128 * 8;
                    String::new()
                }
            };
            format!(
                "sparse {typed}: {}, {of}{}",
                counted(points.count as u128, "point"),
                counted(bytes, "byte")
            )
        }
    }
}

fn typed(dtype: DType, shape: &[i64]) -> String {
    format!("{}{shape:?}", dtype.name())
}

fn counted(count: u128, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

/// Names in the texts of a nest.
struct Words<'n> {
    nest: &'n Nest,
    name: &'n dyn Fn(TensorId) -> String,
}

/// The loops of a nest, and where it runs.
pub(super) fn loops(nest: &Nest, name: &dyn Fn(TensorId) -> String) -> String {
    let words = Words { nest, name };
    let mut text = Vec::new();
    for (id, range) in nest.ranges.ranges.iter().enumerate() {
        let end = match range {
            Range::Fixed(range) => range.to_string(),
            // The length of a row that stands in the text.
            Range::Is(_) => continue,
            Range::Rows(bounds) => words.least(bounds),
        };
        text.push(format!("{} in 0:{end}", nest.names[id]));
    }
    let text = text.join(", ");
    match nest.support {
        Support::All => text,
        ref support => format!("{text} where {}", words.support(support, false)),
    }
}

impl Words<'_> {
    fn least(&self, bounds: &[Bound]) -> String {
        let mut all: Vec<String> = Vec::new();
        for bound in bounds {
            let text = self.bound(bound);
            if !all.contains(&text) {
                all.push(text);
            }
        }
        match &all[..] {
            [one] => one.clone(),
            all => format!("min({})", all.join(", ")),
        }
    }

    /// The range that a bound gives: as long as coefficient * loop + the others stay below the length.
    fn bound(&self, bound: &Bound) -> String {
        let length = match &bound.length {
            Length::Affine(formula) => return self.affine(&formula.affine).to_string(),
            Length::Number(length) => ast::Index::number(*length),
            Length::Row(path) => ast::Index::of(self.row(path)),
        };
        let mut rest = length;
        let mut others = ast::Index::number(bound.constant);
        let terms = bound.others.iter();
        others.terms = terms
            .map(|&(coefficient, id)| (coefficient, self.nest.names[id].clone()))
            .collect();
        if bound.coefficient > 0 {
            // What the others take at most.
            if rest.add(&others, -1).is_none() {
                return "...".to_owned();
            }
        } else {
            rest = others;
            rest.constant = rest.constant.saturating_add(1);
        }
        match bound.coefficient.unsigned_abs() {
            1 => rest.to_string(),
            factor => format!("({rest})/{factor}"),
        }
    }

    fn row(&self, path: &Path) -> String {
        let before: Vec<String> = path.before.iter().map(|index| self.index(index)).collect();
        format!("len({},{})", path.name, before.join(","))
    }

    fn affine(&self, affine: &Affine) -> ast::Index {
        let name = |&(id, coefficient): &(LoopId, i64)| (coefficient, self.nest.names[id].clone());
        ast::Index {
            constant: affine.constant,
            terms: affine.terms.iter().map(name).collect(),
            ..ast::Index::default()
        }
    }

    fn index(&self, index: &Index) -> String {
        let affine = self.affine(&index.affine);
        match &index.look_up {
            None => affine.to_string(),
            Some(access) if affine.terms.is_empty() && affine.constant == 0 => self.access(access),
            Some(access) => format!("{affine} + {}", self.access(access)),
        }
    }

    fn access(&self, access: &Access) -> String {
        let indices: Vec<String> = access
            .indices
            .iter()
            .map(|index| self.index(index))
            .collect();
        format!("{}[{}]", (self.name)(access.tensor), indices.join(","))
    }

    fn support(&self, support: &Support, inner: bool) -> String {
        match support {
            Support::None => "never".to_owned(),
            Support::All => "always".to_owned(),
            Support::Leaf(leaf) => format!("stored({})", self.access(&self.nest.reads[*leaf])),
            Support::And(a, b) => {
                format!("{} and {}", self.support(a, true), self.support(b, true))
            }
            Support::Or(a, b) => {
                let text = format!("{} or {}", self.support(a, false), self.support(b, false));
                if inner {
                    format!("({text})")
                } else {
                    text
                }
            }
        }
    }
}
