//! Lengths of rows as numbers, and ranges that depend on loops.

use super::given::{dense, fault, longs, one, ragged, run, Given};

fn r() -> Given {
    ragged(&[&[1.0, 2.0, 4.0], &[], &[3.0]])
}

/// Of no rows there is no first one: its length is 0, as that of the second axis of what has no elements.
#[test]
fn the_first_row_of_none_has_length_0() {
    let splits = |ends: &[i64]| Some(ends.to_vec());
    let x = Given::Ragged(
        vec![3, -1, -1],
        vec![None, splits(&[0, 2, 2, 3]), splits(&[0, 2, 4, 4])],
        vec![1.0, 2.0, 3.0, 4.0],
    );
    let texts = [
        "n[i] = len(X,i,0) where i in 0:size(X,0)",
        "n[i] += 1 where i in 0:size(X,0), j in 0:len(X,i,0)",
    ];
    for text in texts {
        assert_eq!(
            one(text, std::slice::from_ref(&x)),
            dense(&[3], &[2.0, 0.0, 0.0]),
            "{text}"
        );
    }
    assert_eq!(
        fault(
            "n[i] = len(X,i,1) where i in 0:size(X,0)",
            std::slice::from_ref(&x)
        ),
        "n: X axis 1 of length 0 would be read at 1"
    );
    assert_eq!(
        fault("n[i,k] = len(X,i,k) where i in 0:size(X,0), k in 0:1", &[x]),
        "n: X axis 1 of length 0 would be read at 0"
    );
}

#[test]
fn the_length_of_a_row_is_a_value() {
    assert_eq!(
        one("n[i] = len(R,i) where i in 0:size(R,0)", &[r()]),
        dense(&[3], &[3.0, 0.0, 1.0])
    );
    let s = dense(&[3], &[7.0, 5.0, 3.0]);
    assert_eq!(
        one("m[i] = s[i] / len(R,i)", &[s, r()]),
        dense(&[3], &[7.0 / 3.0, f64::INFINITY, 3.0])
    );
    assert_eq!(
        one("y[i,j] = R[i,j] * (len(R,i) - j)", &[r()]),
        ragged(&[&[3.0, 4.0, 4.0], &[], &[3.0]])
    );
    // Of a dense axis, its length.
    assert_eq!(
        one("y[i] = x[i,0] * len(x,i)", &[dense(&[2, 3], &[1.0; 6])]),
        dense(&[2], &[3.0, 3.0])
    );
    // Of rows that are looked up.
    assert_eq!(
        one(
            "n[k] = len(R,rows[k]) * one[k]",
            &[r(), longs(&[2], &[2, 0]), longs(&[2], &[1, 1])]
        ),
        dense(&[2], &[1.0, 3.0])
    );
    assert_eq!(
        fault(
            "n[k] = len(R,rows[k]) * one[k]",
            &[r(), longs(&[1], &[5]), longs(&[1], &[1])]
        ),
        "n: R axis 0 of length 3 would be read at 5"
    );
    assert_eq!(
        fault("s[i] += R[i,j] + size(R,1)", &[r()]),
        "s: size(R,1), but that axis is ragged; the length of a row is len(R, ...)"
    );
}

#[test]
fn the_length_of_a_row_is_a_part_of_an_index() {
    // Rows backwards, read and written.
    let backwards = ragged(&[&[4.0, 2.0, 1.0], &[], &[3.0]]);
    assert_eq!(
        one(
            "y[i,j] = R[i,len(R,i)-1-j] where i in 0:size(R,0), j in 0:len(R,i)",
            &[r()]
        ),
        backwards
    );
    assert_eq!(one("y[i,len(R,i)-1-j] = R[i,j]", &[r()]), backwards);
    // How many rows are so long.
    assert_eq!(
        one("h[len(R,i)] += 1 where i in 0:size(R,0)", &[r()]),
        dense(&[4], &[1.0, 1.0, 0.0, 1.0])
    );
    // The last of each row.
    let full = ragged(&[&[1.0, 2.0], &[5.0]]);
    assert_eq!(
        one("z[i] = R[i,len(R,i)-1] where i in 0:size(R,0)", &[full]),
        dense(&[2], &[2.0, 5.0])
    );
    assert_eq!(
        fault("z[i] = R[i,len(R,i)-1] where i in 0:size(R,0)", &[r()]),
        "z: R axis 1 of length 0 in row 1 would be read at -1"
    );
    assert_eq!(
        one("y[i,j] = guard(j+1 < len(R,i), R[i,j+1]) - R[i,j]", &[r()]),
        ragged(&[&[1.0, 2.0, -4.0], &[], &[-3.0]])
    );
}

