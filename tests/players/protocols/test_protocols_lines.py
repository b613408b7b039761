"""The library's own line protocol, as docs/protocol.md has it: both sides, real programs, real games."""

import errno
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from helpers.bots import example_command
from saddlepoint import Game, Goofspiel, LightRiders, Tron41
from saddlepoint.game.spec import spec_of
from saddlepoint.games.catalogue.games import GAMES, make_game
from saddlepoint.games.catalogue.isolated import IsolatedPlayer
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.play.game import GameRecord, play_game
from saddlepoint.players.base import MachineFault, MoveStatistics, Player, PlayerError, RandomPlayer
from saddlepoint.players.clock import Clock
from saddlepoint.players.programs.isolation import Isolation
from saddlepoint.players.protocols.lines_bot import (
    LinesBot,
    clock_from,
    clock_line,
    game_from_text,
    info_line,
    name_of,
    position_lines,
    statistics_from,
    word_of,
)
from saddlepoint.players.protocols.lines_player import LinesPlayer

ROOT = Path(__file__).parents[3]
BOTS = ROOT / "examples" / "bots"
CLOCK = Clock(20.0, 1.0)  # no test here is about being late
SMALL = LightRiders(6, 5)


def played(game: Game, players: tuple[Player, Player], seed: int = 1) -> GameRecord:
    try:
        return play_game(game, players, clocks=(CLOCK, CLOCK), seed=seed)
    finally:
        for player in players:
            player.close()


def first_legal(game: Game) -> Player:
    class FirstLegal(Player):
        def choose(self, state: Any, clock: Clock) -> int:
            return self.game.legal_actions(state, self.player)[0]

    return FirstLegal()


# -- words -----------------------------------------------------------------------------------------------------------


@given(st.text(min_size=1))
def test_every_name_is_one_word_and_comes_back(name: str) -> None:
    word = word_of(name)
    assert word.split() == [word]
    assert name_of(word) == name


@pytest.mark.parametrize(
    ("name", "word"), [("b2>c2 a4R", "b2>c2%20a4R"), ("up", "up"), ("3r", "3r"), ("U", "U"), ("13", "13")]
)
def test_a_name_without_blanks_is_its_own_word(name: str, word: str) -> None:
    assert word_of(name) == word


@given(st.floats(0, 1e6), st.floats(0, 1e3), st.one_of(st.none(), st.floats(0, 1e6)))
def test_a_clock_comes_back_to_the_microsecond(bank: float, increment: float, cap: float | None) -> None:
    clock = Clock(bank, increment, cap)
    told = clock_from(clock_line(clock).split()[1:])
    assert (told.bank, told.increment, told.cap) == pytest.approx(
        (clock.bank, clock.increment, clock.cap), abs=1e-6
    )


def test_an_endless_clock_is_none() -> None:
    assert clock_line(Clock(math.inf, 0.0)) == "clock none"
    assert clock_from(["none"]).bank == math.inf


@pytest.mark.parametrize(
    "game",
    [
        *(make_game(name) for name in GAMES),
        LightRiders(20, 4, 9),
        Goofspiel(5, "ascending", lowest=0),
        Tron41("small_room"),
    ],
)
def test_a_game_is_told_by_its_name_and_what_is_not_usual(game: Game) -> None:
    assert game_from_text(str(spec_of(game)), make_game) == game
    assert "\n" not in str(spec_of(game))
    assert str(spec_of(LightRiders())) == "light_riders"
    assert str(spec_of(LightRiders(20, 16))) == "light_riders(width=20)"


@given(
    st.builds(MoveStatistics, st.floats(0, 100), st.integers(0, 99), st.integers(0, 10**12), st.floats(-1, 1))
)
def test_what_a_search_found_comes_back(found: MoveStatistics) -> None:
    assert statistics_from(info_line(found), 0.0) == found


@pytest.mark.parametrize(
    ("line", "depth"),
    [
        ("info", None),
        ("info depth", None),
        ("info depth x nodes -1 value nan", None),
        ("info value inf nodes " + "9" * 5000, None),
        ("info mood good depth 3", 3),  # keys that are not known are passed over
    ],
)
def test_of_an_info_line_only_numbers_count(line: str, depth: int | None) -> None:
    assert statistics_from(line, 0.5) == MoveStatistics(0.5, depth, None, None)


# -- the bot's side ----------------------------------------------------------------------------------------------------


def told(bot: LinesBot, said: list[str], *lines: str) -> str:
    """What the bot says to these lines."""
    del said[:]
    for line in lines:
        bot.handle(line)
    return "".join(said)


