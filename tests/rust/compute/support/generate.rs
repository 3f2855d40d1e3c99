//! Random programs that make sense: all types, ranks 0 to 3, accesses of every kind, guards, look-ups, scatter, casts, empty ranges.
//!
//! Floating results are continuous in what they are computed from: comparisons, roundings and casts to integers see inputs only. So evaluators that
//! differ in the last bits agree but for those.

use tensornio_core::dtype::DType;

/// A program and what it must be given.
#[derive(Clone, Debug, Default)]
pub struct Case {
    pub text: String,
    pub inputs: Vec<Planned>,
}

/// An input: small numbers, or indices from 0 to below `below`.
#[derive(Clone, Debug)]
pub struct Planned {
    pub name: String,
    pub dtype: DType,
    pub shape: Vec<i64>,
    pub below: Option<i64>,
}

const INTEGERS: [DType; 3] = [DType::Int32, DType::Int64, DType::UInt8];
/// The types that compute.
const COMPUTING: [DType; 6] = [
    DType::Float,
    DType::Double,
    DType::Int32,
    DType::Int64,
    DType::UInt8,
    DType::Bool,
];
/// The types that are stored narrow.
const NARROW: [DType; 7] = [
    DType::Float16,
    DType::BFloat16,
    DType::Int8,
    DType::Int16,
    DType::UInt16,
    DType::UInt32,
    DType::UInt64,
];
const LOOPS: [&str; 4] = ["i", "j", "k", "l"];

/// A program; `random(n)` is a number from 0 to below n.
pub fn program(random: &mut dyn FnMut(i64) -> i64) -> Case {
    let mut generator = Generator {
        random,
        case: Case::default(),
        defined: Vec::new(),
        loops: Vec::new(),
        guarded: false,
    };
    for _ in 0..1 + generator.below(3) {
        generator.statement();
    }
    let mut case = generator.case;
    // In order of appearance, which a generated name need not follow.
    let place = |name: &str| {
        let is_part = |c: char| c.is_ascii_alphanumeric();
        case.text
            .match_indices(name)
            .find(|(at, _)| !case.text[at + name.len()..].starts_with(is_part))
            .map(|(at, _)| at)
    };
    let mut inputs: Vec<(Option<usize>, Planned)> = case
        .inputs
        .iter()
        .map(|input| (place(&input.name), input.clone()))
        .collect();
    inputs.sort_by_key(|(at, _)| *at);
    case.inputs = inputs
        .into_iter()
        .filter(|(at, _)| at.is_some())
        .map(|(_, input)| input)
        .collect();
    case
}

/// Whether a read of one type is an operand of another.
fn is_read_as(stored: DType, dtype: DType) -> bool {
    stored.computes() == dtype && stored != DType::UInt64
}

struct Generator<'a> {
    random: &'a mut dyn FnMut(i64) -> i64,
    case: Case,
    /// Names, types and shapes of what statements defined.
    defined: Vec<(String, DType, Vec<i64>)>,
    /// The loops of the statement and their ranges, all fixed by `where`.
    loops: Vec<(&'static str, i64)>,
    guarded: bool,
}

