//! Comprehensions beside loops written by hand; the ratio of their times is what counts. One thread, if not said otherwise. Yardsticks of NumPy
//! are in `bench/python/compute.py`.

mod floats;

use std::hint::black_box;
use std::time::Duration;

use criterion::Criterion;
use tensornio_compute::operand::{DType, Operand, OperandMut, Strided};
use tensornio_compute::threads::in_threads;
use tensornio_compute::{Plan, Program, Signature};

use floats::{Block, Floats};

/// A program ready to run.
struct Ready {
    plan: Plan,
    inputs: Vec<(DType, *const u8, Strided)>,
    output: Floats,
}

fn ready(text: &str, inputs: &[&Floats]) -> Ready {
    let given = inputs
        .iter()
        .map(|x| (DType::Float, x.data.as_ptr().cast(), x.layout()))
        .collect();
    ready_of(text, given)
}

fn ready_of(text: &str, inputs: Vec<(DType, *const u8, Strided)>) -> Ready {
    let program = Program::parse(text).expect("a program");
    let signatures: Vec<Signature> = inputs
        .iter()
        .map(|(dtype, _, layout)| Signature::tensor(*dtype, layout.shape()))
        .collect();
    let bound = program.bind(&signatures, &[None]).expect("shapes that fit");
    let output = Floats::new(&bound.outputs()[0].shape);
    Ready {
        plan: Plan::new(&bound).expect("a plan"),
        inputs,
        output,
    }
}

impl Ready {
    fn run(&mut self) {
        let inputs: Vec<Operand> = self
            .inputs
            .iter()
            .map(|(dtype, data, layout)| Operand::Tensor {
                dtype: *dtype,
                data: *data,
                layout: layout.as_slices(),
            })
            .collect();
        let layout = self.output.layout();
        let data = self.output.data.as_mut_ptr().cast();
        let mut outputs = [OperandMut {
            dtype: DType::Float,
            data,
            layout: layout.as_slices(),
        }];
        // SAFETY: inputs live as long as the benchmark.
        unsafe { self.plan.run(&inputs, &mut outputs) }.expect("no error");
    }
}

/// Measures a comprehension, and its yardstick.
fn compare(criterion: &mut Criterion, name: &str, ours: impl FnMut(), yardstick: impl FnMut()) {
    alone(criterion, &format!("{name}/tensors"), ours);
    alone(criterion, &format!("{name}/loop"), yardstick);
}

/// Measures one of them: some yardsticks are measured elsewhere, or serve several.
fn alone(criterion: &mut Criterion, name: &str, mut work: impl FnMut()) {
    criterion.bench_function(name, |bencher| bencher.iter(&mut work));
}

#[inline(never)]
fn squared_distance(x: &[f32], y: &[f32]) -> f32 {
    let mut sums = [0f32; 32];
    for (x, y) in x.chunks_exact(32).zip(y.chunks_exact(32)) {
        for k in 0..32 {
            sums[k] += (x[k] - y[k]) * (x[k] - y[k]);
        }
    }
    sums.iter().sum()
}

/// As the loops that one writes by hand are compiled on this machine.
macro_rules! avx2 {
    ($(fn $name:ident($($arg:ident: $type:ty),*) $body:block)*) => {$(
        fn $name($($arg: $type),*) {
            #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
            #[inline(never)]
            unsafe fn inner($($arg: $type),*) $body
            // SAFETY: asked for when the benchmark starts.
            unsafe { inner($($arg),*) }
        }
    )*};
}

/// e^x as one would write it by hand for such a loop.
#[inline(always)]
fn exp(x: f32) -> f32 {
    let x = x.clamp(-87.0, 88.0);
    let t = x.mul_add(std::f32::consts::LOG2_E, 12_582_912.0);
    let n = t - 12_582_912.0;
    let r = n.mul_add(-0.693_359_4, x);
    let r = n.mul_add(2.121_944_4e-4, r);
    let mut p = 1.0f32 / 720.0;
    for c in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        p = p.mul_add(r, c);
    }
    f32::from_bits(p.to_bits().wrapping_add(t.to_bits() << 23))
}

