//! Recurrences: their text, names, ranges, types and values.

use crate::support::*;
use tensornio_compute::Program;

fn message(text: &str, inputs: &[Value]) -> String {
    faults(text, inputs).to_string()
}

fn refused(text: &str) -> String {
    Program::parse(text).expect_err(text).to_string()
}

fn shapes(text: &str, inputs: &[Value]) -> Vec<Vec<i64>> {
    let outputs = eval(text, inputs);
    let shape = |output: &Memory| output.layout.shape().to_vec();
    outputs.iter().map(shape).collect()
}

fn x3() -> Value {
    doubles(&[3], &[1., 2., 3.])
}

#[test]
fn steps_run_in_order() {
    let sum = "scan t; y[t] = y[t-1] + x[t]; end";
    assert_eq!(first(sum, &[x3()]), [1., 3., 6.]);
    assert_eq!(
        first("scan t down; y[t] = y[t+1] + x[t]; end", &[x3()]),
        [6., 5., 3.]
    );
    let from = "scan t; y[t] = w*y[t-1] + x[t]; init y = y0; end";
    let ones = doubles(&[3], &[1., 1., 1.]);
    let inputs = [double(2.), ones, double(0.5)];
    assert_eq!(Program::parse(from).unwrap().inputs(), ["w", "x", "y0"]);
    assert_eq!(first(from, &inputs), [2., 5., 11.]);
}

fn double(x: f64) -> Value {
    doubles(&[], &[x])
}

#[test]
fn the_text_of_a_scan_is_canonical() {
    let text = "scan t down in 0:size(x, 0)\n init h=-inf\n a[t] = h[t+1] ; h[t] = max(a[t], x[t])\n\n end\ns += h[t]";
    let program = Program::parse(text).unwrap();
    let canonical = "scan t down in 0:size(x,0)\n  init h = -inf\n  a[t] = h[t + 1]\n  h[t] = max(a[t], x[t])\nend\ns += h[t]";
    assert_eq!(program.text(), canonical);
    assert_eq!(Program::parse(canonical).unwrap(), program);
    assert_eq!(program.outputs(), ["a", "h", "s"]);
    let canonical = "scan t\n  init y = 1\n  y[t] = y[t - 1] + x[t]\nend";
    assert_eq!(Program::parse(canonical).unwrap().text(), canonical);
    for value in ["0", "-3", "1.5", "-0.5", "inf", "-inf", "nan", "true", "h0"] {
        let text = format!("scan t\n  h[t] = h[t - 1]\n  init h = {value}\nend");
        assert_eq!(Program::parse(&text).unwrap().text(), text);
    }
}

#[test]
fn words_of_scans_stay_names() {
    let text = "scan[i] = init[i] + down[i] * end[i]; end2 = 1; init[i] = scan[i]";
    assert!(Program::parse(text).is_ok());
    assert!(Program::parse("end += scan[down]").is_ok());
    let inside = "scan t; init[t] = end + x[t]; end[t] = init[t]; end";
    assert!(refused(inside).contains("end"), "{}", refused(inside));
    assert_eq!(
        first(
            "scan t; init[t] = init[t-1] + x[t]; init init = 1; end",
            &[x3()]
        ),
        [2., 4., 7.]
    );
}

#[test]
fn a_redefinition_is_the_last_of_its_step() {
    let text = "scan t; y[t] = y[t-1] + x[t]; y[t] = y[t] * 2; z[t] = y[t]; end; return y, z";
    let outputs = eval(text, &[x3()]);
    // 2*(0+1), 2*(2+2), 2*(8+3)
    assert_eq!(outputs[0].doubles(), [2., 8., 22.]);
    assert_eq!(outputs[1].doubles(), [2., 8., 22.]);
}

#[test]
fn a_longer_lag_is_carried() {
    let text =
        "scan t; g[t] = h[t-1]; h[t] = g[t] + g[t-1] + x[t]; init h = 1; init g = 1; end; return h";
    // h0 = 1 + 1 + 1, h1 = 3 + 1 + 2, h2 = 6 + 3 + 3
    assert_eq!(first(text, &[x3()]), [3., 6., 12.]);
}

