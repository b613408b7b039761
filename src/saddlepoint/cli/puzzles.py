"""`puzzles`: positions with one good move, and which of them players find."""

from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

import typer

from ..games.catalogue.games import find_game, names_of_sets, read_own, read_set
from ..system.patience import PUZZLES_BAR
from ..system.terminal import Progress, print, print_json, print_records, print_wrapped
from ..system.text import Column, value_text
from .arena_options import AsJson, grouped
from .common import PLAYER_HELP, Aliases, read_clock, read_limits

if TYPE_CHECKING:
    from ..game.base import Game
    from ..play.puzzles import Attempt, Puzzle
    from ..players.base import Player

_SECONDS = 0.1


@grouped
def puzzles(
    game: str = typer.Argument(..., help=f"The game whose puzzles are set: {', '.join(names_of_sets())}."),
    players: list[str] | None = typer.Argument(None, help=f"{PLAYER_HELP} Without one: best."),
    file: str | None = typer.Option(
        None, "--set", metavar="FILE", help="Your own puzzles: JSON lines, a puzzle a line."
    ),
    theme: list[str] = typer.Option([], "--theme", help="Only puzzles of this theme; may be repeated."),
    seconds: float | None = typer.Option(
        None, "--time", metavar="SECONDS", help="For each puzzle (0.1, if nothing else is limited)."
    ),
    nodes: int | None = typer.Option(None, min=1, help="Nodes for each puzzle."),
    seed: int = typer.Option(1, "--seed", help="Fixes every random choice."),
    brief: bool = typer.Option(False, "--brief", help="Only the score, not the positions that were missed."),
    *,
    aliases: Aliases,
    as_json: AsJson = False,
) -> None:
    """Test players on positions where one move is good, proven by exact search.

    Example: saddlepoint puzzles GAME best --brief
    """
    from ..games.catalogue.make import make_player
    from ..play.puzzles import attempts
    from ..players.programs.isolation import Hidden, Isolation
    from .starting import try_start

    entry = find_game(game)
    game = game if entry is None else entry.name
    chosen = _chosen(read_set(game) if file is None else read_own(file), game, theme)
    clock = read_clock(_SECONDS if seconds is None and nodes is None else seconds, None, nodes)
    specs = [aliases.spec(player) for player in players or ["best"]]
    limits = read_limits(nodes)
    isolation = Isolation(programs_only=True, hidden=Hidden.of([file], specs))
    if "human" in specs:
        raise ValueError("puzzles are set to programs; people find them drawn where a program missed them")

    def make(spec: str, rules: "Game") -> "Player":
        return make_player(spec, rules, limits, isolation)

    for spec in specs:  # what cannot be made is refused before anything is played
        rules = chosen[0].make_game()
        with closing(make(spec, rules)) as player:
            try_start(player, spec, rules, isolation)
    made: dict[str, list[Attempt]] = {spec: [] for spec in specs}
    with Progress(len(chosen) * len(specs), patience=PUZZLES_BAR) as bar:
        for at, spec in enumerate(specs):
            for attempt in attempts(partial(make, spec), chosen, clock, seed):
                made[spec].append(attempt)
                bar.update(
                    at * len(chosen) + len(made[spec]),
                    f"{aliases.name(spec)}: {sum(one.solved for one in made[spec])} of {len(made[spec])}",
                )
    if as_json:
        print_json(
            aliases.beside(
                {
                    "game": game,
                    "puzzles": len(chosen),
                    "players": [_as_json(spec, made[spec]) for spec in specs],
                }
            )
        )
        return
    if not brief:
        numbers = {id(puzzle): number for number, puzzle in enumerate(chosen, 1)}
        _print_missed({aliases.name(spec): one for spec, one in made.items()}, numbers)
    _print_scores({aliases.name(spec): one for spec, one in made.items()})


puzzles.__doc__ = (puzzles.__doc__ or "").replace("GAME", names_of_sets()[0])


def _chosen(known: "list[Puzzle]", game: str, themes: list[str]) -> "list[Puzzle]":
    if others := sorted({puzzle.game for puzzle in known} - {game}):
        raise ValueError(f"the file has puzzles of {', '.join(others)}, not only of {game}")
    names = list(dict.fromkeys(puzzle.theme for puzzle in known))
    for theme in themes:
        if theme not in names:
            raise ValueError(f"no puzzle has the theme {theme!r}; the themes are {', '.join(names)}")
    return [puzzle for puzzle in known if not themes or puzzle.theme in themes]


def _as_json(spec: str, made: "list[Attempt]") -> dict[str, Any]:
    from ..play.puzzles import scores

    return {
        "player": spec,
        "solved": sum(one.solved for one in made),
        "of": len(made),
        "themes": {theme: list(score) for theme, score in scores(made).items()},
        "attempts": [
            one.puzzle.to_json()
            | {
                "played": one.move,
                "solved": one.solved,
                "seconds": round(one.seconds, 4),
                "problem": one.problem,
            }
            for one in made
        ],
    }


def _print_missed(made: "dict[str, list[Attempt]]", numbers: dict[int, int]) -> None:
    """Print every position that a player missed, with the solution and each player's move."""
    for at, first in enumerate(next(iter(made.values()))):
        missed = {name: attempts[at] for name, attempts in made.items() if not attempts[at].solved}
        if not missed:
            continue
        puzzle = first.puzzle
        game = puzzle.make_game()
        print(f"puzzle {numbers[id(puzzle)]}: {puzzle.theme}")
        print(game.render(puzzle.state(game)))
        print_wrapped(
            f"player {puzzle.player} must play {puzzle.solution}: any other move gives away {value_text(puzzle.loss, 'g')} or more, "
            f"as a search of {puzzle.shown} steps or more shows"
        )
        for name, attempt in missed.items():
            print_wrapped(
                f"{name} played {attempt.move}" if attempt.move else f"{name} gave no move: {attempt.problem}"
            )
        print()


def _print_scores(made: "dict[str, list[Attempt]]") -> None:
    from ..play.puzzles import scores

    rows: list[dict[str, Any]] = []
    for name, attempts in made.items():
        solved, of = sum(one.solved for one in attempts), len(attempts)
        row = {"player": name, "solved": f"{solved}/{of}", "%": f"{100 * solved / of:.0f}"}
        rows.append(row | {theme: f"{right}/{there}" for theme, (right, there) in scores(attempts).items()})
    print_records(
        [
            Column("player", wraps=True),
            Column("solved"),
            Column("%"),
            *(Column(theme, weight=1) for theme in list(rows[0])[3:]),
        ],
        rows,
    )