avx2! {
    fn chain(x: &[f32], y: &[f32], w: &[f32], z: &mut [f32]) {
        for k in 0..z.len() {
            z[k] = 2.0 * x[k] + 3.0 * y[k] - 1.0 / (1.0 + exp(-w[k]));
        }
    }
    fn line(x: &[f32], y: &[f32], w: &[f32], z: &mut [f32]) {
        for (((z, x), y), w) in z.iter_mut().zip(x).zip(y).zip(w) {
            *z = 2.0 * x + 3.0 * y - w;
        }
    }
    fn distance(x: &[f32], y: &[f32]) {
        black_box(squared_distance(x, y));
    }
    fn sum_rows(x: &[f32], r: &mut [f32]) {
        for (row, r) in x.chunks_exact(x.len() / r.len()).zip(r) {
            let mut sums = [0f32; 32];
            for x in row.chunks_exact(32) {
                for k in 0..32 {
                    sums[k] += x[k];
                }
            }
            *r = sums.iter().sum();
        }
    }
    fn sum_columns(x: &[f32], r: &mut [f32]) {
        r.fill(0.0);
        for row in x.chunks_exact(r.len()) {
            for (r, x) in r.iter_mut().zip(row) {
                *r += x;
            }
        }
    }
    fn softmax(x: &[f32], y: &mut [f32], n: usize) {
        for (x, y) in x.chunks_exact(n).zip(y.chunks_exact_mut(n)) {
            let mut most = [f32::NEG_INFINITY; 32];
            for x in x.chunks_exact(32) {
                for k in 0..32 {
                    most[k] = if x[k] > most[k] { x[k] } else { most[k] };
                }
            }
            let most = most.into_iter().fold(f32::NEG_INFINITY, f32::max);
            let mut sums = [0f32; 32];
            for (x, y) in x.chunks_exact(32).zip(y.chunks_exact_mut(32)) {
                for k in 0..32 {
                    y[k] = exp(x[k] - most);
                    sums[k] += y[k];
                }
            }
            let scale = 1.0 / sums.iter().sum::<f32>();
            for y in y {
                *y *= scale;
            }
        }
    }
    fn outer_sum(a: &[f32], b: &[f32], c: &mut [f32]) {
        for (c, a) in c.chunks_exact_mut(b.len()).zip(a) {
            for (c, b) in c.iter_mut().zip(b) {
                *c = a + b;
            }
        }
    }
    fn bias(x: &[f32], b: &[f32], y: &mut [f32]) {
        for (x, y) in x.chunks_exact(b.len()).zip(y.chunks_exact_mut(b.len())) {
            for k in 0..b.len() {
                y[k] = x[k] + b[k];
            }
        }
    }
}

fn elementwise(criterion: &mut Criterion) {
    let (x, y) = (Floats::new(&[1 << 26]), Floats::new(&[1 << 26]));
    let mut ours = ready("s += (x[i]-y[i])^2", &[&x, &y]);
    let by_hand = || distance(&x.data, &y.data);
    compare(criterion, "distance-64M", || ours.run(), by_hand);
    for (name, n) in [("chain-16M", 1 << 24), ("chain-64K", 1 << 16)] {
        let (x, y, w) = (Floats::new(&[n]), Floats::new(&[n]), Floats::new(&[n]));
        let mut ours = ready("z[i] = 2*x[i] + 3*y[i] - sigmoid(w[i])", &[&x, &y, &w]);
        let mut z = Block::new(n as usize);
        let by_hand = || chain(&x.data, &y.data, &w.data, &mut z);
        compare(criterion, name, || ours.run(), by_hand);
    }
    let mut z = Block::new(1 << 20);
    let (a, b) = (Floats::new(&[1024]), Floats::new(&[1024]));
    let mut ours = ready("c[i,j] = a[i] + b[j]", &[&a, &b]);
    let by_hand = || outer_sum(&a.data, &b.data, &mut z);
    compare(criterion, "outer-sum", || ours.run(), by_hand);
    let (x, b) = (Floats::new(&[131_072, 8]), Floats::new(&[8]));
    let mut ours = ready("y[i,j] = x[i,j] + b[j]", &[&x, &b]);
    let by_hand = || bias(&x.data, black_box(&b.data), &mut z);
    compare(criterion, "bias", || ours.run(), by_hand);
    let (a, b) = (Floats::new(&[4096]), Floats::new(&[4096]));
    let mut ours = ready("c[i,j] = a[i]*b[j]", &[&a, &b]);
    alone(criterion, "outer-product/tensors", || ours.run());
    let square = Floats::new(&[2048, 2048]);
    let mut ours = ready("y[i,j] = x[i,j] + x[j,i]", &[&square]);
    alone(criterion, "add-transposed/tensors", || ours.run());
    let (a, b) = (Floats::new(&[8]), Floats::new(&[8]));
    let mut ours = ready("c[i] = a[i] + b[i]", &[&a, &b]);
    alone(criterion, "add-8/tensors", || ours.run());
}

