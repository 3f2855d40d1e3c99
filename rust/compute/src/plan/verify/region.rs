//! Affine forms over the iterations of a loop nest, and their bounds where conditions hold.

/// `constant + sum of coefficient * loop`, over the loops of a [`Region`].
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Form {
    pub constant: i128,
    pub terms: Vec<i128>,
}

impl Form {
    /// A constant form over so many loops.
    pub fn constant(constant: i128, loops: usize) -> Form {
        Form {
            constant,
            terms: vec![0; loops],
        }
    }

    /// Adds a multiple of another form.
    pub fn add(&mut self, other: &Form, factor: i128) {
        self.constant += other.constant * factor;
        for (term, of_other) in self.terms.iter_mut().zip(&other.terms) {
            *term += of_other * factor;
        }
    }
}

/// `0 <= form < bound`
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub form: Form,
    pub bound: i128,
}

impl Condition {
    /// The lowest and highest value that the form may have: it steps by the greatest common divisor of its terms.
    fn values(&self) -> (i128, i128) {
        fn gcd(a: i128, b: i128) -> i128 {
            if b == 0 {
                a.abs()
            } else {
                gcd(b, a % b)
            }
        }
        let step = self.form.terms.iter().copied().fold(0, gcd);
        let last = self.bound - 1;
        match step {
            0 => (0, last),
            _ => {
                let first = self.form.constant.rem_euclid(step);
                (first, last - (last - first).rem_euclid(step))
            }
        }
    }
}

/// Iterations: loops from 0 to below their ranges, where all conditions hold.
pub(super) struct Region<'a> {
    pub ranges: &'a [i128],
    pub conditions: &'a [Condition],
    /// Factors of conditions that are worth a try: the strides of the tensor's axes.
    pub strides: &'a [i128],
}

/// The maximum number of combinations of multipliers that are tried.
const MOST: usize = 1 << 15;

impl Region<'_> {
    /// Bounds of a form, lowest and highest; tighter ones than `enough` are not looked for.
    ///
    /// A form f is `r + sum of factor * condition` for any factors, so it is at most what the loops alone allow r, plus what the conditions allow the
    /// sum. This is the dual of the linear program that would give the exact bounds. The strides of the tensor, and factors that cancel
    /// a loop of f, are tried in all combinations while they are few: where conditions keep indices inside of their axes, their factors are the
    /// strides of these axes, and the bounds are exact.
    pub fn bounds(&self, form: &Form, enough: (i128, i128)) -> (i128, i128) {
        let mut search = Search {
            region: self,
            enough,
            best: self.of_loops(form),
            left: MOST,
        };
        // Those that the loops alone do not keep.
        let tells = |condition: &&Condition| {
            let (low, high) = condition.values();
            let (least, greatest) = self.of_loops(&condition.form);
            least < low || greatest > high
        };
        let all: Vec<&Condition> = self.conditions.iter().filter(tells).collect();
        // Few conditions first: there is one for each axis of a tensor, and often many others.
        for depth in 1..=all.len() {
            search.search(form, (0, 0), &all, depth);
            if search.is_done() {
                break;
            }
        }
        search.best
    }

    /// Whether one of the conditions holds nowhere, given the others: then nothing runs.
    pub fn is_empty(&self) -> bool {
        self.conditions.iter().any(|condition| {
            let (low, high) = condition.values();
            // The tightest bounds.
            let (least, greatest) = self.bounds(&condition.form, (i128::MAX, i128::MIN));
            low > high || greatest < low || least > high
        })
    }

    /// The bounds of a form without the conditions.
    fn of_loops(&self, form: &Form) -> (i128, i128) {
        let mut bounds = (form.constant, form.constant);
        for (&term, &range) in form.terms.iter().zip(self.ranges) {
            let last = term * (range - 1).max(0);
            bounds.0 += last.min(0);
            bounds.1 += last.max(0);
        }
        bounds
    }
}

/// A search for bounds.
struct Search<'a> {
    region: &'a Region<'a>,
    enough: (i128, i128),
    best: (i128, i128),
    /// The combinations of factors that may still be tried.
    left: usize,
}

