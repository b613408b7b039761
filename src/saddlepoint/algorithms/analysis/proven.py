"""What a proof leaves of the values of alternatives that were searched less deep than it."""

from dataclasses import replace

from .alternatives import Alternatives, StageValues
from .live import FoundDepth


def as_proven(found: Alternatives, proof: FoundDepth) -> Alternatives:
    """These alternatives with the value, the strategies and the line of a search that proved the position's value.

    Beside a proven value nothing is left that was only estimated: an alternative keeps its value where that is proven itself,
    and the one that both strategies choose for certain has the position's. All others are None.
    """
    assert proof.exact
    if isinstance(found, StageValues):
        x, y = proof.strategies
        mixtures = tuple(x.get(a, 0.0) for a in found.rows), tuple(y.get(b, 0.0) for b in found.columns)
        cells = tuple(
            tuple(
                proof.value if mixtures[0][i] * mixtures[1][j] == 1.0 else value if found.exact[i][j] else None
                for j, value in enumerate(row)
            ) for i, row in enumerate(found.values)
        )  # fmt: skip
        exact = tuple(tuple(value is not None for value in row) for row in cells)
        return replace(found, value=proof.value, values=cells, exact=exact, mixtures=mixtures, line=proof.line)
    chosen = proof.strategies[found.player] if found.player in (0, 1) else {}
    values = tuple(
        proof.value if chosen.get(action) == 1.0 else value if known else None
        for action, value, known in zip(found.actions, found.values, found.exact, strict=True)
    )  # fmt: skip
    return replace(found, value=proof.value, values=values, exact=tuple(value is not None for value in values), line=proof.line)


