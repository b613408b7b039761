"""`solve`: any finite game, by the method that fits; all positions go into a file that is asked, played from and checked."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from ..game.spec import name_of
from ..games.catalogue.games import GAMES, find_game, left_out_if_broken
from ..games.description import Solver
from ..system.files import check_regular_output
from ..system.terminal import Progress, Status, fail, print, print_json, warn
from ..system.text import count_of, value_text
from .arena_options import FILES, PLACE, Executor, grouped
from .common import GAME_HELP, POSITION_HELP, memory_in_bytes, read_game
from .solution import (
    certificate_row,
    folding_note,
    print_certificate,
    print_stage,
    solution_file,
    stage_row,
    subject_row,
)

if TYPE_CHECKING:
    from ..game.base import Game
    from ..solvers.general.certificate import SolvedGame

PROVEN = 1e-6
"""The gain of best responses up to which the value of a game with cycles counts as proven."""
_MOST_THREADS = 1024
_SPECIAL = "Special cases"
_ENDING, _CYCLIC = ("induction", "alpha_beta", "proof_number", "own"), ("policies", "values")
_USES = {
    "discount": ("--discount", _CYCLIC),
    "output": ("--output", ("induction", "own", *_CYCLIC)),
    "fold": ("--fold", ("induction", *_CYCLIC)),
    "check": ("--check", ("induction", *_CYCLIC)),
    "threads": ("-j", ("induction", "own")),
    "executor": ("--executor", ("induction",)),
    "resume": ("--resume", ("induction",)),
    "checkpoint": ("--checkpoint", ("induction",)),
    "all_moves": ("--all-moves", ("alpha_beta", "proof_number")),
    "seconds": ("--time", ("alpha_beta", "proof_number", "own")),
}
"""Of each option: how it is typed, and the methods with which it has a use."""
_IN_TURN = {"alpha_beta": "alpha-beta", "proof_number": "proof-number search"}


@dataclass(frozen=True)
class SolveOptions:
    """The options of solving; None, 0 or False where the user did not give one."""

    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The file to write: goofspiel5.sol.")
    ] = None
    position: Annotated[str | None, typer.Option(help=f"Where to begin: {POSITION_HELP}.")] = None
    memory: Annotated[
        int | None,
        typer.Option(min=1, help="Megabytes for the table, then it goes into a file; half of what is free."),
    ] = None
    fold: Annotated[
        bool | None,
        typer.Option(
            "--fold/--no-fold",
            rich_help_panel=_SPECIAL,
            help="Keep one of positions worth the same, as the game says (usual).",
        ),
    ] = None
    executor: Executor = None
    threads: Annotated[
        int,
        typer.Option(
            "-j",
            "--threads",
            min=0,
            rich_help_panel=PLACE,
            help="Threads; 0: one for each core, with cycles one.",
        ),
    ] = 0
    resume: Annotated[
        bool,
        typer.Option(
            "--resume", rich_help_panel=FILES, help="Go on from the checkpoint FILE.sol.part of the same run."
        ),
    ] = False
    checkpoint: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            metavar="SECONDS",
            rich_help_panel=FILES,
            help="Between checkpoints: 60, more where writing one takes long.",
        ),
    ] = None
    check: Annotated[
        bool | None,
        typer.Option(
            "--check/--no-check",
            rich_help_panel=_SPECIAL,
            help="Compute what best responses gain: the certificate (usual).",
        ),
    ] = None
    cycles: Annotated[
        bool | None,
        typer.Option(
            "--cycles/--no-cycles",
            rich_help_panel=_SPECIAL,
            help="Whether positions come back (as the game's `clock` says).",
        ),
    ] = None
    discount: Annotated[
        float | None,
        typer.Option(
            rich_help_panel=_SPECIAL, help="With cycles: what a result is multiplied by for each move: 0.9."
        ),
    ] = None
    method: Annotated[
        str | None,
        typer.Option(
            help="induction (usual); value and first moves alone, in turn: alpha_beta, proof_number; own: the game's own solver. With "
            "cycles: policies (usual) or values (value iteration).",
        ),
    ] = None
    all_moves: Annotated[
        bool,
        typer.Option(
            "--all-moves",
            rich_help_panel=_SPECIAL,
            help="With alpha_beta and proof_number: all best first moves.",
        ),
    ] = False
    seconds: Annotated[
        float | None,
        typer.Option("--time", metavar="SECONDS", help="At most, with alpha_beta, proof_number and own."),
    ] = None

    def method_for(self, game: "Game") -> str:
        """The method for this game; raises ValueError, in one sentence, for an option that has no use with it."""
        has_cycles = self.cycles or (self.cycles is None and (game.clock or self.discount is not None))
        own = own_solver(game.name)
        usual = "policies" if has_cycles else "own" if own is not None and own.is_usual else "induction"
        method, known = self.method or usual, _CYCLIC if has_cycles else _ENDING
        if method not in known:
            hint = "positions come back: " if has_cycles else "policies and values are for "
            hint += (
                "leave --method out, or give --no-cycles"
                if has_cycles
                else "games with cycles: give --cycles"
            )
            raise ValueError(f"method must be {', '.join(known[:-1])} or {known[-1]}, not {method!r}; {hint}")
        for name, (option, methods) in _USES.items():
            value = getattr(self, name)
            is_given = value > 1 if name == "threads" else value != getattr(SolveOptions, name)  # its default
            if is_given and method not in methods:
                raise ValueError(f"{option} has no use with {method}; it goes with {' or '.join(methods)}")
        if self.seconds is not None and not 0 < self.seconds < float("inf"):
            raise ValueError("--time takes seconds above 0")
        if self.checkpoint is not None and self.output is None:
            raise ValueError("--checkpoint writes beside --output FILE; give the file, or leave it out")
        if self.executor is not None and (self.resume or self.threads):
            raise ValueError("--resume and -j are for this machine: leave them, or --executor, out")
        return method


def own_solver(name: str) -> "Solver | None":
    """The solver that is made for the game of that name alone."""
    entry = GAMES.get(name)
    return entry.load(entry.description.solve) if entry is not None and entry.description.solve else None


@grouped
def game(
    game: Annotated[str, typer.Argument(help=GAME_HELP)],
    options: SolveOptions,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Solve a game from its end: value and strategies of every position.

    `saddlepoint solve FILE.sol` asks and checks what was written; the player `solution("FILE.sol")` plays from it. After Ctrl-C --resume
    goes on from FILE.sol.part; games with cycles are solved at once, by one thread, without it.

    Example: saddlepoint solve ./mygame.py:MyGame -o mygame.sol

    Example: saddlepoint solve ./heap.py:Heap --method alpha_beta

    Example: saddlepoint solve ./mygame.py:MyGame --discount 0.9
    """
    from ..play.position_text import read_position
    from ..solvers.whole_game import SolvingInterrupted, solve_game

    if options.threads > _MOST_THREADS:
        raise ValueError(f"-j takes {_MOST_THREADS:,} threads at most")
    rules = read_game(game)
    check_regular_output(options.output)
    state = read_position(rules, options.position)
    method = options.method_for(rules)
    if method == "own":
        solver = own_solver(rules.name)
        if solver is None or solver.solve is None:
            raise ValueError(f"{type(rules).__name__} has no solver of its own; leave --method own out")
        begin = None if options.position is None else state
        names = ("output", "memory", "threads", "seconds")
        given = {name: getattr(options, name) for name in names}
        solver.solve(rules, begin, **given, as_json=as_json)
        return
    in_turn = method in _IN_TURN
    with Status("compiling") if in_turn else Progress(None) as shown:

        def show(done: int, what: str, total: int | None) -> None:
            shown.update(f"{done:,} {what}") if isinstance(shown, Status) else shown.update(
                done, what, total=total
            )

        try:
            found = solve_game(
                rules,
                state,
                method,
                fold=options.fold is not False,
                check=options.check is not False,
                threads=options.threads,
                memory=float("inf")
                if in_turn and options.memory is None
                else memory_in_bytes(options.memory),
                discount=1.0 if options.discount is None else options.discount,
                all_moves=options.all_moves,
                seconds=options.seconds,
                output=options.output,
                resume=options.resume,
                checkpoint=60.0 if options.checkpoint is None else options.checkpoint,
                executor=options.executor,
                on_progress=show,
                warn=warn,
                line=shown.line,
            )
        except SolvingInterrupted as interruption:
            fail(f"interrupted; {interruption}")
            raise
    if as_json:
        print_json(_as_json(rules, state, method, found, options.output))
    elif in_turn:
        _print_turn(rules, state, method, found.counts, options.memory)
    else:
        _print_solution(found, options.output)


