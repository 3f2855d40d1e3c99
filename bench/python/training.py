"""scikit-learn's and PyTorch's side of TrainingBench: microseconds for an epoch of 1797 digits in batches of 64, two threads."""

import os
import time
import warnings

for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "2"

import numpy as np

random = np.random.default_rng(1)
pixels = random.random((1797, 8, 8), dtype=np.float32)
labels = random.integers(0, 10, 1797)
BATCH = 64


def report(name, epoch):
    epoch()
    epoch()
    best, start = 1e9, time.perf_counter()
    while time.perf_counter() - start < 5:
        before = time.perf_counter()
        epochs = epoch()
        best = min(best, (time.perf_counter() - before) / epochs)
    print(f"| {name} | {best * 1e6:.0f} us |", flush=True)


def sklearn():
    import sklearn
    from sklearn.neural_network import MLPClassifier

    warnings.filterwarnings("ignore")
    flat = pixels.reshape(1797, 64)

    def epochs():
        MLPClassifier((128,), batch_size=BATCH, max_iter=10, tol=0, n_iter_no_change=100).fit(flat, labels)
        return 10

    report(f"64-128-10, MLPClassifier of scikit-learn {sklearn.__version__}", epochs)


def torch():
    import torch
    from torch import nn

    torch.set_num_threads(2)
    images = torch.from_numpy(pixels).reshape(1797, 1, 8, 8)
    classes = torch.from_numpy(labels)
    perceptron = nn.Sequential(nn.Flatten(), nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))
    convolutional = nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(),
        nn.MaxPool2d(2), nn.Flatten(), nn.Linear(32 * 16, 10))
    for name, network in (("64-128-10", perceptron), ("two convolutions of 3 x 3", convolutional)):
        loss, adam = nn.CrossEntropyLoss(), torch.optim.Adam(network.parameters())

        def epoch():
            order = torch.randperm(1797)
            for at in range(0, 1797, BATCH):
                rows = order[at:at + BATCH]
                adam.zero_grad()
                loss(network(images[rows]), classes[rows]).backward()
                adam.step()
            return 1

        report(f"{name}, PyTorch {torch.__version__}", epoch)


print("| epoch | time |\n| --- | --- |")
for side in (sklearn, torch):
    try:
        side()
    except ImportError as e:
        print(f"| without {side.__name__}: {e} | |")
