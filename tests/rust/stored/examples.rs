//! The worked examples, with values that were computed by hand.

use super::given::{dense, fault, longs, one, ragged, ragged_longs, run, sparse, Given};

fn r() -> Given {
    ragged(&[&[1.0, 2.0, 4.0], &[], &[3.0]])
}

#[test]
fn rows_are_reduced() {
    assert_eq!(one("s[i] += R[i,j]", &[r()]), dense(&[3], &[7.0, 0.0, 3.0]));
    let infinity = f64::NEG_INFINITY;
    assert_eq!(
        one("m[i] max= R[i,j]", &[r()]),
        dense(&[3], &[4.0, infinity, 3.0])
    );
    // As long as the longest row.
    assert_eq!(one("p[j] += R[i,j]", &[r()]), dense(&[3], &[4.0, 2.0, 4.0]));
    assert_eq!(
        fault("m[i] max= R[i,j]", &[ragged_longs(&[&[1], &[]])]),
        "m: max= of INT64 over index j, whose range is 0 in row 1, has no value"
    );
}

#[test]
fn rows_are_kept() {
    assert_eq!(
        one(
            "y[i,j] = R[i,j] - m[i]",
            &[r(), dense(&[3], &[1.0, 5.0, 2.0])]
        ),
        ragged(&[&[0.0, 1.0, 3.0], &[], &[1.0]])
    );
    // Rows one shorter, at least 0.
    assert_eq!(
        one("d[i,j] = R[i,j+1] - R[i,j]", &[r()]),
        ragged(&[&[1.0, 2.0], &[], &[]])
    );
    assert_eq!(
        one("g[k,j] = R[rows[k],j]", &[r(), longs(&[3], &[2, 0, 2])]),
        ragged(&[&[3.0], &[1.0, 2.0, 4.0], &[3.0]])
    );
    assert_eq!(one("y[j] = R[0,j]", &[r()]), dense(&[3], &[1.0, 2.0, 4.0]));
    assert_eq!(
        one(
            "y[i,d,j] = R[i,j] * w[d]",
            &[r(), dense(&[2], &[1.0, 10.0])]
        ),
        Given::Ragged(
            vec![3, 2, -1],
            vec![None, None, Some(vec![0, 3, 6, 6, 6, 7, 8])],
            vec![1.0, 2.0, 4.0, 10.0, 20.0, 40.0, 3.0, 30.0]
        )
    );
}

#[test]
fn rows_over_what_is_reduced_are_as_long_as_the_longest() {
    // [[[1,2],[3]],[[4]],[]]
    let r = Given::Ragged(
        vec![3, -1, -1],
        vec![None, Some(vec![0, 2, 3, 3]), Some(vec![0, 2, 3, 4])],
        vec![1.0, 2.0, 3.0, 4.0],
    );
    assert_eq!(
        one("p[i,k] += R[i,j,k]", &[r]),
        ragged(&[&[4.0, 2.0], &[4.0], &[]])
    );
}

#[test]
fn rows_of_rows_are_as_long_as_the_longest_of_those_that_are_there() {
    // [[], [[1,2],[3]], [[4]]]
    let r = Given::Ragged(
        vec![3, -1, -1],
        vec![None, Some(vec![0, 0, 2, 3]), Some(vec![0, 2, 3, 4])],
        vec![1.0, 2.0, 3.0, 4.0],
    );
    let given = [r.clone()];
    assert_eq!(
        one("y[j,k] += R[i,j,k]", &given),
        ragged(&[&[5.0, 2.0], &[3.0]])
    );
    assert_eq!(
        one("m[j,k] max= R[i,j,k]", &given),
        ragged(&[&[4.0, 2.0], &[3.0]])
    );
    let made = run("y[j,k] += R[i,j,k]*R[i,j,k]; gradient y by R", &given).unwrap();
    let Some(Given::Ragged(_, splits, values)) = made.last() else {
        panic!("{made:?}");
    };
    assert_eq!(splits[2], Some(vec![0, 2, 3, 4]));
    assert_eq!(values, &[2.0, 4.0, 6.0, 8.0]);
}

#[test]
fn a_bag_of_embeddings() {
    let words = ragged_longs(&[&[1, 0, 1], &[], &[2]]);
    let table = dense(&[3, 2], &[1.0, 2.0, 10.0, 20.0, 100.0, 200.0]);
    let made = run("e[i,d] += T[word[i,j],d]; gradient e by T", &[table, words]).unwrap();
    assert_eq!(
        made[0],
        dense(&[3, 2], &[21.0, 42.0, 0.0, 0.0, 100.0, 200.0])
    );
    assert_eq!(made[1], dense(&[3, 2], &[1.0, 1.0, 2.0, 2.0, 1.0, 1.0]));
}

