"""The screen of `show`: a game that was played, step by step."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.timer import Timer

from ...play.replay import FinishedGame
from ...system.text import one_line
from . import GameApp, View, said_moves
from .analysis import Reviewed, Task, review_task
from .play import stepped

_DELAYS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_HELP = """\
right, left   the next position, the one before; Enter and b too
PgDn, PgUp    ten turns on, back
Home, End     the start, the end
a number      and Enter: go to the position after that turn
space         play it, and stop
+ -           slower, quicker
a             analysis on, off: value, mixtures, main line
v             what each move is worth, or each pair of moves
r             the review of the game: who lost it, where; ends it too
m             to the next moment that mattered
q             leave; Ctrl-C leaves at once

Player 0 is drawn filled{capital}, player 1 hollow or dotted{small}.
Any key ends this."""


class ReplayApp(GameApp):
    """Steps through positions that are all known; `notes` are the texts of each."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,enter,n", "step(1)", "step", key_display="arrows"),
        Binding("left,b", "step(-1)", show=False),
        Binding("pagedown", "turns(10)", show=False),
        Binding("pageup", "turns(-10)", show=False),
        Binding("home", "go(0)", show=False),
        Binding("end", "go(1000000)", show=False),
        Binding("space", "play(True)", "play"),
        Binding("space", "play(False)", "stop"),
        Binding("plus,equals_sign", "delay(1)", show=False),
        Binding("minus", "delay(-1)", show=False),
        Binding("r", "review", "review"),
        Binding("m", "moment", "moments"),
    ]

    def __init__(
        self, played: FinishedGame, notes: Sequence[tuple[str, str]], *, plain: bool = False
    ) -> None:
        super().__init__(played.game, played.players, plain=plain)
        self.help_text = _HELP.format(capital=" (capital letters)" * plain, small=" (small letters)" * plain)
        self._played, self._notes = played, notes
        self._history = [
            played.outcome(step) or said_moves([played.move(step, player) for player in (0, 1)])
            for step in range(len(played.actions))
        ]
        self._at = 0
        self._delay = 0.5
        self._timer: Timer | None = None
        self._review: Task | None = None
        self._reviewing = False

    def view(self) -> View:
        return View(
            self._played.states,
            self._at,
            "\n".join(filter(None, self._notes[self._at])),
            panel=[Text(f"{self._delay:g} s a step"), *self._review_lines()],
            history=self._history,
        )

    def _review_lines(self) -> list[Text]:
        if self._review is None or not self._reviewing:
            return []
        found: Reviewed | str = self._review.found
        if isinstance(found, str):
            return [Text(found)]
        lines = [Text("review", "bold"), *map(Text, map(one_line, filter(None, [found.doing, *found.says])))]
        lines += [Text(f"{'>' if at == self._at else '-'} {one_line(words)}") for at, words in found.moments]
        return [Text("\n").join(lines)]

    # -- keys ----------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key has a use now; keys without one are not shown."""
        return {"play": parameters == (self._timer is None,), "moment": bool(self._moments())}.get(
            action, True
        )

    def on_other_key(self, event: events.Key) -> None:
        """Digits are the number of a turn."""
        if event.character and event.character in "0123456789":
            self.open_input(event.character)
            event.prevent_default()

    def submitted(self, text: str) -> None:
        if text.isdecimal():
            self.action_go(self._played.turns.nearest(int(text[:9])))

    def action_go(self, to: int) -> None:
        self.action_play(False)
        self._show(to)

    def _show(self, at: int) -> None:
        self._at = min(max(at, 0), len(self._notes) - 1)
        self.draw_all()

    def action_step(self, by: int) -> None:
        self.action_go(self._at + by)

    def action_turns(self, by: int) -> None:
        turns = self._played.turns
        to = turns.nearest(turns.done(self._at) + by)
        self.action_go(to if by > 0 else min(to, self._at))

    def action_play(self, on: bool) -> None:
        if self._timer is not None:
            self._timer.stop()
        if on and self._at == len(self._notes) - 1:
            self._at = 0
        self._timer = self.set_interval(self._delay, self._next) if on else None
        self.draw_all()

    def _next(self) -> None:
        self._show(self._at + 1)
        if self._at == len(self._notes) - 1:
            self.action_play(False)

    def action_delay(self, by: int) -> None:
        self._delay = stepped(_DELAYS, self._delay, by)
        if self._timer is not None:
            self.action_play(True)
        self.draw_all()

    def action_review(self) -> None:
        self._reviewing = not self._reviewing
        if self._reviewing and self._review is None:
            self._review = review_task(self._played, self.wake)
        elif not self._reviewing:
            self._stop_review()
        self.draw_all()

    def _stop_review(self) -> None:
        """End a review that is not finished; the next one begins anew."""
        if self._review is not None and isinstance(self._review.found, Reviewed) and self._review.found.doing:
            self._review.token.stop()
            self._review = None

    def _moments(self) -> list[int]:
        """The positions of the moments that mattered, where they are shown."""
        found = self._review.found if self._review is not None and self._reviewing else None
        return [at for at, _ in found.moments] if isinstance(found, Reviewed) else []

    def action_moment(self) -> None:
        steps = self._moments()
        self.action_go(next((step for step in steps if step > self._at), steps[0]))

    def on_unmount(self) -> None:
        self._stop_review()  # the handler of the base class is called, too


def step_on_screen(played: FinishedGame, notes: Sequence[tuple[str, str]], *, plain: bool = False) -> None:
    """Let a person step through the game, and have it reviewed; raises KeyboardInterrupt at Ctrl-C."""
    app = ReplayApp(played, notes, plain=plain)
    app.open()
    if app.interrupted:
        raise KeyboardInterrupt
