"""The screen of `show`: a game that was played, step by step."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text
from textual.timer import Timer

from ..._text import one_line
from ...play.turns import Turns
from ...titles import title_of
from .app import GameApp
from .board import owner_colour
from .play import stepped
from .reviewer import Reviewed, Reviewer

if TYPE_CHECKING:
    from ...game import Game
    from ...play.finished_game import FinishedGame
    from ..pages import Page

_DELAYS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_HELP = """\
right, left   the next position, the one before; Enter and b too
PgDn, PgUp    ten turns on, back
Home, End     the start, the end
a number      and Enter: go to after so many turns
space         play it, and stop
+ -           slower, quicker
a             analysis on, off: value, mixtures, main line
v             what each move is worth, or each pair of moves
r             the review of the game: who lost it, where; ends it too
m             to the next moment that mattered
q             leave; Ctrl-C leaves at once

Player 0 is drawn filled{capital}, player 1 hollow or dotted{small}.
Any key ends this."""
_JUMP = 10


class ReplayApp(GameApp):
    """Steps through positions that are all known."""

    def __init__(
        self, game: "Game", pages: "Sequence[Page]", players: Sequence[str], *, plain: bool = False, played: "FinishedGame | None" = None
    ) -> None:
        super().__init__(game, plain=plain)
        self.help = _HELP.format(capital=" (capital letters)" * plain, small=" (small letters)" * plain)
        self._pages, self._players = pages, players
        self._states = [page.state for page in pages]
        self._turns = Turns(game, self._states)
        self._at = 0
        self._typed = ""
        self._delay = 0.5
        self._timer: Timer | None = None
        self._reviewer = None if played is None else Reviewer(played, self.wake)
        self._reviewing = False

    def states(self) -> Sequence[Any]:
        return self._states

    def at(self) -> int:
        return self._at

    def title_text(self) -> str:
        a, b = self._players
        return f"{title_of(type(self.game))}   {a} (0) against {b} (1)   {self._turns.after(self._at)}"

    def said(self) -> str:
        if self._typed:
            return f"go to {self._turns.word} {self._typed}_"
        page = self._pages[self._at]
        return "\n".join(part for part in (page.said, page.after) if part)

    def keys(self) -> str:
        space = "space stop" if self._timer is not None else "space play"
        review = "" if self._reviewer is None else "   r review" + "   m moments" * (self._reviewing and bool(self._reviewer.found.moments))
        return f"arrows step   {space}   + - {self._delay:g} s   a v analysis{review}   q leave   ? help"

    def panel(self, width: int) -> list[Text]:
        lines = [Text(f"{player} {one_line(name)}", owner_colour(player)) for player, name in enumerate(self._players)]
        parts = [Text("\n").join(lines)]
        if self._reviewer is not None and self._reviewing:
            parts.append(self._review(self._reviewer.found))
        return parts

    def _review(self, found: Reviewed) -> Text:
        lines = [Text("review", "bold")]
        lines += [Text(one_line(line)) for line in filter(None, [found.doing, *found.says])]
        for step, words in found.moments:
            lines.append(Text(f"{'>' if step == self._at else '-'} {one_line(words)}"))
        return Text("\n").join(lines)

    def pressed(self, key: str) -> None:
        last = len(self._pages) - 1
        if len(key) == 1 and key.isdecimal() and key.isascii():
            self._typed = (self._typed + key)[:9]
            return
        if self._typed and key in ("enter", "backspace", "escape"):
            if key == "enter":
                self._go(self._turns.nearest(int(self._typed)))
            self._typed = self._typed[:-1] if key == "backspace" else ""
            return
        self._typed = ""
        ways = {
            "right": self._at + 1, "enter": self._at + 1, "n": self._at + 1, "left": self._at - 1, "b": self._at - 1,
            "pagedown": self._turned(_JUMP), "pageup": min(self._turned(-_JUMP), self._at), "home": 0, "end": last,
        }  # fmt: skip
        if key in ways:
            self._play(False)
            self._go(ways[key])
        elif key == "space":
            if self._timer is None and self._at == last:
                self._go(0)
            self._play(self._timer is None)
        elif key in ("+", "=", "-"):
            self._delay = stepped(_DELAYS, self._delay, -1 if key == "-" else 1)
            if self._timer is not None:
                self._play(True)
        elif key == "a":
            self.toggle_analysis()
        elif key == "v":
            self.toggle_values()
        elif key == "r" and self._reviewer is not None:
            self._reviewing = not self._reviewing
            if self._reviewing:
                self._reviewer.start()
            else:
                self._reviewer.stop()
        elif key == "m" and self._reviewer is not None and self._reviewing:
            self._to_moment([step for step, _ in self._reviewer.found.moments])
        elif key == "q":
            self.exit()

    def _to_moment(self, steps: Sequence[int]) -> None:
        if steps:
            self._play(False)
            self._go(next((step for step in steps if step > self._at), steps[0]))

    def on_unmount(self) -> None:
        if self._reviewer is not None:
            self._reviewer.stop()  # the screen's own handler is called too

    def _turned(self, turns: int) -> int:
        return self._turns.nearest(self._turns.done(self._at) + turns)

    def _go(self, to: int) -> None:
        self._at = min(max(to, 0), len(self._pages) - 1)

    def _play(self, on: bool) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_interval(self._delay, self._on) if on else None

    def _on(self) -> None:
        self._go(self._at + 1)
        if self._at == len(self._pages) - 1:
            self._play(False)
        self.draw_all()


def step_on_screen(
    game: "Game", pages: "Sequence[Page]", players: Sequence[str], *, plain: bool = False, played: "FinishedGame | None" = None
) -> None:
    """Let a person step through the game, and have it reviewed where it is given whole; raises KeyboardInterrupt at Ctrl-C."""
    app = ReplayApp(game, pages, players, plain=plain, played=played)
    app.open()
    if app.interrupted:
        raise KeyboardInterrupt
