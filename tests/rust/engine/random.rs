//! Random programs of all kinds.

use crate::agree::{agree_on, depth, pick, setting, some, tensor, Input, Layout, Random};

#[path = "../compute/support/generate.rs"]
mod generate;

#[test]
fn random_programs_agree() {
    let seed = setting("TENSORNIO_TEST_SEED", 5);
    println!("seed {seed}");
    let mut random = Random(seed);
    for _ in 0..300 * depth() {
        let case = generate::program(&mut |n| random.below(n));
        let layout = pick(&mut random, &[Layout::Plain, Layout::Wild, Layout::Wild]);
        let inputs: Vec<Input> = case
            .inputs
            .iter()
            .map(|input| match input.below {
                None => some(input.dtype, &input.shape, layout, &mut random),
                Some(below) => {
                    let first = random.below(below);
                    tensor(input.dtype, &input.shape, layout, &mut random, |k| {
                        ((first + 7 * k as i64) % below) as f64
                    })
                }
            })
            .collect();
        // Sums of powers of a few numbers of about 4.
        agree_on(&case.text, &inputs, layout, 1e4, &mut random);
    }
}
