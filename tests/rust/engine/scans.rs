//! Recurrences: the plan, step by step over slices, against the evaluator, and against loops.

use tensornio_compute::operand::{DType, Number};
use tensornio_compute::scalar::Scalar;
use tensornio_compute::{Plan, Program};

use crate::agree::{
    agree_on, bind, check, outputs, some, tensor, Input, Layout, Random, FLOATS, NUMBERS,
};

#[test]
fn sums_along_either_axis_forwards_and_backwards() {
    for text in [
        "scan t; y[t] = y[t-1] + x[t]; end",
        "scan t down; y[t] = y[t+1] + x[t]; end",
        "scan t; y[t] = max(y[t-1], x[t]); init y = 2; end",
        "scan t; y[t] = x[t] * y[t-1]; init y = 1; end",
        "scan t; y[t] = 3*y[t-1] - 2*x[t]; end",
        "scan t down; y[t] = min(x[t], y[t+1]); init y = 7; end",
    ] {
        check(text, &NUMBERS, &[&[7]]);
        check(text, &NUMBERS, &[&[1]]);
        check(text, &NUMBERS, &[&[0]]);
    }
    for text in [
        "scan t; y[t,i] = y[t-1,i] + x[t,i]; end",
        "scan t; y[i,t] = y[i,t-1] + x[i,t]; end",
        "scan t down; y[i,t] = y[i,t+1] + x[i,t]; end",
    ] {
        check(text, &NUMBERS, &[&[5, 9]]);
        check(text, &FLOATS, &[&[40, 3000]]);
        check(text, &FLOATS, &[&[3000, 40]]);
        check(text, &FLOATS, &[&[300, 3]]);
    }
    let first = "scan t; y[i,t,j] = 0.5*y[i,t-1,j] + 0.25*x[j,i,2*t]; init y = y0; end";
    check(first, &FLOATS, &[&[2, 5, 19], &[5, 2]]);
    check(
        "scan t; y[i,t] = y[i,t-1] + x[t]; init y = y0; end",
        &FLOATS,
        &[&[9], &[4]],
    );
}

#[test]
fn first_values_are_tensors_of_each_layout() {
    let text = "scan t; y[t,i,j] = w*y[t-1,i,j] + x[t,i,j]; init y = y0; end";
    check(text, &FLOATS, &[&[], &[4, 3, 5], &[3, 5]]);
    check(text, &FLOATS, &[&[], &[4, 3, 5], &[]]);
    let down = "scan t down; y[i,t] = w*y[i,t+1] + x[i,t]; init y = y0; end";
    check(down, &FLOATS, &[&[], &[4, 3], &[4]]);
}

const RECURRENT: &str = "scan t
  a[t,b,i] += U[i,j] * h[t-1,b,j]
  h[t,b,i] = tanh(a[t,b,i] * 0.125 + x[t,b,i])
  init h = h0
end
";

#[test]
fn networks_run_as_products() {
    let shapes: &[&[i64]] = &[&[6, 6], &[5, 3, 6], &[3, 6]];
    check(&format!("{RECURRENT}return h"), &FLOATS, shapes);
    check(RECURRENT, &FLOATS, shapes);
    check(
        &format!("{RECURRENT}last[b,i] = h[size(h,0)-1,b,i]; return last"),
        &FLOATS,
        shapes,
    );
    let large: &[&[i64]] = &[&[64, 64], &[4, 33, 64], &[33, 64]];
    check(&format!("{RECURRENT}return h"), &FLOATS, large);
}

#[test]
fn gradients_are_recurrences() {
    let shapes: &[&[i64]] = &[&[6, 6], &[5, 3, 6], &[3, 6]];
    let text = format!("{RECURRENT}e += h[t,b,i] * h[t,b,i]; gradient e by U, x, h0");
    check(&text, &FLOATS, shapes);
    check(
        &format!("{text}; s += dU[i,j] + 0.125; gradient s by h0"),
        &[DType::Double],
        shapes,
    );
    check(&format!("{text}; return dx"), &FLOATS, shapes);
    let largest = "scan t; m[t,i] max= x[t,i,j]*h[t-1,j] where i in 0:4; h[t,i] = m[t,i] * 0.25 + 1; init h = 1; end; e += h[t,i]; gradient e by x";
    check(largest, &FLOATS, &[&[5, 4, 4]]);
}

