"""The screen of `play`: a person plays, or watches."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from ..._text import error_line, one_line, value_text
from ...game import CHANCE, GameError
from ...picture import Cell, Move
from ...play.endings import reasons
from ...play.turns import Turns
from ...players.human import HumanPlayer, Left, action_meant
from ...titles import title_of
from .app import GameApp
from .board import owner_colour
from .choosing import Choosing
from .live import LiveGame, PersonsTurn, SeatedPlayer

if TYPE_CHECKING:
    from ...game import Game
    from ...play.game import OnStep, OnUndo
    from ...play.record import GameRecord
    from ...players.base import Player

_DELAYS = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_ARROWS = ("up", "right", "down", "left")
_HELP = """\
arrows        go over the board, or down the list; where moves
              are directions they are played at once
Tab           the next move: the others of this cell, those without one
Enter         play the move
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
    """Shows a game that is being played, and asks the people who play."""

    def __init__(self, live: LiveGame, names: Sequence[str], people: bool, *, plain: bool = False) -> None:
        super().__init__(live.game, plain=plain, quiet=live.held)
        self.live, self._names, self._people = live, names, people
        self.help = _HELP.format(capital=" (capital letters)" * plain, small=" (small letters)" * plain)
        live.wake = self.wake
        self._at: int | None = None
        """The position looked at, where that is not the last one."""
        self._question: PersonsTurn | None = None
        self._choosing = Choosing(())
        self._typed = self._trouble = ""
        self._asked_to_leave = False

    # -- what is shown -------------------------------------------------------------------------------------------

    def states(self) -> Sequence[Any]:
        return [one.state for one in self.live.seen]

    def at(self) -> int:
        last = len(self.live.seen) - 1
        return last if self._at is None else min(self._at, last)

    def title_text(self) -> str:
        at, last = self.at(), len(self.live.seen) - 1
        turns = Turns(self.game, self.states())
        where = f"after {turns.counted()}" if at == last else turns.after(at)
        return f"{title_of(type(self.game))}   {self._names[0]} (0) against {self._names[1]} (1)   {where}"

    def said(self) -> str:
        live, question = self.live, self._question
        if self._asked_to_leave:
            return "leave the game, which then has no result? q leaves, any other key goes on"
        if live.record is not None:
            why = " ".join(reasons(self.game, self.states(), ("player 0", "player 1")))
            return "\n".join(filter(None, [f"result {value_text(live.record.result, 'g')} for player 0: {live.record.reason}", why]))
        if self._typed:
            return f"your move: {self._typed.removeprefix('/')}_"
        if question is None:
            return "paused" if live.paused else live.said or self._whose_turn()
        move = self._choosing.move
        both = sum(name == "human" for name in self._names) == 2
        told = f"player {question.player}, your move" if both else "your move"
        if both and len(self.game.players_to_act(question.state)) == 2:
            told += " (the other one looks away)"
        if move is not None and not self._choosing.arrows:
            told += f": {move.piece.title + ', ' if move.piece and move.piece.title else ''}{move.name}"
        more = self._trouble or live.said
        return f"{told}\n{more}" if more else told

    def _whose_turn(self) -> str:
        state = self.live.seen[-1].state
        thinking = " and ".join(f"{self._names[player]} ({player})" for player in self.game.players_to_act(state))
        return f"to move: {thinking}" if thinking else "chance" if self.game.current_player(state) == CHANCE else ""

    def keys(self) -> str:
        if self.live.is_over:
            return "left right step through it   a v analysis   q leave"
        if self._question is None:
            watching = "" if self._people else "space pause   right step   + - wait   "
            return watching + "a v analysis   q leave   ? help"
        ways = "arrows move" if self._choosing.arrows else "arrows, Enter play"
        return f"{ways}   u undo   h hint   a v analysis   q leave   ? help"

    def chosen(self) -> Move | None:
        return None if self._choosing.arrows or self._question is None else self._choosing.move

    def targets(self) -> frozenset[Cell]:
        if self._question is None or self._choosing.arrows:
            return frozenset()
        return frozenset(move.to for move in self._choosing.moves if move.to is not None)

    def panel(self, width: int) -> list[Text]:
        seen = self.live.seen[self.at()]
        names = seen.names or (None, None)
        players = [
            Text(f"{player} {one_line(name)}", owner_colour(player)).append(f"   {one_line(move)}" if move else "", "bold")
            for player, (name, move) in enumerate(zip(self._names, names, strict=True))
        ]
        drawn = [Text(f"chance: {one_line(seen.drawn)}")] if seen.drawn else []
        return [Text("\n").join(players + drawn), self._list()]

    def _list(self) -> Text:
        """The moves, where the board alone does not tell them apart, around the one that would be played."""
        moves = self._choosing.moves
        if self._question is None or self._choosing.arrows or not moves:
            return Text()
        cell = self._choosing.cell
        here = [k for k, move in enumerate(moves) if move.to == cell]
        if cell is not None and len(here) == 1:
            return Text()
        place = here.index(self._choosing.at)
        first = min(max(place - 4, 0), max(len(here) - 9, 0))
        lines = [
            Text(f"{'>' if k == self._choosing.at else ' '} {one_line(moves[k].name)}", "bold reverse" if k == self._choosing.at else "")
            for k in here[first : first + 9]
        ]
        return Text("\n").join([Text(f"moves, {place + 1} of {len(here)}", "bold"), *lines])

    # -- what keys do --------------------------------------------------------------------------------------------

    def draw_all(self) -> None:
        question = self.live.question
        if question is not self._question:
            self._question = question
            moves = () if question is None else self.game.picture(question.state).moves
            self._choosing = Choosing([move for move in moves if question is not None and move.player == question.player])
            self._typed = self._trouble = ""
            if question is not None:
                self._at = None
        if self.live.error is not None:
            self.exit()
        super().draw_all()

    def pressed(self, key: str) -> None:
        if self._asked_to_leave:
            self._asked_to_leave = False
            if key == "q":
                self.exit()
            return
        self._trouble = ""
        if self._typed:
            self._type(key)
        elif key == "q":
            self._leave()
        elif key == "a":
            self.toggle_analysis()
        elif key == "v":
            self.toggle_values()
        elif self._question is not None and self._at is None:
            self._choose(key)
        else:
            self._look(key)

    def _leave(self) -> None:
        if self.live.is_over:
            self.exit()
        self._asked_to_leave = not self.live.is_over

    def _choose(self, key: str) -> None:
        choosing = self._choosing
        if key in choosing.arrows:
            self._play(choosing.arrows[key].action)
        elif key in _ARROWS:
            if not choosing.arrows:
                choosing.go(key)
        elif key in ("tab", "shift+tab"):
            choosing.next(1 if key == "tab" else -1)
        elif key == "enter":
            if choosing.move is not None and not choosing.arrows:
                self._play(choosing.move.action)
        elif key in ("u", "h"):
            self._ask({"u": "undo", "h": "hint"}[key])
        elif len(key) == 1:
            self._typed = key

    def _type(self, key: str) -> None:
        if key == "enter":
            self._obey(self._typed.removeprefix("/").strip())
        elif key == "escape":
            self._typed = ""
        elif key == "backspace":
            self._typed = self._typed[:-1]
        elif len(key) == 1 or key == "space":
            self._typed += " " if key == "space" else key

    def _obey(self, word: str) -> None:
        """What was typed: a move, or a word that has a key too."""
        self._typed = ""
        question = self._question
        if question is None:
            return
        try:
            self._play(action_meant(self.game, question.state, question.player, word))
        except GameError as error:
            if word in ("undo", "hint"):
                self._ask(word)
            elif word in ("quit", "exit"):
                self._leave()
            elif word == "help":
                self._helping = True
            else:
                self._trouble = error_line(error)

    def _play(self, action: int) -> None:
        self._ask(action)

    def _ask(self, what: int | str) -> None:
        """Hand the answer on; the next question is another one, even of the same position."""
        self.live.answer(what)

    def _look(self, key: str) -> None:
        """Keys of who watches, or goes through a game that is over."""
        live, last = self.live, len(self.live.seen) - 1
        if key == "left":
            if not live.is_over and not self._people:
                live.pause(True)
            self._at = max(self.at() - 1, 0)
        elif key == "right" and self.at() < last:
            self._at = self.at() + 1 if self.at() + 1 < last else None
        elif key in ("home", "end"):
            self._at = 0 if key == "home" and (live.is_over or live.paused) else None
        elif live.is_over:
            if key == "enter":
                self.exit()
        elif self._people:
            return
        elif key == "space":
            self._at = None
            live.pause(not live.paused)
        elif key == "right":
            live.pause(True)
            live.single_step()
        elif key in ("+", "=", "-"):
            live.wait_between(stepped(_DELAYS, live.delay, -1 if key == "-" else 1))
            live.say(f"{live.delay:g} s between moves")


def stepped(among: Sequence[float], now: float, by: int) -> float:
    """The next higher or lower of these numbers."""
    if by > 0:
        return next((one for one in among if one > now), among[-1])
    return next((one for one in reversed(among) if one < now), among[0])


def play_on_screen(
    game: "Game", start: Any, names: Sequence[str], players: "Sequence[Player]",
    play: "Callable[[list[Player], OnStep, OnUndo | None], GameRecord]", on_step: "OnStep", on_undo: "OnUndo | None",
    *, delay: float = 0.0, plain: bool = False,
) -> "GameRecord":  # fmt: skip
    """Play a game on the screen, by `play(players, on_step, on_undo)` in a thread of its own.

    `on_step` and `on_undo` (None: nothing may be taken back) are told of the game too. Raises Left where the person left,
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
