//! Sums of products under guards, as convolutions with padding and their gradients are, against the plain evaluator.

use tensornio_compute::operand::DType;

use crate::agree::{agree_on, depth, pick, some, tensor, Input, Layout, Random};

/// Runs a program on inputs of these shapes, of both types, in row-major order and with other strides.
fn check(text: &str, shapes: &[&[i64]]) {
    for dtype in [DType::Float, DType::Double] {
        for layout in [Layout::Plain, Layout::Wild] {
            let mut random = Random(7);
            let inputs: Vec<Input> = shapes
                .iter()
                .map(|shape| some(dtype, shape, layout, &mut random))
                .collect();
            agree_on(text, &inputs, layout, 4000.0, &mut random);
        }
    }
}

#[test]
fn guards_around_a_read_and_around_the_product_agree() {
    for text in [
        "O[x,f] += guard(0 <= x+k-1 < 20, I[x+k-1,c]) * K[k,c,f] where x in 0:20",
        "O[x,f] += guard(0 <= x+k-1 < 20, I[x+k-1,c] * K[k,c,f]) where x in 0:20, k in 0:3, c in 0:5, f in 0:6",
        "O[x,f] += guard(0 <= x+k-1 < 20, 2*I[x+k-1,c] * K[k,c,f]) where x in 0:20, k in 0:3, c in 0:5, f in 0:6",
        "O[f,x] += K[k,c,f] * guard(0 <= x-k+1 < 20, I[x-k+1,c]) where x in 0:22",
        "O[f,x] += K[k,c,f] * guard(0 <= 18-x+k < 20, I[18-x+k,c]) where x in 0:22",
        "O[f,x] += guard(0 <= 2*x-k < 20, K[k,c,f] * I[2*x-k,c]) where x in 0:12, k in 0:3, c in 0:5, f in 0:6",
        "O[x,f] += guard(0 <= x+k-1 < 20, guard(0 <= x+k-3 < 15, I[x+k-1,c] * K[k,c,f])) where x in 0:20, k in 0:3, c in 0:5, f in 0:6",
        "O[x,f] += guard(0 <= x+k-1 < 20, I[x+k-1,c]) * guard(0 <= c+k-2 < 5, K[k,c+k-2,f]) where x in 0:20, k in 0:3, c in 0:5, f in 0:6",
    ] {
        check(text, if text.starts_with("O[f,x]") { &[&[3, 5, 6], &[20, 5]] } else { &[&[20, 5], &[3, 5, 6]] });
    }
}

#[test]
fn sums_of_one_element_are_zero_where_its_guard_does_not_hold() {
    check(
        "O[x,f] += guard(0 <= x+k-3 < 5, I[x+k-3] * K[k,f]) where x in 0:12, k in 0:1, f in 0:4",
        &[&[5], &[1, 4]],
    );
}

#[test]
fn guards_that_both_reads_need_agree() {
    let text =
        "C[i,j] += guard(0 <= k-2 < 30, A[i,k-2] * B[k-2,j]) where i in 0:8, j in 0:9, k in 0:35";
    check(text, &[&[8, 30], &[30, 9]]);
    let text =
        "C[i,j] += guard(0 <= k-2 < 30, A[i,k-2] * B[k,j]) where i in 0:8, j in 0:9, k in 0:35";
    check(text, &[&[8, 30], &[35, 9]]);
    let text = "C[i,j] += guard(0 <= i-2 < 8, 0 <= j-1 < 9, A[i-2,k] * B[k,j-1]) where i in 0:12, j in 0:11, k in 0:30";
    check(text, &[&[8, 30], &[30, 9]]);
    // Of rows and columns together: no operand has it.
    let text = "C[i,j] += guard(0 <= i-j < 8, A[i,k] * B[k,j]) where i in 0:8, j in 0:9, k in 0:30";
    check(text, &[&[8, 30], &[30, 9]]);
    // Of the number of the product.
    let text = "C[b,i,j] += guard(0 <= b+k-3 < 30, A[b,i,b+k-3] * B[b,k,j]) where b in 0:3, i in 0:8, j in 0:9, k in 0:32";
    check(text, &[&[3, 8, 30], &[3, 32, 9]]);
}

#[test]
fn guards_whose_bound_is_beyond_all_values_agree() {
    for text in [
        "C[i,j] += guard(0 <= k-i < 9223372036854775807, A[i,k] * B[k,j]) where i in 0:20, k in 0:30, j in 0:9",
        "C[i,j] += guard(0 <= k-i < 9223372036854775807, A[i,k]) * B[k,j] where i in 0:20",
        "C[i,j] += guard(0 <= i-k < 9223372036854775807, A[i,k] * B[k,j]) where i in 0:20, k in 0:30, j in 0:9",
    ] {
        check(text, &[&[20, 30], &[30, 9]]);
    }
}