#[test]
fn conditions_on_the_step() {
    for text in [
        "scan t in 0:size(x,0); y[t] = y[t-1] + guard(0 <= t-2, x[t-2]); end",
        "scan t in 0:size(x,0)+3; y[t] = y[t-1] + guard(t < size(x,0), x[t]); end",
        "scan t in 0:size(x,0); y[t] += guard(0 <= t-k, x[t-k]) where k in 0:3; z[t] = z[t-1] + y[t]; end",
        "scan t in 0:size(x,0); y[t] += guard(0 <= t-k < 3, x[k]) where k in 0:5; end",
        "scan t; y[t] = y[t-1]*2 + x[t] + t; end",
        "scan t; s[t] = t + x[t]; y[t] = y[t-1] + x[4-t] + s[t]; end",
        "scan t; y[t] += x[t+k] * t where k in 0:3; z[t] = z[t-1] - y[t]; end; return z",
        "scan t in 0:3; y[t] += x[2*t+k] where k in 0:1; z[t] = z[t-1] - y[t]; end",
        "scan t in 0:5; y[t] += x[4-k] where k in 0:t_; z[t] = z[t-1] + y[t]; end",
    ] {
        let text = text.replace("t_", "2");
        check(&text, &FLOATS, &[&[5]]);
    }
}

#[test]
fn definitions_and_lags_of_all_kinds() {
    for text in [
        "scan t; y[t,i] = y[t-1,i] + x[t,i]; y[t,i] = y[t,i] * 2 - y[t-1,i]; end",
        "scan t; g[t,i] = h[t-1,i] where i in 0:6; k[t,i] = g[t-1,i] where i in 0:6; h[t,i] = k[t,i] + g[t,i]*0.5 + x[t,i]; end; return h",
        "scan t; g[t,i] = h[t-1,i] where i in 0:6; h[t,i] = g[t-1,i] + x[t,i]; init g = 3; init h = -1; end; return h, g",
        "scan t; c[t] += x[t,i] * d[t-1]; d[t] = c[t] + 1; init d = 0.5; end; s += d[t]",
        "scan t; c[t,j] += x[t,i]*x[t,j] where c[size(x,0),size(x,1)]; d[t,j] = d[t-1,j]*0.25 + c[t,j]; end; return d",
        "p[i] = x[0,i]*2; scan t; y[t,i] = y[t-1,i] + x[t,i]*p[i]; init y = p; end; q[i] = y[2,i] + p[i]; return q",
        "scan t; y[t,i] = y[t-1,i] + x[t,i]; end; scan s down; z[s,i] = z[s+1,i] + y[s,i]; end; return z",
        "scan t; y[t,i] = y[t-1,i] + x[t,i]; end; scan t; y[t,i] = y[t-1,i] + 2*x[t,i]; end; return y",
    ] {
        check(text, &FLOATS, &[&[4, 6]]);
    }
}

#[test]
fn look_ups_and_scatters() {
    let mut random = Random(5);
    for layout in [Layout::Plain, Layout::Wild] {
        let at = some(DType::Int32, &[6], layout, &mut random);
        let table = some(DType::Float, &[8, 3], layout, &mut random);
        let inputs = [table.clone(), at.clone()];
        let text = "scan t; s[t,d] = s[t-1,d]*0.5 + T[at[t],d]; end";
        agree_on(text, &inputs, layout, 100., &mut random);
        let text = "scan t; c[t,at[t]] += 1 where c[size(at,0),8]; n[t,k] = n[t-1,k] + c[t,k]; end; return n";
        agree_on(text, &[at.clone()], layout, 100., &mut random);
        let text =
            "scan t; s[t,d] = s[t-1,d]*0.5 + T[at[t],d]; end; e += s[t,d]*s[t,d]; gradient e by T";
        agree_on(text, &inputs, layout, 100., &mut random);
    }
}

