"""Which players a client may name."""

import pytest

from helpers.small_games import Guess
from saddlepoint.games.catalogue.games import GAMES
from saddlepoint.games.catalogue.make import levels_of, make_player
from saddlepoint.web.catalogue import KnownGames, check_player
from saddlepoint.web.limits import Refused

GIVEN = ("cmd:python3 bot.py",)
"""On the command line."""


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("light_riders", text)
        for text in (
            "cmd:rm -rf /",
            "cmd:python3 bot.py --more",
            "human",
            "./bot.py",
            "/bin/sh",
            "~/bot.py",
            "../x",
            'cmd(command="ls")',
            "nobody",
            "",
            "best(",
            "best(file=x)",
            "alphabeta(table=true)",
            "mcts(megabytes=100000)",
            "mcts(batch=999999999)",
            "smab(depth=0)",
            f"smab(depth={10**30})",
            "smab(nodes=1e9)",
            "smab(evaluator=nothing)",
            "smab(evaluator=voronoi(scale=1e300))",
            "smab(evaluator=voronoi(weights=x))",
            "smab(choice=worst)",
            "x" * 5000,
            "smab(" * 30,
            "ace",
            "mcts",
            "pvs",
            "best(depth=3)",
            "random(nodes=3)",
        )
    ]
    + [
        ("tron41", 'asp(file="/etc/passwd")'),
        ("tron41", "asp"),
        ("rubiks_flip", 'database(file="/etc/passwd")'),
        ("rubiks_flip", 'best(file="x.db")'),
        ("simplexity", "pvs(threads=1000)"),
        ("simplexity", "pvs(megabytes=1e6)"),
        *(
            ("battlesnake", text)
            for text in ("http://127.0.0.1:9", "https://example.org/a", 'snake(command="true")')
        ),
    ],
)
def test_refused_in_one_sentence(game, text):
    with pytest.raises(Refused) as refused:
        check_player(text, KnownGames().find(game).game, GIVEN)
    assert "\n" not in refused.value.sentence and len(refused.value.sentence) < 600
    assert ("no server" in refused.value.sentence) == (game == "battlesnake")


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("light_riders", "best"),
        ("light_riders", "smab(depth=2, evaluator=voronoi)"),
        ("light_riders", "saddle(choice=mixture)"),
        ("light_riders", "riders_nash(choice=mixture)"),
        ("rubiks_flip", "ace(depth=1)"),
        ("simplexity", "pvs(evaluator=lines)"),
    ],
)
def test_players_that_can_be_made(game, text):
    known = KnownGames().find(game).game
    make_player(check_player(text, known, ()), known).close()


def test_players_of_the_command_line_word_for_word():
    assert check_player(*GIVEN, KnownGames().find("light_riders").game, GIVEN) == GIVEN[0]


@pytest.mark.parametrize("game", [*(entry.name for entry in GAMES.values()), Guess()], ids=str)
def test_every_level_can_be_made(game):
    known = KnownGames().find(game).game if isinstance(game, str) else game
    levels = levels_of(known)
    assert [level.name for level in levels] == ["gentle", "club", "strong", "best"]
    for level in levels:
        assert check_player(level.spec, known, ()) == level.spec
        make_player(level.spec, known).close()
        assert (level.nodes is None) != (level.seconds is None)
