"""What is made by its name: options, the search that analyses a game, the page's levels, and classes of somebody's own file."""

import itertools
from dataclasses import fields
from pathlib import Path

import pytest

from helpers.points import points
from helpers.small_games import Guess, Turns
from saddlepoint import (
    ALGORITHMS,
    DoubleOracleBounds,
    LightRiders,
    Limits,
    PrincipalVariation,
    SaddlePruning,
    SerialisedAlphaBeta,
)
from saddlepoint.arena.ledger.versions import player_version
from saddlepoint.evaluators import Prospects, Voronoi
from saddlepoint.game.spec import Spec, SpecError, parse_spec
from saddlepoint.games.catalogue import make
from saddlepoint.games.catalogue.commands import reaches_outside
from saddlepoint.games.catalogue.games import GAMES, make_game
from saddlepoint.games.catalogue.make import described, levels_of, make_player, search_of, stage_search_of
from saddlepoint.games.catalogue.players import roster
from saddlepoint.games.catalogue.searches import EVALUATORS
from saddlepoint.games.goofspiel import Goofspiel, Hands
from saddlepoint.games.rubiks_flip import Bob, RubiksFlip
from saddlepoint.games.simplexity import Lines, Simplexity
from saddlepoint.players.base import Player
from saddlepoint.players.clock import ENDLESS, Clock
from saddlepoint.players.programs.isolation import named_by_spec
from saddlepoint.web.catalogue import check_player
from saddlepoint.web.limits import Refused

USUAL_RIDERS = make_game("light_riders")


@pytest.mark.parametrize(
    "name", [*ALGORITHMS, *dict.fromkeys(entry.name for entry in roster()), "human", "cmd"]
)
def test_players(name: str) -> None:
    entry = next((one for one in roster() if one.name == name), None)
    game = make_game(entry.game) if entry is not None and entry.game else USUAL_RIDERS
    with pytest.raises(SpecError) as refused:
        make_player(Spec(name, {"no_such_option": 1}), game)
    text = str(refused.value)
    assert "\n" not in text
    assert f"{name} has no option" in text
    if name in ALGORITHMS and entry is None:
        assert {field.name for field in fields(ALGORITHMS[name])} | {"depth", "nodes", "choice"} == listed(
            text
        )


@pytest.mark.parametrize("name", list(EVALUATORS))
def test_evaluators(name: str) -> None:
    with pytest.raises(SpecError) as refused:
        make_player(Spec("alphabeta", {"evaluator": Spec(name, {"no_such_option": 1})}), USUAL_RIDERS)
    known = {field.name for field in fields(EVALUATORS[name]) if field.init}
    assert f"{name} has no option" in str(refused.value)
    assert listed(str(refused.value)) == known


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("saddle(evaluator=hands)", "tic_tac_toe"),
        ("alphabeta(evaluator=voronoi)", "connect_four"),
        ("mcts(evaluator=threats)", "othello"),
    ],
)
def test_an_evaluator_that_is_made_for_another_game_is_refused(spec: str, name: str) -> None:
    """When the player is made, not as a failed compilation in its first game."""
    game = make_game(name)
    with pytest.raises(SpecError) as refused:
        make_player(spec, game)
    made_for = EVALUATORS.made_for(game)
    assert f"is not made for {name}; made for it: {', '.join(made_for)}" in str(refused.value)
    for evaluator in made_for:
        make_player(f"alphabeta(evaluator={evaluator})", game).close()


@pytest.mark.parametrize("name", list(GAMES))
def test_games(name: str) -> None:
    with pytest.raises(ValueError, match="has no parameter 'no_such_option'; it has: ") as refused:
        make_game(name, no_such_option=1)
    assert set(str(refused.value).rpartition(": ")[2].split(", ")) == (
        set(GAMES[name].parameters) or {"none"}
    )


@pytest.mark.parametrize("spec", ["ace(depth=abc)", "ace(depth=2.5)", "ace(depth=true)", "ace(depth=none)"])
def test_a_value_of_another_kind_is_refused(spec: str) -> None:
    with pytest.raises(SpecError, match="ace: depth takes a whole number, not "):
        make_player(spec, make_game("rubiks_flip"))


def listed(text: str) -> set[str]:
    """The options that a message lists."""
    _, mark, names = text.rpartition("known: ")
    return set(names.split(", ")) if mark else set()


# -- analysing -----------------------------------------------------------------------------------------------------------

RIDERS, CARDS, DROPS, FLIP = LightRiders(), Goofspiel(), Simplexity(), RubiksFlip()
USUAL = PrincipalVariation()


