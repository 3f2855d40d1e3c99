//! A checked program.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::ast::{Assign, Extent, Gradient, Statement};
use crate::bound::Bound;
use crate::builder::{Builder, Scatter};
use crate::equations::{self, Equation};
use crate::infer::Binder;
use crate::names::{self, Named, Names};
use crate::rest::{self, Fresh};
use crate::scan::Block;
use crate::signature::Signature;
use crate::stack::deep;
use crate::stored::kinds::Kinds;
use crate::{batch, parse, text, Error};

/// A program: statements, and the names of its outputs. Immutable; programs are equal if their texts are.
#[derive(Clone, Debug)]
pub struct Program {
    statements: Vec<Statement>,
    returned: Option<Vec<String>>,
    text: String,
    inputs: Vec<String>,
    outputs: Vec<String>,
    /// A bound of the depth of the statements' trees.
    depth: usize,
    /// Whether a statement has `...`: then what runs depends on the ranks of inputs.
    is_open: bool,
    /// Which gradients are in scatter form only.
    scatter: Scatter,
    pub(crate) plain: Plain,
}

/// A program in which gradients are expanded and every name is defined once: a redefinition of `C` is `C#2`, and an
/// input that is also defined later is `C#0`. Intermediates of gradients have names that no text can have. Guards have
/// lower bounds, and upper ones without loops. Of a program whose ranks are not known, `...` stands for no axes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plain {
    pub statements: Vec<Assign>,
    /// The recurrences, in order; their statements are among those above.
    pub blocks: Vec<Block>,
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    /// Tensors that must be of a type with gradients, and the gradient that requires it.
    pub differentiated: Vec<(String, String)>,
    /// Seeds, and the tensors whose type and shape they must have.
    pub seeds: Vec<(String, String)>,
    /// A bound of the depth of the statements' trees.
    pub depth: usize,
}

impl Plain {
    /// The recurrence of which a statement is a part.
    pub fn block_of(&self, statement: usize) -> Option<&Block> {
        let mut blocks = self.blocks.iter();
        blocks.find(|block| block.statements.contains(&statement))
    }

    /// The inputs with respect to which a gradient is taken.
    pub fn inputs_of(&self, gradient: &Named) -> Vec<String> {
        let statements = self.statements.iter();
        let defined: HashSet<&str> = statements.map(|statement| &*statement.target).collect();
        gradient
            .by
            .iter()
            .map(|by| by.label.clone())
            .filter(|label| !defined.contains(label.as_str()))
            .collect()
    }
}

impl PartialEq for Program {
    fn eq(&self, other: &Program) -> bool {
        self.text == other.text
    }
}

impl Eq for Program {}

impl Program {
    /// Parses a program.
    ///
    /// # Errors
    /// Of kind illegal argument: a syntax error, with line and column, or all faults of the statements.
    pub fn parse(text: &str) -> Result<Program, Error> {
        let parsed = parse::parse(text)?;
        let depth = parsed.depth;
        deep(depth, || {
            Program::new(parsed.statements, parsed.returned, depth, Scatter::Never)
        })?
    }

    /// The program of parsed statements, whose trees have at most that depth, for which there is room on the stack.
    fn new(
        statements: Vec<Statement>,
        returned: Option<Vec<String>>,
        depth: usize,
        scatter: Scatter,
    ) -> Result<Program, Error> {
        if statements.is_empty() {
            return Err(Error::illegal("a program has at least one statement"));
        }
        names::check(&statements)?;
        let mut builder = Builder::new(&statements, depth, scatter.clone());
        let mut is_open = false;
        for statement in &statements {
            match statement {
                Statement::Assign(assign) => {
                    is_open |= assign.is_open();
                    builder.assign(assign, |assign| rest::collapsed(&assign))?;
                }
                Statement::Gradient(gradient) => builder.gradient(gradient)?,
                Statement::Scan(scan) => {
                    is_open |= scan.is_open();
                    builder.scan(scan, |mut body, _| {
                        for assign in body.iter_mut().filter(|assign| assign.is_open()) {
                            *assign = rest::collapsed(assign);
                        }
                        body
                    })?;
                }
            }
        }
        let outputs = match &returned {
            Some(returned) => builder.names.returned(returned)?,
            None => builder.outputs,
        };
        let mut plain = builder.plain;
        let (inputs, labels) = builder.names.inputs();
        plain.inputs = labels;
        plain.outputs = outputs
            .iter()
            .map(|name| builder.names.current(name))
            .collect();
        Ok(Program {
            text: text::program(&statements, returned.as_deref()),
            statements,
            returned,
            inputs,
            outputs,
            depth,
            is_open,
            scatter,
            plain,
        })
    }

