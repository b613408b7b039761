"""What a proof leaves of the values of alternatives that were searched less deep than it."""

from dataclasses import replace

from .alternatives import Alternatives, Line, StageValues
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
        return replace(found, value=proof.value, values=cells, exact=exact, mixtures=mixtures, line=proof.line, lines=_lines(found, proof))
    chosen = proof.strategies[found.player] if found.player in (0, 1) else {}
    values = tuple(
        proof.value if chosen.get(action) == 1.0 else value if known else None
        for action, value, known in zip(found.actions, found.values, found.exact, strict=True)
    )  # fmt: skip
    known = tuple(value is not None for value in values)
    return replace(found, value=proof.value, values=values, exact=known, line=proof.line, lines=_lines(found, proof))


def _lines(found: Alternatives, proof: FoundDepth) -> tuple[Line, ...]:
    """The lines beside a proof: what a player's strategy plays is worth what the position is, any other move no more than that to it."""
    told: list[Line] = []
    for one in found.lines:
        joints = proof.line if proof.line and one.joints[0] == proof.line[0] else one.joints
        if proof.strategies[one.player].get(one.action, 0.0) > 0:
            told.append(one._replace(value=proof.value, exact=True, joints=joints))
        elif one.exact and not isinstance(found, StageValues):
            told.append(one)
        else:
            told.append(one._replace(value=proof.value, exact=False, bound="lower" if one.player else "upper", joints=joints))
    for player in (0, 1):
        best = max(proof.strategies[player], key=lambda action: proof.strategies[player][action], default=None)
        if found.lines and best is not None and proof.line and not any((one.player, one.action) == (player, best) for one in told):
            told.append(Line(player, best, proof.value, True, proof.line))
    return tuple(sorted(told, key=lambda one: (one.player, -proof.strategies[one.player].get(one.action, 0.0))))


