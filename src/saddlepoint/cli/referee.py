"""`referee`: games of other programs by the rules of a game's contest."""

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import typer

from ..game.spec import COMMAND, Spec
from ..games.catalogue.games import GAMES, default_game
from ..system.files import STDOUT, check_output, write_lines
from ..system.terminal import print, print_json, print_wrapped
from ..system.text import value_text
from .arena_options import CLOCK, Isolate, Sandbox, Show, read_mode, read_shown
from .arena_runs import try_start
from .common import read_game, start_state

if TYPE_CHECKING:
    from ..games.description import Referee


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
        f"result {value_text(float(data['result']), 'g')} for player 0 after {len(played.rounds)} rounds: {played.reason}"
    )
    names = distinct_names(commands)
    for player, fault in enumerate(finished(played).faults):
        if fault:
            print_wrapped(f"{names[player]} was shut down: {fault}")
        warnings = sum(1 for played_round in played.rounds if played_round.warnings[player])
        if warnings:
            print_wrapped(f"{names[player]} got {warnings} warnings")