/// Lanes read what they were a step before, but not what others were.
#[test]
fn look_ups_of_the_step_before_are_no_lanes() {
    let mut random = Random(11);
    let x = tensor(DType::Float, &[4, 3], Layout::Plain, &mut random, |k| {
        k as f64 + 1.
    });
    for read in ["y[t-1,k[i]+i]", "y[t-1,i+k[i]]"] {
        for rest in ["x[t,i]", "x[t,i]*x[t,i]", "0.5*x[t,i]"] {
            let text = format!("scan t; y[t,i] = {read} + {rest} where i in 0:3; init y = 0; end");
            for (at, is_inside) in [([1., 0., -1.], true), ([100_000_000., -7., 5.], false)] {
                let k = tensor(DType::Int32, &[3], Layout::Plain, &mut random, |n| at[n]);
                let inputs = inputs_by_name(&text, &[("x", &x), ("k", &k)]);
                let found = agree_on(&text, &inputs, Layout::Plain, 1., &mut random);
                assert_eq!(found.is_some(), is_inside, "{text}");
                if let (Some(found), "x[t,i]") = (found, rest) {
                    let row: Vec<f64> = found[0].get()[3..6].iter().map(|each| each.0).collect();
                    assert_eq!(row, [6., 7., 8.], "{text}");
                }
            }
        }
    }
    let text = "scan t; y[t,k[i]] += y[t-1,i] + x[t,i] where y[4,3]; end";
    for at in [[2., 0., 1.], [2., 0., 3.]] {
        let k = tensor(DType::Int32, &[3], Layout::Plain, &mut random, |n| at[n]);
        let inputs = inputs_by_name(text, &[("x", &x), ("k", &k)]);
        let found = agree_on(text, &inputs, Layout::Plain, 1., &mut random);
        assert_eq!(found.is_some(), at[2] < 3., "{text}");
    }
}

/// The inputs of a text, by name.
fn inputs_by_name(text: &str, named: &[(&str, &Input)]) -> Vec<Input> {
    let program = Program::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let input = |name: &String| {
        let found = named.iter().find(|(other, _)| other == name);
        found.unwrap_or_else(|| panic!("{name}")).1.clone()
    };
    program.inputs().iter().map(input).collect()
}

#[test]
fn a_step_that_fails_is_named_as_by_the_evaluator() {
    let mut random = Random(5);
    let at = tensor(DType::Int32, &[6], Layout::Plain, &mut random, |k| k as f64);
    let table = some(DType::Float, &[4, 3], Layout::Plain, &mut random);
    let text = "scan t; s[t,d] = s[t-1,d]*0.5 + T[at[t],d]; end";
    assert!(agree_on(text, &[table, at.clone()], Layout::Plain, 1., &mut random).is_none());
    let text = "scan t down; s[t] = s[t+1] + 12 / (at[t] - 3); end";
    assert!(agree_on(text, &[at], Layout::Plain, 1., &mut random).is_none());
}

#[test]
fn numbers_are_first_values() {
    let mut random = Random(9);
    let x = some(DType::Float, &[5], Layout::Plain, &mut random);
    let number = Input::Number(tensornio_compute::operand::Number::Fraction(1.5));
    let text = "scan t; y[t] = y[t-1] * 0.5 + x[t]; init y = y0; end";
    agree_on(text, &[x, number], Layout::Plain, 1., &mut random);
}

