//! The steps for inputs and outputs with certain strides.

use super::contraction::Contraction;
use super::emit::{Unsupported, View};
use super::footprint::{covers, injective};
use super::machine::Failed;
use super::nest::Nest;
use super::rows::Rows;
use super::take::Take;
use super::transpose::Transpose;
use super::verify::{self, Allocation, Fault};
use super::work;
use crate::ast::Op;
use crate::bound::{Access, Affine, Bound, Expr, Index, Loop, Node, Statement, TensorId};
use crate::kernel::{self, Level};
use crate::operand::{DType, Number, Operand, OperandMut, Strided};
use crate::scalar::Scalar;

/// The address of position 0 of each tensor; inline for small programs.
type Bases = smallvec::SmallVec<[*mut u8; 16]>;

/// The layouts of the tensors of a program.
#[derive(Debug)]
pub(crate) struct Views {
    /// The tensors of the program, then the outputs that are not written in place.
    pub tensors: Vec<View>,
    /// For each tensor the output in which it is computed in place, if any.
    pub places: Vec<Option<usize>>,
    /// Outputs, by number, that are copied from a tensor at the end.
    pub copies: Vec<(usize, TensorId)>,
}

/// The row-major layout of a bound shape, which fits memory.
pub(crate) fn row_major(shape: &[i64]) -> Strided {
    Strided::row_major(shape).unwrap_or_else(|error| unreachable!("{error}"))
}

/// The range of addresses of an operand; `None` if it is empty.
fn span(data: *const u8, dtype: DType, layout: &Strided<&[i64]>) -> Option<(i128, i128)> {
    let (first, last) = layout.bounds()?;
    let (base, size) = (data.addr() as i128, kernel::size(dtype) as i128);
    Some((
        base + i128::from(first) * size,
        base + (i128::from(last) + 1) * size,
    ))
}

/// Whether an output overlaps an input, or a previous output.
fn meets(inputs: &[Operand], outputs: &[OperandMut], k: usize) -> bool {
    let of = |output: &OperandMut| span(output.data, output.dtype, &output.layout);
    let Some((from, to)) = of(&outputs[k]) else {
        return false;
    };
    let overlaps = |other: Option<(i128, i128)>| other.is_some_and(|(a, b)| from < b && a < to);
    inputs.iter().any(|input| match input {
        Operand::Tensor {
            dtype,
            data,
            layout,
        } => overlaps(span(*data, *dtype, layout)),
        Operand::Number(_) => false,
    }) || outputs[..k].iter().any(|output| overlaps(of(output)))
}

impl Views {
    /// The views of a run. An output that overlaps an input or another output is computed in a temporary first.
    pub fn new(bound: &Bound, inputs: &[Operand], outputs: &[OperandMut]) -> Views {
        let view = |id: usize| View {
            dtype: bound.tensors[id].dtype.unwrap_or(DType::Double),
            layout: row_major(&bound.tensors[id].shape),
        };
        let mut tensors: Vec<View> = (0..bound.tensors.len()).map(view).collect();
        for (id, input) in inputs.iter().enumerate() {
            if let Operand::Tensor { layout, .. } = input {
                tensors[id].layout = owned(layout);
            }
        }
        let mut places = vec![None; bound.tensors.len()];
        let mut copies = Vec::new();
        for (k, (output, &id)) in outputs.iter().zip(&bound.returned).enumerate() {
            let layout = owned(&output.layout);
            if meets(inputs, outputs, k) || places[id].is_some() || id < bound.inputs() {
                tensors.push(View {
                    dtype: output.dtype,
                    layout,
                });
                copies.push((k, id));
            } else {
                tensors[id].layout = layout;
                places[id] = Some(k);
            }
        }
        Views {
            tensors,
            places,
            copies,
        }
    }

    /// Whether these are the views of a run.
    pub fn are_of(&self, bound: &Bound, inputs: &[Operand], outputs: &[OperandMut]) -> bool {
        let same = |at: usize, layout: &Strided<&[i64]>| {
            let view = &self.tensors[at].layout;
            view.as_slices() == *layout
        };
        let mut copies = bound.tensors.len()..;
        inputs.iter().enumerate().all(|(id, input)| match input {
            Operand::Tensor { layout, .. } => same(id, layout),
            Operand::Number(_) => true,
        }) && outputs.iter().enumerate().all(|(k, output)| {
            let id = bound.returned[k];
            let elsewhere = self.copies.iter().any(|&(copied, _)| copied == k);
            let must = meets(inputs, outputs, k)
                || id < bound.inputs()
                || self.places[id].is_some_and(|first| first < k);
            let at = match elsewhere {
                true => copies.next().unwrap_or(id),
                false => id,
            };
            elsewhere == must && same(at, &output.layout)
        })
    }
}

