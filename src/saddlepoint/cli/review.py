"""The command `review`: the loser of a finished game, the losing move and its cause."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..algorithms.limits import Limits
from ..game.spec import name_of
from ..players.programs.isolation import is_ledger
from ..system.terminal import Progress, print, print_json, print_records, print_wrapped, warn
from ..system.text import Column, error_line, value_text
from .arena_options import AsJson, grouped
from .common import Aliases, read_game_name, read_limits

if TYPE_CHECKING:
    from ..algorithms import Algorithm
    from ..algorithms.analysis import GameReview, Standing
    from ..play.replay import FinishedGame

_SECONDS = 0.3
_LONGEST = 400
"""Characters of a position's text that are printed with it; `show --turn` and --json have it at any length."""
_AROUND = 2
"""Rows of the table before and after a position that mattered."""
_SUFFIXES = (".json", ".jsonl")
"""Of a folder's files those that may be replays."""


@grouped
def review(
    file: Annotated[
        str, typer.Argument(help="A replay, a ledger, or a folder of replays; a contest's own files, too.")
    ],
    number: Annotated[
        int | None,
        typer.Option("--number", min=1, help="Which game of a file with several (1); in a ledger its id."),
    ] = None,
    algorithm: Annotated[
        str | None, typer.Option(help="A search, or a named player that searches; as for `analyze`.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--time",
            metavar="SECONDS",
            help="For each turn, all searches together (0.3); the numbers take half as much more at most.",
        ),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Depth of the verdict's searches, in plies. The numbers take half as many nodes more at most, or the --time "
            "beside it.",
        ),
    ] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Nodes for each turn, likewise.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All turns, not only those that mattered.")] = False,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            callback=read_game_name,
            help="Your own game, of a ledger: ./mygame.py:MyGame; that file is run.",
        ),
    ] = None,
    *,
    aliases: Aliases,
    as_json: AsJson = False,
) -> None:
    """Say who lost a finished game, where and of what.

    The losing move is the last one after which the loser never stood even again. It is searched with the search of `best`; the moments
    that mattered are drawn.

    Example: saddlepoint review game.jsonl
    """
    from ..play.review import review_json
    from ..play.review_words import moment_words, verdict_words

    search = None if algorithm is None else aliases.spec(algorithm)
    limits = read_limits(nodes, depth, seconds) or Limits(seconds=_SECONDS)
    if Path(file).is_dir():
        if number is not None:
            raise ValueError(
                f"{file} is a folder, of whose files the first game is taken; --number is for one file"
            )
        _review_folder(Path(file), search, limits, aliases, as_json)
        return
    from_ledger = Path(file).is_file() and is_ledger(file)  # of a pipe nothing may be read twice
    played = _from_ledger(file, number) if from_ledger else _from_replay(file, number or 1)
    a, b = played.players
    former = played.former and (aliases.name(played.former[0]), aliases.name(played.former[1]))
    shown = replace(played, players=(aliases.name(a), aliases.name(b)), former=former)
    found, chosen = _reviewed(shown, search, limits)
    if as_json:
        print_json(
            aliases.beside(
                {
                    "game": name_of(played.game),
                    "players": list(played.players),
                    "result": played.result,
                    "reason": played.reason,
                    "faults": list(played.faults),
                    "algorithm": chosen.name,
                    **review_json(shown, found),
                }
            )
        )
        return
    print_wrapped(shown.headline())
    print_wrapped(" ".join(verdict_words(shown, found)))
    _print_numbers(shown, found)
    for moment in found.moments:
        print()
        print_wrapped(moment_words(shown, found, moment))
        print(played.game.render(played.states[moment.step]))
        if len(text := shown.position_text(moment.step)) <= _LONGEST:  # which `analyze` takes
            print(text)
    if not found.moments:
        print()
        print(played.game.render(played.states[-1]))
    print()
    _print_turns(shown, found, every)


