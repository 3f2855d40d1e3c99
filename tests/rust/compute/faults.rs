//! Every fault with every name, all at once.

use crate::support::*;
use tensornio_compute::{ErrorKind, Program};

#[test]
fn faults_name_statement_index_tensor_and_axis() {
    let (a, b) = (floats(&[2, 3], &[0.; 6]), floats(&[4, 2], &[0.; 8]));
    let text = faults("C[i,j] += A[i,k] * B[k,j]", &[a.clone(), b]).to_string();
    assert_eq!(text, "C: index k is 3 by A axis 1 and 4 by B axis 0");
    assert_eq!(
        faults("H[i] = 1", &[]).to_string(),
        "H: nothing determines the range of i"
    );
    let text = faults(
        "F[i] = A[i,j+5] where i in 0:2, j in 0:1"
            .replace("F[i] =", "F[i] +=")
            .as_str(),
        &[a.clone()],
    )
    .to_string();
    assert_eq!(text, "F: A axis 1 of length 3 would be read at 5");
    assert_eq!(
        faults("E[i] += A[i,j,k]", &[a.clone()]).to_string(),
        "E: A has rank 2, 3 indices given"
    );
    assert_eq!(
        faults("F[i] = A[i,-1]", &[a]).to_string(),
        "F: A axis 1 of length 3 would be read at -1"
    );
}

#[test]
fn all_faults_come_at_once_but_not_those_that_follow_from_others() {
    let (a, k) = (floats(&[2, 3], &[0.; 6]), ints(&[3], &[0; 3]));
    let text =
        "E[i] += A[i]; H[i] = 1; G[i] = E[i] + H[i]; A2[i] = A[1,i] + k[i]; C = 1; C[i] = A[i,5]";
    let error = faults(text, &[a, k]);
    assert_eq!(error.kind(), ErrorKind::IllegalArgument);
    assert_eq!(
        error.faults(),
        [
            "E: A has rank 2, 1 index given",
            "H: nothing determines the range of i",
            "A2: A is FLOAT and k is INT32; cast one of them, as in float(k)",
            "C#2: A axis 1 of length 3 would be read at 5",
        ]
    );
}

#[test]
fn counts_must_be_right() {
    assert_eq!(
        faults("C[i] = A[i] + B[i]", &[]).to_string(),
        "2 inputs (A, B), 0 given"
    );
}

#[test]
fn a_size_of_an_axis_that_is_not_there_is_named() {
    let text = faults(
        "y[i] = x[i] where i in 0:size(x,1)",
        &[floats(&[2], &[0.; 2])],
    )
    .to_string();
    assert_eq!(text, "y: size(x,1), but x has rank 1");
}

#[test]
fn look_ups_are_checked_as_they_run() {
    let (table, ids) = (floats(&[3], &[1., 2., 3.]), longs(&[2, 2], &[0, 2, 7, -1]));
    let error = faults("y[i,j] = table[ids[i,j]]", &[table.clone(), ids.clone()]);
    assert_eq!(error.kind(), ErrorKind::IndexOutOfBounds);
    assert_eq!(
        error.to_string(),
        "y: table axis 0 of length 3 would be read at 7, by ids[1,0] = 7"
    );
    let error = faults("y[ids[i,j]] += 1. where y[3]", &[ids]);
    assert_eq!(
        error.to_string(),
        "y: y axis 0 of length 3 would be written at 7, by ids[1,0] = 7"
    );
    let error = faults("y[i] = table[f[i]]", &[table.clone(), floats(&[1], &[0.])]);
    assert_eq!(
        error.to_string(),
        "y: f is FLOAT, but a look-up needs INT32, INT64 or UINT8"
    );
    let error = faults("h[I[i]] += 1", &[ints(&[1], &[0])]);
    assert_eq!(
        error.to_string(),
        "h: nothing determines the length of h axis 0; give it by where h[...]"
    );
    let error = faults(
        "y[i] = guard(0 <= i < 9, table[i+1]) where i in 0:3",
        &[table],
    );
    assert_eq!(error.kind(), ErrorKind::IndexOutOfBounds);
    assert_eq!(
        error.to_string(),
        "y: table axis 0 of length 3 would be read at 3"
    );
}

