"""`match`: many games between two players, with the error bar."""

import os
import sys
from typing import Any

import typer

from .common import GAME_HELP, PLAYER_HELP, print_json, read_clock, read_game, read_limits


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(match)


def match(
    player_a: str = typer.Argument(..., help=PLAYER_HELP),
    player_b: str = typer.Argument(..., help="The other player."),
    games: int = typer.Option(100, "-n", "--games", min=1, help="How many games."),
    swap: bool = typer.Option(False, "--swap", help="Play every start twice, with sides swapped."),
    seed: int = typer.Option(1, help="Fixes the order of the starts and every random choice."),
    game: str = typer.Option("light_riders", help=GAME_HELP),
    size: str | None = typer.Option(None, help="The field: 16x16."),
    seconds: float | None = typer.Option(None, "--time", help="Seconds for each move (0.05)."),
    bank: float | None = typer.Option(None, "--bank", help="Seconds in the bank at the start; --time is then added a move."),
    nodes: int | None = typer.Option(None, help="Positions a search may visit in a move: repeatable on any machine."),
    tolerance: float = typer.Option(0.02, min=0.0, help="Seconds a move may be late on a busy machine."),
    concurrency: int = typer.Option(0, "-j", "--concurrency", min=0, help="Games at a time; 0: one for each core."),
    as_json: bool = typer.Option(False, "--json", help="Print the figures as JSON."),
) -> None:
    """Play many games: wins, draws and losses with a 95 % interval, from the first player's view.

    Example: saddlepoint match best riders_smab -n 168 --swap --seed 1 --time 0.05
    """
    from ..arena.match import Pairing, make_tasks, run_match
    from ..players.make import make_player

    rules = read_game(game, size)
    for spec in (player_a, player_b):
        if spec == "human":
            raise ValueError("a match is between programs; `saddlepoint play` is for people")
        make_player(spec, rules, read_limits(nodes)).close()
    pairing = Pairing(rules, player_a, player_b, read_clock(seconds, bank, nodes), read_limits(nodes), tolerance)
    tasks = make_tasks(rules, games, swap, seed)
    concurrency = min(concurrency or os.cpu_count() or 1, games)
    with _Bar(games, silent=not sys.stderr.isatty()) as bar:
        result = run_match(pairing, tasks, concurrency, bar.update)
    if as_json:
        print_json(result.summary())
    else:
        _print(result.summary())
    if result.interrupted:
        raise KeyboardInterrupt
    if result.problem:
        raise ValueError(result.problem)


class _Bar:
    """A progress bar on stderr."""

    def __init__(self, games: int, silent: bool) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._progress = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[standing]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            disable=silent,
        )
        self._task = self._progress.add_task("games", total=games, standing="")

    def __enter__(self) -> "_Bar":
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def update(self, result: Any) -> None:
        """Show how it stands after one more game."""
        score = result.score
        standing = f"+{score.wins} ={score.draws} -{score.losses}  {score.games / result.seconds:.1f} games/s"
        self._progress.update(self._task, completed=score.games, standing=standing)


def _print(data: dict[str, Any]) -> None:
    low, high = data["interval95"]
    if data["games"] < data["asked"]:
        print(f"{data['games']} of {data['asked']} games were played")
    print(f"{data['a']} against {data['b']}: {data['wins']} won, {data['draws']} drawn, {data['losses']} lost")
    if not data["games"]:
        return
    print(f"score {100 * data['score']:.1f} %, 95 % interval {100 * low:.1f} to {100 * high:.1f} %")
    print(
        f"{data['mean_length']:.1f} steps a game, {data['games_per_second']:.2f} games/s; "
        f"late moves: {data['late']['a']} and {data['late']['b']}"
    )
    for side in ("a", "b"):
        if (latency := data["latency"][side]) is not None:
            print(f"{data[side]}: {latency['median'] * 1000:.1f} ms a move (median), {latency['p99'] * 1000:.1f} ms (99 %)")
    for fault in data["faults"][:5]:
        print(f"  {fault}")
    if len(data["faults"]) > 5:
        print(f"  ... and {len(data['faults']) - 5} more games decided by a fault")
