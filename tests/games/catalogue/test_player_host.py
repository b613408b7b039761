"""A Python file's player in its process: what is compiled before a clock runs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest

from saddlepoint import TERMINAL, Game, kernel
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.compiled.call import seconds_compiling
from saddlepoint.games.catalogue.player_host import FilePlayer
from saddlepoint.players.clock import ENDLESS


class Heap(NamedTuple):
    left: int
    mover: int
    marks: tuple[float, float]


@dataclass(frozen=True)
class Halves(Game):
    name: ClassVar[str] = "halves"
    max_actions: ClassVar[int] = 2
    max_depth: ClassVar[int] = 9

    def initial_state(self) -> Heap:
        return Heap(9, 0, (0.5, 0.25))

    @kernel
    def current_player(self, state: Any) -> int:
        return TERMINAL if state.left <= 0 else state.mover

    @kernel
    def legal_actions(self, state: Any, player: int, out: Any) -> int:
        out[0], out[1] = 0, 1
        return 2

    @kernel
    def next_state(self, state: Any, action: int) -> Heap:
        return Heap(state.left - 1 - action, 1 - state.mover, state.marks)

    @kernel
    def returns(self, state: Any) -> float:
        return 1.0 if state.mover == 1 else -1.0

    @kernel
    def remainder(self, state: Any, divisor: int) -> int:
        return state.left % max(divisor, 1)

    @kernel
    def third(self, halves: Any) -> float:
        return halves[2]

    @kernel
    def second(self, marks: Any) -> float:
        return marks[1]


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_the_game_s_methods_that_a_file_names_are_compiled_before_it_is_asked(tmp_path: Path) -> None:
    """One whose arguments are no whole numbers, and no fields of a state either, is left for its first call."""
    (file := tmp_path / "bot.py").write_text(
        "def choose(game, state, clock, player):\n    game.third((1.0,) * 3)\n    game.second(state.marks)\n"
        "    return game.remainder(state, 2)\n"
    )
    game = Halves()
    FilePlayer(file).warm(game, game.initial_state())
    before = seconds_compiling()
    assert game.remainder(game.initial_state(), 4) == 1
    assert game.second(game.initial_state().marks) == 0.25
    assert seconds_compiling() == before
    assert game.third((0.0, 0.0, 1.0)) == 1.0


@pytest.mark.parametrize(
    "parameters",
    [
        "game, state, clock, player",
        "game, state, player, clock",
        "game, state, player",
        "game, state, player, **rest",
    ],
)
def test_a_parameter_of_the_name_player_gets_the_player(tmp_path: Path, parameters: str) -> None:
    (file := tmp_path / "bot.py").write_text(f"def choose({parameters}):\n    return player\n")
    for seat in (0, 1):
        player = FilePlayer(file)
        player.begin(Halves(), seat)
        assert player.choose(Halves().initial_state(), ENDLESS) == seat


@pytest.mark.parametrize("parameters", ["game, state, clock", "game, state, clock, seat", "*question"])
def test_else_a_function_gets_game_state_clock_and_player_in_this_order(
    tmp_path: Path, parameters: str
) -> None:
    (file := tmp_path / "bot.py").write_text(
        f"def choose({parameters}):\n    return list(locals().values())\n"
    )
    player = FilePlayer(file)
    game = Halves()
    player.begin(game, 1)
    start = game.initial_state()
    given: Any = player.choose(start, ENDLESS)
    if parameters == "*question":
        (given,) = given
    assert list(given) == [game, start, ENDLESS, 1][: len(given)]
    assert len(given) == (3 if parameters == "game, state, clock" else 4)
