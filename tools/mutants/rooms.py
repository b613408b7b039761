"""Which code is changed, and which tests are to see it."""

from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
PACKAGE = CHECKOUT / "src" / "saddlepoint"
TESTS = CHECKOUT / "tests"


@dataclass(frozen=True)
class Group:
    """Sources (patterns below the package) and the tests (patterns below `tests`) that should notice any change of them."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]

    def source_files(self) -> list[Path]:
        """The sources, sorted. Raises FileNotFoundError where a pattern finds nothing."""
        return _found(PACKAGE, self.sources)

    def test_files(self) -> list[Path]:
        """The tests, likewise."""
        return _found(TESTS, self.tests)


def _found(root: Path, patterns: tuple[str, ...]) -> list[Path]:
    files: list[Path] = []
    for pattern in patterns:
        matching = sorted(path for path in root.glob(pattern) if path not in files)
        if not matching:
            raise FileNotFoundError(
                f"no file is called {pattern} in {root}: it was moved, and tools/mutants/rooms.py must say where"
            )
        files += matching
    return files


ROOMS: dict[str, tuple[Group, ...]] = {
    "rules": (
        Group(
            ("games/light_riders/game.py",),
            (
                "games/light_riders/test_game.py",
                "games/test_games_limits.py",
                "game/test_base.py",
                "game/test_checker.py",
            ),
        ),
        Group(
            ("games/goofspiel/game.py",),
            (
                "games/goofspiel/test_game.py",
                "games/test_games_limits.py",
                "game/test_base.py",
                "game/test_checker.py",
            ),
        ),
        Group(
            ("games/rubiks_flip/game.py",), ("games/rubiks_flip/test_game.py", "games/test_games_limits.py")
        ),
        Group(("games/simplexity/*.py",), ("games/test_games_limits.py", "games/simplexity/test_game.py")),
        Group(("games/tron41/*.py",), ("games/tron41/test_game.py",)),
    ),
    "other rules": (
        Group(
            ("games/battlesnake/*.py",),
            (
                "games/battlesnake/test_game_*.py",
                "games/battlesnake/test_output.py",
                "games/battlesnake/test_requests*.py",
                "games/battlesnake/test_rules*.py",
                "games/battlesnake/test_snakes.py",
                "games/test_games_endings.py",
                "games/test_games_limits.py",
            ),
        ),
        Group(
            ("games/connect_four/game.py",), ("games/connect_four/test_game.py", "games/test_games_limits.py")
        ),
        Group(
            ("games/oshi_zumo/*.py",),
            ("games/oshi_zumo/test_*.py", "games/test_games_limits.py", "play/test_kaggle.py"),
        ),
        Group(("games/othello/game.py",), ("games/othello/test_game.py", "games/test_games_limits.py")),
        Group(("games/pursuit_evasion.py",), ("games/test_pursuit_evasion.py", "games/test_games_limits.py")),
        Group(("games/soccer/game.py",), ("games/soccer/test_game.py", "games/test_games_limits.py")),
        Group(
            ("games/tic_tac_toe/game.py",), ("games/tic_tac_toe/test_game.py", "games/test_games_limits.py")
        ),
        Group(
            ("games/tron/game.py",),
            ("games/tron/test_game.py", "games/test_games_limits.py", "games/test_games_pictures.py"),
        ),
        Group(
            ("games/biased_rps.py", "games/random_game/*.py"),
            ("games/test_biased_rps.py", "games/random_game/*.py", "games/test_games_limits.py"),
        ),
    ),
    "clock": (
        Group(("players/clock.py",), ("players/test_clock.py", "play/test_game.py")),
        Group(("play/game.py",), ("play/test_game.py",)),
    ),
    "replays of others": (
        Group(
            ("play/kaggle.py",),
            ("play/test_kaggle.py",),
        ),
    ),
    "excuses": (
        Group(("players/waiting.py",), ("players/test_waiting.py",)),
        Group(("games/battlesnake/running.py",), ("games/battlesnake/test_running.py",)),
    ),
    "certificate": (
        Group(
            ("solvers/general/certificate.py", "solvers/general/check.py", "solvers/general/file.py"),
            ("solvers/general/test_solution.py", "solvers/general/test_file_hostile.py"),
        ),
    ),
    "programs": (
        Group(
            ("players/programs/view.py", "players/programs/namespaces.py", "players/programs/isolation.py"),
            (
                "players/programs/test_namespaces.py",
                "players/programs/test_programs_cheats.py",
                "players/programs/test_programs_hostile.py",
            ),
        ),
        Group(("players/programs/streams.py",), ("players/programs/test_streams_transcript.py",)),
    ),
    "ledger": (
        Group(
            ("arena/ledger/__init__.py", "play/ledger_file.py", "arena/ledger/rows.py"),
            (
                "arena/ledger/test_ledger.py",
                "play/test_ledger_file.py",
            ),
        ),
    ),
    "statistics": (
        Group(("arena/statistics/sprt.py",), ("arena/statistics/test_sprt.py",)),
        Group(
            ("arena/statistics/paired.py",),
            ("arena/statistics/test_paired.py",),
        ),
        Group(
            ("arena/statistics/ratings.py",),
            ("arena/statistics/test_ratings.py",),
        ),
        Group(("arena/standings.py",), ("arena/test_standings.py",)),
        Group(("arena/statistics/cross_table.py",), ("arena/statistics/test_cross_table.py",)),
    ),
    "matrix": (
        Group(("matrix/smab_windows.py",), ("matrix/test_smab_windows.py", "matrix/test_matrix.py")),
        Group(
            (
                "matrix/solve.py",
                "matrix/simplex.py",
                "matrix/lp.py",
            ),
            ("matrix/test_matrix.py",),
        ),
    ),
    "csl": (
        Group(
            ("games/simplexity/csl_players.py",),
            (
                "games/simplexity/test_csl_players.py",
                "games/simplexity/test_csl_server_connection.py",
            ),
        ),
        Group(("play/timely.py",), ("play/test_timely.py", "games/simplexity/test_csl_server_connection.py")),
        Group(("games/simplexity/csl_server.py",), ("games/simplexity/test_csl_server_connection.py",)),
    ),
}
