"""`check` tells the author of a bot what is wrong with it; each bot here makes one mistake."""

import json
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_runs import Program
from saddlepoint.arena.openings import positions_of
from saddlepoint.games.catalogue.games import GAMES, make_game
from saddlepoint.players.programs import process

BOTS = Path(__file__).parents[2] / "examples" / "bots"
GOOFSPIEL = "goofspiel(cards=4)"
LOOP = """
import random, sys, time
def say(text): print(text, flush=True)
rows, legal = 0, []
for line in sys.stdin:
    verb, _, rest = line.strip().partition(" ")
    if rows:
        rows -= 1
        continue
    if verb == "position": rows = int(rest)
    if verb == "legal": legal = rest.split()
    if verb == "begin": say("ready")
    if verb == "quit": break
"""
GO = '    if verb == "go": '
RIGHT = LOOP + GO + "say('move ' + legal[0])\n"
LATE_ONCE = "asked = 0" + LOOP + GO + "asked += 1; time.sleep(2.15 * (asked == 2)); say('move ' + legal[0])\n"
CHOOSE = "def choose(game, state, clock, player):\n    return "

FAULTS: dict[str, tuple[str, str, str]] = {
    "an import that fails": (
        "import nothing_of_the_kind",
        "does not start",
        "exited with code 1: ModuleNotFoundError",
    ),
    "a syntax error": ("def f(:", "does not start", "exited with code 1: SyntaxError"),
    "ends at once": (
        LOOP.replace('say("ready")', 'say("ready"); break'),
        "ended early",
        "the program exited with code 0",
    ),
    "another word": (RIGHT.replace("ready", "Ready"), "wrong format", "'Ready' where 'ready' is expected"),
    "no flush": (RIGHT.replace(", flush=True", ""), "no answer in time", "no answer within 2.000 s"),
    "no verb": (RIGHT.replace("'move ' + ", ""), "wrong format", "it wrote '1' where 'move 1' is expected"),
    "no legal move": (LOOP + GO + "say('move e2e4')\n", "illegal move", "'e2e4' is not a legal move"),
    "no end of the line": (
        LOOP + GO + "print('move', legal[0], end='', flush=True)\n",
        "no answer in time",
        "'move 1' without the end",
    ),
    "answers once": (
        LOOP + GO + "say('move ' + legal[0]); break\n",
        "ended early",
        "asked many times, and reads its input until",
    ),
    "slow": (LOOP + GO + "time.sleep(0.4); say('move ' + legal[0])\n", "too slow", "answered after"),
    "a slow first answer": (
        "import time\nasked = []\n"
        + CHOOSE.replace("return ", "asked or time.sleep(0.4)\n    asked.append(1)\n    return ")
        + "game.legal_actions(state, player)[0]\n",
        "too slow",
        "call it before the clock runs, in `begin` of a class Player",
    ),
    "silent": (
        LOOP,
        "no answer in time",
        "asked again it did not answer within 3 s either: is the output flushed",
    ),
    "floods": (
        LOOP + GO + "say('x' * 1_100_000); say('move ' + legal[0])\n",
        "prints too much",
        "more than 1000000 characters",
    ),
    "crashes late": (RIGHT + GO + "1 / (len(legal) > 2)\n", "ended early", "ZeroDivisionError"),
    "does not know `end`": (
        RIGHT + "    if verb == 'end': sys.exit('what is an end?')\n",
        "ended early",
        "what is an end?",
    ),
    "moves unasked": (
        LOOP + GO + "say('move ' + legal[0] + '\\nmove ' + legal[0])\n",
        "error",
        "it moved before it was asked",
    ),
    "choose without an answer": (CHOOSE + "None", "illegal move", "choose returned None"),
    "choose that raises": (CHOOSE + "state.no_such_field", "error", "AttributeError"),
    "ends without a word": ("", "does not start", "exited with code 0"),
}
"""The bot, the kind of problem, and what is said."""
QUICK_FAULTS = (
    "a syntax error",
    "ends at once",
    "no verb",
    "no legal move",
    "floods",
    "crashes late",
    "moves unasked",
)
"""The others wait for seconds."""
NOTES: dict[str, tuple[str, str]] = {
    "prints what nobody reads": (LOOP + GO + "say('I think'); say('move ' + legal[0])\n", "'I think'"),
    "answers otherwise when it is asked again": (
        "seen = []\n"
        + LOOP
        + GO
        + "say('move ' + legal[-1 if (rows, legal) in seen else 0]); seen.append((rows, list(legal)))\n",
        "asked twice with the same seed",
    ),
    "is late once": (LATE_ONCE, "asked again it was in time"),
    "stays": (RIGHT.replace("break", "time.sleep(100)"), "did not end within 0.5 s of `quit`"),
    "ends with each game": (RIGHT.replace('"quit"', '"end"'), "it ends after each game"),
}


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """How a program ended is told a moment after its output did: on a busy machine that may take more than the usual second."""
    monkeypatch.setattr(process, "_LAST_WORDS", 60.0)


