//! What a program says of its statements: ranges, points, kinds and memory of results.

use tensornio_compute::operand::DType;
use tensornio_compute::stored::{explain_dense, InputKind, Prepared};
use tensornio_compute::{Program, Signature};

use super::given::{dense, longs, ragged, sparse, Given};

fn explained(text: &str, inputs: &[Given]) -> String {
    let program = Program::parse(text).expect("a program");
    let tensors: Vec<_> = inputs.iter().map(Given::tensor).collect();
    let kinds: Vec<InputKind> = tensors.iter().map(InputKind::of).collect();
    let prepared = Prepared::new(&program, &kinds).expect("prepared");
    // SAFETY: the inputs outlive the run.
    let text = unsafe { prepared.explain(tensors) }.expect("explained");
    let (statements, most) = text.trim_end().rsplit_once('\n').expect("lines");
    let bytes = most
        .strip_prefix("at most ")
        .and_then(|most| most.split_once(' '));
    assert!(
        bytes.is_some_and(|(bytes, _)| bytes.parse::<u64>().is_ok()),
        "{most}"
    );
    format!("{statements}\n")
}

#[test]
fn the_memory_at_a_time_is_said() {
    let r = ragged(&[&[1.0; 100], &[], &[3.0; 50]]);
    let program = Program::parse("y[i,j] = exp(R[i,j]); z[i,j] = 2 * y[i,j]; return z").unwrap();
    let tensors = vec![r.tensor()];
    let prepared = Prepared::new(&program, &[InputKind::of(&tensors[0])]).unwrap();
    // SAFETY: the inputs outlive the run.
    let text = unsafe { prepared.explain(tensors) }.unwrap();
    // Both results are there: row splits are those of R.
    assert!(text.ends_with("at most 2400 bytes at a time\n"), "{text}");
}

#[test]
fn rows_have_their_lengths_as_ranges() {
    let r = ragged(&[&[1.0, 2.0, 4.0], &[], &[3.0]]);
    let text = "m[i] max= R[i,j]
        y[i,j] = R[i,j] - m[i]
        d[i,j] = R[i,j+1] - R[i,j]
        g[k,j] = R[rows[k],j]
        n[i] = 2 * m[i]";
    assert_eq!(
        explained(text, &[r, longs(&[2], &[2, 0])]),
        "m[i] max= R[i,j]
    i in 0:3, j in 0:len(R,i): 4 points
    dense DOUBLE[3]: 3 elements, 24 bytes
y[i,j] = R[i,j] - m[i]
    i in 0:3, j in 0:len(R,i): 4 points
    ragged DOUBLE[3, -1]: 4 elements, the row splits of R, 32 bytes
d[i,j] = R[i,j + 1] - R[i,j]
    i in 0:3, j in 0:min(len(R,i) - 1, len(R,i)): 2 points
    ragged DOUBLE[3, -1]: 2 elements, 48 bytes
g[k,j] = R[rows[k],j]
    k in 0:2, j in 0:len(R,rows[k]): 4 points
    ragged DOUBLE[2, -1]: 4 elements, 56 bytes
n[i] = 2 * m[i]
    i in 0:3: 3 points
    dense DOUBLE[3]: 3 elements, 24 bytes
"
    );
}

#[test]
fn points_are_those_of_the_support() {
    let s = sparse(&[2, 3], &[(0, 1, 2.0), (1, 2, 3.0)]);
    let q = sparse(&[2, 3], &[(0, 0, 1.0), (0, 1, 1.0)]);
    let text = "y[i] += S[i,j] * x[j]
        sparse P[i,j] = S[i,j] + Q[i,j]
        sparse W[i,j] = 2 * S[i,j]
        n[i] += 1 where stored(S[i,j])
        return y, P, W, n";
    assert_eq!(
        explained(text, &[s, dense(&[3], &[1.0, 1.0, 1.0]), q]),
        "y[i] += S[i,j] * x[j]
    i in 0:2, j in 0:3 where stored(S[i,j]): 2 points
    dense DOUBLE[2]: 2 elements, 16 bytes
sparse P[i,j] = S[i,j] + Q[i,j]
    i in 0:2, j in 0:3 where stored(S[i,j]) or stored(Q[i,j]): 3 points
    sparse DOUBLE[2, 3]: 3 points, 72 bytes
sparse W[i,j] = 2 * S[i,j]
    i in 0:2, j in 0:3 where stored(S[i,j]): 2 points
    sparse DOUBLE[2, 3]: 2 points, the positions of S, 16 bytes
n[i] += 1 where stored(S[i,j])
    i in 0:2, j in 0:3 where stored(S[i,j]): 2 points
    dense INT64[2]: 2 elements, 16 bytes
"
    );
}

#[test]
fn ranges_in_terms_of_other_loops_are_said() {
    let x = dense(&[3], &[1.0, 2.0, 3.0]);
    assert_eq!(
        explained("y[i,j] = x[j] where i in 0:3, j in 0:i+1", &[x]),
        "y[i,j] = x[j] where i in 0:3, j in 0:i + 1
    i in 0:3, j in 0:i + 1: 6 points
    ragged DOUBLE[3, -1]: 6 elements, 80 bytes
"
    );
}

#[test]
fn programs_over_dense_tensors_are_explained_too() {
    let program = Program::parse("a[i,j] = x[i] * w[j]; y[i] += a[i,j]; return y").unwrap();
    let inputs = [
        Signature::tensor(DType::Float, &[2]),
        Signature::tensor(DType::Float, &[3]),
    ];
    assert_eq!(
        explain_dense(&program, &inputs).unwrap(),
        "a[i,j] = x[i] * w[j]
    i in 0:2, j in 0:3: 6 points
    dense FLOAT[2, 3]: 6 elements, at most 24 bytes
y[i] += a[i,j]
    i in 0:2, j in 0:3: 6 points
    dense FLOAT[2]: 2 elements, 8 bytes
"
    );
    let open = Program::parse("y[...] = relu(x[...])").unwrap();
    assert_eq!(
        explain_dense(&open, &inputs[..1]).unwrap().lines().count(),
        3
    );
    let scan = Program::parse("scan t; h[t] = h[t-1] + x[t]; end").unwrap();
    assert!(explain_dense(&scan, &inputs[1..])
        .unwrap()
        .contains("t in 0:3: 3 points"));
}
