"""The help, the command line's surface, and --alias.

`tests/data/cli_surface.json` holds the surface: commands and options, the keys of what `--json` prints, exit codes. What changes there is
told in CHANGELOG.md.
"""

import io
import json
import re
import shlex
import signal
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import typer
from typer import rich_utils
from typer.testing import CliRunner

from helpers.bots import command
from helpers.cli_runs import Program, program
from saddlepoint.cli.common import Aliases
from saddlepoint.cli.program import app
from saddlepoint.games.light_riders import LightRiders


def _below(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    """A command and all below it, by what is typed."""
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from _below(inner, f"{path} {name}")


COMMANDS: dict[str, Any] = dict(_below(typer.main.get_command(app), "saddlepoint"))
"""Every command, by what is typed."""


FIRST = ("saddlepoint new game", "saddlepoint new bot")
"""Who meets the program with a game or bot of their own begins here; then the order is that of the help."""
SMALLER = {
    "match": "-n 2 -j 1 --nodes 20",
    "tournament": "-n 2 -j 1 --nodes 20",
    "tune": "-n 4 -j 1 --trial-games 2 --finalists 1 --finalist-games 2 --sprt-games 2 --nodes 20",
    "league run": "-n 2 -j 1",
    "review": "--nodes 50",
    "compare": "--nodes 50",
    "analyze": "--time 0.05",
    "puzzles": "--nodes 20",
    "fit": "--generations 1 --positions 1000 --nodes 5 --games 2 --minutes 0.06",
    "literature": "--list",
    "tron41": "-multi_test 1",
    "solve rubiks_flip": "--keep 2",
}
"""What a test adds to the examples of commands that compute long: less of the same. The last of an option given twice counts."""
ANSWERS = {"play light_riders human": "quit\n", "show": "q\n", "ledger show": "q\n", "ledger replay": "y\n"}
NEEDS = {"export": "ziglang", "tune": "optuna"}
"""Packages of an extra."""


def examples(command: Any) -> list[str]:
    """What the help of a command calls an example."""
    return re.findall(r"^Example: (.*)$", command.help, re.MULTILINE)


def shown(path: str) -> str:
    """The help as a terminal of 80 columns shows it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rich_utils, "MAX_WIDTH", 80)
        return CliRunner().invoke(app, [*path.split()[1:], "--help"], env={"TERM": "dumb"}).output


@pytest.mark.parametrize("path", COMMANDS)
def test_a_command_says_in_one_short_sentence_what_it_does_then_gives_an_example(path: str) -> None:
    first, *rest = COMMANDS[path].help.split("\n\n")
    assert len(first) <= 78  # a line of 80 columns
    assert re.fullmatch(r"[A-Z][^.]*\.", first)
    assert rest[-1].startswith("Example: saddlepoint ")
    assert all(
        line.startswith(path.removesuffix(" game").removesuffix(" file")) for line in examples(COMMANDS[path])
    )


@pytest.mark.parametrize("path", COMMANDS)
def test_the_help_fits_80_columns(path: str) -> None:
    out = shown(path)
    assert max(map(len, out.splitlines())) <= 80
    assert "…" not in out, "a word was cut"
    told = " ".join(re.sub("[│╭╮╰╯─]", " ", out).split())
    for parameter in COMMANDS[path].params:
        for word in (parameter.help or "").split():
            assert word in told, f"{parameter.name}: brackets are read as markup"


@pytest.mark.parametrize("path", ["match", "tournament", "tune"])
def test_the_usual_options_come_first_and_the_others_in_panels(path: str) -> None:
    out = shown(f"saddlepoint {path}")
    usual = out[out.index("─ Options ") : out.index("─ Clock and limits ")]
    for option in ("-n", "--game", "--size", "--time", "--nodes", "--seed", "--ledger", "--json"):
        assert f" {option} " in usual
    for panel, option in (("Programs", "--isolate"), ("Where it runs", "--executor"), ("Files", "--resume")):
        assert option in out[out.index(f"─ {panel} ") :]
        assert option not in usual


@pytest.mark.parametrize("path", COMMANDS)
def test_an_option_takes_its_value_after_a_blank_or_an_equals_sign(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = COMMANDS[path]
    given: dict[str, Any] = {}
    monkeypatch.setattr(command, "invoke", lambda ctx: given.update(ctx.params))
    monkeypatch.setattr(command, "no_args_is_help", False)
    for parameter in command.params:
        monkeypatch.setattr(parameter, "required", False)
    for parameter in command.params:
        if parameter.param_type_name != "option" or parameter.is_flag or parameter.nargs != 1:
            continue
        for option in (one for one in parameter.opts if one.startswith("--")):
            found: list[Any] = []
            least = getattr(parameter, "min", None) or 1
            for words in ([option, f"{least}"], [f"{option}={least}"]):
                given.clear()
                command.main(words, standalone_mode=False)
                found.append(given[parameter.name])
            assert found[0] == found[1]
            assert found[0] in (least, f"{least}", [f"{least}"], Path(f"{least}")), option


def ordered() -> list[str]:
    """Every example once, in the order in which a person meets them."""
    every = dict.fromkeys(line for command in COMMANDS.values() for line in examples(command))
    return sorted(every, key=lambda line: not line.startswith(FIRST))


@pytest.mark.slow
@pytest.mark.compiles_long
@pytest.mark.usefixtures("here")
def test_every_example_of_the_help_runs(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}", prepend=":")
    for line in ordered():
        words = shlex.split(line)[1:]
        named = [name for name in (words[0], " ".join(words[:2])) if name in SMALLER]
        words += [word for name in named for word in SMALLER[name].split()]
        if words[0] in NEEDS and find_spec(NEEDS[words[0]]) is None:
            continue
        if words[0] == "serve":
            _serves(*words)
            continue
        answer = next(
            (text for start, text in ANSWERS.items() if line.startswith(f"saddlepoint {start}")), ""
        )
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(answer.encode())))
        cli.printed(*words)


def _serves(*words: str) -> None:
    running = program(*words, "--no-browser", "--port", "0")
    assert "http://127.0.0.1:" in running.stdout.readline()
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=60)


# -- the surface ---------------------------------------------------------------------------------------------------------

SURFACE: dict[str, Any] = json.loads((Path(__file__).parents[1] / "data" / "cli_surface.json").read_text())
TINY = "--game goofspiel(cards=3) --nodes 50 --seed 1"


def described(parameter: Any) -> str:
    """What a user can know of an option or argument, but for its help."""
    words = ["/".join([*parameter.opts, *parameter.secondary_opts])]
    words += ["required"] if parameter.required else []
    words += ["repeated"] if getattr(parameter, "multiple", False) or parameter.nargs == -1 else []
    words += [
        f"{name} {value}" for name in ("min", "max") if (value := getattr(parameter, name, None)) is not None
    ]
    return ", ".join([*words, f"default {parameter.default!r}"])


def test_commands_and_options_are_the_recorded_ones() -> None:
    known = SURFACE["options"]
    assert sorted(COMMANDS) == sorted(known)
    for path, found in COMMANDS.items():
        assert sorted(map(described, found.params)) == known[path], path


def keys(text: str) -> list[str]:
    """The keys of an object, or of the first of several."""
    data = json.JSONDecoder().raw_decode(text)[0]
    return sorted(data[0] if isinstance(data, list) else data)


@pytest.fixture
def folder(cli: Any, here: Path) -> Path:
    """A folder with a ledger, a league, a position and a bot."""
    cli(*shlex.split(f"match random best -n 2 {TINY} --ledger games.db -j 1"))
    for player in ("random", "best"):
        cli(*shlex.split(f"league add league.db {player} {TINY}"))
    Path("position.txt").write_text(LightRiders(8, 6).to_text(LightRiders(8, 6).initial_state()))
    command(here, "good")
    return here


@pytest.mark.slow
def test_json_has_the_recorded_keys(cli: Any, folder: Path) -> None:
    for line, known in SURFACE["json"].items():
        words = [
            word.replace("python3", sys.executable) for word in shlex.split(line)
        ]  # which may be a script that looks for it
        assert keys(cli.printed(*words)) == known, line


@pytest.mark.slow
def test_wrong_uses_end_with_the_recorded_codes(cli: Any, folder: Path) -> None:
    for line, code in SURFACE["wrong"].items():
        out, err = cli.ended(code, *shlex.split(line))
        assert not out and err.startswith("saddlepoint: "), line


# -- --alias -------------------------------------------------------------------------------------------------------------

GAME = ["--game", "goofspiel(cards=3)", "-j", "1", "--bank", "20"]


@pytest.fixture
def spec(tmp_path: Path) -> str:
    """A player with a long spec."""
    folder = tmp_path / "a_folder_with_a_long_name" / "and_another_one_inside_of_it"
    folder.mkdir(parents=True)
    bot = folder / "a_bot_with_a_long_name_as_well.py"
    bot.write_text(
        "def choose(game, state, clock, player):\n    return game.legal_actions(state, player)[0]\n"
    )
    return str(bot)


@pytest.mark.slow
def test_an_alias_is_a_player_and_its_name_everywhere(
    cli: Program, spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, page = str(tmp_path / "games.db"), tmp_path / "page.html"
    alias = ["--alias", f"first={spec}"]
    arguments = (
        "tournament",
        "first",
        "random",
        "-n",
        "2",
        *GAME,
        "--ledger",
        ledger,
        "--anchor",
        "first=100",
        *alias,
    )
    for width in ("80", "120"):
        monkeypatch.setenv("COLUMNS", width)
        out = cli.printed(*arguments)
        assert spec not in out.replace("\n", "")
        assert max(map(len, out.splitlines())) <= int(width)
        assert any(line.split()[1:3] == ["first", "+100"] for line in out.splitlines())
    data = cli.data(*arguments)
    assert {(row["player"], row.get("name")) for row in data["ratings"]} == {
        (spec, "first"),
        ("random", None),
    }
    assert data["names"] == {spec: "first"}
    cli.printed("report", ledger, "-o", str(page), *alias)
    html = page.read_text()
    assert "<bdi>first</bdi>" in html
    assert html.count(spec) == 1  # what the name stands for
    told = cli.data("report", ledger, *alias)
    assert told["names"] == {spec: "first"}
    assert {row["player"] for row in told["games"][0]["players"]} == {spec, "random"}


@pytest.mark.slow
def test_a_match(cli: Program, spec: str) -> None:
    arguments = ["match", "x", "random", "-n", "2", *GAME, "--alias", f"x={spec}"]
    out = cli.printed(*arguments)
    assert "x against random: " in out
    assert spec not in out
    data = cli.data(*arguments)
    assert (data["a"], data["a_name"], data["b"]) == (spec, "x", "random")


@pytest.mark.slow
def test_a_league(cli: Program, spec: str, tmp_path: Path) -> None:
    ledger, alias = str(tmp_path / "league.db"), ["--alias", f"x={spec}"]
    add = ["league", "add", ledger]
    assert cli.printed(*add, "x", *GAME[:2], *GAME[4:], *alias).startswith("x is in the league")
    cli(*add, "random")
    assert spec not in cli.printed("league", "run", ledger, "-n", "2", "-j", "1", *alias)
    assert "in the league: x, random" in cli.printed("league", "show", ledger, *alias)
    assert cli.printed("league", "remove", ledger, "x", *alias) == "x left; its players: random\n"
    assert cli.data("league", "show", ledger)["in_the_league"] == ["random"]


def test_names_stand_for_specs_however_these_are_spaced() -> None:
    aliases = Aliases(["x=alphabeta(evaluator=voronoi,depth=2)"])
    assert aliases.name("alphabeta(evaluator=voronoi, depth=2)") == "x"
    assert aliases.name("alphabeta(evaluator=voronoi, depth=3)") == "alphabeta(evaluator=voronoi, depth=3)"
    assert aliases.spec("x") == "alphabeta(evaluator=voronoi,depth=2)"
    assert aliases.spec("random") == "random"


def test_a_sentence_names_players_by_their_aliases() -> None:
    aliases = Aliases(["strong=alphabeta(depth=2)"])
    said = "No games connect these groups, so their ratings cannot be compared: alphabeta(depth=2), alphabeta(depth=20); random."
    assert aliases.shown({"notes": [said]}) == {"notes": [said.replace("alphabeta(depth=2),", "strong,")]}


def test_versions_of_a_player_keep_its_name() -> None:
    aliases = Aliases(["strong=alphabeta(depth=2)"])
    assert aliases.name("alphabeta(depth=2) (2)") == "strong (2)"
    assert aliases.shown({"ratings": [{"player": "alphabeta(depth=2) (1)"}]}) == {
        "ratings": [{"player": "strong (1)"}]
    }
    assert (
        aliases.beside({"ratings": [{"player": "alphabeta(depth=2) (1)"}]})["ratings"][0]["name"]
        == "strong (1)"
    )
    assert aliases.name("alphabeta(depth=3) (2)") == "alphabeta(depth=3) (2)"


def test_play_and_the_list_of_games_know_aliases(cli: Program, tmp_path: Path) -> None:
    search, small = "alphabeta(evaluator=voronoi)", ("--size", "8x6", "--nodes", "50")
    alias = ["--alias", "first=random", "--alias", f"second={search}"]
    out = cli.printed("play", "light_riders", "first", "second", *small, "--seed", "1", *alias)
    assert "first (0) against second (1)" in out
    ledger = str(tmp_path / "games.db")
    cli.printed("match", "random", search, "-n", "2", *small, "-j", "1", "--ledger", ledger)
    out, err = cli.ended(0, "ledger", "list", ledger, "--player", "second", *alias)
    assert "second" in out
    assert search not in out
    assert err == "2 of 2 games\n"