def _reviewed(played: "FinishedGame", search: str | None, limits: Limits) -> "tuple[GameReview, Algorithm]":
    """The review of a game within limits for each turn, and the search: that of the spec, or the one that fits the game."""
    from ..algorithms.analysis.game_review import BESIDES
    from ..games.catalogue.make import review_search_of
    from ..play.review import review_finished, warm_review

    chosen = review_search_of(played.game, search).algorithm
    warm_review(played, chosen)
    with Progress(None) as bar:

        def show(one: "Standing", done: int, expected: int) -> None:
            bar.update(
                done,
                f"{played.turns.label(one.step)}: {value_text(one.value)}, depth {one.depth}",
                total=expected,
            )

        found = review_finished(played, chosen, limits, on_standing=show, besides=BESIDES)
    assert found is not None  # nothing stops it but Ctrl-C
    return found, chosen


def _review_folder(folder: Path, search: str | None, limits: Limits, aliases: Aliases, as_json: bool) -> None:
    """Review the first game of every file of a folder; a file that is no game, or cannot be reviewed, is left out with a warning."""
    from ..compiled import KernelError
    from ..play.review import game_row, player_rows

    files = sorted(
        one
        for one in folder.iterdir()
        if one.suffix in _SUFFIXES and (one.is_file() or (one.is_symlink() and not one.exists()))
    )
    if not files:
        raise ValueError(f"{folder} has no file that ends with {' or '.join(_SUFFIXES)}")
    games: list[tuple[dict[str, Any], tuple[str, str]]] = []
    for file in files:
        try:
            played = _from_replay(str(file), 1)
        except ValueError as error:
            warn(f"{error_line(error)}; it is left out")
            continue
        except OSError as error:
            warn(f"{file}: {error.strerror or error_line(error)}; it is left out")
            continue
        try:
            games.append((game_row(file.name, played, _reviewed(played, search, limits)[0]), played.names))
        except (
            ValueError,
            OSError,
            KernelError,
        ) as error:  # a search for games in turn alone, or a rule that fails
            warn(f"{file}: {error_line(error)}; it is left out")
    if not games:
        raise ValueError(f"{folder} has no game that could be reviewed")
    players = player_rows(games)
    if as_json:
        print_json(aliases.beside({"games": [game for game, _ in games], "players": players}))
    else:
        _print_folder([game for game, _ in games], players, aliases)


def _print_folder(games: list[dict[str, Any]], players: list[dict[str, Any]], aliases: Aliases) -> None:
    def loss(told: dict[str, Any]) -> str:
        return "-" if told["mean_loss"] is None else value_text(told["mean_loss"], ".3f")

    rows = [
        {
            "file": game["file"],
            "game": game["game"],
            "player 0": aliases.name(game["players"][0]),
            "player 1": aliases.name(game["players"][1]),
            "result": "-" if game["result"] is None else value_text(game["result"], "g"),
            "length": game["turns"],
            "loss a move": " ".join(map(loss, game["numbers"])),
            "proven": "yes" if game["exact"] else "no",
        }
        for game in games
    ]
    columns = [Column(name, text=name not in ("result",)) for name in rows[0]]
    columns[5] = Column("length", weight=1, text=True)
    print_records(tuple(columns), rows)
    print()
    rows = [
        {
            "game": one["game"],
            "player": aliases.name(one["player"]),
            "games": one["games"],
            "points": f"{one['points']:g} of {one['finished']}",
            "faults": one["faults"],
            "moves judged": one["judged"],
            "loss a move": loss(one),
            "large mistakes": one["large"],
            "proven": "yes" if one["exact"] else "no",
        }
        for one in players
    ]
    print_records(tuple(Column(name, text=name in ("game", "player", "proven")) for name in rows[0]), rows)
    print_wrapped(
        "points: 1 for a game won, a half for one drawn, of so many that have a result; loss a move: what a judged move gave away on "
        "average, in the game's units, of player 0 and of player 1; moves without a clearly better or worse one beside them are not "
        "judged; proven: whether all of these losses are exact, else they are those of the searches"
    )


