"""Prints recurrent.txt: outputs and gradients of PyTorch's LSTM and GRU, in double precision, on weights and inputs that tests make by the same
formula. It needs PyTorch; version 1.12.1 made the file. The loss is the sum of the squares of all outputs."""

import math

import torch

STEPS, FEATURES, UNITS = 5, 3, 4


def values(count, start):
    """Numbers between -.6 and .6, which RecurrentTest has, too."""
    return torch.tensor([0.6 * math.sin(start + 0.7 * k) for k in range(count)], dtype=torch.float64)


def layer(made, gates):
    made = made(FEATURES, UNITS).double()
    parameters = [made.weight_ih_l0, made.weight_hh_l0, made.bias_ih_l0, made.bias_hh_l0]
    for number, parameter in enumerate(parameters):
        parameter.data = values(parameter.numel(), 1 + number).reshape(parameter.shape)
    x = values(STEPS * FEATURES, 9).reshape(STEPS, 1, FEATURES).requires_grad_()
    h = values(UNITS, 7).reshape(1, 1, UNITS).requires_grad_()
    c = values(UNITS, 8).reshape(1, 1, UNITS).requires_grad_()
    y, _ = made(x, (h, c) if gates == 4 else h)
    (y * y).sum().backward()
    shown = [("y", y), ("W", parameters[0].grad), ("U", parameters[1].grad), ("b_ih", parameters[2].grad), ("b_hh", parameters[3].grad),
             ("x", x.grad), ("h", h.grad)]
    for name, tensor in shown + ([("c", c.grad)] if gates == 4 else []):
        print(type(made).__name__, name, *[repr(number) for number in tensor.flatten().tolist()])


layer(torch.nn.LSTM, 4)
layer(torch.nn.GRU, 3)
