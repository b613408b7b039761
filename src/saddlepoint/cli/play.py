"""`play` and `referee`: one game, shown as it goes, or by the rules of a contest."""

import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, redirect_stdout
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import typer

from ..game.spec import COMMAND, Spec
from ..games.catalogue.games import GAMES, default_game
from ..system.files import STDOUT, check_output, write_lines
from ..system.terminal import Screen, print, print_error, print_json, print_wrapped
from ..system.text import count_of, value_text
from .arena_options import (
    CLOCK,
    Isolate,
    Logs,
    MoveOptions,
    Sandbox,
    Show,
    grouped,
    read_logs,
    read_mode,
    read_shown,
)
from .common import (
    GAME_HELP,
    PLAYER_HELP,
    Aliases,
    game_text,
    read_clock,
    read_game,
    read_limits,
    start_state,
)
from .show import Ascii, Plain, has_screen, only_ascii

if TYPE_CHECKING:
    from ..game.base import Game
    from ..game.steps import Names
    from ..games.description import Referee
    from ..play.game import OnStep, OnUndo
    from ..play.record import Choice, GameRecord
    from ..players.base import Player


@grouped
def play(
    game: str = typer.Argument(..., help=GAME_HELP),
    player_a: str = typer.Argument(..., help=PLAYER_HELP),
    player_b: str = typer.Argument(..., help="The other player, player 1."),
    *,
    about: MoveOptions,
    seed: int | None = typer.Option(None, help="Fixes the start and every random choice."),
    start: str | None = typer.Option(
        None, metavar="X,Y", help="Where player 0 starts; player 1 starts mirrored."
    ),
    delay: float = typer.Option(0.0, min=0.0, metavar="SECONDS", help="Wait after each ply."),
    logs: Logs = None,
    output: str | None = typer.Option(
        None, "-o", "--output", metavar="FILE", help="Write a replay for `saddlepoint show`."
    ),
    aliases: Aliases,
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON, and no board."),
    plain: Plain = False,
    ascii_only: Ascii = False,
) -> None:
    """Play one game and show it.

    On a terminal it has a screen of its own: arrow keys, undo, hint, analysis; ? lists the keys. A `human` player at a plain
    prompt may type help, undo, hint or quit.

    Example: saddlepoint play light_riders human best

    Example: saddlepoint play light_riders best random --time 0.1 -o game.jsonl
    """
    from ..arena.conditions import Job
    from ..arena.workers import log_file
    from ..games.catalogue.commands import refuse_missing
    from ..games.catalogue.make import make_player
    from ..play.game import play_game
    from ..play.preparation import Need, warm_rules
    from ..play.record import YOU, outcome_words, reasons
    from ..play.replay import game_json, to_line
    from ..players.base import MachineFault
    from ..players.clock import ENDLESS
    from ..players.human import HumanPlayer, Left
    from ..players.programs.isolation import Hidden
    from .starting import compile_missing, say_how_contained, try_start

    check_output(output, as_json)
    quiet = as_json or output == STDOUT
    rules = read_game(game, about.size)
    state = start_state(rules, start, seed)
    specs = (aliases.spec(player_a), aliases.spec(player_b))
    clock = read_clock(about.seconds, about.bank, about.nodes, specs)
    clocks = [ENDLESS if spec == "human" else clock for spec in specs]
    folder = read_logs(logs)
    isolation = replace(about.isolation(), hidden=Hidden.of([folder, output], specs))
    players = [make_player(spec, rules, read_limits(about.nodes), isolation) for spec in specs]
    for spec in specs:
        refuse_missing(spec)
    say_how_contained(isolation, specs)
    for number, player in enumerate(players):
        player.log_to(log_file(folder, Job(0, 0, specs, "", 0), number))
    on_screen = not quiet and has_screen(plain)
    people = [player for player in players if isinstance(player, HumanPlayer)]
    bots = {
        number: aliases.name(specs[number])
        for number, player in enumerate(players)
        if people and not on_screen and player not in people
    }
    told = _Narration(rules, state, Screen(silent=quiet or on_screen or bool(people)), bots, quiet)

    def on_step(after: Any, joint: tuple[int, int]) -> None:
        told.on_step(after, joint)
        if delay and not on_screen:
            time.sleep(delay)

    def played(seated: "list[Player]", on_step: "OnStep", on_undo: "OnUndo | None") -> "GameRecord":
        try:
            return play_game(
                rules,
                seated,
                state,
                (clocks[0], clocks[1]),
                seed,
                about.tolerance,
                on_step,
                on_undo,
                at_once=not about.sequential,
            )
        except MachineFault as error:
            raise MachineFault(f"the game has no result: {error}") from error

    try:
        for player, spec in zip(players, specs, strict=True):
            try_start(player, spec, rules, isolation)
        if isolation.programs_only:
            compile_missing(rules, specs)
        asked = warm_rules(rules, state)
        for seat, player in enumerate(players):
            player.warm(rules, asked.get(seat, state), (seat,))
            Need(rules, specs[seat]).note_compiled()
        on_undo = told.on_undo if people else None
        if on_screen:
            from .screen.play import play_on_screen

            record = play_on_screen(
                rules,
                state,
                [aliases.name(spec) for spec in specs],
                players,
                played,
                on_step,
                on_undo,
                delay=delay,
                plain=only_ascii(ascii_only),
            )
        else:
            with told.screen, redirect_stdout(sys.stderr if quiet else sys.stdout):
                told.screen.show(f"{player_a} (0) against {player_b} (1)", rules.render(state))
                record = played(players, on_step, on_undo)
    except Left:
        _tell(f"\n{rules.render(told.states[-1])}\n\nyou left the game: it has no result", quiet)
        return
    finally:
        for player in players:
            player.close()
    if output is not None:
        write_lines(output, [to_line(game_json(rules, record, specs, rules.to_text(state), seed))])
    summary: dict[str, Any] = {
        "game": game_text(game),
        "players": list(specs),
        "result": record.result,
        "reason": record.reason,
        "steps": len(record.actions),
        "start": rules.to_text(state),
        "moves": told.moves,
        "search": _efforts(record),
    }
    if as_json:
        print_json(summary)
    if people or on_screen:
        _tell(f"\n{rules.render(told.states[-1])}", quiet)
    if quiet:
        return
    person = players.index(people[0]) if len(people) == 1 else None
    print(f"\n{outcome_words(rules, record, person)}")
    names = [YOU if player == person else f"player {player}" for player in (0, 1)]
    for sentence in reasons(rules, told.states, names):
        print(f"{sentence[0].upper()}{sentence[1:]}")
    for spec, data in zip(specs, summary["search"], strict=True):
        if data is not None:
            print(f"{spec}: {_effort_in_words(data)}")