def _from_replay(file: str, number: int) -> "FinishedGame":
    from ..games.catalogue.games import read_replay
    from ..play.reading import ReplayError
    from ..play.replay import finished

    try:
        return _moved(file, finished(read_replay(file, number)))
    except ReplayError as error:
        raise ValueError(f"{file}: {error}") from None


def _moved(file: str, played: "FinishedGame") -> "FinishedGame":
    """The same game; raises ValueError for one without a move."""
    if not played.actions:
        raise ValueError(f"{file}: nobody made a move in this game")
    return played


def _from_ledger(file: str, number: int | None) -> "FinishedGame":
    from ..arena.ledger import Ledger
    from ..arena.replaying import finished_of
    from ..arena.schedule import game_of

    if number is None:
        raise ValueError(
            f"{file} is a ledger; --number takes the id of one of its games, as `saddlepoint ledger list` prints it"
        )
    with Ledger(file, create=False) as book:
        entry = book.game(number)
        return _moved(file, finished_of(game_of(book.tournament(entry.tournament)), entry.played))


def _print_numbers(played: "FinishedGame", found: "GameReview") -> None:
    from ..play.review_numbers import balance, balance_rows, balance_words, judged_words, number_rows

    made = balance(played, found)
    about = "" if made is None or made.exact else " (about, as far as these searches saw)"
    for heading, rows, words in (
        ("", number_rows(played, found), judged_words(played, found)),
        (f"What the result was made of{about}:", balance_rows(played, made), balance_words(played, made)),
    ):
        print()
        if rows:
            if heading:
                print_wrapped(heading)
            print_records(
                (Column("", text=True), *(Column(name) for name in played.names)),
                [dict(zip(("", *played.names), row, strict=True)) for row in rows],
            )
        if words:
            print_wrapped(" ".join(words))


def _print_turns(played: "FinishedGame", found: "GameReview", every: bool) -> None:
    turns, (a, b) = played.turns, played.names
    mattered = {one.step for one in found.moments} | {found.verdict.until}
    places = {place for place, one in enumerate(found.standings) if one.step in mattered}
    lost = {one.step: one.loss for one in found.turns}
    rows = [
        {
            turns.word: turns.number(one.step),
            a: played.move(one.step, 0),
            b: played.move(one.step, 1),
            "worth": value_text(one.value),
            "depth": f"{one.depth}{'!' if one.exact else ''}",
            "gave away": " ".join(value_text(loss, ".2f") for loss in lost.get(one.step, ())),
            "": _remark(played, found, one.step),
        }
        for place, one in enumerate(found.standings)
        if every or any(abs(place - other) <= _AROUND for other in places)
    ]
    print_records(
        (
            Column(turns.word),
            Column(a, text=True),
            Column(b, text=True),
            Column("worth"),
            Column("depth", weight=1),
            Column("gave away", text=True),
            Column("", text=True),
        ),
        rows,
    )
    left = "" if len(rows) == len(found.standings) else f"; --all shows all {len(found.standings)}"
    print_wrapped(
        f"worth: for {a}, before the {turns.word}; depth: of its search, ! is proven; gave away: each player's move{left}"
    )


def _remark(played: "FinishedGame", found: "GameReview", step: int) -> str:
    verdict, drawn = found.verdict, played.outcome(step)
    said = [f"chance: {drawn}"] if drawn else []
    if verdict.loser is None:
        return ", ".join(said)
    name = played.names[verdict.loser]
    if step == verdict.step:
        said.append(
            f"{name} lost most here" if verdict.kind == "never even" else f"{name} even for the last time"
        )
    elif step == verdict.until:
        said.append(f"{name} as good as lost")
    return ", ".join(said)