@pytest.mark.plain
@pytest.mark.parametrize(
    ("which", "asked", "algorithm", "player"),
    [
        # Without a word it is the search of `best`, and for stages one of equilibria.
        (search_of, (RIDERS,), SerialisedAlphaBeta, "best"),
        (stage_search_of, (RIDERS,), DoubleOracleBounds(Prospects()), "do_alphabeta(evaluator=prospects)"),
        (search_of, (CARDS,), SaddlePruning(Hands(), tremble=0.35), "best"),
        (stage_search_of, (CARDS,), DoubleOracleBounds(Hands()), "do_alphabeta(evaluator=hands)"),
        (stage_search_of, (DROPS,), PrincipalVariation, "best"),
        # Where `best` does not search it is a usual one.
        (search_of, (FLIP,), USUAL, "pvs"),
        (stage_search_of, (FLIP,), USUAL, "pvs"),
        # A game that brings no `best`: where both choose at once the one of every game samples, and proves nothing.
        (search_of, (Guess(),), DoubleOracleBounds(), "do_alphabeta"),
        (stage_search_of, (Guess(),), DoubleOracleBounds(), "do_alphabeta"),
        (search_of, (Turns(),), USUAL, "pvs"),
        # A search and an evaluator can be chosen.
        (search_of, (RIDERS, "saddle", "voronoi"), SaddlePruning(Voronoi()), "saddle(evaluator=voronoi)"),
        (
            stage_search_of,
            (RIDERS, "saddle", "voronoi"),
            SaddlePruning(Voronoi()),
            "saddle(evaluator=voronoi)",
        ),
        (
            stage_search_of,
            (RIDERS, None, "voronoi"),
            DoubleOracleBounds(Voronoi()),
            "do_alphabeta(evaluator=voronoi)",
        ),
        (search_of, (RIDERS, None, "voronoi"), SerialisedAlphaBeta, None),
        (search_of, (RIDERS, "riders_killer"), SerialisedAlphaBeta, "riders_killer"),
        # A search that knows no depth has another for stages.
        (stage_search_of, (DROPS, "mcts"), USUAL, "pvs"),
        (stage_search_of, (DROPS, "dfpn", "lines"), PrincipalVariation(Lines()), "pvs(evaluator=lines)"),
        # What only the root's player thinks is not asked of successors.
        (search_of, (FLIP, "pvs", "bob"), PrincipalVariation(Bob()), "pvs(evaluator=bob)"),
        (stage_search_of, (FLIP, "pvs", "bob"), USUAL, "pvs"),
    ],
    ids=lambda given: given.__name__ if callable(given) else str(given),
)
def test_which_search_analyses_a_game(which, asked, algorithm, player):
    chosen = which(*asked)
    assert algorithm in (chosen.algorithm, type(chosen.algorithm))
    assert chosen.player == player


@pytest.mark.plain
@pytest.mark.parametrize(
    "game", [LightRiders(), Goofspiel(), Simplexity(), RubiksFlip()], ids=lambda game: game.name
)
def test_the_player_that_is_named_compiles_that_search(game):
    for chosen in (search_of(game), stage_search_of(game)):
        player = make_player(chosen.player, game)
        assert getattr(player, "algorithm", chosen.algorithm) == chosen.algorithm


@pytest.mark.plain
def test_a_player_that_does_not_search_is_refused():
    with pytest.raises(SpecError, match="random does not search"):
        search_of(LightRiders(), "random")


class Maximin(SaddlePruning):
    solves_stages = False


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "algorithm", "text"),
    [
        (RIDERS, SaddlePruning(), "Saddle-point pruning, no evaluator (saddle, Nash equilibrium search)"),
        (RIDERS, Maximin(), "Saddle-point pruning, no evaluator (saddle, search of simultaneous moves)"),
        (DROPS, USUAL, "Principal variation search, no evaluator (pvs, turn-based search)"),
    ],
)
def test_only_a_search_that_solves_stages_is_called_one_of_equilibria(game, algorithm, text):
    assert described(game, algorithm) == text


@pytest.mark.plain
def test_whoever_is_asked_for_a_search_is_closed(monkeypatch):
    made, closed = [], []

    def close(player):
        closed.append(player)

    monkeypatch.setattr(make, "make_player", lambda *asked: made.append(make_player(*asked)) or made[-1])
    monkeypatch.setattr(Player, "close", close)
    for game, player in (
        (LightRiders(), None),
        (LightRiders(), "saddle"),
        (RubiksFlip(), None),
        (Simplexity(), "mcts"),
    ):
        search_of(game, player)
        stage_search_of(game, player)
    assert made and closed == made


