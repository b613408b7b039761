"""Players before their first game: programs are tried, and said how they are isolated; searches are compiled, side by side."""

import os
import re
import shlex
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from typing import TYPE_CHECKING

import typer

from ..game.spec import HUMAN, name_of, parse_spec, starts_a_program
from ..games.catalogue.games import default_game, usable_games
from ..players.programs.named import (
    command_words,
    defines_player,
    misnamed_player,
    python_file_of,
    reads_input,
)
from ..players.programs.view import Sight
from ..system.terminal import Status, print, print_error, warn
from .common import GAME_HELP, read_game

if TYPE_CHECKING:
    from ..game.base import Game
    from ..play.preparation import Need
    from ..players.base import Player
    from ..players.programs.isolation import Isolation


def compile_players(needs: "list[Need]") -> None:
    several = sum(need.is_missing for need in needs) > 1  # else compiled here, with its own messages
    if several and sys.stderr is not None and sys.stderr.isatty():  # pyright: ignore[reportUnnecessaryComparison]
        with Status("compiling") as status:
            _compile(needs, status.line, status.update)
    else:
        _compile(needs, print_error, lambda text: None)


def compile_missing(game: "Game", players: Iterable[str]) -> None:
    """Compile the players of a game side by side, if several of this library's are missing; one alone is compiled when it is made.

    What goes wrong here will go wrong where the player plays, and be dealt with there.
    """
    from ..games.catalogue.commands import reaches_outside
    from ..play.preparation import Need

    specs = {spec: parse_spec(spec) for spec in players}
    needs = [
        Need(game, text) for text, spec in specs.items() if spec.name != HUMAN and not reaches_outside(spec)
    ]
    missing = [need for need in needs if need.is_missing and need.is_named]
    if len(missing) > 1:
        with suppress(Exception):
            if os.environ.get("SADDLEPOINT_QUIET", "") in ("", "0"):
                compile_players(missing)
            else:
                _compile(missing, lambda text: None, lambda text: None)


def _compile(needs: "list[Need]", line: "Callable[[str], None]", update: "Callable[[str], None]") -> None:
    """Compile them, the longest first; `line` gets what stays to be read, `update` what is shown until the next moment."""
    from ..games.catalogue.make import make_player
    from ..play.preparation import Preparation
    from ..system.cluster import usable_cores

    began, ready, missing = time.monotonic(), 0, sum(need.is_missing for need in needs)
    # One more than cores: one waits now and then for what another compiles.
    processes = min(usable_cores() + 1, missing) if missing > 1 else 0
    with closing(Preparation(lambda: make_player, processes)) as preparation:
        tasks = [preparation.begin(need) for need in sorted(needs, key=lambda need: not need.is_missing)]
        if missing:
            line(f"{missing} of {len(needs)} players are to be compiled")
        while tasks:
            done = preparation.wait(tasks)
            tasks = [task for task in tasks if task not in done]
            under_way = [task.need.task for task in tasks if not preparation.ahead(task)]
            others = f" and {len(tasks) - len(under_way)} more" if len(tasks) > len(under_way) else ""
            left = f"compiling {', '.join(under_way)}{others}" if tasks else ""
            for task in done:
                task.future.result()  # raises what went wrong
                ready += 1
                line(
                    f"[{ready}/{len(needs)}] {task.need.task} ready after {time.monotonic() - began:.1f} s{left and '; '}{left}"
                )
            update(left or "all compiled")


def say_how_contained(isolation: "Isolation", players: Iterable[str]) -> None:
    """Say, once, how the programs among these players are isolated. Raises PlayerError where it cannot be as asked."""
    from ..players.programs.supervision import containment

    if not isolation.programs_only or any(starts_a_program(parse_spec(spec)) for spec in players):
        warn(str(containment(isolation)))


# A trial start of every program before the first game: one that cannot start is no evidence of how it plays.


_SILENCE = 5.0  # seconds, after which a reason for the wait is shown


def try_start(player: "Player", spec: str, game: "Game", isolation: "Isolation") -> None:
    """Raise PlayerError, in one sentence with the way out, for a player that does not start.

    A program is ended again.
    """
    from ..players.base import FaultKind, PlayerError

    for sentence in what_is_unseen(spec, isolation):
        warn(sentence)
    waiting = threading.Timer(
        _SILENCE, warn, [f"{spec} has not answered yet; it is waited for {isolation.patience:g} s at most"]
    )
    waiting.daemon = True
    waiting.start()
    try:
        player.try_start(game)
    except PlayerError as error:
        if not player.isolate(isolation) and not starts_a_program(parse_spec(spec)):
            raise
        if error.kind is FaultKind.LATE:
            out = f"`saddlepoint check {shlex.quote(spec)} --game {shlex.quote(game.name)}` shows what was said to it"
        elif re.search("(Syntax|Indentation|Tab)Error: ", str(error)):
            out = "correct the file, which Python cannot read"
        else:
            out = way_out(spec, isolation)
        raise PlayerError(
            f"{spec} cannot be started, and no game was played: {error}; {out}", error.kind
        ) from error
    finally:
        waiting.cancel()


