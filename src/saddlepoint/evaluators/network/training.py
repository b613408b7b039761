"""Fitting a network to positions by Adam (Kingma and Ba 2015), in compiled code: a step costs a few microseconds a position."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...boards.limits import listened
from ...compiled import jit, jit_inline, run
from .file import HIGHEST, Coding, Network, input_rows, largest_sums, scaled_inputs
from .inputs import Inputs

_BATCH = 256
_MEAN, _SQUARE, _TINY = np.float32(0.1), np.float32(0.001), np.float32(1e-8)
"""How much of Adam's means a new gradient is, of itself and of its square; and what keeps a quotient finite."""
_LARGEST_WEIGHT = np.float32(16.0)  # weights in use have biases of up to 12
_ZERO, _HALF, _HIGHEST = np.float32(0.0), np.float32(0.5), np.float32(HIGHEST)
_SHORT, _FINEST = 32_767, 4_096


class Samples(NamedTuple):
    """Positions and what they are worth."""

    words: Any
    """uint64 (positions, words), the last one the player to move: see `words_of`."""
    targets: Any
    """float32 (positions,): for player 0, the share of the range of results, -1 to 1."""


class Layers(NamedTuple):
    """The network's numbers while it is fitted, all float32."""

    first: Any
    first_bias: Any
    scaled_first: Any
    second: Any
    second_bias: Any
    last: Any
    last_bias: Any
    """(1,)"""


def new_layers(coding: Coding, units: int, second: int, seed: int) -> Layers:
    draw = np.random.default_rng([seed, 1])
    bits = int((coding.bit_rows[0] >= 0).sum())
    spread = (1.0 + len(coding.choices) + 0.3 * bits) ** -0.5  # by about how many inputs are there at once
    made = (
        draw.normal(0, 0.5 * spread, (coding.rows, units)),
        np.full(units, 0.4),
        draw.normal(0, 0.2, (len(coding.scaled), units)),
        draw.normal(0, 1.5 * units**-0.5, (units, second)),
        np.full(second, 0.4),
        draw.normal(0, second**-0.5, second),
        np.zeros(1),
    )
    return Layers(*(array.astype(np.float32) for array in made))


def quantised(layers: Layers, coding: Coding) -> Network:
    """The network as it is kept: rows of 16 bits, as fine as the largest sum allows."""
    most = float(
        largest_sums(coding, layers.first.astype(np.float64), layers.first_bias.astype(np.float64)).max()
    )
    rounding = 0.5 * (
        1 + int((coding.bit_rows[0] >= 0).sum()) + len(coding.choices)
    )  # of each number in the largest sum
    parts = float(min(_FINEST, int((_SHORT - rounding) / max(most, 1e-3))))
    if parts < 1:
        raise ValueError(
            f"a network over {coding.rows:,} inputs does not fit 16 bits: its sums grew to {most:,.0f}"
        )
    first, bias = (
        np.round(array.astype(np.float64) * parts).astype(np.int16)
        for array in (layers.first, layers.first_bias)
    )
    rest = (layers.scaled_first, layers.second, layers.second_bias, layers.last)
    scaled_first, second, second_bias, last = (array.copy() for array in rest)
    return Network(
        first, bias, scaled_first, second, second_bias, last, float(layers.last_bias[0]), 1.0 / parts
    )


