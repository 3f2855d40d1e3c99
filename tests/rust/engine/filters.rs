//! Sums over windows of each channel, as convolutions by channel are, against the plain evaluator: no tensor may be read beside its elements.

use tensornio_compute::operand::DType;
use tensornio_compute::Plan;

use crate::agree::{
    agree_on, bind, depth, outputs, pick, run, some, tensor, Input, Layout, Random,
};

/// Runs a program on inputs of these shapes, of both types; whether it was computed as filters.
fn check(text: &str, shapes: &[&[i64]], layout: Layout) -> bool {
    let mut filters = true;
    for dtype in [DType::Float, DType::Double] {
        let mut random = Random(7);
        let inputs: Vec<Input> = shapes
            .iter()
            .map(|shape| some(dtype, shape, layout, &mut random))
            .collect();
        agree_on(text, &inputs, layout, 4000.0, &mut random);
        filters &= is_filter(text, &inputs, layout);
    }
    filters
}

pub fn is_filter(text: &str, inputs: &[Input], layout: Layout) -> bool {
    planned(text, inputs, layout).contains("Filter(Filter")
}

/// The plan of a program that has run, in words.
pub fn planned(text: &str, inputs: &[Input], layout: Layout) -> String {
    let bound = bind(text, inputs);
    let plan = Plan::new(&bound).expect("a plan");
    let mut to = outputs(&bound, layout, &mut Random(1));
    // SAFETY: operands are memory of this test.
    run(inputs, &mut to, |inputs, outputs| unsafe {
        plan.run(inputs, outputs)
    })
    .expect("a result");
    format!("{plan:?}")
}

#[test]
fn filters_of_each_channel_agree() {
    for (text, shapes) in [
        // Of one, two and three axes.
        ("y[c,p] += x[c,p+r] * w[c,r]", [&[9, 200][..], &[9, 5]]),
        ("y[n,c,p,q] += x[n,c,p+r,q+s] * w[c,r,s]", [&[2, 5, 12, 40], &[5, 3, 3]]),
        ("y[c,p,q,o] += x[c,p+r,q+s,o+t] * w[c,r,s,t]", [&[5, 8, 9, 10], &[5, 3, 3, 2]]),
        // With zeros around the image, a stride and a dilation.
        (
            "y[n,c,p,q] += guard(0 <= p+r-1 < size(x,2), 0 <= q+s-1 < size(x,3), x[n,c,p+r-1,q+s-1]) * w[c,r,s] where n in 0:1, p in 0:14, q in 0:14",
            [&[1, 20, 14, 14], &[20, 3, 3]],
        ),
        (
            "y[n,c,p,q] += guard(0 <= 2*p+r-1 < size(x,2), 0 <= 2*q+s-1 < size(x,3), x[n,c,2*p+r-1,2*q+s-1]) * w[c,r,s] \
             where n in 0:1, p in 0:28, q in 0:40",
            [&[1, 3, 56, 80], &[3, 3, 3]],
        ),
        (
            "y[c,p,q] += w[c,r,s] * guard(0 <= 3*p+2*r-5 < size(x,1), 0 <= q+3*s-4 < size(x,2), x[c,3*p+2*r-5,q+3*s-4]) where p in 0:9, q in 0:21",
            [&[7, 20, 20], &[7, 3, 5]],
        ),
        // Along one of two axes, in either order.
        ("y[c,p,q] += x[c,p,q+s] * w[c,s]", [&[9, 20, 30], &[9, 7]]),
        ("y[c,p,q] += x[c,p+r,q] * w[c,r]", [&[9, 20, 30], &[9, 7]]),
        // Two results of each image, and a sum over images.
        ("y[c,k,p,q] += x[c,p+r,q+s] * w[c,k,r,s]", [&[8, 12, 12], &[8, 2, 3, 3]]),
        ("y[p,q] += x[c,p+r,q+s] * w[c,r,s]", [&[20, 30, 30], &[20, 3, 3]]),
        // Pools.
        ("y[c,p,q] max= x[c,2*p+r,2*q+s] where p in 0:10, q in 0:15, r in 0:3, s in 0:3", [&[9, 22, 32], &[1]]),
        ("y[c,p,q] min= x[c,p+r,q+s] where p in 0:20, q in 0:30, r in 0:2, s in 0:2", [&[9, 22, 32], &[1]]),
        ("y[p,q] max= x[c,p+r,q+s] where p in 0:20, q in 0:30, r in 0:2, s in 0:2", [&[9, 22, 32], &[1]]),
        (
            "y[c,p,q] += guard(0 <= 2*p+r-1 < 22, 0 <= q+s-1 < 32, x[c,2*p+r-1,q+s-1]) where c in 0:9, p in 0:11, q in 0:32, r in 0:3, s in 0:3",
            [&[9, 22, 32], &[1]],
        ),
        (
            "y[c,p] max= guard(0 <= 2*p+r-1 < 200, x[c,2*p+r-1]) where c in 0:9, p in 0:110, r in 0:5",
            [&[9, 200], &[1]],
        ),
        // Pools whose channels are next to each other, without zeros, so that nothing is packed; with, or of too few channels, something is.
        (
            "y[n,p,q,c] += x[n,2*p+r,2*q+s,c] where p in 0:6, q in 0:9, r in 0:3, s in 0:3",
            [&[2, 13, 20, 40], &[1]],
        ),
        ("y[p,q,c] max= x[p+3*r,q+2*s,c] where r in 0:2, s in 0:3", [&[13, 20, 8], &[1]]),
        ("y[p,c] min= x[k,2*p+r+1,c] where p in 0:300, r in 0:4", [&[3, 620, 16], &[1]]),
        ("y[n,p,q,c] max= x[n,2*p+r,2*q+s,c] where p in 0:6, q in 0:9, r in 0:3, s in 0:3", [&[2, 13, 20, 12], &[1]]),
        (
            "y[p,q,c] += guard(0 <= p+r-1 < 13, x[p+r-1,q,c]) where p in 0:13, q in 0:20, c in 0:16, r in 0:3",
            [&[13, 20, 16], &[1]],
        ),
        // An image of several parts.
        ("y[p,q] += x[p+r,q+s] * w[r,s]", [&[300, 211], &[4, 2]]),
        ("y[p] += x[2*p+3*r] * w[r]", [&[100000], &[3]]),
    ] {
        let shapes = if text.contains("w[c,r,s] * guard") { [shapes[1], shapes[0]] } else { shapes };
        let shapes = if text.contains("w[") { &shapes[..] } else { &shapes[..1] };
        assert!(check(text, shapes, Layout::Plain), "{text}");
        check(text, shapes, Layout::Wild);
    }
}