class _Narration:
    """The steps of a game so far, shown as they are made."""

    def __init__(
        self, game: "Game", start: Any, screen: Screen, bots: Mapping[int, str], quiet: bool
    ) -> None:
        self.states: list[Any] = [start]
        self.moves: list[Names | tuple[str]] = []
        """By name; None for a player without a choice. Of a step of chance the outcome's name alone, as replays have its number."""
        self.screen, self._game, self._bots, self._quiet = screen, game, bots, quiet

    def on_step(self, after: Any, joint: tuple[int, int]) -> None:
        """Tell this step; of a game with people also what the others, `bots`, and chance did."""
        from ..game.steps import drawn_by, names_of, step_in_words
        from ..play.record import Turns

        game, before = self._game, self.states[-1]
        names, drawn = names_of(game, before, joint), drawn_by(game, before, joint)
        self.moves.append((drawn,) if drawn else names)
        self.states.append(after)
        turns = Turns(game, self.states)
        self.screen.show(
            f"after {turns.word} {turns.count}: {step_in_words(game, before, joint)}", game.render(after)
        )
        if self._bots and drawn:
            _tell(f"chance: {drawn}", self._quiet)
        for number, bot in self._bots.items():
            if names[number] is not None:
                _tell(f"player {number} ({bot}): {names[number]}", self._quiet)

    def on_undo(self, back: Any, steps: int) -> None:
        del self.moves[steps:], self.states[steps:]
        self.states.append(back)


def _tell(text: str, quiet: bool) -> None:
    """Print a text for the person who plays; to stderr where stdout is for data."""
    (print_error if quiet else print)(text)


def _effort_in_words(data: dict[str, Any]) -> str:
    if not data["searches"]:
        return "played from a solution, without a search"
    known = f"; {count_of(data['known'], 'move')} from a solution" if data["known"] else ""
    return (
        f"depth {data['mean_depth']:.1f} on average, {data['deepest']} at most; {count_of(data['nodes'], 'node')}, "
        f"{data['nodes_per_second']:,.0f} a second{known}"
    )


