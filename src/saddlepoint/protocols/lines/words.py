"""The words of the library's own line protocol, version 1; docs/protocol.md describes it."""

import math
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote

from ..._text import words_in
from ...compiled.words import words_of_state
from ...game import Game
from ...own_games import Finder
from ...players.base import MoveStatistics, next_choice
from ...players.clock import ENDLESS, Clock
from ...spec import parse_spec, spec_of

VERSION = 1
WANTS_WORDS = ["wants", "words"]
"""What a bot writes before it is ready, to be told positions and actions as numbers, too."""

_NO_WORD = re.compile(r"[%\s\x00-\x1f\x7f]")
_MOST_DIGITS = 18  # what everybody can keep in 64 bits


def verb_of(line: str) -> tuple[str, str]:
    """The first word of a line, which says what it is, and the rest of it."""
    verb, rest, *_ = *words_in(line, 2), "", ""
    return verb, rest


def word_of(name: str) -> str:
    """A move's name as one word: blanks and control characters, and `%`, are written %XX."""
    return _NO_WORD.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), name)


def name_of(word: str) -> str:
    """The name that a word stands for."""
    return unquote(word) if "%" in word else word


def game_lines(game: Game, player: int, seed: int | None) -> list[str]:
    """What begins a game: who plays what, and from which seed."""
    return [f"game {spec_of(game)}", f"seat {player}", f"seed {'none' if seed is None else seed}", "begin"]


def game_from_text(text: str, find: Finder) -> Game:
    """The game that a spec describes, which `find` finds by its name; raises SpecError or GameError."""
    spec = parse_spec(text)
    return find(spec.name, **spec.options)


def clock_line(clock: Clock) -> str:
    """Bank, increment and cap in seconds, or none."""
    if math.isinf(clock.bank):
        return "clock none"
    cap = "" if clock.cap is None or math.isinf(clock.cap) else f" {clock.cap:.6f}"
    return f"clock {clock.bank:.6f} {clock.increment:.6f}{cap}"


def clock_from(words: list[str]) -> Clock:
    """The clock that the words after `clock` tell; raises ValueError."""
    if words[:1] == ["none"]:
        return ENDLESS
    bank, increment, *cap = (float(word) for word in words[:3])
    return Clock(bank, increment, cap[0] if cap else math.inf)


def position_lines(text: str) -> Iterable[str]:
    """A position's text, with the number of its lines first."""
    rows = text.split("\n")
    return f"position {len(rows)}", *rows


def word_lines(state: Any, actions: Iterable[int]) -> list[str]:
    """A position as the machine words of its fields, and the numbers of the legal moves, in the order of their names."""
    return [f"words {' '.join(f'{word:x}' for word in words_of_state(state))}", f"actions {' '.join(map(str, actions))}"]


def info_line(statistics: MoveStatistics) -> str:
    """What a search found, as far as it is known."""
    told = [f"{key} {value}" for key, value in statistics._asdict().items() if value is not None]
    return f"info {' '.join(told)}"


def statistics_from(line: str, seconds: float) -> MoveStatistics:
    """What an info line tells; `seconds` where it does not tell them. What is no number is left out."""
    words = words_in(line)[1:]
    told = dict(zip(words[::2], words[1::2], strict=False))
    used = _number(told.get("seconds"))
    return MoveStatistics(
        seconds if used is None or used < 0 else used,
        _count(told.get("depth")),
        _count(told.get("nodes")),
        _number(told.get("value")),
    )


def first_question(game: Game, player: int) -> Any:
    """A position near the start in which this player chooses, or None: what a warm-up can ask about."""
    return next_choice(game, game.initial_state(), player)


def _count(word: str | None) -> int | None:
    return int(word) if word is not None and word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS else None


def _number(word: str | None) -> float | None:
    try:
        number = float(word or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None
