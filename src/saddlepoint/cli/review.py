"""`review`: who lost a finished game, where and of what."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .._text import value_text
from ..console.tables import Column
from ..console.terminal import Progress, print, print_json, print_records, print_wrapped
from .aliases import Alias, read_aliases
from .arena_options import AsJson
from .common import read_game_name, read_limits

if TYPE_CHECKING:
    from ..algorithms import Algorithm, Limits
    from ..algorithms.analysis import GameReview, Standing
    from ..play.finished_game import FinishedGame
    from .aliases import Aliases

_SECONDS = 0.3
_LONGEST = 400
"""Characters of a position's text that are printed with it; `show --turn` and --json have it at any length."""
_AROUND = 2
"""Rows of the table before and after a position that mattered."""
_LEDGER = b"SQLite format 3\0"


def review(
    file: Annotated[str, typer.Argument(help="A replay, a ledger, or a folder of replays; a contest's own files, too.")],
    number: Annotated[
        int | None, typer.Option("--number", min=1, help="Which game of a file with several (1); in a ledger its id.")
    ] = None,
    algorithm: Annotated[
        str | None, typer.Option(help="A search, or a named player that searches; as for `analyze`.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(
            "--time", metavar="SECONDS", help="For each turn, all searches together (0.3); the numbers take half as much more at most."
        ),
    ] = None,
    depth: Annotated[
        int | None, typer.Option(
            min=1, help="Depth of the verdict's searches, in plies. The numbers take half as many nodes more at most, or the --time "
            "beside it."
        ),
    ] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Nodes for each turn, likewise.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All turns, not only those that mattered.")] = False,
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="Your own game, of a ledger: ./mygame.py:MyGame; that file is run.")
    ] = None,
    alias: Alias = None,
    as_json: AsJson = False,
) -> None:
    """Say who lost a finished game, where and of what.

    The losing move is the last one after which the loser never stood even again. It is searched with the search of `best`; the moments
    that mattered are drawn.

    Example: saddlepoint review game.jsonl
    """
    from ..play.review import review_json
    from ..play.review_words import moment_words, verdict_words
    from ..spec import name_of

    aliases = read_aliases(alias or ())
    read_game_name(game)
    if Path(file).is_dir():
        _review_folder(Path(file), number, algorithm, (nodes, depth, seconds), aliases, as_json)
        return
    played = _from_ledger(file, number) if _is_ledger(file) else _from_replay(file, number or 1)
    if not played.actions:
        raise ValueError(f"{file}: nobody made a move in this game")
    shown, found, chosen = _judged(played, algorithm, (nodes, depth, seconds), aliases)
    if as_json:
        print_json(aliases.beside({
            "game": name_of(played.game), "players": list(played.players), "result": played.result, "reason": played.reason,
            "faults": list(played.faults), "algorithm": chosen.name, **review_json(shown, found),
        }))  # fmt: skip
        return
    print_wrapped(shown.headline())
    print_wrapped(" ".join(verdict_words(shown, found)))
    _print_numbers(shown, found)
    for moment in found.moments:
        print()
        print_wrapped(moment_words(shown, found, moment))
        print(played.game.render(played.states[moment.step]))
        _print_position(shown, moment.step)
    if not found.moments:
        print()
        print(played.game.render(played.states[-1]))
    print()
    _print_turns(shown, found, every)


def _judged(
    played: "FinishedGame", algorithm: str | None, bounds: tuple[int | None, int | None, float | None], aliases: "Aliases"
) -> "tuple[FinishedGame, GameReview, Algorithm]":
    """The game with the names that are shown, its review, and the search; `bounds` are nodes, depth and seconds as they were given."""
    from ..algorithms import search
    from ..algorithms.analysis import searched_form
    from ..algorithms.limits import Limits
    from ..roster.analysing import review_search_of

    a, b = played.players
    shown = replace(played, players=(aliases.name(a), aliases.name(b)))
    chosen = review_search_of(played.game, None if algorithm is None else aliases.spec(algorithm)).algorithm
    nodes, depth, seconds = bounds
    limits = read_limits(nodes, depth, _SECONDS if depth is nodes is seconds is None else seconds)
    assert limits is not None
    searched = searched_form(played.game, chosen)
    search(searched, played.states[0], chosen, Limits(depth=1, nodes=1000), variation=False)  # compiled before any clock runs
    return shown, _reviewed(shown, chosen, limits), chosen