def what_is_unseen(spec: str, isolation: "Isolation") -> list[str]:
    """In a sentence each, what a spec's command or its program's files name, and the program does not see for all that."""
    from ..players.programs.process import arguments_of
    from ..players.programs.supervision import SUPERVISOR, containment

    command = parse_spec(spec).options.get("command")
    if not isinstance(command, str) or containment(isolation).means == SUPERVISOR:
        return []
    if (file := python_file_of(command)) is not None and defines_player(file):
        return []  # it is the file that is run, wherever it lies
    sight = Sight(arguments_of(command), os.environ.get("PATH", os.defpath), (), isolation.shown)

    def said(path: str, leads: str) -> str:
        if leads in sight.named.foreign:
            return f"{spec}: {path} is a link to {leads}: it sees that file, and nothing beside it, unless --show names the folder"
        above = os.path.dirname(leads)
        shown = os.path.dirname(above) if os.path.basename(above) == "bin" else leads
        return (
            f"{spec}: {path} leads to {leads}, which it does not see, since its author may have made that; if it is meant, "
            f"--show {shlex.quote(shown)} shows it"
        )

    return [said(path, leads) for path, leads in sight.unseen.items()]


def way_out(spec: str, isolation: "Isolation") -> str:
    """Advice on a program that ends when it is started, as the end of a sentence."""
    from ..players.programs.supervision import SUPERVISOR, containment

    command = str(parse_spec(spec).options.get("command", ""))
    file = python_file_of(command)
    if file is not None and (tail := misnamed_player(file)):
        return tail
    for word in command_words(command)[1:]:
        found = python_file_of(word)
        if found is not None and defines_player(found) and not reads_input(found):
            own = word if os.sep in word else f"./{word}"
            return f"{word} defines a player and reads no line, so Python ends at once: did you mean {own} in place of the command?"
    if isolation.sandbox:
        return f"try it without --sandbox {isolation.sandbox!r}"
    if containment(isolation).means != SUPERVISOR:
        return (
            "it is to read lines until its input ends; if it misses a file: in namespaces it sees only its own folder and the installation "
            "of its interpreter, with what --show names, and --isolate=supervisor hides nothing"
        )
    return "it runs under a supervisor: see that its command works alone"


# `warm`: compiling ahead of time.
_ALL = "all"


def warm(
    game: str = typer.Argument(default_game(), help=f"{GAME_HELP} all: every game."),
    player: list[str] = typer.Option([], "--player", help="Only this player; may be repeated."),
) -> None:
    """Compile the players' searches now, so that the next game starts at once.

    Several are compiled side by side. Ctrl-C ends it at any time: what is finished stays compiled.

    Example: saddlepoint warm light_riders --player best
    """
    from ..compiled.directory import why_not_kept

    needs = _needs(game, player)
    compile_players(needs)
    games = list(dict.fromkeys(name_of(need.game) for need in needs))
    why = why_not_kept()
    kept = f"; what was not kept before is not kept now: {why}" if why else ""
    print(
        f"{len(needs)} players of {games[0] if len(games) == 1 else f'{len(games)} games'} are compiled{kept}"
    )


def _needs(game: str, players: list[str]) -> "list[Need]":
    """Whom to compile for what; what cannot be made is refused before anything is compiled."""
    from ..games.catalogue.make import make_player
    from ..play.preparation import Need

    needs: list[Need] = []
    refused: dict[str, ValueError] = {}
    for name in [entry.name for entry in usable_games()] if game == _ALL else [game]:
        rules = read_game(name)
        for spec in players or _offered(rules):
            try:
                make_player(spec, rules).close()
            except ValueError as error:
                if game != _ALL:
                    raise
                refused.setdefault(spec, error)
            else:
                needs.append(Need(rules, spec))
    for spec in refused.keys() - {need.player for need in needs}:  # no game has it
        raise refused[spec]
    return needs


def _offered(rules: "Game") -> list[str]:
    """The named players of a game, and those of the page's levels."""
    from ..games.catalogue.make import levels_of
    from ..games.catalogue.players import players_of

    named = [entry.name for entry in players_of(rules.name) if entry.is_complete]
    return list(dict.fromkeys([*named, *(level.spec for level in levels_of(rules))]))