/// An owned copy.
fn owned(layout: &Strided<&[i64]>) -> Strided {
    Strided::new(
        layout.shape().to_vec(),
        layout.strides().to_vec(),
        layout.offset(),
    )
    .unwrap_or_else(|error| unreachable!("{error}"))
}

/// One step of a program.
#[derive(Debug)]
enum Step {
    /// A loop nest.
    Nest(Box<Nest>),
    /// Statements that run row by row.
    Rows(Box<Rows>),
    /// Rows of a table by index.
    Take(Box<Take>),
    /// A transposition.
    Transpose(Box<Transpose>),
    /// Matrix products.
    Contraction(Box<Contraction>),
}

impl Step {
    /// The fastest step that does what a statement says. No loop has range 0.
    fn new(level: Level, statement: &Statement, views: &[View]) -> Result<Step, Unsupported> {
        if let Some(contraction) = Contraction::new(statement, views) {
            return Ok(Step::Contraction(Box::new(contraction)));
        }
        if let Some(take) = Take::new(statement, views) {
            return Ok(Step::Take(Box::new(take)));
        }
        if let Some(transpose) = Transpose::new(statement, views) {
            return Ok(Step::Transpose(Box::new(transpose)));
        }
        let nest = Nest::new(level, statement, views, &[])?;
        Ok(Step::Nest(Box::new(nest)))
    }

    /// Whether all that it touches is inside of the memory of the tensors.
    fn verify(&self, allocations: &[Allocation]) -> Result<(), Fault> {
        let all = match self {
            Step::Nest(nest) => return verify::nest(nest, allocations),
            Step::Rows(_) => return Ok(()), // each of its nests was verified as it was made
            Step::Contraction(contraction) => contraction.touched().to_vec(),
            Step::Take(take) => take.touched().to_vec(),
            Step::Transpose(transpose) => transpose.touched().to_vec(),
        };
        all.into_iter()
            .try_for_each(|(tensor, bytes)| allocations[tensor].has(tensor, bytes))
    }
}

/// The steps for inputs and outputs with certain strides.
#[derive(Debug)]
pub(crate) struct Program {
    pub views: Views,
    steps: Vec<Step>,
    /// Tensors that need temporary memory, and their numbers of elements.
    temporaries: Vec<(TensorId, usize)>,
}

/// A statement that writes every element of a tensor.
fn whole(target: TensorId, view: &View, value: Expr) -> Statement {
    let loops = view
        .layout
        .shape()
        .iter()
        .map(|&range| Loop {
            name: String::new(),
            range,
        })
        .collect::<Vec<_>>();
    Statement {
        target,
        kept: loops.len(),
        left: identity_indices(loops.len()),
        loops,
        op: Op::Set,
        value,
        guards: Vec::new(),
    }
}

fn identity_indices(rank: usize) -> Vec<Index> {
    (0..rank)
        .map(|l| Index {
            affine: Affine {
                constant: 0,
                terms: vec![(l, 1)],
            },
            look_up: None,
            checked: false,
        })
        .collect()
}

/// The number of elements of a tensor.
fn elements(view: &View) -> usize {
    view.layout.shape().iter().fold(1, |product: usize, &len| {
        product.saturating_mul(len as usize)
    })
}

