//! What is beyond all limits is refused with words, and soon.

use super::given::{dense, fault, one, ragged, sparse, Given};

/// Loops of which each depends on all before it, so that there are 2^n paths between them.
fn chain(count: usize, range: &dyn Fn(&[String]) -> String) -> String {
    let mut before: Vec<String> = Vec::new();
    let mut ranges = Vec::new();
    for n in 0..count {
        ranges.push(format!("i{n} in 0:{}", range(&before)));
        before.push(format!("i{n}"));
    }
    ranges.join(", ")
}

#[test]
fn ranges_that_overflow_are_refused() {
    assert_eq!(
        fault(
            "s[i] += 1 where i in 0:3, j in 0:i*9223372036854775807+5",
            &[]
        ),
        "s: the range of j does not fit INT64"
    );
    assert_eq!(
        fault(
            "s[i] += 1 where i in 0:3, j in 0:5-i*9223372036854775807",
            &[]
        ),
        "s: the range of j does not fit INT64"
    );
    // Of the length of a row, and of positions in a shape.
    let r = ragged(&[&[1.0], &[2.0, 3.0]]);
    assert_eq!(
        fault(
            "s[i] += 1 where i in 0:size(R,0), j in 0:len(R,i)*9223372036854775807+5",
            std::slice::from_ref(&r)
        ),
        "s: the range of j does not fit INT64"
    );
    assert_eq!(
        fault(
            "y[i,0*j] += R[i,j] where y[2, i*9223372036854775807+9223372036854775807]",
            &[r]
        ),
        "y: the range of p1' is 18446744073709551614 in row 1, which does not fit INT64"
    );
    // The last that fit.
    assert_eq!(
        one(
            "s[i] += 1 where i in 0:2, j in 0:5-i*9223372036854775807",
            &[]
        ),
        dense(&[2], &[5.0, 0.0])
    );
}

#[test]
fn rows_at_indices_that_overflow_are_outside() {
    let r = ragged(&[&[1.0], &[2.0, 3.0]]);
    assert_eq!(
        fault("n[i] = len(R,i*9223372036854775807+1) where i in 0:2", &[r]),
        "n: R axis 0 of length 2 would be read at 9223372036854775808"
    );
}

#[test]
fn ranges_that_depend_on_all_loops_before_take_no_time() {
    let all = |before: &[String]| {
        let minus: Vec<String> = before.iter().map(|name| format!("-{name}")).collect();
        format!("1{}", minus.concat())
    };
    let ranges = chain(60, &all);
    assert_eq!(
        one(&format!("s += 1 where {ranges}"), &[]),
        dense(&[], &[1.0])
    );
    // The shape is as long as the longest over all of them.
    assert_eq!(
        one(&format!("s[i59] += 1 where {ranges}"), &[]),
        dense(&[1], &[1.0])
    );
}

#[test]
fn ranges_by_reads_of_sums_of_loops_take_no_time() {
    let count = 40;
    let mut sum = String::new();
    let mut reads = Vec::new();
    for n in 0..count {
        sum.push_str(&format!("{}i{n}", if n == 0 { "" } else { "+" }));
        reads.push(format!("R[r,{sum}]"));
    }
    assert_eq!(
        one(&format!("s += {}", reads.join(" * ")), &[ragged(&[&[2.0]])]),
        dense(&[], &[(1u64 << count) as f64])
    );
}

#[test]
fn a_sparse_result_has_no_more_elements_than_a_tensor_may() {
    let long = 1i64 << 31;
    let w = sparse(&[long, long], &[(0, 0, 2.0)]);
    let sizes = "[2147483648, 2147483648, 2147483648]";
    assert_eq!(
        fault(
            "sparse y[i,j,k] = W[i,j] * W[i,k]",
            std::slice::from_ref(&w)
        ),
        format!("y: the sizes of shape {sizes} have a product above 9223372036854775807")
    );
    assert_eq!(
        one("sparse y[i,k] += W[i,j] * W[j,k]", &[w]),
        Given::Sparse(vec![long, long], vec![0, 0], vec![4.0])
    );
}

#[test]
fn what_would_never_end_is_refused() {
    // Of one row, and of loops inside of it.
    assert_eq!(
        fault(
            "n[i] += 1 where i in 0:2, j in 0:i*9223372036854775807",
            &[]
        ),
        "n: the loops i, j are more than 2^62 iterations"
    );
    assert_eq!(
        fault(
            "n[i] += 1 where i in 0:2, j in 0:i*4294967296, k in 0:4294967296",
            &[]
        ),
        "n: the loops i, j, k are more than 2^62 iterations"
    );
    let r = ragged(&[&[], &[2.0, 3.0, 5.0]]);
    assert_eq!(
        fault(
            "n[i] += R[i,j] where k in 0:2305843009213693952",
            std::slice::from_ref(&r)
        ),
        "n: j in 0:3, k in 0:2305843009213693952 in row 1 are more than 2^62 iterations"
    );
    // In all rows: that needs no look at any.
    assert_eq!(
        fault(
            "n[i] += R[i,j] where k in 0:4611686018427387904, l in 0:2",
            &[r]
        ),
        "n: i in 0:2, k in 0:4611686018427387904, l in 0:2 are more than 2^62 iterations"
    );
    // Inside of what is stored.
    let s = sparse(&[1 << 40, 2], &[(7, 1, 2.0)]);
    assert_eq!(
        fault(
            "n += S[i,j] where k in 0:4611686018427387904, l in 0:2",
            std::slice::from_ref(&s)
        ),
        "n: k in 0:4611686018427387904, l in 0:2 in row 7,1 are more than 2^62 iterations"
    );
    // To find a shape.
    assert_eq!(
        fault(
            "sparse y[j] += S[k,l] where i in 0:2305843009213693952, m in 0:4, j in 0:i+m",
            std::slice::from_ref(&s)
        ),
        "y: i in 0:2305843009213693952, m in 0:4 are more than 2^62 iterations"
    );
    // Loops over what is not stored take no time, nor do those of which one has no values.
    assert_eq!(one("n += S[i,j]", &[s]), dense(&[], &[2.0]));
    assert_eq!(
        one(
            "n[i] += 1 where i in 0:2, k in 0:9223372036854775807, j in 0:i, l in 0:0",
            &[]
        ),
        dense(&[2], &[0.0, 0.0])
    );
}