#[test]
fn integers_without_a_result_are_arithmetic_errors() {
    let x = ints(&[2], &[1, 0]);
    for text in ["y[i] = 1 / x[i]", "y[i] = 1 % x[i]"] {
        let error = faults(text, &[x.clone()]);
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (ErrorKind::Arithmetic, "y: division of an integer by zero")
        );
    }
    let error = faults("y[i] = 2 ^ (x[i] - 1)", &[x]);
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (ErrorKind::Arithmetic, "y: an integer to a negative power")
    );
}

#[test]
fn an_extremum_of_no_integers_is_refused() {
    let text = faults("m[i] max= A[i,j]", &[ints(&[2, 0], &[])]).to_string();
    assert_eq!(
        text,
        "m: max= of INT32 over index j, whose range is 0, has no value"
    );
    assert_eq!(
        first("m[i] max= A[i,j]", &[floats(&[2, 0], &[])]),
        [f64::NEG_INFINITY; 2]
    );
    assert_eq!(first("m[i] max= A[i,j]", &[bools(&[2, 0], &[])]), [0.; 2]);
    assert_eq!(first("m[i] min= A[i,j]", &[bools(&[2, 0], &[])]), [1.; 2]);
}

#[test]
fn sizes_that_overflow_are_refused() {
    let text = faults("y[i,j,k] = 1 where y[4294967296,4294967296,2]", &[]).to_string();
    assert!(text.starts_with("y: the sizes of shape"), "{text}");
    let text = faults("y[9000000000000000000*i] = 1 where i in 0:9", &[]).to_string();
    assert!(
        text.contains("does not fit") || text.contains("longer than"),
        "{text}"
    );
}

#[test]
fn messages_say_what_was_meant() {
    let refused = |text: &str| match Program::parse(text) {
        Ok(program) => panic!("parsed: {}", program.text()),
        Err(error) => error.to_string(),
    };
    for (text, expected) in [
        (
            "y[i] = tanhh(x[i])",
            "line 1, column 8: no function tanhh; did you mean tanh,",
        ),
        (
            "y[i] = sigmod(x[i])",
            "line 1, column 8: no function sigmod; did you mean sigmoid",
        ),
        (
            "y[i] = Exp(x[i])",
            "line 1, column 8: no function Exp; did you mean exp",
        ),
        (
            "y[i] = x[i] + fLoat(2)",
            "line 1, column 15: no function fLoat; did you mean float",
        ),
        (
            "y[i] = x[i] / size(x)",
            "line 1, column 21: expected ',', found ')'",
        ),
    ] {
        let error = refused(text);
        assert!(error.starts_with(expected), "{error}");
    }
    assert_eq!(
        faults("y[i] += guard(0 <= i - c < 5, x[i - c]) where i in 0:5", &[floats(&[5], &[0.; 5])]).to_string(),
        "y: nothing determines the range of c: reads inside a guard give none; give it by where c in 0:..."
    );
    assert_eq!(
        faults("c[i+1] = c[i] + x[i]", &[floats(&[5], &[0.; 5])]).to_string(),
        "2 inputs (c, x), 1 given; c is read before it is defined, so its former values are an input"
    );
}

#[test]
fn sizes_count_axes_from_the_end() {
    let x = floats(&[2, 3, 4], &[1.; 24]);
    assert_eq!(
        first(
            "n += 1 where i in 0:size(x,-2); y = x[0,0,0]; return n",
            &[x.clone()]
        ),
        [3.]
    );
    assert_eq!(
        first("y[i] = 1.0 where y[size(x,-1)]; z = x[0,0,0]", &[x.clone()]),
        [1.; 4]
    );
    assert_eq!(
        first(
            "y[i] += guard(0 <= i - 1 < size(x,-3), x[i - 1,0,0]) where i in 0:4",
            &[x.clone()]
        ),
        [0., 1., 1., 0.]
    );
    assert_eq!(
        faults("y[i] = 1.0 where y[size(x,-4)]; z = x[0,0,0]", &[x]).to_string(),
        "y: size(x,-4), but x has rank 3"
    );
    let program = Program::parse("y[i] = 1.0 * x[i,0] where y[size(x,-2)]").expect("a program");
    assert_eq!(program.text(), "y[i] = 1.0 * x[i,0] where y[size(x,-2)]");
    let (batched, _) = program.batched(&["x"]).expect("a batch");
    assert!(batched.text().contains("size(x,-2)"), "{}", batched.text());
}
