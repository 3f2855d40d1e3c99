//! Text, and back.

use tensornio_compute::Program;
use tensornio_core::dtype::DType;

use crate::support::{bools, doubles, first, floats, ints, longs, run};

fn canonical(text: &str) -> String {
    let program = Program::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let again = Program::parse(program.text())
        .unwrap_or_else(|error| panic!("{}: {error}", program.text()));
    assert_eq!(program, again);
    // By their debug text, in which NaN is equal to itself.
    let statements = |program: &Program| format!("{:?}", program.statements());
    assert_eq!(statements(&program), statements(&again), "{text}");
    program.text().to_owned()
}

fn refused(text: &str) -> String {
    match Program::parse(text) {
        Ok(program) => panic!("parsed: {}", program.text()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_canonical_text_has_one_form_of_each_thing() {
    for (text, expected) in [
        ("C[i,j]+=A[i,k]*B[k,j]", "C[i,j] += A[i,k] * B[k,j]"),
        ("s=1", "s = 1"),
        ("s[] = (((a)))", "s = a"),
        ("y[i] = -x[i]^2", "y[i] = -x[i] ^ 2"),
        ("y[i] = (-x[i])^2", "y[i] = (-x[i]) ^ 2"),
        ("y[i] = x[i]^-2^3", "y[i] = x[i] ^ -2 ^ 3"),
        ("y[i] = (x[i]^2)^3", "y[i] = (x[i] ^ 2) ^ 3"),
        ("y[i] = a-(b-c)-x[i]", "y[i] = a - (b - c) - x[i]"),
        ("y[i] = a*(b+x[i])%c", "y[i] = a * (b + x[i]) % c"),
        (
            "y[i] = not (x[i] < 3 and a) or b",
            "y[i] = not (x[i] < 3 and a) or b",
        ),
        ("y[i] = (not x[i]) == a", "y[i] = (not x[i]) == a"),
        ("y[i] = not x[i] == a", "y[i] = not x[i] == a"),
        ("y[i] = x[2*i+1-1*3]", "y[i] = x[2*i - 2]"),
        ("y[i] = x[3-i]", "y[i] = x[3 - i]"),
        ("y[i] = x[-1+2*(i+i)]", "y[i] = x[4*i - 1]"),
        ("y[i] = x[-i-1]", "y[i] = x[-i - 1]"),
        ("y[i] += x[1+I[i,J[j]]+k]", "y[i] += x[k + I[i,J[j]] + 1]"),
        ("y[i] = x[0]+x[i]", "y[i] = x[0] + x[i]"),
        (
            "m max= A[i,j]; n min= A[i,j]; p *= A[i,j]",
            "m max= A[i,j]\nn min= A[i,j]\np *= A[i,j]",
        ),
        (
            "y[i] = i where i in 0:5,y[7]",
            "y[i] = i where i in 0:5, y[7]",
        ),
        ("y[i]=1 where y[size(x,0)]", "y[i] = 1 where y[size(x,0)]"),
        (
            "y[i] += guard(0<=i-k<size(x,0),0<=k<3,x[i-k])",
            "y[i] += guard(0 <= i - k < size(x,0), 0 <= k < 3, x[i - k])",
        ),
        (
            "y[i] = guard(0<=i<3, 0<=x[i])",
            "y[i] = guard(0 <= i < 3, 0 <= x[i])",
        ),
        (
            "y[i] = select(x[i]>0,max(x[i],a),uint8(b))",
            "y[i] = select(x[i] > 0, max(x[i], a), uint8(b))",
        ),
        ("y = 1.+.5+1e-3+1e30", "y = 1.0 + 0.5 + 0.001 + 1e30"),
        (
            "y = inf - -inf + nan + -nan - true",
            "y = inf - -inf + nan + -nan - true",
        ),
        ("y = 2^-3", "y = 2 ^ -3"),
        ("y = (-2)^3 - -3", "y = (-2) ^ 3 - -3"),
        ("y = -2^3", "y = -2 ^ 3"),
        ("y = -0 - 0.", "y = -0 - 0.0"),
        ("y = -9223372036854775808", "y = -9223372036854775808"),
        ("y = 9223372036854775807", "y = 9223372036854775807"),
        ("a = 1; return a", "a = 1\nreturn a"),
        (
            "s+=x[i]; gradient s seed t by x",
            "s += x[i]\ngradient s seed t by x",
        ),
    ] {
        assert_eq!(canonical(text), expected);
    }
}

#[test]
fn statements_end_with_lines_unless_something_is_open() {
    let text =
        "# first\n\ny[i] = x[i] +\n  1 # more\n;; z[i] = max(\n y[i],\n 2);\nreturn y,\n z\n";
    assert_eq!(
        canonical(text),
        "y[i] = x[i] + 1\nz[i] = max(y[i], 2)\nreturn y, z"
    );
}

#[test]
fn inputs_come_in_order_of_appearance_and_outputs_in_order_of_definition() {
    let program =
        Program::parse("H[I[i]] += w[i] * n where H[size(b,0)]; r[i] = H[i] + c[i]; H[i] = H[i]")
            .unwrap();
    assert_eq!(program.inputs(), ["I", "w", "n", "b", "c"]);
    assert_eq!(program.outputs(), ["H", "r"]);
    assert_eq!(program.returning(&["r"]).unwrap().outputs(), ["r"]);
}

#[test]
fn what_is_read_before_it_is_defined_is_an_input() {
    let program = Program::parse("y[i] = x[i]; x[i] = y[i]").unwrap();
    assert_eq!(program.inputs(), ["x"]);
    assert_eq!(program.outputs(), ["y", "x"]);
}

#[test]
fn syntax_errors_have_line_and_column() {
    for (text, expected) in [
        ("y[i] = x[i", "line 1, column 11: expected ']', found the end of the text"),
        ("a = 1\nb = $", "line 2, column 5: unexpected character '$'"),
        ("a = 1\n b == 2", "line 2, column 4: expected '=', '+=', '*=', 'max=' or 'min=', found '=='"),
        ("y[i] = x[i] x[i]", "line 1, column 13: expected an operator or the end of the statement, found 'x'"),
        ("y[i] = x[i*i]", "line 1, column 11: an affine index multiplies with integers only"),
        ("y[i] = x[i/2]", "line 1, column 11: expected an affine index: sums, and products with integers, found '/'"),
        ("y[i] = x[2*I[i]]", "line 1, column 11: a look-up has the coefficient 1"),
        ("y[i] = x[I[i]+J[i]]", "line 1, column 14: an index has one look-up at most"),
        ("y[i] = a < b < c", "line 1, column 14: comparisons do not chain: join them by 'and'"),
        ("y = 1e", "line 1, column 5: a number whose exponent has no digits"),
        ("y = 2x", "line 1, column 5: '2x' is neither a number nor a name"),
        ("where = 1", "line 1, column 1: 'where' is a word of the grammar, expected a statement"),
        ("y[i] = guard(0 <= I[i] < 3, x[i])", "line 1, column 19: a guard has no look-ups"),
        ("y[i] = i where i in 1:5", "line 1, column 16: the range of i must begin at 0"),
        ("y[i] = i where z[3]", "line 1, column 16: the shape of z is given, but the statement defines y"),
        ("y[i] = i where y[3,4]", "line 1, column 16: y has rank 1, its shape 2 sizes"),
        ("return y; y = 1", "line 1, column 11: expected nothing after 'return', found 'y'"),
        ("y = exp(1, 2)", "line 1, column 10: expected ')', found ','"),
        ("y[i] = x[9223372036854775807 + i + 1]", "line 1, column 34: the index does not fit INT64"),
    ] {
        assert_eq!(refused(text), expected, "{text}");
    }
}

#[test]
fn programs_that_make_no_sense_are_refused() {
    for (text, expected) in [
        ("", "a program has at least one statement"),
        ("# nothing", "a program has at least one statement"),
        ("return y", "a program has at least one statement"),
        ("y = 1; return z, y, y", "return: z is not defined\nreturn: y is there twice"),
        ("y[i] = x[i]; z = i", "i is a loop in y and a tensor in z; write i[] for a tensor of rank 0 in brackets"),
        ("y[i] = A[i,k]", "y: loop k is not on the left of =; reduce it by +=, *=, max= or min="),
        ("y[i+j] = A[i,j]", "y: axis 0 is i + j, but under = an axis on the left holds at most one loop"),
        ("y = 1; y[I[i]] = x[i]", "y#2: axis 0 looks up I[i], which = does not allow, as elements may meet; use +=, *=, max= or min="),
    ] {
        assert_eq!(refused(text), expected, "{text}");
    }
}

#[test]
fn deep_texts_are_refused_and_not_followed_down() {
    for text in [
        format!("y = {}1{}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("y = {}1", "-".repeat(100_000)),
        format!("y = {}1", "not ".repeat(100_000)),
        format!("y = 1{}", "/1".repeat(100_000)),
        format!("y = 1{}", "^1".repeat(100_000)),
        format!("y = x[{}0{}]", "x[".repeat(100_000), "]".repeat(100_000)),
        format!("y = x[{}0]", "-".repeat(100_000)),
        format!("y = {}1", "guard(0 <= 1 < 2, ".repeat(100_000)),
    ] {
        let error = refused(&text);
        assert!(error.contains("nested more than 256 deep"), "{error}");
    }
    let fits = format!("y = {}x{}", "exp(".repeat(200), ")".repeat(200));
    canonical(&fits);
}

/// Runs work on a thread with so little stack that a recursion over a deep tree does not fit.
fn on_a_short_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(work);
    thread.expect("a thread").join().expect("no panic");
}

#[test]
fn deep_texts_need_no_long_stack() {
    for (open, close) in [
        ("tanh(", ")"),
        ("max(1.0 - ", ", x[i])"),
        ("-(1.0 + ", ")"),
        ("guard(0 <= i < 3, ", ")"),
        ("select(x[i] < 9.0, x[i], ", ")"),
        ("float(", ")"),
    ] {
        for depth in [30, 80] {
            on_a_short_stack(move || {
                // The derivative of a maximum repeats its operands at each level.
                let nested = if open.starts_with("max") { 8 } else { depth };
                let (open, close) = (open.repeat(nested), close.repeat(nested));
                let text = format!("y[i] = {open}x[i]{close} where i in 0:3");
                let program = Program::parse(&text).expect("a program");
                let x = floats(&[3], &[0.5, 1.0, 2.0]);
                let plain = run(&program, std::slice::from_ref(&x)).expect("a result");
                let gradient = program.gradient("y", None, &["x"]).expect("a gradient");
                let both = run(&gradient, &[x]).expect("results");
                assert_eq!(plain[0].doubles(), both[0].doubles(), "{text}");
                assert!(gradient.plain_statements().expect("texts").len() > 1);
                assert!(!gradient.equations().expect("equations").is_empty());
                let plan = tensornio_compute::Plan::new(
                    &program
                        .bind(
                            &[tensornio_compute::Signature::tensor(DType::Float, &[3])],
                            &[None],
                        )
                        .expect("shapes fit"),
                );
                plan.expect("a plan");
            });
        }
    }
    on_a_short_stack(|| {
        let look_ups = format!("y = x[{}0{}]", "n[".repeat(200), "]".repeat(200));
        let program = Program::parse(&look_ups).expect("a program");
        let inputs = [floats(&[1], &[7.0]), ints(&[1], &[0])];
        assert_eq!(
            run(&program, &inputs).expect("a result")[0].doubles(),
            [7.0]
        );
        refused(&format!(
            "y = {}1{}",
            "(".repeat(100_000),
            ")".repeat(100_000)
        ));
    });
}

#[test]
fn chains_of_one_operator_are_no_nesting() {
    for count in [128, 129, 257, 3000] {
        let terms: Vec<String> = (0..count).map(|n| n.to_string()).collect();
        let sum: i64 = (0..count).sum();
        assert_eq!(
            first(&format!("y = {}", terms.join(" + ")), &[]),
            [sum as f64]
        );
        assert_eq!(
            first(&format!("y = {}", terms.join(" - ")), &[]),
            [-sum as f64]
        );
        let mixed: String = (1..count)
            .map(|n| format!(" {} {n}", if n % 3 == 0 { '+' } else { '-' }))
            .collect();
        let expected: i64 = (1..count).map(|n| if n % 3 == 0 { n } else { -n }).sum();
        assert_eq!(first(&format!("y = 0{mixed}"), &[]), [expected as f64]);
        let ones = vec!["x"; count as usize];
        let power = first(&format!("y = {}", ones.join(" * ")), &[longs(&[], &[3])]);
        let expected = (0..count).fold(1i64, |product, _| product.wrapping_mul(3));
        assert_eq!(power, [expected as f64]);
        for (operator, x, value) in [("and", true, 1.0), ("or", false, 0.0)] {
            let chain = format!("y = {}", ones.join(&format!(" {operator} ")));
            assert_eq!(first(&chain, &[bools(&[], &[x])]), [value]);
            canonical(&chain);
        }
        canonical(&format!("y = 0{mixed}"));
        canonical(&format!("y = {}", ones.join(" * ")));
    }
    // Products within a sum, and sums within a product, are chains of their own.
    let products = vec!["2 * 3"; 300].join(" + ");
    assert_eq!(first(&format!("y = {products}"), &[]), [1800.0]);
    // The gradient of a long sum, and of a long product.
    for (operator, slope) in [(" + ", 1000), (" * ", 300)] {
        let chain = format!("y = {}", vec!["x"; slope].join(operator));
        let program = Program::parse(&chain).expect("a program");
        let gradient = program.gradient("y", None, &["x"]).expect("a gradient");
        let results = run(&gradient, &[doubles(&[], &[1.0])]).expect("results");
        assert_eq!(results[1].doubles(), [slope as f64]);
    }
}
