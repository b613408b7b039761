"""`solve`: any finite game, by the method that fits; all positions go into a file that is asked, played from and checked."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from ..game.spec import name_of
from ..games.catalogue.games import GAMES, find_game, left_out_if_broken, make_game
from ..games.description import Solver
from ..system.files import check_output, check_regular_output, write_lines
from ..system.terminal import Progress, Status, fail, print, print_json, print_table, warn
from ..system.text import Column, value_text
from .arena_options import FILES, PLACE, Executor, grouped
from .common import GAME_HELP, POSITION_HELP, memory_in_bytes, read_game

if TYPE_CHECKING:
    from ..game.base import Game
    from ..solvers.general import Certificate, Solution
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
        f"{found.nodes:,} positions in {found.seconds:.3g} s ({found.nodes / max(found.seconds, 1e-9):,.0f} a second), "
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
    print(f"{solution.subject}: {counts.positions:,} positions{counted}{folding_note(solution)}")
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


# `solve FILE.sol`: a solution that was written, asked, checked and exported; how a solution is shown.

_LEAST = 5e-7
"""Smaller probabilities are not shown."""


def file(
    path: str = typer.Argument(
        metavar="FILE.sol", help="A file that `saddlepoint solve GAME -o FILE.sol` wrote."
    ),
    position: str | None = typer.Option(None, help=f"What to show: {POSITION_HELP}."),
    check: bool = typer.Option(
        False, "--check", help="Compare every position and value with the rules and best responses."
    ),
    exact: bool = typer.Option(False, "--exact", help="Compare with fractions, up to 100,000 positions."),
    export: str | None = typer.Option(None, metavar="FILE", help="Write all positions as JSON; - is stdout."),
    game: str | None = typer.Option(
        None, metavar="GAME", help="Your own game, ./mygame.py:MyGame; that file is run."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Ask a solution about any position, check it, or export it.

    Without --check you see what the file claims, unless it was checked on this machine before. A file with anything wrong in it is
    refused, with status 2.

    Example: saddlepoint solve mygame.sol --check

    Example: saddlepoint solve mygame.sol --position 'moves: rock/paper'
    """
    from ..play.position_text import read_position
    from ..solvers.checking import check_file, check_positions, check_start, is_checked, solved_exactly
    from ..solvers.general import load_solution
    from ..solvers.general.checkpoint import usual_threads

    check_output(export, as_json)
    solution, certificate = load_solution(path, None if game is None else read_game(game), make_game)
    rules = solution.game
    state = solution.root if position is None else read_position(rules, position)
    if position is not None:
        solution.at(state)  # refuses what cannot come about before anything is computed
    with Progress(len(solution)) as progress:
        if check:
            certificate = check_file(path, solution, certificate, progress.update, threads=usual_threads())
        elif export is not None:
            check_positions(path, solution, progress.update)
    if position is None:
        check_start(path, solution)
    checked = check or is_checked(path, rules)
    found = solved_exactly(path, solution) if exact else None
    if export is not None:
        write_lines(export, _exported(solution, certificate, checked))
        if export == "-":
            return
    if as_json:
        print_json(
            {
                **subject_row(solution),
                "positions": len(solution),
                **stage_row(solution, state),
                "certificate": certificate_row(certificate),
                "checked": checked,
                "exact": None
                if found is None
                else {"value": str(found.value), "largest_error": found.largest_error},
            }
        )
        return
    print(f"{solution.subject}: {len(solution):,} positions{folding_note(solution)}")
    if not checked:
        print("what the file claims, not checked (--check compares every value with the rules):")
    else:
        print("checked: every position and value follows from the rules")
    print_stage(solution, state)
    print_certificate(certificate, is_claim=not checked)
    if found is not None:
        print(
            f"in fractions: the value is exactly {found.value}; of {found.positions:,} values the file's are wrong by "
            f"{found.largest_error:.2g} at most"
        )


def _exported(solution: "Solution", certificate: "Certificate | None", checked: bool) -> Iterator[str]:
    """One JSON document, a position a line."""
    head: dict[str, Any] = {
        **subject_row(solution),
        "certificate": certificate_row(certificate),
        "checked": checked,
    }
    yield json.dumps(head)[:-1] + ', "positions": ['
    previous = ""
    for state in solution.states():
        if previous:
            yield previous + ","
        previous = json.dumps(stage_row(solution, state))
    yield previous + "]}"


def subject_row(solution: "Solution") -> dict[str, Any]:
    """The game and start of a solution, and the assumptions of its values, as plain data."""
    game = solution.game
    return {
        "game": name_of(game),
        "rules": repr(game),
        "start": game.to_text(solution.root),
        "discount": solution.discount,
        "clock_left_out": solution.clock_left_out,
        "folded": solution.is_folded,
    }


def stage_row(solution: "Solution", state: Any) -> dict[str, Any]:
    """A position's value and strategies, by the names of the actions."""
    stage = solution.at(state)
    game = solution.game
    named = [
        {
            game.action_to_string(state, player, action): weight
            for action, weight in stage.strategies[player].items()
        }
        for player in (0, 1)
    ]
    return {"position": game.to_text(state), "value": stage.value, "strategies": named}


def print_stage(solution: "Solution", state: Any) -> None:
    game, stage = solution.game, solution.at(state)
    print(game.render(state), end="\n\n")
    print(f"value {value_text(stage.value, '+.9g')} for player 0")
    rows = [
        [player, game.action_to_string(state, player, action), f"{weight:.6f}"]
        for player in (0, 1)
        for action, weight in stage.strategies[player].items()
        if weight > _LEAST
    ]
    if rows:
        print_table([Column("player"), Column("action"), Column("probability")], rows)
    elif chances := game.chance_outcomes(state):
        worth = zip(chances, stage.matrix, strict=True)
        print_table(
            [Column("outcome", text=True), Column("probability"), Column("value")],
            [
                [game.outcome_to_string(state, outcome), f"{chance:.6f}", value_text(value, "+.9g")]
                for (outcome, chance), (value,) in worth
            ],
        )


def folding_note(solution: "Solution") -> str:
    """The note that follows the number of positions of a folded solution; else empty."""
    return "; folded: of those that are worth the same, one" if solution.is_folded else ""


def certificate_row(certificate: "Certificate | None") -> dict[str, Any] | None:
    return None if certificate is None else asdict(certificate) | {"gap": certificate.gap}


def print_certificate(certificate: "Certificate | None", is_claim: bool = False) -> None:
    """Print the bounds that a certificate proves, or that a file claims without a check."""
    if certificate is not None:
        bounds = f"[{value_text(certificate.lower, '.12g')}, {value_text(certificate.upper, '.12g')}]"
        print(
            ("the file claims, not checked, that " if is_claim else "")
            + f"best responses gain {certificate.gap:.2g} from the start, {certificate.worst_gap:.2g} from any of "
            f"{certificate.positions:,} positions; the value is in {bounds}"
        )


def is_solution_file(text: str) -> bool:
    """Whether the word after `solve` names a file rather than a game."""
    return text.endswith(".sol") or (Path(text).is_file() and not text.endswith(".py"))


# `solve`: a game, or a position of it, once and for all. Some games have a solver, and options, of their own; `game` solves any other, and
# `file` reads what that wrote. Neither word has to be typed: a game's name or a file's is enough.


_GENERAL = {"game": game, "file": file}
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
