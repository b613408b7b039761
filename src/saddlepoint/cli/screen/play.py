"""The screen of `play`: a person plays, or watches."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import OptionList

from ...game.base import CHANCE, Game, GameError
from ...game.picture import Move
from ...play.game import OnStep, OnUndo
from ...play.record import YOU, GameRecord, outcome_words, reasons
from ...players.base import Player
from ...players.human import HumanPlayer, Left, action_meant
from ...system.text import error_line, one_line
from . import LEAVING, GameApp, View, said_moves
from .live import LiveGame, PersonsTurn, SeatedPlayer

_DELAYS = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_ARROWS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
_HELP = """\
arrows        go over the board, or down the list; where moves
              are directions they are played at once
Tab           the next move: the others of this cell, those without one
Enter         play the move; a click on a move of the list does, too
a name        or its first letters, then Enter, plays it too;
              begin with / if its first letter is a key here
u             take your last move back
h             ask the computer for a move
a             analysis on, off: value, mixtures, main line
v             what each move is worth, or each pair of moves
space         where nobody plays from here: pause, and go on
left, right   then, and after the game: one position back, on
+ -           longer, shorter waits between moves
q             leave; Ctrl-C leaves at once

Player 0 is drawn filled{capital}, player 1 hollow or dotted{small}.
Any key ends this."""


class PlayApp(GameApp):
    """The screen of a game that is being played; it asks the people who play."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(key, f"arrow({key!r})", "move", show=key == "right", key_display="arrows")
            for key in _ARROWS
        ),
        *(
            Binding(key, f"next_move({by})", show=False, priority=True)
            for key, by in (("tab", 1), ("shift+tab", -1))
        ),
        Binding("enter", "enter", show=False),
        Binding("home", "look(0)", show=False),
        Binding("end", "look(1000000)", show=False),
        Binding("u", "answer('undo')", "undo"),
        Binding("h", "answer('hint')", "hint"),
        Binding("space", "pause", "pause"),
        Binding("plus,equals_sign", "delay(1)", "wait", key_display="+ -"),
        Binding("minus", "delay(-1)", show=False),
    ]

    def __init__(self, live: LiveGame, names: Sequence[str], people: bool, *, plain: bool = False) -> None:
        super().__init__(live.game, names, plain=plain, quiet=live.held)
        self.live, self._people = live, people
        self.help_text = _HELP.format(capital=" (capital letters)" * plain, small=" (small letters)" * plain)
        live.wake = self.wake
        self._at: int | None = None
        """The position looked at, where that is not the last one."""
        self._question: PersonsTurn | None = None
        self._choices: list[Move] = []
        """The moves of the person who is asked: those of a cell are side by side, those without one come last."""
        self._error = ""

    # -- what is shown -------------------------------------------------------------------------------------------

    def view(self) -> View:
        seen = list(self.live.seen)  # the game goes on meanwhile
        states = [one.state for one in seen]
        at = len(seen) - 1 if self._at is None else min(self._at, len(seen) - 1)
        drawn, is_listed = seen[at].drawn, self.moves.display
        return View(
            states,
            at,
            self._note_on(states),
            self.live.is_over,
            seen[at].names or (None, None),
            self._chosen(),
            frozenset(move.to for move in self._choices if move.to is not None and is_listed),
            [Text(f"chance: {one_line(drawn)}")] if drawn else [],
            [one.drawn or said_moves(one.names or ()) for one in seen[1:]],
        )

    def _note_on(self, states: list[Any]) -> str:
        live, question = self.live, self._question
        if live.record is not None:
            person = self.names.index("human") if self.names.count("human") == 1 else None
            names = [YOU if player == person else f"Player {player}" for player in (0, 1)]
            why = " ".join(reasons(self.game, states, names))
            return f"{outcome_words(self.game, live.record, person)}\n{why}".rstrip()
        if question is None:
            return "paused" if live.paused else live.said or self._whose_turn(states[-1])
        both = sum(name == "human" for name in self.names) == 2
        text = f"player {question.player}, your move" if both else "your move"
        if both and len(self.game.players_to_act(question.state)) == 2:
            text += " (the other one looks away)"
        if (move := self._chosen()) is not None:
            text += f": {move.piece.title + ', ' if move.piece and move.piece.title else ''}{move.name}"
        return f"{text}\n{self._error or live.said}".rstrip()

    def _whose_turn(self, state: Any) -> str:
        if self.game.current_player(state) == CHANCE:
            return "chance"
        thinking = [f"{self.names[player]} ({player})" for player in self.game.players_to_act(state)]
        return f"to move: {' and '.join(thinking)}" if thinking else ""

    def _chosen(self) -> Move | None:
        at = self.moves.highlighted
        return None if at is None or not self.moves.display else self._choices[at]

    def draw_all(self) -> None:
        if self.live.error is not None:
            self.exit()
        if self.live.question is not self._question:
            self._ask(self.live.question)
        super().draw_all()

    def _ask(self, question: PersonsTurn | None) -> None:
        """Take up a question, or the end of one."""
        self._question, self._error, self._choices = question, "", []
        self.action_close_input()
        if question is not None:
            self._at = None
            self._choices = sorted(
                [one for one in self.game.picture(question.state).moves if one.player == question.player],
                key=lambda one: (one.to is None, (one.to or (0, 0))[::-1]),
            )
        self._directions = {one.arrow: one.action for one in self._choices}
        if not all(self._directions):
            self._directions = {}
        self.moves.clear_options()
        self.moves.add_options([Text(one_line(one.name)) for one in self._choices])
        self.moves.display = bool(self._choices) and not self._directions
        self.moves.highlighted = middle(self._choices) if self._choices else None

    # -- keys ----------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key has a use now; keys without one are not shown."""
        asked, watching = self._question is not None, not self._people and not self.live.is_over
        return {"answer": asked, "next_move": asked, "pause": watching, "delay": watching}.get(action, True)

    def on_other_key(self, event: events.Key) -> None:
        """Open the input of a move's name with any other character.

        / opens it for names that begin with a key.
        """
        if self._question is not None and event.is_printable and event.key not in self.active_bindings:
            self.open_input("" if event.character == "/" else event.character or "")
            event.prevent_default()

    def action_leave(self) -> None:
        if self.live.is_over:
            self.exit()
        else:
            self.prompt = LEAVING
            self.draw_all()

    def action_arrow(self, key: str) -> None:
        if self._question is None or self._at is not None:
            if key in ("left", "right"):
                self.action_look(self.view().at + _ARROWS[key][0])
        elif self._directions:
            if key in self._directions:
                self.live.answer(self._directions[key])
        elif self._choices:
            self.moves.highlighted = neighbour(self._choices, self.moves.highlighted or 0, key)
            self.draw_all()

    def action_next_move(self, by: int) -> None:
        if self.moves.display:
            self.moves.highlighted = ((self.moves.highlighted or 0) + by) % len(self._choices)
            self.draw_all()

    def action_enter(self) -> None:
        if (move := self._chosen()) is not None:
            self.live.answer(move.action)
        elif self.live.is_over:
            self.exit()

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        self.live.answer(self._choices[message.option_index].action)

    def action_answer(self, word: str) -> None:
        self.live.answer(word)

    def submitted(self, text: str) -> None:
        question = self._question
        if question is None or not text:
            return
        try:
            self.live.answer(action_meant(self.game, question.state, question.player, text))
        except GameError as error:
            if text in ("undo", "hint"):
                self.live.answer(text)
            elif text in ("quit", "exit"):
                self.action_leave()
            elif text == "help":
                self.action_help()
            else:
                self._error = error_line(error)

    def action_look(self, at: int) -> None:
        """Show an earlier position.

        Without people it pauses the game, and makes a step beyond the last position.
        """
        last = len(self.live.seen) - 1
        if not self._people and not self.live.is_over and at != 1000000:
            self.live.pause(True)
            if at > last:
                self.live.single_step()
        self._at = max(at, 0) if at < last else None
        self.draw_all()

    def action_pause(self) -> None:
        self._at = None
        self.live.pause(not self.live.paused)
        self.draw_all()

    def action_delay(self, by: int) -> None:
        self.live.wait_between(stepped(_DELAYS, self.live.delay, by))
        self.live.say(f"{self.live.delay:g} s between moves")


