//! Sums of products, against the plain evaluator.

use tensornio_compute::operand::{DType, Number};

use crate::agree::{agree_on, check, some, tensor, Input, Layout, Random, FLOATS, NUMBERS};
use crate::filters::planned;

#[test]
fn contractions_agree() {
    check("C[i,j] += A[i,k]*B[k,j]", &NUMBERS, &[&[33, 45], &[45, 27]]);
    check("C[i,j] += A[k,i]*B[j,k]", &FLOATS, &[&[45, 33], &[27, 45]]);
    check(
        "C[b,i,j] += A[b,i,k]*B[b,k,j]",
        &FLOATS,
        &[&[3, 17, 20], &[3, 20, 19]],
    );
    check(
        "C[i,j] += A[i,k]*B[k,j]",
        &FLOATS,
        &[&[20, 1100], &[1100, 15]],
    );
    check(
        "O[n,y,x,f] += I[n,y+r,x+s,c]*K[r,s,c,f]",
        &FLOATS,
        &[&[2, 8, 9, 4], &[3, 3, 4, 6]],
    );
    check(
        "O[n,f,y,x] += I[n,c,y+r,x+s]*K[f,c,r,s]",
        &FLOATS,
        &[&[2, 4, 8, 9], &[6, 4, 3, 3]],
    );
    check("O[x] += I[x+k]*K[k]", &NUMBERS, &[&[1000], &[9]]);
    check(
        "O[y,x] += I[2*y+r,2*x+s]*K[r,s]",
        &FLOATS,
        &[&[31, 33], &[3, 3]],
    );
    check("C[i,j] += A[i]*B[j]", &NUMBERS, &[&[33], &[45]]);
    check("d[i] += A[i,k]*B[k,i]", &FLOATS, &[&[33, 45], &[45, 33]]);
    check(
        "C[i,l] += A[i,j]*B[j,k]*D[k,l]",
        &FLOATS,
        &[&[7, 8], &[8, 9], &[9, 10]],
    );
    check("s += A[i,k]*B[k,i]", &FLOATS, &[&[33, 45], &[45, 33]]);
}

/// Whether a program of FLOAT and DOUBLE inputs of these shapes has a matrix product, once it agrees.
fn is_product(text: &str, shapes: &[&[i64]]) -> bool {
    check(text, &FLOATS, shapes);
    let mut random = Random(5);
    let inputs: Vec<Input> = shapes
        .iter()
        .map(|shape| some(DType::Float, shape, Layout::Plain, &mut random))
        .collect();
    planned(text, &inputs, Layout::Plain).contains("Contraction(Contraction")
}

#[test]
fn products_by_few_vectors_are_matrix_products() {
    for (text, shapes) in [
        // A row by a matrix and by its transpose, a matrix by a column, and three rows by a matrix.
        ("C[i,j] += A[i,k]*B[k,j]", [&[1, 300][..], &[300, 70]]),
        ("C[i,j] += A[i,k]*B[j,k]", [&[1, 300], &[70, 300]]),
        ("c[i] += A[i,k]*b[k]", [&[70, 300], &[300]]),
        ("c[i] += A[k,i]*b[k]", [&[300, 70], &[300]]),
        ("C[i,j] += A[i,k]*B[k,j]", [&[3, 300], &[300, 70]]),
        ("C[b,i] += A[b,i,k]*B[b,k]", [&[3, 70, 300], &[3, 300]]),
        ("C[i] += -2*A[i,k]*b[2*k]", [&[70, 300], &[600]]),
        // Many channels of few outputs, which are no filters of each.
        (
            "y[n,k,p] += guard(0 <= 2*p+r-1 < size(x,2), x[n,c,2*p+r-1]) * w[k,c,r] where n in 0:1, p in 0:2",
            [&[1, 40, 4], &[40, 40, 3]],
        ),
    ] {
        assert!(is_product(text, &shapes), "{text}");
    }
    for (text, shapes) in [
        // One number, few products, long dot products, dot products for several vectors, and filters of each channel.
        ("c += a[k]*b[k]", [&[20000][..], &[20000]]),
        ("c[i] += A[i,k]*b[k]", [&[70, 600], &[600]]),
        ("C[i,j] += A[i,k]*B[k,j]", [&[70, 300], &[300, 3]]),
        ("c[i] += A[i,k]*b[k]", [&[70, 30], &[30]]),
        ("c[i,j] += A[i,j,k]*b[i,k]", [&[3000, 2, 9], &[3000, 9]]),
        ("y[c,p] += x[c,p+r] * w[c,r]", [&[9, 2000], &[9, 9]]),
    ] {
        assert!(!is_product(text, &shapes), "{text}");
    }
}