    /// Whether a statement has `...`.
    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Whether the program is run as one over ragged and sparse tensors, whatever its inputs are.
    pub fn is_stored(&self) -> bool {
        self.stored_name().is_some()
    }

    /// The first name that is declared sparse, or has loops whose ranges depend on others.
    fn stored_name(&self) -> Option<&str> {
        self.statements
            .iter()
            .find_map(|statement| match statement {
                Statement::Assign(assign)
                    if assign.sparse || !assign.stored.is_empty() || Kinds::has_rows(assign) =>
                {
                    Some(assign.target.as_str())
                }
                _ => None,
            })
    }

    /// The statements.
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// The names of the inputs, in order of first appearance.
    pub fn inputs(&self) -> &[String] {
        &self.inputs
    }

    /// The names of the outputs: those that `return` lists; else all defined tensors, or, if there is a gradient, the
    /// differentiated tensor and the results of the last gradient, and the tensors defined after it.
    pub fn outputs(&self) -> &[String] {
        &self.outputs
    }

    /// The inputs that a statement defines, too, and that are read before it, as in `c[i] = c[i-1] + x[i]`.
    pub fn read_before_defined(&self) -> impl Iterator<Item = &str> {
        let labels = self.inputs.iter().zip(&self.plain.inputs);
        labels
            .filter(|(name, label)| name != label)
            .map(|(name, _)| name.as_str())
    }

    /// The inputs of rank 0 that an index looks up: a number for one is an integer of its own type, and not of its context's.
    pub fn looked_up(&self) -> impl Iterator<Item = &str> {
        let statements = self.plain.statements.iter();
        let looked_up: HashSet<&str> = statements.flat_map(|assign| assign.looked_up()).collect();
        let labels = self.inputs.iter().zip(&self.plain.inputs);
        labels
            .filter(move |(_, label)| looked_up.contains(label.as_str()))
            .map(|(name, _)| name.as_str())
    }

    /// The canonical text: parsing it gives an equal program, and equal programs have equal texts.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same program with other outputs.
    ///
    /// # Errors
    /// Of kind illegal argument: undefined names, duplicate names, no names.
    pub fn returning(&self, names: &[&str]) -> Result<Program, Error> {
        if names.is_empty() {
            return Err(Error::illegal("a program returns at least one name"));
        }
        let names = names.iter().map(|&name| name.to_owned()).collect();
        self.again(|statements| (statements, Some(names)), Scatter::Never)
    }

    /// The program with `gradient of [seed name] by names` appended; its outputs are `of`, and each of the names
    /// prefixed with "d". The seed is a new input, the last one.
    ///
    /// # Errors
    /// Of kind illegal argument: unknown names, duplicate names, no names; an `of` that depends on the gradient of a product.
    pub fn gradient(&self, of: &str, seed: Option<&str>, by: &[&str]) -> Result<Program, Error> {
        if by.is_empty() {
            return Err(Error::illegal(format!(
                "gradient {of}: with respect to no name"
            )));
        }
        if let Some(seed) = seed.filter(|seed| !parse::is_name(seed)) {
            return Err(Error::illegal(format!(
                "gradient {of}: '{seed}' is no name for a seed"
            )));
        }
        let gradient = Statement::Gradient(Gradient {
            of: of.to_owned(),
            seed: seed.map(str::to_owned),
            by: by.iter().map(|&name| name.to_owned()).collect(),
        });
        let appended = |mut statements: Vec<Statement>| {
            statements.push(gradient);
            (statements, None)
        };
        self.again(appended, Scatter::Never)
    }

    /// The program of changed statements and returned names, on a stack that is long enough.
    fn again(
        &self,
        change: impl FnOnce(Vec<Statement>) -> (Vec<Statement>, Option<Vec<String>>) + Send,
        scatter: Scatter,
    ) -> Result<Program, Error> {
        deep(self.depth, || {
            let (statements, returned) = change(self.statements.clone());
            Program::new(statements, returned, self.depth, scatter)
        })?
    }

    /// The same program for a batch of examples: these inputs, and all tensors that depend on them, get a leading axis,
    /// which is never reduced. Also returns the names that have it.
    ///
    /// # Errors
    /// Of kind illegal argument: no names, a name that is not an input, a gradient in the program.
    pub fn batched(&self, inputs: &[&str]) -> Result<(Program, Vec<String>), Error> {
        let given: Vec<batch::Given<'_>> = inputs.iter().map(|&name| (name, &[][..])).collect();
        self.batched_rows(&given)
    }

