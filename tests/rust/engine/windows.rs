//! Random statements over windows, of more kinds than are computed as filters: sums and extremes, windows outside of an image, bounds within it, axes
//! in any order, results in every other element or backwards, and elements that are no finite numbers.

use tensornio_compute::operand::DType;

use crate::agree::{agree_on, depth, pick, some, tensor, Input, Layout, Random};
use crate::filters::is_filter;

/// Elements of which some are no finite numbers, or zeros with a sign.
fn with_extremes(dtype: DType, shape: &[i64], layout: Layout, random: &mut Random) -> Input {
    let seed = random.next();
    tensor(dtype, shape, layout, random, |k| {
        let mut random = Random(seed.wrapping_add(k as u64));
        match random.below(40) {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => f64::NEG_INFINITY,
            3..=9 => -0.0,
            10..=15 => 0.0,
            _ => random.below(64) as f64 / 8.0 - 4.0,
        }
    })
}

/// A statement that is being made: the axes of image, filter and result, each its index and its length, and what stands after `where`.
#[derive(Default)]
struct Made {
    x: Vec<(String, i64)>,
    w: Vec<(String, i64)>,
    y: Vec<(String, i64)>,
    guards: Vec<String>,
    ranges: Vec<String>,
}

impl Made {
    /// A loop, which is an axis of some of them.
    fn axis(&mut self, name: &str, range: i64, [x, w, y]: [bool; 3]) {
        for (axes, has) in [(&mut self.x, x), (&mut self.w, w), (&mut self.y, y)] {
            if has {
                axes.push((name.to_owned(), range));
            }
        }
        self.ranges.push(format!("{name} in 0:{range}"));
    }

    /// An axis with windows; what is beside the image is at most so many elements long.
    fn window(&mut self, d: usize, most: i64, random: &mut Random) {
        let mut one = |below: i64| random.below(below);
        let (taps, step, dilation) = (2 + one(3), 1 + one(4), 1 + one(3));
        let reach = dilation * (taps - 1) + 1;
        let length = reach + one(most);
        let is_guarded = one(3) > 0;
        let (shift, count) = match is_guarded {
            true => (2 - one(2 * length + 4), 1 + one(2 * length / step + 4)),
            false => (0, (length - reach) / step + 1),
        };
        let at = format!("{step}*p{d}+{dilation}*r{d}{shift:+}");
        if is_guarded {
            let bound = if one(3) == 0 { one(length + 1) } else { length };
            self.guards.push(format!("0 <= {at} < {bound}"));
        }
        self.x.push((at, length));
        self.w.push((format!("r{d}"), taps));
        self.y.push(match one(8) {
            0 => (format!("2*p{d}+1"), 2 * count + 1),
            1 => (format!("{}-p{d}", count - 1), count),
            _ => (format!("p{d}"), count),
        });
        self.ranges.push(format!("p{d} in 0:{count}"));
        self.ranges.push(format!("r{d} in 0:{taps}"));
    }

    fn guarded(&self, x: &str) -> String {
        match self.guards[..] {
            [] => x.to_owned(),
            _ => format!("guard({}, {x})", self.guards.join(", ")),
        }
    }
}

/// A statement, and the shapes of its inputs.
fn windows(random: &mut Random) -> (String, Vec<Vec<i64>>) {
    let mut one = |below: i64| random.below(below);
    let op = ["+=", "+=", "+=", "max=", "min="][one(5) as usize];
    let has_filter = op == "+=" && one(3) > 0;
    let rank = 1 + one(3) as usize;
    let mut made = Made::default();
    made.axis("n", 1 + one(2), [true, false, true]);
    made.axis("c", 6 + one(17), [true, true, true]);
    if one(3) == 0 {
        made.axis("m", 1 + one(4), [true, true, false]);
    }
    if has_filter && one(3) == 0 {
        made.axis("k", 1 + one(3), [false, true, true]);
    }
    for d in 0..rank {
        made.window(d, [90, 24, 10][rank - 1], random);
    }
    for axes in [&mut made.x, &mut made.w, &mut made.y] {
        if random.below(6) == 0 {
            let first = random.below(axes.len() as i64) as usize;
            axes.rotate_left(first);
        }
    }
    let list = |axes: &[(String, i64)], of: &dyn Fn(&(String, i64)) -> String| -> String {
        axes.iter().map(of).collect::<Vec<_>>().join(",")
    };
    let indices = |axes: &[(String, i64)]| list(axes, &|axis| axis.0.clone());
    let read = format!("x[{}]", indices(&made.x));
    let taps = format!("w[{}]", indices(&made.w));
    let value = match (has_filter, random.below(8)) {
        (false, _) => made.guarded(&read),
        (true, 0) => made.guarded(&format!("{read} * {taps}")),
        (true, 1..=3) => format!("{taps} * {}", made.guarded(&read)),
        (true, _) => format!("{} * {taps}", made.guarded(&read)),
    };
    let text = format!(
        "y[{}] {op} {value} where {}, y[{}]",
        indices(&made.y),
        made.ranges.join(", "),
        list(&made.y, &|axis| axis.1.to_string())
    );
    let shape = |axes: &[(String, i64)]| axes.iter().map(|axis| axis.1).collect();
    let shapes = match (has_filter, value.starts_with('w')) {
        (false, _) => vec![shape(&made.x)],
        (true, false) => vec![shape(&made.x), shape(&made.w)],
        (true, true) => vec![shape(&made.w), shape(&made.x)],
    };
    (text, shapes)
}

#[test]
fn random_windows_agree() {
    let mut random = Random(31);
    let (mut filters, rounds) = (0, 60 * depth() as usize);
    for _ in 0..rounds {
        let (text, shapes) = windows(&mut random);
        let layout = pick(&mut random, &[Layout::Plain, Layout::Plain, Layout::Wild]);
        let dtype = pick(
            &mut random,
            &[DType::Float, DType::Float, DType::Double, DType::Int32],
        );
        let of = match random.below(3) {
            0 if dtype.is_float() => with_extremes,
            _ => some,
        };
        let inputs: Vec<Input> = shapes
            .iter()
            .map(|shape| of(dtype, shape, layout, &mut random))
            .collect();
        agree_on(&text, &inputs, layout, 1.0, &mut random);
        filters += usize::from(is_filter(&text, &inputs, layout));
    }
    assert!(filters > rounds / 10, "{filters} of {rounds}");
}
