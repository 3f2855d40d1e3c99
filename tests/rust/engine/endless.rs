//! Programs whose ranges are so large that they would never end, and which stop at once because an index is outside, or are refused.

use tensornio_compute::operand::DType;
use tensornio_compute::{Program, Signature};

use crate::agree::{agree_on, tensor, Layout, Random};

#[test]
fn what_is_outside_at_once_stops_programs_of_any_length() {
    let mut random = Random(1);
    let indices = tensor(DType::Int64, &[4], Layout::Plain, &mut random, |_| 9.0);
    for dtype in [DType::Float, DType::Int32, DType::UInt8] {
        let x = tensor(dtype, &[3, 4], Layout::Plain, &mut random, |_| 1.0);
        let inputs = [x, indices.clone()];
        for statement in [
            "s += x[t[0],0] where i in 0:N",
            "s += x[t[0],0] + i where i in 0:N",
            "s += x[t[0],0] where i in 0:4, j in 0:M, k in 0:M",
            "s += x[t[0],k] where i in 0:M, j in 0:M, k in 0:4",
            "s += x[t[0],k] * x[1,k] where i in 0:M, j in 0:M, k in 0:4",
            "s += x[t[0],0] * i * j * k where i in 0:M, j in 0:M, k in 0:4",
            "s max= x[t[0],0] where i in 0:N",
            "r[k] += x[t[0],k] where i in 0:M, j in 0:M",
            "r[k] += x[t[k],k] * i where i in 0:M, j in 0:M",
            "r[k,j] max= x[t[k],k] where j in 0:5000, i in 0:M",
            "z[k] = x[0,k]; r[t[k]] += z[k] where r[3], i in 0:N/4",
            "y[k] = x[0,k]; s += y[k] * x[t[k],k] where i in 0:N/4",
        ] {
            let text = statement
                .replace("N/4", "1152921504606846976")
                .replace('N', "4611686018427387904")
                .replace('M', "1000000000");
            agree_on(&text, &inputs, Layout::Plain, 1.0, &mut random);
        }
    }
}

#[test]
fn more_iterations_than_can_be_counted_are_refused() {
    let refused = |text: &str| {
        let program = Program::parse(text).expect("a program");
        let bound = program.bind(&[Signature::tensor(DType::Float, &[3])], &[None]);
        bound.err().map(|error| error.to_string())
    };
    let long = "4611686018427387904";
    assert_eq!(
        refused(&format!("s += x[0] where i in 0:2, j in 0:{long}")).as_deref(),
        Some("s: i in 0:2, j in 0:4611686018427387904 are more than 2^62 iterations")
    );
    let many = format!("s += x[0] where i in 0:{long}, j in 0:{long}, k in 0:{long}");
    assert!(refused(&many).is_some());
    assert_eq!(refused(&format!("{many}, l in 0:0")), None);
    assert_eq!(refused(&format!("s += x[0] where i in 0:{long}")), None);
}