def _efforts(record: "GameRecord") -> list[dict[str, Any] | None]:
    """The totals of each player's searches; None for a player that did not search."""
    from ..algorithms import SearchResult

    def efforts_of(side: "Sequence[Choice]") -> dict[str, Any] | None:
        told = [
            choice.answer.findings
            for choice in side
            if choice.answer and isinstance(choice.answer.findings, SearchResult)
        ]
        found = [
            one for one in told if one.depth or one.statistics.nodes or not one.exact
        ]  # the rest is looked up, and not searched
        depths, nodes = [one.depth for one in found], sum(one.statistics.nodes for one in found)
        seconds = sum(one.seconds for one in found)
        if not told:
            return None
        return {
            "searches": len(found),
            "known": len(told) - len(found),
            "mean_depth": sum(depths) / max(len(found), 1),
            "deepest": max(depths, default=0),
            "nodes": nodes,
            "nodes_per_second": nodes / seconds if seconds else 0.0,
        }

    return [efforts_of(side) for side in record.choices]


# `referee`: games of other programs by the rules of a game's contest.


def referee(
    command_a: str = typer.Argument(..., metavar="'CMD A'", help="The command that starts player 0's bot."),
    command_b: str = typer.Argument(..., metavar="'CMD B'", help="The command that starts player 1's bot."),
    game: str = typer.Option(
        default_game(), metavar="GAME", help="The contest's game, with parameters if wanted."
    ),
    size: str | None = typer.Option(None, metavar="WxH", help="The size of the board: 16x16."),
    start: str | None = typer.Option(
        None, metavar="X,Y", help="Where player 0 starts; player 1 starts mirrored."
    ),
    seed: int | None = typer.Option(None, help="Seed of a random start by the contest's rule."),
    timebank: int = typer.Option(
        10_000, min=1, rich_help_panel=CLOCK, help="Milliseconds in the bank at the start, and at most."
    ),
    time_per_move: int = typer.Option(
        200, min=0, rich_help_panel=CLOCK, help="Milliseconds added after each move."
    ),
    max_timeouts: int = typer.Option(0, min=0, rich_help_panel=CLOCK, help="Errors that a bot may make."),
    isolate: Isolate = "auto",
    sandbox: Sandbox = "",
    show: Show = [],  # noqa: B006 (typer's; it is not changed)
    output: str | None = typer.Option(None, "-o", "--output", metavar="FILE", help="Write the replay here."),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Let two programs play by the contest's rules, clock and error handling.

    Example: saddlepoint referee 'saddlepoint bot light_riders' 'saddlepoint bot light_riders' --seed 7
    """
    from ..games.catalogue.commands import speaks_lines
    from ..games.catalogue.games import replay_of
    from ..play.record import distinct_names
    from ..play.replay import finished, to_line
    from ..players.programs.isolation import Hidden, Isolation
    from .starting import try_start

    rules: Any = read_game(game, size)
    entry = GAMES.get(rules.name)
    if entry is None or not entry.description.referee:
        raise ValueError(
            f"{rules.name or game} has no contest with a referee of its own; `saddlepoint match` plays every game"
        )
    contest: Referee = entry.load(entry.description.referee)
    state = start_state(rules, start, seed)
    clock = contest.rules(timebank / 1000, time_per_move / 1000, max_timeouts)
    check_output(output, as_json)
    commands = (command_a, command_b)
    specs = [str(Spec(COMMAND, {"command": command})) for command in commands]
    isolation = Isolation(
        mode=read_mode(isolate), sandbox=sandbox, shown=read_shown(show), hidden=Hidden.of([output], specs)
    )
    for command, spec in zip(commands, specs, strict=True):
        with closing(contest.player(command, rules, isolation)) as player:
            try_start(player, spec, rules, isolation)
            if getattr(player, "is_silent", False) and speaks_lines(
                command, rules, replace(isolation, patience=clock.timebank)
            ):
                raise ValueError(
                    f"{command} speaks lines, and the contest's referee riddles.io's protocol; `saddlepoint match` plays with either"
                )
    data = contest.play(rules, commands, state, clock, seed, isolation=isolation)
    played = replay_of(data)
    if output is not None:
        write_lines(output, [to_line(data)])
    if as_json:
        print_json(
            {
                "result": data["result"],
                "rounds": len(played.rounds),
                "reason": played.reason,
                "faults": data["faults"],
            }
        )
    if as_json or output == STDOUT:
        return
    print(
        f"result {value_text(float(data['result']), 'g')} for player 0 after {count_of(len(played.rounds), 'round')}: {played.reason}"
    )
    for player, (name, fault) in enumerate(
        zip(distinct_names(commands), finished(played).faults, strict=True)
    ):
        if fault:
            print_wrapped(f"{name} was shut down: {fault}")
        if warnings := sum(bool(played_round.warnings[player]) for played_round in played.rounds):
            print_wrapped(f"{name} got {warnings} warnings")
