"""scikit-learn's and PyTorch's side of TrainingBench: epochs of 1797 digits in batches of 64, two threads."""
import warnings

from measure import measure, threads

threads(2)

try:
    import numpy as np
except ImportError as e:
    print("without NumPy:", e)
    raise SystemExit

random = np.random.default_rng(1)
pixels = random.random((1797, 8, 8), dtype=np.float32)
labels = random.integers(0, 10, 1797)
BATCH, EPOCHS = 64, 10


def sklearn():
    from sklearn.neural_network import MLPClassifier

    warnings.filterwarnings("ignore")
    flat = pixels.reshape(1797, 64)
    fit = lambda: MLPClassifier((128,), batch_size=BATCH, max_iter=EPOCHS, tol=0, n_iter_no_change=100).fit(flat, labels)
    measure("perceptron/sklearn", fit, parts=EPOCHS, seconds=5)


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
    normalised = nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
        nn.MaxPool2d(2), nn.Flatten(), nn.Dropout(0.5), nn.Linear(32 * 16, 10))
    for name, network in (("perceptron", perceptron), ("convolutional", convolutional), ("normalised", normalised)):
        loss, adam = nn.CrossEntropyLoss(), torch.optim.Adam(network.parameters())

        def epoch():
            order = torch.randperm(1797)
            for at in range(0, 1797, BATCH):
                rows = order[at:at + BATCH]
                adam.zero_grad()
                loss(network(images[rows]), classes[rows]).backward()
                adam.step()

        measure(f"{name}/pytorch", epoch, seconds=5)
    lstm, last = nn.LSTM(64, 64, batch_first=True), nn.Linear(64, 1)
    sequences, wanted = torch.rand(32, 100, 64), torch.rand(32, 1)
    descent = torch.optim.SGD([*lstm.parameters(), *last.parameters()], 0.01)

    def step():
        descent.zero_grad()
        nn.functional.mse_loss(last(lstm(sequences)[0][:, -1]), wanted).backward()
        descent.step()

    measure("lstm/pytorch", step, seconds=3)


for side in (sklearn, torch):
    try:
        side()
    except ImportError as e:
        print(f"without {side.__name__}:", e)
