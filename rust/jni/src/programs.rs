//! The cached programs and plans, which Java refers to.

use std::sync::{Arc, OnceLock};

use tensornio_compute::operand::DType;
use tensornio_compute::registry::Registry;
use tensornio_compute::signature::Kind;
use tensornio_compute::{Error, Planned, Program, Signature};

use crate::guard::Failure;

/// The codes of an integer and of a floating-point number in place of a type.
const INTEGER: i64 = -1;
const FRACTION: i64 = -2;

/// How many programs, and how many plans, are kept.
pub(crate) const CAPACITY: usize = 1024;

/// The inputs of a signature, and the shapes of outputs where it gives them.
type Given = (Vec<Signature>, Vec<Option<Vec<i64>>>);

type Plans = Registry<(String, Box<[i64]>), Planned>;

fn programs() -> &'static Registry<String, Program> {
    static PROGRAMS: OnceLock<Registry<String, Program>> = OnceLock::new();
    PROGRAMS.get_or_init(|| Registry::with_capacity(CAPACITY))
}

fn plans() -> &'static Plans {
    static PLANS: OnceLock<Plans> = OnceLock::new();
    PLANS.get_or_init(|| Registry::with_capacity(CAPACITY))
}

/// Frees all programs and plans, when the library is unloaded: nobody can refer to them any more.
pub(crate) fn unload() {
    plans().clear();
    programs().clear();
    crate::stored::unload();
}

/// The program of a text.
pub(crate) fn program(text: &str) -> Result<Arc<Program>, Error> {
    let (_, program) = programs().get_or_make(text.to_owned(), |text| Program::parse(text))?;
    Ok(program)
}

/// The plan with a number, unless it was evicted.
pub(crate) fn planned(number: u64) -> Option<Arc<Planned>> {
    plans().get(number)
}

/// The plan of a text for a signature, and its number.
pub(crate) fn plan_of(text: String, signature: &[i64]) -> Result<(u64, Arc<Planned>), Failure> {
    plans().get_or_make((text, signature.into()), |(text, signature)| {
        let program = program(text)?;
        let (inputs, pinned) = sides(&program, signature)?;
        Ok(Planned::new(&program, inputs, &pinned)?)
    })
}

/// The types and shapes of the outputs of a text for a signature; no plan is made.
pub(crate) fn outputs_of(text: &str, signature: &[i64]) -> Result<Vec<Signature>, Failure> {
    let program = program(text)?;
    let (inputs, pinned) = sides(&program, signature)?;
    Ok(program.bind(&inputs, &pinned)?.outputs().to_vec())
}

/// The inputs of a program that a signature has, and the shapes of outputs that it gives.
fn sides(program: &Program, signature: &[i64]) -> Result<Given, Failure> {
    let mut words = Words(signature);
    let mut inputs = Vec::new();
    for _ in program.inputs() {
        let kind = words.kind()?;
        let shape = words.shape()?.unwrap_or_default();
        inputs.push(Signature { kind, shape });
    }
    let mut pinned = Vec::new();
    for _ in program.outputs() {
        pinned.push(words.shape()?);
    }
    words.finish()?;
    Ok((inputs, pinned))
}

/// The signatures that words are: of each a type and a shape.
pub(crate) fn signatures(words: &[i64]) -> Result<Vec<Signature>, Failure> {
    let mut words = Words(words);
    let mut found = Vec::new();
    while !words.0.is_empty() {
        let kind = words.kind()?;
        let shape = words.shape()?.unwrap_or_default();
        found.push(Signature { kind, shape });
    }
    Ok(found)
}

/// The code of a type.
pub(crate) fn code(kind: Kind) -> i64 {
    match kind {
        Kind::Typed(dtype) => i64::from(dtype.code()),
        Kind::Integer => INTEGER,
        Kind::Fraction => FRACTION,
    }
}

/// The remaining words of a signature.
pub(crate) struct Words<'a>(&'a [i64]);

impl<'a> Words<'a> {
    /// All words of a signature.
    pub fn new(words: &'a [i64]) -> Words<'a> {
        Words(words)
    }

    /// Checks that there are no more.
    pub fn finish(&self) -> Result<(), Failure> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(malformed())
        }
    }

    /// The next word, a length.
    pub fn length(&mut self) -> Result<usize, Failure> {
        usize::try_from(self.next()?).map_err(|_| malformed())
    }

    /// The next word.
    pub fn next(&mut self) -> Result<i64, Failure> {
        let (&first, rest) = self.0.split_first().ok_or_else(malformed)?;
        self.0 = rest;
        Ok(first)
    }

    /// The next word, a type.
    pub fn kind(&mut self) -> Result<Kind, Failure> {
        match self.next()? {
            INTEGER => Ok(Kind::Integer),
            FRACTION => Ok(Kind::Fraction),
            code => {
                let dtype = i32::try_from(code).ok().and_then(DType::from_code);
                dtype.map(Kind::Typed).ok_or_else(malformed)
            }
        }
    }

    /// A rank and as many sizes; `None` if it is -1.
    pub fn shape(&mut self) -> Result<Option<Vec<i64>>, Failure> {
        let rank = self.next()?;
        if rank == -1 {
            return Ok(None);
        }
        let rank = usize::try_from(rank).map_err(|_| malformed())?;
        if rank > self.0.len() {
            return Err(malformed());
        }
        let (shape, rest) = self.0.split_at(rank);
        self.0 = rest;
        if shape.iter().any(|&size| size < 0) {
            return Err(malformed());
        }
        Ok(Some(shape.to_vec()))
    }
}

fn malformed() -> Failure {
    Failure::illegal_argument("the signature is not one of the program's inputs and outputs")
}