fn reductions(criterion: &mut Criterion) {
    let square = Floats::new(&[4096, 4096]);
    let mut z = Block::new(4096 * 4096);
    let mut ours = ready("r[j] += x[i,j]", &[&square]);
    let by_hand = || sum_columns(&square.data, &mut z[..4096]);
    compare(criterion, "sum-axis-0", || ours.run(), by_hand);
    let mut ours = ready("r[i] += x[i,j]", &[&square]);
    let by_hand = || sum_rows(&square.data, &mut z[..4096]);
    compare(criterion, "sum-axis-1", || ours.run(), by_hand);
    let rows = Floats::new(&[1 << 18, 16]);
    let mut ours = ready("r[i] += x[i,j]", &[&rows]);
    alone(criterion, "sum-short-rows/tensors", || ours.run());
    let text = "m[i] max= x[i,j]; e[i,j] = exp(x[i,j]-m[i]); s[i] += e[i,j]; y[i,j] = e[i,j]/s[i]; return y";
    let mut ours = ready(text, &[&square]);
    let by_hand = || softmax(&square.data, &mut z, 4096);
    compare(criterion, "softmax", || ours.run(), by_hand);
}

fn products(criterion: &mut Criterion) {
    for n in [512, 1024] {
        let (a, b) = (Floats::new(&[n, n]), Floats::new(&[n, n]));
        for (name, text) in [
            (format!("matmul-{n}/tensors"), "C[i,j] += A[i,k]*B[k,j]"),
            (
                format!("matmul-{n}-transposed/tensors"),
                "C[i,j] += A[i,k]*B[j,k]",
            ),
        ] {
            let mut ours = ready(text, &[&a, &b]);
            alone(criterion, &name, || ours.run());
        }
    }
    let (a, b) = (Floats::new(&[64, 64, 64]), Floats::new(&[64, 64, 64]));
    let mut ours = ready("C[b,i,j] += A[b,i,k]*B[b,k,j]", &[&a, &b]);
    alone(criterion, "batched-matmul/tensors", || ours.run());
    let head = Floats::new(&[8, 512, 64]);
    let text = "t[h,q,k] += Q[h,q,d]*K[h,k,d]; w[h,q,k] = t[h,q,k]*0.125; m[h,q] max= w[h,q,k]; e[h,q,k] = exp(w[h,q,k]-m[h,q]); \
                s[h,q] += e[h,q,k]; o[h,q,d] += e[h,q,k]*V[h,k,d]; r[h,q,d] = o[h,q,d]/s[h,q]; return r";
    let mut ours = ready(text, &[&head, &head, &head]);
    alone(criterion, "attention/tensors", || ours.run());
}

