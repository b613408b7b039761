"""Fewer outcomes where chance has too many: a systematic sample, the same at every visit of a position."""

import numpy as np

from ...compiled import jit_inline, mix


@jit_inline
def sample_outcomes(outcomes, chances, count, wanted, key):
    """Keep at most `wanted` outcomes in the arrays, with new probabilities; returns how many.

    Systematic sampling (Madow 1949): `wanted` equidistant points from a random start on the line of cumulative
    probabilities. The expectation is not biased, and outcomes of about the same kind that stand together are
    represented by their share.
    """
    point = (mix(key) >> np.uint64(11)) / 9007199254740992.0 / wanted
    total, kept, drawn = 0.0, 0, 0
    for k in range(count):
        total += chances[k]
        hits = 0
        while drawn < wanted and (point < total or k == count - 1):
            hits += 1
            drawn += 1
            point += 1.0 / wanted
        if hits > 0:
            outcomes[kept] = outcomes[k]
            chances[kept] = hits / wanted
            kept += 1
    return kept