def _as_json(
    rules: "Game", state: Any, method: str, found: "SolvedGame", output: Path | None
) -> dict[str, Any]:
    counts: Any = found.counts
    solution, certificate = found.solution, found.certificate
    if solution is None:
        return {
            "game": name_of(rules),
            "rules": repr(rules),
            "position": rules.to_text(state),
            "method": method,
            "value": counts.low if counts.exact else None,
            "bounds": [counts.low, counts.high],
            "proven": counts.exact,
            "moves": _named(rules, state, counts.moves),
            "all_moves": counts.all_moves,
            "nodes": counts.nodes,
            "seconds": counts.seconds,
        }
    stage = stage_row(solution, solution.root)
    if method == "induction":
        names = (
            "positions",
            "stages",
            "saddle_stages",
            "closed_form_stages",
            "lp_stages",
            "chance_positions",
        )
        counted = {"value": stage["value"]} | {name: getattr(counts, name) for name in names}
    else:
        counted = {"method": method, "positions": counts.positions}
        counted |= {
            "chance_positions": counts.chance_positions,
            "moves": counts.edges,
            "sweeps": counts.sweeps,
        }
    counted |= {"seconds": counts.seconds, "certificate": certificate_row(certificate)}
    if method != "induction":
        counted |= {
            "interval": found.interval,
            "proven": (certificate is not None and certificate.gap <= PROVEN),
        }
    file = {
        "file": None if output is None else str(output),
        "bytes": None if output is None else output.stat().st_size,
    }
    return subject_row(solution) | counted | file | stage


