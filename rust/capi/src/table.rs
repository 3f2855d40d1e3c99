//! Handles: the tensors and programs that C refers to by number.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use crate::program::Program;
use crate::status::Failure;
use crate::stored::Stored;
use crate::tensor::Tensor;

/// A handle of a tensor, passed by value. The id 0 is no tensor. Released by tensornio_tensor_release.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorHandle {
    /// A number that is never reused.
    pub id: u64,
}

/// A handle of a program, passed by value. The id 0 is no program. Released by tensornio_program_release.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramHandle {
    /// A number that is never reused.
    pub id: u64,
}

/// Values by numbers that are never reused, from 1 on. The lock is held only during look-ups, never while a value is used or dropped.
pub(crate) struct Table<T> {
    noun: &'static str,
    values: RwLock<(u64, HashMap<u64, Arc<T>>)>,
}

impl<T> Table<T> {
    fn new(noun: &'static str) -> Table<T> {
        Table {
            noun,
            values: RwLock::new((0, HashMap::new())),
        }
    }

    /// Adds a value, with a new number.
    pub fn add(&self, value: T) -> u64 {
        let value = Arc::new(value);
        let mut values = self.values.write().unwrap_or_else(PoisonError::into_inner);
        values.0 += 1;
        let id = values.0;
        values.1.insert(id, value);
        id
    }

    /// The value of a number. The reference keeps it alive after its removal.
    pub fn get(&self, id: u64, name: &str) -> Result<Arc<T>, Failure> {
        let values = self.values.read().unwrap_or_else(PoisonError::into_inner);
        let found = values.1.get(&id).cloned();
        found.ok_or_else(|| self.missing(id, values.0, name))
    }

    /// Removes a value.
    pub fn remove(&self, id: u64, name: &str) -> Result<Arc<T>, Failure> {
        let mut values = self.values.write().unwrap_or_else(PoisonError::into_inner);
        let found = values.1.remove(&id);
        found.ok_or_else(|| self.missing(id, values.0, name))
    }

    fn missing(&self, id: u64, newest: u64, name: &str) -> Failure {
        let noun = self.noun;
        Failure::illegal_state(match id {
            0 => format!("{name} is no {noun}: its id is 0"),
            _ if id <= newest => format!("{name}: {noun} {id} was released"),
            _ => format!("{name}: there was never a {noun} {id}"),
        })
    }
}

/// A tensor of C.
pub(crate) enum Any {
    Dense(Arc<Tensor>),
    Stored(Stored),
}

impl From<Stored> for Any {
    fn from(stored: Stored) -> Any {
        Any::Stored(stored)
    }
}

impl From<Tensor> for Any {
    fn from(tensor: Tensor) -> Any {
        Any::Dense(Arc::new(tensor))
    }
}

/// All tensors of C.
pub(crate) fn tensors() -> &'static Table<Any> {
    static TENSORS: OnceLock<Table<Any>> = OnceLock::new();
    TENSORS.get_or_init(|| Table::new("tensor"))
}

/// Adds a tensor; its handle.
pub(crate) fn add(tensor: impl Into<Any>) -> TensorHandle {
    TensorHandle {
        id: tensors().add(tensor.into()),
    }
}

/// The dense tensor of a number.
pub(crate) fn dense(id: u64, name: &str) -> Result<Arc<Tensor>, Failure> {
    match &*tensors().get(id, name)? {
        Any::Dense(tensor) => Ok(tensor.clone()),
        Any::Stored(_) => Err(Failure::illegal_argument(format!(
            "{name} is ragged or sparse: its elements are those of tensornio_tensor_values"
        ))),
    }
}

/// All programs of C.
pub(crate) fn programs() -> &'static Table<Program> {
    static PROGRAMS: OnceLock<Table<Program>> = OnceLock::new();
    PROGRAMS.get_or_init(|| Table::new("program"))
}
