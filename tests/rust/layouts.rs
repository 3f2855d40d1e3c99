//! The table of layouts that holds Java's rules and Rust's together.

use tensornio_core::layout::{merge, Axis, Strided};

fn numbers(text: &str) -> Vec<i64> {
    text.split_whitespace()
        .map(|number| number.parse().expect("a number"))
        .collect()
}

fn strided(parts: &[&str]) -> Strided {
    Strided::new(
        numbers(parts[0]),
        numbers(parts[1]),
        parts.get(2).map_or(0, |offset| numbers(offset)[0]),
    )
    .unwrap()
}

fn merged(parts: &[&str]) -> [Vec<i64>; 3] {
    let [shape, one, other] = [0, 1, 2].map(|k| numbers(parts[k]));
    let mut axes: Vec<_> = (0..shape.len())
        .map(|d| Axis {
            size: shape[d] as usize,
            strides: [one[d] as isize, other[d] as isize],
        })
        .collect();
    let mut doubled: Vec<_> = axes
        .iter()
        .map(|axis| Axis {
            size: axis.size,
            strides: axis.strides.repeat(2),
        })
        .collect();
    let kept = merge(&mut axes);
    assert_eq!(merge(&mut doubled), kept);
    for (two, four) in axes[..kept].iter().zip(&doubled) {
        assert_eq!(
            (two.size, two.strides.repeat(2)),
            (four.size, four.strides.clone())
        );
    }
    let left = &axes[..kept];
    [
        left.iter().map(|axis| axis.size as i64).collect(),
        left.iter().map(|axis| axis.strides[0] as i64).collect(),
        left.iter().map(|axis| axis.strides[1] as i64).collect(),
    ]
}

#[test]
fn the_rules_are_those_of_the_table() {
    let mut cases = 0;
    for line in include_str!("../layouts.txt").lines() {
        if line.starts_with('#') {
            continue;
        }
        let parts: Vec<_> = line.split('|').map(str::trim).collect();
        let (rule, parts) = (parts[0], &parts[1..]);
        match rule {
            "row-major" => {
                let all = Strided::row_major(numbers(parts[0])).unwrap();
                assert_eq!(all.strides(), numbers(parts[1]), "{line}");
                assert!(all.is_contiguous(), "{line}");
                let elements = all.elements() as usize;
                assert_eq!(all.check(elements), Ok(elements), "{line}");
            }
            "contiguous" => {
                assert_eq!(
                    strided(&parts[..2]).is_contiguous(),
                    parts[2] == "yes",
                    "{line}"
                );
            }
            "bounds" => {
                let (lowest, highest) = strided(parts).bounds().unwrap();
                assert_eq!(vec![lowest, highest], numbers(parts[3]), "{line}");
            }
            "merge" => {
                assert_eq!(
                    merged(parts),
                    [3, 4, 5].map(|k| numbers(parts[k])),
                    "{line}"
                );
            }
            "overlap" => {
                let one = strided(parts).bounds().unwrap();
                let other = strided(&parts[3..]).bounds().unwrap();
                let range = |(lowest, highest)| lowest as usize..highest as usize + 1;
                let overlap = tensornio_core::copy::overlap(&range(one), &range(other));
                assert_eq!(overlap, parts[6] == "yes", "{line}");
            }
            _ => panic!("no rule: {line}"),
        }
        cases += 1;
    }
    assert!(cases > 30);
}