impl Program {
    /// The steps of statements over these views.
    pub fn new(
        bound: &Bound,
        statements: &[Statement],
        level: Level,
        views: Views,
    ) -> Result<Program, Unsupported> {
        let mut steps = Vec::new();
        let mut temporaries = Vec::new();
        let allocations: Vec<Allocation> = views.tensors.iter().map(Allocation::of).collect();
        let add = |statement: &Statement, steps: &mut Vec<Step>| {
            if statement.loops.iter().any(|l| l.range <= 0) {
                return Ok(());
            }
            let step = Step::new(level, statement, &views.tensors)?;
            step.verify(&allocations).map_err(|fault| {
                let name = bound.tensors.get(statement.target);
                let name = name.map_or("the copy of a result", |tensor| &tensor.name);
                verify::report(name, &fault);
                Unsupported
            })?;
            steps.push(step);
            Ok(())
        };
        let mut at = 0;
        let mut local = Vec::new();
        while at < statements.len() {
            if let Some((rows, count)) = Rows::new(level, bound, &statements[at..], &views.tensors)
            {
                local.extend(rows.locals());
                for member in &statements[at..at + count] {
                    let id = member.target;
                    if views.places[id].is_none() && !local.contains(&id) {
                        temporaries.push((id, elements(&views.tensors[id])));
                    }
                }
                steps.push(Step::Rows(Box::new(rows)));
                at += count;
                continue;
            }
            let statement = &statements[at];
            at += 1;
            let id = statement.target;
            let view = &views.tensors[id];
            if views.places[id].is_none() {
                temporaries.push((id, elements(view)));
            }
            let empty = statement.loops.iter().any(|l| l.range <= 0);
            // A sum of one element is stored where its guard holds, and nothing is written elsewhere.
            let one = statement.loops[statement.kept..]
                .iter()
                .all(|l| l.range == 1);
            let conditional = !statement.guards.is_empty()
                || one && matches!(statement.value.node, Node::Guard(..));
            if empty
                || conditional
                || !injective(statement)
                || !covers(statement, view.layout.shape())
            {
                let start = Expr {
                    dtype: view.dtype,
                    node: Node::Constant(Scalar::identity(statement.op, view.dtype)),
                };
                add(&whole(id, view, start), &mut steps)?;
            }
            add(statement, &mut steps)?;
        }
        for (k, &(_, id)) in views.copies.iter().enumerate() {
            let target = bound.tensors.len() + k;
            let view = &views.tensors[target];
            let value = Expr {
                dtype: view.dtype,
                node: Node::Read(Access {
                    tensor: id,
                    indices: identity_indices(view.layout.shape().len()),
                }),
            };
            add(&whole(target, view, value), &mut steps)?;
        }
        Ok(Program {
            views,
            steps,
            temporaries,
        })
    }

    /// Runs the steps.
    ///
    /// # Safety
    ///
    /// Operands have the layouts of the [`Views`], and keep the promises of [`Operand`].
    pub unsafe fn run(
        &self,
        bound: &Bound,
        inputs: &[Operand],
        outputs: &[OperandMut],
    ) -> Result<(), Failed> {
        let mut memory: Vec<Vec<u64>> = Vec::with_capacity(self.temporaries.len());
        let mut bases = Bases::from_elem(std::ptr::null_mut(), self.views.tensors.len());
        for (id, input) in inputs.iter().enumerate() {
            if let Operand::Tensor { data, .. } = input {
                bases[id] = data.cast_mut();
            }
        }
        for (id, place) in self.views.places.iter().enumerate() {
            if let Some(k) = place {
                bases[id] = outputs[*k].data;
            }
        }
        for (n, &(k, _)) in self.views.copies.iter().enumerate() {
            bases[bound.tensors.len() + n] = outputs[k].data;
        }
        for &(id, elements) in &self.temporaries {
            let bytes = elements.saturating_mul(kernel::size(self.views.tensors[id].dtype));
            let mut words: Vec<u64> = Vec::new();
            words
                .try_reserve_exact(bytes.div_ceil(8))
                .map_err(|_| Failed)?;
            bases[id] = words.as_mut_ptr().cast();
            memory.push(words);
        }
        // Values alone, which threads may share.
        let given: smallvec::SmallVec<[Option<Number>; 16]> = inputs
            .iter()
            .map(|input| match input {
                Operand::Number(number) => Some(*number),
                Operand::Tensor { .. } => None,
            })
            .collect();
        let numbers = |input: usize, dtype: DType| {
            given[input].map_or(0, |number| {
                Scalar::of_number(number, dtype).map_or(0, Scalar::bits)
            })
        };
        for step in &self.steps {
            match step {
                // SAFETY: as the caller says; statements write each tensor before they read it.
                Step::Nest(nest) => unsafe { work::run(nest, &bases, &numbers)? },
                // SAFETY: as above.
                Step::Rows(rows) => unsafe { rows.run(&self.views.tensors, &bases, &numbers)? },
                // SAFETY: as above.
                Step::Take(take) => unsafe { take.run(&bases)? },
                // SAFETY: as above.
                Step::Transpose(transpose) => unsafe { transpose.run(&bases)? },
                // SAFETY: as above.
                Step::Contraction(contraction) => unsafe { contraction.run(&bases, &numbers)? },
            }
        }
        Ok(())
    }
}