#[test]
fn windows_that_are_outside_of_the_image_are_zero() {
    let text = "y[c,p,q] += guard(0 <= p+r-40 < size(x,1), 0 <= q+s-3 < size(x,2), x[c,p+r-40,q+s-3]) * w[c,r,s] where p in 0:20, q in 0:30";
    assert!(check(text, &[&[6, 10, 24], &[6, 3, 3]], Layout::Plain));
    // A bound that is less than the image.
    let text =
        "y[c,p,q] += guard(0 <= p+r-1 < 7, x[c,p+r-1,q+s]) * w[c,r,s] where p in 0:20, q in 0:22";
    assert!(check(text, &[&[6, 10, 24], &[6, 3, 3]], Layout::Plain));
}

#[test]
fn infinite_taps_make_zeros_around_an_image_not_a_number() {
    let mut random = Random(11);
    let text = "y[c,p,q] += guard(0 <= p+r-1 < 14, 0 <= q+s-1 < 14, x[c,p+r-1,q+s-1]) * w[c,r,s] where p in 0:14, q in 0:14";
    let whole = "y[c,p,q] += guard(0 <= p+r-1 < 14, 0 <= q+s-1 < 14, x[c,p+r-1,q+s-1] * w[c,r,s]) \
                 where c in 0:9, p in 0:14, q in 0:14, r in 0:3, s in 0:3";
    for infinite in [f64::INFINITY, f64::NAN] {
        let image = some(DType::Float, &[9, 14, 14], Layout::Plain, &mut random);
        let taps = tensor(DType::Float, &[9, 3, 3], Layout::Plain, &mut random, |k| {
            if k % 9 == 0 {
                infinite
            } else {
                1.0 + k as f64
            }
        });
        let inputs = [image, taps];
        agree_on(text, &inputs, Layout::Plain, 4000.0, &mut random);
        agree_on(whole, &inputs, Layout::Plain, 4000.0, &mut random);
        // The guard leaves products out: no filter, which would make them NaN.
        assert!(
            is_filter(text, &inputs, Layout::Plain) && !is_filter(whole, &inputs, Layout::Plain)
        );
    }
}

#[test]
fn random_filters_agree() {
    let mut random = Random(29);
    let mut filters = 0;
    let rounds = 60 * depth() as usize;
    for _ in 0..rounds {
        let mut one = |below: i64| random.below(below);
        let rank = 1 + one(3) as usize;
        let (batch, channels) = (1 + one(2), 8 + one(17));
        let (mut image, mut taps) = (vec![batch, channels], vec![channels]);
        let (mut outputs, mut index, mut guards, mut ranges) =
            (String::new(), String::new(), String::new(), String::new());
        let mut reads = String::new();
        for d in 0..rank {
            let (size, step, dilation) = (1 + one(4), 1 + one(3), 1 + one(3));
            let padded = one(3) > 0;
            let shift = if padded { one(size * dilation + 2) } else { 0 };
            let reach = dilation * (size - 1) + 1;
            let length = reach + one([90, 24, 10][rank - 1]);
            let count = if padded {
                1 + one(length + shift) / step
            } else {
                (length - reach) / step + 1
            };
            let at = format!("{step}*p{d}+{dilation}*r{d}-{shift}");
            outputs += &format!(",p{d}");
            reads += &format!(",r{d}");
            if padded {
                guards += &format!("0 <= {at} < size(x,{}), ", d + 2);
            }
            ranges += &format!(", p{d} in 0:{count}");
            index += &format!(",{at}");
            image.push(length);
            taps.push(size);
        }
        let read = format!("x[n,c{index}]");
        let read = if guards.is_empty() {
            read
        } else {
            format!("guard({guards}{read})")
        };
        let text = format!("y[n,c{outputs}] += {read} * w[c{reads}] where n in 0:{batch}{ranges}");
        let layout = pick(
            &mut random,
            &[Layout::Wild, Layout::Plain, Layout::Plain, Layout::Plain],
        );
        let dtype = pick(&mut random, &[DType::Double, DType::Float, DType::Float]);
        let inputs = [image, taps].map(|shape| some(dtype, &shape, layout, &mut random));
        agree_on(&text, &inputs, layout, 4000.0, &mut random);
        filters += usize::from(is_filter(&text, &inputs, layout));
    }
    assert!(filters > rounds / 10, "{filters} of {rounds}");
}
