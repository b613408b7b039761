"""Games to step through inside the page: the positions as lines of text, each as what changes from the one before."""

from dataclasses import dataclass
from typing import Any

from ...game import Game
from ..ledger import Entry
from ..replaying import narrated
from .markup import DASH, Markup, clean, clipped, element, embedded_json, joined

_MOST_STEPS = 2000
UNFOLLOWABLE = (ValueError, LookupError, TypeError, OverflowError)
"""What a position or move that somebody else wrote may raise; GameError and LedgerError are ValueErrors."""


@dataclass(frozen=True)
class Replay:
    """A game as pictures of its positions in text."""

    entry: Entry
    boards: tuple[tuple[str, ...], ...]
    """Lines of every position, the opening first; none where the game cannot be followed."""
    moves: tuple[str, ...]
    """What led to each position but the first."""
    problem: str = ""
    """Why it cannot be followed (to its end)."""


def follow(game: Game | None, entry: Entry) -> Replay:
    """The positions of a game; a ledger whose moves do not fit the rules gives as many as there are, and says so."""
    if game is None:
        return Replay(entry, (), (), "this game's rules are not at hand")
    boards: list[tuple[str, ...]] = []
    moves: list[str] = []
    problem = ""
    try:
        boards.append(_lines(game.render(game.from_text(entry.played.job.opening))))
        for said, state in narrated(game, entry.played):
            if len(moves) == _MOST_STEPS:
                problem = f"only the first {_MOST_STEPS} steps are kept here"
                break
            moves.append(clipped(said))
            boards.append(_lines(game.render(state)))
    except UNFOLLOWABLE as error:
        problem = (str(error) or type(error).__name__).splitlines()[0]
    return Replay(entry, tuple(boards), tuple(moves), problem)


def _lines(picture: str) -> tuple[str, ...]:
    return tuple(clean(line) for line in picture.split("\n"))


def changes(boards: tuple[tuple[str, ...], ...]) -> list[list[Any]]:
    """For each position its number of lines and those that differ from the position before, by their numbers."""
    found: list[list[Any]] = []
    before: tuple[str, ...] = ()
    for board in boards:
        new = {str(n): line for n, line in enumerate(board) if n >= len(before) or before[n] != line}
        found.append([len(board), new])
        before = board
    return found


def replay_id(number: int) -> str:
    """The anchor of a game's replay."""
    return f"game-{number}"


def result_of(points: float) -> Markup:
    """Both players' points, player 0's given."""
    return element("span", f"{points:g}{DASH}{1 - points:g}", class_="result")


def replay_html(replay: Replay) -> Markup:
    """A game that the page's script steps through; without scripts it shows the last position and all moves."""
    played = replay.entry.played
    a, b = (clipped(spec, 120) for spec in played.job.players)
    parts: list[Markup] = [
        element(
            "summary", element("b", f"Game {replay.entry.id}"), " ", element("bdi", a), " (0) against ", element("bdi", b),
            " (1): ", result_of(played.points),
        )
    ]  # fmt: skip
    if replay.boards:
        buttons = [
            element("button", sign, type="button", data_go=go, aria_label=label, title=label)
            for sign, go, label in (
                ("|<", "first", "First position"), ("<", "back", "One step back"), ("Play", "play", "Play or pause"),
                (">", "next", "One step on"), (">|", "last", "Last position"),
            )
        ]  # fmt: skip
        slider = Markup(f'<input type="range" min="0" max="{len(replay.boards) - 1}" value="0" aria-label="Step">')
        parts += [
            element("div", *buttons, slider, class_="controls", hidden=True),
            element("p", f"after step {len(replay.moves)} of {len(replay.moves)}", class_="said", aria_live="polite"),
            element("pre", "\n".join(replay.boards[-1]), class_="board", tabindex="0", aria_label="Position"),
            element("script", embedded_json(changes(replay.boards)), type="application/json"),
        ]
    parts.append(element("p", clipped(played.reason), class_="reason"))
    if replay.problem:
        parts.append(element("p", "Replay: ", clipped(replay.problem), class_="note"))
    if replay.moves:
        moves = element("ol", *(element("li", move) for move in replay.moves), class_="moves")
        parts.append(element("details", element("summary", f"All {len(replay.moves)} steps"), moves))
    return element("details", joined(*parts), class_="replay", id=replay_id(replay.entry.id))