#[test]
fn reductions_run_at_each_step() {
    let text = "scan t\n a[t,i] += U[i,j] * h[t-1,j]\n h[t,i] = a[t,i] + x[t,i]\n init h = h0\nend\nreturn h";
    let u = doubles(&[2, 2], &[0., 1., 1., 1.]);
    let x = doubles(&[3, 2], &[1., 0., 0., 0., 0., 1.]);
    let h0 = doubles(&[2], &[1., 2.]);
    assert_eq!(
        first(text, &[u.clone(), x.clone(), h0]),
        [3., 3., 3., 6., 6., 10.]
    );
    // A first value of rank 0 is for all elements.
    assert_eq!(
        first(text, &[u.clone(), x.clone(), double(1.)]),
        [2., 2., 2., 4., 4., 7.]
    );
    assert_eq!(first(text, &[u, x, fraction(1.)]), [2., 2., 2., 4., 4., 7.]);
}

#[test]
fn all_unguarded_reads_bound_the_steps_together() {
    let a = doubles(&[4], &[1., 2., 3., 4.]);
    let b = doubles(&[5], &[1., 1., 1., 1., 1.]);
    let text = "scan t; y[t] = y[t-1] + a[t]; z[t] = b[t+1]; end";
    assert_eq!(shapes(text, &[a.clone(), b.clone()]), [[4], [4]]);
    assert_eq!(
        message(
            "scan t; y[t] = a[t]; z[t] = b[t]; end",
            &[a.clone(), b.clone()]
        ),
        "scan t: index t is 4 by a axis 0 and 5 by b axis 0"
    );
    let fixed = "scan t in 0:2; y[t] = y[t-1] + a[t] + b[t]; end";
    assert_eq!(first(fixed, &[a.clone(), b]), [2., 5.]);
    assert_eq!(
        message("scan t in 0:6; y[t] = y[t-1] + a[t]; end", &[a.clone()]),
        "y: a axis 0 of length 4 would be read at 5"
    );
    let window = doubles(&[2], &[1., 1.]);
    let text = "scan t; c[t] += a[t+k] * w[k]; y[t] = y[t-1] + c[t]; end; return y";
    assert_eq!(first(text, &[a, window]), [3., 8., 15.]);
    assert_eq!(
        message("scan t; y[t] = y[t-1] + 1; end", &[]),
        "scan t: nothing determines the range of t; give it by scan t in 0:..."
    );
}

#[test]
fn no_steps_give_no_elements() {
    let text = "scan t; y[t,i] = y[t-1,i] + x[t,i]; end";
    assert_eq!(shapes(text, &[doubles(&[0, 2], &[])]), [[0, 2]]);
    assert_eq!(shapes("scan t in 0:0; y[t] = y[t-1] + 1; end", &[]), [[0]]);
}

#[test]
fn reads_of_the_step_before_take_the_type_of_the_definition() {
    assert_eq!(
        eval("scan t in 0:3; n[t] = n[t-1] + 1; end", &[])[0]
            .dtype
            .name(),
        "INT64"
    );
    assert_eq!(
        eval("scan t in 0:3; n[t] = n[t-1] + 0.5; end", &[])[0]
            .dtype
            .name(),
        "FLOAT"
    );
    let flags = bools(&[3], &[true, false, true]);
    assert_eq!(
        first("scan t; any[t] = any[t-1] or x[t]; end", &[flags.clone()]),
        [1., 1., 1.]
    );
    assert_eq!(
        first(
            "scan t; all[t] = all[t-1] and x[t]; init all = true; end",
            &[flags]
        ),
        [1., 0., 0.]
    );
    // A number that is twice what h was is of the type of h.
    let carried = "scan t; a[t] = 2*h[t-1]; h[t] = a[t] + x[t]; end; return h, a";
    assert_eq!(
        eval(carried, &[floats(&[2], &[1., 1.])])[1].dtype.name(),
        "FLOAT"
    );
    assert_eq!(first(carried, &[floats(&[2], &[1., 1.])]), [1., 3.]);
    let mixed = "scan t; a[t] = w[t]*h[t-1]; h[t] = x[t]; end";
    assert_eq!(
        message(mixed, &[floats(&[2], &[1., 1.]), doubles(&[2], &[1., 1.])]),
        "a: w is FLOAT and h is DOUBLE; cast one of them, as in float(h)"
    );
}

