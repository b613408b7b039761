"""What the screens of `play` and `show` have in common: the board, the panel beside or below it, the analysis, leaving."""

import asyncio
import signal
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.widgets import Static

from ..._text import one_line, printable
from ...picture import Cell, Move, Picture, continued
from .analysis import analysis_text
from .analyst import Analyst
from .board import Drawing, draw, draw_numbers

if TYPE_CHECKING:
    from textual import events

    from ...game import Game

_ENDING = ("SIGTERM", "SIGHUP")
_PANEL = 30
"""Columns that the panel needs beside a board."""
_PANEL_BELOW = 8
"""Lines that it has below one."""
_LOOK = 0.25
"""Seconds between two looks at the counters of a search."""


class GameApp(App[None]):
    """A screen with one position on it; a subclass says which, and what its keys do."""

    CSS = """
    Screen { layout: vertical; background: ansi_default; color: ansi_default; }
    #title { height: 1; text-style: reverse; }
    #middle { height: 1fr; }
    #middle.beside { layout: horizontal; }
    #middle.below { layout: vertical; }
    #field, #panel { background: ansi_default; color: ansi_default; scrollbar-size: 1 1; overflow-x: auto; }
    #board { width: auto; height: auto; padding: 0 1; }
    #side { width: 1fr; height: auto; padding: 0 1; }
    .beside > #panel { width: 1fr; height: 100%; }
    .beside > #field { height: 100%; }
    .below > #field { width: 100%; height: 1fr; }
    .below > #panel { width: 100%; }
    #said { height: auto; max-height: 3; padding: 0 1; text-style: bold; }
    #keys { height: 1; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True, system=True),
        Binding("ctrl+q", "interrupt", show=False, priority=True, system=True),
        *(Binding(key, f"key({key!r})", show=False, priority=True) for key in ("tab", "shift+tab")),
    ]
    ENABLE_COMMAND_PALETTE = False

    help = ""
    """What the keys do, line by line."""

    def __init__(
        self, game: "Game", *, plain: bool = False, quiet: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> None:
        super().__init__(ansi_color=True)  # the terminal's own background, light or dark
        self.game, self.plain = game, plain
        self.interrupted = False
        self._helping = self._analysing = self._weighing = False
        self._pictures: list[tuple[Any, Picture]] = []
        self._analyst = Analyst(game, self.wake, quiet)
        self._running_loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        """Run until somebody leaves. A signal that ends the program does what it did before, once the terminal is as it was."""
        caught: list[Callable[[], object]] = []
        before = {one: signal.getsignal(one) for one in (getattr(signal, name, None) for name in _ENDING) if one is not None}

        def leave(number: int, frame: FrameType | None) -> None:
            handler = before[signal.Signals(number)]
            assert callable(handler)
            if self._running_loop is None:  # there is no screen yet
                handler(number, frame)
                return
            caught.append(partial(handler, number, frame))
            self._running_loop.call_soon_threadsafe(self.action_interrupt)

        for one, handler in before.items():
            if callable(handler):
                signal.signal(one, leave)
        try:
            self.run()
        finally:
            for one, handler in before.items():
                if callable(handler):
                    signal.signal(one, handler)
        for ended in caught[:1]:
            ended()

    # -- what a subclass tells -----------------------------------------------------------------------------------

    def title_text(self) -> str:
        """The first line."""
        raise NotImplementedError

    def states(self) -> Sequence[Any]:
        """The positions of the game so far."""
        raise NotImplementedError

    def at(self) -> int:
        """Which of them is shown."""
        raise NotImplementedError

    def said(self) -> str:
        """What is told below the board."""
        raise NotImplementedError

    def keys(self) -> str:
        """The last line: the keys there are now."""
        raise NotImplementedError

    def chosen(self) -> Move | None:
        """The move that would be played."""
        return None

    def targets(self) -> frozenset[Cell]:
        """The cells of the moves that may be played."""
        return frozenset()

    def panel(self, width: int) -> list[Text]:
        """What stands in the panel above the numbers and the analysis."""
        return []

    def pressed(self, key: str) -> None:
        """A key was pressed: a character, or its name."""
        raise NotImplementedError

    # -- the screen ----------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        field = VerticalScroll(Static(id="board", markup=False), id="field")
        panel = VerticalScroll(Static(id="side", markup=False), id="panel")
        field.can_focus = panel.can_focus = False  # their keys are the game's
        yield Static(id="title", markup=False)
        yield Container(field, panel, id="middle")
        yield Static(id="said", markup=False)
        yield Static(id="keys", markup=False)

    def wake(self) -> None:
        """Draw again soon; from any thread."""
        if self._running_loop is not None:
            with suppress(RuntimeError):  # the screen was closed meanwhile
                self._running_loop.call_soon_threadsafe(partial(self.call_later, self.draw_all))

    def on_mount(self) -> None:
        self._running_loop = asyncio.get_running_loop()
        self.set_interval(_LOOK, self._draw_counters)
        self.draw_all()

    def on_resize(self) -> None:
        self.draw_all()

    def on_unmount(self) -> None:
        self._analyst.close(0.0)

    def on_key(self, event: "events.Key") -> None:
        event.stop()
        event.prevent_default()
        self.action_key(event.character if event.is_printable and event.character and event.key != "space" else event.key)

    def action_key(self, key: str) -> None:
        """A key; while the help is shown any key ends it."""
        if self._helping:
            self._helping = False
        elif key == "?":
            self._helping = True
        else:
            self.pressed(key)
        self.draw_all()

    def action_interrupt(self) -> None:
        """Leave at once."""
        self.interrupted = True
        self.exit()

    def toggle_analysis(self) -> None:
        """Show the analysis, or end it."""
        self._analysing = not self._analysing

    def toggle_values(self) -> None:
        """Show what each move is worth, or the mixtures and the main line again."""
        self._weighing = not (self._analysing and self._weighing)
        self._analysing = True

    def _draw_counters(self) -> None:
        if self._analysing and self._analyst.counters() is not None:
            self.draw_all()

    def _shown(self) -> tuple[Sequence[Any], int]:
        """The positions so far, and which of them is shown: a game that is played may have more, or fewer, the next moment."""
        states = self.states()
        return states, min(self.at(), len(states) - 1)

    def picture(self) -> Picture:
        """That of the position shown, with the trails that lead there."""
        states, at = self._shown()
        same = next((k for k, (known, _) in enumerate(self._pictures) if k > at or states[k] is not known), len(self._pictures))
        del self._pictures[same:]
        for state in states[len(self._pictures) : at + 1]:
            now = self.game.picture(state)
            self._pictures.append((state, continued(self._pictures[-1][1], now) if self._pictures else now))
        return self._pictures[at][1]

    def draw_all(self) -> None:
        """Draw everything as it is now."""
        if self._running_loop is None or not self.query("#keys"):  # not yet, or no more
            return
        states, at = self._shown()
        self._analyst.look(states[at] if self._analysing else None, self._weighing)
        title = f" {one_line(self.title_text())}".ljust(self.size.width)
        for place, text in (("#title", title), ("#keys", one_line(self.keys()))):
            self.query_one(place, Static).update(Text(text, no_wrap=True, overflow="ellipsis"))
        self.query_one("#said", Static).update(Text(printable(self.said())))
        drawing, beside = self._drawing()
        middle, field, panel = self.query_one("#middle"), self.query_one("#field"), self.query_one("#panel")
        middle.set_classes("beside" if beside else "below")
        field.styles.width = drawing.width + 3 if beside else "100%"
        panel.display = not self._helping
        panel.styles.height = "100%" if beside else _PANEL_BELOW if self._analysing else "auto"
        panel.styles.max_height = "100%" if beside else _PANEL_BELOW
        self.query_one("#board", Static).update(Text(self.help) if self._helping else drawing.text)
        width = (self.size.width - drawing.width - 6) if beside else self.size.width - 3
        self.query_one("#side", Static).update(self._side(max(width, 10)))
        self._follow(drawing, field)

    def _drawing(self) -> tuple[Drawing, bool]:
        """The board, as wide as there is room for, and whether the panel fits beside it."""
        picture, width = self.picture(), self.size.width
        options: dict[str, Any] = {"plain": self.plain, "chosen": self.chosen(), "targets": self.targets()}
        beside = draw(picture, columns=width - _PANEL - 3, **options)
        if self._helping or beside.width <= width - _PANEL - 3:
            return beside, not self._helping
        return draw(picture, columns=width - 3, **options), False

    def _side(self, width: int) -> Text:
        parts = self.panel(width)
        if numbers := self.picture().numbers:
            parts.append(draw_numbers(numbers, width, plain=self.plain))
        if self._analysing:
            parts.append(analysis_text(self.game, self._analyst.findings, self._analyst.counters(), width, self.plain))
        return Text("\n\n").join(part for part in parts if part.plain)

    def _follow(self, drawing: Drawing, field: Any) -> None:
        """Where the board is larger than its place, show the part where something happens."""
        picture = self.picture()
        heads = [trail.cells[-1] for trail in picture.trails if trail.head and trail.cells]
        last = [(mark.x, mark.y) for mark in picture.marks if mark.kind == "last"]
        chosen = self.chosen()
        cell = (chosen.to if chosen is not None else None) or next(iter([*heads, *last]), None)
        if cell is None or not drawing.cell_width or self._helping:
            return
        x, y = drawing.place(cell)
        field.scroll_to(max(x - field.size.width // 2, 0), max(y - field.size.height // 2, 0), animate=False)