/// A number is stored as narrow as what it is the first value of.
#[test]
fn numbers_are_first_values_of_narrow_tensors() {
    let mut random = Random(10);
    for (dtype, fraction) in [
        (DType::UInt8, 3.),
        (DType::Int8, 3.),
        (DType::Int16, 300.),
        (DType::UInt16, 40_000.),
        (DType::UInt32, 3e9),
        (DType::Float16, 1.5),
        (DType::BFloat16, 1.5),
    ] {
        let word = dtype.word();
        let text = format!(
            "scan t; g[t] = y[t-1]; y[t] = {word}(y[t-1] + x[t]); init y = y0; end; return g, y"
        );
        let x = tensor(dtype, &[5], Layout::Plain, &mut random, |k| k as f64);
        let mut numbers = vec![Number::Fraction(fraction)];
        if fraction.fract() == 0. {
            numbers.push(Number::Integer(fraction as i64));
        }
        for number in numbers {
            let named = [("x", &x), ("y0", &Input::Number(number))];
            let inputs = inputs_by_name(&text, &named);
            let found = agree_on(&text, &inputs, Layout::Plain, 1., &mut random);
            let found = found.unwrap_or_else(|| panic!("{text}"))[0].get()[0];
            assert_eq!(found.0 + found.1 as f64, fraction, "{text}");
        }
        if !dtype.is_float() {
            for number in [Number::Integer(5_000_000_000), Number::Fraction(0.5)] {
                let named = [("x", &x), ("y0", &Input::Number(number))];
                let inputs = inputs_by_name(&text, &named);
                let found = agree_on(&text, &inputs, Layout::Plain, 1., &mut random);
                assert!(found.is_none(), "{text}");
            }
        }
    }
}

/// A tensor without steps has no elements, whatever a step of it would have.
#[test]
fn no_steps_need_no_memory() {
    let text = "scan t in 0:0; y[t,i,j] = y[t-1,i,j] + 1 where i in 0:3000000000, j in 0:3000000000; g[t] = y[t-1,1,1]; end; return g";
    let found = agree_on(text, &[], Layout::Plain, 1., &mut Random(1));
    assert!(found.is_some_and(|found| found[0].get().is_empty()));
}

/// What a text says, written as a loop.
#[test]
fn an_exponential_average_is_that_of_a_loop() {
    let mut random = Random(1);
    let n = 100_000;
    let x = tensor(DType::Double, &[n], Layout::Plain, &mut random, |k| {
        (k as f64 * 0.37).sin()
    });
    let text = "scan t; y[t] = 0.9*y[t-1] + 0.1*x[t]; end";
    let bound = bind(text, &[x.clone()]);
    let mut result = outputs(&bound, Layout::Plain, &mut random);
    let plan = Plan::new(&bound).unwrap();
    // SAFETY: operands are memory of this test.
    unsafe { plan.run(&[x.operand()], &mut [result[0].operand_mut()]) }.unwrap();
    let mut y = 0.0;
    for (k, (found, _)) in result[0].get().into_iter().enumerate() {
        y = 0.9 * y + 0.1 * (k as f64 * 0.37).sin();
        assert!((found - y).abs() <= 1e-12, "{k}: {found} and {y}");
    }
    assert_eq!(Scalar::Double(y).cast(DType::Bool), Scalar::Bool(true));
}