#[test]
fn a_first_value_gives_the_type_where_nothing_else_does() {
    let counted = |init: &str, inputs: &[Value]| {
        let text = format!("scan t in 0:3; n[t] = n[t-1] + 1; init n = {init}; end");
        let outputs = eval(&text, inputs);
        (outputs[0].dtype.name(), outputs[0].doubles())
    };
    assert_eq!(counted("1", &[]), ("INT64", vec![2., 3., 4.]));
    assert_eq!(counted("1.0", &[]), ("FLOAT", vec![2., 3., 4.]));
    assert_eq!(counted("0.5", &[]), ("FLOAT", vec![1.5, 2.5, 3.5]));
    assert_eq!(counted("-inf", &[]).0, "FLOAT");
    assert_eq!(
        counted("n0", &[fraction(0.5)]),
        ("FLOAT", vec![1.5, 2.5, 3.5])
    );
    assert_eq!(counted("n0", &[integer(1)]), ("INT64", vec![2., 3., 4.]));
    assert_eq!(
        counted("n0", &[double(0.1)]),
        ("DOUBLE", vec![1.1, 2.1, 3.1])
    );
    let flags = "scan t in 0:2; a[t] = b[t-1]; b[t] = a[t]; init b = true; end";
    let outputs = eval(flags, &[]);
    assert_eq!(outputs[0].dtype.name(), "BOOL");
    assert_eq!(outputs[1].doubles(), [1., 1.]);
    // The definition's own number gives it.
    let own = "scan t in 0:3; y[t] = 3; g[t] = y[t-1]; init y = 1.0; end; return g";
    let outputs = eval(own, &[]);
    assert_eq!(
        (outputs[0].dtype.name(), outputs[0].doubles()),
        ("INT64", vec![1., 3., 3.])
    );
}

/// Each round of inference would find more, or another type, than the one before.
#[test]
fn what_the_step_before_does_not_settle_is_a_fault() {
    let h = doubles(&[3], &[0.; 3]);
    for (body, length) in [
        ("y[t,i] = y[t-1,i-1]", 4),
        ("y[t,i+1] = y[t-1,i]", 4),
        ("y[t,2*i] = y[t-1,i]", 5),
        ("g[t,i] = y[t-1,i-1]; y[t,i] = g[t,i-1]", 5),
    ] {
        let text = format!("scan t in 0:5; {body}; init y = h; end");
        assert_eq!(
            message(&text, &[h.clone()]),
            format!("init y: h has shape [3], but y has [{length}] at each step")
        );
    }
    let settles =
        "scan t in 0:3; y[t,i] = guard(0 <= i-1, y[t-1,i-1]) where i in 0:3; init y = h; end";
    let h = doubles(&[3], &[1., 2., 3.]);
    assert_eq!(first(settles, &[h]), [0., 1., 2., 0., 0., 1., 0., 0., 0.]);
    let types = "scan t; g[t] = y[t-1] + double(x[t]); y[t] = g[t-1] + float(x[t]); end";
    let told = message(types, &[x3()]);
    assert!(
        told.contains("g: type and shape do not settle, as each follows from the step before: "),
        "{told}"
    );
    let ranks = "scan t in 0:5; y[t,i,...] = y[t-1,...] where i in 0:3; end";
    let told = message(ranks, &[]);
    assert!(
        told.starts_with("y: type and shape do not settle"),
        "{told}"
    );
}

#[test]
fn a_first_value_fits_the_type() {
    let inputs = [ints(&[2], &[1, 2])];
    let of = |word: &str, init: &str| {
        format!("scan t; g[t] = y[t-1]; y[t] = {word}(y[t-1] + x[t]); init y = {init}; end")
    };
    for (word, init, name) in [
        ("int8", "128", "INT8"),
        ("int8", "-129", "INT8"),
        ("int8", "300", "INT8"),
        ("int8", "2.5", "INT8"),
        ("int16", "32768", "INT16"),
        ("uint16", "-1", "UINT16"),
        ("uint16", "65536", "UINT16"),
        ("uint8", "256", "UINT8"),
    ] {
        assert_eq!(
            message(&of(word, init), &inputs),
            format!("init y: {name} cannot hold {init}")
        );
    }
    assert_eq!(eval(&of("int8", "-128"), &inputs)[0].doubles()[0], -128.);
    assert_eq!(eval(&of("int8", "2.0"), &inputs)[0].doubles()[0], 2.);
    assert_eq!(
        eval(&of("uint16", "65535"), &inputs)[0].doubles()[0],
        65535.
    );
}

