"""An evaluator or a search in somebody's own file is named in a spec by its file and class, as a game is."""

from pathlib import Path

import pytest

from saddlepoint import Limits
from saddlepoint.arena.ledger.versions import player_version
from saddlepoint.game.spec import SpecError, parse_spec
from saddlepoint.games.catalogue.commands import reaches_outside
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.players.clock import ENDLESS
from saddlepoint.players.programs.isolation import named_by_spec
from saddlepoint.web.catalogue import check_player
from saddlepoint.web.limits import Refused

pytestmark = pytest.mark.plain

FILE = """
from dataclasses import dataclass
from saddlepoint import SaddlePruning, kernel
from saddlepoint.compiled import Component
import pathlib

pathlib.Path(__file__).with_name("ran").touch()


@dataclass(frozen=True)
class Mine(Component):
    scale: float = 1.0

    @property
    def bound(self):
        return self.scale

    @kernel
    def evaluate(self, game, state):
        return self.scale


@dataclass(frozen=True)
class Careful(SaddlePruning):
    pass


class Bot:
    pass
"""
GAME = LightRiders(5, 5)


@pytest.fixture(params=["mine", "my (old) folder"])
def file(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """In a folder of any name, where it is quoted."""
    path = tmp_path / request.param / "mine.py"
    path.parent.mkdir()
    path.write_text(FILE)
    return path


@pytest.mark.compiles_long
def test_an_evaluator_of_ones_own_is_named_with_its_options(file: Path) -> None:
    player = make_player(f'saddle(evaluator="{file}:Mine(scale=0.5)", depth=1)', GAME)
    assert player.algorithm.evaluator.scale == 0.5  # type: ignore[attr-defined]
    player.begin(GAME, 0, 1)
    player.choose(GAME.initial_state(), ENDLESS)
    assert make_player(f'saddle(evaluator="{file}:Mine", depth=1)', GAME).algorithm.evaluator.scale == 1.0  # type: ignore[attr-defined]


@pytest.mark.compiles_long
def test_a_search_of_ones_own_plays(file: Path) -> None:
    player = make_player(f"{file}:Careful(evaluator=voronoi, depth=1)", GAME, Limits(depth=2))
    assert type(player.algorithm).__name__ == "Careful"  # type: ignore[attr-defined]
    player.begin(GAME, 0, 1)
    player.choose(GAME.initial_state(), ENDLESS)


def test_a_spec_of_ones_own_is_read_back_as_it_is_written(file: Path) -> None:
    text = f'saddle(evaluator="{file}:Mine(scale=0.5)", depth=1)'
    assert parse_spec(str(parse_spec(text))) == parse_spec(text)


def test_a_wrong_class_is_told_in_one_sentence(file: Path) -> None:
    for name in ("Bot", "Careful", "nothing"):
        with pytest.raises(SpecError, match="that is a frozen dataclass made of Component"):
            make_player(f'saddle(evaluator="{file}:{name}")', GAME)
    with pytest.raises(SpecError, match="there is no file"):
        make_player(f'saddle(evaluator="{file.parent}/nobody.py:Mine")', GAME)


def test_such_a_file_is_consented_to_refused_on_the_page_hidden_from_others_and_part_of_the_version(
    file: Path,
) -> None:
    for text in (
        f'saddle(evaluator="{file}:Mine")',
        f'saddle(evaluator=endgame(inner="{file}:Mine"))',
        f"{file}:Careful(depth=1)",
    ):
        spec = parse_spec(text)
        assert reaches_outside(spec)
        with pytest.raises(Refused):
            check_player(text, GAME, ())
        assert str(file) in named_by_spec(text)
        before = player_version(text)
        file.write_text(f"{FILE}\n# changed {text}\n")
        assert player_version(text) != before
    assert not (file.parent / "ran").exists()  # nothing of this has run it