/// A random block: up to four names with lags to four steps, carried by names of their own, reductions, guards and look-ups.
fn block(random: &mut Random) -> String {
    let down = random.below(2) == 0;
    let (before, word) = if down { ("t+1", " down") } else { ("t-1", "") };
    let mut text = format!("scan t{word} in 0:5\n");
    let names = 1 + random.below(3);
    let mut defined: Vec<String> = Vec::new();
    for n in 0..names {
        let name = format!("h{n}");
        let term = |random: &mut Random, defined: &[String]| {
            let factor = ["0.5*", "", "-0.25*"][random.below(3) as usize];
            let read = match random.below(9) {
                0 => "x[t,i]".to_owned(),
                1 => "x[4-t,i]".to_owned(),
                2 => "v[i]".to_owned(),
                3 => "guard(0 <= t-2, x[t-2,i])".to_owned(),
                4 => "guard(t < 3, v[i])".to_owned(),
                5 => "x[at[t],i]".to_owned(),
                6 if !defined.is_empty() => format!(
                    "{}[t,i]",
                    defined[random.below(defined.len() as i64) as usize]
                ),
                _ => format!("h{}[{before},i]", random.below(names)),
            };
            let read = match random.below(6) {
                0 => format!("tanh({read})"),
                1 => format!("min({read}, 2)"),
                _ => read,
            };
            format!("{factor}{read}")
        };
        let count = 1 + random.below(3);
        let terms: Vec<String> = (0..count).map(|_| term(random, &defined)).collect();
        let sum = terms.join(" + ") + " + x[t,i]*0.125";
        match random.below(4) {
            0 => {
                let read = format!("h{}[{before},k]", random.below(names));
                text += &format!("  a{n}[t,i] += w[i,k] * {read} * 0.125 where k in 0:3\n");
                text += &format!("  {name}[t,i] = a{n}[t,i] + {sum} where i in 0:3\n");
                defined.push(format!("a{n}"));
            }
            1 => text += &format!("  {name}[t,i] max= {sum} + w[i,k] where i in 0:3, k in 0:3\n"),
            _ => text += &format!("  {name}[t,i] = {sum} where i in 0:3\n"),
        }
        defined.push(name.clone());
        for lag in 0..random.below(4) {
            let of = if lag == 0 {
                name.clone()
            } else {
                format!("{name}_{lag}")
            };
            text += &format!(
                "  {name}_{}[t,i] = {of}[{before},i] where i in 0:3\n",
                lag + 1
            );
        }
        match random.below(4) {
            0 => text += &format!("  init {name} = v\n"),
            1 => text += &format!("  init {name} = 0.5\n"),
            _ => {}
        }
        if random.below(5) == 0 {
            text += &format!("  {name}[t,i] = {name}[t,i] * 0.5 + v[i]\n");
        }
    }
    text + "end\n"
}

/// Inputs of these names, as random blocks read them.
fn inputs_of(program: &Program, dtype: DType, layout: Layout, random: &mut Random) -> Vec<Input> {
    let input = |name: &String| match name.as_str() {
        "x" => some(dtype, &[5, 3], layout, random),
        "v" => some(dtype, &[3], layout, random),
        "w" => some(dtype, &[3, 3], layout, random),
        _ => tensor(DType::Int32, &[5], layout, random, |k| (k * 3 % 5) as f64),
    };
    program.inputs().iter().map(input).collect()
}

#[test]
fn random_blocks_agree() {
    let rounds = if cfg!(miri) { 3 } else { 150 };
    for seed in 0..rounds {
        let random = &mut Random(seed * 977 + 3);
        let block = block(random);
        let layout = if seed % 2 == 0 {
            Layout::Plain
        } else {
            Layout::Wild
        };
        let dtype = FLOATS[(seed / 2 % 2) as usize];
        let mut texts = vec![block.clone(), format!("{block}return h0")];
        texts.push(format!("{block}e += h0[t,i]*h0[t,i]\ngradient e by h0"));
        for name in ["x", "v", "w"] {
            if block.contains(&format!("{name}[")) && dtype == DType::Double {
                texts.push(format!(
                    "{block}e += h0[t,i]*h0[t,i]\ngradient e by {name}\nreturn d{name}"
                ));
            }
        }
        for text in texts {
            let program = Program::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let again = Program::parse(program.text()).unwrap();
            assert_eq!(program, again);
            let inputs = inputs_of(&program, dtype, layout, random);
            agree_on(&text, &inputs, layout, 1000., random);
        }
    }
}