@jit
def _fit(data, order, images, maps, values, gradient, mean, square, sizes, rates, batch):
    """One pass over the positions in that order, each as one of its images; returns the sum of their cross entropies."""
    rows, starts, scaled, targets = data
    row_maps, scaled_maps, sign_maps, swaps = maps
    count, units, width = sizes[1], sizes[2], sizes[3]
    first, first_bias, scaled_first, second, second_bias, last, last_bias = _parts(values, sizes)
    g_first, g_first_bias, g_scaled, g_second, g_second_bias, g_last, g_last_bias = _parts(gradient, sizes)
    before, hidden, back = (
        np.zeros(units, np.float32),
        np.zeros(units, np.float32),
        np.zeros(units, np.float32),
    )
    middle, cut, middle_back = (
        np.zeros(width, np.float32),
        np.zeros(width, np.float32),
        np.zeros(width, np.float32),
    )
    loss, listen = 0.0, np.int64(0)
    for step in range(len(rates)):
        listen, is_over = listened(listen)
        if is_over:
            break
        for place in range(step * batch, (step + 1) * batch):
            sample, image = order[place], images[place]
            before[:] = first_bias
            for at in range(starts[sample], starts[sample + 1]):
                row = row_maps[image, rows[at]]
                for unit in range(units):
                    before[unit] += first[row, unit]
            for k in range(count):
                number, row = scaled[sample, k] * sign_maps[image, k], scaled_maps[image, k]
                for unit in range(units):
                    before[unit] += number * scaled_first[row, unit]
            middle[:] = second_bias
            for unit in range(units):
                hidden[unit] = min(max(before[unit], _ZERO), _HIGHEST)
                for out in range(width):
                    middle[out] += hidden[unit] * second[unit, out]
            lead = last_bias[0]
            for out in range(width):
                cut[out] = min(max(middle[out], _ZERO), _HIGHEST)
                lead += cut[out] * last[out]
            target = _HALF - _HALF * targets[sample] if swaps[image] else _HALF + _HALF * targets[sample]
            chance = 1.0 / (1.0 + np.exp(-2.0 * float(lead)))
            inside = min(max(chance, 1e-6), 1.0 - 1e-6)
            loss -= target * np.log(inside) + (1.0 - target) * np.log(1.0 - inside)
            error = np.float32(2.0 * (chance - target) / batch)
            g_last_bias[0] += error
            for out in range(width):
                g_last[out] += error * cut[out]
                middle_back[out] = error * last[out] if _ZERO < middle[out] < _HIGHEST else _ZERO
                g_second_bias[out] += middle_back[out]
            for unit in range(units):
                slope = _ZERO
                for out in range(width):
                    slope += middle_back[out] * second[unit, out]
                    g_second[unit, out] += hidden[unit] * middle_back[out]
                back[unit] = slope if _ZERO < before[unit] < _HIGHEST else _ZERO
                g_first_bias[unit] += back[unit]
            for at in range(starts[sample], starts[sample + 1]):
                row = row_maps[image, rows[at]]
                for unit in range(units):
                    g_first[row, unit] += back[unit]
            for k in range(count):
                number, row = scaled[sample, k] * sign_maps[image, k], scaled_maps[image, k]
                for unit in range(units):
                    g_scaled[row, unit] += number * back[unit]
        pace = np.float32(rates[step])
        for k in range(len(values)):
            slope = gradient[k]
            mean[k] += _MEAN * (slope - mean[k])
            square[k] += _SQUARE * (slope * slope - square[k])
            moved = values[k] - pace * mean[k] / (np.sqrt(square[k]) + _TINY)
            values[k] = min(max(moved, -_LARGEST_WEIGHT), _LARGEST_WEIGHT)
            gradient[k] = _ZERO
    return loss


@jit_inline
def _parts(values, sizes):
    """The layers that lie in one array, one after the other; `sizes` are the rows, the scaled inputs, the units of both layers."""
    rows, count, units, width = sizes
    a = rows * units
    b = a + units
    c = b + count * units
    d = c + units * width
    e = d + width
    return (
        values[:a].reshape((rows, units)),
        values[a:b],
        values[b:c].reshape((count, units)),
        values[c:d].reshape((units, width)),
        values[d:e],
        values[e : e + width],
        values[e + width :],
    )