#[test]
fn contractions_with_constants_and_of_several_factors_agree() {
    check(
        "C[i,j] += -0.5*A[i,k]*B[k,j]*2",
        &FLOATS,
        &[&[17, 20], &[20, 19]],
    );
    check(
        "C[i,l] += A[i,j]*2*B[j,k]*D[k,l]",
        &FLOATS,
        &[&[17, 18], &[18, 19], &[19, 20]],
    );
    check(
        "s += A[i,j]*B[j,k]*D[k,l]*E[l,i]",
        &FLOATS,
        &[&[7, 8], &[8, 9], &[9, 10], &[10, 7]],
    );
    check(
        "y[2*b,i] += W[i,j,k]*x[b,j]*z[b,k]; s += y[b,i]*y[b,i]",
        &FLOATS,
        &[&[6, 7, 8], &[9, 7], &[9, 8]],
    );
    let mut random = Random(1);
    for dtype in FLOATS {
        let [a, b] =
            [[17, 20], [20, 19]].map(|shape| some(dtype, &shape, Layout::Plain, &mut random));
        let inputs = [Input::Number(Number::Fraction(0.25)), a, b];
        let text = "C[i,j] += s*A[i,k]*B[k,j]";
        agree_on(text, &inputs, Layout::Plain, 100.0, &mut random);
    }
}

#[test]
fn constants_of_contractions_overflow_no_more_than_the_text_does() {
    let mut random = Random(1);
    for layout in [Layout::Plain, Layout::Wild] {
        for (text, a, b) in [
            ("C[i,j] += 1e-25*A[i,k]*(1e-25*B[k,j])", 1e25, 1e25),
            ("C[i,j] += A[i,k]*1e-25*(-(B[k,j]*1e-25))", 1e25, 1e25),
            ("C[i,j] += 1e-30*A[i,k]*B[k,j]", 1e30, 1e30),
            ("C[i,j] += 1e30*A[i,k]*(B[k,j]*1e30)", 1e-30, 1e-30),
            ("C[i,j] += 1e-20*(1e-20*(1e-20*A[i,k]))*(B[k,j]*1e30)", 1e38, 1e-5),
            ("C[i,j] += 1e-20*1e-10*A[i,k]*B[k,j]*1e10", 1e30, 1e-8),
            ("C[i,j] += A[i,k]*B[k,j]*1e-30*1e-30*1e30", 1e18, 1e18),
            ("C[i,j] += 1e20*(1e-30*(A[i,k]*B[k,j]))*1e-30*1e20", 1e18, 1e18),
            (
                "C[i,j] += guard(0 <= k-2 < 20, 1e-30*A[i,k-2]*B[k-2,j]) where i in 0:17, j in 0:19, k in 0:24",
                1e30,
                1e30,
            ),
            (
                "C[i,j] += guard(0 <= k-2 < 20, A[i,k-2])*1e-30*B[k,j] where i in 0:17",
                1e30,
                1e30,
            ),
        ] {
            let signs = [1.0, -1.0, 0.5];
            let inputs = [(a, [17, 20]), (b, [20, 19])].map(|(x, shape)| {
                tensor(DType::Float, &shape, layout, &mut random, |k| x * signs[k % 3])
            });
            let found = agree_on(text, &inputs, layout, 100.0, &mut random).expect("no error");
            let finite = found[0].get().iter().all(|(x, _)| x.is_finite());
            assert!(finite, "{text}");
        }
    }
    let big = [[17, 20], [20, 19]]
        .map(|shape| tensor(DType::Float, &shape, Layout::Plain, &mut random, |_| 1e25));
    let [a, b] = big;
    let number = Input::Number(Number::Fraction(1e-25));
    let inputs = [number.clone(), a, number, b];
    let text = "C[i,j] += s*A[i,k]*(t*B[k,j])";
    agree_on(text, &inputs, Layout::Plain, 100.0, &mut random);
}

#[test]
fn contractions_of_several_blocks_agree() {
    let mut random = Random(6);
    for (text, a, b) in [
        // Blocks of all three axes, and none of them full.
        ("C[i,j] += A[i,k]*B[k,j]", vec![270, 6], vec![6, 520]),
        ("C[j,i] += A[k,i]*B[j,k]", vec![300, 20], vec![20, 300]),
        // More blocks of k than are added in order.
        ("C[i,j] += A[i,k]*B[k,j]", vec![4, 70_000], vec![70_000, 5]),
        // The taps of a convolution are products in place, its gradient has a row of them for each image and line.
        (
            "O[n,y,x,f] += I[n,y+r,x+s,c]*K[r,s,c,f]",
            vec![2, 6, 34, 8],
            vec![3, 3, 8, 20],
        ),
        (
            "K[r,s,c,f] += I[n,y+r,x+s,c]*O[n,y,x,f]",
            vec![2, 150, 34, 2],
            vec![2, 148, 32, 4],
        ),
        (
            "O[n,f,y,x] += K[f,c,r,s]*I[n,c,y+r,x+s]",
            vec![20, 8, 3, 3],
            vec![2, 8, 6, 34],
        ),
    ] {
        let inputs = [a, b].map(|shape| some(DType::Float, &shape, Layout::Plain, &mut random));
        agree_on(text, &inputs, Layout::Plain, 4000.0, &mut random);
    }
    let inputs =
        [[20, 300], [300, 24]].map(|shape| some(DType::Double, &shape, Layout::Wild, &mut random));
    agree_on(
        "C[2*i+1,j] += A[i,k]*B[k,j]",
        &inputs,
        Layout::Wild,
        4000.0,
        &mut random,
    );
}
