"""Which games a client may name."""

import pytest

from helpers.small_games import Guess
from saddlepoint.games.catalogue.games import GAMES, make_game
from saddlepoint.web import limits
from saddlepoint.web.catalogue import KnownGames, described
from saddlepoint.web.limits import Refused


@pytest.mark.parametrize(
    "text",
    [
        "chess",
        "",
        "light_riders(",
        "cmd:ls",
        "./game.py:Game",
        "/etc/passwd",
        "light_riders(width=1000000)",
        "light_riders(width=6.5)",
        "light_riders(width=true)",
        "light_riders(colour=1)",
        "simplexity(rows=100, cols=100)",
        "simplexity(win=0)",
        "goofspiel(cards=14)",
        'tron41(map="/etc/passwd")',
        'tron41(map="###\\n#1#")',
        "tron41(map=maps)",
        "goofspiel(lowest=99999999999999999999)",
        "light_riders(width=light_riders())",
        f"light_riders(width={'9' * 90})",
        "x" * 2000,
        "(" * 500,
    ],
)
def test_refused_in_one_sentence(text):
    with pytest.raises(Refused) as refused:
        KnownGames().find(text)
    assert "\n" not in refused.value.sentence and len(refused.value.sentence) < 600


@pytest.mark.parametrize(
    "text",
    ["cmd:ls", "./game.py:Game", "game.py:Game", "/etc/passwd", "../x", "python3 bot.py", "http://host/x"],
)
def test_a_file_a_program_or_a_server_is_refused_as_what_it_is(text):
    with pytest.raises(Refused) as refused:
        KnownGames({"./guess.py:Guess": Guess()}).find(text)
    for said in (
        repr(text),
        "opens no files, programs or servers",
        "saddlepoint serve --game ./FILE.py:CLASS; it was started with ./guess.py:Guess",
    ):
        assert said in refused.value.sentence


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("light_riders", "light_riders"),
        ("light_riders( height = 16, width=8 )", "light_riders(width=8)"),
        ("goofspiel(cards=4)", "goofspiel"),
        ("tron41(map=joust)", "tron41"),
        ("goofspiel(order=ascending)", "goofspiel(order=ascending)"),
    ],
)
def test_the_one_spec_of_a_game(text, spec):
    games = KnownGames()
    known = games.find(text)
    assert known.spec == spec
    assert games.find(spec).game is known.game


def test_own_games_by_their_text_alone():
    own = Guess(size=4)
    games = KnownGames({"./guess.py:Guess(size=4)": own})
    assert games.find("./guess.py:Guess(size=4)").game is own
    for text in ("./guess.py:Guess", "./guess.py:Guess(size=5)", "guess", " ./guess.py:Guess(size=4)"):
        with pytest.raises(Refused):
            games.find(text)


def test_rules_for_so_many_boards():
    games = KnownGames()
    for width in range(4, 4 + limits.BOARDS + 1):  # 16 is the usual one
        games.find(f"light_riders(width={width})")
    assert games.find("light_riders(width=4, max_rounds=7)")  # the same compiled code
    with pytest.raises(Refused, match="boards"):
        games.find("light_riders(height=31)")
    for name in GAMES:
        assert games.find(name), "the usual boards are always there"


@pytest.mark.parametrize("name", GAMES)
def test_the_offered_values_are_of_parameters_that_there_are_and_each_alone_makes_a_game(name):
    known, games = GAMES[name].parameters, KnownGames()
    assert set(GAMES[name].game_class.ranges) <= set(known)
    for row in described(make_game(name)):
        default, choices = row["default"], row.get("choices")
        assert default == known[row["name"]]
        assert default in choices if choices else row["low"] <= default <= row["high"]
        for value in choices or (row["low"], row["high"]):
            try:
                assert games.find(f"{name}({row['name']}={value})")
            except Refused as refused:  # a win of 16 does not fit on the usual board, say
                assert "\n" not in refused.sentence
                assert not choices