#[test]
fn convolutions_with_padding_agree_and_so_do_their_gradients() {
    let nhwc = "O[n,y,x,f] += guard(0 <= y+r-1 < 7, 0 <= x+s-1 < 18, I[n,y+r-1,x+s-1,c]) * K[r,s,c,f] where n in 0:2, y in 0:7, x in 0:18";
    let nchw = "O[n,f,y,x] += guard(0 <= y+r-1 < 7, 0 <= x+s-1 < 18, I[n,c,y+r-1,x+s-1]) * K[f,c,r,s] where n in 0:2, y in 0:7, x in 0:18";
    for (text, image, kernel) in [
        (nhwc, [2, 7, 18, 4], [3, 3, 4, 5]),
        (nhwc, [2, 7, 18, 1], [3, 3, 1, 8]),
        (nchw, [2, 4, 7, 18], [5, 4, 3, 3]),
    ] {
        check(text, &[&image, &kernel]);
        check(&format!("{text}; gradient O by I, K"), &[&image, &kernel]);
    }
    let unpadded = "O[n,y,x,f] += I[n,y+r,x+s,c] * K[r,s,c,f]; gradient O by I, K";
    check(unpadded, &[&[2, 9, 20, 4], &[3, 3, 4, 5]]);
    // Of several blocks.
    check(
        &nhwc.replace("0:2", "0:6"),
        &[&[6, 7, 18, 40], &[3, 3, 40, 5]],
    );
}

#[test]
fn infinities_outside_of_a_guard_leave_no_trace() {
    let mut random = Random(11);
    for text in [
        "O[x,f] += guard(0 <= x+k-1 < 20, I[x+k-1,c] * K[k,c,f]) where x in 0:20, k in 0:3, c in 0:5, f in 0:6",
        "O[x,f] += guard(0 <= x+k-1 < 20, K[k,c,f] * I[x+k-1,c]) where x in 0:20, k in 0:3, c in 0:5, f in 0:6",
        "O[x,f] += guard(0 <= x+k-1 < 20, I[x+k-1,c]) * K[k,c,f] where x in 0:20",
        "O[x,f] += guard(0 <= x+k-1 < 20, inf * I[x+k-1,c] * K[k,c,f]) where x in 0:20, k in 0:3, c in 0:5, f in 0:6",
        "O[x,f] += guard(0 <= x+k-1 < 20, I[x+k-1,c]) * K[k,c,f] where x in 0:20; gradient O by I, K",
    ] {
        for at in [0, 20, 50, 75] {
            for infinite in [f64::INFINITY, f64::NAN] {
                let image = some(DType::Float, &[20, 5], Layout::Plain, &mut random);
                let kernel = tensor(DType::Float, &[3, 5, 6], Layout::Plain, &mut random, |k| {
                    if k == at { infinite } else { 1.0 + k as f64 }
                });
                let inputs = if text.contains("K[k,c,f] * I") { [kernel, image] } else { [image, kernel] };
                agree_on(text, &inputs, Layout::Plain, 4000.0, &mut random);
            }
        }
    }
}

#[test]
fn random_products_under_guards_agree() {
    let mut random = Random(23);
    for _ in 0..60 * depth() {
        let mut one = |below: i64| random.below(below);
        let (channels, filters) = (1 + one(6), 4 + one(5));
        let (length, taps, step, shift) = (8 + one(30), 1 + one(5), 1 + one(2), one(6));
        let sign = if one(2) == 0 { '+' } else { '-' };
        let index = format!("{step}*x{sign}k-{shift}");
        let range = 10 + one(40);
        let kept = one(length) + 1;
        let (order, image) = match one(2) {
            0 => (format!("I[{index},c]"), vec![length, channels]),
            _ => (format!("I[c,{index}]"), vec![channels, length]),
        };
        let (kernel, shape) = match one(3) {
            0 => ("K[k,c,f]", vec![taps, channels, filters]),
            1 => ("K[f,c,k]", vec![filters, channels, taps]),
            _ => ("K[c,k,f]", vec![channels, taps, filters]),
        };
        let left = if one(2) == 0 { "O[x,f]" } else { "O[f,x]" };
        let guard = format!("guard(0 <= {index} < {kept}, ");
        let value = match one(3) {
            0 => format!("{guard}{order}) * {kernel}"),
            1 => format!("{guard}{order} * {kernel})"),
            _ => format!("guard(0 <= k-1 < 3, {guard}{order} * {kernel}))"),
        };
        let gradient = if one(3) == 0 {
            "; gradient O by I, K"
        } else {
            ""
        };
        let text = format!(
            "{left} += {value} where x in 0:{range}, k in 0:{taps}, c in 0:{channels}, f in 0:{filters}{gradient}"
        );
        let layout = pick(&mut random, &[Layout::Plain, Layout::Wild]);
        let dtype = pick(&mut random, &[DType::Double, DType::Float, DType::Float]);
        let inputs = [image, shape].map(|shape| some(dtype, &shape, layout, &mut random));
        agree_on(&text, &inputs, layout, 4000.0, &mut random);
    }
}
