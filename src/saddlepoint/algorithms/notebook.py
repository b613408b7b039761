"""What a notebook shows of a result: the value, the board, both mixtures, the stage's matrix, the principal variation; in HTML.

Names come from the game, which may be anybody's: every text is escaped.
"""

from collections.abc import Sequence
from html import escape
from typing import Any

from ..game import CHANCE, Game
from ..naming import step_in_words

Mixtures = tuple[dict[int, float], dict[int, float]]
_LINE_STEPS = 12
_COLOURS = ("#2f6fb7", "#d0711c")
_SIDE_BY_SIDE = "display:flex;gap:1.5em;align-items:flex-start;flex-wrap:wrap"


def result_html(result: Any, game: Game, state: Any) -> str:
    """A search's result (`SearchResult`) for the position that was searched."""
    low, high = result.bounds
    proven = "proven" if result.exact else f"an estimate; proven: {low:.4g} to {high:.4g}"
    spent = f"depth {result.depth}, {result.statistics.nodes:,} nodes in {result.seconds:.2f} s"
    line = _variation(game, state, result.principal_variation)
    return (
        f"<div><p><b>Value {result.value:.4g}</b> for player 0 ({proven}), {spent}</p>"
        f'<div style="{_SIDE_BY_SIDE}">{game.picture(state).to_svg()}'
        f"{_mixtures(game, state, result.strategies)}</div>{f'<p>Principal variation: {line}</p>' if line else ''}</div>"
    )


def stage_html(value: float, strategies: Mixtures, matrix: Sequence[Sequence[float]], root: tuple[Game, Any] | None) -> str:
    """A solved position: the values after each joint action, with each action's probability at the edges, and the board.

    matrix: shape (actions of player 0, actions of player 1), in the order of the strategies; in a position of chance its outcomes.
    """
    names = [[_name(root, player, action) for action in mixture] for player, mixture in enumerate(strategies)]
    rows, columns = ([*mixture.values()] for mixture in strategies)
    outcomes = [] if root is None else root[0].chance_outcomes(root[1])
    caption = "Rows: player 0, columns: player 1"
    if root is not None and outcomes:
        names = [[escape(root[0].outcome_to_string(root[1], outcome)) for outcome, _ in outcomes], [""]]
        rows, caption = [share for _, share in outcomes], "Rows: what chance does"
    # A row or a column that nobody chooses has no name.
    width = max(map(len, matrix), default=0)
    head = "".join(f"<th>{name}</th>" for name in [*names[1], *[""] * (width - len(names[1]))])
    body = ""
    for row, numbers in enumerate(matrix):
        values = "".join(f"<td>{number:.4g}</td>" for number in numbers)
        body += f"<tr><th>{names[0][row] if names[0] else ''}</th>{values}{_share(rows, row, 0)}</tr>"
    foot = "".join(_share(columns, column, 1) for column in range(width))
    board = "" if root is None else root[0].picture(root[1]).to_svg()
    return (
        f'<div><p><b>Value {value:.4g}</b> for player 0</p><div style="{_SIDE_BY_SIDE}">{board}'
        f'<table style="font-variant-numeric:tabular-nums"><caption>{caption}</caption>'
        f"<tr><th></th>{head}<th></th></tr>{body}<tr><th></th>{foot}<td></td></tr></table></div></div>"
    )


def _name(root: tuple[Game, Any] | None, player: int, action: int) -> str:
    return str(action) if root is None else escape(root[0].action_to_string(root[1], player, action))


def _share(mixture: list[float], place: int, player: int) -> str:
    if place >= len(mixture):
        return "<td></td>"
    return f'<td style="color:{_COLOURS[player]}"><b>{mixture[place]:.1%}</b></td>'


def _mixtures(game: Game, state: Any, strategies: Mixtures) -> str:
    tables = ""
    for player, mixture in enumerate(strategies):
        if not mixture:
            continue
        rows = "".join(
            f"<tr><td>{escape(game.action_to_string(state, player, action))}</td><td>{share:.1%}</td>"
            f'<td style="min-width:8em"><div style="height:.8em;width:{share:.1%};background:{_COLOURS[player]}"></div></td></tr>'
            for action, share in sorted(mixture.items(), key=lambda item: -item[1])
        )
        tables += f"<table><tr><th colspan=3>Player {player}</th></tr>{rows}</table>"
    return tables


def _variation(game: Game, state: Any, joints: Sequence[tuple[int, int]]) -> str:
    """The line by name; of a game that was searched without its chance, as far as it fits the game itself."""
    texts: list[str] = []
    for joint in joints[:_LINE_STEPS]:
        if game.current_player(state) == CHANCE and joint[0] < 0:
            break
        texts.append(escape(step_in_words(game, state, joint)))
        state = game.advance(state, *joint)
    return " | ".join(texts) + (" ..." if len(joints) > _LINE_STEPS else "")