#[test]
fn loops_have_their_names_in_faults() {
    let told = message(
        "scan t; y[t,i] = x[t,len(v,i)-1] where i in 0:2; end",
        &[doubles(&[2, 2], &[0.; 4]), x3()],
    );
    assert_eq!(told, "scan t: len(v,i), but v has rank 1");
}

#[test]
fn faults_of_texts_have_places() {
    assert_eq!(
        refused("scan t; end"),
        "line 1, column 1: a scan has at least one statement"
    );
    assert_eq!(
        refused("scan t\n y[t] = x[t]\n gradient y by x\nend"),
        "line 3, column 2: 'gradient' inside of a scan"
    );
    assert_eq!(
        refused("scan t\n y[t] = x[t]\n return y\nend"),
        "line 3, column 2: 'return' inside of a scan"
    );
    assert_eq!(
        refused("scan t; scan s; y[s] = x[s]; end; end"),
        "line 1, column 9: a scan inside of a scan"
    );
    assert_eq!(
        refused("scan t; y[t] = x[t]"),
        "line 1, column 20: expected 'end' of the scan, found the end of the text"
    );
    assert_eq!(
        refused("scan t; y[t] = y[t-1] + x[t]; init y = 0; init y = 1; end"),
        "line 1, column 43: init y is there twice"
    );
}

#[test]
fn faults_of_names_say_what_is_possible() {
    let within = |body: &str| refused(&format!("scan t; {body}; end"));
    assert_eq!(
        within("y[t] = y[t-2] + x[t]"),
        "y: y[t - 2] is neither at t nor at t-1; read it after the scan"
    );
    assert_eq!(
        within("y[t] = y[t+1] + x[t]"),
        "y: y[t + 1] is neither at t nor at t-1; read it after the scan"
    );
    assert_eq!(
        within("y[t] = z[t] + x[t]; z[t] = y[t]"),
        "y: z[t] is read before the scan defines it; the step before is t-1"
    );
    assert_eq!(
        within("s += x[t]"),
        "s: t, the loop of the scan, is to be one index on its left side, alone"
    );
    assert_eq!(
        within("y[t+1] = x[t]"),
        "y: t, the loop of the scan, is to be one index on its left side, alone"
    );
    assert_eq!(
        within("y[t,i] = x[t,i]; y[i,t] = x[t,i]"),
        "y: its definitions in the scan have t on different axes"
    );
    assert_eq!(
        within("y[t] = x[t] where t in 0:3"),
        "y: where may not name t, the loop of the scan; write scan t in 0:..."
    );
    assert_eq!(
        within("y[t] = x[t]; init z = 0"),
        "init z: the scan does not define z"
    );
    assert_eq!(
        within("y[t] = x[t]; z[t] = z[t-1] + x[t]; init z = y"),
        "init z: y is defined in the scan; give a name that is defined before it"
    );
    assert_eq!(
        within("y[t] = y[t-1] + x[t] + size(y,0)"),
        "y: the lengths of y are known after the scan that defines it"
    );
    assert_eq!(
        within("y[t,i] = y[t-1] + x[t,i]"),
        "y: y has rank 2, 1 index given"
    );
}

