"""A Python file's player in its process: what is compiled before a clock runs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest

from saddlepoint import TERMINAL, Game, kernel
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.compiled.call import seconds_compiling
from saddlepoint.games.catalogue.player_host import FilePlayer


class Heap(NamedTuple):
    left: int
    mover: int


@dataclass(frozen=True)
class Halves(Game):
    name: ClassVar[str] = "halves"
    max_actions: ClassVar[int] = 2
    max_depth: ClassVar[int] = 9

    def initial_state(self) -> Heap:
        return Heap(9, 0)

    @kernel
    def current_player(self, state: Any) -> int:
        return TERMINAL if state.left <= 0 else state.mover

    @kernel
    def legal_actions(self, state: Any, player: int, out: Any) -> int:
        out[0], out[1] = 0, 1
        return 2

    @kernel
    def next_state(self, state: Any, action: int) -> Heap:
        return Heap(state.left - 1 - action, 1 - state.mover)

    @kernel
    def returns(self, state: Any) -> float:
        return 1.0 if state.mover == 1 else -1.0

    @kernel
    def remainder(self, state: Any, divisor: int) -> int:
        return state.left % max(divisor, 1)

    @kernel
    def third(self, halves: Any) -> float:
        return halves[2]


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_the_game_s_methods_that_a_file_names_are_compiled_before_it_is_asked(tmp_path: Path) -> None:
    """One whose arguments are no whole numbers is left for its first call."""
    (file := tmp_path / "bot.py").write_text(
        "def choose(game, state, clock, player):\n    game.third((1.0,) * 3)\n    return game.remainder(state, 2)\n"
    )
    game = Halves()
    FilePlayer(file).warm(game, game.initial_state())
    before = seconds_compiling()
    assert game.remainder(game.initial_state(), 4) == 1
    assert seconds_compiling() == before
    assert game.third((0.0, 0.0, 1.0)) == 1.0