@pytest.fixture
def talk() -> tuple[LinesBot, list[str]]:
    said: list[str] = []
    return LinesBot(first_legal, said.append, make_game), said


def test_a_conversation_as_the_page_shows_it(talk: tuple[LinesBot, list[str]]) -> None:
    example = (ROOT / "docs" / "protocol.md").read_text().split("```text\n")[1].split("```")[0]
    bot, said = talk
    for line in example.splitlines():
        if line.startswith("> "):
            bot.handle(line[2:])
        else:
            assert "".join(said) == line[2:] + "\n"
            del said[:]
    assert said == []


def test_unknown_lines_are_ignored(talk: tuple[LinesBot, list[str]]) -> None:
    assert told(*talk, "", "weather fine", "GO", "saddlepoint 2 beta", "é\0") == ""


def test_lines_of_a_position_are_not_commands(talk: tuple[LinesBot, list[str]]) -> None:
    bot, said = talk
    assert told(bot, said, "game light_riders", "begin") == "ready\n"
    assert told(bot, said, "position 3", "go", "quit", "begin") == ""
    assert told(bot, said, "go").startswith("error ")


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        (["begin"], "error a game is expected before begin"),
        (["go"], "error begin is expected before go"),
        (["game chess"], "error no game is called 'chess'"),
        (["game light_riders(width=7, height=0)"], "error "),
        (["seat 2"], "error ValueError: a seat is 0 or 1, not '2'"),
        (["position -1"], "error ValueError: position takes the number of its lines, not '-1'"),
        (
            ["game goofspiel", "begin", "position 1", "nonsense", "go"],
            "ready\nerror expected 'goofspiel hand0=",
        ),
    ],
)
def test_what_cannot_be_done_is_an_error_of_one_line(
    talk: tuple[LinesBot, list[str]], lines: list[str], error: str
) -> None:
    said = told(*talk, *lines)
    assert said.startswith(error)
    assert said.endswith("\n") and said.count("\n") == error.count("\n") + 1


class Unwritable:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


class Crooked:
    def __index__(self) -> int:
        raise ValueError("no number")


NO_MOVE = "error choose returned {}, which is not the number or the name of a legal move\n"


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        *((chosen, "move 3\n") for chosen in (2, np.int64(2), np.uint8(2), "3", " 3 ")),
        (None, NO_MOVE.format("None")),
        (math.nan, NO_MOVE.format("nan")),
        (1.0, NO_MOVE.format("1.0")),
        (True, NO_MOVE.format("True")),
        (99, NO_MOVE.format("99")),
        (-1, NO_MOVE.format("-1")),
        ("e2e4", NO_MOVE.format("'e2e4'")),
        ([1], NO_MOVE.format("[1]")),
        (10**5000, NO_MOVE.format("a value of type int")),
        (Unwritable(), NO_MOVE.format("a value of type Unwritable")),
        ("é" * 10**6, NO_MOVE.format("'" + "é" * 39)),
        (Crooked(), "error ValueError: no number\n"),
    ],
    ids=range(17),
)
def test_a_legal_move_is_sent_by_number_or_name_and_nothing_else_ever(chosen: Any, said: str) -> None:
    """In Goofspiel the cards 1 to 4 have the numbers 0 to 3."""

    class Chooser(Player):
        def warm(self, game: Game, state: Any, seats: Any = (0, 1)) -> None: ...

        def choose(self, state: Any, clock: Clock) -> int:
            return chosen

    told_: list[str] = []
    bot = LinesBot(lambda game: Chooser(), told_.append, make_game)
    game = Goofspiel(4, "descending")
    told(bot, told_, f"game {spec_of(game)}", "begin")
    assert told(bot, told_, *position_lines(game.to_text(game.initial_state())), "go") == said


@pytest.mark.parametrize(("trusted", "verb"), [(True, "machine"), (False, "error")])
def test_only_a_trusted_player_can_say_that_the_machine_failed(trusted: bool, verb: str) -> None:
    def make(game: Game) -> Player:
        raise OSError(errno.ENOSPC, "No space left on device")

    said: list[str] = []
    LinesBot(make, said.append, make_game, only=Goofspiel(3), trusted=trusted).handle("begin")
    assert said == [f"{verb} OSError: [Errno 28] No space left on device\n"]