/// A random block of one or two names whose reads are at places of all kinds: moved, mirrored, looked up, guarded, on any axis.
fn places(random: &mut Random, dtype: DType) -> String {
    let down = random.below(2) == 0;
    let (before, word) = if down { ("t+1", " down") } else { ("t-1", "") };
    let last = random.below(2) == 0;
    let at = |step: &str, place: &str| match last {
        true => format!("[{place},{step}]"),
        false => format!("[{step},{place}]"),
    };
    let place = |random: &mut Random| {
        let places = [
            "i", "i", "i", "2-i", "k[i]", "k[i]+i", "i+k[i]", "k[1]+i", "k[i]-i", "1", "k[t]",
        ];
        places[random.below(places.len() as i64) as usize]
    };
    let literal = |random: &mut Random| match dtype.is_float() {
        true => ["0.5", "-0.25", "w"][random.below(3) as usize],
        false => ["2", "-3", "w"][random.below(3) as usize],
    };
    let moved = ["guard(0 <= i-1, ", "guard(i+1 < 3, "];
    let names = 1 + random.below(2);
    let mut text = format!("scan t{word} in 0:4; ");
    for n in 0..names {
        let term = |random: &mut Random| {
            let read = match random.below(9) {
                0..3 => format!("y{}{}", random.below(names), at(before, place(random))),
                3 => format!("{}y{n}{})", moved[0], at(before, "i-1")),
                4 => format!("{}y{n}{})", moved[1], at(before, "i+1")),
                5 => format!("x[3-t,{}]", place(random)),
                6 => "guard(0 <= t-1, x[t-1,i])".to_owned(),
                7 if n > 0 => format!("y0{}", at("t", place(random))),
                _ => format!("x[t,{}]", place(random)),
            };
            match random.below(3) {
                0 => format!("{}*{read}", literal(random)),
                _ => read,
            }
        };
        let (a, b) = (term(random), term(random));
        let value = match random.below(6) {
            0 => format!("max({a}, {b})"),
            1 => format!("min({a}, {b})"),
            2 => format!("{a} - {b}"),
            3 => format!("{a} * {b}"),
            _ => format!("{a} + {b}"),
        };
        let left = at("t", "i");
        text += &format!("y{n}{left} = {value} + 0*x[t,i] where i in 0:3; ");
        if random.below(2) == 0 {
            text = text.replace(" + 0*x[t,i]", "");
        }
        match random.below(5) {
            0 => text += &format!("init y{n} = v; "),
            1 => {
                text += &format!(
                    "init y{n} = {}; ",
                    ["1", "-2", "w"][random.below(3) as usize]
                )
            }
            2 => text += &format!("init y{n} = z; "),
            _ => {}
        }
    }
    text += "end";
    match random.below(4) {
        0 => text + "; return y0",
        1 => {
            let whole = at("t", "i");
            text + &format!("; s[i] += y0{whole}*y0{whole}; return s")
        }
        _ => text,
    }
}

#[test]
fn random_places_agree() {
    let rounds = if cfg!(miri) { 3 } else { 400 };
    let mut fine = 0;
    for seed in 0..rounds {
        let random = &mut Random(seed * 7919 + 5);
        let dtype = NUMBERS[random.below(NUMBERS.len() as i64) as usize];
        let text = places(random, dtype);
        let layout = [Layout::Plain, Layout::Wild][random.below(2) as usize];
        // Look-ups beyond the axis are an error of both.
        let far = random.below(8) == 0;
        let program = Program::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let input = |name: &String| match name.as_str() {
            "x" => some(dtype, &[4, 3], layout, random),
            "v" => some(dtype, &[3], layout, random),
            "z" => some(dtype, &[], layout, random),
            "w" => Input::Number(Number::Integer(2)),
            _ => tensor(DType::Int32, &[4], layout, random, |n| match far {
                true => [900_000., -1., 3., 0.][n],
                false => [1., 0., 0., 2.][n],
            }),
        };
        let inputs: Vec<Input> = program.inputs().iter().map(input).collect();
        if types(&program, &inputs) {
            fine += i32::from(agree_on(&text, &inputs, layout, 1000., random).is_some());
        }
    }
    assert!(cfg!(miri) || fine > 150, "{fine} of {rounds}");
}