#[test]
fn a_range_depends_on_loops() {
    let x = dense(&[3], &[1.0, 10.0, 100.0]);
    assert_eq!(
        one(
            "y[i] += x[j] where i in 0:size(x,0), j in 0:i+1",
            std::slice::from_ref(&x)
        ),
        dense(&[3], &[1.0, 11.0, 111.0])
    );
    assert_eq!(
        one(
            "y[i,j] = x[j] where i in 0:size(x,0), j in 0:i+1",
            std::slice::from_ref(&x)
        ),
        ragged(&[&[1.0], &[1.0, 10.0], &[1.0, 10.0, 100.0]])
    );
    // Negative lengths count as 0.
    assert_eq!(
        one(
            "y[i,j] = x[j] where i in 0:size(x,0), j in 0:i-1",
            std::slice::from_ref(&x)
        ),
        ragged(&[&[], &[], &[1.0]])
    );
    assert_eq!(
        fault(
            "y[i] += x[j] where i in 0:size(x,0), j in 0:i+2",
            std::slice::from_ref(&x)
        ),
        "y: x axis 0 of length 3 would be read at 3"
    );
    assert_eq!(
        fault(
            "y[i] += x[j] where i in 0:j, j in 0:i",
            std::slice::from_ref(&x)
        ),
        "y: the range of i depends on itself\ny: the range of j depends on itself"
    );
    // A shorter x agrees where the range is given.
    assert_eq!(
        one(
            "y[i] += R[i,j] * x[j] where j in 0:len(R,i)",
            &[r(), x.clone()]
        ),
        dense(&[3], &[421.0, 0.0, 3.0])
    );
    // The gradient of a prefix sum is a sum of what is behind.
    let made = run(
        "y[i] += x[j] where i in 0:size(x,0), j in 0:i+1; gradient y by x",
        &[x],
    )
    .unwrap();
    assert_eq!(made[1], dense(&[3], &[3.0, 2.0, 1.0]));
}

#[test]
fn causal_attention_without_a_mask() {
    let text = "m[i] max= s[i,j] where j in 0:i+1
        w[i,j] = exp(s[i,j] - m[i]) where j in 0:i+1
        n[i] += w[i,j]
        p[i,j] = w[i,j] / n[i]
        o[i] += p[i,j] * v[j] where j in 0:i+1
        gradient o by s, v";
    let s = dense(&[2, 2], &[0.0, 99.0, 0.0, 0.0]);
    let made = run(text, &[s, dense(&[2], &[1.0, 3.0])]).unwrap();
    assert_eq!(made[0], dense(&[2], &[1.0, 2.0]));
    assert_eq!(made[1], dense(&[2, 2], &[0.0, 0.0, -0.5, 0.5]));
    assert_eq!(made[2], dense(&[2], &[1.5, 0.5]));
}

#[test]
fn the_gradient_of_a_mean_of_rows() {
    let text = "s[i] += R[i,j]; m[i] = s[i] / len(R,i); e += m[i]; gradient e by R";
    let made = run(text, &[ragged(&[&[1.0, 3.0], &[5.0]])]).unwrap();
    assert_eq!(made[0], dense(&[], &[7.0]));
    assert_eq!(made[1], ragged(&[&[0.5, 0.5], &[1.0]]));
}

#[test]
fn scattered_rows_take_their_lengths_from_where() {
    let r = ragged(&[&[1.0, 2.0, 4.0], &[], &[3.0]]);
    let text = "y[rows[k],j] += g[k,j] where y[size(R,0), len(R,p)]";
    let g = ragged(&[&[5.0], &[1.0, 2.0, 3.0], &[7.0]]);
    assert_eq!(
        one(text, &[longs(&[3], &[2, 0, 2]), g, r.clone()]),
        ragged(&[&[1.0, 2.0, 3.0], &[], &[12.0]])
    );
    // The loop of an index of its own is the position, too.
    assert_eq!(
        one(
            "y[i,0*j] += R[i,j] where y[3, i+1]",
            std::slice::from_ref(&r)
        ),
        ragged(&[&[7.0], &[0.0, 0.0], &[3.0, 0.0, 0.0]])
    );
    let g = ragged(&[&[5.0, 6.0]]);
    assert_eq!(
        fault(text, &[longs(&[1], &[2]), g, r.clone()]),
        "y: y axis 1 of length 1 in row 2 would be written at 1"
    );
    assert_eq!(
        fault("y[i] += R[i,j] where y[len(R,p)]", &[r]),
        "y: the length of axis 0 depends on p, which is no position on an axis before it"
    );
    // The gradient of rows that are looked up has the operand's rows.
    let text = "g[k,j] = R[rows[k],j]; e += g[k,j] * w[k]; gradient e by R";
    let full = ragged(&[&[1.0, 2.0], &[], &[3.0]]);
    let made = run(
        text,
        &[
            full,
            longs(&[3], &[2, 0, 2]),
            dense(&[3], &[1.0, 10.0, 100.0]),
        ],
    );
    assert_eq!(made.unwrap()[1], ragged(&[&[10.0, 10.0], &[], &[101.0]]));
}
