"""What a search says about the position on the screen, as text for the panel beside it."""

from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from ..._text import one_line
from .analyst import Findings
from .board import owner_colour

if TYPE_CHECKING:
    from ...game import Game

_MOST_MOVES = 8
_MOST_STEPS = 12


def analysis_text(game: "Game", found: Findings | None, width: int, plain: bool = False) -> Text:
    """The lines of the panel, each at most `width` columns wide."""
    lines = [Text("analysis", "bold")]
    if found is None:
        return lines[0]
    if found.trouble:
        return Text("\n").join([*lines, Text(one_line(found.trouble))])
    if found.value is not None:
        lines.append(_value_bar(game, found.value, width, plain))
    if found.known:
        lines += [Text(set_cell_size(f"{one_line(name):12} {what}", width).rstrip()) for name, what in found.known]
        return Text("\n").join(lines)
    if found.doing == "compiling":
        lines.append(Text("compiling; the first time takes a while"))
    if found.depth:
        proven = ", proven" if found.exact else ""
        lines.append(Text(f"depth {found.depth}{proven}; {_count(found.nodes)} nodes, {_count(found.nodes_per_second)}/s"))
    elif found.doing == "searching":
        lines.append(Text("searching"))
    for player in (0, 1):
        lines += _mixture(game, found, player, width, plain)
    if found.line:
        lines.append(Text("main line", "bold"))
        lines.append(Text(_line(game, found)))
    return Text("\n").join(lines)


def _count(number: float) -> str:
    for unit, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= unit:
            return f"{number / unit:.3g}{letter}"
    return f"{number:.0f}"


def _value_bar(game: "Game", value: float, width: int, plain: bool) -> Text:
    """The value, and where it lies between the worst and the best result for player 0."""
    low, high = float(game.min_utility), float(game.max_utility)
    share = (min(max(value, low), high) - low) / (high - low) if high > low else 0.5
    said = f"{value + 0.0:+.3f} "
    length = max(min(width - len(said), 24), 4)
    full = round(length * share)
    mine, theirs = ("#", ".") if plain else ("█", "▒")
    bar = Text(said, "bold")
    return bar.append(mine * full, owner_colour(0)).append(theirs * (length - full), owner_colour(1))


def _mixture(game: "Game", found: Findings, player: int, width: int, plain: bool) -> list[Text]:
    chosen = sorted(((share, action) for action, share in found.strategies[player].items() if share >= 0.0005), reverse=True)
    if not chosen:
        return []
    lines = [Text(f"player {player}", f"bold {owner_colour(player)}")]
    names = [one_line(game.action_to_string(found.state, player, action)) for _, action in chosen[:_MOST_MOVES]]
    room = min(max(map(cell_len, names)), max(width // 2, 4))
    for (share, _), name in zip(chosen, names, strict=False):
        length = max(min(width - room - 8, 16), 0)
        bar = ("#" if plain else ("█", "▒")[player]) * max(round(length * share), 1)
        lines.append(Text(f" {set_cell_size(name, room)} {100 * share:3.0f}% ").append(bar, owner_colour(player)))
    if len(chosen) > _MOST_MOVES:
        lines.append(Text(f" and {len(chosen) - _MOST_MOVES} more"))
    return lines


def _line(game: "Game", found: Findings) -> str:
    state, said = found.state, []
    for joint in found.line[:_MOST_STEPS]:
        act = game.players_to_act(state)
        names = [one_line(game.action_to_string(state, player, joint[player])) for player in act]
        said.append(" ".join(names) or f"chance {joint[0]}")
        state = game.advance(state, *joint)
    return " | ".join(said)