/// A random block that may be refused: ranks, lengths and types hang on the step before, on `init`, or on nothing.
fn anything(random: &mut Random) -> String {
    let mut one = |of: &[&'static str]| of[random.below(of.len() as i64) as usize];
    let mut text = "scan t in 0:4; ".to_owned();
    for n in 0..2 {
        let left = one(&[
            "t,i", "t,i", "t,i", "t", "t", "t,i+1", "t,2*i", "t,...", "t,i,...",
        ]);
        let mut terms = Vec::new();
        for _ in 0..2 {
            let of = one(&["0", "1"]);
            let place = match left {
                "t" => one(&["", "", "", ",0", ",..."]),
                _ => one(&[
                    ",i", ",i", ",i", ",i-1", ",i+1", ",2*i", ",2-i", ",...", ",i,...", "",
                ]),
            };
            let read = match one(&["y", "y", "y", "x", "n"]) {
                "y" => format!("y{of}[t-1{place}]"),
                "x" if left == "t" => one(&["x[t,0]", "d[t,1]", "b[t]", "b[t]"]).to_owned(),
                "x" => one(&["x[t,i]", "d[t,i]", "b[t]", "x[t,...]", "v[i]"]).to_owned(),
                _ => one(&["1", "0.5", "t", "p"]).to_owned(),
            };
            let form = one(&["", "", "", "", "double", "float", "int", "long"]);
            terms.push(match form {
                "" => read,
                _ => format!("{form}({read})"),
            });
        }
        let value = match one(&["+", "+", "-", "select", "int8", "float16", ""]) {
            "select" => format!("select(t < 2, {}, {})", terms[0], terms[1]),
            "" => terms[0].clone(),
            word @ ("int8" | "float16") => format!("{word}({} + {})", terms[0], terms[1]),
            operator => format!("{} {operator} {}", terms[0], terms[1]),
        };
        let ranges = match left.contains('i') {
            true => one(&["", " where i in 0:3", " where i in 0:3"]),
            false => "",
        };
        let op = one(&["=", "=", "=", "+=", "max="]);
        text += &format!("y{n}[{left}] {op} {value}{ranges}; ");
        let init = one(&["", "", "v", "v", "1", "1.5", "true", "c", "p", "-3", "300"]);
        if !init.is_empty() {
            text += &format!("init y{n} = {init}; ");
        }
    }
    text + "end"
}

/// Binding ends, with faults or a program whose plan agrees with the evaluator.
#[test]
fn anything_is_refused_or_agrees() {
    let rounds = if cfg!(miri) { 10 } else { 20_000 };
    let (mut fine, mut parsed) = (0, 0);
    for seed in 0..rounds {
        let random = &mut Random(seed * 104_729 + 7);
        let text = anything(random);
        let Ok(program) = Program::parse(&text) else {
            continue;
        };
        parsed += 1;
        let input = |name: &String| match name.as_str() {
            "x" => some(DType::Float, &[4, 3], Layout::Plain, random),
            "d" => some(DType::Double, &[4, 3], Layout::Plain, random),
            "b" => some(DType::Int8, &[4], Layout::Plain, random),
            "c" => some(DType::Int8, &[], Layout::Plain, random),
            "v" => some(DType::Float, &[3], Layout::Plain, random),
            _ => Input::Number(Number::Integer(2)),
        };
        let inputs: Vec<Input> = program.inputs().iter().map(input).collect();
        if types(&program, &inputs) {
            // Plans of all instruction sets take their time.
            fine += 1;
            if fine % 8 == 0 || cfg!(miri) {
                agree_on(&text, &inputs, Layout::Plain, 1000., random);
            }
        }
    }
    assert!(cfg!(miri) || fine > 300, "{fine} of {parsed} of {rounds}");
}

/// Whether something gives each name a type that its first value has.
fn types(program: &Program, inputs: &[Input]) -> bool {
    let signatures: Vec<_> = inputs.iter().map(Input::signature).collect();
    let pinned = vec![None; program.outputs().len()];
    program.bind(&signatures, &pinned).is_ok()
}