@pytest.mark.parametrize("hosted", [IsolatedPlayer, LinesPlayer])
def test_a_failure_of_the_machine_in_a_trusted_process_is_nobodys_fault(
    hosted: type[LinesPlayer], tmp_path: Path
) -> None:
    (bot := tmp_path / "bot.py").write_text(
        "for line in open(0):\n    if line == 'begin\\n': print('machine no space', flush=True)\n"
    )
    player, patience = hosted.__new__(hosted), 20.0 if hosted is IsolatedPlayer else 0.5
    LinesPlayer.__init__(player, [sys.executable, str(bot)], Isolation(mode="supervisor", patience=patience))
    expected, text = (MachineFault, "no space") if hosted is IsolatedPlayer else (PlayerError, "no answer")
    with pytest.raises(expected, match=text):
        player.begin(Goofspiel(3), 0, 1)
    player.close()


# -- games -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "example", "lines"),
    [
        (SMALL, "first_legal.py", 20),
        (make_game("simplexity"), "first_legal.py", 20),
        (Goofspiel(4), "first_legal.py", 20),
        *(
            pytest.param(make_game(name), "first_legal.py", 20, marks=pytest.mark.slow)
            for name in ("rubiks_flip", "tron41")
        ),
        (SMALL, "first_legal.c", 22),
        (make_game("simplexity"), "first_legal.c", 22),
    ],
)
def test_a_twenty_line_program_plays_every_game(game: Game, example: str, lines: int, tmp_path: Path) -> None:
    assert len((BOTS / example).read_text().splitlines()) <= lines
    program = make_player(f'cmd(command="{example_command(BOTS / example, tmp_path)}", protocol=lines)', game)
    assert isinstance(program, LinesPlayer)
    expected = played(game, (first_legal(game), RandomPlayer()))
    record = played(game, (program, RandomPlayer()))
    assert record.faults == (None, None)
    assert record.actions == expected.actions
    assert len(record.actions) > 2


@pytest.mark.parametrize("name", ["light_riders", pytest.param("rubiks_flip", marks=pytest.mark.slow)])
def test_our_players_play_for_others(name: str) -> None:
    # The same seed gives the same moves, here and through the protocol.
    game = make_game(name)
    program = f"{sys.executable} -m saddlepoint bot {name} --protocol lines --player random"
    record = played(game, (LinesPlayer(program), RandomPlayer()), seed=5)
    assert record.faults == (None, None)
    assert record.actions == played(game, (RandomPlayer(), RandomPlayer()), seed=5).actions


def test_a_program_is_kept_from_game_to_game_and_told_what_happens(tmp_path: Path) -> None:
    file, notes = tmp_path / "bot.py", tmp_path / "notes"
    file.write_text(
        f"import os, sys\nnotes = open({str(notes)!r}, 'a', buffering=1)\nnotes.write(f'pid {{os.getpid()}}\\n')\n"
        "for line in sys.stdin:\n    notes.write(line)\n    verb = line.split()[0]\n"
        "    if verb == 'begin': print('hello there\\nready', flush=True)\n"
        "    if verb == 'go': print('info depth 2 nodes 40 value -0.5\\nthinking\\nmove RIGHT', flush=True)\n"
    )
    player = LinesPlayer(
        f"{sys.executable} {file}", Isolation(mode="supervisor")
    )  # in namespaces its notes would be its own
    clock = Clock(3.0, 0.5, 4.0)
    tiny = LightRiders(4, 3)
    records: list[GameRecord] = []
    for game, seed in ((tiny, 7), (tiny, None)):
        record = play_game(game, (player, RandomPlayer()), game.initial_state(0, 1), (clock, clock), seed)
        records.append(record)
        assert record.searches[0][0][1:] == (2, 40, -0.5)
        assert record.searches[1][0] is None
        assert [len(searches) for searches in record.searches] == [len(times) for times in record.times]
    player.close()
    lines = notes.read_text().splitlines()
    assert [line.split()[0] for line in lines].count("pid") == 1
    assert lines[1:6] == [
        "saddlepoint 1",
        "game light_riders(width=4, height=3)",
        "seat 0",
        lines[4],
        "begin",
    ]
    assert lines[4].startswith("seed ") and lines[4] != "seed none"
    assert lines[6:13] == [
        "position 4",
        "light_riders 4x3 round 0 facing right left alive 01",
        "....",
        "0..1",
        "....",
        "legal up right down left",
        "clock 3.000000 0.500000 4.000000",
    ]
    assert lines[13] == "go"
    assert [line for line in lines if line.startswith("end")] == [
        f"end {record.result:g}" for record in records
    ]
    assert "seed none" in lines
    assert lines[-1] == "quit"


