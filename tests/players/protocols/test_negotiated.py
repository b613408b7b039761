"""A program for Light Riders need not say whether it speaks the library's own protocol or riddles.io's: it is found out."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from helpers.bots import example_command
from saddlepoint import Game, LightRiders
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.play.game import play_game
from saddlepoint.players.base import FaultKind, PlayerError, RandomPlayer
from saddlepoint.players.clock import Clock
from saddlepoint.players.programs.isolation import Isolation
from saddlepoint.players.protocols.negotiated import NegotiatedPlayer
from saddlepoint.web.answers import ReadyPlayers

ROOT = Path(__file__).parents[3]
PAGES = "".join((ROOT / "docs" / page).read_text() for page in ("bots.md", "protocol.md"))
DIALOGUE = (ROOT / "docs" / "contests-others.md").read_text()
NAMED = [
    ROOT / "docs" / name
    for name in sorted(set(re.findall(r"\]\((\.\./examples/bots/[\w.]+)\)", PAGES + DIALOGUE)))
]
"""The example bots to which the pages link."""
SMALL = LightRiders(8, 6)
CLOCK = Clock(5.0, 0.5)
GAMES = (LightRiders(), make_game("goofspiel"), make_game("tron41"))

TOLERANT = "for line in sys.stdin:\n    if line.startswith('action move'): say('up')\n"
STRICT = (
    "for line in sys.stdin:\n    word = line.split()[0]\n    if word == 'action': say('up')\n"
    "    elif word not in ('settings', 'update'): sys.exit('unknown: ' + word)\n"
)
STUCK = (
    "if not sys.stdin.readline().startswith('settings'): time.sleep(1000)\n"
    "for line in sys.stdin:\n    if line.startswith('action move'): say('up')\n"
)
LOUD = TOLERANT.replace("    if", "    if line[:4] == 'game': say('Unknown command')\n    if")
LINES = (
    "for line in sys.stdin:\n    word, *rest = line.split()\n    if word == 'begin': prepare(); say('ready')\n"
    "    if word == 'legal': legal = rest\n    if word == 'go': say('move ' + legal[0])\n"
)
BOTH = "for line in sys.stdin:\n" + TOLERANT.partition("\n")[2] + LINES.partition("\n")[2]


def written(folder: Path, body: str, preparing: float = 0.0) -> str:
    """The command of a bot; it takes these seconds to prepare."""
    file = folder / "bot.py"
    file.write_text(
        f"import sys, time\ndef say(text): print(text, flush=True)\ndef prepare(): time.sleep({preparing})\n{body}",
        encoding="utf-8",
    )
    return f"cmd:{sys.executable} -I -S {file}"


def played(spec: str, game: Game, isolation: Isolation | None = None) -> Any:
    """A game against random, and the player."""
    player = make_player(spec, game, isolation=isolation)
    try:
        return play_game(game, (player, RandomPlayer()), clocks=(CLOCK, CLOCK), seed=3), player
    finally:
        player.close()


@pytest.mark.parametrize("example", NAMED, ids=lambda path: path.name)
def test_the_example_bots_of_the_page_play_without_any_option(example: Path, tmp_path: Path) -> None:
    assert len(NAMED) == 3
    for game in GAMES[:1] if "riders" in example.name else GAMES:
        record, _ = played(example_command(example, tmp_path), game)
        assert record.faults == (None, None)
        assert len(record.actions) > 1


@pytest.mark.slow
def test_the_first_bot_of_the_docs_plays_the_default_game_and_others(cli: Any, tmp_path: Path) -> None:
    part = (ROOT / "docs" / "bots.md").read_text().split("## Your first bot", 1)[1].split("\n## ", 1)[0]
    bot = tmp_path / "mybot.py"
    bot.write_text(part.split("```python\n", 1)[1].split("```", 1)[0])
    for game in GAMES:
        assert played(str(bot), game)[0].faults == (None, None)
    assert cli.printed("check", str(bot), "--time", "2").endswith("\nnothing is wrong with it\n")


def test_the_dialogue_of_the_page_is_what_is_said(cli: Any, tmp_path: Path) -> None:
    told = DIALOGUE.split("```text\n", 1)[1].split("```", 1)[0].splitlines()
    bot = ROOT / "examples" / "bots" / "light_riders.py"
    play = f"play light_riders(width=4,height=3) {bot} random --bank 10 --time 0.2 --seed 3 --plain --logs {tmp_path}"
    assert cli(*play.split())[0] == 0
    said = [line[10:] for line in next(tmp_path.glob("*.log")).read_text().splitlines()]
    assert [re.sub(r"(?<=action move )\d+", "10000", line) for line in said[: len(told)]] == told


@pytest.mark.parametrize(
    ("body", "protocol"),
    [(TOLERANT, "riddles"), (STRICT, "riddles"), (LOUD, "riddles"), (LINES, "lines"), (BOTH, "lines")],
    ids=["ignores what it does not know", "ends at what it does not know", "is loud", "lines", "both"],
)
def test_what_a_program_speaks_is_found_out_once(body: str, protocol: str, tmp_path: Path) -> None:
    player = make_player(written(tmp_path, body), SMALL)
    assert isinstance(player, NegotiatedPlayer)
    for _ in range(2):
        assert play_game(SMALL, (player, RandomPlayer()), clocks=(CLOCK, CLOCK), seed=3).faults == (
            None,
            None,
        )
        assert player.protocol == protocol
    player.close()


@pytest.mark.slow
@pytest.mark.parametrize(("body", "preparing", "protocol"), [(STUCK, 0.0, "riddles"), (LINES, 2.0, "lines")])
def test_nothing_is_guessed_from_how_long_an_answer_takes(
    body: Any, preparing: float, protocol: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("saddlepoint.players.protocols.negotiated._FIRST_ANSWER", 0.5)
    # One that waits for ever after a line it does not know has a process without it; one that is long in preparing is waited for.
    record, player = played(written(tmp_path, body, preparing), SMALL)
    assert record.faults == (None, None)
    assert player.protocol == protocol


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (
            "sys.exit('no weights')",
            FaultKind.CRASH,
            "exited with code 1: no weights .the protocols lines and riddles were tried.",
        ),
        ("while True: print('x' * 10_000)", FaultKind.FLOOD, "more than 1000000 characters of output"),
        (
            "for line in sys.stdin:\n    if line == 'begin\\n': say('error no licence')",
            FaultKind.ERROR,
            "^no licence$",
        ),
    ],
)
def test_who_ends_in_the_trial_or_says_why_it_does_not_play_is_quoted(
    body: str, kind: FaultKind, said: str, tmp_path: Path
) -> None:
    with pytest.raises(PlayerError, match=said) as caught:
        make_player(written(tmp_path, body), SMALL).try_start(SMALL)
    assert caught.value.kind is kind


@pytest.mark.slow
def test_where_no_protocol_is_answered_it_is_said_which_were_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("saddlepoint.players.protocols.negotiated._FIRST_ANSWER", 0.3)
    bot = written(tmp_path, "for line in sys.stdin: say('hello')")
    fault = played(bot, SMALL, Isolation(patience=0.6))[0].faults[0]
    assert (fault.kind, fault.step) == (FaultKind.LATE, None)
    for part in (
        "none of the protocols",
        "lines and riddles",
        "`ready` after `begin`",
        "a direction",
        "flushed",
        "it wrote 'hello'",
    ):
        assert part in fault.text
    assert "\n" not in fault.text


@pytest.mark.parametrize("protocol", ["lines", "riddles"])
def test_a_named_protocol_is_not_asked_for(protocol: str, tmp_path: Path) -> None:
    command = written(tmp_path, BOTH).removeprefix("cmd:")
    record, player = played(f'cmd(command="{command}", protocol={protocol})', SMALL)
    assert not isinstance(player, NegotiatedPlayer)
    assert record.faults == (None, None)


@pytest.mark.slow
@pytest.mark.parametrize("body", [STRICT, LINES], ids=["riddles", "lines"])
def test_matches_by_workers_leagues_single_games_and_the_page_agree(
    body: str, cli: Any, tmp_path: Path
) -> None:
    bot, ledger, common = (
        written(tmp_path, body),
        str(tmp_path / "league.db"),
        ("--size", "8x6", "--time", "2"),
    )
    for command in (
        ("match", bot, "random", "-n", "2", "-j", "2", *common),
        ("league", "add", ledger, bot, *common),
        ("league", "add", ledger, "random", *common),
        ("league", "run", ledger, "-n", "2", "-j", "1"),
        ("league", "run", ledger, "-n", "2", "-j", "1"),
        ("play", "light_riders(width=8, height=6)", bot, "random", "--time", "2", "--plain"),
    ):
        assert "at fault" not in cli.printed(*command)
    page = ReadyPlayers()
    for _ in range(2):
        assert page.answer(SMALL, SMALL.initial_state(), 1, bot, 2.0, None)["name"] == "up"
    page.close()


def test_the_contests_referee_says_that_it_has_one_protocol(cli: Any, tmp_path: Path) -> None:
    lines = written(tmp_path, LINES).removeprefix("cmd:")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("saddlepoint.games.light_riders.player._USUAL", Clock(0.5, 0.2))
        _, err = cli.ended(2, "referee", lines, lines, "--size", "8x6", "--timebank", "2000")
    assert "speaks lines, and the contest's referee riddles.io's protocol" in err


def test_a_trial_that_fails_is_in_the_log(tmp_path: Path) -> None:
    player = make_player(written(tmp_path, "sys.exit('no weights')"), SMALL)
    player.log_to(tmp_path / "log")
    with pytest.raises(PlayerError):
        player.begin(SMALL, 0, 1)
    text = (tmp_path / "log").read_text()
    assert "> begin" in text
    assert "! no weights" in text
