"""`analyze`: what a search says about a position."""

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from ..games.catalogue.games import default_game
from ..system.terminal import print, print_json, print_table, print_wrapped
from ..system.text import Column, count_of, value_text
from .arena_options import grouped
from .common import GAME_HELP, POSITION_HELP, Aliases, read_game, read_limits

if TYPE_CHECKING:
    from ..algorithms import Algorithm, Limits, SearchResult, StopToken
    from ..boards.longest_path import FillResult
    from ..game.base import Game


USUAL_SECONDS = 1.0


@grouped
def analyze(
    file: str = typer.Argument(
        ..., metavar="POSITION", help=POSITION_HELP[0].upper() + POSITION_HELP[1:] + "."
    ),
    algorithm: str | None = typer.Option(
        None,
        help="A search, or a named player that searches. Without it: an equilibrium search for moves at once, else the "
        "search of best.",
    ),
    game: str = typer.Option(default_game(), metavar="GAME", help=GAME_HELP),
    size: str | None = typer.Option(
        None, metavar="WxH", help="The size of the board, if the position does not say it: 16x16."
    ),
    seconds: float | None = typer.Option(
        None, "--time", metavar="SECONDS", help="Time limit (1, if nothing else is limited)."
    ),
    depth: int | None = typer.Option(None, min=1, help="Depth limit, in plies."),
    nodes: int | None = typer.Option(None, min=1, help="Node limit."),
    *,
    aliases: Aliases,
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Analyse a position: its value, both players' strategies, the best line.

    It prints a line for each iteration. Where `best` plays by another search, which often looks deeper, that one searches too, for as
    long. The command says so where the two values differ by more than 5 % of the range of results. Where chance is to move, every
    outcome is analysed.

    Example: saddlepoint analyze 'moves: up/left up/up' --time 2
    """
    from ..algorithms import Limits, StopToken, search  # type: ignore[attr-defined]
    from ..algorithms.chance import searched_form
    from ..game.base import CHANCE
    from ..games.catalogue.make import analysis_of, described, stage_search_of

    spec = None if algorithm is None else aliases.spec(algorithm)
    rules, state, board = read_asked_position(file, game, size)
    limits, stop = read_limits(nodes, depth, seconds) or Limits(seconds=USUAL_SECONDS), StopToken()
    if rules.current_player(state) == CHANCE:
        analyze_chance(rules, state, stage_search_of(rules, spec).algorithm, limits, stop, as_json, board)
        _end(stop)
        return
    known_turns, chosen = analysis_of(rules, state, spec)
    if chosen is None:
        _show_turns(rules, state, known_turns, as_json, board)
        return
    about = described(rules, chosen)
    # What has to be compiled is compiled before the clock runs.
    searched = searched_form(rules, chosen, state)
    search(searched, state, chosen, Limits(depth=1), variation=False)
    if not as_json:
        print(f"{board}\n\n{about}\n\ndepth   value plies       nodes   seconds  most probable")

    def on_iteration(found: Any) -> None:
        if not as_json:
            best = " ".join(_most_probable(rules, state, p, found.strategies[p]) for p in (0, 1))
            plies = "" if found.plies is None else found.plies
            print(
                f"{found.depth:5} {signed(found.value):>8} {plies:5} {found.nodes:11,} {found.seconds:9.3f}  {best}",
                flush=True,
            )

    with stop.at_interrupt():  # what was found so far is printed
        result: Any = search(
            searched, state, chosen, limits=limits, stop=stop, deepen=True, on_iteration=on_iteration
        )
        best = (
            []
            if spec is not None or result.exact
            else read_best(rules, state, chosen, result.value, limits, stop)
        )
        alone = _alone(rules, state, seconds, stop)
    if as_json:
        found = [{"lower": one.lower, "upper": one.upper, "nodes": one.nodes} for one in alone]
        readings = {"best": [one._asdict() for one in best]} if spec is None else {}
        print_json(
            {"position": rules.to_text(state), "algorithm": about}
            | result_as_json(searched, state, result)
            | readings
            | ({"alone": found} if alone else {})
        )
        _end(stop)
        return
    print(f"\n{_value_line(rules, chosen, result)}")
    print_best(best)
    _print_alone(alone)
    for player in (0, 1):
        print_wrapped(
            f"player {player}: {', '.join(shares(rules, state, player, result.strategies[player], 1)) or 'no choice'}"
        )
    print_wrapped(
        f"principal variation: {' | '.join(result.principal_variation.in_words(searched, state)) or 'none'}"
    )
    _end(stop)


def _end(stop: "StopToken") -> None:
    """Ctrl-C ends the program now that the result so far is printed."""
    if stop.stopped:
        raise KeyboardInterrupt


def read_asked_position(given: str, game: str, size: str | None) -> tuple["Game", Any, str]:
    """(rules, position, how it is drawn and written) that a command is asked about; raises ValueError where the game is over."""
    from ..game.base import TERMINAL
    from ..play.position_text import position_of_text, read_position_text, taken_apart

    text = read_position_text(given)
    own, moves = taken_apart(text)
    rules = read_game(game, size)
    rules = rules.fitted_to(own) if size is None else rules
    state = position_of_text(rules, text)
    if rules.current_player(state) == TERMINAL:
        raise ValueError("the game is over in this position; nothing is left to analyse")
    drawn, written = rules.render(state), (text if moves else rules.to_text(state)).strip()
    return rules, state, drawn + ("" if written == drawn.strip() else f"\n{written}")


def _value_line(game: "Game", algorithm: "Algorithm", result: "SearchResult") -> str:
    """The value, what is proven of it, and how far the end is."""
    from ..algorithms.algorithm import commits_first

    first, (low, high) = commits_first(game, algorithm), result.bounds
    known = "exact" if result.exact else f"proven bounds {signed(low)} to {signed(high)}"
    if first is not None and not result.exact:
        known = f"player {first} commits first; {known}"
    plies = "" if result.plies is None else f", {count_of(result.plies, 'ply', 'plies')} to the end"
    return f"value {signed(result.value)} for player 0 ({known}){plies}, depth {result.depth}"


def _alone(game: "Game", state: Any, seconds: float | None, stop: "StopToken") -> list["FillResult"]:
    """The longest path that each rider can still drive, where they are separated."""
    if stop.stopped or not hasattr(game, "grid"):  # a game without one loads nothing of fields
        return []
    from ..boards.longest_path import are_separated, is_territorial, solve_fill

    if not is_territorial(game) or not are_separated(game, state):
        return []
    rules: Any = game
    return [
        solve_fill(
            rules.grid,
            rules.walls(state),
            int(rules.head(state, p)),
            seconds=seconds or USUAL_SECONDS,
            stop=stop,
        )
        for p in (0, 1)
    ]


def _print_alone(alone: list["FillResult"]) -> None:
    if alone:
        print("the riders are separated: the longer path wins")
    for player, found in enumerate(alone):
        steps = (
            f"{count_of(found.lower, 'step')} (proven"
            if found.exact
            else f"{found.lower} to {found.upper} steps (bounds"
        )
        print(f"longest path, player {player}: {steps}, {count_of(found.nodes, 'position')})")


def _show_turns(game: "Game", state: Any, lines: Any, as_json: bool, board: str) -> None:
    """Print every turn's value from a database, for the side to move, and the plies to the end."""
    player = game.players_to_act(state)[0]
    best = lines[0].outcome
    if as_json:
        rows = [
            {
                "turn": game.action_to_string(state, player, line.action),
                "value": line.outcome.result,
                "plies": line.outcome.plies,
            }
            for line in lines
        ]
        print_json(
            {
                "position": game.to_text(state),
                "player": player,
                "value": best.result,
                "plies": best.plies,
                "exact": True,
                "turns": rows,
            }
        )
        return
    print(board, end="\n\n")
    for line in lines:
        print(f"{game.action_to_string(state, player, line.action):12} {outcome_in_words(line.outcome)}")
    print(f"\nplayer {player} to move {outcome_in_words(best)}")


def outcome_in_words(outcome: Any) -> str:
    """A database's outcome in words, for the side to move: `wins in 12 plies`."""
    return {1: "wins", 0: "draws", -1: "loses"}[outcome.result] + (
        f" in {count_of(outcome.plies, 'ply', 'plies')}" if outcome.plies else ""
    )


def shares(game: "Game", state: Any, player: int, mixture: dict[int, float], places: int) -> list[str]:
    """The actions that a mixed strategy plays, the likeliest first, each with its share in percent."""
    ordered = sorted(mixture.items(), key=lambda item: -item[1])
    return [f"{game.action_to_string(state, player, a)} {100 * p:.{places}f} %" for a, p in ordered if p > 0]


def _most_probable(game: "Game", state: Any, player: int, mixture: dict[int, float]) -> str:
    if not mixture:
        return "-"
    action = max(mixture, key=lambda a: mixture[a])
    return f"{game.action_to_string(state, player, action)} ({100 * mixture[action]:.0f} %)"


def result_as_json(game: "Game", state: Any, result: Any) -> dict[str, Any]:
    """A search's result as plain data, with actions by name; `game` is the form of it that was searched."""
    data = result.to_json()
    data["principal_variation"] = result.principal_variation.in_words(game, state)
    for searched in (data, *data["iterations"]):
        searched["strategies"] = [
            {
                game.action_to_string(state, p, action): share
                for action, share in searched["strategies"][p].items()
            }
            for p in (0, 1)
        ]
    return data


# What `best` itself reads in a position, and what each outcome of chance is worth.


SHARE = 0.05
"""Of the range of results: two values that are further apart differ."""


class Reading(NamedTuple):
    """A value that `best` goes by."""

    player: int | None
    """Whose search it is; None where it is the same for both."""
    algorithm: str
    value: float
    depth: int
    exact: bool
    differs: bool
    """Whether it is more than `SHARE` of the range of results away from the analysis."""


def read_best(
    game: "Game", state: Any, analysed: "Algorithm", value: float, limits: "Limits | None", stop: "StopToken"
) -> list[Reading]:
    """The results of the searches of `best` within the same limits.

    Empty where `best` searches as the analysis does.

    Searches that `stop` ends are left out.
    """
    from ..algorithms import Limits, search  # type: ignore[attr-defined]
    from ..algorithms.chance import searched_form
    from ..games.catalogue.make import described, searches_of_best

    found: list[Reading] = []
    for player, algorithm in searches_of_best(game, analysed):
        if stop.stopped:
            break
        searched = searched_form(game, algorithm, state)
        search(searched, state, algorithm, Limits(depth=1), variation=False)  # compiled before the clock runs
        result: Any = search(searched, state, algorithm, limits=limits, stop=stop, variation=False)
        if stop.stopped:
            break
        found.append(
            Reading(
                player,
                described(game, algorithm),
                result.value,
                result.depth,
                result.exact,
                abs(result.value - value) > SHARE * (game.max_utility - game.min_utility),
            )
        )
    return found


def signed(value: float) -> str:
    """Four places with a sign, never a negative zero."""
    return value_text(value, "+.4f")


_BOUND = re.compile(r": the value is an? (upper|lower) bound of the equilibrium's[^)]*")


def print_best(found: list[Reading]) -> None:
    """Print the results of the searches of `best`, and whether they differ from the analysis."""
    for one in found:
        known = "exact" if one.exact else f"depth {one.depth}"
        how = _BOUND.sub("", one.algorithm)  # it is one at its own depth, beside a value of another
        whose = "best" if one.player is None else f"best as player {one.player}"
        print_wrapped(
            f"{whose} reads {signed(one.value)} ({known}) by its own search in the same time: {how}"
        )
    if found:
        print_wrapped("what best reads is of other searches: it bounds nothing of the value above")
    if any(one.differs for one in found):
        print_wrapped(
            f"they differ: more than {SHARE:.0%} of the range of results is between this analysis and what best goes by"
        )


# `analyze` where chance is to move: what each of its outcomes is worth, and the mean.


def analyze_chance(
    game: "Game",
    state: Any,
    algorithm: "Algorithm",
    limits: "Limits",
    stop: "StopToken",
    as_json: bool,
    board: str,
) -> None:
    """Search what follows every outcome, deeper and deeper, and print the values under the position as it is drawn."""
    from ..algorithms import Limits
    from ..algorithms.analysis import find_alternatives
    from ..games.catalogue.make import described

    about = f"{described(game, algorithm)}; chance is to move: the value is the mean over its outcomes"
    find_alternatives(game, state, algorithm, Limits(depth=1))  # compiled before the clock runs
    if not as_json:
        print(f"{board}\n\n{about}\n\ndepth   value")
    told = 0

    def on_update(found: Any) -> None:
        nonlocal told
        if found.finished > told and found.value is not None and not as_json:
            told = found.finished
            print(f"{told:5} {signed(found.value):>8}", flush=True)

    with stop.at_interrupt():  # what was found so far is printed
        found = find_alternatives(game, state, algorithm, limits, stop=stop, on_update=on_update)
    chances = dict(game.chance_outcomes(state))
    named = {action: game.outcome_to_string(state, action) for action in found.rows}
    if as_json:
        print_json(
            {
                "position": game.to_text(state),
                "algorithm": about,
                "value": found.value,
                "depth": found.finished,
                "exact": found.is_proven,
                "outcomes": [
                    {
                        "outcome": action,
                        "name": named[action],
                        "probability": chances[action],
                        "value": value,
                        "exact": exact,
                    }
                    for action, value, exact in found.moves
                ],
            }
        )
        return
    known = "exact" if found.is_proven else "the mean over the outcomes"
    print(f"\nvalue {signed(found.value or 0.0)} for player 0 ({known}), depth {found.finished}")
    print_table(
        [Column("outcome", text=True), Column("probability"), Column("value")],
        [
            [named[action], f"{chances[action]:.6f}", "" if value is None else signed(value)]
            for action, value, _ in found.moves
        ],
    )
