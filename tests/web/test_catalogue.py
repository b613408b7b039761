"""Which games and players a client may name, and what the page is told of games of one's own."""

from pathlib import Path
from typing import Any

import pytest

from helpers import small_games
from helpers.small_games import Guess
from helpers.tables import table
from helpers.web_client import client
from saddlepoint.game.own_games import load_game
from saddlepoint.game.words import field_text, fields_of
from saddlepoint.games.catalogue.games import GAMES, make_game
from saddlepoint.games.catalogue.make import levels_of, make_player
from saddlepoint.web import limits
from saddlepoint.web.catalogue import KnownGames, check_player, described
from saddlepoint.web.limits import Refused
from web.conftest import Visits


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


# -- games of one's own --------------------------------------------------------------------------------------------------

FILE = Path(small_games.__file__)
ALL = ("Plain", "NoDocstring", "NumberForRules", "RulesThatFail", "NamesThatFail", "Wordy", "Large")


def given(*names: str) -> dict[str, Any]:
    """The games as the command line gives them, by the texts that name them."""
    return {f"./small_games.py:{name}": load_game(FILE, name, {}) for name in names}


def test_an_odd_game_costs_only_its_own_card() -> None:
    with client(games=given(*ALL)) as asked:
        found = asked.get("/api/catalogue")["games"]
        own = {one["spec"].partition(":")[2]: one for one in found if one["own"]}
        assert set(own) == set(ALL) and len(found) > len(own) + 5
        assert own["Plain"]["rules"] == [
            "Name a number, both at once.",
            "The higher one wins. <b>No picture</b> is needed.",
        ]
        assert own["NoDocstring"]["rules"] == []
        assert own["NumberForRules"]["rules"] == ["42"]
        assert (
            "ZeroDivisionError" in own["RulesThatFail"]["summary"]
            and own["RulesThatFail"]["title"] == "RulesThatFail"
        )
        assert len(own["Wordy"]["summary"]) <= 1000 and sum(map(len, own["Wordy"]["rules"])) <= 24_000
        assert {frozenset(one) for one in own.values()} == {frozenset(found[-1])}


def test_a_game_without_a_picture_is_told_by_its_fields() -> None:
    with client(games=given("Plain")) as asked:
        position = asked.told("/api/new", {"game": "./small_games.py:Plain"})["position"]
        assert dict(position["picture"]["fields"]) == {
            "round": [["0"]],
            "black_stones": [["0x800000000001 (2 bits)"]],
            "grid": [["0", "1", "0"], ["0", "2", "0"], ["0", "0", "1"]],
            "pairs": [["1", "2"], ["3", "4"]],
            "corner.open": [["yes"]],
            "corner.weight": [["0.5"]],
        }
        assert position["picture"]["moves"][0]["name"] == "<img src=x onerror=alert(0)>"


def test_of_a_huge_state_the_beginning_is_told() -> None:
    state = small_games.LargeState(0, (0,) * 10_000)
    assert len(field_text(state)) < 20_000
    rows = dict(fields_of(state))["cells"]
    assert len(rows) == 33 and rows[-1][0].startswith("and ") and len(rows[0]) == 12


@pytest.mark.web
def test_on_the_page_its_fields_are_a_table_its_docstring_the_rules_and_its_moves_buttons(
    visit: Visits, start_server: Any
) -> None:
    server = start_server(
        *(text for name in ("Plain", "RulesThatFail") for text in ("--game", f"{FILE}:{name}"))
    )
    page = visit(table(server.url, f"{FILE}:Plain"))
    rows = page.locator(".sp-fields:visible > tbody > tr")
    rows.first.wait_for()
    assert [rows.nth(at).locator("th").inner_text() for at in range(3)] == ["round", "black stones", "grid"]
    assert "2 bits" in rows.nth(1).inner_text() and rows.nth(2).locator("tr").count() == 3
    page.get_by_text("Rules", exact=True).click()
    page.get_by_text("The higher one wins. <b>No picture</b> is needed.").wait_for()
    page.get_by_role("button", name="<img src=x onerror=alert(2)>").click()
    page.locator(".end:not([hidden])").wait_for()
    assert not page.locator("img[src='x']").count()
    page.goto(f"{server.url}/#/")
    page.get_by_text("This game cannot be described: ZeroDivisionError").first.wait_for()
    page.get_by_role("button", name="Play Connect four").wait_for()


# -- players -------------------------------------------------------------------------------------------------------------

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
def test_players_refused_in_one_sentence(game, text):
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