    /// The same where some axes of inputs have another length in each example, so that they are ragged in a batch: what is `size` of such an axis is
    /// `len` then.
    ///
    /// # Errors
    /// As [`batched`](Program::batched).
    pub fn batched_rows(
        &self,
        inputs: &[batch::Given<'_>],
    ) -> Result<(Program, Vec<String>), Error> {
        if inputs.is_empty() {
            return Err(Error::illegal("a batch is of at least one input"));
        }
        for &(name, _) in inputs {
            if !self.inputs.iter().any(|input| input == name) {
                let inputs = self.inputs.join(", ");
                return Err(Error::illegal(format!(
                    "{name} is no input; the inputs are {inputs}"
                )));
            }
        }
        deep(self.depth, || {
            let batched = batch::batched(&self.statements, inputs)?;
            let returned = self.returned.clone();
            let program = Program::new(batched.statements, returned, self.depth, Scatter::Never)?;
            Ok((program, batched.names))
        })?
    }

    /// The program as if all its tensors were dense, to infer types and shapes before there are rows and positions: nothing is declared sparse, and
    /// what runs at stored points alone runs at all.
    ///
    /// # Errors
    /// As [`returning`](Program::returning).
    pub fn dense(&self) -> Result<Program, Error> {
        self.again(
            |mut statements| {
                statements.iter_mut().for_each(densify);
                (statements, self.returned.clone())
            },
            Scatter::Never,
        )
    }

    /// The equations between the lengths of axes, access by access, before any length is known.
    ///
    /// # Errors
    /// Of kind stack overflow.
    pub fn equations(&self) -> Result<Vec<Equation>, Error> {
        deep(self.plain.depth, || {
            let (statements, blocks) = self.stated();
            equations::equations(&statements, &blocks)
        })
    }

    /// The texts of the plain statements, numbered as in [`equations`](Program::equations): gradients are expanded, and every name is defined once.
    ///
    /// # Errors
    /// Of kind stack overflow.
    pub fn plain_statements(&self) -> Result<Vec<String>, Error> {
        deep(self.plain.depth, || {
            let (statements, blocks) = self.stated();
            let text = |(at, assign): (usize, &Assign)| match blocks
                .iter()
                .find(|block| block.statements.contains(&at))
            {
                Some(block) => block.text(assign),
                None => assign.to_string(),
            };
            statements.iter().enumerate().map(text).collect()
        })
    }

    /// What the plain statements define, in their order.
    pub(crate) fn plain_targets(&self) -> Vec<String> {
        let (statements, _) = self.stated();
        statements
            .iter()
            .map(|assign| assign.target.clone())
            .collect()
    }

    /// The plain statements and their blocks, with `...` as they are written, unless there is a gradient, which is of what is written out.
    fn stated(&self) -> (Cow<'_, [Assign]>, Cow<'_, [Block]>) {
        let has_gradient = |statement: &Statement| matches!(statement, Statement::Gradient(_));
        if !self.is_open || self.statements.iter().any(has_gradient) {
            let (statements, blocks) = (&self.plain.statements, &self.plain.blocks);
            return (Cow::Borrowed(statements), Cow::Borrowed(blocks));
        }
        let mut names = Names::new(&self.statements);
        let (mut statements, mut blocks) = (Vec::new(), Vec::new());
        for statement in &self.statements {
            match statement {
                Statement::Assign(assign) => statements.push(names.assign(assign)),
                Statement::Gradient(_) => {}
                Statement::Scan(scan) => {
                    let (body, range, lags) = names.scan(scan);
                    blocks.push(Block::new(scan, statements.len(), range, lags));
                    statements.extend(body);
                }
            }
        }
        (Cow::Owned(statements), Cow::Owned(blocks))
    }

    /// The names of [`inputs`](Program::inputs) and of [`outputs`](Program::outputs) in the plain statements.
    pub fn plain_names(&self) -> (&[String], &[String]) {
        (&self.plain.inputs, &self.plain.outputs)
    }

    /// The same program with all gradients in scatter form, for tests that compare both forms.
    #[doc(hidden)]
    pub fn with_scattered_gradients(&self) -> Result<Program, Error> {
        self.again(
            |statements| (statements, self.returned.clone()),
            Scatter::Always,
        )
    }

    /// The same program for inputs of which some are not dense: gradients of statements that read these run at the same points.
    pub(crate) fn over(&self, kinds: Kinds) -> Result<Program, Error> {
        self.again(
            |statements| (statements, self.returned.clone()),
            Scatter::Over(kinds),
        )
    }

    /// Binds the program to inputs of these types and shapes, in order of [`inputs`](Program::inputs). `pinned` has an
    /// entry for each output: the exact shape, or `None` to infer it.
    ///
    /// # Errors
    /// Of kind illegal argument: all faults of shapes and types, a line each.
    pub fn bind(&self, inputs: &[Signature], pinned: &[Option<Vec<i64>>]) -> Result<Bound, Error> {
        if let Some(name) = self.stored_name() {
            return Err(Error::illegal(format!(
                "{name}: what is sparse, and ranges that depend on loops, are computed by Comprehension.run and runInto"
            )));
        }
        deep(self.plain.depth, || {
            let mut binder = Binder::new(self, inputs, pinned)?;
            if !self.is_open {
                binder.rest_of(&self.plain);
                return binder.finish(&self.outputs, &self.plain);
            }
            let plain = self.written_out(&mut binder)?;
            binder.finish(&self.outputs, &plain)
        })?
    }

    /// Has steps take the statements, one after the other, over inputs of these kinds.
    pub(crate) fn stepwise(&self, kinds: Kinds, steps: &mut dyn Steps) -> Result<(), Error> {
        let fresh = Fresh::new(&self.statements);
        let mut builder = Builder::new(&self.statements, self.depth, Scatter::Over(kinds));
        for statement in &self.statements {
            match statement {
                Statement::Assign(assign) => {
                    let mut fault = None;
                    builder.assign(assign, |assign| {
                        steps.closed(&assign, &fresh).unwrap_or_else(|error| {
                            fault = Some(error);
                            rest::collapsed(&assign)
                        })
                    })?;
                    if let Some(error) = fault {
                        return Err(error);
                    }
                }
                Statement::Gradient(gradient) => builder.gradient(gradient)?,
                Statement::Scan(scan) => {
                    let mut fault = None;
                    builder.scan(scan, |body, block| {
                        steps.block(body, block, &fresh).unwrap_or_else(|error| {
                            fault = Some(error);
                            Vec::new()
                        })
                    })?;
                    if let Some(error) = fault {
                        return Err(error);
                    }
                }
            }
            builder.plain.inputs.clone_from(&self.plain.inputs);
            builder.plain.outputs.clone_from(&self.plain.outputs);
            steps.next(&builder.plain)?;
        }
        Ok(())
    }

    /// The plain program with `...` written out, statement by statement as shapes are inferred.
    fn written_out(&self, binder: &mut Binder) -> Result<Plain, Error> {
        let fresh = Fresh::new(&self.statements);
        let mut builder = Builder::new(&self.statements, self.depth, self.scatter.clone());
        for statement in &self.statements {
            match statement {
                Statement::Assign(assign) => {
                    builder.assign(assign, |assign| binder.written_out(assign, &fresh))?
                }
                Statement::Gradient(gradient) => builder.gradient(gradient)?,
                Statement::Scan(scan) => {
                    builder.scan(scan, |body, block| binder.written_scan(body, block, &fresh))?
                }
            }
            binder.rest_of(&builder.plain);
        }
        let mut plain = builder.plain;
        plain.inputs = self.plain.inputs.clone();
        plain.outputs = self.plain.outputs.clone();
        Ok(plain)
    }
}

/// Has a statement run at all points.
fn densify(statement: &mut Statement) {
    let Statement::Assign(assign) = statement else {
        return;
    };
    assign.sparse = false;
    for access in std::mem::take(&mut assign.stored) {
        for (axis, index) in access.indices.iter().enumerate() {
            let extent = Extent::Size(access.tensor.clone(), axis as i64);
            let lone = match (&index.terms[..], index.constant, &index.look_up) {
                ([(1, name)], 0, None) => name,
                _ => continue,
            };
            if !assign.ranges.iter().any(|(name, _)| name == lone) {
                assign.ranges.push((lone.clone(), extent));
            }
        }
    }
}

/// What takes a program statement by statement.
pub(crate) trait Steps {
    /// A statement with `...` written out.
    fn closed(&mut self, assign: &Assign, fresh: &Fresh) -> Result<Assign, Error>;

    /// The statements of a recurrence with `...` written out, whose first values have ranks now.
    fn block(
        &mut self,
        body: Vec<Assign>,
        block: &mut Block,
        fresh: &Fresh,
    ) -> Result<Vec<Assign>, Error>;

    /// Takes the plain statements so far, of which the last ones are new.
    fn next(&mut self, plain: &Plain) -> Result<(), Error>;
}