fn convolutions(criterion: &mut Criterion) {
    // 16 images of 64 x 64 x 32, 32 filters: one product of 61504 x 288 and 288 x 32.
    let (a, b) = (Floats::new(&[61_504, 288]), Floats::new(&[288, 32]));
    let mut product = ready("C[i,j] += A[i,k]*B[k,j]", &[&a, &b]);
    alone(criterion, "conv2d/product", || product.run());
    let (image, filter) = (Floats::new(&[16, 32, 64, 64]), Floats::new(&[32, 32, 3, 3]));
    let text = "O[n,f,y,x] += I[n,c,y+r,x+s]*K[f,c,r,s]";
    let mut ours = ready(text, &[&image, &filter]);
    alone(criterion, "conv2d-nchw/tensors", || ours.run());
    let plain = "O[n,y,x,f] += I[n,y+r,x+s,c]*K[r,s,c,f]".to_owned();
    let padded = "O[n,y,x,f] += guard(0 <= y+r-1 < 64, 0 <= x+s-1 < 64, I[n,y+r-1,x+s-1,c])*K[r,s,c,f] where n in 0:16, y in 0:64, x in 0:64";
    let by_image = format!("{padded}; gradient O seed G by I; return dI");
    let by_filter = format!("{padded}; gradient O seed G by K; return dK");
    let (image, filter) = (Floats::new(&[16, 64, 64, 32]), Floats::new(&[3, 3, 32, 32]));
    for (name, text) in [
        ("conv2d-nhwc/tensors", plain),
        ("conv2d-padded/tensors", padded.to_owned()),
        ("conv2d-by-image/tensors", by_image),
        ("conv2d-by-filter/tensors", by_filter),
    ] {
        let names = Program::parse(&text).expect("a program");
        // The seed is shaped as the image.
        let of = |name: &String| if name == "K" { &filter } else { &image };
        let inputs: Vec<&Floats> = names.inputs().iter().map(of).collect();
        let mut ours = ready(&text, &inputs);
        alone(criterion, name, || ours.run());
    }
    let (x, k) = (Floats::new(&[1 << 20]), Floats::new(&[9]));
    let mut ours = ready("O[x] += I[x+k]*K[k]", &[&x, &k]);
    alone(criterion, "conv1d/tensors", || ours.run());
}

fn gathers(criterion: &mut Criterion) {
    let table = Floats::new(&[1 << 20, 16]);
    let rows: Vec<i32> = (0..1 << 20)
        .map(|k: i64| (k * 7919 % (1 << 20)) as i32)
        .collect();
    let layout = Strided::row_major([1 << 20]).expect("a shape");
    let inputs = vec![
        (DType::Float, table.data.as_ptr().cast(), table.layout()),
        (DType::Int32, rows.as_ptr().cast(), layout),
    ];
    let mut ours = ready_of("y[i,j] = T[I[i],j]", inputs);
    alone(criterion, "gather/tensors", || ours.run());
}

fn two_threads(criterion: &mut Criterion) {
    let (a, b) = (Floats::new(&[1024, 1024]), Floats::new(&[1024, 1024]));
    let mut ours = ready("C[i,j] += A[i,k]*B[k,j]", &[&a, &b]);
    for (name, threads) in [("two-threads-matmul/two", 2), ("two-threads-matmul/one", 1)] {
        alone(criterion, name, || in_threads(threads, || ours.run()));
    }
    // 16 MiB of operands: a unit of work for each thread at least, and nothing in a cache.
    let n = 1 << 20;
    let (x, y, w) = (Floats::new(&[n]), Floats::new(&[n]), Floats::new(&[n]));
    let mut ours = ready("z[i] = 2*x[i] + 3*y[i] - w[i]", &[&x, &y, &w]);
    let mut z = Block::new(n as usize);
    let by_hand = || {
        let half = z.len() / 2;
        let (front, back) = z.split_at_mut(half);
        let [x, y, w] = [&x, &y, &w].map(|x| x.data.split_at(half));
        std::thread::scope(|threads| {
            threads.spawn(|| line(x.1, y.1, w.1, back));
            line(x.0, y.0, w.0, front);
        });
    };
    let ours = || in_threads(2, || ours.run());
    compare(criterion, "two-threads-streaming", ours, by_hand);
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .measurement_time(Duration::from_secs(1))
        .warm_up_time(Duration::from_millis(300))
        .configure_from_args();
    in_threads(1, || {
        elementwise(&mut criterion);
        reductions(&mut criterion);
        products(&mut criterion);
        convolutions(&mut criterion);
        gathers(&mut criterion);
    });
    two_threads(&mut criterion);
    criterion.final_summary();
}