def checked(
    cli: Program, folder: Path, text: str, *more: str, patience: int = 30
) -> tuple[int, dict[str, Any]]:
    """The exit code and the figures; `patience` in seconds: on a busy machine a program may take several to start."""
    (folder / "bot.py").write_text(text, encoding="utf-8")
    code, out, _ = cli(
        "check",
        str(folder / "bot.py"),
        "--game",
        GOOFSPIEL,
        "--time",
        "0.1",
        "--patience",
        str(patience),
        *more,
        "--json",
    )
    return code, json.loads(out)


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [pytest.param(*FAULTS[name], marks=[] if name in QUICK_FAULTS else pytest.mark.slow) for name in FAULTS],
    ids=FAULTS,
)
def test_a_mistake_is_told_in_words(cli: Program, tmp_path: Path, text: str, kind: str, said: str) -> None:
    code, data = checked(
        cli, tmp_path, text, patience=2 if kind in ("no answer in time", "wrong format") else 30
    )
    assert (code, data["ok"]) == (1, False)
    first = data["problems"][0]
    assert first["kind"] == kind, first
    assert said in first["text"], first
    assert first["dialogue"]
    if "position" in first["where"]:
        assert first["legal"] and first["position"].startswith("goofspiel ")


@pytest.mark.parametrize(
    ("text", "said"),
    [pytest.param(*NOTES[name], marks=pytest.mark.slow if name == "is late once" else []) for name in NOTES],
    ids=NOTES,
)
def test_what_costs_no_game_is_a_note(cli: Program, tmp_path: Path, text: str, said: str) -> None:
    code, data = checked(cli, tmp_path, text, "--time", "2")
    assert (code, data["problems"]) == (0, [])
    assert said in " ".join(data["notes"])


def test_the_report_is_for_people(cli: Program, tmp_path: Path) -> None:
    (bot := tmp_path / "bot.py").write_text(LOOP + GO + "say('move e2e4')\n")
    out, err = cli.ended(1, "check", str(bot), "--game", GOOFSPIEL)
    assert "speaks     the library's line protocol" in out
    for part in ("starts     yes", "illegal move, position 1", "legal: 1, 2, 3, 4", "< move e2e4"):
        assert part in out
    assert "programs run" in err
    bot.write_text(RIGHT)
    out = cli.printed("check", str(bot), "--game", GOOFSPIEL, "--time", "2")
    assert "positions  12 of 12 answered" in out
    assert out.endswith("nothing is wrong with it\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def choose(game, state): return 0", "choose(game, state, clock) would be"),
        ("class Bot:\n    def choose(self, state, clock): return 0", "one of the name Player would be"),
        ("import sys; sys.exit(127)", "see"),
    ],
)
def test_one_that_does_not_start_is_told_the_way_out(
    cli: Program, tmp_path: Path, text: str, said: str
) -> None:
    (bot := tmp_path / "bot.py").write_text(text)
    out, _ = cli.ended(1, "check", str(bot), "--game", GOOFSPIEL)
    assert "does not start" in out
    assert said in " ".join(out.split())


RIDDLES = "import sys\nfor line in sys.stdin:\n    if line.startswith('action'): print({!r}, flush=True)\n"
RIDERS = ("--game", "light_riders(width=8, height=6)", "--time", "2")


@pytest.mark.parametrize(
    ("text", "protocol"),
    [
        (RIDDLES.format("up"), "riddles"),
        (RIGHT, "lines"),
        (CHOOSE + "0", "python"),
        pytest.param(RIDDLES.format("move up"), None, marks=pytest.mark.slow),
    ],
    ids=["riddles", "lines", "python", "none"],
)
def test_which_protocol_is_spoken_is_said_and_what_was_said_where_it_is_none(
    cli: Program, tmp_path: Path, text: str, protocol: str | None
) -> None:
    found, data = checked(cli, tmp_path, text, *RIDERS, patience=30 if protocol else 4)
    assert (found, data["protocol"]) == (0 if protocol else 1, protocol), data
    assert protocol or "it wrote 'move up'" in data["problems"][0]["text"]


QUICK = ("light_riders", "connect_four")


@pytest.mark.parametrize(
    "game", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in GAMES]
)
def test_the_simplest_bot_is_right_in_every_game(cli: Program, game: str) -> None:
    data = cli.data("check", str(BOTS / "first_legal.py"), "--game", game, "-n", "4", "--time", "5")
    assert (data["problems"], data["protocol"]) == ([], "lines")


@pytest.mark.parametrize("name", ["goofspiel", "simplexity", "light_riders"])
def test_positions_are_of_both_players_and_of_all_of_a_game(name: str) -> None:
    game = make_game(name)
    found = positions_of(game, 12, 1)
    assert 8 <= len(found) <= 12
    assert {one.player for one in found} == {0, 1}
    assert all(one.player in game.players_to_act(one.state) for one in found)
    assert len({game.to_text(one.state) for one in found}) >= 6


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "2000.0 ms allowed, and 20.0 ms of tolerance"),
        (("--tolerance", "0"), "2000.0 ms allowed\n"),
        (("--nodes", "5"), "no limit of time"),
    ],
)
def test_what_is_allowed_is_what_the_verdict_is_about(
    cli: Program, options: tuple[str, ...], said: str
) -> None:
    bound = () if "--nodes" in options else ("--time", "2")
    assert said in cli.printed(
        "check", str(BOTS / "first_legal.py"), "--game", "goofspiel(cards=3)", "-n", "1", *bound, *options
    )
