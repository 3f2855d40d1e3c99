//! The error of an index that is out of bounds at run time.

use crate::bound::{Bound, Statement, TensorId};
use crate::Error;

/// The axis of a read or a write.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The tensor.
    pub tensor: TensorId,
    /// The axis.
    pub axis: usize,
    /// Whether it is a write.
    pub written: bool,
}

/// The error of a position outside of an axis; `looked_up` is the index tensor, the indices at which it was read, and the value.
pub fn error(
    bound: &Bound,
    statement: &Statement,
    place: Place,
    position: i64,
    looked_up: Option<(TensorId, &[i64], i64)>,
) -> Error {
    let label = &bound.tensors[statement.target].name;
    let tensor = &bound.tensors[place.tensor];
    // A statement that writes outside names the tensor without its version.
    let name = if place.written {
        tensor.name.split('#').next().unwrap_or(&tensor.name)
    } else {
        &tensor.name
    };
    let (axis, length, done) = (
        place.axis,
        tensor.shape[place.axis],
        if place.written { "written" } else { "read" },
    );
    let by = looked_up.map_or(String::new(), |(id, at, value)| {
        let at: Vec<String> = at.iter().map(i64::to_string).collect();
        format!(
            ", by {}[{}] = {value}",
            bound.tensors[id].name,
            at.join(",")
        )
    });
    Error::outside(format!(
        "{label}: {name} axis {axis} of length {length} would be {done} at {position}{by}"
    ))
}