#[test]
fn faults_of_shapes_and_types_name_the_scan() {
    let h = "scan t; a[t,i] += h[t-1,i]; h[t,i] = a[t,i] + x[t,i]; end";
    let x = doubles(&[2, 3], &[0.; 6]);
    assert_eq!(
        message(h, &[x.clone()]),
        "a: nothing determines the range of i; give init or where"
    );
    let init = "scan t; h[t,i] = h[t-1,i] + x[t,i]; init h = h0; end";
    assert_eq!(
        message(init, &[x.clone(), doubles(&[2], &[0., 0.])]),
        "h: index i is 2 by h axis 1 and 3 by x axis 1"
    );
    assert_eq!(
        message(
            "scan t; h[t,i] = x[t,i]; init h = h0; end",
            &[x.clone(), doubles(&[2], &[0., 0.])]
        ),
        "init h: h0 has shape [2], but h has [3] at each step"
    );
    assert_eq!(
        message(init, &[x.clone(), floats(&[3], &[0., 0., 0.])]),
        "h: h is FLOAT and x is DOUBLE; cast one of them, as in float(x)"
    );
    assert_eq!(
        message(
            "scan t in 0:3; n[t] = n[t-1] + int(1); init n = 0.5; end",
            &[]
        ),
        "init n: INT32 cannot hold 0.5"
    );
    assert_eq!(
        message("scan t; y[t,i] = x[t,i]; y[t,i] = y[t,i+1]; end", &[x.clone()]),
        "y: a redefinition in a scan keeps type and shape, but DOUBLE of shape [2, 3] is followed by DOUBLE of shape [2, 2]"
    );
    assert_eq!(
        message("scan t; h[t,i] = h[t-1,i+1] + x[t,i]; end", &[x]),
        "h: h axis 1 of length 3 would be read at 3"
    );
}

#[test]
fn guards_and_look_ups_are_inside() {
    let at = ints(&[4], &[0, 1, 0, 1]);
    let count = "scan t; c[t,k] = c[t-1,k] + select(at[t] == k, 1, 0) where k in 0:2; end";
    assert_eq!(
        first(count, &[at.clone()]),
        [1., 0., 1., 1., 2., 1., 2., 2.]
    );
    let table = doubles(&[2], &[10., 20.]);
    let looked = "scan t; s[t] = s[t-1] + T[at[t]]; end";
    assert_eq!(first(looked, &[table, at]), [10., 30., 40., 60.]);
    let text = "scan t in 0:size(x,0); y[t] = y[t-1] + guard(0 <= t-1, x[t-1]); end";
    assert_eq!(first(text, &[x3()]), [0., 1., 3.]);
    let causal = "scan t in 0:size(x,0); y[t] += guard(0 <= t-k, x[t-k]) where k in 0:2; z[t] = z[t-1] + y[t]; end; return z";
    assert_eq!(first(causal, &[x3()]), [1., 4., 9.]);
}

#[test]
fn a_failing_step_names_the_statement() {
    let at = ints(&[3], &[0, 5, 1]);
    let table = doubles(&[2], &[10., 20.]);
    assert_eq!(
        message("scan t; s[t] = s[t-1] + T[at[t]]; end", &[table, at]),
        "s: T axis 0 of length 2 would be read at 5, by at[1] = 5"
    );
}

#[test]
fn values_of_the_step_are_numbers() {
    assert_eq!(
        first("scan t in 0:4; y[t] = y[t-1] + t; end", &[]),
        [0., 1., 3., 6.]
    );
    assert_eq!(
        first("scan t down in 0:4; y[t] = y[t+1] + t; end", &[]),
        [6., 6., 5., 3.]
    );
}

#[test]
fn a_gradient_goes_back_through_the_steps() {
    let text = "scan t; y[t] = w*y[t-1] + x[t]; init y = y0; end; e += y[t]";
    let inputs = [double(2.), doubles(&[3], &[1., 1., 1.]), double(0.5)];
    let program = Program::parse(text).unwrap();
    let program = program.gradient("e", None, &["w", "x", "y0", "y"]).unwrap();
    let outputs = run(&program, &inputs).unwrap();
    let outputs: Vec<Vec<f64>> = outputs.iter().map(Memory::doubles).collect();
    let expected: [&[f64]; 5] = [&[18.], &[14.5], &[7., 3., 1.], &[14.], &[7., 3., 1.]];
    assert_eq!(outputs, expected);
    // Of the block's own name, and with a seed.
    let own = Program::parse(text).unwrap();
    let own = own
        .gradient("y", Some("s"), &["x"])
        .unwrap()
        .returning(&["dx"])
        .unwrap();
    let mut inputs = inputs.to_vec();
    inputs.push(doubles(&[3], &[0., 1., 10.]));
    assert_eq!(run(&own, &inputs).unwrap()[0].doubles(), [42., 21., 10.]);
}