def _review_folder(
    folder: Path, number: int | None, algorithm: str | None, bounds: tuple[int | None, int | None, float | None], aliases: "Aliases",
    as_json: bool,
) -> None:
    from .review_folder import review_folder

    if number is not None:
        raise ValueError(f"{folder} is a folder, of whose files the first game is taken; --number is for one file")
    review_folder(
        folder, lambda file: _from_replay(file, 1), lambda played: _judged(played, algorithm, bounds, aliases)[1], aliases, as_json
    )


def _print_position(played: "FinishedGame", step: int) -> None:
    """What `analyze` takes to look further into a position, where that is no long text."""
    text = played.position_text(step)
    if len(text) <= _LONGEST:
        print(text)


def _is_ledger(file: str) -> bool:
    if not Path(file).is_file():  # of a pipe nothing may be read twice
        return False
    with Path(file).open("rb") as opened:
        return opened.read(len(_LEDGER)) == _LEDGER


def _from_replay(file: str, number: int) -> "FinishedGame":
    from ..play.fields import ReplayError
    from ..play.finished_game import finished
    from ..roster.replays import read_replay

    try:
        return finished(read_replay(file, number))
    except ReplayError as error:
        raise ValueError(f"{file}: {error}") from None


def _from_ledger(file: str, number: int | None) -> "FinishedGame":
    from ..arena.ledger import Ledger
    from ..arena.replaying import finished_of
    from ..arena.settings import game_of

    if number is None:
        raise ValueError(f"{file} is a ledger; --number takes the id of one of its games, as `saddlepoint ledger list` prints it")
    with Ledger(file, create=False) as book:
        entry = book.game(number)
        return finished_of(game_of(book.tournament(entry.tournament)), entry.played)


def _reviewed(played: "FinishedGame", algorithm: "Algorithm", limits: "Limits") -> "GameReview":
    from ..algorithms.analysis.game_review import BESIDES
    from ..play.review import review_finished

    with Progress(None) as bar:

        def show(one: "Standing", done: int, expected: int) -> None:
            bar.update(done, f"{played.turns.label(one.step)}: {value_text(one.value)}, depth {one.depth}", total=expected)

        found = review_finished(played, algorithm, limits, on_standing=show, besides=BESIDES)
    assert found is not None  # nothing stops it but Ctrl-C
    return found


def _print_numbers(played: "FinishedGame", found: "GameReview") -> None:
    """How well each player chose, and what the result was made of."""
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
            columns = (Column("", text=True), *(Column(name) for name in played.names))
            print_records(columns, [dict(zip(("", *played.names), (row.label, *row.values), strict=True)) for row in rows])
        if words:
            print_wrapped(" ".join(words))


def _print_turns(played: "FinishedGame", found: "GameReview", every: bool) -> None:
    turns, (a, b) = played.turns, played.names
    mattered = {one.step for one in found.moments} | {found.verdict.until}
    places = {place for place, one in enumerate(found.standings) if one.step in mattered}
    turns_looked_at = {one.step: one for one in found.turns}
    rows: list[dict[str, Any]] = []
    for place, one in enumerate(found.standings):
        if every or any(abs(place - other) <= _AROUND for other in places):
            looked = turns_looked_at.get(one.step)
            rows.append({
                turns.word: turns.number(one.step), a: played.move(one.step, 0), b: played.move(one.step, 1),
                "worth": value_text(one.value), "depth": f"{one.depth}{'!' if one.exact else ''}",
                "gave away": "" if looked is None else " ".join(value_text(loss, ".2f") for loss in looked.loss),
                "": _remark(played, found, one.step),
            })  # fmt: skip
    columns = (
        Column(turns.word), Column(a, text=True), Column(b, text=True), Column("worth"), Column("depth", weight=1),
        Column("gave away", text=True), Column("", text=True),
    )  # fmt: skip
    print_records(columns, rows)
    left = "" if len(rows) == len(found.standings) else f"; --all shows all {len(found.standings)}"
    print_wrapped(f"worth: for {a}, before the {turns.word}; depth: of its search, ! is proven; gave away: each player's move{left}")


def _remark(played: "FinishedGame", found: "GameReview", step: int) -> str:
    verdict, drawn = found.verdict, played.outcome(step)
    said = [f"chance: {drawn}"] if drawn else []
    if verdict.loser is None:
        return ", ".join(said)
    name = played.names[verdict.loser]
    if step == verdict.step:
        said.append(f"{name} lost most here" if verdict.kind == "never even" else f"{name} even for the last time")
    elif step == verdict.until:
        said.append(f"{name} as good as lost")
    return ", ".join(said)