#[test]
fn rows_must_agree() {
    let other = ragged(&[&[1.0, 2.0, 4.0], &[], &[3.0, 4.0]]);
    assert_eq!(
        fault("y[i,j] = A[i,j] * B[i,j]", &[r(), other]),
        "y: index j is 1 by A axis 1 and 2 by B axis 1 in row 2"
    );
    assert_eq!(
        fault("y[i,j] = A[i,j] * x[j]", &[r(), dense(&[3], &[1.0; 3])]),
        "y: index j is 0 by A axis 1 and 3 by x axis 0 in row 1"
    );
    assert!(fault("y[i,k] += R[i,j] * Q[k,j]", &[r(), r()]).contains("give it by where j"));
    assert_eq!(
        fault("y[i] = R[i,1]", &[r()]),
        "y: R axis 1 of length 0 in row 1 would be read at 1"
    );
    assert!(fault("y[j,i] = R[i,j]", &[r()])
        .contains("must stand alone as an index of y before axis 0"));
}

#[test]
fn softmax_of_rows_and_its_gradient() {
    let text = "m[i] max= R[i,j]; e[i,j] = exp(R[i,j] - m[i]); s[i] += e[i,j]; p[i,j] = e[i,j] / s[i]; l += p[i,j]^2; gradient l by R";
    let made = run(text, &[ragged(&[&[0.0, 0.0], &[], &[3.0]])]).unwrap();
    assert_eq!(made[0], dense(&[], &[1.5]));
    let Given::Ragged(_, _, gradient) = &made[1] else {
        panic!("{made:?}")
    };
    assert!(gradient.iter().all(|x| x.abs() < 1e-12), "{gradient:?}");
}

#[test]
fn nothing_is_read_where_nothing_is_stored() {
    let s = sparse(&[2, 3], &[(0, 1, 2.0), (1, 2, 0.0)]);
    let x = dense(&[3], &[f64::INFINITY, 1.0, f64::INFINITY]);
    let Given::Dense(_, y) = one("y[i] += S[i,j] * x[j]", &[s.clone(), x]) else {
        panic!()
    };
    assert!(y[0] == 2.0 && y[1].is_nan(), "{y:?}");
    assert_eq!(
        fault("y[i,j] = S[i,j] + 1", std::slice::from_ref(&s)),
        "y: S[i,j] + 1 is not 0 where S is not stored; add where stored(S[i,j]), or toDense()"
    );
    assert_eq!(
        one(
            "m[i] max= S[i,j] where stored(S[i,j])",
            std::slice::from_ref(&s)
        ),
        dense(&[2], &[2.0, 0.0])
    );
    assert_eq!(
        one("m[i] min= S[i,j]", std::slice::from_ref(&s)),
        dense(&[2], &[0.0, 0.0])
    );
    assert_eq!(
        one("n[i] += 1 where stored(S[i,j])", std::slice::from_ref(&s)),
        dense(&[2], &[1.0, 1.0])
    );
    assert_eq!(
        one("y[j] += S[i,j]", std::slice::from_ref(&s)),
        dense(&[3], &[0.0, 2.0, 0.0])
    );
    assert_eq!(
        one("sparse P[j,i] = 3 * S[i,j]", &[s]),
        sparse(&[3, 2], &[(1, 0, 6.0), (2, 1, 0.0)])
    );
}

#[test]
fn sparse_products_and_sums() {
    let s = sparse(&[2, 3], &[(0, 1, 2.0), (1, 0, 3.0), (1, 2, 4.0)]);
    let t = sparse(&[3, 2], &[(0, 1, 5.0), (1, 0, 7.0), (2, 1, 1.0)]);
    assert_eq!(
        one("sparse P[i,k] += S[i,j] * T[j,k]", &[s.clone(), t.clone()]),
        sparse(&[2, 2], &[(0, 0, 14.0), (1, 1, 19.0)])
    );
    assert_eq!(
        one("sparse P[i,j] = S[i,j] + T[j,i]", &[s.clone(), t.clone()]),
        sparse(&[2, 3], &[(0, 1, 9.0), (1, 0, 8.0), (1, 2, 5.0)])
    );
    let a = dense(&[2, 1], &[1.0, 2.0]);
    let b = dense(&[3, 1], &[1.0, 10.0, 100.0]);
    assert_eq!(
        one(
            "sparse P[i,j] += S[i,j] * A[i,k] * B[j,k]",
            &[s.clone(), a, b]
        ),
        sparse(&[2, 3], &[(0, 1, 20.0), (1, 0, 6.0), (1, 2, 800.0)])
    );
    assert_eq!(one("p[i] *= S[i,j]", &[s]), dense(&[2], &[0.0, 0.0]));
}