#[test]
fn extrema_of_integers_of_which_nothing_is_stored_have_no_value() {
    // Two rows, of which the second one has nothing stored.
    let s = sparse(&[2, 3], &[(0, 1, 2.0), (0, 2, 3.0)]);
    let s = std::slice::from_ref(&s);
    for op in ["max=", "min="] {
        assert_eq!(
            fault(&format!("m[i] {op} int(S[i,j]) where stored(S[i,j])"), s),
            format!(
                "m: {op} of INT32 over index j, of which nothing is stored in row 1, has no value"
            )
        );
        let empty = sparse(&[2, 3], &[]);
        assert_eq!(
            fault(
                &format!("m {op} int(S[i,j]) where stored(S[i,j])"),
                &[empty]
            ),
            format!("m: {op} of INT32 over index i, of which nothing is stored, has no value")
        );
        // What is not stored counts as 0, if there is any.
        assert_eq!(
            one(&format!("m[i] {op} int(S[i,j])"), s),
            dense(&[2], &[if op == "max=" { 3.0 } else { 0.0 }, 0.0])
        );
        let none = sparse(&[2, 0], &[]);
        assert_eq!(
            fault(&format!("m[i] {op} int(S[i,j])"), &[none]),
            format!("m: {op} of INT32 over index j, whose range is 0 in row 0, has no value")
        );
    }
    // Floats have the infinity; elements that nothing writes have the identity.
    assert_eq!(
        one("m[i] max= S[i,j] where stored(S[i,j])", s),
        dense(&[2], &[3.0, f64::NEG_INFINITY])
    );
    assert_eq!(
        one("m[i,j] max= int(S[i,j]) where stored(S[i,j])", s),
        dense(
            &[2, 3],
            &[i32::MIN, 2, 3, i32::MIN, i32::MIN, i32::MIN].map(f64::from)
        )
    );
}

#[test]
fn sums_of_ranges_that_would_never_end_are_refused() {
    let s = sparse(&[1 << 40, 2], &[(7, 1, 2.0)]);
    let s = std::slice::from_ref(&s);
    for (text, loops) in [
        ("n += 1 where i in 0:1099511627776, j in 0:i", "i, j"),
        (
            "n += 1 where i in 0:1099511627776, j in 0:1099511627776-i",
            "i, j",
        ),
        (
            "n += 1 where i in 0:67108864, j in 0:i, k in 0:i-j",
            "i, j, k",
        ),
    ] {
        assert_eq!(
            fault(text, &[]),
            format!("n: the loops {loops} are more than 2^62 iterations"),
            "{text}"
        );
    }
    assert_eq!(
        fault(
            "sparse y[j] += S[k,l] where i in 0:1099511627776, m in 0:i, j in 0:m",
            s
        ),
        "y: the loops i, m are more than 2^62 iterations"
    );
    // Few of many, and of none.
    assert_eq!(
        one(
            "n += 1 where i in 0:2, j in 0:9223372036854775807*i-9223372036854775805",
            &[]
        ),
        dense(&[], &[2.0])
    );
}

#[test]
fn rows_that_disagree_are_found_in_any_order_of_loops() {
    let (r, q) = (
        ragged(&[&[1.0], &[2.0], &[3.0]]),
        ragged(&[&[1.0], &[2.0], &[3.0, 4.0]]),
    );
    // The range of x depends on a first, and on b, whose range depends on a as well.
    assert_eq!(
        fault(
            "s[a] += R[x,l] * Q[x,l] where a in 0:3, b in 0:a, x in 0:a+b",
            &[r, q]
        ),
        "s: index l is 1 by R axis 1 and 2 by Q axis 1 in row 2,1,2"
    );
}

#[test]
fn rows_of_a_scan_that_no_memory_holds_are_refused() {
    let x = ragged(&[&[1.0, 2.0]]);
    for steps in [0, 2] {
        let text = format!(
            "scan t in 0:{steps}; h[i,t] = h[i,t-1] + x[0,t] where i in 0:1000000000000000000; end; return h"
        );
        let said = fault(&text, std::slice::from_ref(&x));
        assert!(
            said.contains("do not fit the memory that is left"),
            "{said}"
        );
    }
}
