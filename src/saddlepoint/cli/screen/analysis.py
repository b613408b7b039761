"""What a search says about the position on the screen, as text for the panel beside it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from ..._text import one_line, value_text
from ...algorithms.analysis import Alternatives, Counters, FoundDepth, StageValues
from ...game import CHANCE
from ...naming import step_in_words
from .analyst import Findings
from .board import owner_colour

if TYPE_CHECKING:
    from ...game import Game

_MOST_MOVES = 8
_MOST_STEPS = 12
_CELL = 7
"""Columns of a value in a matrix."""
_LEAST = 0.0005
"""Shares of a mixture below this are left out."""


def analysis_text(game: "Game", found: Findings | None, counters: Counters | None, width: int, plain: bool = False) -> Text:
    """The lines of the panel, each at most `width` columns wide; `counters` are those of the search under way."""
    writer = _Writer(game, width, plain)
    if found is None:
        return writer.text()
    if found.trouble:
        writer.line(found.trouble)
    elif found.known:
        for name, what in found.known:
            writer.line(f"{name:12} {what}")
    elif found.doing == "compiling":
        writer.line("compiling; the first time takes a while")
    elif found.alternatives is not None:
        writer.alternatives(found.state, found.alternatives)
    elif found.found is not None or counters is not None:
        writer.search(found.state, found.found, counters if found.doing else None)
    elif found.doing:
        writer.line("searching")
    else:
        writer.line("the game is over")
    return writer.text()


class _Writer:
    """The panel, line by line."""

    def __init__(self, game: "Game", width: int, plain: bool) -> None:
        self._game, self._width, self._plain = game, width, plain
        self._lines = [Text("analysis", "bold")]

    def text(self) -> Text:
        """All lines."""
        return Text("\n").join(self._lines)

    def line(self, text: str, style: str = "") -> None:
        """A line, which may be broken."""
        self._lines.append(Text(one_line(text).rstrip(), style))

    def search(self, state: object, found: FoundDepth | None, counters: Counters | None) -> None:
        """Value, depth, speed, both mixtures and the main line."""
        if found is not None:
            self._value(found.value)
        seen = counters or (found.counters if found is not None else None)
        if seen is not None:
            proven = ", proven" if found is not None and found.exact else ""
            depth = 0 if found is None else found.depth
            self.line(f"depth {depth}{proven}; {_count(seen.nodes)} nodes, {_count(seen.nodes_per_second)}/s")
        if found is None:
            return
        for player, mixture in enumerate(found.strategies):
            self._mixture(state, player, mixture)
        if found.line:
            self.line("main line", "bold")
            self.line(self._moves(state, found.line))

    def alternatives(self, state: object, found: Alternatives) -> None:
        """What each move, or each pair of moves, is worth."""
        if found.value is not None:
            self._value(found.value)
        self.line(f"depth {found.finished}; worth for player 0:")
        if isinstance(found, StageValues):
            self._matrix(state, found)
            return
        player = found.player
        sign = -1 if player == 1 else 1
        order = sorted(
            range(len(found.actions)), key=lambda k: (found.values[k] is None, -sign * (found.values[k] or 0.0))
        )[: 2 * _MOST_MOVES]  # fmt: skip
        names = [self._name(state, player, a) for a in found.actions]
        room = min(max(map(cell_len, names), default=0), self._width - _CELL - 9)
        for k in order:
            proven = " proven" if found.exact[k] else ""
            self.line(f" {set_cell_size(names[k], room)} {_worth(found.values[k])}{proven}", "" if player < 0 else owner_colour(player))
        if len(names) > len(order):
            self.line(f" and {len(names) - len(order)} more")

    def _matrix(self, state: object, found: StageValues) -> None:
        """The stage: rows are player 0's moves, columns player 1's, with both mixtures at the sides; likely moves first."""
        rows, columns = (
            sorted(range(len(actions)), key=lambda k: -shares[k])
            for actions, shares in zip(
                (found.rows, found.columns), found.mixtures or ((0.0,) * len(found.rows), (0.0,) * len(found.columns)), strict=True
            )
        )
        names0 = [self._name(state, 0, action) for action in found.rows]
        names1 = [self._name(state, 1, action) for action in found.columns]
        room = min(max(map(cell_len, names0)), 8)
        shown = columns[: max((self._width - room - 6) // _CELL, 1)]

        def share(player: int, k: int) -> str:
            return "" if found.mixtures is None else f"{100 * found.mixtures[player][k]:.0f}%"

        def across(texts: Sequence[str]) -> str:
            return " " * (room + 6) + "".join(set_cell_size(text, _CELL - 1).rjust(_CELL) for text in texts)

        self._lines.append(Text(across([names1[k].rjust(_CELL - 1) for k in shown]), owner_colour(1)))
        self._lines.append(Text(across([share(1, k).rjust(_CELL - 1) for k in shown]), owner_colour(1)))
        for i in rows[: 2 * _MOST_MOVES]:
            line = Text().append(f"{set_cell_size(names0[i], room)} {share(0, i):>4} ", owner_colour(0))
            for j in shown:
                line.append(_worth(found.values[i][j]))
            self._lines.append(line)
        left = len(columns) - len(shown), len(rows) - 2 * _MOST_MOVES
        if left[0] > 0 or left[1] > 0:
            self.line("less likely moves are left out")

    def _value(self, value: float) -> None:
        """The value, and where it lies between the worst and the best result for player 0."""
        low, high = float(self._game.min_utility), float(self._game.max_utility)
        share = (min(max(value, low), high) - low) / (high - low) if high > low else 0.5
        said = f"{_worth(value).strip()} "
        length = max(min(self._width - len(said), 24), 4)
        full = round(length * share)
        mine, theirs = ("#", ":") if self._plain else ("█", "▒")
        bar = Text().append(said, "bold").append(mine * full, owner_colour(0))
        self._lines.append(bar.append(theirs * (length - full), owner_colour(1)))

    def _mixture(self, state: object, player: int, mixture: dict[int, float]) -> None:
        chosen = sorted(((share, action) for action, share in mixture.items() if share >= _LEAST), key=lambda pair: -pair[0])
        if not chosen:
            return
        self.line(f"player {player}", f"bold {owner_colour(player)}")
        names = [self._name(state, player, action) for _, action in chosen[:_MOST_MOVES]]
        room = min(max(map(cell_len, names)), max(self._width // 2, 4))
        for (share, _), name in zip(chosen, names, strict=False):
            length = max(min(self._width - room - 8, 16), 0)
            bar = (("#", ":") if self._plain else ("█", "▒"))[player] * max(round(length * share), 1)
            line = Text().append(f" {set_cell_size(name, room)} {100 * share:3.0f}% ")
            self._lines.append(line.append(bar, owner_colour(player)))
        if len(chosen) > _MOST_MOVES:
            self.line(f" and {len(chosen) - _MOST_MOVES} more")

    def _moves(self, state: object, line: Sequence[tuple[int, int]]) -> str:
        said: list[str] = []
        for joint in line[:_MOST_STEPS]:
            said.append(one_line(step_in_words(self._game, state, joint)))
            state = self._game.advance(state, *joint)
        return " | ".join(said)

    def _name(self, state: object, player: int, action: int) -> str:
        game = self._game
        return one_line(game.outcome_to_string(state, action) if player == CHANCE else game.action_to_string(state, player, action))


def _worth(value: float | None) -> str:
    """A value in seven columns."""
    if value is None:
        return "?".rjust(_CELL)
    return value_text(value, f"+{_CELL}.3f" if abs(value) < 100 else f"+{_CELL}.3g")


def _count(number: float) -> str:
    for unit, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= unit:
            return f"{number / unit:.3g}{letter}"
    return f"{number:.0f}"