def test_a_program_that_left_after_a_game_is_started_again(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text((BOTS / "first_legal.py").read_text().replace('"quit"', '"end"'))
    player = LinesPlayer(f"{sys.executable} {file}")
    for _ in range(3):
        assert play_game(SMALL, (player, RandomPlayer()), clocks=(CLOCK, CLOCK)).faults == (None, None)
    player.close()


def test_a_player_that_was_ended_has_no_move() -> None:
    player = LinesPlayer(f"{sys.executable} -c 'print(1)'")
    with pytest.raises(PlayerError, match="exited with code 0"):
        player.begin(SMALL, 0, 1)
    with pytest.raises(PlayerError, match="the program was ended"):
        player.choose(SMALL.initial_state(), CLOCK)


# -- positions as words -------------------------------------------------------------------------------------------------

_BY_NUMBERS = """
import sys
told = {}
for line in sys.stdin:
    verb, *rest = line.split()
    told[verb] = rest
    if verb == "begin":
        print("wants words", "ready", sep="\\n", flush=True)
    elif verb == "go":
        cards = int(told["words"][0], 16)
        assert len(told["actions"]) == len(told["legal"]) == bin(cards).count("1"), told
        print("move", told["legal"][told["actions"].index(max(told["actions"], key=int))], flush=True)
"""


def test_a_bot_that_wants_words_is_told_positions_and_moves_as_numbers(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(_BY_NUMBERS)
    game = Goofspiel(4)
    record = played(game, (LinesPlayer(f"{sys.executable} {tmp_path / 'bot.py'}"), first_legal(game)))
    assert record.faults == (None, None)
    assert [choice.answer.action for choice in record.choices[0] if choice.answer] == [3, 2, 1, 0]


# -- lines are read as words ---------------------------------------------------------------------------------------------

WORDS = """\
import sys
before, between, after, first = [text.encode().decode("unicode_escape") for text in {texts!r}]
sys.stdout.reconfigure(encoding="utf-8", newline="")
legal, left = [], 0
for line in sys.stdin:
    words = line.split()
    if left:
        left -= 1
    elif words[0] == "position":
        left = int(words[1])
    elif words[0] == "begin":
        print(f"{{first}}{{before}}ready{{after}}", end="", flush=True)
    elif words[0] == "legal":
        legal = words[1:]
    elif words[0] == "go":
        print(f"{{before}}info{{between}}depth 3\\n{{before}}move{{between}}{{legal[0]}}{{after}}", end="", flush=True)
    elif words[0] == "quit":
        break
"""


def speaking(folder: Path, *texts: str, change: tuple[str, str] = ("", "")) -> LinesPlayer:
    """A bot that writes these before, between and after its words, and first of all."""
    program = folder / "program.py"
    program.write_text(WORDS.format(texts=texts).replace(*change))
    return LinesPlayer(f"{sys.executable} {program}")


@pytest.mark.parametrize(
    "texts",
    [
        (" ", " ", r"\n", ""),
        (r"\t", r"\t", r" \r\n", ""),
        ("", "  ", r"\t\n", ""),
        ("", " ", r"\n", r"\ufeff"),  # what a program on Windows writes first
        ("", " ", r"\nmoves searched: 31\nmoved\n", ""),  # more of its own, whose first word is another
    ],
)
def test_an_answer_is_known_by_its_words(texts: tuple[str, ...], tmp_path: Path) -> None:
    record = played(SMALL, (speaking(tmp_path, *texts), first_legal(SMALL)))
    assert record.faults == (None, None)
    found = [one.answer.statistics for one in record.choices[0] if one.answer is not None]
    assert found and all(one is not None and one.depth == 3 for one in found), "its info lines are read alike"


def test_a_move_before_the_question_loses_with_a_blank_before_it_too(tmp_path: Path) -> None:
    bot = speaking(tmp_path, "", " ", r"\n\tmove up\n", "")
    assert played(SMALL, (bot, first_legal(SMALL))).faults[0].text == "it moved before it was asked"


def test_what_it_wrote_is_shown_as_it_came(tmp_path: Path) -> None:
    player = speaking(tmp_path, "", " ", r"\n", "", change=("{before}move", "\\t my  answer"))
    player.begin(SMALL, 0, 0)
    with pytest.raises(PlayerError, match=r"it wrote '\\t my  answer up' where 'move up' is expected"):
        player.choose(SMALL.initial_state(), Clock(0.3, 0.0))


def test_our_bot_reads_words_too(talk: tuple[LinesBot, list[str]]) -> None:
    lines = (
        "\ufeffsaddlepoint 1",
        "\tgame\tlight_riders(width=6, height=5) ",
        " seat  0",
        "seed 1",
        "begin\t",
    )
    assert told(*talk, *lines) == "ready\n"
