"""Stepping through a game that was played."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..console.terminal import ask, both_are_terminals, print, print_page
from .opening import has_screen, only_ascii
from .pages import Page

if TYPE_CHECKING:
    from ..play.finished_game import FinishedGame
    from ..play.turns import Turns


def step_through(
    played: "FinishedGame", pages: Sequence[Page], players: Sequence[str], plain: bool = False, ascii_only: bool = False
) -> None:
    """Let a person at a terminal step through the positions, on a screen of its own unless `plain`.

    Elsewhere they are printed one after the other.
    """
    game = played.game
    if has_screen(plain):
        from .screen.replay import step_on_screen

        step_on_screen(game, pages, players, plain=only_ascii(ascii_only), played=played)
    else:
        _show_pages([page.text(game) for page in pages], played.turns)


def _show_pages(pages: list[str], turns: "Turns") -> None:
    """Enter for the next, b for the one before, the number of a turn to go there, q to quit."""
    if not both_are_terminals():
        print("\n\n".join(pages))
        return
    at = 0
    while True:
        print_page(pages[at])
        try:
            word = ask("\nEnter next, b back, a number, q quit: ").lower()
        except EOFError:
            return
        if word == "q" or (not word and at == len(pages) - 1):
            return
        target = turns.nearest(int(word)) if word.isdecimal() else at - 1 if word == "b" else at + 1
        at = min(max(target, 0), len(pages) - 1)