# -- levels --------------------------------------------------------------------------------------------------------------

NAMES = ["gentle", "club", "strong", "best"]
ONE_ROUND = {"pursuit_evasion", "biased_rps", "random_game"}
"""Games of a few moves, in which nobody is ahead of an equilibrium, and chance decides most of the games."""


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_four_levels_and_the_last_is_best(name):
    levels = levels_of(make_game(name))
    assert [level.name for level in levels] == NAMES
    assert levels[-1].spec == "best"
    assert levels[-1].seconds


@pytest.mark.parametrize("name", GAMES)
def test_every_level_has_a_player_and_a_higher_one_that_is_the_same_thinks_more(name):
    game = make_game(name)
    levels = levels_of(game)
    for level in levels:
        make_player(level.spec, game, Limits(nodes=level.nodes)).close()
    for lower, higher in itertools.pairwise(levels):
        assert lower.spec != higher.spec or higher.nodes is None or higher.nodes > lower.nodes


def test_a_game_that_brings_nothing_has_the_library_s_best_too():
    """The level is the player `best`, by construction, also of somebody's own game."""

    assert [level.name for level in levels_of(Guess())] == NAMES
    assert levels_of(Guess())[-1].spec == "best"
    make_player("best", Guess()).close()


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in GAMES if name not in ONE_ROUND])
def test_strong_and_best_are_ahead_of_gentle(name):
    game = make_game(name)
    gentle, _, strong, best = levels_of(game)
    for higher in (strong, best):
        levels = higher, gentle
        players = [make_player(level.spec, game, Limits(nodes=level.nodes)) for level in levels]
        clocks = [ENDLESS if level.nodes else Clock(0.1, 0.1) for level in levels]
        assert points(game, (players[0], players[1]), 6, (clocks[0], clocks[1]), wanted=3) >= 3


# -- classes of one's own ------------------------------------------------------------------------------------------------

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


@pytest.mark.plain
@pytest.mark.compiles_long
def test_an_evaluator_of_ones_own_is_named_with_its_options(file: Path) -> None:
    player = make_player(f'saddle(evaluator="{file}:Mine(scale=0.5)", depth=1)', GAME)
    assert player.algorithm.evaluator.scale == 0.5  # type: ignore[attr-defined]
    player.begin(GAME, 0, 1)
    player.choose(GAME.initial_state(), ENDLESS)
    assert make_player(f'saddle(evaluator="{file}:Mine", depth=1)', GAME).algorithm.evaluator.scale == 1.0  # type: ignore[attr-defined]


@pytest.mark.plain
@pytest.mark.compiles_long
def test_a_search_of_ones_own_plays(file: Path) -> None:
    player = make_player(f"{file}:Careful(evaluator=voronoi, depth=1)", GAME, Limits(depth=2))
    assert type(player.algorithm).__name__ == "Careful"  # type: ignore[attr-defined]
    player.begin(GAME, 0, 1)
    player.choose(GAME.initial_state(), ENDLESS)


@pytest.mark.plain
def test_a_spec_of_ones_own_is_read_back_as_it_is_written(file: Path) -> None:
    text = f'saddle(evaluator="{file}:Mine(scale=0.5)", depth=1)'
    assert parse_spec(str(parse_spec(text))) == parse_spec(text)


@pytest.mark.plain
def test_a_wrong_class_is_told_in_one_sentence(file: Path) -> None:
    for name in ("Bot", "Careful", "nothing"):
        with pytest.raises(SpecError, match="that is a frozen dataclass made of Component"):
            make_player(f'saddle(evaluator="{file}:{name}")', GAME)
    with pytest.raises(SpecError, match="there is no file"):
        make_player(f'saddle(evaluator="{file.parent}/nobody.py:Mine")', GAME)


@pytest.mark.plain
def test_such_a_file_is_consented_to_refused_on_the_page_hidden_from_others_and_part_of_the_version(
    file: Path,
) -> None:
    for text in (
        f'saddle(evaluator="{file}:Mine")',
        f'saddle(evaluator=endgame(inner="{file}:Mine"))',
        f"{file}:Careful(depth=1)",
    ):
        assert reaches_outside(parse_spec(text))
        with pytest.raises(Refused):
            check_player(text, GAME, ())
        assert str(file) in named_by_spec(text)
        before = player_version(text)
        file.write_text(f"{FILE}\n# changed {text}\n")
        assert player_version(text) != before
    assert not (file.parent / "ran").exists()  # nothing of this has run it
