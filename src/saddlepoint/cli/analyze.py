"""`analyze`: what a search says about a position."""

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import typer

from .aliases import Alias, read_aliases
from .common import GAME_HELP, read_game, read_limits, read_text
from .terminal import print, print_json, print_wrapped

if TYPE_CHECKING:
    from ..boards.longest_path import FillResult
    from ..game import Game

_DEFAULT_SECONDS = 1.0


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analyze)


def analyze(
    file: str = typer.Argument(..., help="A file with the position as text, or - for stdin."),
    algorithm: str = typer.Option("best", help="A player of the roster that searches, with options."),
    game: str = typer.Option("light_riders", help=GAME_HELP),
    size: str | None = typer.Option(None, help="The field, if the position does not say it: 16x16."),
    seconds: float | None = typer.Option(None, "--time", help="Seconds (1, if nothing else is limited)."),
    depth: int | None = typer.Option(None, min=1, help="Steps of the game, at most."),
    nodes: int | None = typer.Option(None, min=1, help="Positions visited, at most."),
    alias: Alias = None,
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Analyse a position: its value, both equilibrium mixtures, the principal variation, and the table of depths.

    Example: saddlepoint analyze position.txt --algorithm best --time 2
    """
    from ..players.make import make_player
    from ..search import Limits, search  # type: ignore[attr-defined]

    if depth is None and nodes is None and seconds is None:
        seconds = _DEFAULT_SECONDS
    aliases = read_aliases(alias or ())
    spec = aliases.spec(algorithm)
    text = read_text(file)
    rules = read_game(game, size or _size_in(text))
    state = rules.from_text(text)
    if not rules.players_to_act(state):
        raise ValueError("the game is over in this position; nothing is left to analyse")
    player: Any = make_player(spec, rules)
    if hasattr(player, "turns"):
        known_turns = player.turns(state)
        if known_turns is None:
            raise ValueError(f"{algorithm} finds no database of this game; solve first: {_how_to_solve(rules)}")
        _show_turns(rules, state, known_turns, as_json)
        return
    chosen: Any = getattr(player, "algorithm", None)
    if chosen is None:
        raise ValueError(f"{algorithm} does not search; choose another of `saddlepoint players`")
    # What has to be compiled is compiled before the clock runs.
    search(rules, state, chosen, Limits(depth=1), variation=False)
    if not as_json:
        print(f"{rules.render(state)}\n\ndepth   value      nodes   seconds  most probable")

    def on_iteration(found: Any) -> None:
        if not as_json:
            best = " ".join(_most_probable(rules, state, p, found.strategies[p]) for p in (0, 1))
            print(f"{found.depth:5} {found.value:+8.4f} {found.nodes:11,} {found.seconds:9.3f}  {best}", flush=True)

    result: Any = search(rules, state, chosen, limits=read_limits(nodes, depth, seconds), on_iteration=on_iteration)
    alone = _alone(rules, state, seconds)
    if as_json:
        found = [{"lower": one.lower, "upper": one.upper, "nodes": one.nodes} for one in alone]
        print_json(_as_json(rules, state, result) | ({"alone": found} if alone else {}))
        return
    known = "exact" if result.exact else f"proven bounds {result.bounds[0]:+.4f} to {result.bounds[1]:+.4f}"
    print(f"\nvalue {result.value:+.4f} for player 0 ({known}), depth {result.depth}")
    _print_alone(alone)
    for player in (0, 1):
        mixture = sorted(result.strategies[player].items(), key=lambda item: -item[1])
        texts = [f"{rules.action_to_string(state, player, a)} {100 * p:.1f} %" for a, p in mixture if p > 0]
        print_wrapped(f"player {player}: {', '.join(texts) or 'no choice'}")
    print_wrapped(f"principal variation: {' | '.join(_variation(rules, state, result.principal_variation)) or 'none'}")


def _how_to_solve(game: "Game") -> str:
    options = [
        f"--{field.name.replace('_', '-')} {getattr(game, field.name)}"
        for field in fields(game)  # type: ignore[arg-type]
        if getattr(game, field.name) != field.default
    ]
    return " ".join(["saddlepoint solve", game.name, *options])


def _alone(game: "Game", state: Any, seconds: float | None) -> list["FillResult"]:
    """Where the riders are separated: the longest path each can still drive."""
    from ..players.filling import are_apart, is_territorial

    if not is_territorial(game) or not are_apart(game, state):
        return []
    from ..boards.longest_path import solve_fill

    rules: Any = game
    seconds = seconds or _DEFAULT_SECONDS
    return [solve_fill(rules.grid, rules.walls(state), int(rules.head(state, p)), seconds=seconds) for p in (0, 1)]


def _print_alone(alone: list["FillResult"]) -> None:
    if alone:
        print("the riders are separated: what counts is who can go on for longer")
    for player, found in enumerate(alone):
        steps = f"{found.lower} steps (proven" if found.exact else f"{found.lower} to {found.upper} steps (bounds"
        print(f"player {player} alone: {steps}, {found.nodes:,} positions)")
def _show_turns(game: "Game", state: Any, lines: Any, as_json: bool) -> None:
    """What a database knows: every turn's value for the side to move, and the plies to the end."""
    player = game.players_to_act(state)[0]
    rows: list[dict[str, Any]] = [
        {"turn": game.action_to_string(state, player, line.action), "value": line.outcome.result, "plies": line.outcome.plies}
        for line in lines
    ]
    best = lines[0].outcome
    if as_json:
        print_json({"player": player, "value": best.result, "plies": best.plies, "exact": True, "turns": rows})
        return
    words: dict[int, str] = {1: "wins", 0: "draws", -1: "loses"}
    print(game.render(state), end="\n\n")
    for row in rows:
        print(f"{row['turn']:12} {words[row['value']]}" + (f" in {row['plies']} plies" if row["plies"] else ""))
    print(f"\nplayer {player} to move {words[best.result]}" + (f" in {best.plies} plies" if best.plies else ""))


def _size_in(text: str) -> str | None:
    """The field's size as the text of a position on a rectangular field shows it; None where it does not."""
    rows = [row for row in (line.strip().replace(",", "") for line in text.splitlines()) if row and set(row) <= set(".x01*")]
    return f"{len(rows[0])}x{len(rows)}" if rows else None


def _most_probable(game: "Game", state: Any, player: int, mixture: dict[int, float]) -> str:
    if not mixture:
        return "-"
    action = max(mixture, key=lambda a: mixture[a])
    return f"{game.action_to_string(state, player, action)} ({100 * mixture[action]:.0f} %)"


def _variation(game: "Game", state: Any, joint_actions: Any) -> list[str]:
    texts: list[str] = []
    for joint in joint_actions:
        act = game.players_to_act(state)
        if not act:
            break
        texts.append(" ".join(game.action_to_string(state, p, joint[p]) for p in act))
        state = game.next_state(state, *(joint[p] for p in act))
    return texts


def _as_json(game: "Game", state: Any, result: Any) -> dict[str, Any]:
    data = result.to_json()
    data["strategies"] = [
        {game.action_to_string(state, p, a): share for a, share in result.strategies[p].items()} for p in (0, 1)
    ]
    data["principal_variation"] = _variation(game, state, result.principal_variation)
    for iteration in data["iterations"]:
        iteration["strategies"] = [
            {game.action_to_string(state, p, a): share for a, share in iteration["strategies"][p].items()} for p in (0, 1)
        ]
    return data
