//! What NumPy computed into tests/golden/numpy-numeric.txt.

use crate::called::{array, Array, Call, Memory};
use tensornio_numeric::Algorithm;

/// An array of the file.
#[derive(Debug)]
enum Stored {
    Integers(Array<i64>),
    Fractions(Array<f64>),
}

impl Stored {
    fn of(words: &[&str]) -> Stored {
        let shape: Vec<i64> = words[1]
            .split('x')
            .filter_map(|size| size.parse().ok())
            .collect();
        let bits = words[2..]
            .iter()
            .map(|word| u64::from_str_radix(word, 16).unwrap());
        match words[0] {
            "i" => Stored::Integers(array(&shape, bits.map(|bits| bits as i64))),
            _ => Stored::Fractions(array(&shape, bits.map(f64::from_bits))),
        }
    }

    fn memory(&self) -> &dyn Memory {
        match self {
            Stored::Integers(integers) => integers,
            Stored::Fractions(fractions) => fractions,
        }
    }
}

/// Runs a case, and gives the results as numbers.
fn results(name: &str, numbers: &[i64], inputs: &[Stored], wanted: &[Stored]) -> Vec<Vec<f64>> {
    // The vectors of decompositions have signs of their own: values alone are compared.
    let (name, vectors) = match name {
        "SingularValues" => ("Svd", true),
        "EigenValues" => ("Eigh", true),
        _ => (name, false),
    };
    let algorithm = *Algorithm::ALL
        .iter()
        .find(|algorithm| format!("{algorithm:?}") == name)
        .unwrap_or_else(|| panic!("no {name}"));
    let mut call = Call::of(algorithm, numbers);
    for input in inputs {
        call = call.with(input.memory());
    }
    let number = |of: &Array<i64>| of.values.iter().map(|&value| value as f64).collect();
    let mut made: Vec<Stored> = wanted
        .iter()
        .map(|stored| match stored {
            Stored::Integers(of) => Stored::Integers(array(&of.shape, vec![0; of.values.len()])),
            Stored::Fractions(of) => {
                Stored::Fractions(array(&of.shape, vec![0.0; of.values.len()]))
            }
        })
        .collect();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    if vectors {
        let Stored::Fractions(x) = &inputs[0] else {
            panic!("{name}")
        };
        let (batch, own) = x.shape.split_at(x.shape.len() - 2);
        let (m, n) = (own[0], own[1]);
        let of = |rows: i64, columns: i64| {
            let shape = [batch, &[rows, columns]].concat();
            array(&shape, vec![0f64; shape.iter().product::<i64>() as usize])
        };
        if name == "Svd" {
            before.push(of(m, m.min(n)));
        }
        after.push(of(m.min(n), n));
    }
    let mut all: Vec<&mut dyn Memory> = Vec::new();
    all.extend(before.iter_mut().map(|of| of as &mut dyn Memory));
    for stored in &mut made {
        all.push(match stored {
            Stored::Integers(of) => of as &mut dyn Memory,
            Stored::Fractions(of) => of,
        });
    }
    all.extend(after.iter_mut().map(|of| of as &mut dyn Memory));
    call.fill(1, &mut all)
        .unwrap_or_else(|error| panic!("{name} {numbers:?}: {error}"));
    made.iter()
        .map(|stored| match stored {
            Stored::Integers(of) => number(of),
            Stored::Fractions(of) => of.values.clone(),
        })
        .collect()
}

#[test]
fn results_are_those_of_numpy() {
    let mut lines = include_str!("../../golden/numpy-numeric.txt")
        .lines()
        .skip(1)
        .peekable();
    let mut cases = 0;
    while let Some(head) = lines.next() {
        let words: Vec<&str> = head.split(' ').collect();
        assert_eq!(words[0], "===", "{head}");
        let numbers: Vec<i64> = words[2..]
            .iter()
            .map(|word| word.parse().unwrap())
            .collect();
        let (mut inputs, mut wanted) = (Vec::new(), Vec::new());
        while let Some(line) = lines.next_if(|line| !line.starts_with("===")) {
            let words: Vec<&str> = line.split(' ').collect();
            let stored = Stored::of(&words[1..]);
            if words[0] == "<" {
                inputs.push(stored);
            } else {
                wanted.push(stored);
            }
        }
        let found = results(words[1], &numbers, &inputs, &wanted);
        for (found, wanted) in found.iter().zip(&wanted) {
            let wanted: Vec<f64> = match wanted {
                Stored::Integers(of) => of.values.iter().map(|&value| value as f64).collect(),
                Stored::Fractions(of) => of.values.clone(),
            };
            let size = wanted
                .iter()
                .filter(|value| value.is_finite())
                .fold(1.0f64, |most, value| most.max(value.abs()));
            for (n, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
                let same = found == wanted
                    || found.is_nan() && wanted.is_nan()
                    || (found - wanted).abs() <= 1e-13 * size;
                assert!(same, "{head}: {found} at {n}, {wanted} by NumPy");
            }
        }
        cases += 1;
    }
    assert!(cases > 100, "{cases} cases");
}
