"""The tables of the documents list what the catalogues do, and no file outside `games/` has a game's name in it."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

import saddlepoint
import saddlepoint.games
from helpers.fitted_files import random_weights_file
from saddlepoint import evaluators
from saddlepoint.game.base import GameError
from saddlepoint.game.spec import parse_spec
from saddlepoint.game.words import title_of, title_of_class
from saddlepoint.games.catalogue.games import GAMES, default_game, find_game, game_spec, shown_game
from saddlepoint.games.catalogue.searches import EVALUATORS, make_evaluator, spec_name
from saddlepoint.games.listed import FACTS

pytestmark = pytest.mark.plain

DOCS = Path(__file__).parents[2] / "docs"


def test_the_table_of_games():
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| !\[.*\]\(images/gallery/(\w+)\.svg\) \| `(\w+)` \| `(\w+)` \| (.*) \|$", page, re.M
    )
    assert sorted(rows) == sorted(
        (entry.name, entry.name, entry.class_name, entry.summary) for entry in GAMES.values()
    )
    for entry in GAMES.values():
        assert (entry.game_class.name, entry.game_class.__name__) == (entry.name, entry.class_name)
        assert getattr(saddlepoint, entry.class_name) is entry.game_class


@pytest.mark.parametrize("entry", GAMES.values(), ids=str)
def test_what_the_lists_say_of_a_game_is_what_its_class_has(entry):
    """`games/listed.py` says it, so that a list loads no game: python tools/listed_games.py"""
    cls = entry.game_class
    parameters = {field.name: field.default for field in fields(cls)}
    assert FACTS[entry.name] == (title_of(cls), cls.summary, parameters)
    assert list(entry.parameters) == list(parameters), "in the order of the class"


def test_games_are_called_in_headings_what_people_call_them():
    """The names of the literature: Oshi-Zumo, Tic-tac-toe; of the others those of their makers. The rest are made of the class's name."""
    own = {
        "biased_rps": "Biased rock-paper-scissors",
        "oshi_zumo": "Oshi-Zumo",
        "pursuit_evasion": "Pursuit and Evasion",
        "rubiks_flip": "Rubik's Flip",
        "tic_tac_toe": "Tic-tac-toe",
        "tron41": "Tron-41",
    }
    assert {name: GAMES[name].title for name in own} == own
    assert GAMES["connect_four"].title == "Connect Four"
    assert all(title_of(entry.game_class) == entry.title for entry in GAMES.values())


@pytest.mark.parametrize("entry", GAMES.values(), ids=str)
def test_a_game_is_found_by_what_people_type(entry):
    """Its title, other marks than `_` or none, capitals."""
    name = entry.name
    typed = [
        name,
        entry.title,
        entry.title.lower(),
        entry.title.upper(),
        name.replace("_", "-"),
        name.replace("_", " "),
    ]
    typed += [name.replace("_", ""), entry.class_name, f" {name} "]
    assert [find_game(text) for text in typed] == [entry] * len(typed)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "_",
        "-",
        "s",
        "chess",
        "light_rider",
        "othellos",
        "light",
        "tron4",
        "light_riders(width=20)",
        "ridersnake",
        "goofspiel)",
        "(tron",
        "tron!",
    ],
)
def test_what_is_no_games_name_is_none(name: str):
    assert find_game(name) is None


def test_a_spec_has_the_games_own_name():
    assert str(game_spec(" Light-Riders (width=20) ")) == "light_riders(width=20)"
    assert str(game_spec("Rubik's Flip")) == str(game_spec("Rubik\u2019s Flip")) == "rubiks_flip"
    with pytest.raises(
        GameError,
        match=r"no game is called 'Light Ridders'; did you mean light_riders\? known: .*FILE\.py:CLASS$",
    ):
        game_spec("Light Ridders")


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Undercut", "Undercut"),
        ("ConnectFour", "Connect Four"),
        ("RPSLarge", "RPS Large"),
        ("my_game", "My game"),
        ("_", "_"),
    ],
)
def test_a_game_without_a_title_is_called_by_its_class(name: str, title: str):
    assert title_of_class(name) == title_of(type(name, (), {})) == title


def test_a_game_made_from_another_has_not_its_title():
    class Narrow(saddlepoint.OshiZumo):
        pass

    assert title_of(Narrow) == "Narrow"


def test_the_table_of_evaluators():
    page = (DOCS / "evaluators.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| `(\w+)` \|", page, re.M))
    assert rows == {name: kind.__name__ for name, kind in EVALUATORS.items()}


@pytest.mark.parametrize("name", EVALUATORS)
def test_every_evaluator_can_be_named(name, tmp_path):
    """One from a file, with a file."""
    is_from_file = getattr(EVALUATORS[name], "is_from_file", False)
    file = random_weights_file(tmp_path / "x.weights", saddlepoint.TicTacToe()) if is_from_file else None
    made = make_evaluator(parse_spec(name if file is None else f'{name}("{file}")'))
    assert type(made) is EVALUATORS[name]
    assert name == spec_name(type(made).__name__)


def test_evaluators_within_evaluators():
    made = make_evaluator(parse_spec("endgame(inner=chambers(separated_bonus=true))"))
    assert made == evaluators.Endgame(inner=evaluators.Chambers(separated_bonus=True))


PACKAGE = Path(saddlepoint.__file__).parent
FILES = [
    path
    for path in PACKAGE.rglob("*")
    if path.suffix in (".py", ".pyi", ".js", ".css", ".html")
    and path.relative_to(PACKAGE).parts[0] != "games"
]
OWN = [entry for entry in GAMES.values() if entry.point is None and entry.name != default_game()]
NAMES = re.compile(
    rf"\b({'|'.join(re.escape(name) for entry in OWN for name in (entry.name, entry.class_name, entry.title))})\b"
)


def test_only_the_folder_of_a_game_names_it() -> None:
    """Whole names, in code, comments and texts alike; the default game may be named, and any in a docstring's example (`>>>`, `...`)."""
    found = [
        f"{path.relative_to(PACKAGE)}:{number}: {line.strip()}"
        for path in FILES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if NAMES.search(line) and not line.lstrip().startswith((">>> ", "... "))
    ]
    assert found == []


def test_one_game_is_the_default() -> None:
    assert [name for name, entry in GAMES.items() if entry.description.is_default] == [default_game()]
    assert [entry.description.shown for entry in GAMES.values() if entry.description.shown] == [shown_game()]
