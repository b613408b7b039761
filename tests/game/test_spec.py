"""Specs: exact inverse of their text, and errors that say where and what."""

import string
from typing import Any

import pytest
from hypothesis import given, strategies as st

from saddlepoint.game.spec import Spec, SpecError, Value, parse_own, parse_spec, without_folders
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.players.base import Answer
from saddlepoint.players.clock import Clock

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
PLAIN = st.one_of(
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.none(),
    st.text(max_size=12),
    st.sampled_from(["true", "none", "False", "cmd:x", 'a"b', "a,b)", "\\", "\n", "é"]),
)
SPECS = st.recursive(
    st.builds(Spec, NAMES, st.dictionaries(NAMES, PLAIN, max_size=3)),
    lambda inner: st.builds(Spec, NAMES, st.dictionaries(NAMES, st.one_of(PLAIN, inner), max_size=3)),
    max_leaves=5,
)


@given(SPECS)
def test_text_and_back(spec: Spec) -> None:
    again = parse_spec(str(spec))
    assert again == spec
    assert str(again) == str(spec)
    assert repr(again) == repr(spec)  # 1, 1.0 and True are different options


@given(st.text(max_size=30))
def test_any_text_is_a_spec_or_an_error_with_its_place(text: str) -> None:
    try:
        spec = parse_spec(text)
    except SpecError as error:
        assert "\n" not in repr(text) and ("at position" in str(error) or "'cmd:'" in str(error))
    else:
        assert parse_spec(str(spec)) == spec


@given(SPECS, st.integers(0, 60), st.sampled_from(string.punctuation))
def test_a_damaged_spec_never_raises_anything_else(spec: Spec, at: int, mark: str) -> None:
    text = str(spec)
    try:
        parse_spec(text[:at] + mark + text[at:])
    except SpecError:
        pass


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("random", {}),
        ("random()", {}),
        (" a ( b = 1 , c=-0.5 ) ", {"b": 1, "c": -0.5}),
        ('a(b=voronoi, c="voronoi", d=voronoi())', {"b": "voronoi", "c": "voronoi", "d": Spec("voronoi")}),
        ('a("x y.sol")', {"file": "x y.sol"}),
        ('a(b=1, "x.sol")', {"b": 1, "file": "x.sol"}),
        ("a(b=true, c=false, d=none, e=1e3)", {"b": True, "c": False, "d": None, "e": 1000.0}),
    ],
)
def test_values(text: str, options: dict[str, Value]) -> None:
    assert dict(parse_spec(text).options) == options


def test_commands() -> None:
    assert parse_spec("cmd:java -jar 'my bot.jar'") == Spec("cmd", {"command": "java -jar 'my bot.jar'"})
    assert str(parse_spec("./mybot.py -v")) == "cmd:./mybot.py -v"


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("", 1, "a name"),
        ("a(", 3, "an option's name or ')'"),
        ("a(b)", 4, "'=' after 'b'"),
        ("a(b=)", 5, "a number"),
        ("a(b=1 c=2)", 7, "',' or ')'"),
        ("a(b=1,)", 7, "an option's name"),
        ("a(b=1)x", 7, "the end"),
        ("a-b", 2, "'(' or the end"),
        ("a(b=1, b=2)", 8, "each option once"),
        ('a("x", file="y")', 8, "each option once"),
        ('a("x)', 3, "a quoted string"),
        ("a(b=1e999)", 5, "a smaller number"),
        ("a(b=" * 30 + "1" + ")" * 30, 82, "at most 20 specs"),
        ("bot.py", 4, "; a file is written with its folder: ./bot.py"),
        ("bots/bot", 5, "; a file is written with its folder: ./bots/bot"),
        ("bots/my-bot.py", 5, "; a file is written with its folder: ./bots/my-bot.py"),
    ],
)
def test_errors_say_where_and_what(text: str, position: int, expected: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_spec(text)
    assert f"at position {position}: expected" in str(caught.value)
    assert expected in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("rndom", "did you mean random?"),
        ("random(depth=2)", "random has no options"),
        ("alphabet(evaluator=voronoi)", "did you mean alphabeta?"),
        ("alphabeta(evaluator=voronoy)", "did you mean voronoi?"),
        ("alphabeta(evaluator=queue)", "no evaluator is called 'queue'"),
        ("alphabeta(evaluator=3)", "takes an evaluator such as voronoi"),
        ("alphabeta(tabel=true)", "did you mean table?"),
        ("alphabeta(table=3)", "table takes true or false"),
        ("alphabeta(depth=x)", "depth takes a whole number"),
        ("alphabeta(choice=worst)", "choice is best or mixture"),
        ("alphabeta(depth=-1)", "depth must be 0 or more"),
        ("cmd(command=3)", "cmd takes the command, and a protocol if wanted"),
        (
            'cmd(command="./bot", protocol=chess)',
            "protocol is one of lines, riddles, asp, python, not 'chess'",
        ),
        ('cmd(command="./bot", protocol=asp)', "asp is the protocol of tron41"),
        ('cmd(command="./bot", protocol=python)', "a Python file is expected"),
    ],
)
def test_what_cannot_be_made_is_refused_in_one_sentence(spec: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        make_player(spec, LightRiders())
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_random_player_repeats_itself_and_does_not_run_into_walls() -> None:
    game = LightRiders()
    state = game.initial_state(1, 1)

    def moves(seed: int, state: Any) -> list[int]:
        player = make_player("random", game)
        player.begin(game, 0, seed)
        return [Answer.of(player.choose(state, Clock())).action for _ in range(40)]

    assert moves(1, state) == moves(1, state) != moves(2, state)
    corner = game.from_field(["0x..............", *["." * 16] * 14, "1" + "." * 15], 1)
    assert set(moves(3, corner)) == {2}  # down is the only free cell


@pytest.mark.parametrize(
    "file", ["./my folder/mine.py", "/a (old)/b=c, d/mine.py", "~/it's/mine.py", "./mine.py"]
)
def test_a_class_in_a_folder_of_any_name_is_quoted_and_comes_back(file: str) -> None:
    own = Spec(f"{file}:Mine", {"scale": 10})
    spec = Spec("saddle", {"evaluator": own})
    assert parse_spec(str(spec)) == spec
    assert parse_spec(f'saddle(evaluator="{own}")') == spec
    assert parse_own(str(own)) == own
    assert parse_spec(f'cmd(command="{file}:Mine", protocol=lines)').options["command"] == f"{file}:Mine", (
        "a command stays one"
    )


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        (
            'pvs(evaluator=fitted("/home/me/my weights/a.weights"), threads=1)',
            'pvs(evaluator=fitted("a.weights"), threads=1)',
        ),
        ("smab(evaluator=./games/mine.py:Mine)", "smab(evaluator=mine.py:Mine)"),
        ("smab(evaluator=voronoi, choice=mixture)", "smab(evaluator=voronoi, choice=mixture)"),
    ],
)
def test_a_player_is_told_without_the_folders_of_its_files(spec: str, told: str) -> None:
    assert without_folders(spec) == told
