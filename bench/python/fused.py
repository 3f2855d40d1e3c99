"""PyTorch's side of FusedBench, on one thread and on two."""
from measure import measure

try:
    import torch
    import torch.nn.functional as f
except ImportError as e:
    print("without PyTorch:", e)
    raise SystemExit

torch.manual_seed(1)
rows, scale, offset = torch.rand(4096, 768), torch.rand(768), torch.rand(768)
images = torch.rand(8, 64, 56, 56).to(memory_format=torch.channels_last)
numbers, gradients = torch.randint(0, 65_536, (65_536,)), torch.rand(65_536, 128)
sums = torch.zeros(65_536, 128)
cube = torch.rand(256, 256, 256)
q = torch.rand(8, 512, 64)
a, b = torch.rand(360, 64), torch.rand(1437, 64)
x = torch.rand(1 << 20)
WORK = {
    "layerNorm": lambda: f.layer_norm(rows, (768,), scale, offset),
    "maxPool": lambda: f.max_pool2d(images, 2),
    "averagePool": lambda: f.avg_pool2d(images, 3, 2),
    "addRows": lambda: sums.zero_().index_add_(0, numbers, gradients),
    "middleMean": lambda: cube.mean(1),
    "argmax": lambda: rows.argmax(1),
    "attention": lambda: f.scaled_dot_product_attention(q, q, q),
    "pairs": lambda: ((a[:, None] - b[None]) ** 2).sum(2),
    "pairsExpanded": lambda: (a * a).sum(1)[:, None] + (b * b).sum(1)[None] - 2 * (a @ b.T),
    "cube": lambda: x ** 3,
    "gelu": lambda: f.gelu(x, approximate="tanh"),
}
with torch.no_grad():
    for threads in (1, 2):
        torch.set_num_threads(threads)
        for name, work in WORK.items():
            measure(f"{name}{threads}/torch", work)
