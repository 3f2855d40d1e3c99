//! Extrema and products over what is not stored, of which the points of each element are counted.

use super::given::{dense, fault, one, ragged, sparse, Given};

/// Rows of rows: lengths 2, 0 and 1, of rows of lengths 1, 3 and 2.
fn rows_of_rows() -> Given {
    Given::Ragged(
        vec![3, -1, -1],
        vec![None, Some(vec![0, 2, 2, 3]), Some(vec![0, 1, 4, 6])],
        vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    )
}

#[test]
fn rows_of_rows_that_are_kept_are_found_by_those_that_are_reduced() {
    // Rows of different lengths: the first one is short, or none.
    for rows in [
        &[&[1.0][..], &[2.0, 3.0]][..],
        &[&[], &[1.0, 2.0, 3.0]],
        &[],
    ] {
        let r = ragged(rows);
        let n = rows.len() as i64;
        let s = sparse(&[2, n], &[(0, 0, -3.0)][..usize::from(n > 0)]);
        let longest = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let column = |j: usize| {
            let mut products = Vec::new();
            for (i, row) in rows.iter().enumerate() {
                for k in 0..2 {
                    let stored = if (k, i) == (0, 0) { -3.0 } else { 0.0 };
                    products.extend(row.get(j).map(|value| value * stored));
                }
            }
            products.into_iter().fold(f64::NEG_INFINITY, f64::max)
        };
        let expected: Vec<f64> = (0..longest).map(column).collect();
        assert_eq!(
            one("m[j] max= S[k,i] * R[i,j]", &[s, r]),
            dense(&[longest as i64], &expected)
        );
    }
    // The rows of the second one have no row 0, and those of the third one have fewer.
    let s = sparse(&[2, 3], &[(0, 0, -2.0), (0, 2, 1.0), (1, 0, -3.0)]);
    assert_eq!(
        one("m[j,k] max= S[l,i] * A[i,j,k]", &[s, rows_of_rows()]),
        Given::Ragged(
            vec![2, -1],
            vec![None, Some(vec![0, 2, 5])],
            vec![5.0, 6.0, -4.0, -6.0, -8.0]
        )
    );
}

#[test]
fn elements_at_lengths_of_rows_are_found_by_their_rows() {
    let s = sparse(
        &[2, 3],
        &[(0, 0, -2.0), (0, 1, -1.0), (0, 2, 1.0), (1, 0, -3.0)],
    );
    let r = ragged(&[&[1.0], &[2.0, 3.0]]);
    let none = f64::NEG_INFINITY;
    assert_eq!(
        one("h[len(R,i)] max= S[i,k] where h[4]", &[r, s]),
        dense(&[4], &[none, 1.0, 0.0, none])
    );
}

#[test]
fn points_of_ranges_that_are_lengths_of_rows_are_counted_row_by_row() {
    let s = sparse(
        &[2, 3],
        &[(0, 0, -2.0), (0, 1, -1.0), (0, 2, 1.0), (1, 0, -3.0)],
    );
    let r = ragged(&[&[], &[2.0, 3.0]]);
    let text = "m[k] max= S[i,k] where j in 0:size(R,0), q in 0:len(R,j)";
    assert_eq!(one(text, &[s.clone(), r]), dense(&[3], &[-2.0, 0.0, 1.0]));
    // Rows that there are not are not looked up.
    let text = "m[k] max= S[i,k] * len(R,j) where j in 0:0";
    assert_eq!(
        one(text, &[s.clone(), ragged(&[])]),
        dense(&[3], &[f64::NEG_INFINITY; 3])
    );
    assert_eq!(
        fault(
            "m[k] max= int(S[i,k]) where j in 0:size(R,0), q in 0:len(R,j)",
            &[s, ragged(&[])]
        ),
        "m: max= of INT32 over index j, whose range is 0 in row 0, has no value"
    );
}