#[test]
fn gradients_by_what_is_sparse_are_at_its_positions() {
    // A row of a stored 0 and a 0 that is not stored: each is a winner, and what is not stored gets nothing.
    let s = sparse(&[1, 2], &[(0, 0, 0.0)]);
    let made = run("m[i] max= S[i,j]; gradient m by S", &[s]).unwrap();
    assert_eq!(made[1], sparse(&[1, 2], &[(0, 0, 0.5)]));
    let s = sparse(&[2, 3], &[(0, 1, 2.0), (1, 0, 3.0)]);
    let made = run(
        "y[i] += S[i,j] * x[j]; gradient y by S, x",
        &[s, dense(&[3], &[1.0, 10.0, 100.0])],
    )
    .unwrap();
    assert_eq!(made[0], dense(&[2], &[20.0, 3.0]));
    assert_eq!(made[1], sparse(&[2, 3], &[(0, 1, 10.0), (1, 0, 1.0)]));
    assert_eq!(made[2], dense(&[3], &[3.0, 2.0, 0.0]));
}

#[test]
fn what_is_ragged_by_a_look_up_has_gradients() {
    let text = "s[i,j] += T[word[i,j],d] * q[d]; x[i,j] = exp(s[i,j]); z[i] += x[i,j]; e += z[i]; gradient e by T, q";
    let words = ragged_longs(&[&[0, 1], &[], &[1]]);
    let table = dense(&[2, 1], &[0.0, 0.0]);
    let made = run(text, &[table, words, dense(&[1], &[3.0])]).unwrap();
    assert_eq!(made[0], dense(&[], &[3.0]));
    assert_eq!(made[1], dense(&[2, 1], &[3.0, 6.0]));
    assert_eq!(made[2], dense(&[1], &[0.0]));
}

#[test]
fn a_row_at_its_own_index_is_checked_as_it_runs() {
    assert_eq!(
        one("y[i] = R[i,i]", &[ragged(&[&[1.0], &[2.0, 3.0]])]),
        dense(&[2], &[1.0, 3.0])
    );
    assert_eq!(
        fault("y[i] = R[i,i]", &[r()]),
        "y: R axis 1 of length 0 in row 1 would be read at 1"
    );
}

#[test]
fn rest_stands_for_ragged_axes() {
    let x = dense(&[3, 1], &[1.0, 5.0, 2.0]);
    assert_eq!(
        one("y[...] = R[...] * x[...]", &[r(), x.clone()]),
        ragged(&[&[1.0, 2.0, 4.0], &[], &[6.0]])
    );
    assert_eq!(
        one("s[...] += R[...,j]", &[r()]),
        dense(&[3], &[7.0, 0.0, 3.0])
    );
    assert_eq!(one("e += R[...] * R[...]", &[r()]), dense(&[], &[30.0]));
    let s = sparse(&[3, 2], &[(0, 1, 2.0), (2, 0, 3.0)]);
    assert_eq!(
        one("sparse p[...] = S[...] * x[...]", &[s, x.clone()]),
        sparse(&[3, 2], &[(0, 1, 2.0), (2, 0, 6.0)])
    );
    let made = run(
        "y[...] = R[...] * x[...]; z[...] = tanh(y[...]); e += y[...] * 2\ngradient e by R, x\nreturn dR, dx",
        &[r(), x],
    );
    assert_eq!(
        made.expect("a gradient"),
        [
            ragged(&[&[2.0, 2.0, 2.0], &[], &[4.0]]),
            dense(&[3, 1], &[14.0, 0.0, 6.0])
        ]
    );
}

#[test]
fn rest_that_does_not_fit_ragged_axes_is_refused() {
    assert_eq!(
        fault(
            "y[...] = R[...] * x[...]",
            &[r(), dense(&[3], &[1.0, 5.0, 2.0])]
        ),
        "y: axis -1 of ... is ragged by R and 3 by x"
    );
    assert_eq!(
        fault("y[...] = R[...] where y[...]", &[r()]),
        "y: axis -1 of ... is ragged, so that where gives no shape for it"
    );
    let other = ragged(&[&[1.0], &[], &[3.0]]);
    let said = fault("y[...] = R[...] + Q[...]", &[r(), other]);
    assert!(
        said.contains("is 3 by R axis 1 and 1 by Q axis 1 in row 0"),
        "{said}"
    );
}
