"""The screens of `play` and `show`: a game on a whole terminal, drawn by textual, which is loaded when a screen opens.

Here is their base: the board, the panel beside or below it, the analysis, leaving.
"""

import signal
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from types import FrameType
from typing import Any, ClassVar, NamedTuple

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Column, Table
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.geometry import Region
from textual.widgets import Footer, Input, OptionList, Static

from ...game.base import Game
from ...game.picture import Cell, Move, Picture, continued
from ...game.words import title_of
from ...play.record import Turns
from ...system.text import one_line, printable
from .analysis import Analyst, analysis_lines, value_bar
from .board import Drawing, draw, number_table, owner_colour

_PANEL = 30
"""Columns that the panel needs beside a board."""
LEAVING = "leave the game, which then has no result? q leaves, any other key goes on"
_LARGE = (110, 36)
"""Columns and lines from which a screen has room for large cells, the moves so far, the rules and the keys."""
_BESIDE = 84
"""Columns of a panel from which the rules stand beside the rest."""
_BAR, _KEY, _MOST_LISTED = 30, 14, 60
"""Columns of the bar of the value and of a key in the help, and moves that are listed."""
_INTERVAL = 0.25
"""Seconds between two drawings of the counters of a search."""


class View(NamedTuple):
    states: Sequence[Any]
    """The positions of the game so far."""
    at: int
    """The index of the position shown."""
    note: str
    """The text below the board."""
    is_over: bool = True
    """Whether these are all positions of the game."""
    moves: Sequence[str | None] = (None, None)
    """Both players' moves before the position shown."""
    chosen: Move | None = None
    """The move that would be played."""
    targets: frozenset[Cell] = frozenset()
    """The cells of the moves that may be played."""
    panel: Sequence[RenderableType] = ()
    """The panel's part above the numbers and the analysis."""
    history: Sequence[str] = ()
    """The moves that led to each position after the first, in words."""


