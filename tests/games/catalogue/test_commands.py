"""Which protocol a command speaks; a Python file is looked through for its player, never run here."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from saddlepoint import Goofspiel, LightRiders, Simplexity, Tron41
from saddlepoint.game.spec import SpecError
from saddlepoint.games.catalogue.commands import refuse_missing
from saddlepoint.games.catalogue.isolated import IsolatedFile
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.catalogue.player_host import FilePlayer
from saddlepoint.games.light_riders.player import ProcessPlayer
from saddlepoint.games.tron41.asp import AspPlayer
from saddlepoint.players.base import Answer, MoveStatistics, PlayerError
from saddlepoint.players.clock import Clock
from saddlepoint.players.programs.isolation import Isolation
from saddlepoint.players.programs.named import defines_player
from saddlepoint.players.protocols.lines_player import LinesPlayer
from saddlepoint.players.protocols.negotiated import NegotiatedPlayer

CHOOSE = "def choose(game, state, clock): return 0\n"
COURSE = "class StudentBot:\n    def decide(self, asp): return 'U'\n"
PROGRAM = "for line in open(0): print('up')\n"
GAME = Goofspiel(4, "descending")


def written(directory: Path, text: str, name: str = "bot.py") -> Path:
    file = directory / name
    file.write_text(text)
    return file


@pytest.mark.parametrize(
    ("text", "is_player"),
    [
        (CHOOSE, True),
        ("def choose(game, state, clock, player): ...", True),
        ("def choose(game, state, clock, player=0, *, depth=3): ...", True),
        ("def choose(*question): ...", True),
        ("class Player:\n    def choose(self, state, clock): ...", True),
        ("class MyBot: ...\nPlayer = MyBot", True),
        ("try:\n    import fast\nexcept ImportError:\n    def choose(game, state, clock): ...", True),
        ("if True:\n    pass\nelse:\n    class Player: ...", True),
        ("", False),
        (PROGRAM, False),
        ("def choose(moves): return moves[0]\n" + PROGRAM, False),
        ("def choose(board, me, you, clock, depth): ...", False),
        ("def choose(game, state, clock, *, depth): ...", False),
        ("from saddlepoint.players.base import Player\nclass Mine(Player): ...", False),
        ("class Bot:\n    def choose(self, state, clock): ...", False),
        ("def main():\n    def choose(game, state, clock): ...", False),
        ("def choose(game, state, clock): return = 0", False),
        ("\0", False),
        ("(" * 5000, False),
    ],
)
def test_a_file_defines_a_player_at_its_top_level(text: str, is_player: bool, tmp_path: Path) -> None:
    assert defines_player(written(tmp_path, text)) == is_player


def test_what_cannot_be_read_defines_nothing(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_bytes(b"\xff\xfe = 1")
    assert not any(map(defines_player, (tmp_path, tmp_path / "bot.py")))


def test_looking_through_a_file_does_not_run_it(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    file = written(tmp_path, f"open({str(mark)!r}, 'w')\n{CHOOSE}")
    make_player(str(file), Goofspiel()).close()
    assert not mark.exists()


@pytest.mark.parametrize(
    ("text", "in_riders", "in_tron", "elsewhere"),
    [
        (CHOOSE, IsolatedFile, IsolatedFile, IsolatedFile),
        (COURSE, NegotiatedPlayer, AspPlayer, LinesPlayer),
        (COURSE + CHOOSE, IsolatedFile, AspPlayer, IsolatedFile),
        ("from bots import StudentBot\n" + CHOOSE, IsolatedFile, AspPlayer, IsolatedFile),
        (PROGRAM, NegotiatedPlayer, AspPlayer, LinesPlayer),
        ("import sys\nfor line in sys.stdin: print('ready')\n", NegotiatedPlayer, LinesPlayer, LinesPlayer),
        ("while True: print(input())\n", NegotiatedPlayer, LinesPlayer, LinesPlayer),
        (COURSE + "input()\n", NegotiatedPlayer, AspPlayer, LinesPlayer),
    ],
)
def test_a_python_file_plays_by_what_it_defines(
    text: str, in_riders: type, in_tron: type, elsewhere: type, tmp_path: Path
) -> None:
    file = written(tmp_path, text)
    games = (LightRiders(), Tron41("small_room"), Goofspiel(), Simplexity())
    for game, kind in zip(games, (in_riders, in_tron, elsewhere, elsewhere), strict=True):
        for spec in (str(file), f"cmd:{file}"):
            assert type(make_player(spec, game)) is kind
        # With an interpreter, or arguments, it is a program like any other.
        for spec in (f"cmd:{sys.executable} {file}", f"cmd:{file} --depth 3"):
            assert type(make_player(spec, game)) is (NegotiatedPlayer if game is games[0] else LinesPlayer)


@pytest.mark.parametrize(
    ("protocol", "kind"),
    [("lines", LinesPlayer), ("python", IsolatedFile), ("riddles", ProcessPlayer), ("asp", AspPlayer)],
)
def test_an_option_chooses_the_protocol(protocol: str, kind: type, tmp_path: Path) -> None:
    game = Tron41("small_room") if protocol == "asp" else LightRiders()
    spec = f'cmd(command="{written(tmp_path, PROGRAM)}", protocol={protocol})'
    assert type(make_player(spec, game)) is kind


@pytest.mark.parametrize(
    ("options", "message"), [({"memory": 0}, "memory takes bytes"), ({"patience": 0.0}, "patience takes")]
)
def test_bounds_of_nothing_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Isolation(**options)


# -- what the host makes of a file -----------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _same_modules(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A file is run as a module of its name, beside which others may lie."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    for name in ("bot", "told_bot"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("parameters", "answer"),
    [
        ("game, state, clock, player", "player"),
        ("game, state, clock", "clock.bank"),
        ("*all", "len(all)"),
    ],
)
def test_a_function_is_asked_with_the_player_if_it_wants_it(
    parameters: str, answer: str, tmp_path: Path
) -> None:
    state = GAME.initial_state()
    player = FilePlayer(written(tmp_path, f"def choose({parameters}): return {answer}\n"))
    player.warm(GAME, state)
    player.begin(GAME, 1, 7)
    answered = Answer.of(player.choose(state, Clock(3.0)))
    assert answered.action == {"player": 1, "clock.bank": 3.0, "len(all)": 4}[answer]
    assert answered.statistics is None
    player.end(0.0)
    player.close()


def test_a_class_is_told_what_it_has_methods_for(tmp_path: Path) -> None:
    text = (
        "told = []\nclass Player:\n"
        "    def begin(self, game, player, seed): told.append((game.name, player, seed))\n"
        "    def choose(self, state, clock): return len(told)\n"
        "    def end(self, result): told.append(result)\n    def close(self): told.append('closed')\n"
    )
    player = FilePlayer(written(tmp_path, text, "told_bot.py"))
    player.begin(GAME, 0, None)
    assert player.choose(GAME.initial_state(), Clock()) == 1
    player.end(-1.0)
    player.close()
    assert sys.modules["told_bot"].told == [("goofspiel", 0, None), -1.0, "closed"]


def test_a_class_that_is_a_player_tells_what_it_found(tmp_path: Path) -> None:
    text = (
        "from saddlepoint.players.base import Answer, MoveStatistics, Player as Base\nclass Player(Base):\n"
        "    def choose(self, state, clock): return Answer(self.player, MoveStatistics(0.5, 3, 10, 0.25))\n"
    )
    player = FilePlayer(written(tmp_path, text))
    player.warm(GAME, GAME.initial_state())
    player.begin(GAME, 1, 3)
    assert player.choose(GAME.initial_state(), Clock()) == (1, MoveStatistics(0.5, 3, 10, 0.25), None, "")


@pytest.mark.parametrize(
    "text", ["if False:\n    def choose(game, state, clock): ...", "choose = 3", "class Player: ..."]
)
def test_a_file_whose_player_is_not_there_when_it_is_run(text: str, tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match="has no function choose and no class Player with a method choose"):
        FilePlayer(written(tmp_path, text))


def test_a_program_is_missing_only_where_it_could_not_be_started(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    for missing, options in ((str(bot), "--level 3"), ("no_such_program", "--fast")):
        with pytest.raises(SpecError, match=f"there is no program.*{missing!r}"):
            refuse_missing(f"cmd:{missing} {options}")
    bot.write_text("print('ready')")  # not executable: this Python runs it
    for spec in (f"cmd:{bot} --level 3", f"{bot}:Bot", f"cmd:{sys.executable} anything.py", "best"):
        refuse_missing(spec)
