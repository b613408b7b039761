"""Random matrix games of many kinds, for tests and benchmarks. Degenerate kinds are the normal case in
play."""

import numpy as np


def _uniform(rng, m, n):
    return rng.uniform(size=(m, n))


def _normal(rng, m, n):
    return rng.normal(size=(m, n))


def _win_draw_loss(rng, m, n):
    return rng.integers(-1, 2, size=(m, n)).astype(float)


def _small_integers(rng, m, n):
    return rng.integers(-5, 6, size=(m, n)).astype(float)


def _plus_minus_256(rng, m, n):
    return 256.0 * rng.choice([-1.0, 1.0], size=(m, n))


def _sparse(rng, m, n):
    return rng.integers(-3, 4, size=(m, n)) * (rng.uniform(size=(m, n)) < 0.2)


def _constant(rng, m, n):
    return np.full((m, n), rng.choice([0.0, 1.0, -3.5, 0.1]))


def _duplicates(rng, m, n):
    base = rng.integers(-3, 4, size=((m + 1) // 2, (n + 1) // 2)).astype(float)
    return base[rng.integers(0, len(base), m)][:, rng.integers(0, base.shape[1], n)]


def _near_duplicates(rng, m, n):
    return _duplicates(rng, m, n) + 1e-9 * rng.integers(-2, 3, size=(m, n))


def _hair_apart(rng, m, n):
    return _win_draw_loss(rng, m, n) + 10.0 ** rng.uniform(-15, -6) * rng.normal(size=(m, n))


def _rank_one(rng, m, n):
    return np.outer(rng.normal(size=m), rng.normal(size=n))


def _low_rank(rng, m, n):
    return rng.normal(size=(m, 2)) @ rng.normal(size=(2, n))


def _skew_symmetric(rng, m, n):
    base = rng.integers(-4, 5, size=(max(m, n), max(m, n))).astype(float)
    return (base - base.T)[:m, :n]


def _huge_and_tiny(rng, m, n):
    return rng.choice([-1.0, 1.0], size=(m, n)) * 10.0 ** rng.uniform(-9, 9, size=(m, n))


def _offset(rng, m, n):
    return 1e6 + rng.normal(size=(m, n))


def _diagonal(rng, m, n):
    matrix = np.zeros((m, n))
    np.fill_diagonal(matrix, 10.0 ** rng.uniform(-4, 4, size=min(m, n)))
    return matrix


def _bids(rng, m, n):
    """A bidding game: the higher bid wins a prize and pays, equal bids share."""
    prize = rng.integers(1, 10)
    row, column = np.arange(m)[:, None], np.arange(n)[None, :]
    return np.sign(row - column) * float(prize) - row + column


def _smooth(rng, m, n):
    """Neighbouring actions almost alike, so that bases are badly conditioned."""
    row, column = np.arange(m)[:, None] / m, np.arange(n)[None, :] / n
    return np.exp(-rng.uniform(0.5, 4) * (row - column + rng.uniform(-0.3, 0.3)) ** 2)


KINDS = {
    "uniform": _uniform,
    "normal": _normal,
    "win, draw, loss": _win_draw_loss,
    "integers -5..5": _small_integers,
    "±256": _plus_minus_256,
    "sparse integers": _sparse,
    "constant": _constant,
    "duplicate actions": _duplicates,
    "duplicates ± 1e-9": _near_duplicates,
    "ties broken by a hair": _hair_apart,
    "rank 1": _rank_one,
    "rank 2": _low_rank,
    "skew-symmetric": _skew_symmetric,
    "1e-9 to 1e9": _huge_and_tiny,
    "offset 1e6": _offset,
    "diagonal": _diagonal,
    "bidding": _bids,
    "smooth": _smooth,
}


def draw(rng, kind, largest):
    """Draw one matrix of the kind; each side has 1 to `largest` actions, few more often than many."""
    m, n = np.minimum(1 + (largest * rng.beta(1.0, 2.5, size=2)).astype(int), largest)
    return np.ascontiguousarray(KINDS[kind](rng, m, n), dtype=np.float64)