class GameApp(App[None]):
    """A screen with one position on it; a subclass says which, and what its keys do."""

    CSS = """
    Screen, OptionList, Input, Footer, FooterKey, VerticalScroll { background: ansi_default; color: ansi_default; }
    #title { height: 1; text-style: reverse; }
    #middle { height: 1fr; layout: horizontal; }
    #middle.below { layout: vertical; }
    VerticalScroll { scrollbar-size: 1 1; overflow-x: auto; padding: 0 1; height: 100%; }
    #field { width: auto; }
    #board { width: auto; height: auto; }
    #panel { width: 1fr; }
    #side { height: auto; }
    .below > #field { width: 100%; height: 1fr; }
    .below > #panel { width: 100%; height: auto; max-height: 8; }
    OptionList, OptionList:focus { height: auto; max-height: 9; border: none; padding: 0; }
    #note { height: auto; max-height: 3; padding: 0 1; text-style: bold; }
    Input, Input:focus { height: 1; border: none; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "interrupt", show=False, priority=True, system=True),
        Binding("escape", "close_input", show=False),
        Binding("a", "analyse(False)", "analysis"),
        Binding("v", "analyse(True)", "values"),
        Binding("q", "leave", "leave"),
        Binding("question_mark", "help", "help", key_display="?"),
    ]
    AUTO_FOCUS = None
    ENABLE_COMMAND_PALETTE = False

    help_text = ""
    """The help on keys, line by line."""

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        *,
        plain: bool = False,
        quiet: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        super().__init__(ansi_color=True)  # the terminal's own background, light or dark
        self.game, self.names, self.plain = game, names, plain
        self.interrupted = False
        self.prompt = ""
        """A text that is shown in place of the board until a key is pressed."""
        self.analyst = Analyst(game, self.wake, quiet)
        self.analysed: bool | None = None
        """Whether the analysis is of each move; None where there is none."""
        self._pictures: list[tuple[Any, Picture]] = []
        self._ended_by: int | None = None
        self._title, self._note = Static(id="title", markup=False), Static(id="note", markup=False)
        self._board, self._side = Static(id="board", markup=False), Static(id="side", markup=False)
        self.moves = OptionList()
        self._input = Input(select_on_focus=False)
        self.moves.can_focus = False  # its keys are the game's
        self.moves.display = self._input.display = False

    def open(self) -> None:
        """Run until somebody leaves. A signal that ends the program does what it did before, once the terminal is as it was."""
        ending = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
        before = {one: handler for one in ending if callable(handler := signal.getsignal(one))}

        def end(number: int, frame: FrameType | None) -> None:
            self._ended_by = number
            if self.is_running:
                self.call_later(self.action_interrupt)
            else:  # there is no screen yet
                before[number](number, frame)

        for number in before:
            signal.signal(number, end)
        try:
            self.run()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        if self._ended_by is not None:
            signal.raise_signal(self._ended_by)

    def view(self) -> View:
        raise NotImplementedError

    def on_other_key(self, event: events.Key) -> None:
        """A key was pressed, before its binding is looked up."""

    def submitted(self, text: str) -> None:
        """A text was typed and ended by Enter."""

    # -- keys ----------------------------------------------------------------------------------------------------

    def action_interrupt(self) -> None:
        self.interrupted = True
        self.exit()

    def action_leave(self) -> None:
        self.exit()

    def action_help(self) -> None:
        self.prompt = self.help_text
        self.draw_all()

    def on_key(self, event: events.Key) -> None:
        """Any key ends a prompt, and does nothing else; q at the question whether to leave leaves."""
        if not self.prompt:
            self.on_other_key(event)
            return
        event.prevent_default()
        if self.prompt == LEAVING and event.key == "q":
            self.exit()
        self.prompt = ""
        self.draw_all()

    def action_analyse(self, values: bool) -> None:
        self.analysed = None if self.analysed is values or (self.analysed and not values) else values
        self.draw_all()

    def open_input(self, text: str) -> None:
        """Let the user type a line that begins with this text."""
        self._input.display = True
        self._input.value, self._input.cursor_position = text, len(text)
        self._input.focus()

    def action_close_input(self) -> None:
        self._input.display = False
        self.set_focus(None)

    def on_input_submitted(self, message: Input.Submitted) -> None:
        self.action_close_input()
        self.submitted(message.value.strip())
        self.draw_all()

    # -- drawing -------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        field = VerticalScroll(self._board, id="field")
        panel = VerticalScroll(self.moves, self._side, id="panel")
        field.can_focus = panel.can_focus = False
        footer = Footer(show_command_palette=False)
        footer.compact = True
        yield from (self._title, Container(field, panel, id="middle"), self._note, self._input, footer)

    def wake(self) -> None:
        """Draw again soon; from any thread."""
        if self.is_running:
            with suppress(RuntimeError):  # the screen was closed meanwhile
                self.call_later(self.draw_all)

    def on_mount(self) -> None:
        self.set_interval(_INTERVAL, self._draw_counters)
        self.draw_all()

    def on_resize(self) -> None:
        self.draw_all()

    def on_unmount(self) -> None:
        self.analyst.show(None)

    def _draw_counters(self) -> None:
        if self.analyst.is_searching:
            self._draw_side()

    def picture(self, view: View) -> Picture:
        """The picture of the position shown, with the trails that lead there."""
        kept = zip(self._pictures, view.states[: view.at + 1], strict=False)
        same = next((k for k, ((known, _), state) in enumerate(kept) if state is not known), view.at + 1)
        del self._pictures[same:]
        for state in view.states[len(self._pictures) : view.at + 1]:
            now = self.game.picture(state)
            self._pictures.append((state, continued(self._pictures[-1][1], now) if self._pictures else now))
        return self._pictures[view.at][1]

    def draw_all(self) -> None:
        if not self._note.is_mounted:
            return
        view = self.view()
        turns = Turns(self.game, view.states)
        is_last = view.at == turns.steps and not view.is_over
        where = f"after {turns.counted()}" if is_last else turns.after(view.at)
        title = f" {title_of(type(self.game))}   {self.names[0]} (0) against {self.names[1]} (1)   {where}"
        self._title.update(Text(one_line(title).ljust(self.size.width), no_wrap=True, overflow="crop"))
        self._note.update(Text(printable(view.note)))
        picture, room = self.picture(view), self.size.width - _PANEL - 3
        marks: dict[str, Any] = {"plain": self.plain, "chosen": view.chosen, "targets": view.targets}
        drawing = draw(picture, columns=room, **marks)
        is_below = drawing.width > room
        if is_below:
            drawing = draw(picture, columns=self.size.width - 3, **marks)
        if self._is_large and drawing.cell_width:
            large = draw(picture, scale=2, **marks)
            drawing = large if large.width <= room and large.height <= self.size.height - 6 else drawing
        self._board.update(Text(self.prompt) if self.prompt else drawing.text)
        self.default_screen.query_one("#middle").set_class(is_below, "below")
        self.analyst.show(None if self.analysed is None else view.states[view.at], bool(self.analysed))
        self._draw_side()
        self._follow(picture, drawing, view.chosen)
        self.refresh_bindings()

    @property
    def _is_large(self) -> bool:
        return self.size.width >= _LARGE[0] and self.size.height >= _LARGE[1]

    def _further(self) -> list[RenderableType]:
        """The rules and the keys, beside all else on a large screen."""
        keys = Table.grid(padding=(0, 2, 0, 0))
        for line in self.help_text.replace("\n" + " " * _KEY, " ").partition("\n\n")[0].splitlines():
            keys.add_row(line[:_KEY].strip(), line[_KEY:])
        told = {"rules": Text("\n".join(map(one_line, self.game.how_to_play))), "keys": keys}
        return [Group(Text(name, "bold"), what) for name, what in told.items() if what]

    def _moves(self, view: View) -> RenderableType:
        """The moves so far, the last ones of a long game."""
        turns = Turns(self.game, view.states)
        listed = [
            Text(f"{turns.number(step)} {words}", "reverse" if step + 1 == view.at else "", no_wrap=True)
            for step, words in enumerate(view.history)
        ]
        return Group(Text("moves", "bold"), Columns(listed[-_MOST_LISTED:], padding=(0, 2)))

    def _draw_side(self) -> None:
        view = self.view()
        players = [
            Text(f"{player} {one_line(name)}", owner_colour(player)).append(
                f"   {one_line(move)}" if move else "", "bold"
            )
            for player, (name, move) in enumerate(zip(self.names, view.moves, strict=True))
        ]
        parts: list[RenderableType] = [Text("\n").join(players), *view.panel]
        if numbers := self.picture(view).numbers:
            parts.append(number_table(numbers, plain=self.plain))
        if self.analysed is not None:
            parts.append(
                Group(
                    *analysis_lines(
                        self.game, self.analyst.found, max(self._side.size.width, _PANEL - 2), self.plain
                    )
                )
            )
        if self._is_large:
            found = "" if self.analysed is None else self.analyst.found
            bar = value_bar(self.game, found, _BAR, self.plain)
            parts += [*([bar] if bar else []), *([self._moves(view)] if view.history else [])]
            further = self._further()
            if self._side.size.width >= _BESIDE:
                beside = Table.grid(Column(ratio=1), Column(ratio=1), padding=(0, 3, 0, 0), expand=True)
                beside.add_row(_spaced(parts), _spaced(further))
                parts, further = list[RenderableType]([beside]), list[RenderableType]()
            parts += further
        self._side.update(_spaced(parts))

    def _follow(self, picture: Picture, drawing: Drawing, chosen: Move | None) -> None:
        """Show the part of a large board where something happens."""
        heads = [trail.cells[-1] for trail in picture.trails if trail.head and trail.cells]
        last = [(mark.x, mark.y) for mark in picture.marks if mark.kind == "last"]
        cell = (chosen.to if chosen else None) or next(iter([*heads, *last]), None)
        if cell is not None and drawing.cell_width:
            field: Any = self._board.parent
            field.scroll_to_region(Region(*drawing.place(cell), 1, 1), center=True, animate=False)


def _spaced(parts: Sequence[RenderableType]) -> Group:
    """Parts with an empty line after each."""
    return Group(*(line for part in parts for line in (part, "")))


def said_moves(names: Sequence[str | None]) -> str:
    """The moves of a step, player 0's first."""
    return " / ".join(one_line(name) for name in names if name)