impl Search<'_> {
    fn is_done(&self) -> bool {
        self.left == 0 || self.enough.0 <= self.best.0 && self.best.1 <= self.enough.1
    }

    /// Tightens the bounds of `rest + sum`, where the sum is in `slack`, by all combinations of factors for `depth` of these conditions.
    fn search(
        &mut self,
        rest: &Form,
        slack: (i128, i128),
        conditions: &[&Condition],
        depth: usize,
    ) {
        let (least, greatest) = self.region.of_loops(rest);
        self.best.0 = self.best.0.max(least + slack.0);
        self.best.1 = self.best.1.min(greatest + slack.1);
        if depth == 0 {
            return;
        }
        for (at, condition) in conditions.iter().enumerate() {
            let (low, high) = condition.values();
            let mut factors = self.region.strides.to_vec();
            for (&of_rest, &of_condition) in rest.terms.iter().zip(&condition.form.terms) {
                if of_rest != 0 && of_condition != 0 && of_rest % of_condition == 0 {
                    let factor = of_rest / of_condition;
                    if !factors.contains(&factor) {
                        factors.push(factor);
                    }
                }
            }
            // In any order: what one condition cancels may leave a multiple of another.
            let mut others = conditions.to_vec();
            others.remove(at);
            for factor in factors {
                if self.is_done() {
                    return;
                }
                self.left -= 1;
                let mut rest = rest.clone();
                rest.add(&condition.form, -factor);
                let (first, last) = (factor * low, factor * high);
                let slack = (slack.0 + first.min(last), slack.1 + first.max(last));
                self.search(&rest, slack, &others, depth - 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    const TIGHTEST: (i128, i128) = (i128::MAX, i128::MIN);

    fn form(constant: i128, terms: &[i128]) -> Form {
        Form {
            constant,
            terms: terms.to_vec(),
        }
    }

    #[test]
    fn without_conditions_the_corners_bound_a_form() {
        let region = Region {
            ranges: &[3, 4],
            conditions: &[],
            strides: &[],
        };
        assert_eq!(region.bounds(&form(5, &[10, -1]), TIGHTEST), (2, 25));
    }

    #[test]
    fn conditions_keep_an_index_inside_whatever_its_stride() {
        // I[y+r-1, x+s-1, c] of shape (7, 18, 4), in floats, under the two guards of a padded convolution.
        let conditions = [
            Condition {
                form: form(-1, &[1, 1, 0, 0, 0]),
                bound: 7,
            },
            Condition {
                form: form(-1, &[0, 0, 1, 1, 0]),
                bound: 18,
            },
        ];
        let region = Region {
            ranges: &[7, 3, 18, 3, 4],
            conditions: &conditions,
            strides: &[],
        };
        let offset = form(-288 - 16, &[288, 288, 16, 16, 4]);
        assert_eq!(region.bounds(&offset, TIGHTEST), (0, (7 * 18 * 4 - 1) * 4));
        let one = Region {
            ranges: region.ranges,
            conditions: &conditions[..1],
            strides: &[],
        };
        assert_eq!(one.bounds(&offset, TIGHTEST), (-16, (7 * 18 * 4 + 3) * 4));
    }

    #[test]
    fn bounds_hold_at_every_point() {
        let mut random = Random(1);
        let mut below = |n: u64| i128::from(random.below(n));
        for _ in 0..2000 {
            let ranges = [1 + below(5), 1 + below(5), 1 + below(4)];
            let conditions: Vec<Condition> = (0..below(4))
                .map(|_| Condition {
                    form: form(below(9) - 4, &[below(5) - 2, below(5) - 2, below(5) - 2]),
                    bound: below(7),
                })
                .collect();
            let of = form(below(9), &[below(13) - 6, below(13) - 6, below(13) - 6]);
            let region = Region {
                ranges: &ranges,
                conditions: &conditions,
                strides: &[],
            };
            let (least, greatest) = region.bounds(&of, TIGHTEST);
            let at = |form: &Form, x: &[i128; 3]| {
                form.constant + form.terms.iter().zip(x).map(|(a, b)| a * b).sum::<i128>()
            };
            for k in 0..ranges.iter().product() {
                let x = [
                    k % ranges[0],
                    k / ranges[0] % ranges[1],
                    k / (ranges[0] * ranges[1]),
                ];
                let holds = |c: &Condition| (0..c.bound).contains(&at(&c.form, &x));
                if conditions.iter().all(holds) {
                    assert!((least..=greatest).contains(&at(&of, &x)), "{of:?} at {x:?}");
                }
            }
        }
    }
}
