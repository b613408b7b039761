"""The tables of the documents list what the catalogues do, and former names are still read."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import saddlepoint
import saddlepoint.games
from saddlepoint import evaluators
from saddlepoint.algorithms import ALGORITHMS, AlphaBeta
from saddlepoint.arena.tuning.parameters import Parameter, values_of, with_values
from saddlepoint.game import GameError
from saddlepoint.roster.algorithms import make_algorithm, make_evaluator
from saddlepoint.roster.class_facts import describe
from saddlepoint.roster.evaluators import EVALUATORS, spec_name
from saddlepoint.roster.games import GAMES, find_game, game_spec, make_game
from saddlepoint.roster.make import make_player
from saddlepoint.spec import parse_spec
from saddlepoint.titles import title_of, title_of_class

pytestmark = pytest.mark.plain

DOCS = Path(__file__).parents[1] / "docs"


def test_the_table_of_games():
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (.*) \|$", (DOCS / "writing-a-game.md").read_text(encoding="utf-8"), re.M)
    assert rows == [(entry.name, entry.class_name, entry.summary) for entry in GAMES.values()]
    for entry in GAMES.values():
        assert (entry.game_class.name, entry.game_class.__name__) == (entry.name, entry.class_name)
        assert getattr(saddlepoint, entry.class_name) is entry.game_class


@pytest.mark.parametrize("entry", GAMES.values(), ids=str)
def test_what_a_games_source_tells_is_what_its_class_has(entry):
    """The lists read it from the source, and load no game."""
    told, cls = describe(Path(saddlepoint.games.__file__).parent, entry.class_name), entry.game_class
    assert told is not None
    assert told.parameters == entry.parameters == {field.name: field.default for field in fields(cls)}
    assert (entry.summary, entry.ranges) == (cls.summary, cls.ranges)


def test_games_are_called_in_headings_what_people_call_them():
    """The names of the literature: Oshi-Zumo, Tic-tac-toe; of the others those of their makers."""
    assert {entry.name: entry.title for entry in GAMES.values()} == {
        "battlesnake": "Battlesnake", "biased_rps": "Biased rock-paper-scissors", "connect_four": "Connect Four",
        "goofspiel": "Goofspiel", "light_riders": "Light Riders", "oshi_zumo": "Oshi-Zumo", "othello": "Othello",
        "pursuit_evasion": "Pursuit and Evasion", "random_game": "Random Game", "rubiks_flip": "Rubik's Flip", "simplexity": "Simplexity",
        "soccer": "Soccer", "tic_tac_toe": "Tic-tac-toe", "tron": "Tron", "tron41": "Tron-41",
    }  # fmt: skip
    assert all(title_of(entry.game_class) == entry.title for entry in GAMES.values())


@pytest.mark.parametrize("entry", GAMES.values(), ids=str)
def test_a_game_is_found_by_what_people_type(entry):
    """Its title, other marks than `_` or none, capitals, the plural and the singular."""
    name = entry.name
    typed = [name, entry.title, entry.title.lower(), entry.title.upper(), name.replace("_", "-"), name.replace("_", " ")]
    typed += [name.replace("_", ""), entry.class_name, f" {name} "]
    typed += [name.removesuffix("s"), f"{name.removesuffix('s')}s"]
    assert [find_game(text) for text in typed] == [entry] * len(typed)


@pytest.mark.parametrize("name", ["", "_", "-", "s", "chess", "light", "tron4", "light_riders(width=20)", "ridersnake"])
def test_what_is_no_games_name_is_none(name: str):
    assert find_game(name) is None


def test_a_spec_has_the_games_own_name():
    assert str(game_spec(" Light-Rider (width=20) ")) == "light_riders(width=20)"
    assert str(game_spec("Rubik's Flip")) == "rubiks_flip"
    with pytest.raises(GameError, match=r"no game is called 'Light Ridders'; did you mean light_riders\? known: .*FILE\.py:CLASS$"):
        game_spec("Light Ridders")


@pytest.mark.parametrize(
    ("name", "title"),
    [("Undercut", "Undercut"), ("ConnectFour", "Connect Four"), ("RPSLarge", "RPS Large"), ("my_game", "My game"), ("_", "_")],
)
def test_a_game_without_a_title_is_called_by_its_class(name: str, title: str):
    assert title_of_class(name) == title_of(type(name, (), {})) == title


def test_a_game_made_from_another_has_not_its_title():
    class Narrow(saddlepoint.OshiZumo):
        pass

    assert title_of(Narrow) == "Narrow"


def test_the_table_of_evaluators():
    page = (DOCS / "algorithms.md").read_text(encoding="utf-8").partition("## Evaluators")[2]
    rows = dict(re.findall(r"^\| `(\w+)` \| `(\w+)` \|", page, re.M))
    assert rows == {name: kind.__name__ for name, kind in EVALUATORS.items()}


@pytest.mark.parametrize("name", EVALUATORS)
def test_every_evaluator_can_be_named(name):
    made = make_evaluator(parse_spec(name))
    assert type(made) is EVALUATORS[name]
    assert name == spec_name(type(made).__name__)


FORMER_OPTIONS = [
    *(
        (f"tron_control({name}_apart=2)", f"tron_control({name}_separated=2)")
        for name in ("scale", "armor", "bomb", "trap", "speed", "edge")
    ),
    ("chambers(partition=true)", "chambers(separated_bonus=true)"),
    ("lines(settled=0.5)", "lines(forced_win_value=0.5)"),
    ("saddle(evaluate_ends=true)", "saddle(evaluate_terminal=true)"),
    ("alphabeta(scout=true)", "alphabeta(null_windows=true)"),
    ("alphabeta(trust_deeper=true)", "alphabeta(deeper_entries=true)"),
    ("alphabeta(distance=0.001)", "alphabeta(discount=0.001)"),
    ("alphabeta(partition=separated)", "alphabeta(decided=separated)"),
    ("pvs(distance=0.001)", "pvs(discount=0.001)"),
    ("pvs(fold=false)", "pvs(symmetry=false)"),
    ("pvs(wins=false)", "pvs(winning_actions=false)"),
    ("pvs(evaluator=tron_control, quiet_plies=0)", "pvs(evaluator=tron_control, quiescence_plies=0)"),
    ("dfpn(wins=false)", "dfpn(winning_actions=false)"),
]
"""Specs with an option by the name that it once had, and by its name today."""


def made(text: str) -> Any:
    spec = parse_spec(text)
    return make_algorithm(spec) if spec.name in ALGORITHMS else make_evaluator(spec)


@pytest.mark.parametrize(("former", "today"), FORMER_OPTIONS)
def test_former_options_are_read(former, today):
    assert made(former) == made(today)
    if "=0)" not in former:
        assert made(former) != made(parse_spec(former).name)


def test_no_former_option_is_forgotten():
    kinds = {**ALGORITHMS, **EVALUATORS}
    known = [(name, former) for name in kinds for former in getattr(kinds[name], "former_options", {})]
    assert sorted(known) == sorted((spec.name, list(spec.options)[-1]) for spec in (parse_spec(former) for former, _ in FORMER_OPTIONS))


def test_an_option_is_not_given_by_both_of_its_names():
    with pytest.raises(ValueError, match="^alphabeta has scout and null_windows, two names of one option; expected one of them$"):
        made("alphabeta(scout=true, null_windows=false)")


def test_players_and_tuning_read_former_options():
    game = make_game("light_riders")
    spec = "alphabeta(evaluator=chambers(partition=true), scout=true, distance=0.001, depth=2)"
    player: Any = make_player(spec, game)
    assert player.algorithm == AlphaBeta(evaluators.Chambers(separated_bonus=True), null_windows=True, discount=0.001)
    parameter = Parameter.parse("distance=0..0.01")
    assert with_values(spec, {"distance": 0.002}) == spec.replace("0.001", "0.002")
    for text in (spec, "alphabeta(discount=0.001)", "alphabeta"):
        assert values_of(text, [parameter], game) == {"distance": 0.0 if text == "alphabeta" else 0.001}


def test_evaluators_within_evaluators():
    made = make_evaluator(parse_spec("endgame(inner=chambers(separated_bonus=true))"))
    assert made == evaluators.Endgame(inner=evaluators.Chambers(separated_bonus=True))


def test_former_names_of_games_are_read():
    assert make_game("rubiks_tile") == make_game("rubiks_flip")