def _named(rules: "Game", state: Any, moves: tuple[int, ...]) -> list[str]:
    player = rules.current_player(state)
    return [rules.action_to_string(state, player, action) for action in moves]


def _print_turn(rules: "Game", state: Any, method: str, found: Any, memory: int | None) -> None:
    from ..solvers.turns import bounds_in_words
    from ..solvers.whole_game import TURN_MEMORY

    print(rules.render(state), end="\n\n")
    known = bounds_in_words(rules, found.low, found.high)
    print(
        f"value {known} for player 0, proven"
        if found.exact
        else f"the value for player 0 is {known}; no more is proven"
    )
    if found.moves:
        names = ", ".join(_named(rules, state, found.moves))
        if found.all_moves:
            print(f"best first moves, all of them: {names}")
        else:
            print(f"a best first move: {names} (--all-moves looks for others)")
    print(
        f"{count_of(found.nodes, 'position')} in {found.seconds:.3g} s ({found.nodes / max(found.seconds, 1e-9):,.0f} a second), "
        f"{_IN_TURN[method]} with a table of at most {memory or TURN_MEMORY / 1e6:g} MB"
    )


def _print_solution(found: "SolvedGame", output: Path | None) -> None:
    """Print the counts of a solution, the start with both strategies, and the proof."""
    solution: Any = found.solution
    counts: Any = found.counts
    if solution.discount is None:
        counted = (
            f" in {counts.seconds:.3g} s ({counts.positions / max(counts.seconds, 1e-9):,.0f} a second): "
            f"{counts.saddle_stages:,} saddle points, {counts.closed_form_stages:,} closed forms, {counts.lp_stages:,} linear programs, "
            f"{counts.chance_positions:,} of chance"
        )
    else:
        counted = (
            f", {counts.chance_positions:,} of chance, with {counts.edges:,} moves, in {counts.seconds:.3g} s: "
            f"all stages solved {counts.sweeps:,} times"
        )
    print(f"{solution.subject}: {count_of(counts.positions, 'position')}{counted}{folding_note(solution)}")
    print_stage(solution, solution.root)
    print_certificate(found.certificate)
    if solution.discount is not None:
        print(_what_is_proven(found, solution.discount))
    if output is not None:
        print(f"{output}: {output.stat().st_size / 1e6:.3g} MB")


def _what_is_proven(found: "SolvedGame", discount: float) -> str:
    """A sentence on the proof of a value of a game with cycles, and on the value of endless play."""
    endless = (
        "an endless play counts 0"
        if discount == 1.0
        else f"a result counts {discount:g} of itself for each move before it"
    )
    if found.interval is not None:
        low, high = found.interval
        bounds = f"[{value_text(low, '.12g')}, {value_text(high, '.12g')}]"
        endless += f"; by value iteration the value is in {bounds}, whatever an endless play counts"
    if found.certificate is None:
        return f"{endless}; nothing is proven without --check"
    gap = found.certificate.gap
    return (
        f"{endless}; proven to {gap:.2g}"
        if gap <= PROVEN
        else f"{endless}; not proven closer than {gap:.2g}: strategies that always play the same in a position may not get more"
    )


# `solve`: a game, or a position of it, once and for all. Some games have a solver, and options, of their own; `game` solves any other, and
# `file` reads what that wrote. Neither word has to be typed: a game's name or a file's is enough.


def is_solution_file(text: str) -> bool:
    """Whether the word after `solve` names a file rather than a game."""
    return text.endswith(".sol") or (Path(text).is_file() and not text.endswith(".py"))


_GENERAL = {"game": game, "file": solution_file}
_SOLVERS: dict[str, Any] = {}
for _name, _entry in GAMES.items():
    with left_out_if_broken():
        if _entry.description.solve:
            _SOLVERS[_name] = _entry.load(_entry.description.solve).command


class _Games(TyperGroup):
    """A game may be called by its other names; what is no command is a game, or a solution's file, for the general ones."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        word = args[0]
        entry = find_game(word)
        if entry is not None and entry.name in _SOLVERS:
            args = [entry.name, *args[1:]]
        elif word not in _GENERAL and not word.startswith("-"):
            args = ["file" if is_solution_file(word) else "game", *args]
        return super().resolve_command(ctx, args)


solve = typer.Typer(
    cls=_Games,
    no_args_is_help=True,
    help="Solve a game, or a position of it, exactly.\n\nExample: saddlepoint solve 'light_riders(width=5, height=5)'",
)
for _name, _command in {**_GENERAL, **_SOLVERS}.items():
    solve.command(_name)(_command)