def stepped(among: Sequence[float], now: float, by: int) -> float:
    """The next higher or lower of these numbers."""
    return (
        next((one for one in among if one > now), among[-1])
        if by > 0
        else next((one for one in reversed(among) if one < now), among[0])
    )


def middle(moves: Sequence[Move]) -> int:
    """The index of the move nearest to the middle of the cells: no key is far from it. Moves without a cell come last."""
    cells = [move.to for move in moves if move.to is not None]
    x, y = (sum(cell[k] for cell in cells) / max(len(cells), 1) for k in (0, 1))
    return min(range(len(cells)), key=lambda k: (cells[k][0] - x) ** 2 + (cells[k][1] - y) ** 2, default=0)


def neighbour(moves: Sequence[Move], at: int, arrow: str) -> int:
    """The index of the move of the nearest cell that way; without cells the next or previous one of the list."""
    here, (dx, dy) = moves[at].to, _ARROWS[arrow]
    if here is None:
        return (at + (dy or dx)) % len(moves)
    found: list[tuple[int, int]] = []
    for k, move in enumerate(moves):
        if move.to is None:
            continue
        x, y = move.to[0] - here[0], move.to[1] - here[1]
        along, aside = x * dx + y * dy, abs(x * dy) + abs(y * dx)
        if along > 0:  # what lies straight ahead comes before what lies nearer and aside
            found.append((along + 3 * aside, k))
    if not found and dy > 0:  # below the board is the list
        return next((k for k, move in enumerate(moves) if move.to is None), at)
    return min(found)[1] if found else at


def play_on_screen(
    game: Game,
    start: Any,
    names: Sequence[str],
    players: Sequence[Player],
    play: Callable[[list[Player], OnStep, OnUndo | None], GameRecord],
    on_step: OnStep,
    on_undo: OnUndo | None,
    *,
    delay: float = 0.0,
    plain: bool = False,
) -> GameRecord:
    """Play a game on the screen, by `play(players, on_step, on_undo)` in a thread of its own.

    `on_step` and `on_undo` (None: nothing may be taken back) are called, too. Raises Left where the person left,
    KeyboardInterrupt at Ctrl-C, and what the game raised.
    """
    live = LiveGame(game, start, delay)
    seated = [SeatedPlayer(player, live) if isinstance(player, HumanPlayer) else player for player in players]

    def stepped_on(after: Any, joint: tuple[int, int]) -> None:
        on_step(after, joint)
        live.on_step(after, joint)

    def undone(back: Any, steps: int) -> None:
        if on_undo is not None:
            on_undo(back, steps)
        live.on_undo(back, steps)

    app = PlayApp(live, names, any(isinstance(player, SeatedPlayer) for player in seated), plain=plain)
    live.start(lambda: play(seated, stepped_on, undone if on_undo else None), players)
    try:
        app.open()
    finally:
        live.leave()
    if live.record is not None:
        return live.record
    if app.interrupted:
        raise KeyboardInterrupt
    raise live.error or Left