impl Generator<'_> {
    fn below(&mut self, n: i64) -> i64 {
        (self.random)(n)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as i64) as usize]
    }

    fn statement(&mut self) {
        // Of floating-point numbers only what is read, since rounding is not continuous.
        let encoding = self.pick(&NARROW);
        let narrow = (self.below(4) == 0).then_some(encoding);
        let dtype = narrow.map_or_else(|| self.pick(&COMPUTING), DType::computes);
        let count = self.below(5) as usize;
        self.loops = LOOPS[..count]
            .iter()
            .map(|&name| {
                let range = match self.below(16) {
                    0 => 0,
                    1 => 9 + self.below(12),
                    _ => 1 + self.below(6),
                };
                (name, range)
            })
            .collect();
        let name = match self.below(6) {
            0 if !self.defined.is_empty() => self.defined[0].0.clone(),
            _ => format!("r{}", self.defined.len()),
        };
        let op = match dtype {
            _ if narrow.is_some() => "=",
            DType::Bool => self.pick(&["=", "max=", "min="]),
            _ => self.pick(&["=", "+=", "+=", "+=", "*=", "max=", "min="]),
        };
        let integer_extremum = INTEGERS.contains(&dtype) && op.starts_with('m');
        if integer_extremum {
            // Without a range of 0, which has no largest integer.
            self.loops
                .iter_mut()
                .for_each(|(_, range)| *range = (*range).max(1));
        }
        let (left, sizes, pinned) = self.left(op);
        let value = if op == "*=" && matches!(dtype, DType::Float | DType::Double) {
            // So near 1 that no product overflows or vanishes, in any order: a factor is at most 1 + 4/16, or 1 + 64/factors.
            let factors: i64 = self.loops.iter().map(|(_, range)| range).product();
            let part = 16 * (factors / 256).max(1);
            format!("1 + {}/{part}", self.read(dtype, true))
        } else if let Some(narrow) = narrow {
            let value = if dtype.is_float() {
                self.read(dtype, true)
            } else {
                self.group(dtype, 3)
            };
            format!("{}({value})", narrow.word())
        } else {
            self.group(dtype, 3)
        };
        let ranges: Vec<String> = self
            .loops
            .iter()
            .map(|(name, range)| format!("{name} in 0:{range}"))
            .collect();
        let mut items = ranges;
        if pinned {
            let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
            items.push(format!("{name}[{}]", sizes.join(",")));
        }
        let indices = if left.is_empty() {
            String::new()
        } else {
            format!("[{}]", left.join(","))
        };
        let items = if items.is_empty() {
            String::new()
        } else {
            format!(" where {}", items.join(", "))
        };
        self.case.text += &format!("{name}{indices} {op} {value}{items}\n");
        self.defined.push((name, narrow.unwrap_or(dtype), sizes));
    }

    /// Indices on the left, the shape that they need, and whether it must be pinned.
    fn left(&mut self, op: &str) -> (Vec<String>, Vec<i64>, bool) {
        let mut loops = self.loops.clone();
        for n in (1..loops.len()).rev() {
            let other = self.below(n as i64 + 1) as usize;
            loops.swap(n, other);
        }
        let (mut left, mut sizes, mut pinned) = (Vec::new(), Vec::new(), false);
        if op != "=" {
            let kept = self.below(loops.len() as i64 + 1) as usize;
            loops.truncate(kept.min(3));
        }
        for &(name, range) in &loops {
            let (index, size) = match self.below(8) {
                0 => (format!("2*{name} + 1"), (2 * range).max(0)),
                1 => (format!("{} - {name}", (range - 1).max(0)), range.max(1)),
                2 if op != "=" => {
                    let size = 1 + self.below(5);
                    pinned = true;
                    (self.look_up(size), size)
                }
                3 if op != "=" && self.loops.len() > 1 => {
                    let (other, range_other) = self.pick(&self.loops.clone());
                    let size = if other == name {
                        2 * range - 1
                    } else {
                        range + range_other - 1
                    };
                    (format!("{name} + {other}"), size.max(0))
                }
                _ => (name.to_owned(), range),
            };
            left.push(index);
            sizes.push(size);
        }
        if pinned {
            // Any size will do that is not too small.
            sizes.iter_mut().for_each(|size| *size = (*size).max(1));
            for (index, size) in left.iter().zip(&mut sizes) {
                if let Some((_, range)) = self.loops.iter().find(|(name, _)| name == index) {
                    *size = *range;
                }
            }
        }
        (left, sizes, pinned)
    }

    /// An expression of a type, with at least one operand that has it.
    fn group(&mut self, dtype: DType, depth: usize) -> String {
        let read = self.read(dtype, false);
        if depth == 0 || self.below(4) == 0 {
            return read;
        }
        if dtype == DType::Bool {
            return match self.below(4) {
                0 => format!("not {read}"),
                1 => format!("{read} and {}", self.comparison()),
                2 => format!("{read} or {}", self.comparison()),
                _ => self.comparison(),
            };
        }
        let other = self.operand(dtype, depth - 1);
        match self.below(5) {
            0 => format!("{read} - {other}"),
            1 => format!("{read} * {other}"),
            2 => format!("max({read}, {other})"),
            _ => format!("{read} + {other}"),
        }
    }

    /// An expression that is, or becomes, of a type.
    fn operand(&mut self, dtype: DType, depth: usize) -> String {
        let is_float = matches!(dtype, DType::Float | DType::Double);
        if depth == 0 {
            return match self.below(5) {
                0 => self.below(4).to_string(),
                1 if !self.loops.is_empty() => self.pick(&self.loops.clone()).0.to_owned(),
                2 if is_float => format!("0.{}", self.below(100)),
                _ => self.read(dtype, false),
            };
        }
        let a = self.operand(dtype, depth - 1);
        let raw = self.read(dtype, true);
        match self.below(if is_float { 18 } else { 12 }) {
            0 | 1 => format!("({a} + {raw})"),
            2 => format!("({raw} - {a})"),
            3 => format!("{raw} * ({a})"),
            4 => format!("min({a}, {raw})"),
            5 => format!("select({}, {a}, {raw})", self.comparison()),
            6 => format!("({raw}) % 3"),
            7 => format!("({raw}) / 2"),
            8 => format!("sign({raw}) - relu({raw})"),
            9 => format!("({raw})^2 + abs({a})"),
            10 => {
                let from = self.pick(&COMPUTING);
                let inner = self.read(from, true);
                format!("{}({inner})", dtype.word())
            }
            11 => self.guarded(dtype),
            12 => format!("sigmoid({a})"),
            13 => format!("tanh({a})"),
            14 => format!("sin({raw})"),
            15 => format!("exp({raw})"),
            16 => format!("sqrt(abs({raw}))"),
            _ => format!("floor({raw})"),
        }
    }

    fn comparison(&mut self) -> String {
        let dtype = self.pick(&[
            DType::Float,
            DType::Double,
            DType::Int32,
            DType::Int64,
            DType::UInt8,
        ]);
        let (a, operator) = (
            self.read(dtype, true),
            self.pick(&["<", "<=", ">", ">=", "==", "!="]),
        );
        let b = if self.below(2) == 0 {
            "1".to_owned()
        } else {
            self.read(dtype, true)
        };
        format!("({a} {operator} {b})")
    }

    /// A read that a guard keeps inside.
    fn guarded(&mut self, dtype: DType) -> String {
        if self.loops.is_empty() || self.guarded {
            return self.read(dtype, false);
        }
        let (name, _) = self.pick(&self.loops.clone());
        let (other, _) = self.pick(&self.loops.clone());
        let (offset, bound) = (self.below(3), 1 + self.below(5));
        let index = match self.below(3) {
            0 => format!("{name} - {offset}"),
            1 if other != name => format!("{name} + {other} - {offset}"),
            _ => format!("{offset} - {name}"),
        };
        let tensor = self.input(dtype, vec![bound], None);
        self.guarded = true;
        let inner = self.operand(dtype, 0);
        self.guarded = false;
        format!("guard(0 <= {index} < {bound}, {tensor}[{index}] + {inner})")
    }

    /// A read of a type: of an input if it must be `raw`, which may be compared.
    fn read(&mut self, dtype: DType, raw: bool) -> String {
        let fitting: Vec<(String, Vec<i64>)> = self
            .defined
            .iter()
            .rev()
            .filter(|(_, other, _)| is_read_as(*other, dtype) && !raw)
            .map(|(name, _, shape)| (name.clone(), shape.clone()))
            .collect();
        let wanted = self.below(4) != 0;
        if let Some((name, shape)) = fitting.first().filter(|_| wanted) {
            // The last definition of that name must be of this type.
            let last = self.defined.iter().rev().find(|(other, ..)| other == name);
            if last.is_some_and(|(_, other, _)| is_read_as(*other, dtype)) {
                let loops = self.loops.clone();
                let indices: Option<Vec<String>> = shape
                    .iter()
                    .map(
                        |&size| match loops.iter().find(|(_, range)| *range <= size) {
                            Some((name, _)) => Some((*name).to_owned()),
                            None if size > 0 => Some((size - 1).to_string()),
                            None => None,
                        },
                    )
                    .collect();
                if let Some(indices) = indices {
                    return format!("{name}[{}]", indices.join(","));
                }
            }
        }
        let rank = self.below(4) as usize;
        let (mut indices, mut shape) = (Vec::new(), Vec::new());
        for _ in 0..rank {
            let (index, reach) = self.index();
            indices.push(index);
            shape.push(reach + self.below(2));
        }
        let name = self.input(dtype, shape, None);
        format!("{name}[{}]", indices.join(","))
    }

    /// An index that is not negative, and the length that it needs.
    fn index(&mut self) -> (String, i64) {
        if self.loops.is_empty() {
            let at = self.below(3);
            return (at.to_string(), at + 1);
        }
        let loops = self.loops.clone();
        let ((a, range), (b, range_b)) = (self.pick(&loops), self.pick(&loops));
        let (last, last_b) = ((range - 1).max(0), (range_b - 1).max(0));
        match self.below(10) {
            0 => (format!("{a} + 1"), last + 2),
            1 => (format!("2*{a}"), 2 * last + 1),
            2 => (format!("{last} - {a}"), last + 1),
            3 if a != b => (format!("{a} + {b}"), last + last_b + 1),
            4 if a != b => (format!("2*{a} - {b} + {last_b}"), 2 * last + last_b + 1),
            5 => ("1".to_owned(), 2),
            6 if !self.guarded => {
                let size = 1 + self.below(4);
                (self.look_up(size), size)
            }
            // Rows that are repeated and empty tensors.
            _ => (a.to_owned(), range),
        }
    }

    /// A look-up of an index below a size.
    fn look_up(&mut self, size: i64) -> String {
        let dtype = self.pick(&INTEGERS);
        match self.loops.clone().as_slice() {
            [] => {
                let name = self.input(dtype, vec![2], Some(size));
                format!("{name}[1]")
            }
            loops => {
                let (name, range) = self.pick(loops);
                let tensor = self.input(dtype, vec![range], Some(size));
                format!("{tensor}[{name}]")
            }
        }
    }

    fn input(&mut self, dtype: DType, shape: Vec<i64>, below: Option<i64>) -> String {
        let name = format!("x{}", self.case.inputs.len());
        let stored = self.pick(&NARROW);
        let dtype = if is_read_as(stored, dtype) {
            stored
        } else {
            dtype
        };
        self.case.inputs.push(Planned {
            name: name.clone(),
            dtype,
            shape,
            below,
        });
        name
    }
}
