//! A few small programs, one for each way in which the engine reads and writes memory: what Miri runs.

use tensornio_compute::operand::DType;

use crate::agree::{agree_on, some, Layout, Random};

fn check(text: &str, inputs: &[(DType, &[i64])]) {
    for (layout, seed) in [(Layout::Plain, 1), (Layout::Wild, 2)] {
        let mut random = Random(seed);
        let inputs: Vec<_> = inputs
            .iter()
            .map(|(dtype, shape)| some(*dtype, shape, layout, &mut random))
            .collect();
        agree_on(text, &inputs, layout, 100.0, &mut random);
    }
}

#[test]
fn small_maps_stay_inside_of_memory() {
    check(
        "z[i] = 2*x[i] + y[i]^2 - sigmoid(x[i])",
        &[(DType::Float, &[11]), (DType::Float, &[11])],
    );
    check(
        "z[i] = x[i]^3 - 2*y[i]^4; p[i] = double(x[i])^4; s += (x[i]-y[i])^3",
        &[(DType::Float, &[37]), (DType::Float, &[37])],
    );
    check(
        "z[i,j] = x[i,j] + b[j]",
        &[(DType::Float, &[5, 3]), (DType::Float, &[3])],
    );
    check(
        "z[i] = select(x[i] < 3, x[2-i], y[i] / (x[i] + 1)) where i in 0:3",
        &[(DType::Int32, &[3]), (DType::Int32, &[3])],
    );
    check(
        "z[i] = guard(0 <= i-1 < 5, x[i-1] + double(i)) where i in 0:7",
        &[(DType::Double, &[5])],
    );
}

#[test]
fn small_reductions_stay_inside_of_memory() {
    check(
        "s += (x[i]-y[i])^2; m max= x[i]; p *= y[i]",
        &[(DType::Float, &[9]), (DType::Float, &[9])],
    );
    check("r[i] += x[i,j]; c[j] += x[i,j]", &[(DType::UInt8, &[3, 7])]);
    check(
        "m[i] max= x[i,j]; e[i,j] = exp(x[i,j]-m[i]); s[i] += e[i,j]; y[i,j] = e[i,j]/s[i]; return y",
        &[(DType::Float, &[2, 130])],
    );
}

#[test]
fn small_look_ups_stay_inside_of_memory() {
    check(
        "y[i,j] = T[I[i],j]",
        &[(DType::Float, &[8, 9]), (DType::Int32, &[5])],
    );
    check(
        "y[i] = T[I[i],i]",
        &[(DType::Int64, &[8, 5]), (DType::UInt8, &[5])],
    );
    check(
        "h[I[i]] += x[i] where h[8]",
        &[(DType::Int64, &[6]), (DType::Double, &[6])],
    );
    check(
        "h[I[i]] += x[i] where h[3]",
        &[(DType::Int64, &[6]), (DType::Double, &[6])],
    );
    check("h[i+j] max= x[i,j]", &[(DType::Float, &[3, 4])]);
}