def fit_layers(
    inputs: Inputs,
    samples: Samples,
    layers: Layers,
    epochs: int,
    rate: float,
    seed: int,
    turn_based: bool,
    on_epoch: Callable[[int, float], None] = lambda epoch, loss: None,
) -> tuple[Layers, float]:
    """The layers after so many passes over the positions, and the mean cross entropy of the last one.

    The pace falls from `rate` to nothing along a cosine. The same arguments give the same numbers. `on_epoch` gets each pass's mean
    cross entropy.
    """
    draw = np.random.default_rng([seed, 2])
    coding, symmetries = inputs.coding, inputs.symmetries
    data = encoded(inputs, samples, turn_based)
    # A turned position is seen from who moves: an image that exchanges the players would be one in which the other one moves.
    images = (
        np.nonzero(~symmetries.swaps)[0]
        if turn_based and inputs.exchanges
        else np.arange(len(symmetries.swaps))
    )
    maps = (symmetries.rows, symmetries.scaled_rows, symmetries.scaled_signs, symmetries.swaps)
    units, width = layers.second.shape
    sizes = (coding.rows, len(coding.scaled), units, width)
    values = np.concatenate([part.reshape(-1) for part in layers])
    gradient, mean, square = (np.zeros_like(values) for _ in range(3))
    count = len(samples.targets)
    batch = max(1, min(_BATCH, count))
    steps, loss = count // batch, 0.0
    for epoch in range(epochs):
        at = np.arange(epoch * steps, (epoch + 1) * steps)
        ahead, behind = 1.0 - 0.9 ** (at + 1.0), 1.0 - 0.999 ** (at + 1.0)
        rates = rate * 0.5 * (1.0 + np.cos(np.pi * at / (epochs * steps))) * np.sqrt(behind) / ahead
        total = run(
            _fit,
            data,
            draw.permutation(count),
            draw.choice(images, count),
            maps,
            values,
            gradient,
            mean,
            square,
            sizes,
            rates,
            batch,
        )
        loss = total / (steps * batch)
        on_epoch(epoch + 1, loss)
    return Layers(*(part.copy() for part in _parts(values, sizes))), loss


def encoded(inputs: Inputs, samples: Samples, turn_based: bool) -> tuple[Any, Any, Any, Any]:
    """The rows that are there, where each position's begin, the scaled inputs and the targets, of positions as they are looked at."""
    coding = inputs.coding
    rows, starts = input_rows(coding, samples.words)
    scaled, targets = (
        scaled_inputs(coding, samples.words, inputs.furthest),
        samples.targets.astype(np.float32),
    )
    if turn_based and inputs.exchanges:
        exchange = int(np.nonzero(inputs.symmetries.swaps)[0][0])
        seconds = samples.words[:, -1] == 1
        of_second = np.repeat(seconds, np.diff(starts))
        rows = np.where(of_second, inputs.symmetries.rows[exchange][rows], rows) if len(rows) else rows
        turned = np.zeros_like(scaled)
        turned[:, inputs.symmetries.scaled_rows[exchange]] = scaled * inputs.symmetries.scaled_signs[exchange]
        scaled, targets = np.where(seconds[:, None], turned, scaled), np.where(seconds, -targets, targets)
    return rows.astype(np.int32), starts, np.ascontiguousarray(scaled, np.float32), targets.astype(np.float32)


def held_out_entropy(inputs: Inputs, samples: Samples, layers: Layers, turn_based: bool) -> float:
    """The mean cross entropy of positions that the layers were not fitted to."""
    rows, starts, scaled, targets = encoded(inputs, samples, turn_based)
    before = np.tile(layers.first_bias, (len(targets), 1))
    np.add.at(before, np.repeat(np.arange(len(targets)), np.diff(starts)), layers.first[rows])
    hidden = np.clip(before + scaled @ layers.scaled_first, 0, HIGHEST)
    lead = (
        np.clip(hidden @ layers.second + layers.second_bias, 0, HIGHEST) @ layers.last + layers.last_bias[0]
    )
    chance = np.clip(1.0 / (1.0 + np.exp(-2.0 * lead.astype(np.float64))), 1e-6, 1.0 - 1e-6)
    wanted = 0.5 + 0.5 * targets
    return float(-(wanted * np.log(chance) + (1.0 - wanted) * np.log(1.0 - chance)).mean())