#[test]
fn a_gradient_of_no_steps_is_0() {
    let text = "scan t; y[t,i] = w*y[t-1,i] + x[t,i]; init y = y0; end; e += y[t,i]";
    let program = Program::parse(text).unwrap();
    let program = program.gradient("e", None, &["w", "y0"]).unwrap();
    let inputs = [double(2.), doubles(&[0, 2], &[]), doubles(&[2], &[1., 1.])];
    let outputs = run(&program, &inputs).unwrap();
    assert_eq!(outputs[1].doubles(), [0.]);
    assert_eq!(outputs[2].doubles(), [0., 0.]);
}

#[test]
fn dots_are_the_axes_that_the_text_does_not_name() {
    let text = "scan t; y[t,...] = y[t-1,...] * 0.5 + x[t,...]; init y = y0; end";
    let matrix = doubles(&[2, 2], &[1., 2., 3., 4.]);
    let first_values = doubles(&[2], &[2., 4.]);
    assert_eq!(first(text, &[x3(), double(2.)]), [2., 3., 4.5]);
    assert_eq!(
        first(text, &[matrix.clone(), first_values.clone()]),
        [2., 4., 4., 6.]
    );
    let last = "scan t; a[...,t] = y[...,t-1] * 0.5; y[...,t] = a[...,t] + x[...,t]; init y = y0; end; return y";
    assert_eq!(
        first(last, &[matrix.clone(), first_values.clone()]),
        [2., 3., 5., 6.5]
    );
    let program = Program::parse(text).unwrap();
    assert_eq!(
        program.text(),
        "scan t\n  y[t,...] = y[t - 1,...] * 0.5 + x[t,...]\n  init y = y0\nend"
    );
    let gradient = program.gradient("y", None, &["y0"]).unwrap();
    assert_eq!(
        run(&gradient, &[matrix, first_values]).unwrap()[1].doubles(),
        [0.75, 0.75]
    );
}

#[test]
fn a_batch_of_scans_is_one_scan() {
    let text = "scan t; a[t,i] += U[i,j] * h[t-1,j]; h[t,i] = a[t,i] + x[t,i]; init h = h0; end; z[i] = h[size(h,0)-1,i]; return z";
    let program = Program::parse(text).unwrap();
    let (batch, names) = program.batched(&["x"]).unwrap();
    assert_eq!(names, ["x", "h", "a", "z"]);
    let batch = Program::parse(batch.text()).unwrap();
    let u = doubles(&[2, 2], &[0., 1., 1., 1.]);
    let x = doubles(
        &[2, 3, 2],
        &[1., 0., 0., 0., 0., 1., 1., 1., 1., 1., 1., 1.],
    );
    for h0 in [doubles(&[2], &[1., 2.]), doubles(&[], &[1.])] {
        let inputs = [u.clone(), h0.clone(), x.clone()];
        let inputs: Vec<Value> = batch
            .inputs()
            .iter()
            .map(|name| {
                inputs[["U", "h0", "x"]
                    .iter()
                    .position(|other| other == name)
                    .unwrap()]
                .clone()
            })
            .collect();
        let together = run(&batch, &inputs).unwrap()[0].doubles();
        let mut one_by_one = Vec::new();
        for example in 0..2 {
            let Value::Tensor(all) = &x else {
                unreachable!()
            };
            let one = doubles(&[3, 2], &all.doubles()[6 * example..6 * example + 6]);
            let inputs: Vec<Value> = program
                .inputs()
                .iter()
                .map(|name| match name.as_str() {
                    "U" => u.clone(),
                    "x" => one.clone(),
                    _ => h0.clone(),
                })
                .collect();
            one_by_one.extend(run(&program, &inputs).unwrap()[0].doubles());
        }
        assert_eq!(together, one_by_one);
        let gradient = batch.gradient("z", None, &["h0", "U"]).unwrap();
        assert!(run(&gradient, &inputs).is_ok());
    }
}
